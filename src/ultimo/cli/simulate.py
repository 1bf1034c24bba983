"""`ultimo simulate`: let bots play: recorded event by event, or by the million as rows and statistics."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError, Namespace

from ultimo.cli import given
from ultimo.cli.complaint import Complaint

ONLY_AT_SCALE = ("rows", "plot", "cores", "chunk", "json")


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
    parser.add_argument("--seed", metavar="SEED", default="1", help="same seed, same deals (1)")
    parser.add_argument(
        "--players",
        metavar="LEVEL,…",
        default="random",
        help="one level for all, or one per seat (default: random)",
    )
    parser.add_argument(
        "--length", metavar="N", type=positive, help="deals per game (default: all with --out, otherwise 20)"
    )
    given.add_house(parser)
    record = parser.add_argument_group("recording (every event, for `ultimo replay`)")
    record.add_argument(
        "--out",
        metavar="FILE",
        help="write JSON lines; - for standard output; with --length, one numbered file per game",
    )
    scale = parser.add_argument_group("large simulations (without --out; compiled bots)")
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
        from ultimo.cli import simulating

        return simulating.run(arguments)
    for option in ONLY_AT_SCALE:
        if getattr(arguments, option) is not None:
            raise Complaint(f"--{option} cannot be combined with --out")
    from ultimo.cli import recording

    return recording.run(arguments)
