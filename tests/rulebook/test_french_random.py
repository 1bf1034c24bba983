"""Random deals: nothing is ever inconsistent."""

from __future__ import annotations

from random import Random
from typing import Any, cast

import pytest

from french_table import Table, dealt, opened
from ultimo import french
from ultimo.cards import ALL_CARDS, ALL_TRUMPS, KINGS, PACK, Cards, cards, mask
from ultimo.events import (
    Announced,
    BidMade,
    Called,
    CardPlayed,
    ChienShown,
    Counted,
    DealEvent,
    Dealt,
    Decline,
    Declined,
    EcartLaid,
    IllegalAction,
    PackCut,
    Paid,
    PetitSec,
    Play,
    PoigneeShown,
    Seat,
    SkatShown,
    TrickWon,
)
from ultimo.french import State

BOOKS = ("french3", "french4", "french5")
HOUSE: dict[str, Any] = {
    "slam.defendersMayAnnounce": True,
    "poignee.ecartTrump": "showAgain",
    "excuse.lastTrickReturn": "half",
    "deal.petitSec": "off",
    "deal.shuffle": "never",
}


def shuffled(book: str, rng: Random, house: dict[str, Any] | None = None) -> Table:
    """A table with its cards dealt at random; in half of the deals one seat has kings and a poignée."""
    table = Table(book, house=house, dealer=rng.randrange(3))
    if rng.random() < 0.5:
        deck = rng.sample(PACK, len(PACK))
        positions = french.chien_positions(table.rules, rng)
        table.do(french.deal_out(table.rules, table.state.dealer, deck, positions), None)
    else:
        strong = [*cards(KINGS), *rng.sample(cards(ALL_TRUMPS), table.rules.deal.hand - 7)]
        hands = {rng.randrange(3): " ".join(card.value for card in strong)}
        table.do(dealt(table.rules, hands), None)
    return table


def places(state: State) -> list[Cards]:
    """Every place a card can be in."""
    trick = mask(play.card for play in state.trick)
    return [mask(state.deck), *state.hands, state.chien, state.ecart, trick, *state.won]


def assert_every_card_is_in_one_place(state: State, *, unseen: int = 0) -> None:
    together = 0
    for pile in places(state):
        assert not together & pile
        together |= pile
    assert together.bit_count() + unseen == 78
    assert unseen or together == ALL_CARDS


def assert_view_agrees(table: Table, seat: Seat | None, seen: State) -> None:
    """A view knows nothing wrong, counts what it does not know, and allows the same."""
    state = table.state
    for known, pile in zip(places(seen), places(state), strict=True):
        assert not known & ~pile
    assert [seen.size(other) for other in range(state.table)] == [
        state.size(other) for other in range(state.table)
    ]
    assert_every_card_is_in_one_place(seen, unseen=sum(seen.unseen) + seen.chien_unseen + seen.ecart_unseen)
    assert (seen.phase, seen.turn, seen.trick, seen.tricks) == (
        state.phase,
        state.turn,
        state.trick,
        state.tricks,
    )
    assert french.legal(table.rules, seen, seat) == french.legal(table.rules, state, seat)


