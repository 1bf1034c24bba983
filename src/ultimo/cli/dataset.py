"""`ultimo dataset`: write every decision of bots' deals as a corpus for learning."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from ultimo.cli import figures, given
from ultimo.cli.complaint import Complaint
from ultimo.cli.progress import progress

if TYPE_CHECKING:
    from ultimo.research.dataset import Manifest, Plan

DEALS = 10_000


def arguments(parser: ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument("--rules", metavar="ID", default="hermansen", help="the rulebook (hermansen)")
    parser.add_argument(
        "--table", metavar="N", type=int, help="players at the table (as many as levels, or the fewest)"
    )
    parser.add_argument(
        "--deals", metavar="N", type=figures.positive, default=DEALS, help=f"how many deals ({DEALS})"
    )
    parser.add_argument("--seed", metavar="N", type=int, default=1, help="same seed, same deals (1)")
    parser.add_argument(
        "--players",
        metavar="LEVEL,…",
        default="club",
        help="one for all, or one per seat: random, lowest, highest, beginner, club, student (club)",
    )
    parser.add_argument("--length", metavar="N", type=figures.positive, help="deals per Danish game (20)")
    given.add_house(parser)
    parser.add_argument("--out", metavar="FOLDER", required=True, help="the folder to write to")
    parser.add_argument(
        "--sample", metavar="N", type=figures.positive, default=1, help="keep one in N decisions (1: all)"
    )
    parser.add_argument("--shard", metavar="N", type=figures.positive, help="deals per file (2000)")
    parser.add_argument(
        "--cores", metavar="N", type=figures.positive, help="processes to use (default: all processors)"
    )
    figures.add_cluster(parser)


def run(arguments: Namespace) -> int:
    """Play and write; an interrupted run is continued."""
    figures.need("numpy", "research")
    figures.need("pyarrow", "research")
    from ultimo.research import dataset

    made = _plan(arguments)
    folder = Path(arguments.out)
    with (
        figures.running(folder),
        figures.executor(arguments, made.shards) as on,
        progress(made.deals) as advance,
    ):
        manifest = dataset.run(made, folder, on=on, advance=advance)
    print(line(made, manifest, folder))
    return 0


def _plan(arguments: Namespace) -> Plan:
    from ultimo.kernel import NotCompilable
    from ultimo.research import dataset

    rules = given.rules(arguments.rules, given.house(arguments))
    try:
        with figures.running():
            return dataset.plan(
                rules,
                table=arguments.table,
                seed=arguments.seed,
                deals=arguments.deals,
                length=arguments.length,
                players=arguments.players.split(","),
                sample=arguments.sample,
                shard=arguments.shard or dataset.SHARD,
            )
    except NotCompilable as error:
        raise Complaint(error) from error


def line(made: Plan, manifest: Manifest, folder: Path) -> str:
    """What was written."""
    decisions = sum(shard.decisions.rows for shard in manifest.shards)
    size = sum(file.bytes for shard in manifest.shards for file in (shard.decisions, shard.deals))
    return (
        f"{folder}: {decisions:,} decisions of {made.deals:,} deals, "
        f"{size / 1_000_000:,.1f} MB in {made.shards} shard{'s' * (made.shards > 1)}"
    )
