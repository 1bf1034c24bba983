"""Rules B11 as Basta has them: the deal goes on, but the offender has nothing of it (I-11.7, I-11.11)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from offences import (
    NINE,
    SKAT,
    TEN,
    WRONG_SKAT,
    advance,
    declared,
    early_decl,
    fined,
    manual,
    missing_decl,
    paid,
    taken_up,
    tarok,
    vote,
)
from settling import A_TOUT, C_NOLO, LEVEL, ROUTES, A, B, C, Settled, outcome
from table import Table, danish_rules, dealt, ending, net, strict
from ultimo.cards import Card, mask
from ultimo.danish import outcome_of, settle
from ultimo.danish.outcome import PagatFate
from ultimo.danish.state import Trick
from ultimo.events import (
    CardReturned,
    Claim,
    Counted,
    Declaration,
    Declare,
    UltimoCharged,
    UltimoQuestioned,
)
from ultimo.play.following import NO_SUIT

NOBODY = (0,) * 5
FINE = (15, -30, 15, 0, 0)  # B's, to each opponent


def at_end(hands: dict[int, str], leader: int = A, **more: Any) -> Table:
    """The last tricks at Basta's table, where B may revoke."""
    gone = 25 - len(hands[A].split())
    more = {"won": {A: 8, B: 8, C: gone - 16}, "tricks": (Trick((), NO_SUIT, C),) * gone} | more
    return ending(strict("basta", "follow"), hands, leader, **more)


def revoked(hands: dict[int, str], *plays: str, **more: Any) -> Table:
    """B has revoked in the first of these tricks, and C has said so after them."""
    table = at_end(hands, **more)
    table.play(*plays)
    table.act(C, Claim("revoke", B))
    assert paid(table, "fine") == FINE
    return table


# --- declarations --------------------------------------------------------------------------------------


@pytest.mark.cites("G143")
def test_a_declaration_before_the_skat_is_not_paid_and_the_offender_pays_the_others() -> None:
    hands = {A: TEN, B: "T11 T12 T13 T14 T15 T16 T17 T18 T19 T21 SQ HN CJ DK"}
    table = dealt(manual("basta"), hands)
    table.act(A, Declare((tarok(10),)))
    assert fined(table) == [(A, "earlyDecl")]
    table.act(C, next(iter(table.legal(C))))
    table.act(C, Declare(()))
    table.act(B, Declare((tarok(10),)))  # A has had his turn
    assert paid(table, "declaration") == (-10, 20, -10, 0, 0)
    assert paid(table, "fine") == NOBODY


@pytest.mark.cites("G143")
def test_a_declaration_out_of_turn_is_not_paid_either() -> None:
    table = taken_up(manual("basta"), TEN)
    table.act(C, SKAT)
    table.act(A, Declare((tarok(10),)))  # before the dealer
    assert (fined(table), paid(table, "declaration")) == ([(A, "earlyDecl")], NOBODY)


def test_a_score_sheet_does_not_pay_an_early_declaration_either() -> None:
    table = early_decl("basta")
    table.act(C, SKAT)
    table.act(C, Declare(()))
    table.act(B, Declare(()))
    noted = replace(outcome_of(table.state), king=60, pagat=60)
    rules = danish_rules("basta")
    assert net(settle(rules, noted).transfers, A, B, C) == net(table.transfers(), A, B, C) == (0, 0, -10)


def test_letting_another_error_pass_does_not_pay_an_early_declaration() -> None:
    table = vote(early_decl("basta", **{"strict.lenient": True}), True, True)
    table.act(C, SKAT)
    table.act(C, Declare((tarok(10),)))
    table.act(B, Claim("declaration", C))
    vote(table, False, False)  # C's false ten is let pass, A's early one was not
    assert paid(table, "declaration") == (-10, -10, 20, 0, 0)


def test_letting_a_second_error_pass_does_not_undo_the_first() -> None:
    """A has declared eleven of his ten, and too early: that stays unpaid although the number is let pass."""
    table = taken_up(manual("basta", "lenient"), TEN)
    table.act(A, Declare((tarok(11),)))
    vote(table, True, True)
    table.act(C, SKAT)
    table.act(B, Claim("declaration", A))
    vote(table, False, False)
    assert paid(table, "declaration") == NOBODY


@pytest.mark.cites("G144")
def test_a_false_ten_without_is_returned_and_costs_fifteen_to_each() -> None:
    table = advance(declared(manual("basta"), NINE, tarok(10)), 6)
    table.act(B, Claim("declaration", A))
    assert paid(table, "repay") == (-20, 10, 10, 0, 0)
    assert paid(table, "fine") == (-30, 15, 15, 0, 0)
    assert (table.state.phase, table.state.banned, table.state.barren) == ("play", (), ())


