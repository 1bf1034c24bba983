"""Several people at a table, each with a browser of his own; reloads, and a server that dies."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import expect

from browser.conftest import Arrive
from browser.test_accessibility_in_browser import faults
from browser.visitor import PATIENCE, Offer, Visitor, play_together
from serving import Serving

CAUTIOUS = f"{sys.executable} {Path(__file__).resolve().parents[2] / 'examples' / 'bots' / 'cautious.py'}"
NO_SERVER = ("WebSocket connection", "ERR_CONNECTION_REFUSED")  # what a browser says of a dead server


def called(visitor: Visitor, name: str) -> Visitor:
    """Let a visitor take a name."""
    visitor.go("/account")
    visitor.page.get_by_label("Your name at the table").fill(name)
    visitor.page.get_by_role("button", name="Change name").click()
    expect(visitor.page.get_by_text("Your name has been changed.")).to_be_visible()
    return visitor


def test_two_people_play_a_deal_by_an_invitation_and_a_third_watches(arrive: Arrive) -> None:
    inge, bo, eve = called(arrive(), "Inge"), called(arrive(way="touch"), "Bo"), arrive()
    inge.likes = bo.likes = ("Bid", "Call")
    seats = [{"kind": "host"}, {"kind": "open"}, *[{"kind": "bot", "level": "beginner"}] * 3]
    inge.open_table("french5", 5, seats=seats, public=True)  # the game with the fewest tricks
    link = inge.find("invite").input_value()
    bo.page.goto(link)
    bo.press("[data-testid=sit]")
    bo.press("[data-testid=sit-down]")
    expect(inge.find("gathering")).to_contain_text("Bo")
    inge.press("[data-testid=start]")
    expect(inge.page.locator("[data-seat]").filter(has_text="Bo")).to_be_visible()
    expect(bo.page.locator("[data-seat]").filter(has_text="Inge")).to_be_visible()

    inge.press("[data-tab=chat]")
    inge.page.get_by_label("Write a message").fill("Good luck, Bo!")
    inge.page.keyboard.press("Enter")
    bo.press("[data-panel=beside]")
    bo.press("[data-tab=chat]")
    expect(bo.find("chat")).to_contain_text("Good luck, Bo!")
    bo.page.keyboard.press("Escape")

    eve.go()
    eve.find("lobby-table").filter(has_text="Inge").get_by_role("link").click()
    expect(eve.find("watching")).to_be_visible()
    expect(eve.find("hand")).to_be_hidden()

    play_together([inge, bo])
    for visitor in (inge, bo, eve):
        expect(visitor.find("result")).to_contain_text("Bo")
    rows = [visitor.find("result").get_by_role("table").inner_text() for visitor in (inge, bo, eve)]
    assert rows[0] == rows[1] == rows[2], "everybody reads the same payments"


def test_a_host_mutes_and_removes_a_spectator_and_gives_a_seat_to_a_bot(arrive: Arrive) -> None:
    narrow = {"width": 360, "height": 740}
    inge, bo, eve = called(arrive(viewport=narrow), "Inge"), called(arrive(), "Bo"), called(arrive(), "Eve")
    inge.open_table("dtf", 3, seats=[{"kind": "host"}, {"kind": "open"}, {"kind": "bot"}])
    link = inge.find("invite").input_value()
    bo.page.goto(link)
    bo.press("[data-testid=sit]")
    bo.press("[data-testid=sit-down]")
    eve.page.goto(link)
    eve.press("[data-tab=chat]")
    eve.page.get_by_label("Write a message").fill("Hurry up!")
    eve.page.keyboard.press("Enter")

    def menu(who: str) -> None:
        """Open what the host can do about somebody, by keys."""
        inge.page.get_by_role("button", name=f"Options for {who}").last.focus()
        inge.page.keyboard.press("Enter")
        expect(inge.find("person-sheet")).to_be_visible()

    expect(inge.find("gathering").get_by_role("button", name="Options for Bo")).to_be_visible()
    inge.press("[data-panel=beside]")
    inge.press("[data-tab=chat]")
    menu("Eve")
    assert faults(inge, "the menu of a person") == []
    assert inge.page.evaluate("document.documentElement.scrollWidth") <= narrow["width"]
    inge.press("[data-testid=mute]")
    expect(eve.find("muted")).to_contain_text("The host has muted you")
    menu("Eve")
    inge.press("[data-testid=send-away]")
    expect(eve.find("closed")).to_contain_text("The host has removed you from this table.")
    inge.page.keyboard.press("Escape")

    inge.press("[data-testid=start]")
    expect(inge.find("felt")).to_be_visible()
    menu("Bo")
    inge.press("[data-testid=send-away]")
    expect(bo.find("watching")).to_be_visible()
    assert faults(inge, "the table of a host") == []


def test_a_host_gives_a_seat_to_a_program_by_keys(arrive: Arrive) -> None:
    host = arrive(way="keys", viewport={"width": 360, "height": 740})
    host.open_table("dtf", 3, seats=[{"kind": "host"}, {"kind": "open"}, {"kind": "bot"}])
    host.find("level").select_option("program")
    host.press("[data-testid=bot]")
    expect(host.find("program-name")).to_have_value("Program")
    host.page.keyboard.press("Enter")
    expect(host.find("program-here")).to_have_text("Waiting for Program (bot) …")
    expect(host.page.locator("[data-place='1']")).to_contain_text("away")
    expect(host.find("command")).to_be_focused()
    assert faults(host, "the command of a program") == []
    assert host.page.evaluate("document.documentElement.scrollWidth") <= 360
    host.press("[data-testid=copy-command]")
    expect(host.find("copy-command")).to_have_text("Copied")

    token, _, *words = shlex.split(host.find("command").input_value().replace("…", CAUTIOUS))
    name, _, value = token.partition("=")
    with subprocess.Popen(
        [sys.executable, "-m", "ultimo.cli.main", *words], env=os.environ | {name: value}
    ) as program:
        try:
            expect(host.find("program-here")).to_have_text("Program (bot) is connected.")
        finally:
            program.terminate()
    host.page.keyboard.press("Escape")
    expect(host.find("gathering").get_by_role("button", name="Options for Program (bot)")).to_be_focused()


def test_nothing_is_lost_by_a_reload_or_by_the_death_of_the_server(fresh: Serving, arrive: Arrive) -> None:
    visitor = arrive(fresh, forgiven=NO_SERVER)
    visitor.open_table(level="random")

    def inside_a_trick() -> Offer:
        """Play into a trick that others have led, so far that the trick before is gone."""
        offer = visitor.play_until(lambda offer: offer.kind == "card" and "lead" not in offer.question)
        expect(visitor.page.locator("[data-testid=trick] [data-played]")).not_to_have_count(3)
        return offer

    def seen() -> tuple[list[str], str, str]:
        trick = visitor.find("trick").get_attribute("aria-label") or ""
        return visitor.hand(), trick, visitor.ledger()

    offer, before = inside_a_trick(), seen()
    visitor.page.reload()
    expect(visitor.find("hand")).to_be_visible()
    assert seen() == before, "hand, trick and payments are there after a reload"

    visitor.step(offer)
    offer, before = inside_a_trick(), seen()
    fresh.kill()
    expect(visitor.find("lost")).to_be_visible()
    fresh.start()
    expect(visitor.find("lost")).to_be_hidden(timeout=PATIENCE)
    assert seen() == before, "and after the server was killed and started again"
    visitor.step(offer)
    assert visitor.play_deal()[-1] == "card", "the deal goes on by itself to its end"
