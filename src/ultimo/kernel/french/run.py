"""French deals by the million: played out by simple players, one row of numbers a deal.

A deal is numbered: deal `i` of a seed is shuffled and played with a generator of its own, so that any part of
a run can be done anywhere, in any order, with the same result. Each fills a row of integers, `COLUMNS`.
A deal hangs on no other, and so each is a session of its own.

>>> from ultimo.rulebook import load
>>> rows = sessions(load("french4"), seed=7, first=0, number=1000)
>>> rows.shape == (1000, len(COLUMNS)), int(rows[:, NET:].sum())
(True, 0)
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ultimo.french import numbers as rule
from ultimo.french.reckoning import has_won, pile_bouts
from ultimo.kernel.bits import count
from ultimo.kernel.dice import next_word, starts
from ultimo.kernel.french import layout as at
from ultimo.kernel.french.at_random import play_tricks_at_random
from ultimo.kernel.french.deal import act, announced_by, array_of, blank, deal, legal
from ultimo.kernel.french.memory import remember
from ultimo.kernel.french.policy.choose import choose, is_mindful
from ultimo.kernel.jit import Ints, Words, inlined, tight
from ultimo.kernel.policy import RANDOM
from ultimo.play.counting import KINGS_WORD
from ultimo.play.following import PACK_SIZE
from ultimo.rulebook import FrenchRules

COLUMNS = (
    "deal",
    "dealer",
    "result",  # a petit sec, nobody bid, played: the numbers of `layout`
    "taker",  # a seat; -1 where there is none, and so on
    "bid",  # its place on the ladder
    "called",  # a card
    "partner",
    "chien_bouts",
    "half_points",  # of the taker's side; 0, as all from here on, where nothing was played
    "bouts",
    "won",
    "petit_au_bout",  # 1 by the taker's side, -1 by the defence
    "slam_announced",
    "slam_made",
    "poignees",  # what they are worth together
    "value",  # what each defender pays
    "taker_tricks",  # of his side
    "hand_trumps",  # what the taker was dealt, the excuse counted
    "hand_bouts",
    "hand_kings",
    *(f"poignee{seat}" for seat in range(at.MOST_SEATS)),  # how many trumps a seat has shown
    *(f"net{seat}" for seat in range(at.MOST_SEATS)),
)
DEAL, DEALER, RESULT, TAKER, BID, CALLED, PARTNER, CHIEN_BOUTS = range(8)
HALF_POINTS, BOUTS, WON, PETIT_AU_BOUT, SLAM_ANNOUNCED, SLAM_MADE = range(8, 14)
POIGNEES, VALUE, TAKER_TRICKS, HAND_TRUMPS, HAND_BOUTS, HAND_KINGS, POIGNEE = range(14, 21)
NET = POIGNEE + at.MOST_SEATS
LOG_ROW = at.WHOLE + 4
LOG_LENGTH = 200


def sessions(
    rules: FrenchRules, *, seed: int, first: int, number: int, policies: Sequence[int] = (RANDOM,)
) -> Ints:
    """Deals number `first` … of a seed, a row each; the policies are those of the seats, over and over.

    The dealer of deal `i` is seat `i` modulo the number of players.
    """
    out = np.zeros((number, len(COLUMNS)), np.int64)
    pack, dice = np.zeros(PACK_SIZE, np.int64), np.zeros(1, np.uint64)
    play_sessions(array_of(rules), blank(), by_seat(policies), first, starts(seed, first), out, pack, dice)
    return out


def by_seat(policies: Sequence[int]) -> Ints:
    """Policies for every seat, those given over and over."""
    return np.array([policies[seat % len(policies)] for seat in range(at.MOST_SEATS)], np.int64)


@tight
def play_sessions(
    n: Ints, s: Ints, policies: Ints, first: int, words: Words, out: Ints, pack: Ints, dice: Words
) -> None:
    """Fill `out` with a row for each deal from number `first`; `words` gives what their dice start from."""
    for row in range(len(out)):
        dice[0] = next_word(words)
        deal(n, s, (first + row) % n[rule.PLAYERS], pack, dice)
        play_out(n, s, policies, dice)
        write_row(n, s, out, row)
        out[row, DEAL] = first + row


@tight
def play_out(n: Ints, s: Ints, policies: Ints, dice: Words) -> None:
    """Play a deal from where it is to its end, each seat by the policy with its number.

    What everybody sees is remembered if one of them looks at it.
    """
    all_at_random, mindful = True, False
    for seat in range(n[rule.PLAYERS]):
        all_at_random = all_at_random and policies[seat] == RANDOM
        mindful = mindful or is_mindful(policies[seat])
    while s[at.PHASE] != at.CLOSED:
        if all_at_random and s[at.PHASE] == at.PLAYING and s[at.TRICK] > 0 and s[at.PLACE] == 0:
            play_tricks_at_random(n, s, dice)
        else:
            action = choose(policies[s[at.TURN]], n, s, dice)
            if mindful:
                remember(n, s, action)
            act(n, s, action)


@tight
def trace(n: Ints, s: Ints, policies: Ints, dice: Words, log: Ints) -> int:
    """Play a deal to its end step by step and write each down; how many there were.

    A row of `log` is the state before the step, what was legal (three words), and the action: `LOG_ROW`
    places. `LOG_LENGTH` rows are enough.
    """
    step = 0
    while s[at.PHASE] != at.CLOSED:
        suits, trumps, words = legal(n, s)
        action = choose(policies[s[at.TURN]], n, s, dice)
        for place in range(at.WHOLE):
            log[step, place] = s[place]
        log[step, at.WHOLE] = suits
        log[step, at.WHOLE + 1] = trumps
        log[step, at.WHOLE + 2] = words
        log[step, at.WHOLE + 3] = action
        remember(n, s, action)
        act(n, s, action)
        step += 1
    return step


@inlined
def write_row(n: Ints, s: Ints, out: Ints, row: int) -> None:
    """Write down what a deal came to; its number is left to others."""
    out[row, DEALER] = s[at.DEALER]
    out[row, RESULT] = s[at.RESULT]
    out[row, TAKER] = s[at.TAKER]
    out[row, BID] = s[at.CONTRACT]
    out[row, CALLED] = s[at.CALLED]
    out[row, PARTNER] = s[at.PARTNER]
    out[row, CHIEN_BOUTS] = pile_bouts(s[at.CHIEN_TRUMPS])
    if s[at.RESULT] == at.PLAYED:
        taker = s[at.TAKER]
        out[row, HALF_POINTS] = s[at.HALF_POINTS]
        out[row, BOUTS] = s[at.BOUTS]
        out[row, WON] = int(has_won(n, s[at.HALF_POINTS], s[at.BOUTS]))
        out[row, PETIT_AU_BOUT] = s[at.PETIT_SIDE]
        out[row, SLAM_ANNOUNCED] = announced_by(s)
        out[row, SLAM_MADE] = s[at.SLAM_SIDE]
        out[row, POIGNEES] = s[at.POIGNEE]
        out[row, VALUE] = s[at.VALUE]
        out[row, TAKER_TRICKS] = s[at.TAKER_TRICKS]
        out[row, HAND_TRUMPS] = count(s[at.DEALT_TRUMPS + taker])
        out[row, HAND_BOUTS] = pile_bouts(s[at.DEALT_TRUMPS + taker])
        out[row, HAND_KINGS] = count(s[at.DEALT_SUITS + taker] & KINGS_WORD)
    for seat in range(at.MOST_SEATS):
        out[row, POIGNEE + seat] = s[at.SHOWN_SIZE + seat]
        out[row, NET + seat] = s[at.NET + seat]
