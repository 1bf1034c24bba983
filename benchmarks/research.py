"""Steps a second through the doors for researchers, with random actions chosen in Python.

Beside OpenSpiel's `tarok` (C++, three players) stand Ultimo's games under OpenSpiel, driven by the same loop.
Ultimo deals card by card, 78 chance nodes a deal, `tarok` all cards in one; so a row tells the steps of whole
deals, and another those after the deal. `State` keeps its history in C++ as OpenSpiel wants it, `playout` is
the same deal in Python alone. A game in Python that does nothing tells what OpenSpiel takes of every step.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from benchmarks.measure import Job, in_turns
from benchmarks.report import Bar, Section, table

TAROK = "tarok(players=3,rng_seed=1)"
BOOKS = ("hermansen", "french4")
AFTER = ", after the deal"


def steps(root: Callable[[], Any], deals: int) -> Job:
    """So many deals to their end from where they begin; the work is the steps."""

    def walk() -> float:
        rng, done = Random(1), 0
        for _ in range(deals):
            state = root()
            while not state.is_terminal():
                if state.is_chance_node():
                    state.apply_action(rng.choice(state.chance_outcomes())[0])
                else:
                    state.apply_action(rng.choice(state.legal_actions()))
                done += 1
        return done

    return walk


def dealt(game: Any) -> Any:
    """A deal before its first decision."""
    state, rng = game.new_initial_state(), Random(2)
    while state.is_chance_node():
        state.apply_action(rng.choice(state.chance_outcomes())[0])
    return state


def idle_game(moves: int) -> Any:
    """A game in Python in which nothing happens, so many times."""
    import pyspiel

    kinds = pyspiel.GameType
    kind = kinds(
        short_name="idle",
        long_name="Idle",
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.DETERMINISTIC,
        information=kinds.Information.PERFECT_INFORMATION,
        utility=kinds.Utility.GENERAL_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=1,
        min_num_players=1,
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=False,
        provides_observation_tensor=False,
    )
    info = pyspiel.GameInfo(
        num_distinct_actions=8,
        max_chance_outcomes=0,
        num_players=1,
        min_utility=0.0,
        max_utility=0.0,
        max_game_length=moves,
    )
    actions = list(range(8))

    class Idle(pyspiel.Game):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__(kind, info, {})

        def new_initial_state(self) -> Any:
            return State(self)

    class State(pyspiel.State):  # type: ignore[misc]
        def __init__(self, game: Idle) -> None:
            super().__init__(game)
            self._left = moves

        def is_terminal(self) -> bool:
            return self._left == 0

        def is_chance_node(self) -> bool:
            return False

        def current_player(self) -> int:
            return 0

        def legal_actions(self) -> list[int]:
            return actions

        def _apply_action(self, action: int) -> None:
            self._left -= 1

    return Idle()


def openspiel_jobs(deals: int) -> dict[str, Job]:
    """Everything that is driven as OpenSpiel's games are."""
    import pyspiel

    import ultimo.research.openspiel  # noqa: F401 - registers the games

    tarok, idle = pyspiel.load_game(TAROK), idle_game(78)
    jobs = {
        "tarok": steps(tarok.new_initial_state, 12 * deals),
        "tarok" + AFTER: steps(dealt(tarok).clone, 12 * deals),
        "a game in Python that does nothing": steps(idle.new_initial_state, deals),
    }
    for book in BOOKS:
        game = pyspiel.load_game(f"ultimo_{book}")
        begun, after = game.new_initial_state(), dealt(game)
        jobs[f"{book}, `State`"] = steps(begun.clone, deals)
        jobs[f"{book}, `playout`"] = steps(begun.playout, deals)
        jobs[f"{book}, `State`{AFTER}"] = steps(after.clone, deals)
        jobs[f"{book}, `playout`{AFTER}"] = steps(after.playout, deals)
    return jobs


def measure(full: bool) -> Section:
    """All in steps a second."""
    rates = in_turns(openspiel_jobs(400 if full else 100), 9 if full else 5)
    tarok = rates["tarok" + AFTER].cpu
    ours = {
        kind: min(rates[f"{book}, `{kind}`{AFTER}"].cpu for book in BOOKS) for kind in ("playout", "State")
    }
    return Section(
        "The doors for researchers",
        __doc__.replace("\n", " ").strip(),
        (
            table(
                ("", "steps/s", "by the clock", "µs a step"),
                [(name, rate.cpu, rate.wall, 1e6 / rate.cpu) for name, rate in rates.items()],
            ),
        ),
        tuple(
            Bar(f"OpenSpiel: steps of a `{kind}` against those of `tarok`", 1, found / tarok, " ×")
            for kind, found in ours.items()
        ),
    )
