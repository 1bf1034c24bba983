"""Rules C1, D3: what three, four and five players have in common."""

from __future__ import annotations

from typing import Any

import pytest

from french_table import Table, dealt, forged, opened, rules_of
from ultimo import deal, french
from ultimo.cards import PACK, parse_cards
from ultimo.events import Decline, Lay, PetitSec, ShowPoignee
from ultimo.french import Outcome, Side

pytestmark = pytest.mark.parametrize("book", ["french3", "french4", "french5"])


def scored(book: str, bid: str = "petite", points: int = 50, bouts: int = 2, **more: Any) -> french.Score:
    """The score of taker 0."""
    rules = rules_of(book)
    result = Outcome(players=rules.players, taker=0, bid=bid, half_points=2 * points, bouts=bouts, **more)
    return french.score(rules, result)


@pytest.mark.cites("I-C.2")
def test_cards_are_shuffled_and_so_not_cut(book: str) -> None:
    rules = rules_of(book)
    assert deal.needs_cards(french.initial(rules, opened(rules, 0, PACK)))


@pytest.mark.cites("G145", "I-C.3")
def test_a_petit_without_another_trump_throws_the_cards_in(book: str) -> None:
    table = Table(book)
    hand = " ".join(card.value for card in PACK[: table.rules.deal.hand - 1])
    table.do(dealt(table.rules, {1: f"{hand} T1"}), None)
    assert isinstance(table.log[2], PetitSec)
    assert table.state.result == "thrownIn"


@pytest.mark.parametrize(
    ("bid", "mult", "phase", "bouts"),
    [("petite", 1, "ecart", 1), ("garde", 2, "ecart", 1), ("sans", 4, "slam", 1), ("contre", 6, "slam", 0)],
)
def test_each_bid_has_its_chien_and_its_multiplier(
    book: str, bid: str, mult: int, phase: str, bouts: int
) -> None:
    assert scored(book, bid).contract == (25 + 9) * mult
    table = Table(book, hands={})
    table.bid(" ".join([bid] + ["pass"] * (table.rules.players - 1)))
    if table.state.phase == "call":
        table.call("HK")
    assert table.state.phase == phase
    lost = _one_trick(book, bid, laid="T21")
    assert french.outcome_of(lost.rules, lost.state).bouts == bouts + 1  # and the excuse that falls to him


def _one_trick(book: str, bid: str, laid: str, **house: Any) -> Table:
    """The taker, alone, has won the first trick and no other; the excuse falls in the last, led by seat 1."""
    table = Table(book, house=house)
    n = table.rules.deal.hand
    last = {(n, 1): "T0", (n, 2): "S9", (n, 3): "D3", (n, 4): "D4", (n, 0): "D2"}
    fixed = {slot: card for slot, card in last.items() if slot[1] < table.rules.players}
    call = "HK" if table.rules.call.card == "king" else ""
    mine = {(1, 0): "HK", (2, 1): "T1"}
    forged(table, [0] + [1] * (n - 2) + [2], bid=bid, fixed=fixed | mine, laid=laid, call=call)
    table.do(next(iter(table.legal)))
    return table


@pytest.mark.cites("I-C.9")
def test_nothing_is_given_back_for_an_excuse_lost_in_the_last_trick(book: str) -> None:
    table = _one_trick(book, "contre", "")
    outcome = french.outcome_of(table.rules, table.state)
    assert (outcome.half_points, outcome.bouts) == (table.rules.players + 8 + 9, 1)
    back = _one_trick(book, "contre", "", **{"excuse.lastTrickReturn": "half"})
    assert french.outcome_of(back.rules, back.state).half_points == outcome.half_points - 1


@pytest.mark.cites("I-C.21", "I-C.22")
@pytest.mark.parametrize(("bouts", "needed"), [(0, 56), (1, 51), (2, 41), (3, 36)])
def test_the_bouts_say_how_many_points_are_needed(book: str, bouts: int, needed: int) -> None:
    for points, value in ((needed, 25), (needed + 1, 26), (needed - 1, -26)):
        assert scored(book, points=points, bouts=bouts).value == value


@pytest.mark.parametrize("side", ["taker", "defence"])
def test_the_petit_at_the_end_is_ten_times_the_multiplier(book: str, side: Side) -> None:
    sign = 1 if side == "taker" else -1
    assert scored(book, "petite", petit_au_bout=side).petit_au_bout == sign * 10
    assert scored(book, "contre", petit_au_bout=side).petit_au_bout == sign * 60


def test_the_three_poignees_are_worth_20_30_40_at_every_bid(book: str) -> None:
    for size, value in zip(rules_of(book).poignee.sizes, (20, 30, 40), strict=True):
        assert scored(book, "garde", poignees=(("taker", size),)).poignee == value
        assert scored(book, "garde", 30, poignees=(("taker", size),)).poignee == -value


def test_slams_are_worth_the_same_at_every_bid(book: str) -> None:
    for bid in ("petite", "contre"):
        assert scored(book, bid, slam_announced="taker", slam_made="taker").slam == 400
        assert scored(book, bid, slam_made="taker").slam == 200
        assert scored(book, bid, slam_announced="taker").slam == -200


@pytest.mark.cites("I-C.12")
def test_two_poignees_both_count_except_with_five_players(book: str) -> None:
    rules = rules_of(book, {"poignee.sizes": [8, 10, 13]})
    two: tuple[tuple[Side, int], ...] = (("taker", 8), ("defence", 10))
    result = Outcome(players=rules.players, taker=0, bid="petite", half_points=100, bouts=2, poignees=two)
    assert french.score(rules, result).poignee == (30 if book == "french5" else 50)


STRONG = {  # four kings, so many trumps that one must be laid, and a poignée
    "french3": (range(2, 21), "S2 S3 S4 S5 T1 T21"),
    "french4": (range(2, 15), "S2 S3 S4 S5 T20 T21"),
    "french5": (range(2, 12), "S2 T20 T21"),
}


@pytest.mark.cites("I-C.13")
def test_a_laid_trump_is_not_shown_again(book: str) -> None:
    numbers, chien = STRONG[book]
    trumps = " ".join(f"T{number}" for number in numbers)
    table = Table(book, hands={0: f"{trumps} SK HK CK DK S1"}, chien=chien)
    table.bid(" ".join(["garde"] + ["pass"] * (table.rules.players - 1)))
    if table.state.phase == "call":
        table.call("HK")
    plain = [card for card in parse_cards(f"S1 {chien}") if card.value[0] == "S"]
    table.do(Lay((*plain, *parse_cards("T2"))))
    table.do(Decline())
    smallest = table.rules.poignee.sizes[0]
    with_it = parse_cards(trumps)[:smallest]
    assert table.refuses(ShowPoignee(with_it)).reason == "you do not have T2"
    table.do(ShowPoignee(parse_cards(trumps)[1 : smallest + 1]))
