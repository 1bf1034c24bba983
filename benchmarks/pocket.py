"""The house inside the page beside the same with a server: download, first card, a card, memory."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any, Final

from benchmarks.measure import run_python
from benchmarks.report import ROOT, Section, table
from playwright.sync_api import Browser, CDPSession, Page

from ultimo.server.settings import PAGE

sys.path += [str(ROOT / "tests"), str(ROOT / "tools")]

import pocket
from browser.chromium import chromium
from browser.visitor import DESKTOP, PATIENCE, Visitor
from serving import Serving

SLOW: Final = 4  # times slower, of a phone
CHOSEN: Final = "localStorage.setItem('ultimo.device', '1')"
CONTROLLED: Final = "() => navigator.serviceWorker.controller !== null"
HAND: Final = "[data-testid=hand] [data-card]"
# Milliseconds from playing a card until the next can be played, as the page sees it.
WATCH: Final = """
window.waits = [];
let played = null;
const held = () => document.querySelectorAll("[data-testid=hand] [data-card]").length;
document.addEventListener("click", ({ target }) => {
  if (target.closest("[data-testid=play]")) played = { at: performance.now(), held: held() };
}, true);
const look = () => {
  if (played && held() < played.held && document.querySelector("[data-testid=hand] [data-legal=true]")) {
    window.waits.push(performance.now() - played.at);
    played = null;
  }
  requestAnimationFrame(look);
};
look();
"""
# Alone in its interpreter: a move of a club player, and the settlement of a deal on a score sheet.
ALONE: Final = """
import asyncio, json
from time import perf_counter
from ultimo.players import create
from ultimo.players.match import first_answer
from ultimo.pocket.house import House
from ultimo.pocket.storage import Memory
from ultimo.rulebook import load

