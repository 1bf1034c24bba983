"""Which three cards the dealer may lay.

Rule: 000 Må ikke lægges; 001 Hvad man ikke må lægge; 003 ECARTERINGEN 1; 004 LÆGNING AF SKAT.
"""

from __future__ import annotations

from ultimo.cards import ALL_TRUMPS, JACKS, KINGS, KNIGHTS, PAGAT, QUEENS, SKUS, T21, TRUMPS, Cards
from ultimo.danish.declarations import cards_declared, declarations
from ultimo.play.choices import Subset
from ultimo.rulebook import DanishRules

SIZE = 3


def never_laid(rules: DanishRules, tout: bool) -> Cards:
    """Cards that no skat may hold; announcing tout frees the skus."""
    barred = KINGS | T21
    if rules.skat.forbid_pagat:
        barred |= PAGAT
    if not tout:
        barred |= SKUS
    return barred


def protected(rules: DanishRules, hand: Cards) -> Cards:
    """Cards of the dealer's declarations on all 28, which he must not lay if he can help it."""
    if not rules.skat.forbid_declared:
        return 0
    return cards_declared(hand, declarations(rules.decl, hand)) & ~SKUS


def legal_skats(rules: DanishRules, hand: Cards, tout: bool = False) -> tuple[Subset, ...]:
    """The legal skats from the dealer's 28 cards; `tout` asks for those that announce it with the skus.

    Tarokker go only if there are at most three real ones, and then all of them where the book says so.
    Where nothing else is left, cards of declarations go: courts first, then tarokker.
    Rule: the algorithm of rules B4; I-4.1.
    """
    if tout and not (rules.skat.skus_for_tout and hand & SKUS):
        return ()
    barred = never_laid(rules, tout)
    kept = barred | protected(rules, hand)
    tarokker = hand & TRUMPS
    must = SKUS if tout else 0
    free = hand & ~kept & ~ALL_TRUMPS
    ways = [Subset(must, free, SIZE)]
    if 0 < tarokker.bit_count() <= 3:
        if not rules.skat.tarok_all_or_none:
            ways = [Subset(must, free | tarokker & ~kept, SIZE)]
        elif not tarokker & kept:
            ways.append(Subset(must | tarokker, free, SIZE))
    return tuple(way for way in ways if len(way)) or (_unavoidable(hand, barred, kept, must | free),)


def _unavoidable(hand: Cards, barred: Cards, kept: Cards, must: Cards) -> Subset:
    """The skats of a hand that cannot spare three: all that is free, then declared courts, then tarok."""
    courts = hand & kept & ~barred & (QUEENS | KNIGHTS | JACKS)
    if (must | courts).bit_count() >= SIZE:
        return Subset(must, courts, SIZE)
    return Subset(must | courts, hand & TRUMPS & ~barred, SIZE)
