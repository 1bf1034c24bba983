"""Decisions a second through the doors for researchers, beside OpenSpiel and RLCard.

All is driven by random actions that are chosen in Python or numpy, in one run and in turns. A step is a
decision of a player that comes from outside: what compiled bots decide in between takes its time and does not
count. The games differ: a deal of one has ten decisions, of another a hundred, and what there is to decide is
more or less work. So beside decisions a second stand decisions a deal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from random import Random
from typing import Any, NamedTuple, TypeAlias

import gymnasium
import numpy as np
import numpy.typing as npt
from benchmarks.measure import Job, Rate, in_turns
from benchmarks.peers import first_trick
from benchmarks.report import Bar, Section, table

import ultimo.research.gymnasium  # noqa: F401 - registers the environments
from ultimo.kernel.batch import Batch
from ultimo.kernel.jit import Ints
from ultimo.research import pettingzoo
from ultimo.research.learning import Learners
from ultimo.research.observing import layout_of, observations
from ultimo.rulebook import load

BOOKS = ("hermansen", "french4")
TABLES = 1024  # side by side
LEVELS = ("random", "club")
TAROK = "tarok(players=3,rng_seed=1)"
AFTER = ", after the deal"
FIRST_TRICK = "OpenSpiel's `tarok`, from its first trick"
IDLE = "OpenSpiel, a game in Python that does nothing"
PEERS = ("doudizhu", "bridge")  # of RLCard: a climbing game for three, and a trick-taking game
AGENTS = ("PettingZoo, raw", "PettingZoo, with its checks")
HEAD = ("", "decisions/s", "by the clock", "µs a decision", "decisions a deal", "deals/s")
INSTALL = "pip install -r requirements/bench.lock"

ONE = """\
**One deal at a time.** PettingZoo is driven by the loop of its own `performance_benchmark`, for a number of
deals instead of five seconds; every step observes and has a mask. Gymnasium has one learner, and compiled
bots in the other seats. RLCard's environments observe at every step too; `run` is its own loop with its own
random agents, which choose by `numpy.random.choice`."""
MANY = """\
**Many deals side by side**, {tables:,} in one process. In a `Batch` all decisions come from outside.
`Learners`, and Gymnasium's vector environment on it, have one learner at each table and compiled bots in the
other seats; only the learner's decisions count. Club players think longer than random ones, whose rows tell
what the environment itself takes. A mask is a row of a table of booleans, an observation the whole vector;
Gymnasium's vector environment gives both."""
OPEN = """\
**OpenSpiel.** Its `tarok` (C++, Slovenian, three players) and Ultimo's games are driven by the same loop.
Ultimo deals card by card, 78 chance nodes a deal, `tarok` all cards in one; so a row has whole deals, and
another those after the deal. Random bids in `tarok` mostly end the deal after a trick or two; so one more row
begins at the first trick of a contract of full length, and the bar is against the faster of the two. `State`
keeps its history in C++ as OpenSpiel wants it, `playout` is the same deal in Python alone."""
PROFILE = """\
Why a `State` is slower than `tarok`: of its {state:.2f} µs a decision, `playout` takes {playout:.2f}, for the
rules, the legal actions and the loop. The other {bridge:.2f} are OpenSpiel's way to a game in Python:
`apply_action` goes to C++, and C++ comes back to Python for `current_player` and for `_apply_action`, and
looks each up by its name. A game in Python that does nothing takes {idle:.2f}, `tarok` {tarok:.2f}.{verdict}
Where the history is not needed, as in rollouts, use `playout`."""
UNREACHED = " So no game in Python can be as fast as `tarok` here."


class Played(NamedTuple):
    """What was done through a door."""

    decisions: int
    deals: int


Play: TypeAlias = Callable[[], Played]
Row: TypeAlias = tuple[Any, ...]  # of a table


# --- one deal at a time --------------------------------------------------------------------------------


