"""Ultimo inside the page: Python in a worker, its log in the browser, one tab at a time, and no network.

The house in the worker is a fake one, which says what it is asked: everything around it is real.
"""

from __future__ import annotations

import asyncio
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

import msgspec
import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

import pocket
from browser.visitor import PATIENCE
from device import Device, play_session, rows_of, write_sheet
from serving import Serving
from ultimo.pocket.storage import Kind
from ultimo.server.settings import PAGE

pytestmark = pytest.mark.xdist_group("pocket_in_browser")

Visit: TypeAlias = Callable[..., BrowserContext]

FAKE = Path(__file__).parent / "fakes" / "house.py"
CHOSEN = "localStorage.setItem('ultimo.device', '1')"
CONTROLLED = "() => navigator.serviceWorker.controller !== null"
# Ask the house in a worker of the page's own, as the page does where this device answers.
ASK = """async ([at, path, body]) => {
  window.house ??= new Promise((done, failed) => {
    const pocket = JSON.parse(document.getElementById("pocket").textContent);
    const worker = new Worker(at, { type: "module" });
    const waiting = [];
    worker.onmessage = ({ data }) => {
      if (data.kind === "ready") done({ worker, waiting });
      if (data.kind === "broken") failed(new Error(data.reason));
      if (data.kind === "answer") waiting[data.id](data);
    };
    worker.postMessage({ kind: "begin", base: `${location.origin}/pocket/`, pocket });
  });
  const { worker, waiting } = await window.house;
  const told = await new Promise(done => {
    const id = waiting.push(done) - 1;
    worker.postMessage({ kind: "ask", id, method: "POST", path, body, language: "en" });
  });
  return JSON.parse(new TextDecoder().decode(told.body));
}"""


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package with the fake house in it."""
    made = tmp_path_factory.mktemp("package") / "ultimo"
    left = shutil.ignore_patterns("static", "__pycache__", "pocket")
    shutil.copytree(pocket.PACKAGE, made, ignore=left)
    (made / "pocket").mkdir()
    (made / "pocket" / "__init__.py").touch()
    shutil.copy(FAKE, made / "pocket" / "browser.py")
    return made


def finished(folder: Path, package: Path, *, alone: bool) -> Path:
    """The built page with that package: for a server, or to stand alone."""
    shutil.copytree(PAGE, folder, ignore=shutil.ignore_patterns("shell.html"))
    pocket.finish(folder, pocket.put(folder, pocket.fetch(), package), alone=alone)
    return folder


@pytest.fixture(scope="module")
def folder(built: None, package: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page for a server."""
    return finished(tmp_path_factory.mktemp("page") / "static", package, alone=False)


@pytest.fixture
def house(folder: Path, tmp_path: Path) -> Iterator[Serving]:
    """A server with that page."""
    with Serving(tmp_path / "ultimo.sqlite", env={"ULTIMO_PAGE": str(folder)}) as server:
        yield server


@pytest.fixture
def visit(browser: Browser) -> Iterator[Visit]:
    """Browsers with nothing in them, which may keep what they like."""
    here: list[BrowserContext] = []

    def visit(**wishes: Any) -> BrowserContext:
        context = browser.new_context(reduced_motion="reduce", **({"locale": "en-GB"} | wishes))
        context.set_default_timeout(PATIENCE)
        here.append(context)
        return context

    yield visit
    for context in here:
        context.close()


def asked(page: Page, folder: Path, path: str, body: str = "") -> Any:
    """What the house answers."""
    (worker,) = (folder / "pocket").glob("worker-*.js")
    return page.evaluate(ASK, [f"/pocket/{worker.name}", path, body])


