"""Rules A3, A4, B3: rank and points of the cards; the deal, misdeals and the right to new cards."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from random import Random

import pytest
from msgspec.structs import replace

import french_table
from table import DANISH, Evening, danish_rules, dealt, ending, net, strict
from ultimo import deal, french, series
from ultimo.cards import ALL_CARDS, PACK, Card, cards, mask
from ultimo.danish import deal_out, outcome_of, settle
from ultimo.danish.outcome import Order
from ultimo.danish.state import pile_points
from ultimo.events import (
    Accept,
    CardsCorrected,
    Claim,
    CountObjected,
    Deal,
    DealClosed,
    Dealt,
    Declaration,
    Declare,
    Decline,
    DemandRedeal,
    IllegalAction,
    Lay,
    Misdealt,
    ObjectCount,
    OffenceFound,
    Paid,
    PassDeal,
    Play,
    Redeal,
    RedealChosen,
    RedealDemanded,
    Seat,
    Transfer,
    TrickWon,
)
from ultimo.rulebook import DanishRules

BLACK = ["K", "Q", "N", "J", "10", "9", "8", "7", "6", "5", "4", "3", "2", "1"]
RED = ["K", "Q", "N", "J", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10"]
OUTSIDE_TAROK = "SK SQ SN SJ S10 S9 S8 S7 S6 S5 S4 S3 S2 S1 HK HQ HN HJ H1 H2 H3 H4 H5 H6"  # 24 cards


def wrongly(order: Order = (1, 2, 0), table: int = 3) -> Deal:
    """A deal in which forehand has got one of the dealer's cards."""
    forehand, _, dealer = order
    hands = list(deal_out(table, order, PACK).hands)
    hands[forehand] += hands[dealer][:1]
    hands[dealer] = hands[dealer][1:]
    return Deal(tuple(hands))


# --- rank and points ------------------------------------------------------------------------------------


@pytest.mark.parametrize("book", DANISH)
@pytest.mark.parametrize(
    ("trick", "winner"),
    [
        pytest.param("H10 H8 H2", 0, marks=pytest.mark.cites("G1")),
        pytest.param("C1 C10 C5", 2, marks=pytest.mark.cites("G2")),
    ],
)
def test_pips_rank_downwards_in_red_suits_and_upwards_in_black_ones(
    book: str, trick: str, winner: Seat
) -> None:
    first, second, third = trick.split()
    hands = {1: f"{first} S1", 2: f"{second} S2", 0: f"{third} S3"}
    table = ending(danish_rules(book), hands, leader=1)
    table.play(first, second, third)
    assert table.events(TrickWon) == [TrickWon(winner)]


@pytest.mark.cites("G1", "G2")
@pytest.mark.parametrize(("suit", "ranks"), [("S", BLACK), ("H", RED), ("C", BLACK), ("D", RED)])
def test_each_card_of_a_suit_beats_the_next_one_in_its_order(suit: str, ranks: list[str]) -> None:
    other = "D" if suit == "H" else "H"
    for high, low in pairwise(ranks):
        hands = {1: f"{suit}{low} T2", 2: f"{suit}{high} T3", 0: f"{other}K T4"}
        table = ending(danish_rules("jensen"), hands, leader=1, number=20)
        table.play(f"{suit}{low}", f"{suit}{high}", "T4")
        assert table.events(TrickWon) == [TrickWon(0)]  # tarok beats every suit
        hands[0] = f"{other}K {other}Q"
        table = ending(danish_rules("jensen"), hands, leader=1, number=20)
        table.play(f"{suit}{low}", f"{suit}{high}", f"{other}K")
        assert table.events(TrickWon) == [TrickWon(2)]


@pytest.mark.cites("G3")
def test_in_french_tarot_the_ten_of_hearts_beats_the_one() -> None:
    state = french_table.position(french_table.rules_of(), "H1 H10 H5", "H2 S1")
    assert french.decide(french_table.rules_of(), state, 0, Play(Card("H2")))[1] == TrickWon(2)


@pytest.mark.cites("G4")
def test_the_whole_pack_is_worth_78_in_danish_and_91_in_french_tarot() -> None:
    table = dealt(danish_rules("jensen"), {})
    table.accept_all()
    table.play_on()
    assert sum(pile_points(table.state)) == 78
    assert french.counting.half_points(ALL_CARDS) == 2 * 91


# --- dealing --------------------------------------------------------------------------------------------


