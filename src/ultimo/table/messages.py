"""What a page and the server say to each other over a socket.

Every command has an id that the page invents; it is applied once, however often it is sent, and answered
with `Done` or `Refused`. Every update says on which sequence number it builds; a page that has another one
asks for everything again with `Resync`.
"""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from msgspec import Meta, Struct, field

from ultimo.events import Action, Seat
from ultimo.table.scene import Happening, Help, Level, Scene, Tempo
from ultimo.telling.citations import Cited

CommandId: TypeAlias = Annotated[str, Meta(min_length=8, max_length=64, pattern="^[A-Za-z0-9_-]+$")]
Hex256: TypeAlias = Annotated[str, Meta(max_length=64, pattern="^[0-9a-f]{64}$")]  # `$` lets a line break in
PersonKey: TypeAlias = Annotated[str, Meta(max_length=12, pattern="^[0-9a-f]{12}$")]
ChatText: TypeAlias = Annotated[str, Meta(min_length=1, max_length=500)]

MAX_FRAME = 8 * 1024  # bytes of a message from a page


# --- wishes: what a person wants of the table ----------------------------------------------------------


class TableWish(Struct, frozen=True, tag_field="type", tag=True, forbid_unknown_fields=True):
    """Base of all wishes."""


class Act(TableWish, frozen=True):
    """Do something in the deal."""

    action: Action


class Sit(TableWish, frozen=True):
    """Take an open seat."""

    seat: Seat


class Stand(TableWish, frozen=True):
    """Give the seat up for good; a bot takes it if the session has begun."""


class SeatBot(TableWish, frozen=True):
    """Let a bot of this level have an open seat (the host)."""

    seat: Seat
    level: Level


class OpenSeat(TableWish, frozen=True):
    """Send a bot away before the session begins (the host)."""

    seat: Seat


class Start(TableWish, frozen=True):
    """Begin the game; bots take the open seats (the host, or while the host is away anybody seated)."""


class Ready(TableWish, frozen=True):
    """On to the next deal."""


class TakeBack(TableWish, frozen=True):
    """Take the seat back from the bot that stands in."""


class SetTempo(TableWish, frozen=True):
    """Change the speed of play, at any time (the host)."""

    tempo: Tempo


class SetHelp(TableWish, frozen=True):
    """Change whom the table helps, before the game or between deals (the host)."""

    help: Help


class Undo(TableWish, frozen=True):
    """Take back one's own decisions of this deal, so that so many of its events remain; among bots alone."""

    to: int


class Skip(TableWish, frozen=True):
    """See the result of a deal that one sits out among bots alone."""


class ClaimRest(TableWish, frozen=True):
    """Lay down the rest of the deal, which no choice can change any more."""


class Finish(TableWish, frozen=True):
    """End the session between two deals (the host)."""


class Rematch(TableWish, frozen=True):
    """Once the session is over: a new table with the same people and rules."""


class Say(TableWish, frozen=True):
    """Say something to the table."""

    text: ChatText


class Mute(TableWish, frozen=True):
    """Let nobody hear a person at this table any more, or hear them again (the host)."""

    who: PersonKey
    muted: bool


class Remove(TableWish, frozen=True):
    """Send a spectator away from this table for good (the host)."""

    who: PersonKey


class TakeSeat(TableWish, frozen=True):
    """Take the seat of a person away; a bot has it if the session has begun (the host)."""

    who: PersonKey


class Commit(TableWish, frozen=True):
    """Commit to a secret for the shuffling: its SHA-256. The attempt is named by its number at the table."""

    number: int = field(name="deal")  # as it is called since each deal had one attempt
    digest: Hex256


class Reveal(TableWish, frozen=True):
    """Reveal the secret."""

    number: int = field(name="deal")
    secret: Hex256


Wish: TypeAlias = (
    Act
    | Sit
    | Stand
    | SeatBot
    | OpenSeat
    | Start
    | Ready
    | TakeBack
    | SetTempo
    | SetHelp
    | Undo
    | Skip
    | ClaimRest
    | Finish
    | Rematch
    | Say
    | Mute
    | Remove
    | TakeSeat
    | Commit
    | Reveal
)

# What brings on or ends what is under way, which no limit of writing refuses; and what begins a deal.
ONWARD = (Act, Stand, TakeBack, Skip, ClaimRest, Finish, Remove, TakeSeat, Commit, Reveal)
BEGIN = (Start, Ready, Rematch)


# --- from the page -------------------------------------------------------------------------------------


class FromPage(Struct, frozen=True, tag_field="type", tag=str.lower, forbid_unknown_fields=True):
    """Base of what a page sends."""


class Do(FromPage, frozen=True):
    """A command."""

    cmd: CommandId
    wish: Wish


class Resync(FromPage, frozen=True):
    """Send everything again."""


class Ping(FromPage, frozen=True):
    """Is anybody there?"""


PageMessage: TypeAlias = Do | Resync | Ping


# --- from the server -----------------------------------------------------------------------------------


class FromServer(Struct, frozen=True, tag_field="type", tag=str.lower):
    """Base of what the server sends."""


class Full(FromServer, frozen=True):
    """Everything, and what has happened in this deal so far."""

    seq: int
    scene: Scene
    story: tuple[Happening, ...]
    now: float  # the server's clock, for deadlines


class Update(FromServer, frozen=True):
    """What has changed since `base`: the sections of the scene that are new, and what happened."""

    base: int
    seq: int
    patch: dict[str, Any]
    story: tuple[Happening, ...]
    now: float


class Done(FromServer, frozen=True):
    """The command has been applied, at this sequence number or before."""

    cmd: str
    seq: int


class Refused(FromServer, frozen=True):
    """The command changes nothing: why, and where that is written."""

    cmd: str
    reason: str
    cite: Cited | None = None


class Pong(FromServer, frozen=True):
    """Somebody is."""

    now: float


class Goodbye(FromServer, frozen=True):
    """The server closes the socket: `again` says whether to come back by itself."""

    reason: str
    again: bool


ServerMessage: TypeAlias = Full | Update | Done | Refused | Pong | Goodbye
