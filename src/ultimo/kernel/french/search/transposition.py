"""The transposition table of a French search: positions by the order of the cards left, not by their ranks.

An entry is two words: one to know the position by; one of bounds, the best card and the tricks left.
"""

from __future__ import annotations

from ultimo.kernel.bits import count
from ultimo.kernel.french.search import layout as at
from ultimo.kernel.french.search.goal import mixed
from ultimo.kernel.jit import Ints, inlined

ENTRY_BYTES = 16
BOUND_BITS = 20
BOUND_MASK = (1 << BOUND_BITS) - 1
BOUND_ZERO = 1 << (BOUND_BITS - 1)
FARTHEST = 4 * at.FAR
CARD_SHIFT = 2 * BOUND_BITS
SIZE_SHIFT = CARD_SHIFT + 7
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
def position_key(board: Ints, leader: int, shape: int) -> int:
    """A word that positions share only if they come to the same, but for an accident of 1 in 2⁶³.

    A card's hand is written as a number from 1 to 5, the three binary digits of which make three words of
    cards. The codes of the suits are added up, so that it does not matter which suit is which.
    """
    s0, s1, s2, s3, s4 = (
        int(board[at.SUITS]),
        int(board[at.SUITS + 1]),
        int(board[at.SUITS + 2]),
        int(board[at.SUITS + 3]),
        int(board[at.SUITS + 4]),
    )
    first, second, third = s0 | s2 | s4, s1 | s2, s3 | s4
    key = 0
    for _ in range(4):
        a, b, c = first & 0x3FFF, second & 0x3FFF, third & 0x3FFF
        key += mixed(suit_code(board, a, b, c)) >> 3
        first, second, third = first >> 14, second >> 14, third >> 14
    t0, t1, t2, t3, t4 = (
        int(board[at.TRUMPS]),
        int(board[at.TRUMPS + 1]),
        int(board[at.TRUMPS + 2]),
        int(board[at.TRUMPS + 3]),
        int(board[at.TRUMPS + 4]),
    )
    present = int(board[at.REST_TRUMPS])
    code = trump_code(board, t0 | t2 | t4, present) | trump_code(board, t1 | t2, present) << 22
    key = mixed(key & at.WORD) ^ code
    key = mixed(key) ^ trump_code(board, t3 | t4, present) ^ leader << 24
    return mixed(mixed(key) ^ shape)


@inlined
def pack_entry(low: int, high: int, card: int, n: int) -> int:
    """The second word of an entry."""
    return (low + BOUND_ZERO) | (high + BOUND_ZERO) << BOUND_BITS | card << CARD_SHIFT | n << SIZE_SHIFT


@inlined
def bounds_of(entry: int) -> tuple[int, int]:
    """The bounds in the second word of an entry."""
    return (entry & BOUND_MASK) - BOUND_ZERO, (entry >> BOUND_BITS & BOUND_MASK) - BOUND_ZERO


@inlined
def card_of(entry: int) -> int:
    """The card that was best, or `NO_CARD`; in a position with other suits it may be any other."""
    return entry >> CARD_SHIFT & 127


@inlined
def slot_of(table: Ints, key: int) -> int:
    """Where a position may stand: two entries share a slot, one that was deep and one that was late."""
    return (key >> 20) % (len(table) >> 2) << 2


@inlined
def probe(table: Ints, key: int) -> int:
    """The place of an entry, or -1."""
    slot = slot_of(table, key)
    if table[slot] == key:
        return slot
    if table[slot + 2] == key:
        return slot + 2
    return -1


@inlined
def store(table: Ints, key: int, n: int, value: int, reached: bool, card: int) -> None:
    """Write down that a position is worth at least, or at most, `value`."""
    where = probe(table, key)
    low, high = -FARTHEST, FARTHEST
    if where >= 0:
        low, high = bounds_of(int(table[where + 1]))
    else:
        where = slot_of(table, key)
        if int(table[where + 1]) >> SIZE_SHIFT > n:
            where += 2
        elif table[where]:
            table[where + 2], table[where + 3] = table[where], table[where + 1]
    if reached:
        low = max(low, value)
    else:
        high = min(high, value)
    table[where], table[where + 1] = key, pack_entry(low, high, card, n)