def test_python_runs_in_a_worker_and_keeps_a_log(house: Serving, folder: Path, visit: Visit) -> None:
    page = visit(service_workers="block").new_page()
    page.goto(house.url)

    def keep(do: str, *values: Any) -> Any:
        return asked(page, folder, "/api/keep", msgspec.json.encode({"do": do, "with": values}).decode())

    assert asked(page, folder, "/api/any?x=1", "{}")["path"] == "/api/any?x=1"
    assert keep("append", "~t", 0, ['{"a":1}', '{"b":"♠"}'], "first") == {"done": None}
    assert keep("append", "~t", 0, ["{}"], None) == {"refused": "Conflict"}
    assert keep("append", "~t", 2, ["{}"], "first") == {"refused": "Conflict"}
    assert keep("append", "~t", 2, ['{"c":3}'], None) == {"done": None}
    assert keep("append", "~t2", 0, ["{}"], "first") == {"done": None}
    assert keep("applied", "~t", "first") == {"done": 1}
    assert keep("applied", "~t", "second") == {"done": None}
    assert keep("read", "~t", 1) == {"done": [[2, '{"b":"♠"}'], [3, '{"c":3}']]}
    assert keep("describe", "~t", "table", '{"n":1}') == {"done": None}
    assert keep("logs", "table") == {"done": [["~t", '{"n":1}']]}
    assert keep("logs", "sheet") == {"done": []}
    assert keep("put", "me", '"x"') == {"done": None}
    page.reload()
    assert keep("get", "me") == {"done": '"x"'}
    assert keep("get", "you") == {"done": None}
    assert keep("forget", "~t") == {"done": None}
    assert keep("read", "~t", 0) == {"done": []}
    assert keep("applied", "~t", "first") == {"done": None}
    assert keep("read", "~t2", 0) == {"done": [[1, "{}"]]}
    assert keep("logs", "table") == {"done": []}
    assert keep("put", "brought ~t2", "{}") == {"done": None}
    assert keep("forget", "~t2") == {"done": None}
    assert keep("get", "brought ~t2") == {"done": None}
    assert keep("clear") == {"done": None}
    assert keep("get", "me") == {"done": None}


Keep: TypeAlias = Callable[..., Any]


def keeping(page: Page, folder: Path) -> Keep:
    """What the house in the page keeps, told to it by word."""

    def keep(do: str, *values: Any) -> Any:
        body = msgspec.json.encode({"do": do, "with": values}).decode()
        return asked(page, folder, "/api/keep", body)["done"]

    return keep


@cache
def evening() -> tuple[str, list[tuple[str, Kind, tuple[str, ...], str]]]:
    """What a device has after a score sheet of two deals and a game: who lives there, and the logs."""

    async def played() -> tuple[str, list[tuple[str, Kind, tuple[str, ...], str]]]:
        device = Device()
        made: list[tuple[str, Kind]] = [
            (await write_sheet(device, 2), "sheet"),
            (await play_session(device, 1), "table"),
        ]
        lines = {kind: dict(await device.storage.logs(kind)) for _, kind in made}
        logs = [(log, kind, await rows_of(device, log), lines[kind][log]) for log, kind in made]
        return await device.storage.get("me") or "", logs

    with ThreadPoolExecutor(1) as other:  # in this thread the browser has its loop
        return other.submit(asyncio.run, played()).result()


def fill(keep: Keep) -> list[str]:
    """Put an evening on the device: the ids of the sheet and the game."""
    me, logs = evening()
    keep("put", "me", me)
    for log, kind, rows, line in logs:
        keep("append", log, 0, rows, None)
        keep("describe", log, kind, line)
    return [log for log, *_ in logs]


def write_on(keep: Keep, sheet: str, text: str) -> None:
    """Write another note on a sheet of the device."""
    rows = [row for _, row in keep("read", sheet, 0)]
    note = msgspec.json.decode(rows[-1]) | {"text": text}
    keep("append", sheet, len(rows), [msgspec.json.encode(note).decode()], None)


