"""Moves, keys and the end of a trick in a Danish search: what the searches for a side and for all share."""

from __future__ import annotations

from ultimo.danish.following import winner
from ultimo.kernel.bits import count, lowest
from ultimo.kernel.danish.search import layout as at
from ultimo.kernel.danish.search.tables import counted, end_worth, trump_code
from ultimo.kernel.jit import Ints, inlined
from ultimo.play.following import FIRST_TRUMP, SKUS_BIT, SKUS_CARD, SUIT_BITS, TRUMP_SUIT

ALL_SUITS = (1 << 56) - 1
ALL_TRUMPS = (1 << 21) - 1
NAME_SHIFT = 7  # a move is a card, and above it one more than the suit that a led skus is named as
SCORE_SHIFT = 12
MOVE_BITS = (1 << SCORE_SHIFT) - 1
CARD_BITS = (1 << NAME_SHIFT) - 1
DEPTH_SHIFT, THIRD_WORD_SHIFT = 12, 18  # in the third word of a known position


@inlined
def next_place(place: int) -> int:
    """The place that plays after this one."""
    return 0 if place == 2 else place + 1


@inlined
def suit_out(w: Ints, place: int, other: int, suit: int) -> bool:
    """Whether neither of two hands holds a suit, or a real trump."""
    if suit == TRUMP_SUIT:
        return ((w[at.TRUMPS + place] | w[at.TRUMPS + other]) & ~SKUS_BIT) == 0
    return ((w[at.SUITS + place] | w[at.SUITS + other]) & (SUIT_BITS << 14 * suit)) == 0


# --- moves -----------------------------------------------------------------------------------------------


@inlined
def put_move(w: Ints, base: int, moves: int, move: int, score: int) -> int:
    """Put a move in its place among those found so far, the best first; how many there are now."""
    word = score << SCORE_SHIFT | move
    spot = base + moves
    while spot > base and w[spot - 1] < word:
        w[spot] = w[spot - 1]
        spot -= 1
    w[spot] = word
    return moves + 1


@inlined
def put_cards(w: Ints, base: int, row: int, suits: int, trumps: int, hint: int) -> int:
    """List the cards that may be played, one of those that come to the same; how many there are.

    Cards of one hand come to the same if no card in play lies between them and none of them is special. The
    skus is not listed here.
    """
    moves = 0
    free = (suits | (ALL_SUITS & ~w[at.OUT_SUITS])) & ~w[at.SPLIT_SUITS]
    while suits:
        bit = suits & -suits
        card = lowest(bit)
        suits ^= bit
        if free & bit:
            suits &= ~(free & ~(free + bit) & w[at.LANE + card])
        score = w[at.HISTORY + 78 * row + card]
        moves = put_move(w, base, moves, card, 1 << 40 if card == hint else score)
    trumps &= ALL_TRUMPS
    free = (trumps | (ALL_TRUMPS & ~w[at.OUT_TRUMPS])) & ~w[at.SPLIT_TRUMPS]
    while trumps:
        bit = trumps & -trumps
        card = FIRST_TRUMP + lowest(bit)
        trumps ^= bit
        if free & bit:
            trumps &= ~(free & ~(free + bit))
        score = w[at.HISTORY + 78 * row + card]
        moves = put_move(w, base, moves, card, 1 << 40 if card == hint else score)
    return moves


@inlined
def put_names(w: Ints, base: int, moves: int, card: int, place: int, other: int, score: int) -> int:
    """List the names of a skus, of those that neither of two hands can follow only one."""
    dead = False
    for suit in range(5):
        if suit_out(w, place, other, suit):
            if dead:
                continue
            dead = True
        moves = put_move(w, base, moves, card | (suit + 1) << NAME_SHIFT, score)
    return moves


@inlined
def remove(w: Ints, place: int, card: int) -> None:
    """Take a card out of a hand, or put it back."""
    if card >= FIRST_TRUMP:
        w[at.TRUMPS + place] ^= 1 << (card - FIRST_TRUMP)
    else:
        w[at.SUITS + place] ^= 1 << card


# --- known positions -------------------------------------------------------------------------------------


