"""An honest player at a table, and `/healthz`, on a server that somebody attacks.

The player is the page without a browser of the tests, whose folder has to be on the path.
"""

from __future__ import annotations

import asyncio
import http
import http.client
import multiprocessing
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple, TypeAlias

from benchmarks.attacks import SERVER, Attack, Target, carry_out

from page_client import Page, party
from serving import ROOM, Answer, Serving, Visitor
from ultimo.server.settings import settings

USUAL = {  # what the servers of tests have more of; the player alone may play faster than a person could
    one.variable: str(one.default)
    for one in settings()
    if one.variable in ROOM and not one.name.startswith("message")
}
PACE = (0.1, 0.2)  # seconds that the player takes for a move
SELDOM = 0.5  # seconds from one of the other requests to the next
EVERY = 0.05  # seconds from one request of `/healthz` to the next
PATIENCE = 10.0  # seconds until a request counts as failed, and as having taken so long
CALM = 0.1  # seconds that `/healthz` may take once an attack is over
MOST_REST = 30.0  # seconds until the server must be calm again


class Waits(NamedTuple):
    """How long somebody waited, in seconds."""

    median: float
    p95: float
    failed: int

    @classmethod
    def of(cls, seconds: list[float], failed: int) -> Waits:
        """What was waited; if nothing came at all, without end."""
        if not seconds:
            return cls(float("inf"), float("inf"), failed)
        found = sorted(seconds)
        return cls(found[len(found) // 2], found[int(len(found) * 0.95)], failed)


Seen: TypeAlias = dict[str, Waits]  # what was noticed for a while

ENDING = "dtf: F T1 S2 S1 / M T21 T0 HK / B H7 H8 H9"
ASKS: dict[str, Callable[[Visitor], Answer]] = {  # what an honest visitor asks for, as often as that comes
    "the lobby": lambda visitor: visitor.get("/api/tables"),
    "the rules of a book": lambda visitor: visitor.get("/api/books/dtf"),
    "a puzzle": lambda visitor: visitor.get("/api/puzzles/day"),
    "a small search": lambda visitor: visitor.post("/api/analyse/solve", {"text": ENDING, "moves": []}),
}


class Watch:
    """What is noticed in several turns, together."""

    def __init__(self, server: Serving, player: Page, visitor: Visitor, asks: Sequence[str]) -> None:
        self._server, self._player, self._visitor = server, player, visitor
        self._asked: dict[str, list[float]] = {name: [] for name in asks}
        self._health: list[float] = []
        self._moves: list[float] = []
        self._failed = Counter[str]()
        self._lost = 0

    async def look(self, seconds: float) -> None:
        """Look for a while."""
        known, lost = len(self._player.seconds), self._player.lost
        end = time.monotonic() + seconds
        await asyncio.gather(self._look_at_health(end), *(self._ask(name, end) for name in self._asked))
        self._moves += self._player.seconds[known:]
        self._lost += self._player.lost - lost

    async def _look_at_health(self, end: float) -> None:
        while time.monotonic() < end:
            took, well = await asyncio.to_thread(health, self._server)
            self._health.append(took)
            self._failed["health"] += not well
            await asyncio.sleep(EVERY)

    async def _ask(self, name: str, end: float) -> None:
        while time.monotonic() < end:
            began = time.perf_counter()
            answer = await asyncio.to_thread(ASKS[name], self._visitor)
            self._asked[name].append(time.perf_counter() - began)
            self._failed[name] += answer.status != http.HTTPStatus.OK
            await asyncio.sleep(SELDOM)

    @property
    def seen(self) -> Seen:
        """What was noticed so far."""
        return {
            "`/healthz`": Waits.of(self._health, self._failed["health"]),
            "an honest player's move": Waits.of(self._moves, self._lost),
            **{name: Waits.of(took, self._failed[name]) for name, took in self._asked.items()},
        }


def health(server: Serving) -> tuple[float, bool]:
    """How long `/healthz` takes over a new connection, and whether it answers."""
    began = time.perf_counter()
    connection = http.client.HTTPConnection(SERVER, server.port, timeout=PATIENCE)
    try:
        connection.request("GET", "/healthz")
        well = connection.getresponse().read() == b"alive\n"
        return time.perf_counter() - began, well
    except (OSError, http.client.HTTPException):
        return PATIENCE, False
    finally:
        connection.close()


@contextmanager
def under(attack: Attack, server: Serving, seconds: float, table: str) -> Iterator[None]:
    """An attacker's process, as long as the block runs; `table` is the honest player's."""
    visitor = Visitor(server)
    visitor.enter()
    target = Target(server.port, visitor.cookie, table if attack.beside else visitor.open_table(), seconds)
    process = multiprocessing.get_context("spawn").Process(
        target=carry_out, args=(attack.name, target), daemon=True
    )
    process.start()
    try:
        yield
    finally:
        process.terminate()
        process.join()


async def besieged(attack: Attack, seconds: float, turns: int, sources: str = "") -> tuple[Seen, Seen]:
    """What is noticed without an attack and beside it, by turns, so that what else runs hits both."""
    env = {**USUAL, **attack.env} | ({"PYTHONPATH": sources} if sources else {})
    with (
        TemporaryDirectory() as folder,
        Serving(Path(folder) / "tables.db", 0, env, files=attack.files) as server,
    ):
        (player,) = party([server], "dtf", 3, level="random", tempo="instant")
        player.pace, player.heard = PACE, deque(maxlen=0)
        playing = asyncio.create_task(player.stay(lambda _: False))
        visitor = Visitor(server)
        visitor.enter()
        without, beside = (Watch(server, player, visitor, attack.asks) for _ in range(2))
        for name in attack.asks:  # the first time its process gets ready
            await asyncio.to_thread(ASKS[name], visitor)
        try:
            while not player.seconds:
                await asyncio.sleep(EVERY)
            for _ in range(turns):
                await _calm(server)
                await without.look(seconds)
                with under(attack, server, attack.settling + 2 * seconds, player.table):
                    await asyncio.sleep(attack.settling)
                    await beside.look(seconds)
        finally:
            playing.cancel()
            await asyncio.gather(playing, return_exceptions=True)
        return without.seen, beside.seen


async def _calm(server: Serving) -> None:
    """Wait until nothing of an attack is left."""
    end = time.monotonic() + MOST_REST
    while (await asyncio.to_thread(health, server))[0] > CALM and time.monotonic() < end:
        await asyncio.sleep(EVERY)