@pytest.mark.cites("I-3.5", "I-1.7")
@pytest.mark.parametrize("order", [(1, 2, 0), (2, 0, 1), (1, 3, 0)])
def test_five_cards_at_a_time_go_to_the_right_and_the_last_eight_to_the_dealer(order: Order) -> None:
    table = 4 if 3 in order else 3
    hands = [mask(hand) for hand in deal_out(table, order, PACK).hands]
    forehand, middle, dealer = order
    for seat, first in ((forehand, 0), (middle, 5), (dealer, 10)):
        assert mask(PACK[first : first + 5]) & ~hands[seat] == 0
        assert mask(PACK[first + 60 : first + 65]) & ~hands[seat] == 0
    assert mask(PACK[70:]) & ~hands[dealer] == 0
    assert [hands[seat].bit_count() for seat in order] == [25, 25, 28]


@pytest.mark.parametrize(
    ("deal", "reason"),
    [
        (wrongly(), "25 cards, the dealer 28"),
        (Deal((PACK[:25], PACK[25:50], PACK[49:77])), "each of the 78 cards once"),
        (Deal((PACK[:28], PACK[28:53])), "each of the 78 cards once"),
        (Deal((PACK[:25], PACK[25:50], PACK[50:75]), PACK[75:]), "each of the 78 cards once"),
    ],
)
def test_where_the_table_is_not_strict_only_a_right_deal_happens(deal: Deal, reason: str) -> None:
    evening = Evening(danish_rules("jensen"), 3)
    evening.next_deal()
    with pytest.raises(IllegalAction, match=reason):
        evening.act(None, deal)
    evening.act(None, deal_out(3, (1, 2, 0), PACK))
    with pytest.raises(IllegalAction, match="have already been dealt"):
        evening.act(None, deal_out(3, (1, 2, 0), PACK))


def test_no_seat_chooses_the_cards_and_a_sitter_gets_none() -> None:
    evening = Evening(strict("jensen", "deal"), 4)
    evening.next_deal()
    with pytest.raises(IllegalAction, match="players do not choose"):
        evening.act(0, deal_out(4, (1, 3, 0), PACK))
    with pytest.raises(IllegalAction, match="a player who sits out gets no cards"):
        evening.act(None, deal_out(4, (1, 2, 0), PACK))


# --- misdeals -------------------------------------------------------------------------------------------


def misdealt(book: str, table: int = 3, objector: int = 0) -> Evening:
    """An evening whose first dealer has misdealt, as one of forehand, middle and dealer has pointed out."""
    evening = Evening(strict(book, "deal"), table)
    evening.next_deal()
    order = evening.state.deal.order
    evening.act(None, wrongly(order, table))
    before = len(evening.log)
    evening.act(order[objector], ObjectCount())
    told = evening.log[before:]
    assert told[0] == CountObjected(order[objector], right=True)
    sizes = tuple({order[0]: 26, order[1]: 25, order[2]: 27}.get(seat, 0) for seat in range(table))
    assert told[1] == Misdealt(sizes)
    return evening


def paid_in(evening: Evening) -> list[Transfer]:
    """All payments of an evening."""
    return [t for event in evening.log if isinstance(event, Paid) for t in event.transfers]


def gained(evening: Evening) -> tuple[int, ...]:
    """What seats and cups have gained, the founding of the cups set aside."""
    everybody = (*range(evening.state.table), "king", "pagat")
    founded = [t for t in paid_in(evening) if t.reason == "found"]
    has = (*evening.state.totals, evening.state.king, evening.state.pagat)
    return tuple(now - was for now, was in zip(has, net(founded, *everybody), strict=True))


def choices(evening: Evening, seat: Seat) -> list[object]:
    """What a seat may do, other than object."""
    return [action for action in series.legal(evening.rules, evening.state, seat) if action != ObjectCount()]


@pytest.mark.cites("G14")
@pytest.mark.parametrize("book", ["jensen", "hermansen", "vlk"])
@pytest.mark.parametrize("objector", [0, 1, 2])
def test_after_a_misdeal_the_dealer_may_ante_again_and_redeal(book: str, objector: int) -> None:
    evening = misdealt(book, objector=objector)
    assert set(choices(evening, 0)) == {Redeal(), PassDeal()}
    assert not choices(evening, 1)
    assert gained(evening) == (-10, 0, 0, 5, 5)
    evening.act(0, Redeal())
    assert RedealChosen(0) in evening.log
    assert gained(evening) == (-20, 0, 0, 10, 10)
    evening.act(None, deal_out(3, (1, 2, 0), PACK))
    assert evening.state.deal.phase == "handCheck"
    assert evening.state.deal.order == (1, 2, 0)


