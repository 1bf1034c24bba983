"""Rules B1, B2: who plays and who sits out; founding the cups, the ante, moving the cups."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from table import DANISH, Evening, Table, danish_rules, dealt, ending, net, strict
from ultimo import series
from ultimo.cards import PACK, Card
from ultimo.danish import deal_out, second_pack
from ultimo.events import (
    CardPlayed,
    Claim,
    CupEmptied,
    CupsMoved,
    DealClosed,
    Declared,
    Event,
    Found,
    FoundingMissed,
    IllegalAction,
    MoveCups,
    OffenceFound,
    Opened,
    Paid,
    Play,
    Seat,
    Settlement,
    Transfer,
)
from ultimo.rulebook import DanishRules

BLACK = ["K", "Q", "N", "J", "10", "9", "8", "7", "6", "5", "4", "3", "2", "1"]
RED = ["K", "Q", "N", "J", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10"]
NO_TAROK = "S1 S2 S3 S4 S5 S6 S7 S8 S9 S10 SJ SN SQ SK H1 H2 H3 H4 H5 H6 H7 H8 H9 H10"  # 24 cards


def paid(log: list[Event], *reasons: str) -> list[Transfer]:
    """What has been paid for these reasons."""
    return [t for e in log if isinstance(e, Paid) for t in e.transfers if t.reason in reasons]


def openings(rules: DanishRules, table: int, dealer: Seat, deals: int) -> list[Opened]:
    """How the deals of an evening, played at random, are opened."""
    evening, rng = Evening(rules, table, dealer), Random(deals)
    for _ in range(deals):
        evening.play_deal(rng)
    return [event for event in evening.log if isinstance(event, Opened)]


def sitters(one: Opened) -> set[Seat]:
    return set(range(one.table)) - set(one.active)


def until_emptied(evening: Evening) -> CupEmptied:
    """Play at random until the king cup is taken; who took it."""
    rng = Random(1)
    while not (taken := [e for e in evening.log if isinstance(e, CupEmptied) and e.cup == "king"]):
        evening.play_deal(rng)
    return taken[0]


def laid(table: Table) -> Table:
    """The deal with the hands taken up and the first legal skat laid."""
    table.accept_all()
    table.act(0, next(iter(table.legal(0))))
    return table


# --- seating --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("book", ["jensen", "hermansen"])
@pytest.mark.parametrize(
    ("place", "active", "out"),
    [
        pytest.param(0, (1, 3, 0), 2, marks=pytest.mark.cites("G5")),
        pytest.param(1, (2, 0, 1), 3, marks=pytest.mark.cites("G6", "I-1.1")),
    ],
)
def test_with_four_the_player_opposite_the_dealer_sits_out(
    book: str, place: int, active: tuple[Seat, ...], out: Seat
) -> None:
    one = openings(danish_rules(book), 4, 0, 2)[place]
    assert (one.dealer, one.active, sitters(one)) == (active[2], active, {out})


@pytest.mark.cites("I-1.4")
@pytest.mark.parametrize("book", ["basta", "dtf"])
@pytest.mark.parametrize("dealer", range(4))
def test_where_the_book_is_silent_it_is_also_the_player_opposite(book: str, dealer: Seat) -> None:
    (one,) = openings(danish_rules(book), 4, dealer, 1)
    assert sitters(one) == {(dealer + 2) % 4}


@pytest.mark.cites("I-1.1", "I-1.7")
@pytest.mark.parametrize("book", DANISH)
@pytest.mark.parametrize("table", [3, 4])
def test_the_deal_passes_to_the_right_hand_neighbour(book: str, table: int) -> None:
    dealers = [one.dealer for one in openings(danish_rules(book), table, 1, table + 1)]
    assert dealers == [(1 + deals) % table for deals in range(table + 1)]


@pytest.mark.cites("I-1.5", "I-1.7")
@pytest.mark.parametrize("book", DANISH)
def test_forehand_sits_to_the_dealers_right_and_the_play_goes_on_from_him(book: str) -> None:
    rules = danish_rules(book)
    evening = Evening(rules, 3, 2)
    evening.play_deal(Random(2))
    (one,) = [event for event in evening.log if isinstance(event, Opened)]
    assert one.active == (0, 1, 2)  # forehand, middle, dealer
    first = [event.seat for event in evening.log if isinstance(event, CardPlayed)][:3]
    assert first == [0, 1, 2]
    assert [event.seat for event in evening.log if isinstance(event, Declared)] == [2, 0, 1]


@pytest.mark.cites("I-1.6")
@pytest.mark.parametrize("book", DANISH)
def test_whoever_the_lot_names_deals_first(book: str) -> None:
    assert [openings(danish_rules(book), 4, lot, 1)[0].dealer for lot in range(4)] == [0, 1, 2, 3]
    with pytest.raises(IllegalAction, match="no seat 4"):
        Evening(danish_rules(book), 4, 4)


@pytest.mark.cites("G7", "I-1.2")
@pytest.mark.parametrize("book", ["jensen", "hermansen"])
def test_one_of_five_sits_out_five_deals_and_comes_back_as_forehand(book: str) -> None:
    eight = openings(danish_rules(book), 5, 2, 8)
    assert [one.dealer for one in eight] == [2, 3, 0, 1, 2, 3, 4, 1]  # in the sixth deal 0 goes out
    assert all(4 in sitters(one) for one in eight[:5])
    assert eight[5].active[0] == 4
    assert all(0 in sitters(one) for one in eight[5:])


@pytest.mark.cites("G8", "I-1.2")
@pytest.mark.parametrize("book", ["jensen", "hermansen"])
def test_over_25_deals_each_of_five_deals_five_times_and_plays_fifteen(book: str) -> None:
    deals = openings(danish_rules(book), 5, 2, 25)
    assert Counter(one.dealer for one in deals) == dict.fromkeys(range(5), 5)
    assert Counter(seat for one in deals for seat in one.active) == dict.fromkeys(range(5), 15)


@pytest.mark.cites("I-1.8")
@pytest.mark.parametrize("book", ["jensen", "hermansen"])
@pytest.mark.parametrize(("dealer", "left"), [(2, 5), (3, 4), (0, 3), (1, 2)])
def test_a_game_that_begins_while_one_of_five_is_out_plays_the_rest_of_the_five_deals(
    book: str, dealer: Seat, left: int
) -> None:
    rules, out = danish_rules(book), 4
    state = series.evolve(rules, None, series.open_series(rules, [""] * 5, dealer, out)[0])
    nobody = Settlement(())
    for deals in range(left + 10):
        back, sits_out = state.out, (4 + (deals + 5 - left) // 5) % 5
        assert state.out == sits_out != state.dealer
        state = series.booked(rules, state, nobody)
        if (deals + 1 - left) % 5 == 0:
            assert series.seated(rules, 5, state.dealer, state.out)[0] == back


@pytest.mark.parametrize(
    "book",
    [
        pytest.param("vlk", marks=pytest.mark.cites("G9", "G21b")),
        pytest.param("dtf", marks=pytest.mark.cites("G21b", "I-1.3")),
    ],
)
def test_or_two_of_five_sit_out_each_deal(book: str) -> None:
    six = openings(danish_rules(book), 5, 0, 6)
    assert (six[0].active, sitters(six[0])) == ((1, 4, 0), {2, 3})
    assert [one.dealer for one in six] == [0, 2, 4, 1, 3, 0]
    assert Counter(seat for one in six[:5] for seat in one.active) == dict.fromkeys(range(5), 3)


@pytest.mark.cites("G9")
def test_with_two_of_five_sitting_out_they_see_to_the_second_pack() -> None:
    assert second_pack(danish_rules("vlk"), 5, 0) == (3, 4, 2)
    assert second_pack(danish_rules("vlk"), 4, 0) is None
    assert second_pack(danish_rules("jensen"), 5, 0) is None


@pytest.mark.cites("I-1.2", "I-1.3")
def test_how_five_sit_is_a_house_rule() -> None:
    assert openings(danish_rules("dtf", {"table.five": "fiveDealsOut"}), 5, 0, 2)[1].dealer == 1
    assert openings(danish_rules("jensen", {"table.five": "twoSitOut"}), 5, 0, 2)[1].dealer == 2


def test_only_the_sizes_of_the_book_are_seated() -> None:
    with pytest.raises(IllegalAction, match="for 3 or 4 players, not 5"):
        Evening(danish_rules("basta"), 5)
    assert Evening(danish_rules("basta", {"table.sizes": [3, 4, 5]}), 5).state.table == 5
    with pytest.raises(IllegalAction, match="not 6"):
        Evening(danish_rules("jensen"), 6)


@pytest.mark.cites("G5")
@pytest.mark.parametrize("book", DANISH)
def test_a_sitter_may_do_nothing_in_the_deal(book: str) -> None:
    table = laid(dealt(strict(book, "deal", "cups", "follow", "declare"), {}, (1, 3, 0), 4))
    assert table.legal(1)
    assert not table.legal(2)
    with pytest.raises(IllegalAction, match="only players in this deal"):
        table.act(2, Claim("revoke", 1))


# --- the cups -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("book", "table", "house", "king", "pagat", "each"),
    [
        pytest.param("jensen", 5, {}, 100, 100, (40,) * 5, marks=pytest.mark.cites("G10", "I-2.4")),
        pytest.param("basta", 3, {}, 15, 30, (15,) * 3, marks=pytest.mark.cites("G11", "I-2.1")),
        pytest.param("basta", 4, {}, 15, 30, (15, 15, 0, 15), marks=pytest.mark.cites("G144j", "I-2.2")),
        pytest.param("hermansen", 4, {}, 80, 80, (40,) * 4, marks=pytest.mark.cites("I-2.4")),
        pytest.param("vlk", 4, {}, 80, 80, (40,) * 4, marks=pytest.mark.cites("I-2.4")),
        pytest.param("dtf", 5, {}, 100, 100, (40,) * 5, marks=pytest.mark.cites("I-2.4")),
        pytest.param("basta", 4, {"cups.foundBy": "allAtTable"}, 20, 40, (15,) * 4),
        pytest.param("dtf", 4, {"cups.found.king": 7, "cups.found.pagat": 3}, 28, 12, (10,) * 4),
        pytest.param("dtf", 4, {"cups.enabled": False}, 0, 0, (0,) * 4),
    ],
)
def test_the_cups_are_founded_before_the_first_deal(
    book: str, table: int, house: dict[str, Any], king: int, pagat: int, each: tuple[int, ...]
) -> None:
    evening = Evening(danish_rules(book, house), table)
    evening.next_deal()
    founded = paid(evening.log, "found")
    assert net(founded, "king", "pagat", *range(table)) == (king, pagat, *(-points for points in each))
    ante = 0 if house == {"cups.enabled": False} else 5
    assert (evening.state.king, evening.state.pagat) == (king + ante, pagat + ante)


@pytest.mark.cites("G12")
def test_a_cup_that_was_emptied_is_founded_by_all_at_the_table() -> None:
    evening = Evening(danish_rules("jensen"), 4)
    until_emptied(evening)
    before = len(evening.log)
    evening.next_deal()
    founded = [t for t in paid(evening.log[before:], "found") if t.payee == "king"]
    assert net(founded, 0, 1, 2, 3, "king") == (-20, -20, -20, -20, 80)


@pytest.mark.cites("I-2.1")
@pytest.mark.parametrize("book", DANISH)
def test_a_cup_that_was_not_emptied_gets_only_the_ante(book: str) -> None:
    evening = Evening(danish_rules(book), 3)
    evening.next_deal()
    evening.tell([DealClosed("scrapped")])
    before = len(evening.log)
    evening.next_deal()
    assert net(paid(evening.log[before:], "found", "ante"), 0, 1, 2, "king", "pagat") == (0, -10, 0, 5, 5)


@pytest.mark.cites("G13")
@pytest.mark.parametrize("book", DANISH)
def test_the_dealer_antes_five_into_each_cup(book: str) -> None:
    log = dealt(danish_rules(book), {}).transfers()
    assert net(log, 0, 1, 2, "king", "pagat") == (-10, 0, 0, 5, 5)
    house = dealt(danish_rules(book, {"cups.ante": 8}), {}).transfers()
    assert net(house, 0, "king", "pagat") == (-16, 8, 8)


@pytest.mark.cites("I-2.3")
@pytest.mark.parametrize("book", ["jensen", "hermansen", "vlk", "dtf"])
def test_an_emptied_cup_is_founded_even_if_a_bagud_has_filled_it_again(book: str) -> None:
    rules = danish_rules(book)
    evening = Evening(rules, 3)
    evening.next_deal()
    last = ending(rules, {1: "SK", 2: "HK", 0: "H2"}, 1, won={0: 8, 1: 8, 2: 8}, king=65, pagat=65)
    evening.state = replace(evening.state, deal=last.state)
    for seat, card in ((1, "SK"), (2, "HK"), (0, "H2")):
        evening.act(seat, Play(Card(card)))
    assert evening.state.king == 65  # taken by the ultimator, paid in again by the king that went bagud
    evening.next_deal()
    assert evening.state.king == 65 + 3 * 20 + 5


@pytest.mark.cites("I-2.4")
def test_at_a_strict_table_everybody_founds_for_himself_and_the_dealer_answers_for_the_start() -> None:
    evening = Evening(strict("jensen", "cups"), 4)
    for seat in (0, 3):
        evening.act(seat, Found())
        with pytest.raises(IllegalAction, match="no opening stake to pay"):
            evening.act(seat, Found())
    evening.next_deal()
    missed = [event for event in evening.log if isinstance(event, FoundingMissed)]
    assert {(event.seat, event.cup, event.points) for event in missed} == {
        (seat, cup, 20) for seat in (1, 2) for cup in ("king", "pagat")
    }
    assert evening.state.totals == (-50, 0, 0, -40)
    evening.act(None, deal_out(4, (1, 3, 0), PACK))
    assert evening.state.totals == (-130, 0, 0, -40)
    assert (evening.state.king, evening.state.pagat) == (85, 85)


@pytest.mark.cites("I-2.4")
@pytest.mark.parametrize("book", ["jensen", "hermansen", "dtf"])
def test_whoever_emptied_a_cup_makes_good_what_the_others_forget_to_found(book: str) -> None:
    evening = Evening(strict(book, "cups"), 4)
    for seat in range(4):
        evening.act(seat, Found())
    ultimator = until_emptied(evening).seat
    left = evening.state.king
    forgetful = (ultimator + 1) % 4
    for seat in set(range(4)) - {forgetful}:
        evening.act(seat, Found())
    evening.next_deal()
    assert evening.state.king == left + 3 * 20 + 5
    before = len(evening.log)
    evening.act(None, deal_out(4, evening.state.deal.order, PACK))
    (made_good,) = [t for t in paid(evening.log[before:], "shortFounding") if t.payee == "king"]
    assert (made_good.payer, made_good.points) == (ultimator, 20)


@pytest.mark.cites("G18")
@pytest.mark.parametrize(("house", "fine"), [({}, 5), ({"fine.cupsNotMoved": 8}, 8)])
def test_cups_not_moved_before_the_first_lead_are_a_fine(house: dict[str, Any], fine: int) -> None:
    table = laid(dealt(danish_rules("dtf", {"strict.cups": True} | house), {}))
    assert MoveCups() in table.legal(0)
    assert MoveCups() not in table.legal(1)
    assert paid(list(table.log), "fine") == []
    lead = table.legal(1).draw(Random(1))
    assert OffenceFound(0, "cupsNotMoved") in table.act(1, lead)
    assert net(paid(list(table.log), "fine"), 0, 1, 2, "king", "pagat") == (-2 * fine, 0, 0, fine, fine)
    assert MoveCups() not in table.legal(0)


@pytest.mark.cites("G18", "I-2.4")
@pytest.mark.parametrize(
    ("rules", "moves"),
    [
        (strict("dtf", "cups"), True),
        (danish_rules("dtf"), False),
        *((strict(book, "cups"), False) for book in DANISH if book != "dtf"),
        (danish_rules("dtf", {"strict.cups": True, "cups.moveDuty": False}), False),
        (danish_rules("dtf", {"strict.cups": True, "cups.enabled": False}), False),
    ],
)
def test_cups_that_are_moved_or_need_not_be_cost_nothing(rules: DanishRules, moves: bool) -> None:
    table = laid(dealt(rules, {}))
    assert (MoveCups() in table.legal(0)) == moves
    if moves:
        assert table.act(0, MoveCups()) == (CupsMoved(0),)
    table.act(1, table.legal(1).draw(Random(1)))
    assert paid(list(table.log), "fine") == []
