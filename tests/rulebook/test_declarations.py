"""Rule B5: what a hand declares, what that pays, who declares when."""

from __future__ import annotations

from typing import Any, Literal

import pytest

from skats import ALL_TAROK, LATER, TIGHT, filled, lay, rows, to_lay
from table import DANISH, Table, danish_rules, dealt, net, strict
from ultimo import deal
from ultimo.cards import Card
from ultimo.danish.declarations import value, vocabulary
from ultimo.events import (
    Announced,
    Claim,
    Declaration,
    Declare,
    Declared,
    IllegalAction,
    Lay,
    OffenceFound,
    SkatLaid,
)
from ultimo.names import names
from ultimo.rulebook import DanishRules, citation
from ultimo.telling.teller import Teller

EVERY_BOOK = " ".join(DANISH)
LATER_BOOKS = " ".join(LATER)
ELEVEN = "T21 T19 T17 T15 T14 T13 T10 T3 T2 T1 T0"
TEN = "T20 T18 T16 T14 T12 T10 T8 T6 T4 T2"
NINE = "T20 T18 T16 T14 T12 T10 T8 T6 T4"
CAVALRY = "SK SQ SN SJ"
KINGS = "SK HK CK DK"

Of = Literal["S", "H", "C", "D", "K"]


def tarok(count: int, pagat: bool) -> Declaration:
    return Declaration("tarok", count, pagat)


def matadors(count: int) -> Declaration:
    return Declaration("matadors", count)


def below(count: int) -> Declaration:
    return Declaration("matadorsBelow", count)


def half(of: Of, missing: str = "") -> Declaration:
    return Declaration("half", of=of, missing=Card(missing) if missing else None)


def full(of: Of) -> Declaration:
    return Declaration("full", of=of)


def over(of: Of) -> Declaration:
    return Declaration("over", of=of)


def said(table: Table, seat: int) -> tuple[Declaration, ...]:
    """What a seat has declared."""
    (declared,) = [event for event in table.events(Declared) if event.seat == seat]
    made: tuple[Declaration, ...] = declared.declarations
    return made


def paid_by_each(table: Table, seat: int) -> int:
    """What each opponent has paid a seat for its declarations; both the same."""
    paid = [t for t in table.transfers() if t.reason == "declaration" and t.payee == seat]
    one, two = (net(paid, other)[0] for other in range(3) if other != seat)
    assert one == two
    return -one


def forehand(rules: DanishRules, hand: str) -> Table:
    """A deal in which forehand, seat 1, has declared from these cards and pips that declare nothing."""
    table = dealt(rules, {1: filled(hand, 25)})
    table.accept_all()
    table.act(0, next(action for action in table.legal(0) if isinstance(action, Lay)))
    return table


# --- what is declared -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("book", "hand", "declared", "points"),
    [
        *rows("G40 I-5.2", LATER_BOOKS, ELEVEN, (tarok(11, True), matadors(3)), 25),
        *rows("G45", LATER_BOOKS, CAVALRY, (full("S"),), 10),
        *rows("G45 I-5.3", LATER_BOOKS, f"{CAVALRY} T0", (over("S"),), 15),
        *rows("G46 I-5.3", LATER_BOOKS, f"{CAVALRY} HK CK DK T0", (over("S"), over("K")), 30),
        *rows("G47", EVERY_BOOK, "SK SQ SN", (), 0),
        *rows("G47", EVERY_BOOK, "SK HK CK", (), 0),
        *rows("G48", EVERY_BOOK, f"{NINE} T0", (tarok(10, False),), 10),
        *rows("G49", EVERY_BOOK, "T21 T20 T0", (), 0),
        *rows("G49", EVERY_BOOK, "T21 T20 T1", (), 0),
        *rows("G50 I-5.4", "basta", "T0 T1 T2 T3", (), 0),
        *rows("G52 I-5.4", "basta", f"{CAVALRY} T0", (over("S"),), 15),
        *rows("I-5.2", EVERY_BOOK, "T21 T19 T1 T0", (matadors(3),), 10),
        *rows("I-5.2", EVERY_BOOK, "T21 T20 T19 T17 T1 T0", (matadors(5),), 20),
        *rows("I-5.2", EVERY_BOOK, ALL_TAROK, (tarok(22, True), matadors(22)), 70 + 105),
        *rows("", EVERY_BOOK, NINE, (), 0),
        *rows("", EVERY_BOOK, KINGS, (full("K"),), 10),
        *rows("", LATER_BOOKS, "SQ SN SJ T0", (half("S", "SK"),), 5),
        *rows("", LATER_BOOKS, "SK HK DK T0", (half("K", "CK"),), 5),
        *rows("", LATER_BOOKS, "SK SQ SN HK CK T0", (half("S", "SJ"), half("K", "DK")), 10),
        *rows("G144h I-5.8", "basta", "HK HN HJ T0", (half("H"),), 5),
        *rows("G144h I-5.8", "basta", "SK HK DK T0", (half("K"),), 5),
        *rows("G144h I-5.8", "basta", "SK SQ SN HK CK T0", (half("S"), half("K")), 10),
    ],
)
def test_what_a_hand_declares_and_each_opponent_pays(
    book: str, hand: str, declared: tuple[Declaration, ...], points: int
) -> None:
    table = forehand(danish_rules(book), hand)
    assert said(table, 1) == declared
    assert paid_by_each(table, 1) == points


