"""The best skat of all that may be laid, and why it is laid.

What a skat is worth (`skat_value.score`) is a sum over the suits and something for the lengths. So for
each suit, and each number of cards from it, the best cards are found first, and then the best numbers.
"""

from __future__ import annotations

import numpy as np

from ultimo.cards import SUITS_WORD, Cards
from ultimo.danish.skat import SIZE as SKAT_SIZE
from ultimo.danish.skat import legal_skats, ways_to_lay
from ultimo.kernel.bits import count, lowest
from ultimo.kernel.danish import layout as at
from ultimo.kernel.danish.deal import array_of
from ultimo.kernel.danish.policy.odds import by_height, of_suit
from ultimo.kernel.danish.policy.skat_value import (
    COVER,
    FEW,
    FIGHT,
    FIRST_COURT,
    IMPOSSIBLE,
    KING,
    NOLO,
    QUEEN,
    QUIET,
    TAROK_WHIP,
    WHIP,
    drivable,
    purpose,
    score,
    shape_value,
    suit_value,
    tarok_value,
)
from ultimo.kernel.jit import Ints, inlined, tight
from ultimo.play.following import FIRST_TRUMP, REAL_TRUMPS
from ultimo.rulebook import DanishRules

PRINCIPLES_OF_SKAT = (
    "F1.4",
    "F1.6",
    "F1.7",
    "F1.9",
    "F1.11",
    "F1.12",
    "F1.13",
    "F1.14",
    "F1.15",
    "F1.16",
)
NORMAL, DRIVABLE, SHORTENED, ALL_TAROK, QUIET_WHIP, ONE_SUIT, NINE_LAY, TOUCHING, TO_NOLO, PAIR_KEPT = range(
    10
)


# Paper: for each suit and the tarokker, and each number of cards laid, the best value and its cards.
VALUE = at.PACK
CARDS = VALUE + 4 * 5
TAROK_PART = 4
PAIR = KING | QUEEN


@inlined
def _weigh(w: Ints, part: int, dealt: int, laid: int, aim: int) -> None:
    """Note what is laid from a suit, if it is the best of so many cards."""
    spot = 4 * part + count(laid)
    value = tarok_value(laid, aim) if part == TAROK_PART else suit_value(dealt, laid, aim)
    if value > w[VALUE + spot]:
        w[VALUE + spot] = value
        w[CARDS + spot] = laid


@inlined
def _weigh_part(w: Ints, part: int, dealt: int, must: int, may: int, aim: int) -> None:
    """Find the best one, two, three cards of a suit to lay, `must` among them."""
    for number in range(SKAT_SIZE + 1):
        w[VALUE + 4 * part + number] = IMPOSSIBLE
    room = SKAT_SIZE - count(must)
    free = may & ~must
    _weigh(w, part, dealt, must, aim)
    while free and room > 0:
        first = must | (free & -free)
        free &= free - 1
        _weigh(w, part, dealt, first, aim)
        second = free
        while second and room > 1:
            two = first | (second & -second)
            second &= second - 1
            _weigh(w, part, dealt, two, aim)
            third = second
            while third and room > 2:
                _weigh(w, part, dealt, two | (third & -third), aim)
                third &= third - 1


@tight
def best_of_way(
    w: Ints, suits: int, trumps: int, aim: int, way: tuple[int, int, int, int], best: int
) -> tuple[int, int, int]:
    """The best skat of one way to lay: its value, if that is above `best`, and its cards."""
    must_suits, must_trumps, may_suits, may_trumps = way
    for suit in range(4):
        _weigh_part(w, suit, of_suit(suits, suit), of_suit(must_suits, suit), of_suit(may_suits, suit), aim)
    _weigh_part(w, TAROK_PART, trumps, must_trumps, may_trumps, aim)
    tarokker, driven = count(trumps), drivable(suits, trumps)
    laid_suits, laid_trumps = 0, 0
    for spades in range(SKAT_SIZE + 1):
        for hearts in range(SKAT_SIZE + 1 - spades):
            for clubs in range(SKAT_SIZE + 1 - spades - hearts):
                for diamonds in range(SKAT_SIZE + 1 - spades - hearts - clubs):
                    one, two, three, four = spades, 4 + hearts, 8 + clubs, 12 + diamonds
                    five = 16 + SKAT_SIZE - spades - hearts - clubs - diamonds
                    value = w[VALUE + one] + w[VALUE + two] + w[VALUE + three] + w[VALUE + four]
                    value += w[VALUE + five]
                    if value <= IMPOSSIBLE // 2:
                        continue
                    value += shape_value(suits, tarokker, driven, aim, spades, hearts, clubs, diamonds)
                    if value > best:
                        best = value
                        laid_suits = (
                            w[CARDS + one]
                            | by_height(w[CARDS + two], 1) << 14
                            | w[CARDS + three] << 28
                            | by_height(w[CARDS + four], 3) << 42
                        )
                        laid_trumps = w[CARDS + five]
    return best, laid_suits, laid_trumps


