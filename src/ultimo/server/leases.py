"""Leases: which process drives a table, and until when, by the clock of the database.

A process that hangs, or whose machine has vanished, cannot give its tables back; so it has them only for a
few seconds, and asks again before they are over. Who takes a table over gets a higher fencing token. What a
table does by itself is written only under the lease, which is looked at in the transaction that writes: a
process that comes back after a pause writes nothing by itself, whatever it believes.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from contextlib import suppress

from msgspec import Struct
from sqlalchemy import Connection, Text, func, literal, select, update
from sqlalchemy.dialects.postgresql import ARRAY, insert

from ultimo.server.database import POSTGRES_CLOCK, Database, Unavailable, among
from ultimo.server.schema import lease as leases

SECONDS = 6.0  # for which a lease is given; it is asked for again three times in that time
# Which of some leases are held: nobody takes them over before the transaction that asks has ended, while
# whoever has them may renew them.
HELD = """
    SELECT FROM lease
    JOIN unnest(%(leased)b::text[], %(nodes)b::text[], %(fences)b::int[]) AS given (table_id, node, fence)
    USING (table_id, node, fence)
    WHERE until > (SELECT extract(epoch FROM clock_timestamp())::float8)
    ORDER BY table_id FOR KEY SHARE OF lease
"""


class Lease(Struct, frozen=True):
    """A table that a process drives, under a fencing token that nobody else has had."""

    table: str
    node: str
    fence: int


class LeaseLost(Exception):
    """The lease has run out, or another process has it: this one must not drive the table."""


class Leases:
    """The leases of this process; this one is alone with its database, and needs none."""

    async def hold(self, tables: Collection[str]) -> Mapping[str, Lease | None]:
        """Keep these tables, or take those that nobody drives; which of them this process may drive now.

        May raise `Unavailable`: then nobody knows, and the leases go on until they run out.
        """
        return dict.fromkeys(tables)

    async def release(self, tables: Collection[str]) -> None:
        """Drive these tables no longer: another process may at once."""

    async def close(self) -> None:
        """Ask no more."""


class SharedLeases(Leases):
    """Leases in PostgreSQL. They have a connection of their own, so that slow work does not lose them."""

    def __init__(self, database: Database, node: str, seconds: float = SECONDS) -> None:
        self._database = Database(database.url.render_as_string(hide_password=False), 1, answer=seconds)
        self._node, self._seconds = node, seconds

    async def hold(self, tables: Collection[str]) -> Mapping[str, Lease | None]:
        """Keep these tables, or take those that nobody drives; which of them this process may drive now."""
        if not tables:
            return {}
        wanted = sorted(tables)  # so that two processes which want the same do not wait for each other
        fences = await self._database.write(lambda connection: self._hold(connection, wanted))
        return {table: Lease(table, self._node, fence) for table, fence in fences.items()}

    async def release(self, tables: Collection[str]) -> None:
        """Drive these tables no longer; if that cannot be said, the leases run out."""
        if tables:
            with suppress(Unavailable):
                await self._database.write(lambda connection: self._release(connection, tables))

    async def close(self) -> None:
        """Ask no more."""
        await self._database.close()

    def _release(self, connection: Connection, tables: Collection[str]) -> None:
        mine = leases.c.node == self._node, among(connection, leases.c.table_id, tables)
        connection.execute(update(leases).where(*mine).values(until=0.0))

    def _hold(self, connection: Connection, wanted: list[str]) -> dict[str, int]:
        """Renew, take over what has run out, begin what is new; the fencing tokens.

        Rows that somebody else works with are left for the next time.
        """
        until = POSTGRES_CLOCK + self._seconds
        token = leases.c.table_id, leases.c.fence
        mine = leases.c.node == self._node, among(connection, leases.c.table_id, wanted)
        renewed = update(leases).where(*mine).values(until=until)
        held = dict(map(tuple, connection.execute(renewed.returning(*token))))
        others = [table for table in wanted if table not in held]
        if others:
            ended = select(leases.c.table_id).where(among(connection, leases.c.table_id, others))
            ended = ended.where(leases.c.until < POSTGRES_CLOCK)
            taken = leases.c.table_id.in_(ended.with_for_update(skip_locked=True))
            over = update(leases).where(taken).values(node=self._node, fence=leases.c.fence + 1, until=until)
            held |= dict(map(tuple, connection.execute(over.returning(*token))))
            names = func.unnest(literal(others, ARRAY(Text))).column_valued("name")
            new = select(names, literal(self._node), literal(1), until)
            begun = insert(leases).from_select(["table_id", "node", "fence", "until"], new)
            begun = begun.on_conflict_do_nothing()
            held |= dict(map(tuple, connection.execute(begun.returning(*token))))
        return held
