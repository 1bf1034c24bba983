"""What a page waits for comes, or the page says that it does not and offers to try again."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, Route, expect

from browser.conftest import Arrive
from browser.visitor import Visitor
from serving import Serving

LOADING = "One moment …"
UNREACHABLE = "Can’t reach the server"
LOADS = re.compile("/api/(?!enter)")  # what pages ask for, but for who the visitor is
PATHS = (
    "/analyse?p=hermansen%3A%20F%20T1%20S2%20S1%20%2F%20M%20T21%20T0%20HK%20%2F%20B%20H7%20H8%20H9",
    "/clubs",
    "/clubs/join/nobody",
    "/clubs/nobody",
    "/games",
    "/history",
    "/learn/dtf",
    "/me",
    "/new",
    "/puzzles",
    "/puzzles/nobody",
    "/school",
    "/school/first/danish",
    "/school/aim",
    "/school/trainers/declarations",
    "/sheets",
    "/sheets/nobody",
    "/t/nobody/deal/1",
    "/t/nobody/review/1",
    "/t/nobody/rules",
    "/tournaments",
    "/tournaments/nobody",
    "/words",
)


@pytest.fixture(scope="module")
def server(built: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A server that answers as often as it is asked."""
    env = {"ULTIMO_REQUEST_BURST": "10000"}
    with Serving(tmp_path_factory.mktemp("loading") / "ultimo.sqlite", env=env) as server:
        yield server


def entered(arrive: Arrive) -> Visitor:
    """A visitor whom the server knows already."""
    visitor = arrive(forgiven=("Failed to load resource", "is not a function", "undefined"))
    visitor.go("/account").page.get_by_role("heading", level=2).first.wait_for()
    return visitor


def try_again(page: Page) -> None:
    """Try again, and see what the page has to show: its content, or why the server has none."""
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_text(UNREACHABLE)).to_have_count(0)
    expect(page.get_by_text(LOADING)).to_have_count(0)
    expect(page.locator("main").locator("h1, h2, [role=alert]").first).to_be_visible()


@pytest.mark.parametrize("path", PATHS)
def test_a_page_that_cannot_be_loaded_says_so_and_can_be_tried_again(arrive: Arrive, path: str) -> None:
    visitor = entered(arrive)
    visitor.page.route(LOADS, lambda request: request.abort())
    visitor.go(path)
    expect(visitor.page.get_by_role("alert")).to_contain_text(UNREACHABLE)
    expect(visitor.page.get_by_text(LOADING)).to_have_count(0)
    visitor.page.unroute(LOADS)
    try_again(visitor.page)


@pytest.mark.parametrize("path", ["/history", "/sheets/nobody", "/school/aim"])
def test_a_server_that_never_answers_is_given_up(arrive: Arrive, path: str) -> None:
    visitor = entered(arrive)
    visitor.page.clock.install()
    held: list[Route] = []
    visitor.page.route(LOADS, lambda request: held.append(request))
    visitor.go(path)
    expect(visitor.page.get_by_text(LOADING)).to_be_visible()
    visitor.page.clock.fast_forward("02:01")
    expect(visitor.page.get_by_role("alert")).to_contain_text(UNREACHABLE)
    expect(visitor.page.get_by_role("button", name="Try again")).to_be_visible()
    visitor.page.unroute(LOADS)
    try_again(visitor.page)


def test_a_page_that_cannot_be_shown_says_so_and_can_be_tried_again(arrive: Arrive) -> None:
    visitor = entered(arrive)
    made = visitor.ask(
        "POST", "/api/sheets?lang=en", {"rules": "dtf", "names": ["A", "B", "C"], "dealer": 0, "house": {}}
    )
    shown = re.compile(r"/api/sheets/[^/]+\?")
    visitor.page.route(shown, lambda request: request.fulfill(json={"seq": 1}))
    visitor.go(f"/sheets/{made['id']}")
    expect(visitor.page.get_by_role("alert")).to_contain_text("Something went wrong")
    visitor.page.unroute(shown)
    visitor.page.get_by_role("button", name="Try again").click()
    expect(visitor.find("sheet")).to_be_visible()


def test_a_visitor_whom_no_server_lets_in_can_try_again(arrive: Arrive) -> None:
    visitor = arrive(forgiven=("Failed to load resource",))
    visitor.page.route("**/api/enter", lambda request: request.abort())
    visitor.go("/account")
    expect(visitor.page.get_by_role("alert")).to_contain_text(UNREACHABLE)
    visitor.page.unroute("**/api/enter")
    try_again(visitor.page)
