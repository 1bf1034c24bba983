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

TAKER = "T21 T20 T16 T14 T13 T11 T8 T1 SK SQ SN S4 HK HQ D5 D9"


def bidding(title: str, taker: int) -> Prepared:
    """A table at which everybody else has spoken, and a seat takes or is about to."""
    table = Prepared(title, "french4", dealt("french4", 4, YOU, {taker: TAKER}), tempo="slow")
    for seat in (1, 2, 3):
        table.act(seat, Bid("garde") if seat == taker else Pass())
    return table


def edged(visitor: Visitor) -> int:
    return visitor.page.locator("[data-testid=hand] .edged").count()


@pytest.mark.parametrize("way", ["mouse", "touch", "keys"])
def test_the_taker_sees_the_chien_before_it_is_in_the_hand(arrive: Arrive, server: Serving, way: Any) -> None:
    visitor = arrive(way=way)
    bidding(f"chien of {way}", YOU).sit_down(visitor, server.database)
    visitor.likes = ("Bid",)
    visitor.step(visitor.play_until(lambda offer: offer.kind == "button"))
    chien, held = visitor.find("chien"), visitor.page.locator("[data-testid=hand] [data-card]")
    expect(chien).to_be_visible()
    expect(chien.locator(".one")).to_have_count(6)
    expect(held).to_have_count(18)
    visitor.press("[data-testid=chien]")
    expect(chien).to_be_hidden()
    expect(held).to_have_count(24)
    assert edged(visitor) == 6
    visitor.page.reload()
    expect(held).to_have_count(24, timeout=PATIENCE)
    assert edged(visitor) == 6, "what came from the chien stays marked until the écart is laid"


def test_everybody_sees_the_chien_that_a_bot_takes(arrive: Arrive, server: Serving) -> None:
    visitor = arrive()
    bidding("chien of a bot", 2).sit_down(visitor, server.database)
    visitor.likes = ("Pass",)
    visitor.step(visitor.play_until(lambda offer: offer.kind == "button"))
    expect(visitor.find("chien")).to_be_visible()
    expect(visitor.find("chien").locator(".one")).to_have_count(6)
    expect(visitor.find("chien")).to_be_hidden(timeout=PATIENCE)  # after a while by itself
    assert edged(visitor) == 0


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
    reason = visitor.find("result").get_by_role("button", name="ltimo").first
    reason.tap()
    expect(visitor.page.locator(".why p").first).to_contain_text("pagat")
    expect(visitor.page.locator(".why .cite").first).to_be_visible()


def test_a_deal_has_the_same_figure_in_the_result_and_the_ledger_when_the_game_is_over(
    arrive: Arrive, server: Serving
) -> None:
    visitor = arrive()
    next(last_tricks("figures", deals=1)).sit_down(visitor, server.database)
    visitor.play_deal()
    expect(visitor.find("result").get_by_role("heading", level=2)).to_contain_text("over")
    expect(visitor.page.get_by_test_id("rematch")).to_be_visible()
    mine = re.match(r"You ([+−]\d+): ", visitor.find("my-result").inner_text())
    assert mine is not None
    row = visitor.find("result").get_by_role("row", name="This deal")
    assert row.get_by_role("cell").first.inner_text() == mine[1]
    visitor.press("[data-tab=ledger]")
    own = visitor.find("ledger").get_by_role("row").filter(has_text="Ada")
    assert own.get_by_role("cell").first.inner_text() == mine[1]


def test_after_the_deal_the_log_has_the_cards_of_every_trick(arrive: Arrive, server: Serving) -> None:
    visitor = arrive()
    next(last_tricks("log")).sit_down(visitor, server.database)
    visitor.play_deal()
    for _ in range(2):  # as it was told, and as it is told to whoever comes later
        won = visitor.page.locator("[data-testid=story] .won")
        expect(won).to_have_count(25)
        assert all(text.count(" · ") == 2 for text in won.all_inner_texts())
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