@inlined
def key_of(w: Ints, leader: int, past: int) -> tuple[int, int, int]:
    """A position before a lead, so that positions that come to the same have the same key, and no others.

    Of each suit counts who has its cards in play from the top, and which of them are special; the suits can
    be exchanged. Of the past counts what can still make a difference. The three words hold all of it.
    """
    suits = w[at.SUITS] | w[at.SUITS + 1] | w[at.SUITS + 2]
    trumps = w[at.TRUMPS] | w[at.TRUMPS + 1] | w[at.TRUMPS + 2]
    a = w[at.CODES + (suits & SUIT_BITS)]
    b = w[at.CODES + 16384 + (suits >> 14 & SUIT_BITS)]
    c = w[at.CODES + 32768 + (suits >> 28 & SUIT_BITS)]
    d = w[at.CODES + 49152 + (suits >> 42)]
    a, b = min(a, b), max(a, b)
    c, d = min(c, d), max(c, d)
    a, c = min(a, c), max(a, c)
    b, d = min(b, d), max(b, d)
    b, c = min(b, c), max(b, c)
    skus = 3
    if trumps & SKUS_BIT:
        skus = 0 if w[at.TRUMPS] & SKUS_BIT else 1 if w[at.TRUMPS + 1] & SKUS_BIT else 2
    third = 0
    if w[at.MODE] == at.CLAIMED:
        third = past << 10 | _rank(trumps, w[at.PAGAT_MASK]) << 5 | _rank(trumps, w[at.TOP_MASK])
    else:
        third = _mattering(w, past, suits) << 2
        third |= (1 if trumps & w[at.PAGAT_MASK] else 0) | (2 if trumps & w[at.TOP_MASK] else 0)
    return (
        trump_code(w, trumps) | leader << 43 | skus << 45 | a << 47,
        b | c << 16 | d << 32,
        third,
    )


@inlined
def _rank(trumps: int, special: int) -> int:
    """Which of the trumps in play, from below, a special one is; 0 if it is not in play."""
    return 1 + count(trumps & (special - 1)) if trumps & special else 0


@inlined
def _mattering(w: Ints, past: int, suits: int) -> int:
    """What of the past can still make a difference.

    As long as somebody has no trick the count may be dropped, and cups may go to a tout: then everything.
    Otherwise lost kings matter while a king can be ultimo, and of a count what its rounding depends on.
    """
    if past & at.ZERO_BITS:
        return past
    kept = past >> at.KIND_SHIFT << at.KIND_SHIFT
    if suits & w[at.KINGS_MASK]:
        kept |= past & (7 << at.KINGS_SHIFT)
    for place in range(3):
        kept |= w[at.RESIDUE + at.COUNT_SPAN * place + counted(past, place)] << (at.COUNT_SHIFT + 7 * place)
    return kept


@inlined
def home_of(w: Ints, one: int, two: int, three: int) -> int:
    """Where on the desk a key is looked for: two places side by side."""
    mixed = (one & 0xFFFFFFFF) * 0x2C1B3C6D ^ (one >> 32) * 0x297A2D39 ^ (two & 0xFFFFFFFF) * 0x1B56C4E9
    mixed ^= (two >> 32) * 0x3D4D51CB ^ (three & 0xFFFFFFFF) * 0x27D4EB2F ^ (three >> 32) * 0x165667B1
    mixed ^= mixed >> 29
    mixed = (mixed & 0xFFFFFFFF) * 0x1EF3CA6B
    mixed ^= mixed >> 31
    return w[at.KNOWN_AT] + 2 * at.ENTRY * (mixed & (w[at.SIZE] - 1))


@inlined
def find(w: Ints, home: int, one: int, two: int, three: int) -> int:
    """Where a key is on the desk, or -1."""
    if w[home] == one and w[home + 1] == two and w[home + 2] >> THIRD_WORD_SHIFT == three:
        return home
    home += at.ENTRY
    if w[home] == one and w[home + 1] == two and w[home + 2] >> THIRD_WORD_SHIFT == three:
        return home
    return -1


# --- the end of a trick ----------------------------------------------------------------------------------


@inlined
def taker(w: Ints, leader: int, first: int, second: int, third: int, led: int) -> int:
    """The place that takes a trick."""
    took = leader + winner(w[at.REAL + first], w[at.REAL + second], w[at.REAL + third], led)
    return took - 3 if took > 2 else took


@inlined
def classes_of(w: Ints, leader: int, first: int, second: int, third: int) -> int:
    """Which places have played a king or the pagat."""
    one, two, three = w[at.CLASS + first], w[at.CLASS + second], w[at.CLASS + third]
    if one + two + three == 0:
        return 0
    if leader == 0:
        return one + 3 * two + 9 * three
    if leader == 1:
        return three + 3 * one + 9 * two
    return two + 3 * three + 9 * one


@inlined
def worth_of_counts(w: Ints, past: int) -> int:
    """What the piles are worth as they lie."""
    return (
        w[at.RECKONED + counted(past, 0)]
        + w[at.RECKONED + at.COUNT_SPAN + counted(past, 1)]
        + w[at.RECKONED + 2 * at.COUNT_SPAN + counted(past, 2)]
    )


