"""Arrays of integers as the kernel uses them: numpy's, or where there is none the standard library's.

Whoever runs the kernel as Python needs no more than to read a place, to write it, and to hand on a part of an
array that is written to through its slice: a `memoryview` does all of that. So the players go without numpy,
and decide alike.

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
    """An array of integers, all of them 0."""
    return _kept(array("q", bytes(8 * length)), "int64")


def ints(values: Iterable[int]) -> Ints:
    """An array of these integers."""
    return _kept(array("q", values), "int64")


def words(values: Iterable[int]) -> Words:
    """An array of words of 64 bits, as dice are."""
    return _kept(array("Q", values), "uint64")


def _kept(made: array[int], kind: str) -> Any:
    return memoryview(made) if np is None else np.array(made, kind)
