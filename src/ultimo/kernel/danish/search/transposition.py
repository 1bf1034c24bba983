"""The transposition table of a Danish search: positions before a lead, by a key that holds all that matters.

The key is exact: its three words hold the whole position, so that no two can be taken for one another. A
bucket has two entries, the first kept for the position with more tricks left. The fourth word of an entry is
the value or a pair of bounds; beside the third lie the depth and the best move. The first is kept mixed with
the others, so that words of two entries do not pass for one where two threads have written at once.

The table is small at first, so that a short search stays in the processor's cache, and doubles as it fills.
"""

from __future__ import annotations

from typing import TypeAlias

from ultimo.kernel import searching
from ultimo.kernel.bits import count
from ultimo.kernel.danish.search import layout as at
from ultimo.kernel.danish.search.tables import counted, trump_code, way_of
from ultimo.kernel.jit import Ints, inlined, tight
from ultimo.kernel.searching import blended
from ultimo.play.following import SKUS_BIT, SUIT_BITS

Key: TypeAlias = tuple[int, int, int]

MOVE_BITS = (1 << 12) - 1  # of the third word: one more than the best move,
CARD_BITS = (1 << 7) - 1
DEPTH_SHIFT, THIRD_WORD_SHIFT = 12, 18  # the tricks left, and the third word of the key
KEPT_SHIFT = 57  # see `remainders`
HIGH_SHIFT = 30  # of the two bounds in a word
HIGH_MASK = (1 << HIGH_SHIFT) - 1


@inlined
def key_of(w: Ints, leader: int, past: int) -> Key:
    """A position before a lead, so that positions that come to the same have the same key, and no others.

    Of each suit counts who has its cards in play from the top, and which of them are special; the suits can
    be exchanged. Of the past counts what can still make a difference. The three words hold all of it.
    """
    suits = w[at.SUITS] | w[at.SUITS + 1] | w[at.SUITS + 2]
    trumps = w[at.TRUMPS] | w[at.TRUMPS + 1] | w[at.TRUMPS + 2]
    way = way_of(past)
    codes = at.CODES + 4 * at.HOLDINGS * way
    a = w[codes + (suits & SUIT_BITS)]
    b = w[codes + at.HOLDINGS + (suits >> 14 & SUIT_BITS)]
    c = w[codes + 2 * at.HOLDINGS + (suits >> 28 & SUIT_BITS)]
    d = w[codes + 3 * at.HOLDINGS + (suits >> 42)]
    a, b = min(a, b), max(a, b)
    c, d = min(c, d), max(c, d)
    a, c = min(a, c), max(a, c)
    b, d = min(b, d), max(b, d)
    b, c = min(b, c), max(b, c)
    skus = 3
    if trumps & SKUS_BIT:
        skus = 0 if w[at.TRUMPS] & SKUS_BIT else 1 if w[at.TRUMPS + 1] & SKUS_BIT else 2
    if w[at.MODE] == at.CLAIMED:
        third = past << 10 | _rank(trumps, w[at.PAGAT_MASK]) << 5 | _rank(trumps, w[at.TOP_MASK + way])
    else:
        third = _mattering(w, past, suits) << 2
        third |= (1 if trumps & w[at.PAGAT_MASK] else 0) | (2 if trumps & w[at.TOP_MASK + way] else 0)
    return trump_code(w, trumps) | leader << 43 | skus << 45 | a << 47, b | c << 16 | d << 32, third


@inlined
def _rank(trumps: int, special: int) -> int:
    """Which of the trumps in play, from below, a special one is; 0 if it is not in play."""
    return 1 + count(trumps & (special - 1)) if trumps & special else 0


@inlined
def _mattering(w: Ints, past: int, suits: int) -> int:
    """What of the past can still make a difference.

    As long as somebody has no trick the count may be dropped, and cups may go to a tout: then everything.
    Otherwise lost kings matter while a king can be ultimo, and of a count what its rounding depends on; in
    the bare game no count does.
    """
    if past & at.ZERO_BITS:
        return past
    kept = past >> at.KIND_SHIFT << at.KIND_SHIFT
    if suits & w[at.KINGS_MASK]:
        kept |= past & (7 << at.KINGS_SHIFT)
    if way_of(past):
        return kept
    for place in range(3):
        kept |= w[at.RESIDUE + at.COUNT_SPAN * place + counted(past, place)] << (at.COUNT_SHIFT + 7 * place)
    return kept


