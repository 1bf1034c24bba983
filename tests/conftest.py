"""What holds for all tests: no chance in their examples, and citations of what each test shows."""

from __future__ import annotations

import json
import os
from collections import defaultdict
from pathlib import Path

import pytest
from hypothesis import settings

# `make test` tries the same few examples each time; `make long` looks for others, and says how to try one
# again.
settings.register_profile("same", derandomize=True, deadline=None, max_examples=40)
settings.register_profile("long", print_blob=True, deadline=None)
settings.load_profile("long" if "ULTIMO_LONG" in os.environ else "same")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--write-cites", metavar="FILE", help="write which tests cite what, as JSON")


def pytest_collection_finish(session: pytest.Session) -> None:
    path = session.config.getoption("--write-cites")
    if path:
        Path(path).write_text(json.dumps(_cites(session.items)), encoding="utf-8")


@pytest.fixture
def cites(request: pytest.FixtureRequest) -> dict[str, list[str]] | None:
    """Which tests cite what, if this run has collected all of them."""
    here, items = Path(__file__).parent, request.session.items
    some = request.config.getoption("keyword") or request.config.getoption("markexpr")
    missing = set(here.rglob("test_*.py")) - {item.path for item in items}
    return None if some or missing or request.config.getoption("deselect") else _cites(items)


def _cites(items: list[pytest.Item]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for item in items:
        name = item.nodeid.split("[")[0].split("@")[0].removeprefix("tests/")  # "@": how xdist tells groups
        for mark in item.iter_markers("cites"):
            for cited in mark.args:
                if name not in found[cited]:
                    found[cited].append(name)
    return found
