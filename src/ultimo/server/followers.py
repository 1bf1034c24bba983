"""Those who follow something that others write: they wait, and are woken."""

from __future__ import annotations

import asyncio


class Followers:
    """Who waits for news about what, in this process; whoever needs news from another looks for it."""

    def __init__(self) -> None:
        self._waiting: dict[str, set[asyncio.Event]] = {}
        self.closed = False

    def wake(self, key: str) -> None:
        """Wake all who wait for news about something."""
        for event in self._waiting.get(key, ()):
            event.set()

    async def wait(self, key: str, seconds: float) -> None:
        """Wait for news about something, but no longer than so many seconds."""
        event = asyncio.Event()
        self._waiting.setdefault(key, set()).add(event)
        try:
            if not self.closed:
                await asyncio.wait_for(event.wait(), seconds)
        except TimeoutError:
            pass
        finally:
            self._waiting[key].discard(event)
            if not self._waiting[key]:
                del self._waiting[key]

    def close(self) -> None:
        """Let nobody wait any longer."""
        self.closed = True
        for key in list(self._waiting):
            self.wake(key)
