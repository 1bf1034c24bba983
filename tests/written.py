"""Tables whose logs are written into a database without a server, which then finds them there."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from ultimo.server.accounts import hashed
from ultimo.server.database import Database
from ultimo.server.store import Player, Store
from ultimo.table import Fact
from ultimo.table.pages import Row, fold, summary

HOUR = 3600.0


def write(
    database: str, facts: Sequence[Fact], now: float, guest: Player | None = None, token: str = ""
) -> None:
    """Write the log of a table; its host becomes a guest of the house who is known by a token."""
    with ThreadPoolExecutor(1) as thread:  # Playwright has the event loop of this one
        thread.submit(asyncio.run, _write(database, facts, now, guest, token)).result()


async def _write(address: str, facts: Sequence[Fact], now: float, guest: Player | None, token: str) -> None:
    folded = fold(None, [Row(seq, fact, now) for seq, fact in enumerate(facts, 1)])
    store = Store(Database(address))
    await store.database.start()
    if guest is not None:
        await store.add_guest(guest, now)
        await store.add_session(hashed(token), guest.id, now, now + HOUR)
    await store.create(facts, now, summary(folded))
    await store.database.close()
