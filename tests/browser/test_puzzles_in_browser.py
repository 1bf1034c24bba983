"""Puzzles in a real browser: chosen, solved by touch, by mouse and with keys, rated, and clean for axe."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from browser.conftest import Arrive
from browser.test_accessibility_in_browser import faults
from browser.visitor import DESKTOP, PATIENCE, PHONE, Visitor

THINKING = 2 * PATIENCE  # milliseconds: the first search of a process is slow
WAYS: list[Any] = ["mouse", "touch", "keys"]


def asked(visitor: Visitor) -> None:
    """Wait until the puzzle waits for a move."""
    expect(visitor.page.locator("[data-testid=puzzle][data-state=open]")).to_be_visible(timeout=THINKING)
    expect(visitor.page.locator("[data-touch]").first).to_be_visible(timeout=THINKING)


def moved(visitor: Visitor, card: str) -> None:
    visitor.press(f"[data-touch={card}]")


def ended(visitor: Visitor, how: str) -> None:
    expect(visitor.page.locator(f"[data-testid=puzzle][data-state={how}]")).to_be_visible(timeout=THINKING)
    expect(visitor.find("puzzle-rating")).to_be_visible(timeout=THINKING)


@pytest.mark.parametrize("way", WAYS)
def test_a_puzzle_is_solved_in_every_way(arrive: Arrive, way: Any) -> None:
    visitor = arrive(way=way, viewport=PHONE if way == "touch" else DESKTOP)
    visitor.go("/puzzles/hermansen-2")
    asked(visitor)
    assert "T1" in visitor.find("puzzle-goal").inner_text()
    assert visitor.page.locator("[data-touch]").count() == 3
    moved(visitor, "T21")
    expect(visitor.page.locator("[data-touch]")).to_have_count(2, timeout=THINKING)
    moved(visitor, "S2")
    ended(visitor, "solved")
    assert "+" in visitor.find("puzzle-rating").inner_text()
    assert visitor.page.evaluate("document.activeElement?.dataset.testid") == "puzzle-next"
    assert faults(visitor, "puzzle solved") == []
    visitor.press("[data-testid=puzzle-next]")
    expect(visitor.page.locator("[data-testid=puzzle]:not([data-id=hermansen-2])")).to_be_visible(
        timeout=THINKING
    )
    asked(visitor)
    assert "/puzzles/" in visitor.page.url
    assert not visitor.page.url.endswith("hermansen-2")


def test_a_wrong_move_is_explained_and_may_be_tried_again(arrive: Arrive) -> None:
    visitor = arrive(way="touch", viewport=PHONE)
    visitor.go("/puzzles/hermansen-1")
    asked(visitor)
    moved(visitor, "S1")
    expect(visitor.find("puzzle-actions").get_by_role("button")).to_have_count(2, timeout=THINKING)
    assert faults(visitor, "puzzle asks") == []
    visitor.find("puzzle-actions").get_by_role("button").nth(1).tap()
    ended(visitor, "failed")
    told = visitor.find("puzzle-told").inner_text()
    assert "demand the skus" in told
    assert "−" in visitor.find("puzzle-rating").inner_text()
    assert visitor.page.get_by_role("heading", name="The right line").is_visible()
    assert faults(visitor, "puzzle failed") == []
    visitor.press("[data-testid=puzzle-again]")
    asked(visitor)
    moved(visitor, "S1")
    expect(visitor.find("puzzle-actions").get_by_role("button")).to_have_count(2, timeout=THINKING)
    visitor.find("puzzle-actions").get_by_role("button").nth(0).tap()
    asked(visitor)
    moved(visitor, "S2")
    ended(visitor, "solved")
    assert "first attempt" in visitor.find("puzzle-rating").inner_text()
    visitor.press("[data-testid=puzzle-analyse]")
    expect(visitor.find("analyse")).to_be_visible()


def test_a_led_skus_is_named(arrive: Arrive) -> None:
    visitor = arrive(viewport=DESKTOP)
    visitor.go("/puzzles/hermansen-5")
    asked(visitor)
    moved(visitor, "H8")
    expect(visitor.page.locator("[data-touch=T21]")).to_be_visible(timeout=THINKING)
    moved(visitor, "T21")
    expect(visitor.page.locator("[data-touch=S1]")).to_be_visible(timeout=THINKING)
    moved(visitor, "T0")
    expect(visitor.find("puzzle-actions").get_by_role("button")).to_have_count(5)
    visitor.find("puzzle-actions").get_by_role("button", name="hearts").click()
    ended(visitor, "solved")


@pytest.mark.parametrize("size", [PHONE, DESKTOP])
def test_a_theme_is_chosen_and_the_standing_is_kept(arrive: Arrive, size: Any) -> None:
    visitor = arrive(viewport=size)
    visitor.go("/puzzles")
    expect(visitor.find("puzzle-standing")).to_contain_text("1500")
    assert visitor.page.locator("[data-puzzles]").count() == 14
    assert faults(visitor, "puzzles") == []
    visitor.page.get_by_test_id("puzzle-rules").select_option("dtf")
    assert visitor.page.locator("[data-puzzles]").count() == 9
    visitor.press("[data-puzzles=king]")
    asked(visitor)
    expect(visitor.page.get_by_role("heading", name="King ultimo")).to_be_visible()
    assert "theme=king&rules=dtf" in visitor.page.url
    assert visitor.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    visitor.press("[data-testid=puzzle-list]")
    visitor.press("[data-testid=puzzle-day]")
    asked(visitor)
    assert faults(visitor, "puzzle of the day") == []


def test_the_home_page_leads_to_the_puzzles(arrive: Arrive) -> None:
    visitor = arrive(viewport=PHONE)
    visitor.go("/")
    visitor.press("[data-testid=to-puzzles]")
    expect(visitor.find("puzzles")).to_be_visible()