def listed(page: Page, url: str) -> None:
    """See each once, in the account, and nothing to be brought."""
    page.goto(f"{url}/sheets")
    expect(page.get_by_test_id("own-sheet")).to_have_count(1)
    expect(page.get_by_test_id("only-here")).to_have_count(0)
    page.goto(f"{url}/history")
    expect(page.get_by_test_id("sitting")).to_have_count(1)
    expect(page.get_by_test_id("brought")).to_be_visible()
    expect(page.get_by_test_id("history-totals")).to_have_count(0)  # it does not count
    expect(page.get_by_test_id("bring")).to_have_count(0)


@pytest.mark.parametrize("width", [360, 1280])
def test_what_is_on_the_device_is_brought_once(
    house: Serving, folder: Path, visit: Visit, width: int
) -> None:
    page = visit(service_workers="block", viewport={"width": width, "height": 740}).new_page()
    page.goto(house.url)
    expect(page.get_by_test_id("play-danish")).to_be_visible()
    expect(page.get_by_test_id("bring")).to_have_count(0)
    keep = keeping(page, folder)
    sheet, table = fill(keep)

    page.goto(f"{house.url}/history")
    expect(page.get_by_test_id("sitting")).to_have_count(1)
    expect(page.get_by_test_id("only-here")).to_be_visible()
    page.goto(f"{house.url}/sheets")
    expect(page.get_by_test_id("own-sheet")).to_contain_text("Karen, Bo, Ida")
    expect(page.get_by_test_id("only-here")).to_be_visible()
    with page.expect_response("**/api/tables/from-device/*") as answer:
        page.get_by_test_id("bring-now").dblclick()
    assert answer.value.status == 201
    expect(page.get_by_test_id("bring-status")).to_have_text("Added to your account: 2")
    expect(page.get_by_test_id("bring-now")).to_have_count(0)
    expect(page.get_by_test_id("own-sheet")).to_have_count(1)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    listed(page, house.url)

    keep("put", f"brought {sheet}", "")  # the answer was lost on the way
    keep("put", f"brought {table}", "")
    page.goto(f"{house.url}/history")
    expect(page.get_by_test_id("bring-now")).to_be_visible()
    expect(page.get_by_test_id("sitting")).to_have_count(1)
    page.goto(house.url)
    page.get_by_test_id("bring-now").click()
    expect(page.get_by_test_id("bring-status")).to_have_text("Added to your account: 2")
    listed(page, house.url)

    write_on(keep, sheet, "and out of it")
    held: list[Route] = []
    page.route("**/api/sheets?*", lambda request: held.append(request))
    page.goto(f"{house.url}/sheets")
    expect(page.get_by_test_id("bring-status")).to_have_text("Added to your account: 1")  # by itself
    expect(page.get_by_test_id("own-sheet")).to_have_count(0)  # the list of the account is not there yet
    while held:
        held.pop().continue_()
    page.unroute("**/api/sheets?*")
    page.get_by_test_id("own-sheet").click()
    expect(page.get_by_test_id("sheet")).to_contain_text("and out of it")
    listed(page, house.url)


def test_an_old_address_leads_to_the_place_in_the_account(house: Serving, folder: Path, visit: Visit) -> None:
    page = visit(service_workers="block").new_page()
    page.goto(house.url)
    expect(page.get_by_test_id("play-danish")).to_be_visible()
    sheet, table = fill(keeping(page, folder))
    page.goto(f"{house.url}/sheets")
    page.get_by_test_id("bring-now").click()
    expect(page.get_by_test_id("bring-status")).to_have_text("Added to your account: 2")
    ((there, _), (game, _)) = (
        (line["id"], line["device"])
        for path in ("/api/sheets", "/api/history")
        for line in page.request.get(f"{house.url}{path}").json()
    )
    page.goto(f"{house.url}/sheets/{sheet}?tv=1")
    expect(page).to_have_url(f"{house.url}/sheets/{there}?tv=1")
    page.goto(f"{house.url}/t/{table}/deal/1")
    expect(page).to_have_url(f"{house.url}/t/{game}/deal/1")
    expect(page.get_by_test_id("replay")).to_be_visible()
    page.goto(f"{house.url}/t/{table}")  # the game itself goes on where it was begun
    expect(page.get_by_role("alert")).to_contain_text(table)  # as the fake house says


