"""The tutor in a real browser: a hint, why not another card, take-backs, a review, the analysis board."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from browser.conftest import Arrive
from browser.prepared import YOU, Prepared
from browser.test_accessibility_in_browser import faults
from browser.visitor import DESKTOP, PATIENCE, PHONE, Offer, Visitor
from serving import Serving

ENDING = "hermansen: F T1 S2 S1 / M T21 T0 HK / B H7 H8 H9; F leads; cups 60 60"
THINKING = 2 * PATIENCE  # milliseconds: the first thought of a process is slow


def at_a_choice(visitor: Visitor, least: int = 2) -> Offer:
    """Play until there are some cards to choose from."""
    return visitor.play_until(lambda one: one.kind == "card" and len(one.cards) >= least)


def after(tricks: int, title: str, rules: str) -> Prepared:
    """A deal of which so many tricks have been played."""
    return Prepared(title, rules).play_until(
        lambda deal: len(deal.tricks) == tricks and deal.turn == YOU and deal.phase == "play"
    )


def ask(visitor: Visitor) -> list[str]:
    """Ask for a hint by the way of the visitor; the cards that are marked."""
    if visitor.way == "keys":
        visitor.page.keyboard.press("h")
    else:
        visitor.press("[data-testid=hint]")
    expect(visitor.find("hint-do")).to_be_visible(timeout=THINKING)
    expect(visitor.find("hint-first")).to_have_count(0, timeout=THINKING)  # the tutor has thought
    marked = visitor.page.locator(
        "[data-testid=hand] [data-hinted=true], [data-testid=hand] [data-hinted='']"
    )
    return [str(card) for card in marked.evaluate_all("all => all.map(one => one.dataset.card)")]


@pytest.mark.parametrize(
    ("rules", "size", "way"), [("dtf", 3, "mouse"), ("french4", 4, "touch"), ("hermansen", 3, "keys")]
)
def test_a_hint_marks_a_card_says_why_and_why_not_another(
    arrive: Arrive, rules: str, size: int, way: Any
) -> None:
    visitor = arrive(way=way, viewport=PHONE if way == "touch" else DESKTOP)
    visitor.open_table(rules, size)
    legal = at_a_choice(visitor, 3).cards
    marked = ask(visitor)
    assert len(marked) == 1
    assert marked[0] in legal
    panel = visitor.find("hint-panel")
    assert panel.inner_text().strip(), "it says why"
    other = next(card for card in legal if card != marked[0])
    if way != "keys":
        visitor.touch(other)
        expect(visitor.find("hint-against")).to_be_visible(timeout=THINKING)
        assert visitor.find("hint-against").inner_text().strip()
        visitor.press("[data-testid=hint-reasons]")
    visitor.press("[data-testid=hint-more-button]")
    expect(visitor.find("estimates")).to_be_visible()
    assert faults(visitor, "hint") == []
    visitor.press("[data-testid=hint-do]")
    expect(visitor.page.locator(f"[data-testid=hand] [data-card={marked[0]}]")).to_have_count(0)
    assert visitor.troubles == []


def test_a_card_is_taken_back_and_the_deal_is_marked(arrive: Arrive, server: Serving) -> None:
    visitor = arrive(viewport=DESKTOP)
    after(20, "taken back", "dtf").sit_down(visitor, server.database)
    offer = at_a_choice(visitor)
    before = set(visitor.hand())
    visitor.step(offer)
    expect(visitor.find("undo")).to_be_visible(timeout=PATIENCE)
    visitor.press("[data-testid=undo]")
    expect(visitor.find("taken-back")).to_be_visible(timeout=PATIENCE)
    visitor.page.wait_for_function(
        "many => document.querySelectorAll('[data-testid=hand] [data-card]').length === many", arg=len(before)
    )
    assert set(visitor.hand()) == before
    visitor.step(offer)
    visitor.play_deal()
    assert visitor.troubles == []


@pytest.mark.parametrize(("rules", "tricks", "viewport"), [("dtf", 24, PHONE), ("french4", 17, DESKTOP)])
def test_a_deal_is_reviewed_and_one_learns_from_it(
    arrive: Arrive, server: Serving, rules: str, tricks: int, viewport: Any
) -> None:
    visitor = arrive(viewport=viewport)
    after(tricks, f"reviewed {rules}", rules).sit_down(visitor, server.database)
    visitor.play_deal()
    visitor.press("[data-testid=to-review]")
    expect(visitor.find("review-graph")).to_be_visible(timeout=3 * THINKING)
    expect(visitor.find("made-of")).to_be_visible()
    assert visitor.page.locator("[data-testid=decisions] [data-grade]").count() > 10
    assert faults(visitor, "review") == []
    graph = visitor.find("review-graph")
    graph.focus()
    shown = visitor.find("review-at").inner_text()
    visitor.page.keyboard.press("ArrowRight")
    visitor.page.keyboard.press("ArrowRight")
    assert visitor.find("review-at").inner_text() != shown
    visitor.press("[data-testid=decisions] :is([data-grade=blunder], [data-grade=mistake])")
    visitor.press("[data-testid=show-line]")
    for trick in ("better-trick", "played-trick"):
        expect(visitor.find(trick).locator("svg").first).to_be_visible()
    assert faults(visitor, "better line") == []
    visitor.press("[data-testid=learn-start]")
    expect(visitor.find("learn")).to_be_visible()
    visitor.press("[data-testid=learn-show]")
    assert faults(visitor, "learn") == []
    assert visitor.troubles == []


@pytest.mark.parametrize("viewport", [PHONE, DESKTOP])
def test_a_position_is_solved_played_and_taken_back(arrive: Arrive, viewport: Any) -> None:
    visitor = arrive(viewport=viewport)
    visitor.go("/analyse")
    visitor.find("position").fill(ENDING)
    visitor.press("[data-testid=board-go]")
    visitor.press("[data-testid=solve]")
    expect(visitor.page.locator("[data-testid=verdict][data-exact=true]")).to_be_visible(timeout=THINKING)
    assert faults(visitor, "board") == []
    visitor.page.locator("[data-testid=board-actions] button").first.click()
    expect(visitor.page.locator("[data-testid=variations] [data-node]").first).to_be_visible()
    visitor.page.keyboard.press("ArrowLeft")
    assert "p=" in visitor.page.url
    visitor.page.reload()
    expect(visitor.find("position")).to_have_value(
        re.compile("^hermansen: F T1 S2 S1 / M T21 T0 HK"), timeout=PATIENCE
    )
    expect(visitor.page.locator("[data-testid=variations] [data-node]").first).to_be_visible()
    visitor.find("position").fill("hermansen: F T1 / M T1 / B S2")
    visitor.press("[data-testid=board-go]")
    expect(visitor.find("position-error")).to_be_visible(timeout=PATIENCE)
    assert [one for one in visitor.troubles if "422" not in one] == []
    visitor.troubles.clear()  # what is refused, the browser notes by itself


@pytest.mark.parametrize("way", ["mouse", "keys"])
def test_a_position_of_a_replay_is_analysed_or_played_on(arrive: Arrive, server: Serving, way: Any) -> None:
    visitor = arrive(way=way, viewport=DESKTOP)
    ending = after(24, f"played on {way}", "dtf")
    table = ending.table
    ending.sit_down(visitor, server.database)
    visitor.play_deal()
    visitor.go(f"/t/{table}/deal/1").find("replay").wait_for()
    visitor.page.get_by_role("button", name="Trick 20").click()
    visitor.press("[data-testid=analyse-here]")
    expect(visitor.find("position")).to_have_value(re.compile("^dtf: F "), timeout=PATIENCE)
    visitor.press("[data-testid=solve]")
    expect(visitor.find("verdict")).to_be_visible(timeout=THINKING)
    visitor.go(f"/t/{table}/deal/1").find("replay").wait_for()
    visitor.page.get_by_role("button", name="Trick 20").click()
    visitor.press("[data-testid=play-on]")
    visitor.page.wait_for_url(re.compile(f"/t/(?!{table})"))
    visitor.play_deal()
    assert visitor.troubles == []
