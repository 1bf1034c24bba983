"""The best skat of all that may be laid.

What a skat is worth (`skat_value.score`) is a sum over the suits and something for the lengths. So for
each suit, and each number of cards from it, the best cards are found first, and then the best numbers.
"""

from __future__ import annotations

from ultimo.cards import SUITS_WORD, Cards
from ultimo.danish.skat import SIZE as SKAT_SIZE
from ultimo.danish.skat import legal_skats, ways_to_lay
from ultimo.kernel.arrays import zeros
from ultimo.kernel.bits import count
from ultimo.kernel.danish import layout as at
from ultimo.kernel.danish import weights as wt
from ultimo.kernel.danish.deal import array_of
from ultimo.kernel.danish.policy import skat_value as value
from ultimo.kernel.danish.policy.odds import by_height, of_suit
from ultimo.kernel.danish.policy.reasons import PRINCIPLES_OF_SKAT, principle
from ultimo.kernel.jit import Ints, inlined, tight
from ultimo.kernel.policy import NEVER, first_card
from ultimo.play.following import FIRST_TRUMP, REAL_TRUMPS
from ultimo.rulebook import DanishRules

# Paper: for each suit and the tarokker, and each number of cards laid, the best value and its cards.
VALUE = at.PACK
CARDS = VALUE + 4 * 5
TAROK_PART = 4


@inlined
def _weigh(n: Ints, w: Ints, part: int, dealt: int, laid: int, aim: int) -> None:
    """Note what is laid from a suit, if it is the best of so many cards."""
    spot = 4 * part + count(laid)
    found = value.tarok_value(laid, aim) if part == TAROK_PART else value.suit_value(n, dealt, laid, aim)
    if found > w[VALUE + spot]:
        w[VALUE + spot] = found
        w[CARDS + spot] = laid


@inlined
def _weigh_part(n: Ints, w: Ints, part: int, dealt: int, must: int, may: int, aim: int) -> None:
    """Find the best one, two, three cards of a suit to lay, `must` among them."""
    for number in range(SKAT_SIZE + 1):
        w[VALUE + 4 * part + number] = NEVER
    room = SKAT_SIZE - count(must)
    free = may & ~must
    _weigh(n, w, part, dealt, must, aim)
    while free and room > 0:
        first = must | (free & -free)
        free &= free - 1
        _weigh(n, w, part, dealt, first, aim)
        second = free
        while second and room > 1:
            two = first | (second & -second)
            second &= second - 1
            _weigh(n, w, part, dealt, two, aim)
            third = second
            while third and room > 2:
                _weigh(n, w, part, dealt, two | (third & -third), aim)
                third &= third - 1


@tight
def best_of_way(
    n: Ints, w: Ints, suits: int, trumps: int, aim: int, way: tuple[int, int, int, int], best: int
) -> tuple[int, int, int]:
    """The best skat of one way to lay: its value, if that is above `best`, and its cards."""
    must_suits, must_trumps, may_suits, may_trumps = way
    for suit in range(4):
        must, may = of_suit(must_suits, suit), of_suit(may_suits, suit)
        _weigh_part(n, w, suit, of_suit(suits, suit), must, may, aim)
    _weigh_part(n, w, TAROK_PART, trumps, must_trumps, may_trumps, aim)
    tarokker, driven = count(trumps), value.drivable(n, suits, trumps)
    laid_suits, laid_trumps = 0, 0
    for spades in range(SKAT_SIZE + 1):
        for hearts in range(SKAT_SIZE + 1 - spades):
            for clubs in range(SKAT_SIZE + 1 - spades - hearts):
                for diamonds in range(SKAT_SIZE + 1 - spades - hearts - clubs):
                    one, two, three, four = spades, 4 + hearts, 8 + clubs, 12 + diamonds
                    five = 16 + SKAT_SIZE - spades - hearts - clubs - diamonds
                    found = w[VALUE + one] + w[VALUE + two] + w[VALUE + three] + w[VALUE + four]
                    found += w[VALUE + five]
                    if found <= NEVER // 2:
                        continue
                    laid = (spades, hearts, clubs, diamonds)
                    found += value.shape_value(n, suits, tarokker, driven, aim, laid)
                    if found > best:
                        best = found
                        laid_suits = (
                            w[CARDS + one]
                            | by_height(w[CARDS + two], 1) << 14
                            | w[CARDS + three] << 28
                            | by_height(w[CARDS + four], 3) << 42
                        )
                        laid_trumps = w[CARDS + five]
    return best, laid_suits, laid_trumps


