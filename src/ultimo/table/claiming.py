"""Laying down the rest of a deal, once no choice of anybody can change a payment any more.

Whether it is offered depends on what the player on turn has seen, and on nothing else. The condition is
sufficient, not necessary: the player leads, each card in hand beats every card that anybody else might hold,
and the cards whose moment matters (kings and pagat in Danish Tarok, the petit in French; skus and excuse)
have all been played. Then all the remaining tricks go to this player in whatever order the cards fall. Who
wins the last trick (with a card that earns nothing more), how many tricks each seat has, and which cards lie
in each pile are the same in the end; nothing else enters a settlement.
"""

from __future__ import annotations

from ultimo import deal, series
from ultimo.cards import ALL_CARDS, Cards, cards
from ultimo.events import Event, IllegalAction, Play, Seat, TrickWon
from ultimo.family import family
from ultimo.play.following import strength
from ultimo.rulebook import Rules
from ultimo.series import State as Series

LEAST = 2  # cards in hand: the last one plays itself


def can_claim(rules: Rules, view: deal.State, seat: Seat) -> bool:
    """Whether a seat may lay down the rest, by what it has seen."""
    if view.phase != "play" or view.turn != seat or view.trick:
        return False
    hand, played = view.hands[seat], _played(view)
    if hand.bit_count() < LEAST or not family(rules).is_plain(rules, view, played):
        return False
    if any(view.size(other) not in (0, hand.bit_count()) for other in range(view.table)):
        return False  # after a misdeal
    return _beats_all(rules, hand, ALL_CARDS & ~hand & ~played & ~view.laid)


def laid_down(rules: Rules, state: Series, seat: Seat) -> tuple[tuple[Event, ...], ...]:
    """The rest of a deal, move by move: each plays the first card that is legal. `state` is the truth.

    What turns out not to be this seat's after all is refused: the table then plays on.
    """
    moves: list[tuple[Event, ...]] = []
    while state.playing:
        assert state.deal is not None
        waiting = deal.waiting_for(rules, state.deal)
        choices = series.legal(rules, state, waiting[0]) if len(waiting) == 1 else None
        if choices is None or not choices.cards():
            raise IllegalAction("restNotClaimed")
        state, events = series.step(rules, state, waiting[0], Play(cards(choices.cards())[-1]))
        if any(isinstance(event, TrickWon) and event.seat != seat for event in events):
            raise IllegalAction("restNotClaimed")
        moves.append(events)
    return tuple(moves)


def _played(view: deal.State) -> Cards:
    together = 0
    for trick in view.tricks:
        for play in trick.plays:
            together |= play.card.bit
    return together


def _beats_all(rules: Rules, hand: Cards, unseen: Cards) -> bool:
    """Whether each card of a hand, once led, wins against any of the unseen ones."""
    reds = rules.low_reds_win
    return all(
        strength(card.index, card.suit, reds) > strength(other.index, card.suit, reds)
        for card in cards(hand)
        for other in cards(unseen)
    )
