"""What the remainders of counts matter to a search in which everybody plays for themselves.

Where counts are paid in fives, the remainders of two piles matter: they say when the next five is full. But
often the same is played whatever they are. So an outcome is found together with what the piles come to in it
and with the *shifts* of the two remainders under which the same would be played, one bit for each of the 25.
A position is known without its remainders; an entry says for which it holds, and what it is then worth
follows from what the piles come to. Several entries may stand for one position: to them four buckets are one,
in which they are looked for from their own bucket on.
"""

from __future__ import annotations

from ultimo.kernel.danish.search import layout as at
from ultimo.kernel.danish.search import moves, transposition
from ultimo.kernel.danish.search.tables import counted, gain_of, is_counted
from ultimo.kernel.danish.search.transposition import Key
from ultimo.kernel.jit import Ints, inlined, tight

FIVE = 5  # what counts are paid in
NO_SHIFT, EVERY_SHIFT = 1, (1 << FIVE * FIVE) - 1
COLUMN = 1 | 1 << 5 | 1 << 10 | 1 << 15 | 1 << 20
FIRST, SECOND = 2 * at.THIRD, at.THIRD  # how far gains stand before one another in an order
WIDE = 8  # entries of four buckets

# The third word of an entry that holds for some remainders. It has 1 for a move, then come the tricks left as
# in every entry, for which remainders, what two of the piles gain, lost kings and special trumps.
HELD, KEPT_SHIFT = 1, transposition.KEPT_SHIFT
FOR_SHIFT = transposition.THIRD_WORD_SHIFT
GAINED_SHIFT = FOR_SHIFT + FIVE * FIVE


@inlined
def order_of(value: int, place: int) -> int:
    """A value as a number that is the higher the more a place likes it.

    It likes most what gains itself most, of that what gains the next hand least, then the third.
    """
    first = gain_of(value, 0)
    value = (value - first) >> at.THIRD
    second = gain_of(value, 0)
    third = (value - second) >> at.THIRD
    if place == 0:
        return (first << FIRST) - (second << SECOND) - third
    if place == 1:
        return (second << FIRST) - (third << SECOND) - first
    return (third << FIRST) - (first << SECOND) - second


@inlined
def piles_of(past: int) -> int:
    """What lies in the three piles."""
    return past >> at.COUNT_SHIFT & (1 << 21) - 1


@inlined
def holds_widely(w: Ints, past: int) -> bool:
    """Whether what is found in a position may hold for other remainders: nobody is without a trick."""
    return w[at.LOOSE] != 0 and is_counted(past)


@inlined
def with_counts(w: Ints, wide: bool, value: int, piles: int) -> int:
    """A value with what the piles come to, where it was found without."""
    return value + moves.worth_of_counts(w, piles << at.COUNT_SHIFT) if wide else value


@inlined
def counted_from(w: Ints, value: int, past: int) -> int:
    """What was just found without the counts, with all that they bring from here on."""
    return with_counts(w, True, value, w[at.PILES]) - moves.worth_of_counts(w, past)


@inlined
def agreeing(w: Ints, place: int, more: int, piles: int, other_piles: int) -> int:
    """The shifts under which a place likes one outcome more, or not less, than another, as it does now.

    `more` is by how much it does in its order, negative if it likes the other; then the piles of both.
    """
    if abs(more) > w[at.SWAY + place]:
        return EVERY_SHIFT
    one, two = 7 * (w[at.LOOSE] & 3), 7 * (w[at.LOOSE] >> 2)
    a, b = (piles >> one & 127) % FIVE, (other_piles >> one & 127) % FIVE
    c, d = (piles >> two & 127) % FIVE, (other_piles >> two & 127) % FIVE
    return EVERY_SHIFT if a == b and c == d else _agreeing(w, place, more, a, b, c, d)


@tight
def _agreeing(w: Ints, place: int, more: int, a: int, b: int, c: int, d: int) -> int:
    """The same, by the remainders of both outcomes in two piles."""
    first = at.SLIPS + 50 * place
    a, b, c, d = first + FIVE * a, first + FIVE * b, first + 25 + FIVE * c, first + 25 + FIVE * d
    found = 0
    for i in range(1 if a == b else FIVE):
        then = more + w[a + i] - w[b + i]
        for j in range(1 if c == d else FIVE):
            slips = then + w[c + j] - w[d + j]
            if slips >= 0 if more >= 0 else slips <= 0:
                found |= 1 << (FIVE * i + j)
    if a == b:
        return found * COLUMN
    return found * ((1 << FIVE) - 1) if c == d else found


