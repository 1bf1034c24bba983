"""Rules B7, E2: demanding the skus, and what becomes of it in the third-last trick."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest

from table import DANISH, ORDER, Table, danish_rules, dealt, ending, net, strict
from ultimo import deal
from ultimo.cards import SKUS, SUITS, mask, parse_card
from ultimo.events import (
    Decline,
    DemandAnswered,
    DemandSkus,
    Lay,
    Play,
    Seat,
    SkusDemanded,
    TrickWon,
    WrongDemand,
)
from ultimo.rulebook import DanishRules

LEADER, NEXT, THIRD = ORDER
J_H_T = ("jensen", "hermansen", "dtf")
DEMANDING = ("jensen", "hermansen", "vlk", "dtf")

every_book = pytest.mark.parametrize("book", DANISH)
j_h_t = pytest.mark.parametrize("book", J_H_T)
demanding = pytest.mark.parametrize("book", DEMANDING)


def last(rules: DanishRules, first: str, second: str, third: str, **more: Any) -> Table:
    """An ending: three hands, the leader's first."""
    return ending(rules, {LEADER: first, NEXT: second, THIRD: third}, LEADER, **more)


def answered(table: Table, *demanders: Seat) -> Table:
    """Everybody answers in the window before the third-last trick; these demand."""
    for seat in table.state.asked:
        table.act(seat, DemandSkus() if seat in demanders else Decline())
    return table


def may_demand(table: Table) -> list[Seat]:
    """Who may demand the skus now."""
    return [seat for seat in ORDER if DemandSkus() in table.legal(seat)]


# --- the window before trick 23 ------------------------------------------------------------------------


@pytest.mark.cites("I-7.2", "I-7.5")
@demanding
def test_before_trick_23_everybody_is_asked_alike_and_the_holder_can_only_say_no(book: str) -> None:
    table = last(danish_rules(book), "S4 S5 S6", "T0 S9 H2", "D1 D2 D3")
    assert deal.waiting_for(table.rules, table.state) == ORDER
    assert [Decline() in table.legal(seat) for seat in ORDER] == [True] * 3
    assert may_demand(table) == [LEADER, THIRD]
    assert table.refuses(NEXT, DemandSkus()).reason == "you have the skus yourself"
    assert table.refuses(LEADER, Play(parse_card("S4"))).reason == "you cannot play a card now"


@pytest.mark.cites("I-7.2")
@pytest.mark.parametrize("order", list(permutations(ORDER)))
def test_the_answers_come_in_any_order_and_only_the_result_is_public(order: tuple[Seat, ...]) -> None:
    table = last(danish_rules("jensen"), "S4 S5 S6", "T0 S9 H2", "D1 D2 D3")
    for seat in order:
        state, events = table.state, table.act(seat, DemandSkus() if seat == THIRD else Decline())
        seen = [deal.seen_by(table.rules, state, viewer, events[0]) for viewer in ORDER]
        others = [DemandAnswered(seat, None)] * 2
        assert [event for viewer, event in zip(ORDER, seen, strict=True) if viewer != seat] == others
        assert events[1:] == ((SkusDemanded((THIRD,)),) if seat == order[-1] else ())
    assert table.events(SkusDemanded) == [SkusDemanded((THIRD,))]
    assert deal.waiting_for(table.rules, table.state) == (LEADER,)


@pytest.mark.cites("I-7.2")
@demanding
def test_where_nobody_demands_nothing_is_told(book: str) -> None:
    table = answered(last(danish_rules(book), "S4 S5 S6", "T0 S9 H2", "D1 D2 D3"))
    assert table.log == [DemandAnswered(seat, False) for seat in ORDER]
    table.play("S4")
    assert table.may_play(NEXT) == "S9 T0"


