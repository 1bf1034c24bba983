"""`ultimo simulate`: let bots play numbered deals, recorded event by event or as rows and statistics.

The same seed gives the same deals whichever output is asked for: the kernel's dice deal, its players choose.
"""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ultimo.cli import given
from ultimo.cli.complaint import Complaint
from ultimo.cli.figures import (
    cores,
    drawing,
    need,
    number,
    numbers,
    percent,
    percents,
    positive,
    print_json,
    running,
)
from ultimo.cli.progress import progress

if TYPE_CHECKING:
    from ultimo.analysis.simulation.run import Plan
    from ultimo.analysis.statistics import Share, Summary

ONLY_AT_SCALE = ("rows", "plot", "cores", "chunk", "json")
DEALS = 100_000
# What is told, by its name in the rows: a share of all deals, or of the French ones that were played.
ROWS = (
    *("king_ultimo", "pagat_ultimo", "king_bagud", "pagat_bagud"),
    *("nolo", "nolo_lost", "tout", "tout_lost"),
    *("pagat_home", "pagat_lost", "king_lost", "declared"),
    *("petit_sec", "passed", "bid_petite", "bid_garde", "bid_sans", "bid_contre", "won"),
    *("petit_au_bout_taker", "petit_au_bout_defence"),
    *("slam_taker", "slam_defence", "slam_announced", "poignee"),
)
OF_ALL = {"petit_sec", "passed"}


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
    need("numpy", "fast")
    plans = _plans(arguments)
    rows = None if arguments.rows is None else _rows(arguments.rows, plans)
    if arguments.plot is not None:
        need("matplotlib")
    results = [(plan, _summary(plan, rows, arguments)) for plan in plans]
    if arguments.plot is not None:
        from ultimo.analysis import pictures

        with drawing(arguments.plot):
            pictures.simulation(Path(arguments.plot), results)
    if arguments.json:
        reports = [report(plan, summary) for plan, summary in results]
        print_json(reports[0] if len(reports) == 1 else reports)
    else:
        print("\n\n".join("\n".join(lines(plan, summary)) for plan, summary in results))
    return 0


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
        with running():
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
    except NotCompilable as error:
        raise Complaint(error) from error


def _rows(file: str, plans: list[Plan]) -> Path:
    from ultimo.analysis.simulation.files import form_of

    path = Path(file)
    with running():
        if form_of(path) == "parquet":
            need("pyarrow")
    if len(plans) > 1:
        raise Complaint("--rows: a file holds the rows of one rulebook")
    return path


def _summary(plan: Plan, rows: Path | None, arguments: Namespace) -> Summary:
    from ultimo.analysis.simulation import run as simulation

    chunk = arguments.chunk or simulation.CHUNK
    used = cores(arguments, plan.deals, chunk)
    with running(rows), progress(plan.deals) as advance:
        return simulation.run(plan, rows=rows, cores=used, chunk=chunk, advance=advance)


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
    from ultimo.analysis.runs import rules_of
    from ultimo.analysis.simulation.rows import label
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
        yield f"{label(name):<34} {share.count:>11,} {percent(share.value):>11}   {interval}{of}"
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
