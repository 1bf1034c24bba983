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

import numpy as np
from msgspec import Struct

from ultimo.cards import Cards
from ultimo.danish.declarations import MADE
from ultimo.danish.skat import WAYS
from ultimo.kernel.jit import Ints, Words, tight
from ultimo.kernel.worlds import knowledge as at
from ultimo.kernel.worlds.count import (
    CHOSEN,
    DESK,
    GOT_SUITS,
    GOT_TRUMPS,
    LEFT,
    MOST_PLACES,
    Floats,
    count_ways,
    first_state,
    is_allowed,
    spread,
)
from ultimo.kernel.worlds.fit import (
    choose_singly,
    deal_class,
    declares_as_heard,
    holds_what_it_must,
    lays_as_heard,
    unit,
)
from ultimo.play.following import FIRST_TRUMP

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
        words = zip(self.suits[number], self.trumps[number], strict=True)
        return tuple(int(suits) | int(trumps) << FIRST_TRUMP for suits, trumps in words)


class Sampler(Struct, frozen=True):
    """A seat's knowledge with the table of ways; made once, drawn from as often as wanted."""

    knowledge: at.Knowledge
    table: Floats
    strides: Ints
    exact: bool  # otherwise worlds come with weights

    def draw(self, number: int, dice: Words, patience: int = PATIENCE) -> Worlds:
        """So many worlds; fewer if too many of those dealt had to be dropped."""
        known = self.knowledge
        suits = np.zeros((number, known.rows), np.int64)
        trumps = np.zeros((number, known.rows), np.int64)
        weights = np.ones(number)
        found = sample(
            known.known,
            known.places,
            known.classes,
            known.levels,
            known.groups,
            known.laid,
            known.some,
            known.bare,
            known.numbers,
            self.table,
            self.strides,
            self.exact,
            patience * number,
            dice,
            np.zeros(DESK, np.int64),
            np.zeros(MOST_PLACES),
            np.zeros(MADE, np.int64),
            np.zeros(WAYS, np.int64),
            suits,
            trumps,
            weights,
        )
        return Worlds(suits[:found], trumps[:found], weights[:found])


def sampler(knowledge: at.Knowledge, budget: int = BUDGET) -> Sampler:
    """Make ready to draw: count the ways, unless that takes more than `budget` steps."""
    rooms = knowledge.places[:, at.ROOM]
    strides = np.ones(len(rooms), np.int64)
    for place in range(1, len(rooms)):
        strides[place] = strides[place - 1] * (rooms[place - 1] + 1)
    states = int(strides[-1]) if len(rooms) else 1
    strides[-1:] = 0  # what is left for the last place follows from the rest
    levels = len(knowledge.classes) + 1
    if budget < levels * states:
        return Sampler(knowledge, np.zeros((1, 1)), strides, False)
    table = np.zeros((levels, states))
    steps = count_ways(
        knowledge.places,
        knowledge.classes,
        knowledge.levels,
        knowledge.groups,
        knowledge.laid,
        strides,
        budget,
        table,
        np.zeros(DESK, np.int64),
        np.zeros(MOST_PLACES),
    )
    return Sampler(knowledge, table, strides, steps <= budget)


@tight
def sample(
    known: Ints,
    places: Ints,
    classes: Ints,
    levels: Ints,
    groups: Ints,
    laid: Ints,
    some: Ints,
    bare: Ints,
    numbers: Ints,
    table: Floats,
    strides: Ints,
    exact: bool,
    patience: int,
    dice: Words,
    desk: Ints,
    shares: Floats,
    made: Ints,
    ways: Ints,
    out_suits: Ints,
    out_trumps: Ints,
    weights: Floats,
) -> int:
    """Draw worlds until the arrays are full or `patience` is at its end; returns how many there are.

    `desk`, `shares`, `made` and `ways` are sheets to write on.
    """
    kinds, wanted = len(classes), len(weights)
    closed = levels[at.AFTER_SKUS] < kinds  # then the last class just fills the room that is left
    found, dropped = 0, 0
    while found < wanted and dropped <= patience:
        for place in range(len(places)):
            desk[LEFT, place] = places[place, at.ROOM]
            desk[GOT_SUITS, place] = 0
            desk[GOT_TRUMPS, place] = 0
        state = first_state(places, strides)
        weight = 1.0
        fits = True
        for level in range(kinds + 1):
            if level == levels[at.AFTER_COURTS]:
                fits = declares_as_heard(groups, numbers, places, desk, made)
            if fits and not exact:
                fits = is_allowed(level, levels, places, desk, groups, laid)
            if not fits or level == kinds:
                break
            if not exact:
                weight *= choose_singly(classes, level, places, desk, dice)
                fits = weight > 0.0
            elif closed and level == kinds - 1:
                for place in range(len(places)):
                    desk[CHOSEN, place] = desk[LEFT, place]
            else:
                limit = unit(dice) * table[level, state]
                allowed, size = classes[level, at.ALLOWED], classes[level, at.SIZE]
                total = spread(
                    allowed, size, places, strides, state, table, level + 1, False, limit, desk, shares
                )
                fits = total > limit
            if not fits:
                break
            for place in range(len(places)):
                state -= desk[CHOSEN, place] * strides[place]
            deal_class(classes, level, places, desk, dice)
        fits = fits and holds_what_it_must(some, bare, places, desk)
        if fits and laid[at.DOUBTFUL]:
            fits = lays_as_heard(laid, numbers, desk, made, ways)
        if not fits:
            dropped += 1
            continue
        for row in range(len(known)):
            out_suits[found, row] = known[row, 0]
            out_trumps[found, row] = known[row, 1]
        for place in range(len(places)):
            out_suits[found, places[place, at.ROW]] |= desk[GOT_SUITS, place]
            out_trumps[found, places[place, at.ROW]] |= desk[GOT_TRUMPS, place]
        weights[found] = weight
        found += 1
    return found
