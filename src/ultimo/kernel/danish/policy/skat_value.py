"""The skat a club player lays: which 25 cards make the better hand, by the four factors and the normal hand.

The 28 cards are judged first, by what Hermansen calls the four factors: tarokker, entries, the whip and
cover. They say what the hand is for: nolo, the fight for the last trick, or neither. Then every suit is
weighed by itself, for each number of cards laid from it, and the five numbers are weighed together as the
shape of the hand. So the best of all legal skats is found without looking at each.

Inside a suit a card is known by its height, 0 … 13, so that red and black suits look alike.
Rule: F1.1 to F1.18.
"""

from __future__ import annotations

from ultimo.kernel.bits import count, highest, lowest
from ultimo.kernel.danish import weights as wt
from ultimo.kernel.danish.policy.odds import OTHERS, of_suit
from ultimo.kernel.jit import Ints, inlined, tight
from ultimo.kernel.policy import NEVER, longest, suit_cards
from ultimo.play.counting import honours
from ultimo.play.following import REAL_TRUMPS, SUIT_BITS

NOLO, QUIET, FIGHT = range(3)
FIRST_COURT = 10
KING, PAIR = 1 << 13, 0b11 << 12  # a king; king and queen
TAROK_LAID = 1_000_000  # more than everything else together


# --- the four factors ----------------------------------------------------------------------------------


