"""A tournament in a real browser: from a preset to the places, on a phone and on the wall, with axe."""

from __future__ import annotations

from playwright.sync_api import ViewportSize, expect

from browser.conftest import Arrive
from browser.test_accessibility_in_browser import faults
from browser.visitor import Visitor

SMALL: ViewportSize = {"width": 360, "height": 740}
WALL: ViewportSize = {"width": 1920, "height": 1080}
PEOPLE = "\n".join(f"Player {number}; Team {number // 4}; Club {number % 2}" for number in range(8))


def narrow(visitor: Visitor) -> bool:
    fits: bool = visitor.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    return fits


def tap(visitor: Visitor, name: str, value: object = None) -> None:
    which = "" if value is None else f"[data-value='{value}']"
    visitor.press(f"[data-testid={name}]{which}")


def typed(visitor: Visitor, scores: list[str]) -> None:
    for place, score in enumerate(scores):
        tap(visitor, f"field-{place}")
        for digit in score.removeprefix("-"):
            visitor.press(f"[data-digit='{digit}']")
        if score.startswith("-"):
            visitor.press("[data-digit='half']")


def report(visitor: Visitor, table: int, scores: list[str]) -> None:
    tap(visitor, f"write-{table}")
    typed(visitor, scores)
    tap(visitor, "send-report")
    expect(visitor.find("report")).to_have_count(0)


def test_a_duplicate_from_a_preset_to_its_places(arrive: Arrive) -> None:
    host, found = arrive(way="touch", viewport=SMALL, locale="en"), list[str]()
    host.go("/tournaments")
    tap(host, "preset", "french-duplicate")
    host.find("name").fill("Open of Lyon")
    host.find("rounds-field").fill("1")
    assert narrow(host)
    found += faults(host, "new tournament")
    tap(host, "begin")
    host.find("lines").fill(PEOPLE)
    tap(host, "enter")
    expect(host.find("change-8")).to_be_visible()
    tap(host, "change-8")
    host.find("substitute").fill("Karen")
    tap(host, "stand-in")
    expect(host.find("people")).to_contain_text("Karen")
    tap(host, "view", "tables")
    tap(host, "draw")
    expect(host.find("table-2")).to_be_visible()
    expect(host.find("draw")).to_have_count(0)
    tap(host, "draw-again")  # is asked about
    expect(host.find("draw")).to_be_visible()
    assert narrow(host)
    report(host, 1, ["50", "-26", "60", "72"])
    tap(host, "write-2")
    found += faults(host, "the result of a table")
    report(host, 2, ["48", "-30", "62", "72"])
    assert narrow(host)
    tap(host, "close-round")
    expect(host.find("rounds")).to_contain_text("closed")
    tap(host, "publish")
    expect(host.find("publish")).to_have_attribute("aria-pressed", "true")

    address = host.page.url
    guest = arrive(way="mouse", viewport=WALL, locale="fr")
    guest.page.goto(address)
    expect(guest.find("standings").first).to_contain_text("Player 0")
    expect(guest.find("standings")).to_have_count(3)
    guest.page.locator("[data-testid=view][data-value=boards]").click()
    guest.page.locator("[data-testid=board][data-value='2']").click()
    expect(guest.find("board-results")).to_contain_text("100")
    expect(guest.find("boards")).to_contain_text("Chien")
    found += faults(guest, "boards")
    guest.find("to-wall").click()
    expect(guest.find("wall")).to_contain_text("Open of Lyon")
    found += faults(guest, "wall")
    tap(host, "close")
    expect(host.find("tournament")).to_contain_text("It is over")
    assert found == []


def test_a_table_of_a_championship_adds_up(arrive: Arrive) -> None:
    host = arrive(way="touch", viewport=SMALL, locale="da")
    host.go("/tournaments")
    tap(host, "preset", "danish-championship")
    host.find("name").fill("DM")
    tap(host, "begin")
    host.find("lines").fill("\n".join(PEOPLE.splitlines()[:4]).replace("Team 0", ""))
    tap(host, "enter")
    expect(host.find("change-4")).to_be_visible()
    tap(host, "view", "tables")
    tap(host, "draw")
    tap(host, "write-1")
    for place, score in enumerate(("25", "40", "5")):
        tap(host, f"field-{place}")
        for digit in score:
            host.press(f"[data-digit='{digit}']")
    tap(host, "fill")
    expect(host.find("field-3")).to_contain_text("−70")
    tap(host, "send-report")
    expect(host.find("table-1")).to_contain_text("−70")
    tap(host, "view", "results")
    expect(host.find("standings").first.locator("tbody tr")).to_have_count(4)


def test_two_scorers_of_one_table_see_both_results(arrive: Arrive) -> None:
    """A live update does not move what the second has seen; digits replace, and slips are asked about."""
    host = arrive(way="touch", viewport=SMALL, locale="en", forgiven=("409",))
    second = arrive(way="touch", locale="fr")
    host.go("/tournaments")
    tap(host, "preset", "french-duplicate")
    host.find("name").fill("Open of Lyon")
    tap(host, "begin")
    host.find("lines").fill("\n".join(PEOPLE.splitlines()[:4]))
    tap(host, "enter")
    tap(host, "view", "tables")
    tap(host, "draw")
    tap(host, "share")
    tap(host, "invite")
    address = host.find("scorer-code").get_by_test_id("link").get_attribute("href")
    assert address is not None
    host.page.keyboard.press("Escape")
    second.page.goto(address)
    tap(second, "view", "tables")
    tap(second, "write-1")
    tap(host, "write-1")
    typed(host, ["56", "57", "-56", "-52"])
    tap(host, "send-report")
    expect(host.find("doubt")).to_contain_text("57 is not possible with a garde")
    tap(host, "field-1")
    host.press("[data-digit='6']")
    host.press("[data-digit='2']")
    expect(host.find("field-1")).to_contain_text("+62")
    tap(host, "send-report")
    expect(host.find("report")).to_have_count(0)

    expect(second.find("both")).to_contain_text("+62")  # while the form is open
    assert narrow(second)
    typed(second, ["58", "62", "-56", "-52"])
    expect(second.find("both")).to_contain_text("+58")
    assert faults(second, "two results of a table") == []
    tap(second, "write-mine")
    expect(second.find("report")).to_have_count(0)
    second.press("[data-testid=trail] summary")
    expect(second.find("trail")).to_contain_text("avant\u00a0: +56")

    tap(host, "write-1")
    tap(host, "clear")
    expect(host.find("field-0")).to_contain_text("–")
    expect(host.find("send-report")).to_be_disabled()
