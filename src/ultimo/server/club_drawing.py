"""Drawing who sits where on an evening of a club, by `ultimo.club.seating`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations

from ultimo.club import seating
from ultimo.club.club import Club, Evening
from ultimo.club.sheet import Refused
from ultimo.server.club_payloads import DrawTables, TablesDrawn


def drawn(club: Club, evening: Evening, wish: DrawTables, seed: str) -> TablesDrawn:
    """A draw for an evening, or `Refused`."""
    rounds = wish.rounds
    people = tuple(one for one in evening.people if evening.late.get(one, 1) <= rounds)
    asked = seating.Wish(
        people=people,
        rounds=rounds,
        sizes=wish.sizes,
        tables=None if wish.tables is None else _even(len(people), wish.tables),
        from_round={one: late for one, late in evening.late.items() if one in people},
        until_round={one: last for one, last in evening.leaving.items() if one in people and last <= rounds},
        apart=wish.apart,
        met=tuple(_met(club, evening)) if wish.mixed else (),
    )
    kept = tuple(seating.Round(tables=tables) for tables in evening.rounds[: wish.kept])
    try:
        plan = seating.draw(asked, seed, kept)
    except Refused as refused:
        refused.values = {key: _called(club, evening, one) for key, one in refused.values.items()}
        raise
    return TablesDrawn(tuple(one.tables for one in plan.rounds), seed, plan.repeats, plan.bound)


def _even(people: int, tables: int) -> tuple[int, ...]:
    """So many tables, as even as they can be.

    >>> _even(14, 4)
    (4, 4, 3, 3)
    """
    size, more = divmod(people, tables)
    return tuple(size + (place < more) for place in range(tables))


def _met(club: Club, evening: Evening) -> Iterator[tuple[str, str, int]]:
    """Which two people who are here sat together how often on earlier evenings of the season."""
    here = set(evening.members)
    met: Counter[tuple[str, str]] = Counter()
    for other in club.evenings.values():
        if other.id != evening.id and other.season == evening.season:
            for sheet in other.sheets:
                met.update(combinations(sorted(here & set(sheet.seats)), 2))
    return ((first, second, times) for (first, second), times in met.items())


def _called(club: Club, evening: Evening, value: int | str) -> int | str:
    known = isinstance(value, str) and (value in club.members or value in evening.guests)
    return club.called(str(value), evening) if known else value
