"""The guided first deals: whoever does only what the guide shows comes to the end, in every language."""

from __future__ import annotations

import json
from collections.abc import Callable
from time import monotonic
from typing import Any, Literal, NamedTuple

import msgspec
import pytest
from playwright.sync_api import expect

from browser.conftest import Arrive
from browser.test_accessibility_in_browser import faults
from browser.visitor import DESKTOP, PATIENCE, PHONE, Visitor
from ultimo.names import Family
from ultimo.tutor.school.first import DEALS, first, script, words

SUMS = {"danish": "+180", "french": "+444"}
READY = """
step => {
  const one = document.querySelector("[data-testid=first][data-waiting='0']");
  const guide = one?.querySelector("[data-testid=guide]");
  if (document.querySelector("[data-testid=paid]")) return { step: -1, kind: "paid" };
  if (!guide || Number(guide.dataset.step) === step) return null;
  return { step: Number(guide.dataset.step), kind: guide.dataset.kind };
}
"""
# The cards that are marked and can be touched at their left edge, where nothing lies over them.
MARKED = """
() => [...document.querySelectorAll("[data-testid=hand] [data-hinted]:not(.gone)")]
  .filter(card => {
    const box = card.getBoundingClientRect();
    return card.contains(document.elementFromPoint(box.x + 6, box.y + 20));
  })
  .map(card => card.dataset.card)
"""
# Whether the guide can be read without scrolling, also when it says these texts, of which none is left there.
IN_SIGHT = """
texts => {
  const isSeen = () => {
    const box = document.querySelector("[data-testid=guide]").getBoundingClientRect();
    const scrolls = document.documentElement.scrollWidth > innerWidth;
    return box.top >= 0 && box.bottom <= innerHeight && box.left >= 0 && box.right <= innerWidth && !scrolls;
  };
  const says = document.querySelector("[data-testid=says]");
  const own = [...says.childNodes];
  const seen = [isSeen(), ...texts.map(text => (says.replaceChildren(text), isSeen()))];
  says.replaceChildren(...own);
  return seen.every(one => one);
}
"""


def kept(game: Family, place: Any) -> str:
    """A script that keeps a place in a deal before a page is read."""
    text = place if isinstance(place, str) else msgspec.json.encode(place).decode()
    return f"localStorage.setItem('ultimo.first.{game}', {json.dumps(text)})"


def step_of(game: Family, touch: str) -> int:
    """The step at which this is to be touched."""
    return next(place for place, step in enumerate(first(game).steps) if step.touch == touch)


class Here(NamedTuple):
    """Where the guide is, and what is to be done there."""

    step: int
    kind: Literal["tell", "do", "on", "end", "paid"]


class Learner:
    """A visitor who knows nothing and does what is shown."""

    def __init__(self, visitor: Visitor) -> None:
        self.visitor, self.page = visitor, visitor.page
        visitor.prefer(speed="none")

    def begins_at(self, game: Family, step: int) -> Here:
        """Come to a step as somebody who left the deal there before."""
        self.visitor.context.add_init_script(kept(game, {"at": step, "moves": script(first(game))}))
        self.visitor.go(f"/school/first/{game}")
        return self.here()

    def here(self, after: int = -2) -> Here:
        """The step that is shown, once it is another than this."""
        found = self.page.wait_for_function(READY, arg=after).json_value()
        return Here(found["step"], found["kind"])

    def follow(self) -> Here:
        """Do what the guide shows, and see where that leads."""
        now = self.here()
        match now.kind:
            case "tell" | "on":
                self.visitor.press("[data-testid=guide-next]")
            case "end":
                self.visitor.press("[data-testid=guide-paid]")
            case "do":
                self._do()
        return self.here(now.step)

    def _do(self) -> None:
        if self.page.locator("[data-marked]").count():
            self.visitor.press("[data-marked]")
            return
        if self.page.locator("[data-pick]").count():
            self.visitor.press("[data-pick]")
            self.visitor.press("[data-testid=confirm]")
            return
        marked = self.page.evaluate(MARKED)
        assert marked, "nothing that is marked can be touched"
        picking = self.page.get_by_test_id("confirm").count()
        for card in marked if picking else marked[:1]:
            self.visitor.touch(card)
        if picking:
            self.visitor.press("[data-testid=confirm]")

    def until(self, enough: Callable[[Here], bool]) -> Here:
        """Follow the guide until it is somewhere."""
        now = self.here()
        while not enough(now):
            now = self.follow()
        return now

    def to(self, game: Family, touch: str) -> Here:
        """Follow the guide until this is to be touched."""
        wanted = step_of(game, touch)
        return self.until(lambda here: here.step == wanted)


