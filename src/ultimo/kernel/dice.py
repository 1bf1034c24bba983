"""The dice of the kernel: SplitMix64, Lemire's bounded draw and the Fisher–Yates shuffle, from the back.

Nothing here is left to a library, so that a seed gives the same deal in every version and on every machine.
Steele, Lea and Flood: Fast splittable pseudorandom number generators (2014); Lemire: Fast random integer
generation in an interval (2019). Live deals are never shuffled with it.

A generator is an array of one word. Deal number `n` of seed `s` starts from a word of its own, so that deals
can be drawn in any order and on any number of processors.

>>> dice = generator(7, 0)
>>> [draw(dice, 78) for _ in range(5)]
[74, 68, 70, 4, 56]
"""

from __future__ import annotations

from ultimo.kernel.arrays import words
from ultimo.kernel.jit import Ints, Words, inlined, tight
from ultimo.play.following import PACK_SIZE

MASK = 0xFFFFFFFFFFFFFFFF
GOLDEN = 0x9E3779B97F4A7C15
SHUFFLE = 2 * PACK_SIZE  # the paper that a shuffle needs; the pack comes to lie at its beginning
AHEAD = 80  # throws that are made at once: as many as a pack has cards, and full eights


@inlined
def mixed(word: int) -> int:
    """The output function of SplitMix64."""
    word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & MASK
    return word ^ (word >> 31)


@inlined
def next_word(dice: Words) -> int:
    """The next 64 random bits."""
    word = (int(dice[0]) + GOLDEN) & MASK
    dice[0] = word
    return mixed(word)


@inlined
def draw(dice: Words, sides: int) -> int:
    """A number below `sides`, each with the same probability.

    The upper 32 bits of a word, multiplied; the few that would make some numbers likelier are drawn again.
    """
    product = int(next_word(dice) >> 32) * sides
    if product & 0xFFFFFFFF < sides:
        least = 0x100000000 % sides
        while product & 0xFFFFFFFF < least:
            product = int(next_word(dice) >> 32) * sides
    return product >> 32


@tight
def throw_ahead(dice: Words, paper: Ints) -> None:
    """Note the upper halves of the words to come, and leave the dice as they are.

    No throw waits for another, and the processor makes several at once.
    """
    word = int(dice[0])
    for turn in range(AHEAD):
        word = (word + GOLDEN) & MASK
        paper[turn] = mixed(word) >> 32


@inlined
def pass_over(dice: Words, throws: int) -> None:
    """Let the dice go on as if they had been thrown so often."""
    word = int(dice[0])
    for _ in range(throws):
        word = (word + GOLDEN) & MASK
    dice[0] = word


@tight
def shuffle(dice: Words, paper: Ints) -> None:
    """Lay a pack in random order on paper: from the last place to the second, swap with one not behind it.

    The dice are thrown before a card is moved, and noted behind the pack: no throw waits for another, and the
    processor makes eight at once; the last, which nobody needs, lie where the pack comes to lie. One in a
    hundred million has to be made again, as `draw` says; then all are made one by one.
    """
    pack, throws = paper[:PACK_SIZE], paper[SHUFFLE - AHEAD : SHUFFLE]
    first = PACK_SIZE - AHEAD  # the place of the last throw
    word, again = int(dice[0]), False
    for place in range(PACK_SIZE - 1, first - 1, -1):
        word = (word + GOLDEN) & MASK
        product = int(mixed(word) >> 32) * (place + 1)
        throws[place - first] = product >> 32
        again |= product & 0xFFFFFFFF <= place
    if again:
        for place in range(PACK_SIZE - 1, 0, -1):
            throws[place - first] = draw(dice, place + 1)
    else:
        pass_over(dice, PACK_SIZE - 1)
    for place in range(PACK_SIZE):
        pack[place] = place
    for place in range(PACK_SIZE - 1, 0, -1):
        other = throws[place - first]
        card = pack[other]
        pack[other] = pack[place]
        pack[place] = card


def generator(seed: int, number: int) -> Words:
    """The generator of deal `number` of a seed."""
    return words((next_word(starts(seed, number)),))


def starts(seed: int, first: int) -> Words:
    """A generator whose words are what the generators of deals number `first`, `first` + 1, … start from.

    So deal `number` starts from `mix(mix(seed + γ) + number · γ)`, all modulo 2⁶⁴.
    """
    return words(((mixed((seed + GOLDEN) & MASK) + (first - 1) * GOLDEN) & MASK,))
