"""Laying down the rest: wherever it is offered, no choice of anybody can change a payment, in any world."""

from __future__ import annotations

from random import Random

import pytest
from msgspec.structs import replace

from live import HOST, Evening, bots
from ultimo import deal, rulebook, series
from ultimo.cards import ALL_CARDS, Cards, cards, mask
from ultimo.danish import State as DanishState
from ultimo.events import CardPlayed, IllegalAction, Seat
from ultimo.players import Match, create
from ultimo.record.check import check
from ultimo.rulebook import DanishRules, Rules
from ultimo.series import State as Series
from ultimo.table import Settings, session_record, story
from ultimo.table.claiming import can_claim, laid_down
from ultimo.table.facts import Happened, RestClaimed
from ultimo.table.messages import ClaimRest, Sit

TABLES = [  # how many deals it takes until the offer has come up some times
    ("dtf", 3, 40),
    ("hermansen", 3, 40),
    ("basta", 4, 60),
    ("vlk", 5, 40),
    ("french3", 3, 120),
    ("french4", 4, 120),
    ("french5", 5, 120),
]
WORLDS, PLAYOUTS = 4, 6


def endings(book: str, size: int, deals: int) -> list[tuple[Rules, Series, Series, Seat]]:
    """Where the rest may be laid down: the truth, and what the seat on turn has seen."""
    found = []
    rules = rulebook.load(book)
    for number in range(deals):
        players = {seat: create("random", number * 10 + seat) for seat in range(size)}
        match = Match(rules, [f"P{seat}" for seat in range(size)], players, Random(f"{book}{number}"))
        match.next_deal()
        while match.state.playing:
            match.advance()
            state = match.state
            if not state.playing or state.deal is None or state.deal.phase != "play" or state.deal.trick:
                continue
            (seat,) = deal.waiting_for(rules, state.deal)
            view = match.view(seat).series
            if view.deal is not None and can_claim(rules, view.deal, seat):
                found.append((rules, state, view, seat))
                break
    return found


def another_world(truth: Series, view: Series, seat: Seat, rng: Random) -> Series:
    """The same deal with the cards that the seat has not seen dealt round anew."""
    state, seen = truth.deal, view.deal
    assert state is not None
    assert seen is not None
    played = mask(play.card for trick in seen.tricks for play in trick.plays)
    aside = seen.skat if isinstance(seen, DanishState) else seen.ecart
    unseen = list(cards(ALL_CARDS & ~played & ~seen.hands[seat] & ~aside))
    rng.shuffle(unseen)
    hands: list[Cards] = []
    for place, hand in enumerate(state.hands):
        size = 0 if place == seat else hand.bit_count()
        hands.append(hand if place == seat else mask(unseen[:size]))
        del unseen[:size]
    rest = mask(unseen)
    if isinstance(state, DanishState):
        return replace(truth, deal=replace(state, hands=tuple(hands), skat=aside | rest))
    if state.ecart_unseen or state.ecart:
        return replace(truth, deal=replace(state, hands=tuple(hands), ecart=aside | rest))
    return replace(truth, deal=replace(state, hands=tuple(hands), chien=aside | rest))


def settled(rules: Rules, state: Series, rng: Random) -> tuple[tuple[int, ...], int, int]:
    """What the deal comes to if everybody plays at random."""
    while state.playing:
        assert state.deal is not None
        seat = deal.waiting_for(rules, state.deal)[0]
        action = series.legal(rules, state, seat).draw(rng)
        state, _ = series.step(rules, state, seat, action)
    return state.totals, state.king, state.pagat


@pytest.mark.parametrize(("book", "size", "deals"), TABLES)
def test_whatever_is_played_the_payments_are_the_same(book: str, size: int, deals: int) -> None:
    found = endings(book, size, deals)
    assert len(found) > 2, "the offer must come up now and then"
    for rules, truth, view, seat in found:
        rng = Random(repr(seat) + book)
        for world in (truth, *(another_world(truth, view, seat, rng) for _ in range(WORLDS))):
            down = world
            for move in laid_down(rules, world, seat):
                for event in move:
                    down = series.evolve(rules, down, event)
            ends = {settled(rules, world, rng) for _ in range(PLAYOUTS)}
            assert ends == {(down.totals, down.king, down.pagat)}


# --- at a table ----------------------------------------------------------------------------------------


def offered(settings: Settings) -> Evening:
    """Play until the host is offered the rest; at random, so that some evenings are needed."""
    for seed in range(200):
        evening = Evening(settings, seed, (HOST, "p1"))
        evening.do("p1", Sit(1))
        while evening.live.series is None or evening.live.series.deals < 1:
            turn = evening.scene(HOST).turn
            if turn is not None and turn.rest:
                return evening
            with pytest.raises(IllegalAction, match="cannot claim"):
                evening.do(HOST, ClaimRest())
            evening.one_thing()
    raise AssertionError("the rest is never offered")


def test_the_rest_is_laid_down_by_legal_cards_and_told() -> None:
    evening = offered(Settings("dtf", 3, bots(3, 2)))
    assert evening.live.series is not None
    for stranger, refusal in (("p1", "cannot claim"), ("stranger", "need a seat")):
        with pytest.raises(IllegalAction, match=refusal):
            evening.do(stranger, ClaimRest())
    before, held = evening.live, sum(seat.cards for seat in evening.scene(None).seats)
    evening.do(HOST, ClaimRest())
    facts = [fact for fact, _ in evening.log[before.seq :]]
    assert isinstance(facts[0], RestClaimed)
    played = [
        event
        for fact in facts[1:]
        if isinstance(fact, Happened)
        for event in fact.events
        if isinstance(event, CardPlayed)
    ]
    assert len(played) == held == len(facts) - 1
    assert evening.live.moment == "between"
    check(evening.live.rules, [entry.event for entry in session_record(evening.log).entries])
    told = story(before, evening.log[before.seq :], "p1", "en")
    assert told[0].text == "Ada claims the rest: no card can change the result any more"
    with pytest.raises(IllegalAction, match="cannot claim"):
        evening.do(HOST, ClaimRest())


def test_mistakes_and_announcements_leave_a_choice() -> None:
    """The same ending at a strict table, or with an announcement to come, is played out."""
    rules, _, view, seat = endings("dtf", 3, 40)[0]
    assert isinstance(rules, DanishRules)
    assert view.deal is not None
    assert can_claim(rules, view.deal, seat)
    strict = rulebook.load("dtf", {"strict.follow": True})
    assert not can_claim(strict, view.deal, seat)
    assert not can_claim(rules, view.deal, view.deal.after(seat))
