"""What a viewer is shown: the table as values that a page can draw without knowing a rule.

A scene is made from the view of one seat, or of a spectator, and from nothing else. Whatever a person reads
is in it, in the language of the viewer. Cards are in notation (`SK`, `T21`, `T0`); an unseen card is never
named, only counted.
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from msgspec import Struct

from ultimo.cards import Suit
from ultimo.events import Account, Action, Cup, Declaration, Seat
from ultimo.fair import Draw
from ultimo.play.places import Role
from ultimo.telling.citations import Cited
from ultimo.telling.results import RowShown, StepShown

CardName: TypeAlias = str  # in notation
Moment: TypeAlias = Literal[
    "gathering",  # seats are being taken
    "deal",  # a deal is being played
    "between",  # a deal is over, and the players look at its result
    "over",  # the session is
]
Tag: TypeAlias = Role
HappeningKind: TypeAlias = Literal["told", "dealt", "played", "won", "paid", "moment", "chat"]
Level: TypeAlias = Literal["random", "beginner", "club", "expert", "master"]
RECKONING: Final[frozenset[Level]] = frozenset({"expert", "master"})  # they think for a while
Tempo: TypeAlias = Literal["instant", "fast", "normal", "slow"]
Help: TypeAlias = Literal[
    "never",
    "alone",  # for one person among bots
    "everyone",  # who has seen it when sitting down
]


class Shown(Struct, frozen=True, rename="camel"):
    """Something that is shown."""


class PlayShown(Shown, frozen=True):
    """A card in a trick; `named` is the suit a led skus counts as, `as_word` how one says it."""

    seat: Seat
    card: CardName
    named: Suit | None = None
    as_word: str = ""


class TrickShown(Shown, frozen=True):
    """A trick, with its winner once it is complete."""

    number: int
    plays: tuple[PlayShown, ...]
    winner: Seat | None = None


class SeatShown(Shown, frozen=True):
    """A seat and who sits there, as far as the viewer knows."""

    seat: Seat
    name: str
    kind: Literal["person", "bot", "open"]
    level: str = ""  # of a bot, and of one that stands in
    present: bool = True  # whether a person is connected
    stand_in: bool = False  # a bot plays for the person
    tags: tuple[Tag, ...] = ()
    role: str = ""  # the tags in words
    cards: int = 0
    tricks: int = 0
    said: tuple[str, ...] = ()  # declarations, announcements, bids, as the book words them
    hand: tuple[CardName, ...] = ()  # what the viewer may see of the cards held, if not his own
    total: int = 0
    gain: int = 0  # in this deal, its stakes included
    staked: int = 0  # of total and gain, what lies in the cups while the deal is played
    turn: bool = False  # the deal waits for this seat
    ready: bool = False  # for the next deal


class CupShown(Shown, frozen=True):
    """One of the two cups; an empty one is founded before the next deal."""

    cup: Cup
    name: str
    points: int


class PaymentShown(Shown, frozen=True):
    """One payment; `text` is the whole sentence, `cite` stands in the legend that comes with it."""

    deal: int
    payer: Account
    payee: Account
    points: int
    reason: str
    text: str
    cite: str


class AsideShown(Shown, frozen=True):
    """The cards that lie aside: skat, chien or écart; those the viewer may see are named."""

    kind: Literal["skat", "chien", "ecart"]
    name: str
    count: int
    cards: tuple[CardName, ...] = ()


class RevealShown(Shown, frozen=True):
    """The chien, turned up for all to see, until its taker has laid the écart.

    It lies large in the middle `until` a time (seconds since 1970); then the cards are among the taker's.
    """

    seat: Seat  # the taker
    name: str
    text: str
    cards: tuple[CardName, ...]
    until: float


# --- what may be done ----------------------------------------------------------------------------------


class Offer(Shown, frozen=True, tag_field="kind"):
    """Something that may be done."""


class ButtonOffer(Offer, frozen=True, tag="button"):
    """One action."""

    action: Action
    label: str


class PlayOffer(Offer, frozen=True, tag="play"):
    """Playing one of these cards: `{"type":"Play","card":…,"named":null}`.

    Where `naming`, the skus is played with a suit: one of `suits`.
    """

    cards: tuple[CardName, ...]
    naming: bool
    suits: tuple[SuitShown, ...] = ()


class SuitShown(Shown, frozen=True):
    """A suit and its word."""

    suit: Suit
    word: str


class PickOffer(Offer, frozen=True, tag="pick"):
    """Choosing `size` cards: all of `must`, the rest from `among`.

    The action is `{"type":"Lay","cards":[…],"tout":…}` or `{"type":"ShowPoignee","cards":[…]}`.
    """

    does: Literal["Lay", "ShowPoignee"]
    label: str
    size: int
    must: tuple[CardName, ...]
    among: tuple[CardName, ...]
    tout: bool = False
    suggestion: tuple[CardName, ...] = ()


class SaidShown(Shown, frozen=True):
    """A declaration and its words."""

    declaration: Declaration
    label: str


class SlotShown(Shown, frozen=True):
    """What a declaration can be about; of each slot one is made, or none."""

    name: str
    options: tuple[SaidShown, ...]


class DeclareOffer(Offer, frozen=True, tag="declare"):
    """Composing one's declarations: `{"type":"Declare","declarations":[…]}`, in the order of the slots.

    `due` is what the hand has to declare.
    """

    slots: tuple[SlotShown, ...]
    due: tuple[Declaration, ...]
    nothing: str  # how one says that there is nothing to declare


class NumberOffer(Offer, frozen=True, tag="number"):
    """Choosing a number: `{"type":"Cut","at":…}` or `{"type":"EnterCount","points":…}`."""

    does: Literal["Cut", "EnterCount"]
    least: int
    most: int
    usual: int


AnyOffer: TypeAlias = ButtonOffer | PlayOffer | PickOffer | DeclareOffer | NumberOffer


class Barred(Shown, frozen=True):
    """Cards of the hand that may not be chosen now, why, and where that is written."""

    cards: tuple[CardName, ...]
    why: str
    cite: Cited | None


class Turn(Shown, frozen=True):
    """What the viewer is asked, and all that he may do."""

    question: str
    guide: str
    offers: tuple[AnyOffer, ...]
    barred: tuple[Barred, ...] = ()
    deadline: float | None = None  # seconds since 1970: when a bot moves instead
    only: CardName | None = None  # the card that may play itself, as there is nothing to choose
    rest: bool = False  # the rest of the deal may be laid down, as no choice can change it


# --- the end of a deal ---------------------------------------------------------------------------------


class AccountShown(Shown, frozen=True):
    """What a seat has won and lost, in a sentence."""

    seat: Seat
    text: str


class PileShown(Shown, frozen=True):
    """A counted pile: a seat's, or in French Tarot a side's."""

    name: str
    seat: Seat | None
    points: str
    tricks: int
    cards: tuple[CardName, ...]


class HandShown(Shown, frozen=True):
    """A hand as it was dealt."""

    seat: Seat
    cards: tuple[CardName, ...]


class Result(Shown, frozen=True):
    """A deal that is over: how it ended, and what was paid for what."""

    number: int
    title: str
    told: tuple[AccountShown, ...]  # a sentence for each seat, the viewer's first
    lines: tuple[str, ...]
    tricks: tuple[str, ...]  # what was played in each, and who won it
    ladder: tuple[StepShown, ...]  # how the counts are paid, where that goes by steps
    accounts: tuple[str, ...]  # the heads of the columns: the seats, then the cups
    rows: tuple[RowShown, ...]
    deal_row: tuple[int, ...]  # without the division of the cups, which belongs to the game
    total_row: tuple[int, ...]
    piles: tuple[PileShown, ...]
    aside: AsideShown | None
    hands: tuple[HandShown, ...]


# --- the whole -----------------------------------------------------------------------------------------


class BackShown(Shown, frozen=True):
    """A decision of the viewer's own that may be taken back: `{"type":"Undo","to":…}`."""

    to: int  # how many events of the deal remain
    text: str