@pytest.mark.cites("G15", "I-3.7")
@pytest.mark.parametrize("book", ["jensen", "hermansen", "vlk"])
def test_or_he_passes_the_deal_and_only_the_ante_is_lost(book: str) -> None:
    evening = misdealt(book, table=4)
    evening.act(0, PassDeal())
    assert evening.log[-1] == DealClosed("passed")
    assert gained(evening) == (-10, 0, 0, 0, 5, 5)
    evening.next_deal()
    assert evening.state.deal.order == (2, 0, 1)
    assert gained(evening) == (-10, -10, 0, 0, 10, 10)


def objected(
    rules: DanishRules, phase: str, spoken: tuple[Declaration, ...] = (), claims: int = 0
) -> Evening:
    """An evening at which middle objects to forehand's 26 cards, once the deal has come to a phase.

    Before that he claims, so many times, that forehand has declared wrongly.
    """
    evening = Evening(rules, 3)
    evening.next_deal()
    evening.act(None, wrongly())
    while evening.state.deal.phase == "handCheck":
        evening.act(deal.waiting_for(rules, evening.state.deal)[0], Accept())
    if phase != "skat":
        laid = next(action for action in series.legal(rules, evening.state, 0) if isinstance(action, Lay))
        evening.act(0, laid)
    while phase == "announce" and evening.state.deal.phase == "declare":
        seat = deal.waiting_for(rules, evening.state.deal)[0]
        evening.act(seat, Declare(spoken if seat == 1 else ()))
    if phase == "play":
        while evening.state.deal.phase != "play":
            seat = deal.waiting_for(rules, evening.state.deal)[0]
            wish = Declare(()) if evening.state.deal.phase == "declare" else Decline()
            evening.act(seat, wish)
        evening.act(1, Play(cards(evening.state.deal.hands[1])[0]))
    for _ in range(claims):
        evening.act(2, Claim("declaration", 1))
    evening.act(2, ObjectCount())
    return evening


@pytest.mark.cites("G144i", "I-11.14")
@pytest.mark.parametrize("phase", ["skat", "declare", "announce"])
@pytest.mark.parametrize("redeals", [True, False])
def test_in_basta_an_objection_is_in_time_until_the_first_lead(phase: str, redeals: bool) -> None:
    evening = objected(strict("basta", "deal", "declare"), phase)
    assert not [event for event in evening.log if isinstance(event, OffenceFound)]
    assert set(choices(evening, 0)) == {Redeal(), PassDeal()}
    evening.act(0, Redeal() if redeals else PassDeal())
    assert gained(evening) == ((-20, 5, 5, 5, 5) if redeals else (-10, 0, 0, 5, 5))
    if redeals:
        evening.act(None, deal_out(3, (1, 2, 0), PACK))
        now = evening.state.deal
        assert (now.phase, now.declared, now.skat, now.hands[0].bit_count()) == (
            "handCheck",
            (None, None, None),
            0,
            28,
        )


@pytest.mark.cites("I-11.14")
def test_in_basta_an_objection_after_the_first_lead_is_too_late_and_the_hands_are_fined() -> None:
    evening = objected(strict("basta", "deal", "declare"), "play")
    offences = [(event.seat, event.offence) for event in evening.log if isinstance(event, OffenceFound)]
    assert offences == [(1, "wrongCards")]


@pytest.mark.cites("I-11.14")
@pytest.mark.parametrize("book", ["jensen", "hermansen", "vlk", "dtf"])
def test_in_the_later_books_an_objection_is_late_once_the_hands_are_taken_up(book: str) -> None:
    evening = objected(strict(book, "deal"), "skat")
    offences = [(event.seat, event.offence) for event in evening.log if isinstance(event, OffenceFound)]
    assert offences[0] == (1, "wrongCards")


@pytest.mark.cites("I-11.14")
@pytest.mark.parametrize("misdeal", ["anteOrPass", "payEachOrPass", "correctAndFine"])
def test_what_was_declared_on_misdealt_cards_goes_back(misdeal: str) -> None:
    rules = strict("basta", "deal", "declare", **{"deal.misdeal": misdeal})
    evening = objected(rules, "announce", (Declaration("tarok", 12, False),))
    paid = paid_in(evening)
    assert net([t for t in paid if t.reason == "declaration"], 0, 1, 2) == (-20, 40, -20)
    assert net([t for t in paid if t.reason in ("declaration", "repay")], 0, 1, 2) == (0, 0, 0)
    if misdeal == "correctAndFine":
        before = evening.state.deal.hands
        assert sum(hand.bit_count() for hand in before) == 78
        evening.act(None, deal.deal_out(rules, evening.state.deal, PACK, Random(1)))
        assert [hand.bit_count() for hand in evening.state.deal.hands] == [28, 25, 25]


