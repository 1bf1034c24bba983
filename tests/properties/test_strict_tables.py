"""Tables where every error can happen, and players who make them all: nothing is lost, every deal ends."""

from __future__ import annotations

import os
from functools import cache
from random import Random
from typing import Any, get_args

import pytest

from properties.driving import SWITCHES, TABLES, open_deal
from properties.laws import Witness, records_lose_nothing, witnessed
from table import DANISH, Evening, danish_rules
from ultimo import danish, deal, events, rulebook, series
from ultimo.cards import SUIT_CARDS, Card, Cards, cards
from ultimo.danish.legal import counters
from ultimo.danish.state import pile_points
from ultimo.events import (
    Deal,
    DealEvent,
    EnterCount,
    FoundingMissed,
    ObjectCount,
    Opened,
    Play,
    Recount,
    RecountDemanded,
    SeriesEvent,
)
from ultimo.record import check
from ultimo.rulebook import DanishRules

LONG = "ULTIMO_LONG" in os.environ
DEALS = 200 if LONG else 24  # for each rulebook and size of table
MORE = {"basta": 3, "dtf": 2}  # books with events of their own, which are rare
ERRORS = (0.0, 0.0, 0.0, 0.02, 0.1, 1.0)  # how often players do anything at all
DANISH_TABLES = tuple((book, size) for book, size in TABLES if book in DANISH)

OF_FRENCH_TAROT = {
    events.PackCut,
    events.PetitSec,
    events.BidMade,
    events.Passed,
    events.Called,
    events.ChienShown,
    events.EcartLaid,
    events.PoigneeShown,
    events.ExcuseKept,
    events.ExcuseLost,
    events.ExcuseWins,
    events.PartnerRevealed,
    events.TakerAloneRevealed,
    events.Revealed,
    events.Scored,
}
OF_DANISH_TAROK = set(get_args(DealEvent)) - OF_FRENCH_TAROT


def table_of(book: str, rng: Random) -> DanishRules:
    """A table where everything can go wrong; some let offences pass, some know how to declare and to lay."""
    house: dict[str, Any] = dict.fromkeys(SWITCHES, True)
    house["strict.lenient"] = rng.random() < 0.3
    house["strict.skat"] = rng.random() < 0.8
    house["decl.mode"] = "manual" if rng.random() < 0.8 else "auto"
    return danish_rules(book, house)


@cache
def played(book: str, size: int) -> tuple[Witness, ...]:
    """Deals at strict tables, every law upheld in them."""
    deals = []
    for number in range(DEALS * MORE.get(book, 1)):
        rng = Random(f"strict {book} {size} {number}")
        rules = table_of(book, rng)
        opened = open_deal(rules, size, rng)
        deals.append(witnessed(rules, opened, rng, error=rng.choice(ERRORS), probing=0.05))
    return tuple(deals)


@pytest.mark.parametrize(("book", "size"), DANISH_TABLES)
def test_the_laws_hold_among_players_who_err(book: str, size: int) -> None:
    results = {witness.state.result for witness in played(book, size)}
    assert "played" in results
    assert results <= {"played", "scrapped", "passed"}


def test_every_event_of_danish_tarok_happens_at_strict_tables() -> None:
    seen = {type(event) for table in DANISH_TABLES for witness in played(*table) for event in witness.log}
    assert not {kind.__name__ for kind in OF_DANISH_TAROK - seen}, "never seen"
    assert not {kind.__name__ for kind in seen - OF_DANISH_TAROK}


@pytest.mark.parametrize("effect", get_args(events.Effect))
def test_the_laws_hold_whatever_follows_from_a_fine(effect: str) -> None:
    """A house rule may give any fine any effect, before the first trick as well as later."""
    fined = [key for key in rulebook.parameters(rulebook.load("dtf")) if key.endswith(".effect")]
    house: dict[str, Any] = dict.fromkeys(SWITCHES, True) | {key: [effect] for key in fined}
    for number in range(8):
        rng = Random(f"{effect} {number}")
        rules = danish_rules("dtf", house | {"strict.lenient": number % 2 == 0, "decl.mode": "manual"})
        witnessed(rules, open_deal(rules, 3, rng), rng, error=rng.choice(ERRORS), probing=0.05)


@pytest.mark.parametrize("book", DANISH)
def test_a_strict_evening_sums_to_zero_though_founding_is_forgotten(book: str) -> None:
    rng = Random(f"evening {book}")
    rules = danish_rules(book, {"strict.cups": True})
    evening = Evening(rules, 4)
    for _ in range(12):
        for seat in range(4):
            for action in series.legal(rules, evening.state, seat):
                if rng.random() < 0.6:
                    evening.act(seat, action)
        evening.play_deal(rng)
        assert sum(evening.state.totals) + evening.state.king + evening.state.pagat == 0
    evening.close()
    assert sum(evening.state.totals) == 0
    assert {type(event) for event in evening.log} >= {FoundingMissed, *get_args(SeriesEvent)}
    assert check.check(rules, evening.log).series == evening.state
    records_lose_nothing(rules, 4, evening.log)


@pytest.mark.cites("I-10.2")
@pytest.mark.parametrize("book", DANISH)
def test_honest_counts_are_accepted_though_a_hand_was_miscounted(book: str) -> None:
    """Forehand has a card too many and ends with a king in hand, in a deal that stands."""
    rules = danish_rules(book, {"strict.count": True, "strict.deal": True, "fine.wrongCards.effect": []})
    witness = Witness(rules, Opened(3, 0, (1, 2, 0)))
    hearts, king = SUIT_CARDS[1], Card("HK")
    others = shuffled_without(hearts, Random(1))
    hands = (others[:28], (*cards(hearts), *others[28:40]), others[40:])
    witness.act(None, Deal(tuple(tuple(sorted(hand)) for hand in hands)))
    rng = Random(book)
    while witness.state.phase != "count":
        seat = deal.waiting_for(rules, witness.state)[0]
        choices = deal.legal(rules, witness.state, seat)
        drawn = (
            action for _ in range(99) if (action := choices.draw(rng)) not in (Play(king), ObjectCount())
        )
        witness.act(seat, next(drawn))
    assert isinstance(witness.state, danish.State)
    assert witness.state.hands[1] == king.bit
    honest = pile_points(witness.state)
    for seat in counters(rules, witness.state):
        witness.act(seat, EnterCount(honest[seat]))
    assert witness.state.entered, "an honest count was refused"
    for seat in witness.state.order:
        witness.act(seat, Recount())
        assert witness.log[-1] == RecountDemanded(seat, wrong=False)


def shuffled_without(some: Cards, rng: Random) -> tuple[Card, ...]:
    """All other cards in random order."""
    return tuple(card for card in deal.shuffled(rng) if not card.bit & some)
