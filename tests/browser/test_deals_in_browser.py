"""Whole deals in a real browser, from the first click to the result."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from browser.conftest import Arrive
from browser.prepared import YOU, Prepared, dealt
from browser.visitor import Visitor, Way
from serving import Serving

TRICKS = {"dtf": 25, "hermansen": 25, "basta": 25, "fft4": 18, "french5": 15}


def set_up(visitor: Visitor, rules: str, level: str = "beginner") -> None:
    """Open a table at which bots play at once, on the page for new tables."""
    visitor.go("/new")
    visitor.page.get_by_test_id(f"book-{rules}").check()
    seats = visitor.page.locator("select[data-testid^=seat-]")
    for seat in range(1, seats.count()):
        seats.nth(seat).select_option(level)
    visitor.find("tempo").select_option("instant")
    visitor.press("[data-testid=open-table]")


def test_a_stranger_plays_after_two_clicks_and_a_table_of_his_own_to_the_end(
    fresh: Serving, arrive: Arrive
) -> None:
    visitor = arrive(fresh).go()
    visitor.press("[data-testid=play-danish]")
    first = visitor.play_until(lambda offer: offer.kind == "card")
    expect(visitor.page.locator(".seat.own")).to_contain_text("forehand")  # the skat comes in the second deal
    visitor.step(first)
    expect(visitor.page.locator("[data-testid=hand] [data-card]")).to_have_count(24)

    set_up(visitor, "dtf")
    done = visitor.play_deal()
    assert done.count("card") == TRICKS["dtf"], "every card of the hand was played by the visitor"
    result = visitor.find("result")
    expect(result.get_by_role("heading", level=2)).to_contain_text("Deal 1")
    assert result.get_by_role("table").get_by_role("row").count() > 3, "payments by reason are shown"
    visitor.press("[data-testid=next-deal]")
    expect(visitor.find("hand")).to_be_visible()


@pytest.mark.parametrize(
    ("rules", "size", "way"),
    [
        ("hermansen", 3, "keys"),
        ("basta", 3, "touch"),
        ("fft4", 4, "touch"),
        ("french5", 5, "mouse"),
    ],
)
def test_a_deal_of_each_game_is_played_to_its_result(arrive: Arrive, rules: str, size: int, way: Way) -> None:
    visitor = arrive(way=way)
    visitor.likes = ("Bid", "Call")
    visitor.open_table(rules, size)
    done = visitor.play_deal()
    assert done.count("card") == TRICKS[rules]
    expect(visitor.find("result").get_by_role("table")).to_be_visible()


def test_the_first_skat_is_taught_once(arrive: Arrive, server: Serving) -> None:
    visitor = arrive()
    guide = visitor.page.locator("[data-testid=turn] .guide")
    for number, shown in ((1, True), (2, False)):
        table = Prepared(f"skat {number}", "dtf", dealt("dtf", 3, YOU, {YOU: "T0 T21 T1 SK HK"}))
        table.sit_down(visitor, server.database)
        offer = visitor.play_until(lambda offer: offer.kind == "pick")
        expect(guide).to_have_count(int(shown))
        visitor.step(offer)
        visitor.play_until(lambda offer: offer.kind == "card")
        expect(guide).to_have_count(0)


def test_keys_come_to_every_stop_and_to_the_hand_at_ones_turn(arrive: Arrive, server: Serving) -> None:
    """No stop is lost behind a word that explains itself; a turn begins in the hand; ? lists the keys."""
    visitor = arrive(way="keys")
    Prepared("stops", "dtf").sit_down(visitor, server.database)
    visitor.play_until(lambda offer: offer.kind == "card")
    page = visitor.page
    at = "document.activeElement.dataset.{0} ?? document.activeElement.tagName"
    page.locator("[data-panel=settings]").focus()
    for _ in range(12):
        page.keyboard.press("Tab")
        assert page.evaluate(at.format("card")) != "BODY"
        if page.evaluate(at.format("card")) not in ("A", "BUTTON"):
            break
    expect(page.locator("[data-testid=hand]:focus-within")).to_be_visible()
    page.keyboard.press("Enter")
    visitor.play_until(lambda offer: offer.kind == "card")
    expect(page.locator("[data-testid=hand]:focus-within")).to_be_visible()
    page.keyboard.press("?")
    expect(visitor.find("keys")).to_be_visible()
