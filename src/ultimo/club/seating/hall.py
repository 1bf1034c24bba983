"""The search: two people of one round change places, again and again, and bad changes become rare.

People are numbers here. What a plan costs is a whole number, and nothing but sums and products is worked out
with fractions, so that a seed gives the same plan on every machine.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from random import Random

from msgspec import Struct

from ultimo.club.seating.cooling import chances
from ultimo.club.seating.tables import LARGEST

Tables = list[list[int]]

# What is bad about a plan, in the order of what counts most.
APART = 20_000  # two people at a table who are to be kept apart
REPEAT = 1_000  # a meeting that is not the first
MORE = 120  # and for each meeting before the last, so that repeats spread over many pairs
AGAIN, OFTEN = 200, 4  # a meeting of people who met on an earlier evening, for each time up to so many
UNEVEN = 4  # the square of the deals that somebody sits out, for each round
OUT = {3: 0, 4: 5, 5: 8}  # of 20 deals, where three play

STAGES = 60
COOLER = 0.95  # from stage to stage
HOT, WARM = 400.0, 150.0  # a start for everything, and one that keeps what meetings there are
GRAIN = 16  # costs between which chance sees no difference


class Task(Struct, frozen=True):
    """What the search has to know."""

    people: int
    sizes: Sequence[Sequence[int]]  # of the tables of each round that is drawn
    there: Sequence[Sequence[int]]  # who is present in each
    stays: Sequence[int]  # in how many rounds of the evening everybody is there
    met: Sequence[Sequence[int]]  # meetings in rounds that have been played
    sat_out: Sequence[int]  # and of 20 deals a round those sat out
    extra: Sequence[Sequence[int]]  # what a meeting of two people costs beside all else


class Hall:
    """A plan that is being changed: meetings, what one more or one less would cost, and what all costs."""

    def __init__(self, task: Task, rounds: Sequence[Sequence[Sequence[int]]]) -> None:
        self.task = task
        self.rounds: list[Tables] = [[list(table) for table in tables] for tables in rounds]
        count = task.people
        self.met = [list(row) for row in task.met]
        for table in (table for tables in self.rounds for table in tables):
            for one, other in combinations(table, 2):
                self.met[one][other] += 1
                self.met[other][one] += 1
        highest = len(self.rounds) + max(map(max, self.met)) + 2
        self.price = [0, *(REPEAT + MORE * before for before in range(highest))]  # of a meeting after so many
        self.more = [[0] * count for _ in range(count)]
        self.less = [[0] * count for _ in range(count)]
        for one, row in enumerate(self.met):
            for other, times in enumerate(row):
                if one != other:
                    self.more[one][other] = self.price[times] + task.extra[one][other]
                    self.less[one][other] = self.price[times - 1] + task.extra[one][other] if times else 0
        self.out = list(task.sat_out)
        for tables in self.rounds:
            for table in tables:
                for one in table:
                    self.out[one] += OUT[len(table)]
        furthest = max(self.out) + OUT[LARGEST] * (len(self.rounds) + 1)
        self.uneven = [
            [round(UNEVEN * out * out / max(1, stay)) for out in range(furthest)] for stay in task.stays
        ]
        self.cost = self._cost()
        self.best, self.best_cost = self._copy(), self.cost

    def _copy(self) -> list[Tables]:
        return [[table[:] for table in tables] for tables in self.rounds]

    def _cost(self) -> int:
        found = sum(self.uneven[one][out] for one, out in enumerate(self.out))
        for one, other in combinations(range(self.task.people), 2):
            times, before = self.met[one][other], self.task.met[one][other]
            found += sum(self.price[before:times]) + (times - before) * self.task.extra[one][other]
        return found

    @property
    def rank(self) -> tuple[int, int, int]:
        """How bad it is now: people who should be apart, repeated meetings, and all that it costs."""
        together = sum(
            times > self.task.met[one][other]
            for one, row in enumerate(self.met)
            for other, times in enumerate(row[:one])
            if self.task.extra[one][other] == APART
        )
        repeats = sum(times - 1 for one, row in enumerate(self.met) for times in row[:one] if times)
        return together, repeats, self.cost

    @property
    def most(self) -> int:
        """Meetings of the two people who meet most often."""
        return max(map(max, self.met))

    def search(self, rng: Random, heat: float, steps: int, enough: Callable[[Hall], bool]) -> int:
        """Change places from a heat down to cold, or until it is enough; the steps that it took."""
        swaps = [
            (one, other, OUT[len(other)] - OUT[len(one)])
            for tables in self.rounds
            for one, other in combinations(tables, 2)
        ]
        if not swaps:
            return 0
        for stage in range(STAGES):
            self._stage(rng, swaps, steps // STAGES, chances(GRAIN / heat))
            heat *= COOLER
            if enough(self):
                return (stage + 1) * (steps // STAGES)
        return steps

    def _stage(
        self,
        rng: Random,
        swaps: list[tuple[list[int], list[int], int]],
        steps: int,
        likely: list[float],
    ) -> None:
        """So many changes tried at one heat. All is local and written out: this is where the time goes."""
        chance, many, limit = rng.random, len(swaps), len(likely) * GRAIN
        more, less, out, uneven = self.more, self.less, self.out, self.uneven
        cost, best = self.cost, self.best_cost
        for _ in range(steps):
            here, there, further = swaps[int(chance() * many)]
            place, where = int(chance() * len(here)), int(chance() * len(there))
            one, other = here[place], there[where]
            one_more, one_less, other_more, other_less = more[one], less[one], more[other], less[other]
            change = -2 * one_more[other]  # the two do not leave each other
            for third in here:
                change += other_more[third] - one_less[third]
            for third in there:
                change += one_more[third] - other_less[third]
            if further:
                for_one, for_other = uneven[one], uneven[other]
                change += for_one[out[one] + further] - for_one[out[one]]
                change += for_other[out[other] - further] - for_other[out[other]]
            if change > 0 and (change >= limit or chance() >= likely[change // GRAIN]):
                continue
            here[place], there[where] = other, one
            out[one] += further
            out[other] -= further
            for third in here:
                if third != other:
                    self._meet(one, third, -1)
                    self._meet(other, third, 1)
            for third in there:
                if third != one:
                    self._meet(other, third, -1)
                    self._meet(one, third, 1)
            cost += change
            if cost < best:
                best, self.best = cost, self._copy()
        self.cost, self.best_cost = cost, best

    def _meet(self, one: int, other: int, times: int) -> None:
        """Two people meet once more, or once less."""
        now = self.met[one][other] + times
        extra = self.task.extra[one][other]
        self.met[one][other] = self.met[other][one] = now
        self.more[one][other] = self.more[other][one] = self.price[now] + extra
        self.less[one][other] = self.less[other][one] = self.price[now - 1] + extra if now else 0