@pytest.mark.cites("I-7.2")
@demanding
@pytest.mark.parametrize("demanders", [(LEADER,), (THIRD,), (LEADER, THIRD)])
def test_one_demand_of_either_opponent_binds_the_holder_even_against_the_suit(
    book: str, demanders: tuple[Seat, ...]
) -> None:
    table = answered(last(danish_rules(book), "S4 S5 S6", "T0 S9 H2", "D1 D2 D3"), *demanders)
    assert table.events(SkusDemanded) == [SkusDemanded(demanders)]
    table.play("S4")
    assert table.may_play(NEXT) == "T0"
    refusal = table.refuses(NEXT, Play(parse_card("S9")))
    assert refusal.reason == "the skus has been demanded: you must play it"
    assert table.may_play(THIRD) == ""
    table.play("T0", "D1")
    assert table.state.piles[NEXT] == SKUS


@pytest.mark.cites("G80", "I-7.2", "I-7.13")
@demanding
def test_a_holder_who_leads_must_lead_it_and_names_it_freely(book: str) -> None:
    table = answered(last(danish_rules(book), "T21 T20 T0", "S1 S2 S3", "T18 T15 HK"), THIRD)
    plays = [action for action in table.legal(LEADER) if isinstance(action, Play)]
    assert plays == [Play(parse_card("T0"), suit) for suit in SUITS]
    assert may_demand(table) == []


@pytest.mark.cites("G79", "I-7.2")
@j_h_t
@pytest.mark.parametrize("tricks_left", [5, 4, 2])
def test_in_any_other_trick_a_demand_has_no_effect(book: str, tricks_left: int) -> None:
    deep = {LEADER: "S4 S5 S6 S7 S8", NEXT: "S9 T0 H2 H3 H4", THIRD: "D1 D2 D3 D4 D5"}
    hands = {seat: " ".join(hand.split()[:tricks_left]) for seat, hand in deep.items()}
    table = ending(strict(book, "skusDemand"), hands, LEADER)
    assert (may_demand(table), table.state.phase) == ([], "play")
    refusal = table.refuses(LEADER, DemandSkus())
    assert refusal.reason == "the skus can be demanded only in the third-last trick"
    table.play("S4")
    assert table.may_play(NEXT) == ("S9" if tricks_left == 2 else "S9 T0")
    assert table.transfers() == []


@pytest.mark.cites("G81", "I-7.11")
def test_in_basta_the_skus_cannot_be_demanded() -> None:
    table = last(danish_rules("basta"), "S4 S5 S6", "T0 S9 H2", "D1 D2 D3")
    assert (table.state.phase, may_demand(table)) == ("play", [])
    assert table.refuses(LEADER, DemandSkus()).reason == "in this rulebook the skus cannot be demanded"
    table.play("S4")
    assert table.may_play(NEXT) == "S9 T0"
    assert may_demand(table) == []


@pytest.mark.cites("I-7.11")
@pytest.mark.parametrize("book", ["jensen", "basta"])
@pytest.mark.parametrize(("demandable", "phase"), [(True, "demand"), (False, "play")])
def test_the_parameter_says_whether_it_can_be_demanded(book: str, demandable: bool, phase: str) -> None:
    rules = danish_rules(book, {"skus.demandable": demandable})
    assert last(rules, "S4 S5 S6", "T0 S9 H2", "D1 D2 D3").state.phase == phase


# --- demands while trick 23 lies on the table ----------------------------------------------------------


@pytest.mark.cites("G84c", "I-7.2")
@j_h_t
@pytest.mark.parametrize("demander", [LEADER, THIRD])
def test_it_may_still_be_demanded_before_the_holder_has_played(book: str, demander: Seat) -> None:
    table = answered(last(danish_rules(book), "S4 S5 S6", "T0 S9 H2", "D1 D2 D3"))
    assert may_demand(table) == [LEADER, THIRD]
    table.play("S4")
    assert may_demand(table) == [LEADER, THIRD]
    assert deal.waiting_for(table.rules, table.state) == (NEXT,)  # the play does not wait for a demand
    assert table.act(demander, DemandSkus()) == (SkusDemanded((demander,)),)
    assert table.may_play(NEXT) == "T0"


