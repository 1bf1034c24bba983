"""Rules B8: what kings and the pagat pay in tricks 1 to 24."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from table import DANISH, Table, danish_rules, dealt, ending, net, strict
from ultimo.cards import SUIT_CARDS, Card, cards, mask
from ultimo.danish import Outcome, settle
from ultimo.danish.outcome import LostKing, PagatFate
from ultimo.events import Claim, DealClosed, Paid, TrickWon
from ultimo.rulebook import DanishRules

A, B, C = 1, 2, 0  # forehand, middle, dealer
EVERYBODY = (A, B, C, "king", "pagat")
WITH_CUP = ("jensen", "hermansen", "vlk", "dtf")


def at_trick(rules: DanishRules, number: int, hands: Mapping[int, tuple[str, str]], leader: int) -> Table:
    """A deal before trick `number`: each hand's cards, and the suits that fill it up from the lowest."""
    held = {seat: mask(some) for seat, (some, _) in hands.items()}
    for seat, (_, suits) in hands.items():
        for suit in suits:
            for card in cards(SUIT_CARDS["SHCDT".index(suit)] & ~sum(held.values())):
                if held[seat].bit_count() < 26 - number:
                    held[seat] |= card.bit
    notation = {seat: " ".join(card.value for card in cards(hand)) for seat, hand in held.items()}
    return ending(rules, notation, leader)


def paid(table: Table) -> tuple[int, ...]:
    """What A, B, C and the two cups have gained."""
    return net(table.transfers(), *EVERYBODY)


def for_books(with_cup: tuple[int, ...], basta: tuple[int, ...]) -> list[Any]:
    """Rows for all Danish books: Basta's king pays nothing into its cup."""
    return [(book, basta if book == "basta" else with_cup) for book in DANISH]


def ruffed_king(rules: DanishRules) -> Table:
    """Trick 12: A's king of spades falls to B's T20."""
    table = at_trick(rules, 12, {A: ("SK", "S"), B: ("T20", "H"), C: ("", "C")}, A)
    table.play("SK", "T20", "C1")
    return table


def pagat_ruffs(rules: DanishRules, other: str) -> Table:
    """Trick 8: B leads a diamond, C plays the `other` card, A ruffs with the pagat."""
    table = at_trick(rules, 8, {A: ("T1", "SH"), B: ("D4", "D"), C: (other, "C")}, B)
    table.play("D4", other, "T1")
    return table


# --- kings ---------------------------------------------------------------------------------------------


@pytest.mark.cites("G85", "I-8.1")
@pytest.mark.parametrize("book", WITH_CUP)
def test_a_beaten_king_pays_each_opponent_and_the_king_cup(book: str) -> None:
    assert paid(ruffed_king(danish_rules(book))) == (-15, 5, 5, 5, 0)


@pytest.mark.cites("G86")
def test_bastas_beaten_king_pays_nothing_into_the_cup() -> None:
    assert paid(ruffed_king(danish_rules("basta"))) == (-10, 5, 5, 0, 0)


@pytest.mark.cites("G87", "I-8.2")
@pytest.mark.parametrize(("book", "expected"), for_books((-15, 5, 5, 5, 0), (-10, 5, 5, 0, 0)))
def test_a_king_thrown_off_pays_as_a_lost_one(book: str, expected: tuple[int, ...]) -> None:
    table = at_trick(danish_rules(book), 14, {A: ("SK", "S"), B: ("D4", "D"), C: ("", "CH")}, B)
    table.play("D4", "C1", "SK")
    assert (table.state.tricks[-1].winner, paid(table)) == (B, expected)


@pytest.mark.cites("G88", "I-8.3")
@pytest.mark.parametrize(("book", "expected"), for_books((-10, 10, -10, 10, 0), (-5, 10, -5, 0, 0)))
def test_two_players_who_lose_kings_in_one_trick_both_pay(book: str, expected: tuple[int, ...]) -> None:
    table = at_trick(danish_rules(book), 14, {A: ("SK", "S"), B: ("T20", "D"), C: ("HK", "C")}, A)
    table.play("SK", "T20", "HK")
    assert paid(table) == expected


