"""Dealing hidden cards, and looking whether they fit what was heard."""

from __future__ import annotations

from ultimo.danish.declarations import declare
from ultimo.danish.skat import declared_on, ways_to_lay
from ultimo.french.phases import PETIT_BIT
from ultimo.kernel.bits import count, select
from ultimo.kernel.dice import draw, next_word
from ultimo.kernel.jit import Ints, Words, inlined
from ultimo.kernel.worlds.count import CHOSEN, GOT_SUITS, GOT_TRUMPS, LEFT
from ultimo.kernel.worlds.knowledge import (
    ALLOWED,
    DEALER_PLACE,
    HAND_SUITS,
    HAND_TRUMPS,
    KNOWN_SUITS,
    KNOWN_TRUMPS,
    NOTICED,
    NOWHERE,
    PLACES,
    SIZE,
    SKAT_PLACE,
    SKAT_SUITS,
    SKAT_TRUMPS,
    SPOKEN,
    SUITS,
    TOUT,
    TRUMPS_WORD,
)

UNIT = 2.0**-53


@inlined
def unit(dice: Words) -> float:
    """A number from 0 up to but not including 1, in steps of 2⁻⁵³."""
    return float(int(next_word(dice) >> 11)) * UNIT


@inlined
def pick(dice: Words, suits: int, trumps: int, number: int) -> tuple[int, int]:
    """So many cards out of two words, each set of them as likely as another."""
    of_suits, of_trumps = 0, 0
    for _ in range(number):
        plain = count(suits)
        nth = draw(dice, plain + count(trumps))
        if nth < plain:
            bit = 1 << select(suits, nth)
            suits ^= bit
            of_suits |= bit
        else:
            bit = 1 << select(trumps, nth - plain)
            trumps ^= bit
            of_trumps |= bit
    return of_suits, of_trumps


@inlined
def deal_class(classes: Ints, kind: int, places: Ints, desk: Ints, dice: Words) -> None:
    """Give each place its share of a class, as the desk says; the last one takes what the others leave."""
    of_suits, of_trumps = classes[kind, SUITS], classes[kind, TRUMPS_WORD]
    left = classes[kind, SIZE]
    for place in range(len(places)):
        number = desk[CHOSEN, place]
        if number == 0:
            continue
        if number == left:
            got_suits, got_trumps = of_suits, of_trumps
        else:
            got_suits, got_trumps = pick(dice, of_suits, of_trumps, number)
        of_suits ^= got_suits
        of_trumps ^= got_trumps
        left -= number
        desk[GOT_SUITS, place] |= got_suits
        desk[GOT_TRUMPS, place] |= got_trumps
        desk[LEFT, place] -= number


@inlined
def choose_singly(classes: Ints, kind: int, places: Ints, desk: Ints, dice: Words) -> float:
    """Choose places for the cards of a class one by one; what that makes a world weigh, 0 if stuck."""
    allowed = classes[kind, ALLOWED]
    weight = 1.0
    for place in range(len(places)):
        desk[CHOSEN, place] = 0
    for _ in range(classes[kind, SIZE]):
        room = 0
        for place in range(len(places)):
            if allowed >> place & 1:
                room += desk[LEFT, place] - desk[CHOSEN, place]
        if room == 0:
            return 0.0
        nth = draw(dice, room)
        for place in range(len(places)):
            if allowed >> place & 1:
                here = desk[LEFT, place] - desk[CHOSEN, place]
                if nth < here:
                    weight *= room / here
                    desk[CHOSEN, place] += 1
                    break
                nth -= here
    return weight


@inlined
def declares_as_heard(groups: Ints, numbers: Ints, places: Ints, desk: Ints, made: Ints) -> bool:
    """Whether every hand would have declared what it did: its trumps and courts lie."""
    for group in range(len(groups)):
        of_suits, of_trumps = groups[group, KNOWN_SUITS], groups[group, KNOWN_TRUMPS]
        for place in range(len(places)):
            if groups[group, PLACES] >> place & 1:
                of_suits |= desk[GOT_SUITS, place]
                of_trumps |= desk[GOT_TRUMPS, place]
        declare(numbers, of_suits, of_trumps, made)
        for at in range(1 + 3 * made[0]):
            if made[at] != groups[group, SPOKEN + at]:
                return False
    return True


@inlined
def lays_as_heard(laid: Ints, numbers: Ints, desk: Ints, made: Ints, ways: Ints) -> bool:
    """Whether the dealer may have laid this skat from all his cards, and said of it what he did."""
    skat_suits, skat_trumps = laid[SKAT_SUITS], laid[SKAT_TRUMPS]
    of_suits, of_trumps = laid[HAND_SUITS], laid[HAND_TRUMPS]
    if laid[SKAT_PLACE] != NOWHERE:
        skat_suits |= desk[GOT_SUITS, laid[SKAT_PLACE]]
        skat_trumps |= desk[GOT_TRUMPS, laid[SKAT_PLACE]]
    if laid[DEALER_PLACE] != NOWHERE:
        of_suits |= desk[GOT_SUITS, laid[DEALER_PLACE]]
        of_trumps |= desk[GOT_TRUMPS, laid[DEALER_PLACE]]
    of_suits |= skat_suits
    of_trumps |= skat_trumps
    if laid[NOTICED] != NOWHERE:
        kept_suits, kept_trumps = declared_on(numbers, of_suits, of_trumps, made)
        if ((kept_suits & skat_suits) | (kept_trumps & skat_trumps) != 0) != (laid[NOTICED] != 0):
            return False
    ways_to_lay(numbers, of_suits, of_trumps, laid[TOUT] != 0, ways, made)
    for way in range(ways[0]):
        at = 1 + 4 * way
        must_suits, must_trumps = ways[at], ways[at + 1]
        may_suits, may_trumps = must_suits | ways[at + 2], must_trumps | ways[at + 3]
        if (
            skat_suits & must_suits == must_suits
            and skat_trumps & must_trumps == must_trumps
            and skat_suits & ~may_suits == 0
            and skat_trumps & ~may_trumps == 0
        ):
            return True
    return False


@inlined
def holds_what_it_must(some: Ints, bare: Ints, places: Ints, desk: Ints) -> bool:
    """Whether somebody has a card that one of them has, and no hand was dealt the petit alone."""
    for row in range(len(some)):
        found = 0
        for place in range(len(places)):
            if some[row, 0] >> place & 1:
                found |= desk[GOT_SUITS, place] & some[row, 1]
                found |= desk[GOT_TRUMPS, place] & some[row, 2]
        if found == 0:
            return False
    alone = 0
    for row in range(len(bare)):
        alone += bare[row, 1] | desk[GOT_TRUMPS, bare[row, 0]] == PETIT_BIT
    return alone == 0
