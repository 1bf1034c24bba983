"""What the pages and the server tell each other about score sheets, as JSON."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from msgspec import Meta, field

from ultimo.answers.payloads import Asked, PlayerName, Told
from ultimo.club.entries import Entry
from ultimo.club.mistakes import By, Question
from ultimo.events import Cup, Declaration, Offence, Seat
from ultimo.names import Family
from ultimo.table.scene import CupShown, SlotShown

Command: TypeAlias = Annotated[str, Meta(min_length=8, max_length=64, pattern="^[!-~]*$")]


# --- what is asked for -----------------------------------------------------------------------------------


class OpenSheet(Asked, frozen=True):
    """Begin a score sheet."""

    rules: str
    names: Annotated[tuple[PlayerName, ...], Meta(max_length=8)]
    dealer: Seat = 0
    house: dict[str, Any] = field(default_factory=dict)


class SheetWish(Asked, frozen=True, tag_field="type"):
    """Something to be written; who writes it, and when, the server knows itself."""


class BookDeal(SheetWish, frozen=True, tag=True):
    """Write a deal down."""

    entry: Entry


class CorrectDeal(SheetWish, frozen=True, tag=True):
    """Write an earlier deal anew."""

    deal: int
    entry: Entry


class UndoDeal(SheetWish, frozen=True, tag=True):
    """Take the last booking or correction back."""


class NoteDeal(SheetWish, frozen=True, tag=True):
    """Put a note beside a deal, or with 0 beside the evening."""

    deal: int
    text: str


class CloseSheet(SheetWish, frozen=True, tag=True):
    """End the evening; `lot` gets the rest of the cups where it is drawn for."""

    lot: Seat = 0


class ReopenSheet(SheetWish, frozen=True, tag=True):
    """Go on after all."""


AnySheetWish: TypeAlias = BookDeal | CorrectDeal | UndoDeal | NoteDeal | CloseSheet | ReopenSheet


class WriteSheet(Asked, frozen=True):
    """Write something behind what one has seen last; the same command is obeyed once."""

    cmd: Command
    base: int
    wish: AnySheetWish


class PreviewDeal(Asked, frozen=True):
    """Ask what an entry would pay: as the next deal, or in the place of another."""

    entry: Entry
    deal: int | None = None


class AskPen(Asked, frozen=True):
    """Take the pen with a secret, take it back as host, or with neither ask for a secret to hand it over."""

    secret: Annotated[str, Meta(max_length=64)] = ""
    take_back: bool = False


class ReadSheet(Asked, frozen=True):
    """Make a sheet of a log that was kept."""

    log: str


class BringSheet(Asked, frozen=True):
    """Bring the log of a sheet that was kept on a device, whose person has this name.

    `known` is set where it was brought before: then it is not begun anew if it has been deleted since.
    """

    log: str
    name: PlayerName
    known: bool = False


# --- what is told ----------------------------------------------------------------------------------------


class SheetMade(Told, frozen=True):
    """The sheet that has been begun."""

    id: str


class SheetWritten(Told, frozen=True):
    """Where something has been written."""

    seq: int


class SheetBrought(Told, frozen=True):
    """The place of a sheet in the account, and how much is written there."""

    id: str
    seq: int


class SheetsDiffer(Told, frozen=True):
    """The sheet on the device and the one in the account have both been written on: nothing was written now.

    So many entries are the same, and so many each has alone.
    """

    error: str
    id: str
    same: int
    there: int
    here: int


class SheetLine(Told, frozen=True):
    """A sheet in a list; `device` is the id that it has on the device from which it was brought."""

    id: str
    title: str
    rules: str
    names: tuple[str, ...]
    deals: int
    closed: bool
    at: float
    device: str = ""


class TrailLine(Told, frozen=True):
    """Something that was written: what, by whom, when, and about which deal (0: the evening).

    `from_file` says that it was read from a file, and that the file says by whom.
    """

    seq: int
    kind: Literal["opened", "booked", "corrected", "undone", "noted", "pen", "closed", "reopened"]
    by: str
    at: float
    deal: int = 0
    text: str = ""
    from_file: bool = False


class SheetBehind(Told, frozen=True):
    """Others have written since: nothing was written now, and this is the news."""

    error: str
    seq: int
    news: tuple[TrailLine, ...]


class SheetPlaces(Told, frozen=True):
    """Who deals and who plays: forehand first, the dealer last."""

    dealer: Seat
    order: tuple[Seat, ...]


class SheetDeal(Told, frozen=True):
    """A deal as it stands, what it paid, and by whom and when it was corrected."""

    number: int
    dealer: Seat
    order: tuple[Seat, ...]
    entry: Entry
    payments: tuple[str, ...]
    gains: tuple[int, ...]
    totals: tuple[int, ...]
    cups: dict[str, int]
    note: str = ""
    corrected: TrailLine | None = None
    void: bool = False


class BidChoice(Told, frozen=True):
    """Something that can be chosen, and its words."""

    id: str
    label: str


class Announceable(Told, frozen=True):
    """What may be announced before a trick."""

    kind: Literal["nolo", "tout"]
    before: int
    label: str


class PoigneeChoice(Told, frozen=True):
    """A poignée of so many trumps."""

    size: int
    label: str


class MistakeChoice(Told, frozen=True):
    """A mistake for which the book has a fine: what it costs, its rule, and what has to be asked about it.

    `ante` is set where the dealer antes again instead of a fine, `ends` where the deal ends with it, and
    `passes` where the dealer may instead let the next player deal.
    """

    offence: Offence
    label: str
    price: str
    rule: str
    by: By
    asks: tuple[Question, ...]
    ends: bool
    ante: bool
    passes: bool


class SheetBook(Told, frozen=True):
    """What the book lets one write: declarations, announcements and mistakes, or bids and poignées.

    `balances` is the place of who does not count, in the order of play; `false_ten` what is declared with one
    trump too few, where that has a price of its own.
    """

    slots: tuple[SlotShown, ...] = ()
    announcements: tuple[Announceable, ...] = ()
    balances: int = 0
    lots: bool = False  # drawn for what is left when the cups are divided
    mistakes: tuple[MistakeChoice, ...] = ()
    false_ten: Declaration | None = None
    bids: tuple[BidChoice, ...] = ()
    poignees: tuple[PoigneeChoice, ...] = ()
    partner: bool = False
    slam_by_defence: bool = False
    deals_again: bool = False  # the same player, after a deal that nobody has taken
    fault: bool = False  # whether anything follows from a mistake


class SheetOrigin(Told, frozen=True):
    """The club's evening at which a sheet is kept, and what the club calls its rules."""

    club: str
    rules: str
    day: str
    round: int
    table: int


