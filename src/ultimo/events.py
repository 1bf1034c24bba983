"""Actions (wishes), events (facts) and transfers: plain frozen values.

An action is what a seat would like to do; it may be refused. An event is what happened; it may not.
Both are tagged by their class name, so that a line of a record reads `{"type":"CardPlayed","seat":1,…}`.
What a reader may not see is the card `?` or `None`. Seats are numbered anticlockwise from 0, the
direction of deal and play in both families.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Literal, TypeAlias

from msgspec import Struct

from ultimo.cards import Card, Suit
from ultimo.names import names

Seat: TypeAlias = int
Cup: TypeAlias = Literal["king", "pagat"]
Account: TypeAlias = int | Cup
SomeCards: TypeAlias = tuple[Card, ...]

Reason: TypeAlias = Literal[
    # before the first card
    "found",
    "shortFounding",
    "ante",
    "misdeal",
    "declaration",
    # during and after play, Danish
    "kingLost",
    "pagatLost",
    "pagatHome",
    "lastTrick",
    "kingUltimo",
    "pagatUltimo",
    "kingBagud",
    "pagatBagud",
    "nolo",
    "noloLost",
    "tout",
    "toutLost",
    "count",
    "fine",
    "repay",
    "giveBack",
    "ultimoCost",
    "division",
    "divisionRest",
    # French
    "contract",
    "petitAuBout",
    "poignee",
    "slam",
]

Offence: TypeAlias = Literal[
    "wrongSkat",
    "wrongCards",
    "revoke",
    "wrongDecl",
    "missingDecl",
    "earlyDecl",
    "outOfTurn",
    "wrongDemand",
    "cupsNotMoved",
    "misdeal",
]
Effect: TypeAlias = Literal[
    "stop",  # the deal is scrapped
    "correctable",  # may be put right until another hand has declared positively
    "consent",  # scrapped unless both opponents agree to continue
    "banUltimo",  # an ultimo of the offender is paid as a last trick
    "repay",  # what was received wrongly goes back
    "noDeclare",  # the offender's declarations are void
    "noPayForIt",  # what was declared too early is not paid
    "onlyBeforeDealer",  # too early is before the dealer, not before another hand, I-11.13
    "winNothing",  # I-11.7
    "giveBack",  # wrongly captured kings and pagat go back
    "ultimoCost",  # the offender bears the cost of an ultimo he helped, I-11.11
]
Claimable: TypeAlias = Literal["revoke", "declaration", "skat"]


# What a refusal may speak of: a word or clause by its key in `names/refusals`, a bid, a rulebook's title, a
# number, a seat (`player`), cards, numbers (of which one may choose if they are `sizes`).
Spoken: TypeAlias = str | int | Card | tuple[Card, ...] | tuple[int, ...]
AS_THEY_ARE = ("bid", "book")  # values that are no keys of `names/refusals`


class IllegalAction(ValueError):
    """A wish that is refused: why, and where the rule stands.

    `key` finds the sentence of each language in `names/refusals`, with places for the `values`; `reason` is
    the English one, filled in.

    >>> IllegalAction("notHeld", card=Card("SK")).reason
    'you do not have SK'
    """

    def __init__(self, key: str, cite: str = "", **values: Spoken) -> None:
        super().__init__(key)
        self.key = key
        self.values = values
        self.cite = cite

    @property
    def reason(self) -> str:
        """The English sentence, with cards in notation."""
        spoken = {name: _english(name, value) for name, value in self.values.items()}
        return names("en").refusal(self.key).format_map(spoken)

    def __str__(self) -> str:
        return f"{self.reason} [{self.cite}]" if self.cite else self.reason


def _english(name: str, value: Spoken) -> str:
    """A value as the reason has it."""
    match value:
        case Card():
            return str(value.value)
        case tuple() if all(isinstance(one, Card) for one in value):
            return " ".join(_english("card", one) for one in value)
        case tuple():
            return (" or " if name == "sizes" else ", ").join(map(str, value))
        case int():
            return f"seat {value}" if name == "player" else str(value)
        case str() if name in AS_THEY_ARE:
            return value
        case _:
            return names("en").refusal(value)


class Value(Struct, frozen=True):
    """A plain frozen value."""


class Transfer(Value, frozen=True, omit_defaults=True):
    """Points from one account to another. The two ends make every ledger sum to zero."""

    payer: Account
    payee: Account
    points: int
    reason: Reason
    cite: str
    card: Card | None = None


def balances(transfers: Iterable[Transfer]) -> Counter[Account]:
    """What each account has gained by transfers; lost, if negative."""
    gained: Counter[Account] = Counter()
    for one in transfers:
        gained[one.payer] -= one.points
        gained[one.payee] += one.points
    return gained


def posted(net: tuple[int, ...], gained: Mapping[Account, int]) -> tuple[int, ...]:
    """What the seats have once they have also gained this."""
    return tuple(points + gained[seat] for seat, points in enumerate(net))


class Settlement(Value, frozen=True):
    """Transfers, and the cups that were taken with who took them."""

    transfers: tuple[Transfer, ...]
    emptied: tuple[tuple[Cup, Seat], ...] = ()


class Declaration(Value, frozen=True, omit_defaults=True):
    """One declaration (rules B5).

    `tarok` has a count and says whether the pagat is among them; `matadors` (and `matadorsBelow`) have a
    count; `half`, `full` and `over` are of a suit or of the kings (`of="K"`); a half one says what is
    missing.
    """

    kind: Literal["tarok", "matadors", "matadorsBelow", "half", "full", "over"]
    count: int = 0
    pagat: bool | None = None
    of: Literal["S", "H", "C", "D", "K"] | None = None
    missing: Card | None = None

    @property
    def notation(self) -> str:
        """All that it says, in the words of a record."""
        missing = self.missing.value if self.missing else ""
        return " ".join(str(part) for part in (self.kind, self.count, self.of, missing) if part)


# What an impossible outcome may speak of: a seat (`player`), another number, a card, a declaration, a text,
# the `book`, an `announcement` or `offence` by its key, `bids`, numbers (one of which is right: `sizes`).
Noted: TypeAlias = int | Card | Declaration | str | tuple[int, ...] | tuple[str, ...]

Problems: TypeAlias = Iterator[tuple[str, str]]  # fields of something that was written, and what is wrong


class ImpossibleOutcome(ValueError):
    """An entry of a score sheet that no deal can have: which field, and why.

    `key` finds the sentence of each language in `names/outcomes`, with places for the `values`; `reason` is
    the English one, with seats and cards in notation.

    >>> ImpossibleOutcome("last", "doesNotBeat", card=Card("S4"), other=Card("T1")).reason
    'S4 does not beat T1'
    """

    def __init__(self, field: str, key: str, **values: Noted) -> None:
        super().__init__(field, key)
        self.field = field
        self.key = key
        self.values = values

    @property
    def reason(self) -> str:
        """The English sentence."""
        words = names("en")
        return words.outcome(self.key, {name: _noted(name, value) for name, value in self.values.items()})

    def __str__(self) -> str:
        return f"{self.field}: {self.reason}"


def _noted(name: str, value: Noted) -> str:
    """A value as the English reason of an impossible outcome has it."""
    match value:
        case Declaration():
            return value.notation
        case Card():
            return str(value.value)
        case tuple():
            return (" or " if name == "sizes" else ", ").join(map(str, value))
        case _:
            return f"seat {value}" if name == "player" else str(value)


Impossibilities: TypeAlias = Iterator[ImpossibleOutcome]


# --- actions -------------------------------------------------------------------------------------------


class Wish(Value, frozen=True, tag_field="type", tag=True):
    """Base of all actions."""


class Deal(Wish, frozen=True):
    """Chance, not a seat, gives these hands (by seat) and the chien."""

    hands: tuple[SomeCards, ...]
    chien: SomeCards = ()


class Found(Wish, frozen=True):
    """Pay one's share into the cups that need it (strict cups)."""


