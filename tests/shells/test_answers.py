"""Answers are worked out without the server's libraries, so that any shell can give them."""

from __future__ import annotations

import pickle
import subprocess
import sys
from pathlib import Path

import pytest

import ultimo.answers
from ultimo.answers.refusing import Refusal, trouble

MODULES = sorted(file.stem for file in Path(ultimo.answers.__path__[0]).glob("*.py"))
LIBRARIES = (
    *(
        "starlette",
        "sqlalchemy",
        "structlog",
        "prometheus_client",
        "argon2",
        "confusable_homoglyphs",
        "zxcvbn",
    ),
    *("numpy", "numba", "openpyxl", "openskill"),
)
ALONE = """
import sys
for name in sys.argv[2].split():
    sys.modules[name] = None  # importing it fails
__import__(f"ultimo.answers.{sys.argv[1]}")
"""


@pytest.mark.parametrize("module", MODULES)
def test_a_module_needs_no_library_of_the_server(module: str) -> None:
    command = [sys.executable, "-c", ALONE, module, " ".join(LIBRARIES)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_a_refusal_can_be_sent_from_one_process_to_another() -> None:
    refusal = Refusal(422, "told", "moves", "hermansen §1", 3, reason="Not so.")
    again = pickle.loads(pickle.dumps(refusal))
    assert (again.status, trouble(again, "en")) == (422, trouble(refusal, "en"))
    assert (again.field, again.column) == ("moves", 3)
