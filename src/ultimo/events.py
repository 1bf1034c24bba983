"""Actions (wishes), events (facts) and transfers: plain frozen values.

An action is what a seat would like to do; it may be refused. An event is what happened; it may not.
Both are tagged by their class name, so that a line of a record reads `{"type":"CardPlayed","seat":1,…}`.
What a reader may not see is the card `?` or `None`. Seats are numbered anticlockwise from 0, the
direction of deal and play in both families.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
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


class ImpossibleOutcome(ValueError):
    """An entry of a score sheet that no deal can have: which field, and why."""

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(f"{field}: {reason}")
        self.field = field
        self.reason = reason


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


Action: TypeAlias = (
    Deal
    | Found
    | MoveCups
    | Cut
    | Accept
    | DemandRedeal
    | ObjectCount
    | Redeal
    | PassDeal
    | Lay
    | Declare
    | Announce
    | Decline
    | DemandSkus
    | AskTarokLaid
    | Play
    | ClaimVoid
    | Answer
    | NameSkus
    | Claim
    | Vote
    | EnterCount
    | Recount
    | Bid
    | Pass
    | Call
    | ShowPoignee
)


# --- events --------------------------------------------------------------------------------------------


class Fact(Value, frozen=True, tag_field="type", tag=True, omit_defaults=True):
    """Base of all events."""


class SeriesOpened(Fact, frozen=True):
    """People have sat down; `names` has one entry a seat."""

    names: tuple[str, ...]
    dealer: Seat
    out: Seat | None = None  # who begins by sitting out, where one of five does so for five deals


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


class FoundingMissed(Fact, frozen=True):
    """A seat has let the deal begin without founding (strict cups)."""

    seat: Seat
    cup: Cup
    points: int


class CupsMoved(Fact, frozen=True):
    """The dealer has moved the cups."""

    seat: Seat


class PackCut(Fact, frozen=True):
    """The pack has been cut."""

    seat: Seat
    at: int


class Dealt(Fact, frozen=True):
    """The cards of each seat, and the chien."""

    hands: tuple[SomeCards, ...]
    chien: SomeCards = ()


class HandAccepted(Fact, frozen=True):
    """A seat has taken up its hand."""

    seat: Seat


class RedealDemanded(Fact, frozen=True):
    """A seat shows a hand without a real tarok; the same dealer deals again."""

    seat: Seat
    hand: SomeCards


class CountObjected(Fact, frozen=True):
    """A seat has said that a number of cards is wrong; whether it was."""

    seat: Seat
    right: bool


class Misdealt(Fact, frozen=True):
    """The cards were dealt wrongly; the hands have these sizes."""

    sizes: tuple[int, ...]


class CardsCorrected(Fact, frozen=True):
    """A misdeal is put right: these hands."""

    hands: tuple[SomeCards, ...]


class RedealChosen(Fact, frozen=True):
    """The dealer deals again after a misdeal."""

    seat: Seat


class SkatLaid(Fact, frozen=True):
    """The dealer has laid three cards."""

    seat: Seat
    cards: SomeCards
    tout: bool = False


class SkatNotice(Fact, frozen=True):
    """The dealer has laid cards of a declaration: the fact, or which."""

    seat: Seat
    cards: SomeCards = ()


class SkatTakenBack(Fact, frozen=True):
    """The dealer takes a wrong skat back and lays again."""

    seat: Seat


class Declared(Fact, frozen=True):
    """A seat's declarations; none is a pass."""

    seat: Seat
    declarations: tuple[Declaration, ...]
    early: bool = False


class Announced(Fact, frozen=True):
    """A seat has announced nolo, tout or a slam before this trick."""

    seat: Seat
    kind: Literal["nolo", "tout", "slam"]
    before: int = 1


class Declined(Fact, frozen=True):
    """A seat lets an announcement pass."""

    seat: Seat


class DemandAnswered(Fact, frozen=True):
    """A seat has answered whether it demands the skus; the others do not see how."""

    seat: Seat
    demand: bool | None


class SkusDemanded(Fact, frozen=True):
    """These seats demand the skus, and its holder must play it to this trick if he can still."""

    by: tuple[Seat, ...]


class WrongDemand(Fact, frozen=True):
    """A seat has demanded a skus that is gone."""

    seat: Seat


class TarokLaidAnswer(Fact, frozen=True):
    """Asked by a seat, the dealer says how many tarokker he has laid."""

    by: Seat
    count: int


class CardPlayed(Fact, frozen=True):
    """A card falls; a led skus is named."""

    seat: Seat
    card: Card
    named: Suit | None = None


class VoidClaimed(Fact, frozen=True):
    """The next hand says that it lacks the suit of the led skus."""

    seat: Seat


class VoidAnswered(Fact, frozen=True):
    """The third hand says whether it has that suit."""

    seat: Seat
    have: bool


class SuitNotIn(Fact, frozen=True):
    """Nobody has the suit of the led skus."""

    suit: Suit


class SkusRenamed(Fact, frozen=True):
    """The led skus counts as another suit."""

    seat: Seat
    suit: Suit


class CardTakenBack(Fact, frozen=True):
    """A card returns from the trick to the hand."""

    seat: Seat
    card: Card


class PlayedOutOfTurn(Fact, frozen=True):
    """A seat has shown a card when it was not its turn; it takes the card back."""

    seat: Seat
    card: Card


class LeadPassed(Fact, frozen=True):
    """The lead of the last trick passes from a bare skus to this seat."""

    seat: Seat


class TrickWon(Fact, frozen=True):
    """A trick is complete."""

    seat: Seat


