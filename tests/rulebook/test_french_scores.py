"""Rules C10: what a deal is worth, who pays it, the games of document 002, and what no deal can come to."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, cast

import pytest

from french_table import Table, rules_of
from ultimo import french
from ultimo.cards import ALL_CARDS, mask
from ultimo.events import ImpossibleOutcome, Transfer
from ultimo.french import Outcome, Side

EXAMPLES = json.loads((Path(__file__).parents[1] / "data/french-examples.json").read_text(encoding="utf-8"))


def outcome(players: int, bid: str, points: float, bouts: int, **more: Any) -> Outcome:
    """An outcome of taker 0; points may be half."""
    more.setdefault("taker", 0)
    return Outcome(players=players, bid=bid, half_points=round(2 * points), bouts=bouts, **more)


def net(transfers: tuple[Transfer, ...], players: int) -> list[int]:
    """What each seat has gained."""
    return [
        sum(t.points for t in transfers if t.payee == seat)
        - sum(t.points for t in transfers if t.payer == seat)
        for seat in range(players)
    ]


def case(
    number: str, players: int, bid: str, points: float, bouts: int, value: int, *cites: str, **more: Any
) -> Any:
    """A row of the table of cases."""
    marks = pytest.mark.cites(number, *cites)
    return pytest.param(outcome(players, bid, points, bouts, **more), value, marks=marks, id=number)


VALUES = [
    case("G161", 4, "garde", 46, 2, 60),
    case("G162", 4, "garde", 39, 3, 76, petit_au_bout="taker"),
    case("G163", 4, "garde", 40, 2, -72, petit_au_bout="defence"),
    case("G164", 4, "garde", 41, 2, 30, "I-C.21", petit_au_bout="defence"),
    case("G165", 4, "garde", 40, 3, 78, poignees=(("defence", 10),)),
    case("G166", 4, "garde", 35, 2, -42, petit_au_bout="taker"),
    case("G167", 4, "petite", 40, 2, -46, poignees=(("taker", 10),)),
    case("G168", 4, "contre", 45, 2, 174),
    case("G169", 4, "sans", 51, 1, 170, petit_au_bout="taker", poignees=(("taker", 13),)),
    case("G170", 4, "garde", 91, 3, 560, slam_announced="taker", slam_made="taker"),
    case("G170", 4, "garde", 91, 3, 580, slam_announced="taker", slam_made="taker", petit_au_bout="taker"),
    case("G170a", 4, "contre", 88, 3, 662, slam_made="taker"),
    case("G160", 4, "petite", 87, 2, 271, slam_made="taker"),
    case("G171", 4, "garde", 60, 3, -102, slam_announced="taker"),
    case("G171a", 4, "garde", 40, 2, -252, slam_announced="taker"),
    case("G171b", 4, "garde", 3, 0, -356, "I-C.19", slam_made="defence"),
    case("G171c", 4, "garde", 3, 0, -556, "I-C.26", slam_announced="taker", slam_made="defence"),
    case("G156a", 4, "garde", 7, 1, -338, slam_made="defence"),
    case("G157a", 4, "petite", 44.5, 2, 29, "I-C.9", "I-C.22"),
    case("G177", 4, "petite", 41, 2, 65, "I-C.12", poignees=(("taker", 10), ("defence", 10))),
    case("G178", 3, "petite", 40.5, 2, -26, "I-C.22"),
    case("G179", 3, "petite", 41.5, 2, 26, "I-C.22"),
    case("G180", 3, "petite", 41, 2, 45, poignees=(("taker", 13),)),
    case("G187", 5, "garde", 43, 2, 84, "I-C.20", partner=1, poignees=(("defence", 10),)),
    case("G188", 5, "garde", 43, 2, 74, partner=1, poignees=(("defence", 8),)),
    case("G188a", 5, "garde", 40.5, 2, -52, partner=1),
    case("G189", 5, "garde", 41, 2, 80, partner=1, poignees=(("taker", 8), ("defence", 10))),
    case("G190", 5, "garde", 51, 1, 50, "I-C.21"),
]


@pytest.mark.parametrize(("result", "value"), VALUES)
def test_the_value_of_a_deal(result: Outcome, value: int) -> None:
    rules = rules_of(f"french{result.players}")
    french.check(rules, result)
    scored = french.score(rules, result)
    assert scored.value == value
    assert scored.contract + scored.petit_au_bout + scored.poignee + scored.slam == value
    assert sum(net(french.settle(rules, result).transfers, result.players)) == 0


NETS = [
    case("G178", 3, "petite", 40.5, 2, cast(Any, [-52, 26, 26])),
    case("G161", 4, "garde", 46, 2, cast(Any, [180, -60, -60, -60])),
    case("G171b", 4, "garde", 3, 0, cast(Any, [-1068, 356, 356, 356]), slam_made="defence"),
    case(
        "G187",
        5,
        "garde",
        43,
        2,
        cast(Any, [168, 84, -84, -84, -84]),
        partner=1,
        poignees=(("defence", 10),),
    ),
    case(
        "G188",
        5,
        "garde",
        43,
        2,
        cast(Any, [148, 74, -74, -74, -74]),
        partner=1,
        poignees=(("defence", 8),),
    ),
    case("G188a", 5, "garde", 40.5, 2, cast(Any, [-104, 52, 52, -52, 52]), partner=3),
    case("G190", 5, "garde", 51, 1, cast(Any, [200, -50, -50, -50, -50])),
    case("G181", 5, "petite", 56, 0, cast(Any, [-25, -25, 100, -25, -25]), taker=2),
    case("G190c", 5, "sans", 50, 1, cast(Any, [-416, 104, 104, 104, 104]), "I-C.17"),
]


@pytest.mark.parametrize(("result", "nets"), NETS)
def test_what_each_seat_gains(result: Outcome, nets: list[int]) -> None:
    rules = rules_of(f"french{result.players}")
    assert net(french.settle(rules, result).transfers, result.players) == nets


@pytest.mark.cites("G165a")
def test_the_five_games_of_the_book_add_up_as_printed() -> None:
    rules = rules_of()
    totals = [0, 0, 0, 0]
    for game in EXAMPLES["games"][:5]:
        gains = net(french.settle(rules, of_example(game)).transfers, 4)
        totals = [total + gain for total, gain in zip(totals, gains, strict=True)]
        assert totals == list(game["book"]["running_total"].values())
    assert totals == [68, 132, -340, 140]


def of_example(game: dict[str, Any]) -> Outcome:
    """A game of the file of examples."""
    seats = {name: seat for seat, name in enumerate(game["players"])}
    poignee = game["poignee"]
    slam = game["chelem"] or ""
    return Outcome(
        players=len(seats),
        taker=seats[game["taker"]],
        partner=seats[game["partner"]] if "partner" in game else None,
        bid=game["bid"],
        half_points=round(2 * game["card_points"]),
        bouts=game["bouts"],
        petit_au_bout=game["petit_au_bout"],
        poignees=((poignee["by"], poignee["trumps_shown"]),) if poignee else (),
        slam_announced="taker" if slam.startswith("announced") else None,
        slam_made="taker" if slam.endswith("_made") else None,
    )


@pytest.mark.parametrize("game", EXAMPLES["games"], ids=lambda game: str(game["id"]))
def test_the_games_of_the_book_come_out(game: dict[str, Any]) -> None:
    result = of_example(game)
    rules = rules_of(f"french{result.players}")
    french.check(rules, result)
    expected = game.get("book") or game["derived"]
    assert french.score(rules, result).value == expected["value"]
    assert net(french.settle(rules, result).transfers, result.players) == list(
        expected["per_player"].values()
    )
    assert french.settlement.row_of(rules, result.bid).mult == game["multiplier"]


NAMES = {"bout": "T21", "K": "SK", "Q": "SQ", "N": "SN", "J": "SJ", "low": "S1"}


def test_the_cards_are_worth_what_the_book_says() -> None:
    for name, points in EXAMPLES["card_values"].items():
        assert french.half_points(mask(NAMES[name])) == 2 * points
    for pair in EXAMPLES["pair_counting"]:
        first, second = pair["cards"]
        two = mask(NAMES[first]) | (mask(NAMES[second]) if first != second else mask("S2"))
        assert french.half_points(two) == 2 * pair["points"]
    assert french.half_points(ALL_CARDS) == 2 * EXAMPLES["totals"]["deck_points"] == 182


def test_the_examples_numbers_are_the_rulebooks() -> None:
    used = EXAMPLES["rules_used"]
    for deal in EXAMPLES["deals"]:
        rules = rules_of(f"french{deal['players']}")
        assert (rules.deal.hand, rules.deal.chien) == (deal["hand"], deal["stock"])
        assert list(rules.poignee.sizes) == used["poignee_thresholds"][str(deal["players"])]
        assert list(rules.poignee.values) == list(used["poignee_bonus"].values())
        assert {bouts: rules.target[cast(Any, bouts)] for bouts in used["targets"]} == used["targets"]
        assert [row.mult for row in rules.bid.ladder] == list(used["multipliers"].values())
        assert [rules.slam.announced, rules.slam.silent, rules.slam.failed] == list(used["chelem"].values())


# --- how it is paid ------------------------------------------------------------------------------------


def test_every_component_is_a_transfer_of_every_defender() -> None:
    rules = rules_of()
    result = outcome(
        4, "garde", 91, 3, taker=2, slam_made="taker", petit_au_bout="taker", poignees=(("defence", 10),)
    )
    transfers = french.settle(rules, result).transfers
    amounts = {(t.payer, t.payee, t.reason): t.points for t in transfers}
    assert amounts == {
        (payer, 2, reason): points
        for reason, points in (("contract", 160), ("petitAuBout", 20), ("poignee", 20), ("slam", 200))
        for payer in (3, 0, 1)
    }
    cites = {t.reason: t.cite for t in transfers}
    assert cites["slam"] == rules.slam.cite
    assert cites["poignee"] == rules.poignee.cite
    assert (cites["contract"], cites["petitAuBout"]) == ("002 §13; I-C.21", "002 §12")


def test_a_component_may_go_the_other_way_than_the_deal() -> None:
    transfers = french.settle(rules_of(), outcome(4, "garde", 41, 2, petit_au_bout="defence")).transfers
    assert [(t.payer, t.payee, t.points) for t in transfers if t.reason == "petitAuBout"] == [
        (0, seat, 20) for seat in (1, 2, 3)
    ]


def test_the_defenders_from_the_takers_right_pay_the_taker_first() -> None:
    transfers = french.settle(rules_of("french5"), outcome(5, "petite", 41, 2, taker=3, partner=0)).transfers
    assert [(t.payer, t.payee) for t in transfers] == [(4, 3), (1, 3), (2, 0)]


@pytest.mark.parametrize(
    ("slam", "value"),
    [
        ({"slam_announced": "defence", "slam_made": "defence"}, -400),
        ({"slam_announced": "defence"}, 200),
        ({"slam_announced": "defence", "slam_made": "taker"}, 400),
        ({"slam_made": "taker"}, 200),
        ({"slam_announced": "taker"}, -200),
        ({}, 0),
    ],
)
@pytest.mark.cites("I-C.5", "I-C.26")
def test_slam_terms_of_both_sides_add(slam: dict[str, Side], value: int) -> None:
    rules = rules_of(house={"slam.defendersMayAnnounce": True})
    assert french.score(rules, outcome(4, "garde", 50, 2, **slam)).slam == value


@pytest.mark.cites("G189", "I-C.12")
def test_a_table_may_count_only_the_larger_poignee_or_both() -> None:
    two = {"poignees": (("taker", 8), ("defence", 10)), "partner": 1}
    both = rules_of("french5", {"poignee.multiple": "sum"})
    assert french.score(both, outcome(5, "petite", 50, 2, **two)).poignee == 50
    assert french.score(rules_of("french5"), outcome(5, "petite", 50, 2, **two)).poignee == 30
    largest = rules_of(house={"poignee.multiple": "largest"})
    ten = {"poignees": (("taker", 10), ("defence", 10))}
    assert french.score(largest, outcome(4, "petite", 50, 2, **ten)).poignee == 20


@pytest.mark.parametrize(("bouts", "needed"), [(0, 56), (1, 51), (2, 41), (3, 36)])
@pytest.mark.cites("I-C.21", "I-C.22")
def test_the_bouts_say_how_many_points_are_needed(bouts: int, needed: int) -> None:
    rules = rules_of("french3")
    for points, won, difference in ((needed, True, 0), (needed + 0.5, True, 1), (needed - 0.5, False, -1)):
        scored = french.score(rules, outcome(3, "petite", points, bouts))
        assert (scored.won, scored.difference, scored.needed) == (won, difference, needed)
        assert scored.value == (25 + abs(difference)) * (1 if won else -1)


# --- what no deal can come to --------------------------------------------------------------------------


IMPOSSIBLE = [
    ("players", outcome(3, "garde", 46, 2)),
    ("taker", outcome(4, "garde", 46, 2, taker=4)),
    ("taker", outcome(4, "garde", 46, 2, taker=-1)),
    ("partner", outcome(4, "garde", 46, 2, partner=1)),
    ("bid", outcome(4, "prise", 46, 2)),
    ("bouts", outcome(4, "garde", 46, 4)),
    ("bouts", outcome(4, "garde", 46, -1)),
    ("half_points", outcome(4, "garde", 92, 3)),
    ("half_points", outcome(4, "garde", -1, 0)),
    ("half_points", outcome(4, "garde", 12, 3)),
    ("half_points", outcome(4, "garde", 80, 0)),
    ("half_points", outcome(4, "garde", 44.5, 0)),
    ("half_points", outcome(4, "garde", 44.5, 2, petit_au_bout="taker")),
    ("petit_au_bout", outcome(4, "garde", 46, 0, petit_au_bout="taker")),
    ("petit_au_bout", outcome(4, "garde", 46, 3, petit_au_bout="defence")),
    ("petit_au_bout", outcome(4, "garde", 87, 2, slam_made="taker", petit_au_bout="defence")),
    ("petit_au_bout", outcome(4, "garde", 7, 1, slam_made="defence", petit_au_bout="taker")),
    ("poignees", outcome(4, "garde", 46, 2, poignees=(("taker", 11),))),
    ("poignees", outcome(4, "garde", 46, 2, poignees=(("taker", 13), ("defence", 10)))),
    ("poignees", outcome(4, "garde", 46, 2, poignees=(("taker", 10), ("taker", 10)))),
    ("slam_announced", outcome(4, "garde", 46, 2, slam_announced="defence")),
    ("slam_made", outcome(4, "garde", 60, 3, slam_made="taker")),
    ("slam_made", outcome(4, "garde", 86, 2, slam_made="taker")),
    ("slam_made", outcome(4, "garde", 40, 0, slam_made="defence")),
    ("slam_made", outcome(4, "garde", 12, 1, slam_made="taker")),
    ("slam_made", outcome(4, "contre", 1, 0, slam_made="defence")),
    ("slam_made", outcome(4, "contre", 91, 3, slam_made="taker")),
    ("slam_made", outcome(4, "contre", 60, 3, slam_made="taker")),
]


@pytest.mark.parametrize(("field", "result"), IMPOSSIBLE)
def test_a_score_sheet_refuses_what_cannot_be(field: str, result: Outcome) -> None:
    with pytest.raises(ImpossibleOutcome) as refusal:
        french.check(rules_of(), result)
    assert refusal.value.field == field
    assert refusal.value.reason in str(refusal.value)


@pytest.mark.parametrize(
    "result",
    [
        outcome(5, "garde", 46, 2, partner=0),
        outcome(5, "garde", 46, 2, partner=5),
    ],
)
def test_a_partner_is_another_seat(result: Outcome) -> None:
    with pytest.raises(ImpossibleOutcome, match="partner"):
        french.check(rules_of("french5"), result)


def test_a_side_shows_no_more_poignees_than_it_has_players() -> None:
    rules = rules_of("french5")
    twice = outcome(5, "garde", 46, 2, poignees=(("taker", 8), ("taker", 8)))
    with pytest.raises(ImpossibleOutcome, match="one at most"):
        french.check(rules, twice)
    french.check(rules, outcome(5, "garde", 46, 2, partner=1, poignees=(("taker", 8), ("taker", 8))))


@pytest.mark.cites("I-C.9")
def test_half_points_of_four_players_come_only_from_an_excuse_that_changes_sides_alone() -> None:
    odd = outcome(4, "petite", 44.5, 2)
    french.check(rules_of(), odd)
    with pytest.raises(ImpossibleOutcome, match="whole"):
        french.check(rules_of(house={"excuse.lastTrickReturn": "half"}), odd)
    for players in (3, 5):
        french.check(rules_of(f"french{players}"), outcome(players, "petite", 44.5, 0))


@pytest.mark.parametrize(
    "result",
    [
        outcome(4, "contre", 4, 1, slam_made="defence"),  # a kept excuse and nothing else
        outcome(4, "contre", 0, 0, slam_made="defence"),
        outcome(4, "contre", 64, 0, slam_made="taker"),  # three bouts and three kings in the chien
        outcome(4, "contre", 80, 1, slam_made="taker"),  # a bout and five blanks in it, an excuse kept
        outcome(4, "sans", 27, 3, slam_made="defence"),
        outcome(4, "garde", 19, 0, slam_made="defence"),  # four queens and two knights laid
    ],
)
def test_slams_leave_the_losers_what_was_laid_and_a_kept_excuse(result: Outcome) -> None:
    french.check(rules_of(), result)


def test_an_unfinished_deal_has_no_outcome() -> None:
    table = Table(hands={})
    with pytest.raises(ValueError, match="not been played out"):
        french.outcome_of(table.rules, table.state)
