"""A server under load: people with a browser each, who play against bots, and how long they wait.

The people are the pages without a browser of the tests, whose folder has to be on the path.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from shutil import which
from statistics import mean
from tempfile import TemporaryDirectory
from typing import NamedTuple

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Origin

from page_client import NO_LIMITS, Page, party
from postgres import binaries, new_database
from serving import Serving, Visitor

PACE = (1.0, 3.0)  # seconds that a person takes for a move
SETTLING = 2.0  # seconds after which new people are used to their tables
EVERY = 10.0  # seconds between two looks at a server that runs for long
LISTENERS = 50  # idle pages that ask whether somebody is there
AT_ONCE = 20  # sockets that are opened at the same time
TURNS = 3  # of which the best counts
CHROMIUM = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]


class Stage(NamedTuple):
    """What was found with so many tables, of one person and two bots each."""

    tables: int
    moves: float  # of people, a second
    median: float  # seconds from action to seen
    p99: float
    cores: float  # that the server took, without its bots
    cost: float  # seconds of the processor for all that is written at once, such as a move
    append: float  # seconds until facts were in the database, on average
    bot: float  # seconds that a bot took, on average
    memory: float  # bytes a table, with its socket


class Idle(NamedTuple):
    """What sockets cost over which nothing goes."""

    sockets: int
    memory: float  # bytes a socket
    cores: float  # that the server took
    slowest: float  # seconds until the slowest of some pages heard back


class Sample(NamedTuple):
    """What a server held at some time."""

    hours: float
    memory: float  # bytes
    files: float
    tables: float


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
        self._empty = 0.0  # bytes of the server without tables

    async def add(self, tables: int) -> None:
        """Let more people come, each to a table of his own."""
        if not self._people:
            self._empty = await self._begun()
        with ThreadPoolExecutor(4) as pool:
            numbers = range(len(self._people), len(self._people) + tables)
            new = await asyncio.to_thread(lambda: list(pool.map(self._come, numbers)))
        self._people += new
        self._playing += [asyncio.create_task(_play_on(person)) for person in new]
        while not all(person.seconds for person in self._people):
            await asyncio.sleep(0.1)
        await asyncio.sleep(SETTLING)

    async def _begun(self) -> float:
        """The memory of the server when it has loaded all that the first table needs."""
        self._playing.append(asyncio.create_task(_play_on(await asyncio.to_thread(self._come, -1))))
        await asyncio.to_thread(self._server.logged, "club players think in the server")
        await asyncio.sleep(SETTLING)
        return (await self._metrics())["process_resident_memory_bytes"]

    def _come(self, number: int) -> Page:
        """Somebody who plays in their own way: people do not all move at the same moment."""
        (person,) = party([self._server], "dtf", 3, level="club", luck=f"{number} ", tempo="normal")
        person.pace, person.heard = PACE, deque(maxlen=0)
        return person

    async def measure(self, seconds: float) -> Stage:
        """Look at how they play for a while."""
        known, before = [len(person.seconds) for person in self._people], await self._metrics()
        await asyncio.sleep(seconds)
        old = zip(self._people, known, strict=True)
        waits = sorted(one for person, first in old for one in person.seconds[first:])
        after = await self._metrics()
        took, name = after.at - before.at, "ultimo_append_seconds_count"
        worked = after["process_cpu_seconds_total"] - before["process_cpu_seconds_total"]
        return Stage(
            tables=len(self._people),
            moves=len(waits) / took,
            median=waits[len(waits) // 2],
            p99=waits[int(len(waits) * 0.99)],
            cores=worked / took,
            cost=worked / (after[name] - before[name]),
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

    async def soak(self, minutes: float) -> list[Sample]:
        """Look at the server from time to time while all play on."""
        began, found = time.perf_counter(), list[Sample]()
        while (past := time.perf_counter() - began) < 60 * minutes:
            now = await self._metrics()
            memory, files = now["process_resident_memory_bytes"], now["process_open_fds"]
            found.append(Sample(past / 3600, memory, files, now["ultimo_tables"]))
            await asyncio.sleep(EVERY)
        return found

    async def _metrics(self) -> Metrics:
        return await asyncio.to_thread(Metrics, self._server)

    async def close(self) -> None:
        """Send everybody home."""
        for task in self._playing:
            task.cancel()
        await asyncio.gather(*self._playing, return_exceptions=True)


async def _play_on(person: Page) -> None:
    """Let somebody play; who has been there for some minutes comes anew, as people do."""
    while True:
        with suppress(AssertionError):
            await person.stay(lambda _: False)


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


async def idle(server: Serving, sockets: int, seconds: float) -> Idle:
    """Sockets of spectators at a table at which nothing happens."""
    (person,) = party([server], "dtf", 3, plays=False)
    await person.look()  # the table is in memory
    before = await asyncio.to_thread(Metrics, server)
    url = f"{server.url.replace('http', 'ws', 1)}/ws/{person.table}?lang=en"
    places = asyncio.Semaphore(AT_ONCE)

    async def come(_: int) -> ClientConnection:
        async with places:
            socket = await connect(url, origin=Origin(server.url), proxy=None, open_timeout=60)
            await socket.recv()
            return socket

    opened = await asyncio.gather(*map(come, range(sockets)))
    try:
        await asyncio.sleep(SETTLING)
        there = await asyncio.to_thread(Metrics, server)
        await asyncio.sleep(seconds)
        after = await asyncio.to_thread(Metrics, server)
        grown = after["process_resident_memory_bytes"] - before["process_resident_memory_bytes"]
        worked = after["process_cpu_seconds_total"] - there["process_cpu_seconds_total"]
        answers = [await _answered(socket) for socket in opened[:: max(1, sockets // LISTENERS)]]
        return Idle(
            int(after["ultimo_sockets"]), grown / sockets, worked / (after.at - there.at), max(answers)
        )
    finally:
        await asyncio.gather(*(socket.close() for socket in opened))


async def _answered(socket: ClientConnection) -> float:
    """Seconds until the server answers over a socket."""
    began = time.perf_counter()
    await socket.send('{"type":"ping"}')
    while msgspec.json.decode(await socket.recv())["type"] != "pong":
        pass
    return time.perf_counter() - began


async def soak(server: Serving, tables: int, minutes: float) -> list[Sample]:
    """A steady load for so many minutes, and what the server held meanwhile."""
    load = Load(server)
    try:
        await load.add(tables)
        return await load.soak(minutes)
    finally:
        await load.close()


def growth(samples: Sequence[tuple[float, float]]) -> float:
    """By how much something grows an hour: the slope of the line that fits best.

    >>> growth([(0.0, 5.0), (0.5, 6.0), (1.0, 7.0)])
    2.0
    """
    hours, found = mean(at for at, _ in samples), mean(what for _, what in samples)
    spread = sum((at - hours) ** 2 for at, _ in samples)
    return sum((at - hours) * (what - found) for at, what in samples) / spread if spread else 0.0


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
