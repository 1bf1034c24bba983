"""Positions to solve: deals played down to so many tricks, by random players and by careful ones.

A careful player wins a trick as its last hand and as cheaply as it can; otherwise it gives its lowest card.
It leads low from its longest suit, and parts last with what endings are about: kings, pagat, skus.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any, TypeAlias

from benchmarks.engines import opened

from ultimo import danish, deal
from ultimo.cards import PAGAT, SKUS, SUIT_CARDS, T21, ULTIMO_CARDS, Cards, cards
from ultimo.danish.following import LAST
from ultimo.events import Action, Announce, DemandSkus, Pass, Play, Seat
from ultimo.play.following import NO_SUIT, strength, suit_of
from ultimo.rulebook import DanishRules, FrenchRules, Rules

Chooser: TypeAlias = Callable[[Rules, Any, Seat, Random], Action]
WORDS = (Announce, DemandSkus)  # what a random player would say far too often


def at_random(rules: Rules, state: Any, seat: Seat, rng: Random) -> Action:
    """Any card; in the bidding mostly a pass, since otherwise all contracts are the highest."""
    choices = deal.legal(rules, state, seat)
    if Pass() in choices and rng.random() < 0.6:
        return Pass()
    action = choices.draw(rng)
    while isinstance(action, WORDS):
        action = choices.draw(rng)
    return action


def carefully(rules: Rules, state: Any, seat: Seat, rng: Random) -> Action:
    """A card that a careful player plays; before the first card as at random."""
    may = deal.legal(rules, state, seat).cards()
    if state.phase != "play" or not may:
        return at_random(rules, state, seat, rng)
    danish_rules = isinstance(rules, DanishRules)
    kept: Cards = ULTIMO_CARDS | SKUS if danish_rules else PAGAT | SKUS | T21
    free = [card.index for card in cards(may & ~kept or may)]
    led = state.led if state.trick else NO_SUIT

    def height(card: int, in_suit: int) -> int:
        return strength(card, in_suit, danish_rules)

    if led == NO_SUIT:
        longest = max(free, key=lambda card: (state.hands[seat] & SUIT_CARDS[suit_of(card)]).bit_count())
        chosen = min((c for c in free if suit_of(c) == suit_of(longest)), key=lambda c: height(c, suit_of(c)))
    else:
        best = max(height(play.card.index, led) for play in state.trick)
        last = len(state.trick) == sum(map(bool, state.hands)) - 1
        winning = [card for card in free if height(card, led) > max(best, 0)] if last else []
        chosen = min(winning or free, key=lambda card: height(card, led if winning else suit_of(card)))
    return next(a for a in deal.legal(rules, state, seat) if isinstance(a, Play) and a.card.index == chosen)


ORIGINS: dict[str, Chooser] = {"random play": at_random, "careful play": carefully}


def tricks_left(rules: Rules, state: Any) -> int:
    """How many tricks are still to be played, the present one counted."""
    if isinstance(rules, FrenchRules):
        return rules.deal.hand - len(state.tricks)
    return LAST + 1 - int(state.number)


def positions(rules: Rules, left: int, origin: str) -> Iterator[deal.State]:
    """Positions before a trick with so many to go, without end and always the same."""
    number = 0
    while True:
        rng, table = Random(f"{origin} {left} {number}"), min(rules.sizes)
        state: Any = opened(rules, table, number % table)
        number += 1
        while not deal.is_over(state) and not (
            state.phase == "play" and not state.trick and tricks_left(rules, state) == left
        ):
            if deal.needs_cards(state):
                cut = deal.deal_out(rules, state, deal.shuffled(rng), rng)
                state = deal.step(rules, state, None, cut)[0]
            else:
                seat = deal.waiting_for(rules, state)[0]
                state = deal.step(rules, state, seat, ORIGINS[origin](rules, state, seat, rng))[0]
        if not deal.is_over(state):
            yield state


def held(state: danish.State, some: Cards) -> list[tuple[Seat, Any]]:
    """Which seats hold which of some cards."""
    return [(seat, card) for seat in state.order for card in cards(state.hands[seat] & some)]
