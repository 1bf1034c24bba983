"""One learner at each of many tables, all others by compiled players: what a learning loop needs, as arrays.

>>> from ultimo.rulebook import load
>>> tables = Learners(load("hermansen"), tables=4, seed=7, opponents="club")
>>> ended = np.zeros(4, int)
>>> while ended.min() < 2:
...     rewards, over = tables.step(tables.masks().argmax(axis=1))  # the first legal action
...     ended += over

Table `i` of `n` plays deals `i`, `i + n`, `i + 2n`, … of the seed; in deal `d` the learner has place `d`
modulo the number of places, so that all places come in turn. A deal that is over is followed by the next at
once: what is observed then belongs to the next.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ultimo.kernel.batch import START, Batch
from ultimo.kernel.policy import POLICIES
from ultimo.research.danish import Floats
from ultimo.research.observing import layout_of, observations
from ultimo.rulebook import Rules


class Learners:
    """Tables side by side, at each of which one place waits for an action."""

    def __init__(
        self,
        rules: Rules,
        *,
        tables: int = 1,
        seed: int = 0,
        first: int = 0,
        opponents: str | Sequence[str] = "club",
        cups: tuple[int, int] = (START, START),
    ) -> None:
        """Deal. `opponents` are compiled levels, by place, over and over; Danish cups hold `cups`."""
        levels = (opponents,) if isinstance(opponents, str) else tuple(opponents)
        if unknown := [level for level in levels if level not in POLICIES]:
            raise ValueError(f"{unknown[0]!r} does not run compiled; {', '.join(POLICIES)} do")
        self._policies = [POLICIES[level] for level in levels]
        self._batch = Batch(rules, deals=tables, seed=seed, first=first, king=cups[0], pagat=cups[1])
        self.rules, self.layout, self.actions = rules, layout_of(rules), self._batch.actions
        self.numbers = np.arange(first, first + tables)
        self._rows = np.arange(tables)
        self._settle()  # a deal may be over before anybody is asked

    @property
    def places(self) -> npt.NDArray[np.int64]:
        """The place of the learner at each table."""
        return self.numbers % self._batch.places

    def masks(self) -> npt.NDArray[np.bool_]:
        """What the learners may do, a row for each."""
        return self._batch.legal_table()

    def observations(self, out: Floats | None = None) -> Floats:
        """What the learners observe, a row for each."""
        return observations(self._batch, out=out)

    def step(self, actions: npt.ArrayLike) -> tuple[Floats, npt.NDArray[np.bool_]]:
        """Let all learners act; the points of deals that have ended with it, and which those are."""
        self._batch.step(actions)
        return self._settle()

    def deal_anew(self) -> None:
        """Leave the deals as they are, and begin the next ones."""
        self.numbers += len(self._rows)
        self._batch.deal_anew(self._rows, self.numbers)
        self._settle()

    def _settle(self) -> tuple[Floats, npt.NDArray[np.bool_]]:
        """Let the others act until each learner is asked; deals that end meanwhile make room for others."""
        rewards, ended = np.zeros(len(self._rows), np.float32), np.zeros(len(self._rows), np.bool_)
        while True:
            self._batch.play_on(self._policies, self.places)
            if not (over := self._batch.done).any():
                return rewards, ended
            rows = self._rows[over]
            rewards[rows] += self._batch.net[rows, self.places[rows]]
            ended[rows] = True
            self.numbers[rows] += len(self._rows)
            self._batch.deal_anew(rows, self.numbers[rows])
