"""Rule B4: which three cards the dealer may lay."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest

from skats import (
    ALL_TAROK,
    HALF_SPADES,
    LATER,
    TIGHT,
    TWO_TAROK,
    allows,
    filled,
    lay,
    offered_skats,
    rows,
    to_lay,
)
from table import DANISH, danish_rules, ending, net
from ultimo import deal
from ultimo.cards import KINGS, PACK, SKUS, T21, TRUMPS, UNSEEN, Cards, cards, mask, parse_cards
from ultimo.danish.state import pile_points
from ultimo.events import Announced, Counted, DealClosed, IllegalAction, Lay, SkatLaid
from ultimo.play.counting import honours_of
from ultimo.rulebook import DanishRules, citation

EVERY_BOOK = " ".join(DANISH)
LATER_BOOKS = " ".join(LATER)


# --- what may be laid -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("book", "hand", "skat", "legal"),
    [
        *rows("G22", EVERY_BOOK, TWO_TAROK, "T20 T2 C10", True),
        *rows("G23", LATER_BOOKS, TWO_TAROK, "T20 C10 C9", False),
        *rows("G24 I-4.3", "basta", TWO_TAROK, "T20 C10 C9", True),
        *rows("G25", "jensen hermansen", filled("T14 T6 T1 T0"), "T14 T6 T1", True),
        *rows("G26", "vlk dtf", filled("T14 T6 T1 T0"), "T14 T6 T1", False),
        *rows("G27", LATER_BOOKS, filled("T21 T3 T2"), "T3 T2 S1", False),
        *rows("G28", EVERY_BOOK, filled("T14 T6 T5 T2"), "T2 S1 S2", False),
        *rows("G28", EVERY_BOOK, filled("T14 T6 T5 T2"), "T14 T6 T5", False),
        *rows("G31", EVERY_BOOK, filled("T9 T0"), "T0 S1 S2", False),
        *rows("G31", EVERY_BOOK, filled("T0"), "T0 S1 S2", False),
        *rows("G32", EVERY_BOOK, filled("T9 SK"), "SK S1 S2", False),
        *rows("G32", EVERY_BOOK, filled("T21 T3"), "T21 T3 S2", False),
        *rows("G32", EVERY_BOOK, filled("T21"), "T21 S1 S2", False),
        *rows("G33 I-4.2", LATER_BOOKS, HALF_SPADES, "SQ C2 C1", False),
        *rows("I-4.3", "basta", HALF_SPADES, "SQ C2 C1", True),
        *rows("G39c", "jensen hermansen basta", filled("T1"), "T1 S1 S2", True),
        *rows("G39c", "vlk dtf", filled("T1"), "T1 S1 S2", False),
        *rows("G39d I-4.3", "basta", filled("T21 T3 T2"), "T3 S1 S2", True),
        *rows("G39d I-4.3", "basta", filled("T21 T3 T2"), "T3 T2 S2", True),
        *rows("I-4.3", "basta", filled("T5 T3 T2 T0"), "T3 S1 S2", True),  # the skus is not counted
        *rows("I-4.2", LATER_BOOKS, filled("T9 SK SQ SN SJ"), "SJ S1 S2", False),
    ],
)
def test_which_three_cards_make_a_skat(book: str, hand: str, skat: str, legal: bool) -> None:
    assert allows(danish_rules(book), hand, skat) == legal


@pytest.mark.cites("G27")
@pytest.mark.parametrize("book", LATER)
def test_with_t21_among_three_tarokker_none_is_laid(book: str) -> None:
    assert not any(skat & TRUMPS for skat in offered_skats(danish_rules(book), filled("T21 T3 T2")))


@pytest.mark.parametrize(
    ("book", "key", "value", "hand", "skat", "legal"),
    [
        ("jensen", "skat.forbidPagat", True, filled("T14 T6 T1 T0"), "T14 T6 T1", False),
        ("dtf", "skat.forbidPagat", False, filled("T14 T6 T1 T0"), "T14 T6 T1", True),
        ("basta", "skat.forbidPagat", True, filled("T14 T6 T1 T0"), "T14 T6 T1", False),
        ("jensen", "skat.forbidDeclared", False, HALF_SPADES, "SQ C2 C1", True),
        ("basta", "skat.forbidDeclared", True, HALF_SPADES, "SQ C2 C1", False),
        ("jensen", "skat.tarokAllOrNone", False, TWO_TAROK, "T20 C10 C9", True),
        ("basta", "skat.tarokAllOrNone", True, TWO_TAROK, "T20 C10 C9", False),
    ],
)
def test_what_may_be_laid_is_a_house_rule(
    book: str, key: str, value: bool, hand: str, skat: str, legal: bool
) -> None:
    assert allows(danish_rules(book), hand, skat) != legal
    assert allows(danish_rules(book, {key: value}), hand, skat) == legal


@pytest.mark.parametrize(
    ("book", "hand", "wish", "reason", "key"),
    [
        ("jensen", TWO_TAROK, lay("S1 S5"), "three different cards", "skat"),
        ("jensen", TWO_TAROK, Lay(parse_cards("S1 S5") * 2), "three different cards", "skat"),
        ("jensen", TWO_TAROK, lay("S1 S5 S2"), "do not have", "skat"),
        ("jensen", TWO_TAROK, lay("S1 S5 SK"), "kings or trump 21", "skat"),
        ("jensen", HALF_SPADES, lay("C1 C2 T0"), "you cannot discard the skus", "skat.skusForTout"),
        (
            "jensen",
            HALF_SPADES,
            lay("C1 C2 S7", tout=True),
            "to announce tout, discard the skus as well",
            "skat.skusForTout",
        ),
        ("dtf", HALF_SPADES, lay("C1 C2 T0", tout=True), "only if the book allows it", "skat.skusForTout"),
        ("vlk", filled("T6 T1"), lay("T6 T1 S1"), "the pagat", "skat.forbidPagat"),
        ("jensen", HALF_SPADES, lay("C1 C2 SQ"), "cards of a declaration", "skat.forbidDeclared"),
        ("jensen", filled("T6 T5 T4 T3"), lay("T6 S1 S2"), "more than three trumps", "skat.tarokAllOrNone"),
        ("jensen", TWO_TAROK, lay("T20 S1 S5"), "all your trumps or none", "skat.tarokAllOrNone"),
        (
            "jensen",
            f"{TIGHT} C3".replace("T7 ", ""),
            lay("CQ C2 SJ"),
            "cards of a declaration",
            "skat.forbidDeclared",
        ),
    ],
)
def test_a_refused_skat_is_refused_with_its_reason(
    book: str, hand: str, wish: Lay, reason: str, key: str
) -> None:
    table = to_lay(danish_rules(book), hand)
    with pytest.raises(IllegalAction, match=reason) as refused:
        table.act(0, wish)
    assert refused.value.cite == citation(table.rules, key)
    with pytest.raises(IllegalAction, match="only the dealer discards"):
        table.act(1, wish)


# --- the formula of B4 ----------------------------------------------------------------------------------


def in_declarations(hand: Cards) -> Cards:
    """The set D of rules B4, for hands on which nothing but the usual is declared."""
    skus = bool(hand & SKUS)
    together = 0
    if (hand & (TRUMPS | SKUS)).bit_count() >= 10:
        together |= hand & TRUMPS
    if hand & mask("T21 T1 T0") == mask("T21 T1 T0"):
        together |= mask("T21 T1")
        for number in range(20, 1, -1):
            if not hand & mask(f"T{number}"):
                break
            together |= mask(f"T{number}")
    for family in (*(mask(f"{suit}K {suit}Q {suit}N {suit}J") for suit in "SHCD"), KINGS):
        if (hand & family).bit_count() + skus >= 4:
            together |= hand & family
    return together


def formula(rules: DanishRules, hand: Cards, tout: bool) -> set[Cards]:
    """The legal skats, card by card as rules B4 has them."""
    hard = KINGS | T21 | (mask("T1") if rules.skat.forbid_pagat else 0) | (0 if tout else SKUS)
    real = hand & TRUMPS
    declared = in_declarations(hand) if rules.skat.forbid_declared else 0
    every = [mask(some) for some in combinations(cards(hand), 3)]
    legal = {
        skat
        for skat in every
        if not skat & (hard | declared)
        and (
            not skat & real
            or (real.bit_count() <= 3 and (real & ~skat == 0 or not rules.skat.tarok_all_or_none))
        )
        and (not tout or skat & SKUS)
    }
    if legal:
        return legal
    must = (hand & ~hard & ~real & ~declared & ~SKUS) | (SKUS if tout else 0)
    courts = declared & ~hard & ~real
    if (must | courts).bit_count() < 3:
        must, courts = must | courts, real & ~hard
    return {skat for skat in every if must & ~skat == 0 and skat & ~must & ~courts == 0}


def dealers_hands(rng: Random) -> list[str]:
    """Hands of all sorts: at random, with few tarokker, with many, with courts."""
    hands = []
    for tarokker in (0, 1, 2, 3, 4, 8, 12, 17, 20, 22):
        tarok = rng.sample(PACK[56:], tarokker)
        suits = rng.sample(PACK[:56], 28 - tarokker)
        if tarokker > 15:
            courts = [card for card in PACK[:56] if card.index % 14 >= 10]
            suits = rng.sample(courts, 28 - tarokker)
        hands.append(" ".join(card.value for card in [*tarok, *suits]))
    return [*hands, TIGHT, HALF_SPADES, TWO_TAROK]


@pytest.mark.cites("I-4.1", "I-4.2", "I-4.3")
@pytest.mark.parametrize("book", DANISH)
@pytest.mark.parametrize("seed", range(3))
def test_the_dealer_is_offered_exactly_the_skats_of_the_formula(book: str, seed: int) -> None:
    rules = danish_rules(book)
    for hand in dealers_hands(Random(seed)):
        assert offered_skats(rules, hand) == formula(rules, mask(hand), tout=False)
        tout = rules.skat.skus_for_tout and "T0" in hand.split()
        assert offered_skats(rules, hand, tout=True) == (
            formula(rules, mask(hand), tout=True) if tout else set()
        )


# --- cards of a declaration -----------------------------------------------------------------------------


@pytest.mark.cites("G34", "I-4.1", "I-4.2")
@pytest.mark.parametrize("book", LATER)
def test_who_cannot_spare_three_lays_courts_of_a_declaration_before_tarok(book: str) -> None:
    expected = {mask(f"CQ C2 {court}") for court in ["SQ", "SN", "SJ", "HQ", "HN", "HJ"]}
    assert offered_skats(danish_rules(book), TIGHT) == expected


@pytest.mark.cites("G39e", "I-4.1")
@pytest.mark.parametrize("book", ["jensen", "hermansen", "vlk"])
def test_with_tout_announced_the_same_hand_has_one_skat(book: str) -> None:
    assert offered_skats(danish_rules(book), TIGHT, tout=True) == {mask("T0 CQ C2")}


@pytest.mark.cites("I-4.1")
@pytest.mark.parametrize(
    ("book", "ways"), [("jensen", 20), ("hermansen", 20), ("basta", 20), ("vlk", 19), ("dtf", 19)]
)
def test_when_courts_run_out_a_tarok_goes_that_is_not_barred(book: str, ways: int) -> None:
    offered = offered_skats(danish_rules(book), f"{ALL_TAROK} SK HK CK DK S2 S3")
    assert len(offered) == ways
    assert all(skat & mask("S2 S3") == mask("S2 S3") and skat & TRUMPS & ~T21 for skat in offered)


@pytest.mark.cites("I-4.1")
@pytest.mark.parametrize("book", LATER)
def test_both_courts_go_before_the_first_tarok(book: str) -> None:
    offered = offered_skats(danish_rules(book), f"{ALL_TAROK} SK SQ SN HK CK DK")
    assert offered
    assert all(skat & mask("SQ SN") == mask("SQ SN") for skat in offered)


# --- the skus and the pagat in the skat -----------------------------------------------------------------


@pytest.mark.parametrize(
    "book",
    [
        *rows("G29", "jensen hermansen vlk"),
        *rows("G29 I-4.5", "basta"),
    ],
)
def test_the_skus_is_laid_with_tout_announced_to_all(book: str) -> None:
    table = to_lay(danish_rules(book), filled("T9 T0"))
    before = table.state
    told = table.act(0, lay("T0 S1 S2", tout=True))
    for viewer in (1, 2, None):
        assert deal.seen_by(table.rules, before, viewer, told[0]) == SkatLaid(0, (UNSEEN,) * 3, tout=True)
    assert deal.seen_by(table.rules, before, 0, told[0]) == told[0]


@pytest.mark.cites("G30")
def test_in_dtf_the_skus_is_never_laid() -> None:
    assert not allows(danish_rules("dtf"), filled("T9 T0"), "T0 S1 S2", tout=True)


@pytest.mark.parametrize(("book", "value"), [("jensen", False), ("basta", False), ("dtf", True)])
def test_laying_the_skus_for_tout_is_a_house_rule(book: str, value: bool) -> None:
    rules = danish_rules(book, {"skat.skusForTout": value})
    assert allows(rules, filled("T9 T0"), "T0 S1 S2", tout=True) == value
    assert not allows(rules, filled("T9 T0"), "T0 S1 S2")


@pytest.mark.cites("I-4.5")
@pytest.mark.parametrize(("book", "lost"), [("jensen", 0), ("hermansen", 0), ("vlk", 0), ("basta", 52)])
def test_a_tout_that_fails_costs_only_where_it_was_announced_for_a_price(book: str, lost: int) -> None:
    table = to_lay(danish_rules(book), filled("T9 T0"))
    table.act(0, lay("T0 S1 S2", tout=True))
    assert table.events(Announced) == ([Announced(0, "tout", 1)] if lost else [])
    table.play_on()
    paid = [t for t in table.transfers() if t.reason == "toutLost" and t.payer == 0]
    assert net(paid, 0, 1, 2) == (-2 * lost, lost, lost)
    state = table.state
    assert pile_points(state)[0] == state.won[0] + 1 + honours_of(state.piles[0]) + 4  # the skus in the skat


@pytest.mark.cites("G39", "I-4.4")
@pytest.mark.parametrize("book", ["jensen", "hermansen", "basta"])
def test_a_pagat_in_the_skat_is_neither_lost_nor_home_and_counts_for_the_dealer(book: str) -> None:
    for seed in range(5):
        table = to_lay(danish_rules(book), filled("T1"))
        table.act(0, lay("T1 S1 S2"))
        table.play_on(Random(seed))
        assert not any(t.reason.startswith("pagat") for t in table.transfers())
        assert table.events(DealClosed) == [DealClosed("played")]
    last = ending(danish_rules(book), {1: "S4", 2: "S5", 0: "S6"}, 1, skat="T1 C2 C3", won={0: 8, 1: 8, 2: 8})
    last.play("S4", "S5", "S6")
    assert last.events(Counted) == [Counted((52 + 9 + 1, 8, 8))]
