"""What a seat knows of the hidden cards, as arrays from which `worlds` draws.

A view is the fold of what a seat saw; nothing here sees more. The cards that it does not locate fall into
classes: those of a class may lie in the same places. How many of a class lie in each place is a matter of
counting, and which of them, of drawing lots.
"""

from __future__ import annotations

from math import comb, prod
from typing import NamedTuple

import numpy as np

from ultimo import danish, deal, french
from ultimo.cards import ALL_TRUMPS, COURTS, PAGAT, SKUS, TRUMPS, Cards, indices
from ultimo.danish.declarations import MADE
from ultimo.danish.numbers import numbers as danish_numbers
from ultimo.kernel.jit import Ints
from ultimo.kernel.sets import words
from ultimo.kernel.worlds import danish as of_danish
from ultimo.kernel.worlds import french as of_french
from ultimo.kernel.worlds.facts import Facts, Heard, Impossible, Laid, heard
from ultimo.play.following import FIRST_TRUMP
from ultimo.rulebook import DanishRules, FrenchRules, Rules

__all__ = ["Heard", "Impossible", "Knowledge", "heard", "knowledge"]

# The columns of the arrays.
ROW, ROOM = range(2)  # of a place
SUITS, TRUMPS_WORD, ALLOWED, SIZE = range(4)  # of a class
PLACES, KNOWN_SUITS, KNOWN_TRUMPS, LEAST, MOST, SPOKEN = range(6)  # of a hand that has declared
GROUP = SPOKEN + MADE
AFTER_TRUMPS, AFTER_SKUS, AFTER_COURTS = range(3)  # levels: so many classes have been placed
DEALER, SKAT, HELD, LYING, ANSWER, RULED, WHOLE = range(7)  # of a skat: two places, counts of real tarokker
DOUBTFUL, TOUT, NOTICED, HAND_SUITS, HAND_TRUMPS, SKAT_SUITS, SKAT_TRUMPS = range(7, 14)
UNSAID = -1

HEARD_NOTHING = Heard()
NOTHING_LAID = Laid(dealer=0, played=0)


class Knowledge(NamedTuple):
    """What a seat knows, in words and numbers; compiled code takes it as it is. Places are a bit each."""

    known: Ints  # by row: the suits and trumps that lie there for certain
    places: Ints  # rows with hidden cards, and how many; the largest comes last
    strides: Ints  # by place: what room for a card counts in a state (`count`)
    classes: Ints  # their cards in two words, the places where they may lie, how many they are
    levels: Ints  # how many classes are real trumps, then with the skus, then with the courts
    groups: Ints  # hands that have declared
    laid: Ints  # the skat
    some: Ints  # places and words: one of these cards lies in one of those places
    bare: Ints  # place and trumps: the hand is not to have the petit alone
    numbers: Ints  # the rulebook, where declarations and skat are looked at

    @property
    def rows(self) -> int:
        """Seats, and the cards laid aside."""
        return len(self.known)

    @property
    def hidden(self) -> int:
        """How many cards are not located."""
        return int(self.places[:, ROOM].sum())


def knowledge(rules: Rules, state: deal.State, told: Heard = HEARD_NOTHING) -> Knowledge:
    """What follows from a seat's state of the deal, and from what it was told besides.

    Raises `Impossible` where no cards have been dealt, or none fit.
    """
    if isinstance(state, danish.State):
        assert isinstance(rules, DanishRules)
        found, numbers = of_danish.facts(rules, state, told), danish_numbers(rules)
    else:
        assert isinstance(state, french.State)
        assert isinstance(rules, FrenchRules)
        found, numbers = of_french.facts(rules, state), (0,)
    found.settle()
    return arranged(found, numbers)