@pytest.mark.cites("G144")
@pytest.mark.parametrize(
    ("hand", "spoken", "price"),
    [
        (NINE, tarok(10, pagat=True), 0),  # gives nobody away
        (NINE, tarok(11), 0),
        (TEN, tarok(11), 0),
        (NINE.replace("T10", "S10"), tarok(10), 0),  # eight
        (NINE, tarok(10), 15),
    ],
)
def test_only_ten_without_said_of_nine_is_fined_besides(hand: str, spoken: Declaration, price: int) -> None:
    table = declared(manual("basta"), hand, spoken)
    table.act(B, Claim("declaration", A))
    assert fined(table) == [(A, "wrongDecl")]
    assert paid(table, "fine") == (-2 * price, price, price, 0, 0)


@pytest.mark.cites("G144")
@pytest.mark.parametrize(
    ("book", "house", "price"), [("basta", 20, 20), ("jensen", 15, 15), ("jensen", 0, 0)]
)
def test_a_house_may_set_the_price_of_a_false_ten(book: str, house: int, price: int) -> None:
    table = declared(manual(book, **{"fine.falseTen": house, "fine.wrongDecl.amt": 0}), NINE, tarok(10))
    table.act(B, Claim("declaration", A))
    assert paid(table, "fine") == (-2 * price, price, price, 0, 0)


@pytest.mark.cites("G144")
def test_a_false_ten_said_too_early_costs_fifteen_all_the_same_though_nothing_was_received() -> None:
    table = taken_up(manual("basta"))
    table.act(A, Declare((tarok(10),)))
    table.act(C, SKAT)
    table.act(B, Claim("declaration", A))
    assert paid(table, "declaration", "repay") == NOBODY
    assert paid(table, "fine") == (-30, 15, 15, 0, 0)


def test_a_missing_declaration_costs_nothing_but_the_ultimo() -> None:
    table = missing_decl("basta")
    assert (paid(table, "fine", "repay"), table.state.banned) == (NOBODY, (A,))


def dealers_cavalry() -> Table:
    """C has laid a king and been paid for a cavalry in spades."""
    hands = {A: NINE.replace("SK", "D7"), C: "SK SQ SN SJ HK S7 S8 T19 T20"}
    table = dealt(manual("basta", "skat"), hands)
    table.act(C, WRONG_SKAT)
    table.act(C, Declare((Declaration("full", of="S"),)))
    assert paid(table, "declaration") == (-10, -10, 20, 0, 0)
    return table


@pytest.mark.cites("G144c")
def test_after_a_wrong_skat_the_dealers_declarations_go_back_and_he_wins_nothing() -> None:
    table = dealers_cavalry()
    table.act(A, Claim("skat", C))
    assert paid(table, "repay") == (10, 10, -20, 0, 0)
    assert paid(table, "fine") == (15, 15, -30, 0, 0)
    assert (table.state.barren, table.state.phase) == ((C,), "declare")


def test_a_dealer_whose_skat_was_wrong_may_no_longer_declare() -> None:
    table = taken_up(manual("basta", "skat"))
    table.act(C, WRONG_SKAT)
    table.act(A, Claim("skat", C))
    assert next(iter(table.legal(C))) == Declare(())
    assert table.refuses(C, Declare((tarok(10),)))
    assert paid(table, "repay") == NOBODY


@pytest.mark.parametrize("claims", [("declaration", "skat"), ("skat", "declaration"), ()])
def test_what_was_received_wrongly_goes_back_once(claims: tuple[Any, ...]) -> None:
    """C has laid wrongly and declared falsely, which is found in either order, or only at the end."""
    table = taken_up(manual("basta", "skat"))
    table.act(C, WRONG_SKAT)
    for seat, spoken in ((C, (tarok(12, pagat=True),)), (A, ()), (B, ())):
        table.act(seat, Declare(spoken))
    for offence in claims:
        table.act(A, Claim(offence, C))
    advance(table, 26)
    assert (C, "wrongSkat") in fined(table)
    assert paid(table, "declaration", "repay") == NOBODY


# --- winNothing ----------------------------------------------------------------------------------------


@pytest.mark.cites("G137", "I-11.7")
def test_who_has_revoked_pays_what_the_others_win_and_they_lose_nothing() -> None:
    noted = outcome(["T20", "S4", "D4"], LEVEL, barren=(B,), counts=(20, 30, 28))  # −6, +4, +2
    transfers = settle(danish_rules("basta"), noted).transfers
    assert net([t for t in transfers if t.reason == "count"], A, B, C) == (0, -2, 2)


