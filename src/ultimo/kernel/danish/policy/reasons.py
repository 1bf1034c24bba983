"""Why a club player lays a skat: the numbers of the principles, and which of them speaks most for it.

F-numbers are those of the rules' part F.
"""

from __future__ import annotations

from ultimo.danish.skat import SIZE as SKAT_SIZE
from ultimo.kernel.bits import count
from ultimo.kernel.danish import weights as wt
from ultimo.kernel.danish.policy import skat_value as value
from ultimo.kernel.danish.policy.odds import of_suit
from ultimo.kernel.danish.policy.skat_value import FIRST_COURT, KING, PAIR
from ultimo.kernel.jit import Ints, tight
from ultimo.play.following import REAL_TRUMPS

PRINCIPLES_OF_SKAT = (
    "F1.4",  # towards the normal hand
    "F1.6",  # a suit is shortened that cannot be played to the bottom
    "F1.7",  # a whip that can be driven is kept, or many tarokker
    "F1.9",  # all tarokker are laid
    "F1.11",  # a whip without the king, in a quiet hand
    "F1.12",  # all from one suit
    "F1.13",  # four of every suit beside nine tarokker
    "F1.14",  # a court above one that touches it
    "F1.15",  # what endangers a nolo
    "F1.16",  # king and queen are not in the whip, in a fight hand
)
NORMAL, DRIVABLE, SHORTENED, ALL_TAROK, QUIET_WHIP, ONE_SUIT, NINE_LAY, TOUCHING, TO_NOLO, PAIR_KEPT = range(
    len(PRINCIPLES_OF_SKAT)
)


@tight
def principle(n: Ints, suits: int, trumps: int, aim: int, laid_suits: int, laid_trumps: int) -> int:
    """The principle that speaks most for a skat."""
    if aim == value.NOLO:
        return ALL_TAROK if laid_trumps & REAL_TRUMPS else TO_NOLO
    driven, tarokker = value.drivable(n, suits, trumps), count(trumps)
    longest, whip, most, fours, sixes = 0, 0, 0, 0, 0
    undriven, king_cut, pair_cut, touching = False, False, False, False
    for suit in range(4):
        dealt, laid = of_suit(suits, suit), of_suit(laid_suits, suit)
        length, gone = count(dealt), count(laid)
        most = max(most, gone)
        fours += length - gone == wt.COVER
        sixes += length - gone == wt.WHIP
        if length - gone > longest:
            longest, whip = length - gone, dealt
        if gone and length >= wt.WHIP:
            undriven = undriven or length > driven
            king_cut = king_cut or dealt & KING != 0
            pair_cut = pair_cut or dealt & PAIR == PAIR
        courts = laid >> FIRST_COURT << FIRST_COURT
        touching = touching or courts >> 1 & dealt & ~laid != 0
    if touching:
        return TOUCHING
    if fours == 4 and tarokker >= wt.TAROK_WHIP:
        return NINE_LAY
    if fours == 3 and sixes == 1:
        return NORMAL
    if undriven:
        return DRIVABLE
    if aim == value.FIGHT and pair_cut and whip & PAIR != PAIR:
        return PAIR_KEPT
    if aim == value.QUIET and king_cut and not whip & KING:
        return QUIET_WHIP
    if longest > wt.WHIP or tarokker > wt.NORMAL_TAROK:
        return SHORTENED
    return ONE_SUIT if most == SKAT_SIZE else NORMAL
