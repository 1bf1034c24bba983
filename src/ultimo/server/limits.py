"""How much one may ask for: buckets of tokens that fill by themselves, one for each address or name.

>>> bucket = Buckets(burst=2, rate=1.0)
>>> [bucket.take("here", now) for now in (0.0, 0.0, 0.0, 1.0)]
[True, True, False, True]
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

KEPT = 10_000  # buckets


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

    def _forget(self, now: float) -> None:
        full = self.burst / self.rate  # seconds after which any bucket is full
        used = [(key, one) for key, one in self._buckets.items() if now - one.at < full]
        used.sort(key=lambda item: item[1].at)
        self._buckets = dict(used[-KEPT // 2 :])


class TableLimits(NamedTuple):
    """What may be sent at tables: by each person over all their sockets, and by all who watch one table."""

    messages: Buckets  # of a person: whoever sends more is disconnected
    words: Buckets  # of a person: more is refused
    spectators: Buckets  # of a table: what all who watch it ask for together; more is refused, or waits
    lane: asyncio.Lock  # in which the messages of spectators are heard one by one, others in between


class Places:
    """How many of something each key holds at the same time."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._held: Counter[str] = Counter()

    @contextmanager
    def hold(self, key: str) -> Iterator[bool]:
        """Hold a place as long as the block runs; whether there was one."""
        if self._held[key] >= self.most:
            yield False
            return
        self._held[key] += 1
        try:
            yield True
        finally:
            self._held[key] -= 1
            if not self._held[key]:
                del self._held[key]