class MoveCups(Wish, frozen=True):
    """The dealer moves the cups to his right (strict cups)."""


class Cut(Wish, frozen=True):
    """Cut the pack, leaving `at` cards above."""

    at: int


class Accept(Wish, frozen=True):
    """Take up the hand without objection."""


class DemandRedeal(Wish, frozen=True):
    """A hand without a real tarok asks for new cards."""


class ObjectCount(Wish, frozen=True):
    """Say that a hand has the wrong number of cards."""


class Redeal(Wish, frozen=True):
    """After a misdeal: pay, and deal again."""


class PassDeal(Wish, frozen=True):
    """After a misdeal: let the next player deal."""


class Lay(Wish, frozen=True):
    """Lay the skat or the écart; `tout` announces tout with the skus among the cards."""

    cards: SomeCards
    tout: bool = False


class Declare(Wish, frozen=True):
    """Make one's declarations; none of them is a pass."""

    declarations: tuple[Declaration, ...]


class Announce(Wish, frozen=True):
    """Announce that one will take no trick, or all of them."""

    kind: Literal["nolo", "tout", "slam"]


class Decline(Wish, frozen=True):
    """Let an offer pass: no announcement, no demand."""


class DemandSkus(Wish, frozen=True):
    """Demand the skus in the third-last trick."""


