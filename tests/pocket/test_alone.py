"""A device without numpy and the compiler teaches, sets puzzles, solves and advises as a server does."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from itertools import islice

import pytest

import alone
from analysis.endings import french_endings
from ultimo.analysis.solver import solve
from ultimo.pocket.house import House
from ultimo.pocket.storage import Memory
from ultimo.tutor.school.puzzles.puzzle import Puzzle, collection
from ultimo.tutor.school.trainers import TRAINERS


@pytest.mark.parametrize("part", alone.PARTS)
def test_without_numpy_everything_is_answered_alike(part: str) -> None:
    done = subprocess.run([sys.executable, alone.__file__, part], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == alone.told(part)


def test_only_trainers_that_reckon_with_worlds_need_a_server() -> None:
    heavy = {one.id for one in TRAINERS.values() if one.heavy}
    assert heavy == {"inference", "skat", "bidding", "ecart"}
    asked = [found for found in alone.trainers() if isinstance(found, tuple)]
    assert {(name, status) for name, _, status, *_ in asked} == {
        (one.id, 501 if one.heavy else 200) for one in TRAINERS.values()
    }


def test_puzzles_that_take_long_as_python_need_a_server() -> None:
    house = House(Memory(), lambda: 0.0)
    long, short = (next(one for one in collection() if is_long(one) == wish) for wish in (True, False))
    for one, status in ((long, 501), (short, 200)):
        for method, body in (("GET", ""), ("POST", '{"moves": []}')):
            told = asyncio.run(house.answer(method, f"/api/puzzles/{one.id}", body, "en"))
            assert told[0] == status, told


def is_long(one: Puzzle) -> bool:
    return one.rules == "french5" and one.tricks > 4


@pytest.mark.parametrize("book", ["french3", "french5"])
def test_a_target_asks_on_which_side_of_it_the_values_lie(book: str) -> None:
    for rules, state in islice(french_endings(book, "target"), 6):
        known = solve(rules, state)
        for target in {one.value + more for one in known.actions for more in (0, 1)}:
            found = solve(rules, state, target=target)
            assert found.exact
            assert [one.value >= target for one in found.actions] == [
                one.value >= target for one in known.actions
            ]
            assert found.line == ()
