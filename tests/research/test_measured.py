"""The benchmark of the doors, as short as it can be: every door opens, and the report has all of them."""

from __future__ import annotations

import sys

import pytest
from benchmarks.research import BOOKS, INSTALL, by_openspiel, measured, one_at_a_time, side_by_side


def test_every_door_is_measured_and_a_peer_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rlcard", None)  # as if it were not installed
    section = measured(one_at_a_time(1), side_by_side(2, 30), by_openspiel(1), turns=1)
    _, one, _, many, _, openspiel, *_ = section.tables
    for book in BOOKS:
        for line in (f"{book}, PettingZoo", f"{book}, Gymnasium, "):
            assert line in one
        for line in (f"{book}, `Batch`", f"{book}, `Learners`", f"{book}, Gymnasium's vector"):
            assert line in many
        for line in (f"{book}, `State`", f"{book}, `playout`"):
            assert line in openspiel
    assert f"| RLCard's doudizhu | not installed: `{INSTALL}` |" in one
    assert all(bar.found > 0 for bar in section.bars)