@pytest.mark.cites("G137", "I-11.7")
def test_a_revoke_costs_fifteen_to_each_and_the_count_goes_against_the_offender() -> None:
    table = revoked({A: "S4 S5", B: "S7 D1", C: "H1 H2"}, "S4", "D1", "H1")
    assert (table.state.barren, table.state.phase) == ((B,), "play")
    table.play("S5", "S7", "H2")
    (counted,) = table.events(Counted)
    others = {seat: max(0, counted.points[seat] - 26) for seat in (A, C)}
    assert paid(table, "count")[:3] == (others[A], -sum(others.values()), others[C])
    assert paid(table, "lastTrick") == NOBODY  # which B has won


WINS_NOTHING = [
    ("T20 S4 D4", LEVEL, A, (0, 0, 0)),
    ("HK S4 D4", LEVEL, A, (0, 0, 0)),
    ("T1 S4 D4", LEVEL, A, (0, 0, 0)),
    ("T20 S4 D4", A_TOUT, A, (0, 0, 0)),
    ("T20 S4 D4", C_NOLO, C, (10, -5, -5)),
    ("T20 S4 D4", LEVEL, B, (10, -5, -5)),
    ("T20 HK D4", LEVEL, B, (40, -125, 25)),  # his bagud he pays as ever
]


@pytest.mark.cites("I-11.7")
@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize(("cards", "tricks", "barren", "expected"), WINS_NOTHING)
def test_an_offender_wins_neither_last_trick_nor_ultimo_nor_nolo_nor_tout(
    route: str, cards: str, tricks: tuple[int, int, int], barren: int, expected: tuple[int, ...]
) -> None:
    settled = Settled(route, "basta", cards, tricks, barren=(barren,))
    assert settled.players == expected
    assert settled.emptied == ()


@pytest.mark.cites("I-11.7")
def test_a_pagat_brought_home_before_is_paid_back() -> None:
    table = revoked(
        {A: "S4 S5", B: "S7 D1", C: "H1 H2"}, "S4", "D1", "H1", pagat_fate=PagatFate(B, home=True)
    )
    assert paid(table, "giveBack") == (5, -10, 5, 0, 0)


@pytest.mark.cites("I-11.7")
def test_a_pagat_brought_home_afterwards_is_not_paid() -> None:
    table = revoked({A: "S4 S5 S6", B: "S7 D1 T1", C: "H1 H2 H3"}, "S4", "D1", "H1")
    table.play("S5", "T1", "H2")
    assert table.state.pagat_fate == PagatFate(B, home=True)
    assert paid(table, "pagatHome") == NOBODY


@pytest.mark.cites("I-11.7")
def test_a_pagat_is_paid_back_once_though_its_owner_revokes_again() -> None:
    hands = {A: "S4 S5 S6", B: "S7 D1 D2", C: "H1 H2 H3"}
    table = revoked(hands, "S4", "D1", "H1", pagat_fate=PagatFate(B, home=True))
    table.play("S5", "D2", "H2")
    table.act(C, Claim("revoke", B))
    assert fined(table) == [(B, "revoke"), (B, "revoke")]
    assert paid(table, "giveBack") == (5, -10, 5, 0, 0)


# --- giveBack ------------------------------------------------------------------------------------------

CAPTURED = {A: "SK S5", B: "S7 T20", C: "H1 H2"}


def goes_back(table: Table, card: str) -> bool:
    """Whether A has his card again, and what he has paid for it."""
    paid_by_a = paid(table, "kingLost", "pagatLost", "giveBack")[0]
    returned = [(back.seat, back.card) for back in table.events(CardReturned)] == [(A, Card(card))]
    return returned and paid_by_a == 0 and bool(table.state.piles[A] & mask(card))


def test_a_king_captured_by_a_revoke_goes_back_with_what_was_paid_for_it() -> None:
    assert goes_back(revoked(CAPTURED, "SK", "T20", "H1"), "SK")


def test_a_pagat_captured_by_a_revoke_goes_back_with_what_was_paid_for_it() -> None:
    table = at_end({A: "T1 S5", B: "H7 T20", C: "H1 H2"}, leader=C)
    table.play("H1", "T1", "T20")
    table.act(C, Claim("revoke", B))
    assert goes_back(table, "T1")


def test_a_king_goes_back_even_if_the_revoke_was_pointed_out_before_the_trick_was_complete() -> None:
    table = revoked(CAPTURED, "SK", "T20")
    table.play("H1")
    assert goes_back(table, "SK")


def test_a_king_that_went_back_counts_for_its_owner() -> None:
    table = revoked(CAPTURED, "SK", "T20", "H1", piles=(0, 0, 0))
    table.play("S7", "H2", "S5")
    assert table.events(Counted)[0].points == (7 + 1, 8 + 4, 8 + 2)  # C has the skat, A the king


