"""The score sheet in a real browser: whole evenings in few taps, a second phone, no network, axe."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import ViewportSize, expect

from browser.conftest import Arrive
from browser.test_accessibility_in_browser import faults
from browser.visitor import Visitor

SMALL: ViewportSize = {"width": 360, "height": 740}
WALL: ViewportSize = {"width": 1920, "height": 1080}
FOUR = ("Karen", "Bo", "Ida", "Per")


class Pen:
    """Somebody who keeps the score, and counts the taps it takes."""

    def __init__(self, visitor: Visitor) -> None:
        self.visitor, self.page, self.taps = visitor, visitor.page, 0

    def tap(self, name: str, value: object = None) -> None:
        which = "" if value is None else f"[data-value='{value}']"
        self.press(f"[data-testid={name}]{which}")

    def press(self, selector: str) -> None:
        self.visitor.press(selector)
        self.taps += 1

    def digits(self, text: str) -> None:
        for digit in text:
            self.press(f"[data-digit='{digit}']")

    def declare(self, seat: int, words: str) -> None:
        self.tap("declares", seat)
        self.page.get_by_test_id("declaration").get_by_text(words, exact=True).tap()
        self.taps += 1

    def book(self, deals: int) -> int:
        """Book the deal; how many taps it took."""
        expect(self.visitor.find("preview")).to_be_visible()
        self.tap("book")
        expect(self.visitor.find(f"deal-{deals}")).to_be_visible()
        expect(self.visitor.find("sheet")).to_have_attribute("data-waiting", "0")
        taken, self.taps = self.taps, 0
        return taken

    def totals(self, people: int) -> list[int]:
        texts = [self.visitor.find(f"total-{seat}").locator("b").inner_text() for seat in range(people)]
        return [int(text.replace("−", "-")) for text in texts]

    def cups(self) -> list[int]:
        return [int(self.visitor.find(f"cup-{cup}").locator("b").inner_text()) for cup in ("king", "pagat")]


def begin(visitor: Visitor, names: tuple[str, ...], rules: str = "dtf") -> Pen:
    return begin_from_home(visitor.go("/"), names, rules)


def begin_from_home(visitor: Visitor, names: tuple[str, ...], rules: str = "dtf") -> Pen:
    visitor.press("[data-testid=to-sheets]")
    for name in names:
        visitor.find("name").fill(name)
        visitor.press("[data-testid=add]")
    visitor.find("rules").select_option(rules)
    visitor.press("[data-testid=open-sheet]")
    expect(visitor.find("entry")).to_be_visible()
    return Pen(visitor)


def phone(arrive: Arrive, **wishes: Any) -> Visitor:
    return arrive(way="touch", viewport=SMALL, **wishes)


def narrow(visitor: Visitor) -> bool:
    """Whether nothing of the page is wider than the screen."""
    fits: bool = visitor.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    return fits


def test_a_danish_evening_of_four_takes_few_taps(arrive: Arrive) -> None:
    pen = begin(phone(arrive), FOUR)
    visitor = pen.visitor
    assert narrow(visitor)
    expect(visitor.find("total-0")).to_contain_text("deals")
    expect(visitor.find("total-2")).to_contain_text("sits out")

    pen.tap("winner", 1)  # an ordinary deal: Bo, Per and Karen play
    pen.digits("3020")
    assert pen.book(1) <= 8

    # Two declarations, a king lost, and a pagat ultimo of Ida, who plays with Karen and Bo.
    pen.declare(2, "10 trumps with the pagat")
    pen.declare(0, "Full hearts")
    pen.tap("lost")
    pen.tap("king-0", "SK")
    pen.tap("winner", 2)
    pen.tap("ultimo", "T1")
    pen.digits("3122")
    assert pen.book(2) <= 16
    assert sum(pen.totals(4)) + sum(pen.cups()) == 0

    # A king that falls in the last trick: bagud. Per, Bo and Ida play.
    pen.tap("winner", 3)
    pen.tap("bagud")
    pen.tap("bagud-1", "HK")
    pen.digits("2626")
    assert pen.book(3) <= 16
    assert narrow(visitor)

    before = pen.totals(4)
    pen.tap("undo")
    expect(visitor.find("deal-3")).to_have_count(0)
    expect(visitor.find("undone")).to_be_visible()
    expect(visitor.find("undo")).to_have_count(0)  # a second tap takes off no other deal
    pen.tap("restore")
    expect(visitor.find("deal-3")).to_be_visible()
    assert pen.totals(4) == before
    pen.tap("undo")
    expect(visitor.find("preview")).to_be_visible()  # what was written stands in the form
    visitor.page.reload()
    pen.book(3)  # and is kept with the page closed
    assert pen.totals(4) == before

    # Ida does not follow suit, and the deal is cancelled: what follows is the book's, not asked.
    pen.tap("erred")
    pen.tap("offender", 2)
    expect(visitor.page.locator("[data-testid=offence][data-value=wrongDecl]")).to_be_disabled()
    expect(visitor.page.locator("[data-testid=offence][data-value=wrongSkat]")).to_have_count(0)
    pen.tap("offence", "revoke")
    expect(visitor.find("mistake")).to_contain_text("40 into each cup")
    pen.tap("goes-on", "true")
    expect(visitor.find("booking")).to_contain_text("Ida pays 40 into the king cup: fine")
    assert narrow(visitor)
    assert pen.book(4) <= 6
    fined = pen.totals(4)
    assert fined[2] == before[2] - 80

    # The first deal was written wrongly: everything after it follows.
    pen.press("[data-testid=deal-1] button")
    pen.tap("correct")
    for _ in range(4):
        pen.tap("erase")
    pen.digits("4010")
    pen.tap("book")
    expect(visitor.page.locator("[data-testid=deal-1] .visually-hidden")).to_contain_text("Corrected by")
    expect(visitor.find("sheet")).to_have_attribute("data-waiting", "0")
    assert pen.totals(4) != fined
    assert sum(pen.totals(4)) + sum(pen.cups()) == 0

    visitor.find("evening-note").fill("Ida brought the cake")
    visitor.page.keyboard.press("Enter")
    expect(visitor.page.get_by_text("Ida brought the cake", exact=True)).to_be_visible()
    pen.tap("ending")
    pen.tap("close-sheet")
    expect(visitor.find("division")).to_contain_text("king cup")
    assert sum(pen.totals(4)) == 0
    visitor.find("rate").fill("0,25")
    expect(visitor.find("pays")).to_contain_text("pays")
    expect(visitor.find("money")).to_contain_text("×")
    assert narrow(visitor)
    visitor.page.emulate_media(media="print")
    for hidden in ("share", "rate", "reopen", "xlsx"):
        expect(visitor.find(hidden)).to_be_hidden()
    expect(visitor.page.locator("header").first).to_be_hidden()
    expect(visitor.find("ledger")).to_be_hidden()
    for printed in ("origin", "printed", "division", "money", "pays"):
        expect(visitor.find(printed)).to_be_visible()
    rows = visitor.find("printed").locator("tbody tr")
    expect(rows).to_have_count(4)
    assert rows.first.locator("th").inner_text().startswith("1")


def test_what_cannot_have_been_is_not_booked(arrive: Arrive) -> None:
    pen = begin(phone(arrive), FOUR)
    pen.tap("winner", 1)
    pen.digits("7800")
    expect(pen.visitor.find("impossible")).to_contain_text("With so few points")
    expect(pen.visitor.find("book")).to_be_disabled()


def test_a_french_evening_of_five_takes_few_taps(arrive: Arrive) -> None:
    pen = begin(phone(arrive, locale="fr"), (*FOUR, "Asta"), "french5")
    pen.tap("taker", 1)
    pen.tap("bid", "garde")
    pen.tap("partner", 3)  # who has the called king
    pen.tap("bouts", 2)
    pen.digits("45")
    assert pen.book(1) <= 10
    won = pen.totals(5)
    assert won[1] == 2 * won[3] > 0 == sum(won)

    pen.tap("taker", 0)  # a contract that is lost, alone against all
    pen.tap("bid", "petite")
    pen.tap("partner", "null")
    pen.tap("bouts", 1)
    pen.digits("40")
    assert pen.book(2) <= 10
    assert pen.totals(5)[0] < 0 == sum(pen.totals(5))
    assert narrow(pen.visitor)


def test_a_second_phone_follows_and_takes_the_pen(arrive: Arrive) -> None:
    karen = begin(phone(arrive), FOUR)
    bo = phone(arrive, forgiven=("403",))
    bo.page.goto(karen.page.url)
    expect(bo.find("follows")).to_be_visible()
    expect(bo.find("entry")).to_have_count(0)
    karen.tap("winner", 1)
    karen.digits("3020")
    karen.book(1)
    expect(bo.find("deal-1")).to_be_visible()

    karen.tap("share")
    karen.tap("hand")
    link = karen.visitor.find("pen-code").get_by_test_id("link").get_attribute("href")
    assert link is not None
    bo.page.goto(f"{link}x")  # another code
    expect(bo.find("pen-refused")).to_be_visible()
    expect(bo.find("sheet")).to_be_visible()
    expect(bo.find("pen-refused")).to_be_visible()  # the sheet that is shown again has not taken it away
    bo.page.goto(link)
    expect(bo.find("entry")).to_be_visible()
    expect(bo.find("pen-refused")).to_have_count(0)
    assert "pen=" not in bo.page.url
    karen.page.keyboard.press("Escape")
    expect(karen.visitor.find("follows")).to_be_visible()
    pen = Pen(bo)
    pen.tap("winner", 2)
    pen.digits("2626")
    pen.book(2)
    expect(karen.visitor.find("deal-2")).to_be_visible()
    karen.tap("take-back")
    expect(karen.visitor.find("entry")).to_be_visible()
    expect(bo.find("follows")).to_be_visible()


def test_three_deals_without_a_network_are_sent_when_it_is_back(arrive: Arrive) -> None:
    visitor = phone(arrive, forgiven=("ERR_INTERNET_DISCONNECTED",))
    pen = begin(visitor, FOUR)
    visitor.context.set_offline(True)
    pen.tap("winner", 1)
    pen.digits("3020")
    pen.tap("book")
    expect(visitor.find("waiting")).to_be_visible()
    pen.tap("winner", 2)  # the next deal, in which Ida plays and another sits out
    pen.digits("2626")
    pen.tap("book")
    pen.tap("winner", 3)
    pen.digits("2626")
    pen.tap("book")
    expect(visitor.find("sheet")).to_have_attribute("data-waiting", "3")
    expect(visitor.find("deal-1")).to_have_count(0)
    pen.tap("winner", 3)  # a fourth is begun, which nothing that comes from the server takes away
    visitor.context.set_offline(False)
    expect(visitor.find("deal-3")).to_be_visible()
    expect(visitor.find("sheet")).to_have_attribute("data-waiting", "0")
    expect(visitor.find("line-lost")).to_have_count(0)
    expect(visitor.page.locator("[data-testid=winner][data-value='3']")).to_have_attribute(
        "aria-pressed", "true"
    )
    pen.digits("2626")
    pen.book(4)
    trail = visitor.find("trail")
    trail.locator("summary").tap()
    expect(trail.locator("li")).to_have_count(5)


def test_whoever_has_not_seen_the_news_is_shown_it(arrive: Arrive) -> None:
    visitor = phone(arrive, forgiven=("409",))
    pen = begin(visitor, FOUR)
    path = re.sub(r".*/sheets/", "/api/sheets/", pen.page.url)
    for deaf in ("**/follow*", "**/preview*"):  # this page hears nothing
        visitor.page.route(deaf, lambda route: route.abort())
    pen.page.reload()
    expect(visitor.find("entry")).to_be_visible()
    entry = {"game": "danish", "winner": 1, "counts": {"1": 30, "3": 20}}
    wish = {"type": "BookDeal", "entry": entry}
    visitor.ask("POST", path, {"cmd": "another-device", "base": 1, "wish": wish})
    pen.tap("winner", 1)
    pen.digits("2626")
    pen.tap("book")
    expect(visitor.find("refused")).to_contain_text("wrote deal 1")
    pen.tap("discard")
    expect(visitor.find("deal-1")).to_be_visible()
    expect(visitor.find("refused")).to_have_count(0)
    expect(visitor.find("deal-2")).to_have_count(0)
    visitor.troubles[:] = [one for one in visitor.troubles if "ERR_FAILED" not in one]


def test_the_same_table_is_opened_by_one_tap(arrive: Arrive) -> None:
    visitor = phone(arrive)
    first = begin(visitor, FOUR).page.url
    visitor.go("/")
    visitor.press("[data-testid=to-sheets]")
    expect(visitor.find("own-sheet")).to_have_count(1)
    visitor.press("[data-testid=same-again]")
    expect(visitor.find("entry")).to_be_visible()
    assert visitor.page.url != first


def test_the_wall_shows_totals_cups_and_a_line(arrive: Arrive) -> None:
    pen = begin(phone(arrive), FOUR)
    pen.tap("winner", 1)
    pen.digits("3020")
    pen.book(1)
    wall = arrive(viewport=WALL)
    wall.page.goto(f"{pen.page.url}?tv=1")
    expect(wall.find("tv")).to_contain_text("King cup")
    expect(wall.page.locator("[data-testid=chart] .line")).to_have_count(4)
    assert narrow(wall)
    pen.tap("winner", 2)
    pen.digits("2626")
    pen.book(2)
    told = [str(abs(total)) for total in pen.totals(4)]
    for total in told:
        expect(wall.find("tv")).to_contain_text(total)
    assert faults(wall, "wall") == []


@pytest.mark.parametrize(("scheme", "locale"), [("light", "da"), ("dark", "de")])
def test_axe_finds_no_serious_fault_on_a_sheet(arrive: Arrive, scheme: str, locale: str) -> None:
    visitor = phone(arrive, color_scheme=scheme, locale=locale)
    pen = begin(visitor, FOUR)
    found = faults(visitor, "a new sheet")
    pen.tap("declares", 1)
    pen.tap("lost")
    pen.tap("winner", 1)
    pen.tap("bagud")
    pen.tap("rare")
    pen.tap("erred")
    pen.tap("offender", 1)
    found += faults(visitor, "mistakes")
    pen.tap("offence", "revoke")
    pen.digits("3020")
    expect(visitor.find("preview")).to_be_visible()
    found += faults(visitor, "an entry")
    assert narrow(visitor)
    pen.book(1)
    pen.press("[data-testid=deal-1] button")
    found += faults(visitor, "a deal")
    pen.tap("share")
    pen.tap("hand")
    expect(visitor.find("pen-code")).to_be_visible()
    found += faults(visitor, "sharing")
    visitor.page.keyboard.press("Escape")
    pen.tap("ending")
    pen.tap("close-sheet")
    expect(visitor.find("division")).to_be_visible()
    found += faults(visitor, "the end")
    visitor.go("/sheets")
    expect(visitor.find("own-sheet")).to_be_visible()
    found += faults(visitor, "sheets")
    assert found == []
