"""Good starts: one round from which the others follow by turning.

Most people sit in circles of as many as there are rounds, or one more; the rest stay where they are. From one
round to the next each circle moves on by one. Two people then meet as often as the first round has pairs with
their distance, so that only the first round has to be searched. A circle may also be a grid that wraps around
in each direction: some plans that no circle has are found so.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, product
from math import prod
from random import Random

from ultimo.club.seating.cooling import chances
from ultimo.club.seating.hall import Tables

STEPS = 40_000  # for one shape
STAGES, HOT, COOLER = 40, 0.7, 0.956
SPARE = 1  # more places in a circle than rounds
GRIDS = ((2, 2), (2, 2, 2), (3, 3))


def starts(sizes: Sequence[int], rounds: int, rng: Random) -> Iterator[list[Tables]]:
    """Rounds with these tables and as few repeats as each shape of circles has; ever again, by other luck."""
    shapes = [(order,) for order in range(rounds, rounds + SPARE + 1)]
    grids = [grid for grid in GRIDS if rounds <= prod(grid) <= rounds + SPARE]
    empty = sum(max(sizes) - size for size in sizes)
    full = [max(sizes)] * len(sizes) if empty and min(sizes) == max(sizes) - 1 else []
    while True:
        for shape in (*shapes, *grids):
            yield _Turning(shape, sizes).rounds(rounds, rng)
            if full and (found := _emptied(_Turning(shape, full).rounds(rounds, rng), empty)):
                yield found


def _emptied(rounds: list[Tables], empty: int) -> list[Tables] | None:
    """The rounds without some people of whom no two ever meet: so many tables are smaller by one."""
    people = sum(map(len, rounds[0]))
    met = {pair for tables in rounds for table in tables for pair in combinations(sorted(table), 2)}
    for first in range(people):
        gone = [first]
        for one in range(first + 1, people):
            if len(gone) < empty and all((other, one) not in met for other in gone):
                gone.append(one)
        if len(gone) == empty:
            number = {one: place for place, one in enumerate(sorted({*range(people)} - {*gone}))}
            return [
                [[number[one] for one in table if one in number] for table in tables] for tables in rounds
            ]
    return None


class _Turning:
    """A first round whose people turn."""

    def __init__(self, shape: tuple[int, ...], sizes: Sequence[int]) -> None:
        self.places = [*product(*map(range, shape))]
        self.shape, self.sizes, self.people = shape, sizes, sum(sizes)
        self.order = len(self.places)
        self.turning = self.people // self.order * self.order  # the others stay where they are
        self.number = {place: number for number, place in enumerate(self.places)}
        kinds: dict[object, int] = {}
        self.taken: list[int] = []  # pairs of a kind that a round has at once, without any table
        self.kind = [[0] * self.people for _ in range(self.people)]
        for one, other in combinations(range(self.people), 2):
            key, taken = self._key(one, other)
            if key not in kinds:
                kinds[key] = len(kinds)
                self.taken.append(taken)
            self.kind[one][other] = self.kind[other][one] = kinds[key]

    def _key(self, one: int, other: int) -> tuple[object, int]:
        """What two people have in common with all pairs that they become by turning.

        Two who both stay meet in all rounds, and two who are opposite in a circle meet twice: that is bad
        even if there is but one such pair.
        """
        if one >= self.turning:
            return (one, other), 1
        if other >= self.turning:
            return (one // self.order, other), 0
        first, second = one // self.order, other // self.order
        apart = self._moved(other, one, -1)
        if first != second:
            return (first, second, apart), 0
        back = self._moved(one, other, -1)
        return (first, second, min(apart, back)), int(apart == back)

    def _moved(self, one: int, by: int, sign: int) -> int:
        """The place of somebody in a circle after a turn by the place of another, or back by it."""
        pairs = zip(self.places[one % self.order], self.places[by % self.order], self.shape, strict=True)
        return self.number[tuple((place + sign * turn) % size for place, turn, size in pairs)]

    def rounds(self, number: int, rng: Random) -> list[Tables]:
        """So many rounds that follow from the best first one that is found."""
        first = self._search(rng)
        return [
            [
                [
                    one if one >= self.turning else one - one % self.order + self._moved(one, turn, 1)
                    for one in table
                ]
                for table in first
            ]
            for turn in range(number)
        ]

    def _search(self, rng: Random) -> Tables:
        """A first round with few pairs of one kind: people change places, ever more carefully."""
        people = [*range(self.people)]
        rng.shuffle(people)
        tables = [[people.pop() for _ in range(size)] for size in self.sizes]
        taken, kinds, chance = self.taken[:], self.kind, rng.random
        cost = 0
        for table in tables:
            for one, other in combinations(table, 2):
                cost += taken[kinds[one][other]] > 0
                taken[kinds[one][other]] += 1
        swaps = [*combinations(tables, 2)]
        best, found, heat = cost, [table[:] for table in tables], HOT
        for _ in range(STAGES if swaps else 0):
            likely = chances(1 / heat)
            heat *= COOLER
            for _ in range(STEPS // STAGES):
                here, there = swaps[int(chance() * len(swaps))]
                place, where = int(chance() * len(here)), int(chance() * len(there))
                one, other = here[place], there[where]
                of_one, of_other = kinds[one], kinds[other]
                left, come = [], []
                for third in here:
                    if third != one:
                        left.append(of_one[third])
                        come.append(of_other[third])
                for third in there:
                    if third != other:
                        left.append(of_other[third])
                        come.append(of_one[third])
                change = 0
                for kind in left:
                    taken[kind] -= 1
                    if taken[kind]:
                        change -= 1
                for kind in come:
                    if taken[kind]:
                        change += 1
                    taken[kind] += 1
                if change > 0 and (change >= len(likely) or chance() >= likely[change]):
                    for kind in left:
                        taken[kind] += 1
                    for kind in come:
                        taken[kind] -= 1
                    continue
                here[place], there[where] = other, one
                cost += change
                if cost < best:
                    best, found = cost, [table[:] for table in tables]
                    if not best:
                        return found
        return found
