"""Which cards a Danish trick allows, and who wins it, over plain integers.

Rule: 000 SELVE SPILLET; 001 Indledning til selve spillet; 003 REGLER; 004 SPILLET.
"""

from __future__ import annotations

from ultimo.danish.numbers import SECOND_LAST_BARRED, THIRD_LAST_VOLUNTARY
from ultimo.play.following import (
    REAL_TRUMPS,
    SKUS_BIT,
    SUIT_BITS,
    TRUMP_SUIT,
    Numbers,
    follow,
    shared,
    strength,
    suit_of,
)

THIRD_LAST = 23
SECOND_LAST = 24
LAST = 25


@shared
def legal_cards(
    n: Numbers, suits: int, trumps: int, led: int, number: int, demanded: bool
) -> tuple[int, int]:
    """The cards that may be played to trick `number`, as two words.

    The skus may stand for any card, but by some books not in the second-last trick; in the third-last it can
    be demanded, and by some books it may be played there only then.
    `led` is what a led skus was named as, and binds like a card of that suit.
    Rule: 000 Skusen d, g; 001 Kortene g, j; I-6.1, I-6.2, I-6.3, I-7.1, I-7.3, I-7.14.
    """
    skus = trumps & SKUS_BIT
    if number == THIRD_LAST and demanded and skus:
        return 0, skus
    may_suits, may_trumps = follow(suits, trumps & REAL_TRUMPS, led)
    barred = (number == SECOND_LAST and n[SECOND_LAST_BARRED]) or (
        number == THIRD_LAST and not n[THIRD_LAST_VOLUNTARY]
    )
    if skus and not barred:
        may_trumps |= skus
    if not may_suits and not may_trumps:
        return 0, skus
    return may_suits, may_trumps


@shared
def winner(first: int, second: int, third: int, led: int) -> int:
    """The place (0, 1, 2) of the card that wins; `led` is the suit in force.

    When nobody plays the suit a led skus stands for, and no tarok, the first card after it sets the suit.
    A card that is missing, as after a misdeal it may, is given as another skus.
    Rule: B7 step 5; I-7.7.
    """
    for suit in (led, suit_of(second)):
        one, two, three = (
            strength(first, suit, True),
            strength(second, suit, True),
            strength(third, suit, True),
        )
        if one > two and one > three and one > 0:
            return 0
        if two > three and two > 0:
            return 1
        if three > 0:
            return 2
    return 0


@shared
def has_suit(suits: int, trumps: int, suit: int) -> bool:
    """Whether a hand holds a suit; a real tarok if the suit is tarok."""
    if suit == TRUMP_SUIT:
        return (trumps & REAL_TRUMPS) != 0
    return (suits & (SUIT_BITS << (14 * suit))) != 0
