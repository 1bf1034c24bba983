"""Ultimo for Gymnasium: one learner, bots in the other seats; one table, or many at the speed of the kernel.

>>> import gymnasium
>>> import ultimo.research.gymnasium
>>> table = gymnasium.make("ultimo/Hermansen-v0", opponents="club")
>>> seen, info = table.reset(seed=7)
>>> info["action_mask"].sum() > 0
np.True_
>>> many = gymnasium.make_vec("ultimo/Hermansen-v0", num_envs=64, opponents="club")
>>> seen, info = many.reset(seed=7)
>>> seen.shape == (64, 1167), info["action_mask"].shape
(True, (64, 95))

An episode is a deal, its reward the points of its settlement. What may be done is in `info["action_mask"]`;
an action that may not is an error. `reset(seed=…)` begins with deal 0 of a seed. At many tables a deal that
is over is followed by the next in the same step (`AutoresetMode.SAME_STEP`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final, TypeAlias

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.spaces import Box, Discrete
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from ultimo import rulebook
from ultimo.research.danish import Floats
from ultimo.research.learning import Learners
from ultimo.research.observing import layout_of
from ultimo.rulebook import Rules

VERSION: Final = "v0"
Info: TypeAlias = dict[str, Any]


class DealEnv(gymnasium.Env[Floats, np.int64]):
    """One table."""

    metadata: ClassVar[Info] = {"render_modes": []}

    def __init__(
        self,
        rules: str = "hermansen",
        opponents: str | Sequence[str] = "club",
        house: Mapping[str, Any] | None = None,
        render_mode: str | None = None,
    ) -> None:
        self.rules = rulebook.load(rules, dict(house or {}))
        self.render_mode = render_mode
        self._opponents = opponents
        self._tables = Learners(self.rules, opponents=opponents)
        self._begun = False
        self.observation_space, self.action_space = _spaces(self.rules, self._tables.actions)

    def reset(self, *, seed: int | None = None, options: Info | None = None) -> tuple[Floats, Info]:
        """Begin the first deal of a seed, or the next one."""
        super().reset(seed=seed)
        if seed is not None:
            self._tables = Learners(self.rules, seed=seed, opponents=self._opponents)
        elif self._begun:
            self._tables.deal_anew()
        self._begun = False
        return self._tables.observations().reshape(-1), self._info()

    def step(self, action: np.int64) -> tuple[Floats, float, bool, bool, Info]:
        """Act; then the others do until it is one's turn again. A deal that is over shows nothing."""
        (reward,), (over,) = self._tables.step((action,))
        self._begun = not over
        seen = self._tables.observations().reshape(-1)
        return seen * (not over), float(reward), bool(over), False, self._info()

    def _info(self) -> Info:
        return {"action_mask": self._tables.masks().reshape(-1).astype(np.int8)}


class DealVectorEnv(VectorEnv[Floats, npt.NDArray[np.int64], Any]):
    """Many tables."""

    metadata: ClassVar[Info] = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": []}

    def __init__(
        self,
        num_envs: int = 1,
        rules: str = "hermansen",
        opponents: str | Sequence[str] = "club",
        house: Mapping[str, Any] | None = None,
        render_mode: str | None = None,
    ) -> None:
        self.rules = rulebook.load(rules, dict(house or {}))
        self.num_envs, self.render_mode = num_envs, render_mode
        self._opponents = opponents
        self._tables = Learners(self.rules, tables=num_envs, opponents=opponents)
        self.single_observation_space, self.single_action_space = _spaces(self.rules, self._tables.actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(self, *, seed: int | None = None, options: Info | None = None) -> tuple[Floats, Info]:
        """Begin the first deals of a seed."""
        super().reset(seed=seed)
        self._tables = Learners(self.rules, tables=self.num_envs, seed=seed or 0, opponents=self._opponents)
        return self._tables.observations(), {"action_mask": self._tables.masks()}

    def step(
        self, actions: npt.NDArray[np.int64]
    ) -> tuple[Floats, Floats, npt.NDArray[np.bool_], npt.NDArray[np.bool_], Info]:
        """Act at all tables."""
        rewards, over = self._tables.step(actions)
        info = {"action_mask": self._tables.masks()}
        return self._tables.observations(), rewards, over, np.zeros_like(over), info


def _spaces(rules: Rules, actions: int) -> tuple[Box, Discrete]:
    return Box(*layout_of(rules).bounds), Discrete(actions)


def register() -> None:
    """Make every rulebook known to Gymnasium, as `ultimo/Hermansen-v0` and so on."""
    for book in rulebook.ids():
        name = f"ultimo/{book.capitalize()}-{VERSION}"
        if name not in gymnasium.registry:
            gymnasium.register(
                name,
                f"{__name__}:DealEnv",
                vector_entry_point=f"{__name__}:DealVectorEnv",
                kwargs={"rules": book},
            )


register()
