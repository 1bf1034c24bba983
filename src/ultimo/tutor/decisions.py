"""The decisions of a deal: who had to decide what, knowing how much, and what was done.

A decision is made from the deal alone, never from the session around it: the same deal gives the same
decisions, whether it comes from a table, from a record of a whole evening or from one of a single deal.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeGuard

from msgspec import Struct
from msgspec.structs import replace

from ultimo import deal, series
from ultimo import events as e
from ultimo.cards import UNSEEN
from ultimo.play.choices import Choices
from ultimo.players import View
from ultimo.rulebook import Rules


class Decision(Struct, frozen=True):
    """What a seat did, what it knew, what else it might have done, and how the cards really lay."""

    index: int  # of the first event that followed, in the deal
    view: View
    choices: Choices
    action: e.Action
    truth: deal.State

    @property
    def seat(self) -> e.Seat:
        """Who decided."""
        return self.view.seat


class NoDeal(ValueError):
    """What cannot be looked at as a deal, and why."""


def deals(events: Sequence[e.Event]) -> list[tuple[e.DealEvent, ...]]:
    """The deals of a record, each from its opening to its end, or as far as it goes."""
    found: list[list[e.DealEvent]] = []
    open_ = False
    for event in events:
        if isinstance(event, e.Opened):
            found.append([])
            open_ = True
        if open_ and _in_deal(event):
            found[-1].append(event)
        open_ = open_ and not isinstance(event, e.DealClosed)
    return [tuple(one) for one in found]


def _in_deal(event: e.Event) -> TypeGuard[e.DealEvent]:
    return not isinstance(event, e.SeriesOpened | e.FoundingMissed | e.CupsDivided | e.SeriesClosed)


def decisions(rules: Rules, events: Sequence[e.DealEvent]) -> Iterator[Decision]:
    """Every decision of a deal in its order. Raises `NoDeal` if the events do not follow from one another."""
    opened = events[0] if events else None
    if not isinstance(opened, e.Opened):
        raise NoDeal("a deal begins with Opened")
    truth = deal.initial(rules, opened)
    views = [truth] * opened.table
    index = 1
    while index < len(events):
        event = events[index]
        if isinstance(event, e.Dealt) and any(UNSEEN in hand for hand in event.hands):
            raise NoDeal("the record hides cards: it is what one seat saw")
        wish = deal.cause(truth, event)
        number = 1
        if wish is not None:
            seat, action = wish
            try:
                number = len(deal.decide(rules, truth, seat, action))
            except e.IllegalAction as error:
                raise NoDeal(f"event {index + 1}: {error}") from error
            if seat is not None:
                choices = deal.legal(rules, views[seat], seat)
                yield Decision(index, seen(rules, seat, views[seat]), choices, action, truth)
        for event in events[index : index + number]:
            views = [
                deal.evolve(rules, view, deal.seen_by(rules, truth, seat, event))
                for seat, view in enumerate(views)
            ]
            truth = deal.evolve(rules, truth, event)
        index += number


def seen(rules: Rules, seat: e.Seat, view: deal.State) -> View:
    """What a seat knows of a deal, with nothing of the session around it."""
    none = (0,) * view.table
    around = series.State(("",) * view.table, view.dealer, None, none, deal=view)
    return View(rules, seat, around)


def alone(view: View) -> View:
    """The same knowledge without the session around the deal."""
    return View(view.rules, view.seat, replace(seen(view.rules, view.seat, view.deal).series))
