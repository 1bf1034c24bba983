"""Places in an array, given out one after the other: every array of the kernel is laid out with this.

A module of places is imported as `at`, so that `s[at.TURN]` says in which array a place lies.

>>> place = Places()
>>> TURN, HANDS, LED = place(), place(3), place()
>>> TURN, HANDS, LED, place.end
(0, 1, 4, 5)
"""

from __future__ import annotations


class Places:
    """Gives out places from `start` on; `end` is the first that is still free."""

    def __init__(self, start: int = 0) -> None:
        self.end = start

    def __call__(self, number: int = 1) -> int:
        """The first of the next `number` places."""
        self.end += number
        return self.end - number