def arranged(found: Facts, numbers: tuple[int, ...]) -> Knowledge:
    """Facts as arrays."""
    rows = sorted((row for row, room in enumerate(found.room) if room), key=lambda row: found.room[row])
    rooms = [found.room[row] for row in rows]
    strides = [prod(room + 1 for room in rooms[:place]) for place in range(len(rows) - 1)]
    place = {row: number for number, row in enumerate(rows)}
    groups = _groups(found, place)
    classes, levels = _classes(found, place, bool(groups), found.laid is not None)
    return Knowledge(
        known=_array([words(cards) for cards in found.known], 2),
        places=_array(list(zip(rows, rooms, strict=True)), 2),
        strides=np.array([*strides, 0], np.int64),  # what is left for the last place follows from the rest
        classes=_array(classes, 4),
        levels=np.array(levels, np.int64),
        groups=_array(groups, GROUP),
        laid=np.array(_laid(found, found.laid or NOTHING_LAID, place), np.int64),
        some=_array(_some(found, place), 3),
        bare=_array(_bare(found, place), 2),
        numbers=np.array(numbers, np.int64),
    )


def _array(rows: list[tuple[int, ...]], columns: int) -> Ints:
    return np.array(rows, np.int64).reshape(len(rows), columns)


def _mask(rows: tuple[int, ...], place: dict[int, int]) -> int:
    """The places of some rows that are not full."""
    return sum(1 << place[row] for row in rows if row in place)


def _classes(
    found: Facts, place: dict[int, int], spoken: bool, laid: bool
) -> tuple[list[tuple[int, ...]], list[int]]:
    """The classes in the order in which they are placed, and where in it the stages end.

    Trumps, skus and courts come first where something depends on their number; within a stage the class
    that can be spread in the fewest ways, so that the largest comes last and takes what room is left.
    """
    together: dict[tuple[int, int], Cards] = {}
    for index in indices(found.unlocated()):
        bit = 1 << index
        allowed = _mask(tuple(row for row, may in enumerate(found.may) if may & bit), place)
        stage = 3
        if spoken or laid:
            stage = 0 if bit & TRUMPS else 1 if bit & SKUS else 2 if spoken and bit & COURTS else 3
        together[stage, allowed] = together.get((stage, allowed), 0) | bit
    order = sorted(together, key=lambda key: (key[0], _ways(together[key], key[1]), key[1]))
    classes: list[tuple[int, ...]] = [
        (*words(together[key]), key[1], together[key].bit_count()) for key in order
    ]
    levels = [sum(key[0] <= stage for key in order) for stage in range(3)]
    return classes, levels


def _ways(cards: Cards, allowed: int) -> int:
    """In how many ways the cards can be spread, counting cards alone."""
    return comb(cards.bit_count() + allowed.bit_count() - 1, allowed.bit_count() - 1)


def _groups(found: Facts, place: dict[int, int]) -> list[tuple[int, ...]]:
    groups = []
    for one in found.spoken:
        if places := _mask(one.rows, place):
            known = one.played
            for row in one.rows:
                known |= found.known[row]
            groups.append((places, *words(known), one.least, one.most, *one.made))
    return groups


def _laid(found: Facts, laid: Laid, place: dict[int, int]) -> tuple[int, ...]:
    """The skat as numbers; nothing is asked of it if there is none, or it is known."""
    dealer, skat = laid.dealer, len(found.known) - 1
    hand, lying = found.known[dealer] | laid.played, found.known[skat]
    places = _mask((dealer,), place), _mask((skat,), place)
    counts = (hand & TRUMPS).bit_count(), (lying & TRUMPS).bit_count()
    said = laid.answer, laid.ruled, laid.whole, laid.doubtful, laid.tout, laid.noticed
    return (*places, *counts, *said, *words(hand), *words(lying))


def _some(found: Facts, place: dict[int, int]) -> list[tuple[int, ...]]:
    """Those demands for one card of several that no known card meets already."""
    return [
        (_mask(rows, place), *words(cards))
        for rows, cards in found.some
        if not any(found.known[row] & cards for row in rows)
    ]


def _bare(found: Facts, place: dict[int, int]) -> list[tuple[int, ...]]:
    """Those hands that may still turn out to have had the petit alone."""
    rows: list[tuple[int, ...]] = []
    for one in found.bare:
        trumps = (one.let_go | found.known[one.row]) & ALL_TRUMPS & ~one.taken_up
        if one.row in place and not trumps & ~PAGAT:
            rows.append((place[one.row], trumps >> FIRST_TRUMP))
    return rows
