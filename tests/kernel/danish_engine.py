"""A Danish deal played twice: in the kernel's array and by the engine, action by action."""

from __future__ import annotations

from random import Random

import numpy as np

from ultimo import danish
from ultimo.cards import PACK as CARDS
from ultimo.cards import SUITS, Cards, cards
from ultimo.danish.facts import COUNTS, KING_CUP, NET, PAGAT_CUP, TRICKS_WON
from ultimo.danish.outcome import Order
from ultimo.danish.state import pile_points
from ultimo.events import (
    Accept,
    Action,
    Announce,
    Declare,
    Decline,
    DemandRedeal,
    DemandSkus,
    Lay,
    NameSkus,
    Opened,
    Play,
    Seat,
)
from ultimo.kernel.danish import deal as kernel_deal
from ultimo.kernel.danish import layout as at
from ultimo.kernel.dice import generator
from ultimo.play.choices import Lays
from ultimo.play.following import FIRST_TRUMP
from ultimo.rulebook import DanishRules


class Twice:
    """The kernel's deal and the engine's, which must agree after every action."""

    def __init__(
        self, rules: DanishRules, table: int, order: Order, seed: int, king: int, pagat: int
    ) -> None:
        self.rules, self.order = rules, order
        self.n, self.dice = kernel_deal.array_of(rules), generator(seed, 0)
        self.s, self.w = np.zeros(at.SIZE, np.int64), np.zeros(at.PAPER, np.int64)
        opened = Opened(table, order[2], order, king, pagat)
        self.state = danish.initial(rules, opened)
        for event in danish.begin(rules, opened)[1:]:
            self.state = danish.evolve(rules, self.state, event)
        kernel_deal.begin(self.n, self.s, self.w, table, king, pagat)
        self.laid: list[int] = []

    def play(self, rng: Random) -> None:
        """Play to the end; every choice of the kernel must be the engine's."""
        while self.s[at.PHASE] != at.CLOSED:
            if self.s[at.PHASE] == at.DEALING:
                self._deal()
            else:
                may = self._legal()
                self._assert_same_choices(may)
                self._act(rng.choice(may))
        self._pass_over()
        self._assert_same_end()

    def _deal(self) -> None:
        kernel_deal.deal(self.n, self.s, self.w, self.dice)
        pack = [CARDS[card] for card in self.w[at.PACK : at.THROWS]]
        self._step(None, danish.deal_out(self.state.table, self.order, pack))
        hands = [
            int(self.s[at.SUITS + place]) | int(self.s[at.TRUMPS + place]) << FIRST_TRUMP
            for place in range(3)
        ]
        assert hands == [self.state.hands[seat] for seat in self.order]

    def _legal(self) -> list[int]:
        suits, trumps, words = (int(word) for word in kernel_deal.legal(self.n, self.s, self.w))
        every = suits | trumps << FIRST_TRUMP | words << at.FIRST_WORD
        return [action for action in range(at.ACTIONS) if every >> action & 1]

    def _assert_same_choices(self, may: list[int]) -> None:
        """What the kernel offers is what the engine waits for and offers."""
        self._pass_over()
        seat = self.order[self.s[at.TURN]]
        choices = danish.legal(self.rules, self.state, seat)
        assert seat in danish.waiting_for(self.rules, self.state)
        if self.s[at.PHASE] == at.LAYING:
            self._assert_same_lays(may, [offer for offer in choices.offers if isinstance(offer, Lays)])
        else:
            kinds = (Play, NameSkus, Announce, Decline, Accept, DemandRedeal)
            asked = self.s[at.PHASE] == at.DEMAND  # a late demand, which nobody waits for, is not offered
            offered = {a for a in choices if isinstance(a, kinds) or (asked and isinstance(a, DemandSkus))}
            assert {self._action(action) for action in may} == offered

    def _assert_same_lays(self, may: list[int], offers: list[Lays]) -> None:
        """The next card of the skat is one that some legal skat with the cards laid so far holds."""
        laid: Cards = sum(1 << card for card in self.laid)
        tout = bool(self.s[at.TOUT_LAID])
        possible: Cards = 0
        for offer in offers:
            if offer.tout == tout:
                for skat in offer.sets:
                    if skat & laid == laid:
                        possible |= skat & ~laid
        offered = sum(1 << card for card in may if card < at.FIRST_WORD)
        assert offered == possible
        announcing = not tout and not self.laid and any(offer.tout for offer in offers)
        assert (at.LAY_TOUT in may) == announcing

    def _act(self, action: int) -> None:
        seat = self.order[self.s[at.TURN]]
        laying = self.s[at.PHASE] == at.LAYING
        tout = bool(self.s[at.TOUT_LAID])
        kernel_deal.act(self.n, self.s, self.w, action)
        if not laying:
            self._step(seat, self._action(action))
        elif action != at.LAY_TOUT:
            self.laid.append(action)
            if len(self.laid) == 3:
                self._step(seat, Lay(cards(sum(1 << card for card in self.laid)), tout))
                self.laid = []

    def _action(self, action: int) -> Action:
        if action < at.FIRST_WORD:
            return Play(CARDS[action])
        if action < at.RENAME_SKUS:
            return Play(CARDS[77], SUITS[action - at.LEAD_SKUS])
        if action < at.DECLINE:
            return NameSkus(SUITS[action - at.RENAME_SKUS])
        words: dict[int, Action] = {
            at.DECLINE: Decline(),
            at.DEMAND_SKUS: DemandSkus(),
            at.NOLO: Announce("nolo"),
            at.TOUT: Announce("tout"),
            at.ACCEPT: Accept(),
            at.DEMAND_REDEAL: DemandRedeal(),
        }
        return words[action]

    def _pass_over(self) -> None:
        """Say for the engine what the kernel does not ask, because there is one answer."""
        while True:
            waiting = danish.waiting_for(self.rules, self.state)
            if self.state.phase == "handCheck":
                forced = [s for s in waiting if len(danish.legal(self.rules, self.state, s)) == 1]
                done: Action = Accept()
            elif self.state.phase == "demand":
                forced = [s for s in waiting if DemandSkus() not in danish.legal(self.rules, self.state, s)]
                done = Decline()
            else:
                forced, done = [], Decline()
            if self.state.phase == "declare":
                forced = list(waiting)
                done = next(
                    a for a in danish.legal(self.rules, self.state, waiting[0]) if isinstance(a, Declare)
                )
            if not forced:
                return
            self._step(forced[0], done)

    def _step(self, seat: Seat | None, action: Action) -> None:
        self.state = danish.step(self.rules, self.state, seat, action)[0]

    def _assert_same_end(self) -> None:
        assert self.state.phase == "closed"
        s, order = self.s, self.order
        assert [s[NET + at] for at in range(3)] == [self.state.net[seat] for seat in order]
        assert (s[KING_CUP], s[PAGAT_CUP]) == (self.state.king, self.state.pagat)
        assert [s[TRICKS_WON + at] for at in range(3)] == [self.state.won[seat] for seat in order]
        points = pile_points(self.state)
        assert [s[COUNTS + at] for at in range(3)] == [points[seat] for seat in order]
        emptied = {cup for cup, _ in self.state.emptied}
        assert s[at.EMPTIED] == ("king" in emptied) + 2 * ("pagat" in emptied)
