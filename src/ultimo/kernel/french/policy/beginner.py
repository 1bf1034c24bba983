"""A newcomer at French Tarot: counts points and trumps, plays high to win and low otherwise.

He follows the trick on the table and forgets those before; he knows who the taker is, and a partner only when
everybody does.
"""

from __future__ import annotations

from ultimo.cards import HONOURS_OF_FOUR, SUITS_WORD
from ultimo.french import numbers as rule
from ultimo.french.following import fall
from ultimo.french.reckoning import pile_bouts, pile_half_points
from ultimo.kernel.bits import count, highest, lowest
from ultimo.kernel.french import layout as at
from ultimo.kernel.jit import Ints, inlined
from ultimo.play.following import (
    FIRST_TRUMP,
    NO_SUIT,
    REAL_TRUMPS,
    SKUS_BIT,
    SKUS_CARD,
    SUIT_BITS,
)

KINGS = HONOURS_OF_FOUR & SUITS_WORD
PETIT_BIT = 1
PETITE_FROM, GARDE_FROM = 38, 50  # in hands of eighteen: half points, trumps and bouts


# --- before the first card -----------------------------------------------------------------------------


@inlined
def beginner_word(n: Ints, s: Ints, suits: int, trumps: int, words: int) -> int:
    """What a newcomer does in any phase but the tricks: he never plays without the chien, nor for a slam."""
    phase, hand = s[at.PHASE], s[at.SUITS + s[at.TURN]]
    if phase == at.BIDDING:
        return beginner_bid(n, s, words)
    if phase == at.CALLING:
        others = suits & ~hand
        return lowest(others if others else suits)
    if phase == at.LAYING:
        return low_of_short_suit(hand, suits) if suits else FIRST_TRUMP + lowest(trumps)
    if phase == at.SLAM_ASKED:
        return at.DECLINE
    return FIRST_TRUMP + lowest(trumps)


@inlined
def beginner_bid(n: Ints, s: Ints, words: int) -> int:
    """A petite or a garde by the count of points, trumps and bouts in the hand."""
    seat = s[at.TURN]
    suits, trumps = s[at.SUITS + seat], s[at.TRUMPS + seat]
    worth = pile_half_points(suits, trumps) - n[rule.HAND] + 2 * count(trumps) + 4 * pile_bouts(trumps)
    worth = worth * 18 // n[rule.HAND]
    may = words >> (at.BID - at.FIRST_WORD)
    if may & 2 and worth >= GARDE_FROM:
        return at.BID + 1
    if may & 1 and worth >= PETITE_FROM:
        return at.BID
    return at.PASS


@inlined
def low_of_short_suit(hand: int, suits: int) -> int:
    """The lowest card of the shortest suit."""
    best, fewest = lowest(suits), 15
    for suit in range(4):
        among = suits >> (14 * suit) & SUIT_BITS
        length = count(hand >> (14 * suit) & SUIT_BITS)
        if among and length < fewest:
            best, fewest = 14 * suit + lowest(among), length
    return best


# --- cards ---------------------------------------------------------------------------------------------


@inlined
def beginner_card(n: Ints, s: Ints, suits: int, trumps: int) -> int:
    """Win if it can be done, with a high card; else play low; the excuse saves a court or the petit."""
    seat = s[at.TURN]
    real = trumps & REAL_TRUMPS
    if trumps & SKUS_BIT and s[at.TRICK] >= n[rule.HAND] - 2:
        return SKUS_CARD
    if suits | real == 0:
        return SKUS_CARD
    if s[at.LED] == NO_SUIT:
        return beginner_lead(suits, real)
    winner = winning_card(s, suits, real, seat)
    last = s[at.PLACE] + 1 == n[rule.PLAYERS]
    friend = on_same_side(s, seat, s[at.WINNING])
    if last and friend and suits:
        return high_rank(suits)
    if winner != at.NOTHING:
        return winner
    loser = low_card(suits, real)
    if trumps & SKUS_BIT and not friend and is_dear(loser):
        return SKUS_CARD
    return loser


@inlined
def beginner_lead(suits: int, real: int) -> int:
    """A king, or low from the longest suit; trumps from the top when nothing else is left."""
    if suits & KINGS:
        return highest(suits & KINGS)
    if suits == 0:
        return FIRST_TRUMP + highest(real)
    best, most = 0, 0
    for suit in range(4):
        held = suits >> (14 * suit) & SUIT_BITS
        if count(held) > most:
            best, most = 14 * suit + lowest(held), count(held)
    return best


@inlined
def winning_card(s: Ints, suits: int, real: int, seat: int) -> int:
    """The highest plain card if it lies best now, or the lowest such trump; the petit only if need be."""
    if suits:
        card = high_rank(suits)
    else:
        others = real & ~PETIT_BIT
        card = FIRST_TRUMP + lowest(others if others else real)
    _, _, winning = fall(card, seat, s[at.LED], s[at.HEIGHT], s[at.WINNING])
    return card if winning == seat else at.NOTHING


@inlined
def on_same_side(s: Ints, seat: int, other: int) -> bool:
    """Whether a newcomer takes another for a friend."""
    if s[at.SIDES_PUBLIC]:
        return bool(s[at.SIDES] >> other & 1 == s[at.SIDES] >> seat & 1)
    return seat != s[at.TAKER] and other != s[at.TAKER]


@inlined
def is_dear(card: int) -> bool:
    """Whether nobody likes to lose a card: a king, a queen, a knight, the petit."""
    return card == FIRST_TRUMP if card >= FIRST_TRUMP else card % 14 > 10


@inlined
def low_card(suits: int, real: int) -> int:
    """The plain card of the lowest rank; else the lowest trump, not the petit if possible."""
    if suits == 0:
        others = real & ~PETIT_BIT
        return FIRST_TRUMP + lowest(others if others else real)
    return low_rank(suits)


@inlined
def low_rank(suits: int) -> int:
    """The plain card of the lowest rank."""
    best, least = 0, 14
    for suit in range(4):
        held = suits >> (14 * suit) & SUIT_BITS
        if held and lowest(held) < least:
            least = lowest(held)
            best = 14 * suit + least
    return best


@inlined
def high_rank(suits: int) -> int:
    """The plain card of the highest rank."""
    best, most = 0, -1
    for suit in range(4):
        held = suits >> (14 * suit) & SUIT_BITS
        if held and highest(held) > most:
            most = highest(held)
            best = 14 * suit + most
    return best
