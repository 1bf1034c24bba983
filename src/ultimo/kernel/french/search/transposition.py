"""The transposition table of a French search: positions by the order of the cards left, not by their ranks.

An entry is two words: one to know the position by; one of bounds, the best card and the tricks left. Two
share a bucket, one that was deep and one that was late.
"""

from __future__ import annotations

from ultimo.kernel.bits import count
from ultimo.kernel.french.search import layout as at
from ultimo.kernel.french.search.goal import mixed
from ultimo.kernel.jit import Ints, inlined
from ultimo.kernel.searching import make_room
from ultimo.play.following import SUIT_BITS

ENTRY = 2  # words
BUCKET = 2 * ENTRY
BOUND_BITS = 20
BOUND_MASK = (1 << BOUND_BITS) - 1
BOUND_ZERO = 1 << (BOUND_BITS - 1)
FARTHEST = 4 * at.FAR
CARD_SHIFT = 2 * BOUND_BITS
DEPTH_SHIFT = CARD_SHIFT + 7
NO_CARD = 127


@inlined
def pressed(board: Ints, cards: int, present: int) -> int:
    """Ten cards as their places among those present."""
    low = present & 31
    first = int(board[at.PACKED + (low << 5) + (cards & 31)])
    return first | int(board[at.PACKED + (present & 0x3E0) + (cards >> 5)]) << count(low)


@inlined
def suit_code(board: Ints, first: int, second: int, third: int) -> int:
    """A suit in 42 bits: which hand each card is in, pips only by their order, courts by their rank."""
    present = (first | second | third) & 0x3FF
    code = pressed(board, first & 0x3FF, present) | first >> 10 << 10
    code |= (pressed(board, second & 0x3FF, present) | second >> 10 << 10) << 14
    return code | (pressed(board, third & 0x3FF, present) | third >> 10 << 10) << 28


@inlined
def trump_code(board: Ints, word: int, present: int) -> int:
    """Trumps in 22 bits: T1, T21 and the excuse by themselves, the rest by their order."""
    low, high = present >> 1 & 0x3FF, present >> 11 & 0x1FF
    code = pressed(board, word >> 1 & 0x3FF, low)
    code |= pressed(board, word >> 11 & 0x1FF, high) << count(low)
    return code << 3 | word & 1 | (word >> 20) << 1


@inlined
def owners(board: Ints, hands: int) -> tuple[int, int, int]:
    """Whose each card is, a number from 1 to 5: its three binary digits as three words of cards."""
    return (
        int(board[hands] | board[hands + 2] | board[hands + 4]),
        int(board[hands + 1] | board[hands + 2]),
        int(board[hands + 3] | board[hands + 4]),
    )


@inlined
def position_key(board: Ints, leader: int, shape: int) -> int:
    """A word that positions share only if they come to the same, but for an accident of 1 in 2⁶³.

    The codes of the suits are added up, so that it does not matter which suit is which.
    """
    first, second, third = owners(board, at.SUITS)
    key = 0
    for _ in range(4):
        code = suit_code(board, first & SUIT_BITS, second & SUIT_BITS, third & SUIT_BITS)
        key += mixed(code) >> 3
        first, second, third = first >> 14, second >> 14, third >> 14
    first, second, third = owners(board, at.TRUMPS)
    present = int(board[at.REST_TRUMPS])
    code = trump_code(board, first, present) | trump_code(board, second, present) << 22
    key = mixed(mixed(key & at.WORD) ^ code) ^ trump_code(board, third, present) ^ leader << 24
    return mixed(mixed(key) ^ shape)


@inlined
def bounds(entry: int) -> tuple[int, int]:
    """The bounds in the second word of an entry."""
    return (entry & BOUND_MASK) - BOUND_ZERO, (entry >> BOUND_BITS & BOUND_MASK) - BOUND_ZERO


@inlined
def hash_card(entry: int) -> int:
    """The card that was best, or `NO_CARD`; in a position with other suits it may be any other."""
    return entry >> CARD_SHIFT & 127


@inlined
def bucket_of(table: Ints, key: int) -> int:
    """Where a position may stand."""
    return (key >> 20) % (len(table) // BUCKET) * BUCKET


@inlined
def probe(table: Ints, key: int) -> int:
    """The place of an entry, or -1."""
    bucket = bucket_of(table, key)
    for entry in range(bucket, bucket + BUCKET, ENTRY):
        if table[entry] == key:
            return entry
    return -1


@inlined
def store_bound(table: Ints, key: int, left: int, card: int, bound: int, reached: bool) -> None:
    """Keep a bound on the value of a position, a lower one if the goal is reached, beside the other one."""
    entry = probe(table, key)
    low, high = -FARTHEST, FARTHEST
    if entry >= 0:
        low, high = bounds(int(table[entry + 1]))
    else:
        entry = bucket_of(table, key)
        entry = make_room(table, entry, ENTRY, int(table[entry + 1]) >> DEPTH_SHIFT > left)
    if reached:
        low = max(low, bound)
    else:
        high = min(high, bound)
    word = (low + BOUND_ZERO) | (high + BOUND_ZERO) << BOUND_BITS | card << CARD_SHIFT | left << DEPTH_SHIFT
    table[entry], table[entry + 1] = key, word
