"""Counting and finding bits in a word: one-liners here, single instructions when compiled.

Words are not negative and fit 63 bits, so that Python's integers and the machine's agree.
"""

from __future__ import annotations


def count(word: int) -> int:
    """How many bits are set."""
    return int(word).bit_count()


def lowest(word: int) -> int:
    """The number of the lowest bit that is set; the word must not be 0."""
    return (int(word) & -int(word)).bit_length() - 1


def highest(word: int) -> int:
    """The number of the highest bit that is set; the word must not be 0."""
    return int(word).bit_length() - 1


def select(word: int, nth: int) -> int:
    """The number of the n-th bit that is set, counted from 0 at the bottom."""
    return lowest(pick(word, nth))


def pick(word: int, nth: int) -> int:
    """The n-th bit that is set, counted from 0 at the bottom, as a word of its own."""
    word = int(word)
    for _ in range(nth):
        word &= word - 1
    return word & -word
