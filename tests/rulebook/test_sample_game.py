"""Hermansen's complete game (G132), from founding to count, as his book has it with the errata put right."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, cast

import pytest

from table import Evening, danish_rules, net
from ultimo.cards import SUITS, Suit, cards, mask, parse_card
from ultimo.danish.state import pile_points
from ultimo.events import (
    Accept,
    Account,
    CardPlayed,
    Counted,
    Deal,
    DealClosed,
    Declaration,
    Declared,
    Lay,
    Paid,
    Play,
    Seat,
    SkatLaid,
    SkatShown,
    SkusReturned,
    Transfer,
    TrickWon,
    VoidAnswered,
    VoidClaimed,
)

GAME = json.loads((Path(__file__).parents[1] / "data" / "game-example.json").read_text(encoding="utf-8"))
SEATS: dict[str, Seat] = {"forhand": 1, "mellemhand": 2, "giver": 0}
PEOPLE = {seat: who for who, seat in SEATS.items()}
FOREHAND, MIDDLE, DEALER = SEATS.values()
BOOKS = ("hermansen", "jensen")

HALF_HEARTS = Declaration("half", of="H", missing=parse_card("HQ"))
TEN_WITH = Declaration("tarok", count=10, pagat=True)


@pytest.fixture(scope="module", params=BOOKS)
def evening(request: pytest.FixtureRequest) -> Evening:
    """The game played to its end, by each book."""
    return played(request.param)


def played(book: str) -> Evening:
    """The game played to its end: the first deal of three at the table."""
    evening = Evening(danish_rules(book), 3, dealer=DEALER)
    evening.next_deal()
    hands = {SEATS[who]: mask(" ".join(hand)) for who, hand in GAME["hands_dealt"].items()}
    evening.act(None, Deal(tuple(cards(hands[seat]) for seat in range(3))))
    for seat in range(3):
        evening.act(seat, Accept())
    evening.act(DEALER, Lay(cards(mask(" ".join(GAME["skat"])))))
    for trick in GAME["tricks"]:
        leader = SEATS[trick["leader"]]
        for place, card in enumerate(trick["played"]):
            named = cast(Suit, trick["named"]) if card == "T0" else None
            evening.act((leader + place) % 3, Play(parse_card(card), named))
    return evening


def told(evening: Evening, kind: type[Any]) -> list[Any]:
    """The facts of one kind."""
    return [event for event in evening.log if isinstance(event, kind)]


def paid(evening: Evening) -> list[Transfer]:
    """All payments, in order."""
    return [transfer for event in told(evening, Paid) for transfer in event.transfers]


@pytest.mark.cites("G132")
def test_the_dealer_lays_one_heart_and_two_diamonds(evening: Evening) -> None:
    assert told(evening, SkatLaid) == [SkatLaid(DEALER, cards(mask("H5 D2 D5")))]
    assert told(evening, SkatShown) == [SkatShown(cards(mask("H5 D2 D5")))]


@pytest.mark.cites("G132")
def test_the_dealer_passes_forehand_has_half_hearts_and_middle_ten_with(evening: Evening) -> None:
    assert told(evening, Declared) == [
        Declared(DEALER, ()),
        Declared(FOREHAND, (HALF_HEARTS,)),
        Declared(MIDDLE, (TEN_WITH,)),
    ]


@pytest.mark.cites("G132")
def test_every_trick_is_played_and_won_as_in_the_book(evening: Evening) -> None:
    tricks = evening.state.deal.tricks
    assert len(tricks) == len(GAME["tricks"]) == 25
    for trick, printed in zip(tricks, GAME["tricks"], strict=True):
        assert [(play.seat, play.card.value) for play in trick.plays] == [
            ((SEATS[printed["leader"]] + place) % 3, card) for place, card in enumerate(printed["played"])
        ]
        assert PEOPLE[trick.winner] == printed["winner"], printed["trick"]
    assert told(evening, TrickWon) == [TrickWon(trick.winner) for trick in tricks]


@pytest.mark.cites("G132", "G61")
def test_the_skus_led_as_spades_in_trick_13_comes_home(evening: Evening) -> None:
    led = evening.log.index(CardPlayed(FOREHAND, parse_card("T0"), "S"))
    assert sum(isinstance(event, TrickWon) for event in evening.log[:led]) == 12
    assert evening.log[led + 1 : led + 3] == [VoidClaimed(MIDDLE), VoidAnswered(DEALER, have=True)]
    assert told(evening, SkusReturned) == [SkusReturned(FOREHAND)]
    assert evening.state.deal.tricks[12].led == SUITS.index("S")


@pytest.mark.cites("G132")
def test_the_payments_come_in_order(evening: Evening) -> None:
    def each(reason: str, points: int, *pairs: tuple[Account, Account]) -> list[tuple[Any, ...]]:
        return [(payer, payee, points, reason) for payer, payee in pairs]

    assert [(t.payer, t.payee, t.points, t.reason) for t in paid(evening)] == [
        *each("found", 20, (0, "king"), (1, "king"), (2, "king")),
        *each("found", 20, (0, "pagat"), (1, "pagat"), (2, "pagat")),
        *each("ante", 5, (DEALER, "king"), (DEALER, "pagat")),
        *each("declaration", 5, (MIDDLE, FOREHAND), (DEALER, FOREHAND)),
        *each("declaration", 10, (DEALER, MIDDLE), (FOREHAND, MIDDLE)),
        *each("kingLost", 5, (DEALER, FOREHAND), (DEALER, MIDDLE), (DEALER, "king")),
        *each("pagatHome", 5, (DEALER, MIDDLE), (FOREHAND, MIDDLE)),
        *each("lastTrick", 20, (DEALER, MIDDLE), (FOREHAND, MIDDLE)),
        *each("count", 5, (MIDDLE, FOREHAND)),
    ]


@pytest.mark.cites("G132")
def test_the_king_of_diamonds_falls_in_trick_12_and_the_pagat_comes_home_in_trick_23(
    evening: Evening,
) -> None:
    after: dict[str, int] = {}
    tricks = 0
    for event in evening.log:
        tricks += isinstance(event, TrickWon)
        if isinstance(event, Paid):
            after |= {transfer.reason: tricks for transfer in event.transfers}
    assert {reason: trick for reason, trick in after.items() if trick} == {
        "kingLost": 12,
        "pagatHome": 23,
        "lastTrick": 25,
        "count": 25,
    }
    about = {t.reason: t.card for t in paid(evening) if t.reason in ("kingLost", "pagatHome", "lastTrick")}
    assert about == {
        "kingLost": parse_card("DK"),
        "pagatHome": parse_card("T1"),
        "lastTrick": parse_card("T20"),
    }


@pytest.mark.cites("G132")
def test_forehand_counts_33_middle_21_and_the_dealer_24(evening: Evening) -> None:
    (counted,) = told(evening, Counted)
    assert (counted.points[FOREHAND], counted.points[MIDDLE], counted.points[DEALER]) == (33, 21, 24)
    assert counted.points == pile_points(evening.state.deal)


@pytest.mark.cites("G132")
def test_the_nets_and_the_cups_are_those_of_the_book(evening: Evening) -> None:
    in_deal = [t for t in paid(evening) if t.reason != "found"]
    assert net(in_deal, FOREHAND, MIDDLE, DEALER) == (-15, 65, -65)
    assert evening.state.deal.net == (-65, -15, 65)
    assert (evening.state.king, evening.state.pagat) == (70, 65)
    assert evening.state.totals == (-65 - 40, -15 - 40, 65 - 40)
    assert evening.log[-1] == DealClosed("played")
    assert evening.state.dealer == FOREHAND  # who deals next


@pytest.mark.cites("G132")
def test_the_settlement_in_the_data_is_the_one_the_engine_makes(evening: Evening) -> None:
    computed = GAME["settlement"]["computed"]
    reasons = {"deposit for dealing": "ante", "king lost DK": "kingLost", "pagat home": "pagatHome"}
    reasons |= {"last trick": "lastTrick", "declaration half": "5", "declaration tarok": "10"}
    for line in computed["lines"]:
        reason = reasons[line["item"]]
        some = [t for t in paid(evening) if reason in (t.reason, str(t.points) * (t.reason == "declaration"))]
        expected = tuple(line.get(who, 0) for who in SEATS)
        assert net(some, *SEATS.values()) == expected, line["item"]
        assert sum(net(some, "king", "pagat")) == line.get("cups", 0)