class SkusReturned(Fact, frozen=True):
    """The skus goes back from the trick to the pile of the seat that played it."""

    seat: Seat


class ClaimMade(Fact, frozen=True):
    """A seat has pointed out an error; whether there is one."""

    seat: Seat
    against: Seat
    offence: Claimable
    upheld: bool


class OffenceFound(Fact, frozen=True):
    """An offence is established. `trick` is where it happened, 0 before the first."""

    seat: Seat
    offence: Offence
    trick: int = 0


class FineImposed(Fact, frozen=True):
    """The fine for an offence, with what follows from it."""

    seat: Seat
    offence: Offence
    effects: tuple[Effect, ...] = ()
    overpaid: int = 0  # returned to each opponent
    false_ten: bool = False


class FineWaived(Fact, frozen=True):
    """The opponents let an offence pass."""

    seat: Seat
    offence: Offence


class Voted(Fact, frozen=True):
    """A seat has answered the question put to the two others."""

    seat: Seat
    yes: bool


class DealContinued(Fact, frozen=True):
    """The deal goes on in spite of an offence."""


class CardReturned(Fact, frozen=True):
    """A wrongly captured card goes to the pile of the seat that lost it; the captor pays what it cost."""

    seat: Seat
    card: Card
    by: Seat
    points: int


class UltimoQuestioned(Fact, frozen=True):
    """Did this seat's error help the ultimo? Its two opponents vote."""

    seat: Seat


class UltimoCharged(Fact, frozen=True):
    """Both opponents hold that this seat's error helped an ultimo; or not."""

    seat: Seat
    helped: bool


class SkatShown(Fact, frozen=True):
    """The skat, seen by all after the play."""

    cards: SomeCards


class CountEntered(Fact, frozen=True):
    """A seat has entered its count."""

    seat: Seat
    points: int


class CountConfirmed(Fact, frozen=True):
    """A seat is content with the count."""

    seat: Seat


class RecountDemanded(Fact, frozen=True):
    """A seat has asked for a recount; whether the count was wrong."""

    seat: Seat
    wrong: bool


class Counted(Fact, frozen=True):
    """The points in the piles: by seat; in French Tarot the taker's side's and the defence's, in halves."""

    points: tuple[int, ...]


class CupEmptied(Fact, frozen=True):
    """A seat has taken a cup; it is founded again before the next deal."""

    cup: Cup
    seat: Seat


class PetitSec(Fact, frozen=True):
    """A hand with the petit as its only trump; the cards are thrown in."""

    seat: Seat
    hand: SomeCards


class BidMade(Fact, frozen=True):
    """A seat has bid."""

    seat: Seat
    bid: Literal["petite", "garde", "sans", "contre"]


class Passed(Fact, frozen=True):
    """A seat makes no bid."""

    seat: Seat


class Called(Fact, frozen=True):
    """The taker has named the partner's card."""

    seat: Seat
    card: Card


class ChienShown(Fact, frozen=True):
    """The chien, turned for all to see and taken up by the taker."""

    seat: Seat
    cards: SomeCards


class EcartLaid(Fact, frozen=True):
    """The taker has laid his écart; `shown` are the trumps in it."""

    seat: Seat
    cards: SomeCards
    shown: SomeCards = ()


class PoigneeShown(Fact, frozen=True):
    """A seat shows trumps: the place of its size in the rulebook's list, and the cards."""

    seat: Seat
    size: int
    cards: SomeCards


class ExcuseKept(Fact, frozen=True):
    """The excuse stays with the side that played it; `owed` if the other side won the trick."""

    seat: Seat
    owed: bool


class ExcuseLost(Fact, frozen=True):
    """The excuse, played to the last trick, goes to the other side."""

    seat: Seat


class ExcuseWins(Fact, frozen=True):
    """The excuse takes the last trick of a slam."""

    seat: Seat


class PartnerRevealed(Fact, frozen=True):
    """The called card has shown the partner."""

    seat: Seat


class TakerAloneRevealed(Fact, frozen=True):
    """The called card has shown that the taker has no partner."""

    seat: Seat


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


DealEvent: TypeAlias = (
    Opened
    | Paid
    | CupsMoved
    | PackCut
    | Dealt
    | HandAccepted
    | RedealDemanded
    | CountObjected
    | Misdealt
    | CardsCorrected
    | RedealChosen
    | SkatLaid
    | SkatNotice
    | SkatTakenBack
    | Declared
    | Announced
    | Declined
    | DemandAnswered
    | SkusDemanded
    | WrongDemand
    | TarokLaidAnswer
    | CardPlayed
    | VoidClaimed
    | VoidAnswered
    | SuitNotIn
    | SkusRenamed
    | CardTakenBack
    | PlayedOutOfTurn
    | LeadPassed
    | TrickWon
    | SkusReturned
    | ClaimMade
    | OffenceFound
    | FineImposed
    | FineWaived
    | Voted
    | DealContinued
    | CardReturned
    | UltimoQuestioned
    | UltimoCharged
    | SkatShown
    | CountEntered
    | CountConfirmed
    | RecountDemanded
    | Counted
    | CupEmptied
    | PetitSec
    | BidMade
    | Passed
    | Called
    | ChienShown
    | EcartLaid
    | PoigneeShown
    | ExcuseKept
    | ExcuseLost
    | ExcuseWins
    | PartnerRevealed
    | TakerAloneRevealed
    | Revealed
    | Scored
    | DealClosed
)
SeriesEvent: TypeAlias = SeriesOpened | FoundingMissed | CupsDivided | SeriesClosed
Event: TypeAlias = DealEvent | SeriesEvent
