"""A decision at the table in numbers: what a seat may do now, card by card where one action takes several.

The table knows a skat, an écart or a poignée as one action; researchers and programs choose one card after
the other (`actions.py`). Here is the way between the two, from what a seat knows and nothing else.
"""

from __future__ import annotations

import numpy as np

from ultimo import danish as danish_game
from ultimo import events as e
from ultimo import french as french_game
from ultimo.cards import Cards, cards, indices
from ultimo.kernel.danish import bridge as danish_bridge
from ultimo.kernel.danish import deal as danish_deal
from ultimo.kernel.danish import layout as danish_at
from ultimo.kernel.danish.run import do as do_danish
from ultimo.kernel.french import bridge as french_bridge
from ultimo.kernel.french import deal as french_deal
from ultimo.kernel.french import layout as french_at
from ultimo.kernel.french.memory import remember
from ultimo.kernel.sets import cards_in
from ultimo.play.following import FIRST_TRUMP, PACK_SIZE
from ultimo.players import View
from ultimo.players.policy.danish import calm
from ultimo.research.danish import Floats
from ultimo.research.observing import observe
from ultimo.rulebook import DanishRules, FrenchRules


class Decision:
    """What the seat of a view decides now. `phase` is the deal's, or `show` for the cards of a poignée."""

    def __init__(self, view: View) -> None:
        """It is the seat's turn, and its cards decide."""
        self._steps: _Danish | _French
        match view.rules, view.deal:
            case DanishRules() as rules, danish_game.State() as state:
                self._steps = _Danish(rules, state, view.seat)
            case FrenchRules() as rules, french_game.State() as state:
                self._steps = _French(rules, state, view.seat)
            case _:
                raise TypeError("these rules and this deal are not of one family")
        self._view = view

    @property
    def phase(self) -> str:
        """What is being decided."""
        return "show" if self._steps.showing else self._view.deal.phase

    def legal(self) -> tuple[int, ...]:
        """The numbers of the actions that may be done now, in rising order."""
        suits, trumps, words = self._steps.legal()
        return (*indices(cards_in(suits, trumps)), *(PACK_SIZE + word for word in indices(int(words))))

    def observe(self) -> Floats:
        """What the seat observes, the cards that it has laid or shown so far included."""
        return observe(self._view.rules, self._steps.s[None], np.array([self._steps.place])).reshape(-1)

    def act(self, number: int) -> e.Action | None:
        """The table's action that is now complete; None if it takes more cards. Raises `ValueError`."""
        if number not in self.legal():
            raise ValueError(f"action {number} is not legal")
        return self._steps.act(number)


class _Danish:
    showing = False

    def __init__(self, rules: DanishRules, state: danish_game.State, seat: e.Seat) -> None:
        self.s, self.place = danish_bridge.from_view(rules, state, seat), state.order.index(seat)
        self._n, self._w = danish_deal.array_of(calm(rules)), np.zeros(danish_at.PAPER, np.int64)
        self._laid: Cards = 0

    def legal(self) -> tuple[int, int, int]:
        return danish_deal.legal(self._n, self.s, self._w)

    def act(self, number: int) -> e.Action | None:
        at = danish_at
        if self.s[at.PHASE] != at.LAYING:
            return danish_bridge.to_action(int(self.s[at.PHASE]), number)
        self._laid |= 1 << number if number < at.FIRST_WORD else 0
        do_danish(self._n, self.s, self._w, number)
        done = self.s[at.PHASE] != at.LAYING
        return e.Lay(cards(self._laid), bool(self.s[at.TOUT_LAID])) if done else None


class _French:
    def __init__(self, rules: FrenchRules, state: french_game.State, seat: e.Seat) -> None:
        self.s, self.place = french_bridge.from_view(rules, state, seat), seat
        self._rules, self._n = rules, french_deal.array_of(rules)
        self._laid: Cards = 0

    @property
    def showing(self) -> bool:
        return bool(self.s[french_at.PHASE] == french_at.SHOWING)

    def legal(self) -> tuple[int, int, int]:
        return french_deal.legal(self._n, self.s)

    def act(self, number: int) -> e.Action | None:
        at, before = french_at, int(self.s[french_at.PHASE])
        if before not in (at.LAYING, at.SHOWING) and number < at.SHOW:
            return french_bridge.to_action(self._rules, before, number)
        self._laid |= 1 << number if number < at.FIRST_WORD else 0
        remember(self._n, self.s, number)
        french_deal.act(self._n, self.s, number)
        if self.s[at.PHASE] in (at.LAYING, at.SHOWING):
            return None
        if before == at.LAYING:
            return e.Lay(cards(self._laid))
        return e.ShowPoignee(cards(int(self.s[at.SHOWN_TRUMPS + self.place]) << FIRST_TRUMP))
