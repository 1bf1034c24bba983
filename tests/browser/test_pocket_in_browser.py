"""Ultimo inside the page: Python in a worker, its log in the browser, one tab at a time, and no network.

The house in the worker is a fake one, which says what it is asked: everything around it is real.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeAlias

import msgspec
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

import pocket
from browser.visitor import PATIENCE
from serving import Serving
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
