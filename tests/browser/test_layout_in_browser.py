"""Where things lie: nothing that matters is covered or cut off, and nothing moves without need."""

from __future__ import annotations

from itertools import combinations
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import expect

from browser.conftest import Arrive
from browser.prepared import YOU, Prepared, dealt
from browser.visitor import PHONE, Visitor
from serving import Serving
from ultimo import deal

STRONG = "T0 T21 T18 T17 T15 T12 T11 T9 T8 T4 T1 SK SQ HK HN H3 DK D2 C9"
SIZES = {
    "a small phone": (320, 568),
    "a phone": (360, 640),
    "a tall phone": (390, 844),
    "a phone on its side": (844, 390),
    "a zoomed window": (640, 400),
    "a desktop": (1280, 800),
    "a large desktop": (1920, 1080),
}
WATCHED = "[data-played], [data-testid=hand], [data-testid=turn], .plate, [data-cup]"
EDGE = 1.5  # pixels by which boxes may overlap, as they are rounded


class Box(NamedTuple):
    """A rectangle on the page."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """The right edge."""
        return self.x + self.width

    @property
    def foot(self) -> float:
        """The lower edge."""
        return self.y + self.height

    def meets(self, other: Box) -> bool:
        """Whether the two share more than an edge."""
        across = min(self.right, other.right) - max(self.x, other.x)
        down = min(self.foot, other.foot) - max(self.y, other.y)
        return across > EDGE and down > EDGE

    def sticks_out(self, width: float, height: float) -> bool:
        """Whether a part of it lies outside a window of this size."""
        return min(self.x, self.y, width - self.right, height - self.foot) < -2 * EDGE


def boxes(visitor: Visitor, selector: str) -> list[Box]:
    """The places of all things of a kind that can be seen."""
    found: list[dict[str, Any]] = visitor.page.locator(selector).evaluate_all(
        """all => all.map(one => one.getBoundingClientRect())
            .map(({ x, y, width, height }) => ({ x, y, width, height }))
            .filter(({ width, height }) => width > 0 && height > 0)"""
    )
    return [Box(**one) for one in found]


def box(visitor: Visitor, selector: str) -> Box:
    """The place of the one thing of a kind."""
    (found,) = boxes(visitor, selector)
    return found


def resize(visitor: Visitor, width: int, height: int) -> None:
    """Give the page another size, and let it settle."""
    visitor.page.set_viewport_size({"width": width, "height": height})
    before: list[Box] = []
    while (now := boxes(visitor, f"[data-testid=felt], {WATCHED}")) != before:
        before = now
        visitor.page.wait_for_timeout(80)


def following(rules: str, seats: int, others: int, title: str) -> Prepared:
    """A table where the visitor follows as the last to a trick that is not the first."""
    given = dealt(rules, 3, 1, {YOU: STRONG}) if rules == "dtf" and seats == 3 else None

    def follows(state: Any) -> bool:
        return len(state.tricks) > 0 and len(state.trick) == others and state.turn == YOU

    for number in range(20):
        table = Prepared(f"layout {title} {number}", rules, given, seats=seats)
        table.play_until(lambda state: follows(state) or deal.is_over(state))
        if table.live.series is not None and follows(table.live.series.deal):
            return table
    raise AssertionError("the visitor is never the last to play")


def at_trick(arrive: Arrive, server: Serving, rules: str, seats: int, others: int, title: str) -> Visitor:
    """A visitor who follows at such a table."""
    visitor = arrive(viewport=PHONE)
    following(rules, seats, others, title).sit_down(visitor, server.database)
    visitor.play_until(lambda offer: offer.kind == "card")
    return visitor


@pytest.mark.parametrize(
    ("rules", "seats", "others"), [("dtf", 3, 2), ("vlk", 5, 2), ("french4", 4, 3), ("french5", 5, 4)]
)
def test_nothing_that_matters_is_covered_at_any_size(
    arrive: Arrive, server: Serving, rules: str, seats: int, others: int
) -> None:
    visitor = at_trick(arrive, server, rules, seats, others, f"sizes {rules} {seats}")
    page = visitor.page
    for where, (width, height) in SIZES.items():
        resize(visitor, width, height)
        parts = {
            name: boxes(visitor, selector)
            for name, selector in {
                "the question": "[data-testid=turn]",
                "a card of the trick": "[data-played]",
                "a cup": "[data-cup]",
                "what lies aside": "[data-testid=aside]",
                "the contract": "[data-testid=contract]",
                "the hand": "[data-testid=hand]",
                "a plate": ".plate",
            }.items()
        }
        assert len(parts["a card of the trick"]) == others
        assert len(parts["a plate"]) == seats
        for (one, ours), (other, theirs) in combinations(parts.items(), 2):
            for a in ours:
                assert not any(a.meets(b) for b in theirs), f"on {where} {one} lies over {other}"
        for part, found in parts.items():
            for place in found:
                assert not place.sticks_out(width, height), f"on {where} {part} is cut off"
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{where} is too wide"


def test_in_a_tiny_window_everything_can_be_scrolled_to(arrive: Arrive, server: Serving) -> None:
    visitor = at_trick(arrive, server, "dtf", 3, 2, "tiny")
    resize(visitor, 320, 256)
    visitor.page.mouse.move(160, 150)
    visitor.page.mouse.wheel(0, 2000)
    visitor.page.wait_for_function(
        """() => {
            const cards = [...document.querySelectorAll("[data-testid=hand] .line:last-child [data-card]")];
            return cards.every(card => card.getBoundingClientRect().y < innerHeight - 40);
        }"""
    )
    visitor.page.mouse.wheel(0, -2000)
    visitor.page.wait_for_function("() => document.querySelector('.plate').getBoundingClientRect().y >= 0 ")
    card = visitor.page.locator("[data-legal=true]").first.get_attribute("data-card")
    visitor.touch(card or "")
    expect(visitor.find("play")).to_be_visible()


@pytest.mark.parametrize(("rules", "seats", "others"), [("french4", 4, 3), ("french5", 5, 4)])
def test_every_card_of_a_trick_shows_its_index(
    arrive: Arrive, server: Serving, rules: str, seats: int, others: int
) -> None:
    """The corner of each card is what lies on top there, whoever has played when."""
    visitor = at_trick(arrive, server, rules, seats, others, f"index {rules} {seats}")
    for width, height in SIZES.values():
        resize(visitor, width, height)
        hidden = visitor.page.locator("[data-played]").evaluate_all(
            """all => all.filter(card => {
                const { x, y, width } = card.getBoundingClientRect();
                const top = (a, b) => document.elementFromPoint(x + a * width, y + b * width);
                const corner = [[0.05, 0.06], [0.25, 0.06], [0.05, 0.5], [0.25, 0.5]];
                return corner.some(([a, b]) => top(a, b)?.closest("[data-played]") !== card);
            }).map(card => card.dataset.played)"""
        )
        assert hidden == [], f"at {width} × {height}"


PHONE_SIZE = (PHONE["width"], PHONE["height"])


def test_the_cards_of_a_trick_are_large(arrive: Arrive, server: Serving) -> None:
    visitor = at_trick(arrive, server, "french4", 4, 3, "large cards")
    for (width, height), least in {PHONE_SIZE: 0.23, (844, 390): 0.06, (1920, 1080): 0.09}.items():
        resize(visitor, width, height)
        assert boxes(visitor, "[data-played]")[0].width >= least * width


def test_a_hand_on_a_phone_lies_in_two_even_rows(arrive: Arrive, server: Serving) -> None:
    visitor = arrive(viewport=PHONE)
    Prepared("rows of 28", "dtf", dealt("dtf", 3, YOU, {YOU: STRONG})).sit_down(visitor, server.database)
    visitor.play_until(lambda offer: offer.kind == "pick")
    lines = visitor.page.locator("[data-testid=hand] .line")
    counts = lines.evaluate_all("all => all.map(line => line.children.length)")
    assert counts == [14, 14]
    Prepared("rows of 18", "french4", dealt("french4", 4, 1, {})).sit_down(visitor, server.database)
    visitor.play_until(lambda offer: offer.kind == "button")
    assert lines.evaluate_all("all => all.map(line => line.children.length)") == [9, 9]


def test_large_numbers_leave_the_suits_of_the_upper_row_in_sight(arrive: Arrive, server: Serving) -> None:
    visitor = arrive(viewport=PHONE)
    visitor.prefer(largeIndex=True)
    suits = "SK S9 S8 S7 S6 HK H9 H8 H7 H6 D6 D7 D8 D9 C9 C8 C7 C6 C5 T21"
    Prepared("large", "dtf", dealt("dtf", 3, YOU, {YOU: suits})).sit_down(visitor, server.database)
    visitor.play_until(lambda offer: offer.kind == "pick")
    upper = boxes(visitor, "[data-testid=hand] .line:first-child .index i")
    lower = boxes(visitor, "[data-testid=hand] .line:last-child [data-card]")
    assert upper
    assert max(sign.foot for sign in upper) <= min(card.y for card in lower) + 1


def test_a_refused_card_moves_nothing(arrive: Arrive, server: Serving) -> None:
    visitor = arrive(viewport=PHONE)
    Prepared("refused", "dtf", dealt("dtf", 3, 1, {YOU: STRONG})).play_until(
        lambda state: len(state.trick) == 2 and state.turn == YOU
    ).sit_down(visitor, server.database)
    offer = visitor.play_until(lambda offer: offer.kind == "card" and len(offer.cards) < len(visitor.hand()))
    before = boxes(visitor, WATCHED)
    visitor.touch(next(card for card in visitor.hand() if card not in offer.cards), barred=True)
    expect(visitor.find("why")).to_be_visible()
    assert boxes(visitor, WATCHED) == before
    visitor.find("why").get_by_role("button").click()
    expect(visitor.find("why")).to_have_count(0)


def test_cups_are_level_and_stay_where_they_are(arrive: Arrive, server: Serving) -> None:
    visitor = arrive()
    Prepared("level", "dtf", dealt("dtf", 3, 1, {YOU: STRONG})).play_until(
        lambda state: len(state.trick) == 2 and state.turn == YOU
    ).sit_down(visitor, server.database)
    offer = visitor.play_until(lambda offer: offer.kind == "card")
    first = {}
    for size in (PHONE_SIZE, (1280, 800), (844, 390)):
        resize(visitor, *size)
        king, pagat = boxes(visitor, "[data-cup]")
        assert king.y == pytest.approx(pagat.y, abs=1)
        first[size] = (king, pagat)
    visitor.step(offer)
    visitor.find("last-trick").wait_for()
    for size in reversed(first):
        resize(visitor, *size)
        assert [one[:2] for one in boxes(visitor, "[data-cup]")] == [one[:2] for one in first[size]]


def test_a_payment_says_why_in_the_middle_of_the_felt_and_passes_under_the_trick(
    arrive: Arrive, server: Serving
) -> None:
    visitor = arrive(reduced_motion="no-preference")
    visitor.prefer(speed="slow")
    Prepared("payments", "dtf", dealt("dtf", 3, 1, {YOU: STRONG})).play_until(
        lambda state: state.phase == "play" and len(state.tricks) == 24 and state.turn == YOU
    ).sit_down(visitor, server.database)
    offer = visitor.play_until(lambda offer: offer.kind == "card")
    visitor.step(offer)
    visitor.find("payments").wait_for()
    pill, felt, trick = (
        box(visitor, one) for one in (".reason", "[data-testid=felt]", "[data-testid=trick]")
    )
    assert visitor.page.locator(".reason").inner_text()
    assert pill.x + pill.width / 2 == pytest.approx(felt.x + felt.width / 2, abs=2)
    assert trick.y < pill.y < pill.foot < felt.foot
    assert not any(pill.meets(number) for number in boxes(visitor, "[data-cup] b"))
    astray = """() => {
        const middle = one => {
            const { x, y, width, height } = one.getBoundingClientRect();
            return { x: x + width / 2, y: y + height / 2 };
        };
        const accounts = [...document.querySelectorAll("[data-account]")].map(middle);
        const near = at => accounts.some(({ x, y }) => Math.hypot(x - at.x, y - at.y) < 2);
        const chips = [...document.querySelectorAll("[data-testid=payments] .chip")];
        const ends = chips.flatMap(chip => {
            const [flight] = chip.getAnimations();
            return [0, flight.effect.getComputedTiming().endTime].map(time => {
                flight.pause();
                flight.currentTime = time;
                return middle(chip);
            });
        });
        return ends.length === 0 ? ["no chip"] : ends.filter(end => !near(end));
    }"""
    assert visitor.page.evaluate(astray) == [], "chips fly from one account to another"
    chips_under_cards = """() => {
        const sky = document.querySelector("[data-testid=payments]");
        const chip = sky.querySelector(".chip").cloneNode();
        const card = document.querySelector("[data-played]");
        const [here, there] = [sky.parentElement, card].map(one => one.getBoundingClientRect());
        Object.assign(chip.style, {
            position: "absolute", width: "20px", height: "20px", pointerEvents: "auto",
            left: `${there.x - here.x + 20}px`, top: `${there.y - here.y + 20}px` });
        sky.append(chip);
        const top = document.elementFromPoint(there.x + 30, there.y + 30);
        chip.remove();
        return top?.closest("[data-played]") === card;
    }"""
    assert visitor.page.evaluate(chips_under_cards) is True


def test_the_story_opens_at_its_end_and_the_payments_at_their_beginning(
    arrive: Arrive, server: Serving
) -> None:
    visitor = at_trick(arrive, server, "dtf", 3, 2, "story")
    visitor.press("[data-panel=beside]")
    line = visitor.find("story").locator("li").last
    expect(line).to_be_in_viewport()
    visitor.press("[data-tab=ledger]")
    expect(visitor.find("ledger").locator("th").first).to_be_in_viewport()


def test_a_card_that_is_held_is_shown_large_and_not_played(arrive: Arrive, server: Serving) -> None:
    visitor = arrive(way="touch", locale="da")
    Prepared("enlarged", "dtf", dealt("dtf", 3, YOU, {YOU: f"{STRONG} D1"})).sit_down(
        visitor, server.database
    )
    visitor.play_until(lambda offer: offer.kind == "pick")
    page = visitor.page
    place = page.locator("[data-card=D1]").bounding_box()
    assert place is not None
    page.mouse.move(place["x"] + 6, place["y"] + 20)
    page.mouse.down()
    enlarged = visitor.find("enlarged")
    expect(enlarged).to_contain_text("K D C Kn 1 2 3")
    expect(enlarged.locator("b")).to_have_text("1")
    page.mouse.up()
    expect(enlarged).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("[data-card=D1]")).to_have_attribute("aria-pressed", "false")
    page.locator("[data-card=T0]").focus()
    page.keyboard.press("i")
    expect(enlarged).to_contain_text("døber")
    page.keyboard.press("Escape")
    visitor.press("[data-testid=suggest]")
    expect(page.locator("[data-back]")).to_have_count(3)
    visitor.press("[data-back]:enabled")
    expect(page.locator("[data-back]")).to_have_count(2)


def test_the_bars_of_the_standing_have_one_zero(arrive: Arrive, server: Serving) -> None:
    visitor = arrive(viewport=PHONE)
    Prepared("zero", "dtf").play_until(lambda state: len(state.tricks) == 24).sit_down(
        visitor, server.database
    )
    visitor.play_deal()
    written = visitor.page.locator(".standing .total").all_inner_texts()
    totals = [total for text in written if (total := int(text.replace("−", "-")))]
    assert min(totals) < 0 < max(totals)
    for size in (PHONE_SIZE, (1000, 700)):
        resize(visitor, *size)
        bars = boxes(visitor, ".standing .bar")
        assert len(bars) == 3
        assert len({(bar.x, bar.width) for bar in bars}) == 1
        half = bars[0].width / 2
        for total, drawn in zip(totals, boxes(visitor, ".standing .bar i"), strict=True):
            assert (drawn.x if total > 0 else drawn.right) == pytest.approx(bars[0].x + half, abs=1)
            assert drawn.width / half == pytest.approx(abs(total) / max(map(abs, totals)), abs=0.02)


def test_cards_that_move_give_no_trouble(arrive: Arrive) -> None:
    """Cards of one trick are still on their way while the next is led; the page must not complain of it."""
    visitor = arrive(reduced_motion="no-preference")
    visitor.open_table("dtf", 3, level="random", tempo="fast")
    for _ in range(3):
        visitor.step(visitor.play_until(lambda offer: offer.kind == "card"))
    expect(visitor.page.locator("[data-played]").first).to_be_visible()