@pytest.mark.cites("I-11.14")
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("claims", [0, 1])
def test_after_a_late_misdeal_a_score_sheet_still_pays_what_was_paid(seed: int, claims: int) -> None:
    """What a fine has given back before the misdeal does not go back twice."""
    rules = strict("basta", "deal", "declare")
    evening = objected(rules, "announce", (Declaration("tarok", 12, False),), claims)
    assert net([t for t in paid_in(evening) if t.reason in ("declaration", "repay")], 0, 1, 2) == (0, 0, 0)
    assert [fined.offence for fined in evening.state.deal.fines] == ["wrongDecl"] * claims
    evening.act(0, Redeal())
    rng = Random(seed)
    evening.act(None, deal_out(3, (1, 2, 0), deal.shuffled(rng)))
    while evening.state.playing:
        seat = deal.waiting_for(rules, evening.state.deal)[0]
        evening.act(seat, deal.legal(rules, evening.state.deal, seat).offers[0].draw(rng))
    state = evening.state.deal
    noted = replace(outcome_of(state, state.counts), king=15, pagat=30)
    everybody = (0, 1, 2, "king", "pagat")
    paid = [t for t in paid_in(evening) if t.reason != "found"]
    assert net(settle(rules, noted).transfers, *everybody) == net(paid, *everybody)


@pytest.mark.cites("G16", "I-3.4")
@pytest.mark.parametrize("table", [3, 4])
def test_in_basta_a_dealer_who_keeps_the_deal_pays_his_two_opponents(table: int) -> None:
    evening = misdealt("basta", table)
    evening.act(0, Redeal())
    sitter = (0,) if table == 4 else ()
    assert gained(evening) == (-20, 5, *sitter, 5, 5, 5)
    evening.act(None, deal_out(table, evening.state.deal.order, PACK))
    assert evening.state.deal.dealer == 0


def test_in_basta_a_dealer_who_loses_the_deal_pays_nothing() -> None:
    evening = misdealt("basta")
    evening.act(0, PassDeal())
    assert gained(evening) == (-10, 0, 0, 5, 5)
    assert evening.state.dealer == 1


@pytest.mark.cites("G17")
def test_in_dtf_the_cards_are_put_right_and_the_dealer_pays_five_into_each_cup() -> None:
    evening = misdealt("dtf")
    assert deal.needs_cards(evening.state.deal)
    with pytest.raises(IllegalAction, match="only a hand with too many"):
        evening.act(None, deal_out(3, (1, 2, 0), PACK[::-1]))
    rng = Random(1)
    evening.act(None, deal.deal_out(evening.rules, evening.state.deal, deal.shuffled(rng), rng))
    (put_right,) = [event for event in evening.log if isinstance(event, CardsCorrected)]
    assert [len(hand) for hand in put_right.hands] == [28, 25, 25]
    assert mask(card for hand in put_right.hands for card in hand) == ALL_CARDS
    assert put_right.hands[2] == cards(mask(deal_out(3, (1, 2, 0), PACK).hands[2]))  # it was right
    assert gained(evening) == (-20, 0, 0, 10, 10)
    assert evening.state.deal.phase == "handCheck"
    assert choices(evening, 0)


@pytest.mark.parametrize(
    ("book", "misdeal", "redeals", "cost"),
    [
        ("jensen", "payEachOrPass", True, (-24, 7, 7, 5, 5)),
        ("jensen", "correctAndFine", False, (-24, 0, 0, 12, 12)),
        ("dtf", "anteOrPass", True, (-20, 0, 0, 10, 10)),
        ("basta", "correctAndFine", False, (-24, 0, 0, 12, 12)),
    ],
)
def test_what_a_misdeal_costs_is_a_house_rule(
    book: str, misdeal: str, redeals: bool, cost: Sequence[int]
) -> None:
    rules = danish_rules(book, {"strict.deal": True, "deal.misdeal": misdeal, "deal.misdealPay": 7})
    evening = Evening(rules, 3)
    evening.next_deal()
    evening.act(None, wrongly())
    evening.act(2, ObjectCount())
    if redeals:
        evening.act(0, Redeal())
    assert gained(evening) == cost