@pytest.mark.cites("I-5.5")
@pytest.mark.parametrize("book", DANISH)
def test_ten_tarokker_do_not_say_whether_the_skus_is_among_them(book: str) -> None:
    rules = danish_rules(book)
    assert said(forehand(rules, TEN), 1) == said(forehand(rules, f"{NINE} T0"), 1) == (tarok(10, False),)


@pytest.mark.cites("I-5.6")
@pytest.mark.parametrize("book", DANISH)
@pytest.mark.parametrize("pagat", [True, False])
def test_ten_tarokker_tell_of_the_pagat_and_not_of_t21(book: str, pagat: bool) -> None:
    rules = danish_rules(book)
    last = "T1" if pagat else "T2"
    for first in ("T21", "T19"):
        hand = f"{first} {NINE.removesuffix(' T4')} {last}"
        assert said(forehand(rules, hand), 1) == (tarok(10, pagat),)


@pytest.mark.cites("G144h", "I-5.8")
@pytest.mark.parametrize("missing", ["HK", "HQ", "HN", "HJ"])
def test_in_basta_nobody_is_told_which_card_of_a_half_is_missing(missing: str) -> None:
    rules = danish_rules("basta")
    table = forehand(rules, " ".join({"HK", "HQ", "HN", "HJ", "T0"} - {missing}))
    (declared,) = [event for event in table.events(Declared) if event.seat == 1]
    assert declared == Declared(1, (half("H"),))
    told = Teller(names("da"), rules, ("A", "B", "C")).declarations(declared.declarations)
    assert told == "Halvt kavalleri i hjerter"


@pytest.mark.cites("I-5.8")
@pytest.mark.parametrize("book", DANISH)
@pytest.mark.parametrize("named", [True, False])
def test_whether_the_missing_card_is_named_is_a_house_rule(book: str, named: bool) -> None:
    rules = danish_rules(book, {"decl.nameMissing": named})
    spoken = half("H", "HQ") if named else half("H")
    assert said(forehand(rules, "HK HN HJ T0"), 1) == (spoken,)
    assert [
        one for some in vocabulary(rules.decl) for one in some if one.kind == "half" and one.of == "H"
    ] == ([half("H", card) for card in ("HJ", "HN", "HQ", "HK")] if named else [spoken])


@pytest.mark.cites("I-5.8")
def test_a_half_that_names_no_card_is_false_only_if_the_hand_does_not_hold_three() -> None:
    rules = strict("basta", "declare")
    for hand, found in (("HK HN HJ T0", []), ("HK HN T0", ["wrongDecl"])):
        table = dealt(rules, {1: filled(hand, 25)})
        table.act(0, next(action for action in table.legal(0) if isinstance(action, Lay)))
        for seat, spoken in ((0, ()), (1, (half("H"),)), (2, ())):
            table.act(seat, Declare(spoken))
        table.act(2, Claim("declaration", 1))
        assert [event.offence for event in table.events(OffenceFound)] == found


# --- house rules ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "value", "hand", "before", "after"),
    [
        ("decl.tarok.min", 9, NINE, 0, 10),
        ("decl.tarok.min", 11, TEN, 10, 0),
        ("decl.tarok.base", 12, TEN, 10, 12),
        ("decl.tarok.step", 7, f"{TEN} T3", 15, 17),
        ("decl.matador.min", 4, "T21 T1 T0", 10, 0),
        ("decl.matador.base", 12, "T21 T1 T0", 10, 12),
        ("decl.matador.step", 7, "T21 T20 T1 T0", 15, 17),
        ("decl.half", 6, "SK SQ SN T0", 5, 6),
        ("decl.half", 6, "SK HK CK T0", 5, 6),
        ("decl.full", 11, CAVALRY, 10, 11),
        ("decl.full", 11, KINGS, 10, 11),
        ("decl.over", 16, f"{CAVALRY} T0", 15, 16),
        ("decl.over", 16, f"{KINGS} T0", 15, 16),
        ("decl.overfull", False, f"{CAVALRY} T0", 15, 10),
        ("decl.overfull", False, f"{KINGS} T0", 15, 10),
        ("decl.matadorsFromBelow", True, "T3 T2 T1 T0", 0, 15),
    ],
)
@pytest.mark.parametrize("book", DANISH)
def test_every_price_of_a_declaration_is_a_house_rule(
    book: str, key: str, value: Any, hand: str, before: int, after: int
) -> None:
    assert paid_by_each(forehand(danish_rules(book), hand), 1) == before
    assert paid_by_each(forehand(danish_rules(book, {key: value}), hand), 1) == after