def by_agents(env: Any, deals: int) -> Play:
    """The loop of PettingZoo's `performance_benchmark`, so many deals long."""

    def play() -> Played:
        rng, decisions, left = Random(1), 0, deals
        env.reset(seed=1)
        for _ in env.agent_iter():
            seen, _, over, _, _ = env.last()  # some deals are over as soon as they are dealt
            env.step(None if over else rng.choice(np.flatnonzero(seen["action_mask"]).tolist()))
            decisions += not over
            if all(env.terminations.values()) or all(env.truncations.values()):
                left -= 1
                if not left:
                    break
                env.reset()
        return Played(decisions, deals)

    return play


def by_learner(env: Any, deals: int) -> Play:
    """So many deals at one table of Gymnasium."""

    def play() -> Played:
        rng, decisions = Random(1), 0
        for deal in range(deals):
            info, over = env.reset(seed=None if deal else 1)[1], False
            while not over:
                _, _, over, _, info = env.step(rng.choice(np.flatnonzero(info["action_mask"]).tolist()))
                decisions += 1
        return Played(decisions, deals)

    return play


def by_reset_and_step(env: Any, deals: int) -> Play:
    """So many deals of an environment of RLCard."""

    def play() -> Played:
        rng, before = Random(1), env.timestep
        for _ in range(deals):
            state, _ = env.reset()
            while not env.is_over():
                state, _ = env.step(rng.choice(list(state["legal_actions"])))
        return Played(env.timestep - before, deals)

    return play


def by_its_agents(env: Any, deals: int) -> Play:
    """So many deals of an environment of RLCard with its own random agents."""
    from rlcard.agents.random_agent import RandomAgent

    env.set_agents([RandomAgent(env.num_actions)] * env.num_players)

    def play() -> Played:
        before = env.timestep
        for _ in range(deals):
            env.run(is_training=True)
        return Played(env.timestep - before, deals)

    return play


