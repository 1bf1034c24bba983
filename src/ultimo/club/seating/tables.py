"""Into which tables a number of people goes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

SMALLEST, LARGEST = 3, 5
USUAL = (4, 3, 5)  # what is chosen among sizes that nobody asked for, the best first


def split(people: int, sizes: Sequence[int], tables: Sequence[int] | None = None) -> tuple[int, ...]:
    """The sizes of the tables for so many people, as near to the wish as can be; the best size first.

    As few people as possible sit at tables of other sizes than those asked for, and as many as possible at
    tables of the first of them, then of the second. If the very tables are given, as many of them as possible
    stay. Three people or more always go into tables of 3, 4 and 5.

    >>> split(25, (4, 3)), split(11, (4,)), split(9, (4,)), split(11, (4, 3), (4, 4, 4))
    ((4, 4, 4, 4, 3, 3, 3), (4, 4, 3), (4, 5), (4, 4, 3))
    """
    if tables is not None and sum(tables) == people:
        return tuple(tables)
    order = [*dict.fromkeys((*(tables or sizes), *USUAL))]
    wished = Counter(tables or ())

    def merit(made: Counter[int]) -> tuple[int, ...]:
        strange = sum(size * made[size] for size in made if size not in (tables or sizes))
        lost = (wished - made).total() + (made - wished).total() if tables is not None else 0
        return (-lost, -strange, *(made[size] for size in order))

    best = max(_ways(people), key=merit)
    return tuple(size for size in order for _ in range(best[size]))


def _ways(people: int) -> Iterator[Counter[int]]:
    """All ways to make tables for so many people."""
    for fives in range(people // 5 + 1):
        for fours in range((people - 5 * fives) // 4 + 1):
            threes, rest = divmod(people - 5 * fives - 4 * fours, 3)
            if not rest:
                yield Counter({3: threes, 4: fours, 5: fives})
