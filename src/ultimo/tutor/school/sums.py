"""Sums of the game that a lesson asks for, so that its numbers are worked out and not only written down.

A sum is written as its name and what it is about: `whip 7`, `danishCount SK T21 S5`.
"""

from __future__ import annotations

from collections.abc import Callable

from ultimo.cards import mask
from ultimo.play.counting import honours_of

SUIT = 14  # cards of a suit
TRUMPS = 22  # with the skus


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


def whips(about: list[str]) -> int:
    """The trumps that several whips drive out together.

    >>> whips(["6", "7"])
    11
    """
    return sum(whip([length]) for length in about)


def leads(about: list[str]) -> int:
    """How often one must be on lead to play whips of these lengths to the bottom.

    >>> leads(["6", "7"])
    13
    """
    return sum(map(int, about))


def hits(about: list[str]) -> int:
    """How often a whip of so many cards hits a player who holds so many of the suit.

    >>> hits(["6", "2"])
    4
    """
    length, held = map(int, about)
    return max(0, length - held)


def trumps_left(about: list[str]) -> int:
    """The trumps left to a player after a whip: so many trumps, its length, the cards held of it.

    >>> trumps_left(["6", "7", "2"])
    1
    """
    trumps, length, held = about
    return int(trumps) - hits([length, held])


def laid_points(about: list[str]) -> int:
    """The card points of these cards, without the one that the skat counts as a trick.

    >>> laid_points(["SQ", "SN", "SJ"])
    6
    """
    return honours_of(mask(" ".join(about)))


def french_count(about: list[str]) -> int:
    """The two-digit count of trumps: those of the left hand before the stroke, of the right hand after it.

    >>> french_count("T3 S7 T0 | T9 H4".split())
    21
    """
    stroke = about.index("|")
    left, right = (
        sum(card.startswith("T") for card in half) for half in (about[:stroke], about[stroke + 1 :])
    )
    return 10 * left + right


def fallen(about: list[str]) -> int:
    """The trumps that a two-digit count says have fallen from the two others.

    >>> fallen(["43"])
    7
    """
    return sum(divmod(int(about[0]), 10))


def trumps_in(about: list[str]) -> int:
    """The trumps not yet played: by the count, the trumps one had, and those one still has.

    >>> trumps_in(["85", "7", "3"])
    5
    """
    count, had, have = about
    return TRUMPS - fallen([count]) - (int(had) - int(have))


def trumps_outside(about: list[str]) -> int:
    """The trumps that the two others still have, by the count and the trumps one had oneself.

    >>> trumps_outside(["72", "10"])
    3
    """
    count, had = about
    return TRUMPS - fallen([count]) - int(had)


SUMS: dict[str, Callable[[list[str]], int]] = {
    "fallen": fallen,
    "frenchCount": french_count,
    "hits": hits,
    "laidPoints": laid_points,
    "leads": leads,
    "trumpsIn": trumps_in,
    "trumpsLeft": trumps_left,
    "trumpsOutside": trumps_outside,
    "whip": whip,
    "whips": whips,
}
