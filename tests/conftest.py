"""The citations of tests: which case of the specification, or which interpretation, a test shows."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path

import pytest


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