class Witness:
    """Follows a table through its log alone: the full state, and what each seat sees."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.told = 0
        self.state: State | None = None
        self.views: dict[Seat | None, State] = {}

    def catch_up(self) -> None:
        """Fold what has been told since, and compare after every event."""
        rules, log = self.table.rules, self.table.log
        for event in log[self.told :]:
            for seat in (*range(rules.players), None):
                seen = french.seen_by(rules, self.table.state, seat, event)
                self.views[seat] = french.evolve(rules, self.views.get(seat), seen)
            self.state = french.evolve(rules, self.state, event)
            if any(self.state.hands) or self.state.tricks:
                assert_every_card_is_in_one_place(self.state)
        self.told = len(log)
        assert self.state == self.table.state
        for seat, view in self.views.items():
            assert_view_agrees(self.table, seat, view)


@pytest.mark.parametrize("house", [None, HOUSE], ids=["book", "house"])
@pytest.mark.parametrize("book", BOOKS)
def test_thirty_random_deals_are_consistent(book: str, house: dict[str, Any] | None) -> None:
    rng = Random(f"{book}{house}")
    for _ in range(30):
        table = shuffled(book, rng, house)
        witness = Witness(table)
        witness.catch_up()
        for _events in table.random(rng):
            witness.catch_up()
        assert_settled(table)


def assert_settled(table: Table) -> None:
    state = table.state
    assert state.phase == "closed"
    assert sum(state.net) == 0
    if state.result == "thrownIn":
        assert not any(isinstance(event, Paid) for event in table.log)
        return
    counted = next(event for event in table.log if isinstance(event, Counted))
    assert sum(counted.points) == 182
    outcome = french.outcome_of(table.rules, state)
    french.check(table.rules, outcome)
    assert counted.points[0] == outcome.half_points
    value = french.score(table.rules, outcome).value
    assert {state.net[seat] for seat in range(state.table) if state.side(seat) == "defence"} == {-value}
    assert mask(french.pick_up(table.rules, state)) == ALL_CARDS


@pytest.mark.parametrize("book", BOOKS)
def test_decide_accepts_what_is_legal_and_nothing_else(book: str) -> None:
    rng = Random(book)
    table = shuffled(book, rng)
    for _ in table.random(rng):
        if table.state.phase == "play":
            legal = table.legal.cards()
            for card in PACK:
                if card.bit & legal:
                    assert french.decide(table.rules, table.state, table.turn, Play(card))
                else:
                    assert table.refuses(Play(card)).reason


@pytest.mark.parametrize("book", BOOKS)
def test_facts_that_make_no_sense_are_passed_over(book: str) -> None:
    rng = Random(book)
    rules = Table(book).rules
    logs: list[list[DealEvent]] = []
    for other in BOOKS:
        table = shuffled(other, rng)
        for _ in table.random(rng):
            pass
        logs.append(table.log)
    strange = [event for log in logs for event in log]
    for log in logs:
        state: State | None = None
        for event in log:
            state = french.evolve(rules, state, event)
            for nonsense in rng.sample(strange, 20):
                french.evolve(rules, state, nonsense)
    assert french.evolve(rules, None, strange[5]).phase == "dealing"


def test_facts_at_the_wrong_time_change_nothing() -> None:
    table = Table(hands={})
    for nonsense in (
        BidMade(0, cast(Any, "solo")),
        BidMade(1, "garde"),
        Called(0, PACK[0]),
        ChienShown(0, PACK[:6]),
        EcartLaid(0, PACK[:6]),
        Announced(0, "slam"),
        Declined(0),
        PackCut(2, 20),
        CardPlayed(0, PACK[0]),
        TrickWon(0),
        PoigneeShown(0, 0, PACK[60:70]),
        PetitSec(0, PACK[:18]),
        PetitSec(9, PACK[:18]),
        Dealt((), ()),
        SkatShown(PACK[:3]),
    ):
        assert french.evolve(table.rules, table.state, nonsense) == table.state
    table.bid("sans pass pass pass").do(Decline())
    foreign = CardPlayed(0, next(card for card in PACK if not card.bit & table.state.hands[0]))
    assert french.evolve(table.rules, table.state, foreign) is table.state


def test_a_deal_begins_with_its_opening() -> None:
    rules = Table().rules
    start = opened(rules, 2)
    assert french.begin(rules, start) == (start,)
    assert french.evolve(rules, None, start) == french.initial(rules, start)


def test_a_trick_remembers_who_led() -> None:
    table = Table(hands={0: "SK", 1: "S1", 2: "S2", 3: "S3"}).bid("sans pass pass pass")
    table.do(Decline())
    table.play("SK S1 S2 S3")
    assert (table.state.tricks[0].leader, table.state.tricks[0].winner) == (0, 0)


def test_an_illegal_action_changes_nothing() -> None:
    table = Table(hands={}).bid("garde pass pass pass")
    before = table.state
    with pytest.raises(IllegalAction):
        table.do(Play(PACK[0]))
    assert table.state == before