@pytest.mark.cites("I-8.1", "I-8.3")
@pytest.mark.parametrize(("book", "expected"), for_books((-10, 10, -10, 5, 5), (-5, 10, -10, 0, 5)))
def test_king_and_pagat_lost_in_one_trick_pay_each_into_its_own_cup(
    book: str, expected: tuple[int, ...]
) -> None:
    table = at_trick(danish_rules(book), 14, {A: ("SK", "S"), B: ("T20", "D"), C: ("T1", "C")}, A)
    table.play("SK", "T20", "T1")
    assert paid(table) == expected


@pytest.mark.parametrize("book", DANISH)
def test_a_king_that_wins_its_trick_is_paid_nothing(book: str) -> None:
    table = at_trick(danish_rules(book), 14, {A: ("SK", "S"), B: ("", "D"), C: ("", "C")}, A)
    table.play("SK", "D1", "C1")
    assert table.state.tricks[-1].winner == A
    assert table.transfers() == []


# --- the pagat -----------------------------------------------------------------------------------------


@pytest.mark.cites("G89")
@pytest.mark.parametrize("book", DANISH)
def test_a_pagat_that_wins_its_trick_is_paid_by_each_opponent(book: str) -> None:
    assert paid(pagat_ruffs(danish_rules(book), "D6")) == (10, -5, -5, 0, 0)


@pytest.mark.cites("G90", "I-8.1")
@pytest.mark.parametrize("book", DANISH)
def test_a_lost_pagat_pays_each_opponent_and_the_pagat_cup(book: str) -> None:
    assert paid(pagat_ruffs(danish_rules(book), "T15")) == (-15, 5, 5, 0, 5)


# --- who pays, and when --------------------------------------------------------------------------------


@pytest.mark.cites("G91", "I-8.4")
def test_a_player_on_his_way_to_a_nolo_pays_for_a_lost_king_like_anyone() -> None:
    table = at_trick(danish_rules("jensen"), 5, {A: ("SK", "SD"), B: ("T20", "HT"), C: ("T2", "CT")}, A)
    table.play("SK", "T20", "T2")
    assert table.state.won[A] == 0
    assert paid(table) == (-15, 5, 5, 5, 0)


@pytest.mark.cites("I-8.4")
def test_a_nolo_that_is_won_does_not_give_back_what_a_lost_king_has_paid() -> None:
    table = ending(danish_rules("jensen"), {A: "SK S4", B: "T20 T19", C: "C1 C2"}, A, won={B: 12, C: 11})
    table.play("SK", "T20", "C1", "T19", "C2", "S4")
    assert [t.reason for t in table.transfers()].count("nolo") == 2
    assert paid(table) == (-15 - 20 + 50, 5 + 40 - 25, 5 - 20 - 25, 5, 0)


@pytest.mark.cites("I-8.5")
def test_a_lost_king_is_paid_when_the_trick_is_complete() -> None:
    table = at_trick(danish_rules("jensen"), 12, {A: ("SK", "S"), B: ("T20", "H"), C: ("", "C")}, A)
    table.play("SK", "T20")
    assert table.transfers() == []
    table.play("C1")
    assert [type(event) for event in table.log[-2:]] == [TrickWon, Paid]


@pytest.mark.cites("I-8.5", "I-11.4")
@pytest.mark.parametrize("book", ["jensen", "hermansen", "vlk"])
def test_what_a_lost_king_has_paid_stands_when_the_deal_is_scrapped_later(book: str) -> None:
    table = ending(strict(book, "follow"), {A: "SK S4 S5", B: "T20 S6 D1", C: "C1 C2 C3"}, A)
    table.play("SK", "T20", "C1")
    table.act(A, Claim("revoke", B))
    assert table.log[-1] == DealClosed("scrapped")
    assert paid(table) == (-15, 5 - 80, 5, 5 + 40, 40)


