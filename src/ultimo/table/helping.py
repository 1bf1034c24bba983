"""Whom the table helps: who may ask for a hint about what, and what may be taken back."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from ultimo import series
from ultimo.events import Action, IllegalAction
from ultimo.names import capital
from ultimo.play.choices import Choices
from ultimo.players import View
from ultimo.table.answering import only_choice
from ultimo.table.facts import PlayerId
from ultimo.table.live import Decided, Live
from ultimo.table.scene import BackShown
from ultimo.telling.labels import label
from ultimo.telling.teller import Teller

IN_TRICKS: Final = ("play", "demand", "answer", "name")  # the phases in which a trick is played
REMEMBERED: Final = 4096  # things done, in words


def is_helped(live: Live, player: PlayerId | None) -> bool:
    """Whether the table helps a person: one with a seat, as its host has set it."""
    if live.seat_of(player) is None:
        return False
    help_ = live.settings.help
    return help_ == "everyone" or (help_ == "alone" and live.alone == player)


def may_hint(live: Live, player: PlayerId | None) -> bool:
    """Whether a person may ask for hints, whenever it is their turn."""
    return live.moment in ("deal", "between") and is_helped(live, player)


def question(live: Live, player: PlayerId) -> tuple[View, Choices]:
    """What a person is asked now, as far as they know, and all that they may do; or `IllegalAction`."""
    seat = live.seat_of(player)
    if seat is None:
        raise IllegalAction("notSeated")
    if not is_helped(live, player):
        raise IllegalAction("noHelp")
    view = live.view(seat)
    if view is None or seat not in live.waiting_for or only_choice(live.rules, view, seat) is not None:
        raise IllegalAction("notYourTurn")
    return View(live.rules, seat, view), series.legal(live.rules, view, seat)


def may_undo(live: Live, player: PlayerId | None) -> bool:
    """Whether a person may take back: among bots alone, until the next deal begins."""
    alone = live.alone is not None and live.alone == player
    return alone and live.settings.help != "never" and live.moment in ("deal", "between")


def taken(live: Live, player: PlayerId | None) -> tuple[Decided, ...]:
    """The decisions of a person in this deal that may be taken back, the oldest first."""
    if not may_undo(live, player):
        return ()
    seat = live.seat_of(player)
    return tuple(one for one in live.decided if one.seat == seat)


def backs(live: Live, player: PlayerId | None, teller: Teller) -> Iterator[BackShown]:
    """The same in words."""
    for one in taken(live, player):
        yield BackShown(one.at, _done(teller, one.view.phase, len(one.view.tricks) + 1, one.action))


@lru_cache(REMEMBERED)
def _done(teller: Teller, phase: str, trick: int, action: Action) -> str:
    """What was done, with the trick to which it belongs: at every step all of it is offered anew."""
    text = capital(label(teller, phase, action))
    return teller.words.pair(teller.text("trick", number=trick), text) if phase in IN_TRICKS else text
