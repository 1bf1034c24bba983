"""Where cards lie is told as often as it is so: shares of worlds are corrected, and a row keeps its sum."""

from __future__ import annotations

import pytest

from ultimo.tutor.beliefs import CALIBRATION, calibrated


def test_the_correction_rises_from_half_to_certain() -> None:
    shares = [number / 1000 for number in range(500, 1001)]
    chances = [calibrated((share, 1 - share))[0] for share in shares]
    assert chances == sorted(chances)
    assert len(set(chances)) == len(chances)
    assert (chances[0], chances[-1]) == (0.5, 1.0)
    assert all(chance <= share for chance, share in zip(chances, shares, strict=True))


@pytest.mark.parametrize(
    "shares", [(0.7, 0.2, 0.1, 0.0), (0.95, 0.05), (0.4, 0.3, 0.3), (1.0, 0.0), (0.0, 0.0)]
)
def test_a_row_keeps_its_sum_and_its_order(shares: tuple[float, ...]) -> None:
    chances = calibrated(shares)
    assert sum(chances) == pytest.approx(sum(shares))
    assert [one == max(chances) for one in chances] == [one == max(shares) for one in shares]


def test_what_was_measured_is_told() -> None:
    for share, chance in CALIBRATION[1:]:
        assert calibrated((share, 1 - share))[0] == pytest.approx(chance)
