"""What a deal takes on the disk: dtf, one person and two bots, in SQLite and in PostgreSQL.

The tables are those of the tests, whose folder has to be on the path. Run it as `python benchmarks/disk.py`.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections import Counter
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from msgspec.structs import replace
from sqlalchemy import text

from live import HOST, Evening, bots
from postgres import new_database
from ultimo.server.database import Database
from ultimo.server.figures import figures
from ultimo.server.store import Store
from ultimo.table import Fact, Settings
from ultimo.table.facts import TableOpened
from ultimo.table.messages import Wish
from ultimo.table.pages import Folded, Row, fold, summary

DEALS = 20  # at each table
TABLES = 4


class Batch(NamedTuple):
    """Facts that are written at once, and whether a person has wished them."""

    facts: tuple[Fact, ...]
    wished: bool
    at: float


class Noted(Evening):
    """A table that notes what is written when."""

    def __init__(self, seed: int) -> None:
        self.batches: list[Batch] = []
        self._wished = False
        super().__init__(Settings("dtf", 3, bots(3), deals=DEALS), seed)

    def put(self, facts: tuple[Fact, ...]) -> None:
        """Let facts happen."""
        super().put(facts)
        if facts:
            self.batches.append(Batch(facts, self._wished, self.now))

    def do(self, player: str, wish: Wish) -> None:
        """Let a person wish something."""
        self._wished = True
        super().do(player, wish)
        self._wished = False


async def write(address: str, tables: int) -> None:
    """Write tables as a server does."""
    database = Database(address)
    await database.start()
    store = Store(database)
    for number in range(tables):
        evening = Noted(number)
        evening.play_on(DEALS)
        await _write_table(store, f"{number:016x}", evening)
    await database.close()


async def _write_table(store: Store, table: str, evening: Noted) -> None:
    first, *others = evening.batches
    opened, *rest = first.facts
    assert isinstance(opened, TableOpened)
    first = first._replace(facts=(replace(opened, table=table), *rest))
    folded = fold(None, _rows(None, first))
    brief = summary(folded)
    await store.create(first.facts, first.at, brief)
    for place, batch in enumerate(others):
        before, folded = folded, fold(folded, _rows(folded, batch))
        known, brief = brief, summary(folded)
        await store.append(
            table,
            before.live.seq,
            batch.facts,
            batch.at,
            f"{place:022x}" if batch.wished else None,  # as long as a page makes them
            brief if brief != known else None,
            HOST if place == 0 else None,
            figures(folded.live) if folded.series != before.series else (),
        )


def _rows(folded: Folded | None, batch: Batch) -> list[Row]:
    seq = folded.live.seq if folded is not None else 0
    return [Row(seq + place, fact, batch.at) for place, fact in enumerate(batch.facts, 1)]


def in_sqlite(file: Path) -> Mapping[str, int]:
    """What each table and index takes, in bytes."""
    with closing(sqlite3.connect(file)) as connection:
        return dict(connection.execute("SELECT name, sum(pgsize) FROM dbstat GROUP BY name"))


async def in_postgres(address: str) -> Mapping[str, int]:
    """What each table and index takes, in bytes."""
    query = text(
        "SELECT relname, pg_relation_size(oid) FROM pg_class "
        "WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'i')"
    )
    database = Database(address)
    found = await database.read(lambda connection: dict(map(tuple, connection.execute(query))))
    await database.close()
    return found


async def bodies(address: str) -> tuple[int, Counter[str]]:
    """How many events there are, and what the texts of each kind take."""
    query = text("SELECT kind, count(*), sum(length(body)) FROM event GROUP BY kind")
    database = Database(address)
    rows = await database.read(lambda connection: connection.execute(query).all())
    await database.close()
    return sum(row[1] for row in rows), Counter({row[0]: row[2] for row in rows})


async def sizes_of(address: str) -> Counter[str]:
    """What each table and index takes, in bytes."""
    return Counter(await in_postgres(address) if "://" in address else in_sqlite(Path(address)))


async def measure() -> None:
    """Measure both, and print what a deal takes."""
    deals = DEALS * TABLES
    with TemporaryDirectory() as folder:
        for name, address in (("SQLite", f"{folder}/tables.db"), ("PostgreSQL", new_database())):
            await write(address, 0)
            empty = await sizes_of(address)
            await write(address, TABLES)
            sizes = await sizes_of(address) - empty
            print(f"{name}: {sizes.total() / deals / 1000:.1f} kB a deal")
            for part, size in sizes.most_common(4):
                print(f"  {part:32} {size / deals / 1000:6.1f} kB")
            events, kinds = await bodies(address)
            print(f"  {events / deals:.0f} events, whose texts have {kinds.total() / deals / 1000:.1f} kB")


if __name__ == "__main__":
    asyncio.run(measure())
