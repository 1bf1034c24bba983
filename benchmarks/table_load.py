"""A server under load: people with a browser each, who play against bots, and how long they wait.

The people are the pages without a browser of the tests, whose folder has to be on the path.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory
from typing import NamedTuple

from page_client import NO_LIMITS, Page, party
from postgres import binaries, new_database
from serving import Serving, Visitor

PACE = (1.0, 3.0)  # seconds that a person takes for a move
SETTLING = 2.0  # seconds after which new people are used to their tables
TURNS = 3  # of which the best counts
CHROMIUM = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]


class Stage(NamedTuple):
    """What was found with so many tables, of one person and two bots each."""

    tables: int
    moves: float  # of people, a second
    median: float  # seconds from action to seen
    p99: float
    cores: float  # that the server took, without its bots
    append: float  # seconds until facts were in the database, on average
    bot: float  # seconds that a bot took, on average
    memory: float  # bytes a table


class Metrics:
    """What a server says about itself."""

    def __init__(self, server: Serving) -> None:
        text = Visitor(server).get("/metrics").body.decode()
        self._values = dict(re.findall(r"^(\S+) (\S+)$", text, re.MULTILINE))
        self.at = time.perf_counter()

    def __getitem__(self, name: str) -> float:
        return float(self._values.get(name, 0))

    def mean_since(self, before: Metrics, name: str, label: str = "") -> float:
        """The mean of what was timed meanwhile."""
        total, times = (
            self[f"{name}_{what}{label}"] - before[f"{name}_{what}{label}"] for what in ("sum", "count")
        )
        return total / times if times else 0.0


class Load:
    """A server in a process of its own, and all who play there."""

    def __init__(self, server: Serving) -> None:
        self._server = server
        self._people: list[Page] = []
        self._playing: list[asyncio.Task[None]] = []
        self._empty = Metrics(server)["process_resident_memory_bytes"]

    async def add(self, tables: int) -> None:
        """Let more people come, each to a table of his own."""
        with ThreadPoolExecutor(4) as pool:
            new = await asyncio.to_thread(lambda: list(pool.map(self._come, range(tables))))
        self._people += new
        self._playing += [asyncio.create_task(person.stay(lambda _: False)) for person in new]
        while not all(person.seconds for person in self._people):
            await asyncio.sleep(0.1)
        await asyncio.sleep(SETTLING)

    def _come(self, _: int) -> Page:
        (person,) = party([self._server], "dtf", 3, level="club", tempo="normal")
        person.pace, person.heard = PACE, deque(maxlen=0)
        return person

    async def measure(self, seconds: float) -> Stage:
        """Look at how they play for a while."""
        known, before = [len(person.seconds) for person in self._people], await self._metrics()
        await asyncio.sleep(seconds)
        old = zip(self._people, known, strict=True)
        waits = sorted(one for person, first in old for one in person.seconds[first:])
        after = await self._metrics()
        took = after.at - before.at
        return Stage(
            tables=len(self._people),
            moves=len(waits) / took,
            median=waits[len(waits) // 2],
            p99=waits[int(len(waits) * 0.99)],
            cores=(after["process_cpu_seconds_total"] - before["process_cpu_seconds_total"]) / took,
            append=after.mean_since(before, "ultimo_append_seconds"),
            bot=after.mean_since(before, "ultimo_bot_seconds", '{level="club"}'),
            memory=(after["process_resident_memory_bytes"] - self._empty) / len(self._people),
        )

    async def best(self, seconds: float, slow: float) -> Stage:
        """Look again if it was slow: what else the machine did may have been the cause."""
        found = [await self.measure(seconds)]
        while found[-1].p99 >= slow and len(found) < TURNS:
            found.append(await self.measure(seconds))
        return min(found, key=lambda stage: stage.p99)

    async def _metrics(self) -> Metrics:
        return await asyncio.to_thread(Metrics, self._server)

    async def close(self) -> None:
        """Send everybody home."""
        for task in self._playing:
            task.cancel()
        await asyncio.gather(*self._playing, return_exceptions=True)


async def ramp(server: Serving, stages: tuple[int, ...], seconds: float, slow: float) -> list[Stage]:
    """More and more tables, until one in a hundred waits too long."""
    load, found = Load(server), list[Stage]()
    try:
        for tables in stages:
            await load.add(tables - (found[-1].tables if found else 0))
            found.append(await load.best(seconds, slow))
            if found[-1].p99 >= slow:
                break
    finally:
        await load.close()
    return found


class Reviewed(NamedTuple):
    """How tables play alone and beside reviews, and how many reviews a minute were made meanwhile."""

    alone: Stage
    beside: Stage
    reviews: float


async def beside_reviews(server: Serving, tables: int, seconds: float, deals: int) -> Reviewed:
    """Tables at which people play while somebody has one deal after the other reviewed, of so many."""
    (person,) = party([server], "dtf", 3, level="club", tempo="instant")
    await person.stay(lambda page: int(page.scene["number"]) > deals)
    load = Load(server)
    try:
        await load.add(tables)
        await _reviewed(person, 1)  # the processes that think have started
        alone, beside = list[Stage](), list[Stage]()
        unread, took = iter(range(2, deals + 1)), list[float]()
        for _ in range(TURNS):  # by turns, so that what else the machine does hits both
            alone.append(await load.measure(seconds))
            asking = asyncio.create_task(_ask(person, unread, took))
            beside.append(await load.measure(seconds))
            asking.cancel()
        reviews = 60 * len(took) / sum(took) if took else 0.0
        return Reviewed(_middle(alone), _middle(beside), reviews)
    finally:
        await load.close()


def _middle(stages: list[Stage]) -> Stage:
    return sorted(stages, key=lambda stage: stage.p99)[len(stages) // 2]


async def _ask(person: Page, deals: Iterable[int], took: list[float]) -> None:
    """Have deals reviewed, one after the other; `took` is how many seconds each has taken."""
    for deal in deals:
        began = time.perf_counter()
        await _reviewed(person, deal)
        took.append(time.perf_counter() - began)


async def _reviewed(person: Page, deal: int) -> None:
    path = f"/api/tables/{person.table}/review/{deal}"
    answer = await asyncio.to_thread(person.visitor.get, path)
    assert answer.status == 200, answer


@contextmanager
def servers() -> Iterator[dict[str, Serving]]:
    """A server with each database that there is."""
    with TemporaryDirectory() as folder:
        found = {"SQLite": Serving(Path(folder) / "tables.db", 0, NO_LIMITS)}
        if binaries() is not None:
            found["PostgreSQL"] = Serving(new_database(durable=True), 0, NO_LIMITS)
        yield found


def first_card(server: Serving, times: int) -> list[float]:
    """Seconds until a browser that has never been here shows the cards of its person; the shortest first."""
    from playwright.sync_api import sync_playwright

    (person,) = party([server], "dtf", 3)
    asyncio.run(person.stay(lambda page: bool(page.scene["hand"])))
    cookies = [
        {"name": name, "value": value, "url": server.url} for name, value in person.visitor.cookies.items()
    ]
    found = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=which("chromium"), args=CHROMIUM)
        for _ in range(times):
            context = browser.new_context()
            context.add_cookies(cookies)  # type: ignore[arg-type]
            page = context.new_page()
            began = time.perf_counter()
            page.goto(f"{server.url}/t/{person.table}")
            page.locator("[data-testid=hand] button").first.wait_for(state="visible")
            found.append(time.perf_counter() - began)
            context.close()
        browser.close()
    return sorted(found)
