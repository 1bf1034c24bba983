"""What the solvers of both families share: bounds that are drawn together, and a clock that may stop them."""

from __future__ import annotations

from math import inf
from time import perf_counter

from msgspec import Struct

ENDLESS = 1 << 60  # positions


class TimeIsUp(Exception):
    """A limit came before the answer."""


class Bounds(Struct):
    """Between what two values the truth lies."""

    low: int
    high: int

    @property
    def known(self) -> bool:
        """Whether nothing is left to ask."""
        return self.low == self.high


class Clock:
    """What a search may take: so many seconds, so many positions. A search stops by positions alone."""

    def __init__(self, seconds: float | None, most: int | None) -> None:
        self.start = perf_counter()
        self.end = inf if seconds is None else self.start + seconds
        self.most = ENDLESS if most is None else most
        self.nodes = 0

    @property
    def limited(self) -> bool:
        """Whether there is any limit."""
        return self.end < inf or self.most < ENDLESS

    @property
    def passed(self) -> float:
        """Seconds since the search began."""
        return perf_counter() - self.start

    def slice(self, least: int, most: int) -> int:
        """How many positions to search before the clock is read again; raises `TimeIsUp`."""
        rest, left = self.most - self.nodes, self.end - perf_counter()
        if rest <= 0 or left <= 0:
            raise TimeIsUp
        if self.end < inf:
            speed = self.nodes / max(self.passed, 1e-6)
            most = min(most, max(least, int(speed * left * 0.7)))
        return min(rest, most)
