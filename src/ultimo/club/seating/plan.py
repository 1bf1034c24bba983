"""What is asked for, and what is drawn; and why something cannot be drawn at all."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from ultimo.club.seating.tables import LARGEST, SMALLEST, split
from ultimo.club.sheet import Refused

MOST_PEOPLE = 100
MOST_ROUNDS = 8


class Wish(Struct, frozen=True, omit_defaults=True):
    """What is asked for. Rounds are counted from 1."""

    people: tuple[str, ...]
    rounds: int
    sizes: tuple[int, ...] = (4, 3)  # of tables, the best first
    tables: tuple[int, ...] | None = None  # the very tables instead
    from_round: dict[str, int] = {}  # late comers: their first round
    until_round: dict[str, int] = {}  # who leaves early: their last round
    apart: tuple[tuple[str, str], ...] = ()  # never at one table
    met: tuple[tuple[str, str, int], ...] = ()  # who met how often on earlier evenings; better not again


class Round(Struct, frozen=True):
    """The tables of a round; the first at a table deals first, the others follow as they sit."""

    tables: tuple[tuple[str, ...], ...]


class Share(Struct, frozen=True):
    """What somebody had of the evening: rounds, by the size of the table, and how often they dealt first."""

    rounds: int
    sizes: dict[int, int]
    first: int

    @property
    def out(self) -> float:
        """The share of the deals that they sit out where three play: one of four does, two of five."""
        return sum((size - SMALLEST) / size * times for size, times in self.sizes.items()) / self.rounds


class Plan(Struct, frozen=True):
    """The rounds, and how good they are."""

    rounds: tuple[Round, ...]
    repeats: int  # meetings that were not the first of their two people
    bound: int  # no plan has fewer
    most: int  # meetings of the two people who meet most often
    most_bound: int  # no plan has fewer
    again: int  # meetings of two people who met on an earlier evening
    other: tuple[int, ...]  # rounds whose tables are not as wished, because the people do not go into such
    shares: dict[str, Share]


def check(wish: Wish, kept: tuple[Round, ...]) -> None:
    """Refuse what cannot be drawn, with the reason."""
    if not 1 <= wish.rounds <= MOST_ROUNDS:
        raise Refused("seatingRounds", "rounds", most=MOST_ROUNDS)
    if len(kept) > wish.rounds:
        raise Refused("seatingKept", "kept", kept=len(kept), rounds=wish.rounds)
    if not SMALLEST <= len(wish.people) <= MOST_PEOPLE:
        raise Refused("seatingPeople", "people", least=SMALLEST, most=MOST_PEOPLE)
    _each_once("people", wish.people)
    for played in kept:
        _each_once("kept", [name for table in played.tables for name in table])
    asked = [("sizes", wish.sizes), ("tables", (SMALLEST,) if wish.tables is None else wish.tables)]
    asked += [("kept", tuple(map(len, played.tables))) for played in kept]
    for field, sizes in asked:
        if not sizes or not all(SMALLEST <= size <= LARGEST for size in sizes):
            raise Refused("seatingSizes", field, least=SMALLEST, most=LARGEST)
    _check_names(wish)
    for number in range(len(kept) + 1, wish.rounds + 1):
        if (there := len(present(wish, number))) < SMALLEST:
            raise Refused("seatingFew", "people", round=number, people=there)
    if wish.tables is not None:
        counts = {sum(map(len, one.tables)) for one in kept}
        counts |= {len(present(wish, one)) for one in range(len(kept) + 1, wish.rounds + 1)}
        if sum(wish.tables) not in counts:
            raise Refused("seatingTables", "tables", seats=sum(wish.tables), people=max(counts))


def _check_names(wish: Wish) -> None:
    known = set(wish.people)
    pairs = [name for pair in wish.apart for name in pair]
    for field, names in (
        ("from_round", [*wish.from_round]),
        ("until_round", [*wish.until_round]),
        ("apart", pairs),
    ):
        for name in names:
            if name not in known:
                raise Refused("seatingUnknown", field, name=name)
    for first, second in wish.apart:
        if first == second:
            raise Refused("seatingSelf", "apart", name=first)
    for name in wish.people:
        come, go = stay(wish, name)
        if max(come, 1) > min(go, wish.rounds):
            raise Refused("seatingNever", "until_round", name=name)


def _each_once(field: str, names: Iterable[str]) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise Refused("seatingTwice", field, name=name)
        seen.add(name)


def stay(wish: Wish, name: str) -> tuple[int, int]:
    """The first and the last round of somebody."""
    return wish.from_round.get(name, 1), wish.until_round.get(name, wish.rounds)


def present(wish: Wish, number: int) -> list[str]:
    """Who is there in a round, in the order of the list."""
    found = []
    for name in wish.people:
        come, go = stay(wish, name)
        if come <= number <= go:
            found.append(name)
    return found


def sizes_of(wish: Wish, number: int) -> tuple[int, ...]:
    """The tables of a round, as near to the wish as its people go."""
    return split(len(present(wish, number)), wish.sizes, wish.tables)


def as_wished(wish: Wish, sizes: Iterable[int]) -> bool:
    """Whether the tables of a round are those that were asked for."""
    if wish.tables is not None:
        return sorted(sizes) == sorted(wish.tables)
    return set(sizes) <= set(wish.sizes)