@tight
def best_skat(
    n: Ints, suits: int, trumps: int, tout: bool, laid_suits: int, laid_trumps: int, w: Ints
) -> tuple[int, int, int]:
    """The best legal skat from 28 cards that holds those already laid, and the number of its principle."""
    ways = w[at.WAYS_AT : at.TOUT_WAYS_AT]
    ways_to_lay(n, suits, trumps, tout, ways, w[at.MADE_AT : at.WAYS_AT])
    tarokker = trumps & REAL_TRUMPS
    layable = False
    for way in range(ways[0]):
        spot = 1 + 4 * way
        layable = layable or (tarokker != 0 and (ways[spot + 1] | ways[spot + 3]) & tarokker == tarokker)
    layable = layable and count(tarokker) <= FEW
    aim = purpose(suits, trumps, layable)
    best, skat_suits, skat_trumps = IMPOSSIBLE, 0, 0
    for way in range(ways[0]):
        spot = 1 + 4 * way
        must_suits, must_trumps = ways[spot] | laid_suits, ways[spot + 1] | laid_trumps
        may_suits, may_trumps = ways[spot] | ways[spot + 2], ways[spot + 1] | ways[spot + 3]
        if must_suits & ~may_suits or must_trumps & ~may_trumps or count(must_suits) + count(must_trumps) > 3:
            continue
        value, of_suits, of_trumps = best_of_way(
            w, suits, trumps, aim, (must_suits, must_trumps, may_suits, may_trumps), best
        )
        if value > best:
            best, skat_suits, skat_trumps = value, of_suits, of_trumps
    return skat_suits, skat_trumps, principle(suits, trumps, aim, skat_suits, skat_trumps)


@inlined
def choose_skat(n: Ints, s: Ints, w: Ints) -> tuple[int, int]:
    """The next card of the dealer's skat, and the number of the principle behind it.

    The skat is found anew for every card, from the 28 cards and what is laid, so that it stays the same.
    The skus is never laid for tout.
    """
    laid_suits, laid_trumps = s[at.SKAT_SUITS], s[at.SKAT_TRUMPS]
    dealt_suits, dealt_trumps = s[at.SUITS + 2] | laid_suits, s[at.TRUMPS + 2] | laid_trumps
    suits, trumps, why = best_skat(
        n, dealt_suits, dealt_trumps, s[at.TOUT_LAID] != 0, laid_suits, laid_trumps, w
    )
    if suits & ~laid_suits:
        return lowest(suits & ~laid_suits), why
    return FIRST_TRUMP + lowest(trumps & ~laid_trumps), why


@tight
def principle(suits: int, trumps: int, aim: int, laid_suits: int, laid_trumps: int) -> int:
    """The principle that speaks most for a skat."""
    if aim == NOLO:
        return ALL_TAROK if laid_trumps & REAL_TRUMPS else TO_NOLO
    driven, tarokker = drivable(suits, trumps), count(trumps)
    longest, whip, most, fours, sixes = 0, 0, 0, 0, 0
    undriven, king_cut, pair_cut, touching = False, False, False, False
    for suit in range(4):
        dealt, laid = of_suit(suits, suit), of_suit(laid_suits, suit)
        length, gone = count(dealt), count(laid)
        most = max(most, gone)
        fours += length - gone == COVER
        sixes += length - gone == WHIP
        if length - gone > longest:
            longest, whip = length - gone, dealt
        if gone and length >= WHIP:
            undriven = undriven or length > driven
            king_cut = king_cut or dealt & KING != 0
            pair_cut = pair_cut or dealt & PAIR == PAIR
        courts = laid >> FIRST_COURT << FIRST_COURT
        touching = touching or courts >> 1 & dealt & ~laid != 0
    if touching:
        return TOUCHING
    if fours == 4 and tarokker >= TAROK_WHIP:
        return NINE_LAY
    if fours == 3 and sixes == 1:
        return NORMAL
    if undriven:
        return DRIVABLE
    if aim == FIGHT and pair_cut and whip & PAIR != PAIR:
        return PAIR_KEPT
    if aim == QUIET and king_cut and not whip & KING:
        return QUIET_WHIP
    if longest > WHIP or tarokker > 7:
        return SHORTENED
    return ONE_SUIT if most == SKAT_SIZE else NORMAL


def candidates(rules: DanishRules, hand: Cards, number: int) -> list[tuple[Cards, int, str]]:
    """The `number` best skats from the dealer's 28 cards, each with its score and its principle."""
    suits, trumps = hand & SUITS_WORD, hand >> FIRST_TRUMP
    ways = legal_skats(rules, hand)
    tarokker = trumps & REAL_TRUMPS
    layable = 0 < count(tarokker) <= FEW and any(
        tarokker & ~((way.must | way.among) >> FIRST_TRUMP) == 0 for way in ways
    )
    aim = purpose(suits, trumps, layable)
    skats = {skat for way in ways for skat in way}
    scored = [
        (int(score(suits, trumps, skat & SUITS_WORD, skat >> FIRST_TRUMP, layable)), skat) for skat in skats
    ]
    scored.sort(key=lambda pair: (-pair[0], pair[1]))
    return [
        (
            skat,
            value,
            PRINCIPLES_OF_SKAT[principle(suits, trumps, aim, skat & SUITS_WORD, skat >> FIRST_TRUMP)],
        )
        for value, skat in scored[:number]
    ]


def skat_of(rules: DanishRules, hand: Cards) -> tuple[Cards, str]:
    """The skat that the club player lays from the dealer's 28 cards, and its principle."""
    paper = np.zeros(at.PAPER, np.int64)
    suits, trumps, why = best_skat(
        array_of(rules), hand & SUITS_WORD, hand >> FIRST_TRUMP, False, 0, 0, paper
    )
    return int(suits) | int(trumps) << FIRST_TRUMP, PRINCIPLES_OF_SKAT[why]
