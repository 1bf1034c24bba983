"""Whole Danish deals, and sessions of them, in compiled loops.

A deal is numbered: deal `i` of a seed is shuffled and played with a generator of its own, so that any part
of a run can be done anywhere, in any order, with the same result. Each fills a row of integers, `COLUMNS`.
The cups go from deal to deal, and so the unit of a run is the session.

>>> from ultimo.rulebook import load
>>> rows = sessions(load("dtf"), table=4, seed=7, first=0, number=100, length=20)
>>> rows.shape == (2000, len(COLUMNS))
True
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ultimo import series
from ultimo.danish.last_trick import winning_card
from ultimo.danish.payments import KING_ACCOUNT, PAGAT_ACCOUNT, founding_points
from ultimo.danish.phases import founds
from ultimo.kernel.bits import count
from ultimo.kernel.danish import layout as at
from ultimo.kernel.danish.at_random import are_plain_tricks, lay_at_random, play_tricks_at_random
from ultimo.kernel.danish.deal import act, array_of, begin, deal, play
from ultimo.kernel.danish.memory import forget, hear, remember
from ultimo.kernel.danish.policy.choose import choose, choose_by_experience, choose_card, look, looks, waver
from ultimo.kernel.danish.policy.student import network_for
from ultimo.kernel.dice import next_word, starts
from ultimo.kernel.jit import Ints, Words, inlined, tight
from ultimo.kernel.policy import BEGINNER, RANDOM, STUDENT, WAVERING
from ultimo.rulebook import DanishRules

SEATS = 5
ORDER = ("forehand", "middle", "dealer")
COLUMNS = (
    "deal",
    "session",
    *ORDER,
    *(f"net{seat}" for seat in range(SEATS)),  # by seat, with what founding cost before the deal
    "king_cup",  # as the deal began, before the ante
    "pagat_cup",
    "king_cup_after",
    "pagat_cup_after",
    "happened",  # what was paid for, a bit for each code of danish.payments
    "emptied",
    "winner",  # the seat that won the last trick
    "winning_card",
    *(f"tricks_{place}" for place in ORDER),
    *(f"count_{place}" for place in ORDER),
    *(f"declared_{place}" for place in ORDER),
    *(f"tarok_{place}" for place in ORDER),  # dealt, the skus counted
)
DEAL, SESSION, PLACES = range(3)
SEAT_NETS = COLUMNS.index("net0")
BEFORE = COLUMNS.index("king_cup")
AFTER = COLUMNS.index("king_cup_after")
BY_PLACE = COLUMNS.index("tricks_forehand")


def sessions(
    rules: DanishRules,
    *,
    table: int,
    seed: int,
    first: int,
    number: int,
    length: int,
    policies: Sequence[int] = (RANDOM,),
) -> Ints:
    """Sessions number `first` … of `length` deals each, a row a deal; policies by seat, over and over.

    Each session begins with founding and seat 0 as the dealer.
    """
    out = blank_rows(rules, table, first, number, length)
    by_seat = np.array([policies[seat % len(policies)] for seat in range(SEATS)], np.int64)
    s, w, dice = np.zeros(at.LENGTH, np.int64), np.zeros(at.PAPER, np.int64), np.zeros(1, np.uint64)
    by_place, words = np.zeros(3, np.int64), starts(seed, first * length)
    play_sessions(array_of(rules, network_for(policies)), s, w, table, by_seat, by_place, words, dice, out)
    return out


def blank_rows(rules: DanishRules, table: int, first: int, number: int, length: int) -> Ints:
    """The rows of sessions number `first` …: which deal each is, and who sits where. The rest is empty."""
    out = np.zeros((number * length, len(COLUMNS)), np.int64)
    out[:, DEAL] = np.arange(first * length, (first + number) * length)
    out[:, SESSION] = np.repeat(np.arange(first, first + number), length)
    places = seating(rules, table)
    out[:, PLACES:SEAT_NETS] = np.tile(places[np.arange(length) % len(places)], (number, 1))
    return out


def seating(rules: DanishRules, table: int) -> Ints:
    """Who is forehand, middle and dealer in each deal, until it begins anew; seat 0 deals first."""
    dealer, out = 0, series.first_out(rules, table, 0)
    rows = []
    for deals in range(1, 1 + series.deals_in_round(rules, table)):
        rows.append(series.seated(rules, table, dealer, out))
        dealer, out = series.next_places(rules, table, deals, dealer, out)
    return np.array(rows, np.int64)


@tight
def play_sessions(
    n: Ints,
    s: Ints,
    w: Ints,
    table: int,
    policies: Ints,
    by_place: Ints,
    words: Words,
    dice: Words,
    out: Ints,
) -> None:
    """Play the deals of the rows of `out`, and fill them; `words` gives what their dice start from."""
    for row in range(len(out)):
        open_row(n, s, w, table, policies, by_place, words, dice, out, row)
        play_out(n, s, w, by_place, dice)
        write_row(s, out, row)


@inlined
def open_row(
    n: Ints,
    s: Ints,
    w: Ints,
    table: int,
    policies: Ints,
    by_place: Ints,
    words: Words,
    dice: Words,
    out: Ints,
    row: int,
) -> None:
    """Open the deal of a row: whoever has to founds the cups, and who sits where chooses in `by_place`.

    The cups hold what the row before says, if it is of the same session.
    """
    king, pagat, unfounded = 0, 0, 3
    if row > 0 and out[row, SESSION] == out[row - 1, SESSION]:
        king, pagat, unfounded = out[row - 1, AFTER], out[row - 1, AFTER + 1], out[row - 1, AFTER + 3]
    for place in range(3):
        by_place[place] = policies[out[row, PLACES + place]]
    if unfounded & 1:
        king += found(n, KING_ACCOUNT, table, out, row)
    if unfounded & 2:
        pagat += found(n, PAGAT_ACCOUNT, table, out, row)
    out[row, BEFORE] = king
    out[row, BEFORE + 1] = pagat
    dice[0] = next_word(words)
    begin(n, s, w, table, king, pagat)
    forget(s)


@inlined
def found(n: Ints, cup: int, table: int, out: Ints, row: int) -> int:
    """Everybody concerned founds a cup; what it then holds."""
    points, together = founding_points(n, cup), 0
    for seat in range(table):
        plays = False
        for place in range(3):
            plays = plays or out[row, PLACES + place] == seat
        if founds(n, plays):
            out[row, SEAT_NETS + seat] -= points
            together += points
    return together


@inlined
def write_row(s: Ints, out: Ints, row: int) -> None:
    """Write down how a deal went."""
    told = out[row]
    for place in range(3):
        told[SEAT_NETS + told[PLACES + place]] += s[at.NET + place]
        told[BY_PLACE + place] = s[at.TRICKS_WON + place]
        told[BY_PLACE + 3 + place] = s[at.COUNTS + place]
        told[BY_PLACE + 6 + place] = s[at.POINTS_DECLARED + place]
        told[BY_PLACE + 9 + place] = count(s[at.DEALT_TRUMPS + place])
    told[AFTER] = s[at.KING_CUP]
    told[AFTER + 1] = s[at.PAGAT_CUP]
    told[AFTER + 2] = s[at.HAPPENED]
    told[AFTER + 3] = s[at.EMPTIED]
    told[AFTER + 4] = told[PLACES + s[at.WINNER]]
    told[AFTER + 5] = winning_card(s)


@inlined
def play_out(n: Ints, s: Ints, w: Ints, policies: Ints, dice: Words) -> None:
    """Play a deal from where it is to its end; `policies` are those of forehand, middle and dealer."""
    if looks(policies):
        play_out_by_sight(n, s, w, policies, dice)
    at_random = policies[0] == RANDOM and policies[1] == RANDOM and policies[2] == RANDOM
    while s[at.PHASE] != at.CLOSED:
        if at_random and are_plain_tricks(s):
            play_tricks_at_random(n, s, w, dice)
        elif s[at.PHASE] == at.PLAY:  # the rule: kept apart from the rest, which makes it twice as fast
            play(n, s, w, choose_card(policies[s[at.TURN]], n, s, dice))
        elif s[at.PHASE] == at.DEALING:
            deal(n, s, w, dice)
        elif at_random and s[at.PHASE] == at.LAYING:
            lay_at_random(n, s, w, dice)
        else:
            act(n, s, w, choose(policies[s[at.TURN]], n, s, w, dice))


@tight
def play_out_by_sight(n: Ints, s: Ints, w: Ints, policies: Ints, dice: Words) -> None:
    """Play a deal from where it is to its end with players of whom some look about."""
    while s[at.PHASE] != at.CLOSED:
        if s[at.PHASE] == at.DEALING:
            deal(n, s, w, dice)
        elif policies[s[at.TURN]] == WAVERING:
            do(n, s, w, waver(n, s, w, dice))
        elif policies[s[at.TURN]] == STUDENT:
            do(n, s, w, choose_by_experience(n, s, w))
        elif policies[s[at.TURN]] >= BEGINNER:  # the rule: here a call would cost a twentieth of all time
            _do(n, s, w, look(policies[s[at.TURN]], n, s, w))
        else:
            do(n, s, w, choose(policies[s[at.TURN]], n, s, w, dice))


@tight
def do(n: Ints, s: Ints, w: Ints, action: int) -> None:
    """Let the place in turn act, and everybody see it."""
    _do(n, s, w, action)


@inlined
def _do(n: Ints, s: Ints, w: Ints, action: int) -> None:
    laying = s[at.PHASE] == at.LAYING
    remember(n, s, action)
    act(n, s, w, action)
    if laying and s[at.PHASE] != at.LAYING:
        hear(n, s, w)
