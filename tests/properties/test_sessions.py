"""Twenty-five deals in a row: who deals, who sits out, and where the points are."""

from __future__ import annotations

import os
from collections import Counter
from functools import cache
from random import Random

import pytest

from properties.driving import TABLES
from properties.laws import records_lose_nothing
from ultimo import rulebook, series
from ultimo.events import (
    CupsDivided,
    DealClosed,
    Event,
    IllegalAction,
    Opened,
    Paid,
    Seat,
    SeriesClosed,
)
from ultimo.players import Match, RandomPlayer
from ultimo.record import check
from ultimo.rulebook import DanishRules, Rules

SESSIONS = 10 if "ULTIMO_LONG" in os.environ else 1
DEALS = 25
HOUSES = (  # tables of the books, and some of their own
    *((book, size, ()) for book, size in TABLES),
    ("basta", 5, (("table.sizes", (3, 4, 5)),)),
    ("jensen", 5, (("table.five", "twoSitOut"), ("cups.foundBy", "active"))),
    ("dtf", 5, (("table.five", "fiveDealsOut"), ("session.rest", "lot"), ("session.unit", 7))),
    ("vlk", 4, (("cups.enabled", False),)),
    ("french4", 4, (("deal.shuffle", "never"),)),
    ("french5", 5, (("deal.shuffle", "never"),)),
)
every_table = pytest.mark.parametrize(("book", "size", "house"), HOUSES)
House = tuple[tuple[str, object], ...]


@cache
def sessions(book: str, size: int, house: House) -> tuple[Match, ...]:
    """Sessions played to the twenty-fifth deal at random, and closed."""
    rules = rulebook.load(book, dict(house))
    matches = []
    for number in range(SESSIONS):
        players = {seat: RandomPlayer(f"{number} {seat}") for seat in range(size)}
        match = Match(rules, [f"P{seat}" for seat in range(size)], players, Random(f"{book} {size} {number}"))
        for _ in match.play_deals(DEALS):
            state = match.state
            assert sum(state.totals) + state.king + state.pagat == 0
        match.close()
        matches.append(match)
    return tuple(matches)


@every_table
def test_a_session_sums_to_zero_and_leaves_the_cups_empty(book: str, size: int, house: House) -> None:
    for match in sessions(book, size, house):
        assert (match.state.king, match.state.pagat) == (0, 0)
        assert sum(match.state.totals) == 0
        assert match.log[-1] == SeriesClosed(match.state.totals)
        assert match.state.deals == DEALS


@every_table
def test_totals_are_the_sum_of_what_was_paid(book: str, size: int, house: House) -> None:
    for match in sessions(book, size, house):
        totals: Counter[int | str] = Counter()
        for deal in deals(match.log):
            totals.update(gained(deal))
        assert tuple(totals[seat] for seat in range(size)) == match.state.totals
        assert totals["king"] == totals["pagat"] == 0


@pytest.mark.cites("I-1.1", "I-1.2", "I-1.3", "I-1.4", "I-1.5")
@every_table
def test_dealers_and_sitters_rotate(book: str, size: int, house: House) -> None:
    for match in sessions(book, size, house):
        opened = [event for event in match.log if isinstance(event, Opened)]
        assert [(event.dealer, event.active) for event in opened] == list(
            rotation(match.rules, size, opened[0].dealer)
        )
        if size == 5 and isinstance(match.rules, DanishRules):
            assert set(Counter(event.dealer for event in opened).values()) == {5}
            assert set(Counter(seat for event in opened for seat in event.active).values()) == {15}


def rotation(rules: Rules, size: int, dealer: Seat) -> list[tuple[Seat, tuple[Seat, ...]]]:
    """Dealers and players as B1 has them, told once more in other words than the engine's.

    Three: everybody plays. Four: whoever sits opposite the dealer is out. Five, one out for five deals: he
    comes back as forehand, and who sat at his right goes. Five, two out: the dealer and his neighbours play.
    """
    told = []
    seats = list(range(size))
    everybody_plays = not isinstance(rules, DanishRules) or size == 3
    two_out = isinstance(rules, DanishRules) and size == 5 and rules.table.five == "twoSitOut"
    out = (dealer + 2) % 5 if size == 5 and not everybody_plays and not two_out else None
    for number in range(DEALS):
        if number and number % 5 == 0 and out is not None:
            out = (out + 1) % 5
        present = [seat for seat in seats[dealer:] + seats[:dealer] if seat != out]
        if everybody_plays:
            told.append((dealer, (*present[1:], dealer)))
        elif two_out:
            told.append((dealer, (present[1], present[4], dealer)))
        else:
            told.append((dealer, (present[1], present[3], dealer)))
        if number % 5 == 4 and out is not None:
            present = [seat for seat in seats[dealer:] + seats[:dealer] if seat != (out + 1) % 5]
        dealer = present[2] if two_out else present[1]
    return told


@every_table
def test_a_session_can_be_told_again(book: str, size: int, house: House) -> None:
    for match in sessions(book, size, house):
        assert check.check(match.rules, match.log).series == match.state
        records_lose_nothing(match.rules, size, match.log)


@every_table
def test_a_seats_view_of_a_session_is_the_fold_of_what_it_saw(book: str, size: int, house: House) -> None:
    match = sessions(book, size, house)[0]
    views: dict[Seat, series.State | None] = dict.fromkeys(range(size))
    state = None
    for event in match.log:
        for seat, view in views.items():
            seen = event if state is None else series.seen_by(match.rules, state, seat, event)
            views[seat] = series.evolve(match.rules, view, seen)
        state = series.evolve(match.rules, state, event)
    assert state == match.state
    for seat, view in views.items():
        assert view == match.view(seat).series
        assert view is not None
        assert (view.totals, view.king, view.pagat) == (state.totals, state.king, state.pagat)


@pytest.mark.parametrize(("book", "size"), [("dtf", 4), ("french4", 4)])
def test_nothing_happens_after_the_end(book: str, size: int) -> None:
    match = sessions(book, size, ())[0]
    with pytest.raises(IllegalAction):
        match.next_deal()
    with pytest.raises(IllegalAction):
        match.close()


def deals(log: list[Event]) -> list[list[Event]]:
    """A log cut after each deal; what is paid between deals goes with the next one."""
    parts: list[list[Event]] = [[]]
    for event in log:
        parts[-1].append(event)
        if isinstance(event, DealClosed):
            parts.append([])
    return parts


def gained(events: list[Event]) -> Counter[int | str]:
    """What each account has gained."""
    gains: Counter[int | str] = Counter()
    for event in events:
        assert not isinstance(event, CupsDivided) or sum(event.shares) > 0
        if isinstance(event, Paid):
            for transfer in event.transfers:
                gains[transfer.payer] -= transfer.points
                gains[transfer.payee] += transfer.points
    return gains
