"""How the processes of a server share its tables: how they wake each other, and which of them drives a table.

A notice only says that there is something to read, and may be lost: whoever needs to know reads the log
itself, and looks every few seconds without being woken. Who drives a table lets its bots move, deals its
cards, watches its clocks. Two that drive one at once would do no harm, for the log takes each sequence number
only once; one is enough.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Literal, TypeAlias

from msgspec import Struct

from ultimo.server.database import Database


class Notice(Struct, frozen=True, array_like=True):
    """Something new about a table: facts up to a sequence number, or who is there.

    Or about people: a session has ended, of which this is the hash of the token, or somebody, of whom this is
    the id, is deleted. Without a key: notices may have been lost.
    """

    table: str | None
    what: Literal["facts", "presence", "ended", "deleted"] = "facts"
    seq: int = 0


Hear: TypeAlias = Callable[[Notice], None]


class Bus:
    """Passes notices on; this one inside one process. Everybody hears all of them, the teller too."""

    def __init__(self) -> None:
        self._hearers: list[Hear] = []

    async def start(self, hear: Hear) -> None:
        """Listen from now on."""
        self._hearers.append(hear)

    def tell(self, notice: Notice) -> None:
        """Wake the others; neither waits nor fails."""
        for hear in self._hearers:
            hear(notice)

    async def close(self) -> None:
        """Say what is still to be said, and listen no longer."""
        self._hearers.clear()


class Locks:
    """The tables that this process owns; this one is alone, and owns what it wants."""

    def __init__(self) -> None:
        self._owned: frozenset[str] = frozenset()

    async def take(self, tables: Collection[str]) -> frozenset[str]:
        """Try to own these tables too; all that are owned now, of which some may have been lost."""
        self._owned |= frozenset(tables)
        return self._owned

    async def release(self, tables: Collection[str]) -> None:
        """Own these tables no longer."""
        self._owned -= frozenset(tables)

    async def close(self) -> None:
        """Own nothing any more; another process can take what was owned, as when this one dies."""
        self._owned = frozenset()


def shared(database: Database) -> tuple[Bus, Locks]:
    """The bus and the locks of the processes that share a database."""
    if database.embedded:
        return Bus(), Locks()
    from ultimo.server.postgres import PostgresBus, PostgresLocks  # psycopg is an extra

    return PostgresBus(database.address), PostgresLocks(database.address)
