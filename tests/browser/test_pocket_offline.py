"""The house inside the page as a player has it: the real page, real Python in its worker, and no network."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Browser, ViewportSize, expect

import pocket
from browser.test_sheets_in_browser import FOUR, Pen, begin_from_home
from browser.visitor import PATIENCE, Offer, Visitor
from serving import Serving
from ultimo.server.settings import PAGE

pytestmark = pytest.mark.xdist_group("pocket_offline")

WEB = Path(__file__).parents[2] / "web"
SMALL: ViewportSize = {"width": 360, "height": 740}
CONTROLLED = "() => navigator.serviceWorker.controller !== null"
GONE = (
    "ERR_INTERNET_DISCONNECTED",
    "ERR_CONNECTION_REFUSED",
)  # what a browser says of a network that is gone


@contextmanager
def somebody(browser: Browser, url: str) -> Iterator[Visitor]:
    """Somebody with a phone that may keep what it likes, who has no trouble with the page."""
    context = browser.new_context(
        viewport=SMALL, has_touch=True, locale="en-GB", reduced_motion="reduce", service_workers="allow"
    )
    context.set_default_timeout(PATIENCE)
    visitor = Visitor(context, url, "touch")
    yield visitor
    context.close()
    assert [one for one in visitor.troubles if not any(words in one for words in GONE)] == []


@pytest.fixture(scope="module")
def server(built: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A server that somebody has visited once."""
    with Serving(tmp_path_factory.mktemp("house") / "ultimo.sqlite") as server:
        yield server


@pytest.fixture(scope="module")
def player(browser: Browser, server: Serving) -> Iterator[Visitor]:
    """Somebody who has kept Ultimo on the device, and has lost the network and the server."""
    with somebody(browser, server.url) as visitor:
        visitor.go().find("keep").tap()
        expect(visitor.find("to-device")).to_be_visible()
        visitor.page.wait_for_function(CONTROLLED)
        server.kill()
        visitor.context.set_offline(True)
        yield visitor


def play_here(visitor: Visitor) -> None:
    """Go to the house on the device, which a new page is: whoever presses on in the old one loses that."""
    with visitor.page.expect_event("load"):
        visitor.find("to-device").tap()


def sit_down(visitor: Visitor, rules: str) -> None:
    """Sit down with club players who do not let one wait."""
    go_home(visitor)
    visitor.press("[data-testid=new-table]")
    visitor.find(f"book-{rules}").check()
    visitor.find("tempo").select_option("instant")
    visitor.press("[data-testid=open-table]")
    expect(visitor.page).to_have_url(re.compile("/t/~"))


def go_home(visitor: Visitor) -> None:
    """Go to the first page by a link: the house goes on."""
    visitor.press("a[href$='/']")
    expect(visitor.find("play-danish")).to_be_visible()


def place(visitor: Visitor) -> dict[str, Any]:
    """All that a player sees of where the first deal of a table is."""
    return {
        "hand": visitor.hand(),
        "trick": visitor.find("trick").get_attribute("aria-label"),
        "seats": visitor.page.locator("[data-testid=felt] [data-turn]").all_inner_texts(),
        "story": visitor.story().partition("Deal 1")[2],
    }


def see_again(visitor: Visitor, before: dict[str, Any]) -> None:
    """See a table at the place where it was left, and be asked for a card."""
    expect(visitor.find("trick")).to_have_attribute("aria-label", before["trick"])
    expect(visitor.page.locator("[data-card][data-legal=true]").first).to_be_visible()
    assert place(visitor) == before


def in_a_trick(visitor: Visitor, offer: Offer) -> bool:
    """Whether one is asked to play to a trick that others began: the last one may lie there still."""
    trick = visitor.find("trick")
    played = trick.locator("[data-played]").count()
    return offer.kind == "card" and 0 < played < int(trick.get_attribute("data-size") or 0)


def test_a_page_that_has_lost_its_server_plays_a_danish_deal_to_its_result(player: Visitor) -> None:
    sit_down(player, "dtf")
    assert player.play_deal().count("card") > 20
    expect(player.find("my-result")).to_be_visible()
    expect(player.find("to-review")).to_have_count(0)  # which needs a server


