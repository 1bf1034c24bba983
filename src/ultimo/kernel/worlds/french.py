"""What a seat knows of the cards in a French deal."""

from __future__ import annotations

from functools import lru_cache

from ultimo.cards import ALL_CARDS, COURTS, SKUS, SUITS_WORD, TRUMPS, Cards, indices, mask
from ultimo.events import CardPlayed
from ultimo.french.following import UNBEATEN, fall, legal_cards, top_trump
from ultimo.french.numbers import numbers
from ultimo.french.phases import callable_suits, layable
from ultimo.french.reckoning import NO_SEAT
from ultimo.french.state import State
from ultimo.kernel.worlds.facts import Bare, Facts, ruled_out
from ultimo.play.following import NO_SUIT
from ultimo.rulebook import FrenchRules


def facts(rules: FrenchRules, state: State) -> Facts:
    """What the reader of a state knows. The last row is the closed chien, and then the écart."""
    pile_unseen = state.chien_unseen + state.ecart_unseen
    found = Facts([*state.hands, state.chien | state.ecart], [*state.unseen, pile_unseen])
    for trick in state.tricks:
        _from_plays(trick.plays, found)
    _from_plays(state.trick, found)
    for shown in state.poignees:
        together = mask(shown.cards)
        if together & SKUS:  # shown only with all the trumps that a hand has
            found.never(shown.seat, TRUMPS & ~together)
    if state.taker is not None:
        _from_ecart(rules, state, found)
        _from_call(rules, state, found)
    if rules.deal.petit_sec != "off" and (state.phase != "closed" or state.bids):
        _from_no_petit_sec(state, found)
    return found


def _from_plays(plays: tuple[CardPlayed, ...], found: Facts) -> None:
    """Who does not follow, does not trump or does not overtrump could not."""
    led, height, winning = NO_SUIT, UNBEATEN, NO_SEAT
    for play in plays:
        card = play.card.index
        found.played[play.seat] |= play.card.bit
        found.never(play.seat, _ruled_out(card, led, top_trump(height)))
        led, height, winning = fall(card, play.seat, led, height, winning)


@lru_cache(maxsize=20_000)
def _ruled_out(card: int, led: int, top: int) -> Cards:
    """What a card shows its hand not to have; what may not be led to the first trick depends on no hand."""
    return ruled_out(card, lambda suits, trumps: legal_cards(suits, trumps, led, top, 0))


def _from_ecart(rules: FrenchRules, state: State, found: Facts) -> None:
    """The taker has the chien that was taken up, and of an écart only the trumps are shown.

    From a hand with every card of the suits the rule lets only those be laid that any écart may hide.
    """
    taker, pile = state.taker, state.table
    assert taker is not None
    laid = bool(state.ecart or state.ecart_unseen)
    found.only(state.shown, taker, pile)
    _, free, _ = layable(numbers(rules), SUITS_WORD, 0)
    if laid:
        found.never(pile, ALL_CARDS & ~free)
    if state.trumps_laid:
        found.never(taker, free)


def _from_call(rules: FrenchRules, state: State, found: Facts) -> None:
    """Before the chien was taken up the taker had each card without which the called one cannot be named."""
    if state.called is None:
        return
    taker, pile = state.taker, state.table
    assert taker is not None
    laid = bool(state.ecart or state.ecart_unseen)
    for index in indices(COURTS):
        if not callable_suits(numbers(rules), SUITS_WORD & ~(1 << index)) & state.called.bit:
            found.only(1 << index, *((taker, pile) if laid else (taker,)))


def _from_no_petit_sec(state: State, found: Facts) -> None:
    """The deal has not been thrown in: nobody was dealt the petit as their only trump."""
    for seat in range(state.table):
        if seat == state.taker and state.contract is not None and state.contract.chien == "taken":
            found.bare.append(Bare(seat, found.played[seat] | state.trumps_laid, state.shown))
        else:
            found.bare.append(Bare(seat, found.played[seat], 0))
