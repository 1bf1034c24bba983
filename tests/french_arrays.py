"""French deals as arrays of the kernel, all cards known: what the tests compare the engine with."""

from __future__ import annotations

import numpy as np

from ultimo import french
from ultimo.cards import ALL_CARDS
from ultimo.french.outcome import SIDES
from ultimo.kernel.french import layout as at
from ultimo.kernel.french.bridge import PHASES, put_public
from ultimo.kernel.french.deal import blank, legal
from ultimo.kernel.french.policy.choose import choose
from ultimo.kernel.french.run import do
from ultimo.kernel.jit import Ints, Words
from ultimo.kernel.sets import words
from ultimo.rulebook import FrenchRules


def trace(n: Ints, s: Ints, policies: Ints, dice: Words) -> Ints:
    """Play a deal to its end, step by step.

    A row for each step: the state before it, what was legal (three words), and the action.
    """
    rows = []
    while s[at.PHASE] != at.CLOSED:
        before = [*s, *legal(n, s)]
        action = choose(policies[s[at.TURN]], n, s, dice)
        rows.append([*before, action])
        do(n, s, action)
    return np.array(rows, np.int64).reshape(len(rows), at.WHOLE + 4)


def from_state(rules: FrenchRules, state: french.State) -> Ints:
    """The array of a deal whose cards are all known; that of a view is another (`bridge.from_view`)."""
    if state.phase not in PHASES or any(state.unseen) or state.chien_unseen or state.ecart_unseen:
        raise ValueError("the cards have not been dealt, or are not all known")
    s, chien = blank(), ALL_CARDS
    for seat, (hand, dealt) in enumerate(zip(state.hands, state.dealt, strict=True)):
        chien &= ~dealt
        s[at.SUITS + seat], s[at.TRUMPS + seat] = words(hand)
        s[at.DEALT_SUITS + seat], s[at.DEALT_TRUMPS + seat] = words(dealt)
    s[at.CHIEN_SUITS], s[at.CHIEN_TRUMPS] = words(chien)
    s[at.ECART_SUITS], s[at.ECART_TRUMPS] = words(state.ecart)
    put_public(rules, s, state)
    if state.phase == "closed":
        _put_end(rules, s, state)
    return s


def _put_end(rules: FrenchRules, s: Ints, state: french.State) -> None:
    s[at.NET : at.NET + state.table] = state.net
    if state.result != "played":
        s[at.RESULT] = at.ALL_PASSED if len(state.bids) == state.table else at.PETIT_SEC
        return
    s[at.RESULT] = at.PLAYED
    result = french.outcome_of(rules, state)
    s[at.HALF_POINTS], s[at.BOUTS] = result.half_points, result.bouts
    s[at.PETIT_SIDE], s[at.SLAM_SIDE] = SIDES[result.petit_au_bout], SIDES[result.slam_made]
    s[at.VALUE] = french.score(rules, result).value