@pytest.mark.cites("I-8.6")
@pytest.mark.parametrize("book", DANISH)
@pytest.mark.parametrize("card", ["SK", "T1"])
def test_the_last_trick_has_prices_of_its_own(book: str, card: str) -> None:
    lost = ending(danish_rules(book), {A: "T20", B: card, C: "C1"}, A, won={A: 8, B: 8, C: 8})
    lost.play("T20", card, "C1")
    won = ending(danish_rules(book), {A: card, B: "D1", C: "C1"}, A, won={A: 8, B: 8, C: 8})
    won.play(card, "D1", "C1")
    reasons = {t.reason for table in (lost, won) for t in table.transfers()}
    assert reasons & {"kingLost", "pagatLost", "pagatHome"} == set()
    assert {"kingBagud", "kingUltimo"} <= reasons or {"pagatBagud", "pagatUltimo"} <= reasons


@pytest.mark.parametrize("book", DANISH)
def test_who_sits_out_neither_pays_nor_is_paid(book: str) -> None:
    order = (1, 3, 0)
    spades = "S1 S2 S3 S4 S5 S6 S7 S8 S9 S10 SJ SN SQ SK"
    table = dealt(danish_rules(book), {1: spades, 3: "T20 T2 T3 T4", 0: "T5 T6 T7 T8"}, order, table=4)
    table.accept_all()
    table.act(0, next(iter(table.legal(0))))
    before = table.state.net
    table.play("SK", "T20", "T5")
    gained = tuple(now - then for now, then in zip(table.state.net, before, strict=True))
    assert gained == ((5, -10, 0, 5) if book == "basta" else (5, -15, 0, 5))


# --- as parameters, and on a score sheet ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "king", "home", "lost"),
    [
        ("pay.kingLost", (-19, 7, 7, 5, 0), (10, -5, -5, 0, 0), (-15, 5, 5, 0, 5)),
        ("pay.kingLostCup", (-17, 5, 5, 7, 0), (10, -5, -5, 0, 0), (-15, 5, 5, 0, 5)),
        ("pay.pagatHome", (-15, 5, 5, 5, 0), (14, -7, -7, 0, 0), (-15, 5, 5, 0, 5)),
        ("pay.pagatLost", (-15, 5, 5, 5, 0), (10, -5, -5, 0, 0), (-19, 7, 7, 0, 5)),
        ("pay.pagatLostCup", (-15, 5, 5, 5, 0), (10, -5, -5, 0, 0), (-17, 5, 5, 0, 7)),
    ],
)
def test_each_price_can_be_another_in_a_house(
    key: str, king: tuple[int, ...], home: tuple[int, ...], lost: tuple[int, ...]
) -> None:
    rules = danish_rules("jensen", {key: 7})
    assert paid(ruffed_king(rules)) == king
    assert paid(pagat_ruffs(rules, "D6")) == home
    assert paid(pagat_ruffs(rules, "T15")) == lost


def test_without_cups_only_the_opponents_are_paid() -> None:
    rules = danish_rules("jensen", {"cups.enabled": False})
    assert paid(ruffed_king(rules)) == (-10, 5, 5, 0, 0)
    assert paid(pagat_ruffs(rules, "T15")) == (-10, 5, 5, 0, 0)


@pytest.mark.cites("I-8.3")
@pytest.mark.parametrize("book", DANISH)
def test_a_score_sheet_comes_to_the_same_payments(book: str) -> None:
    rules = danish_rules(book)
    outcome = Outcome(
        table=3,
        order=(A, B, C),
        king=60,
        pagat=60,
        kings_lost=(LostKing(A, Card("SK")), LostKing(C, Card("HK"))),
        pagat_fate=PagatFate(B, home=True),
    )
    two_kings = at_trick(rules, 14, {A: ("SK", "S"), B: ("T20", "D"), C: ("HK", "C")}, A)
    two_kings.play("SK", "T20", "HK")
    pagat = at_trick(rules, 14, {A: ("S4", "S"), B: ("T1", "D"), C: ("", "C")}, A)
    pagat.play("S4", "T1", "C1")
    noted = [t for t in settle(rules, outcome).transfers if t.reason != "ante"]
    assert noted == two_kings.transfers() + pagat.transfers()