def usual(work, times=50):
    found = []
    for _ in range(times):
        began = perf_counter()
        work()
        found.append(perf_counter() - began)
    return 1000 * sorted(found)[len(found) // 2]

told = {}
for book in ("dtf", "french4"):
    rules = load(book)
    bots = {seat: create("club", 1) for seat in range(rules.sizes[0])}
    view, choices = first_answer(rules, rules.sizes[0], bots)
    told[book] = usual(lambda: create("club", 1).choose(view, choices))

async def sheet():
    house = House(Memory(), lambda: 0.0)
    wish = {"rules": "dtf", "names": ["A", "B", "C"], "dealer": 0}
    _, _, made = await house.answer("POST", "/api/sheets", json.dumps(wish), "en")
    entry = {"game": "danish", "winner": 1, "counts": {"1": 30, "2": 20}}
    path, asked = f"/api/sheets/{json.loads(made)['id']}/preview", json.dumps({"entry": entry})
    found = []
    for _ in range(50):
        began = perf_counter()
        status, _, body = await house.answer("POST", path, asked, "en")
        found.append(perf_counter() - began)
    assert status == 200, body
    return 1000 * sorted(found)[25]
"""
HERE: Final = ALONE + "\ntold['sheet'] = asyncio.run(sheet())\nprint(json.dumps(told))\n"
IN_PYODIDE: Final = """
import { readFileSync } from "node:fs";
const [pyodide, wheel, packed] = process.argv.slice(1);
const { loadPyodide } = await import(pyodide);
const python = await loadPyodide();
python.unpackArchive(new Uint8Array(readFileSync(wheel)), "wheel");
python.unpackArchive(new Uint8Array(readFileSync(packed)), "zip", { extractDir: "/house" });
const code = readFileSync(0, "utf8");
console.log(await python.runPythonAsync(`import sys\nsys.path.insert(0, "/house")\n${code}`));
"""


def measure(full: bool) -> Section:
    """The server and the device take turns, each with a browser of its own."""
    turns = 5 if full else 2
    alone = {"server": json.loads(run_python("-c", HERE)), "device": _in_pyodide()}
    with TemporaryDirectory() as folder, Serving(Path(folder) / "ultimo.sqlite") as server:
        found = [
            {(rate, where): _visit(server.url, where, rate) for rate, where in _ways()} for _ in range(turns)
        ]
    rows = []
    for rate, where in _ways():
        visits = [turn[rate, where] for turn in found]
        best = {name: min(visit[name] for visit in visits) for name in visits[0]}
        name = where if rate == 1 else f"{where}, page {rate} times slower"
        rows.append((name, best["cold"], best["warm"], best["card"], best["memory"]))
    answers = [(where, *(one[name] for name in ("dtf", "french4", "sheet"))) for where, one in alone.items()]
    return Section(
        "In the pocket",
        "Ultimo in a page that keeps it on the device, beside the same page with a server on the same "
        "machine, in Chromium without a window; the best of some turns. First card: seconds by the "
        "clock from opening the address until one holds cards, for a browser that has nothing (cold) "
        "and for one that has everything (warm; on the device without a network). A card: median "
        "milliseconds from playing it until the next can be played, bots in between. Memory: MB of "
        f"all processes that draw pages. Where the page is {SLOW} times slower, only the page is: "
        "Chromium refuses to slow down workers, so Python on the device ran as fast as ever, and a "
        "slow phone takes longer than these rows say. Alone: median milliseconds of one decision of a "
        "club player and of one settlement on a score sheet: in CPython with compiled bots, as a server "
        "has it, and all as Python in Pyodide, as the device has it (here in Node).",
        (
            table(("download, packed", "MB"), _parts().items()),
            table(("", "first card, cold", "first card, warm", "a card, ms", "memory, MB"), rows),
            table(("alone", "decision, `dtf`", "decision, `french4`", "settlement"), answers),
        ),
    )


def _ways() -> Iterator[tuple[int, str]]:
    return ((rate, where) for rate in (1, SLOW) for where in ("server", "device"))


def _parts() -> dict[str, float]:
    """What is fetched for the device, in MB, by part."""
    files = [path for path in (PAGE / "pocket").rglob("*") if path.is_file() and path.suffix != ".js"]
    named = {"python": "Python (Pyodide)", "msgspec": "msgspec", "ultimo": "Ultimo"}
    sizes = dict.fromkeys(named.values(), 0.0)
    for path in files:
        part = path.relative_to(PAGE / "pocket").parts[0].partition("-")[0]
        sizes[named[part]] += path.stat().st_size / 1e6
    return sizes


def _in_pyodide() -> Any:
    (packed,) = (PAGE / "pocket").glob("ultimo-*.zip")
    (wheel,) = pocket.fetch()
    given = [str(pocket.PYODIDE / "pyodide.mjs"), str(wheel), str(packed)]
    done = subprocess.run(
        ["node", "--input-type=module", "-e", IN_PYODIDE, "--", *given],
        input=ALONE + "\ntold['sheet'] = await sheet()\njson.dumps(told)\n",
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout.splitlines()[-1])


def _visit(url: str, where: str, rate: int) -> dict[str, float]:
    """Two visits by somebody new: cold, and warm with a deal."""
    with chromium() as browser:
        context = browser.new_context(viewport=DESKTOP, locale="en-GB", reduced_motion="reduce")
        context.set_default_timeout(PATIENCE)
        context.add_init_script(WATCH)
        if where == "device":
            context.add_init_script(CHOSEN)
        visitor = Visitor(context, url)
        with _slower(visitor.page, rate):
            cold = _first_card(visitor)
        visitor.page.wait_for_function(CONTROLLED)
        context.set_offline(where == "device")
        visitor.page.goto("about:blank")
        with _slower(visitor.page, rate):
            warm = _first_card(visitor)
            visitor.press("[data-panel=settings]")
            visitor.find("speed").get_by_role("combobox").select_option("instant")
            visitor.page.keyboard.press("Escape")
            visitor.play_deal()
            card = median(visitor.page.evaluate("window.waits"))
        return {"cold": cold, "warm": warm, "card": card, "memory": _memory(browser)}


def _first_card(visitor: Visitor) -> float:
    began = perf_counter()
    visitor.go().press("[data-testid=play-danish]")
    visitor.page.locator(HAND).first.wait_for()
    return perf_counter() - began


@contextmanager
def _slower(page: Page, rate: int) -> Iterator[None]:
    line: CDPSession = page.context.new_cdp_session(page)
    line.send("Emulation.setCPUThrottlingRate", {"rate": rate})
    yield
    line.detach()


def _memory(browser: Browser) -> float:
    """MB of all processes that draw pages, each its own share."""
    line = browser.new_browser_cdp_session()
    found = line.send("SystemInfo.getProcessInfo")["processInfo"]
    line.detach()
    rolled = [Path(f"/proc/{one['id']}/smaps_rollup") for one in found if one["type"] == "renderer"]
    lines = [text for path in rolled for text in path.read_text(encoding="utf-8").splitlines()]
    return sum(int(text.split()[1]) for text in lines if text.startswith("Pss:")) / 1000
