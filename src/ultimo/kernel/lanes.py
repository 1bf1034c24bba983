"""Small integers side by side in words: how the numbers of a network lie, and are summed up.

Every argument is an array of words. Compiled code works on sixteen integers and more at once: it is written
so that the compiler finds the vector instructions for it. Python does the same one by one; sums of integers
are the same in whatever order they are made.
"""

from __future__ import annotations

from operator import mul
from typing import Any

from ultimo.kernel.jit import COMPILED, Ints

BYTES, SHORTS = 8, 4  # integers of 8 and of 16 bits in a word


def add_rows(sums: Ints, rows: Ints, chosen: Ints) -> None:
    """Add the chosen rows, of 8 bits each number, to as many sums of 16 bits, which hold them all."""
    totals, table = _shorts(sums), _bytes(rows)
    width = len(totals)
    for row in chosen.tolist():
        for spot, weight in enumerate(table[width * row : width * (row + 1)].tolist()):
            totals[spot] += weight


def cut_down(sums: Ints, shift: int, most: int, passed: Ints) -> None:
    """Of sums of 16 bits what is above zero, in units of `1 << shift`, and not more than `most`."""
    found = _shorts(passed)
    for spot, total in enumerate(_shorts(sums).tolist()):
        found[spot] = min(max(total, 0) >> shift, most)


def products(one: Ints, other: Ints) -> int:
    """The sum of products of integers of 16 bits, place by place; 32 bits must hold it."""
    return sum(map(mul, _shorts(one).tolist(), _shorts(other).tolist()))


def put_short(words: Ints, spot: int, value: int) -> None:
    """Write an integer of 16 bits."""
    _shorts(words)[spot] = value


def _bytes(words: Any) -> Any:
    return words.cast("b") if isinstance(words, memoryview) else words.view("int8")


def _shorts(words: Any) -> Any:
    return words.cast("B").cast("h") if isinstance(words, memoryview) else words.view("int16")


if COMPILED:
    import numpy as np
    from numba.extending import overload

    @overload(add_rows, strict=False)
    def _add_rows(sums: Any, rows: Any, chosen: Any) -> Any:
        def four_at_a_time(sums: Any, rows: Any, chosen: Any) -> None:
            totals, table = sums.view(np.int16), rows.view(np.int8)
            width, number = len(totals), len(chosen)
            for turn in range(0, number - 3, 4):
                one, two = width * chosen[turn], width * chosen[turn + 1]
                three, four = width * chosen[turn + 2], width * chosen[turn + 3]
                first, second = table[one : one + width], table[two : two + width]
                third, fourth = table[three : three + width], table[four : four + width]
                for spot in range(width):
                    totals[spot] += first[spot] + second[spot] + third[spot] + fourth[spot]
            for turn in range(number & ~3, number):
                one = width * chosen[turn]
                first = table[one : one + width]
                for spot in range(width):
                    totals[spot] += first[spot]

        return four_at_a_time

    @overload(cut_down, strict=False)
    def _cut_down(sums: Any, shift: Any, most: Any, passed: Any) -> Any:
        def one_by_one(sums: Any, shift: Any, most: Any, passed: Any) -> None:
            totals, found = sums.view(np.int16), passed.view(np.int16)
            for spot in range(len(totals)):
                found[spot] = min(max(totals[spot], 0) >> shift, most)

        return one_by_one

    @overload(products, strict=False)
    def _products(one: Any, other: Any) -> Any:
        def in_32_bits(one: Any, other: Any) -> Any:
            first, second, total = one.view(np.int16), other.view(np.int16), np.int32(0)
            for spot in range(len(first)):  # numba would go on in 64 bits
                total = np.int32(total + np.int32(first[spot]) * np.int32(second[spot]))
            return np.int64(total)

        return in_32_bits

    @overload(put_short, strict=False)
    def _put_short(words: Any, spot: Any, value: Any) -> Any:
        def put(words: Any, spot: Any, value: Any) -> None:
            words.view(np.int16)[spot] = value

        return put