@inlined
def entries(kept: int, others: int) -> int:
    """Tricks that a suit may win in the rounds that the others follow, in quarters.

    A card counts four, two or one if none, one or two of the others' cards stand above it, and there are
    enough cards to give those; cards that lie in the skat stand above nobody.
    """
    found, above, quarters = 0, 0, 0
    length = count(kept)
    rounds = min(4, (count(others) + 1) // OTHERS)
    for height in range(13, -1, -1):
        if kept >> height & 1:
            if above > 2 or above + found >= rounds or length - found - 1 < above:
                break
            quarters += 4 >> above
            found += 1
        elif others >> height & 1:
            above += 1
    return quarters


@inlined
def tarok_entries(trumps: int) -> int:
    """Tricks that high tarokker win, as `entries`."""
    above, quarters = 0, 0
    for height in range(20, 12, -1):
        if trumps >> height & 1:
            quarters += 4 >> above
        else:
            above += 1
        if above > 2:
            break
    return quarters


@tight
def all_entries(suits: int, trumps: int) -> int:
    """The entries of a whole hand, in quarters."""
    quarters = tarok_entries(trumps)
    for suit in range(4):
        kept = of_suit(suits, suit)
        quarters += entries(kept, SUIT_BITS & ~kept)
    return quarters


@inlined
def strong_cards(n: Ints, suits: int, trumps: int) -> int:
    """Entries and tarokker together, in quarters of an entry."""
    return all_entries(suits, trumps) + n[wt.TAROK_FACTOR] * count(trumps)


@inlined
def whip_power(length: int) -> int:
    """How many tarokker a whip drives out: what the others have of the suit they follow with (F1.5)."""
    return max(0, OTHERS * length - (14 - length))


@tight
def factors(n: Ints, suits: int, trumps: int) -> int:
    """The four factors together: tarokker, entries, the power of the longest suit, and what lacks of cover.

    A suit is covered by four cards, or by the king alone.
    """
    lacking = 0
    for suit in range(4):
        kept = suit_cards(suits, suit)
        if kept != KING:
            lacking += max(0, wt.COVER - count(kept))
    power = whip_power(count(suit_cards(suits, longest(suits))))
    return strong_cards(n, suits, trumps) + power - n[wt.UNCOVERED] * lacking


@tight
def drivable(n: Ints, suits: int, trumps: int) -> int:
    """How long a whip this hand can play to the bottom: an entry for each lead, or two tarokker (F1.6)."""
    return max(wt.WHIP, (strong_cards(n, suits, trumps) + 2) // 4)


@tight
def purpose(n: Ints, suits: int, trumps: int, layable: bool) -> int:
    """What the hand is for; `layable` says that all its tarokker may be laid.

    Rule: F1.9, F1.15, F1.18, F6.1.
    """
    tarokker = trumps & REAL_TRUMPS
    if (layable or tarokker == 0) and all_entries(suits, trumps) <= n[wt.NOLO_ENTRIES]:
        return NOLO
    if strong_cards(n, suits, trumps) <= n[wt.HOPELESS] and tarokker >> n[wt.SMALL_TAROK] == 0:
        return NOLO
    return FIGHT if factors(n, suits, trumps) >= n[wt.FIGHTING] else QUIET


# --- one suit ------------------------------------------------------------------------------------------


@inlined
def suit_value(n: Ints, dealt: int, laid: int, aim: int) -> int:
    """What the rest of a suit is worth as cards, its length left aside; what is laid may count (F1.14)."""
    kept = dealt & ~laid
    if aim == NOLO:
        return -_danger(kept)
    others = SUIT_BITS & ~dealt
    value = n[wt.SKAT_ENTRY] * entries(kept, others)
    value += n[wt.COUNTED] * max(0, honours(laid, 0) - n[wt.COUNTED_FROM])
    rest, best = kept, 0
    while rest:
        height = highest(rest)
        rest ^= 1 << height
        value += n[wt.RAW] * height
        if best < wt.COVER:
            value += n[wt.HEIGHT] * count(others & ((1 << height) - 1))
            best += 1
    if aim == QUIET and kept and (kept >> FIRST_COURT or count(kept) <= wt.COVER):
        small = lowest(kept)
        value -= n[wt.SMALL] * count(others & ((1 << small) - 1)) + n[wt.RAW_SMALL] * small
    return value


@inlined
def _danger(kept: int) -> int:
    """How a suit endangers a nolo: by its high cards, and the more the longer it is (F1.15)."""
    length, heights = count(kept), 0
    while kept:
        height = highest(kept)
        kept ^= 1 << height
        heights += height + 1
    return heights * length * length


@inlined
def tarok_value(laid: int, aim: int) -> int:
    """Tarokker are laid for a nolo, the highest first, and else never."""
    if laid == 0:
        return 0
    if aim == NOLO:
        return TAROK_LAID * count(laid) + highest(laid)
    return -TAROK_LAID * count(laid)


# --- the shape -----------------------------------------------------------------------------------------


@inlined
def side_value(n: Ints, length: int, laid: int, tarokker: int) -> int:
    """What the length of a side suit is worth: four are best (F1.4), and none is to be bared (F1.2)."""
    off = length - wt.COVER
    weight = n[wt.LACKING] if off < 0 and tarokker > wt.NORMAL_TAROK else n[wt.SIDE]
    value = -weight * off * off
    if laid and length < 2:
        value -= n[wt.BARED]
    return value


@inlined
def whip_value(n: Ints, length: int, driven: int, dealt: int, aim: int) -> int:
    """What a suit is worth as the whip (F1.5 to F1.8, F1.11, F1.16)."""
    if length < wt.WHIP_FROM:
        return NEVER
    value = n[wt.SHORT_WHIP] if length < wt.WHIP else n[wt.WHIP_KEPT]
    if length > wt.WHIP:
        beyond = min(length, driven) - wt.WHIP
        value += n[wt.WHIP_CARD] * beyond - n[wt.UNDRIVEN] * max(0, length - driven)
    if aim == QUIET and dealt & KING:
        value -= n[wt.KING_IN_WHIP]
    if aim == FIGHT and dealt & PAIR == PAIR:
        value -= n[wt.PAIR_IN_WHIP]
    return value


@inlined
def shape_value(
    n: Ints, suits: int, tarokker: int, driven: int, aim: int, laid: tuple[int, int, int, int]
) -> int:
    """What the lengths are worth when so many cards of each suit are laid: one suit is the whip.

    With nine tarokker they can be the whip, and all four suits are side suits (F1.13).
    """
    if aim == NOLO:
        return 0
    sides, whip = 0, n[wt.WHIP_KEPT] if tarokker >= wt.TAROK_WHIP else 0
    for suit in range(4):
        dealt, gone = suit_cards(suits, suit), laid[suit]
        length = count(dealt) - gone
        side = side_value(n, length, gone, tarokker)
        sides += side + n[wt.TOGETHER] * (gone * (gone - 1) // 2)
        whip = max(whip, whip_value(n, length, driven, dealt, aim) - side)
    return sides + whip


@tight
def score(n: Ints, suits: int, trumps: int, laid_suits: int, laid_trumps: int, aim: int) -> int:
    """What a skat from these 28 cards is worth to a hand with this purpose."""
    value = tarok_value(laid_trumps, aim)
    for suit in range(4):
        value += suit_value(n, of_suit(suits, suit), of_suit(laid_suits, suit), aim)
    laid = (
        count(suit_cards(laid_suits, 0)),
        count(suit_cards(laid_suits, 1)),
        count(suit_cards(laid_suits, 2)),
        count(suit_cards(laid_suits, 3)),
    )
    return value + shape_value(n, suits, count(trumps), drivable(n, suits, trumps), aim, laid)
