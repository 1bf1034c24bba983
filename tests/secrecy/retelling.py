"""A deal told again with the hidden cards lying elsewhere, where one seat cannot tell the difference."""

from __future__ import annotations

from collections.abc import Sequence

from ultimo import deal
from ultimo.cards import Cards
from ultimo.events import DealEvent, Opened, Seat
from ultimo.rulebook import Rules
from worlds_by_replay import _last_dealt, _wish, as_dealt


def retold(
    rules: Rules, viewer: Seat, seen: Sequence[DealEvent], world: Sequence[Cards]
) -> tuple[deal.State, deal.State]:
    """The deal as it would have gone with the cards of a world: the truth, and what the viewer saw of it.

    Raises `IllegalAction` if it could not have gone so.
    """
    opened = seen[0]
    assert isinstance(opened, Opened)
    truth = deal.initial(rules, opened)
    view = deal.initial(rules, opened)
    told = _last_dealt(seen[1:])
    dealt = as_dealt(deal.replay(rules, seen), told, world)
    at = len(deal.begin(rules, opened)) - 1
    events: Sequence[DealEvent] = deal.begin(rules, opened)[1:]
    while True:
        for event in events:
            view = deal.evolve(rules, view, deal.seen_by(rules, truth, viewer, event))
            truth = deal.evolve(rules, truth, event)
        if at >= len(told):
            return truth, view
        wish = _wish(truth, told, at, dealt, world)
        assert wish is not None
        events = deal.decide(rules, truth, *wish)
        at += len(events)
