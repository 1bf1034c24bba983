"""The 78 cards, sets of cards as bit masks, and their notation.

A card has one number, used for masks, tensors and files alike: `14·suit + rank` for the suits in the
order S H C D and the ranks 1 … 10 J N Q K, then T1 … T21, and T0 (skus, excuse) last. A set of cards is
an integer with one bit a card. The rules that must be fast see such a set as two words, `suits` (56 bits)
and `trumps` (T1 … T21 in bits 0 … 20, T0 in bit 21).

>>> hand = mask("SK T21 T0")
>>> hand == SKUS | T21 | parse_card("SK").bit
True
>>> " ".join(card.value for card in cards(hand))
'SK T21 T0'
>>> parse_card("S11")
Traceback (most recent call last):
    ...
ultimo.cards.CardError: 'S11' is not a card: a suit S H C D with K Q N J 10 … 1, or T0 … T21
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum
from typing import Literal, TypeAlias, get_args

Suit: TypeAlias = Literal["S", "H", "C", "D", "T"]  # T: trumps, which a skus may be named as
Cards: TypeAlias = int  # a set of cards, one bit each

SUITS: tuple[Suit, ...] = get_args(Suit)
RANKS = ("1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "N", "Q", "K")
TRUMP = 4  # the trumps' place in SUITS

NOTATION = tuple(suit + rank for suit in "SHCD" for rank in RANKS) + tuple(
    f"T{number}" for number in (*range(1, 22), 0)
)


class CardError(ValueError):
    """Text that names no card, or names one twice."""


class Card(Enum):
    """One of the 78 cards, or `?`: a card the reader may not see."""

    index: int
    bit: Cards  # 0 for the unseen card, which so adds nothing to a set
    suit: int

    _ignore_ = "notation"
    for notation in (*NOTATION, "?"):
        vars()[notation] = notation

    def __init__(self, notation: str) -> None:
        self.index = len(type(self).__members__)
        self.bit = 0 if notation == "?" else 1 << self.index
        self.suit = min(self.index // 14, TRUMP)

    def __repr__(self) -> str:
        return str(self.value)

    def __lt__(self, other: Card) -> bool:
        return self.index < other.index


UNSEEN = Card("?")
PACK: tuple[Card, ...] = tuple(Card(notation) for notation in NOTATION)

ALL_CARDS: Cards = (1 << 78) - 1
SUITS_WORD: Cards = (1 << 56) - 1
SKUS: Cards = Card("T0").bit
PAGAT: Cards = Card("T1").bit
T21: Cards = Card("T21").bit
BOUTS: Cards = T21 | PAGAT | SKUS
TRUMPS: Cards = ALL_CARDS ^ SUITS_WORD ^ SKUS  # T1 … T21, the real tarokker
ALL_TRUMPS: Cards = TRUMPS | SKUS
SUIT_CARDS: tuple[Cards, ...] = (*(0x3FFF << 14 * suit for suit in range(4)), TRUMPS)


def _every_suit(rank: str) -> Cards:
    return sum(Card(suit + rank).bit for suit in "SHCD")


KINGS = _every_suit("K")
QUEENS = _every_suit("Q")
KNIGHTS = _every_suit("N")
JACKS = _every_suit("J")
COURTS = KINGS | QUEENS | KNIGHTS | JACKS
ULTIMO_CARDS = KINGS | PAGAT
HONOURS_OF_FOUR = KINGS | BOUTS


def parse_card(text: str) -> Card:
    """The card that `text` names."""
    try:
        card = Card(text)
    except ValueError:
        card = UNSEEN
    if card is UNSEEN:
        raise CardError(f"{text!r} is not a card: a suit S H C D with K Q N J 10 … 1, or T0 … T21") from None
    return card


def parse_cards(text: str) -> tuple[Card, ...]:
    """The cards named in `text`, in its order, separated by spaces or commas; none of them twice."""
    found = tuple(parse_card(word) for word in text.replace(",", " ").split())
    for place, card in enumerate(found):
        if card in found[:place]:
            raise CardError(f"{card.value} is named twice")
    return found


def mask(cards: str | Iterable[Card]) -> Cards:
    """The set of `cards`, given as cards or in notation."""
    together = 0
    for card in parse_cards(cards) if isinstance(cards, str) else cards:
        together |= card.bit
    return together


def indices(cards: Cards) -> Iterator[int]:
    """The numbers of the cards in a set, ascending."""
    while cards:
        lowest = cards & -cards
        yield lowest.bit_length() - 1
        cards ^= lowest


def cards(mask: Cards) -> tuple[Card, ...]:
    """The cards of a set in the order of the pack."""
    return tuple([PACK[index] for index in indices(mask)])
