"""Arrays of integers as the kernel uses them: numpy's, or where there is none the standard library's.

Whoever runs the kernel as Python needs no more than to read a place, to write it, and to hand on a part of an
array that is written to through its slice: a `memoryview` does all of that. So the players and the solver go
without numpy, and find the same. A slice takes an array: `paper[2:] = ints((5, 6))`.

>>> paper = zeros(4)
>>> part = paper[2:]
>>> part[0] = 7
>>> int(paper[2]), len(ints((1, 2, 3)))
(7, 3)
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from typing import Any

from ultimo.kernel.jit import Ints, Words

np: Any
try:
    import numpy as np
except ImportError:
    np = None


def zeros(length: int) -> Ints:
    """An array of integers, all of them 0. Those of numpy take memory where they are first written to."""
    return filled(length, 0) if np is None else np.zeros(length, np.int64)


def filled(length: int, value: int) -> Ints:
    """An array of integers, all of them the same."""
    return _kept(array("q", (value,)) * length, "int64")


def aligned(length: int, place: int, line: int) -> Ints:
    """So many zeros, so that at `place` a line of `line` words of the memory begins, where that counts."""
    if np is None:  # Python is slower than any memory
        return zeros(length)
    words: Ints = np.zeros(length + line, np.int64)
    start = -(words.ctypes.data // 8 + place) % line
    return words[start : start + length]


def ints(values: Iterable[int]) -> Ints:
    """An array of these integers."""
    return _kept(array("q", values), "int64")


def words(values: Iterable[int]) -> Words:
    """An array of words of 64 bits, as dice are."""
    return _kept(array("Q", values), "uint64")


def joined(first: Ints, second: Ints) -> Ints:
    """The one array and behind it the other, both copied."""
    return _kept(array("q", first.tobytes() + second.tobytes()), "int64")


def _kept(made: array[int], kind: str) -> Any:
    return memoryview(made) if np is None else np.array(made, kind)