def one_at_a_time(deals: int) -> dict[str, Play]:
    """PettingZoo and Gymnasium, and RLCard if it is there."""
    doors = {}
    for book in BOOKS:
        doors[f"{book}, PettingZoo, raw"] = by_agents(pettingzoo.raw_env(rules=book), deals)
        doors[f"{book}, PettingZoo, with its checks"] = by_agents(pettingzoo.env(rules=book), deals)
        env = gymnasium.make(f"ultimo/{book.capitalize()}-v0", opponents="club")
        doors[f"{book}, Gymnasium, club players"] = by_learner(env, 2 * deals)
    for game in PEERS:
        if (peer := _peer(game)) is not None:
            doors[f"RLCard's {game}"] = by_reset_and_step(peer, -(-deals // 3))
            doors[f"RLCard's {game}, `run`"] = by_its_agents(peer, -(-deals // 3))
    return doors


def _peer(game: str) -> Any:
    """An environment of RLCard; none if it is not installed."""
    try:
        import rlcard
    except ImportError:
        return None
    return rlcard.make(game, config={"seed": 1})


# --- many side by side ---------------------------------------------------------------------------------


def one_of_each(masks: npt.NDArray[np.bool_], rng: np.random.Generator) -> Ints:
    """A legal action of each row, each as likely as another; anything where there is none."""
    legal, counts = np.flatnonzero(masks), np.count_nonzero(masks, axis=1)
    chosen = np.cumsum(counts) - counts + (rng.random(len(counts)) * counts).astype(np.int64)
    actions: Ints = legal[np.minimum(chosen, len(legal) - 1)] % masks.shape[1]
    return actions


def in_batch(book: str, deals: int, observed: bool) -> Play:
    """So many deals to their end, all decisions from outside."""
    rules, rng = load(book), np.random.default_rng(1)
    seen = np.empty((deals, layout_of(rules).size), np.float32)

    def play() -> Played:
        batch, decisions = Batch(rules, deals=deals, seed=1), 0
        while left := deals - int(np.count_nonzero(batch.done)):
            if observed:
                observations(batch, out=seen)
            batch.step(one_of_each(batch.legal_table(), rng))
            decisions += left
        return Played(decisions, deals)

    return play


def with_learners(book: str, tables: int, steps: int, opponents: str, observed: bool) -> Play:
    """So many decisions of a learner at each table."""
    learners, rng = Learners(load(book), tables=tables, seed=1, opponents=opponents), np.random.default_rng(1)
    seen = np.empty((tables, learners.layout.size), np.float32)

    def play() -> Played:
        deals = 0
        for _ in range(steps):
            if observed:
                learners.observations(seen)
            _, over = learners.step(one_of_each(learners.masks(), rng))
            deals += int(np.count_nonzero(over))
        return Played(steps * tables, deals)

    return play


def with_vector(book: str, tables: int, steps: int, opponents: str) -> Play:
    """The same by Gymnasium."""
    env = gymnasium.make_vec(f"ultimo/{book.capitalize()}-v0", num_envs=tables, opponents=opponents)
    rng, masks = np.random.default_rng(1), env.reset(seed=1)[1]["action_mask"]

    def play() -> Played:
        nonlocal masks
        deals = 0
        for _ in range(steps):
            _, _, over, _, info = env.step(one_of_each(masks, rng))
            masks = info["action_mask"]
            deals += int(np.count_nonzero(over))
        return Played(steps * tables, deals)

    return play


def side_by_side(tables: int, steps: int) -> dict[str, Play]:
    """Batches, and learners among bots."""
    doors = {}
    for book in BOOKS:
        doors[f"{book}, `Batch`, masks"] = in_batch(book, tables, False)
        doors[f"{book}, `Batch`, masks and observations"] = in_batch(book, tables, True)
        for level in LEVELS:
            name = f"{book}, `Learners`, {level} players, masks"
            doors[name] = with_learners(book, tables, steps, level, False)
            doors[f"{name} and observations"] = with_learners(book, tables, steps, level, True)
            doors[f"{book}, Gymnasium's vector, {level} players"] = with_vector(book, tables, steps, level)
    return doors


# --- OpenSpiel -----------------------------------------------------------------------------------------


def steps(root: Callable[[], Any], deals: int) -> Play:
    """So many deals to their end from where they begin; cards that are dealt are no decisions."""

    def play() -> Played:
        rng, done = Random(1), 0
        for _ in range(deals):
            state = root()
            while not state.is_terminal():
                if state.is_chance_node():
                    state.apply_action(rng.choice(state.chance_outcomes())[0])
                else:
                    state.apply_action(rng.choice(state.legal_actions()))
                    done += 1
        return Played(done, deals)

    return play


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


def by_openspiel(deals: int) -> dict[str, Play]:
    """Everything that is driven as OpenSpiel's games are."""
    import pyspiel

    import ultimo.research.openspiel  # noqa: F401 - registers the games

    tarok = pyspiel.load_game(TAROK)
    doors = {
        "OpenSpiel's `tarok`": steps(tarok.new_initial_state, 8 * deals),
        f"OpenSpiel's `tarok`{AFTER}": steps(dealt(tarok).clone, 8 * deals),
        FIRST_TRICK: steps(first_trick(tarok, "THREE").clone, 2 * deals),
        IDLE: steps(idle_game(78).new_initial_state, deals),
    }
    for book in BOOKS:
        game = pyspiel.load_game(f"ultimo_{book}")
        begun, after = game.new_initial_state(), dealt(game)
        doors[f"{book}, `State`"] = steps(begun.clone, deals)
        doors[f"{book}, `playout`"] = steps(begun.playout, deals)
        doors[f"{book}, `State`{AFTER}"] = steps(after.clone, deals)
        doors[f"{book}, `playout`{AFTER}"] = steps(after.playout, deals)
    return doors


# --- the report ----------------------------------------------------------------------------------------


def measure(full: bool) -> Section:
    """All in decisions a second."""
    return measured(one_at_a_time(60), side_by_side(TABLES, 60), by_openspiel(80), 15 if full else 6)


def measured(
    one: Mapping[str, Play], many: Mapping[str, Play], openspiel: Mapping[str, Play], turns: int
) -> Section:
    """The doors in turns."""
    totals = dict[str, Played]()
    rates = in_turns(
        {name: counted(name, play, totals) for name, play in {**one, **many, **openspiel}.items()}, turns
    )
    missing = [name for game in PEERS if (name := f"RLCard's {game}") not in one]
    absent = [(name, f"not installed: `{INSTALL}`", *[""] * (len(HEAD) - 2)) for name in missing]
    parts = (
        ONE,
        table(HEAD, [*_rows(one, rates, totals), *absent]),
        MANY.format(tables=TABLES),
        table(HEAD, _rows(many, rates, totals)),
        OPEN,
        table((*HEAD, "× `tarok`"), _against(_tarok(rates), _rows(openspiel, rates, totals))),
        _profile(rates),
    )
    return Section(
        "The doors for researchers",
        _flowing(__doc__.partition("\n\n")[2]),
        tuple(part if part.startswith("|") else _flowing(part) for part in parts if part),
        tuple(_bars(rates)),
    )


def counted(name: str, play: Play, totals: dict[str, Played]) -> Job:
    """A job whose work is decisions; how many a deal has is told by the totals."""

    def job() -> float:
        played, before = play(), totals.get(name, Played(0, 0))
        totals[name] = Played(before.decisions + played.decisions, before.deals + played.deals)
        return played.decisions

    return job


def _flowing(text: str) -> str:
    return text.replace("\n", " ").strip()


def _rows(names: Iterable[str], rates: Mapping[str, Rate], totals: Mapping[str, Played]) -> Iterator[Row]:
    for name in names:
        rate, length = rates[name], totals[name].decisions / max(totals[name].deals, 1)
        yield name, rate.cpu, rate.wall, 1e6 / rate.cpu, length, rate.cpu / length


def _against(rate: float, rows: Iterable[Row]) -> Iterator[Row]:
    """Rows with one column more: how their rate compares with another."""
    for name, own, *others in rows:
        yield name, own, *others, own / rate


def _bars(rates: Mapping[str, Rate]) -> Iterator[Bar]:
    def least(*doors: str) -> float:
        return min(rates[f"{book}, {door}"].cpu for book in BOOKS for door in doors)

    yield Bar("PettingZoo, raw and with its checks", 20_000, least(*AGENTS), " decisions/s")
    for door in ("`Batch`", "`Learners`, random players"):
        yield Bar(f"{door}, with masks", 1_000_000, least(f"{door}, masks"), " decisions/s")
        seen = least(f"{door}, masks and observations")
        yield Bar(f"{door}, with masks and observations", 250_000, seen, " decisions/s")
    seen = least(*(f"Gymnasium's vector, {level} players" for level in LEVELS))
    yield Bar("Gymnasium's vector, random or club players", 250_000, seen, " decisions/s")
    tarok = _tarok(rates)
    for kind in ("playout", "State"):
        yield Bar(
            f"OpenSpiel, after the deal: `{kind}` against `tarok`", 1, least(f"`{kind}`{AFTER}") / tarok, " ×"
        )


def _tarok(rates: Mapping[str, Rate]) -> float:
    return max(rates[f"OpenSpiel's `tarok`{AFTER}"].cpu, rates[FIRST_TRICK].cpu)


def _profile(rates: Mapping[str, Rate]) -> str:
    """What the time of a `State` is taken by; nothing where it is fast enough."""
    book = BOOKS[0]
    state, playout = (1e6 / rates[f"{book}, `{kind}`{AFTER}"].cpu for kind in ("State", "playout"))
    idle, tarok = 1e6 / rates[IDLE].cpu, 1e6 / _tarok(rates)
    if state <= tarok:
        return ""
    return PROFILE.format(
        state=state,
        playout=playout,
        bridge=state - playout,
        idle=idle,
        tarok=tarok,
        verdict=UNREACHED if idle > tarok else "",
    )