def arrives(arrive: Arrive, game: Family, at: int = 0, **wishes: object) -> Learner:
    """Somebody who has come so far in the deal."""
    learner = Learner(arrive(**wishes))
    if at == 0:
        learner.visitor.go(f"/school/first/{game}")
    else:
        assert learner.begins_at(game, at).step == at
    return learner


@pytest.mark.parametrize(
    ("game", "language", "others"),
    [
        ("danish", "da", ("en", "fr")),
        ("french", "fr", ("da", "de")),
    ],
)
def test_somebody_who_touches_only_what_is_shown_plays_the_deal(
    arrive: Arrive, game: Family, language: str, others: tuple[str, ...]
) -> None:
    learner = Learner(arrive(way="touch", locale=language))
    learner.visitor.go()
    learner.visitor.press(f"[data-testid=learn-{game}]")
    page, said = learner.page, set()
    now = learner.here()
    while now.kind != "paid":
        texts = [words(first(game).pen(one), first(game).steps[now.step].say, {}) for one in others]
        assert page.evaluate(IN_SIGHT, texts), f"the guide is not in sight at step {now.step}"
        said.add(page.get_by_test_id("says").inner_text())
        now = learner.follow()
    assert len(said) == len(first(game).steps)
    expect(page.get_by_test_id("sum")).to_have_text(SUMS[game])
    rows = page.get_by_test_id("paid").locator("ol > li")
    expect(rows).to_have_count(len(first(game).payments))
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("game", DEALS)
def test_enter_alone_is_enough(arrive: Arrive, game: Family) -> None:
    learner = Learner(arrive(way="keys"))
    learner.visitor.go()
    learner.visitor.press(f"[data-testid=learn-{game}]")
    page, now = learner.page, learner.here()
    while now.kind != "paid":
        end = monotonic() + PATIENCE / 1000
        while (there := page.evaluate(READY, now.step)) is None:
            page.wait_for_function("() => document.activeElement !== document.body")
            page.keyboard.press("Enter")
            page.wait_for_timeout(60)  # for the page to hear of it, or else Enter is pressed once more
            assert monotonic() < end, f"Enter leads nowhere from step {now.step}"
        now = Here(there["step"], there["kind"])
    expect(page.get_by_test_id("sum")).to_have_text(SUMS[game])


def test_the_marked_card_has_the_focus_of_whoever_uses_keys(arrive: Arrive) -> None:
    learner = Learner(arrive(way="keys"))
    learner.visitor.go()
    learner.visitor.press("[data-testid=learn-danish]")
    learner.to("danish", "CK")
    expect(learner.page.locator("[data-testid=hand] [data-card=CK]")).to_be_focused()


def test_the_deal_can_be_left_and_gone_on_with(arrive: Arrive) -> None:
    learner = arrives(arrive, "danish", way="touch")
    page = learner.page
    learner.until(lambda here: here.step == 12)
    said, hand = page.get_by_test_id("says").inner_text(), learner.visitor.hand()

    page.reload()
    assert learner.here().step == 12
    expect(page.get_by_test_id("says")).to_have_text(said)
    assert learner.visitor.hand() == hand

    learner.visitor.press("[data-testid=leave]")
    learner.visitor.press("[data-testid=learn-french]")
    assert learner.here().step == 0
    learner.visitor.press("[data-testid=leave]")
    learner.visitor.press("[data-testid=learn-danish]")
    assert learner.here().step == 12

    learner.visitor.press("[data-testid=guide-back]")
    assert learner.here(12).step == 11
    assert learner.follow().step == 12
    learner.visitor.press("[data-testid=restart]")
    assert learner.here(12).step == 0


