"""What a club player gives for things that cannot be counted, found by playing weights against each other.

Each weight is a pair: the taker's, and that of the others. Points are in sixteenths of half a card point,
chances in 1/1024.
"""

from __future__ import annotations

from ultimo.kernel.french import layout as at
from ultimo.kernel.jit import Ints, inlined

TAKER_MADE_VOID = (250, 538)  # chance that the taker has laid a suit away
BEHIND_BEATS = (1506, 561)  # chance that who can beat a plain card later does
LATER = (16, 32)  # what each seat still to play adds to the trick
PETIT_WORTH = (832, 640)  # the petit won or lost, the change of the target with it
KEEP_MASTER = (300, 678)  # share of its points that a highest card of its suit will win later
KEEP_GUARDED = (150, 323)  # the same for a court with as many lower cards as there are higher ones out
KEEP_BARE = (-300, -300)  # and for one without
KEEP_GUARD = (-3, 8)  # a pip that guards a court
KEEP_TRUMP = (64, 30)  # any trump in the hand
KEEP_RANK = (9, 3)  # for each number of a trump
KEEP_TOP = (30, 60)  # more for a trump that nothing beats
PETIT_CHANCE = (450, 500)  # that a petit comes home later
PETIT_PER_TRUMP = (108, 60)  # more for each other trump of the hand
PETIT_PER_OUT = (10, 12)  # less for each trump out
PETIT_BOUT = (320, 320)  # keeping the petit when no other trump is out
EXCUSE_PER_TRICK = (12, 6)  # keeping the excuse, for each trick that it may yet be played to
LEAD = (4, 10)  # having the lead
LEAD_TRUMPS = (-60, -60)  # leading trumps
TRUMPS_MORE = (39, 20)  # and for each trump beyond a hand's share of those out
HUNT = (40, 40)  # leading trumps while the petit may fall to one's side
LONG = (16, 16)  # leading a plain suit, for each card of it beyond three
RUFF_COMING = (16, 16)  # playing the last card of a suit
FORCE_TAKER = (0, 72)  # leading a suit that the taker must trump
RETURN_SUIT = (0, 30)  # leading a suit that a friend has led
TAKERS_SUIT = (0, -30)  # leading a suit that the taker has led
LAY_POINTS = (-4, 0)  # laying a card, for each half point it counts
LAY_SHORT = (21, 0)  # for each card that its suit is shorter than eight
LAY_VOID = (30, 0)  # if all of its suit can be laid
LAY_KING = (5, 0)  # if its king is held
LAY_QUEEN = (-60, 0)  # a queen beside its king
CALL_QUEEN = (20, 0)  # calling a king whose queen is held
CALL_LENGTH = (5, 0)  # and for each card of its suit


@inlined
def weight(s: Ints, which: tuple[int, int]) -> int:
    """A weight, for the seat in turn."""
    return which[0] if s[at.TURN] == s[at.TAKER] else which[1]
