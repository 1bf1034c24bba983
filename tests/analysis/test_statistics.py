"""Shares, means and what rows add up to, on tables small enough to reckon by hand."""

from __future__ import annotations

from math import isnan, sqrt
from random import Random

import msgspec
import numpy as np
import pytest

from ultimo.analysis.simulation import rows as simulation_rows
from ultimo.analysis.statistics import (
    Moments,
    Share,
    Summary,
    Z,
    average,
    combined_cup,
    quantile,
)
from ultimo.danish import payments
from ultimo.kernel.danish import run as danish_run
from ultimo.kernel.french import run as french_run
from ultimo.kernel.jit import Ints
from ultimo.rulebook import load


def test_wilsons_interval_is_that_of_the_books() -> None:
    low, high = Share(10, 100).interval()  # Agresti and Coull 1998 and every table since
    assert (round(low, 4), round(high, 4)) == (0.0552, 0.1744)
    assert Share(0, 10).interval()[0] == 0
    assert round(Share(0, 10).interval()[1], 4) == 0.2775
    assert Share(10, 10).interval()[1] == 1


def test_a_share_of_nothing_may_be_anything() -> None:
    assert isnan(Share(0, 0).value)
    assert Share(0, 0).interval() == (0.0, 1.0)


def test_a_mean_takes_its_spread_between_sessions() -> None:
    won, lengths = [12, -4, 7, 1], [2, 2, 2, 1]
    m = Moments(4, 7, 16, 13, 210, sum(a * b for a, b in zip(won, lengths, strict=True)))
    ratio = 16 / 7
    spread = sum((a - ratio * b) ** 2 for a, b in zip(won, lengths, strict=True))
    mean = m.mean()
    assert mean.value == pytest.approx(ratio)
    assert mean.error == pytest.approx(sqrt(spread * 4 / 3) / 7)
    assert mean.interval() == pytest.approx((ratio - Z * mean.error, ratio + Z * mean.error))
    assert isnan(Moments(1, 5, 3, 25, 9, 15).mean().error)
    assert isnan(Moments().mean().value)


def test_a_distribution_has_mean_and_quantiles() -> None:
    held = {5: 2, -5: 1, 20: 1}
    assert average(held) == 6.25
    assert [quantile(held, part) for part in (0, 0.25, 0.26, 0.75, 0.76, 1)] == [-5, -5, 5, 5, 20, 20]
    with pytest.raises(ValueError, match="without values"):
        quantile({}, 0.5)


# --- rows ----------------------------------------------------------------------------------------------

KING_ULTIMO, NOLO, KING_BAGUD = 1 << payments.KING_ULTIMO, 1 << payments.NOLO, 1 << payments.KING_BAGUD


def _rows(columns: tuple[str, ...], *rows: dict[str, int]) -> Ints:
    table = np.zeros((len(rows), len(columns)), np.int64)
    for at, row in enumerate(rows):
        for name, value in row.items():
            table[at, columns.index(name)] = value
    return table


def _danish() -> Ints:
    """Two sessions of two deals and the first deal of a third, with four at the table."""
    one = {"forehand": 1, "middle": 2, "dealer": 0}
    two = {"forehand": 2, "middle": 3, "dealer": 1}
    return _rows(
        danish_run.COLUMNS,
        one | {"net0": 10, "net1": -30, "net2": 20, "king_cup": 80, "king_cup_after": 85, "winner": 2},
        one
        | {"net0": -5, "net1": 5, "king_cup": 85, "king_cup_after": 0, "emptied": 1, "happened": KING_ULTIMO}
        | {"winner": 1, "tarok_forehand": 9, "tarok_dealer": 3},
        two | {"net3": 7, "net1": -7, "king_cup": 80, "king_cup_after": 170, "happened": KING_BAGUD | NOLO},
        two
        | {"net3": 1, "net1": -1, "king_cup": 170, "king_cup_after": 171, "happened": KING_ULTIMO}
        | {"winner": 3, "tarok_middle": 7},
        one | {"deal": 4, "session": 2, "net0": 1, "king_cup": 80, "king_cup_after": 81, "winning_card": 77},
    )


