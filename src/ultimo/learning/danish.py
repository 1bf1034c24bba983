"""Danish decisions and duels for a student, in compiled loops.

A player here is a number, its `mind`: 0 is the club, and mind `m` a student who thinks with row `m` of `ns`,
each of them the same rulebook with another network.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ultimo.kernel.bits import count
from ultimo.kernel.danish import layout as at
from ultimo.kernel.danish.deal import NETWORK, array_of, begin, deal, legal
from ultimo.kernel.danish.memory import forget
from ultimo.kernel.danish.policy.choose import choose_by_experience, choose_by_sight, choose_card
from ultimo.kernel.danish.policy.student import INPUTS, OUTPUTS, note_inputs, output_of
from ultimo.kernel.danish.run import do
from ultimo.kernel.dice import draw, next_word
from ultimo.kernel.jit import Ints, Words, inlined, tight
from ultimo.kernel.network import inputs_in
from ultimo.kernel.policy import CLUB, RANDOM, is_among

__all__ = [
    "ACTIONS",
    "INPUTS",
    "OUTPUTS",
    "PLACES",
    "array_of",
    "blank",
    "duel",
    "generate",
    "judge",
    "note",
    "seats",
]

Labels = npt.NDArray[np.int16]
CHANCE = 1024  # a chance is so many parts
ACTIONS = at.ACTIONS
UNKNOWN = -32768  # the label of what is not legal
CUP, CUP_STEP, CUP_STEPS, DOUBLED = (
    60,
    5,
    21,
    10,
)  # what the cups hold: 60 … 160, one in ten of them twice that
PLACES = 3


def seats(n: Ints) -> int:
    """How many play."""
    return PLACES


def blank() -> tuple[Ints, Ints, Ints, Ints]:
    """A deal, another that is tried, paper and the minds of a table."""
    return (
        np.zeros(at.LENGTH, np.int64),
        np.zeros(at.LENGTH, np.int64),
        np.zeros(at.PAPER, np.int64),
        np.zeros(2 * PLACES, np.int64),
    )


@tight
def generate(
    ns: Ints,
    drivers: Ints,
    own: int,
    others: Ints,
    share: int,
    words_share: int,
    wander: int,
    s: Ints,
    t: Ints,
    w: Ints,
    minds: Ints,
    words: Words,
    dice: Words,
    again: Words,
    states: Ints,
    brought: Labels,
) -> int:
    """Fill the rows with decisions and what each action brought beyond the club's; how many deals that took.

    A deal is played by minds drawn from `drivers`, with any card now and then (`wander`). Of its choices
    among cards a `share` is looked into, and of others `words_share`: each is played out, this place by the
    mind `own` and the others by `others`. A row of `states` is the deal before the decision.
    """
    row, deals = 0, 0
    while row < len(states):
        dice[0] = next_word(words)
        deals += 1
        _open(ns[0], s, w, dice)
        for place in range(PLACES):
            minds[place] = drivers[draw(dice, len(drivers))]
        while s[at.PHASE] != at.CLOSED:
            if s[at.PHASE] == at.DEALING:
                deal(ns[0], s, w, dice)
                continue
            action, plays = _choose(ns, minds[s[at.TURN]], s, w), s[at.PHASE] == at.PLAY
            suits, trumps, named = legal(ns[0], s, w)
            if count(suits) + count(trumps) + count(named) > 1:
                if row < len(states) and draw(dice, CHANCE) < (share if plays else words_share):
                    for place in range(PLACES):
                        minds[PLACES + place] = others[draw(dice, len(others))]
                    minds[PLACES + s[at.TURN]] = own
                    again[0] = dice[0]
                    for spot in range(len(s)):
                        states[row, spot] = s[spot]
                    _look_into(ns, s, t, w, minds[PLACES:], again, brought[row])
                    row += 1
                if plays and draw(dice, CHANCE) < wander:
                    action = choose_card(RANDOM, ns[0], s, dice)
            do(ns[0], s, w, action)
    return deals


@inlined
def _open(n: Ints, s: Ints, w: Ints, dice: Words) -> None:
    """A deal with cups as they may be."""
    king = (CUP + CUP_STEP * draw(dice, CUP_STEPS)) << (draw(dice, DOUBLED) == 0)
    pagat = (CUP + CUP_STEP * draw(dice, CUP_STEPS)) << (draw(dice, DOUBLED) == 0)
    begin(n, s, w, PLACES, king, pagat)
    forget(s)


@tight
def _choose(ns: Ints, mind: int, s: Ints, w: Ints) -> int:
    if mind == 0:
        return choose_by_sight(CLUB, ns[0], s, w)
    return choose_by_experience(ns[mind], s, w)


@tight
def _look_into(ns: Ints, s: Ints, t: Ints, w: Ints, minds: Ints, dice: Words, brought: Labels) -> None:
    """Play out every choice of a decision."""
    me = s[at.TURN]
    for action in range(len(brought)):
        brought[action] = UNKNOWN
    start = dice[0]
    gained = _end(ns, s, t, w, minds, dice, choose_by_sight(CLUB, ns[0], s, w), me)
    suits, trumps, named = legal(ns[0], s, w)
    for action in range(at.ACTIONS):
        if is_among(suits, trumps, named, action):
            dice[0] = start
            brought[action] = _end(ns, s, t, w, minds, dice, action, me) - gained


@tight
def _end(ns: Ints, s: Ints, t: Ints, w: Ints, minds: Ints, dice: Words, action: int, me: int) -> int:
    """What a place has in the end if it does something now."""
    for spot in range(len(s)):
        t[spot] = s[spot]
    do(ns[0], t, w, action)
    while t[at.PHASE] != at.CLOSED:
        if t[at.PHASE] == at.DEALING:
            deal(ns[0], t, w, dice)
        else:
            do(ns[0], t, w, _choose(ns, minds[t[at.TURN]], t, w))
    return int(t[at.NET + me])


@tight
def note(
    n: Ints, s: Ints, w: Ints, dice: Words, states: Ints, brought: Labels, inputs: Ints, labels: Labels
) -> None:
    """Turn decisions into what a network learns from: its inputs, a bit each, and its values."""
    for row in range(len(states)):
        for spot in range(len(s)):
            s[spot] = states[row, spot]
        order = note_inputs(n, s, w, choose_by_sight(CLUB, n, s, w))
        for word in range(inputs.shape[1]):
            inputs[row, word] = inputs_in(n[NETWORK:], word)
        for spot in range(labels.shape[1]):
            labels[row, spot] = UNKNOWN
        for action in range(brought.shape[1]):
            if brought[row, action] != UNKNOWN:
                labels[row, output_of(order, action)] = brought[row, action]


@tight
def judge(n: Ints, s: Ints, w: Ints, dice: Words, states: Ints, brought: Labels, gains: Ints) -> None:
    """What a club player who judges by `n` would have gained by each of some decisions."""
    for row in range(len(states)):
        for spot in range(len(s)):
            s[spot] = states[row, spot]
        gains[row] = brought[row, choose_by_sight(CLUB, n, s, w)]


@tight
def duel(
    ns: Ints, one: int, others: int, s: Ints, w: Ints, words: Words, dice: Words, gains: Ints, seen: Ints
) -> None:
    """Play each deal of a row with one mind in every place in turn and another in the rest.

    `gains` are three times what it gains beyond the mean of the table; `seen` counts its choices among
    several cards, and those that are not the club's.
    """
    for row in range(len(gains)):
        start = next_word(words)
        for place in range(PLACES):
            dice[0] = start
            _open(ns[0], s, w, dice)
            while s[at.PHASE] != at.CLOSED:
                if s[at.PHASE] == at.DEALING:
                    deal(ns[0], s, w, dice)
                    continue
                mine = s[at.TURN] == place
                action = _choose(ns, one if mine else others, s, w)
                if mine and s[at.PHASE] == at.PLAY:
                    seen[0] += 1
                    seen[1] += action != choose_by_sight(CLUB, ns[0], s, w)
                do(ns[0], s, w, action)
            together = s[at.NET] + s[at.NET + 1] + s[at.NET + 2]
            gains[row, place] = PLACES * s[at.NET + place] - together
