"""What happened in a Danish deal, as a score sheet notes it: the input of the settlement."""

from __future__ import annotations

from typing import ClassVar, Literal, TypeAlias

from msgspec import Struct

from ultimo.cards import Card
from ultimo.events import Announced, CardPlayed, Cup, Declaration, Offence, Seat

Order: TypeAlias = tuple[Seat, Seat, Seat]  # forehand, middle, dealer


class Fined(Struct, frozen=True):
    """An offence that has been fined; what was received wrongly from each opponent goes back."""

    seat: Seat
    offence: Offence
    overpaid: int = 0
    false_ten: bool = False


class PagatFate(Struct, frozen=True):
    """The pagat fell before the last trick: whose it was, and whether it took the trick."""

    seat: Seat
    home: bool


class LostKing(Struct, frozen=True):
    """A king fell before the last trick without winning it."""

    seat: Seat
    card: Card


class GivenBack(Struct, frozen=True):
    """A wrongly captured card has gone back, and its captor pays what it had cost its owner."""

    by: Seat
    to: Seat
    card: Card
    points: int


class Outcome(
    Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="family", tag="danish"
):
    """What happened in a deal, as a score sheet notes it.

    `order` is forehand, middle, dealer; `tricks` and `counts` follow it. `king` and `pagat` are the cups
    before the ante. `last` is the last trick in order of play. A scrapped deal has no tricks and no counts.
    """

    table: int
    order: Order
    king: int
    pagat: int
    antes: int = 1  # more after misdeals, where the dealer antes again
    declarations: dict[Seat, tuple[Declaration, ...]] = {}
    announcements: tuple[Announced, ...] = ()
    kings_lost: tuple[LostKing, ...] = ()
    pagat_fate: PagatFate | None = None
    given_back: tuple[GivenBack, ...] = ()
    fines: tuple[Fined, ...] = ()
    let_pass: tuple[Seat, ...] = ()  # whose false declarations were let pass: paid, though they cannot be
    banned: tuple[Seat, ...] = ()  # may not ultimate
    barren: tuple[Seat, ...] = ()  # win nothing
    charged: Seat | None = None  # bears the cost of the ultimo it helped
    tricks: tuple[int, int, int] | None = None
    last: tuple[CardPlayed, ...] = ()
    winner: Seat | None = None  # of the last trick
    counts: tuple[int, int, int] | None = None
    family: ClassVar[Literal["danish"]] = "danish"

    @property
    def cups(self) -> dict[Cup, int]:
        """What the cups hold before the deal."""
        return {"king": self.king, "pagat": self.pagat}
