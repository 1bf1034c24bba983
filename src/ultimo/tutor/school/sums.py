"""Sums of the game that a lesson asks for, so that its numbers are worked out and not only written down.

A sum is written as its name and what it is about: `whip 7`, `danishCount SK T21 S5`.
"""

from __future__ import annotations

from collections.abc import Callable
from math import comb

SUIT = 14  # cards of a suit
TRUMPS = 22  # with the skus, as they are declared


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


def suit_rest(about: list[str]) -> int:
    """The cards of a suit that are left for somebody else, where these many are with others.

    >>> suit_rest(["7", "1"])  # you had seven, another only one
    6
    """
    return SUIT - sum(map(int, about))


def trump_rest(about: list[str]) -> int:
    """The trumps, with the skus, that are left for somebody else.

    >>> trump_rest(["10", "7"])
    5
    """
    return TRUMPS - sum(map(int, about))


def hits(about: list[str]) -> int:
    """How often a whip of so many cards hits a player who holds so many of its suit.

    >>> [hits([length, "2"]) for length in ("6", "8")]
    [4, 6]
    """
    length, held = map(int, about)
    return max(0, length - held)


def trumps_left(about: list[str]) -> int:
    """What is left of so many trumps after a whip of so many cards, if one holds so many of its suit.

    >>> [trumps_left(["7", length, "2"]) for length in ("8", "7", "6")]
    [1, 2, 3]
    """
    return max(0, int(about[0]) - hits(about[1:]))


def quiet_rounds(about: list[str]) -> int:
    """How often a suit of so many cards can be led and hit nobody, if the two others share the rest evenly.

    >>> [quiet_rounds([length]) for length in ("5", "6", "7")]
    [4, 4, 3]
    """
    return (SUIT - int(about[0])) // 2


def whip_elsewhere(about: list[str]) -> int:
    """Where forehand holds so many of a suit: the per cent of deals in which another has six or more.

    >>> [whip_elsewhere([length]) for length in ("4", "5", "6")]
    [73, 47, 26]
    """
    held = int(about[0])
    rest, unseen, hand = SUIT - held, 53, 25  # middle hand has 25 of the 53 cards, the dealer the others
    ways = sum(
        comb(rest, some) * comb(unseen - rest, hand - some)
        for some in range(rest + 1)
        if max(some, rest - some) >= 6
    )
    return round(100 * ways / comb(unseen, hand))


SUMS: dict[str, Callable[[list[str]], int]] = {
    "hits": hits,
    "quietRounds": quiet_rounds,
    "suitRest": suit_rest,
    "trumpRest": trump_rest,
    "trumpsLeft": trumps_left,
    "whip": whip,
    "whipElsewhere": whip_elsewhere,
}
