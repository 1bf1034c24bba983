"""Somebody who watches a table: the messages that a page is sent."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable
from typing import TYPE_CHECKING

import msgspec
from msgspec import Raw
from msgspec.structs import fields

from ultimo.server import metrics
from ultimo.server.logs import logger
from ultimo.table import PlayerId, story_so_far
from ultimo.table.messages import Full, Goodbye, Update
from ultimo.table.scene import Scene
from ultimo.table.showing import teller_of
from ultimo.telling.teller import Teller

if TYPE_CHECKING:
    from ultimo.server.held import Step

SECTIONS = tuple((field.name, field.encode_name) for field in fields(Scene))
BACKLOG = 64  # steps that a page may be behind before it is sent everything again
FAULT = "a program error prevents this table from being shown; reload the page"


class Viewer:
    """A subscription to a table, as one person sees it in one language: an iterator over encoded messages.

    The first is everything; then come the sections that have changed. A slow page is not waited for.
    """

    def __init__(
        self,
        step: Step,
        player: PlayerId | None,
        language: str,
        clock: Callable[[], float],
        closed: Callable[[Viewer], None],
    ) -> None:
        self.player = player
        self.language = language
        self._clock, self._when_closed = clock, closed
        self._latest = step
        self._steps: deque[Step] = deque()
        self._whole = True  # everything is to be sent next
        self._seq = 0  # that the page has
        self._sent: dict[str, bytes] = {}  # the sections that it has
        self._goodbye: Goodbye | None = None
        self._ended = False
        self._woken = asyncio.Event()

    @property
    def teller(self) -> Teller:
        """Who tells this viewer about the table."""
        return teller_of(self._latest.after, self.language)

    def tell(self, step: Step) -> None:
        """Something has happened."""
        self._latest = step
        if not self._whole:
            self._steps.append(step)
        if len(self._steps) > BACKLOG:
            self.resync()
        self._woken.set()

    def resync(self) -> None:
        """Send everything again instead of what has not been sent."""
        self._steps.clear()
        self._whole = True
        self._woken.set()

    def say_goodbye(self, reason: str, again: bool) -> None:
        """End the subscription from this side, with a word."""
        self._goodbye = Goodbye(reason, again)
        self._woken.set()

    def close(self) -> None:
        """End the subscription."""
        if not self._ended:
            self._ended = True
            self._when_closed(self)
        self._woken.set()

    def __aiter__(self) -> AsyncIterator[bytes]:
        return self

    async def __anext__(self) -> bytes:
        while not self._ended:
            self._woken.clear()
            try:
                message = self._next()
            except Exception:
                logger().exception("a table cannot be shown", table=self._latest.after.table)
                message = self._end(Goodbye(FAULT, False))
            if message is not None:
                return message
            if not self._steps:
                await self._woken.wait()
        raise StopAsyncIteration

    def _next(self) -> bytes | None:
        """The next message, if there is one."""
        if self._goodbye is not None:
            return self._end(self._goodbye)
        if self._whole:
            return self._everything()
        return self._changes(self._steps.popleft()) if self._steps else None

    def _end(self, goodbye: Goodbye) -> bytes:
        self.close()
        return msgspec.json.encode(goodbye)

    def _everything(self) -> bytes:
        step, now = self._latest, self._clock()
        shown = step.scene(self.player, self.language)
        told = story_so_far(step.after, self.player, self.language)
        self._whole = False
        self._seq, self._sent = step.after.seq, sections(shown)
        return msgspec.json.encode(Full(self._seq, shown, told, now))

    def _changes(self, step: Step) -> bytes | None:
        now = self._clock()
        shown = sections(step.scene(self.player, self.language))
        patch = {name: Raw(body) for name, body in shown.items() if self._sent[name] != body}
        if not step.rows and not patch:
            return None
        update = Update(self._seq, step.after.seq, patch, step.story(self.player, self.language), now)
        self._seq, self._sent = step.after.seq, shown
        if step.rows:
            metrics.SEEN.observe(max(0.0, now - step.rows[0].at))
        return msgspec.json.encode(update)


def sections(shown: Scene) -> dict[str, bytes]:
    """The sections of a scene, as they are sent."""
    return {name: msgspec.json.encode(getattr(shown, attribute)) for attribute, name in SECTIONS}