@tight
def find_purpose(n: Ints, suits: int, trumps: int, tout: bool, w: Ints) -> int:
    """What a hand of 28 cards is for; the ways to lay from it are written on the paper."""
    ways = w[at.WAYS_AT : at.TOUT_WAYS_AT]
    ways_to_lay(n, suits, trumps, tout, ways, w[at.MADE_AT : at.WAYS_AT])
    tarokker = trumps & REAL_TRUMPS
    layable = False
    for way in range(ways[0]):
        may_go = ways[2 + 4 * way] | ways[4 + 4 * way]
        layable = layable or (tarokker != 0 and may_go & tarokker == tarokker)
    return value.purpose(n, suits, trumps, layable and count(tarokker) <= wt.FEW)


@tight
def best_skat(
    n: Ints, suits: int, trumps: int, tout: bool, laid_suits: int, laid_trumps: int, w: Ints
) -> tuple[int, int, int]:
    """The best legal skat from 28 cards that holds those already laid, and the number of its principle."""
    aim, ways = find_purpose(n, suits, trumps, tout, w), w[at.WAYS_AT : at.TOUT_WAYS_AT]
    best, skat_suits, skat_trumps = NEVER, 0, 0
    for way in range(ways[0]):
        spot = 1 + 4 * way
        must_suits, must_trumps = ways[spot] | laid_suits, ways[spot + 1] | laid_trumps
        may_suits, may_trumps = ways[spot] | ways[spot + 2], ways[spot + 1] | ways[spot + 3]
        lying = count(must_suits) + count(must_trumps)
        if must_suits & ~may_suits or must_trumps & ~may_trumps or lying > SKAT_SIZE:
            continue
        found, of_suits, of_trumps = best_of_way(
            n, w, suits, trumps, aim, (must_suits, must_trumps, may_suits, may_trumps), best
        )
        if found > best:
            best, skat_suits, skat_trumps = found, of_suits, of_trumps
    return skat_suits, skat_trumps, principle(n, suits, trumps, aim, skat_suits, skat_trumps)


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
    return first_card(suits & ~laid_suits, trumps & ~laid_trumps), why


def candidates(rules: DanishRules, hand: Cards, number: int) -> list[tuple[Cards, int, str]]:
    """The `number` best skats from the dealer's 28 cards, each with its score and its principle."""
    n, suits, trumps = array_of(rules), hand & SUITS_WORD, hand >> FIRST_TRUMP
    aim = find_purpose(n, suits, trumps, False, zeros(at.PAPER))
    skats = {skat for way in legal_skats(rules, hand) for skat in way}
    laid = {skat: (skat & SUITS_WORD, skat >> FIRST_TRUMP) for skat in skats}
    scored = sorted((-int(value.score(n, suits, trumps, *laid[skat], aim)), skat) for skat in skats)
    return [
        (skat, -score, PRINCIPLES_OF_SKAT[principle(n, suits, trumps, aim, *laid[skat])])
        for score, skat in scored[:number]
    ]


def skat_of(rules: DanishRules, hand: Cards) -> tuple[Cards, str]:
    """The skat that the club player lays from the dealer's 28 cards, and its principle."""
    paper = zeros(at.PAPER)
    suits, trumps, why = best_skat(
        array_of(rules), hand & SUITS_WORD, hand >> FIRST_TRUMP, False, 0, 0, paper
    )
    return int(suits) | int(trumps) << FIRST_TRUMP, PRINCIPLES_OF_SKAT[why]
