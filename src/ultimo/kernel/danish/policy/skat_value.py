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
from ultimo.kernel.danish.policy.odds import of_suit
from ultimo.kernel.jit import inlined, tight
from ultimo.play.following import REAL_TRUMPS, SUIT_BITS

# --- what a hand is for, judged on the 28 cards ---------------------------------------------------------

NOLO, QUIET, FIGHT = range(3)
TAROK_FACTOR = 2  # a tarok is half an entry; entries are counted in quarters
UNCOVERED = 3  # for each card that a side suit lacks of four
FIGHTING = 44  # as much as the factors of a fight hand come to
HOPELESS = 19  # as much as tarokker and entries of a hand come to that had better take no trick …
SMALL_TAROK = 14  # … if it has no tarok above this
FEW = 3  # tarokker, which may be laid …
NOLO_ENTRIES = 16  # … for a nolo, with no more than this
COVER = 4
WHIP = 6  # the whip of the normal hand
TAROK_WHIP = 9  # with so many the tarokker are the whip

# --- what things are worth, in hundredths of a step of height in a suit ----------------------------------

ENTRY = 400  # a quarter of an entry
HEIGHT = 100  # each card of the others below one of the four best
SMALL = 200  # each card of the others that the smallest card stays below
COUNTED = 80  # a point of the count in the skat
RAW, RAW_SMALL = 1, 2  # among cards that do the same work: keep the top and the smallest
SIDE = 1000  # for a side suit that is one card longer or shorter than four; grows with the square
LACKING = 500  # for one shorter, with more tarokker than the normal hand
BARED = 6000  # for leaving one card or none of a suit
WHIP_KEPT = 4000
SHORT_WHIP = 1500
WHIP_CARD = 800  # for each card beyond six that can be driven
UNDRIVEN = 2000  # against each that cannot
KING_IN_WHIP = 900  # against a whip with the king, in a quiet hand
PAIR_IN_WHIP = 500  # against a whip with king and queen, in a fight hand
TOGETHER = 600  # for each pair of cards laid from one suit
TAROK_LAID = 1_000_000

IMPOSSIBLE = -(1 << 50)
KING, QUEEN = 1 << 13, 1 << 12
FIRST_COURT = 10


# --- the four factors ----------------------------------------------------------------------------------


