"""A beginner at French Tarot: counts points and trumps, plays high to win and low otherwise.

Follows the trick on the table and forgets those before; knows who the taker is, and a partner only when
everybody does.
"""

from __future__ import annotations

from ultimo.french import numbers as rule
from ultimo.french.following import fall
from ultimo.french.reckoning import pile_bouts, pile_half_points
from ultimo.kernel.bits import count, highest, lowest
from ultimo.kernel.french import layout as at
from ultimo.kernel.french import weights as wt
from ultimo.kernel.french.policy.odds import low_trump
from ultimo.kernel.jit import Ints, inlined
from ultimo.kernel.policy import HONOUR, high_rank, longest, low_rank, suit_cards
from ultimo.play.counting import KINGS_WORD
from ultimo.play.following import FIRST_TRUMP, NO_SUIT, REAL_TRUMPS, SKUS_BIT, SKUS_CARD

# --- before the first card -----------------------------------------------------------------------------


@inlined
def beginner_word(n: Ints, s: Ints, suits: int, trumps: int, words: int) -> int:
    """What a beginner does in any phase but the tricks: nothing without the chien, nor for a slam."""
    phase, hand = s[at.PHASE], s[at.SUITS + s[at.TURN]]
    if phase == at.BIDDING:
        return beginner_bid(n, s, words)
    if phase == at.CALLING:
        others = suits & ~hand
        return lowest(others if others else suits)
    if phase == at.SLAM_ASKED:
        return at.DECLINE
    if phase == at.LAYING and suits:
        return low_of_short_suit(hand, suits)
    return FIRST_TRUMP + lowest(trumps)


@inlined
def beginner_bid(n: Ints, s: Ints, words: int) -> int:
    """A petite or a garde by the count of points, trumps and bouts in the hand."""
    seat = s[at.TURN]
    suits, trumps = s[at.SUITS + seat], s[at.TRUMPS + seat]
    worth = pile_half_points(suits, trumps) - n[rule.HAND]
    worth += wt.BEGINNER_TRUMP * count(trumps) + wt.BEGINNER_BOUT * pile_bouts(trumps)
    worth = worth * wt.BEGINNER_HAND // n[rule.HAND]
    may = words >> (at.BID - at.FIRST_WORD)
    if may & 2 and worth >= wt.GARDE_FROM:
        return at.BID + 1
    if may & 1 and worth >= wt.PETITE_FROM:
        return at.BID
    return at.PASS


@inlined
def low_of_short_suit(hand: int, suits: int) -> int:
    """The lowest card of the shortest suit."""
    best, fewest = lowest(suits), 15
    for suit in range(4):
        among, length = suit_cards(suits, suit), count(suit_cards(hand, suit))
        if among and length < fewest:
            best, fewest = 14 * suit + lowest(among), length
    return best


# --- cards ---------------------------------------------------------------------------------------------


@inlined
def beginner_card(n: Ints, s: Ints, suits: int, trumps: int) -> int:
    """Win if it can be done, with a high card; else play low; the excuse saves a court or the petit."""
    seat = s[at.TURN]
    real = trumps & REAL_TRUMPS
    late = trumps & SKUS_BIT and s[at.TRICK] >= n[rule.HAND] - wt.EXCUSE_TRICKS
    if late or suits | real == 0:
        return SKUS_CARD
    if s[at.LED] == NO_SUIT:
        return beginner_lead(suits, real)
    friend = on_same_side(s, seat, s[at.WINNING])
    last = s[at.PLACE] + 1 == n[rule.PLAYERS]
    card = high_rank(suits) if suits else low_trump(real)
    if (last and friend and suits) or wins(s, seat, card):
        return card
    card = low_rank(suits) if suits else card
    return SKUS_CARD if trumps & SKUS_BIT and not friend and is_dear(card) else card


@inlined
def wins(s: Ints, seat: int, card: int) -> bool:
    """Whether a card would lie best."""
    _, _, winning = fall(card, seat, s[at.LED], s[at.HEIGHT], s[at.WINNING])
    return winning == seat


@inlined
def beginner_lead(suits: int, real: int) -> int:
    """A king, or low from the longest suit; trumps from the top when nothing else is left."""
    if suits & KINGS_WORD:
        return highest(suits & KINGS_WORD)
    if suits == 0:
        return FIRST_TRUMP + highest(real)
    suit = longest(suits)
    return 14 * suit + lowest(suit_cards(suits, suit))


@inlined
def on_same_side(s: Ints, seat: int, other: int) -> bool:
    """Whether a beginner takes another for a friend."""
    if s[at.SIDES_PUBLIC]:
        return bool(s[at.SIDES] >> other & 1 == s[at.SIDES] >> seat & 1)
    return seat != s[at.TAKER] and other != s[at.TAKER]


@inlined
def is_dear(card: int) -> bool:
    """Whether nobody likes to lose a card: a king, a queen, a knight, the petit."""
    return HONOUR[card] > 1
