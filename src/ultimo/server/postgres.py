"""The bus of a server with several processes, by PostgreSQL."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, TypeAlias

import msgspec
from psycopg import AsyncConnection, Error

from ultimo.server.logs import logger
from ultimo.server.sharing import Bus, Hear, Notice

Connection: TypeAlias = AsyncConnection[Any]

CHANNEL = "ultimo"
AGAIN = 1.0  # seconds before a lost connection is tried again
SILENCE = 10.0  # seconds without a notice after which the database is asked whether it is still there


class PostgresBus(Bus):
    """NOTIFY and LISTEN, each over a connection that comes back by itself.

    NOTIFY is a statement of its own after the commit; inside the transaction it would make all commits queue.
    """

    def __init__(self, address: str) -> None:
        super().__init__()
        self._address = address
        self._waiting: dict[tuple[str | None, str], Notice] = {}
        self._woken = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._closing = False

    async def start(self, hear: Hear) -> None:
        """Listen from now on."""
        listening = asyncio.Event()
        works = (partial(_listen, hear, listening), self._send)
        self._tasks = [asyncio.create_task(self._keep_up(work)) for work in works]
        await listening.wait()

    def tell(self, notice: Notice) -> None:
        """Wake the others; of several notices about one thing the last says it all."""
        self._waiting[notice.table, notice.what] = notice
        self._woken.set()

    async def close(self) -> None:
        """Say what is still to be said, and listen no longer."""
        self._closing = True
        self._woken.set()
        if self._tasks:
            await asyncio.wait(self._tasks[1:], timeout=AGAIN)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _send(self, connection: Connection) -> None:
        while self._waiting or not self._closing:
            await self._woken.wait()
            self._woken.clear()
            notices, self._waiting = self._waiting, {}
            said = [msgspec.json.encode(notice).decode() for notice in notices.values()]
            query = "SELECT pg_notify(%s, said) FROM unnest(%s::text[]) AS said"
            async with asyncio.timeout(SILENCE):
                await connection.execute(query, (CHANNEL, said))

    async def _keep_up(self, work: Callable[[Connection], Awaitable[None]]) -> None:
        """Work over a connection, and when it is lost over another."""
        while not self._closing:
            try:
                async with await AsyncConnection.connect(self._address, autocommit=True) as connection:
                    await work(connection)
            except (Error, OSError, TimeoutError) as error:
                logger().warning("the bus has lost its connection", error=type(error).__name__)
                await asyncio.sleep(AGAIN)


async def _listen(hear: Hear, listening: asyncio.Event, connection: Connection) -> None:
    await connection.execute(f"LISTEN {CHANNEL}")
    hear(Notice(None))
    listening.set()
    while True:
        async for notify in connection.notifies(timeout=SILENCE):
            hear(msgspec.json.decode(notify.payload, type=Notice))
        async with asyncio.timeout(SILENCE):
            await connection.execute("SELECT 1")