class AskTarokLaid(Wish, frozen=True):
    """Ask the dealer how many tarokker he has laid."""


class Play(Wish, frozen=True):
    """Lead or follow with a card; a led skus is named."""

    card: Card
    named: Suit | None = None


class ClaimVoid(Wish, frozen=True):
    """Say that one lacks the suit a led skus is named as."""


class Answer(Wish, frozen=True):
    """Say whether one has the suit a led skus is named as."""

    have: bool


class NameSkus(Wish, frozen=True):
    """Rename a led skus."""

    suit: Suit


class Claim(Wish, frozen=True):
    """Point out an error, or report one's own."""

    offence: Claimable
    against: Seat


class Vote(Wish, frozen=True):
    """Answer the question that a fine puts to the two others."""

    yes: bool


class EnterCount(Wish, frozen=True):
    """Enter what one has counted in one's own pile (strict count)."""

    points: int


class Recount(Wish, frozen=True):
    """Ask for the piles to be counted again (strict count)."""


class Bid(Wish, frozen=True):
    """Bid for the contract."""

    bid: Literal["petite", "garde", "sans", "contre"]


class Pass(Wish, frozen=True):
    """Make no bid."""


class Call(Wish, frozen=True):
    """Name the card whose holder is the partner."""

    card: Card


class ShowPoignee(Wish, frozen=True):
    """Show trumps before one's first card."""

    cards: SomeCards


# By occasion, in the order of a deal.
OpeningWish: TypeAlias = (
    Deal | Found | MoveCups | Cut | Accept | DemandRedeal | ObjectCount | Redeal | PassDeal
)
HandWish: TypeAlias = Lay | Declare | Announce | Decline | DemandSkus | AskTarokLaid
TrickWish: TypeAlias = Play | ClaimVoid | Answer | NameSkus
StrictWish: TypeAlias = Claim | Vote | EnterCount | Recount
FrenchWish: TypeAlias = Bid | Pass | Call | ShowPoignee
Action: TypeAlias = OpeningWish | HandWish | TrickWish | StrictWish | FrenchWish


# --- events --------------------------------------------------------------------------------------------


class Fact(Value, frozen=True, tag_field="type", tag=True, omit_defaults=True):
    """Base of all events."""


class BySeat(Fact, frozen=True):
    """Base of what one seat does, or what happens to it."""

    seat: Seat


class SeriesOpened(Fact, frozen=True):
    """People have sat down; `names` has one entry a seat."""

    names: tuple[str, ...]
    dealer: Seat
    out: Seat | None = None  # who begins by sitting out, where one of five does so for five deals
    drawn: SomeCards = ()  # by which the first dealer was found, one a seat, where cards are drawn for it


class Opened(Fact, frozen=True):
    """A deal begins: who deals, who plays (forehand first, dealer last), what the cups hold.

    `deck` is the pack as it was picked up, where it is not shuffled; nobody sees its cards.
    """

    table: int
    dealer: Seat
    active: tuple[Seat, ...]
    king: int = 0
    pagat: int = 0
    deck: SomeCards = ()


class Paid(Fact, frozen=True):
    """Points change hands."""

    transfers: tuple[Transfer, ...]


class FoundingMissed(BySeat, frozen=True):
    """A seat has let the deal begin without founding (strict cups)."""

    cup: Cup
    points: int


class CupsMoved(BySeat, frozen=True):
    """The dealer has moved the cups."""


class PackCut(BySeat, frozen=True):
    """The pack has been cut."""

    at: int


class Dealt(Fact, frozen=True):
    """The cards of each seat, and the chien."""

    hands: tuple[SomeCards, ...]
    chien: SomeCards = ()


class HandAccepted(BySeat, frozen=True):
    """A seat has taken up its hand."""


class RedealDemanded(BySeat, frozen=True):
    """A seat shows a hand without a real tarok; the same dealer deals again."""

    hand: SomeCards


class CountObjected(BySeat, frozen=True):
    """A seat has said that a number of cards is wrong; whether it was."""

    right: bool


class Misdealt(Fact, frozen=True):
    """The cards were dealt wrongly; the hands have these sizes."""

    sizes: tuple[int, ...]


