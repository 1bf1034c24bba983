"""Positions to solve: deals played down to so many tricks, by random players and by club players."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any, TypeAlias

from benchmarks.engines import opened

from ultimo import danish, deal
from ultimo.cards import Cards, cards
from ultimo.danish.following import LAST
from ultimo.events import Action, Announce, DemandSkus, Pass, Seat
from ultimo.kernel.policy import CLUB
from ultimo.players.policy import danish as danish_policies
from ultimo.players.policy import french as french_policies
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


def by_the_club(rules: Rules, state: Any, seat: Seat, rng: Random) -> Action:
    """What a club player does; he looks only at what his seat may know."""
    choices = deal.legal(rules, state, seat)
    if isinstance(rules, DanishRules):
        if len(choices) > 1 and danish_policies.decides(state):
            return danish_policies.choose(rules, state, seat, CLUB)[0]
    elif len(choices) > 1 and french_policies.decides(state):
        return french_policies.choose(rules, state, seat, CLUB)[0]
    return next(iter(choices))


CLUB_PLAY = "club play"
ORIGINS: dict[str, Chooser] = {"random play": at_random, CLUB_PLAY: by_the_club}


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
