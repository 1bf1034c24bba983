"""`ultimo puzzles`: find endings that are puzzles in bots' games, and work out again what they claim."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections import Counter
from pathlib import Path
from typing import TypeVar

import msgspec

from ultimo.cli import figures, given
from ultimo.cli.complaint import Complaint, complaining
from ultimo.cli.figures import positive
from ultimo.cli.progress import progress
from ultimo.rulebook import ids
from ultimo.tutor.school.puzzles.puzzle import THEMES, Puzzle, collection, read

ALL = "all"
WORTH = 20  # puzzles that are worth a process of their own
N = TypeVar("N", bound=str)  # a name of something that can be chosen


def arguments(parser: ArgumentParser) -> None:
    """The arguments of the command."""
    what = parser.add_subparsers(dest="what", metavar="WHAT", required=True)
    make = what.add_parser("make", help="find new puzzles", description="find new puzzles")
    make.add_argument("--rules", metavar="ID,…", default=ALL, help="the rulebooks (default: all)")
    make.add_argument("--themes", metavar="NAME,…", default=ALL, help=f"{', '.join(THEMES)} (default: all)")
    make.add_argument("--number", metavar="N", type=positive, default=100, help="how many (default: 100)")
    make.add_argument("--seed", metavar="S", type=int, default=1, help="of the deals (default: 1)")
    make.add_argument(
        "--deals", metavar="N", type=positive, default=5000, help="at most so many a rulebook (default: 5000)"
    )
    make.add_argument("--out", metavar="FILE", required=True, help="where they are written, a puzzle a line")
    _add_where(make)
    verify = what.add_parser("verify", help="check puzzles", description="check puzzles")
    verify.add_argument(
        "file",
        metavar="FILE",
        nargs="?",
        help="a file of puzzles (default: those that come with the program)",
    )
    _add_where(verify)


def _add_where(parser: ArgumentParser) -> None:
    parser.add_argument("--cores", metavar="N", type=positive, help="processors to use (default: all)")
    figures.add_cluster(parser)


def run(arguments: Namespace) -> int:
    """Run the command."""
    return _make(arguments) if arguments.what == "make" else _verify(arguments)


def _make(arguments: Namespace) -> int:
    from ultimo.tutor.school.puzzles.making import Order, OtherOrder, make

    order = Order(
        _chosen("--rules", arguments.rules, ids()),
        _chosen("--themes", arguments.themes, THEMES),
        arguments.number,
        arguments.seed,
        arguments.deals,
    )
    if not order.wanted():
        raise Complaint("these rulebooks have none of these themes")
    out, wanted = Path(arguments.out), sum(order.wanted().values())
    with (
        figures.running(out),
        complaining(OtherOrder),
        figures.executor(arguments, wanted // WORTH) as on,
        progress(wanted, "puzzles") as advance,
    ):
        found = make(order, out, advance, on)
    counted = Counter((one.rules, one.theme) for one in found)
    for (book, theme), number in order.wanted().items():
        print(f"{book} {theme}: {counted[book, theme]} of {number}")
    return 0


def _chosen(option: str, text: str, known: tuple[N, ...]) -> tuple[N, ...]:
    """What is chosen of a list, in its order."""
    names: tuple[str, ...] = known if text == ALL else tuple(text.split(","))
    for name in names:
        if name not in known:
            raise Complaint(f"{option}: there is no {name!r}; there are {', '.join(known)}")
    return tuple(name for name in known if name in names)


def _verify(arguments: Namespace) -> int:
    from ultimo.tutor.school.puzzles.verifying import twins, verify_numbered

    puzzles = _read(arguments.file)
    faults: dict[int, list[str]] = {}
    with (
        figures.running(),
        figures.executor(arguments, len(puzzles) // WORTH) as on,
        progress(len(puzzles), "puzzles") as advance,
    ):
        for number, found in on.spread(verify_numbered, enumerate(puzzles)):
            faults[number] = found
            advance(1)
    wrong = 0
    for number, one in enumerate(puzzles):
        for fault in faults[number]:
            wrong += 1
            print(f"{one.id}: {fault}", file=sys.stderr)
    for one, other in twins(puzzles):
        wrong += 1
        print(f"{one.id} and {other.id} are alike", file=sys.stderr)
    if wrong:
        return 1
    print(f"{len(puzzles)} puzzles: all are sound.")
    return 0


def _read(file: str | None) -> list[Puzzle]:
    if file is None:
        return list(collection())
    try:
        return read(given.read(file))
    except msgspec.DecodeError as error:
        raise Complaint(f"{given.called(file)}: {error}") from error