@pytest.mark.parametrize("card", ["SK", "T1"])
def test_a_score_sheet_comes_to_the_same_when_a_card_went_back(card: str) -> None:
    hands = CAPTURED if card == "SK" else {A: "T1 S5", B: "H7 T20", C: "H1 H2"}
    table = at_end(hands, leader=A if card == "SK" else C)
    table.play(*(("SK", "T20", "H1") if card == "SK" else ("H1", "T1", "T20")))
    table.act(C, Claim("revoke", B))
    advance(table, 26)
    noted = replace(outcome_of(table.state, table.state.counts), king=60, pagat=60)
    sheet = [t for t in settle(danish_rules("basta"), noted).transfers if t.reason != "ante"]
    everybody = (A, B, C, "king", "pagat")
    assert net(sheet, *everybody) == net(table.transfers(), *everybody)


def test_what_the_victim_has_paid_out_the_offender_pays_him() -> None:
    """003 REGLER: he must «betale hvad han har måttet erlægge», to the third player and the cup as well."""
    king = revoked(CAPTURED, "SK", "T20", "H1")
    assert paid(king, "kingLost", "giveBack") == (0, -5, 5, 0, 0)
    pagat = at_end({A: "T1 S5", B: "H7 T20", C: "H1 H2"}, leader=C)
    pagat.play("H1", "T1", "T20")
    pagat.act(C, Claim("revoke", B))
    assert paid(pagat, "pagatLost", "giveBack") == (0, -10, 5, 0, 5)


def test_a_card_that_the_offender_did_not_capture_stays_where_it_is() -> None:
    table = revoked({A: "SK S5", B: "S7 D1", C: "T20 H2"}, "SK", "D1", "T20")
    assert (table.events(CardReturned), paid(table, "giveBack")) == ([], NOBODY)
    assert paid(table, "kingLost") == (-10, 5, 5, 0, 0)


# --- ultimoCost ----------------------------------------------------------------------------------------

ULTIMO = {A: "S4 T1", B: "S7 D1", C: "H1 H2"}


def helped(*votes: bool, **more: Any) -> Table:
    """B has revoked, then A has made ultimo with the pagat; his opponents have voted."""
    table = revoked(ULTIMO, "S4", "D1", "H1", **more)
    table.play("T1", "S7", "H2")
    return vote(table, *votes)


def but_for_the_count(table: Table) -> tuple[int, ...]:
    """What everybody has gained, the count set aside."""
    return paid(table, *{t.reason for t in table.transfers()} - {"count"})


@pytest.mark.cites("G144b", "I-11.11")
def test_who_has_helped_an_ultimo_bears_all_its_cost() -> None:
    table = helped()
    assert table.log[-1] == UltimoQuestioned(B)
    assert table.state.ballot.voters == (A, C)
    vote(table, True, True)
    assert table.events(UltimoCharged) == [UltimoCharged(B, helped=True)]
    assert but_for_the_count(table) == (165, -175, 10, 0, 0)
    assert (table.state.pagat, table.state.emptied) == (60, ())


@pytest.mark.cites("G144b", "I-11.11")
@pytest.mark.parametrize("votes", [(True, False), (False, True), (False, False)])
def test_unless_both_opponents_hold_that_he_helped_the_ultimo_is_paid_as_ever(
    votes: tuple[bool, ...],
) -> None:
    table = helped(*votes)
    assert but_for_the_count(table) == (165, -75, -30, 0, -60)
    assert table.state.emptied == (("pagat", A),)


@pytest.mark.cites("I-11.11")
def test_no_vote_is_taken_without_an_ultimo() -> None:
    plain = revoked({A: "S4 T5", B: "S7 D1", C: "H1 H2"}, "S4", "D1", "H1")
    plain.play("T5", "S7", "H2")
    own = revoked({A: "S4 S5", B: "SK D1", C: "H1 H2"}, "S4", "D1", "H1")
    own.play("S5", "SK", "H2")  # the offender himself ultimates, and is paid nothing
    assert paid(own, "kingUltimo", "lastTrick") == NOBODY
    for table in (plain, own):
        assert (table.events(UltimoQuestioned), table.state.result) == ([], "played")


@pytest.mark.cites("I-11.11", "I-9.10")
def test_no_vote_is_taken_about_a_tout_which_is_no_ultimo() -> None:
    table = helped(won={A: 23})
    assert (table.events(UltimoQuestioned), table.state.result) == ([], "played")
    assert paid(table, "tout")[:3] == (52 + 120, -26, -26)


@pytest.mark.cites("I-11.11")
def test_a_wrong_number_of_cards_makes_liable_for_an_ultimo_too() -> None:
    rules = danish_rules("basta")
    assert rules.fine.wrong_cards.effect == ("winNothing", "ultimoCost")
    settled = [Settled(route, "basta", "HK S4 D4", charged=B, cups=(40, 60)) for route in ROUTES]
    for one in settled:
        assert (one.players, one.cups, one.emptied) == ((110, -105, -5), (40, 60), ())
