"""How good a plan is, and how good any plan could be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, combinations

from ultimo.club.seating.plan import Round, Share, Wish, present, sizes_of


def pairs_met(rounds: Iterable[Round]) -> Counter[tuple[str, str]]:
    """How often two people sat at one table; each pair in the order of the alphabet."""
    return Counter(pair for one in rounds for table in one.tables for pair in combinations(sorted(table), 2))


def meetings(rounds: Iterable[Round]) -> tuple[tuple[str, str, int], ...]:
    """Who met how often, as `Wish.met` has it."""
    return tuple((first, second, times) for (first, second), times in sorted(pairs_met(rounds).items()))


def repeats(met: Mapping[tuple[str, str], int]) -> int:
    """Meetings that were not the first of their two people."""
    return sum(times - 1 for times in met.values())


def earlier(wish: Wish) -> Counter[tuple[str, str]]:
    """How often two people met on earlier evenings; each pair in the order of the alphabet."""
    found: Counter[tuple[str, str]] = Counter()
    for first, second, times in wish.met:
        found[min(first, second), max(first, second)] += times
    return found


def shares(rounds: Sequence[Round]) -> dict[str, Share]:
    """What everybody had of the evening, in the order in which they first sit down."""
    sizes: dict[str, Counter[int]] = {}
    first: Counter[str] = Counter()
    for table in chain.from_iterable(one.tables for one in rounds):
        first[table[0]] += 1
        for name in table:
            sizes.setdefault(name, Counter())[len(table)] += 1
    return {name: Share(sat.total(), dict(sorted(sat.items())), first[name]) for name, sat in sizes.items()}


# --- what no plan can avoid ------------------------------------------------------------------------------


class Evening:
    """Who is there in which round, at tables of which sizes: all that the bounds look at."""

    def __init__(self, wish: Wish, kept: Sequence[Round]) -> None:
        drawn = range(len(kept) + 1, wish.rounds + 1)
        self.kept = kept
        self.drawn = [(frozenset(present(wish, one)), sizes_of(wish, one)) for one in drawn]
        self.rounds = [
            *((frozenset(chain.from_iterable(one.tables)), tuple(map(len, one.tables))) for one in kept),
            *self.drawn,
        ]
        self.played = pairs_met(kept)
        apart = {(min(pair), max(pair)) for pair in wish.apart}
        self.possible = set(self.played) | {
            pair for there, _ in self.drawn for pair in combinations(sorted(there), 2) if pair not in apart
        }
        self.made = sum(size * (size - 1) // 2 for _, sizes in self.rounds for size in sizes)
        self.partners: Counter[str] = Counter(chain.from_iterable(self.possible))


def bounds(wish: Wish, kept: Sequence[Round] = ()) -> tuple[int, int]:
    """Repeated meetings that no plan avoids, and meetings of some pair; the proofs are in docs/seating.md."""
    evening = Evening(wish, kept)
    most = -(-evening.made // max(1, len(evening.possible)))
    least = _least_partners(evening)
    for name, partners in evening.partners.items():
        most = max(most, -(-least[name][0] // partners))
    bound = max(_by_partners(evening, least), _by_tables(evening))
    return bound, max(most, *evening.played.values(), 2 if bound else 1)


def _least_partners(evening: Evening) -> dict[str, tuple[int, int]]:
    """How many meetings everybody has at least and at most, whichever tables they sit at."""
    found = {name: (0, 0) for there, _ in evening.rounds for name in there}
    for one in evening.kept:
        for table in one.tables:
            for name in table:
                least, most = found[name]
                found[name] = least + len(table) - 1, most + len(table) - 1
    for there, sizes in evening.drawn:
        for name in there:
            least, most = found[name]
            found[name] = least + min(sizes) - 1, most + max(sizes) - 1
    return found


def _by_partners(evening: Evening, ends: Mapping[str, tuple[int, int]]) -> int:
    """Who has more meetings than possible partners repeats the rest; all meetings have to go somewhere."""
    must = sum(max(0, least - evening.partners[name]) for name, (least, _) in ends.items())
    room = sum(max(0, min(evening.partners[name], most) - least) for name, (least, most) in ends.items())
    placed = 2 * evening.made - sum(least for least, _ in ends.values())
    return -(-(must + max(0, placed - room)) // 2)


def _by_tables(evening: Evening) -> int:
    """A table with more people than an earlier round had tables seats two of one of those together again."""
    found = repeats(evening.played)
    for place in range(len(evening.kept), len(evening.rounds)):
        now = evening.rounds[place]
        found += max((_shared(before, now) for before in evening.rounds[:place]), default=0)
    return found


def _shared(
    before: tuple[frozenset[str], tuple[int, ...]], now: tuple[frozenset[str], tuple[int, ...]]
) -> int:
    """Pairs that two rounds have in common at least, by the pigeonholes of the one and of the other."""
    both = len(before[0] & now[0])
    return max(
        sum(sorted(place // len(holes) for size in sizes for place in range(size))[:both])
        for sizes, holes in ((now[1], before[1]), (before[1], now[1]))
    )