class CardsCorrected(Fact, frozen=True):
    """A misdeal is put right: these hands."""

    hands: tuple[SomeCards, ...]


class RedealChosen(BySeat, frozen=True):
    """The dealer deals again after a misdeal."""


class SkatLaid(BySeat, frozen=True):
    """The dealer has laid three cards."""

    cards: SomeCards
    tout: bool = False


class SkatNotice(BySeat, frozen=True):
    """The dealer has laid cards of a declaration: the fact, or which."""

    cards: SomeCards = ()


class SkatTakenBack(BySeat, frozen=True):
    """The dealer takes a wrong skat back and lays again."""


class Declared(BySeat, frozen=True):
    """A seat's declarations; none is a pass."""

    declarations: tuple[Declaration, ...]
    early: bool = False


class Announced(BySeat, frozen=True):
    """A seat has announced nolo, tout or a slam before this trick."""

    kind: Literal["nolo", "tout", "slam"]
    before: int = 1


class Declined(BySeat, frozen=True):
    """A seat lets an announcement pass."""


class DemandAnswered(BySeat, frozen=True):
    """A seat has answered whether it demands the skus; the others do not see how."""

    demand: bool | None


class SkusDemanded(Fact, frozen=True):
    """These seats demand the skus, and its holder must play it to this trick if he can still."""

    by: tuple[Seat, ...]


class WrongDemand(BySeat, frozen=True):
    """A seat has demanded a skus that is gone."""


class TarokLaidAnswer(Fact, frozen=True):
    """Asked by a seat, the dealer says how many tarokker he has laid."""

    by: Seat
    count: int


class CardPlayed(BySeat, frozen=True):
    """A card falls; a led skus is named."""

    card: Card
    named: Suit | None = None


class VoidClaimed(BySeat, frozen=True):
    """The next hand says that it lacks the suit of the led skus."""


class VoidAnswered(BySeat, frozen=True):
    """The third hand says whether it has that suit."""

    have: bool


class SuitNotIn(Fact, frozen=True):
    """Nobody has the suit of the led skus."""

    suit: Suit


class SkusRenamed(BySeat, frozen=True):
    """The led skus counts as another suit."""

    suit: Suit


class CardTakenBack(BySeat, frozen=True):
    """A card returns from the trick to the hand."""

    card: Card


class PlayedOutOfTurn(BySeat, frozen=True):
    """A seat has shown a card when it was not its turn; it takes the card back."""

    card: Card


class LeadPassed(BySeat, frozen=True):
    """The lead of the last trick passes from a bare skus to this seat."""


class TrickWon(BySeat, frozen=True):
    """A trick is complete."""


class SkusReturned(BySeat, frozen=True):
    """The skus goes back from the trick to the pile of the seat that played it."""


class ClaimMade(BySeat, frozen=True):
    """A seat has pointed out an error; whether there is one."""

    against: Seat
    offence: Claimable
    upheld: bool


class OffenceFound(BySeat, frozen=True):
    """An offence is established. `trick` is where it happened, 0 before the first."""

    offence: Offence
    trick: int = 0


class FineImposed(BySeat, frozen=True):
    """The fine for an offence, with what follows from it."""

    offence: Offence
    effects: tuple[Effect, ...] = ()
    overpaid: int = 0  # returned to each opponent
    false_ten: bool = False


class FineWaived(BySeat, frozen=True):
    """The opponents let an offence pass."""

    offence: Offence


class Voted(BySeat, frozen=True):
    """A seat has answered the question put to the two others."""

    yes: bool


class DealContinued(Fact, frozen=True):
    """The deal goes on in spite of an offence."""


class CardReturned(BySeat, frozen=True):
    """A wrongly captured card goes to the pile of the seat that lost it; the captor pays what it cost."""

    card: Card
    by: Seat
    points: int


class UltimoQuestioned(BySeat, frozen=True):
    """Did this seat's error help the ultimo? Its two opponents vote."""


class UltimoCharged(BySeat, frozen=True):
    """Both opponents hold that this seat's error helped an ultimo; or not."""

    helped: bool


class SkatShown(Fact, frozen=True):
    """The skat, seen by all after the play."""

    cards: SomeCards


class CountEntered(BySeat, frozen=True):
    """A seat has entered its count."""

    points: int


class CountConfirmed(BySeat, frozen=True):
    """A seat is content with the count."""


class RecountDemanded(BySeat, frozen=True):
    """A seat has asked for a recount; whether the count was wrong."""

    wrong: bool


