"""`ultimo simulate`: let bots play numbered deals, recorded event by event or as rows and statistics.

The same seed gives the same deals whichever output is asked for: the kernel's dice deal, its players choose.
"""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Iterator
from importlib.util import find_spec
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from ultimo.cli import given
from ultimo.cli.complaint import Complaint
from ultimo.cli.progress import progress

if TYPE_CHECKING:
    from ultimo.analysis.simulation.run import Plan
    from ultimo.analysis.statistics import Interval, Share, Summary

ONLY_AT_SCALE = ("rows", "plot", "cores", "chunk", "json")
DEALS = 100_000
INSTALL = {
    "numpy": 'pip install "ultimo[fast]"',
    "pyarrow": 'pip install "ultimo[analysis]"',
    "matplotlib": 'pip install "ultimo[analysis]"',
}
# What is told, and of which deals it is a share: of all, or of those of a kind.
DANISH_ROWS = {
    "king_ultimo": "king ultimo",
    "pagat_ultimo": "pagat ultimo",
    "king_bagud": "king bagud",
    "pagat_bagud": "pagat bagud",
    "nolo": "nolo",
    "nolo_lost": "nolo announced in vain",
    "tout": "tout",
    "tout_lost": "tout announced in vain",
    "pagat_home": "pagat home before the last trick",
    "pagat_lost": "pagat lost before the last trick",
    "king_lost": "a king lost before the last trick",
    "declared": "a declaration",
}
FRENCH_ROWS = {
    "petit_sec": "petit sec",
    "passed": "all passed",
    "bid_petite": "petite",
    "bid_garde": "garde",
    "bid_sans": "garde sans",
    "bid_contre": "garde contre",
    "won": "contract made",
    "petit_au_bout_taker": "petit au bout, taker",
    "petit_au_bout_defence": "petit au bout, defence",
    "slam_taker": "slam, taker",
    "slam_defence": "slam, defence",
    "slam_announced": "slam announced",
    "poignee": "a poignée shown",
}
OF_ALL = {"petit_sec", "passed"}
ROWS = DANISH_ROWS | FRENCH_ROWS