@inlined
def bucket_of(w: Ints, key: Key) -> int:
    """Where a key is looked for: two entries side by side."""
    one, two, three = key
    mixed = (one & 0xFFFFFFFF) * 0x2C1B3C6D ^ (one >> 32) * 0x297A2D39 ^ (two & 0xFFFFFFFF) * 0x1B56C4E9
    mixed ^= (two >> 32) * 0x3D4D51CB ^ (three & 0xFFFFFFFF) * 0x27D4EB2F ^ (three >> 32) * 0x165667B1
    mixed ^= mixed >> 29
    mixed = (mixed & 0xFFFFFFFF) * 0x1EF3CA6B
    mixed ^= mixed >> 31
    return w[at.ENTRIES_AT] + at.BUCKET * (mixed & (w[at.BUCKETS] - 1))


@inlined
def sealed(one: int, two: int, third: int, value: int) -> int:
    """The first word of a key as it is kept, or back: by it the words of an entry are known to be of one."""
    return one ^ blended(blended(two, third), value)


@inlined
def probe(w: Ints, bucket: int, key: Key) -> tuple[int, int, int]:
    """The entry of a key or -1, its move and its value. Each word is read once: other threads write too."""
    for entry in range(bucket, bucket + at.BUCKET, at.ENTRY):
        two, third = int(w[entry + 1]), int(w[entry + 2])
        if two == key[1] and third >> THIRD_WORD_SHIFT == key[2]:
            value = int(w[entry + 3])
            if sealed(int(w[entry]), two, third, value) == key[0]:
                return entry, third & MOVE_BITS, value
    return -1, 0, 0


@inlined
def card_of(move: int) -> int:
    """The card of the hash move, which was best in a position and is tried first; -1 if none is known."""
    return (move - 1) & CARD_BITS if move else -1


@inlined
def bounds_in(value: int) -> tuple[int, int]:
    """Between which values a position was found to lie."""
    return (value >> HIGH_SHIFT) - at.FAR, (value & HIGH_MASK) - at.FAR


@inlined
def note_stored(w: Ints) -> None:
    """One position more is written: the table grows if it is filling."""
    w[at.STORED] += 1
    if w[at.STORED] * 2 > w[at.BUCKETS] < w[at.MOST_BUCKETS]:
        double(w)


@inlined
def make_room(w: Ints, key: Key, left: int) -> int:
    """The entry to be written for a new position with so many tricks left."""
    note_stored(w)
    bucket = bucket_of(w, key)
    return searching.make_room(w, bucket, at.ENTRY, (w[bucket + 2] >> DEPTH_SHIFT & 31) > left)


@inlined
def third_of(w: Ints, third: int) -> int:
    """The third word of the key of an entry; see `remainders` for entries that hold for some of these."""
    if w[at.LOOSE] and third & MOVE_BITS:
        return third >> KEPT_SHIFT + 2 << at.KINGS_SHIFT + 2 | third >> KEPT_SHIFT & 3
    return third >> THIRD_WORD_SHIFT


@tight
def double(w: Ints) -> None:
    """Give the table twice as many buckets: of each bucket's entries some go to the new one of the pair."""
    size = at.BUCKET * w[at.BUCKETS]
    w[at.BUCKETS] *= 2
    for bucket in range(w[at.ENTRIES_AT], w[at.ENTRIES_AT] + size, at.BUCKET):
        stay, go = bucket, bucket + size
        for entry in range(bucket, bucket + at.BUCKET, at.ENTRY):
            if w[entry] == 0:
                continue
            two, third = int(w[entry + 1]), int(w[entry + 2])
            one = sealed(int(w[entry]), two, third, int(w[entry + 3]))
            key, to = (one, two, third_of(w, third)), stay
            if bucket_of(w, key) < w[at.ENTRIES_AT] + size:
                stay += at.ENTRY
            else:
                to = go
                go += at.ENTRY
            if to != entry:
                for word in range(at.ENTRY):
                    w[to + word] = w[entry + word]
                    w[entry + word] = 0


@inlined
def store(w: Ints, entry: int, key: Key, left: int, move: int, value: int) -> None:
    """Write an entry: what is known of a position with so many tricks left, and its best move or -1."""
    write(w, entry, key, key[2] << THIRD_WORD_SHIFT | left << DEPTH_SHIFT | (move + 1), value)


@inlined
def write(w: Ints, entry: int, key: Key, third: int, value: int) -> None:
    """Write the words of an entry."""
    w[entry], w[entry + 1] = sealed(key[0], key[1], third, value), key[1]
    w[entry + 2], w[entry + 3] = third, value


@inlined
def store_bound(w: Ints, key: Key, left: int, move: int, bound: int, target: int) -> None:
    """Keep a bound on the value of a position, beside the one that may be known on its other side."""
    low, high = -at.FAR, at.FAR
    entry, _, value = probe(w, bucket_of(w, key), key)
    if entry >= 0:
        low, high = bounds_in(value)
    else:
        entry = make_room(w, key, left)
    if bound >= target:
        low = max(low, bound)
    else:
        high = min(high, bound)
    store(w, entry, key, left, move, low + at.FAR << HIGH_SHIFT | high + at.FAR)