@inlined
def after_trick(
    w: Ints, past: int, leader: int, took: int, first: int, second: int, third: int, last: bool
) -> int:
    """The past with a trick more. A skus goes to the taker in the last trick only."""
    points = 1 + w[at.HONOUR + first] + w[at.HONOUR + second] + w[at.HONOUR + third]
    past &= ~(1 << took)
    if not last and (first == SKUS_CARD or second == SKUS_CARD or third == SKUS_CARD):
        holder = leader + (0 if first == SKUS_CARD else 1 if second == SKUS_CARD else 2)
        holder = holder - 3 if holder > 2 else holder
        points -= w[at.HONOUR + SKUS_CARD]
        past += w[at.HONOUR + SKUS_CARD] << (at.COUNT_SHIFT + 7 * holder)
    return past + (points << (at.COUNT_SHIFT + 7 * took))


@inlined
def trick_points(
    w: Ints, past: int, leader: int, took: int, first: int, second: int, third: int
) -> tuple[int, int]:
    """What a trick before the last brings, with what the piles gain in worth, and the past after it."""
    after = after_trick(w, past, leader, took, first, second, third, False)
    gain = worth_of_counts(w, after) - worth_of_counts(w, past)
    classes = classes_of(w, leader, first, second, third)
    if classes:
        gain += w[at.PAYS + 3 * classes + took]
        falls = w[at.FALLS + 3 * classes + took]
        after += (falls >> 1) << at.KINGS_SHIFT | (falls & 1) << at.PAGAT_SHIFT
    return gain, after


@inlined
def last_points(w: Ints, past: int, leader: int, took: int, first: int, second: int, third: int) -> int:
    """What the last trick brings, with the count."""
    after = after_trick(w, past, leader, took, first, second, third, True)
    classes = classes_of(w, leader, first, second, third)
    worth, piles = end_worth(w, after, leader, took, classes)
    if piles:
        worth += worth_of_counts(w, after)
    return worth - worth_of_counts(w, past)


@inlined
def _card_at(leader: int, place: int, first: int, second: int, third: int) -> int:
    """The card that a place has played."""
    turn = place - leader
    if turn < 0:
        turn += 3
    return first if turn == 0 else second if turn == 1 else third


@inlined
def _is_among(card: int, suits: int, trumps: int) -> bool:
    if card >= FIRST_TRUMP:
        return (trumps >> (card - FIRST_TRUMP) & 1) != 0
    return (suits >> card & 1) != 0


@inlined
def claim_after(w: Ints, opened: int, leader: int, took: int, first: int, second: int, third: int) -> int:
    """The atoms still open after a trick before the last; -1 if the claim is lost."""
    left = opened
    for number in range(w[at.ATOMS]):
        if not opened >> number & 1:
            continue
        spot = at.ATOM + at.ATOM_WORDS * number
        what, place, suits, trumps, holds = w[spot], w[spot + 1], w[spot + 2], w[spot + 3], w[spot + 4]
        happened, barred = False, False
        if what == at.NOLO:
            barred = took == place
        elif what == at.TOUT:
            barred = took != place
        elif what in (at.HOME, at.LOST):
            fell = _is_among(_card_at(leader, place, first, second, third), suits, trumps)
            happened = fell and (took == place) == (what == at.HOME)
            barred = not happened and not (w[at.SUITS + place] & suits or w[at.TRUMPS + place] & trumps)
        else:
            barred = not (w[at.SUITS + place] & suits or w[at.TRUMPS + place] & trumps)
        if happened or barred:
            if happened != (holds != 0):
                return -1
            left ^= 1 << number
    return left


@inlined
def claim_at_end(w: Ints, opened: int, leader: int, took: int, first: int, second: int, third: int) -> int:
    """1 if the claim holds after the last trick, else 0."""
    for number in range(w[at.ATOMS]):
        if not opened >> number & 1:
            continue
        spot = at.ATOM + at.ATOM_WORDS * number
        what, place, suits, trumps, holds = w[spot], w[spot + 1], w[spot + 2], w[spot + 3], w[spot + 4]
        happened = False
        if what == at.NOLO:
            happened = took != place
        elif what == at.TOUT:
            happened = took == place
        elif what in (at.ULTIMO, at.LAST_TRICK, at.BAGUD):
            among = _is_among(_card_at(leader, place, first, second, third), suits, trumps)
            happened = among and (took == place) == (what != at.BAGUD)
        if happened != (holds != 0):
            return 0
    return 1
