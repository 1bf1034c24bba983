"""Sets of cards as the kernel keeps them: two words, the suits and the trumps.

An array keeps the two in two places, and so a set in it is told by these.
"""

from __future__ import annotations

from ultimo.cards import SUITS_WORD, Cards
from ultimo.kernel.arrays import ints
from ultimo.kernel.bits import lowest
from ultimo.kernel.jit import Ints, inlined
from ultimo.play.following import FIRST_TRUMP, PACK_SIZE, REAL_TRUMPS, SKUS_BIT

ALL_TRUMPS = REAL_TRUMPS | SKUS_BIT


def words(cards: Cards) -> tuple[int, int]:
    """A set of cards in two words."""
    return cards & SUITS_WORD, cards >> FIRST_TRUMP


IN_SUITS, IN_TRUMPS = map(ints, zip(*(words(1 << card) for card in range(PACK_SIZE)), strict=True))


def cards_in(suits: int, trumps: int) -> Cards:
    """The set of cards that two words are."""
    return int(suits) | int(trumps) << FIRST_TRUMP


@inlined
def cards_at(pack: Ints, spots: Ints) -> tuple[int, int]:
    """The set of the cards that lie at some places of a pack."""
    suits, trumps = 0, 0
    for turn in range(len(spots)):
        card = pack[spots[turn]]
        suits |= IN_SUITS[card]
        trumps |= IN_TRUMPS[card]
    return suits, trumps


@inlined
def put(s: Ints, suits: int, trumps: int, card: int) -> None:
    """Put a card into a set of an array."""
    if card < FIRST_TRUMP:
        s[suits] |= 1 << card
    else:
        s[trumps] |= 1 << (card - FIRST_TRUMP)


@inlined
def move(s: Ints, suits: int, trumps: int, to_suits: int, to_trumps: int, card: int) -> None:
    """Take a card out of a set of an array, and put it into another."""
    if card < FIRST_TRUMP:
        s[suits] ^= 1 << card
        s[to_suits] |= 1 << card
    else:
        s[trumps] ^= 1 << (card - FIRST_TRUMP)
        s[to_trumps] |= 1 << (card - FIRST_TRUMP)


@inlined
def lies_in(suits: int, trumps: int, card: int) -> bool:
    """Whether a card is in a set."""
    if card < FIRST_TRUMP:
        return suits >> card & 1 != 0
    return trumps >> (card - FIRST_TRUMP) & 1 != 0


@inlined
def lowest_card(suits: int, trumps: int) -> int:
    """The card of a set that comes first in the pack."""
    return lowest(suits) if suits else FIRST_TRUMP + lowest(trumps)
