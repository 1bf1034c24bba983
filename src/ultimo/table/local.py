"""A table without a server: one person among bots, and no clock.

Time stands still at it. Facts happen at `NOW`, and what is due is asked when nobody waits for secrets any
more and the person has just been seen; so the table waits for that person, and for nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from msgspec.structs import replace

from ultimo.events import Event, SeriesOpened
from ultimo.table.decide import open_table
from ultimo.table.driving import COMMIT_WAIT, REVEAL_WAIT, Facts, Secret, Think, due
from ultimo.table.facts import BotSeated, Fact, Happened, PlayerId, SeatTaken
from ultimo.table.live import Live
from ultimo.table.settings import Settings

PERSON: Final[PlayerId] = "person"
NOW: Final = 0.0
LATE: Final = NOW + COMMIT_WAIT + REVEAL_WAIT


def open_local(
    settings: Settings, name: str, seed: str | None = None, played: Iterable[tuple[Event, ...]] = ()
) -> tuple[Fact, ...]:
    """The facts with which a table begins, or goes on from what has been `played`, step by step."""
    facts = open_table("local", settings, PERSON, name, seed=seed)
    happened = tuple(map(Happened, played))
    names = [one.names for step in happened[:1] for one in step.events if isinstance(one, SeriesOpened)]
    return (*(_named(fact, names[0]) if names else fact for fact in facts), *happened)


def _named(fact: Fact, names: tuple[str, ...]) -> Fact:
    """Who sits down, by the name that is known already."""
    return replace(fact, name=names[fact.seat]) if isinstance(fact, SeatTaken | BotSeated) else fact


def due_local(live: Live, secret: Secret) -> Facts | Think | None:
    """What happens without the person; None where the table waits for that person, or is over."""
    found = due(live, LATE, {PERSON: LATE}, secret)
    return found if isinstance(found, Facts | Think) else None
