"""Who deals first at each table, so that it falls to everybody as evenly as the tables allow."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from random import Random

Seated = Sequence[Sequence[int]]


def first_dealers(tables: Seated, dealt: Sequence[int], stays: Sequence[int], rng: Random) -> list[int]:
    """The first dealer of each table.

    `dealt` is how often everybody has dealt first, `stays` in how many rounds they are there. The sum over
    all people of the square of their first deals, divided by their rounds, becomes as small as it can be: it
    is so as soon as no first deal can be handed on, from table to table, to somebody for whom it weighs less.
    """
    chosen: list[int] = []
    had = [*dealt]
    for table in tables:
        one = min(table, key=lambda one: (_weight(had[one], stays[one]), rng.random()))
        chosen.append(one)
        had[one] += 1
    while any(_handed_on(tables, chosen, had, stays, giver) for giver in sorted(set(chosen))):
        pass
    return chosen


def _weight(had: int, stays: int) -> Fraction:
    """What one more first deal weighs for somebody who has had some."""
    return Fraction(2 * had + 1, max(1, stays))


def _handed_on(tables: Seated, chosen: list[int], had: list[int], stays: Sequence[int], giver: int) -> bool:
    """Hand a first deal on to whom it weighs less, over as many tables as it takes."""
    before = _weight(had[giver] - 1, stays[giver])
    came_by: dict[int, int | None] = {giver: None}  # the table at which somebody would take over
    waiting = [giver]
    for one in waiting:
        if one != giver and _weight(had[one], stays[one]) < before:
            had[giver] -= 1
            had[one] += 1
            while (table := came_by[one]) is not None:
                one, chosen[table] = chosen[table], one
            return True
        for number, table_of in enumerate(tables):
            if chosen[number] == one:
                for other in table_of:
                    if other not in came_by:
                        came_by[other] = number
                        waiting.append(other)
    return False
