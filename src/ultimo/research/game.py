"""A game in small steps: deals one after the other, an action at a time, with all that a seat may observe.

Every door for researchers opens on this. Deal `i` of a seed is the same here as in `ultimo simulate`. Actions
are numbers, the same for all rulebooks of a family (`actions.py`). A Danish session is founded as it begins,
and its cups go from deal to deal.

>>> from ultimo.rulebook import load
>>> game = Game(load("hermansen"), seed=7)
>>> while not game.is_over:
...     game.act(int(game.legal().argmax()))  # the first legal action
>>> game.points  # by seat; what is missing lies in the cups
(80, -45, -100)
"""

from __future__ import annotations

from copy import copy
from typing import Final

import numpy as np
import numpy.typing as npt

from ultimo.danish.payments import KING_ACCOUNT, PAGAT_ACCOUNT
from ultimo.events import Seat
from ultimo.kernel.batch import OVER, Batch
from ultimo.kernel.danish import layout as danish_at
from ultimo.kernel.danish import run as danish_run
from ultimo.kernel.danish.deal import array_of
from ultimo.research.danish import Floats
from ultimo.research.history import History
from ultimo.research.observing import observations
from ultimo.rulebook import DanishRules, Rules

BOTH_CUPS: Final = 3


class Game:
    """A session of `deals` deals: number `session` of its seed. `turn` is the seat that is to act."""

    def __init__(
        self,
        rules: Rules,
        *,
        table: int | None = None,
        deals: int = 1,
        seed: int = 0,
        session: int = 0,
        history: bool = False,
    ) -> None:
        """Sit down and deal; with `history` what everybody sees is kept as a sequence too."""
        table = rules.sizes[0] if table is None else table
        if table not in rules.sizes:
            raise ValueError(f"{rules.id} is for {rules.sizes} at the table, not for {table}")
        self.rules, self.table, self.deals, self.seed = rules, table, deals, seed
        self.played = 0  # deals that are over
        self.points: tuple[int, ...] = (0,) * table  # of all deals that are over, by seat
        self.settled: tuple[int, ...] = (0,) * table  # of the last of them
        self.cups = (0, 0)
        self.history = History(rules) if history else None
        self._first = session * deals
        self._unfounded = BOTH_CUPS
        self._seating = danish_run.seating(rules, table) if isinstance(rules, DanishRules) else None
        self._begin()
        self._go_on()

    @property
    def is_over(self) -> bool:
        """Whether all deals have been played."""
        return self.played == self.deals

    @property
    def turn(self) -> Seat | None:
        """The seat that is to act; none when all is over."""
        return None if self.is_over else self.seats[self._batch.turn[0]]

    @property
    def number(self) -> int:
        """The number of the deal that is being played, among all deals of its seed."""
        return self._first + self.played

    @property
    def actions(self) -> int:
        """How many numbers there are for actions."""
        return self._batch.actions

    def legal(self) -> npt.NDArray[np.bool_]:
        """Whether each action may be done now."""
        return self._batch.legal_table().reshape(-1)

    def act(self, action: int) -> None:
        """Let the seat in turn act; raises `ValueError` if it may not."""
        before = None if self.history is None else self._batch.states[0].copy()
        self._batch.step((action,))
        if self.history is not None and before is not None:
            self.history.note(before, self._batch.states[0], action)
        self._go_on()

    def observe(self, seat: Seat) -> Floats:
        """What a seat observes; one that sits out, or when all is over, nothing."""
        place = self.seats.index(seat) if seat in self.seats and not self.is_over else -1
        return observations(self._batch, (place,)).reshape(-1)

    def copy(self) -> Game:
        """The same game once more, to be played on otherwise."""
        other = copy(self)
        other._batch, other.history, other._paid = self._batch.copy(), copy(self.history), [*self._paid]
        return other

    # --- from deal to deal -----------------------------------------------------------------------------

    def _begin(self) -> None:
        """Found, if need be, and deal."""
        king, pagat = self.cups
        self._paid = [0] * self.table
        if isinstance(self.rules, DanishRules):
            assert self._seating is not None
            self.seats = tuple(self._seating[self.played % len(self._seating)].tolist())
            king, pagat = self._found(self.rules)
        else:
            self.seats = tuple((self.number + 1 + place) % self.table for place in range(self.table))
        deal = {"seed": self.seed, "first": self.number, "table": self.table, "king": king, "pagat": pagat}
        self._batch = Batch(self.rules, deals=1, **deal)
        if self.history is not None:
            self.history.begin(self.seats)

    def _found(self, rules: DanishRules) -> tuple[int, ...]:
        """Let everybody concerned found the cups that are empty; what both then hold."""
        row = np.zeros((1, len(danish_run.COLUMNS)), np.int64)
        row[0, danish_run.PLACES : danish_run.PLACES + len(self.seats)] = self.seats
        cups = list(self.cups)
        for cup, account in enumerate((KING_ACCOUNT, PAGAT_ACCOUNT)):
            if self._unfounded >> cup & 1:
                cups[cup] += int(danish_run.found(array_of(rules), account, self.table, row, 0))
        self._paid = row[0, danish_run.SEAT_NETS : danish_run.SEAT_NETS + self.table].tolist()
        return tuple(cups)

    def _go_on(self) -> None:
        """Settle a deal that is over, and begin the next; some are over as soon as they are dealt."""
        while not self.is_over and self._batch.turn[0] == OVER:
            for place, points in enumerate(self._batch.net[0].tolist()):
                self._paid[self.seats[place]] += points
            self.settled = tuple(self._paid)
            self.points = tuple(map(sum, zip(self.points, self.settled, strict=True)))
            if isinstance(self.rules, DanishRules):
                king, pagat = self._batch.cups[0].tolist()
                self.cups, self._unfounded = (king, pagat), int(self._batch.states[0, danish_at.EMPTIED])
            self.played += 1
            if not self.is_over:
                self._begin()
