"""Checking a record: every wish in it is decided again, and must lead to the facts it tells."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from ultimo import deal, series
from ultimo import events as e
from ultimo.cards import UNSEEN
from ultimo.rulebook import Rules


class IllegalRecord(ValueError):
    """A record that tells what cannot have happened: at which event, counted from 0, and why.

    `key` says of what kind it is, for programs: that of the refusal, where the rules refuse an action.
    """

    def __init__(self, index: int, reason: str, key: str) -> None:
        super().__init__(f"event {index + 1}: {reason}")
        self.index = index
        self.reason = reason
        self.key = key


class Step(Struct, frozen=True):
    """One wish and the facts that followed from it; a wish of nobody is the table's own doing."""

    index: int  # of the first event
    seat: e.Seat | None
    action: e.Action | None
    events: tuple[e.Event, ...]


class Position(Struct, frozen=True):
    """Where a record has come to: in a series, or in a deal that stands alone."""

    series: series.State | None = None
    deal: deal.State | None = None


def check(rules: Rules, events: Sequence[e.Event]) -> Position:
    """Where the events lead, or `IllegalRecord`."""
    last = deque(steps(rules, events), maxlen=1)
    return last[0][0] if last else Position()


def steps(rules: Rules, events: Sequence[e.Event]) -> Iterator[tuple[Position, Step]]:
    """The steps of a record one by one, each with the position after it, or `IllegalRecord`."""
    position, index = Position(), 0
    while index < len(events):
        try:
            step = _step(rules, position, events, index)
        except e.IllegalAction as error:
            raise IllegalRecord(index, str(error), error.key) from error
        _compare(step, events)
        for event in step.events:
            position = _after(rules, position, event)
        index += len(step.events)
        yield position, step


def whole_steps(rules: Rules, events: Sequence[e.Event]) -> tuple[tuple[e.Event, ...], ...]:
    """The events step by step, without a last step of which only the beginning was written down."""
    found: list[tuple[e.Event, ...]] = []
    try:
        for _, step in steps(rules, events):
            found.append(tuple(events[step.index : step.index + len(step.events)]))
    except _CutOff:
        pass
    return tuple(found)


class _CutOff(IllegalRecord):
    """The record ends in the midst of what follows from a wish."""


def _compare(step: Step, events: Sequence[e.Event]) -> None:
    for place, expected in enumerate(step.events, step.index):
        if place == len(events):
            raise _CutOff(place - 1, f"the record breaks off before {type(expected).__name__}", "breaksOff")
        told = events[place]
        if _without_citations(told) != _without_citations(expected):
            raise IllegalRecord(place, f"the record has {told}, the rules give {expected}", "differs")


def _without_citations(event: e.Event) -> e.Event:
    """The event as a fact: where a rule stands may be told better in a later version."""
    if not isinstance(event, e.Paid):
        return event
    return e.Paid(tuple(replace(transfer, cite="") for transfer in event.transfers))


def _after(rules: Rules, position: Position, event: e.Event) -> Position:
    if isinstance(event, e.SeriesOpened) or position.series is not None:
        state = series.evolve(rules, position.series, event)
        return Position(state, state.deal)
    if isinstance(event, e.Opened):
        return Position(None, deal.initial(rules, event))
    assert position.deal is not None
    assert not isinstance(event, e.CupsDivided | e.SeriesClosed | e.FoundingMissed)
    return Position(None, deal.evolve(rules, position.deal, event))


def _step(rules: Rules, position: Position, events: Sequence[e.Event], index: int) -> Step:
    """What the rules make of the wish that the event at `index` tells."""
    event = events[index]
    if isinstance(event, e.SeriesOpened):
        if index:
            raise IllegalRecord(index, "a series is opened once", "openedTwice")
        opened = series.open_series(rules, event.names, event.dealer, event.out, event.drawn)
        return Step(index, None, None, opened)
    playing = position.deal is not None and not deal.is_over(position.deal)
    if position.series is None and not playing:
        return Step(index, None, None, _opened(rules, event, index))
    if not playing and position.series is not None:
        return _between(rules, position.series, event, index)
    return _in_deal(rules, position, event, index)


def _opened(rules: Rules, event: e.Event, index: int) -> tuple[e.Event, ...]:
    """The beginning of a deal that stands alone."""
    if not isinstance(event, e.Opened):
        reason = f"a record begins with SeriesOpened or Opened, not {type(event).__name__}"
        raise IllegalRecord(index, reason, "notOpened")
    if not sit_together(rules, event):
        reason = f"{event.active} do not play together when seat {event.dealer} deals"
        raise IllegalRecord(index, reason, "wrongSeats")
    return deal.begin(rules, event)


def sit_together(rules: Rules, opened: e.Opened) -> bool:
    """Whether those who play a deal can be the ones when this seat deals at such a table."""
    if opened.table not in rules.sizes or opened.dealer not in range(opened.table):
        return False
    one_sits_out = series.first_out(rules, opened.table, opened.dealer) is not None
    outs = [seat for seat in range(opened.table) if seat != opened.dealer] if one_sits_out else [None]
    return opened.active in [series.seated(rules, opened.table, opened.dealer, out) for out in outs]


def _between(rules: Rules, state: series.State, event: e.Event, index: int) -> Step:
    """What happens between deals."""
    match event:
        case e.CupsDivided(shares=shares):
            return Step(index, None, None, series.close(rules, state, lot=shares.index(max(shares))))
        case e.SeriesClosed():
            return Step(index, None, None, series.close(rules, state))
        case e.Paid(transfers=(first, *_)) if series.is_founding_alone(rules, event):
            seat = first.payer
            assert isinstance(seat, int)
            return Step(index, seat, e.Found(), series.decide(rules, state, seat, e.Found()))
        case _:
            return Step(index, None, None, series.next_deal(rules, state))


def _in_deal(rules: Rules, position: Position, event: e.Event, index: int) -> Step:
    state = position.deal
    assert state is not None
    if isinstance(event, e.Dealt) and any(UNSEEN in hand for hand in event.hands):
        reason = "the record hides cards: it is what one seat saw, and cannot be checked"
        raise IllegalRecord(index, reason, "hidesCards")
    if isinstance(event, e.CupsDivided | e.SeriesClosed | e.FoundingMissed | e.SeriesOpened):
        raise IllegalRecord(index, f"{type(event).__name__} in the midst of a deal", "midstOfDeal")
    found = deal.cause(state, event)
    if found is None:
        raise IllegalRecord(
            index, f"{type(event).__name__} follows from nothing before it", "followsFromNothing"
        )
    seat, action = found
    if position.series is not None:
        return Step(index, seat, action, series.decide(rules, position.series, seat, action))
    return Step(index, seat, action, deal.decide(rules, state, seat, action))
