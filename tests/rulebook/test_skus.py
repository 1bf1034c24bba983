"""Rules B7: whose the skus is, and what it stands for when it is led.

Demands are in test_skus_demand.py; the last trick and false words in test_skus_last_trick.py.
"""

from __future__ import annotations

from typing import Any

import pytest

from table import DANISH, ORDER, Table, danish_rules, ending, strict
from ultimo import deal
from ultimo.cards import SKUS, SUITS, Suit, cards, mask, parse_card
from ultimo.danish.state import pile_points
from ultimo.events import (
    Answer,
    CardTakenBack,
    ClaimVoid,
    Counted,
    NameSkus,
    Play,
    SkusRenamed,
    SkusReturned,
    SuitNotIn,
    TrickWon,
    VoidAnswered,
    VoidClaimed,
)
from ultimo.rulebook import DanishRules

LEADER, NEXT, THIRD = ORDER
J_H_T = ("jensen", "hermansen", "dtf")
CLAIMING = ("jensen", "hermansen", "vlk", "dtf")
ANY_NAME = [NameSkus(suit) for suit in SUITS]

every_book = pytest.mark.parametrize("book", DANISH)
j_h_t = pytest.mark.parametrize("book", J_H_T)
claiming = pytest.mark.parametrize("book", CLAIMING)


def trick(rules: DanishRules, first: str, second: str, third: str, number: int = 10, **more: Any) -> Table:
    """A trick about to be led: three hands, the leader's first."""
    return ending(rules, {LEADER: first, NEXT: second, THIRD: third}, LEADER, number=number, **more)


def spoken(table: Table) -> list[object]:
    """All that was said about a led skus."""
    kinds = (VoidClaimed, VoidAnswered, SuitNotIn, SkusRenamed, CardTakenBack)
    return [event for event in table.log if isinstance(event, kinds)]


def speaks(table: Table, seat: int) -> list[object]:
    """What a seat may do besides playing a card."""
    return [action for action in table.legal(seat) if isinstance(action, ClaimVoid | Answer | NameSkus)]


# --- whose it is ---------------------------------------------------------------------------------------


@pytest.mark.cites("G61", "I-7.6", "I-7.12")
@claiming
def test_trick_13_of_the_sample_game(book: str) -> None:
    table = trick(
        danish_rules(book),
        "T21 T7 T5 T0 HK HN HJ H6 H9 H10 C8 C6 C4",
        "T20 T18 T17 T15 T13 T10 T1 H1 H3 H8 DQ D9 D10",
        "T19 T16 T9 T8 T2 SN SJ S10 S9 HQ H2 H4 H7",
        13,
    )
    table.play("T0=S", "T10", "S9")
    assert spoken(table) == [VoidClaimed(NEXT), VoidAnswered(THIRD, have=True)]
    assert table.events(TrickWon) == [TrickWon(NEXT)]
    assert table.events(SkusReturned) == [SkusReturned(LEADER)]
    assert cards(table.state.piles[LEADER]) == cards(SKUS)
    assert table.state.piles[NEXT] == mask("T10 S9")
    assert [pile_points(table.state)[seat] for seat in (LEADER, NEXT)] == [4, 1]


@pytest.mark.cites("G62")
@every_book
def test_in_the_last_trick_the_skus_goes_to_the_winner(book: str) -> None:
    table = trick(danish_rules(book), "S5", "T0", "S3", 25, won={LEADER: 8, NEXT: 8, THIRD: 8})
    table.play("S5", "T0", "S3")
    assert table.state.piles[LEADER] == mask("S5 T0 S3")
    assert (table.events(SkusReturned), table.events(Counted)[0].points[LEADER]) == ([], 9 + 4)


@pytest.mark.cites("I-7.6")
@every_book
def test_the_skus_of_a_player_without_a_trick_counts_four_and_no_card_is_given_for_it(book: str) -> None:
    rules = danish_rules(book, {"nolo.cancelsCount": False})
    table = trick(rules, "S5 S6 S7", "T0 H2 H3", "T9 T8 T7", 23, won={LEADER: 22, NEXT: 0, THIRD: 0})
    table.play("S5", "T0", "T9", "T8", "S6", "H2", "T7", "S7", "H3")
    (counted,) = table.events(Counted)
    assert counted.points[NEXT] == 4
    assert counted.points[LEADER] == 22  # nothing was taken from the trick points of anybody
    assert sum(counted.points) == 78


# --- the words that go with a led skus -----------------------------------------------------------------


