"""What the cards of a pile count, over plain integers."""

from __future__ import annotations

from ultimo.cards import HONOURS_OF_FOUR, JACKS, KNIGHTS, QUEENS, SUITS_WORD, Cards
from ultimo.play.bits import count
from ultimo.play.following import FIRST_TRUMP, shared, words

KINGS_WORD = HONOURS_OF_FOUR & SUITS_WORD
BOUTS_WORD = HONOURS_OF_FOUR >> FIRST_TRUMP


@shared
def honours(suits: int, trumps: int) -> int:
    """What the counting cards of a set are worth beyond the tricks: 4 3 2 1, and 52 in all (rules A4).

    Counted by the bits of these numbers: a 3 is a 1 and a 2. No king has the bit of a bout in the other word.
    """
    fours = suits & KINGS_WORD | trumps & BOUTS_WORD
    return 4 * count(fours) + 2 * count(suits & (QUEENS | KNIGHTS)) + count(suits & (QUEENS | JACKS))


def honours_of(cards: Cards) -> int:
    """What the counting cards of a set are worth beyond the tricks."""
    return honours(*words(cards))
