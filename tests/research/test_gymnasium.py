"""Gymnasium's own checks, for every rulebook; and that many tables are the same as one after the other."""

from __future__ import annotations

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from ultimo import rulebook
from ultimo.research.danish import Floats
from ultimo.research.gymnasium import DealEnv, Info
from ultimo.research.learning import Learners
from ultimo.rulebook import load


class Forgiving(DealEnv):
    """Does the first legal action instead of one that may not be done: Gymnasium's check knows no masks."""

    def step(self, action: np.int64) -> tuple[Floats, float, bool, bool, Info]:
        mask = self._info()["action_mask"]
        return super().step(action if mask[action] else mask.argmax())


@pytest.mark.filterwarnings("ignore")  # that it was not made by `gymnasium.make`
@pytest.mark.parametrize("book", rulebook.ids())
def test_the_environment_is_as_gymnasium_wants_it(book: str) -> None:
    check_env(Forgiving(book), skip_render_check=True)
    assert f"ultimo/{book.capitalize()}-v0" in gymnasium.registry


@pytest.mark.parametrize("book", ["dtf", "french4"])
def test_many_tables_play_the_deals_of_one(book: str) -> None:
    many = gymnasium.make_vec(f"ultimo/{book.capitalize()}-v0", num_envs=5, opponents="beginner")
    one = gymnasium.make(f"ultimo/{book.capitalize()}-v0", opponents="beginner").unwrapped
    _, info = many.reset(seed=3)
    first = dict.fromkeys(range(5), 0.0)
    waiting = set(first)
    while waiting:
        _, rewards, over, _, info = many.step(info["action_mask"].argmax(axis=1))
        for row in [row for row in waiting if over[row]]:
            first[row] = rewards[row]
            waiting.remove(row)
    _, info = one.reset(seed=3)
    for row in range(5):
        ended = False
        while not ended:
            _, reward, ended, _, info = one.step(int(info["action_mask"].argmax()))
        assert reward == first[row]
        _, info = one.reset()


def test_an_action_that_may_not_be_done_is_an_error() -> None:
    table = gymnasium.make("ultimo/Dtf-v0").unwrapped
    _, info = table.reset(seed=1)
    with pytest.raises(ValueError, match="not legal"):
        table.step(int(info["action_mask"].argmin()))


def test_a_learner_has_every_place_in_turn() -> None:
    tables = Learners(load("french5"), tables=5, seed=1)
    assert sorted(tables.places.tolist()) == [0, 1, 2, 3, 4]


def test_only_compiled_players_sit_at_these_tables() -> None:
    with pytest.raises(ValueError, match="'expert' does not run compiled"):
        Learners(load("dtf"), opponents="expert")
