"""How the processes of a server share its tables: how they wake each other, and which of them drives a table.

A notice only says that there is something to read, and may be lost: whoever needs to know reads the log
itself, and looks every few seconds without being woken. Who drives a table lets its bots move, deals its
cards, watches its clocks: the process that has its lease.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeAlias

from msgspec import Struct

from ultimo.server.database import Database
from ultimo.server.leases import Leases, SharedLeases


class Notice(Struct, frozen=True, array_like=True):
    """Something new about a table: facts up to a sequence number, who is there, or the log from its start.

    Or about people: a session has ended, of which this is the hash of the token, or somebody, of whom this is
    the id, is deleted. Without a key: notices may have been lost.
    """

    table: str | None
    what: Literal["facts", "presence", "anew", "ended", "deleted"] = "facts"
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


def shared(database: Database, node: str, lease: float) -> tuple[Bus, Leases]:
    """The bus and the leases of a process, which may share its database with others."""
    if database.embedded:
        return Bus(), Leases()
    from ultimo.server.postgres import PostgresBus  # psycopg is an extra

    return PostgresBus(database.address), SharedLeases(database, node, lease)
