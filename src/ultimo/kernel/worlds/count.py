"""Counting the ways in which hidden cards can lie.

A state is the room that is left in each place, as one number; what is left in the last place follows from the
number of cards. `table[level, state]` is the number of ways to place the classes from `level` on, up to a
factor that all of them share: a class of n cards that are spread as a, b, c … lies in n!/(a! b! c! …) ways.
"""

from __future__ import annotations

from math import factorial, inf
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from ultimo.danish.skat import SIZE as SKAT_SIZE
from ultimo.kernel.bits import count
from ultimo.kernel.jit import Ints, inlined, tight
from ultimo.kernel.worlds import knowledge as at

Floats: TypeAlias = npt.NDArray[np.float64]

MOST_PLACES = 6
INVERSE: Floats = np.array([1 / factorial(number) for number in range(79)])
NO_LIMIT = inf

# The rows of the desk on which a world is laid out. By place: how many cards of a class it gets, the room it
# has left, the cards it has got. By depth, while a class is spread: the place, the cards left, the state.
CHOSEN, LEFT, GOT_SUITS, GOT_TRUMPS, OPEN, REST, STATE = range(7)
DESK = (7, MOST_PLACES)


@inlined
def spread(
    allowed: int,
    size: int,
    places: Ints,
    strides: Ints,
    state: int,
    table: Floats,
    after: int,
    marking: bool,
    limit: float,
    desk: Ints,
    shares: Floats,
) -> float:
    """Go through the ways to spread a class over places, and add up what follows each on level `after`.

    Stops where the sum exceeds `limit`, and leaves on the desk what each place gets. When `marking`, the
    states that follow are only marked, and the sum counts the ways.
    """
    many = 0
    for place in range(len(places)):
        desk[CHOSEN, place] = 0
        if allowed >> place & 1 and desk[LEFT, place] > 0:
            desk[OPEN, many] = place
            many += 1
    if many == 0:
        return 0.0
    total = 0.0
    depth = 0
    desk[REST, 0] = size
    desk[STATE, 0] = state
    shares[0] = 1.0
    desk[CHOSEN, desk[OPEN, 0]] = -1
    while depth >= 0:
        place = desk[OPEN, depth]
        if depth == many - 1:
            number = desk[REST, depth]
            desk[CHOSEN, place] = 0
            if number <= desk[LEFT, place]:
                next_state = desk[STATE, depth] - number * strides[place]
                if marking:
                    table[after, next_state] = 1.0
                    total += 1.0
                else:
                    total += float(shares[depth] * INVERSE[number] * table[after, next_state])
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
        desk[STATE, depth + 1] = desk[STATE, depth] - number * strides[place]
        shares[depth + 1] = shares[depth] * INVERSE[number]
        depth += 1
        desk[CHOSEN, desk[OPEN, depth]] = -1
    return total


@inlined
def read_state(state: int, cards: int, places: Ints, strides: Ints, desk: Ints) -> bool:
    """The room that is left in each place when so many cards are left; whether there can be so much."""
    last = len(places) - 1
    for place in range(last):
        desk[LEFT, place] = state // strides[place] % (places[place, at.ROOM] + 1)
        cards -= desk[LEFT, place]
    if last < 0:
        return cards == 0
    desk[LEFT, last] = cards
    return bool(0 <= cards <= places[last, at.ROOM])


@inlined
def first_state(places: Ints, strides: Ints) -> int:
    """The state in which nothing has been placed."""
    state = 0
    for place in range(len(places)):
        state += places[place, at.ROOM] * strides[place]
    return state


@inlined
def cards_from(classes: Ints, level: int) -> int:
    """How many cards the classes from `level` on have."""
    number = 0
    for kind in range(level, len(classes)):
        number += classes[kind, at.SIZE]
    return number


@inlined
def is_allowed(level: int, levels: Ints, places: Ints, desk: Ints, groups: Ints, laid: Ints) -> bool:
    """Whether the trumps that lie so far can lie so: as many as were declared, in the skat as is lawful."""
    if level == levels[at.AFTER_TRUMPS] and not is_lawful(places, desk, laid):
        return False
    if level == levels[at.AFTER_SKUS]:
        for group in range(len(groups)):
            tarokker = count(groups[group, at.KNOWN_TRUMPS])
            for place in range(len(places)):
                if groups[group, at.PLACES] >> place & 1:
                    tarokker += places[place, at.ROOM] - desk[LEFT, place]
            if not groups[group, at.LEAST] <= tarokker <= groups[group, at.MOST]:
                return False
    return True


@inlined
def is_lawful(places: Ints, desk: Ints, laid: Ints) -> bool:
    """Whether so many real tarokker may lie in the skat: as many as was said, few, and perhaps all or none.

    Rule: the algorithm of rules B4.
    """
    lying, held = laid[at.LYING], laid[at.HELD]
    if laid[at.SKAT_PLACE] != at.NOWHERE:
        lying += places[laid[at.SKAT_PLACE], at.ROOM] - desk[LEFT, laid[at.SKAT_PLACE]]
    if laid[at.DEALER_PLACE] != at.NOWHERE:
        held += places[laid[at.DEALER_PLACE], at.ROOM] - desk[LEFT, laid[at.DEALER_PLACE]]
    if laid[at.ANSWER] != at.NOWHERE and lying != laid[at.ANSWER]:
        return False
    if laid[at.RULED] and lying > 0:
        return bool(lying + held <= SKAT_SIZE and not (laid[at.WHOLE] and held > 0))
    return True


@tight
def count_ways(
    places: Ints,
    classes: Ints,
    levels: Ints,
    groups: Ints,
    laid: Ints,
    strides: Ints,
    budget: int,
    table: Floats,
    desk: Ints,
    shares: Floats,
) -> float:
    """Fill the table of ways; returns how many steps that took, or more than `budget` if it was given up.

    First forwards, to mark the states that can be reached, then backwards over these.
    """
    kinds, states = len(classes), table.shape[1]
    table[0, first_state(places, strides)] = 1.0
    closed = levels[at.AFTER_SKUS] < kinds  # then the last class just fills the room that is left
    last = kinds - 1 if closed else kinds
    steps = 0.0
    for level in range(last):
        cards = cards_from(classes, level)
        for state in range(states):
            if table[level, state] == 0.0:
                continue
            if not read_state(state, cards, places, strides, desk) or not is_allowed(
                level, levels, places, desk, groups, laid
            ):
                table[level, state] = 0.0
                continue
            allowed, size = classes[level, at.ALLOWED], classes[level, at.SIZE]
            steps += spread(
                allowed, size, places, strides, state, table, level + 1, True, NO_LIMIT, desk, shares
            )
            if steps > budget:
                return steps
    cards = cards_from(classes, last)
    for state in range(states):
        if table[last, state] != 0.0:
            ways = 1.0
            if not read_state(state, cards, places, strides, desk) or not is_allowed(
                last, levels, places, desk, groups, laid
            ):
                ways = 0.0
            for place in range(len(places)):
                room = desk[LEFT, place]
                if room > 0 and not (closed and classes[last, at.ALLOWED] >> place & 1):
                    ways = 0.0
                ways *= INVERSE[max(room, 0)]
            table[last, state] = ways
    for level in range(last - 1, -1, -1):
        cards = cards_from(classes, level)
        for state in range(states):
            if table[level, state] != 0.0:
                read_state(state, cards, places, strides, desk)
                allowed, size = classes[level, at.ALLOWED], classes[level, at.SIZE]
                table[level, state] = spread(
                    allowed, size, places, strides, state, table, level + 1, False, NO_LIMIT, desk, shares
                )
    return steps
