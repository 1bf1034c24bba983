"""The numbered deals of the kernel at a table: its dice deal, its players choose, the engine tells.

A deal of the kernel is a row of numbers. Here the same deal, with the same throws, is carried over action by
action, so that a record tells what the row sums up.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import cast

import numpy as np

from ultimo import danish, deal, series
from ultimo.cards import PACK
from ultimo.events import Opened, Seat
from ultimo.kernel.danish import deal as danish_deal
from ultimo.kernel.danish import layout as danish_at
from ultimo.kernel.danish.policy.choose import choose as choose_danish
from ultimo.kernel.danish.policy.student import network_for as danish_network
from ultimo.kernel.danish.run import do as do_danish
from ultimo.kernel.dice import SHUFFLE, generator
from ultimo.kernel.french import bridge as french_bridge
from ultimo.kernel.french import deal as french_deal
from ultimo.kernel.french import layout as french_at
from ultimo.kernel.french.policy.choose import choose as choose_french
from ultimo.kernel.french.policy.student import network_for as french_network
from ultimo.kernel.french.run import do as do_french
from ultimo.kernel.jit import Ints, Words
from ultimo.kernel.policy import POLICIES
from ultimo.players.match import Match
from ultimo.players.policy.danish import calm
from ultimo.players.retelling import forced, told
from ultimo.rulebook import DanishRules, FrenchRules, Rules


def can_play(rules: Rules, levels: Sequence[str]) -> bool:
    """Whether the kernel knows these players, and all that can happen at the table."""
    kernel = calm(rules) == rules if isinstance(rules, DanishRules) else rules.deal.shuffle != "never"
    return kernel and all(level in POLICIES for level in levels)


class Numbered(Match):
    """A session of numbered deals: those of a seed from number `first` on."""

    def __init__(self, rules: Rules, levels: Sequence[str], seed: int, first: int) -> None:
        """Sit down; each player is called by level and seat."""
        names = [f"{level} {seat}" for seat, level in enumerate(levels)]
        dealer = first % len(names) if isinstance(rules, FrenchRules) else 0
        super().__init__(rules, names, {}, Random(seed), series.open_series(rules, names, dealer))
        self._policies = [POLICIES[level] for level in levels]
        self._seed, self._number = seed, first

    def advance(self) -> tuple[()]:
        """Play the deal that has been opened to its end."""
        if self.state.playing:
            dice = generator(self._seed, self._number)
            self._number += 1
            if isinstance(self.rules, DanishRules):
                self._play_danish(self.rules, dice)
            else:
                self._play_french(self.rules, dice)
        return ()

    # --- Danish ----------------------------------------------------------------------------------------

    def _play_danish(self, rules: DanishRules, dice: Words) -> None:
        at = danish_at
        n, s, w = (
            danish_deal.array_of(rules, danish_network(self._policies)),
            np.zeros(at.LENGTH, np.int64),
            np.zeros(at.PAPER, np.int64),
        )
        opened = next(event for event in reversed(self.log) if isinstance(event, Opened))
        danish_deal.begin(n, s, w, opened.table, opened.king, opened.pagat)
        while s[at.PHASE] != at.CLOSED:
            if s[at.PHASE] == at.DEALING:
                danish_deal.deal(n, s, w, dice)
                pack = [PACK[card] for card in w[at.PACK : at.THROWS]]
                self.act(None, deal.deal_out(rules, cast(danish.State, self.state.deal), pack, self._rng))
                continue
            seat, phase = opened.active[s[at.TURN]], int(s[at.PHASE])
            action = int(choose_danish(self._policies[seat], n, s, w, dice))
            do_danish(n, s, w, action)
            self._carry_over(seat, phase, action, s)
        self._answer_for_all()

    # --- French ----------------------------------------------------------------------------------------

    def _play_french(self, rules: FrenchRules, dice: Words) -> None:
        at = french_at
        n, s = french_deal.array_of(rules, french_network(self._policies)), french_deal.blank()
        french_deal.deal(n, s, self.state.dealer, np.zeros(SHUFFLE, np.int64), dice)
        self.act(None, french_bridge.to_deal(rules, s))
        while s[at.PHASE] != at.CLOSED:
            seat, phase = int(s[at.TURN]), int(s[at.PHASE])
            action = int(choose_french(self._policies[seat], n, s, dice))
            do_french(n, s, action)
            self._carry_over(seat, phase, action, s)

    # --- both ------------------------------------------------------------------------------------------

    def _carry_over(self, seat: Seat, phase: int, action: int, after: Ints) -> None:
        if wish := told(self.rules, phase, seat, action, after):
            self._answer_for_all()
            self.act(seat, wish)

    def _answer_for_all(self) -> None:
        """Say what the kernel asks nobody."""
        while self.state.deal is not None and (found := next(forced(self.rules, self.state.deal), None)):
            self.act(*found)
