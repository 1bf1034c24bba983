"""Reviews: made once in pieces, shared by all who wait for one, and kept."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from functools import partial
from hashlib import sha256
from time import perf_counter

import msgspec
from msgspec import Struct

from ultimo.answers import advice
from ultimo.answers.payloads import ReviewProgress
from ultimo.events import DealEvent
from ultimo.rulebook import Rules
from ultimo.rulebook import digest as rules_digest
from ultimo.server import metrics
from ultimo.server.appending import TableId
from ultimo.server.logs import logger
from ultimo.server.store import Store
from ultimo.server.thinking import Thinking, Unfinished
from ultimo.server.turns import Asker
from ultimo.tutor import VERSION
from ultimo.tutor.decisions import decisions

CHUNK = 1  # decisions in a piece


class Order(Struct, frozen=True):
    """A deal that is to be reviewed."""

    table: TableId
    deal: int
    rules: Rules
    events: tuple[DealEvent, ...]
    samples: int
    digest: str  # of all that the review depends on


def order(table: TableId, deal: int, rules: Rules, events: tuple[DealEvent, ...], samples: int) -> Order:
    """A deal to be reviewed; one of which something was taken back has another digest."""
    told = msgspec.json.encode((rules_digest(rules), samples, events))
    return Order(table, deal, rules, events, samples, sha256(told).hexdigest())


class Making:
    """A review that is being made, and how many wait for it."""

    def __init__(self, order: Order) -> None:
        self.order = order
        self.done, self.of, self.readers = 0, 0, 0
        self.task: asyncio.Task[bytes] | None = None
        self._changed = asyncio.Event()

    def changed(self) -> None:
        """Wake all who wait to hear something new."""
        self._changed.set()
        self._changed = asyncio.Event()

    async def until_changed(self) -> None:
        """Wait for something new."""
        await self._changed.wait()


class Reviews:
    """The reviews of a process."""

    def __init__(self, store: Store, thinking: Thinking, clock: Callable[[], float]) -> None:
        self._store, self._thinking, self._clock = store, thinking, clock
        self._makings: dict[tuple[TableId, int, str], Making] = {}  # the oldest first

    async def kept(self, order: Order) -> bytes | None:
        """A review that was made before."""
        body = await self._store.review(order.table, order.deal, VERSION, order.digest)
        if body is not None:
            metrics.REVIEWS.labels("kept").inc()
        return body

    async def follow(self, asker: Asker, order: Order) -> AsyncGenerator[ReviewProgress | bytes, None]:
        """How far a review has come, again and again, and at last the review. Raises `Unfinished`.

        It goes on as long as somebody follows it.
        """
        key = order.table, order.deal, order.digest
        making = self._makings.get(key)
        if making is None:
            making = self._makings[key] = Making(order)
            making.task = asyncio.create_task(self._make(asker, making))
            making.task.add_done_callback(partial(self._ended, making))
        making.readers += 1
        assert making.task is not None
        try:
            while not making.task.done():
                yield ReviewProgress(making.done, making.of, self._before(making))
                await making.until_changed()
            if making.task.cancelled():
                raise Unfinished
            yield making.task.result()
        finally:
            making.readers -= 1
            if not making.readers:
                self._makings.pop(key, None)
                making.task.cancel()

    def _before(self, making: Making) -> int:
        """How many reviews come before one of which nothing is done yet."""
        return 0 if making.done else list(self._makings.values()).index(making)

    def _ended(self, making: Making, task: asyncio.Task[bytes]) -> None:
        order = making.order
        self._makings = {key: one for key, one in self._makings.items() if one is not making}
        error = None if task.cancelled() else task.exception()
        metrics.REVIEWS.labels("left" if task.cancelled() else "failed" if error else "made").inc()
        if error is not None and not isinstance(error, Unfinished):
            logger().error("a review has failed", table=order.table, deal=order.deal, exc_info=error)
        for one in (making, *self._makings.values()):
            one.changed()

    async def _make(self, asker: Asker, making: Making) -> bytes:
        """Make a review in pieces, and keep it."""
        began, order = perf_counter(), making.order
        rules, events = order.rules, order.events
        making.of = await asyncio.to_thread(lambda: sum(1 for _ in decisions(rules, events)))
        making.changed()

        async def part(first: int) -> bytes:
            last = min(first + CHUNK, making.of)
            found = await self._thinking.think(
                asker, advice.review_part, rules, events, first, last, order.samples
            )
            making.done += last - first
            making.changed()
            return found

        try:
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(part(first)) for first in range(0, making.of, CHUNK)]
        except ExceptionGroup as failed:
            raise failed.exceptions[0] from None
        parts = [task.result() for task in tasks]
        body = await self._thinking.think(asker, advice.joined, rules, events, parts)
        await self._store.keep_review(order.table, order.deal, VERSION, order.digest, body, self._clock())
        metrics.REVIEW.observe(perf_counter() - began)
        return body
