"""Stub: whom the table helps."""

from __future__ import annotations

from ultimo import series
from ultimo.events import IllegalAction
from ultimo.play.choices import Choices
from ultimo.players import View
from ultimo.table.facts import PlayerId
from ultimo.table.live import Live


def question(live: Live, player: PlayerId) -> tuple[View, Choices]:
    """What a person is asked now, as far as they know, and all that they may do; or `IllegalAction`."""
    seat = live.seat_of(player)
    if seat is None:
        raise IllegalAction("notSeated")
    view = live.view(seat)
    if view is None or seat not in live.waiting_for:
        raise IllegalAction("notYourTurn")
    return View(live.rules, seat, view), series.legal(live.rules, view, seat)