class Counted(Fact, frozen=True):
    """The points in the piles: by seat; in French Tarot the taker's side's and the defence's, in halves."""

    points: tuple[int, ...]


class CupEmptied(Fact, frozen=True):
    """A seat has taken a cup; it is founded again before the next deal."""

    cup: Cup
    seat: Seat


class PetitSec(BySeat, frozen=True):
    """A hand with the petit as its only trump; the cards are thrown in."""

    hand: SomeCards


class BidMade(BySeat, frozen=True):
    """A seat has bid."""

    bid: Literal["petite", "garde", "sans", "contre"]


class Passed(BySeat, frozen=True):
    """A seat makes no bid."""


class Called(BySeat, frozen=True):
    """The taker has named the partner's card."""

    card: Card


class ChienShown(BySeat, frozen=True):
    """The chien, turned for all to see and taken up by the taker."""

    cards: SomeCards


class EcartLaid(BySeat, frozen=True):
    """The taker has laid his écart; `shown` are the trumps in it."""

    cards: SomeCards
    shown: SomeCards = ()


class PoigneeShown(BySeat, frozen=True):
    """A seat shows trumps: the place of its size in the rulebook's list, and the cards."""

    size: int
    cards: SomeCards


class ExcuseKept(BySeat, frozen=True):
    """The excuse stays with the side that played it; `owed` if the other side won the trick."""

    owed: bool


class ExcuseLost(BySeat, frozen=True):
    """The excuse, played to the last trick, goes to the other side."""


class ExcuseWins(BySeat, frozen=True):
    """The excuse takes the last trick of a slam."""


class PartnerRevealed(BySeat, frozen=True):
    """The called card has shown the partner."""


class TakerAloneRevealed(BySeat, frozen=True):
    """The called card has shown that the taker has no partner."""


class Revealed(Fact, frozen=True):
    """At the count: the écart or the closed chien, and the partner if there is one."""

    cards: SomeCards
    partner: Seat | None = None


class Scored(Fact, frozen=True):
    """What each defender pays: the value of the deal, and what it is made of."""

    value: int
    taker: Seat
    partner: Seat | None
    points: int  # the taker's side's, rounded
    bouts: int


class DealClosed(Fact, frozen=True):
    """The deal is over."""

    result: Literal["played", "scrapped", "passed", "thrownIn"]


class CupsDivided(Fact, frozen=True):
    """The session ends; each seat's part of the cups, with the rest for one."""

    shares: tuple[int, ...]


class SeriesClosed(Fact, frozen=True):
    """Nobody deals again."""

    totals: tuple[int, ...]


# By occasion, in the order of a deal.
MisdealEvent: TypeAlias = RedealDemanded | CountObjected | Misdealt | CardsCorrected | RedealChosen
OpeningEvent: TypeAlias = Opened | Paid | CupsMoved | PackCut | Dealt | HandAccepted | MisdealEvent
HandEvent: TypeAlias = SkatLaid | SkatNotice | SkatTakenBack | Declared | Announced | Declined
DemandEvent: TypeAlias = DemandAnswered | SkusDemanded | WrongDemand | TarokLaidAnswer
CardEvent: TypeAlias = CardPlayed | VoidClaimed | VoidAnswered | SuitNotIn | SkusRenamed | CardTakenBack
TrickEvent: TypeAlias = DemandEvent | CardEvent | PlayedOutOfTurn | LeadPassed | TrickWon | SkusReturned
FineEvent: TypeAlias = ClaimMade | OffenceFound | FineImposed | FineWaived | Voted | DealContinued
OffenceEvent: TypeAlias = FineEvent | CardReturned | UltimoQuestioned | UltimoCharged
CountEvent: TypeAlias = SkatShown | CountEntered | CountConfirmed | RecountDemanded | Counted | CupEmptied
BiddingEvent: TypeAlias = PetitSec | BidMade | Passed | Called | ChienShown | EcartLaid | PoigneeShown
SideEvent: TypeAlias = ExcuseKept | ExcuseLost | ExcuseWins | PartnerRevealed | TakerAloneRevealed
EndEvent: TypeAlias = Revealed | Scored | DealClosed
DealEvent: TypeAlias = (
    OpeningEvent | HandEvent | TrickEvent | OffenceEvent | CountEvent | BiddingEvent | SideEvent | EndEvent
)
SeriesEvent: TypeAlias = SeriesOpened | FoundingMissed | CupsDivided | SeriesClosed
Event: TypeAlias = DealEvent | SeriesEvent
