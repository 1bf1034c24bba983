"""Drawing worlds: distributions of the hidden cards that fit what a seat knows, each as likely as another.

With the table of `count` a class of cards after the other is spread over the places with the right
probabilities, and never comes to a dead end. What depends on single cards (courts that would have had to be
declared, a bare petit) is looked at as soon as these lie, and a world that does not fit is dropped; so all
that are left are equally likely, and weigh 1.

Where the table would grow too large (`budget`), cards are dealt one by one, each to a place where it may lie
with a probability in proportion to the room there; the weight of a world then makes up for its likelihood.
Weights mean nothing by themselves, only in proportion to those of the same sampler.
"""

from __future__ import annotations

from math import prod

import numpy as np
from msgspec import Struct

from ultimo.cards import Cards
from ultimo.kernel.jit import Ints, Words, always_inlined, tight
from ultimo.kernel.sets import cards_in
from ultimo.kernel.worlds import fit
from ultimo.kernel.worlds import knowledge as at
from ultimo.kernel.worlds.count import (
    CHOSEN,
    GOT_SUITS,
    GOT_TRUMPS,
    LEFT,
    Floats,
    Paper,
    count_ways,
    first_state,
    is_allowed,
    is_closed,
    paper,
    spread,
)
from ultimo.kernel.worlds.knowledge import Knowledge

BUDGET = 20_000_000  # steps of counting, about a tenth of a second
PATIENCE = 5_000  # worlds that may be dropped for each that is wanted


class Worlds(Struct, frozen=True):
    """Worlds by number and row: the suits and trumps that lie in each row, and what each world weighs."""

    suits: Ints
    trumps: Ints
    weights: Floats

    def __len__(self) -> int:
        return len(self.weights)

    def rows(self, number: int) -> tuple[Cards, ...]:
        """One of the worlds as sets of cards: a row for each seat, and one for the cards laid aside."""
        return tuple(map(cards_in, self.suits[number], self.trumps[number]))


class Sampler(Struct, frozen=True):
    """A seat's knowledge with the table of ways; made once, drawn from as often as wanted."""

    knowledge: Knowledge
    table: Floats
    exact: bool  # otherwise worlds come with weights

    def draw(self, number: int, dice: Words, patience: int = PATIENCE) -> Worlds:
        """So many worlds; fewer if too many of those dealt had to be dropped."""
        suits, trumps = np.zeros((2, number, self.knowledge.rows), np.int64)
        weights = np.ones(number)
        found = sample(
            self.knowledge, self.table, self.exact, patience * number, dice, paper(), suits, trumps, weights
        )
        return Worlds(suits[:found], trumps[:found], weights[:found])


def sampler(knowledge: Knowledge, budget: int = BUDGET) -> Sampler:
    """Make ready to draw: count the ways, unless that takes more than `budget` steps."""
    levels = len(knowledge.classes) + 1
    states = prod(int(room) + 1 for room in knowledge.places[:-1, at.ROOM])
    if budget < levels * states:
        return Sampler(knowledge, np.zeros((1, 1)), False)
    table = np.zeros((levels, states))
    return Sampler(knowledge, table, count_ways(knowledge, budget, table, paper()) <= budget)


@tight
def sample(
    k: Knowledge,
    table: Floats,
    exact: bool,
    patience: int,
    dice: Words,
    w: Paper,
    suits: Ints,
    trumps: Ints,
    weights: Floats,
) -> int:
    """Draw worlds until the arrays are full or `patience` is at its end; returns how many there are."""
    found, dropped = 0, 0
    while found < len(weights) and dropped <= patience:
        weight = _lay_out(k, table, exact, dice, w)
        fits = weight > 0.0 and fit.holds_what_it_must(k, w.desk)
        if fits and k.laid[at.DOUBTFUL]:
            fits = fit.lays_as_heard(k, w)
        if not fits:
            dropped += 1
            continue
        for row in range(len(k.known)):
            suits[found, row] = k.known[row, 0]
            trumps[found, row] = k.known[row, 1]
        for place in range(len(k.places)):
            suits[found, k.places[place, at.ROW]] |= w.desk[GOT_SUITS, place]
            trumps[found, k.places[place, at.ROW]] |= w.desk[GOT_TRUMPS, place]
        weights[found] = weight
        found += 1
    return found


@always_inlined
def _lay_out(k: Knowledge, table: Floats, exact: bool, dice: Words, w: Paper) -> float:
    """Lay a world out on the desk; what it weighs, or 0 where it does not fit."""
    desk, kinds, state, weight = w.desk, len(k.classes), first_state(k), 1.0
    for place in range(len(k.places)):
        desk[LEFT, place] = k.places[place, at.ROOM]
        desk[GOT_SUITS, place] = 0
        desk[GOT_TRUMPS, place] = 0
    for level in range(kinds + 1):
        if level == k.levels[at.AFTER_COURTS] and not fit.declares_as_heard(k, w):
            return 0.0
        if not exact and not is_allowed(k, level, desk):
            return 0.0
        if level == kinds:
            break
        if not exact:
            weight *= fit.choose_singly(k, level, desk, dice)
            if weight == 0.0:
                return 0.0
        elif is_closed(k) and level == kinds - 1:
            for place in range(len(k.places)):
                desk[CHOSEN, place] = desk[LEFT, place]
        else:
            limit = fit.unit(dice) * table[level, state]
            if not spread(k, level, state, table, False, limit, w) > limit:
                return 0.0
        for place in range(len(k.places)):
            state -= desk[CHOSEN, place] * k.strides[place]
        fit.deal_class(k, level, desk, dice)
    return weight
