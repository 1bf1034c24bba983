"""Rules C3, C4, C5, C11: bids, the called card, the écart, the slam question."""

from __future__ import annotations

from random import Random

import pytest

from french_table import Table
from ultimo.cards import KINGS, QUEENS, cards, mask, parse_card, parse_cards
from ultimo.events import (
    Announce,
    Announced,
    Bid,
    BidMade,
    Call,
    Called,
    ChienShown,
    DealClosed,
    Decline,
    EcartLaid,
    Lay,
    Pass,
    Passed,
    Play,
    TakerAloneRevealed,
)
from ultimo.rulebook import citation

# --- bids ----------------------------------------------------------------------------------------------


@pytest.mark.cites("G147")
def test_a_bid_must_be_higher_than_all_before() -> None:
    table = Table(hands={}).bid("pass petite garde")
    refusal = table.refuses(Bid("petite"))
    assert refusal.reason == "bid higher than garde, or pass"
    assert refusal.cite == citation(table.rules, "bid.ladder")
    assert "garde" in table.refuses(Bid("garde")).reason
    assert list(table.legal) == [Pass(), Bid("sans"), Bid("contre")]


def test_each_player_speaks_once_and_the_highest_bidder_takes() -> None:
    table = Table(hands={}, dealer=1)
    assert table.turn == 2
    assert list(table.legal) == [Pass(), Bid("petite"), Bid("garde"), Bid("sans"), Bid("contre")]
    assert "it is seat 2’s turn" in table.refuses(Pass(), 3).reason
    assert table.refuses(Decline()).reason == "bid or pass"
    table.bid("petite pass contre")
    assert list(table.legal) == [Pass()]
    table.bid("pass")
    assert (table.state.taker, table.state.phase, table.turn) == (0, "slam", 0)


def test_a_bid_that_the_ladder_lacks_is_refused() -> None:
    ladder = [{"id": "petite", "mult": 1, "chien": "taken"}, {"id": "garde", "mult": 2, "chien": "taken"}]
    table = Table(hands={}, house={"bid.ladder": ladder})
    assert table.refuses(Bid("contre")).reason == "there is no bid contre at this table"


@pytest.mark.cites("G148", "I-C.23")
def test_cards_that_nobody_bids_on_are_thrown_in_without_a_score() -> None:
    table = Table(hands={}).bid("pass pass pass")
    assert table.do(Pass()) == (Passed(3), DealClosed("thrownIn"))
    assert (table.state.result, table.state.net) == ("thrownIn", (0, 0, 0, 0))


# --- chien and écart -----------------------------------------------------------------------------------

MANY = "T21 T1 SK S1 S2 S3 S4 H1 H2 H3 C1 C2 C3 D1 D2 D3 D4 T9"


@pytest.mark.cites("G149")
@pytest.mark.parametrize("barred", ["SK", "T21", "T1", "T0"])
def test_kings_and_bouts_may_not_be_laid(barred: str) -> None:
    table = Table(hands={0: MANY}, chien="T0 S5 S6 S7 S8 S9").bid("petite pass pass pass")
    refusal = table.refuses(Lay(parse_cards(f"{barred} S1 S2 S3 S4 H1")))
    assert (refusal.reason, refusal.cite) == (
        "you cannot discard kings or bouts (the 21, the petit, the excuse)",
        table.rules.bid.cite,
    )


@pytest.mark.parametrize(
    ("laid", "reason"),
    [
        ("T9 S1 S2 S3 S4 H1", "only if nothing else is left to discard"),
        ("S1 S2 S3 S4 H1", "discard 6 cards"),
        ("S1 S2 S3 S4 H1 DK", "you do not have DK"),
    ],
)
def test_an_ecart_is_six_cards_of_the_hand_without_a_trump(laid: str, reason: str) -> None:
    table = Table(hands={0: MANY}, chien="T0 S5 S6 S7 S8 S9").bid("petite pass pass pass")
    assert reason in table.refuses(Lay(parse_cards(laid))).reason
    assert table.refuses(Lay((parse_card("S1"),) * 6)).reason == "you chose S1 twice"
    assert (
        "after you have discarded" in table.refuses(Lay(parse_cards("S1 S2 S3 S4 S5 S6"), tout=True)).reason
    )
    assert table.refuses(Pass()).reason == "discard (the écart)"


def test_a_taken_chien_joins_the_hand_and_as_many_cards_are_laid() -> None:
    table = Table(hands={0: MANY}, chien="T0 S5 S6 S7 S8 S9").bid("petite pass pass")
    assert table.do(Pass()) == (Passed(3), ChienShown(0, parse_cards("S5 S6 S7 S8 S9 T0")))
    assert table.state.size(0) == 24
    laid = parse_cards("S5 S6 S7 S8 S9 D1")
    assert table.do(Lay(laid)) == (EcartLaid(0, laid),)
    assert table.state.size(0) == 18
    assert table.state.ecart == mask(laid)