class SheetShown(Told, frozen=True):
    """A score sheet as somebody sees it."""

    id: str
    seq: int
    begun: float
    title: str
    rules: str
    family: Family
    house: int
    names: tuple[str, ...]
    coming: tuple[SheetPlaces, ...]  # the next deal, and some after it
    due: tuple[str, ...]
    cups: tuple[CupShown, ...]
    totals: tuple[int, ...]
    deals: tuple[SheetDeal, ...]
    note: str
    closed: bool
    division: tuple[str, ...]
    has_pen: bool
    is_host: bool
    writer: str
    may_undo: bool
    book: SheetBook
    trail: tuple[TrailLine, ...]
    club: str = ""  # that it belongs to, for those who do too
    earlier: bool = False  # whether the book has changed since it was begun
    scores: bool = True  # on a club's sheet whether one may take the pen at any time, as its scorers may
    may_delete: bool = False
    origin: SheetOrigin | None = None


class SheetPreview(Told, frozen=True):
    """What an entry would pay behind so much that is written; or why it cannot have been, and which part."""

    seq: int = 0
    gains: tuple[int, ...] = ()
    payments: tuple[str, ...] = ()
    cups: dict[Cup, int] = field(default_factory=dict)
    void: bool = False  # it would count for nothing
    error: str = ""
    field_: str = field(default="", name="field")


class PenSecret(Told, frozen=True):
    """Whoever knows this may take the pen, once and until then."""

    secret: str
    until: float


class SheetNews(Told, frozen=True):
    """How much is written."""

    seq: int


class CoinPayment(Told, frozen=True):
    """Money from one player to another, in the smallest coin."""

    payer: Seat
    payee: Seat
    coins: int


class ChipPile(Told, frozen=True):
    """What somebody has won or lost in chips, by their value, and what is left over."""

    chips: dict[str, int]
    rest: int


class SheetMoney(Told, frozen=True):
    """An evening in money: what everybody gets or pays, who pays whom, and the totals in chips."""

    coins: tuple[int, ...]
    payments: tuple[CoinPayment, ...]
    chips: tuple[ChipPile, ...]
