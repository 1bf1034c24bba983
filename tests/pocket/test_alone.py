"""A device without numpy and the compiler teaches, sets puzzles, solves and advises as a server does."""

from __future__ import annotations

import subprocess
import sys

import pytest

from pocket import alone
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
