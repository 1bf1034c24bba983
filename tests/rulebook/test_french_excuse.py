"""Rules C7, C8, C9: what becomes of the excuse, the petit at the end, the slam."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from french_table import Table, forged
from ultimo import french
from ultimo.cards import mask
from ultimo.events import (
    CardPlayed,
    Counted,
    DealEvent,
    Decline,
    ExcuseKept,
    ExcuseLost,
    ExcuseWins,
    PartnerRevealed,
    Revealed,
    Scored,
    TakerAloneRevealed,
    TrickWon,
)
from ultimo.french import Outcome

BLANK_LAST = {(18, 1): "S2", (18, 2): "S3", (18, 3): "S4"}
PETIT_EARLY = {(1, 0): "T1"}


def ending(
    winners: list[int], fixed: Mapping[tuple[int, int], str], book: str = "french4", **forging: Any
) -> Table:
    """A forged deal, of which the last card is played for real."""
    table = forged(Table(book, house=forging.pop("house", None)), winners, fixed=fixed, **forging)
    table.do(next(iter(table.legal)))
    assert table.state.result == "played"
    french.check(table.rules, outcome_of(table))
    return table


def outcome_of(table: Table) -> Outcome:
    """What a finished deal comes to."""
    return french.outcome_of(table.rules, table.state)


def told(table: Table, *kinds: type[DealEvent]) -> list[DealEvent]:
    """The events of some kinds, in order."""
    return [event for event in table.log if isinstance(event, kinds)]


EXCUSE = (ExcuseKept, ExcuseLost, ExcuseWins)

# --- before the last trick -----------------------------------------------------------------------------


@pytest.mark.cites("G155")
def test_an_excuse_stays_with_the_taker_who_owes_a_card_for_it() -> None:
    trick = {(5, 1): "S10", (5, 2): "S2", (5, 3): "S3", (5, 0): "T0"}
    table = forged(Table(), [0, 1, 1, 1, 1], fixed=trick)
    assert table.play("T0")[1:] == (TrickWon(1), ExcuseKept(0, owed=True))


@pytest.mark.cites("G155a", "I-C.7")
def test_nothing_is_owed_for_an_excuse_in_a_trick_of_its_own_side() -> None:
    trick = {(5, 0): "S2", (5, 1): "SK", (5, 2): "S3", (5, 3): "T0"}
    table = forged(Table(), [0, 1, 1, 0, 1], fixed=trick)
    assert table.play("T0")[1:] == (TrickWon(1), ExcuseKept(3, owed=False))


@pytest.mark.cites("G155", "G155a", "G156", "I-C.7")
@pytest.mark.parametrize(
    ("owner", "ours", "half_points"),
    [
        (0, (1, 18), 8 + 6 + 8),  # a trick before the excuse
        (0, (17, 18), 8 + 6 + 8),  # the card is owed until later
        (3, (1, 18), 8 + 6),  # the defence's excuse in the defence's trick
    ],
)
def test_a_kept_excuse_is_worth_four_points_if_the_others_won_its_trick(
    owner: int, ours: tuple[int, int], half_points: int
) -> None:
    winners = [0 if trick in ours else 1 for trick in range(1, 19)]
    fixed = {(5, owner): "T0", (18, 0): "T20", **BLANK_LAST}
    outcome = outcome_of(ending(winners, fixed))
    assert (outcome.half_points, outcome.bouts) == (half_points, 1 if owner == 0 else 0)


@pytest.mark.cites("I-C.7")
def test_a_defenders_excuse_in_a_trick_of_the_taker_gives_the_taker_half_a_point() -> None:
    winners = [0 if trick in (5, 18) else 1 for trick in range(1, 19)]
    table = ending(winners, {(5, 2): "T0", (18, 0): "T20", **BLANK_LAST})
    assert outcome_of(table).half_points == 3 + 4 + 6 + 1
    assert told(table, *EXCUSE) == [ExcuseKept(2, owed=True)]


@pytest.mark.cites("G156a", "I-C.7", "I-C.19")
def test_a_taker_without_a_trick_owes_half_a_point_all_the_same() -> None:
    table = ending([1] * 18, {(3, 0): "T0", (18, 1): "T21", (2, 1): "T1"})
    assert told(table, Counted, Scored) == [
        Counted((14, 168)),
        Scored(-338, taker=0, partner=None, points=7, bouts=1),
    ]


@pytest.mark.cites("I-C.8")
@pytest.mark.parametrize(("bid", "half_points"), [("garde", 6 + 8), ("sans", 6 + 8), ("contre", 8)])
def test_the_half_point_does_not_depend_on_cards_to_give(bid: str, half_points: int) -> None:
    table = ending([1] * 18, {(3, 0): "T0", (18, 1): "T21", (2, 1): "T1"}, bid=bid)
    assert outcome_of(table).half_points == half_points


# --- in the last trick ---------------------------------------------------------------------------------

LOST_BY_DEFENCE = {(18, 1): "S5", (18, 2): "S9", (18, 3): "T0", (18, 0): "D2", (9, 1): "T1"}


@pytest.mark.cites("G157", "I-C.9")
def test_an_excuse_in_the_last_trick_is_lost_even_if_its_own_side_wins() -> None:
    table = ending([0] + [1] * 16 + [2], LOST_BY_DEFENCE)
    assert told(table, *EXCUSE) == [ExcuseLost(3)]
    outcome = outcome_of(table)
    assert (outcome.half_points, outcome.bouts) == (4 + 6 + 9, 1)


@pytest.mark.cites("I-C.9")
def test_a_table_may_give_half_a_point_back_for_it() -> None:
    winners = [0] + [1] * 16 + [2]
    none = outcome_of(ending(winners, LOST_BY_DEFENCE))
    half = outcome_of(ending(winners, LOST_BY_DEFENCE, house={"excuse.lastTrickReturn": "half"}))
    assert none.half_points - half.half_points == 1
    assert none.bouts == half.bouts


@pytest.mark.cites("G157")
@pytest.mark.parametrize("returned", ["none", "half"])
def test_an_excuse_lost_to_the_side_that_wins_the_trick_is_worth_four_and_a_half(returned: str) -> None:
    house = {"excuse.lastTrickReturn": returned}
    fixed = {(18, 0): "T20", (18, 1): "T0", (18, 2): "S3", (18, 3): "S4", (2, 1): "T1"}
    table = ending([0] + [1] * 16 + [0], fixed, house=house)
    assert told(table, *EXCUSE) == [ExcuseLost(1)]
    assert outcome_of(table).half_points == 4 + 3 + 9 + 6


@pytest.mark.cites("G157a", "I-C.9", "I-C.22")
def test_half_a_point_left_over_by_the_excuse_is_rounded_with_four_players_too() -> None:
    table = ending(
        [0] * 7 + [1] * 10 + [2],
        LOST_BY_DEFENCE,
        bid="petite",
        taker_has="T21 SK HK CK DK SQ",
        laid="C1 C2 C3 C4 C5 C6",
    )
    assert told(table, Counted, Scored) == [
        Counted((89, 93)),
        Scored(29, taker=0, partner=None, points=45, bouts=2),
    ]
    assert table.state.net == (87, -29, -29, -29)


@pytest.mark.cites("G157b")
def test_a_takers_excuse_in_the_last_trick_is_lost_even_if_the_partner_wins() -> None:
    last = {(15, 0): "T0", (15, 1): "S2", (15, 2): "SK", (15, 3): "S3", (15, 4): "S4"}
    fixed = {**last, (2, 2): "HK", (1, 1): "T1", (3, 1): "T21"}
    table = ending([1] + [0] * 13 + [2], fixed, "french5", call="HK", partner=2)
    assert told(table, *EXCUSE) == [ExcuseLost(0)]
    assert outcome_of(table).bouts == 1  # T21 only
    whole = ending(
        [1] + [0] * 13 + [2], fixed, "french5", call="HK", partner=2, house={"excuse.lastTrickReturn": "half"}
    )
    assert outcome_of(whole).half_points == outcome_of(table).half_points + 1


# --- the excuse that wins ------------------------------------------------------------------------------

EXCUSE_LAST = {(18, 0): "T0", (18, 1): "T20", (18, 2): "S3", (18, 3): "S4"}


@pytest.mark.cites("G158")
def test_the_excuse_wins_the_last_trick_of_a_side_that_has_won_all_before() -> None:
    table = ending([0] * 17 + [0], EXCUSE_LAST | PETIT_EARLY)
    assert told(table, *EXCUSE) == [ExcuseWins(0)]
    assert table.state.tricks[-1].winner == 0
    outcome = outcome_of(table)
    assert (outcome.slam_made, outcome.half_points, outcome.bouts) == ("taker", 182, 3)
    assert outcome.petit_au_bout is None


@pytest.mark.cites("G158a")
def test_the_excuse_is_lost_if_one_trick_before_was_not_won() -> None:
    table = ending([1] + [0] * 16 + [1], EXCUSE_LAST | {(1, 1): "T21", (2, 0): "T1"})
    assert told(table, *EXCUSE) == [ExcuseLost(0)]
    assert table.state.tricks[-1].winner == 1
    assert outcome_of(table).slam_made is None
    assert outcome_of(table).bouts == 1  # the petit; T21 went to the defence


@pytest.mark.cites("I-C.10")
def test_the_excuse_wins_for_the_defence_too_without_an_announcement() -> None:
    fixed = {(18, 1): "T0", (18, 0): "T20", (1, 1): "T1"}
    table = ending([1, 2, 3] * 5 + [2, 1, 1], fixed)
    assert told(table, *EXCUSE) == [ExcuseWins(1)]
    outcome = outcome_of(table)
    assert (outcome.slam_made, outcome.half_points, outcome.bouts) == ("defence", 6, 0)


@pytest.mark.cites("I-C.19", "I-C.10")
def test_a_slam_is_won_by_taker_and_partner_together() -> None:
    last = {(15, 2): "T0", (15, 1): "T20", (15, 0): "S3", (15, 3): "S5", (15, 4): "S6"}
    fixed = {**last, (2, 2): "HK", (1, 1): "T1"}
    table = ending([0, 2] * 7 + [2], fixed, "french5", call="HK", partner=2)
    assert told(table, *EXCUSE) == [ExcuseWins(2)]
    assert outcome_of(table).slam_made == "taker"
    assert french.score(table.rules, outcome_of(table)).slam == 200


@pytest.mark.parametrize(
    ("fixed", "first_winner", "side"),
    [
        pytest.param({(17, 0): "T1"}, 0, "taker", marks=pytest.mark.cites("G159")),
        pytest.param({(17, 3): "T1"}, 0, "taker", marks=pytest.mark.cites("I-C.24")),
        pytest.param({(18, 2): "T1"}, 0, "taker", marks=pytest.mark.cites("G159a", "I-C.24")),
        pytest.param({(16, 0): "T1"}, 0, None, marks=pytest.mark.cites("I-C.11")),
        pytest.param({(17, 0): "T1"}, 1, None, marks=pytest.mark.cites("G159b", "I-C.11")),
    ],
)
def test_the_petit_counts_in_the_trick_before_an_excuse_that_wins(
    fixed: dict[tuple[int, int], str], first_winner: int, side: str | None
) -> None:
    winners = [first_winner] + [0] * 16 + [0]
    assert outcome_of(ending(winners, EXCUSE_LAST | fixed)).petit_au_bout == side


@pytest.mark.parametrize(("winner", "side"), [(0, "taker"), (1, "defence")])
def test_the_petit_in_the_last_trick_is_for_the_side_that_wins_it(winner: int, side: str) -> None:
    petit = {(18, 2): "T1", (18, winner): "T20", (5, 0): "T0"}
    assert outcome_of(ending([0, 1] * 8 + [winner, winner], petit)).petit_au_bout == side


# --- slams ---------------------------------------------------------------------------------------------


@pytest.mark.cites("G160")
def test_a_slam_stands_against_a_kept_excuse_and_has_87_points() -> None:
    fixed = {(4, 2): "T0", (18, 0): "T21", **PETIT_EARLY}
    table = ending([0] * 18, fixed, bid="petite")
    assert told(table, Counted, Scored) == [Counted((174, 8)), Scored(271, 0, None, points=87, bouts=2)]


@pytest.mark.cites("G170a")
def test_a_slam_against_the_chien_has_what_the_chien_leaves() -> None:
    table = ending([0] * 18, EXCUSE_LAST | PETIT_EARLY, bid="contre", laid="D1 D2 D3 D4 D5 D6")
    assert told(table, Scored) == [Scored(662, 0, None, points=88, bouts=3)]


@pytest.mark.parametrize(
    ("slam", "value"),
    [
        pytest.param(False, -356, marks=pytest.mark.cites("G171b", "I-C.19")),
        pytest.param(True, -556, marks=pytest.mark.cites("G171c", "I-C.26")),
    ],
)
def test_a_defence_that_wins_every_trick_has_made_a_slam(slam: bool, value: int) -> None:
    fixed = {(1, 1): "T0", (2, 1): "T1", (18, 1): "T21"}
    table = ending([1] * 18, fixed, slam=slam)
    assert told(table, Scored) == [Scored(value, 0, None, points=3, bouts=0)]
    assert table.state.net == (3 * value, -value, -value, -value)


@pytest.mark.cites("G168a")
@pytest.mark.parametrize(("bid", "bouts", "half_points"), [("sans", 1, 4 + 9 + 5), ("contre", 0, 4)])
def test_the_closed_chien_counts_for_the_side_the_bid_gives_it_to(
    bid: str, bouts: int, half_points: int
) -> None:
    fixed = {(1, 1): "T1", (2, 1): "T0", (18, 0): "T20", **BLANK_LAST}
    table = ending([1] * 17 + [0], fixed, bid=bid, laid="T21 D1 D2 D3 D4 D5")
    outcome = outcome_of(table)
    assert (outcome.bouts, outcome.half_points) == (bouts, half_points)


def test_an_excuse_in_the_closed_chien_goes_with_it() -> None:
    fixed = {(1, 1): "T1", (18, 0): "T20", **BLANK_LAST}
    for bid, bouts in (("sans", 1), ("contre", 0)):
        table = ending([1] * 17 + [0], fixed, bid=bid, laid="T0 D1 D2 D3 D4 D5")
        assert outcome_of(table).bouts == bouts
        assert told(table, *EXCUSE) == []


# --- secret sides --------------------------------------------------------------------------------------

FIVE = {
    0: "T21 T20 T19 T18 T17 T16 T15 T14 T13 T12 T11 T10 T9 T8 T7",
    1: "S1 S2 S3 S4",
    2: "HK C1 C2 C3",
    3: "D1 D2 D3 D4",
    4: "T1 T2 T3 T4 T5 T6",
}
TWO_TRICKS = "T21 S1 C1 D1 T1 T20 S2 C2 D2 T2"


def five_with_excuse_at(seat: int) -> Table:
    """Seat 0 has taken without the chien and called the HK of seat 2; two tricks have been played."""
    hands = {**FIVE, seat: f"{FIVE[seat]} T0"}
    table = Table("french5", hands=hands).bid("sans pass pass pass pass").call("HK")
    table.do(Decline())
    table.play(TWO_TRICKS)
    return table


@pytest.mark.cites("G190a", "I-C.25")
def test_the_excuse_of_a_secret_partner_tells_nothing_of_his_side() -> None:
    table = five_with_excuse_at(2)
    assert [type(event) for event in table.play("T19 S3 T0 D3 T3")] == [CardPlayed, TrickWon]
    assert not told(table, *EXCUSE, PartnerRevealed)
    assert table.play("T18 S4 HK")[1:] == (PartnerRevealed(2), ExcuseKept(2, owed=False))


@pytest.mark.cites("G190b", "I-C.25")
def test_the_half_point_for_a_defenders_excuse_waits_until_the_sides_are_public() -> None:
    table = five_with_excuse_at(3)
    assert [type(event) for event in table.play("T19 S3 C3 T0 T3")] == [CardPlayed, TrickWon]
    assert not told(table, *EXCUSE)
    assert table.play("T18 S4 HK")[1:] == (PartnerRevealed(2), ExcuseKept(3, owed=True))


@pytest.mark.cites("I-C.25")
def test_once_the_sides_are_public_the_excuse_is_told_with_its_trick() -> None:
    table = five_with_excuse_at(3)
    table.play("T19 S3 HK D3 T3")
    assert table.play("T18 S4 C3 T0 T4")[1:] == (TrickWon(0), ExcuseKept(3, owed=True))


@pytest.mark.cites("G190c", "I-C.17", "I-C.25")
def test_a_called_king_in_the_closed_chien_is_known_only_at_the_count() -> None:
    fixed = {
        (3, 1): "T0",
        (1, 1): "T1",
        (15, 0): "T21",
        (15, 1): "S2",
        (15, 2): "S3",
        (15, 3): "S4",
        (15, 4): "S5",
    }
    table = ending([0, 1] * 7 + [0], fixed, "french5", bid="sans", call="HK", laid="HK D1 D2")
    assert told(table, PartnerRevealed, TakerAloneRevealed) == []
    shown = next(event for event in table.log if isinstance(event, Revealed))
    assert (mask(shown.cards), shown.partner) == (mask("HK D1 D2"), None)
    assert table.log[table.log.index(shown) + 1] == ExcuseKept(1, owed=True)
    value = french.score(table.rules, outcome_of(table)).value
    assert table.state.net == (4 * value, -value, -value, -value, -value)
