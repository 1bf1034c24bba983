"""Draw the rounds of an evening."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain, combinations, cycle, islice
from random import Random

from ultimo.club.seating.circles import STEPS as CIRCLE
from ultimo.club.seating.circles import starts
from ultimo.club.seating.dealers import first_dealers
from ultimo.club.seating.hall import AGAIN, APART, HOT, OFTEN, OUT, WARM, Hall, Tables, Task
from ultimo.club.seating.measures import bounds, earlier, pairs_met, repeats, shares
from ultimo.club.seating.plan import Plan, Round, Wish, as_wished, check, present, sizes_of
from ultimo.club.sheet import Refused

STEPS = 2_500_000  # three seconds or so at most; an evening without repeats is found much sooner
QUICK = 120_000  # of them for a first try
EVENING_OUT = 80_000  # and at the end, for what is bad beside repeats
TRIES = 120  # of every change of places, in one run
CIRCLES, SHORTER = 24, 12  # starts by turning, at most: of all rounds, and of fewer
JOINED = 60_000  # steps for those


def draw(
    wish: Wish,
    seed: str,
    kept: tuple[Round, ...] = (),
    steps: int = STEPS,
    advance: Callable[[int], None] = lambda done: None,
) -> Plan:
    """The plan for an evening, or `Refused`. The rounds that are `kept` have been played: they stay.

    `steps` bounds the search, and `advance` is told of those that are done. The same wish, seed, kept rounds
    and steps give the same plan.
    """
    check(wish, kept)
    bound, most_bound = bounds(wish, kept)
    rng = Random(f"seating {seed}")
    people = sorted({*wish.people, *(name for one in kept for table in one.tables for name in table)})
    rng.shuffle(people)
    task = _task(wish, kept, people)
    drawn = _Search(task, (bound, most_bound), rng, steps, advance).run() if task.sizes else []
    rounds = (*kept, *_with_dealers(drawn, task, kept, people, rng))
    met, before = pairs_met(rounds), earlier(wish)
    fresh = pairs_met(rounds[len(kept) :])
    for first, second in wish.apart:
        if fresh[min(first, second), max(first, second)]:
            raise Refused("seatingApart", "apart", first=first, second=second)
    return Plan(
        rounds,
        repeats(met),
        bound,
        max(met.values()),
        most_bound,
        sum(times for pair, times in met.items() if pair in before),
        tuple(
            number
            for number, one in enumerate(rounds, 1)
            if number > len(kept) and not as_wished(wish, map(len, one.tables))
        ),
        shares(rounds),
    )


def _task(wish: Wish, kept: Sequence[Round], people: Sequence[str]) -> Task:
    """The wish for the search, in numbers."""
    number = {name: place for place, name in enumerate(people)}
    count = len(people)
    rounds = range(len(kept) + 1, wish.rounds + 1)
    there = [sorted(number[name] for name in present(wish, one)) for one in rounds]
    met = [[0] * count for _ in people]
    for (first, second), times in pairs_met(kept).items():
        met[number[first]][number[second]] = met[number[second]][number[first]] = times
    extra = [[0] * count for _ in people]
    for (first, second), times in earlier(wish).items():
        if first in number and second in number:
            one, other = number[first], number[second]
            extra[one][other] = extra[other][one] = AGAIN * min(times, OFTEN)
    for first, second in wish.apart:
        one, other = number[first], number[second]
        extra[one][other] = extra[other][one] = APART
    played = [[number[name] for name in table] for one in kept for table in one.tables]
    stays, sat_out = [0] * count, [0] * count
    for table in played:
        for one in table:
            sat_out[one] += OUT[len(table)]
    for one in chain(*played, *there):
        stays[one] += 1
    return Task(count, [sizes_of(wish, one) for one in rounds], there, stays, met, sat_out, extra)


class _Search:
    """The search for the best rounds: at random first, then by turning, then at random for longer."""

    def __init__(
        self, task: Task, ends: tuple[int, int], rng: Random, steps: int, advance: Callable[[int], None]
    ) -> None:
        self.task, self.rng, self.advance = task, rng, advance
        self.bound, self.most = ends
        self.left, self.half = steps, steps // 2
        self.known = any(map(any, task.extra))  # something about two people

    def run(self) -> list[Tables]:
        """The best rounds that are found."""
        best = self._tried(self._at_random(), HOT, QUICK)
        turned = self._turned()
        while not self._enough(best) and self.left > CIRCLE + JOINED + EVENING_OUT:
            if (found := next(turned, None)) is None:
                break
            best = min(best, found, key=_rank)
        swaps = sum(one * other for sizes in self.task.sizes for one, other in combinations(sizes, 2))
        while not self._enough(best) and self.left > EVENING_OUT:
            some = min(max(QUICK, TRIES * swaps), self.left - EVENING_OUT)
            best = min(best, self._tried(self._at_random(), HOT, some), key=_rank)
        if not self._settled(best):
            steps = max(EVENING_OUT, self.left // 2) if self.known else EVENING_OUT
            best = min(best, self._tried(best.rounds, WARM, steps), key=_rank)
        self.advance(self.left)
        return best.rounds

    def _enough(self, hall: Hall) -> bool:
        """Whether nothing can be better, or at least not the repeats, and much has been tried."""
        together, repeats, _ = hall.rank
        return not together and repeats <= self.bound and (self.left < self.half or hall.most <= self.most)

    def _settled(self, hall: Hall) -> bool:
        """Whether there is nothing to even out: all tables alike, and nothing known of earlier evenings."""
        alike = len({size for sizes in self.task.sizes for size in sizes}) == 1
        return alike and self._enough(hall) and hall.most <= self.most and not self.known

    def _spend(self, steps: int) -> None:
        self.left -= steps
        self.advance(steps)

    def _tried(self, rounds: Sequence[Tables], heat: float, steps: int) -> Hall:
        """What becomes of the rounds: as soon as it is enough, or the best in so many steps."""
        hall = Hall(self.task, rounds)
        enough = self._enough if heat == HOT else _never
        self._spend(hall.search(self.rng, heat, min(steps, self.left), enough))
        return hall if enough(hall) else Hall(self.task, hall.best)

    def _at_random(self) -> list[Tables]:
        rounds = []
        for there, sizes in zip(self.task.there, self.task.sizes, strict=True):
            people = [*there]
            self.rng.shuffle(people)
            rounds.append([[people.pop() for _ in range(size)] for size in sizes])
        return rounds

    def _turned(self) -> Iterator[Hall]:
        """What becomes of starts by turning: of all rounds, then of all but one or two, the others at random.

        All people have to be there in all rounds, and none may have been played.
        """
        task, rounds = self.task, len(self.task.sizes)
        if any(map(any, task.met)) or any(len(there) < task.people for there in task.there):
            return
        sizes = task.sizes[0]
        for found in islice(starts(sizes, rounds, self.rng), 0 if self.bound else CIRCLES):
            self._spend(CIRCLE)
            yield Hall(task, [_in_order(tables, sizes) for tables in found])
        shorter = [starts(sizes, some, self.rng) for some in (rounds - 1, rounds - 2) if some > 1]
        for begun in islice(cycle(shorter), SHORTER):
            self._spend(CIRCLE)
            some = [_in_order(tables, sizes) for tables in next(begun)]
            yield self._tried([*some, *self._at_random()[len(some) :]], WARM, JOINED)


def _rank(hall: Hall) -> tuple[int, int, int]:
    return hall.rank


def _never(hall: Hall) -> bool:
    return False


def _in_order(tables: Tables, sizes: Sequence[int]) -> Tables:
    """The tables with their sizes in the order that is asked for."""
    by_size: dict[int, Tables] = {}
    for table in tables:
        by_size.setdefault(len(table), []).append(table)
    return [by_size[size].pop() for size in sizes]


def _with_dealers(
    drawn: Sequence[Tables], task: Task, kept: Sequence[Round], people: Sequence[str], rng: Random
) -> list[Round]:
    """The rounds with names; at each table the first dealer first, the others behind in any order."""
    dealt = [sum(table[0] == name for one in kept for table in one.tables) for name in people]
    tables = [table for one in drawn for table in one]
    dealers = iter(first_dealers(tables, dealt, task.stays, rng))
    rounds = []
    for one in drawn:
        named = []
        for table in one:
            dealer = next(dealers)
            others = sorted(set(table) - {dealer})
            rng.shuffle(others)
            named.append(tuple(people[each] for each in (dealer, *others)))
        rounds.append(Round(tuple(named)))
    return rounds
