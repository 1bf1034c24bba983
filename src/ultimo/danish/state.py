"""The state of a Danish deal: the fold of its events.

The same state serves the table, which knows every card, and a seat's view, in which the cards that seat has
not seen are only counted (`unseen`).
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from ultimo.cards import SKUS, Cards
from ultimo.danish import phases
from ultimo.danish.following import LAST, has_suit, legal_cards
from ultimo.danish.numbers import numbers
from ultimo.danish.outcome import Fined, GivenBack, LostKing, Order, Outcome, PagatFate
from ultimo.events import Announced, CardPlayed, Claim, Cup, Declaration, Offence, Seat, SomeCards
from ultimo.play.counting import honours_of
from ultimo.play.following import NO_SUIT, together, words
from ultimo.play.places import Aside, Role
from ultimo.rulebook import DanishRules

Phase: TypeAlias = Literal[
    "dealing",  # waits for cards
    "correcting",  # waits for the cards that put a misdeal right
    "misdeal",  # the dealer chooses what follows a misdeal
    "handCheck",  # everybody takes up his hand
    "skat",
    "declare",
    "announce",
    "demand",  # everybody is asked whether he demands the skus
    "play",
    "answer",  # the third hand says whether it has the suit of a led skus
    "name",  # the next hand renames a led skus
    "settle",  # the last card has fallen
    "count",  # the counters enter what they have
    "closed",
]
PLACES: tuple[Role, ...] = ("forehand", "middle", "dealer")  # in the order of a deal


class Trick(Struct, frozen=True):
    """A trick that has been won; `led` is the suit that was in force at its end."""

    plays: tuple[CardPlayed, ...]
    led: int
    winner: Seat


class Fault(Struct, frozen=True):
    """An error on the table that nobody need have noticed."""

    seat: Seat
    offence: Offence
    trick: int = 0


class Ballot(Struct, frozen=True):
    """A question to the opponents of an offender: is he fined, does the deal go on, did he help an ultimo?"""

    question: Literal["fine", "continue", "ultimoCost"]
    fault: Fault
    voters: tuple[Seat, ...]
    yes: int = 0


class State(Struct, frozen=True):
    """Everything that has happened in a deal, as far as the reader knows."""

    table: int
    order: Order  # forehand, middle, dealer
    king: int
    pagat: int
    net: tuple[int, ...]  # what each seat has gained in this deal
    phase: Phase = "dealing"

    # cards
    hands: tuple[Cards, ...] = ()
    unseen: tuple[int, ...] = ()
    dealt: tuple[Cards, ...] = ()
    skat: Cards = 0
    skat_unseen: int = 0
    piles: tuple[Cards, ...] = ()

    # before the first card
    antes: int = 1
    cups_moved: bool = False
    accepted: tuple[Seat, ...] = ()
    tout_laid: bool = False
    tarok_laid: int | None = None  # the dealer's public answer
    declared: tuple[tuple[Declaration, ...] | None, ...] = ()
    unpaid: tuple[Seat, ...] = ()  # declared too early to be paid
    announced: tuple[Announced, ...] = ()
    asked: tuple[Seat, ...] = ()  # seats still to be asked, in this window

    # the trick
    number: int = 1
    turn: Seat = 0
    trick: tuple[CardPlayed, ...] = ()
    led: int = NO_SUIT  # the suit in force
    void_claimed: bool = False
    renamed: bool = False
    tricks: tuple[Trick, ...] = ()
    won: tuple[int, ...] = ()
    skus_gone: bool = False  # as far as everybody knows
    demanded: bool = False
    demands: tuple[Seat, ...] = ()  # who has demanded, known in full only to the table
    wrong_demands: tuple[Seat, ...] = ()
    dealer_void: bool = False  # he has been seen not to play a tarok that was due
    kings_lost: tuple[LostKing, ...] = ()
    pagat_fate: PagatFate | None = None

    # errors
    faults: tuple[Fault, ...] = ()  # revokes, as far as the reader can tell
    claims: tuple[tuple[Seat, Claim], ...] = ()  # since the last card
    found: tuple[Fault, ...] = ()  # established, whether fined or waived
    fines: tuple[Fined, ...] = ()
    given_back: tuple[GivenBack, ...] = ()
    stopping: bool = False  # the deal is at its end, once all who are concerned have been heard
    banned: tuple[Seat, ...] = ()
    barren: tuple[Seat, ...] = ()
    liable: tuple[Seat, ...] = ()  # may be charged with an ultimo
    charged: Seat | None = None
    silenced: tuple[Seat, ...] = ()  # may not declare
    ballot: Ballot | None = None

    # the end
    entered: tuple[tuple[Seat, int], ...] = ()
    confirmed: tuple[Seat, ...] = ()
    counts: tuple[int, ...] = ()
    emptied: tuple[tuple[Cup, Seat], ...] = ()
    result: str = ""

    @property
    def dealer(self) -> Seat:
        """The dealer, who plays last to the first trick."""
        return self.order[2]

    @property
    def active(self) -> tuple[Seat, ...]:
        """Who plays."""
        return self.order

    @property
    def needs_cards(self) -> bool:
        """Whether chance must deal now: not while a vote is taken."""
        return self.phase in ("dealing", "correcting") and self.ballot is None

    @property
    def interrupted(self) -> bool:
        """Whether a vote or the end of the deal keeps it from going on."""
        return self.ballot is not None or self.phase == "closed"

    @property
    def deck(self) -> SomeCards:
        """The pack before the deal, where it is not shuffled: here it always is."""
        return ()

    @property
    def cups(self) -> dict[Cup, int]:
        """What the cups hold."""
        return {"king": self.king, "pagat": self.pagat}

    @property
    def aside(self) -> Aside:
        """The skat."""
        return Aside("skat", self.skat, self.skat_unseen)

    @property
    def laid(self) -> Cards:
        """The cards that were laid away, as far as the reader has seen them."""
        return self.skat

    def roles(self, seat: Seat) -> tuple[Role, ...]:
        """Who a seat is in this deal."""
        return (PLACES[self.order.index(seat)],) if seat in self.order else ("sitter",)

    def after(self, seat: Seat) -> Seat:
        """The next active seat to the right."""
        return self.order[(self.order.index(seat) + 1) % 3]

    def next_with_cards(self, seat: Seat) -> Seat:
        """This seat, or the next one that holds a card: after a misdeal a hand may run out early."""
        for _ in self.order:
            if self.hands[seat] or self.unseen[seat]:
                return seat
            seat = self.after(seat)
        return seat

    def size(self, seat: Seat) -> int:
        """How many cards a seat holds."""
        return self.hands[seat].bit_count() + self.unseen[seat]

    def has_led_suit(self, seat: Seat) -> bool:
        """Whether a seat holds a card of the suit in force."""
        return has_suit(*words(self.hands[seat]), self.led)

    def holds_skus(self, seat: Seat) -> bool:
        """Whether a seat is known to hold the skus."""
        return bool(self.hands[seat] & SKUS)


def playable(rules: DanishRules, state: State, seat: Seat) -> Cards:
    """The cards that `seat` may play to the present trick by the rules."""
    hand = words(state.hands[seat])
    return together(*legal_cards(numbers(rules), *hand, state.led, state.number, state.demanded))


def announcers(rules: DanishRules, state: State, leader: Seat) -> tuple[Seat, ...]:
    """Who may announce before the trick that `leader` is about to lead, in order of play."""
    place = state.order.index(leader)
    order = state.order[place:] + state.order[:place]
    return tuple(seat for seat in order if announceable(rules, state, seat))


def announceable(rules: DanishRules, state: State, seat: Seat) -> tuple[Literal["nolo", "tout", "slam"], ...]:
    """What `seat` may announce before this trick."""
    spoken = any(announcement.seat == seat for announcement in state.announced)
    may = phases.announceable(numbers(rules), state.number, state.won[seat], spoken)
    return tuple(kind for kind, bit in phases.BITS.items() if may & bit)


def comes_next(rules: DanishRules, state: State, past: int) -> int:
    """What comes next before this trick, when so many steps are over."""
    gone = _is_skus_out(rules, state)
    return phases.comes_next(numbers(rules), state.number, past, bool(state.asked), gone)


def demand_is_open(rules: DanishRules, state: State) -> bool:
    """Whether the skus may be demanded in this trick."""
    return phases.can_be_demanded(numbers(rules), state.number, _is_skus_out(rules, state))


def _is_skus_out(rules: DanishRules, state: State) -> bool:
    """Whether nobody may demand the skus any more; where that error is allowed, even one that is gone."""
    return state.skus_gone and not rules.strict.skus_demand


def outcome_of(state: State, counts: tuple[int, ...] = ()) -> Outcome:
    """What has happened so far, as the settlement wants it; the cups are what they hold now."""
    forehand, middle, dealer = state.order
    over = state.number > LAST
    return Outcome(
        table=state.table,
        order=state.order,
        king=state.king,
        pagat=state.pagat,
        antes=state.antes,
        declarations={
            seat: () if seat in state.unpaid else state.declared[seat] or () for seat in state.order
        },
        announcements=state.announced,
        kings_lost=state.kings_lost,
        pagat_fate=state.pagat_fate,
        given_back=state.given_back,
        fines=state.fines,
        banned=state.banned,
        barren=state.barren,
        charged=state.charged,
        tricks=(state.won[forehand], state.won[middle], state.won[dealer]) if over else None,
        last=state.tricks[-1].plays if over else (),
        winner=state.tricks[-1].winner if over else None,
        counts=(counts[forehand], counts[middle], counts[dealer]) if counts else None,
    )


def pile_points(state: State) -> tuple[int, ...]:
    """The points of each seat's pile: a point a trick, the honours, and for the dealer the skat."""
    points = [won + honours_of(pile) for won, pile in zip(state.won, state.piles, strict=True)]
    points[state.dealer] += phases.skat_points(*words(state.skat))
    return tuple(points)
