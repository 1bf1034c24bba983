"""French decisions and duels for a student, in compiled loops: as `learning.danish`."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ultimo.french import numbers as rule
from ultimo.kernel.bits import count
from ultimo.kernel.dice import SHUFFLE, draw, next_word
from ultimo.kernel.french import layout as at
from ultimo.kernel.french.deal import NETWORK, array_of, deal, legal
from ultimo.kernel.french.policy.choose import choose_by_experience, choose_by_sight
from ultimo.kernel.french.policy.student import INPUTS, OUTPUTS, note_inputs, output_of
from ultimo.kernel.french.run import do
from ultimo.kernel.jit import Ints, Words, tight
from ultimo.kernel.network import inputs_in
from ultimo.kernel.policy import CLUB, any_card, is_among

__all__ = ["ACTIONS", "INPUTS", "OUTPUTS", "array_of", "blank", "duel", "generate", "judge", "note", "seats"]

Labels = npt.NDArray[np.int16]
CHANCE = 1024  # a chance is so many parts
ACTIONS = at.ACTIONS
UNKNOWN = -32768  # the label of what is not legal
LARGEST = 30000  # a label has room for so much


def seats(n: Ints) -> int:
    """How many play."""
    return int(n[rule.PLAYERS])


def blank() -> tuple[Ints, Ints, Ints, Ints]:
    """A deal, another that is tried, paper and the minds of a table."""
    return (
        np.zeros(at.WHOLE, np.int64),
        np.zeros(at.WHOLE, np.int64),
        np.zeros(SHUFFLE, np.int64),
        np.zeros(2 * at.MOST_SEATS, np.int64),
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
    """Fill the rows with decisions and what each action brought beyond the club's; how many deals it took."""
    row, deals, players = 0, 0, ns[0, rule.PLAYERS]
    while row < len(states):
        dice[0] = next_word(words)
        deal(ns[0], s, deals % players, w, dice)
        deals += 1
        for seat in range(players):
            minds[seat] = drivers[draw(dice, len(drivers))]
        while s[at.PHASE] != at.CLOSED:
            action = _choose(ns, minds[s[at.TURN]], s, dice)
            plays = s[at.PHASE] == at.PLAYING
            suits, trumps, named = legal(ns[0], s)
            if s[at.PHASE] != at.SHOWING and count(suits) + count(trumps) + count(named) > 1:
                if row < len(states) and draw(dice, CHANCE) < (share if plays else words_share):
                    for seat in range(players):
                        minds[at.MOST_SEATS + seat] = others[draw(dice, len(others))]
                    minds[at.MOST_SEATS + s[at.TURN]] = own
                    again[0] = dice[0]
                    for spot in range(len(s)):
                        states[row, spot] = s[spot]
                    _look_into(ns, s, t, minds[at.MOST_SEATS :], again, brought[row])
                    row += 1
                if plays and draw(dice, CHANCE) < wander:
                    action, _, _ = any_card(suits, trumps, dice)
            do(ns[0], s, action)
    return deals


@tight
def _choose(ns: Ints, mind: int, s: Ints, dice: Words) -> int:
    if mind == 0:
        return choose_by_sight(CLUB, ns[0], s, dice)
    return choose_by_experience(ns[mind], s, dice)


@tight
def _look_into(ns: Ints, s: Ints, t: Ints, minds: Ints, dice: Words, brought: Labels) -> None:
    """Play out every choice of a decision."""
    me = s[at.TURN]
    for action in range(len(brought)):
        brought[action] = UNKNOWN
    gained = _end(ns, s, t, minds, dice, choose_by_sight(CLUB, ns[0], s, dice), me)
    suits, trumps, named = legal(ns[0], s)
    for action in range(at.ACTIONS):
        if is_among(suits, trumps, named, action):
            more = _end(ns, s, t, minds, dice, action, me) - gained
            brought[action] = min(max(more, -LARGEST), LARGEST)


@tight
def _end(ns: Ints, s: Ints, t: Ints, minds: Ints, dice: Words, action: int, me: int) -> int:
    """What a seat has in the end if it plays a card now; nobody throws dice."""
    for spot in range(len(s)):
        t[spot] = s[spot]
    do(ns[0], t, action)
    while t[at.PHASE] != at.CLOSED:
        do(ns[0], t, _choose(ns, minds[t[at.TURN]], t, dice))
    return int(t[at.NET + me])


@tight
def note(
    n: Ints, s: Ints, w: Ints, dice: Words, states: Ints, brought: Labels, inputs: Ints, labels: Labels
) -> None:
    """Turn decisions into what a network learns from: its inputs, a bit each, and its values."""
    for row in range(len(states)):
        for spot in range(len(s)):
            s[spot] = states[row, spot]
        order = note_inputs(n, s, choose_by_sight(CLUB, n, s, dice))
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
        gains[row] = brought[row, choose_by_sight(CLUB, n, s, dice)]


@tight
def duel(
    ns: Ints, one: int, others: int, s: Ints, w: Ints, words: Words, dice: Words, gains: Ints, seen: Ints
) -> None:
    """Play each deal of a row with one mind in every seat in turn and another in the rest.

    `gains` are what it gains beyond the mean of the table, times the number of players.
    """
    players = ns[0, rule.PLAYERS]
    for row in range(len(gains)):
        start = next_word(words)
        for seat in range(players):
            dice[0] = start
            deal(ns[0], s, row % players, w, dice)
            while s[at.PHASE] != at.CLOSED:
                mine = s[at.TURN] == seat
                action = _choose(ns, one if mine else others, s, dice)
                if mine and s[at.PHASE] == at.PLAYING:
                    seen[0] += 1
                    seen[1] += action != choose_by_sight(CLUB, ns[0], s, dice)
                do(ns[0], s, action)
            together = 0
            for other in range(players):
                together += s[at.NET + other]
            gains[row, seat] = players * s[at.NET + seat] - together
