"""Simple players of French deals: each is a number, so that a table of them is an array.

A policy looks only at what its seat may know. All but `RANDOM` bid by the worth of the hand and lay, call and
show alike; they differ in the cards they play.
"""

from __future__ import annotations

from ultimo.french import numbers as rule
from ultimo.french.following import BELOW_TRUMPS, top_trump
from ultimo.kernel.bits import count, highest, lowest, select
from ultimo.kernel.dice import draw
from ultimo.kernel.french import layout as at
from ultimo.kernel.french.deal import legal
from ultimo.kernel.french.policy.beginner import beginner_card, beginner_word
from ultimo.kernel.french.policy.club import club_card
from ultimo.kernel.french.policy.odds import role_of
from ultimo.kernel.french.policy.reasons import POIGNEE
from ultimo.kernel.french.policy.words import club_word, shows
from ultimo.kernel.jit import Ints, Words, inlined, tight
from ultimo.play.following import (
    FIRST_TRUMP,
    NO_SUIT,
    REAL_TRUMPS,
    SKUS_BIT,
    SKUS_CARD,
    SUIT_BITS,
    TRUMP_SUIT,
)

RANDOM, LOWEST, HIGHEST, SENSIBLE, BEGINNER, CLUB = range(6)
POLICIES = {
    "random": RANDOM,
    "lowest": LOWEST,
    "highest": HIGHEST,
    "sensible": SENSIBLE,
    "beginner": BEGINNER,
    "club": CLUB,
}

# What a hand of 18 must be worth for each bid of the ladder, and what its cards are worth.
WORTH = (40, 56, 71, 81)
USUAL_HAND = 18
T21_BIT = 1 << 20
HIGH_TRUMPS = 0b11111 << 15  # T16 … T20
LONG_TRUMPS = 5  # so many protect the petit


@inlined
def is_mindful(policy: int) -> bool:
    """Whether a policy looks at what `memory` remembers."""
    return policy == CLUB


@tight
def choose(policy: int, n: Ints, s: Ints, dice: Words) -> int:
    """What the seat whose turn it is does by a policy."""
    suits, trumps, words = legal(n, s)
    if policy == RANDOM:
        return at_random(suits, trumps, words, dice)
    if policy == CLUB:
        return club(n, s, suits, trumps, words)
    if policy == BEGINNER:
        return beginner(n, s, suits, trumps, words)
    if s[at.PHASE] != at.PLAYING:
        return before_play(n, s, suits, trumps, words)
    if words:
        return at.FIRST_WORD + highest(words)
    if policy == LOWEST:
        return lowest_card(suits, trumps)
    if policy == HIGHEST:
        return highest_card(suits, trumps)
    return sensible_card(n, s, suits, trumps)


@inlined
def at_random(suits: int, trumps: int, words: int, dice: Words) -> int:
    """A kind of action as likely as another, and all cards together are one kind; among them each alike."""
    if words:
        others = count(words)
        kinds = others + 1 if suits | trumps else others
        kind = draw(dice, kinds)
        if kind < others:
            return at.FIRST_WORD + select(words, kind)
    lower = count(suits)
    cards = lower + count(trumps)
    nth = draw(dice, cards)  # also where there is but one: to ask would take longer
    if nth < lower:
        return select(suits, nth)
    return FIRST_TRUMP + select(trumps, nth - lower)


@inlined
def club(n: Ints, s: Ints, suits: int, trumps: int, words: int) -> int:
    """What a club player does; why is written into the array."""
    if s[at.PHASE] != at.PLAYING:
        return club_word(n, s, suits, trumps, words)
    if words and shows(s):
        s[at.ROLE] = role_of(s, s[at.TURN])
        s[at.WHY] = POIGNEE
        return at.FIRST_WORD + highest(words)
    return club_card(n, s, suits, trumps)


@inlined
def beginner(n: Ints, s: Ints, suits: int, trumps: int, words: int) -> int:
    """What a newcomer does; he shows what he has."""
    if s[at.PHASE] != at.PLAYING:
        return beginner_word(n, s, suits, trumps, words)
    if words:
        return at.FIRST_WORD + highest(words)
    return beginner_card(n, s, suits, trumps)


# --- before the first card -----------------------------------------------------------------------------


@inlined
def before_play(n: Ints, s: Ints, suits: int, trumps: int, words: int) -> int:
    """Bid what the hand is worth, call a card one does not hold, lay short suits, announce no slam."""
    phase, seat = s[at.PHASE], s[at.TURN]
    if phase == at.BIDDING:
        return bid(n, s, words)
    if phase == at.CALLING:
        others = suits & ~s[at.SUITS + seat]
        return lowest(others if others else suits)
    if phase == at.LAYING and suits:
        return highest(suit_word(suits, shortest_suit(suits, s[at.SUITS + seat])))
    if phase == at.SLAM_ASKED:
        return at.DECLINE
    return FIRST_TRUMP + lowest(trumps)


