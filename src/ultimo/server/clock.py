"""The time of a process: read from the database once, then carried on by a clock that never jumps.

A wall clock is set by people and by the network, and no two machines agree. Tables wait by this one instead:
whatever happens to the wall clock, nobody's time to think runs out early, and no table stands still.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Final

DAY: Final = 86400.0  # seconds
GENTLY: Final = 0.01  # how much faster or slower than time it may run to come back to the database's time
SPAN: Final = 10.0  # seconds after a look at the database's clock in which a small difference is made up for

passed: Final[Callable[[], float]] = partial(
    time.clock_gettime, getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
)
"""Seconds since some moment: never set, and on Linux counted while the machine sleeps."""


class Clock:
    """A clock that shows `now` when it is made; it never jumps, and never goes backwards.

    >>> seconds = iter([0.0, 5.0, 10.0, 20.0, 30.0])
    >>> clock = Clock(1000.0, lambda: next(seconds))
    >>> clock()
    1005.0
    >>> clock.correct(4610.0)  # the database's clock was set forward by an hour
    >>> clock(), clock()
    (1020.1, 1030.1)
    """

    def __init__(self, now: float, elapsed: Callable[[], float] = passed) -> None:
        self._elapsed = elapsed
        self._at, self._since, self._gain = now, elapsed(), 0.0

    def __call__(self) -> float:
        """Seconds since 1970."""
        return self._shown(self._elapsed() - self._since)

    def correct(self, now: float) -> None:
        """Come nearer to what the database's clock shows, without a jump."""
        since = self._elapsed()
        self._at, self._since = self._shown(since - self._since), since
        self._gain = max(-GENTLY, min(GENTLY, (now - self._at) / SPAN))

    def _shown(self, seconds: float) -> float:
        return self._at + seconds + self._gain * min(seconds, SPAN)
