"""How much one person or address may ask for, keep running and keep.

* How often: token buckets, one for each address or name (`Buckets`).
* How much at the same time: places (`Places`), and gates at which addresses take turns (`Gate`, `Works`).
* How much in a day, and how much is kept: counted in the database, so that a restart changes nothing
  (`Quotas`).

>>> bucket = Buckets(burst=2, rate=1.0)
>>> [bucket.take("here", now) for now in (0.0, 0.0, 0.0, 1.0)]
[True, True, False, True]
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Collection, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager
from contextvars import copy_context
from dataclasses import dataclass
from functools import partial
from typing import Final, Literal, TypeAlias, TypeVar

from sqlalchemy import Connection, delete

from ultimo.server.accounts import DAY
from ultimo.server.database import Database, insert_or_change
from ultimo.server.schema import quota
from ultimo.server.turns import Turns

T = TypeVar("T")
Daily: TypeAlias = Literal["guests", "tables", "sheets", "clubs", "tournaments", "invitations", "bytes"]

KEPT: Final = 10_000  # buckets
DEBT: Final = 10  # buckets that may be owed at most
REST: Final = 4.0  # times as long as its work took an address waits for its next turn
RESTED: Final = 0.75  # part of its bucket from which on an address need not wait so
LONGEST_REST: Final = 3.0  # seconds
TOKEN: Final = 0.005  # seconds of work that a token pays for
FACTS: Final = 1000  # facts that are read from the database for a token


class Bucket:
    """A bucket of `burst` tokens that gets `rate` new ones a second; it begins full."""

    __slots__ = ("at", "burst", "left", "rate")

    def __init__(self, burst: float, rate: float, now: float) -> None:
        self.burst, self.rate = burst, rate
        self.left, self.at = burst, now

    def take(self, now: float) -> bool:
        """Take a token, if there is one."""
        self.left = min(self.burst, self.left + max(0.0, now - self.at) * self.rate)
        self.at = now
        if self.left < 1:
            return False
        self.left -= 1
        return True

    def charge(self, tokens: float) -> None:
        """Take tokens for what has been done; what is owed has a bound."""
        self.left = max(-DEBT * self.burst, self.left - tokens)


class Buckets:
    """A bucket for each key; those that must be full again are forgotten, and in a crowd the oldest."""

    def __init__(self, burst: float, rate: float) -> None:
        self.burst, self.rate = burst, rate
        self._buckets: dict[str, Bucket] = {}

    def take(self, key: str, now: float) -> bool:
        """Take a token from the bucket of `key`, if there is one."""
        if len(self._buckets) >= KEPT:
            self._forget(now)
        bucket = self._buckets.setdefault(key, Bucket(self.burst, self.rate, now))
        return bucket.take(now)

    def charge(self, key: str, tokens: float) -> None:
        """Take tokens for what was begun with one and turned out to cost more."""
        if key in self._buckets:
            self._buckets[key].charge(tokens)

    def filled(self, key: str) -> float:
        """Which part of the bucket of `key` was left when something was last taken from it."""
        return self._buckets[key].left / self.burst if key in self._buckets else 1.0

    def _forget(self, now: float) -> None:
        full = (1 + DEBT) * self.burst / self.rate  # seconds after which any bucket is full, whatever it owed
        used = [(key, one) for key, one in self._buckets.items() if now - one.at < full]
        used.sort(key=lambda item: item[1].at)
        self._buckets = dict(used[-KEPT // 2 :])


class Places:
    """How many of something each key holds at the same time."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._held: Counter[str] = Counter()

    @contextmanager
    def hold(self, key: str) -> Iterator[bool]:
        """Hold a place as long as the block runs; whether there was one."""
        if self._held.get(key, 0) >= self.most:
            yield False
            return
        self._held[key] += 1
        try:
            yield True
        finally:
            self._held[key] -= 1
            if not self._held[key]:
                del self._held[key]


# --- taking turns --------------------------------------------------------------------------------------


class Crowded(Exception):
    """So much waits for this key already that no more is taken."""


