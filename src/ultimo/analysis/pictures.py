"""Pictures of many deals, as PNG and SVG: how points are distributed, the cups, and how often there is what.

Colours are those of Okabe and Ito, which people who see few colours can tell apart; marks differ in shape.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ultimo.analysis.frequencies.exact import DANISH, TAROKKER, exactly
from ultimo.analysis.frequencies.frequencies import Measured
from ultimo.analysis.runs import rules_of
from ultimo.analysis.simulation.rows import label
from ultimo.analysis.simulation.run import Plan
from ultimo.analysis.statistics import Interval, Share, Summary, average, quantile
from ultimo.rulebook import load

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
MARKS = ("o", "s", "D", "^", "v", "P", "X")
GREY = "#555555"
SIZE, WIDE = (8.0, 4.5), (9.0, 5.0)  # inches
DOTS = 150  # an inch
BARS = 60  # of a histogram, about
STEPS = (1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000)
SETTINGS: dict[str, Any] = {
    "font.size": 10,
    "axes.titlesize": 12,
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": GREY,
    "svg.hashsalt": "ultimo",  # the same numbers give the same file
    "svg.fonttype": "none",
}
DANISH_EVENTS = ("king_ultimo", "pagat_ultimo", "king_bagud", "pagat_bagud", "nolo", "tout")
FRENCH_EVENTS = (
    *("passed", "petit_sec", "won"),
    *("petit_au_bout_taker", "petit_au_bout_defence", "poignee", "slam"),
)


class Series(NamedTuple):
    """What is drawn in one colour: its name, and the shares of the events."""

    name: str
    shares: Mapping[str, Share]


def simulation(folder: Path, results: Sequence[tuple[Plan, Summary]]) -> list[Path]:
    """The pictures of a simulation of one or several rulebooks; their files."""
    made: list[Path] = []
    for plan, summary in results:
        title, about = rules_of(plan).title, _about(plan, summary)
        end = f"-{plan.rules}" if len(results) > 1 else ""
        made += _draw(folder, f"points{end}", partial(_points, summary, title, about))
        if summary.cups:
            made += _draw(folder, f"cups{end}", partial(_cups, summary, title, about))
    for events in (DANISH_EVENTS, FRENCH_EVENTS):
        shown = [(plan, one) for plan, one in results if bool(one.cups) == (events is DANISH_EVENTS)]
        if shown:
            series = [Series(plan.rules, {name: one.share(name) for name in events}) for plan, one in shown]
            title = "How often it happens" if len(shown) > 1 else rules_of(shown[0][0]).title
            about = _about(*shown[0])
            family = "" if len(shown) == len(results) else f"-{'danish' if shown[0][1].cups else 'french'}"
            made += _draw(folder, f"events{family}", partial(_events, series, events, title, about))
    return made


def frequencies(folder: Path, measured: Measured) -> list[Path]:
    """The pictures of what the books make claims about: by kind of player, and the tarokker of a hand."""
    made: list[Path] = []
    for book, by_player in measured.played.items():
        events = DANISH_EVENTS if next(iter(by_player.values())).cups else FRENCH_EVENTS
        series = [
            Series(f"{player} players", {name: one.share(name) for name in events})
            for player, one in by_player.items()
        ]
        title = load(book).title
        about = f"{measured.deals:,} deals for each kind of player, seed {measured.seed}"
        made += _draw(folder, f"events-{book}", partial(_events, series, events, title, about))
    return made + _draw(folder, "tarokker", _tarokker)


def _about(plan: Plan, summary: Summary) -> str:
    players = plan.players[0] if len(set(plan.players)) == 1 else "mixed"
    return f"{summary.deals:,} deals, {plan.table} at the table, {players} players, seed {plan.seed}"


def _draw(folder: Path, name: str, draw: Callable[[Figure], None]) -> list[Path]:
    """Draw a picture into files of both kinds."""
    files = [folder / f"{name}.png", folder / f"{name}.svg"]
    _save(files, SIZE, draw)
    return files


def _save(files: Sequence[Path], size: tuple[float, float], draw: Callable[[Figure], None]) -> None:
    """Draw without a screen and without anybody else's settings, into files by the ends of their names."""
    import matplotlib as mpl
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    settings: Any = {**dict(mpl.rcParamsDefault), **SETTINGS, "backend": "agg"}
    with mpl.rc_context(settings):
        figure = Figure(size, layout="constrained")
        FigureCanvasAgg(figure)
        draw(figure)
        for file in files:
            file.parent.mkdir(parents=True, exist_ok=True)
            undated = {"Date" if file.suffix == ".svg" else "Software": None}
            figure.savefig(file, dpi=DOTS, metadata=undated)
            figure.set_layout_engine("none")  # it is laid out