@pytest.mark.parametrize(
    ("hand", "declared", "points"),
    [
        pytest.param("T3 T2 T1 T0", (below(4),), 15, marks=pytest.mark.cites("G50")),
        pytest.param(
            "T21 T20 T2 T1 T0", (matadors(4), below(3)), 25, marks=pytest.mark.cites("G51", "I-5.4")
        ),
        pytest.param("T2 T1", (), 0, marks=pytest.mark.cites("G50")),
        pytest.param("T3 T2 T0", (), 0, marks=pytest.mark.cites("G50")),
        pytest.param("T3 T1 T0", (), 0, marks=pytest.mark.cites("G50")),
        pytest.param(
            ALL_TAROK, (tarok(22, True), matadors(22), below(22)), 280, marks=pytest.mark.cites("I-5.4")
        ),
    ],
)
def test_matadors_from_below_are_paid_like_those_from_above(
    hand: str, declared: tuple[Declaration, ...], points: int
) -> None:
    table = forehand(danish_rules("basta", {"decl.matadorsFromBelow": True}), hand)
    assert said(table, 1) == declared
    assert paid_by_each(table, 1) == points


@pytest.mark.cites("G52", "I-5.4")
def test_without_full_blood_four_courts_and_the_skus_are_a_cavalry() -> None:
    table = forehand(danish_rules("basta", {"decl.overfull": False}), f"{CAVALRY} T0")
    assert said(table, 1) == (full("S"),)
    assert paid_by_each(table, 1) == 10


@pytest.mark.parametrize(
    ("book", "half_hearts", "full_kings", "over_spades", "both"),
    [
        (
            "jensen",
            "Halvfuld melding i hjerter, mangler kongen",
            "Fuld melding i konger",
            "Overfyldt melding i spar",
            "13 med og 3 matadorer",
        ),
        ("hermansen", "Hjerter uden konge", "Fulde konger", "Overfyldte spar", "13 med 3"),
        (
            "vlk",
            "Halvfuld melding i hjerter, mangler kongen",
            "Helt i konger",
            "Sprøjte i spar",
            "13 med 3 store",
        ),
        (
            "basta",
            "Halvt kavalleri i hjerter uden konge",
            "Hele konger",
            "Fuldblods kavalleri i spar",
            "13 tarokker med pagat og 3 matadorer",
        ),
        ("dtf", "Halvt i hjerter uden konge", "Fuldt i konger", "Sprøjte i spar", "13 med og 3 matadorer"),
    ],
)
def test_each_book_has_its_words_for_a_declaration(
    book: str, half_hearts: str, full_kings: str, over_spades: str, both: str
) -> None:
    words, danish = danish_rules(book).decl.words, names("da")
    assert danish.declaration(words, "half", of="H", missing="HK") == half_hearts
    assert danish.declaration(words, "full", of="K") == full_kings
    assert danish.declaration(words, "over", of="S") == over_spades
    together = [("tarok", 13, True, None, None), ("matadors", 3, None, None, None)]
    assert danish.declarations(words, together) == both
    assert danish.declarations(words, ()) == "Pas"


# --- the dealer -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("book", "basis", "points"),
    [
        *rows("G35 I-5.1", LATER_BOOKS, None, 85),
        *rows("I-5.1", LATER_BOOKS, 25, 75),  # half spades instead of overfull ones
        *rows("I-5.1", "basta", None, 75),
        *rows("I-5.1", "basta", 28, 85),
    ],
)
def test_the_dealer_declares_on_28_cards_or_on_the_25_he_keeps(
    book: str, basis: int | None, points: int
) -> None:
    table = to_lay(danish_rules(book, {"decl.dealerBasis": basis} if basis else None), TIGHT)
    table.act(0, lay("CQ C2 SJ"))
    assert paid_by_each(table, 0) == points
    assert ((half("S") if book == "basta" else half("S", "SJ")) in said(table, 0)) == (points == 75)


@pytest.mark.cites("G53", "I-5.1", "I-4.3")
def test_in_basta_a_dealer_who_lays_one_of_four_courts_has_no_cavalry() -> None:
    table = to_lay(danish_rules("basta"), filled(f"T9 {CAVALRY}"))
    table.act(0, lay("SJ S1 S2"))
    assert said(table, 0) == ()
    kept = to_lay(danish_rules("basta"), filled(f"T9 {CAVALRY}"))
    kept.act(0, lay("S1 S2 S3"))
    assert said(kept, 0) == (full("S"),)


