"""What a club player of French Tarot gives for things that cannot be counted.

A weight is a place in the array `n`, behind the rulebook; its values stand in the brackets, and
`tools/tune_club.py` looks for better ones. Points are sixteenths of half a card point; a chance is in parts
of SURE (1024).
"""

from __future__ import annotations

from ultimo.french.numbers import LENGTH
from ultimo.kernel.french import layout as at
from ultimo.kernel.jit import Ints, inlined
from ultimo.kernel.policy import Weights

_weight = Weights(LENGTH)

# --- cards, as pairs: the taker's, and that of the others (`weight`) ------------------------------------

TAKER_MADE_VOID = _weight(250, 538)  # chance that the taker has laid a suit away
BEHIND_BEATS = _weight(1506, 561)  # chance that who can beat a plain card later does
LATER = _weight(16, 32)  # what each seat still to play adds to the trick
PETIT_WORTH = _weight(832, 640)  # the petit won or lost, the change of the target with it
KEEP_MASTER = _weight(300, 678)  # share of its points that a highest card of its suit will win later
KEEP_GUARDED = _weight(150, 323)  # the same for a court with as many lower cards as there are higher ones out
KEEP_BARE = _weight(-300, -300)  # and for one without
KEEP_GUARD = _weight(-3, 8)  # a pip that guards a court
KEEP_TRUMP = _weight(64, 30)  # any trump in the hand
KEEP_RANK = _weight(9, 3)  # for each number of a trump
KEEP_TOP = _weight(30, 60)  # more for a trump that nothing beats
PETIT_CHANCE = _weight(450, 500)  # that a petit comes home later: a chance,
PETIT_PER_TRUMP = _weight(108, 60)  # more for each other trump of the hand,
PETIT_PER_OUT = _weight(10, 12)  # less for each trump out
PETIT_BOUT = _weight(320, 320)  # keeping the petit when no other trump is out
EXCUSE_PER_TRICK = _weight(6, 6)  # keeping the excuse, for each trick that it may yet be played to
EXCUSE_LED = _weight(200, 100)  # not leading the excuse: the trick and the lead would go to others
LEAD = _weight(4, 10)  # having the lead
LEAD_TRUMPS = _weight(-60, -60)  # leading trumps
TRUMPS_MORE = _weight(39, 20)  # and for each trump beyond a hand's share of those out
HUNT = _weight(40, 40)  # leading trumps while the petit may fall to one's side
LONG = _weight(16, 16)  # leading a plain suit, for each card of it beyond `LONG_FROM`
RUFF_COMING = _weight(16, 16)  # playing the last card of a suit
FORCE_TAKER = _weight(0, 72)  # leading a suit that the taker must trump
RETURN_SUIT = _weight(0, 30)  # leading a suit that a friend has led
TAKERS_SUIT = _weight(0, -30)  # leading a suit that the taker has led

# --- the taker's before the first card: only how they compare matters -----------------------------------

LAY_POINTS = _weight(-4)  # laying a card, for each half point it counts,
LAY_LENGTH = _weight(-21)  # for each card of its suit,
LAY_VOID = _weight(30)  # if all of its suit can be laid,
LAY_KING = _weight(5)  # if its king is held,
LAY_QUEEN = _weight(-60)  # and a queen beside its king
CALL_QUEEN = _weight(20)  # calling a king whose queen is held,
CALL_LENGTH = _weight(5)  # and for each card of its suit
SLAM_TOP = _weight(5)  # a slam is announced with so many trumps from the top: a number,
SLAM_TIMES = _weight(2)  # and so many times as many as are out

# --- what the cards of a hand promise to its taker, for three, four and five players --------------------
# Tenths of the points that each defender would pay at the lowest bid, found by least squares over deals that
# club players took.

NOTHING_HELD = _weight(-829, -1160, -597)  # the hand itself
TRUMP = _weight(49, 78, 69)  # each trump,
HIGH_TRUMP = _weight(13, 40, 36)  # T16 … T20,
MIDDLE_TRUMP = _weight(0, 15, 6)  # T11 … T15,
NINTH_TRUMP = _weight(24, 30, 53)  # the ninth and each after it
T21 = _weight(322, 436, 307)
EXCUSE = _weight(244, 298, 224)
PETIT = _weight(197, 218, 153)
COURT = _weight(15, 10, 5, 28, 19, 13, 44, 47, 18, 86, 122, 79)  # jack, knight, queen, king
KING_AND_QUEEN = _weight(17, 17, 8)  # of one suit
VOID_SUIT = _weight(24, 4, 22)  # a suit of no card,
SINGLETON = _weight(19, 2, 11)  # and of one
BID_FROM = _weight(-60, 0, 420, 660, -20, 0, 620, 750, -60, 0, 250, 370)  # what each bid of the ladder needs

WEIGHTS = tuple(_weight.values)

# --- no weights: tables and words hang on them ----------------------------------------------------------

LONG_FROM = 3  # a suit of more cards is long
EIGHT_TRUMPS = 8  # as many as are nothing special
TAKER_TRUMPS = 2  # the taker is thought to have a trump that is out so many times as likely as another
SUSPECT = 1  # who has fed the taker nothing is suspected to be the partner as by one card point

# --- a beginner's, in hands of so many cards ------------------------------------------------------------

BEGINNER_HAND = 18
BEGINNER_TRUMP, BEGINNER_BOUT = 2, 4  # beside half points
PETITE_FROM, GARDE_FROM = 38, 50  # half points, trumps and bouts
EXCUSE_TRICKS = 2  # so many tricks before the end the excuse goes


@inlined
def weight(n: Ints, s: Ints, which: int) -> int:
    """A weight of a pair, for the seat in turn."""
    return n[which + int(s[at.TURN] != s[at.TAKER])]
