"""A deal as a game tree: cards are dealt one by one, each a chance node, and then the places act.

A deal is one row of integers: whom it waits for, what may be done, and the deal of the kernel itself. So a
step is one call of compiled code, and a copy is a copy of the row. Players are the places in the order of
play. The places are filled one after the other; what is left goes to the Danish dealer, or is the chien.

>>> from ultimo.rulebook import load
>>> tree = Tree(load("french4"))
>>> row = tree.root()
>>> for card in range(78):
...     turn = tree.step(row, card)
>>> turn, legal(row)  # who was dealt the first cards may pass or bid
(0, [78, 79, 80, 81, 82])
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeAlias

import numpy as np

from ultimo.danish.dealing import DEALER_HAND
from ultimo.danish.following import LAST
from ultimo.danish.phases import window
from ultimo.french import numbers as french_rule
from ultimo.kernel.batch import START
from ultimo.kernel.bits import lowest
from ultimo.kernel.danish import deal as danish_deal
from ultimo.kernel.danish import layout as danish_at
from ultimo.kernel.danish import run as danish_run
from ultimo.kernel.danish.prices import LENGTH as NUMBERS
from ultimo.kernel.french import deal as french_deal
from ultimo.kernel.french import layout as french_at
from ultimo.kernel.french import run as french_run
from ultimo.kernel.jit import COMPILED, Ints, inlined, tight
from ultimo.kernel.layout import Places
from ultimo.kernel.sets import put
from ultimo.play.following import FIRST_TRUMP, PACK_SIZE
from ultimo.rulebook import DanishRules, Rules

if COMPILED:
    from numba import int64

Step: TypeAlias = Callable[[Ints, Ints, int], int]  # what deals have in common, a row, an action: who is next

CHANCE, OVER = -1, -4  # as the turn: a card is to be dealt, the deal is over; OpenSpiel's own numbers
MOST_DEALS: Final = 4  # a tree is finite: whoever is asked after the third redeal takes the hand as it is
PLACES = danish_at.PLACES
HAND = (PACK_SIZE - DEALER_HAND) // 2  # of the Danish forehand and middle

_row = Places()
TURN = _row()
DEALS = _row()  # how often cards have been dealt, or are being dealt
DEALT = _row()  # how many cards of the pack
CHOICES = _row()  # how many actions may be done, or cards be dealt
LEGAL = _row(max(danish_at.ACTIONS, french_at.ACTIONS))  # and which, in ascending order
DEAL = _row.end  # the array of the kernel's deal
SPANS: Final = [slice(LEGAL, LEGAL + choices) for choices in range(DEAL - LEGAL + 1)]  # where so many stand


class Tree:
    """The tree of all deals under some rules; the cups are those of a Danish table."""

    def __init__(self, rules: Rules, king: int = START, pagat: int = START) -> None:
        self.rules, self.king, self.pagat = rules, king, pagat
        if isinstance(rules, DanishRules):
            self.players, self.actions, self.net = PLACES, danish_at.ACTIONS, DEAL + danish_at.NET
            self.phase, self.compiled = DEAL + danish_at.PHASE, _entry(_step_danish)
            self.laying = danish_at.LAYING
            self.deals = MOST_DEALS
            n, w, s = danish_deal.array_of(rules), np.zeros(danish_at.PAPER, np.int64), _blank_danish()
            danish_deal.begin(n, s, w, PLACES, king, pagat)
            self.common = np.concatenate((n, w))  # no deal needs to keep its paper
            windows = sum(window(n, trick) != 0 for trick in range(1, LAST + 1))
            questions = PLACES * (MOST_DEALS + windows + 1)  # redeals, announcements, the demand
            self.length = (
                questions + 1 + (PACK_SIZE - PLACES * HAND) + PLACES * HAND + 1
            )  # lays, plays, a name
        else:
            self.players, self.actions, self.net = rules.players, french_at.ACTIONS, DEAL + french_at.NET
            self.phase, self.compiled = DEAL + french_at.PHASE, _entry(_step_french)
            self.laying = french_at.LAYING
            self.deals = 1
            self.common, s = french_deal.array_of(rules), french_deal.blank()
            hand, chien = self.common[french_rule.HAND], self.common[french_rule.CHIEN]
            words = 3 * rules.players + 1  # bids, slams, poignées, a call
            self.length = int(words + chien + (PACK_SIZE - FIRST_TRUMP) + hand * rules.players)
        self._root = np.concatenate((np.zeros(DEAL, np.int64), s))
        self._root[TURN] = CHANCE
        _take_pack(self._root)

    def root(self) -> Ints:
        """A row before the first card is dealt."""
        return self._root.copy()

    def step(self, row: Ints, action: int) -> int:
        """Let a card be dealt, or the place in turn act, which must be legal; who is next."""
        return self.compiled(self.common, row, action)


def legal(row: Ints) -> list[int]:
    """What may be done, in ascending order; the cards that are left, while cards are dealt."""
    choices: list[int] = row[SPANS[row.item(CHOICES)]].tolist()
    return choices


def _entry(step: Any) -> Step:
    """The machine code of a step alone: a third of a call is numba looking at the types of the arguments."""
    entry: Step = step.compile((int64[::1], int64[::1], int64)) if COMPILED else step
    return entry


def _blank_danish() -> Ints:
    return np.zeros(danish_at.LENGTH, np.int64)


@inlined
def _take_pack(row: Ints) -> None:
    """All cards are to be dealt."""
    row[DEALS] += 1
    row[DEALT] = 0
    row[CHOICES] = PACK_SIZE
    for card in range(PACK_SIZE):
        row[LEGAL + card] = card


@inlined
def _take_from_pack(row: Ints, card: int) -> int:
    """A card leaves the pack; how many were dealt before it."""
    left = row[CHOICES] - 1
    spot = LEGAL
    while row[spot] != card:
        spot += 1
    while spot < LEGAL + left:
        row[spot] = row[spot + 1]
        spot += 1
    row[CHOICES] = left
    row[DEALT] += 1
    return PACK_SIZE - 1 - int(left)


@inlined
def _note(row: Ints, may: tuple[int, int, int], turn: int) -> None:
    """Note who acts next, and what they may do."""
    suits, trumps, words = may
    spot = LEGAL
    while suits:
        row[spot] = lowest(suits)
        suits &= suits - 1
        spot += 1
    while trumps:
        row[spot] = FIRST_TRUMP + lowest(trumps)
        trumps &= trumps - 1
        spot += 1
    while words:
        row[spot] = PACK_SIZE + lowest(words)
        words &= words - 1
        spot += 1
    row[CHOICES] = spot - LEGAL
    row[TURN] = turn


@tight
def _step_danish(common: Ints, row: Ints, action: int) -> int:
    n, w, s = common[:NUMBERS], common[NUMBERS:], row[DEAL:]
    if row[TURN] == CHANCE:
        dealt = _take_from_pack(row, action)
        place = min(dealt // HAND, PLACES - 1)
        put(s, danish_at.SUITS + place, danish_at.TRUMPS + place, action)
        if dealt + 1 < PACK_SIZE:
            return CHANCE
        danish_deal.take_up(n, s)
    else:
        danish_run.do(n, s, w, action)
    phase = s[danish_at.PHASE]
    if phase == danish_at.DEALING:
        for spot in range(danish_at.SUITS, danish_at.DEALT_SUITS):  # and the trumps
            s[spot] = 0
        row[TURN] = CHANCE
        _take_pack(row)
    elif phase == danish_at.CLOSED:
        _note(row, (0, 0, 0), OVER)
    else:
        suits, trumps, words = danish_deal.legal(n, s, w)
        if phase == danish_at.HANDS and row[DEALS] == MOST_DEALS:
            words = 1 << (danish_at.ACCEPT - danish_at.FIRST_WORD)
        _note(row, (suits, trumps, words), s[danish_at.TURN])
    return int(row[TURN])


@tight
def _step_french(common: Ints, row: Ints, action: int) -> int:
    s, players = row[DEAL:], common[french_rule.PLAYERS]
    if row[TURN] == CHANCE:
        dealt = _take_from_pack(row, action)
        place = dealt // common[french_rule.HAND]
        if place < players:
            put(s, french_at.SUITS + place, french_at.TRUMPS + place, action)
        else:
            put(s, french_at.CHIEN_SUITS, french_at.CHIEN_TRUMPS, action)
        if dealt + 1 < PACK_SIZE:
            return CHANCE
        french_deal.begin(common, s, players - 1)
    else:
        french_run.do(common, s, action)
    if s[french_at.PHASE] == french_at.CLOSED:
        _note(row, (0, 0, 0), OVER)
    else:
        _note(row, french_deal.legal(common, s), s[french_at.TURN])
    return int(row[TURN])