@every_book
def test_a_led_skus_is_named_and_nothing_else_is(book: str) -> None:
    table = trick(danish_rules(book), "T0 S2", "H4 C2", "H5 D3")
    leads = [action for action in table.legal(LEADER) if isinstance(action, Play)]
    assert leads == [Play(parse_card("S2")), *(Play(parse_card("T0"), suit) for suit in SUITS)]
    assert "say which suit" in table.refuses(LEADER, Play(parse_card("T0"))).reason
    assert (
        "you name a suit only when you lead the skus"
        in table.refuses(LEADER, Play(parse_card("S2"), "H")).reason
    )
    table.play("S2")
    following = trick(danish_rules(book), "S2 S3", "T0 C2", "H5 D3")
    following.play("S2")
    assert (
        "you name a suit only when you lead the skus"
        in following.refuses(NEXT, Play(parse_card("T0"), "H")).reason
    )


@pytest.mark.cites("I-7.14", "G75")
@every_book
def test_a_bare_king_falls_to_a_skus_led_as_its_suit(book: str) -> None:
    table = trick(danish_rules(book), "T0 S2 S1", "HK T13 D1", "D8 D9 D10", 22)
    table.play("T0=H")
    assert table.may_play(NEXT) == "HK"
    table.play("HK", "D8")
    assert table.events(TrickWon) == [TrickWon(NEXT)]


@pytest.mark.cites("I-7.16")
@every_book
def test_where_the_next_hand_has_the_suit_nobody_says_a_word(book: str) -> None:
    table = trick(danish_rules(book), "T0 S2", "H4 C2", "D5 D3")
    table.play("T0=H")
    assert (table.may_play(NEXT), spoken(table)) == ("H4", [])
    table.play("H4", "D5")
    assert table.events(TrickWon) == [TrickWon(NEXT)]


@pytest.mark.cites("G63", "I-7.12", "I-7.16")
@j_h_t
def test_a_suit_that_neither_has_is_renamed_by_the_next_hand(book: str) -> None:
    table = trick(danish_rules(book), "T0 S2", "C4 T9", "C9 S7")
    table.play("T0=H")
    assert spoken(table) == [VoidClaimed(NEXT), VoidAnswered(THIRD, have=False)]
    assert (table.state.phase, list(table.legal(NEXT))[:5]) == ("name", ANY_NAME)
    assert table.refuses(NEXT, Play(parse_card("T9"))).reason == "you cannot play a card now"
    table.act(NEXT, NameSkus("C"))
    assert table.may_play(NEXT) == "C4"
    table.play("C4")
    assert table.may_play(THIRD) == "C9"
    table.play("C9")
    assert table.events(TrickWon) == [TrickWon(THIRD)]


@pytest.mark.cites("G63", "I-7.16")
@j_h_t
def test_at_a_strict_table_the_next_hand_claims_by_itself_and_the_third_answers(book: str) -> None:
    table = trick(strict(book, "skusClaim"), "T0 S2", "C4 T9", "C9 S7")
    table.play("T0=H")
    assert (spoken(table), table.state.phase) == ([], "play")
    assert (table.may_play(NEXT), speaks(table, NEXT)) == ("T9", [ClaimVoid()])
    table.act(NEXT, ClaimVoid())
    assert (deal.waiting_for(table.rules, table.state), speaks(table, THIRD)) == ((THIRD,), [Answer(False)])
    assert table.refuses(THIRD, Answer(True)).reason == "this is not possible now"
    table.act(THIRD, Answer(False))
    assert speaks(table, NEXT) == ANY_NAME
    table.act(NEXT, NameSkus("C"))
    assert spoken(table) == [VoidClaimed(NEXT), VoidAnswered(THIRD, have=False), SkusRenamed(NEXT, "C")]
    table.play("C4", "C9")
    assert table.events(TrickWon) == [TrickWon(THIRD)]


@pytest.mark.cites("G67", "I-7.12", "I-7.16")
@j_h_t
@pytest.mark.parametrize("switches", [(), ("skusClaim",)], ids=["auto", "strict"])
@pytest.mark.parametrize(("hand", "may"), [("C4 T9", "T9"), ("C4 D9", "C4 D9")])
def test_a_suit_that_the_third_hand_has_stands(
    book: str, switches: tuple[str, ...], hand: str, may: str
) -> None:
    table = trick(strict(book, *switches), "T0 S2", hand, "H9 S7")
    table.play("T0=H")
    if switches:
        table.act(NEXT, ClaimVoid())
        table.act(THIRD, Answer(True))
    assert spoken(table) == [VoidClaimed(NEXT), VoidAnswered(THIRD, have=True)]
    assert (table.may_play(NEXT), speaks(table, NEXT)) == (may, [])
    table.play(may.split()[0])
    assert (table.may_play(THIRD), speaks(table, THIRD)) == ("H9", [])
    table.play("H9")
    assert table.events(TrickWon) == [TrickWon(NEXT if "T9" in may else THIRD)]


