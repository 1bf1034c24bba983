"""Dealing hidden cards, and looking whether they fit what was heard."""

from __future__ import annotations

from ultimo.danish.declarations import declare
from ultimo.danish.skat import declared_on, ways_to_lay
from ultimo.french.phases import PETIT_BIT
from ultimo.kernel.bits import count, select
from ultimo.kernel.dice import draw, next_word
from ultimo.kernel.jit import Ints, Words, inlined
from ultimo.kernel.worlds import knowledge as at
from ultimo.kernel.worlds.count import CHOSEN, GOT_SUITS, GOT_TRUMPS, LEFT, Paper
from ultimo.kernel.worlds.knowledge import Knowledge

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
def deal_class(k: Knowledge, kind: int, desk: Ints, dice: Words) -> None:
    """Give each place its share of a class, as the desk says; the last one takes what the others leave."""
    of_suits, of_trumps = k.classes[kind, at.SUITS], k.classes[kind, at.TRUMPS_WORD]
    left = k.classes[kind, at.SIZE]
    for place in range(len(k.places)):
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
def choose_singly(k: Knowledge, kind: int, desk: Ints, dice: Words) -> float:
    """Choose places for the cards of a class one by one; what that makes a world weigh, 0 if stuck."""
    allowed = k.classes[kind, at.ALLOWED]
    weight = 1.0
    for place in range(len(k.places)):
        desk[CHOSEN, place] = 0
    for _ in range(k.classes[kind, at.SIZE]):
        room = 0
        for place in range(len(k.places)):
            if allowed >> place & 1:
                room += desk[LEFT, place] - desk[CHOSEN, place]
        if room == 0:
            return 0.0
        nth = draw(dice, room)
        for place in range(len(k.places)):
            if allowed >> place & 1:
                here = desk[LEFT, place] - desk[CHOSEN, place]
                if nth < here:
                    weight *= room / here
                    desk[CHOSEN, place] += 1
                    break
                nth -= here
    return weight


@inlined
def got(k: Knowledge, places: int, desk: Ints) -> tuple[int, int]:
    """The cards that some places have got."""
    suits, trumps = 0, 0
    for place in range(len(k.places)):
        if places >> place & 1:
            suits |= desk[GOT_SUITS, place]
            trumps |= desk[GOT_TRUMPS, place]
    return suits, trumps


@inlined
def declares_as_heard(k: Knowledge, w: Paper) -> bool:
    """Whether every hand would have declared what it did: its trumps and courts lie."""
    for group in range(len(k.groups)):
        heard = k.groups[group]
        suits, trumps = got(k, heard[at.PLACES], w.desk)
        declare(k.numbers, suits | heard[at.KNOWN_SUITS], trumps | heard[at.KNOWN_TRUMPS], w.made)
        for spot in range(1 + 3 * w.made[0]):
            if w.made[spot] != heard[at.SPOKEN + spot]:
                return False
    return True


@inlined
def lays_as_heard(k: Knowledge, w: Paper) -> bool:
    """Whether the dealer may have laid this skat from all their cards, and said of it what they did."""
    laid, ways = k.laid, w.ways
    skat_suits, skat_trumps = got(k, laid[at.SKAT], w.desk)
    skat_suits |= laid[at.SKAT_SUITS]
    skat_trumps |= laid[at.SKAT_TRUMPS]
    suits, trumps = got(k, laid[at.DEALER], w.desk)
    suits |= laid[at.HAND_SUITS] | skat_suits
    trumps |= laid[at.HAND_TRUMPS] | skat_trumps
    if laid[at.NOTICED] != at.UNSAID:
        kept_suits, kept_trumps = declared_on(k.numbers, suits, trumps, w.made)
        if ((kept_suits & skat_suits) | (kept_trumps & skat_trumps) != 0) != (laid[at.NOTICED] != 0):
            return False
    ways_to_lay(k.numbers, suits, trumps, laid[at.TOUT] != 0, ways, w.made)
    for spot in range(1, 1 + 4 * ways[0], 4):
        must_suits, must_trumps = ways[spot], ways[spot + 1]
        may_suits, may_trumps = must_suits | ways[spot + 2], must_trumps | ways[spot + 3]
        if (
            skat_suits & must_suits == must_suits
            and skat_trumps & must_trumps == must_trumps
            and skat_suits & ~may_suits == 0
            and skat_trumps & ~may_trumps == 0
        ):
            return True
    return False


@inlined
def holds_what_it_must(k: Knowledge, desk: Ints) -> bool:
    """Whether somebody has a card that one of them has, and no hand was dealt the petit alone."""
    for row in range(len(k.some)):
        suits, trumps = got(k, k.some[row, 0], desk)
        if suits & k.some[row, 1] == 0 and trumps & k.some[row, 2] == 0:
            return False
    alone = 0
    for row in range(len(k.bare)):
        alone += k.bare[row, 1] | desk[GOT_TRUMPS, k.bare[row, 0]] == PETIT_BIT
    return alone == 0