def test_a_danish_table_adds_up() -> None:
    rules = load("hermansen")
    s = simulation_rows.summary(rules, 4, 2, _danish())
    assert (s.deals, s.sessions) == (5, 3)
    assert {
        name: s.counts[name] for name in ("king_ultimo", "ultimo", "nolo", "plain", "nolo_and_bagud")
    } == {
        "king_ultimo": 2,
        "ultimo": 2,
        "nolo": 1,
        "plain": 2,
        "nolo_and_bagud": 1,
    }
    assert s.counts["king_ultimo_with_8"] == 1
    assert s.counts["king_cup_emptied"] == 1
    assert s.share("king_ultimo") == Share(2, 5)
    assert s.share("king_ultimo_with_8", "king_ultimo") == Share(1, 2)
    assert [s.moments[f"seat {seat}"].total for seat in range(4)] == [6, -33, 20, 8]
    assert s.moments["dealer"].total == 10 - 5 - 7 - 1 + 1
    assert s.moments["seat 1"] == Moments(3, 5, -33, 9, 25**2 + 8**2, 2 * -25 + 2 * -8)
    assert s.points == {10: 1, -30: 1, 20: 1, -5: 1, 5: 1, 0: 5, 7: 1, -7: 1, 1: 2, -1: 1}
    assert s.cups["king"] == {1: {80: 3}, 2: {85: 1, 170: 1}}
    assert combined_cup(s, "king") == {80: 3, 85: 1, 170: 1}
    assert s.highest["king_cup"] == 171


def test_columns_have_words() -> None:
    by_name = {column.name: column for column in simulation_rows.columns(load("hermansen"), 4, _danish())}
    assert "points_seat_3" in by_name
    assert "points_seat_4" not in by_name
    lines = simulation_rows.json_lines(list(by_name.values())).splitlines()
    last = msgspec.json.decode(lines[-1])
    assert last["last_trick_card"] == "T0"
    assert last["king_ultimo"] is False
    assert msgspec.json.decode(lines[1])["king_ultimo"] is True


def test_a_french_table_adds_up() -> None:
    rules = load("french4")
    played = {"result": 3, "taker": 1, "bid": 0, "half_points": 103, "called": -1, "partner": -1}
    rows = _rows(
        french_run.COLUMNS,
        {"result": 2, "taker": -1, "bid": -1, "called": -1, "partner": -1},
        played | {"won": 1, "petit_au_bout": -1, "net0": -30, "net1": 90, "net2": -30, "net3": -30},
        played | {"bid": 1, "slam_made": 1, "poignee2": 10, "poignee0": 10, "net0": 5, "net1": -15},
        {"result": 1, "taker": -1, "bid": -1, "called": -1, "partner": -1},
    )
    s = simulation_rows.summary(rules, 4, 1, rows)
    expected = {"passed": 1, "petit_sec": 1, "played": 2, "bid_petite": 1, "bid_garde": 1, "won": 1}
    expected |= {"petit_au_bout_defence": 1, "petit_au_bout_taker": 0, "slam_taker": 1, "two_poignees": 1}
    assert {name: s.counts[name] for name in expected} == expected
    assert s.counts["half_points"] == 2
    assert s.moments["taker, if played"] == Moments(2, 2, 75, 2, 90**2 + 15**2, 75)
    lines = simulation_rows.json_lines(simulation_rows.columns(rules, 4, rows)).splitlines()
    first, second = msgspec.json.decode(lines[0]), msgspec.json.decode(lines[1])
    assert (first["result"], first["taker"], first["bid"], first["called"]) == ("passed", None, None, None)
    assert (second["taker_points"], second["bid"]) == (51.5, "petite")
    assert (second["petit_au_bout"], second["slam"]) == ("defence", None)


def test_large_sums_do_not_overflow() -> None:
    row = {"forehand": 1, "middle": 2, "dealer": 0, "net0": 1 << 40, "net1": -(1 << 40)}
    s = simulation_rows.summary(load("hermansen"), 3, 1, _rows(danish_run.COLUMNS, row, row))
    assert s.moments["seat 0"].total_squared == 2 << 80


def test_parts_add_up_to_the_whole_in_any_order() -> None:
    rules, rows = load("hermansen"), _danish()
    parts = [simulation_rows.summary(rules, 4, 2, rows[at : at + 2]) for at in (0, 2, 4)]
    whole = simulation_rows.summary(rules, 4, 2, rows)
    for seed in range(5):
        Random(seed).shuffle(parts)
        together = Summary()
        for part in parts:
            together.add(msgspec.json.decode(msgspec.json.encode(part), type=Summary))
        assert together == whole
