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
    in_force,
    shared,
    strength,
)

UNBEATEN = -2  # lower than any card stands, the excuse too
BELOW_TRUMPS = strength(FIRST_TRUMP, NO_SUIT, False) - 1  # T1 stands one higher


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
def fall(card: int, seat: int, led: int, height: int, winning: int) -> tuple[int, int, int]:
    """The suit in force, how high the best card stands and whose it is, when `seat` has played `card`.

    The highest trump wins, else the highest card of the suit led; where the excuse is led, the next card
    sets the suit. Before the first card nothing is in force, and the height is `UNBEATEN`.
    Rule: 002 §8.
    """
    led = in_force(led, card)
    stands = strength(card, led, False)
    if stands > height:
        return led, stands, seat
    return led, height, winning


@shared
def top_trump(height: int) -> int:
    """The highest trump in a trick whose best card stands so high; 0 if none lies there."""
    return max(0, height - BELOW_TRUMPS)


@shared
def trump_number(card: int) -> int:
    """The number on a trump, 0 for every other card: the excuse beats nothing."""
    if card < FIRST_TRUMP or card == SKUS_CARD:
        return 0
    return card - FIRST_TRUMP + 1


def winner(trick: Sequence[int], excuse_wins: bool) -> int:
    """The place in the trick of the card that wins it.

    `excuse_wins` is the one exception: the last trick of a side that has won all before (rules C7).
    Rule: 002 §9, §11.
    """
    if excuse_wins:
        return trick.index(SKUS_CARD)
    led, height, best = NO_SUIT, UNBEATEN, 0
    for place, card in enumerate(trick):
        led, height, best = fall(card, place, led, height, best)
    return best
