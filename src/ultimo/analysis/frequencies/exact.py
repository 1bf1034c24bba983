"""Probabilities of the cards alone, exactly: by counting hands.

A hand is `size` of 78 cards. Where only one kind of cards matters, the ways to spread them over the hands are
counted; where suits, courts and tarokker matter together, the kinds of hands are gone through.

>>> round(float(exactly(10, 22, 25)), 5)
0.06154
>>> sum(spread for _, spread in spreads(22, DANISH)) == 1
True
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import compress, product
from math import comb, prod

import numpy as np
import numpy.typing as npt

from ultimo.kernel.jit import Ints

PACK = 78
TAROKKER = 22  # the skus counted
SUIT = 14
DANISH = (25, 25, 28)  # forehand, middle, dealer
FRENCH = {3: (24, 24, 24, 6), 4: (18, 18, 18, 18, 6), 5: (15, 15, 15, 15, 15, 3)}  # the chien last
POIGNEE = {3: 13, 4: 10, 5: 8}
COURTS = 16
PIPS = 40
WHIP = 6  # the least length of a suit to whip with


def exactly(number: int, of: int, size: int) -> Fraction:
    """That a hand of `size` has just so many of `of` cards of a kind."""
    if number > size:
        return Fraction(0)
    return Fraction(comb(of, number) * comb(PACK - of, size - number), comb(PACK, size))


def spreads(of: int, sizes: Sequence[int]) -> Iterator[tuple[tuple[int, ...], Fraction]]:
    """Every way in which the cards of a kind can lie in the hands, and its probability."""
    ways = comb(sum(sizes), of)
    for counts in _sums(of, sizes):
        yield counts, Fraction(prod(map(comb, sizes, counts)), ways)


def _sums(of: int, sizes: Sequence[int]) -> Iterator[tuple[int, ...]]:
    if len(sizes) == 1:
        if of <= sizes[0]:
            yield (of,)
        return
    for first in range(min(of, sizes[0]) + 1):
        for rest in _sums(of - first, sizes[1:]):
            yield first, *rest


def spread(of: int, sizes: Sequence[int], holds: Callable[[Ints], npt.NDArray[np.bool_]]) -> float:
    """That the cards of a kind lie in a certain way, which is asked of all ways at once."""
    ways, chances = zip(*spreads(of, sizes), strict=True)
    return float(sum(compress(chances, holds(np.array(ways))), Fraction()))


# --- Danish --------------------------------------------------------------------------------------------


@cache
def court_subsets() -> Counter[tuple[int, int]]:
    """How many sets of courts there are, by their number and the most of one family: a suit, or the kings."""
    found: Counter[tuple[int, int]] = Counter()
    for held in product(range(16), repeat=4):  # the courts of each suit, a bit a rank
        kings = sum(suit >> 3 for suit in held)
        most = max(kings, *(suit.bit_count() for suit in held))
        found[sum(suit.bit_count() for suit in held), most] += 1
    return found


def declares(size: int = 25) -> float:
    """That a hand has something to declare: tarokker, matadors, or courts."""
    silent = 0
    for (courts, most), ways in court_subsets().items():
        for skus, highest, pagat in product((0, 1), repeat=3):
            if most >= 4 - skus or (skus and highest and pagat):
                continue
            for others in range(10 - skus - highest - pagat):
                rest = size - courts - skus - highest - pagat - others
                if rest >= 0:
                    silent += ways * comb(TAROKKER - 3, others) * comb(PIPS, rest)
    return float(1 - Fraction(silent, comb(PACK, size)))


def skus_told(sizes: Sequence[int] = DANISH) -> float:
    """That the skus is part of a declaration of matadors or courts, and so is known to be there."""
    return sum(map(_told_in, sizes))


def _told_in(size: int) -> float:
    told = 0
    for (courts, most), ways in court_subsets().items():
        for both in (0, 1, 2):  # of T21 and T1
            rest = size - 1 - courts - both
            if rest >= 0 and (most >= 3 or both == 2):
                told += ways * comb(2, both) * comb(PACK - 1 - COURTS - 2, rest)
    return float(Fraction(told, comb(PACK, size)))


@cache
def kinds(size: int = 25) -> Counter[tuple[int, ...]]:
    """In how many ways a hand can have so many tarokker and suits of such lengths, longest first."""
    ways = [comb(SUIT, length) for length in range(SUIT + 1)]
    found: Counter[tuple[int, ...]] = Counter()
    for suits in product(range(SUIT + 1), repeat=4):
        tarokker = size - sum(suits)
        if 0 <= tarokker <= TAROKKER:
            hands = comb(TAROKKER, tarokker) * prod(ways[length] for length in suits)
            found[(tarokker, *sorted(suits, reverse=True))] += hands
    return found


def kind(tarokker: int, *suits: int) -> float:
    """That a hand has so many tarokker, and suits of these lengths."""
    wanted = (tarokker, *sorted(suits, reverse=True))
    return float(Fraction(kinds(sum(wanted))[wanted], comb(PACK, sum(wanted))))


def place_of_kind(tarokker: int, *suits: int) -> int:
    """How many kinds of hands are as frequent as this one or more so, itself counted."""
    wanted = kinds(tarokker + sum(suits))
    return sum(ways >= wanted[(tarokker, *sorted(suits, reverse=True))] for ways in wanted.values())


def whip(size: int = 25) -> float:
    """That a hand has six cards of a suit, or more."""
    without = sum(ways for (_, longest, *_), ways in kinds(size).items() if longest < WHIP)
    return float(1 - Fraction(without, comb(PACK, size)))


def declared_suit_is_whip(size: int = 25) -> float:
    """That a suit of which a hand declares the courts, half or full, is six cards long or longer."""
    declared = long = 0
    for courts, skus, ways in ((4, 0, 1), (4, 1, 1), (3, 1, 4)):
        rest = size - courts - skus  # of the pack without the courts of the suit and the skus
        for pips in range(11):
            hands = ways * comb(10, pips) * comb(PACK - 4 - 1 - 10, rest - pips)
            declared += hands
            if courts + pips >= WHIP:
                long += hands
    return float(Fraction(long, declared))


# --- French --------------------------------------------------------------------------------------------


def petit_sec(players: int) -> float:
    """That some hand has the petit and no other trump, not even the excuse."""
    size = FRENCH[players][0]
    return float(players * Fraction(comb(PACK - TAROKKER, size - 1), comb(PACK, size)))
