"""Following and winning, over plain integers.

These functions see a hand as two words, `suits` (4 × 14 bits) and `trumps` (T1 … T21 in bits 0 … 20, the
skus in bit 21), a suit as 0 … 3, the trumps as 4, and no suit as -1. They use nothing else, so that the
same source can be compiled; `shared` only puts them on the list of what a compiler may take.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, Protocol, TypeVar

from ultimo.cards import SUITS_WORD, Cards

P = ParamSpec("P")
R = TypeVar("R")

NO_SUIT = -1
TRUMP_SUIT = 4
SUIT_BITS = 0x3FFF
SKUS_BIT = 1 << 21
REAL_TRUMPS = SKUS_BIT - 1
FIRST_TRUMP = 56  # the card number of T1
SKUS_CARD = 77
PACK_SIZE = 78


class Numbers(Protocol):
    """An array of integers: a tuple or a list in Python, an array of words when compiled."""

    def __getitem__(self, place: int, /) -> int: ...


class Sheet(Numbers, Protocol):
    """An array of integers to write on."""

    def __setitem__(self, place: int, number: int, /) -> None: ...


def words(cards: Cards) -> tuple[int, int]:
    """A set of cards as the shared rules see it: suits and trumps apart."""
    return cards & SUITS_WORD, cards >> FIRST_TRUMP


def together(suits: int, trumps: int) -> Cards:
    """The set of cards of two words."""
    return suits | trumps << FIRST_TRUMP


SHARED: list[Callable[..., object]] = []


def shared(function: Callable[P, R]) -> Callable[P, R]:
    """Mark a function of integers as one that the compiled loops use too."""
    SHARED.append(function)
    return function


@shared
def follow(suits: int, trumps: int, led: int) -> tuple[int, int]:
    """What may answer a lead: the suit led, else a trump, else any card; `trumps` comes without the skus.

    Rule: 000 SELVE SPILLET; 002 §8.
    """
    if led == NO_SUIT:
        return suits, trumps
    if led != TRUMP_SUIT:
        same = suits & (SUIT_BITS << (14 * led))
        if same:
            return same, 0
    if trumps:
        return 0, trumps
    return suits, trumps


@shared
def strength(card: int, led: int, reds_reversed: bool) -> int:
    """How high a card stands in a trick; the highest wins, and 0 or less cannot win.

    Trumps stand above the suit led, which stands above the rest. In the Danish red suits the 1 is the
    highest pip and the 10 the lowest (rules A3).
    """
    if card == SKUS_CARD:
        return -1
    if card >= FIRST_TRUMP:
        return 100 + card - FIRST_TRUMP
    suit = card // 14
    if suit != led:
        return 0
    rank = card - 14 * suit
    if reds_reversed and rank < 10 and suit % 2 == 1:
        return 10 - rank
    return rank + 1


@shared
def in_force(led: int, card: int) -> int:
    """The suit in force once a card has been played: the first card that has a suit sets it."""
    return suit_of(card) if led == NO_SUIT else led


@shared
def suit_of(card: int) -> int:
    """The suit a card belongs to; the skus belongs to none."""
    if card == SKUS_CARD:
        return NO_SUIT
    return min(card // 14, TRUMP_SUIT)
