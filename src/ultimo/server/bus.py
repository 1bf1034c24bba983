"""How the processes of a server wake each other when something has happened at a table.

A notice only says that there is something to read, and may be lost: whoever needs to know reads the log
itself, and looks every few seconds without being woken.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, Protocol, TypeAlias

from msgspec import Struct

from ultimo.server.database import Database


class Notice(Struct, frozen=True, array_like=True):
    """Something new about a table: facts up to a sequence number, who is there, or the log from its start.

    Without a table: notices may have been lost.
    """

    table: str | None
    what: Literal["facts", "presence", "anew"] = "facts"
    seq: int = 0


Hear: TypeAlias = Callable[[Notice], None]


class Bus(Protocol):
    """Passes notices on. Everybody hears all of them, the teller too."""

    async def start(self, hear: Hear) -> None:
        """Listen from now on."""
        ...

    def tell(self, notice: Notice) -> None:
        """Wake the others; neither waits nor fails."""
        ...

    async def close(self) -> None:
        """Say what is still to be said, and listen no longer."""
        ...


class LocalBus:
    """A bus inside one process."""

    def __init__(self) -> None:
        self._hearers: list[Hear] = []

    async def start(self, hear: Hear) -> None:
        """Listen from now on."""
        self._hearers.append(hear)

    def tell(self, notice: Notice) -> None:
        """Wake the others."""
        for hear in self._hearers:
            hear(notice)

    async def close(self) -> None:
        """Listen no longer."""
        self._hearers.clear()


def bus_of(database: Database) -> Bus:
    """The bus of the processes that share a database."""
    if database.embedded:
        return LocalBus()
    from ultimo.server.postgres import PostgresBus  # psycopg is an extra

    return PostgresBus(database.address)
