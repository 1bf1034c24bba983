"""One browser and one server a worker; every visitor has a context of his own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from playwright.sync_api import Browser, expect

from browser.chromium import chromium
from browser.visitor import DESKTOP, PATIENCE, PHONE, Visitor, Way
from serving import Serving
from ultimo.server.settings import PAGE

GENEROUS = (
    "--message-burst",
    "10000",
    "--request-burst",
    "10000",
    "--login-burst",
    "100",
    "--review-samples",
    "32",
)  # a visitor is quick, and knows no better than a quick tutor

Arrive: TypeAlias = Callable[..., Visitor]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium as the system has it; no longer than a module, as it keeps others from an event loop."""
    expect.set_options(timeout=PATIENCE)
    with chromium() as browser:
        yield browser


@pytest.fixture(scope="session")
def built() -> None:
    """The page, which `make` builds."""
    if not (PAGE / "index.html").exists():
        pytest.fail(f"the page is not built: run `make page`; there is no {PAGE / 'index.html'}")


@pytest.fixture(scope="session")
def server(built: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A server on a database of its own, for all tests of a worker."""
    with Serving(tmp_path_factory.mktemp("house") / "ultimo.sqlite", 0, None, *GENEROUS) as server:
        yield server


@pytest.fixture
def fresh(built: None, tmp_path: Path) -> Iterator[Serving]:
    """A server for one test, on a database that did not exist before."""
    with Serving(tmp_path / "ultimo.sqlite", 0, None, *GENEROUS) as server:
        yield server


@pytest.fixture
def arrive(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Arrive]:
    """Visitors by the way they act; at the end none of them has had trouble with the page.

    Nothing moves on their screens, which is quicker to test. `forgiven` are words of troubles that belong to
    the test.
    """
    here: list[tuple[Visitor, tuple[str, ...]]] = []

    def arrive(
        server: Serving | None = None, way: Way = "mouse", forgiven: tuple[str, ...] = (), **wishes: Any
    ) -> Visitor:
        house = server or request.getfixturevalue("server")
        phone = way == "touch"
        usual: dict[str, Any] = {
            "viewport": PHONE if phone else DESKTOP,
            "has_touch": phone,
            "locale": "en-GB",
            "reduced_motion": "reduce",
            "service_workers": "block",  # what is sent is what a test looks at
        }
        context = browser.new_context(**(usual | wishes))
        context.set_default_timeout(PATIENCE)
        visitor = Visitor(context, house.url, way)
        here.append((visitor, forgiven))
        return visitor

    yield arrive
    troubles = [
        trouble
        for visitor, forgiven in here
        for trouble in visitor.troubles
        if not any(words in trouble for words in forgiven)
    ]
    for visitor, _ in here:
        visitor.context.close()
    assert troubles == [], "the page has complained in the console of the browser"
