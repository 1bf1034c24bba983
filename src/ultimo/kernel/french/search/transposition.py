"""The transposition table of a French search: positions by what mattered in them.

A search tells, beside its answer, which cards it was about: those whose rank has decided something. An answer
holds for every position with as many cards of each suit in each hand, the same courts, bouts and leader, and
the same owners of the highest cards of each suit, down to the lowest that mattered; below it cards may lie as
they like. How many cards that are is the *depth* of a suit; the depths of all suits are one word.

An entry is two words: one to know the position by; one of an answer, the best card, the tricks left and the
depths. The first is kept mixed with the second, so that words of two entries do not pass for one where two
threads have written at once. Eight entries share a bucket, two lines of the processor's cache.
"""

from __future__ import annotations

from ultimo.kernel.bits import count, fetch, highest, select
from ultimo.kernel.french.search import layout as at
from ultimo.kernel.french.search.tricks import BLANK_SUITS, BLANK_TRUMPS
from ultimo.kernel.jit import Ints, compiled, inlined
from ultimo.kernel.searching import LINE, blended

ENTRY = 2  # words
BUCKET = 8 * ENTRY
PIPS_BITS, HIGH_BITS = 0x3FF, 0x1FF  # ten pips of a suit, or T2 … T11; T12 … T20

# The order of a suit: whose its cards are from the highest on, and behind that how many each hand has.
OWNER_BITS, ORDER_BITS = 3, 30
ORDER_MASK = (1 << ORDER_BITS) - 1
PIPS_LENGTH, TRUMPS_LENGTH = 4, 5  # bits for a number of cards
SUIT_LENGTHS, TRUMP_LENGTHS = 20, 25  # bits for those of all hands

# The second word of an entry.
BOUND_BITS = 20
BOUND_MASK = (1 << BOUND_BITS) - 1
BOUND_ZERO = 1 << (BOUND_BITS - 1)
FARTHEST = 4 * at.FAR
REACHED_SHIFT = BOUND_BITS
CARD_SHIFT = REACHED_SHIFT + 1
LEFT_SHIFT = CARD_SHIFT + 7
DEPTHS_SHIFT = LEFT_SHIFT + 5
TRUMPS_DEPTH = 16  # four bits for each suit before it
DEPTHS_BITS = (1 << 21) - 1
TAG_SHIFT, TAG_BITS = DEPTHS_SHIFT + 21, (1 << 9) - 1
NO_CARD = 127
ALWAYS = 2


@compiled
def write_orders(board: Ints, owner: Ints) -> None:
    """Write the orders of all sets of cards on the board; `owner` has the seat of each card.

    Who holds a card of those not yet played never changes.
    """
    for suit in range(4):
        where = at.SUIT_ORDERS + (suit << 10)
        _write_orders(board, owner, where, 14 * suit, 10, PIPS_LENGTH)
    _write_orders(board, owner, at.TRUMP_ORDERS, 57, 10, TRUMPS_LENGTH)
    _write_orders(board, owner, at.TRUMP_ORDERS + 1024, 67, 9, TRUMPS_LENGTH)


@inlined
def _write_orders(board: Ints, owner: Ints, where: int, first: int, cards: int, bits: int) -> None:
    board[where] = 0
    for some in range(1, 1 << cards):
        top = highest(some)
        seat, rest = int(owner[first + top]), int(board[where + (some ^ 1 << top)])
        order = (rest & ORDER_MASK) << OWNER_BITS & ORDER_MASK | seat
        board[where + some] = order | ((rest >> ORDER_BITS) + (1 << bits * seat)) << ORDER_BITS


@inlined
def position_of(board: Ints, leader: int, shape: int) -> tuple[int, int, int, int]:
    """What a position is known by: what always matters, and the orders of its suits, two by two, and trumps.

    Only the courts and bouts need be told apart: whose they are is the same in all positions of a search. The
    owners of the two highest blank trumps nearly always matter, so they are taken as if they did: fewer
    positions then share a bucket.
    """
    suits, trumps = int(board[at.REST_SUITS]), int(board[at.REST_TRUMPS])
    spades = int(board[at.SUIT_ORDERS + (suits & PIPS_BITS)])
    hearts = int(board[at.SUIT_ORDERS + 1024 + (suits >> 14 & PIPS_BITS)])
    clubs = int(board[at.SUIT_ORDERS + 2048 + (suits >> 28 & PIPS_BITS)])
    diamonds = int(board[at.SUIT_ORDERS + 3072 + (suits >> 42 & PIPS_BITS)])
    low = int(board[at.TRUMP_ORDERS + (trumps >> 1 & PIPS_BITS)])
    high = int(board[at.TRUMP_ORDERS + 1024 + (trumps >> 11 & HIGH_BITS)])
    lengths = spades >> ORDER_BITS | hearts >> ORDER_BITS << SUIT_LENGTHS
    whole = blended(shape, suits & ~BLANK_SUITS | trumps & 1)
    whole = blended(whole, lengths | clubs >> ORDER_BITS << 2 * SUIT_LENGTHS)
    lengths = diamonds >> ORDER_BITS | (low >> ORDER_BITS) + (high >> ORDER_BITS) << SUIT_LENGTHS
    whole = blended(whole, lengths | (trumps >> 20 | leader << 2) << SUIT_LENGTHS + TRUMP_LENGTHS)
    third = high & ORDER_MASK | (low & ORDER_MASK) << OWNER_BITS * count(trumps >> 11 & HIGH_BITS)
    whole = blended(whole, third & top_of(ALWAYS))
    return (
        whole,
        spades & ORDER_MASK | (hearts & ORDER_MASK) << ORDER_BITS,
        clubs & ORDER_MASK | (diamonds & ORDER_MASK) << ORDER_BITS,
        third,
    )


