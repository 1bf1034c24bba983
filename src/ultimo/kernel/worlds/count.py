"""Counting the ways in which hidden cards can lie.

A state is the room that is left in each place, as one number; what is left in the last place follows from the
number of cards. `table[level, state]` is the number of ways to place the classes from `level` on, up to a
factor that all of them share: a class of n cards that are spread as a, b, c … lies in n!/(a! b! c! …) ways.
"""

from __future__ import annotations

from math import factorial, inf
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from ultimo.danish.declarations import MADE
from ultimo.danish.skat import SIZE as SKAT_SIZE
from ultimo.danish.skat import WAYS
from ultimo.kernel.bits import count
from ultimo.kernel.jit import Ints, always_inlined, inlined, tight
from ultimo.kernel.worlds import knowledge as at
from ultimo.kernel.worlds.knowledge import Knowledge

Floats: TypeAlias = npt.NDArray[np.float64]

MOST_PLACES = 6
INVERSE: Floats = np.array([1 / factorial(number) for number in range(79)])
NO_LIMIT = inf

# The rows of the desk on which a world is laid out. By place: how many cards of a class it gets, the room it
# has left, the cards it has got. By depth, while a class is spread: the place, the cards left, the state.
CHOSEN, LEFT, GOT_SUITS, GOT_TRUMPS, OPEN, REST, STATE = range(7)


class Paper(NamedTuple):
    """What is written on while worlds are counted and drawn."""

    desk: Ints
    shares: Floats  # by depth
    made: Ints  # declarations
    ways: Ints  # to lay


def paper() -> Paper:
    """Clean sheets."""
    desk = np.zeros((7, MOST_PLACES), np.int64)
    return Paper(desk, np.zeros(MOST_PLACES), np.zeros(MADE, np.int64), np.zeros(WAYS, np.int64))


@always_inlined
def spread(
    k: Knowledge, level: int, state: int, table: Floats, marking: bool, limit: float, w: Paper
) -> float:
    """Go through the ways to spread a class over places, and add up what follows each on the next level.

    Stops where the sum exceeds `limit`, and leaves on the desk what each place gets. When `marking`, the
    states that follow are only marked, and the sum counts the ways.
    """
    desk, shares, allowed, many = w.desk, w.shares, k.classes[level, at.ALLOWED], 0
    for place in range(len(k.places)):
        desk[CHOSEN, place] = 0
        if allowed >> place & 1 and desk[LEFT, place] > 0:
            desk[OPEN, many] = place
            many += 1
    if many == 0:
        return 0.0
    total = 0.0
    depth = 0
    desk[REST, 0] = k.classes[level, at.SIZE]
    desk[STATE, 0] = state
    shares[0] = 1.0
    desk[CHOSEN, desk[OPEN, 0]] = -1
    while depth >= 0:
        place = desk[OPEN, depth]
        if depth == many - 1:
            number = desk[REST, depth]
            desk[CHOSEN, place] = 0
            if number <= desk[LEFT, place]:
                next_state = desk[STATE, depth] - number * k.strides[place]
                if marking:
                    table[level + 1, next_state] = 1.0
                    total += 1.0
                else:
                    total += float(shares[depth] * INVERSE[number] * table[level + 1, next_state])
                    if total > limit:
                        desk[CHOSEN, place] = number
                        return total
            depth -= 1
            continue
        desk[CHOSEN, place] += 1
        number = desk[CHOSEN, place]
        if number > desk[REST, depth] or number > desk[LEFT, place]:
            desk[CHOSEN, place] = 0
            depth -= 1
            continue
        desk[REST, depth + 1] = desk[REST, depth] - number
        desk[STATE, depth + 1] = desk[STATE, depth] - number * k.strides[place]
        shares[depth + 1] = shares[depth] * INVERSE[number]
        depth += 1
        desk[CHOSEN, desk[OPEN, depth]] = -1
    return total


@inlined
def read_state(k: Knowledge, cards: int, state: int, desk: Ints) -> bool:
    """The room that is left in each place when so many cards are left; whether there can be so much."""
    last = len(k.places) - 1
    for place in range(last):
        desk[LEFT, place] = state // k.strides[place] % (k.places[place, at.ROOM] + 1)
        cards -= desk[LEFT, place]
    if last < 0:
        return cards == 0
    desk[LEFT, last] = cards
    return bool(0 <= cards <= k.places[last, at.ROOM])