@pytest.mark.parametrize(("bid", "left"), [("petite", 0), ("garde", 0), ("sans", 6), ("contre", 6)])
def test_the_chien_is_turned_or_stays_closed_as_the_bid_says(bid: str, left: int) -> None:
    table = Table(hands={0: MANY}).bid(f"{bid} pass pass pass")
    assert table.state.chien.bit_count() == left
    assert table.state.phase == ("slam" if left else "ecart")


@pytest.mark.cites("G150", "I-C.4")
def test_too_few_plain_cards_are_all_laid_and_trumps_make_up_the_number() -> None:
    trumps = "T1 T2 T3 T4 T5 T6 T7 T8 T9 T10 T11 T12 T13 T14"
    table = Table(hands={0: f"{trumps} SK HK CK DK"}, chien="T15 T16 S2 S3 H2 H3").bid("garde pass pass pass")
    assert len(table.legal) == 15 * 14 // 2
    assert "discard H3 first" in table.refuses(Lay(parse_cards("S2 S3 H2 T2 T3 T4"))).reason
    assert "kings or bouts" in table.refuses(Lay(parse_cards("S2 S3 H2 H3 T1 T4"))).reason
    (laid,) = table.do(Lay(parse_cards("S2 S3 H2 H3 T2 T16")))
    assert laid == EcartLaid(0, parse_cards("S2 S3 H2 H3 T2 T16"), shown=parse_cards("T2 T16"))


@pytest.mark.cites("G150a", "I-C.4")
def test_the_excuse_may_not_make_up_the_ecart() -> None:
    hand = "T21 T1 T0 SK HK CK DK T2 T3 T4 T5 T6 T7 T8 T9 T10 T11 T12"
    table = Table(hands={0: hand}, chien="T13 S1 S2 S3 S4 S5").bid("petite pass pass pass")
    assert len(table.legal) == 12
    assert "bouts" in table.refuses(Lay(parse_cards("S1 S2 S3 S4 S5 T0"))).reason
    table.do(Lay(parse_cards("S1 S2 S3 S4 S5 T13")))
    assert table.state.trumps_laid == mask("T13")


# --- the called card -----------------------------------------------------------------------------------


@pytest.mark.cites("I-C.14")
def test_the_card_is_called_before_the_chien_is_turned_and_the_slam_asked_after_the_ecart() -> None:
    table = Table("french5", hands={1: "SK S1 S2 S3 S4"}, chien="D1 D2 D3").bid("pass garde pass pass pass")
    phases = []
    for action in (Call(parse_card("HK")), Lay(parse_cards("S1 S2 S3")), Decline()):
        phases.append((table.state.phase, table.turn, table.state.chien.bit_count()))
        table.do(action)
    assert phases == [("call", 1, 3), ("ecart", 1, 0), ("slam", 1, 0)]
    assert (table.state.phase, table.turn) == ("play", 0)


@pytest.mark.parametrize("bid", ["petite", "garde", "sans", "contre"])
def test_a_card_is_called_at_every_bid_and_only_with_five_players(bid: str) -> None:
    five, four = Table("french5", hands={}), Table(hands={})
    assert five.bid(f"{bid} pass pass pass pass").state.phase == "call"
    assert four.bid(f"{bid} pass pass pass").state.phase != "call"


@pytest.mark.cites("G181")
def test_a_called_king_in_the_chien_leaves_the_taker_alone_for_all_to_see() -> None:
    table = Table("french5", hands={}, chien="HK D1 D2").bid("garde pass pass pass pass")
    events = table.do(Call(parse_card("HK")))
    chien = ChienShown(0, parse_cards("HK D1 D2"))
    assert events == (Called(0, parse_card("HK")), chien, TakerAloneRevealed(0))
    assert table.state.partner is None
    assert table.state.sides_public


@pytest.mark.cites("G182")
def test_a_taker_who_calls_his_own_king_is_alone_and_nobody_else_knows() -> None:
    table = Table("french5", hands={0: "HK T21"}, chien="D1 D2 D3").bid("sans pass pass pass pass").call("HK")
    assert table.state.partner is None
    assert not table.state.sides_public
    assert {table.state.side(seat) for seat in range(1, 5)} == {"defence"}
    table.do(Decline())
    assert table.play("HK")[-1] == TakerAloneRevealed(0)


