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
from ultimo.kernel.dice import SHUFFLE, next_word, starts
from ultimo.kernel.french import layout as at
from ultimo.kernel.french.at_random import are_plain_tricks, bid_at_random, play_tricks_at_random
from ultimo.kernel.french.deal import act, announced_by, array_of, blank, deal
from ultimo.kernel.french.memory import remember
from ultimo.kernel.french.policy.choose import choose, is_mindful
from ultimo.kernel.french.policy.student import network_for
from ultimo.kernel.jit import Ints, Words, inlined, tight
from ultimo.kernel.policy import RANDOM
from ultimo.play.counting import KINGS_WORD
from ultimo.rulebook import FrenchRules

# What a row says, and where it stands in the state of a deal; what stands nowhere is worked out.
TOLD = {
    "deal": at.NOTHING,
    "dealer": at.DEALER,
    "result": at.RESULT,  # a petit sec, nobody bid, played: the numbers of `layout`
    "taker": at.TAKER,  # a seat; -1 where there is none, and so on
    "bid": at.CONTRACT,  # its place on the ladder
    "called": at.CALLED,  # a card
    "partner": at.PARTNER,
    "chien_bouts": at.NOTHING,
    "half_points": at.HALF_POINTS,  # of the taker's side; 0, as all from here on, where nothing was played
    "bouts": at.BOUTS,
    "won": at.NOTHING,
    "petit_au_bout": at.PETIT_SIDE,  # 1 by the taker's side, -1 by the defence
    "slam_announced": at.NOTHING,
    "slam_made": at.SLAM_SIDE,
    "poignees": at.POIGNEE,  # what they are worth together
    "value": at.VALUE,  # what each defender pays
    "taker_tricks": at.TAKER_TRICKS,  # of the taker's side
    "hand_trumps": at.NOTHING,  # what the taker was dealt, the excuse counted
    "hand_bouts": at.NOTHING,
    "hand_kings": at.NOTHING,
    **{f"poignee{seat}": at.SHOWN_SIZE + seat for seat in range(at.MOST_SEATS)},  # how many trumps were shown
    **{f"net{seat}": at.NET + seat for seat in range(at.MOST_SEATS)},
}
COLUMNS = tuple(TOLD)
PLACES = np.array(list(TOLD.values()))
DEAL, CHIEN_BOUTS, WON, SLAM_ANNOUNCED, HAND_TRUMPS, HAND_BOUTS, HAND_KINGS = np.flatnonzero(
    PLACES == at.NOTHING
).tolist()
COPIED = np.flatnonzero(PLACES != at.NOTHING)
NET = COLUMNS.index("net0")


def sessions(
    rules: FrenchRules, *, seed: int, first: int, number: int, policies: Sequence[int] = (RANDOM,)
) -> Ints:
    """Deals number `first` … of a seed, a row each; the policies are those of the seats, over and over.

    The dealer of deal `i` is seat `i` modulo the number of players.
    """
    out = np.zeros((number, len(COLUMNS)), np.int64)
    out[:, DEAL] = np.arange(first, first + number)
    pack, dice = np.zeros(SHUFFLE, np.int64), np.zeros(1, np.uint64)
    n = array_of(rules, network_for(policies))
    play_sessions(n, blank(), pack, by_seat(policies), starts(seed, first), dice, out)
    return out


def by_seat(policies: Sequence[int]) -> Ints:
    """Policies for every seat, those given over and over."""
    return np.array([policies[seat % len(policies)] for seat in range(at.MOST_SEATS)], np.int64)


@tight
def play_sessions(n: Ints, s: Ints, pack: Ints, policies: Ints, words: Words, dice: Words, out: Ints) -> None:
    """Play the deals of the rows of `out`, and fill them; `words` gives what their dice start from."""
    for row in range(len(out)):
        dice[0] = next_word(words)
        deal(n, s, out[row, DEAL] % n[rule.PLAYERS], pack, dice)
        play_out(n, s, policies, dice)
        write_row(n, s, out, row)


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
        if all_at_random and are_plain_tricks(n, s):
            play_tricks_at_random(n, s, dice)
        elif all_at_random and s[at.PHASE] == at.BIDDING:
            bid_at_random(n, s, dice)
        else:
            action = choose(policies[s[at.TURN]], n, s, dice)
            if mindful:
                remember(n, s, action)
            act(n, s, action)


@tight
def do(n: Ints, s: Ints, action: int) -> None:
    """Let the seat in turn act, before everybody's eyes."""
    remember(n, s, action)
    act(n, s, action)


@inlined
def write_row(n: Ints, s: Ints, out: Ints, row: int) -> None:
    """Write down what a deal came to; its number is left to others."""
    told = out[row]
    for number in range(len(COPIED)):
        told[COPIED[number]] = s[PLACES[COPIED[number]]]
    told[CHIEN_BOUTS] = pile_bouts(s[at.CHIEN_TRUMPS])
    if s[at.RESULT] == at.PLAYED:
        taker = s[at.TAKER]
        told[WON] = int(has_won(n, s[at.HALF_POINTS], s[at.BOUTS]))
        told[SLAM_ANNOUNCED] = announced_by(s)
        told[HAND_TRUMPS] = count(s[at.DEALT_TRUMPS + taker])
        told[HAND_BOUTS] = pile_bouts(s[at.DEALT_TRUMPS + taker])
        told[HAND_KINGS] = count(s[at.DEALT_SUITS + taker] & KINGS_WORD)
