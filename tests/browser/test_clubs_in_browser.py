"""A club in a real browser: from its founding to the printed season, on a phone and on a desk."""

from __future__ import annotations

from playwright.sync_api import expect

from browser.conftest import Arrive
from browser.test_accessibility_in_browser import faults
from browser.test_sheets_in_browser import WALL, Pen, narrow, phone
from browser.visitor import Visitor

LIST = "1. Bo Juhl\n2. Ida Friis\n3. Per Skov\n4. Lise Bech\n5. Ole Dam\n6. Eva Krogh\n7. Jens Lund\n"


def saved(visitor: Visitor) -> None:
    """Wait until everything that was tapped on an evening is written."""
    expect(visitor.find("state")).to_have_attribute("data-saved", "true")


def write_a_deal(visitor: Visitor) -> None:
    """Enter a deal on the sheet that is shown, end the sheet, and go back to the evening."""
    pen = Pen(visitor)
    visitor.press("[data-testid=winner]")
    pen.digits("3020")
    pen.book(1)
    pen.tap("ending")
    pen.tap("close-sheet")
    expect(visitor.find("division")).to_be_visible()
    pen.tap("to-evening")
    expect(visitor.find("plan")).to_be_visible()


def test_a_club_from_its_founding_to_the_printed_season(arrive: Arrive) -> None:
    karen = phone(arrive)
    found: list[str] = []

    def look(visitor: Visitor, where: str, axe: bool = True) -> None:
        found.extend(faults(visitor, where) if axe else ())
        assert narrow(visitor), where

    karen.go("/")
    karen.press("[data-testid=to-clubs]")
    look(karen, "clubs")
    karen.find("club-name").fill("Tuesday club")
    karen.find("your-name").fill("Karen Holm")
    karen.press("[data-testid=found]")
    expect(karen.find("recovery")).to_be_visible()
    look(karen, "a new club of a guest")
    karen.press("[data-testid=to-new-club]")
    expect(karen.find("alone")).to_contain_text("the only secretary")
    expect(karen.find("first-steps")).to_contain_text("paste the list")
    look(karen, "a new club", axe=False)

    karen.press("[data-testid=to-members]")
    karen.find("paste").fill(LIST)
    expect(karen.find("found-names")).to_contain_text("(7)")
    karen.press("[data-testid=add-members]")
    expect(karen.find("member-link")).to_have_count(8)
    karen.press("[data-testid=invite]")
    link = karen.find("invitation").get_by_test_id("link").get_attribute("href")
    assert link is not None
    expect(karen.find("invitations")).to_contain_text("anybody with the link")
    look(karen, "members")
    karen.press("[data-testid=change-member][data-member=m3]")
    karen.find("member-name").fill("Ida Frank")
    karen.page.keyboard.press("Enter")
    expect(karen.find("member-sheet")).to_have_count(0)
    karen.press("[data-testid=change-member][data-member=m2]")
    karen.press("[data-testid=role-scorer]")
    expect(karen.find("role-scorer")).to_be_checked()
    karen.press("[data-testid=forget]")
    look(karen, "a member's settings")
    karen.page.keyboard.press("Escape")

    karen.press("[data-testid=part-standings]")
    karen.press("[data-testid=open-season]")
    karen.press("[data-testid=open-evening]")
    expect(karen.find("attendance")).to_be_visible()
    look(karen, "a new evening")
    karen.press("[data-testid=everybody]")
    karen.press("[data-testid=attends][data-member=m8]")
    karen.find("guest-name").fill("Ulla")
    karen.press("[data-testid=add-guest]")
    saved(karen)
    karen.press("[data-testid=rounds][data-value='2']")
    karen.press("[data-testid=draw-now]")
    expect(karen.find("quality")).to_contain_text("meet")
    expect(karen.find("seat")).to_have_count(16)
    look(karen, "a draw")
    karen.press("[data-testid=draw-again]")
    karen.press("[data-testid=keep]")
    expect(karen.find("table-2")).to_be_visible()
    look(karen, "the plan", axe=False)

    # Somebody who has the link says who they are on the list, and sees what the secretary does.
    grete = arrive()
    secret = link.partition("#invitation=")[2]
    asked = list[str]()
    grete.page.on("request", lambda one: asked.extend((one.url.partition("#")[0], *one.headers.values())))
    grete.page.goto(link.replace("#invitation=", "/"))  # as links were once
    expect(grete.page).to_have_url(link)
    asked.clear()
    expect(grete.find("who")).to_have_count(
        6
    )  # Karen is somebody, and Bo may do more than the invitation says
    look(grete, "an invitation")
    grete.press("[data-testid=who-new]")
    grete.find("your-name").fill("Grete Munk")
    grete.press("[data-testid=join-now]")
    grete.press("[data-testid=to-open-evening]")
    expect(grete.find("plan")).to_be_visible()
    assert asked
    assert not [one for one in asked if secret in one]
    expect(grete.find("open-sheet")).to_have_count(0)  # for scorers
    grete.page.set_viewport_size(WALL)
    grete.press("[data-testid=to-wall]")
    expect(grete.find("wall")).to_contain_text("Karen Holm")
    look(grete, "the wall")
    grete.press("[data-testid=wall-close]")

    for table in (1, 2):
        karen.press(f"[data-testid=table-{table}] [data-testid=open-sheet]")
        write_a_deal(karen)
    karen.press("[data-testid=close-evening]")
    expect(karen.find("bare")).to_contain_text("Round 2, Table 2")
    karen.press("[data-testid=close-now]")
    expect(karen.find("results").get_by_test_id("standing")).to_have_count(7)
    look(karen, "results")
    expect(grete.find("results")).to_be_visible()
    for view in ("plan", "cards"):
        grete.press(f"[data-testid=to-{view}]")
        expect(grete.find("paper")).to_contain_text("Ulla")
        look(grete, view)
        grete.press("[data-testid=paper-close]")

    grete.press("[data-testid=to-club]")
    expect(grete.find("standing")).to_have_count(7)
    look(grete, "the club")
    grete.press("[data-testid=to-season]")
    expect(grete.find("tallies")).to_be_visible()
    expect(grete.find("records")).to_be_visible()
    look(grete, "the season")
    grete.page.emulate_media(media="print")
    expect(grete.find("standings")).to_be_visible()
    expect(grete.find("print-season")).to_be_hidden()
    expect(grete.page.locator("header")).to_be_hidden()
    grete.page.emulate_media(media="screen")
    grete.press("[data-testid=standing] a")
    expect(grete.find("member-tallies")).to_be_visible()
    look(grete, "a member")

    karen.press("[data-testid=to-club]")
    expect(karen.find("standing")).to_have_count(7)
    look(karen, "the club on a phone", axe=False)
    karen.press("[data-testid=to-season]")
    expect(karen.find("tallies")).to_be_visible()
    look(karen, "the season on a phone", axe=False)
    karen.press("[data-testid=to-club]")
    for part, seen in (("evenings", "evening-line"), ("records", "records"), ("rules", "club-rules")):
        karen.press(f"[data-testid=part-{part}]")
        expect(karen.find(seen).first).to_be_visible()
        look(karen, part)
    karen.press("[data-testid=part-settings]")
    karen.find("import-text").fill("2026-01-13,Karen Holm,45\n2026-01-13,Asta,-45\n13/1,Bo,x\n")
    karen.press("[data-testid=import-check]")
    expect(karen.find("import-errors")).to_contain_text("Line 3")
    look(karen, "settings")
    karen.find("import-text").fill("2026-01-13,Karen Holm,45\n2026-01-13,Asta,-45\n")
    karen.press("[data-testid=import-check]")
    expect(karen.find("import")).to_contain_text("Asta")
    karen.find("import-name").fill("Before")
    karen.press("[data-testid=import-write]")
    expect(karen.find("import-done")).to_be_visible()
    karen.find("delete-name").fill("Tuesday club")
    karen.press("[data-testid=delete-club]")
    expect(karen.find("clubs")).to_be_visible()
    expect(karen.find("own-club")).to_have_count(0)
    assert found == []
    grete.troubles[:] = [
        one for one in grete.troubles if "404" not in one
    ]  # the club that she looks at is gone