@inlined
def shifted(shifts: int, i: int, j: int) -> int:
    """Shifts, or remainders, moved on by some."""
    shifts = (shifts << FIVE * i | shifts >> FIVE * (FIVE - i)) & EVERY_SHIFT
    stay = shifts & COLUMN * ((1 << (FIVE - j)) - 1)
    return stay << j | (shifts ^ stay) >> (FIVE - j)


@inlined
def remainders(w: Ints, past: int) -> tuple[int, int]:
    """The remainders of the two piles that are paid in fives."""
    return counted(past, w[at.LOOSE] & 3) % FIVE, counted(past, w[at.LOOSE] >> 2) % FIVE


# --- entries ---------------------------------------------------------------------------------------------


@inlined
def key_of(w: Ints, leader: int, past: int) -> Key:
    """The key of a position without its remainders."""
    return transposition.key_of(w, leader, past & 7 << at.KINGS_SHIFT)


@inlined
def entry_at(w: Ints, bucket: int, turn: int) -> int:
    """The entries of four buckets, those of one bucket first."""
    return w[at.ENTRIES_AT] + (bucket - w[at.ENTRIES_AT] ^ turn * at.ENTRY)


@inlined
def entry_for(w: Ints, bucket: int) -> int:
    """The entry to be written: the first that is empty, else of those with the fewest tricks left in turn."""
    chosen, fewest = bucket, 32
    for turn in range(WIDE):
        entry = entry_at(w, bucket, turn)
        if w[entry + 2] == 0:
            return entry
    for turn in range(WIDE):
        entry = entry_at(w, bucket, (w[at.STORED] + turn) % WIDE)
        left = w[entry + 2] >> transposition.DEPTH_SHIFT & 31
        if left < fewest:
            chosen, fewest = entry, left
    return chosen


@inlined
def probe(w: Ints, key: Key, past: int) -> int:
    """What is known of a position with these remainders, told as the search does, or `UNKNOWN`."""
    bucket, kept = transposition.bucket_of(w, key), kept_of(key)
    i, j = remainders(w, past)
    for turn in range(WIDE):
        entry = entry_at(w, bucket, turn)
        two, third = int(w[entry + 1]), int(w[entry + 2])
        if (
            two == key[1]
            and third >> KEPT_SHIFT == kept
            and third & transposition.MOVE_BITS == HELD
            and third >> FOR_SHIFT + FIVE * i + j & 1
        ):
            value = int(w[entry + 3])
            if transposition.sealed(int(w[entry]), two, third, value) == key[0]:
                w[at.PILES] = piles_of(past) + gained_in(w, third, past)
                w[at.SHIFTS] = shifted(third >> FOR_SHIFT & EVERY_SHIFT, (FIVE - i) % FIVE, (FIVE - j) % FIVE)
                return value
    return at.UNKNOWN


@inlined
def kept_of(key: Key) -> int:
    """The third word of a key, as an entry has it."""
    return key[2] >> at.KINGS_SHIFT + 2 << 2 | key[2] & 3


@inlined
def gained_in(w: Ints, third: int, past: int) -> int:
    """What the three piles gain: an entry has two of them, the third pile gets the rest."""
    one, two = w[at.LOOSE] & 3, w[at.LOOSE] >> 2
    first, second = third >> GAINED_SHIFT & 127, third >> GAINED_SHIFT + 7 & 127
    rest = w[at.TOTAL] - counted(past, 0) - counted(past, 1) - counted(past, 2) - first - second
    return first << 7 * one | second << 7 * two | rest << 7 * (3 - one - two)


@inlined
def store(w: Ints, key: Key, left: int, past: int, value: int, piles: int, shifts: int) -> None:
    """Keep the value of a position, which is without its counts, and what the piles gain."""
    i, j = remainders(w, past)
    gained = piles - piles_of(past)
    one, two = w[at.LOOSE] & 3, w[at.LOOSE] >> 2
    third = kept_of(key) << KEPT_SHIFT | left << transposition.DEPTH_SHIFT | HELD
    third |= (gained >> 7 * one & 127 | (gained >> 7 * two & 127) << 7) << GAINED_SHIFT
    third |= shifted(shifts, i, j) << FOR_SHIFT
    transposition.note_stored(w)
    transposition.write(w, entry_for(w, transposition.bucket_of(w, key)), key, third, value)