def test_a_tab_that_is_closed_in_a_trick_goes_on_at_the_same_place(player: Visitor) -> None:
    player.likes = ("Bid", "Call")
    sit_down(player, "french4")
    player.play_until(lambda offer: in_a_trick(player, offer))
    before = place(player)
    see_again(player.reopen(), before)

    card = player.page.evaluate("document.querySelector('[data-card][data-legal=true]').dataset.card")
    player.play(card)  # and again, before anybody could answer
    player.reopen().play_deal()
    assert player.hand() == []
    expect(player.find("my-result")).to_be_visible()


def test_an_evening_with_real_cards_is_written_down(player: Visitor) -> None:
    go_home(player)
    pen = begin_from_home(player, FOUR)
    for number, (winner, counts) in enumerate([(1, "3020"), (2, "3122"), (3, "2626")], 1):
        pen.tap("winner", winner)
        pen.digits(counts)
        pen.book(number)
    totals, cups = pen.totals(4), pen.cups()
    assert any(totals)
    assert sum(totals) + sum(cups) == 0
    again = Pen(player.reopen())
    expect(player.find("deal-3")).to_be_visible()
    assert (again.totals(4), again.cups()) == (totals, cups)


# --- back on line ----------------------------------------------------------------------------------------


def test_back_on_line_everything_is_in_the_account_once(
    browser: Browser, built: None, tmp_path: Path
) -> None:
    """Two sessions and a score sheet, without a server; a second visit has nothing more to bring."""
    with Serving(tmp_path / "ultimo.sqlite") as server, somebody(browser, server.url) as visitor:
        visitor.go().find("keep").tap()
        expect(visitor.find("to-device")).to_be_visible()
        visitor.page.wait_for_function(CONTROLLED)
        server.kill()
        visitor.context.set_offline(True)
        for rules in ("dtf", "french4"):
            visitor.likes = ("Bid", "Call")
            sit_down(visitor, rules)
            visitor.play_deal()
        go_home(visitor)
        pen = begin_from_home(visitor, FOUR)
        pen.tap("winner", 1)
        pen.digits("3020")
        pen.book(1)

        server.start()
        visitor.context.set_offline(False)
        visitor.go()
        expect(visitor.find("bring")).to_have_attribute("data-waiting", "3")
        visitor.find("bring-now").tap()
        expect(visitor.find("bring-status")).to_have_text("Added to your account: 3")
        visitor.go("/sheets")
        expect(visitor.find("own-sheet")).to_have_count(1)
        expect(visitor.find("bring")).to_have_count(0)
        visitor.go("/history")
        expect(visitor.find("sitting")).to_have_count(2)
        expect(visitor.find("brought")).to_have_count(2)


# --- a page without any server ---------------------------------------------------------------------------


