"""What the cards of a pile count, over plain integers."""

from __future__ import annotations

from ultimo.cards import HONOURS_OF_FOUR, JACKS, KNIGHTS, QUEENS, SUITS_WORD, Cards
from ultimo.play.bits import count
from ultimo.play.following import FIRST_TRUMP, shared, words

KINGS_WORD = HONOURS_OF_FOUR & SUITS_WORD
BOUTS_WORD = HONOURS_OF_FOUR >> FIRST_TRUMP


@shared
def honours(suits: int, trumps: int) -> int:
    """What the counting cards of a set are worth beyond the tricks: 4 3 2 1, and 52 in all (rules A4)."""
    return (
        4 * (count(suits & KINGS_WORD) + count(trumps & BOUTS_WORD))
        + 3 * count(suits & QUEENS)
        + 2 * count(suits & KNIGHTS)
        + count(suits & JACKS)
    )


def honours_of(cards: Cards) -> int:
    """What the counting cards of a set are worth beyond the tricks."""
    return honours(*words(cards))