def test_an_objection_to_a_right_deal_changes_nothing() -> None:
    table = dealt(strict("jensen", "deal"), {})
    state = table.state
    assert table.act(1, ObjectCount()) == (CountObjected(1, right=False),)
    assert table.state == state


def test_a_misdeal_that_all_have_accepted_is_an_error_of_the_hand_that_is_wrong() -> None:
    evening = Evening(strict("jensen", "deal"), 3)
    evening.next_deal()
    evening.act(None, wrongly())
    for seat in (1, 2, 0):
        evening.act(seat, Accept())
    evening.act(2, ObjectCount())
    assert not [event for event in evening.log if isinstance(event, Misdealt)]
    assert OffenceFound(1, "wrongCards") in evening.log


# --- the right to new cards -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "book",
    [
        pytest.param("jensen", marks=pytest.mark.cites("G19", "I-3.2")),
        pytest.param("hermansen", marks=pytest.mark.cites("G19", "I-3.2")),
        pytest.param("vlk", marks=pytest.mark.cites("G19", "I-3.2")),
        pytest.param("dtf", marks=pytest.mark.cites("G19", "I-3.2", "I-3.6")),
    ],
)
@pytest.mark.parametrize("last", ["T0", "H7"])
def test_a_hand_without_a_real_tarok_may_have_new_cards_from_the_same_dealer(book: str, last: str) -> None:
    hand = f"{OUTSIDE_TAROK} {last}"
    table = dealt(danish_rules(book), {1: hand, 2: "T5"})
    assert [DemandRedeal() in table.legal(seat) for seat in range(3)] == [False, True, False]
    assert table.act(1, DemandRedeal()) == (RedealDemanded(1, cards(mask(hand))),)
    assert table.state.phase == "dealing"
    table.act(None, deal_out(3, (1, 2, 0), PACK))
    assert table.state.order == (1, 2, 0)
    assert net(table.transfers(), 0, "king", "pagat") == (-10, 5, 5)
    assert len(table.events(Dealt)) == 2


@pytest.mark.cites("G20")
@pytest.mark.parametrize("book", DANISH)
def test_the_pagat_is_tarok_enough(book: str) -> None:
    table = dealt(danish_rules(book), {1: f"{OUTSIDE_TAROK} T1"})
    assert DemandRedeal() not in table.legal(1)
    with pytest.raises(IllegalAction):
        table.act(1, DemandRedeal())


@pytest.mark.cites("G21", "I-3.3")
def test_basta_knows_no_right_to_new_cards() -> None:
    for rules in (danish_rules("basta"), strict("basta", "deal")):
        table = dealt(rules, {1: f"{OUTSIDE_TAROK} T0"})
        assert DemandRedeal() not in table.legal(1)
        with pytest.raises(IllegalAction, match="does not let you ask for new cards"):
            table.act(1, DemandRedeal())


@pytest.mark.cites("I-3.3")
def test_the_right_to_new_cards_is_a_house_rule() -> None:
    hands = {1: f"{OUTSIDE_TAROK} T0"}
    assert DemandRedeal() in dealt(danish_rules("basta", {"deal.redealNoTarok": True}), hands).legal(1)
    assert DemandRedeal() not in dealt(danish_rules("jensen", {"deal.redealNoTarok": False}), hands).legal(1)


@pytest.mark.cites("I-3.1")
@pytest.mark.parametrize("book", ["jensen", "hermansen", "vlk", "dtf"])
def test_the_right_lapses_with_the_taking_up_of_the_hand(book: str) -> None:
    table = dealt(danish_rules(book), {1: f"{OUTSIDE_TAROK} T0"})
    table.act(1, Accept())
    assert DemandRedeal() not in table.legal(1)
    table.accept_all()
    lay = next(action for action in table.legal(0) if isinstance(action, Lay))
    table.act(0, lay)
    with pytest.raises(IllegalAction):
        table.act(1, DemandRedeal())


@pytest.mark.cites("I-3.1")
@pytest.mark.parametrize(("rest", "may"), [("H7 H8 H9 T0", True), ("H7 H8 H9 T9", False)])
def test_the_dealer_judges_by_all_his_28_cards(rest: str, may: bool) -> None:
    table = dealt(danish_rules("jensen"), {0: f"{OUTSIDE_TAROK} {rest}"})
    assert (DemandRedeal() in table.legal(0)) == may
