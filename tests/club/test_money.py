"""Points become money: nobody gains by rounding, and few payments square everybody."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ultimo.club.money import Rate, chips, fewest_payments, in_coins
from ultimo.danish.session import CHIPS

evenings = st.lists(st.integers(-500, 500), min_size=2, max_size=4).map(lambda some: (*some, -sum(some)))


@given(evenings, st.integers(0, 50), st.integers(1, 20))
def test_money_comes_to_nothing_and_is_off_by_less_than_a_coin(
    totals: tuple[int, ...], coins: int, points: int
) -> None:
    found = in_coins(totals, Rate(coins, points))
    assert sum(found) == 0
    for total, got in zip(totals, found, strict=True):
        assert abs(got * points - total * coins) < points


@given(evenings)
def test_payments_square_everybody_and_are_fewer_than_the_players(totals: tuple[int, ...]) -> None:
    left = list(totals)
    paid = fewest_payments(totals)
    for one in paid:
        assert one.coins > 0
        left[one.payer] += one.coins
        left[one.payee] -= one.coins
    assert not any(left)
    assert len(paid) <= max(0, sum(map(bool, totals)) - 1)


def test_two_pairs_that_are_square_pay_twice() -> None:
    assert len(fewest_payments((-30, 30, -20, 20))) == 2
    assert len(fewest_payments((-30, 20, 30, -20, 0))) == 2


@given(st.integers(-2000, 2000))
def test_chips_make_up_the_points(points: int) -> None:
    found, left = chips(points)
    assert sum(chip * number for chip, number in found.items()) + left == abs(points)
    assert 0 <= left < CHIPS[-1]


@pytest.mark.parametrize(("coins", "points"), [(-1, 1), (1, 0)])
def test_a_rate_that_makes_no_sense_is_refused(coins: int, points: int) -> None:
    with pytest.raises(ValueError, match="a rate is"):
        Rate(coins, points)


def test_points_that_lie_in_the_cups_cannot_be_paid_out() -> None:
    with pytest.raises(ValueError, match="divide the cups"):
        in_coins((-20, 10, 0), Rate(1))