@pytest.fixture(scope="module")
def static(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page as `make static` builds it, in a folder of a host."""
    root = tmp_path_factory.mktemp("host")
    folder = root / "cards"
    script = msgspec.json.decode((WEB / "package.json").read_bytes())["scripts"]["build:static"]
    build = ["npm", "exec", "--silent", "-c", script.replace("../static-house", f"{folder} --logLevel error")]
    subprocess.run(build, cwd=WEB, check=True, capture_output=True, text=True)
    pocket.finish(folder, pocket.put(folder, pocket.fetch()), alone=True)
    return root


@contextmanager
def hosted(folder: Path) -> Iterator[str]:
    """A host that knows only files, until it is gone."""
    program = [sys.executable, "-u", "-m", "http.server", "0", "--bind", "127.0.0.1"]
    with subprocess.Popen(
        program, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as host:
        try:
            assert host.stdout is not None
            yield host.stdout.readline().split("(")[1].split(")")[0].rstrip("/")
        finally:
            host.kill()


def test_a_folder_on_any_host_plays_on_without_it(browser: Browser, static: Path) -> None:
    with hosted(static) as url, somebody(browser, f"{url}/cards") as visitor:
        visitor.go("/")
        sit_down(visitor, "dtf")
        visitor.play_until(lambda offer: in_a_trick(visitor, offer))
        before = place(visitor)
        visitor.page.wait_for_function(CONTROLLED)
        visitor.context.set_offline(True)
        see_again(visitor.reopen(), before)
        visitor.play_deal()
        expect(visitor.find("my-result")).to_be_visible()


# --- a full disk -----------------------------------------------------------------------------------------

FULL = "This device is full"
ROOM = 1_000_000  # bytes, of which a browser keeps account from the first time that it writes
FILL = """async () => {
  const opened = indexedDB.open("others", 1);
  opened.onupgradeneeded = () => opened.result.createObjectStore("all", { autoIncrement: true });
  const db = await new Promise((done) => (opened.onsuccess = () => done(opened.result)));
  const fits = (bytes) => new Promise((done) => {
    const writing = db.transaction("all", "readwrite");
    writing.objectStore("all").put(new Uint8Array(bytes));
    writing.oncomplete = () => done(true);
    writing.onabort = () => done(false);
  });
  for (let bytes = 1 << 18; bytes >= 64; bytes >>= 1) while (await fits(bytes));
}"""


def test_a_full_disk_is_told_and_nothing_is_lost(browser: Browser, built: None, tmp_path: Path) -> None:
    with Serving(tmp_path / "ultimo.sqlite") as server, somebody(browser, server.url) as visitor:
        visitor.go().find("keep").tap()
        expect(visitor.find("to-device")).to_be_visible()
        line, origin = visitor.context.new_cdp_session(visitor.page), {"origin": server.url}
        used = line.send("Storage.getUsageAndQuota", origin)["usage"]
        line.send("Storage.overrideQuotaForOrigin", origin | {"quotaSize": used + ROOM})
        play_here(visitor)
        sit_down(visitor, "dtf")
        offer = visitor.play_until(lambda offer: in_a_trick(visitor, offer))
        before = place(visitor)
        visitor.page.evaluate(FILL)
        visitor.play(offer.cards[0])
        expect(visitor.page.get_by_text(FULL)).to_be_visible()
        assert place(visitor) == before
        line.send("Storage.overrideQuotaForOrigin", origin)  # there is room again
        visitor.step(offer)
        visitor.play_deal()
        expect(visitor.find("my-result")).to_be_visible()


# --- another build ---------------------------------------------------------------------------------------

UPDATE = "async () => { await (await navigator.serviceWorker.ready).update(); }"
KEPT = """async () => {
  const cache = await caches.open("ultimo-pocket");
  return (await cache.keys()).map(({ url }) => url.split("/pocket/")[1]).sort();
}"""


def built_anew(folder: Path, package: Path) -> list[str]:
    """Put a package into a page; the files of its house."""
    made = pocket.put(folder, pocket.fetch(), package)
    pocket.finish(folder, made, alone=False)
    return sorted(file["path"] for file in made["files"])


def test_a_new_build_interrupts_no_deal_and_leaves_nothing_of_the_old_one(
    browser: Browser, built: None, tmp_path: Path
) -> None:
    folder, package = tmp_path / "static", tmp_path / "ultimo"
    shutil.copytree(PAGE, folder)
    shutil.copytree(pocket.PACKAGE, package, ignore=shutil.ignore_patterns("static", "__pycache__"))
    first = built_anew(folder, package)
    env = {"ULTIMO_PAGE": str(folder)}
    with Serving(tmp_path / "ultimo.sqlite", env=env) as server, somebody(browser, server.url) as visitor:
        visitor.go().find("keep").tap()
        play_here(visitor)
        sit_down(visitor, "dtf")
        visitor.play_until(lambda offer: offer.kind == "card")
        before = place(visitor)
        assert visitor.page.evaluate(KEPT) == first

        words = package / "names" / "server" / "en.toml"
        before_it = words.read_text(encoding="utf-8")
        words.write_text(
            re.sub('^needsServer = ".*"', 'needsServer = "SECOND BUILD"', before_it, flags=re.MULTILINE),
            encoding="utf-8",
        )
        second = built_anew(folder, package)
        assert len(set(second) - set(first)) == 1
        visitor.page.evaluate(UPDATE)
        visitor.page.wait_for_function("navigator.serviceWorker.ready.then(one => one.waiting !== null)")
        expect(visitor.find("update")).to_have_count(0)
        assert place(visitor) == before

        go_home(visitor)
        with visitor.page.expect_navigation():
            visitor.find("update").get_by_role("button").tap()
        expect(visitor.find("continue")).to_be_visible()
        assert visitor.page.evaluate(KEPT) == second
        visitor.go("/me")
        expect(visitor.page.get_by_text("SECOND BUILD")).to_be_visible()