class Gate:
    """Lets `most` through at the same time, and of each key only `each`; keys that wait take turns.

    A key may have `waiting` in line; more is refused.
    """

    def __init__(self, most: int, each: int | None = None, waiting: int | None = None) -> None:
        self._free, self._each = most, each or most
        self._most_waiting = waiting
        self._turns: Turns[tuple[str, asyncio.Future[None]]] = Turns()
        self._waiting: Counter[str] = Counter()
        self._inside: Counter[str] = Counter()

    @asynccontextmanager
    async def turn(self, key: str, rest: Callable[[], float] = lambda: 0.0) -> AsyncIterator[None]:
        """Wait for a turn, and have it as long as the block runs. Raises `Crowded`.

        Afterwards its key rests for so many seconds before it has another.
        """
        if self._most_waiting is not None and self._waiting.get(key, 0) >= self._most_waiting:
            raise Crowded
        let_in: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._turns.add(key, (key, let_in))
        self._waiting[key] += 1
        self._go_on()
        try:
            try:
                await let_in
            finally:
                self._waiting -= Counter([key])
            yield
        finally:
            if not self._turns.drop(key, (key, let_in)):  # it is not in line any more: it had its turn
                self._free += 1
                self._leave(key, rest())
            self._go_on()

    def _leave(self, key: str, rest: float) -> None:
        """Let a key have another turn, at once or after a rest."""
        if rest > 0:
            asyncio.get_running_loop().call_later(rest, self._leave, key, 0.0)
        else:
            self._inside -= Counter([key])
            self._go_on()

    def _go_on(self) -> None:
        """Let those in whose turn it is."""
        while self._free:
            full = {key for key, number in self._inside.items() if number >= self._each}
            if (next_one := self._turns.take(full)) is None:
                return
            key, let_in = next_one
            self._free -= 1
            self._inside[key] += 1
            if not let_in.done():
                let_in.set_result(None)


@dataclass(slots=True)
class Spent:
    """What a turn has cost so far: seconds of work, and facts that were read for it."""

    seconds: float = 0.0
    facts: int = 0

    @property
    def tokens(self) -> float:
        """The same in tokens."""
        return self.seconds / TOKEN + self.facts / FACTS


class Works:
    """What takes more than a moment: done in threads, a few at a time, and for each address one by one.

    Each thing costs a token before anything is looked at. When it is done, its address pays for the time of
    the processor that it took: who asks for what is expensive may ask for less of it. Between two things of
    one address there is a rest, so that the event loop has the interpreter for itself most of the time.
    """

    def __init__(
        self, buckets: Buckets, most: int, waiting: int, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._buckets, self._gate, self._clock = buckets, Gate(most, 1, waiting), clock
        self._threads = ThreadPoolExecutor(most, "work")

    def spend(self, key: str) -> None:
        """Take the token with which something begins; raises `Crowded` if there is none."""
        if not self._buckets.take(key, self._clock()):
            raise Crowded

    @asynccontextmanager
    async def turn(self, key: str) -> AsyncIterator[Spent]:
        """A turn of a key, which pays for what is noted as spent. Raises `Crowded`."""
        spent = Spent()
        async with self._gate.turn(key, lambda: self._rest(key, spent)):
            try:
                yield spent
            finally:
                self._buckets.charge(key, spent.tokens)

    def _rest(self, key: str, spent: Spent) -> float:
        """How long a key waits for its next turn; not at all as long as its bucket is nearly full."""
        return min(LONGEST_REST, REST * spent.seconds) if self._buckets.filled(key) < RESTED else 0.0

    async def run(self, spent: Spent, work: Callable[[], T]) -> T:
        """The result of work in a thread, within a turn."""

        def timed() -> T:
            began = time.thread_time()
            try:
                return work()
            finally:
                spent.seconds += time.thread_time() - began

        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, partial(copy_context().run, timed))

    def close(self) -> None:
        """Begin nothing new."""
        self._threads.shutdown(wait=False, cancel_futures=True)


# --- by the day ----------------------------------------------------------------------------------------


class OverQuota(Exception):
    """More than one person or address may have in a day."""


class Quotas:
    """What each person and each address has used of something today; `most` says of what how much.

    It stands in the database, for all processes, and what is of an earlier day is deleted.
    """

    def __init__(
        self, database: Database, most: Mapping[Daily, int], clock: Callable[[], float] = time.time
    ) -> None:
        self._database, self._clock = database, clock
        self.most = most

    async def use(self, what: Daily, who: Collection[str], amount: int = 1) -> None:
        """Use something up for each of these, or for none of them and raise `OverQuota`."""
        day, most = int(self._clock() // DAY), self.most[what]

        def job(connection: Connection) -> None:
            connection.execute(delete(quota).where(quota.c.day < day))
            if not all(_used(connection, one, what, day, amount, most) for one in who):
                raise OverQuota

        await self._database.write(job)


def _used(connection: Connection, who: str, what: str, day: int, amount: int, most: int) -> bool:
    """Write down what somebody uses, unless it is too much: in one statement, so that no two can pass."""
    if amount > most:
        return False
    statement = insert_or_change(connection, quota).values(who=who, what=what, day=day, used=amount)
    used = quota.c.used + statement.excluded.used
    statement = statement.on_conflict_do_update(
        index_elements=["who", "what", "day"], set_={"used": used}, where=used <= most
    )
    return connection.execute(statement.returning(quota.c.used)).first() is not None
