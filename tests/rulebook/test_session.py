"""Rules B12, and founding between deals (B2): how an evening goes on and how it ends."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from settling import A, B, C
from table import DANISH, Evening, danish_rules, ending, net, strict
from ultimo import deal, series
from ultimo.cards import ALL_CARDS, Card, cards, mask
from ultimo.events import (
    CupsDivided,
    Deal,
    DealClosed,
    Found,
    FoundingMissed,
    IllegalAction,
    Opened,
    Paid,
    Play,
    SeriesClosed,
    Transfer,
)
from ultimo.rulebook import DanishRules


def between_deals(
    rules: DanishRules, totals: tuple[int, ...], king: int, pagat: int, dealer: int = 0
) -> Evening:
    """An evening between two deals, the last one dealt by `dealer`."""
    assert sum(totals) + king + pagat == 0
    now = Evening(rules, len(totals))
    held: dict[str, Any] = {"totals": totals, "king": king, "pagat": pagat}
    now.state = replace(now.state, **held, last_dealer=dealer, deals=1, unfounded=())
    return now


def king_ultimo(now: Evening) -> int:
    """Play a whole deal in which forehand makes ultimo with the king of spades; who that is.

    He leads two losers, one for each opponent, then tarok on tarok.
    """
    now.next_deal()
    forehand, middle, dealer = now.state.deal.order
    wishes = "C1 D10 " + " ".join(f"T{number}" for number in range(21, 3, -1)) + " S10 SJ SN SQ SK"
    rest = cards(ALL_CARDS & ~mask(wishes + " D1"))
    hands = {forehand: cards(mask(wishes)), middle: rest[::2][:25]}
    hands[dealer] = (Card("D1"), *(card for card in rest if card not in hands[middle]))
    now.act(None, Deal(tuple(hands.get(seat, ()) for seat in range(now.state.table))))
    plan = {Card(word): place for place, word in enumerate(wishes.split())}
    while now.state.playing:
        seat = deal.waiting_for(now.rules, now.state.deal)[0]
        may = list(series.legal(now.rules, now.state, seat))
        plays = [wish for wish in may if isinstance(wish, Play)]
        now.act(seat, min(plays, key=lambda play: (plan.get(play.card, 0), play.card)) if plays else may[0])
    assert now.state.deal.emptied == (("king", forehand),)
    return int(forehand)


def paid(now: Evening, reason: str) -> list[Transfer]:
    """The payments of one kind so far."""
    return [t for event in now.log if isinstance(event, Paid) for t in event.transfers if t.reason == reason]


def books_balance(now: Evening) -> bool:
    """Whether players and cups sum to zero."""
    return bool(sum(now.state.totals) + now.state.king + now.state.pagat == 0)


# --- dividing the cups ---------------------------------------------------------------------------------


@pytest.mark.cites("G141", "I-12.1")
@pytest.mark.parametrize("book", ["jensen", "hermansen", "vlk", "dtf"])
def test_the_cups_are_divided_and_the_rest_goes_to_who_did_worst(book: str) -> None:
    now = between_deals(danish_rules(book), (-60, -20, -115, -10), 130, 75)
    now.close()
    assert CupsDivided((50, 50, 55, 50)) in now.log
    assert now.state.totals == (-10, 30, -60, 40)
    assert (now.state.king, now.state.pagat, now.state.closed) == (0, 0, True)
    assert now.log[-1] == SeriesClosed((-10, 30, -60, 40))
    assert net(paid(now, "division"), 0, 1, 2, 3, "king", "pagat") == (50, 50, 50, 50, -130, -70)
    assert net(paid(now, "divisionRest"), 2, "pagat") == (5, -5)


@pytest.mark.cites("I-12.1")
def test_basta_divides_to_the_single_point() -> None:
    now = between_deals(danish_rules("basta"), (-60, -20, -115, -10), 130, 75)
    now.close()
    assert CupsDivided((51, 51, 52, 51)) in now.log


@pytest.mark.cites("I-12.3", "I-2.2")
def test_also_who_sat_out_the_last_deal_shares_with_basta() -> None:
    now = Evening(danish_rules("basta"), 4, dealer=0)
    now.play_deal(Random(4))
    founded = paid(now, "found")
    assert {one.payer for one in founded} == {0, 1, 3}
    now.close()
    (divided,) = [event for event in now.log if isinstance(event, CupsDivided)]
    assert divided.shares[2] == min(divided.shares) > 0
    assert max(divided.shares) - min(divided.shares) < 4


@pytest.mark.cites("I-12.1")
@pytest.mark.parametrize(
    ("unit", "shares"),
    [(1, (51, 51, 52, 51)), (5, (50, 50, 55, 50)), (10, (50, 50, 55, 50)), (20, (40, 40, 85, 40))],
)
def test_a_house_may_divide_in_other_chips(unit: int, shares: tuple[int, ...]) -> None:
    now = between_deals(danish_rules("jensen", {"session.unit": unit}), (-60, -20, -115, -10), 130, 75)
    now.close()
    assert CupsDivided(shares) in now.log


@pytest.mark.cites("I-12.1")
def test_the_two_cups_are_divided_as_one_sum() -> None:
    """Each by itself, 65 and 40 would leave a rest of 5 and of 10."""
    now = between_deals(danish_rules("dtf"), (-30, -35, -40), 65, 40)
    now.close()
    assert CupsDivided((35, 35, 35)) in now.log


@pytest.mark.cites("I-12.1")
@pytest.mark.parametrize(
    ("dealer", "lucky"), [(0, 1), (1, 3), (2, 3), (3, 1)]
)  # seats 1 and 3 have lost most, and one of them sits first to the right of the last dealer
def test_between_equals_the_rest_goes_to_the_first_to_the_right_of_the_last_dealer(
    dealer: int, lucky: int
) -> None:
    now = between_deals(danish_rules("dtf"), (-20, -70, -45, -70), 130, 75, dealer)
    now.close()
    (divided,) = [event for event in now.log if isinstance(event, CupsDivided)]
    assert divided.shares == tuple(55 if seat == lucky else 50 for seat in range(4))


@pytest.mark.cites("I-12.1")
def test_the_last_dealer_is_he_of_the_deal_just_played_not_he_of_the_next() -> None:
    now = Evening(danish_rules("dtf"), 4, dealer=0)
    for _ in range(2):
        now.play_deal(Random(4))
    now.state = replace(now.state, totals=(-52,) * 4, king=108, pagat=100)
    now.close()
    assert CupsDivided((50, 50, 58, 50)) in now.log  # seat 1 dealt last


@pytest.mark.parametrize("lot", range(4))
def test_a_house_may_draw_lots_for_the_rest(lot: int) -> None:
    rules = danish_rules("dtf", {"session.rest": "lot"})
    now = between_deals(rules, (-60, -20, -115, -10), 130, 75)
    now.tell(series.close(rules, now.state, lot=lot))
    assert CupsDivided(tuple(55 if seat == lot else 50 for seat in range(4))) in now.log


def test_empty_cups_are_not_divided() -> None:
    now = between_deals(danish_rules("jensen", {"cups.enabled": False}), (10, -10, 0), 0, 0)
    now.close()
    assert now.log[1:] == [SeriesClosed((10, -10, 0))]


@pytest.mark.parametrize("table", [3, 4, 5])
@pytest.mark.parametrize("book", DANISH)
def test_an_evening_sums_to_zero_over_players_and_cups_and_at_its_end_over_players(
    book: str, table: int
) -> None:
    rules = danish_rules(book)
    if table not in rules.sizes:
        with pytest.raises(IllegalAction, match="for 3 or 4 players"):
            Evening(rules, table)
        return
    now, rng = Evening(rules, table), Random(table)
    for _ in range(6):
        now.play_deal(rng)
        assert books_balance(now)
    now.close()
    assert sum(now.state.totals) == 0


# --- the length of an evening --------------------------------------------------------------------------


@pytest.mark.cites("I-12.2")
def test_an_evening_ends_only_between_deals() -> None:
    now = Evening(danish_rules("dtf"), 4)
    now.next_deal()
    with pytest.raises(IllegalAction, match="ends only between deals"):
        now.close()
    now.tell([DealClosed("scrapped")])
    now.close()
    for go_on in (now.next_deal, now.close):
        with pytest.raises(IllegalAction, match="the game is over"):
            go_on()


@pytest.mark.cites("I-12.2")
@pytest.mark.parametrize(
    ("book", "table", "deals"),
    [
        *((book, 3, 3) for book in DANISH),
        *((book, 4, 4) for book in DANISH),
        ("jensen", 5, 25),
        ("hermansen", 5, 25),
        ("vlk", 5, 5),
        ("dtf", 5, 5),
    ],
)
def test_in_a_round_everybody_deals_and_plays_equally_often(book: str, table: int, deals: int) -> None:
    rules = danish_rules(book, {"session.length": {"rounds": 1}})
    now = Evening(rules, table, dealer=1)
    assert not series.is_due_to_end(rules, now.state)
    for place in range(deals):
        assert not series.is_due_to_end(rules, now.state), place
        now.next_deal()
        now.tell([DealClosed("scrapped")])
    assert series.is_due_to_end(rules, now.state)
    openings = [event for event in now.log if isinstance(event, Opened)]
    assert set(Counter(event.dealer for event in openings).values()) == {deals // table}
    played = Counter(seat for event in openings for seat in event.active)
    assert set(played.values()) == {3 * deals // table}


@pytest.mark.cites("I-12.2")
@pytest.mark.parametrize(
    ("length", "due_after"), [({"deals": 2}, 2), ({"deals": 7}, 7), ({"rounds": 2}, 8), ("open", None)]
)
def test_an_evening_lasts_as_long_as_agreed(length: Any, due_after: int | None) -> None:
    rules = danish_rules("dtf", {"session.length": length})
    now = Evening(rules, 4)
    for place in range(1, 11):
        now.next_deal()
        now.tell([DealClosed("scrapped")])
        assert series.is_due_to_end(rules, now.state) == (due_after is not None and place >= due_after)


# --- founding after an ultimo --------------------------------------------------------------------------


@pytest.mark.parametrize("table", [3, 4, 5])
@pytest.mark.parametrize("book", ["jensen", "hermansen", "vlk", "dtf"])
def test_everybody_at_the_table_founds_an_emptied_cup_before_the_next_deal(book: str, table: int) -> None:
    now = Evening(danish_rules(book), table)
    king_ultimo(now)
    assert (now.state.king, now.state.unfounded) == (0, ("king",))
    pagat = now.state.pagat
    now.next_deal()
    again = [(t.payer, t.payee, t.points) for t in paid(now, "found")[2 * table :]]
    assert again == [(seat, "king", 20) for seat in range(table)]
    assert (now.state.king, now.state.pagat) == (20 * table + 5, pagat + 5)
    assert books_balance(now)


@pytest.mark.cites("G104", "I-2.3")
def test_a_cup_that_a_bagud_refills_in_the_same_trick_is_founded_on_top() -> None:
    rules = danish_rules("jensen")
    now = Evening(rules, 3)
    now.next_deal()
    position = ending(rules, {A: "HK", B: "SK", C: "D4"}, A, won={A: 8, B: 8, C: 8}, king=100).state
    now.state = replace(now.state, deal=position, king=100)
    for seat, card in ((A, "HK"), (B, "SK"), (C, "D4")):
        now.act(seat, Play(Card(card)))
    assert (now.state.king, now.state.unfounded) == (100, ("king",))
    now.next_deal()
    assert now.state.king == 100 + 3 * 20 + 5


# --- founding by hand (strict.cups) --------------------------------------------------------------------


def founded_by(now: Evening, *seats: int) -> None:
    """Let seats pay in."""
    for seat in seats:
        now.act(seat, Found())


@pytest.mark.cites("G142")
@pytest.mark.parametrize("book", ["jensen", "hermansen", "vlk", "dtf"])
@pytest.mark.parametrize(("forgetful", "short"), [((3,), 20), ((0, 3), 40), ((1,), 20)])
def test_the_ultimator_makes_good_what_is_found_short_after_the_next_deal(
    book: str, forgetful: tuple[int, ...], short: int
) -> None:
    now = Evening(strict(book, "cups"), 4)
    founded_by(now, 0, 1, 2, 3)
    ultimator = king_ultimo(now)
    founded_by(now, *(seat for seat in range(4) if seat not in forgetful))
    now.next_deal()
    missed = [event for event in now.log if isinstance(event, FoundingMissed)]
    assert missed == [FoundingMissed(seat, "king", 20) for seat in forgetful]
    assert (now.state.king, paid(now, "shortFounding")) == (80 - short + 5, [])
    now.act(None, deal.deal_out(now.rules, now.state.deal, deal.shuffled(Random(1)), Random(1)))
    assert net(paid(now, "shortFounding"), ultimator, "king") == (-short, short)
    assert now.state.king == 80 + 5
    assert books_balance(now)


def test_nothing_is_made_good_when_all_have_founded() -> None:
    now = Evening(strict("jensen", "cups"), 4)
    founded_by(now, 2, 0, 3, 1)
    with pytest.raises(IllegalAction, match="no opening stake to pay"):
        now.act(1, Found())
    assert (now.state.king, now.state.pagat) == (80, 80)
    king_ultimo(now)
    founded_by(now, 0, 1, 2, 3)
    assert now.state.king == 80
    king_ultimo(now)
    assert paid(now, "shortFounding") == []


def test_before_any_ultimo_the_dealer_answers_for_the_founding() -> None:
    now = Evening(strict("jensen", "cups"), 3, dealer=2)
    founded_by(now, 0, 2)
    now.next_deal()
    now.act(None, deal.deal_out(now.rules, now.state.deal, deal.shuffled(Random(1)), Random(1)))
    assert [(t.payer, t.payee, t.points) for t in paid(now, "shortFounding")] == [
        (2, "king", 20),
        (2, "pagat", 20),
    ]


def test_only_a_strict_table_lets_players_found_for_themselves() -> None:
    now = Evening(danish_rules("jensen"), 3)
    assert list(series.legal(now.rules, now.state, 0)) == []
    with pytest.raises(IllegalAction, match="no opening stake to pay"):
        now.act(0, Found())
    now.next_deal()
    assert (now.state.king, now.state.pagat) == (65, 65)