@inlined
def entries(kept: int, others: int) -> int:
    """Tricks that a suit may win in the rounds that the others follow, in quarters.

    A card counts four, two or one if none, one or two of the others' cards stand above it, and there are
    enough cards to give those; cards that lie in the skat stand above nobody.
    """
    found, above, quarters = 0, 0, 0
    length = count(kept)
    rounds = min(4, (count(others) + 1) // 2)
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
def whip_power(length: int) -> int:
    """How many tarokker a whip drives out (F1.5)."""
    return max(0, 3 * length - 14)


@tight
def factors(suits: int, trumps: int) -> int:
    """The four factors together: tarokker, entries, the power of the longest suit, and what lacks of cover.

    A suit is covered by four cards, or by the king if he is alone.
    """
    longest, lacking = 0, 0
    for suit in range(4):
        kept = of_suit(suits, suit)
        length = count(kept)
        longest = max(longest, length)
        if length < COVER and kept != KING:
            lacking += COVER - length
    return (
        TAROK_FACTOR * count(trumps) + all_entries(suits, trumps) + whip_power(longest) - UNCOVERED * lacking
    )


@tight
def drivable(suits: int, trumps: int) -> int:
    """How long a whip this hand can play to the bottom: an entry for each lead, or two tarokker (F1.6)."""
    return max(WHIP, (all_entries(suits, trumps) + TAROK_FACTOR * count(trumps) + 2) // 4)


@tight
def purpose(suits: int, trumps: int, layable: bool) -> int:
    """What the hand is for; `layable` says that all its tarokker may be laid.

    Rule: F1.9, F1.15, F1.18, F6.1.
    """
    tarokker = trumps & REAL_TRUMPS
    quarters = all_entries(suits, trumps)
    if (layable or tarokker == 0) and quarters <= NOLO_ENTRIES:
        return NOLO
    if TAROK_FACTOR * count(trumps) + quarters <= HOPELESS and tarokker >> SMALL_TAROK == 0:
        return NOLO
    return FIGHT if factors(suits, trumps) >= FIGHTING else QUIET


# --- one suit ------------------------------------------------------------------------------------------


@inlined
def points_counted(laid: int) -> int:
    """What cards of a suit bring in the count; the first point is what a court is worth to keep (F1.14)."""
    return max(0, 3 * (laid >> 12 & 1) + 2 * (laid >> 11 & 1) + (laid >> 10 & 1) - 1)


@inlined
def suit_value(dealt: int, laid: int, aim: int) -> int:
    """What the rest of a suit is worth as cards, its length left aside."""
    kept = dealt & ~laid
    if aim == NOLO:
        return -_danger(kept)
    others = SUIT_BITS & ~dealt
    value = ENTRY * entries(kept, others) + COUNTED * points_counted(laid)
    rest, best = kept, 0
    while rest:
        height = highest(rest)
        rest ^= 1 << height
        value += RAW * height
        if best < COVER:
            value += HEIGHT * count(others & ((1 << height) - 1))
            best += 1
    if aim == QUIET and kept and (kept >> FIRST_COURT or count(kept) <= COVER):
        small = lowest(kept)
        value -= SMALL * count(others & ((1 << small) - 1)) + RAW_SMALL * small
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
def side_value(length: int, laid: int, tarokker: int) -> int:
    """What the length of a side suit is worth: four are best (F1.4), and none is to be bared (F1.2)."""
    off = length - COVER
    weight = LACKING if off < 0 and tarokker > 7 else SIDE
    value = -weight * off * off
    if laid and length < 2:
        value -= BARED
    return value


@inlined
def whip_value(length: int, driven: int, dealt: int, aim: int) -> int:
    """What a suit is worth as the whip (F1.5 to F1.8, F1.11, F1.16)."""
    if length < 5:
        return IMPOSSIBLE
    value = SHORT_WHIP if length < WHIP else WHIP_KEPT
    if length > WHIP:
        value += WHIP_CARD * (min(length, driven) - WHIP) - UNDRIVEN * max(0, length - driven)
    if aim == QUIET and dealt & KING:
        value -= KING_IN_WHIP
    if aim == FIGHT and dealt & KING and dealt & QUEEN:
        value -= PAIR_IN_WHIP
    return value


@inlined
def shape_value(
    suits: int, tarokker: int, driven: int, aim: int, spades: int, hearts: int, clubs: int, diamonds: int
) -> int:
    """What the lengths are worth when so many cards of each suit are laid: one suit is the whip.

    With nine tarokker they can be the whip, and all four suits are side suits (F1.13).
    """
    if aim == NOLO:
        return 0
    laid = (spades, hearts, clubs, diamonds)
    sides = 0
    for suit in range(4):
        length = count(suits >> 14 * suit & SUIT_BITS) - laid[suit]
        sides += side_value(length, laid[suit], tarokker) + TOGETHER * (laid[suit] * (laid[suit] - 1) // 2)
    whip = WHIP_KEPT if tarokker >= TAROK_WHIP else 0
    for suit in range(4):
        dealt = suits >> 14 * suit & SUIT_BITS
        length = count(dealt) - laid[suit]
        whip = max(whip, whip_value(length, driven, dealt, aim) - side_value(length, laid[suit], tarokker))
    return sides + whip


@tight
def score(suits: int, trumps: int, laid_suits: int, laid_trumps: int, layable: bool) -> int:
    """What a skat from these 28 cards is worth; `layable` says that all the tarokker may be laid."""
    aim = purpose(suits, trumps, layable)
    value = tarok_value(laid_trumps, aim)
    for suit in range(4):
        value += suit_value(of_suit(suits, suit), of_suit(laid_suits, suit), aim)
    return value + shape_value(
        suits,
        count(trumps),
        drivable(suits, trumps),
        aim,
        count(laid_suits & SUIT_BITS),
        count(laid_suits >> 14 & SUIT_BITS),
        count(laid_suits >> 28 & SUIT_BITS),
        count(laid_suits >> 42 & SUIT_BITS),
    )
