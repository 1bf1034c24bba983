"""What a seat may do: exactly what `decide` accepts."""

from __future__ import annotations

from ultimo.cards import JACKS, KINGS, KNIGHTS, PAGAT, QUEENS, SKUS, SUITS_WORD, Cards, cards
from ultimo.events import Announce, Bid, Call, Decline, Pass, Seat
from ultimo.french.dealing import CUTS
from ultimo.french.numbers import numbers
from ultimo.french.phases import callable_suits, can_show, layable, showable, shown_sets
from ultimo.french.state import State, playable
from ultimo.play.choices import NOTHING, Choices, Lays, Plays, Shows, Subset, actions
from ultimo.play.following import FIRST_TRUMP, together, words
from ultimo.rulebook import FrenchRules

SLAM = actions(Decline(), Announce("slam"))
RANKS_CALLED = {"king": KINGS, "queen": QUEENS, "knight": KNIGHTS, "jack": JACKS}


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
    """The cards a taker may name."""
    return callable_suits(numbers(rules), hand & SUITS_WORD)


def ecarts(rules: FrenchRules, hand: Cards) -> Subset:
    """What the taker may lay."""
    must, suits, trumps = layable(numbers(rules), *words(hand))
    return Subset(must, together(suits, trumps), rules.deal.chien)


def _poignees(rules: FrenchRules, state: State, seat: Seat) -> tuple[Shows, ...]:
    """The poignées that `seat` may show before its first card; one at most."""
    if any(shown.seat == seat for shown in state.poignees):
        return ()
    trumps, with_excuse = poignee_trumps(rules, state, seat)
    return tuple(
        Shows(shows(trumps, with_excuse, size))
        for size in rules.poignee.sizes
        if can_show(trumps >> FIRST_TRUMP, with_excuse, size)
    )


def poignee_trumps(rules: FrenchRules, state: State, seat: Seat) -> tuple[Cards, bool]:
    """The trumps that `seat` may show, and whether it holds the excuse."""
    hand, laid = state.hands[seat], state.trumps_laid >> FIRST_TRUMP
    trumps = showable(numbers(rules), hand >> FIRST_TRUMP, laid, seat == state.taker)
    return trumps << FIRST_TRUMP, bool(hand & SKUS)


def shows(trumps: Cards, with_excuse: bool, size: int) -> Subset:
    """The sets of exactly `size` cards that may be shown."""
    must, among = shown_sets(trumps >> FIRST_TRUMP, with_excuse, size)
    return Subset(must << FIRST_TRUMP, among << FIRST_TRUMP, size)


def is_plain(rules: FrenchRules, state: State, played: Cards) -> bool:
    """Whether it no longer matters when a card falls: petit and excuse are gone, and the pack is shuffled."""
    return not (PAGAT | SKUS) & ~played and rules.deal.shuffle != "never"