def test_a_wrong_card_says_why_and_breaks_nothing(arrive: Arrive) -> None:
    learner = arrives(arrive, "danish", step_of("danish", "D6"), way="touch", forgiven=("409",))
    page, visitor = learner.page, learner.visitor
    wrong = page.get_by_test_id("wrong")
    now = learner.here()
    visitor.touch("S2", barred=True)
    expect(wrong).to_contain_text("follow suit")
    visitor.touch("DJ")
    expect(wrong).to_contain_text("the knight beats the jack")
    assert learner.here() == now
    assert "DJ" in visitor.hand()
    assert learner.follow().step == now.step + 1
    expect(wrong).to_have_count(0)

    learner.begins_at("danish", step_of("danish", "T13"))
    assert sorted(page.evaluate(MARKED)) == ["T1", "T13"], "there is a choice to make"
    visitor.touch("T1")
    expect(wrong).to_contain_text("45 from each")
    assert page.evaluate(MARKED) == ["T13"]
    assert learner.until(lambda here: here.kind == "paid")
    expect(page.get_by_test_id("sum")).to_have_text(SUMS["danish"])


def test_another_discard_says_why(arrive: Arrive) -> None:
    lay = next(place for place, step in enumerate(first("french").steps) if step.touch.startswith("lay"))
    learner = arrives(arrive, "french", lay, forgiven=("409",))
    for card in ("SQ", "S6", "H9", "H3", "C7", "D5"):
        learner.visitor.touch(card)
    learner.visitor.press("[data-testid=confirm]")
    expect(learner.page.get_by_test_id("wrong")).to_contain_text("whole suits")
    for card in ("SQ", "S6", "H9", "H3", "C7", "D5"):
        learner.visitor.press(f"[data-back={card}]")
    learner.visitor.press("[data-testid=suggest]")
    learner.visitor.press("[data-testid=confirm]")
    assert learner.here(lay).step == lay + 1


@pytest.mark.parametrize(
    "place",
    [
        "nonsense",
        '{"at":-3,"moves":[]}',
        '{"at":7,"moves":"CK"}',
        json.dumps({"at": 20, "moves": []}),
        json.dumps({"at": 9, "moves": [{"type": "Pass"}, {"type": "Pass"}]}),
        json.dumps({"at": 9, "moves": [{"type": "Nothing"}]}),
    ],
)
def test_what_was_kept_and_is_nonsense_begins_anew(arrive: Arrive, place: str) -> None:
    visitor = arrive(forgiven=("409", "422"))
    visitor.context.add_init_script(kept("danish", place))
    learner = Learner(visitor)
    visitor.go("/school/first/danish")
    assert learner.here().step == 0


def test_the_end_leads_to_the_course_and_to_a_real_table(arrive: Arrive) -> None:
    learner = arrives(arrive, "french", len(first("french").steps) - 2)
    page = learner.page
    learner.until(lambda here: here.kind == "paid")
    expect(page.get_by_test_id("to-school")).to_have_attribute("href", "/school")
    expect(page.get_by_test_id("to-other")).to_have_attribute("href", "/school/first/danish")
    learner.visitor.press("[data-testid=to-table]")
    expect(page.get_by_test_id("felt")).to_be_visible()
    assert "/t/" in page.url


@pytest.mark.parametrize(("game", "scheme"), [("danish", "light"), ("french", "dark")])
def test_axe_finds_no_serious_fault(arrive: Arrive, game: Family, scheme: Literal["light", "dark"]) -> None:
    way, size = ("touch", PHONE) if scheme == "dark" else ("mouse", DESKTOP)
    learner = arrives(arrive, game, 2, way=way, viewport=size, color_scheme=scheme, forgiven=("409",))
    visitor, found = learner.visitor, []
    found += faults(visitor, "cards that are shown")
    touch = {"danish": "T0", "french": "lay CQ CN C7 D5 D9 S2"}[game]
    learner.begins_at(game, step_of(game, touch))
    found += faults(visitor, "something to do")
    if game == "danish":
        visitor.touch("DJ")
        expect(learner.page.get_by_test_id("wrong")).to_be_visible()
        found += faults(visitor, "a wrong card")
    learner.begins_at(game, len(first(game).steps) - 1)
    learner.until(lambda here: here.kind == "paid")
    found += faults(visitor, "what was paid")
    assert found == []


def test_a_word_of_the_guide_explains_itself(arrive: Arrive) -> None:
    learner = arrives(arrive, "danish", 3, way="touch")
    learner.page.get_by_test_id("says").locator("[data-term=pagat]").tap()
    expect(learner.page.get_by_text("Trump 1, the lowest trump. It earns points")).to_be_visible()
