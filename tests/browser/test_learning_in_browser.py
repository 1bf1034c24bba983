"""How to play, one tap from the front page and from the table."""

from __future__ import annotations

from playwright.sync_api import expect

from browser.conftest import Arrive
from browser.prepared import YOU, Prepared, dealt
from serving import Serving


def test_a_newcomer_learns_the_game_from_the_front_page(arrive: Arrive) -> None:
    visitor = arrive(way="touch")
    page = visitor.page
    visitor.go()
    visitor.press("[data-testid=learn-danish]")
    visitor.press("[data-testid=how-to-play]")
    expect(page.get_by_role("heading", level=1)).to_have_text("How to play: Dansk Tarokforbund, today")
    expect(page.get_by_text("Three sit at the table, and all three play.")).to_be_visible()
    page.get_by_role("link", name="4 players").click()
    expect(page.get_by_text("The player opposite the dealer sits out.")).to_be_visible()
    page.get_by_role("link", name="The skus", exact=True).click()
    expect(page.locator("#skus")).to_be_in_viewport()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (
        "nothing is wider than a phone"
    )

    page.locator("select").select_option("french3")
    expect(page.get_by_role("heading", level=1)).to_have_text("How to play: French Tarot, three players")
    expect(page.get_by_role("link", name="4 players")).to_have_count(0)
    expect(page.locator("#cards svg").first).to_be_visible()

    visitor.go()
    visitor.press("[data-testid=rules-french]")
    expect(page.get_by_role("heading", level=1)).to_have_text("How to play: French Tarot, four players")


def test_the_rules_at_the_table_begin_with_how_to_play(arrive: Arrive) -> None:
    visitor = arrive()
    visitor.open_table("dtf", level="random", house={"pay.kingLost": 9})
    visitor.play_until(lambda offer: offer.kind == "card")
    visitor.press("[data-panel=rules]")
    rules = visitor.find("rules")
    expect(rules).to_contain_text("How to play: Dansk Tarokforbund, today")
    expect(rules.get_by_text("A lost king costs you 23 points in all.")).to_be_visible()
    expect(rules.get_by_role("heading", name="House rules of this table")).to_be_visible()
    expect(rules.locator(".cite").first).to_be_hidden()
    rules.locator("summary").first.click()
    expect(rules.locator(".cite").first).to_be_visible()


def test_what_lies_and_was_said_on_the_table_explains_itself(arrive: Arrive, server: Serving) -> None:
    visitor = arrive(way="touch")
    page = visitor.page
    strong = "T0 T21 T20 T19 T18 T17 T16 T15 T14 T13 T1 SK"
    Prepared("said", "dtf", dealt("dtf", 3, 2, {YOU: strong})).sit_down(visitor, server.database)
    visitor.play_until(lambda offer: offer.kind == "card")
    page.locator("[data-cup=pagat] [data-term=cups]").tap()
    expect(page.get_by_text("A pool of points.")).to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_test_id("aside").locator("[data-term=skat]").tap()
    expect(page.get_by_text("The three cards that the dealer discards.")).to_be_visible()
    page.keyboard.press("Escape")
    bubble = page.locator(".own .said, .bottom .said").first
    bubble.tap()
    page.locator(".said.whole [data-term=matadors]").tap()
    expect(page.get_by_text("Trump 21, the pagat and the skus in one hand")).to_be_visible()
    page.locator("[data-seat] .name").first.tap()
    expect(page.locator(".said.whole")).to_have_count(0)


def test_a_word_on_the_table_explains_itself(arrive: Arrive, server: Serving) -> None:
    visitor = arrive(way="touch")
    page = visitor.page
    laying = Prepared("words", "dtf", dealt("dtf", 3, YOU, {YOU: "T0 T21 T1 SK HK"}))
    laying.sit_down(visitor, server.database)
    visitor.play_until(lambda offer: offer.kind == "pick")
    word = visitor.find("turn").locator("[data-term=skat]").first
    said = page.get_by_text("The three cards that the dealer discards.")
    expect(said).to_have_count(0)
    word.tap()
    expect(said).to_be_visible()
    place = word.bounding_box()
    page.keyboard.press("Escape")
    expect(said).to_be_hidden()
    assert word.bounding_box() == place, "nothing moves"

    visitor.press("[data-panel=rules]")
    rules = visitor.find("rules")
    rules.locator("summary").first.click()
    rules.locator("[data-term=nolo]").first.tap()
    expect(page.get_by_text("Winning no trick at all in a deal.")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_visible()

    visitor.go("/words")
    expect(page.get_by_text("Winning no trick at all in a deal.")).to_be_visible()
    expect(page.get_by_text("scies, scus")).to_be_visible()
