"""What a seat may do: exactly what `decide` accepts."""

from __future__ import annotations

from itertools import chain

from ultimo.cards import (
    COURTS,
    JACKS,
    KINGS,
    KNIGHTS,
    PAGAT,
    QUEENS,
    SKUS,
    SUITS_WORD,
    T21,
    TRUMPS,
    Cards,
    cards,
)
from ultimo.events import Announce, Bid, Call, Decline, Pass, Seat
from ultimo.french.dealing import CUTS
from ultimo.french.state import State, playable
from ultimo.play.choices import NOTHING, Choices, Lays, Plays, Shows, Subset, actions
from ultimo.rulebook import FrenchRules

SLAM = actions(Decline(), Announce("slam"))
RANKS_CALLED = {"king": KINGS, "queen": QUEENS, "knight": KNIGHTS, "jack": JACKS}
LAYABLE_TRUMPS = TRUMPS & ~(PAGAT | T21)


def waiting_for(rules: FrenchRules, state: State) -> tuple[Seat, ...]:
    """The seats the game waits for: none when chance must deal, or the deal is over."""
    return () if state.turn is None else (state.turn,)


def legal(rules: FrenchRules, state: State, seat: Seat | None) -> Choices:
    """Everything that `seat` may do now. A `Deal`, which is chance's, is not among it."""
    if seat is None or seat != state.turn:
        return NOTHING
    match state.phase:
        case "play":
            plays = Plays(playable(rules, state, seat))
            if state.tricks:
                return Choices((plays,))
            return Choices((plays, *_poignees(rules, state, seat)))
        case "bid":
            return _bids(rules, state)
        case "call":
            return actions(*map(Call, cards(callable_cards(rules, state.hands[seat]))))
        case "ecart":
            return Choices((Lays(ecarts(rules, state.hands[seat])),))
        case "slam":
            return SLAM
        case "cut":
            return CUTS
        case _:
            return NOTHING


def _bids(rules: FrenchRules, state: State) -> Choices:
    """A pass, or a bid higher than all before.

    Rule: 002 §6.
    """
    ladder = rules.bid.ladder
    higher = ladder if state.contract is None else ladder[ladder.index(state.contract) + 1 :]
    return actions(Pass(), *(Bid(row.id) for row in higher))


def callable_cards(rules: FrenchRules, hand: Cards) -> Cards:
    """The cards a taker may name: a king; and a lower court if he holds all four of each rank above.

    He may name a card he holds himself. What is in the chien does not count: it is not yet turned.
    Rule: 002 §16; I-C.14, I-C.18.
    """
    may = 0
    for rank in chain((rules.call.card,), rules.call.fallback):
        may |= RANKS_CALLED.get(rank, 0)
        if may & ~hand & COURTS:
            break
    return may


def ecarts(rules: FrenchRules, hand: Cards) -> Subset:
    """What the taker may lay: suit cards but no king; if too few, all of them and trumps, but no bout.

    Rule: 002 §7; I-C.4, I-C.27.
    """
    size = rules.deal.chien
    free = hand & SUITS_WORD & ~KINGS
    if free.bit_count() >= size:
        return Subset(0, free, size)
    return Subset(free, hand & LAYABLE_TRUMPS, size)


def _poignees(rules: FrenchRules, state: State, seat: Seat) -> tuple[Shows, ...]:
    """The poignées that `seat` may show before its first card; one at most."""
    if any(shown.seat == seat for shown in state.poignees):
        return ()
    trumps, with_excuse = poignee_trumps(rules, state, seat)
    return tuple(Shows(sets) for size in rules.poignee.sizes if len(sets := shows(trumps, with_excuse, size)))


def poignee_trumps(rules: FrenchRules, state: State, seat: Seat) -> tuple[Cards, bool]:
    """The trumps that `seat` may show, and whether it holds the excuse.

    Some tables let the taker show again the trumps he had to lay.
    Rule: 002 §10; I-C.13.
    """
    hand = state.hands[seat]
    trumps = hand & TRUMPS
    if rules.poignee.ecart_trump == "showAgain" and seat == state.taker:
        trumps |= state.trumps_laid
    return trumps, bool(hand & SKUS)


def shows(trumps: Cards, with_excuse: bool, size: int) -> Subset:
    """The sets of exactly `size` cards that may be shown: the excuse only to complete all one's trumps.

    Rule: 002 §10; I-C.13.
    """
    if with_excuse and trumps.bit_count() == size - 1:
        return Subset(trumps | SKUS, 0, size)
    return Subset(0, trumps, size)