@pytest.mark.cites("I-7.16")
@j_h_t
def test_where_the_next_hand_has_followed_the_suit_stands_and_the_third_may_not_rename_it(book: str) -> None:
    """Step 2: the right of step 4 is that of a third hand after a next hand that lacked the suit."""
    table = trick(strict(book, "skusClaim"), "T0 S2", "H4 C2", "D5 D3")
    table.play("T0=H")
    assert speaks(table, NEXT) == []
    table.play("H4")
    assert speaks(table, THIRD) == []


@pytest.mark.cites("G64", "I-7.16")
@j_h_t
def test_a_next_hand_that_throws_a_card_leaves_the_right_to_the_third(book: str) -> None:
    table = trick(strict(book, "skusClaim"), "T0 S2", "D4 D9", "C9 S7")
    table.play("T0=H", "D4")
    assert (table.may_play(THIRD), speaks(table, THIRD)) == ("S7 C9", ANY_NAME)
    table.act(THIRD, NameSkus("C"))
    assert (table.may_play(THIRD), speaks(table, THIRD)) == ("C9", [])
    table.play("C9")
    assert table.events(TrickWon) == [TrickWon(THIRD)]


@pytest.mark.cites("I-7.7", "I-7.16")
@j_h_t
@pytest.mark.parametrize("name", ["H", "T"])
def test_the_third_hand_names_once_even_a_suit_that_it_lacks(book: str, name: Suit) -> None:
    table = trick(strict(book, "skusClaim"), "T0 S2", "D4 D9", "C9 S7")
    table.play("T0=H", "D4")
    table.act(THIRD, NameSkus(name))
    assert (table.may_play(THIRD), speaks(table, THIRD)) == ("S7 C9", [])


@pytest.mark.cites("I-7.16")
@j_h_t
def test_a_third_hand_that_has_the_suit_or_plays_at_once_names_nothing(book: str) -> None:
    having = trick(strict(book, "skusClaim"), "T0 S2", "D4 D9", "H9 S7")
    having.play("T0=H", "D4")
    assert speaks(having, THIRD) == []
    forfeiting = trick(strict(book, "skusClaim"), "T0 S2", "D4 D9", "C9 S7")
    forfeiting.play("T0=H", "D4", "C9")
    assert (spoken(forfeiting), forfeiting.events(TrickWon)) == ([], [TrickWon(NEXT)])


@pytest.mark.parametrize(
    "book",
    [
        pytest.param("dtf", marks=pytest.mark.cites("G65")),
        pytest.param("jensen", marks=pytest.mark.cites("G66", "I-7.8")),
        pytest.param("hermansen", marks=pytest.mark.cites("G66", "I-7.8")),
        "vlk",
        "basta",  # where a house rule lets hands claim
    ],
)
def test_the_card_thrown_is_exchanged_for_one_of_the_suit_finally_named(book: str) -> None:
    rules = strict(book, "skusClaim", **{"skus.rename": "claim"})
    table = trick(rules, "T0 H2 C3", "D4 S3 S8", "S7 C9 D2")
    table.play("T0=H", "D4")
    table.act(THIRD, NameSkus("S"))
    assert spoken(table) == [SkusRenamed(THIRD, "S"), CardTakenBack(NEXT, parse_card("D4"))]
    assert deal.waiting_for(table.rules, table.state) == (NEXT,)
    assert (table.may_play(NEXT), speaks(table, NEXT)) == ("S3 S8", [])
    table.play("S8")
    assert table.may_play(THIRD) == "S7"
    table.play("S7")
    assert table.events(TrickWon) == [TrickWon(NEXT)]
    assert table.state.piles[NEXT] == mask("S8 S7")
    assert table.state.hands[NEXT] == mask("D4 S3")


@pytest.mark.cites("I-7.8")
@pytest.mark.parametrize(("thrown", "hand"), [("S3", "S3 S8"), ("D4", "D4 C8")])
def test_nothing_is_exchanged_by_who_has_played_the_new_suit_or_lacks_it(thrown: str, hand: str) -> None:
    table = trick(strict("jensen", "skusClaim"), "T0 H2", hand, "S7 C9")
    table.play("T0=H", thrown)
    table.act(THIRD, NameSkus("S"))
    assert spoken(table) == [SkusRenamed(THIRD, "S")]
    assert deal.waiting_for(table.rules, table.state) == (THIRD,)