def test_what_was_changed_on_both_sides_is_for_the_visitor_to_choose(
    house: Serving, folder: Path, visit: Visit
) -> None:
    page = visit(service_workers="block").new_page()
    page.goto(house.url)
    expect(page.get_by_test_id("play-danish")).to_be_visible()
    keep = keeping(page, folder)
    sheet, _ = fill(keep)
    page.goto(f"{house.url}/sheets")
    page.get_by_test_id("bring-now").click()
    expect(page.get_by_test_id("bring-status")).to_have_text("Added to your account: 2")

    def note(text: str) -> None:
        """Write on the sheet in the account."""
        page.goto(f"{house.url}/sheets")
        page.get_by_test_id("own-sheet").first.click()
        page.get_by_test_id("evening-note").fill(text)
        page.get_by_test_id("evening-note").press("Enter")
        expect(page.get_by_test_id("sheet")).to_contain_text(text)

    note("at the server")
    write_on(keep, sheet, "on the train")
    page.goto(f"{house.url}/sheets")
    differs = page.get_by_test_id("bring-differs")
    expect(differs).to_contain_text("Entries in both: 4. Only in your account: 1. Only on this device: 1.")
    found = Axe().run(page).response["violations"]
    assert [one["id"] for one in found if one["impact"] in ("serious", "critical")] == []
    differs.get_by_test_id("keep-both").click()
    expect(page.get_by_test_id("own-sheet")).to_have_count(2)
    expect(differs).to_have_count(0)
    page.reload()
    expect(page.get_by_test_id("own-sheet")).to_have_count(2)
    expect(page.get_by_test_id("only-here")).to_have_count(0)

    page.get_by_test_id("own-sheet").first.click()
    expect(page.get_by_test_id("sheet")).to_contain_text("on the train")
    page.get_by_test_id("delete-sheet").click()
    expect(page.get_by_test_id("delete-where")).to_contain_text("from your account and from this device")
    page.get_by_test_id("delete-now").click()
    expect(page.get_by_test_id("own-sheet")).to_have_count(1)
    assert keep("read", sheet, 0) == []
    page.goto(f"{house.url}/history")
    page.get_by_test_id("delete-game").click()
    page.get_by_test_id("delete-now").click()
    expect(page.get_by_test_id("sitting")).to_have_count(0)
    assert keep("logs", "table") == []


def test_what_was_deleted_in_the_account_does_not_come_back_by_itself(
    house: Serving, folder: Path, visit: Visit
) -> None:
    page = visit(service_workers="block").new_page()
    page.goto(house.url)
    expect(page.get_by_test_id("play-danish")).to_be_visible()
    keep = keeping(page, folder)
    sheet, _ = fill(keep)
    page.goto(f"{house.url}/sheets")
    page.get_by_test_id("bring-now").click()
    expect(page.get_by_test_id("bring-status")).to_have_text("Added to your account: 2")
    (line,) = page.request.get(f"{house.url}/api/sheets").json()
    gone = page.request.delete(f"{house.url}/api/sheets/{line['id']}", headers={"Origin": house.url})
    assert gone.status == 204
    write_on(keep, sheet, "on the train")
    page.goto(f"{house.url}/sheets")
    expect(page.get_by_test_id("only-here")).to_be_visible()
    page.get_by_test_id("bring-gone").get_by_test_id("bring-again").click()
    expect(page.get_by_test_id("bring-gone")).to_have_count(0)
    expect(page.get_by_test_id("only-here")).to_have_count(0)
    expect(page.get_by_test_id("own-sheet")).to_have_count(1)


