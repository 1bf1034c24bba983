"""Which cards a French trick allows, and who wins it, over plain integers.

A trick is the card numbers in the order of play.
Rule: 002 §8, §9.
"""

from __future__ import annotations

from collections.abc import Sequence

from ultimo.play.following import (
    FIRST_TRUMP,
    NO_SUIT,
    REAL_TRUMPS,
    SKUS_BIT,
    SKUS_CARD,
    follow,
    shared,
    strength,
    suit_of,
)


@shared
def legal_cards(suits: int, trumps: int, led: int, top: int, barred: int) -> tuple[int, int]:
    """The cards that may be played, as two words; `top` is the highest trump in the trick, 0 if none.

    A trump must beat the highest one on the table, a partner's too, if the hand can. The excuse may be
    played instead of any card. `barred` are the suit cards that may not set the suit of this trick.
    Rule: 002 §8, §9, §16.
    """
    excuse = trumps & SKUS_BIT
    trumps &= REAL_TRUMPS
    if led == NO_SUIT:
        return suits & ~barred, trumps | excuse
    suits, trumps = follow(suits, trumps, led)
    higher = trumps >> top << top  # T1 is bit 0, so the trumps above T9 begin at bit 9
    return suits, (higher or trumps) | excuse


@shared
def led_suit(trick: Sequence[int]) -> int:
    """The suit to follow: that of the first card, or of the second where the excuse is led.

    Rule: 002 §8.
    """
    for card in trick:
        if card != SKUS_CARD:
            return suit_of(card)
    return NO_SUIT


@shared
def trump_number(card: int) -> int:
    """The number on a trump, 0 for every other card: the excuse beats nothing."""
    if card < FIRST_TRUMP or card == SKUS_CARD:
        return 0
    return card - FIRST_TRUMP + 1


@shared
def winner(trick: Sequence[int], excuse_wins: bool) -> int:
    """The place in the trick of the card that wins it: the highest trump, else the highest of the suit led.

    `excuse_wins` is the one exception: the last trick of a side that has won all before (rules C7).
    Rule: 002 §8, §9, §11.
    """
    led = led_suit(trick)
    best, highest = 0, -2
    for place in range(len(trick)):
        if excuse_wins and trick[place] == SKUS_CARD:
            return place
        height = strength(trick[place], led, False)
        if height > highest:
            best, highest = place, height
    return best