@inlined
def cards_from(k: Knowledge, level: int) -> int:
    """How many cards the classes from `level` on have."""
    number = 0
    for kind in range(level, len(k.classes)):
        number += k.classes[kind, at.SIZE]
    return number


@inlined
def first_state(k: Knowledge) -> int:
    """The state in which nothing has been placed."""
    state = 0
    for place in range(len(k.places)):
        state += k.places[place, at.ROOM] * k.strides[place]
    return state


@inlined
def is_closed(k: Knowledge) -> bool:
    """Whether the last class just fills the room that is left."""
    return bool(k.levels[at.AFTER_SKUS] < len(k.classes))


@inlined
def is_allowed(k: Knowledge, level: int, desk: Ints) -> bool:
    """Whether the trumps that lie so far can lie so: as many as were declared, in the skat as is lawful."""
    if level == k.levels[at.AFTER_TRUMPS] and not is_lawful(k, desk):
        return False
    if level == k.levels[at.AFTER_SKUS]:
        for group in range(len(k.groups)):
            tarokker = count(k.groups[group, at.KNOWN_TRUMPS]) + placed(k, k.groups[group, at.PLACES], desk)
            if not k.groups[group, at.LEAST] <= tarokker <= k.groups[group, at.MOST]:
                return False
    return True


@inlined
def placed(k: Knowledge, places: int, desk: Ints) -> int:
    """How many cards some places have got."""
    number = 0
    for place in range(len(k.places)):
        if places >> place & 1:
            number += k.places[place, at.ROOM] - desk[LEFT, place]
    return number


@inlined
def is_lawful(k: Knowledge, desk: Ints) -> bool:
    """Whether so many real tarokker may lie in the skat: as many as was said, few, and perhaps all or none.

    Rule: the algorithm of rules B4.
    """
    lying = k.laid[at.LYING] + placed(k, k.laid[at.SKAT], desk)
    held = k.laid[at.HELD] + placed(k, k.laid[at.DEALER], desk)
    if k.laid[at.ANSWER] != at.UNSAID and lying != k.laid[at.ANSWER]:
        return False
    if k.laid[at.RULED] and lying > 0:
        return bool(lying + held <= SKAT_SIZE and not (k.laid[at.WHOLE] and held > 0))
    return True


@tight
def count_ways(k: Knowledge, budget: int, table: Floats, w: Paper) -> float:
    """Fill the table of ways; returns how many steps that took, or more than `budget` if it was given up.

    First forwards, to mark the states that can be reached, then backwards over these.
    """
    table[0, first_state(k)] = 1.0
    last = len(k.classes) - 1 if is_closed(k) else len(k.classes)
    steps = 0.0
    for level in range(last):
        cards = cards_from(k, level)
        for state in range(table.shape[1]):
            if table[level, state] == 0.0:
                continue
            if not read_state(k, cards, state, w.desk) or not is_allowed(k, level, w.desk):
                table[level, state] = 0.0
                continue
            steps += spread(k, level, state, table, True, NO_LIMIT, w)
            if steps > budget:
                return steps
    for state in range(table.shape[1]):
        if table[last, state] != 0.0:
            table[last, state] = _ways_at_last(k, last, state, w.desk)
    for level in range(last - 1, -1, -1):
        cards = cards_from(k, level)
        for state in range(table.shape[1]):
            if table[level, state] != 0.0:
                read_state(k, cards, state, w.desk)
                table[level, state] = spread(k, level, state, table, False, NO_LIMIT, w)
    return steps


@inlined
def _ways_at_last(k: Knowledge, level: int, state: int, desk: Ints) -> float:
    """The ways on the last level that is counted."""
    ways = 1.0
    if not read_state(k, cards_from(k, level), state, desk) or not is_allowed(k, level, desk):
        ways = 0.0
    for place in range(len(k.places)):
        room = desk[LEFT, place]
        if room > 0 and not (is_closed(k) and k.classes[level, at.ALLOWED] >> place & 1):
            ways = 0.0
        ways *= INVERSE[max(room, 0)]
    return ways