class TableShown(Shown, frozen=True):
    """What the table plays."""

    id: str
    rules: str
    title: str
    family: Literal["danish", "french"]
    size: int
    house: int  # how many house rules
    deals: int | None  # how many are played; None: until the players stop
    tempo: Tempo
    clock: int | None  # seconds a turn
    public: bool
    host: bool = False  # the viewer has opened the table
    may_start: bool = False  # the viewer may begin the game
    host_away: bool = False  # for so long that others may
    may_skip: bool = False  # the viewer sits out among bots and may see the result at once
    skipped: bool = False  # and has asked for it
    paused: bool = False  # the table waits for its only person
    back: float | None = None  # when that person was last back, in seconds since 1970
    again: bool = False  # the cards of an earlier deal are played again
    rematch: str | None = None  # the table at which the same people play on
    help: Help = "alone"  # whom the table helps with hints and take-backs
    hints: bool = False  # the viewer may ask for hints
    backs: tuple[BackShown, ...] = ()  # what the viewer may take back, the oldest first
    taken_back: bool = False  # something was taken back in this deal, of which no figures are kept


class FairShown(Shown, frozen=True):
    """The attempt at a draw that is under way: who has committed to what."""

    number: int  # of the attempt at this table
    draw: Draw
    deal: int
    server: str  # the server's commitment, SHA-256 in hex
    wanted: Literal["commit", "reveal"] | None = None  # what the table waits for from this viewer
    players: tuple[str, ...] = ()  # once nobody commits any more, what the people have, by their seats


class ChatShown(Shown, frozen=True):
    """Something that was said."""

    name: str
    seat: Seat | None
    text: str
    at: float
    who: str  # the key of the person


class PersonShown(Shown, frozen=True):
    """Somebody about whom this viewer, as the host, may do something."""

    who: str
    name: str
    seat: Seat | None
    muted: bool


class Scene(Shown, frozen=True):
    """The table as a viewer sees it. An update replaces whole sections, named as here."""

    table: TableShown
    you: Seat | None  # None for a spectator
    moment: Moment
    number: int  # of the deal
    phase: str
    headline: str  # whom the table waits for, or what has just ended
    contract: str  # French: the bid, and the called card
    seats: tuple[SeatShown, ...]
    hand: tuple[CardName, ...]  # the viewer's own, sorted
    trick: TrickShown | None
    last: TrickShown | None
    cups: tuple[CupShown, ...]
    aside: AsideShown | None
    reveal: RevealShown | None
    turn: Turn | None
    payments: tuple[PaymentShown, ...]  # of this deal
    cites: dict[str, Cited]  # the legend of payments and result: where they are written, and why
    result: Result | None
    fair: FairShown | None
    chat: tuple[ChatShown, ...]
    people: tuple[PersonShown, ...]  # for the host
    muted: bool  # nobody hears this viewer


class MomentShown(Shown, frozen=True):
    """Something worth stopping for; a cup gives points, or gets them where they are negative."""

    title: str
    cup: Cup | None = None
    points: int = 0


class Happening(Shown, frozen=True):
    """Something that has just happened, told in words; what is animated comes with its values."""

    kind: HappeningKind
    text: str
    seat: Seat | None = None
    card: CardName | None = None
    payment: PaymentShown | None = None
    moment: MomentShown | None = None
