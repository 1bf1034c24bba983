"""The state of a French deal: the fold of its events.

The same state serves the table, which knows every card, and a seat's view, in which the cards that seat has
not seen are only counted (`unseen`).
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from ultimo.cards import Card, Cards
from ultimo.events import BidMade, CardPlayed, Cup, Passed, PoigneeShown, Seat, SomeCards
from ultimo.french.following import legal_cards
from ultimo.french.numbers import numbers
from ultimo.french.outcome import Side, seat_number
from ultimo.french.phases import NOT_CALLED, barred_suits, partner_of
from ultimo.french.reckoning import NO_SEAT
from ultimo.play.following import NO_SUIT, together, words
from ultimo.play.places import Aside, Role
from ultimo.rulebook import BidRow, FrenchRules

Phase: TypeAlias = Literal[
    "cut",  # the pack is not shuffled: the dealer's left neighbour cuts it
    "dealing",  # waits for cards
    "bid",
    "call",  # five players: the taker names the partner's card
    "ecart",
    "slam",  # the taker is asked for a slam, and at some tables the others after him
    "play",
    "closed",
]


class Trick(Struct, frozen=True):
    """A trick that has been won."""

    plays: tuple[CardPlayed, ...]
    winner: Seat

    @property
    def leader(self) -> Seat:
        """Who played the first card."""
        return self.plays[0].seat

    @property
    def cards(self) -> Cards:
        """The cards in it."""
        together = 0
        for play in self.plays:
            together |= play.card.bit
        return together


class State(Struct, frozen=True):
    """Everything that has happened in a deal, as far as the reader knows."""

    table: int
    dealer: Seat
    net: tuple[int, ...]  # what each seat has gained in this deal
    phase: Phase = "dealing"
    turn: Seat | None = None  # whom the game waits for

    # cards
    deck: SomeCards = ()  # the pack before the deal, from the top, where it is not shuffled
    hands: tuple[Cards, ...] = ()
    unseen: tuple[int, ...] = ()
    dealt: tuple[Cards, ...] = ()
    chien: Cards = 0
    chien_unseen: int = 0
    shown: Cards = 0  # the chien as everybody saw it, if it was turned
    ecart: Cards = 0
    ecart_unseen: int = 0
    trumps_laid: Cards = 0  # the trumps in the écart, which everybody has seen

    # before the first card
    bids: tuple[BidMade | Passed, ...] = ()
    taker: Seat | None = None  # while the bidding lasts, the highest bidder so far
    contract: BidRow | None = None
    called: Card | None = None
    holder: Seat | None = None  # to whom the called card was dealt, as far as the reader knows
    sides_public: bool = False
    slam: Seat | None = None  # who has announced it
    poignees: tuple[PoigneeShown, ...] = ()

    # the tricks
    trick: tuple[CardPlayed, ...] = ()
    led: int = NO_SUIT  # the suit in force
    top: int = 0  # the highest trump in the trick
    tricks: tuple[Trick, ...] = ()
    won: tuple[Cards, ...] = ()  # the cards of the tricks each seat has won, the excuse where it fell
    excuse: int | None = None  # the place in `tricks` of the one the excuse fell in
    excuse_told: bool = False  # everybody has been told what became of it

    # the end
    counted: tuple[int, ...] = ()
    result: str = ""

    @property
    def number(self) -> int:
        """The number of the trick that is being played, or would be."""
        return len(self.tricks) + 1

    @property
    def active(self) -> tuple[Seat, ...]:
        """Who plays: everybody."""
        return tuple(range(self.table))

    @property
    def needs_cards(self) -> bool:
        """Whether chance must deal now."""
        return self.phase == "dealing"

    @property
    def cups(self) -> dict[Cup, int]:
        """What the cups hold: there are none."""
        return {}

    @property
    def aside(self) -> Aside:
        """The écart; before it is laid, or where none is, the chien."""
        if self.ecart or self.ecart_unseen:
            return Aside("ecart", self.ecart, self.ecart_unseen)
        return Aside("chien", self.chien, self.chien_unseen)

    @property
    def laid(self) -> Cards:
        """The cards that were laid away, as far as the reader has seen them."""
        return self.ecart | self.trumps_laid

    def roles(self, seat: Seat) -> tuple[Role, ...]:
        """Who a seat is in this deal, as far as the reader knows."""
        roles: list[Role] = []
        if self.phase not in ("cut", "dealing", "bid"):
            roles += ["taker"] if seat == self.taker else []
            roles += ["partner"] if seat == self.partner else []
        return (*roles, "dealer") if seat == self.dealer else tuple(roles)

    @property
    def partner(self) -> Seat | None:
        """The holder of the called card, if he is not the taker; in a view None also means not known."""
        found = partner_of(seat_number(self.taker), seat_number(self.holder))
        return None if found == NO_SEAT else found

    def side(self, seat: Seat) -> Side:
        """The side of a seat, as far as the reader knows."""
        return "taker" if seat in (self.taker, self.partner) else "defence"

    def after(self, seat: Seat) -> Seat:
        """The next seat to the right."""
        return (seat + 1) % self.table

    @property
    def forehand(self) -> Seat:
        """The seat to the dealer's right, which bids first and leads unless a slam is announced."""
        return self.after(self.dealer)

    def size(self, seat: Seat) -> int:
        """How many cards a seat holds."""
        return self.hands[seat].bit_count() + self.unseen[seat]


def card_number(card: Card | None) -> int:
    """A called card as the integer rules see it."""
    return NOT_CALLED if card is None else card.index


def playable(rules: FrenchRules, state: State, seat: Seat) -> Cards:
    """The cards that `seat` may play to the present trick."""
    barred = 0
    if not state.tricks:  # asked only where the answer can matter, to be quick
        barred = barred_suits(numbers(rules), card_number(state.called), 0, len(state.trick))
    suits, trumps = words(state.hands[seat])
    return together(*legal_cards(suits, trumps, state.led, state.top, barred))
