"""Which process drives a table: lets its bots move, deals its cards, watches its clocks.

Two that drive one table at once would do no harm, for the log takes each sequence number only once; one is
enough.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol

from ultimo.server.database import Database


class Locks(Protocol):
    """The tables that this process owns. When it dies, another can take them."""

    async def take(self, tables: Collection[str]) -> frozenset[str]:
        """Try to own these tables too; all that are owned now, of which some may have been lost."""
        ...

    async def release(self, tables: Collection[str]) -> None:
        """Own these tables no longer."""
        ...

    async def close(self) -> None:
        """Own nothing any more."""
        ...


class LocalLocks:
    """For a process that is alone: it owns what it wants."""

    def __init__(self) -> None:
        self._owned: frozenset[str] = frozenset()

    async def take(self, tables: Collection[str]) -> frozenset[str]:
        """Own these tables too."""
        self._owned |= frozenset(tables)
        return self._owned

    async def release(self, tables: Collection[str]) -> None:
        """Own these tables no longer."""
        self._owned -= frozenset(tables)

    async def close(self) -> None:
        """Own nothing any more."""
        self._owned = frozenset()


def locks_of(database: Database) -> Locks:
    """The locks of the processes that share a database."""
    if database.embedded:
        return LocalLocks()
    from ultimo.server.postgres import PostgresLocks  # psycopg is an extra

    return PostgresLocks(database.address)
