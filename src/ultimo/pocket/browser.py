"""The house in a worker of a browser: the browser's database keeps its logs.

What the page gives are proxies of JavaScript, and its promises can be awaited.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from ultimo.pocket.house import House
from ultimo.pocket.storage import Conflict, Full, Kind


def house(store: Any, clock: Callable[[], float]) -> House:
    """The house whose logs a store of the page keeps (`web/src/pocket/storage.ts`)."""
    return House(Kept(store), clock)


class Kept:
    """The store of the page as `Storage`."""

    def __init__(self, store: Any) -> None:
        self._store = store

    async def append(self, log: str, after: int, rows: Sequence[str], cmd: str | None) -> None:
        """Write rows behind the first `after` of a log."""
        with _refused():
            await self._store.append(log, after, list(rows), cmd)

    async def applied(self, log: str, cmd: str) -> int | None:
        """Where the rows begin that obey a command."""
        found = await self._store.applied(log, cmd)
        return None if found is None else int(found)

    async def read(self, log: str, after: int = 0) -> list[tuple[int, str]]:
        """The rows behind the first `after`."""
        return [(int(seq), row) for seq, row in (await self._store.read(log, after)).to_py()]

    async def describe(self, log: str, kind: Kind, line: str) -> None:
        """Keep a line about a log."""
        with _refused():
            await self._store.describe(log, kind, line)

    async def logs(self, kind: Kind) -> list[tuple[str, str]]:
        """All logs of a kind."""
        return [(log, line) for log, line in (await self._store.logs(kind)).to_py()]

    async def forget(self, log: str) -> None:
        """Delete a log."""
        await self._store.forget(log)

    async def clear(self) -> None:
        """Delete everything."""
        await self._store.clear()

    async def get(self, key: str) -> str | None:
        """The value of a name."""
        found: str | None = await self._store.get(key)
        return found

    async def put(self, key: str, value: str) -> None:
        """Keep a value by a name."""
        with _refused():
            await self._store.put(key, value)


@contextmanager
def _refused() -> Iterator[None]:
    """What the store refuses, by its name there."""
    try:
        yield
    except Exception as error:  # of JavaScript
        match getattr(error, "name", ""):
            case "Conflict":
                raise Conflict(str(error)) from None
            case "Full":
                raise Full(str(error)) from None
        raise
