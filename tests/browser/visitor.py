"""A visitor in a real browser who knows no rule: he does what the page offers him."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any, Literal, NamedTuple, TypeAlias

from playwright.sync_api import BrowserContext, Locator, Page, Position, ViewportSize
from playwright.sync_api import TimeoutError as TooLong

Way: TypeAlias = Literal["mouse", "keys", "touch"]
Kind: TypeAlias = Literal["result", "name", "declare", "pick", "card", "number", "button"]

PATIENCE = 180_000  # milliseconds until what must happen is taken not to happen; a machine may be busy
FAR = 80  # how often Tab is pressed at most to reach something
PHONE: ViewportSize = {"width": 390, "height": 844}
DESKTOP: ViewportSize = {"width": 1280, "height": 800}
NAMING = "[data-offer=naming] button"
FOCUSED = "document.activeElement?.dataset.card"

# What the table offers its viewer, once it is not what it was: null while there is nothing to do.
OFFERED = """
before => {
  const one = (selector, within = document) => within?.querySelector(selector) ?? null;
  const all = (selector, within = document) => [...(within?.querySelectorAll(selector) ?? [])];
  const table = one("[data-testid=table]");
  if (table?.dataset.line !== "open") return null;
  if (one("[data-testid=result]")) return { kind: "result" };
  if (one("[data-offer=naming]")) return { kind: "name" };
  const turn = one("[data-testid=turn]");
  if (!turn || !one(".own[data-turn=true]") || table.dataset.waiting > 0) return null;
  const cards = all("[data-testid=hand] [data-card]");
  const buttons = all("[data-offer=buttons] [data-action]", turn);
  const question = one("[data-testid=question]", turn)?.textContent;
  const mark = JSON.stringify([
    question,
    cards.map(card => [card.dataset.card, card.dataset.legal]),
    all("[data-action]", turn).map(button => button.dataset.action),
  ]);
  if (mark === before) return null;
  const open = cards.filter(card => card.dataset.legal === "true").map(card => card.dataset.card);
  const kind = one("[data-offer=declare]", turn) ? "declare"
    : one("[data-testid=picked]", turn) ? "pick"
    : open.length > 0 ? "card"
    : one("[data-offer=Cut], [data-offer=EnterCount]", turn) ? "number"
    : buttons.length > 0 ? "button" : null;
  if (kind === null) return null;
  return { kind, mark, question, cards: open, actions: buttons.map(button => button.dataset.action) };
}
"""

# Whether what was offered is gone: the table has heard what was done about it, and offers something else.
TAKEN = f"""
before => {{
  const table = document.querySelector("[data-testid=table]");
  if (table?.dataset.line !== "open" || table.dataset.waiting > 0) return false;
  const own = document.querySelector(".own[data-turn=true]");
  return !own || ({OFFERED.strip()})(before) !== null;
}}
"""

# Whether something can be seen, or what was offered is gone: null as long as neither is so.
READY = f"""
([selector, before]) => {{
  const seen = one => one.getClientRects().length > 0;
  if ([...document.querySelectorAll(selector)].some(seen)) return "seen";
  return ({TAKEN.strip()})(before) ? "gone" : null;
}}
"""


class Withdrawn(Exception):
    """What was offered is no longer: several were asked at once, and another was quicker."""


# Visitors play every card themselves, the last one too; a test that wants it otherwise says so.
PREFS = {"autoLast": False}
KEEP = """
try {{
  const key = "ultimo.prefs";
  if ({always} || !localStorage.getItem(key)) localStorage.setItem(key, {own});
}} catch {{}}
"""


def keeping(prefs: Mapping[str, Any], always: bool) -> str:
    """A script that keeps settings before a page is read: every time, or where there are none."""
    return KEEP.format(always=json.dumps(always), own=json.dumps(json.dumps(prefs)))


class Offer(NamedTuple):
    """What the page offers: the cards that can be touched, and the actions of the buttons."""

    kind: Kind
    mark: str = ""
    question: str = ""
    cards: tuple[str, ...] = ()
    actions: tuple[str, ...] = ()


class Visitor:
    """Somebody with a browser of his own, who acts with a mouse, with keys alone, or with a finger.

    Of buttons he takes the first whose action is of a kind in `likes`, or else the first of all.
    """

    def __init__(self, context: BrowserContext, url: str, way: Way = "mouse", seed: int = 1) -> None:
        self.context = context
        self.url = url
        self.way: Way = way
        self.likes: tuple[str, ...] = ()
        self.troubles: list[str] = []
        context.add_init_script(keeping(PREFS, always=False))
        self.page: Page = self._tab()
        self._rng = Random(seed)
        self._mark = ""

    def _tab(self) -> Page:
        page = self.context.new_page()
        page.on("console", self._hear)
        page.on("pageerror", lambda error: self.troubles.append(f"page error: {error}"))
        return page

    def _hear(self, message: Any) -> None:
        if message.type == "error":
            self.troubles.append(f"{message.text} ({message.location.get('url', '')})")

    def prefer(self, **prefs: Any) -> Visitor:
        """Have these settings on every page from now on, beside those of all visitors."""
        self.context.add_init_script(keeping(PREFS | prefs, always=True))
        return self

    # --- going about -----------------------------------------------------------------------------------

    def go(self, path: str = "/") -> Visitor:
        """Open a page of the house."""
        self.page.goto(f"{self.url}{path}")
        return self

    def reopen(self) -> Visitor:
        """Close the tab, and open its address in a new one."""
        address = self.page.url
        self.page.close()
        self.page, self._mark = self._tab(), ""
        self.page.goto(address)
        return self

    def find(self, name: str) -> Locator:
        """What bears this name for tests."""
        return self.page.get_by_test_id(name)

    def press(self, selector: str) -> None:
        """Press the first thing of this kind that can be seen, in this visitor's way."""
        target = self.page.locator(selector).locator("visible=true").first
        match self.way:
            case "mouse":
                target.click()
            case "touch":
                target.tap()
            case "keys":
                target.wait_for()
                self.reach(selector)
                self.page.keyboard.press("Enter")

    def reach(self, selector: str) -> None:
        """Go by Tab until the focus is on something of this kind."""
        for _ in range(FAR):
            if self.page.evaluate("what => document.activeElement?.matches(what) ?? false", selector):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"Tab never comes to {selector}")

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        """Ask the server something as the page would, with its cookie and its origin."""
        script = """async ([method, path, body]) => {
            const headers = { "Content-Type": "application/json" };
            const sent = body === null ? {} : { body: JSON.stringify(body), headers };
            const answer = await fetch(path, { method, ...sent });
            const text = await answer.text();
            if (!answer.ok) throw new Error(`${answer.status} ${text}`);
            return text ? JSON.parse(text) : null;
        }"""
        return self.page.evaluate(script, [method, path, body])

    def open_table(self, rules: str = "dtf", size: int = 3, level: str = "beginner", **settings: Any) -> str:
        """Open a table for oneself and bots, and sit down at it."""
        seats = [{"kind": "host"}, *[{"kind": "bot", "level": level}] * (size - 1)]
        wish = {"rules": rules, "size": size, "seats": seats, "tempo": "instant"} | settings
        if self.page.url == "about:blank":
            self.go("/account").page.get_by_role("heading", level=2).first.wait_for()
        table: str = self.ask("POST", "/api/tables", {"settings": wish})["id"]
        self.go(f"/t/{table}")
        return table

    # --- at the table ----------------------------------------------------------------------------------

    def offered(self) -> Offer:
        """Wait until the table offers something new, and say what."""
        try:
            found = self.page.wait_for_function(OFFERED, arg=self._mark).json_value()
        except TooLong as error:
            raise AssertionError(f"nothing is offered {self.seen()}") from error
        return self._offer(found)

    def glance(self) -> Offer | None:
        """What the table offers now, if anything that is new."""
        found = self.page.evaluate(OFFERED, self._mark)
        return None if found is None else self._offer(found)

    def _offer(self, found: Any) -> Offer:
        return Offer(
            found["kind"],
            found.get("mark", self._mark),
            found.get("question", ""),
            tuple(found.get("cards", ())),
            tuple(found.get("actions", ())),
        )

    def step(self, offer: Offer | None = None) -> Offer | None:
        """Do what is offered, wait until that is seen to be done, and say what it was.

        Nothing was done if the offer was withdrawn meanwhile.
        """
        offer = offer or self.offered()
        if offer.kind == "result":
            return offer
        try:
            self._take(offer)
            self.page.wait_for_function(TAKEN, arg=offer.mark)
        except Withdrawn:
            return None
        except TooLong as error:
            if self.page.evaluate(TAKEN, offer.mark):  # between the look and the touch
                return None
            raise AssertionError(f"what is offered cannot be done: {offer}\n{self.seen()}") from error
        self._mark = offer.mark
        return offer

    def _take(self, offer: Offer) -> None:
        match offer.kind:
            case "name":
                self.press(NAMING)
            case "declare":
                self._press(offer, "[data-offer=declare] [data-offer=Declare]")
            case "pick":
                self._press(offer, "[data-testid=suggest]")
                self._press(offer, "[data-testid=confirm]")
            case "card":
                self.play(self._rng.choice(offer.cards))
                self.page.wait_for_function(TAKEN, arg=offer.mark)
                if self.page.locator(NAMING).count():  # a skus that is led
                    self.press(NAMING)
            case "number":
                self._press(offer, "[data-testid=turn] [data-testid=confirm]")
            case "button":
                self._press(offer, self._button(offer))

    def _press(self, offer: Offer, selector: str) -> None:
        """Press something that belongs to an offer, as long as it stands."""
        if self.page.wait_for_function(READY, arg=[selector, offer.mark]).json_value() == "gone":
            raise Withdrawn
        self.press(selector)

    def seen(self) -> str:
        """What this visitor sees, for whoever wants to know why he is stuck."""
        picture = Path(tempfile.mkdtemp(prefix="ultimo-stuck-")) / "page.png"
        self.page.screenshot(path=picture)
        asked = [one.inner_text() for one in self.page.locator("[data-testid=turn], [role=alert]").all()]
        return f"at {self.page.url}, asked {asked}, troubles {self.troubles}, picture {picture}"

    def play(self, card: str) -> None:
        """Play a card: touch it and confirm, or with keys go to it and press Enter."""
        if self.way == "keys":
            self.walk_to(card)
            self.page.keyboard.press("Enter")
        else:
            self.touch(card)
            self.press("[data-testid=play]")

    def touch(self, card: str, barred: bool = False) -> None:
        """Touch a card of the hand where it can be seen: its left edge."""
        target = self.page.locator(f"[data-testid=hand] [data-card={card}]")
        edge: Position = {"x": 6, "y": 20}
        if self.way == "touch":
            target.tap(position=edge, force=barred)
        else:
            target.click(position=edge, force=barred)

    def walk_to(self, card: str) -> None:
        """Go to a card by Tab and arrows."""
        self.reach("[data-testid=hand] [data-card]")
        for _ in range(FAR):
            at = self.page.evaluate(FOCUSED)
            if at == card:
                return
            self.page.keyboard.press("Shift+ArrowRight")
            self.page.wait_for_function(f"at => {FOCUSED} !== at", arg=at)
        raise AssertionError(f"no arrow leads to {card}")

    def _button(self, offer: Offer) -> str:
        for kind in self.likes:
            if any(f'"{kind}"' in action for action in offer.actions):
                return f"[data-offer=buttons] [data-offer={kind}]"
        return "[data-offer=buttons] [data-action]"

    def play_until(self, enough: Callable[[Offer], bool]) -> Offer:
        """Do what is offered until an offer is of this kind, which is left to the test."""
        while not enough(offer := self.offered()):
            assert offer.kind != "result", "the deal is over before it came to this"
            self.step(offer)
        self._mark = offer.mark
        return offer

    def play_deal(self) -> list[Kind]:
        """Play until the result of the deal is seen; the kinds of things that were done."""
        done: list[Kind] = []
        while True:
            match self.step():
                case Offer(kind="result"):
                    return done
                case Offer(kind=kind):
                    done.append(kind)

    # --- what can be read ------------------------------------------------------------------------------

    def story(self) -> str:
        """What the page tells of this deal."""
        return self._beside("story", "story")

    def ledger(self) -> str:
        """What has been paid."""
        return self._beside("ledger", "ledger")

    def _beside(self, tab: str, name: str) -> str:
        narrow = not self.page.locator("[data-tab]").first.is_visible()
        if narrow:
            self.press("[data-panel=beside]")
        self.press(f"[data-tab={tab}]")
        text = self.find(name).inner_text()
        if narrow:
            self.page.keyboard.press("Escape")
        return text

    def hand(self) -> list[str]:
        """The cards in one's hand."""
        cards = self.page.locator("[data-testid=hand] [data-card]")
        return sorted(cards.evaluate_all("all => all.map(card => card.dataset.card)"))


def play_together(visitors: Sequence[Visitor]) -> None:
    """Let people play with one another until all of them see the result of the deal."""
    playing, acted_at = list(visitors), monotonic()
    while playing:
        playing[0].page.wait_for_timeout(20)  # or those who look leave the pages no time to do anything
        for visitor in list(playing):
            if offer := visitor.glance():
                acted_at = monotonic()
                if (done := visitor.step(offer)) is not None and done.kind == "result":
                    playing.remove(visitor)
        idle = 1000 * (monotonic() - acted_at)
        assert idle < PATIENCE, f"nobody is offered anything: {[one.seen() for one in playing]}"