def _head(axes: Axes, title: str, about: str) -> None:
    axes.set_title(f"{title}\n", fontweight="bold")
    axes.text(0, 1.02, about, transform=axes.transAxes, fontsize=9, color=GREY)


# --- points --------------------------------------------------------------------------------------------


def _points(summary: Summary, title: str, about: str, figure: Figure) -> None:
    """What a player who plays wins or loses in a deal."""
    held = summary.points
    low, high = quantile(held, 0.01), quantile(held, 0.99)
    step = _step(high - low)
    bars: dict[int, int] = {}
    for points, count in held.items():
        if low <= points <= high:
            bars[points // step] = bars.get(points // step, 0) + count
    every = sum(held.values())
    axes = figure.subplots()
    lefts = sorted(bars)
    axes.bar(
        [left * step for left in lefts],
        [100 * bars[left] / every for left in lefts],
        width=step,
        align="edge",
        color=COLOURS[0],
        edgecolor="white",
        linewidth=0.4,
    )
    mean, middle = average(held), quantile(held, 0.5)
    axes.axvline(mean, color=COLOURS[1], linewidth=1.5, label=f"mean {mean:+.1f}".replace("-", "−"))
    axes.axvline(
        middle, color="black", linewidth=1.5, linestyle="--", label=f"median {middle:+d}".replace("-", "−")
    )
    axes.set_xlabel(f"points a deal, for each who plays (bars of {step})")
    axes.set_ylabel("share of hands, %")
    axes.legend(frameon=False)
    outside = 1 - sum(bars.values()) / every
    _head(axes, f"{title}: points a deal", f"{about}; {outside:.1%} lie outside the picture")


def _step(width: int) -> int:
    return next((step for step in STEPS if width / step <= BARS), STEPS[-1])


# --- cups ----------------------------------------------------------------------------------------------


def _cups(summary: Summary, title: str, about: str, figure: Figure) -> None:
    """What the cups hold as the deals of a session begin."""
    from matplotlib.ticker import MaxNLocator

    both = figure.subplots(1, len(summary.cups), sharey=True)
    for axes, (cup, by_number), colour in zip(both, summary.cups.items(), COLOURS, strict=False):
        numbers = sorted(by_number)
        lines = {
            part: [quantile(by_number[one], part) for one in numbers]
            for part in (0.05, 0.25, 0.5, 0.75, 0.95)
        }
        axes.fill_between(
            numbers, lines[0.05], lines[0.95], color=colour, alpha=0.15, linewidth=0, label="90 % of sessions"
        )
        axes.fill_between(
            numbers, lines[0.25], lines[0.75], color=colour, alpha=0.35, linewidth=0, label="50 % of sessions"
        )
        axes.plot(numbers, lines[0.5], color=colour, linewidth=2, label="median")
        means = [average(by_number[one]) for one in numbers]
        axes.plot(numbers, means, color="black", linewidth=1.5, linestyle="--", label="mean")
        axes.set_xlabel(f"deal of the session\n{cup} cup")
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        _plain_log(axes.yaxis, axes.set_yscale)
        axes.margins(x=0.02)
    both[0].legend(frameon=False, loc="upper left", fontsize=9)
    both[0].set_ylabel("points in the cup as the deal begins")
    both[0].set_ylim(top=both[0].get_ylim()[1] * 2)  # room for the legend
    _head(both[0], f"{title}: the cups", about)


def _plain_log(axis: Any, scale: Callable[[str], None]) -> None:
    """A logarithmic axis with numbers as people write them."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    scale("log")
    axis.set_major_locator(LogLocator(10, subs=(1.0, 2.0, 5.0), numticks=30))
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.10f}".rstrip("0").rstrip(".")))
    axis.set_minor_formatter(NullFormatter())


# --- events --------------------------------------------------------------------------------------------


def _events(series: Sequence[Series], events: Sequence[str], title: str, about: str, figure: Figure) -> None:
    """How often things happen, with intervals; what never happened is shown by how rare it must be."""
    from matplotlib.ticker import LogLocator

    axes = figure.subplots()
    for place, one in enumerate(series):
        for row, name in enumerate(events):
            y, share = row + _offset(place, len(series)), one.shares[name]
            _mark(axes, y, share, place, one.name if row == 0 else None)
    axes.set_yticks(range(len(events)), [label(name) for name in events])
    axes.invert_yaxis()
    _plain_log(axes.xaxis, axes.set_xscale)
    axes.xaxis.set_major_locator(LogLocator(10))
    _rows_of_shares(axes)
    axes.set_xlabel("share of deals, % (logarithmic; lines are 95 % intervals, < less than)")
    if len(series) > 1:
        axes.legend(frameon=False, loc="upper left", bbox_to_anchor=(1, 1), fontsize=9)
    _head(axes, f"{title}: ultimo and what else" if len(series) == 1 else title, about)


def _offset(place: int, among: int) -> float:
    """How far from its row a mark is set that stands for one of several."""
    return (place - (among - 1) / 2) * 0.7 / max(1, among)


def _rows_of_shares(axes: Axes) -> None:
    axes.grid(axis="x", color="#dddddd", linewidth=0.8)
    axes.set_axisbelow(True)
    axes.tick_params(axis="y", length=0)


def _mark(axes: Axes, y: float, share: Share, place: int, name: str | None) -> None:
    if share.count:
        _interval(axes, y, _percents(share), place, (6, 3), name)
    else:
        axes.plot(
            100 * share.interval()[1],
            y,
            marker=8,
            linestyle="",
            color=COLOURS[place],
            markersize=7,
            fillstyle="none",
            label=name,
        )


def _percents(share: Share) -> tuple[float, Interval]:
    low, high = share.interval()
    return 100 * share.value, (100 * low, 100 * high)


def _interval(
    axes: Axes,
    y: float,
    found: tuple[float, Interval],
    place: int,
    sizes: tuple[float, float],
    name: str | None = None,
) -> None:
    """A value with its interval, in the colour and by the mark of its place; sizes are of mark and ends."""
    value, (low, high) = found
    axes.errorbar(
        value,
        y,
        xerr=[[value - low], [high - value]],
        fmt=MARKS[place % len(MARKS)],
        color=COLOURS[place % len(COLOURS)],
        markersize=sizes[0],
        capsize=sizes[1],
        label=name,
    )


# --- players -------------------------------------------------------------------------------------------


def standings(
    path: Path,
    title: str,
    gains: Mapping[str, tuple[float, Interval | None]],
    events: Mapping[str, Sequence[Share]],
) -> None:
    """What each player makes above the table, and how often what happens to each of them."""

    def draw(figure: Figure) -> None:
        left, right = figure.subplots(1, 2, width_ratios=(1, 1.1))
        _gains(left, gains)
        for row, shares in enumerate(events.values()):
            for place, share in enumerate(shares):
                if share.of:
                    _interval(right, row + _offset(place, len(shares)), _percents(share), place, (5, 2))
        right.set_yticks(range(len(events)), list(events))
        right.set_ylim(len(events) - 0.5, -0.5)
        right.set_xlim(left=0)
        _rows_of_shares(right)
        right.set_xlabel("share of deals, %")
        figure.suptitle(title, x=0.01, ha="left", fontsize=12, fontweight="bold")

    _save([path], WIDE, draw)


def _gains(axes: Axes, gains: Mapping[str, tuple[float, Interval | None]]) -> None:
    """Points above the table, with intervals."""
    for row, (mean, interval) in enumerate(gains.values()):
        _interval(axes, row, (mean, interval or (mean, mean)), row, (7, 4))
        told = f"{mean:+.2f}".replace("-", "−")
        axes.annotate(told, (mean, row), (0, 9), textcoords="offset points", ha="center", fontsize=9)
    axes.axvline(0, color=GREY, linewidth=1, linestyle="--")
    axes.set_yticks(range(len(gains)), list(gains))
    axes.set_ylim(len(gains) - 0.5, -0.6)
    axes.tick_params(axis="y", length=0)
    axes.set_xlabel("points a deal above the table, 95 % intervals")


# --- tarokker ------------------------------------------------------------------------------------------


def _tarokker(figure: Figure) -> None:
    """How many tarokker a hand of 25 is dealt."""
    axes = figure.subplots()
    numbers = range(15)
    shares = [100 * float(exactly(number, TAROKKER, DANISH[0])) for number in numbers]
    colours = [COLOURS[1] if number >= 10 else COLOURS[0] for number in numbers]
    axes.bar(numbers, shares, color=colours)
    for number, share in zip(numbers, shares, strict=True):
        axes.text(
            number, share + 0.2, f"{share:.1f}" if share >= 0.05 else f"{share:.1g}", ha="center", fontsize=8
        )
    axes.set_xticks(list(numbers))
    axes.set_xlabel("tarokker in a hand of 25, the skus counted; ten and more are declared")
    axes.set_ylabel("share of hands, %")
    _head(axes, "Tarokker in a hand", "exact probability")
