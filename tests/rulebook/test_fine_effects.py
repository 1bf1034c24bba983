"""Rules B11 and D1: what follows from a fine – the deal stops or goes on, and the offender's luck is gone."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from offences import (
    ELEVEN,
    LAST_THREE,
    NINE,
    SKAT,
    TEN,
    WRONG_SKAT,
    advance,
    declared,
    fined,
    manual,
    missing_decl,
    paid,
    revoke,
    taken_up,
    tarok,
    vote,
    wrong_decl,
    wrong_skat,
)
from settling import A, B, C
from table import DANISH, Evening, danish_rules, ending, net, strict
from ultimo import deal
from ultimo.cards import Card, mask, parse_cards
from ultimo.danish import outcome_of, settle
from ultimo.danish.plausible import check
from ultimo.events import (
    CardTakenBack,
    Claim,
    ClaimMade,
    Counted,
    CupEmptied,
    DealClosed,
    DealContinued,
    Declaration,
    Declare,
    Decline,
    DemandSkus,
    Lay,
    NameSkus,
    Play,
    SkatTakenBack,
)

J, H, V, B99, T = DANISH
NOBODY = (0,) * 5


# --- stop ----------------------------------------------------------------------------------------------


@pytest.mark.cites("G136", "I-11.4")
@pytest.mark.parametrize("book", [J, H, V])
def test_a_revoke_stops_the_deal_and_nothing_more_is_settled(book: str) -> None:
    table = revoke(book)
    assert table.log[-1] == DealClosed("scrapped")
    assert paid(table, "fine") == (0, -80, 0, 40, 40)
    assert {t.reason for t in table.transfers()} == {"fine"}


@pytest.mark.cites("I-11.4")
def test_after_a_scrapped_deal_the_next_player_deals_and_what_was_paid_stands() -> None:
    now = Evening(strict("jensen", "follow"), 3)
    now.next_deal()
    rng = Random(2)
    now.act(None, deal.deal_out(now.rules, now.state.deal, deal.shuffled(rng), rng))
    while not now.state.deal.faults:  # at random somebody soon revokes
        seat = deal.waiting_for(now.rules, now.state.deal)[0]
        now.act(seat, deal.legal(now.rules, now.state.deal, seat).offers[0].draw(rng))
    offender = now.state.deal.faults[0].seat
    before, cups = now.state.totals, now.state.king + now.state.pagat
    now.act(1, Claim("revoke", offender))
    assert (now.state.playing, now.state.dealer, now.state.deals) == (False, 1, 1)
    assert now.state.totals == tuple(had - 80 * (seat == offender) for seat, had in enumerate(before))
    assert (now.state.king + now.state.pagat, now.state.unfounded) == (cups + 80, ())


# --- correctable ---------------------------------------------------------------------------------------


@pytest.mark.cites("G138", "I-11.2")
@pytest.mark.parametrize("book", [J, H, V])
@pytest.mark.parametrize("declared_by", [(), (C,), (C, A), (C, A, B)])
def test_a_wrong_skat_is_corrected_without_a_fine_until_another_hand_declares(
    book: str, declared_by: tuple[int, ...]
) -> None:
    table = taken_up(manual(book, "skat"))
    table.act(C, WRONG_SKAT)
    for seat in declared_by:
        table.act(seat, Declare(()))
    table.act(B, Claim("skat", C))
    assert table.log[-1] == SkatTakenBack(C)
    assert (table.state.phase, table.state.skat, fined(table)) == ("skat", 0, [])
    assert table.state.hands[C].bit_count() == 28
    table.act(C, SKAT)
    assert table.act(A, Claim("skat", C)) == (ClaimMade(A, C, "skat", upheld=False),)


@pytest.mark.cites("I-11.2")
def test_a_skat_that_is_corrected_may_be_wrong_again() -> None:
    table = taken_up(manual(J, "skat"))
    for again in (WRONG_SKAT, Lay(parse_cards("CK S7 S8"))):
        table.act(C, again)
        table.act(B, Claim("skat", C))
        assert table.log[-1] == SkatTakenBack(C)


@pytest.mark.cites("I-11.2")
def test_a_skat_that_can_be_corrected_is_no_matter_for_leniency() -> None:
    table = taken_up(manual(J, "skat", "lenient"))
    table.act(C, WRONG_SKAT)
    table.act(B, Claim("skat", C))
    assert table.state.ballot is None
    assert table.log[-1] == SkatTakenBack(C)


@pytest.mark.cites("G139", "I-11.4")
@pytest.mark.parametrize("book", [J, H, V])
def test_once_forehand_has_declared_a_wrong_skat_stops_the_deal_and_his_ten_stands(book: str) -> None:
    table = wrong_skat(book)
    assert (table.state.result, fined(table)) == ("scrapped", [(C, "wrongSkat")])
    assert paid(table, "fine") == (0, 0, -80, 40, 40)
    assert paid(table, "declaration") == (20, -10, -10, 0, 0)


@pytest.mark.cites("I-11.2")
def test_the_dealers_own_declaration_does_not_make_his_skat_final() -> None:
    table = taken_up(manual(J, "skat"))
    table.act(C, WRONG_SKAT)
    table.act(C, Declare((tarok(10),)))
    table.act(B, Claim("skat", C))
    assert table.log[-1] == SkatTakenBack(C)


@pytest.mark.parametrize("book", [J, H])
def test_a_wrong_skat_that_nobody_has_seen_stops_the_deal_at_the_end(book: str) -> None:
    table = taken_up(strict(book, "skat"))
    table.act(C, WRONG_SKAT)
    while table.state.phase != "closed":
        if table.state.phase == "demand":
            table.act(table.state.asked[0], Decline())
        else:
            table.play(table.may_play(table.state.turn).split()[0])
    assert (table.state.result, fined(table)) == ("scrapped", [(C, "wrongSkat")])
    assert table.events(Counted) == []


# --- consent -------------------------------------------------------------------------------------------


@pytest.mark.cites("G135", "I-11.1", "I-11.5")
@pytest.mark.parametrize("words", [(True, True), (True, False), (False, True), (False, False)])
@pytest.mark.parametrize("commit", [wrong_decl, missing_decl])
def test_after_a_wrong_declaration_both_others_must_agree_to_go_on(
    commit: Any, words: tuple[bool, bool]
) -> None:
    table = commit(T)
    assert paid(table, "fine") == (-80, 0, 0, 40, 40)
    if commit is wrong_decl:  # what he received wrongly goes back
        assert paid(table, "declaration", "repay") == NOBODY
    assert table.state.ballot.voters == (B, C)
    vote(table, *words)
    assert paid(table, "fine") == (-80, 0, 0, 40, 40)  # paid either way
    if all(words):
        assert (table.log[-1], table.state.phase) == (DealContinued(), "play")
        assert table.state.banned == (A,)
    else:
        assert table.log[-1] == DealClosed("scrapped")


@pytest.mark.cites("I-11.9")
def test_a_revoke_on_the_table_is_corrected_when_the_deal_goes_on() -> None:
    table = ending(strict(T, "follow"), LAST_THREE, A)
    table.play("S4", "D1")
    table.act(A, Claim("revoke", B))
    vote(table, True, True)
    assert table.log[-1] == CardTakenBack(B, Card("D1"))
    assert (table.state.turn, table.state.hands[B]) == (B, mask("S7 D1 D2"))
    table.play("S7", "H1")
    assert (table.state.tricks[-1].winner, table.state.phase) == (B, "play")


@pytest.mark.cites("I-11.9")
def test_a_revoke_in_a_trick_that_was_turned_stays_as_it_lies() -> None:
    table = vote(revoke(T), True, True)
    assert (table.log[-1], table.events(CardTakenBack)) == (DealContinued(), [])
    assert table.state.won[A] == 1


@pytest.mark.cites("I-11.9")
def test_who_revokes_again_in_the_corrected_trick_is_fined_again() -> None:
    table = ending(strict(T, "follow"), LAST_THREE, A)
    table.play("S4", "D1")
    table.act(A, Claim("revoke", B))
    vote(table, True, True)
    table.play("D2")
    table.act(A, Claim("revoke", B))
    assert fined(table) == [(B, "revoke"), (B, "revoke")]


@pytest.mark.cites("I-11.9", "I-7.4")
def test_a_skus_led_in_the_second_last_trick_is_taken_back_and_another_card_led() -> None:
    table = ending(strict(T, "follow"), {A: "T0 S4", B: "C3 C4", C: "D5 D6"}, A)
    table.play("T0=H")
    assert table.state.phase == "name"  # nobody has a heart, so that B would name another suit
    table.act(B, Claim("revoke", A))
    vote(table, True, True)
    assert table.log[-1] == CardTakenBack(A, Card("T0"))
    assert (table.state.phase, table.state.turn) == ("play", A)
    assert NameSkus("S") not in table.legal(A)
    table.play("S4", "C3", "D5")
    assert table.state.tricks[-1].winner == A


@pytest.mark.cites("I-7.4")
def test_refusing_a_demand_is_a_revoke() -> None:
    table = ending(strict(J, "follow"), {A: "S4 S5 S6", B: "T0 S7 S8", C: "H1 H2 H3"}, A)
    table.act(A, DemandSkus())
    for seat in (B, C):
        table.act(seat, Decline())
    table.play("S4", "S7")
    table.act(A, Claim("revoke", B))
    assert fined(table) == [(B, "revoke")]


@pytest.mark.cites("I-11.10")
@pytest.mark.parametrize("agreed", [True, False])
def test_a_card_played_out_of_turn_goes_back_and_the_others_decide(agreed: bool) -> None:
    table = ending(strict(T, "turn"), LAST_THREE, A)
    table.act(B, Play(Card("S7")))
    vote(table, True, agreed)
    assert paid(table, "fine") == (0, -40, 0, 20, 20)
    assert table.state.result == ("" if agreed else "scrapped")
    assert (table.state.hands[B], table.state.trick, table.state.turn) == (mask("S7 D1 D2"), (), A)


# --- banUltimo and repay -------------------------------------------------------------------------------


@pytest.mark.cites("G133")
@pytest.mark.parametrize("book", [J, V])
def test_a_missing_declaration_costs_ten_a_cup_and_the_ultimo(book: str) -> None:
    table = missing_decl(book)
    assert paid(table, "fine", "repay", "declaration") == (-20, 0, 0, 10, 10)
    assert (table.state.phase, table.state.number, table.state.banned) == ("play", 6, (A,))


@pytest.mark.cites("G144d", "I-11.5")
@pytest.mark.parametrize("book", [J, V])
def test_a_false_ten_with_is_paid_back_and_costs_ten_a_cup_and_the_ultimo(book: str) -> None:
    table = wrong_decl(book)
    assert paid(table, "repay") == (-20, 10, 10, 0, 0)
    assert paid(table, "fine") == (-20, 0, 0, 10, 10)
    assert (table.state.phase, table.state.number, table.state.banned) == ("play", 6, (A,))


@pytest.mark.cites("G133", "G135", "I-11.1")
@pytest.mark.parametrize(("book", "last"), [(J, (40, -20, -20)), (T, (40, -20, -20)), (B99, (10, -5, -5))])
def test_the_ultimo_of_an_offender_who_may_not_make_one_is_paid_as_a_last_trick(
    book: str, last: tuple[int, ...]
) -> None:
    table = ending(manual(book), {A: "T2 HK", B: "S4 S5", C: "D4 D5"}, A, won={A: 7, B: 8, C: 8}, dealt=TENS)
    table.act(C, Claim("declaration", A))
    if book == T:
        vote(table, True, True)
    table.play("T2", "S4", "D4", "HK", "S5", "D5")
    assert paid(table, "lastTrick", "kingUltimo")[:3] == last
    assert table.events(CupEmptied) == []


TENS = (0, mask(TEN), 0)  # A was dealt ten and has said nothing of it


@pytest.mark.cites("G134")
@pytest.mark.parametrize(
    ("hand", "spoken", "back"),
    [
        (NINE, (tarok(10),), 10),
        (TEN, (tarok(12),), 10),
        (TEN, (tarok(10, pagat=True),), 0),
        (ELEVEN, (tarok(10),), 0),  # not the reverse
        (ELEVEN, (tarok(10), Declaration("full", of="S")), 10),  # one does not make good for the other
    ],
)
def test_hermansens_wrong_declaration_stops_the_deal_and_what_was_overpaid_goes_back(
    hand: str, spoken: tuple[Declaration, ...], back: int
) -> None:
    table = declared(manual(H), hand, *spoken)
    table.act(B, Claim("declaration", A))
    assert (table.state.result, fined(table)) == ("scrapped", [(A, "wrongDecl")])
    assert paid(table, "fine") == (-80, 0, 0, 40, 40)
    assert paid(table, "repay") == (-2 * back, back, back, 0, 0)


SEVEN = NINE.replace("T9", "D7").replace("T10", "D8")


@pytest.mark.cites("G144e", "I-11.5")
def test_in_dtf_nobody_keeps_the_price_of_a_false_declaration() -> None:
    table = declared(manual(T), SEVEN, tarok(22, pagat=True))
    assert paid(table, "declaration") == (140, -70, -70, 0, 0)
    table.act(B, Claim("declaration", A))
    vote(table, False, True)
    assert paid(table, "repay") == (-140, 70, 70, 0, 0)
    assert paid(table, "fine") == (-80, 0, 0, 40, 40)
    assert (table.state.result, fined(table)) == ("scrapped", [(A, "wrongDecl")])


# --- a deal that is scrapped lays the hands open -------------------------------------------------------


def liars(rules: Any, *spoken: Any, forehand: str = NINE) -> Any:
    """A deal in which dealer, forehand and middle have declared this, and B has then not followed suit."""
    table = taken_up(rules, forehand)
    table.act(C, SKAT)
    for seat, made in zip((C, A, B), spoken, strict=True):
        table.act(seat, Declare(made))
    table.play("S1", "D4")
    return table


@pytest.mark.cites("G144f", "I-11.12")
def test_when_another_revokes_a_false_declaration_is_found_and_paid_back() -> None:
    table = liars(manual(H, "follow"), (), (tarok(10, pagat=True),), ())
    table.act(C, Claim("revoke", B))
    assert paid(table, "declaration", "repay") == NOBODY
    assert paid(table, "repay") == (-20, 10, 10, 0, 0)
    assert paid(table, "fine") == (-80, -80, 0, 80, 80)
    assert (table.log[-1], fined(table)) == (DealClosed("scrapped"), [(B, "revoke"), (A, "wrongDecl")])


@pytest.mark.cites("I-11.12")
@pytest.mark.parametrize("book", [J, H, V, T])
def test_whoever_lied_is_found_when_a_deal_is_scrapped(book: str) -> None:
    """The revoker himself and the dealer have lied; forehand, who has said the truth, keeps his ten."""
    kings = Declaration("full", of="K")
    spoken = ((kings,), (tarok(10),), (tarok(11, pagat=True),))
    table = liars(manual(book, "follow"), *spoken, forehand=TEN)
    table.act(A, Claim("revoke", B))
    if book == T:
        vote(table, True, False)
    amount = 10 if book in (J, V) else 40
    assert table.state.result == "scrapped"
    assert fined(table) == [(B, "revoke"), (B, "wrongDecl"), (C, "wrongDecl")]
    assert paid(table, "declaration", "repay") == (20, -10, -10, 0, 0)
    assert paid(table, "fine") == (0, -80 - 2 * amount, -2 * amount, 40 + 2 * amount, 40 + 2 * amount)


@pytest.mark.cites("I-11.12")
@pytest.mark.parametrize("book", [J, H, V, T])
def test_a_scrapped_deal_brings_up_neither_a_forgotten_declaration_nor_what_was_fined_before(
    book: str,
) -> None:
    forgotten = liars(manual(book, "follow"), (), (), (), forehand=TEN)
    forgotten.act(A, Claim("revoke", B))
    if book == T:
        vote(forgotten, False, False)
    assert fined(forgotten) == [(B, "revoke")]
    if book in (J, V):  # where a false declaration does not stop the deal
        before = liars(manual(book, "follow"), (), (tarok(10),), ())
        before.act(C, Claim("declaration", A))
        before.act(C, Claim("revoke", B))
        assert fined(before) == [(A, "wrongDecl"), (B, "revoke")]
        assert paid(before, "declaration", "repay") == NOBODY


@pytest.mark.cites("I-11.12")
@pytest.mark.parametrize("book", [J, T])
@pytest.mark.parametrize("asked", [True, False])
def test_at_a_lenient_table_also_a_liar_of_a_scrapped_deal_has_a_vote_of_his_own(
    book: str, asked: bool
) -> None:
    table = liars(manual(book, "follow", "lenient"), (), (tarok(10),), ())
    table.act(C, Claim("revoke", B))
    vote(table, True, True)  # B is fined
    if book == T:
        vote(table, False, False)  # and they do not play on
    assert (table.state.ballot.question, table.state.ballot.voters) == ("fine", (B, C))
    assert table.state.result == ""
    vote(table, asked, asked)
    assert table.state.result == "scrapped"
    assert fined(table) == [(B, "revoke"), *([(A, "wrongDecl")] if asked else [])]
    assert paid(table, "declaration", "repay") == (NOBODY if asked else (20, -10, -10, 0, 0))


@pytest.mark.cites("I-11.12")
def test_where_nobody_can_lie_a_scrapped_deal_finds_nothing() -> None:
    table = taken_up(strict(J, "follow"), TEN)
    table.act(C, SKAT)
    table.play("S1", "D4")
    table.act(C, Claim("revoke", B))
    assert fined(table) == [(B, "revoke")]
    assert paid(table, "declaration") == (20, -10, -10, 0, 0)


@pytest.mark.cites("I-11.12", "I-11.4")
@pytest.mark.parametrize("book", [J, H, V])
def test_a_score_sheet_of_a_scrapped_deal_with_a_liar_pays_the_same(book: str) -> None:
    table = liars(manual(book, "follow"), (), (tarok(22, pagat=True),), (tarok(10, pagat=True),))
    table.act(C, Claim("revoke", B))
    rules, noted = danish_rules(book), replace(outcome_of(table.state), king=60, pagat=60)
    check(rules, noted)  # though 32 tarokker are declared
    everybody = (A, B, C, "king", "pagat")
    assert net(settle(rules, noted).transfers, *everybody) == net(table.transfers(), *everybody)


# --- too early -----------------------------------------------------------------------------------------


@pytest.mark.cites("G144g", "I-11.13")
def test_in_dtf_middle_may_declare_after_the_dealer_and_before_forehand() -> None:
    table = taken_up(manual(T))
    table.act(C, SKAT)
    table.act(C, Declare(()))
    table.act(B, Declare((tarok(10),)))
    assert (table.state.ballot, fined(table)) == (None, [])
    assert paid(table, "declaration", "fine") == (-10, 20, -10, 0, 0)
    table.act(A, Declare(()))
    assert table.state.phase == "play"


@pytest.mark.cites("I-11.13")
@pytest.mark.parametrize("laid", [True, False])
def test_in_dtf_who_declares_before_the_dealer_is_fined(laid: bool) -> None:
    table = taken_up(manual(T))
    if laid:
        table.act(C, SKAT)
    table.act(A, Declare(()))
    assert fined(table) == [(A, "earlyDecl")]


@pytest.mark.cites("I-11.13")
def test_in_basta_who_declares_out_of_turn_is_paid_nothing_also_after_the_dealer() -> None:
    table = taken_up(manual(B99))
    table.act(C, SKAT)
    table.act(C, Declare(()))
    table.act(B, Declare((tarok(10),)))
    assert fined(table) == [(B, "earlyDecl")]
    assert paid(table, "declaration") == NOBODY


@pytest.mark.cites("I-11.5")
def test_what_was_not_declared_in_time_is_not_paid_later() -> None:
    table = missing_decl(J)
    assert paid(table, "declaration") == NOBODY
    table = advance(declared(manual(J), ELEVEN, tarok(10)), 6)
    table.act(A, Claim("declaration", A))
    assert paid(table, "declaration", "repay") == (20, -10, -10, 0, 0)


@pytest.mark.parametrize("book", [J, V, T])
def test_a_wrong_declaration_that_nobody_has_claimed_is_found_when_all_cards_have_appeared(book: str) -> None:
    table = ending(manual(book), {A: "T2 HK", B: "S4 S5", C: "D4 D5"}, A, won={A: 7, B: 8, C: 8}, dealt=TENS)
    table.play("T2", "S4", "D4", "HK", "S5", "D5")
    assert fined(table) == [(A, "missingDecl")]
    if book == T:
        vote(table, True, True)
    assert paid(table, "lastTrick", "kingUltimo")[:3] == (40, -20, -20)
    assert table.state.result == "played"
