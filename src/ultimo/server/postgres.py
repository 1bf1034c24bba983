"""The bus and the locks of a server with several processes, by PostgreSQL."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection
from functools import partial
from typing import Any, TypeAlias

import msgspec
from psycopg import AsyncConnection, Error

from ultimo.server.logs import logger
from ultimo.server.sharing import Bus, Hear, Locks, Notice

Connection: TypeAlias = AsyncConnection[Any]

CHANNEL = "ultimo"
AGAIN = 1.0  # seconds before a lost connection is tried again
PATIENCE = 5  # seconds until a connection is given up
FAMILY = 78  # so that the numbers of our locks are not those of other programs


async def _connect(address: str) -> Connection:
    return await AsyncConnection.connect(address, autocommit=True, connect_timeout=PATIENCE)


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
            await connection.execute(query, (CHANNEL, said))

    async def _keep_up(self, work: Callable[[Connection], Awaitable[None]]) -> None:
        """Work over a connection, and when it is lost over another."""
        while not self._closing:
            try:
                async with await _connect(self._address) as connection:
                    await work(connection)
            except (Error, OSError) as error:
                logger().warning("the bus has lost its connection", error=type(error).__name__)
                await asyncio.sleep(AGAIN)


async def _listen(hear: Hear, listening: asyncio.Event, connection: Connection) -> None:
    await connection.execute(f"LISTEN {CHANNEL}")
    hear(Notice(None))
    listening.set()
    async for notify in connection.notifies():
        hear(msgspec.json.decode(notify.payload, type=Notice))


class PostgresLocks(Locks):
    """Advisory locks, which last as long as the connection over which they were taken."""

    def __init__(self, address: str) -> None:
        super().__init__()
        self._address = address
        self._connection: Connection | None = None
        self._one_at_a_time = asyncio.Lock()

    async def take(self, tables: Collection[str]) -> frozenset[str]:
        """Try to own these tables too; all that are owned now, none if the connection has been lost."""
        async with self._one_at_a_time:
            wanted = [table for table in tables if table not in self._owned]
            query = (
                "SELECT name FROM unnest(%s::text[]) AS name "
                f"WHERE pg_try_advisory_lock(hashtextextended(name, {FAMILY}))"
            )
            try:
                self._connection = self._connection or await _connect(self._address)
                found = await (await self._connection.execute(query, (wanted,))).fetchall()
                self._owned |= {name for (name,) in found}
            except (Error, OSError) as error:
                logger().warning("the tables of this process are lost to it", error=type(error).__name__)
                await self._forget()
            return self._owned

    async def release(self, tables: Collection[str]) -> None:
        """Own these tables no longer."""
        async with self._one_at_a_time:
            given = [table for table in tables if table in self._owned]
            self._owned -= frozenset(given)
            query = (
                f"SELECT pg_advisory_unlock(hashtextextended(name, {FAMILY})) FROM unnest(%s::text[]) AS name"
            )
            try:
                if self._connection is not None:
                    await self._connection.execute(query, (given,))
            except (Error, OSError):
                await self._forget()

    async def close(self) -> None:
        """Own nothing any more."""
        async with self._one_at_a_time:
            await self._forget()

    async def _forget(self) -> None:
        connection, self._connection, self._owned = self._connection, None, frozenset()
        if connection is not None:
            await connection.close()