@pytest.mark.cites("G84d", "I-7.15")
@j_h_t
@pytest.mark.parametrize("switches", [(), ("skusDemand",)], ids=["auto", "strict"])
@pytest.mark.parametrize("demander", [NEXT, THIRD])
def test_a_demand_after_the_holder_has_played_is_heard_but_has_no_effect(
    book: str, switches: tuple[str, ...], demander: Seat
) -> None:
    table = answered(last(strict(book, *switches), "S5 T0 S6", "S4 S9 H2", "D1 D2 D3"))
    table.play("S5")
    assert table.act(demander, DemandSkus()) == (SkusDemanded((demander,)),)
    assert table.transfers() == []
    table.play("S4", "D1")
    assert (table.state.number, table.state.hands[LEADER]) == (24, mask("T0 S6"))
    assert table.may_play(LEADER) == "S6"


@pytest.mark.cites("I-7.15")
@demanding
def test_once_the_skus_has_publicly_gone_nobody_can_demand_it(book: str) -> None:
    table = answered(last(danish_rules(book), "S4 S5 S6", "T0 S9 H2", "D1 D2 D3"))
    table.play("S4", "T0")
    assert may_demand(table) == []
    assert table.refuses(LEADER, DemandSkus()).reason == "the skus has already been played"
    gone = last(danish_rules(book), "S4 S5 S6", "T9 S9 H2", "D1 D2 D3")
    assert (gone.state.phase, may_demand(gone)) == ("play", [])


@pytest.mark.cites("I-7.15")
@pytest.mark.parametrize(("switches", "asked"), [((), 0), (("skusDemand",), 3)], ids=["auto", "strict"])
def test_nobody_is_asked_for_a_skus_that_was_laid_with_tout(switches: tuple[str, ...], asked: int) -> None:
    table = dealt(strict("jensen", *switches), {THIRD: "T0 T21 T20 T19 S2 H2 C2"})  # the dealer's hand
    table.accept_all()
    table.act(THIRD, next(lay for lay in table.legal(THIRD) if isinstance(lay, Lay) and lay.tout))
    table.play_on()
    assert len(table.events(DemandAnswered)) == asked


# --- wrong demands -------------------------------------------------------------------------------------


@pytest.mark.cites("G78", "I-7.5")
@j_h_t
def test_who_demands_a_skus_that_has_gone_pays_twenty_into_each_cup_and_play_goes_on(book: str) -> None:
    rules = strict(book, "skusDemand")
    hands = {LEADER: "S5 S6 S7 S8", NEXT: "T0 H2 H3 H4", THIRD: "D1 D2 D3 D4"}
    table = ending(rules, hands, LEADER, number=22)
    table.play("S5", "T0", "D1")
    answered(table, THIRD)
    assert table.events(WrongDemand) == [WrongDemand(THIRD)]
    assert net(table.transfers(), LEADER, NEXT, THIRD, "king", "pagat") == (0, 0, -40, 20, 20)
    assert (table.state.phase, table.may_play(LEADER)) == ("play", "S6 S7 S8")


@pytest.mark.cites("I-7.15")
@j_h_t
def test_each_of_two_wrong_demands_is_fined(book: str) -> None:
    table = last(strict(book, "skusDemand"), "S4 S5 S6", "T9 S9 H2", "D1 D2 D3")
    answered(table, LEADER, THIRD)
    assert table.events(WrongDemand) == [WrongDemand(LEADER), WrongDemand(THIRD)]
    assert net(table.transfers(), LEADER, NEXT, THIRD, "king", "pagat") == (-40, 0, -40, 40, 40)
    assert may_demand(table) == [NEXT]  # who has not been fined may still err


