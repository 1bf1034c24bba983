"""Whom the table helps: who may ask for a hint about what, and what may be taken back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ultimo import deal, series
from ultimo.events import IllegalAction
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
        text = capital(label(teller, one.view, one.action))
        yield BackShown(one.at, _in_trick(teller, one.view, text))


def _in_trick(teller: Teller, view: deal.State, text: str) -> str:
    """Words with the trick to which they belong."""
    if view.phase not in IN_TRICKS:
        return text
    return teller.words.pair(teller.text("trick", number=len(view.tricks) + 1), text)
