"""`ultimo stats`: how often things happen that the books make claims about."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ultimo.cli import figures
from ultimo.cli.progress import progress

if TYPE_CHECKING:
    from ultimo.analysis.frequencies.frequencies import Claim, Figure, Measured, Row

DEALS = 100_000
WIDTH = 62


def arguments(parser: ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument(
        "--deals", metavar="N", type=figures.positive, default=DEALS, help=f"deals per figure ({DEALS})"
    )
    parser.add_argument("--seed", metavar="N", type=int, default=1, help="same seed, same figures (1)")
    parser.add_argument("--cores", metavar="N", type=figures.positive, help="processors to use (all)")
    figures.add_cluster(parser)
    parser.add_argument("--plot", metavar="FOLDER", help="pictures (PNG and SVG)")
    parser.add_argument("--json", action="store_true", help="the figures for a program")


def run(arguments: Namespace) -> int:
    """Measure, and print the table."""
    figures.need("numpy", "fast")
    if arguments.plot is not None:
        figures.need("matplotlib")
    from ultimo.analysis.frequencies import frequencies

    deals, chunks = arguments.deals, -(-arguments.deals // frequencies.CHUNK)
    with (
        figures.running(),
        figures.executor(arguments, chunks) as on,
        progress(frequencies.total(deals)) as advance,
    ):
        measured = frequencies.measure(deals, arguments.seed, on=on, advance=advance)
    if arguments.plot is not None:
        from ultimo.analysis import pictures

        with figures.drawing(arguments.plot):
            pictures.frequencies(Path(arguments.plot), measured)
    if arguments.json:
        figures.print_json(report(measured))
    else:
        print("\n".join(lines(measured)))
    return 0


def report(measured: Measured) -> dict[str, Any]:
    """What a program is told."""
    from ultimo.analysis.frequencies import frequencies

    return {
        "deals": measured.deals,
        "seed": measured.seed,
        "figures": [_figure(row) for row in frequencies.rows(measured)],
    }


def _figure(row: Row) -> dict[str, Any]:
    share, claim = row.share, row.claim
    return {
        "book": claim and claim.book,
        "section": claim and claim.section,
        "claim": claim and claim.says,
        "counted": row.figure.label,
        "rules": row.figure.rules,
        "players": row.players,
        "count": share.count,
        "of": share.of,
        "measured": share.value if share.of else None,
        "interval": share.interval(),
        "exact": row.exact,
    }


def lines(measured: Measured) -> Iterator[str]:
    """The table: what a book says, and under it what was counted."""
    from ultimo.analysis.frequencies import frequencies

    yield f"{measured.deals:,} deals per figure, seed {measured.seed}"
    claim: Claim | None = None
    figure: Figure | None = None
    for row in frequencies.rows(measured):
        if row.claim is not claim:
            claim = row.claim
            yield ""
            yield f"{claim.book}, {claim.section}: {claim.says}" if claim else "No book makes a claim about"
        if row.players and row.figure is not figure:
            yield f"    {row.figure.label} · {row.figure.rules}"
        figure = row.figure
        label = f"    {row.players} players" if row.players else row.figure.label
        exact = "" if row.exact is None else f"   exact {figures.percent(row.exact)}"
        interval = figures.percents(row.share.interval())
        yield f"    {label:<{WIDTH}} {figures.percent(row.share.value):>11}   {interval}{exact}"
