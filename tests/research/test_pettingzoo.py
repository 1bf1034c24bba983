"""PettingZoo's own tests, for every rulebook; and the seeds of every other run."""

from __future__ import annotations

import re
from itertools import count, islice
from types import SimpleNamespace

import numpy as np
import pytest
from pettingzoo.test import api_test, performance_benchmark, seed_test

from table import DANISH, FRENCH
from ultimo.research.game import Game
from ultimo.research.pettingzoo import env, raw_env
from ultimo.rulebook import load

TABLES = [(book, load(book).sizes[-1]) for book in (*DANISH, *FRENCH)]


@pytest.mark.filterwarnings("ignore:Observation")  # that it is a dictionary, as all with masks are
@pytest.mark.parametrize(("book", "table"), TABLES)
def test_the_environment_is_as_pettingzoo_wants_it(book: str, table: int) -> None:
    api_test(env(rules=book, table=table, deals=2), num_cycles=150)
    seed_test(lambda: env(rules=book, table=table, deals=2), num_cycles=80)


@pytest.mark.parametrize("book", ["dtf", "french5"])
def test_pettingzoos_benchmark_runs(
    book: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """By a clock that goes on by a tenth of a second whenever it is looked at: its own takes five seconds."""
    ticks = count()
    clock = SimpleNamespace(time=lambda: next(ticks) / 10)
    monkeypatch.setitem(performance_benchmark.__globals__, "time", clock)
    performance_benchmark(env(rules=book, deals=2))
    turns, cycles = map(
        float, re.findall(r"^(\S+) (?:turns|cycles) per second$", capsys.readouterr().out, re.M)
    )
    assert turns / cycles == pytest.approx(len(env(rules=book).possible_agents), rel=0.2)


@pytest.mark.parametrize(("book", "table"), TABLES)
def test_rewards_are_the_points_of_the_game(book: str, table: int) -> None:
    here = env(rules=book, table=table, deals=3)
    here.reset(seed=11)
    game = Game(load(book), table=table, deals=3, seed=11)
    rng, won = np.random.default_rng(1), dict.fromkeys(here.possible_agents, 0.0)
    for agent in here.agent_iter():
        seen, reward, ended, _, _ = here.last()
        won[agent] += reward
        if ended:
            here.step(None)
            continue
        assert game.turn == here.possible_agents.index(agent)
        action = int(rng.choice(np.flatnonzero(seen["action_mask"])))
        game.act(action)
        here.step(action)
    assert tuple(won.values()) == game.points


def test_the_next_session_follows_where_no_seed_is_given() -> None:
    here = raw_env(rules="dtf", deals=2)
    here.reset(seed=4)
    here.reset()
    expected = Game(load("dtf"), deals=2, seed=4, session=1)
    assert here.agent_selection == f"seat_{expected.turn}"
    assert np.array_equal(
        here.observe(here.agent_selection)["observation"], expected.observe(expected.turn or 0)
    )


def test_a_session_can_be_cut_short() -> None:
    here = env(rules="french4", deals=5, max_cycles=4)
    here.reset(seed=1)
    steps = 0
    for _ in here.agent_iter():
        seen, _, _, cut, _ = here.last()
        here.step(None if cut else int(seen["action_mask"].argmax()))
        steps += not cut
    assert steps == 4 * 4
    assert not here.agents


def test_the_history_grows_by_what_everybody_sees() -> None:
    here = raw_env(rules="hermansen", history=True)
    here.reset(seed=2)
    lengths = []
    for _ in islice(here.agent_iter(), 40):
        seen, _, _, _, info = here.last()
        lengths.append(len(info["history"]))
        here.step(int(seen["action_mask"].argmax()))
    assert lengths[:3] == [0, 0, 0]  # the skat is secret
    assert lengths == sorted(lengths)
    assert lengths[-1] > 30


def test_a_table_can_be_looked_at() -> None:
    here = env(rules="french3", render_mode="ansi")
    here.reset(seed=1)
    assert "seat" in here.render()
    assert "pass" in here.render()
