"""An honest player at a table, and `/healthz`, on a server that somebody attacks.

The player is the page without a browser of the tests, whose folder has to be on the path.
"""

from __future__ import annotations

import asyncio
import http.client
import multiprocessing
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from benchmarks.attacks import SERVER, Attack, Target, carry_out

from page_client import Page, party
from serving import ROOM, Serving, Visitor
from ultimo.server.settings import settings

USUAL = {  # what the servers of tests have more of; the player alone may play faster than a person could
    one.variable: str(one.default)
    for one in settings()
    if one.variable in ROOM and not one.name.startswith("message")
}
PACE = (0.1, 0.2)  # seconds that the player takes for a move
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


class Seen(NamedTuple):
    """What was noticed for a while."""

    health: Waits
    moves: Waits


class Watch:
    """What is noticed in several turns, together."""

    def __init__(self, server: Serving, player: Page) -> None:
        self._server, self._player = server, player
        self._health: list[float] = []
        self._moves: list[float] = []
        self._failed = self._lost = 0

    async def look(self, seconds: float) -> None:
        """Look for a while."""
        known, lost = len(self._player.seconds), self._player.lost
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            took, well = await asyncio.to_thread(health, self._server)
            self._health.append(took)
            self._failed += not well
            await asyncio.sleep(EVERY)
        self._moves += self._player.seconds[known:]
        self._lost += self._player.lost - lost

    @property
    def seen(self) -> Seen:
        """What was noticed so far."""
        return Seen(Waits.of(self._health, self._failed), Waits.of(self._moves, self._lost))


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


async def besieged(attack: Attack, seconds: float, turns: int) -> tuple[Seen, Seen]:
    """What is noticed without an attack and beside it, by turns, so that what else runs hits both."""
    with (
        TemporaryDirectory() as folder,
        Serving(Path(folder) / "tables.db", 0, {**USUAL, **attack.env}, files=attack.files) as server,
    ):
        (player,) = party([server], "dtf", 3, level="random", tempo="instant")
        player.pace, player.heard = PACE, deque(maxlen=0)
        playing = asyncio.create_task(player.stay(lambda _: False))
        without, beside = Watch(server, player), Watch(server, player)
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
