"""Ultimo for PettingZoo: every rulebook as an environment in which the seats act in turn.

>>> from ultimo.research.pettingzoo import env
>>> table = env(rules="hermansen", table=3, deals=1)
>>> table.reset(seed=7)
>>> for agent in table.agent_iter():
...     observation, reward, termination, truncation, info = table.last()
...     table.step(None if termination else int(observation["action_mask"].argmax()))

An agent observes `observation`, the flat vector of `layout_of(rules)`, and `action_mask`; with `history=True`
the tokens of everything public are in `info["history"]`. Rewards are points, given as a deal is settled.
`reset(seed=…)` begins the session number 0 of a seed, `reset()` the next one.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, partial
from typing import Any, ClassVar, TypeAlias

import numpy as np
import numpy.typing as npt
from gymnasium.spaces import Box, Dict, Discrete
from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper

from ultimo import rulebook
from ultimo.research.game import Game
from ultimo.research.observing import layout_of
from ultimo.research.rendering import text

Observation: TypeAlias = dict[str, npt.NDArray[Any]]


def env(**settings: Any) -> AECEnv[str, Observation, int]:
    """The environment with PettingZoo's usual checks around it; settings as of `Table`."""
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(Table(**settings)))


def raw_env(**settings: Any) -> Table:
    """The environment alone."""
    return Table(**settings)


class Table(AECEnv[str, Observation, int]):
    """A session at a table. `house` changes the rulebook, `max_cycles` ends a session early."""

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["ansi", "human"], "name": "ultimo_v1"}

    def __init__(
        self,
        rules: str = "hermansen",
        table: int | None = None,
        deals: int = 1,
        house: Mapping[str, Any] | None = None,
        history: bool = False,
        max_cycles: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.rules = rulebook.load(rules, dict(house or {}))
        self.layout = layout_of(self.rules)
        self.render_mode = render_mode
        self._begin = partial(Game, self.rules, table=table, deals=deals, history=history)
        self._most = max_cycles
        self._seed, self._session = 0, -1
        self._game = self._begin()
        self._mask = self._game.legal()
        self.possible_agents = [f"seat_{seat}" for seat in range(self._game.table)]
        self.agents: list[str] = []

    @cache  # noqa: B019 - a space is the same for good, as PettingZoo wants it
    def observation_space(self, agent: str) -> Dict:
        """What an agent observes."""
        seen = Box(*self.layout.bounds)
        return Dict({"observation": seen, "action_mask": Box(0, 1, (self._game.actions,), np.int8)})

    @cache  # noqa: B019
    def action_space(self, agent: str) -> Discrete:
        """What an agent may do at some time or other."""
        return Discrete(self._game.actions)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a session: the first of a seed, or the one after the last."""
        self._seed, self._session = (self._seed, self._session + 1) if seed is None else (seed, 0)
        self._game = self._begin(seed=self._seed, session=self._session)
        self.agents = [*self.possible_agents]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._steps = 0
        self._played = self._game.played
        self._turn_to_next()

    def step(self, action: int | None) -> None:
        """Let the agent in turn act."""
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        assert action is not None
        self._cumulative_rewards[self.agent_selection] = 0.0
        self._game.act(int(action))
        self._steps += 1
        self._clear_rewards()
        if self._game.played != self._played:
            self._played = self._game.played
            self.rewards = dict(zip(self.agents, map(float, self._game.settled), strict=True))
            self._accumulate_rewards()
        self._turn_to_next()
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> Observation:
        """What an agent observes now, and what it may do; a mask is empty where it is not its turn."""
        mask = np.zeros(self._game.actions, np.int8)
        if agent == self.agent_selection and not self._game.is_over:
            mask[:] = self._mask
        return {"observation": self._game.observe(_seat(agent)), "action_mask": mask}

    def render(self) -> str | None:
        """The table as its next player sees it, as text."""
        shown = text(self._game)
        if self.render_mode == "human":
            print(shown)
            return None
        return shown

    def close(self) -> None:
        """Nothing is left open."""

    def _turn_to_next(self) -> None:
        game = self._game
        if game.turn is None:
            self.terminations = dict.fromkeys(self.agents, True)
            return
        self.agent_selection = self.possible_agents[game.turn]
        self._mask = game.legal()
        if self._most is not None and self._steps >= self._most * len(self.agents):
            self.truncations = dict.fromkeys(self.agents, True)
        if game.history is not None:
            self.infos[self.agent_selection] = {"history": game.history.tokens(game.turn)}


def _seat(agent: str) -> int:
    return int(agent.removeprefix("seat_"))
