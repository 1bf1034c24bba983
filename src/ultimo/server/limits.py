"""How much one person or address may ask for, and how much at the same time; `quotas` says how much in a day.

* How often: token buckets, one for each address or name (`Buckets`).
* How much at the same time: places (`Places`), and gates at which addresses take turns (`Gate`, `Works`).

>>> bucket = Buckets(burst=2, rate=1.0)
>>> [bucket.take("here", now) for now in (0.0, 0.0, 0.0, 1.0)]
[True, True, False, True]
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager
from contextvars import copy_context
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Literal, NamedTuple, TypeAlias, TypeVar

from ultimo.pauses import pausing
from ultimo.server.turns import Asker, Turns

T = TypeVar("T")
Lane: TypeAlias = Literal["quick", "slow"]
Place: TypeAlias = "asyncio.Future[None]"  # in line
Pause: TypeAlias = Callable[[], Coroutine[Any, Any, None]]  # lets others go first

KEPT: Final = 10_000  # buckets
DEBT: Final = 10  # buckets that may be owed at most
REST: Final = 4.0  # times as long as its work took an address waits for its next turn
RESTED: Final = 0.75  # part of its bucket from which on an address need not wait so
LONGEST_REST: Final = 3.0  # seconds
TOKEN: Final = 0.005  # seconds of work that a token pays for
FACTS: Final = 1000  # facts that are read from the database for a token
NEIGHBOURS: Final = 3  # so many times as many passwords as for one name may be tried from one address
SLOWED: Final = 5.0  # seconds that a stranger waits who tries a name at which too many have tried
PIECE: Final = 0.05  # seconds of work, after which others go first,
PAUSES: Final = 30  # as long as no more than so many wait in the midst of their work
LINE: Final = 200  # strangers who may wait at the same time


class Bucket:
    """A bucket of `burst` tokens that gets `rate` new ones a second; it begins full."""

    __slots__ = ("at", "burst", "left", "rate")

    def __init__(self, burst: float, rate: float, now: float) -> None:
        self.burst, self.rate = burst, rate
        self.left, self.at = burst, now

    def take(self, now: float, tokens: float = 1) -> bool:
        """Take a token or more, if there are as many."""
        self._fill(now)
        if self.left < tokens:
            return False
        self.left -= tokens
        return True

    def owe(self, now: float, longest: float) -> float | None:
        """Take a token that may be there later; the seconds until then, or `None` if that is too long."""
        self._fill(now)
        wait = max(0.0, (1 - self.left) / self.rate)
        if wait > longest:
            return None
        self.left -= 1
        return wait

    def _fill(self, now: float) -> None:
        self.left = min(self.burst, self.left + max(0.0, now - self.at) * self.rate)
        self.at = now

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
        return self._of(key, now).take(now)

    def owe(self, key: str, now: float, longest: float) -> float | None:
        """Take a token of `key` that may be there later; the seconds until then, unless that is too long."""
        return self._of(key, now).owe(now, longest)

    def debt(self, key: str, now: float) -> float:
        """The seconds until all that was taken from the bucket of `key` is there."""
        bucket = self._buckets.get(key)
        return 0.0 if bucket is None else max(0.0, -bucket.left / self.rate - (now - bucket.at))

    def _of(self, key: str, now: float) -> Bucket:
        if len(self._buckets) >= KEPT:
            self._forget(now)
        return self._buckets.setdefault(key, Bucket(self.burst, self.rate, now))

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


class TableLimits(NamedTuple):
    """What may be sent at tables: by each person over all their sockets, and by all who watch one table."""

    messages: Buckets  # of a person: whoever sends more is disconnected
    words: Buckets  # of a person: more is refused
    spectators: Buckets  # of a table: what all who watch it ask for together; more is refused, or waits
    lane: asyncio.Lock  # in which the messages of spectators are heard one by one, others in between


class Rarely:
    """What may be said about each key now and then: how often it was not said is told the next time.

    >>> rarely = Rarely(burst=1, rate=1.0)
    >>> [rarely.left_out("noise", now) for now in (0.0, 0.1, 0.2, 1.0)]
    [0, None, None, 2]
    """

    def __init__(self, burst: float, rate: float) -> None:
        self._buckets = Buckets(burst, rate)
        self._unsaid: Counter[str] = Counter()

    def left_out(self, key: str, now: float) -> int | None:
        """How often it was not said since the last time; `None` if it is not to be said now."""
        if self._buckets.take(key, now):
            return self._unsaid.pop(key, 0)
        if len(self._unsaid) >= KEPT:
            self._unsaid.clear()
        self._unsaid[key] += 1
        return None

    def unsaid(self) -> dict[str, int]:
        """How often each was not said, which is told herewith."""
        unsaid, self._unsaid = self._unsaid, Counter()
        return unsaid


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


class Attempts:
    """How many passwords may be tried: from one address at one name, and from one address at all names.

    Nobody can lock a name for others. If too many are tried at one name from many addresses, strangers wait,
    one from each address, and are served in a lane of their own. A browser that has logged in to the name
    before has a bucket to itself: neither strangers nor the neighbours at its address are in its way.
    """

    def __init__(
        self, burst: float, rate: float, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    ) -> None:
        self._own = Buckets(burst, rate)
        self._addresses = Buckets(NEIGHBOURS * burst, NEIGHBOURS * rate)
        self._names = Buckets(burst, rate)
        self._line, self._places = Places(LINE), Places(1)
        self._sleep = sleep

    @asynccontextmanager
    async def attempt(
        self, name: str, address: str, device: str | None, now: float
    ) -> AsyncIterator[Lane | None]:
        """Try a password in the block, in a lane; in none if there have been too many.

        `device` is a browser that has logged in to the name before.
        """
        if device is not None:
            yield "quick" if self._own.take(f"device {device}", now) else None
        elif not (self._own.take(f"{address} {name}", now) and self._addresses.take(address, now)):
            yield None
        elif self._names.take(name, now):
            yield "quick"
        else:
            with self._line.hold("") as room, self._places.hold(address) as place:
                if room and place:
                    await self._sleep(SLOWED)
                yield "slow" if room and place else None


# --- taking turns --------------------------------------------------------------------------------------


class Crowded(Exception):
    """So much waits for this key already that no more is taken."""


class Gate:
    """Lets `most` through at the same time, and of each group of askers only `each`; askers take turns.

    A group may have `waiting` in line; more is refused. So many turns may pause at the same time: then
    whoever comes goes first. When a turn ends, one that has paused goes on.
    """

    def __init__(
        self, most: int, each: int | None = None, waiting: int | None = None, pauses: int = 0
    ) -> None:
        self._free, self._each, self._most_waiting, self._pauses = most, each or most, waiting, pauses
        self._coming, self._paused = Turns[tuple[Asker, Place]](), Turns[tuple[Asker, Place]]()
        self._lines = [self._coming, self._paused]  # whence the next is let in
        self._waiting: Counter[str] = Counter()
        self._inside: Counter[str] = Counter()

    @asynccontextmanager
    async def turn(self, asker: Asker, rest: Callable[[], float] = lambda: 0.0) -> AsyncIterator[Pause]:
        """Wait for a turn, and have it as long as the block runs. Raises `Crowded`.

        The block gets a function that lets others go first, and is cancelled if the block has ended.
        Afterwards the asker rests for so many seconds before it has another turn.
        """
        most = self._most_waiting
        if most is not None and any(self._waiting[group] >= most for group in asker):
            raise Crowded
        place, over = self._line_up(self._coming, asker), False
        self._waiting.update(asker)

        async def pause() -> None:
            nonlocal place
            if over:
                raise asyncio.CancelledError
            if self._pauses:
                self._pauses -= 1
                self._free += 1
                self._lines = [self._coming, self._paused]
                place = self._line_up(self._paused, asker)
                try:
                    await place
                finally:
                    self._pauses += 1

        try:
            try:
                await place
            finally:
                self._waiting -= Counter(asker)
            yield pause
        finally:
            over = True
            if not self._coming.drop(asker, (asker, place)):  # it is not in line any more: it had its turn
                if self._paused.drop(asker, (asker, place)):
                    place.cancel()
                else:
                    self._free += 1
                self._leave(asker, rest())
            self._go_on()

    def _line_up(self, line: Turns[tuple[Asker, Place]], asker: Asker) -> Place:
        """Go to the end of a line; what this returns is done when it is the asker's turn."""
        place: Place = asyncio.get_running_loop().create_future()
        line.add(asker, (asker, place))
        self._go_on()
        return place

    def _leave(self, asker: Asker, rest: float) -> None:
        """Let an asker have another turn, at once or after a rest."""
        if rest > 0:
            asyncio.get_running_loop().call_later(rest, self._leave, asker, 0.0)
        else:
            self._inside -= Counter(asker)
            self._go_on()

    def _go_on(self) -> None:
        """Let those in whose turn it is."""
        while self._free and (taken := self._take()) is not None:
            self._free -= 1
            if not taken.done():
                taken.set_result(None)

    def _take(self) -> Place | None:
        full = {group for group, number in self._inside.items() if number >= self._each}
        for line in self._lines:
            if (taken := line.take(full if line is self._coming else ())) is not None:
                self._lines.sort(key=lambda one: one is line)
                asker, place = taken
                if line is self._coming:
                    self._inside.update(asker)
                return place
        return None