@pytest.mark.cites("I-5.7")
@pytest.mark.parametrize("mode", ["auto", "manual"])
@pytest.mark.parametrize(
    ("book", "declared"),
    [
        ("jensen", (half("S", "SJ"),)),
        ("hermansen", (half("S", "SJ"),)),
        ("vlk", (half("S", "SJ"),)),
        ("basta", ()),
    ],
)
def test_tout_is_known_before_the_dealer_declares_and_the_skus_laid_counts_on_28_cards(
    book: str, declared: tuple[Declaration, ...], mode: str
) -> None:
    table = to_lay(danish_rules(book, {"decl.mode": mode}), filled("T9 T0 SK SQ SN"))
    start = len(table.log)
    table.act(0, lay("T0 S1 S2", tout=True))
    if mode == "manual":
        table.act(0, Declare(declared))
    told = [event for event in table.log[start:] if isinstance(event, SkatLaid | Announced | Declared)]
    assert told[0] == SkatLaid(0, lay("S1 S2 T0").cards, tout=True)
    if book == "basta":
        assert told.pop(1) == Announced(0, "tout", 1)
    assert told[1] == Declared(0, declared)


# --- order and duty -------------------------------------------------------------------------------------


@pytest.mark.cites("G54", "I-1.5")
@pytest.mark.parametrize("book", DANISH)
@pytest.mark.parametrize("mode", ["auto", "manual"])
def test_dealer_forehand_and_middle_declare_in_this_order(book: str, mode: str) -> None:
    table = to_lay(danish_rules(book, {"decl.mode": mode}), filled(CAVALRY), {1: "HK HQ HN HJ", 2: "CK DK"})
    table.act(0, lay("S1 S2 S3"))
    if mode == "manual":
        assert table.events(Declared) == []
        for seat in (0, 1, 2):
            assert deal.waiting_for(table.rules, table.state) == (seat,)
            table.act(seat, next(iter(table.legal(seat))))
    assert [event.seat for event in table.events(Declared)] == [0, 1, 2]
    assert table.state.phase == ("announce" if book == "basta" else "play")


@pytest.mark.parametrize("book", DANISH)
def test_who_speaks_for_himself_declares_exactly_what_he_holds_unless_he_may_err(book: str) -> None:
    hand = filled(CAVALRY)
    careful = to_lay(danish_rules(book, {"decl.mode": "manual"}), hand)
    careful.act(0, lay("S1 S2 S3"))
    with pytest.raises(IllegalAction, match="declare exactly what you have"):
        careful.act(0, Declare(()))
    with pytest.raises(IllegalAction, match="not your turn"):
        careful.act(1, Declare(()))
    assert careful.act(0, Declare((full("S"),)))[0] == Declared(0, (full("S"),))
    half_kings = half("K") if book == "basta" else half("K", "DK")
    for wrong in ((), (over("S"),), (full("S"), tarok(10, False)), (full("S"), half_kings)):
        free = to_lay(strict(book, "declare", **{"decl.mode": "manual"}), hand)
        free.act(0, lay("S1 S2 S3"))
        free.act(0, Declare(wrong))
        assert said(free, 0) == wrong
        assert paid_by_each(free, 0) == sum(value(danish_rules(book), one) for one in wrong)


def test_in_basta_what_is_declared_too_early_is_not_paid_though_the_others_are() -> None:
    rules = strict("basta", "declare", **{"decl.mode": "manual"})
    table = to_lay(rules, filled(CAVALRY), {1: "HK HQ HN HJ"})
    table.act(1, Declare((full("H"),)))
    table.act(0, lay("S1 S2 S3"))
    table.act(0, Declare((full("S"),)))
    assert table.events(Declared)[0] == Declared(1, (full("H"),), early=True)
    paid = [t for t in table.transfers() if t.reason == "declaration"]
    assert net(paid, 0, 1, 2) == (20, -10, -10)
    assert deal.waiting_for(rules, table.state) == (2,)


@pytest.mark.cites("G55")
@pytest.mark.parametrize("book", DANISH)
def test_the_two_opponents_pay_and_the_sitter_does_not(book: str) -> None:
    hands = {1: filled("HK HQ HN T0", 25)}
    table = dealt(danish_rules(book), hands, (1, 3, 0), 4)
    table.accept_all()
    table.act(0, next(action for action in table.legal(0) if isinstance(action, Lay)))
    assert said(table, 1) == (half("H") if book == "basta" else half("H", "HJ"),)
    paid = [t for t in table.transfers() if t.reason == "declaration" and t.payee == 1]
    assert net(paid, 0, 1, 2, 3) == (-5, 10, 0, -5)
    assert {t.cite for t in paid} == {citation(danish_rules(book), "decl.half")}