@pytest.mark.cites("I-7.15", "I-7.5")
@j_h_t
def test_a_demand_after_the_skus_has_fallen_in_this_very_trick_is_a_wrong_one(book: str) -> None:
    table = answered(last(strict(book, "skusDemand"), "S4 S5 S6", "T0 S9 H2", "D1 D2 D3"))
    table.play("S4", "T0")
    table.act(LEADER, DemandSkus())
    assert table.events(WrongDemand) == [WrongDemand(LEADER)]
    assert net(table.transfers(), LEADER, "king", "pagat") == (-40, 20, 20)


@pytest.mark.cites("I-7.15")
@j_h_t
def test_a_demand_after_the_skus_has_fallen_on_another_ones_demand_is_a_wrong_one(book: str) -> None:
    """E2 (3): at this table the right to demand, and so to err, stays until the trick is complete."""
    table = answered(last(strict(book, "skusDemand"), "S4 S5 S6", "T0 S9 H2", "D1 D2 D3"), THIRD)
    table.play("S4", "T0")
    table.act(LEADER, DemandSkus())
    assert table.events(WrongDemand) == [WrongDemand(LEADER)]


@pytest.mark.cites("I-7.5")
@pytest.mark.parametrize("announced", [True, False])
def test_a_skus_in_the_skat_is_gone_too(announced: bool) -> None:
    """Laid with tout everybody knows it; laid by a wrong discard nobody does, and all are asked as usual."""
    switch = "skusDemand" if announced else "skat"
    table = last(
        strict("jensen", switch),
        "S4 S5 S6",
        "T9 S9 H2",
        "D1 D2 D3",
        skat="T0 C1 C2",
        tout_laid=announced,
        skus_gone=announced,
    )
    answered(table, NEXT)
    assert table.events(WrongDemand) == [WrongDemand(NEXT)]
    assert net(table.transfers(), NEXT, "king", "pagat") == (-40, 20, 20)


# --- trick 23 unasked ----------------------------------------------------------------------------------


@pytest.mark.cites("I-7.3")
@pytest.mark.parametrize(
    "book",
    [
        pytest.param("hermansen", marks=pytest.mark.cites("G75")),
        pytest.param("vlk", marks=pytest.mark.cites("G77")),
        "jensen",
        "basta",
        "dtf",
    ],
)
def test_in_trick_23_the_skus_may_be_led_or_played_unasked(book: str) -> None:
    leading = answered(last(danish_rules(book), "T0 S2 S1", "HK T13 D1", "D8 D9 D10"))
    assert leading.may_play(LEADER) == "S1 S2 T0"
    leading.play("T0=H", "HK", "D10")
    following = answered(last(danish_rules(book), "S4 S5 S6", "T0 S9 H2", "D1 D2 D3"))
    following.play("S4", "T0", "D1")
    assert (leading.events(TrickWon), following.state.piles[NEXT]) == ([TrickWon(NEXT)], SKUS)


@pytest.mark.cites("G76", "I-7.3")
@every_book
def test_read_literally_the_skus_falls_in_trick_23_only_on_demand(book: str) -> None:
    literal = danish_rules(book, {"skus.thirdLastVoluntary": False, "skus.demandable": True})
    leading = answered(last(literal, "T0 S2 S1", "HK T13 D1", "D8 D9 D10"))
    assert leading.may_play(LEADER) == "S1 S2"
    following = answered(last(literal, "S4 S5 S6", "T0 S9 H2", "D1 D2 D3"))
    following.play("S4")
    refusal = following.refuses(NEXT, Play(parse_card("T0")))
    assert refusal.reason == "in the third-last trick you can play the skus only if it is demanded"
    demanded = answered(last(literal, "S4 S5 S6", "T0 S9 H2", "D1 D2 D3"), THIRD)
    demanded.play("S4")
    assert (following.may_play(NEXT), demanded.may_play(NEXT)) == ("S9", "T0")