@pytest.mark.cites("I-7.8")
@pytest.mark.parametrize(("thrown", "winner"), [("D4", THIRD), ("T9", NEXT)])
def test_without_exchange_the_card_stays_and_the_winner_is_found_under_the_new_suit(
    thrown: str, winner: int
) -> None:
    rules = strict("jensen", "skusClaim", **{"skus.swapOnRename": False})
    table = trick(rules, "T0 H2", f"{thrown} S8", "S7 C9")
    table.play("T0=H")
    assert table.may_play(NEXT) == ("S8 D4" if thrown == "D4" else "T9")  # its legality is judged under H
    table.play(thrown)
    table.act(THIRD, NameSkus("S"))
    assert spoken(table) == [SkusRenamed(THIRD, "S")]
    table.play("S7")
    assert table.events(TrickWon) == [TrickWon(winner)]


# --- names that nobody can follow ----------------------------------------------------------------------


@pytest.mark.cites("G68", "I-7.7")
@pytest.mark.parametrize("book", ["jensen", "hermansen"])
def test_where_nobody_plays_the_suit_in_force_the_first_card_after_the_skus_sets_it(book: str) -> None:
    table = trick(strict(book, "skusClaim"), "T0 H2", "C4 C5", "D2 D3")
    table.play("T0=T", "C4", "D2")
    assert table.events(TrickWon) == [TrickWon(NEXT)]


@pytest.mark.cites("G84b", "I-7.7")
@j_h_t
def test_a_suit_nobody_holds_may_be_named_and_the_highest_of_the_first_suit_wins(book: str) -> None:
    table = trick(danish_rules(book), "T0 H2", "S4 C2", "S9 C3")
    table.play("T0=H")
    table.act(NEXT, NameSkus("D"))
    assert table.may_play(NEXT) == "S4 C2"
    table.play("S4", "S9")
    assert table.events(TrickWon) == [TrickWon(THIRD)]


@pytest.mark.cites("I-7.7")
@j_h_t
def test_the_same_suit_may_be_named_again_and_then_a_tarok_still_wins(book: str) -> None:
    table = trick(danish_rules(book), "T0 H2", "S4 C2", "S9 T1")
    table.play("T0=H")
    table.act(NEXT, NameSkus("H"))
    table.play("S4")
    assert table.may_play(THIRD) == "T1"
    table.play("T1")
    assert table.events(TrickWon) == [TrickWon(THIRD)]


# --- Basta: the next hand decides ----------------------------------------------------------------------


@pytest.mark.cites("G82", "I-7.9")
@pytest.mark.parametrize("switches", [(), ("skusClaim",)], ids=["auto", "strict"])
def test_in_basta_the_next_hand_decides_on_a_suit_that_is_not_in(switches: tuple[str, ...]) -> None:
    table = trick(strict("basta", *switches), "T0 T2", "C4 H9", "C9 S7")
    table.play("T0=T")
    assert spoken(table) == [SuitNotIn("T")]
    assert list(table.legal(NEXT)) == ANY_NAME
    table.act(NEXT, NameSkus("C"))
    assert table.may_play(NEXT) == "C4"
    table.play("C4", "C9")
    assert table.events(TrickWon) == [TrickWon(THIRD)]


@pytest.mark.cites("G84e", "I-7.9", "I-7.16")
@pytest.mark.parametrize(("hand", "may"), [("S4 T9", "T9"), ("S4 D9", "S4 D9")])
@pytest.mark.parametrize("switches", [(), ("skusClaim",)], ids=["auto", "strict"])
def test_in_basta_a_suit_that_the_third_hand_has_stands_without_a_word(
    hand: str, may: str, switches: tuple[str, ...]
) -> None:
    table = trick(strict("basta", *switches), "T0 T2", hand, "C9 S7")
    table.play("T0=C")
    assert (spoken(table), table.may_play(NEXT), speaks(table, NEXT)) == ([], may, [])
    table.play(may.split()[0])
    assert (table.may_play(THIRD), speaks(table, THIRD)) == ("C9", [])


@pytest.mark.cites("I-7.9", "I-7.12")
@pytest.mark.parametrize(("rename", "said"), [("claim", 2), ("nextDecides", 0)])
def test_the_parameter_says_whether_a_void_hand_claims(rename: str, said: int) -> None:
    table = trick(danish_rules("jensen", {"skus.rename": rename}), "T0 S2", "C4 T9", "H9 S7")
    table.play("T0=H")
    assert len(spoken(table)) == said


def test_where_it_is_never_renamed_a_led_skus_keeps_a_name_that_nobody_can_follow() -> None:
    table = trick(danish_rules("jensen", {"skus.rename": "never"}), "T0 S2", "C4 T9", "C9 S7")
    table.play("T0=H")
    assert (spoken(table), table.state.phase, table.may_play(NEXT)) == ([], "play", "T9")
