"""Rules E3, E5: who sees what, and which wish a fact grants."""

from __future__ import annotations

from random import Random

import pytest

from french_table import Table, forged, opened, rules_of
from ultimo import deal, french
from ultimo.cards import PACK, UNSEEN, mask, parse_card, parse_cards
from ultimo.events import (
    Announce,
    Announced,
    Bid,
    BidMade,
    Call,
    Called,
    CardPlayed,
    ChienShown,
    Cut,
    Deal,
    DealClosed,
    DealEvent,
    Dealt,
    Decline,
    Declined,
    EcartLaid,
    ExcuseKept,
    Lay,
    PackCut,
    Pass,
    Passed,
    Play,
    PoigneeShown,
    Seat,
    ShowPoignee,
    TrickWon,
)
from ultimo.french import State

TEN = "T2 T3 T4 T5 T6 T7 T8 T9 T10 T11"


def view(table: Table, seat: Seat | None) -> State:
    """The fold of what a seat saw."""
    state: State | None = None
    for event in table.log:
        state = french.evolve(table.rules, state, french.seen_by(table.rules, table.state, seat, event))
    assert state is not None
    return state


def test_a_seat_sees_its_own_hand_and_counts_the_rest() -> None:
    table = Table(hands={0: TEN})
    seen = view(table, 0)
    assert seen.hands == (table.state.hands[0], 0, 0, 0)
    assert seen.unseen == (0, 18, 18, 18)
    assert (seen.chien, seen.chien_unseen) == (0, 6)
    spectator = view(table, None)
    assert spectator.hands == (0, 0, 0, 0)
    assert spectator.unseen == (18, 18, 18, 18)


def test_nobody_sees_a_pack_that_is_not_shuffled() -> None:
    rules = rules_of(house={"deal.shuffle": "never"})
    start = opened(rules, 1, PACK)
    for seat in (0, 1, None):
        hidden = french.seen_by(rules, french.initial(rules, start), seat, start)
        seen = french.evolve(rules, None, hidden)
        assert set(seen.deck) == {UNSEEN}
        assert french.legal(rules, seen, seat) == french.legal(rules, french.initial(rules, start), seat)


def test_the_ecart_is_seen_by_the_taker_but_its_trumps_by_all() -> None:
    hand = "T1 T2 T3 T4 T5 T6 T7 T8 T9 T10 T11 T12 T13 T14 SK HK CK S4"
    table = Table(hands={0: hand}, chien="T15 DK S2 S3 H2 H3").bid("garde pass pass pass")
    table.do(Lay(parse_cards("S2 S3 S4 H2 H3 T15")))
    mine = view(table, 0)
    assert (mine.hands[0], mine.ecart) == (table.state.hands[0], table.state.ecart)
    for seat in (1, 2, None):
        seen = view(table, seat)
        assert (seen.ecart, seen.ecart_unseen) == (mask("T15"), 5)
        assert seen.hands[0] == mask("DK")  # a king taken up cannot have been laid
        assert seen.unseen[0] == 17


def test_who_does_not_see_the_ecart_knows_only_what_cannot_be_in_it() -> None:
    table = Table(hands={0: TEN}, chien="SK T21 T12 C7 C8 C9").bid("garde pass pass pass")
    assert view(table, 2).hands[0] == mask("SK T21 T12 C7 C8 C9")
    table.do(next(iter(table.legal)))
    seen = view(table, 2)
    assert seen.hands[0] == mask("SK T21 T12")
    assert (seen.unseen[0], seen.ecart_unseen) == (15, 6)


def test_a_poignee_is_seen_and_remembered() -> None:
    table = Table(hands={0: TEN}).bid("sans pass pass pass")
    table.do(Decline())
    table.do(ShowPoignee(parse_cards(TEN)))
    table.play("T11")
    seen = view(table, 3)
    assert seen.hands[0] == mask("T2 T3 T4 T5 T6 T7 T8 T9 T10")
    assert seen.unseen[0] == 8


def test_a_petit_sec_hand_is_laid_open() -> None:
    table = Table(hands={1: "S1 S2 S3 S4 S5 S6 S7 S8 S9 H1 H2 H3 H4 H5 H6 H7 H8 T1"})
    assert view(table, 3).hands[1] == table.state.hands[1]


