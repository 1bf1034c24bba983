"""Every promise of the server names a test that there is."""

from __future__ import annotations

import re
from pathlib import Path

TESTS = Path(__file__).parents[1]
DOCUMENT = TESTS.parent / "docs" / "server.md"
ROW = re.compile(r"^\| [^|]+ \| (\w+/\w+)::(\w+) \| [^|]+ \|$", re.MULTILINE)


def test_every_promise_has_its_test() -> None:
    found = ROW.findall(DOCUMENT.read_text(encoding="utf-8"))
    assert len(found) > 50
    for file, name in found:
        assert f"def {name}(" in (TESTS / f"{file}.py").read_text(encoding="utf-8"), (file, name)
