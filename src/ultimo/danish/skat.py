"""Which three cards the dealer may lay.

Rule: 000 Må ikke lægges; 001 Hvad man ikke må lægge; 003 ECARTERINGEN 1; 004 LÆGNING AF SKAT.
"""

from __future__ import annotations

from ultimo.cards import COURTS, KINGS, Cards
from ultimo.danish import numbers as rule
from ultimo.danish.declarations import MADE, PAGAT_BIT, T21_BIT, declare, declared_cards
from ultimo.play.bits import count
from ultimo.play.choices import Subset
from ultimo.play.following import FIRST_TRUMP, REAL_TRUMPS, SKUS_BIT, Numbers, Sheet, shared, together, words
from ultimo.rulebook import DanishRules

SIZE = 3
LOWER_COURTS = COURTS & ~KINGS

# The ways to lay, as integers: how many, then for each the cards that must go and those that may, in two
# words each.
WAYS = 1 + 4 * 2


def never_laid(rules: DanishRules, tout: bool) -> Cards:
    """Cards that no skat may hold; announcing tout frees the skus."""
    return KINGS | barred_trumps(rule.numbers(rules), tout) << FIRST_TRUMP


def protected(rules: DanishRules, hand: Cards) -> Cards:
    """Cards of the dealer's declarations on all 28, which he must not lay if he can help it."""
    return together(*declared_on(rule.numbers(rules), *words(hand), [0] * MADE))


def legal_skats(rules: DanishRules, hand: Cards, tout: bool = False) -> tuple[Subset, ...]:
    """The legal skats from the dealer's 28 cards; `tout` asks for those that announce it with the skus."""
    ways = [0] * WAYS
    ways_to_lay(rule.numbers(rules), *words(hand), tout, ways, [0] * MADE)
    return tuple(
        Subset(together(must, must_trumps), together(may, may_trumps), SIZE)
        for must, must_trumps, may, may_trumps in (ways[at : at + 4] for at in range(1, 1 + 4 * ways[0], 4))
    )


@shared
def barred_trumps(n: Numbers, tout: bool) -> int:
    """The trumps that no skat may hold."""
    return T21_BIT | (PAGAT_BIT if n[rule.SKAT_NO_PAGAT] else 0) | (0 if tout else SKUS_BIT)


@shared
def declared_on(n: Numbers, suits: int, trumps: int, made: Sheet) -> tuple[int, int]:
    """The cards that the dealer's own declarations keep from the skat; the skus is barred by itself."""
    if not n[rule.SKAT_NO_DECLARED]:
        return 0, 0
    declare(n, suits, trumps, made)
    of_suits, of_trumps = declared_cards(suits, trumps, made)
    return of_suits, of_trumps & REAL_TRUMPS


@shared
def ways_to_lay(n: Numbers, suits: int, trumps: int, tout: bool, ways: Sheet, made: Sheet) -> None:
    """Write down the ways to lay from the dealer's 28 cards; with `tout` those that lay the skus.

    Tarokker go only if there are at most three real ones, and then all of them where the book says so.
    Where nothing else is left, cards of declarations go: courts first, then tarokker.
    Rule: the algorithm of rules B4; I-4.1.
    """
    ways[0] = 0
    if tout and not (n[rule.SKAT_SKUS_FOR_TOUT] and trumps & SKUS_BIT):
        return
    barred = barred_trumps(n, tout)
    kept_suits, kept_trumps = declared_on(n, suits, trumps, made)
    kept_suits |= KINGS
    kept_trumps |= barred
    tarokker = trumps & REAL_TRUMPS
    must = SKUS_BIT if tout else 0
    free = suits & ~kept_suits
    few = 0 < count(tarokker) <= SIZE
    if few and not n[rule.SKAT_ALL_TAROK]:
        _add_way(ways, 0, must, free, tarokker & ~kept_trumps)
    else:
        _add_way(ways, 0, must, free, 0)
        if few and not tarokker & kept_trumps:
            _add_way(ways, 0, must | tarokker, free, 0)
    if ways[0] == 0:
        _add_unavoidable(ways, suits & kept_suits & LOWER_COURTS, tarokker & ~barred, free, must)


@shared
def _add_way(ways: Sheet, must_suits: int, must_trumps: int, may_suits: int, may_trumps: int) -> None:
    """Note a way, if three cards can be laid so."""
    must = count(must_suits) + count(must_trumps)
    may = count(may_suits & ~must_suits) + count(may_trumps & ~must_trumps)
    if must <= SIZE <= must + may:
        at = 1 + 4 * ways[0]
        ways[at] = must_suits
        ways[at + 1] = must_trumps
        ways[at + 2] = may_suits
        ways[at + 3] = may_trumps
        ways[0] += 1


@shared
def _add_unavoidable(ways: Sheet, courts: int, tarokker: int, free: int, must: int) -> None:
    """The skats of a hand that cannot spare three: all that is free, then declared courts, then tarok."""
    if count(free | courts) + count(must) >= SIZE:
        _add_way(ways, free, must, courts, 0)
    else:
        _add_way(ways, free | courts, must, 0, tarokker)
