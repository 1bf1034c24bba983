"""Deals told twice: what a seat saw of one, and of another that differs only in what the seat did not see."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random
from typing import Any

from msgspec import Struct, structs

from properties.driving import Clumsy, open_deal
from ultimo import deal
from ultimo.cards import UNSEEN, Card
from ultimo.events import Action, Deal, DealEvent, Lay, Opened, Seat
from ultimo.record import Entry, jsonl
from ultimo.rulebook import Rules

Swap = dict[Card, Card]


class Told(Struct, frozen=True):
    """A deal as it was played: its beginning, and the actions one by one."""

    rules: Rules
    opened: Opened
    actions: tuple[tuple[Seat | None, Action], ...]

    def hands(self) -> Deal:
        """The cards as they were dealt in the end."""
        return next(action for _, action in reversed(self.actions) if isinstance(action, Deal))


def played(rules: Rules, size: int, rng: Random, error: float = 0.0) -> Told:
    """A deal played at random."""
    opened = open_deal(rules, size, rng)
    players = Clumsy(rules, rng, error)
    state = deal.replay(rules, deal.begin(rules, opened))
    actions = []
    while not deal.is_over(state):
        seat, action = players.next(state)
        state, _ = deal.step(rules, state, seat, action)
        actions.append((seat, action))
    return Told(rules, opened, tuple(actions))


def log(told: Told, swap: Swap | None = None) -> Iterator[tuple[deal.State, DealEvent]]:
    """The events, each with the state in which it happens; cards that change places where they lie unseen."""
    rules = told.rules
    state = deal.initial(rules, told.opened)
    yield state, told.opened
    for event in deal.begin(rules, told.opened)[1:]:
        yield state, event
        state = deal.evolve(rules, state, event)
    for seat, action in told.actions:
        for event in deal.decide(rules, state, seat, _swapped(action, swap or {})):
            yield state, event
            state = deal.evolve(rules, state, event)


def stream(told: Told, viewer: Seat | None, swap: Swap | None = None) -> Iterator[str]:
    """What a seat is sent, line by line."""
    for state, event in log(told, swap):
        yield jsonl.encode_entry(Entry(deal.seen_by(told.rules, state, viewer, event)))


def until(lines: Iterable[str], some: Iterable[Card]) -> list[str]:
    """The lines before the first that names one of some cards."""
    quoted = [f'"{card.value}"' for card in some]
    kept = []
    for line in lines:
        if any(name in line for name in quoted):
            break
        kept.append(line)
    return kept


def named(value: Any) -> Iterator[Card]:
    """Every card that a value names."""
    if isinstance(value, Card):
        if value is not UNSEEN:
            yield value
    elif isinstance(value, Struct):
        for one in structs.astuple(value):
            yield from named(one)
    elif isinstance(value, tuple):
        for one in value:
            yield from named(one)


def _swapped(action: Action, swap: Swap) -> Action:
    """The same action with cards exchanged where they lie face down: dealt, or laid."""
    match action:
        case Deal(hands=hands, chien=chien):
            dealt = (tuple(sorted(swap.get(card, card) for card in hand)) for hand in hands)
            return Deal(tuple(dealt), tuple(sorted(swap.get(card, card) for card in chien)))
        case Lay(cards=laid, tout=tout):
            return Lay(tuple(sorted(swap.get(card, card) for card in laid)), tout)
        case _:
            return action