@pytest.mark.cites("G183", "I-C.18")
def test_four_kings_let_the_taker_name_a_queen_but_do_not_force_him() -> None:
    table = Table("french5", hands={0: "SK HK CK DK T21"}).bid("garde pass pass pass pass")
    assert {action.card for action in table.legal if isinstance(action, Call)} == set(cards(KINGS | QUEENS))
    assert "call a knight only if you have all four queens" in table.refuses(Call(parse_card("SN"))).reason


@pytest.mark.cites("I-C.18")
@pytest.mark.parametrize(
    ("hand", "ranks"),
    [
        ("SK HK CK", "K"),
        ("SK HK CK DK SQ HQ CQ", "KQ"),
        ("SK HK CK DK SQ HQ CQ DQ", "KQN"),
        ("SK HK CK DK SQ HQ CQ DQ SN HN CN DN", "KQNJ"),
        ("SQ HQ CQ DQ", "K"),
    ],
)
def test_a_lower_rank_may_be_named_by_who_holds_all_above(hand: str, ranks: str) -> None:
    table = Table("french5", hands={0: hand, 1: "SJ"}, chien="T2 T3 T4").bid("sans pass pass pass pass")
    named = {action.card.value for action in table.legal if isinstance(action, Call)}
    assert named == {suit + rank for suit in "SHCD" for rank in ranks}


def test_what_may_be_named_is_judged_before_the_chien_is_turned() -> None:
    table = Table("french5", hands={0: "SK HK CK"}, chien="DK T2 T3").bid("garde pass pass pass pass")
    refusal = table.refuses(Call(parse_card("SQ")))
    assert refusal.reason == "you can call a queen only if you have all four kings"
    assert refusal.cite == citation(table.rules, "call.fallback")
    assert table.refuses(Call(parse_card("T21"))).reason == "call a king"


def test_the_holder_of_the_called_card_is_the_partner() -> None:
    table = Table("french5", hands={3: "CK"}, chien="D1 D2 D3").bid("sans pass pass pass pass").call("CK")
    assert table.state.partner == 3
    assert {seat for seat in range(5) if table.state.side(seat) == "taker"} == {0, 3}
    assert not table.state.sides_public


@pytest.mark.cites("I-C.27")
def test_a_called_queen_may_be_laid() -> None:
    table = Table("french5", hands={0: "SK HK CK DK SQ S1"}, chien="D1 D2 D3")
    table.bid("garde pass pass pass pass").call("SQ")
    table.do(Lay(parse_cards("SQ S1 D1")))
    assert table.state.partner is None


# --- the slam question ---------------------------------------------------------------------------------


@pytest.mark.cites("G172", "I-C.6")
def test_who_announces_a_slam_leads_and_play_goes_on_from_him() -> None:
    table = Table(hands={2: "T21"}, dealer=3).bid("pass pass sans pass")
    assert table.do(Announce("slam")) == (Announced(2, "slam"),)
    order = []
    for _ in range(4):
        order.append(table.turn)
        table.do(next(iter(table.legal)))
    assert order == [2, 3, 0, 1]


@pytest.mark.cites("I-C.5")
def test_only_the_taker_is_asked_for_a_slam() -> None:
    table = Table(hands={}).bid("pass garde pass pass")
    table.do(table.legal.draw(Random(0)))
    assert (table.state.phase, table.turn) == ("slam", 1)
    assert list(table.legal) == [Decline(), Announce("slam")]
    assert table.refuses(Announce("nolo")).reason == "the only thing you can announce is a slam"
    assert table.refuses(Play(parse_card("S1"))).reason == "announce a slam or decline"
    table.do(Decline())
    assert (table.state.phase, table.turn, table.state.slam) == ("play", 0, None)


@pytest.mark.cites("I-C.5")
def test_where_defenders_may_announce_they_are_asked_from_the_dealers_right() -> None:
    table = Table(hands={}, house={"slam.defendersMayAnnounce": True}, dealer=3).bid("pass sans pass pass")
    asked = []
    while table.state.phase == "slam":
        asked.append(table.turn)
        table.do(Announce("slam") if table.turn == 2 else Decline())
    assert asked == [1, 0, 2]
    assert (table.state.slam, table.turn) == (2, 2)


@pytest.mark.cites("I-C.5")
def test_when_nobody_announces_the_dealers_right_neighbour_leads() -> None:
    table = Table("french3", hands={}, house={"slam.defendersMayAnnounce": True}).bid("pass pass contre")
    for seat in (2, 0, 1):
        assert table.turn == seat
        table.do(Decline())
    assert (table.state.phase, table.turn) == ("play", 0)


def test_bids_are_facts_of_the_log() -> None:
    table = Table(hands={}).bid("pass garde")
    assert table.log[-2:] == [Passed(0), BidMade(1, "garde")]
