"""The same sessions have the same logs, byte for byte: compiled, as plain Python, and in Pyodide."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import evenings
import pocket

pytestmark = pytest.mark.xdist_group("evenings")

ALL = 300
SCRIPT = Path(evenings.__file__)
PLAIN = """
import runpy, sys
sys.argv = sys.argv[1:]
sys.modules["numpy"] = sys.modules["numba"] = None  # importing them fails
runpy.run_path(sys.argv[0], run_name="__main__")
"""


@pytest.fixture(scope="module")
def compiled() -> list[str]:
    """What the sessions come to with the compiler."""
    return list(evenings.told(0, ALL))


def written(*command: str | Path) -> list[str]:
    """What a program writes about all sessions."""
    asked = [*map(str, command), "0", str(ALL)]
    return subprocess.run(asked, capture_output=True, text=True, check=True).stdout.splitlines()


def test_every_rulebook_and_table_size_is_played() -> None:
    assert len(evenings.TABLES) == 20
    assert {book for book, _ in evenings.TABLES} == set(evenings.BOOKS)


def test_without_numpy_and_compiler(compiled: list[str]) -> None:
    assert written(sys.executable, "-c", PLAIN, SCRIPT) == compiled


def test_in_pyodide(compiled: list[str], tmp_path: Path) -> None:
    packed = tmp_path / "ultimo.zip"
    packed.write_bytes(pocket.zipped(pocket.PACKAGE))
    (wheel,) = pocket.fetch()
    program = Path(__file__).with_name("evenings.mjs")
    assert written("node", program, pocket.PYODIDE / "pyodide.mjs", wheel, packed, SCRIPT) == compiled
