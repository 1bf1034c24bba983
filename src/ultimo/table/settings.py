"""What is agreed before anybody plays: rules, seats, length and tempo of a table."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, TypeAlias

from msgspec import Meta, Struct, field
from msgspec.structs import replace

from ultimo import rulebook
from ultimo.events import Action, Deal, IllegalAction, Seat
from ultimo.rulebook import FrenchRules, Rules
from ultimo.table.scene import RECKONING, Help, Level, Tempo

# The digests of the books when tables began to record them.
UNRECORDED: Final = {
    "basta": "aa68a5f0bde68d55",
    "dtf": "052684b0d32b14d1",
    "fft3": "2e8d0caa78b20d25",
    "fft4": "14b1be2dee68b614",
    "fft5": "017684f1704bc2c7",
    "french3": "376ae9188468a445",
    "french4": "e29dae2cce1f4aea",
    "french5": "f55e5fbc9a90638c",
    "hermansen": "fa9cb8e932a07b9b",
    "jensen": "397c88f5229373c2",
    "vlk": "505d8bb2dda7da14",
}

Title: TypeAlias = Annotated[str, Meta(max_length=40)]


class SeatPlan(Struct, frozen=True, omit_defaults=True, rename="camel", forbid_unknown_fields=True):
    """Who is to have a seat: the host, a bot, or whoever comes by the link or from the lobby."""

    kind: Literal["host", "bot", "open"]
    level: Level = "club"


class Move(Struct, frozen=True):
    """What a seat wished, or chance."""

    seat: Seat | None
    action: Action


class Again(Struct, frozen=True):
    """The cards of an earlier deal, to be played once more from the same seats."""

    cards: Deal
    dealer: Seat
    out: Seat | None = None  # who sat out for five deals
    moves: tuple[Move, ...] = ()  # what was played before the point from which it is played on


class Settings(Struct, frozen=True, omit_defaults=True, rename="camel", forbid_unknown_fields=True):
    """The agreement of a table."""

    rules: str
    size: int
    seats: tuple[SeatPlan, ...]
    house: dict[str, Any] = field(default_factory=dict)
    deals: Annotated[int, Meta(ge=1, le=500)] | None = None  # None: until the players stop
    tempo: Tempo = "normal"
    clock: Annotated[int, Meta(ge=5, le=600)] | None = None  # seconds a turn
    grace: Annotated[int, Meta(ge=5, le=3600)] = 60  # seconds on turn after which a bot plays for the absent
    public: bool = False  # stands in the lobby and may be watched by anybody
    help: Help = "alone"  # whom the table helps with hints and take-backs
    digest: str = ""  # of the rules: the table is played by this version of them
    first_dealer: Seat | None = None  # who is set, and not drawn, to deal first at a table of one's own


def rules_of(settings: Settings) -> Rules:
    """The rules of a table with its house rules."""
    return rulebook.load(settings.rules, settings.house, recorded(settings).digest)


def recorded(settings: Settings) -> Settings:
    """The agreement of a log, with the digest of its rules: where none is recorded, that of the book then."""
    return settings if settings.digest else replace(settings, digest=UNRECORDED.get(settings.rules, ""))


def dated(settings: Settings) -> Settings:
    """The agreement of a new table, with the digest of its rules: where none is asked for, today's."""
    if settings.digest:
        return settings
    return replace(settings, digest=rulebook.digest(rulebook.load(settings.rules, settings.house)))


def is_for_bots(settings: Settings) -> bool:
    """Whether nobody but bots is to play at a table."""
    return all(plan.kind == "bot" for plan in settings.seats)


def experts(settings: Settings) -> int:
    """How many seats of a table are for experts and masters."""
    return sum(plan.kind == "bot" and plan.level in RECKONING for plan in settings.seats)


def check(settings: Settings) -> Rules:
    """The rules of a table that can be opened, or `IllegalAction` or `RulebookError` with the reason."""
    rules = rules_of(dated(settings))
    if isinstance(rules, FrenchRules) and rules.table.mort:
        raise IllegalAction("mortOnSheet", rules.table.cite)
    if settings.size not in rules.sizes:
        raise IllegalAction("wrongTableSize", book=rules.id, sizes=rules.sizes, table=settings.size)
    if len(settings.seats) != settings.size:
        raise IllegalAction("wrongPlans", plans=len(settings.seats), seats=settings.size)
    if sum(plan.kind == "host" for plan in settings.seats) > 1:
        raise IllegalAction("hostOneSeat")
    own = all(plan.kind != "open" for plan in settings.seats) and not settings.public
    if settings.first_dealer is not None and not (own and 0 <= settings.first_dealer < settings.size):
        raise IllegalAction("dealerIsDrawn")
    return rules