def test_one_tab_at_a_time_has_the_house(house: Serving, visit: Visit) -> None:
    context = visit(service_workers="block")
    first, second = context.new_page(), context.new_page()
    first.goto(house.url)
    first.evaluate(CHOSEN)
    first.goto(f"{house.url}/account")
    expect(first.locator("#my-name")).to_have_value("Me")
    expect(first.get_by_test_id("on-device")).to_be_visible()
    second.goto(f"{house.url}/account")
    expect(second.get_by_test_id("house-elsewhere")).to_be_visible()
    second.get_by_test_id("take").click()
    expect(second.locator("#my-name")).to_have_value("Me")
    expect(first.get_by_test_id("house-elsewhere")).to_be_visible()
    second.close()
    first.get_by_test_id("take").click()
    first.goto(f"{house.url}/clubs")
    expect(first.get_by_test_id("needs-server")).to_be_visible()
    first.get_by_test_id("on-device").locator("summary").click()
    first.get_by_test_id("to-server").click()
    expect(first.get_by_test_id("to-clubs")).to_be_visible()


@pytest.mark.parametrize(("locale", "sign"), [("da-DK", "På denne enhed"), ("fr-FR", "Sur cet appareil")])
def test_what_is_kept_works_without_a_network(house: Serving, visit: Visit, locale: str, sign: str) -> None:
    page = visit(locale=locale).new_page()
    page.goto(house.url)
    page.get_by_test_id("keep").click()
    expect(page.get_by_test_id("to-device")).to_be_visible()
    page.wait_for_function(CONTROLLED)
    house.kill()
    page.goto(f"{house.url}/history")
    expect(page.get_by_test_id("on-device")).to_contain_text(sign)
    expect(page.get_by_test_id("house-ready")).to_have_count(0)
    page.goto(f"{house.url}/account")
    expect(page.locator("#my-name")).to_have_value("Me")


def test_a_new_page_waits_until_it_is_wanted(
    built: None, package: Path, tmp_path: Path, visit: Visit
) -> None:
    folder = finished(tmp_path / "static", package, alone=False)
    with Serving(tmp_path / "ultimo.sqlite", env={"ULTIMO_PAGE": str(folder)}) as server:
        page = visit().new_page()
        page.goto(server.url)
        page.wait_for_function(CONTROLLED)
        expect(page.get_by_test_id("update")).to_have_count(0)
        script, index = folder / "sw.js", folder / "index.html"
        script.write_text(script.read_text(encoding="utf-8") + "// newer", encoding="utf-8")
        index.touch()
        page.evaluate("async () => { await (await navigator.serviceWorker.ready).update(); }")
        expect(page.get_by_test_id("update")).to_be_visible()
        with page.expect_navigation():
            page.get_by_test_id("update").get_by_role("button").click()
        expect(page.get_by_test_id("play-danish")).to_be_visible()
        expect(page.get_by_test_id("update")).to_have_count(0)


def test_a_page_that_stands_alone_asks_no_server(
    built: None, package: Path, tmp_path: Path, visit: Visit
) -> None:
    folder = finished(tmp_path / "alone", package, alone=True)
    program = [sys.executable, "-u", "-m", "http.server", "0", "--bind", "127.0.0.1"]
    with subprocess.Popen(
        program, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as host:
        try:
            assert host.stdout is not None
            url = host.stdout.readline().split("(")[1].split(")")[0].rstrip("/")
            page = visit(service_workers="block").new_page()
            requested: list[str] = []
            page.on("request", lambda request: requested.append(request.url.removeprefix(url)))
            page.goto(f"{url}/#/account")
            expect(page.locator("#my-name")).to_have_value("Me")
            page.get_by_role("button", name="Deutsch").click()
            expect(page.get_by_test_id("on-device")).to_contain_text("Auf diesem Gerät")
            expect(page.locator("#my-name")).to_have_value("Me")
            assert page.url == f"{url}/#/account"
            page.locator("a.brand").click()
            expect(page.get_by_test_id("play-danish")).to_be_visible()
            assert page.url == f"{url}/#/"
            assert [path for path in requested if path.startswith(("/api", "/ws"))] == []
        finally:
            host.kill()
