"""Clubs for tests: founded, with members, seasons and evenings, written through the log."""

from __future__ import annotations

from random import Random
from typing import Any

from ultimo.club import club as c
from ultimo.club import sheet as s
from ultimo.club.entries import DanishDeal, Entry, FrenchDeal
from ultimo.club.season import results

KAREN = "account-of-karen"
SCRAPPED = DanishDeal()


class Log:
    """A log that is written fact by fact, as the server does it."""

    def __init__(self, book: str = "dtf", members: int = 4) -> None:
        first = c.Founded(name="Tarokklubben", book=book, by=KAREN, language="da")
        self.facts: list[c.AnyFact] = [first]
        self.club = c.founded(first)
        self.sheets: dict[str, tuple[s.AnyFact, ...]] = {}
        for number in range(1, members + 1):
            self.write(c.MemberAdded, member=f"m{number}", name=f"Member {number}")
        if members:
            self.write(c.AccountLinked, member="m1", player=KAREN)
            self.write(c.RoleGiven, member="m1", role="secretary")

    def write(self, kind: Any, **values: Any) -> c.Club:
        """Write a fact that fits, or raise `Refused`."""
        fact = kind(**{"by": KAREN, "at": 1.0} | values)
        self.club = c.decide(self.club, fact)
        self.facts.append(fact)
        return self.club

    def season(self, name: str = "2026", **scoring: Any) -> str:
        """Begin a season."""
        season = c.next_id("s", self.club.seasons)
        self.write(c.SeasonOpened, season=season, name=name, scoring=c.Scoring(**scoring))
        return season

    def evening(self, day: str, members: tuple[str, ...], season: str = "", **more: Any) -> str:
        """Begin an evening at which these members are."""
        evening = c.next_id("e", self.club.evenings)
        self.write(c.EveningOpened, evening=evening, day=day, season=season)
        self.write(c.AttendanceSet, evening=evening, members=members, **more)
        return evening

    def count(self, evening: str, points: dict[str, int], source: str = "import", deals: int = 10) -> None:
        """Count results that nobody has written down."""
        found = tuple(c.Result(member, one, deals) for member, one in points.items())
        self.write(c.Counted, evening=evening, source=source, results=found)

    def play(self, evening: str, table: int, seats: tuple[str, ...], *entries: Entry) -> str:
        """Keep the score sheet of a table, close it and count it."""
        key = f"sheet-{evening}-{table}"
        names = tuple(self.club.called(one, self.club.evenings[evening]) for one in seats)
        book, overrides = c.rules_for(self.club, len(seats))
        facts: list[s.AnyFact] = [s.Opened(rules=book, overrides=overrides, names=names, by=KAREN)]
        facts += [s.Booked(entry=entry, by=KAREN) for entry in entries]
        facts.append(s.Closed(by=KAREN))
        sheet = s.fold(facts)
        self.sheets[key] = tuple(facts)
        self.write(c.SheetLinked, evening=evening, round=1, table=table, sheet=key, seats=seats)
        found = results(sheet, s.ledger(sheet), seats)
        self.write(c.Counted, evening=evening, source=key, seq=sheet.seq, results=found)
        return key


def french_entry(rng: Random, players: int) -> FrenchDeal:
    """A French deal as it may be written down."""
    bid = rng.choice(("petite", "garde", "sans", "contre"))
    taker = rng.randrange(players)
    return FrenchDeal(taker=taker, bid=bid, half_points=2 * rng.randrange(20, 65), bouts=rng.randrange(4))
