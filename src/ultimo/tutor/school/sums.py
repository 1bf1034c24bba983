"""Sums of the game that a lesson asks for, so that its numbers are worked out and not only written down.

A sum is written as its name and what it is about: `whip 7`, `danishCount SK T21 S5`.
"""

from __future__ import annotations

from collections.abc import Callable

SUIT = 14  # cards of a suit


def worked_out(text: str) -> int:
    """What a sum comes to; `LookupError` if there is none of that name."""
    name, *about = text.split()
    return SUMS[name](about)


def whip(about: list[str]) -> int:
    """The trumps that a suit of so many cards drives out, if each lead draws a card from both others.

    >>> [whip([length]) for length in ("6", "7", "8")]
    [4, 7, 10]
    """
    length = int(about[0])
    return 2 * length - (SUIT - length)


SUMS: dict[str, Callable[[list[str]], int]] = {
    "whip": whip,
}