@pytest.mark.cites("I-C.25")
def test_only_the_partner_knows_the_partner_until_the_card_falls() -> None:
    hands = {0: "T21 T20", 1: "S1 S2", 2: "HK C1", 3: "D1 D2", 4: "C2 C3"}
    table = Table("french5", hands=hands).bid("sans pass pass pass pass").call("HK")
    assert [view(table, seat).partner for seat in (0, 1, 2, 3, 4, None)] == [None, None, 2, None, None, None]
    table.do(Decline())
    table.play("T21 S1 HK")
    assert [view(table, seat).partner for seat in (0, 1, 2, 3, 4, None)] == [2] * 6


@pytest.mark.cites("G182")
def test_only_the_taker_knows_that_he_has_called_himself() -> None:
    table = Table("french5", hands={0: "HK T21"}).bid("sans pass pass pass pass").call("HK")
    assert view(table, 0).holder == 0
    assert [view(table, seat).holder for seat in (1, 2, 3, 4)] == [None] * 4


@pytest.mark.cites("I-C.17", "I-C.25")
def test_a_closed_chien_is_seen_at_the_count() -> None:
    last = {(15, 0): "T21", (15, 1): "S2", (15, 2): "S3", (15, 3): "S4", (15, 4): "S5"}
    fixed = {(3, 1): "T0", **last}
    table = forged(Table("french5"), [0, 1] * 7 + [0], bid="sans", call="HK", laid="HK D1 D2", fixed=fixed)
    assert view(table, 0).chien_unseen == 3
    assert not any(isinstance(event, ExcuseKept) for event in table.log)
    table.play("T21")
    seen = view(table, 4)
    assert seen.chien == mask("HK D1 D2")
    assert french.outcome_of(table.rules, seen) == french.outcome_of(table.rules, table.state)
    assert seen.net == table.state.net


@pytest.mark.cites("I-C.25")
def test_hidden_cards_change_nothing_in_what_a_seat_sees_before_the_sides_are_public() -> None:
    """seat 3 falls in a trick of the taker: alike whether seat 2 or seat 3 is the partner."""
    base = {0: "T21 T20 T19", 1: "S1 S2 S3", 4: "T1 T2 T3 T4"}
    streams = []
    for partner, other in ((2, 3), (3, 2)):
        hands = base | {partner: "HK", other: "CK"}
        hands[2] += " C1 C2 C3 C4 C5 C6 C7 C8 C9 C10 CJ CN CQ D1"
        hands[3] += " T0 D2 D3 D4 D5 D6 D7 D8 D9 D10 DJ DN DQ DK"
        table = Table("french5", hands=hands).bid("sans pass pass pass pass").call("HK")
        table.do(Decline())
        table.play("T21 S1 C1 D2 T1 T20 S2 C2 T0 T2 T19 S3 C3 D3 T3")
        streams.append([french.seen_by(table.rules, table.state, 4, event) for event in table.log])
    assert streams[0] == streams[1]


# --- causes --------------------------------------------------------------------------------------------

ONE = parse_cards("S1")


@pytest.mark.parametrize(
    ("event", "wish"),
    [
        (Dealt((ONE, ONE), ONE), (None, Deal((ONE, ONE), ONE))),
        (PackCut(3, 20), (3, Cut(20))),
        (BidMade(1, "garde"), (1, Bid("garde"))),
        (Passed(1), (1, Pass())),
        (Called(0, parse_card("HK")), (0, Call(parse_card("HK")))),
        (EcartLaid(2, ONE), (2, Lay(ONE))),
        (Announced(2, "slam"), (2, Announce("slam"))),
        (Declined(2), (2, Decline())),
        (PoigneeShown(1, 0, ONE), (1, ShowPoignee(ONE))),
        (CardPlayed(1, parse_card("T9")), (1, Play(parse_card("T9")))),
        (TrickWon(1), None),
        (ChienShown(0, ONE), None),
        (DealClosed("played"), None),
    ],
)
def test_a_fact_knows_the_wish_it_grants(event: DealEvent, wish: object) -> None:
    assert deal.cause(Table("french4").state, event) == wish


@pytest.mark.parametrize("book", ["french3", "french4", "french5"])
def test_the_wishes_of_a_log_tell_it_again(book: str) -> None:
    rng = Random(5)
    table = _random_deal(book, rng)
    again = Table(book)
    for event in table.log[1:]:
        if wish := deal.cause(again.state, event):
            again.do(wish[1], wish[0])
    assert again.log == table.log


def _random_deal(book: str, rng: Random) -> Table:
    table = Table(book)
    deck = list(PACK)
    rng.shuffle(deck)
    table.do(
        french.deal_out(table.rules, table.state.dealer, deck, french.chien_positions(table.rules, rng)), None
    )
    for _ in table.random(rng):
        pass
    return table
