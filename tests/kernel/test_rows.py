"""Random deals of every rulebook and table, row by row: as they always were, compiled and as Python."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys

import pytest

from ultimo.kernel.danish import run as danish_run
from ultimo.kernel.french import run as french_run
from ultimo.rulebook import DanishRules, load

LENGTH = 20  # of a Danish session
MANY, FEW = 2000, 20  # deals: compiled, and as Python
ANNOUNCED: dict[str, object] = {
    "nolo.announce": [{"beforeTrick": trick, "win": 30, "premium": 4, "lose": 7} for trick in (1, 5)],
    "tout.announce": [{"beforeTrick": trick, "win": 50, "lose": 50} for trick in (1, 23)],
}
HOUSES: dict[str, dict[str, object]] = {
    "": {},
    "tout in the skat": {"skat.skusForTout": True},
    "announced": ANNOUNCED,
}
ROWS = {  # book, table, house
    ("jensen", 3, ""): "218458813a79dd5a",
    ("jensen", 4, ""): "edc0302fc234740a",
    ("jensen", 5, ""): "1390a578293071fc",
    ("hermansen", 3, ""): "218458813a79dd5a",
    ("hermansen", 4, ""): "edc0302fc234740a",
    ("hermansen", 4, "tout in the skat"): "edc0302fc234740a",
    ("hermansen", 4, "announced"): "b9d1c0b4183d074d",
    ("hermansen", 5, ""): "1390a578293071fc",
    ("vlk", 3, ""): "218458813a79dd5a",
    ("vlk", 4, ""): "edc0302fc234740a",
    ("vlk", 5, ""): "9cb23c9286b9f5db",
    ("basta", 3, ""): "de2931e6a382dd32",
    ("basta", 4, ""): "933dbc1cb6a9d3a8",
    ("dtf", 3, ""): "60f7f4cbde50f25b",
    ("dtf", 3, "tout in the skat"): "e136f83963d4588e",
    ("dtf", 3, "announced"): "41e3ba7b8ee586e2",
    ("dtf", 4, ""): "29f7304fcae1d6e3",
    ("dtf", 5, ""): "f6b6c7a4ef962c27",
    ("french3", 3, ""): "f8278e5a84b06ab3",
    ("french4", 4, ""): "b12cfa45148f18d1",
    ("french5", 5, ""): "fbcc5d0cc40ebc4d",
    ("fft3", 3, ""): "f7b4489480c32e69",
    ("fft4", 4, ""): "2baad1728838a0c1",
    ("fft5", 5, ""): "1357e821f6a413ea",
}


def digest(book: str, table: int, house: str, deals: int) -> str:
    """What identifies the rows of some deals of seed 11."""
    rules = load(book, HOUSES[house])
    if isinstance(rules, DanishRules):
        sessions = deals // LENGTH
        rows = danish_run.sessions(rules, table=table, seed=11, first=3, number=sessions, length=LENGTH)
    else:
        rows = french_run.sessions(rules, seed=11, first=3, number=deals)
    return hashlib.sha256(rows.astype("<i8").tobytes()).hexdigest()[:16]


def digests() -> list[str]:
    """What identifies a few rows of each."""
    return [digest(*row, FEW) for row in ROWS]


@pytest.mark.parametrize(("book", "table", "house"), ROWS)
def test_rows_are_as_they_always_were(book: str, table: int, house: str) -> None:
    assert digest(book, table, house, MANY) == ROWS[book, table, house]


def test_rows_are_the_same_as_python() -> None:
    code = "import json, test_rows; print(json.dumps(test_rows.digests()))"
    run = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        cwd=os.path.dirname(__file__),
    )
    assert json.loads(run.stdout) == digests()
