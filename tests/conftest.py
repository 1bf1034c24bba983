"""What holds for all tests: no chance in their examples, and citations of what each test shows."""

from __future__ import annotations

import json
import os
from collections import defaultdict
from pathlib import Path

import pytest
from hypothesis import settings

# `make test` tries the same examples every time; `make long` looks for others, and says how to try one again.
settings.register_profile("same", derandomize=True, deadline=None)
settings.register_profile("long", print_blob=True, deadline=None)
settings.load_profile("long" if "ULTIMO_LONG" in os.environ else "same")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--write-cites", metavar="FILE", help="write which tests cite what, as JSON")


def pytest_collection_finish(session: pytest.Session) -> None:
    path = session.config.getoption("--write-cites")
    if not path:
        return
    found: dict[str, list[str]] = defaultdict(list)
    for item in session.items:
        name = item.nodeid.split("[")[0].removeprefix("tests/")
        for mark in item.iter_markers("cites"):
            for cited in mark.args:
                if name not in found[cited]:
                    found[cited].append(name)
    Path(path).write_text(json.dumps(found), encoding="utf-8")