async def _no_pause() -> None:
    """Nobody else waits."""


@dataclass(slots=True)
class Spent:
    """What a turn has cost so far: seconds of work, and facts that were read for it."""

    seconds: float = 0.0
    facts: int = 0
    pause: Pause = _no_pause  # lets others go first

    @property
    def tokens(self) -> float:
        """The same in tokens."""
        return self.seconds / TOKEN + self.facts / FACTS


class Works:
    """What takes more than a moment: done in threads, a few at a time, and for each address one by one.
    What takes long pauses (`ultimo.pauses`), so that it holds up nobody.

    Each thing costs a token before anything is looked at. When it is done, its address pays for the time of
    the processor that it took: who asks for what is expensive may ask for less of it. Between two things of
    one address there is a rest, so that the event loop has the interpreter for itself most of the time.
    """

    def __init__(
        self, buckets: Buckets, most: int, waiting: int, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._buckets, self._gate, self._clock = buckets, Gate(most, 1, waiting, PAUSES), clock
        self._threads = ThreadPoolExecutor(most + PAUSES, "work")

    def spend(self, groups: Asker) -> None:
        """Take the token with which something begins; raises `Crowded` if there is none."""
        now = self._clock()
        if not all(self._buckets.take(group, now) for group in groups):
            raise Crowded

    @asynccontextmanager
    async def turn(self, groups: Asker) -> AsyncIterator[Spent]:
        """A turn of an address, which pays for what is noted as spent. Raises `Crowded`."""
        spent = Spent()
        async with self._gate.turn(groups, lambda: self._rest(groups, spent)) as spent.pause:
            try:
                yield spent
            finally:
                for group in groups:
                    self._buckets.charge(group, spent.tokens)

    def _rest(self, groups: Asker, spent: Spent) -> float:
        """How long an address waits for its next turn; not at all while its bucket is nearly full."""
        is_rested = min(map(self._buckets.filled, groups)) >= RESTED
        return 0.0 if is_rested else min(LONGEST_REST, REST * spent.seconds)

    async def run(self, spent: Spent, work: Callable[[], T]) -> T:
        """The result of work in a thread, within a turn."""
        loop = asyncio.get_running_loop()

        def timed() -> T:
            began, until = time.thread_time(), time.monotonic() + PIECE

            def pause() -> None:
                nonlocal until
                if time.monotonic() >= until:
                    asyncio.run_coroutine_threadsafe(spent.pause(), loop).result()
                    until = time.monotonic() + PIECE

            try:
                with pausing(pause):
                    return work()
            finally:
                spent.seconds += time.thread_time() - began

        return await loop.run_in_executor(self._threads, partial(copy_context().run, timed))

    def close(self) -> None:
        """Begin nothing new."""
        self._threads.shutdown(wait=False, cancel_futures=True)
