"""What has just happened, in a real browser: the chien, a great moment, the result, the log."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from browser.conftest import Arrive
from browser.prepared import YOU, Prepared, dealt, last_tricks
from browser.visitor import PATIENCE, Visitor
from serving import Serving
from ultimo.events import Bid, Pass

LARGE = 80  # pixels: the width of a card that is looked at
TAKER = "T21 T20 T16 T14 T13 T11 T8 T1 SK SQ SN S4 HK HQ D5 D9"


def bidding(title: str, taker: int) -> Prepared:
    """A table at which everybody else has spoken, and a seat takes or is about to."""
    table = Prepared(title, "french4", dealt("french4", 4, YOU, {taker: TAKER}), tempo="slow")
    for seat in (1, 2, 3):
        table.act(seat, Bid("garde") if seat == taker else Pass())
    return table


def edged(visitor: Visitor) -> set[str]:
    """The cards in the hand around which an edge is drawn."""
    return set(
        visitor.page.locator("[data-testid=hand] [data-card]").evaluate_all(
            """all => all.filter(one => parseFloat(getComputedStyle(one, "::before").borderTopWidth) > 0)
                .map(one => one.dataset.card)"""
        )
    )


def lies_open(visitor: Visitor) -> None:
    """The chien can be seen, and its cards are large."""
    expect(visitor.find("chien")).to_be_visible()
    cards = visitor.find("chien").locator(".one")
    expect(cards).to_have_count(6)
    assert min(cards.evaluate_all("all => all.map(one => one.offsetWidth)")) >= LARGE


def figure(text: str) -> int:
    """A number as the page writes it."""
    return int(text.replace("−", "-"))


@pytest.mark.parametrize("way", ["mouse", "touch", "keys"])
def test_the_taker_sees_the_chien_before_it_is_in_the_hand(arrive: Arrive, server: Serving, way: Any) -> None:
    visitor = arrive(way=way)
    bidding(f"chien of {way}", YOU).sit_down(visitor, server.database)
    visitor.likes = ("Bid",)
    visitor.step(visitor.play_until(lambda offer: offer.kind == "button"))
    chien, held = visitor.find("chien"), visitor.page.locator("[data-testid=hand] [data-card]")
    lies_open(visitor)
    expect(held).to_have_count(18)
    before = set(visitor.hand())
    visitor.press("[data-testid=chien]")
    expect(chien).to_be_hidden()
    expect(held).to_have_count(24)
    came = set(visitor.hand()) - before
    assert len(came) == 6
    assert edged(visitor) == came
    visitor.page.reload()
    expect(held).to_have_count(24, timeout=PATIENCE)
    assert edged(visitor) == came, "what came from the chien stays marked until the écart is laid"
    visitor.step(visitor.play_until(lambda offer: offer.kind == "pick"))
    expect(held).to_have_count(18)
    assert edged(visitor) == set()


def test_everybody_sees_the_chien_that_a_bot_takes(arrive: Arrive, server: Serving) -> None:
    visitor = arrive()
    bidding("chien of a bot", 2).sit_down(visitor, server.database)
    visitor.likes = ("Pass",)
    visitor.step(visitor.play_until(lambda offer: offer.kind == "button"))
    lies_open(visitor)
    expect(visitor.find("chien")).to_be_hidden(timeout=PATIENCE)  # after a while by itself
    assert edged(visitor) == set()


def test_an_ultimo_is_a_moment_that_is_seen_once_and_can_be_skipped(arrive: Arrive, server: Serving) -> None:
    visitor = arrive()
    next(last_tricks("moment")).sit_down(visitor, server.database)
    visitor.play_until(lambda offer: offer.kind == "card")
    visitor.play("T1")
    moment = visitor.find("moment")
    expect(moment).to_be_visible()
    expect(moment).to_contain_text("ltimo")
    assert moment.locator(".moves").count() == 0, "nothing moves for whoever wants no motion"
    visitor.page.keyboard.press("Shift")
    expect(moment).to_be_hidden()
    expect(visitor.find("result")).to_be_visible()
    visitor.page.reload()
    expect(visitor.find("result")).to_be_visible()
    expect(moment).to_be_hidden()


def test_the_result_begins_with_a_sentence_and_a_reason_opens_its_rule(
    arrive: Arrive, server: Serving
) -> None:
    visitor = arrive(way="touch")
    next(last_tricks("sentence")).sit_down(visitor, server.database)
    visitor.play_deal()
    mine = visitor.find("my-result").inner_text()
    assert re.match(r"You [+−]\d+: ", mine)
    expect(visitor.find("counted")).to_contain_text("26")
    reason = visitor.find("result").get_by_role("table").get_by_role("button", name="ltimo").first
    reason.tap()
    expect(visitor.page.locator(".why .how").first).to_contain_text("2 × 45 = 90")
    expect(visitor.page.locator(".why")).to_contain_text("Winning the last trick with the pagat")
    expect(visitor.page.locator(".why .cite").first).to_be_visible()


def test_a_deal_has_the_same_figure_everywhere_when_the_game_is_over(arrive: Arrive, server: Serving) -> None:
    """The division of the cups is no part of it, but of the total, which is the same everywhere as well."""
    visitor = arrive()
    next(last_tricks("figures", deals=1)).sit_down(visitor, server.database)
    visitor.play_deal()
    expect(visitor.find("result").get_by_role("heading", level=2)).to_contain_text("over")
    expect(visitor.page.get_by_test_id("rematch")).to_be_visible()
    mine = re.match(r"You ([+−]\d+): ", visitor.find("my-result").inner_text())
    assert mine is not None
    table = visitor.find("result").get_by_role("table")
    row = table.get_by_role("row", name="This deal")
    assert row.get_by_role("cell").first.inner_text() == mine[1]
    total = table.locator("tfoot").get_by_role("cell").first.inner_text()
    shared = table.locator(".sum ~ tbody").get_by_role("cell").first.inner_text()
    assert figure(shared) > 0, "the cups are divided"
    assert figure(total) == figure(mine[1]) + figure(shared)
    standing = visitor.find("result").locator(".standing .you")
    assert standing.locator(".gain").inner_text().endswith(mine[1])
    assert standing.locator(".total").inner_text() == total
    visitor.press("[data-tab=ledger]")
    own = visitor.find("ledger").get_by_role("row").filter(has_text="Ada")
    assert own.get_by_role("cell").all_inner_texts() == [mine[1], total]
    visitor.go("/me")
    expect(visitor.find("figures").locator("dd").nth(1)).to_have_text(total)
    assert visitor.find("figures").locator(".deals b").all_inner_texts() == [mine[1]] * 2, "best and worst"
    visitor.go("/history")
    expect(visitor.find("history-totals")).to_contain_text(re.compile(rf"points: {re.escape(total)}\s"))
    expect(visitor.find("sitting").locator(".total")).to_have_text(total)


def test_after_the_deal_the_log_has_the_cards_of_every_trick(arrive: Arrive, server: Serving) -> None:
    visitor = arrive()
    next(last_tricks("log")).sit_down(visitor, server.database)
    visitor.play_deal()
    for _ in range(2):  # as it was told, and as it is told to whoever comes later
        won = visitor.page.locator("[data-testid=story] .won")
        expect(won).to_have_count(25)
        told = [re.fullmatch(r"Trick (\d+): (.+ · .+ · .+)\. .+", text) for text in won.all_inner_texts()]
        assert [int(one[1]) for one in told if one] == list(range(1, 26))
        cards = {play.partition(" ")[2] for one in told if one for play in one[2].split(" · ")}
        assert len(cards) == 75, "every card but the skat"
        visitor.page.reload()
        expect(visitor.find("result")).to_be_visible()


def test_ones_own_figures_are_on_the_front_page_and_on_a_page_of_their_own(arrive: Arrive) -> None:
    visitor = arrive(way="touch")
    visitor.open_table("french3", 3, level="random")
    visitor.play_deal()
    own = re.match(r"You ([+−]?\d+): ", visitor.find("my-result").inner_text())
    assert own is not None
    visitor.go()
    expect(visitor.find("today")).to_have_text(re.compile(rf"1.*{re.escape(own[1])}"))
    visitor.press("[data-testid=today]")
    expect(visitor.find("figures")).to_contain_text("French Tarot")
    expect(visitor.find("figures").locator("dd").nth(1)).to_have_text(own[1])
    visitor.go("/history")
    expect(visitor.find("history-totals")).to_contain_text(own[1])
