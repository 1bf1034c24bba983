"""No page has a serious fault for people who see, hear or move otherwise, in light or in dark."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import pytest
from playwright.sync_api import ViewportSize, expect

from browser.conftest import Arrive
from browser.prepared import YOU, Prepared, dealt
from browser.visitor import Visitor, Way
from check_page import inaccessible
from serving import Serving


def faults(visitor: Visitor, where: str) -> list[str]:
    """The serious faults that axe finds on the page as it is."""
    return [f"{where}: {fault}" for fault in inaccessible(visitor.page)]


class Eyes(NamedTuple):
    """How somebody sees the page: every value of each kind occurs in one of them."""

    scheme: Literal["light", "dark"]
    way: Way
    size: tuple[int, int]
    locale: str
    likes: dict[str, Any]
    reads: Literal["these", "those"]


# All look at the table. What is mostly text two of them look at, one in light and one in dark, one with and
# one without more contrast, at two sizes.
EYES = (
    Eyes("light", "mouse", (1280, 800), "en-GB", {}, "these"),
    Eyes("dark", "touch", (390, 844), "da", {}, "those"),
    Eyes("light", "touch", (320, 568), "fr", {"contrast": True, "cloth": "blue"}, "those"),
    Eyes(
        "dark",
        "mouse",
        (640, 400),
        "de",
        {"contrast": True, "largeIndex": True, "fourColour": True},
        "these",
    ),
)


@pytest.mark.parametrize("eyes", EYES, ids=lambda eyes: f"{eyes.scheme}-{eyes.size[0]}-{eyes.locale}")
def test_axe_finds_no_serious_fault(arrive: Arrive, server: Serving, eyes: Eyes) -> None:
    scheme, way, (width, height), locale, likes, reads = eyes
    size: ViewportSize = {"width": width, "height": height}
    visitor = arrive(way=way, color_scheme=scheme, viewport=size, locale=locale)
    visitor.prefer(**likes)
    page = visitor.page
    found: list[str] = []

    def look(where: str) -> None:
        found.extend(faults(visitor, where))

    def read(path: str, waits: str) -> None:
        visitor.go(path)
        expect(visitor.find(waits).first).to_be_visible()
        look(path)

    visitor.go()
    expect(visitor.find("play-danish")).to_be_enabled()
    look("home")
    if reads == "these":
        read("/learn/dtf?size=5", "rules")
        read("/analyse", "pack")
        visitor.go("/new")
        visitor.find("house").locator("summary").first.click()
        page.locator("[data-testid^=rule-]").first.wait_for(state="attached")
        visitor.find("house").locator("details summary").first.click()
        look("new table")
    else:
        read("/learn/french5", "rules")
        read("/words", "words")
        read("/school/cards", "lesson-end")

    laying = Prepared(f"skat {scheme} {locale}", "dtf", dealt("dtf", 3, YOU, {YOU: "T0 T21 T1 SK HK"}))
    laying.sit_down(visitor, server.database)
    offer = visitor.play_until(lambda offer: offer.kind == "pick")
    look("skat")
    page.locator("[data-card=T0]").focus()
    page.keyboard.press("i")
    expect(visitor.find("enlarged")).to_be_visible()
    look("an enlarged card")
    page.keyboard.press("Escape")
    visitor.step(offer)
    visitor.play_until(lambda offer: offer.kind == "card")
    expect(page.locator("[data-testid=turn].asked")).to_be_visible()
    look("play")
    panel = {"these": "rules", "those": "settings"}[reads]
    visitor.press(f"[data-panel={panel}]")
    expect(page.get_by_role("dialog")).to_be_visible()
    look(f"{panel} over the table")
    page.keyboard.press("Escape")

    ending = Prepared(f"ending {scheme} {locale}", "dtf", fair=True).play_until(
        lambda deal: len(deal.tricks) == 24
    )
    ending.sit_down(visitor, server.database)
    visitor.play_deal()
    look("result")
    if reads == "these":
        read(f"/t/{ending.table}/deal/1", "replay")
        read(f"/verify?t={ending.table}&deal=1", "verdict")
        visitor.go("/account")
        expect(page.get_by_role("heading", level=2).first).to_be_visible()
        look("account")
    else:
        read(f"/t/{ending.table}/rules", "rules")
        read("/history", "sitting")
        read("/me", "figures")
        expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert found == []
