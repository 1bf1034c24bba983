"""The facts of a live table, in the order in which they stand in its log.

The events of the game are one kind of them. The others are about the people: who sits where, who has
committed to which secret, who is away, what was said. Time is not in a fact; the log has it beside each.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from ultimo.events import Event, Seat, SeriesOpened
from ultimo.fair import Draw
from ultimo.table.scene import Help, Level, Tempo
from ultimo.table.settings import Again, Settings

PlayerId: TypeAlias = str
Audience: TypeAlias = Literal["all", "active", "others"]  # others: sitters and spectators

NOBODY = "–"  # the name of somebody whose data has been deleted


class TableFact(Struct, frozen=True, tag_field="type", tag=True, omit_defaults=True):
    """Base of all facts."""


class SeatFact(TableFact, frozen=True):
    """Base of the facts about a seat."""

    seat: Seat


class PersonFact(TableFact, frozen=True):
    """Base of the facts about a person whom the host has done something about."""

    player: PlayerId
    name: str


class TableOpened(TableFact, frozen=True):
    """Somebody has opened a table; with a seed, as under test or in the terminal, its cards are known."""

    table: str
    settings: Settings
    host: PlayerId
    again: Again | None = None
    seed: str | None = None


class SeatTaken(SeatFact, frozen=True):
    """A person has sat down."""

    player: PlayerId
    name: str


class SeatLeft(SeatFact, frozen=True):
    """Nobody has this seat any more."""


class BotSeated(SeatFact, frozen=True):
    """A bot has sat down."""

    level: Level
    name: str


class SessionStarted(TableFact, frozen=True):
    """All seats are taken, and the session begins."""


class ServerCommitted(TableFact, frozen=True):
    """An attempt at a draw begins: the server has its secret, and only its digest is told.

    The `number` counts the attempts at a table. Without one, as in old logs, there are no attempts: whoever
    does not reveal is left out.
    """

    deal: int
    secret: str
    number: int = 0
    draw: Draw = "cards"


class PlayerCommitted(TableFact, frozen=True):
    """A person has committed to a secret."""

    deal: int
    player: PlayerId
    digest: str


class CommitsClosed(TableFact, frozen=True):
    """Whoever has not committed by now takes no part in the shuffling."""

    deal: int


class PlayerRevealed(TableFact, frozen=True):
    """A person has revealed the secret."""

    deal: int
    player: PlayerId
    secret: str


class Happened(TableFact, frozen=True):
    """What follows from one wish, or from chance, in the game."""

    events: tuple[Event, ...]


class MadeReady(SeatFact, frozen=True):
    """A person has seen enough of the result."""


class StoodIn(SeatFact, frozen=True):
    """The person is away: a bot plays instead."""


class SeatTakenBack(SeatFact, frozen=True):
    """The person plays again."""


class WentAway(TableFact, frozen=True):
    """A person without whom the table waits is away: the only one among bots, or the host before the game."""

    player: PlayerId


class CameBack(TableFact, frozen=True):
    """The person whom the table has waited for is back; clocks start again."""

    player: PlayerId


class TempoSet(SeatFact, frozen=True):
    """From now on the table plays at this speed."""

    tempo: Tempo


class HelpSet(SeatFact, frozen=True):
    """From now on the table helps these people."""

    help: Help


class Undone(SeatFact, frozen=True):
    """A person among bots has taken back: of what happened in the deal, so many events remain."""

    to: int


class DealSkipped(SeatFact, frozen=True):
    """The only person, who sits out this deal, wants its result: the bots play on without a pause."""


class RestClaimed(SeatFact, frozen=True):
    """No choice can change a payment any more: what follows is the rest of the deal, laid down at once."""


class ChatSaid(TableFact, frozen=True):
    """Somebody has said something."""

    player: PlayerId
    name: str
    seat: Seat | None
    text: str
    audience: Audience = "all"


class Muted(PersonFact, frozen=True):
    """Nobody hears this person any more."""


class Unmuted(PersonFact, frozen=True):
    """The person is heard again."""


class SpectatorRemoved(PersonFact, frozen=True):
    """The person may not watch this table any more."""


class AddressBarred(TableFact, frozen=True):
    """Nor may guests and strangers from where such a person came; the address is only told as a digest."""

    player: PlayerId
    digest: str


class SeatTakenAway(PersonFact, frozen=True):
    """The person loses the seat, and gets none at this table again; who has it now is told next."""

    seat: Seat


class SessionFinished(TableFact, frozen=True):
    """The host ends the session."""


class RematchOpened(TableFact, frozen=True):
    """The same people can play on at another table."""

    table: str


class PersonDeleted(TableFact, frozen=True):
    """Somebody's data has been deleted: the log before this has changed, and is to be read anew."""


Fact: TypeAlias = (
    TableOpened
    | SeatTaken
    | SeatLeft
    | BotSeated
    | SessionStarted
    | ServerCommitted
    | PlayerCommitted
    | CommitsClosed
    | PlayerRevealed
    | Happened
    | MadeReady
    | StoodIn
    | SeatTakenBack
    | WentAway
    | CameBack
    | TempoSet
    | HelpSet
    | Undone
    | DealSkipped
    | RestClaimed
    | ChatSaid
    | Muted
    | Unmuted
    | SpectatorRemoved
    | AddressBarred
    | SeatTakenAway
    | SessionFinished
    | RematchOpened
    | PersonDeleted
)


def forget(log: Iterable[Fact], people: Collection[PlayerId]) -> list[Fact]:
    """The log without the names, the words and the addresses of some people, and with those of all others.

    A name in the opening of the game is theirs only if they had the seat then.
    """
    holders: dict[Seat, PlayerId | None] = {}
    left: list[Fact] = []
    for fact in log:
        match fact:
            case SeatTaken():
                holders[fact.seat] = fact.player
                left.append(replace(fact, name=NOBODY) if fact.player in people else fact)
            case SeatLeft() | SeatTakenAway() | BotSeated():
                holders[fact.seat] = None
                left.append(fact)
            case PersonFact() if fact.player in people:
                left.append(replace(fact, name=NOBODY))
            case AddressBarred() if fact.player in people:
                left.append(replace(fact, digest=NOBODY))
            case ChatSaid() if fact.player in people:
                left.append(replace(fact, name=NOBODY, text=NOBODY))
            case Happened(events=events):
                seats = {seat for seat, holder in holders.items() if holder in people}
                left.append(replace(fact, events=tuple(_forgotten(event, seats) for event in events)))
            case _:
                left.append(fact)
    return left


def without_words(fact: Fact) -> Fact:
    """The fact without what was said; that something was said stays."""
    return replace(fact, text=NOBODY) if isinstance(fact, ChatSaid) else fact


def _forgotten(event: Event, seats: Collection[Seat]) -> Event:
    if not isinstance(event, SeriesOpened):
        return event
    names = tuple(NOBODY if seat in seats else name for seat, name in enumerate(event.names))
    return replace(event, names=names)
