"""Random play-outs of other engines beside those of `hermansen`: OpenSpiel's `tarok`, and colver.

OpenSpiel's `tarok` is Slovenian, 54 cards for three players, in C++. Its rollouts cannot be called one by one
from Python; but a search of one simulation, whose evaluator makes thousands of rollouts, does little else.
They start after the deal, so OpenSpiel deals no cards, and from the first card of a contract of full length
(16 tricks, 48 card plays), so it spends nothing on bids. colver is a Belote engine in Rust, 32 cards for four
players; its rollouts start from the first card of one deal. `hermansen` deals, lays, declares, plays 75 cards
and settles, and only its card plays are counted.
"""

from __future__ import annotations

from random import Random
from typing import Any

from benchmarks.measure import Job, in_turns
from benchmarks.playouts import job, plays_in_deal
from benchmarks.report import Bar, Section, table

GAME = "tarok(players=3,rng_seed=1)"
FULL_LENGTH = ("KLOP", "THREE", "TWO", "ONE")  # contracts in which every deal has all its tricks
PLAYS = 48
PASS = 0
BELOTE_PLAYS = 32
COLVER = "colver, Rust rollouts"
WHOLE = "OpenSpiel, C++ rollouts from the first bid, all actions counted"
WHOLE_PLAYS = "OpenSpiel, C++ rollouts from the first bid, only card plays counted"


def first_trick(game: Any, contract: str) -> Any:
    """A deal of this contract before its first card, bid and exchanged at random."""
    import pyspiel

    for seed in range(100_000):
        rng, state = Random(seed), dealt(game)
        while state.current_game_phase() != pyspiel.TarokGamePhase.TRICKS_PLAYING:
            legal = state.legal_actions()
            bidding = state.current_game_phase() == pyspiel.TarokGamePhase.BIDDING
            state.apply_action(
                PASS if bidding and PASS in legal and rng.random() < 0.8 else rng.choice(legal)
            )
        if state.selected_contract().name == contract:
            return state
    raise LookupError(contract)


def dealt(game: Any) -> Any:
    """A deal before the first bid."""
    state = game.new_initial_state()
    state.apply_action(state.chance_outcomes()[0][0])
    return state


def actions_in(state: Any, rng: Random) -> int:
    """Play a copy to its end from Python; how many actions that took."""
    state, actions = state.clone(), 0
    while not state.is_terminal():
        state.apply_action(rng.choice(state.legal_actions()))
        actions += 1
    return actions


def mean_lengths(state: Any, number: int) -> tuple[float, float]:
    """How many actions a random deal takes on average, and how many of them are card plays."""
    import pyspiel

    rng, actions, plays = Random(1), 0, 0
    for _ in range(number):
        playing = state.clone()
        while not playing.is_terminal():
            plays += playing.current_game_phase() == pyspiel.TarokGamePhase.TRICKS_PLAYING
            playing.apply_action(rng.choice(playing.legal_actions()))
            actions += 1
    return actions / number, plays / number


def rollouts(game: Any, state: Any, number: int, actions: float) -> Job:
    """So many rollouts in C++; the work is the actions."""
    import pyspiel

    def roll_out() -> float:
        evaluator = pyspiel.RandomRolloutEvaluator(number, 1)
        pyspiel.MCTSBot(game, evaluator, 2.0, 1, 100, False, 1, False).step(state)  # one simulation
        return number * actions

    return roll_out


def from_python(state: Any, number: int) -> Job:
    """So many rollouts from Python; the work is the actions."""
    return lambda: sum(actions_in(state, Random(seed)) for seed in range(number))


def with_bots(state: Any, number: int) -> Job:
    """So many deals of the random bots in C++, a call each; the work is the card plays."""
    import pyspiel

    def play() -> float:
        bots = [pyspiel.make_uniform_random_bot(seat, seat + 1) for seat in range(3)]
        for seed in range(number):
            pyspiel.evaluate_bots(state.clone(), bots, seed)
        return number * PLAYS

    return play


def belote(number: int) -> Job:
    """So many rollouts of colver, from the first card; the work is the card plays."""
    import colver

    env = colver.Env.deal(dealer=0, seed=1)
    env.set_contract(trump=0, value=80, team=0, coinche=0)
    env.set_phase_playing()

    def roll_out() -> float:
        env.rollout(number)
        return number * BELOTE_PLAYS

    return roll_out


def measure(full: bool) -> Section:
    """All in card plays a second."""
    import pyspiel

    game = pyspiel.load_game(GAME)
    number = 20_000 if full else 8_000
    roots = {contract: first_trick(game, contract) for contract in FULL_LENGTH}
    bidding = dealt(game)
    actions, plays = mean_lengths(bidding, 5_000)
    in_cpp = {
        f"OpenSpiel, C++ rollouts, {name.lower()}": rollouts(game, root, number, PLAYS)
        for name, root in roots.items()
    }
    in_cpp[WHOLE] = rollouts(game, bidding, 4 * number, actions)
    jobs = {
        **in_cpp,
        "OpenSpiel, C++ random bots, a call a deal": with_bots(roots["THREE"], number // 8),
        "OpenSpiel, random actions from Python": from_python(roots["THREE"], number // 40),
        COLVER: belote(10 * number),
        "hermansen": job("hermansen", 30_000),
    }
    rates = in_turns(jobs, 9 if full else 7)
    rates["hermansen"] = rates["hermansen"].times(plays_in_deal("hermansen"))
    rates[WHOLE_PLAYS] = rates[WHOLE].times(plays / actions)
    ours, best = rates["hermansen"], max(rates[name].cpu for name in in_cpp)
    return Section(
        "Other engines",
        __doc__.partition("\n\n")[2].replace("\n", " ").strip()
        + " Rollouts from the first bid mostly end after a trick or two, since random bids end in a valat; "
        f"a rollout has {actions:.1f} actions, {plays:.1f} of them card plays. "
        "The bar is for the fastest of OpenSpiel's C++ rows.",
        (
            table(
                ("", "card plays/s", "by the clock", "hermansen is × faster"),
                [(name, rate.cpu, rate.wall, ours.cpu / rate.cpu) for name, rate in rates.items()],
            ),
        ),
        (
            Bar("card plays of hermansen against OpenSpiel's best C++ rollouts", 18, ours.cpu / best, " ×"),
            Bar("card plays of hermansen against colver's", 2.4, ours.cpu / rates[COLVER].cpu, " ×"),
        ),
    )
