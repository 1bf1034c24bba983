"""The picture of an arena: what each player makes above the table, and how often what happens to him."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from ultimo.analysis.pictures import COLOURS, DOTS, GREY, MARKS, SETTINGS
from ultimo.analysis.statistics import Share
from ultimo.players.arena.arena import rules_of
from ultimo.players.arena.events import DANISH, FRENCH
from ultimo.players.arena.results import Result

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SIZE = (9.0, 5.0)  # inches


def draw(path: Path, found: Result) -> None:
    """Draw into a file, by the end of its name; without a screen and without anybody else's settings."""
    import matplotlib as mpl
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    path.parent.mkdir(parents=True, exist_ok=True)
    settings: Any = {**dict(mpl.rcParamsDefault), **SETTINGS, "backend": "agg"}
    with mpl.rc_context(settings):
        figure = Figure(SIZE, layout="constrained")
        FigureCanvasAgg(figure)
        gains, shares = figure.subplots(1, 2, width_ratios=(1, 1.1))
        _gains(gains, found)
        _shares(shares, found)
        figure.suptitle(_title(found), x=0.01, ha="left", fontsize=12, fontweight="bold")
        svg = path.suffix == ".svg"
        figure.savefig(path, dpi=DOTS, metadata={"Date": None} if svg else {"Software": None})


def _title(found: Result) -> str:
    made = found.plan
    about = f"{found.deals:,} deals in {found.rotations} rotations, seed {made.seed}"
    return f"{rules_of(made).title}: {', '.join(made.players)}\n{about}"


def _gains(axes: Axes, found: Result) -> None:
    """Points above the table, with intervals."""
    for row, one in enumerate(found.players):
        mean = one.gain.mean
        low, high = one.gain.interval or (mean, mean)
        axes.errorbar(
            mean,
            row,
            xerr=[[mean - low], [high - mean]],
            fmt=MARKS[row % len(MARKS)],
            color=COLOURS[row % len(COLOURS)],
            markersize=7,
            capsize=4,
        )
        told = f"{mean:+.2f}".replace("-", "−")
        axes.annotate(told, (mean, row), (0, 9), textcoords="offset points", ha="center", fontsize=9)
    axes.axvline(0, color=GREY, linewidth=1, linestyle="--")
    axes.set_yticks(range(len(found.players)), [f"{one.player + 1} {one.level}" for one in found.players])
    axes.set_ylim(len(found.players) - 0.5, -0.6)
    axes.tick_params(axis="y", length=0)
    axes.set_xlabel("points a deal above the table, 95 % intervals")


def _shares(axes: Axes, found: Result) -> None:
    """How often what happened to whom; what happened to nobody is left out."""
    names = DANISH | FRENCH
    shown = [name for name in found.players[0].events if any(one.events[name].count for one in found.players)]
    gap = 0.7 / len(found.players)
    for place, one in enumerate(found.players):
        offset = (place - (len(found.players) - 1) / 2) * gap
        for row, name in enumerate(shown):
            share = Share(one.events[name].count, one.events[name].of)
            if not share.of:
                continue
            low, high = share.interval()
            axes.errorbar(
                100 * share.value,
                row + offset,
                xerr=[[100 * (share.value - low)], [100 * (high - share.value)]],
                fmt=MARKS[place % len(MARKS)],
                color=COLOURS[place % len(COLOURS)],
                markersize=5,
                capsize=2,
            )
    axes.set_yticks(range(len(shown)), [names[name] for name in shown])
    axes.set_ylim(len(shown) - 0.5, -0.5)
    axes.set_xlim(left=0)
    axes.grid(axis="x", color="#dddddd", linewidth=0.8)
    axes.set_axisbelow(True)
    axes.tick_params(axis="y", length=0)
    axes.set_xlabel("share of deals, %")
