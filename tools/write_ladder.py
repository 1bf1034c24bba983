"""Write docs/ladder.md from the results in benchmarks/ladder; with --commands, print what measures them."""

from __future__ import annotations

import shlex
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from ultimo import rulebook
from ultimo.cli.figures import number, numbers
from ultimo.players.arena.results import Estimate, Result

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "ladder.md"
RESULTS = ROOT / "benchmarks" / "ladder"
BOOKS = ("basta", "jensen", "hermansen", "vlk", "dtf", "french3", "french4", "french5")
STEPS = (
    ("beginner", "random"),
    ("club", "beginner"),
    ("student", "club"),
    ("expert", "club"),
    ("master", "expert"),
    ("master", "expert-1"),
)
SEARCHING = frozenset({"expert", "master"})
DEALS, SEED = 1000, 7

HEAD = """# The ladder

How much better each level plays than the one below it. One player of the higher level sits down with players
of the lower level, and every deal is played once for each rotation of the players through the seats, with the
same pack, cups and dealer ([`ultimo arena`](command-line.md#measuring-players)). *Gain* is what the one makes
in a deal above the average of the table, on average over the rotations; its interval is taken between deals,
and it is bold where all of that lies above zero. In French Tarot it is what the player wins. In Danish Tarok,
where the cups pay out and take in, *points* are what the player wins or loses. `expert-1` is an expert that
goes on while there is time, where the expert stops when going on promises nothing.

A rating of the library openskill (Plackett and Luce, from 25) follows from who did better than whom, not from
by how much. *Decision* is the mean time for a choice between two actions or more, on the machine of the run.

This page is written by `python tools/write_ladder.py` from the results in `benchmarks/ladder`.
"""
TABLE = """
| | gain a deal | 95 % interval | points a deal | deals | rating | decision |
|---|--:|---|--:|--:|---|--:|
"""

Ladder = Mapping[tuple[str, str, str], Result]


def read(folder: Path = RESULTS) -> Ladder:
    """The results, by rulebook, higher and lower level."""
    found = {}
    for file in sorted(folder.glob("*.json")):
        one = msgspec.json.decode(file.read_bytes(), type=Result)
        assert one.odd is not None, f"{file}: not one against others of one level"
        lower = one.players[one.odd - 1].level
        found[one.plan.rules, one.players[one.odd].level, lower] = one
    return found


def page(ladder: Ladder) -> Iterator[str]:
    """The text of the page."""
    yield HEAD
    for book in BOOKS:
        yield f"\n## {rulebook.load(book).title}\n"
        measured = [(step, ladder[book, *step]) for step in STEPS if (book, *step) in ladder]
        if not measured:
            yield "\nNot measured yet.\n"
            continue
        yield TABLE
        for (higher, lower), one in measured:
            yield f"| {higher} over {lower} | {_cells(one)} |\n"
        yield "\n```\n" + "".join(f"{one.command}\n" for _, one in measured) + "```\n"


def _cells(one: Result) -> str:
    assert one.odd is not None
    best, rest = one.players[one.odd], [other for other in one.players if other.player != one.odd]
    others = sum(other.rating.mu for other in rest) / len(rest)
    return " | ".join(
        (
            f"**{number(best.gain.mean)}**" if _above_zero(best.gain) else number(best.gain.mean),
            "–" if best.gain.interval is None else numbers(best.gain.interval),
            number(best.points.mean),
            f"{one.deals:,} × {one.rotations}",
            f"{best.rating.mu:.1f} ± {best.rating.sigma:.1f} over {others:.1f}",
            "–" if best.mean_seconds is None else f"{1000 * best.mean_seconds:.3g} ms",
        )
    )


def _above_zero(gain: Estimate) -> bool:
    return gain.interval is not None and gain.interval[0] > 0


def commands(more: Sequence[str]) -> Iterator[str]:
    """What measures each step; `more` goes to those who search."""
    for higher, lower in STEPS:
        for book in BOOKS:
            rules = rulebook.load(book)
            players = ",".join([higher] + [lower] * (min(rules.sizes) - 1))
            words = ["ultimo", "arena", "--rules", book, "--players", players]
            words += ["--deals", str(DEALS), "--seed", str(SEED), *(more if higher in SEARCHING else ())]
            words += ["--out", str((RESULTS / f"{book}-{higher}-{lower}.json").relative_to(ROOT))]
            yield shlex.join(words)


def main() -> None:
    """Write the page, or say how to measure."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--commands", action="store_true", help="print the commands that measure the ladder")
    given, more = parser.parse_known_args()
    if given.commands:
        print("\n".join(commands(more)))
    else:
        PAGE.write_text("".join(page(read())), encoding="utf-8")


if __name__ == "__main__":
    main()
