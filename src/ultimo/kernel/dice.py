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
from ultimo.kernel.jit import Ints, Words, inlined

MASK = 0xFFFFFFFFFFFFFFFF
GOLDEN = 0x9E3779B97F4A7C15


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


@inlined
def shuffle(dice: Words, pack: Ints) -> None:
    """Put a pack in random order: from the last place to the second, swap with one not behind it."""
    for place in range(len(pack) - 1, 0, -1):
        other = draw(dice, place + 1)
        card = pack[place]
        pack[place] = pack[other]
        pack[other] = card


def generator(seed: int, number: int) -> Words:
    """The generator of deal `number` of a seed."""
    return words((next_word(starts(seed, number)),))


def starts(seed: int, first: int) -> Words:
    """A generator whose words are what the generators of deals number `first`, `first` + 1, … start from.

    So deal `number` starts from `mix(mix(seed + γ) + number · γ)`, all modulo 2⁶⁴.
    """
    return words(((mixed((seed + GOLDEN) & MASK) + (first - 1) * GOLDEN) & MASK,))
