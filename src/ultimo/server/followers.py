"""Those who follow something that others write, or watch over a session: they wait, and are woken."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager


class Followers:
    """Who waits for news about what, in this process; whoever needs news from another looks for it."""

    def __init__(self) -> None:
        self._waiting: dict[str, set[asyncio.Event]] = {}
        self.closed = False

    def wake(self, key: str) -> None:
        """Wake all who wait for news about something."""
        for event in self._waiting.get(key, ()):
            event.set()

    def wake_all(self) -> None:
        """Wake everybody: there may be news about anything."""
        for key in list(self._waiting):
            self.wake(key)

    @contextmanager
    def listening(self, *keys: str) -> Iterator[asyncio.Event]:
        """Hear of news about some things as long as the block runs: it sets the event."""
        event = asyncio.Event()
        for key in keys:
            self._waiting.setdefault(key, set()).add(event)
        try:
            if self.closed:
                event.set()
            yield event
        finally:
            for key in set(keys):
                self._waiting[key].discard(event)
                if not self._waiting[key]:
                    del self._waiting[key]

    async def wait(self, event: asyncio.Event, seconds: float) -> None:
        """Wait for the news that an event stands for, but no longer than so many seconds."""
        try:
            if not self.closed:
                await asyncio.wait_for(event.wait(), seconds)
        except TimeoutError:
            pass

    def close(self) -> None:
        """Let nobody wait any longer."""
        self.closed = True
        self.wake_all()
