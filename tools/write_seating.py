"""Measure the seating plans: repeated meetings for every number of people and rounds.

Tables are wished as fours, then threes. The table of docs/seating.md is written anew. What is drawn depends
on nothing but the seed, so that the figures are the same on every machine.

    python tools/write_seating.py
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from ultimo.club.seating import Plan, Wish, draw, split
from ultimo.club.seating.plan import MOST_ROUNDS

PAGE = Path(__file__).parents[1] / "docs" / "seating.md"
BEGIN, END = "<!-- measured -->", "<!-- end of measured -->"
LEAST, MOST = 7, 60
SIZES = (4, 3)
SEED = "1"


def measured(people: int) -> list[Plan]:
    """The plans for so many people, with one round and with more."""
    names = tuple(f"{one:03}" for one in range(people))
    return [draw(Wish(names, rounds, SIZES), SEED) for rounds in range(1, MOST_ROUNDS + 1)]


def table(found: dict[int, list[Plan]]) -> Iterator[str]:
    """A line for each number of people: repeats, and the bound beside them where they are more."""
    yield f"| people | tables | {' | '.join(f'{one} r.' for one in range(1, MOST_ROUNDS + 1))} |"
    yield f"|--:|---|{'--:|' * MOST_ROUNDS}"
    for people, plans in found.items():
        sizes = split(people, SIZES)
        tables = " + ".join(f"{sizes.count(size)} × {size}" for size in dict.fromkeys(sizes))
        yield f"| {people} | {tables} | {' | '.join(map(_figure, plans))} |"


def _figure(plan: Plan) -> str:
    repeats = str(plan.repeats) if plan.repeats == plan.bound else f"{plan.repeats} ({plan.bound})"
    return f"{repeats} ×{plan.most}" if plan.most > plan.most_bound else repeats


def summary(found: Sequence[Plan]) -> str:
    """How many plans are proved to be best."""
    best = sum(plan.repeats == plan.bound for plan in found)
    fresh = sum(not plan.repeats for plan in found)
    gap = max(plan.repeats - plan.bound for plan in found)
    return (
        f"Of {len(found)} plans {best} have as few repeats as the bound, {fresh} of them none. "
        f"The others have at most {gap} more than the bound."
    )


def main() -> None:
    """Measure, and write the table into the page."""
    parser = ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--cores", type=int, default=1)
    parser.add_argument("--dry", action="store_true", help="only show the table")
    arguments = parser.parse_args()
    found: dict[int, list[Plan]] = {}
    with ProcessPoolExecutor(arguments.cores, get_context("spawn")) as pool:
        for people, plans in zip(
            range(LEAST, MOST + 1), pool.map(measured, range(LEAST, MOST + 1)), strict=True
        ):
            found[people] = plans
            print(f"{people} of {MOST}", file=sys.stderr)
    told = "\n".join(
        [BEGIN, "", summary([plan for plans in found.values() for plan in plans]), "", *table(found), "", END]
    )
    print(told)
    if not arguments.dry:
        head, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
        PAGE.write_text(head + told + rest.partition(END)[2], encoding="utf-8")


if __name__ == "__main__":
    main()