def test_a_lost_club_comes_back_by_its_link_and_gets_a_second_secretary(arrive: Arrive) -> None:
    lost = phone(arrive)
    lost.go("/clubs")
    lost.find("club-name").fill("Tuesday club")
    lost.find("your-name").fill("Karen Holm")
    lost.press("[data-testid=found]")
    link = lost.find("recovery").get_by_test_id("link").get_attribute("href")
    assert link is not None
    lost.page.context.clear_cookies()

    karen = phone(arrive)
    karen.page.goto(link)
    expect(karen.find("join")).to_contain_text("gives you back the place of Karen Holm")
    assert faults(karen, "a recovery link") == []
    karen.press("[data-testid=join-now]")
    expect(karen.find("recovered")).to_contain_text("The recovery link of Karen Holm was used")
    expect(karen.find("alone")).to_be_visible()
    assert narrow(karen)
    assert faults(karen, "a club that could be lost") == []
    karen.press("[data-testid=make-recovery]")
    expect(karen.find("recovery")).to_be_visible()

    karen.press("[data-testid=part-members]")
    karen.find("paste").fill("Bo Juhl")
    karen.press("[data-testid=add-members]")
    karen.press("[data-testid=change-member][data-member=m2]")
    karen.press("[data-testid=role-scorer]")
    karen.press("[data-testid=invite-member]")
    invitation = karen.find("invitation").get_by_test_id("link").get_attribute("href")
    assert invitation is not None
    karen.page.keyboard.press("Escape")
    expect(karen.find("invitations")).to_contain_text("Karen Holm · recovery link")
    bo = phone(arrive)
    bo.page.goto(invitation)
    bo.press("[data-testid=join-now]")
    bo.press("[data-testid=part-settings]")
    bo.press("[data-testid=ask]")
    expect(bo.find("ask")).to_have_count(0)
    karen.press("[data-testid=part-standings]")
    expect(karen.find("asks")).to_contain_text("Bo Juhl would like to be a secretary")
    karen.press("[data-testid=grant]")
    expect(karen.find("alone")).to_have_count(0)
    expect(bo.find("export")).to_be_visible()  # a secretary's
