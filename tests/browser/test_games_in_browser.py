"""Games to watch in a real browser: chosen, stepped through, explained where it matters, clean for axe."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from browser.conftest import Arrive
from browser.test_accessibility_in_browser import faults
from browser.visitor import DESKTOP, PATIENCE, PHONE, Visitor
from ultimo.tutor.games.game import collection

THINKING = 2 * PATIENCE  # milliseconds: the first review of a process is slow
GAME = collection()[0]
TOLD = sum(bool(one.options) for one in GAME.review.decisions)


def watching(visitor: Visitor) -> None:
    """Open the first game, if it is not, at its first step."""
    if "/games/" not in visitor.page.url:
        visitor.go(f"/games/{GAME.id}")
    expect(visitor.find("game")).to_be_visible(timeout=THINKING)
    visitor.page.keyboard.press("Home")


@pytest.mark.parametrize(("way", "size"), [("keys", DESKTOP), ("touch", PHONE)])
def test_a_game_is_chosen_and_its_decisions_are_explained(arrive: Arrive, way: Any, size: Any) -> None:
    visitor = arrive(way=way, viewport=size)
    visitor.go("/games")
    expect(visitor.page.locator("[data-game]")).to_have_count(len(collection()))
    assert faults(visitor, "games") == []
    visitor.press(f"[data-game={GAME.id}]")
    expect(visitor.find("game")).to_be_visible(timeout=THINKING)
    watching(visitor)
    expect(visitor.find("game-at")).to_have_text(f"Explained decisions: {TOLD}")
    expect(visitor.find("decision")).to_have_count(0)
    visitor.press("[data-testid=game-forward]")
    expect(visitor.find("game-at")).to_have_text(f"Explained decision 1 of {TOLD}")
    expect(visitor.find("decision")).to_be_in_viewport()
    assert faults(visitor, "game") == []
    assert visitor.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    visitor.page.keyboard.press("ArrowRight")
    expect(visitor.find("decision")).to_have_count(0)
    visitor.page.keyboard.press("ArrowLeft")
    expect(visitor.find("decision")).to_have_count(1)


def test_a_game_that_plays_by_itself_waits_where_something_is_explained(arrive: Arrive) -> None:
    visitor = arrive()
    watching(visitor)
    visitor.press("[data-testid=game-forward]")
    visitor.page.keyboard.press("ArrowLeft")
    expect(visitor.find("decision")).to_have_count(0)
    visitor.page.get_by_role("combobox", name="Speed").select_option("4×")
    visitor.page.get_by_role("button", name="Play", exact=True).click()
    expect(visitor.find("decision")).to_be_visible()
    expect(visitor.page.get_by_role("button", name="Play", exact=True)).to_be_visible()


def test_a_visitor_plays_on_from_a_decision(arrive: Arrive) -> None:
    visitor = arrive()
    watching(visitor)
    visitor.press("[data-testid=game-forward]")
    visitor.press("[data-testid=play-on]")
    expect(visitor.find("table")).to_be_visible()
    expect(visitor.page.locator(".own[data-turn=true]")).to_be_visible()


def test_home_and_school_lead_to_the_games(arrive: Arrive) -> None:
    visitor = arrive(viewport=PHONE)
    for page, link in (("/", "to-games"), ("/school", "games")):
        visitor.go(page)
        visitor.press(f"[data-testid={link}]")
        expect(visitor.page.get_by_role("heading", name="Master deals explained")).to_be_visible()
