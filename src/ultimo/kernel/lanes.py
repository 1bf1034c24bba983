"""Small integers side by side in words: how the numbers of a network lie, and are summed up.

Every argument is an array of words. Compiled code works on sixteen integers and more at once: it is written
so that the compiler finds the vector instructions for it. Python does the same one by one; sums of integers
are the same in whatever order they are made.
"""

from __future__ import annotations

from operator import mul
from typing import Any

from ultimo.kernel.jit import COMPILED, Ints

BYTES, SHORTS, LONGS = 8, 4, 2  # integers of 8, 16 and 32 bits in a word


def change_rows(sums: Ints, rows: Ints, added: Ints, removed: Ints) -> None:
    """Add some rows, of 8 bits each number, to as many sums of 16 bits, and take as many, always even, away.

    The sums hold what comes out; on the way they may run over, and come back.
    """
    totals, table = _shorts(sums), _bytes(rows)
    width = len(totals)
    found = totals.tolist()
    for one, other in zip(added.tolist(), removed.tolist(), strict=True):
        if one != other:
            more = table[width * one : width * (one + 1)].tolist()
            less = table[width * other : width * (other + 1)].tolist()
            found = [total + new - old for total, new, old in zip(found, more, less, strict=True)]
    for spot, total in enumerate(found):
        totals[spot] = total


def cut_down(sums: Ints, shift: int, most: int, passed: Ints) -> None:
    """Of sums of 16 bits what is above zero, in units of `1 << shift`, and not more than `most`."""
    found = _shorts(passed)
    for spot, total in enumerate(_shorts(sums).tolist()):
        found[spot] = min(max(total, 0) >> shift, most)


def list_some(numbers: Ints, places: Ints) -> int:
    """List the places of the integers of 16 bits that are not zero; how many they are."""
    some = [place for place, number in enumerate(_shorts(numbers).tolist()) if number]
    for spot, place in enumerate(some):
        places[spot] = place
    return len(some)


def add_products(sums: Ints, rows: Ints, factors: Ints, chosen: Ints) -> None:
    """Add the chosen rows, of 16 bits each number, times their factors to sums of 32 bits, which hold it."""
    totals, table, by = _longs(sums), _shorts(rows), _shorts(factors)
    width = len(totals)
    found = totals.tolist()
    for row in chosen.tolist():
        factor = by[row]
        for spot, weight in enumerate(table[width * row : width * (row + 1)].tolist()):
            found[spot] += int(factor) * weight
    for spot, total in enumerate(found):
        totals[spot] = total


def cut_down_long(sums: Ints, shift: int, most: int, passed: Ints) -> None:
    """The same of sums of 32 bits."""
    found = _shorts(passed)
    for spot, total in enumerate(_longs(sums).tolist()):
        found[spot] = min(max(total, 0) >> shift, most)


def products(one: Ints, other: Ints) -> int:
    """The sum of products of integers of 16 bits, place by place; 32 bits must hold it."""
    return sum(map(mul, _shorts(one).tolist(), _shorts(other).tolist()))


def _bytes(words: Any) -> Any:
    return words.cast("b") if isinstance(words, memoryview) else words.view("int8")


def _shorts(words: Any) -> Any:
    return words.cast("B").cast("h") if isinstance(words, memoryview) else words.view("int16")


def _longs(words: Any) -> Any:
    return words.cast("B").cast("i") if isinstance(words, memoryview) else words.view("int32")


if COMPILED:
    import numpy as np
    from numba.extending import overload

    _int = np.int32

    @overload(change_rows, strict=False)
    def _change_rows(sums: Any, rows: Any, added: Any, removed: Any) -> Any:
        def four_at_a_time(sums: Any, rows: Any, added: Any, removed: Any) -> None:
            totals, table = sums.view(np.int16), rows.view(np.int8)
            width = len(totals)
            for turn in range(0, len(added), 2):
                one, two = width * added[turn], width * added[turn + 1]
                three, four = width * removed[turn], width * removed[turn + 1]
                first, second = table[one : one + width], table[two : two + width]
                third, fourth = table[three : three + width], table[four : four + width]
                for spot in range(width):
                    totals[spot] += first[spot] + second[spot] - third[spot] - fourth[spot]

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
            first, second, total = one.view(np.int16), other.view(np.int16), _int(0)
            for spot in range(len(first)):  # numba would go on in 64 bits
                total = _int(total + _int(first[spot]) * _int(second[spot]))
            return np.int64(total)

        return in_32_bits

    @overload(list_some, strict=False)
    def _list_some(numbers: Any, places: Any) -> Any:
        def without_asking(numbers: Any, places: Any) -> Any:
            shorts, found = numbers.view(np.int16), 0
            for place in range(len(shorts)):  # which are zero is nothing that a processor can foresee
                places[found] = place
                found += shorts[place] != 0
            return found

        return without_asking

    @overload(add_products, strict=False)
    def _add_products(sums: Any, rows: Any, factors: Any, chosen: Any) -> Any:
        def four_at_a_time(sums: Any, rows: Any, factors: Any, chosen: Any) -> None:
            totals, table, by = sums.view(np.int32), rows.view(np.int16), factors.view(np.int16)
            width, number = len(totals), len(chosen)
            for turn in range(0, number - 3, 4):
                one, two, three, four = chosen[turn], chosen[turn + 1], chosen[turn + 2], chosen[turn + 3]
                first, second = table[width * one : width * (one + 1)], table[width * two : width * (two + 1)]
                third, fourth = (
                    table[width * three : width * (three + 1)],
                    table[width * four : width * (four + 1)],
                )
                a, b, c, d = _int(by[one]), _int(by[two]), _int(by[three]), _int(by[four])
                for spot in range(width):  # numba would go on in 64 bits
                    some = _int(_int(a * _int(first[spot])) + _int(b * _int(second[spot])))
                    more = _int(_int(c * _int(third[spot])) + _int(d * _int(fourth[spot])))
                    totals[spot] = _int(totals[spot] + _int(some + more))
            for turn in range(number & ~3, number):
                one = chosen[turn]
                first, a = table[width * one : width * (one + 1)], _int(by[one])
                for spot in range(width):
                    totals[spot] = _int(totals[spot] + _int(a * _int(first[spot])))

        return four_at_a_time

    @overload(cut_down_long, strict=False)
    def _cut_down_long(sums: Any, shift: Any, most: Any, passed: Any) -> Any:
        def one_by_one(sums: Any, shift: Any, most: Any, passed: Any) -> None:
            totals, found = sums.view(np.int32), passed.view(np.int16)
            for spot in range(len(totals)):
                found[spot] = min(max(totals[spot], 0) >> shift, most)

        return one_by_one