@inlined
def bid(n: Ints, s: Ints, words: int) -> int:
    """The highest bid that the hand is worth, if it is higher than those before; else a pass."""
    seat = s[at.TURN]
    worth = hand_worth(s[at.SUITS + seat], s[at.TRUMPS + seat]) * USUAL_HAND
    chosen = at.PASS
    for step in range(rule.MOST_BIDS):
        if words >> (at.BID - at.FIRST_WORD + step) & 1 and worth >= WORTH[step] * n[rule.HAND]:
            chosen = at.BID + step
    return chosen


@inlined
def hand_worth(suits: int, trumps: int) -> int:
    """What a hand is worth to a taker: bouts and courts by their rank, trumps by number and height."""
    real = count(trumps & REAL_TRUMPS)
    worth = 2 * real + 2 * count(trumps & HIGH_TRUMPS)
    if trumps & T21_BIT:
        worth += 10
    if trumps & SKUS_BIT:
        worth += 8
    if trumps & 1 and real >= LONG_TRUMPS:
        worth += min(9, real)
    for suit in range(4):
        held = suits >> (14 * suit) & SUIT_BITS
        worth += 6 * (held >> 13 & 1) + 3 * (held >> 12 & 1) + 2 * (held >> 11 & 1) + (held >> 10 & 1)
        if held >> 12 == 0b11:
            worth += 1
    return worth


# --- cards ---------------------------------------------------------------------------------------------


@inlined
def sensible_card(n: Ints, s: Ints, suits: int, trumps: int) -> int:
    """Lead low from the longest suit; win the trick as its last player, or give a friend points."""
    seat, led = s[at.TURN], s[at.LED]
    if trumps & SKUS_BIT and s[at.TRICK] == n[rule.HAND] - 2:
        return SKUS_CARD  # in the last trick it would be lost
    if led == NO_SUIT:
        if suits:
            return lowest(suit_word(suits, longest_suit(suits)))
        return highest_card(suits, trumps)
    if s[at.PLACE] + 1 < n[rule.PLAYERS]:
        return lowest_card(suits, trumps)
    if seems_friend(s, seat, s[at.WINNING]):
        return highest_rank(suits) if suits else lowest_card(suits, trumps)
    higher = suits_above(suits, led, s[at.HEIGHT])
    if higher:
        return highest(higher)
    over = (trumps & REAL_TRUMPS) >> top_trump(s[at.HEIGHT]) << top_trump(s[at.HEIGHT])
    if over:
        return FIRST_TRUMP + lowest(over)
    return lowest_card(suits, trumps)


@inlined
def suits_above(suits: int, led: int, height: int) -> int:
    """The cards of the suit led that stand above a height."""
    if led == TRUMP_SUIT or height > BELOW_TRUMPS:
        return 0
    least = 14 * led + max(0, height)
    return suit_word(suits, led) >> least << least


@inlined
def seems_friend(s: Ints, seat: int, other: int) -> bool:
    """Whether a seat takes another for a friend; while the partner is secret, a defender trusts too many."""
    own = s[at.SIDES] >> seat & 1
    if s[at.SIDES_PUBLIC]:
        return bool(s[at.SIDES] >> other & 1 == own)
    if seat == s[at.TAKER]:
        return False
    return bool((other == s[at.TAKER]) == (own == 1))


@inlined
def lowest_card(suits: int, trumps: int) -> int:
    """The suit card of the lowest rank; else the lowest trump, the excuse last."""
    if suits:
        least, found = 14, 0
        for suit in range(4):
            held = suits >> (14 * suit) & SUIT_BITS
            if held and lowest(held) < least:
                least = lowest(held)
                found = 14 * suit + least
        return found
    return FIRST_TRUMP + lowest(trumps)


@inlined
def highest_card(suits: int, trumps: int) -> int:
    """The highest trump; else the suit card of the highest rank; else the excuse."""
    if trumps & REAL_TRUMPS:
        return FIRST_TRUMP + highest(trumps & REAL_TRUMPS)
    return highest_rank(suits) if suits else SKUS_CARD


@inlined
def highest_rank(suits: int) -> int:
    """The suit card of the highest rank."""
    most, found = -1, 0
    for suit in range(4):
        held = suits >> (14 * suit) & SUIT_BITS
        if held and highest(held) > most:
            most = highest(held)
            found = 14 * suit + most
    return found


@inlined
def suit_word(suits: int, suit: int) -> int:
    """The cards of one suit, where they are."""
    return suits & SUIT_BITS << (14 * suit)


@inlined
def longest_suit(suits: int) -> int:
    """The suit with the most cards."""
    best, most = 0, 0
    for suit in range(4):
        length = count(suit_word(suits, suit))
        if length > most:
            best, most = suit, length
    return best


@inlined
def shortest_suit(among: int, hand: int) -> int:
    """The suit with a card in `among` of which the hand has the fewest."""
    best, fewest = 0, 15
    for suit in range(4):
        length = count(suit_word(hand, suit))
        if suit_word(among, suit) and length < fewest:
            best, fewest = suit, length
    return best