def arguments(parser: ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument(
        "--rules", metavar="ID,…", default="dtf", help="the rulebook (dtf); without --out also several"
    )
    parser.add_argument(
        "--table", metavar="N", type=int, help="players at the table (default: the most the book allows)"
    )
    parser.add_argument(
        "--deals", metavar="N", type=positive, help="how many deals (100 with --out, else 100000)"
    )
    parser.add_argument(
        "--seed",
        metavar="SEED",
        default="1",
        help="a whole number: same seed, same deals, recorded or not (1)",
    )
    parser.add_argument(
        "--players",
        metavar="LEVEL,…",
        default="random",
        help="one for all, or one per seat: random, lowest, highest, beginner, club; with --out also expert "
        "(default: random)",
    )
    parser.add_argument(
        "--length", metavar="N", type=positive, help="deals per game (default: all with --out, otherwise 20)"
    )
    given.add_house(parser)
    record = parser.add_argument_group(
        "recording (every event, for `ultimo replay`)",
        "The deals are those of the rows. Tables where mistakes can happen (strict.*), packs that are not "
        "shuffled and the expert are played by the engine instead, with other dice.",
    )
    record.add_argument(
        "--out",
        metavar="FILE",
        help="write JSON lines; - for standard output; with --length, one numbered file per game",
    )
    scale = parser.add_argument_group("large simulations (without --out)")
    scale.add_argument("--rows", metavar="FILE", help="write one row per deal to FILE.parquet or FILE.jsonl")
    scale.add_argument("--plot", metavar="FOLDER", help="pictures (PNG and SVG)")
    scale.add_argument("--cores", metavar="N", type=positive, help="processors to use (all)")
    scale.add_argument("--chunk", metavar="N", type=positive, help="deals that a process plays at a time")
    scale.add_argument("--json", action="store_true", default=None, help="the summary for a program")


def positive(text: str) -> int:
    """A number of deals."""
    if not text.isdecimal() or not int(text):
        raise ArgumentTypeError(f"{text!r} must be a whole number, 1 or more")
    return int(text)


def run(arguments: Namespace) -> int:
    """Play in one of the two ways."""
    if arguments.out is None:
        return _at_scale(arguments)
    for option in ONLY_AT_SCALE:
        if getattr(arguments, option) is not None:
            raise Complaint(f"--{option} cannot be combined with --out")
    from ultimo.cli import recording

    return recording.run(arguments)


def seed(arguments: Namespace) -> int:
    """The seed, which numbers the deals."""
    if not arguments.seed.isdecimal():
        raise Complaint(f"--seed: {arguments.seed!r} is not a whole number")
    return int(arguments.seed)


def _at_scale(arguments: Namespace) -> int:
    """Play, write the rows and the pictures, sum up."""
    need("numpy")
    plans = _plans(arguments)
    rows = None if arguments.rows is None else _rows(arguments.rows, plans)
    if arguments.plot is not None:
        need("matplotlib")
    results = [(plan, _summary(plan, rows, arguments)) for plan in plans]
    if arguments.plot is not None:
        from ultimo.analysis import pictures

        try:
            pictures.simulation(Path(arguments.plot), results)
        except OSError as error:
            raise Complaint(f"{arguments.plot}: {error.strerror}") from error
    if arguments.json:
        reports = [report(plan, summary) for plan, summary in results]
        told = msgspec.json.encode(reports[0] if len(reports) == 1 else reports)
        print(msgspec.json.format(told, indent=2).decode())
    else:
        print("\n\n".join("\n".join(lines(plan, summary)) for plan, summary in results))
    return 0


def need(package: str) -> None:
    """Complain, with what to do about it, if a package is not installed."""
    if find_spec(package) is None:
        raise Complaint(f"this needs {package}: {INSTALL[package]}")


def cores(arguments: Namespace, deals: int, chunk: int) -> int:
    """How many processes are worth it."""
    most: int = arguments.cores or os.cpu_count() or 1
    return max(1, min(most, -(-deals // chunk)))


def _plans(arguments: Namespace) -> list[Plan]:
    from ultimo.analysis.simulation import run as simulation
    from ultimo.kernel import NotCompilable
    from ultimo.kernel.jit import COMPILED

    if not COMPILED and "NUMBA_DISABLE_JIT" not in os.environ:
        print(
            'numba is not installed; with it (pip install "ultimo[fast]") this is far faster', file=sys.stderr
        )
    house = given.house(arguments)
    try:
        return [
            simulation.plan(
                given.rules(book, house),
                table=arguments.table,
                seed=seed(arguments),
                deals=arguments.deals or DEALS,
                length=arguments.length,
                players=arguments.players.split(","),
            )
            for book in arguments.rules.split(",")
        ]
    except (simulation.SimulationError, NotCompilable) as error:
        raise Complaint(error) from error


def _rows(file: str, plans: list[Plan]) -> Path:
    from ultimo.analysis.simulation.files import RowsError, form_of

    path = Path(file)
    try:
        if form_of(path) == "parquet":
            need("pyarrow")
    except RowsError as error:
        raise Complaint(error) from error
    if len(plans) > 1:
        raise Complaint("--rows: a file holds the rows of one rulebook")
    return path


def _summary(plan: Plan, rows: Path | None, arguments: Namespace) -> Summary:
    from ultimo.analysis.simulation import run as simulation
    from ultimo.analysis.simulation.files import RowsError

    chunk = arguments.chunk or simulation.CHUNK
    try:
        with progress(plan.deals) as advance:
            return simulation.run(
                plan, rows=rows, cores=cores(arguments, plan.deals, chunk), chunk=chunk, advance=advance
            )
    except RowsError as error:
        raise Complaint(error) from error
    except simulation.SimulationError as error:
        again = "" if rows is None else "; the same command goes on where it stopped"
        raise Complaint(f"{error}{again}") from error
    except OSError as error:
        raise Complaint(f"{error.filename or rows}: {error.strerror}") from error


# --- telling it ----------------------------------------------------------------------------------------


def shares(summary: Summary) -> Iterator[tuple[str, Share]]:
    """How often there was what, by its name in the rows."""
    french = "played" in summary.counts
    for name in ROWS:
        if name in summary.counts and (summary.counts[name] or not name.endswith("_lost")):
            yield name, summary.share(name, "played" if french and name not in OF_ALL else None)


def report(plan: Plan, summary: Summary) -> dict[str, Any]:
    """What a program is told."""
    from ultimo.analysis.statistics import average, combined_cup, quantile

    told: dict[str, Any] = {"plan": plan, "deals": summary.deals, "sessions": summary.sessions}
    told["events"] = {
        name: {"count": share.count, "of": share.of, "share": share.value, "interval": share.interval()}
        for name, share in shares(summary)
        if share.of
    }
    told["points"] = {}
    for name in summary.moments:
        mean = summary.mean(name)
        sure = not isnan(mean.error)
        told["points"][name] = {"mean": mean.value, "interval": mean.interval() if sure else None}
    told["cups"] = {
        cup: {
            "mean": average(held),
            **{f"{part:.0%}": quantile(held, part) for part in (0.05, 0.5, 0.95, 0.99)},
            "highest": summary.highest[f"{cup}_cup"],
        }
        for cup in summary.cups
        if (held := combined_cup(summary, cup))
    }
    return told


def lines(plan: Plan, summary: Summary) -> Iterator[str]:
    """The table."""
    from ultimo.analysis.simulation.run import rules_of
    from ultimo.analysis.statistics import average, combined_cup, quantile

    players = plan.players[0] if len(set(plan.players)) == 1 else ", ".join(plan.players)
    sessions = f", sessions of {plan.length}" if summary.cups else ""
    house = " with house rules" if plan.overrides else ""
    yield f"{rules_of(plan).title}{house}: {summary.deals:,} deals, {plan.table} at the table{sessions}"
    yield f"players: {players} · seed {plan.seed}"
    yield ""
    yield f"{'':<34} {'deals':>11} {'share':>11}   95 % interval"
    for name, share in shares(summary):
        of = "" if share.of == summary.deals else " of those played"
        interval = percents(share.interval())
        yield f"{ROWS[name]:<34} {share.count:>11,} {percent(share.value):>11}   {interval}{of}"
    yield ""
    yield f"{'points a deal':<34} {'':>11} {'mean':>11}   95 % interval"
    for name in summary.moments:
        mean = summary.mean(name)
        yield f"{name:<34} {'':>11} {number(mean.value):>11}   {numbers(mean.interval())}"
    if summary.cups:
        yield ""
        yield f"{'cups as a deal begins':<34} {'median':>11} {'mean':>11}   95 % below, highest"
        for cup in summary.cups:
            held = combined_cup(summary, cup)
            spread = f"{quantile(held, 0.95):,}, {summary.highest[f'{cup}_cup']:,}"
            yield f"{cup + ' cup':<34} {quantile(held, 0.5):>11,} {average(held):>11,.1f}   {spread}"


def percent(share: float) -> str:
    """A share, with as many digits as it needs.

    >>> percent(0.0712345), percent(0.00000123), percent(0.0), percent(1.0)
    ('7.123 %', '0.000123 %', '0 %', '100 %')
    """
    return "–" if isnan(share) else f"{_digits(100 * share, 4)} %"


def percents(interval: Interval) -> str:
    """An interval of shares."""
    low, high = interval
    return f"{_digits(100 * low, 4)} to {_digits(100 * high, 4)} %"


def number(value: float) -> str:
    """A mean with its sign."""
    return "–" if isnan(value) else f"{value:+,.2f}".replace("-", "−")


def numbers(interval: Interval) -> str:
    """An interval of means."""
    return "–" if isnan(interval[0]) else f"{number(interval[0])} to {number(interval[1])}"


def _digits(value: float, digits: int) -> str:
    """A number to so many significant digits, never as a power of ten."""
    if value == 0:
        return "0"
    places = digits - 1
    bound = abs(value)
    while bound >= 10:
        places, bound = places - 1, bound / 10
    while bound < 1:
        places, bound = places + 1, bound * 10
    return f"{value:.{max(0, min(places, 12))}f}".rstrip("0").rstrip(".") if places > 0 else f"{value:.0f}"