@inlined
def top_of(cards: int) -> int:
    """The places of so many highest cards in an order."""
    return (1 << OWNER_BITS * cards) - 1


@inlined
def check_of(whole: int, first: int, second: int, third: int, depths: int) -> int:
    """A word that positions share only if an answer with these depths holds for both, but for an accident."""
    word = blended(whole, first & (top_of(depths & 15) | top_of(depths >> 4 & 15) << ORDER_BITS))
    word = blended(word, second & (top_of(depths >> 8 & 15) | top_of(depths >> 12 & 15) << ORDER_BITS))
    return blended(word, third & top_of(depths >> TRUMPS_DEPTH))


# --- depths --------------------------------------------------------------------------------------------


@inlined
def depth_of(present: int, mattered: int) -> int:
    """How many cards there are down to the lowest that mattered."""
    return count(present & -(mattered & -mattered)) if mattered else 0


@inlined
def depths_of(board: Ints, suits: int, trumps: int) -> int:
    """The depths of all suits, if these cards mattered."""
    rest, mattered = int(board[at.REST_SUITS]) & BLANK_SUITS, suits & BLANK_SUITS
    depths = depth_of(int(board[at.REST_TRUMPS]) & BLANK_TRUMPS, trumps & BLANK_TRUMPS) << TRUMPS_DEPTH
    for place in range(0, TRUMPS_DEPTH, 4):
        depths |= depth_of(rest & PIPS_BITS, mattered & PIPS_BITS) << place
        rest >>= 14
        mattered >>= 14
    return depths


@inlined
def lowest_within(present: int, depth: int) -> int:
    """The lowest of so many highest cards."""
    return 1 << select(present, count(present) - depth) if depth else 0


@inlined
def mattered_within(board: Ints, depths: int) -> tuple[int, int]:
    """The lowest cards that mattered, as two words."""
    rest, suits = int(board[at.REST_SUITS]), 0
    for suit in range(4):
        suits |= lowest_within(rest >> 14 * suit & PIPS_BITS, depths >> 4 * suit & 15) << 14 * suit
    return suits, lowest_within(int(board[at.REST_TRUMPS]) & BLANK_TRUMPS, depths >> TRUMPS_DEPTH)


# --- entries -------------------------------------------------------------------------------------------


@inlined
def bound_of(word: int) -> int:
    """The bound in the second word of an entry."""
    return (word & BOUND_MASK) - BOUND_ZERO


@inlined
def depths_in(word: int) -> int:
    """The depths in the second word of an entry."""
    return word >> DEPTHS_SHIFT & DEPTHS_BITS


@inlined
def bucket_of(table: Ints, whole: int) -> int:
    """Where a position may stand; the number of buckets is a power of two."""
    return (whole & (len(table) // BUCKET - 1)) * BUCKET


@inlined
def fetch_bucket(table: Ints, whole: int) -> None:
    """Have a bucket brought from memory: it will be looked at."""
    for line in range(0, BUCKET, LINE):
        fetch(table, bucket_of(table, whole) + line)


@inlined
def tag_of(whole: int) -> int:
    """A few bits to tell positions of a bucket apart at once."""
    return whole >> 40 & TAG_BITS


@inlined
def look_up(table: Ints, whole: int, first: int, second: int, third: int, need: int) -> tuple[int, int]:
    """The second word of an entry that tells if the value is at least `need`, or -1; else a good card."""
    bucket, tag, card = bucket_of(table, whole), tag_of(whole), NO_CARD
    for entry in range(bucket, bucket + BUCKET, ENTRY):
        word = int(table[entry + 1])
        if word >> TAG_SHIFT == tag and table[entry] ^ word == check_of(
            whole, first, second, third, depths_in(word)
        ):
            if (bound_of(word) >= need) == (word >> REACHED_SHIFT & 1):
                return word, card
            card = word >> CARD_SHIFT & 127
    return -1, card


@inlined
def keep(
    table: Ints,
    whole: int,
    check: int,
    left: int,
    card: int,
    bound: int,
    reached: bool,
    depths: int,
) -> None:
    """Keep an answer: a lower bound if the goal is reached, else an upper one.

    A weaker one of the same kind goes, else the oldest of those with the fewest tricks left.
    """
    bucket, last = bucket_of(table, whole), 0
    word = (bound + BOUND_ZERO) | int(reached) << REACHED_SHIFT | card << CARD_SHIFT
    word |= left << LEFT_SHIFT | depths << DEPTHS_SHIFT | tag_of(whole) << TAG_SHIFT
    fewest = 32
    for entry in range(bucket, bucket + BUCKET, ENTRY):
        other = int(table[entry + 1])
        if (
            table[entry] ^ other == check
            and (other ^ word) >> REACHED_SHIFT & 1 == 0
            and depths_in(other) == depths
        ):
            last = entry
            break
        if other >> LEFT_SHIFT & 31 <= fewest:
            fewest, last = other >> LEFT_SHIFT & 31, entry
    while last > bucket:
        table[last], table[last + 1] = table[last - 2], table[last - 1]
        last -= ENTRY
    table[bucket], table[bucket + 1] = check ^ word, word
