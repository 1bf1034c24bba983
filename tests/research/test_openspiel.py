"""OpenSpiel's games: its own tests of a game, the kernel's deals and points, what a player cannot know."""

from __future__ import annotations

import pickle
from random import Random
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms.ismcts import ISMCTSBot
from open_spiel.python.algorithms.mcts import RandomRolloutEvaluator

import ultimo.research.openspiel  # noqa: F401 - registers the games
from table import DANISH
from ultimo import rulebook
from ultimo.cards import ALL_TRUMPS, indices
from ultimo.kernel.batch import Batch
from ultimo.kernel.danish import layout as danish_at
from ultimo.kernel.french import layout as french_at
from ultimo.kernel.sets import cards_in
from ultimo.research.history import vocabulary
from ultimo.research.observing import observations
from ultimo.research.tree import MOST_DEALS
from ultimo.rulebook import DanishRules

BOOKS = rulebook.ids()
DEMAND, ACCEPT = danish_at.DEMAND_REDEAL, danish_at.ACCEPT
PASS, SANS_LE_CHIEN, NO_SLAM = french_at.PASS, french_at.BID + 2, french_at.DECLINE


def load(book: str) -> Any:
    return pyspiel.load_game(f"ultimo_{book}")


def dealt(game: Any, cards: list[int]) -> Any:
    """A deal in which the cards come in this order."""
    state = game.new_initial_state()
    for card in cards:
        state.apply_action(card)
    return state


def shuffled(rng: Random) -> list[int]:
    return rng.sample(range(78), 78)


def own_actions(state: Any, player: int) -> list[int]:
    return [one.action for one in state.full_history() if one.player == player]


def assert_looks_the_same(state: Any, other: Any, player: int) -> None:
    assert other.information_state_string(player) == state.information_state_string(player)
    assert other.information_state_tensor(player) == state.information_state_tensor(player)
    assert other.observation_tensor(player) == state.observation_tensor(player)
    assert own_actions(other, player) == own_actions(state, player)


@pytest.mark.parametrize("book", BOOKS)
def test_openspiels_own_tests_of_a_game(book: str) -> None:
    pyspiel.random_sim_test(load(book), num_sims=1, serialize=False, verbose=False)


def test_openspiels_search_finds_a_card() -> None:
    game, rng = load("french3"), Random(2)
    state = dealt(game, shuffled(rng))
    while len(state.history()) < 130:
        state.apply_action(state.legal_actions()[-1])
    dice = np.random.RandomState(1)
    bot = ISMCTSBot(game, RandomRolloutEvaluator(1, dice), 50.0, 10, random_state=dice)
    assert bot.step(state) in state.legal_actions()


@pytest.mark.parametrize("book", ["hermansen", "french5"])
def test_a_state_is_kept_and_read_again(book: str) -> None:
    game, rng = load(book), Random(1)
    state = dealt(game, shuffled(rng))
    for _ in range(12):
        state.apply_action(rng.choice(state.legal_actions()))
    _, other = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))
    again, copy = pickle.loads(pickle.dumps((game, state))), state.clone()
    assert list(map(str, again)) == [str(game), str(state)]
    while not state.is_terminal():
        assert str(other) == str(state)
        assert other.legal_actions() == state.legal_actions()
        assert_looks_the_same(state, other, state.current_player())
        action = rng.choice(state.legal_actions())
        state.apply_action(action)
        other.apply_action(action)
    assert other.returns() == state.returns()
    assert not copy.is_terminal()


def test_a_playout_leaves_its_state_as_it_is() -> None:
    state = dealt(load("dtf"), shuffled(Random(1)))
    walk, other = state.playout(), state.clone()
    while not walk.is_terminal():
        action = walk.legal_actions()[-1]
        assert other.legal_actions() == walk.clone().legal_actions()
        walk.apply_action(action)
        other.apply_action(action)
    assert walk.returns() == other.returns()
    assert len(state.history()) == 78


@pytest.mark.parametrize("book", BOOKS)
def test_a_deal_comes_to_the_same_as_in_the_kernel(book: str) -> None:
    rules, rng = rulebook.load(book), Random(3)
    batch = Batch(rules, deals=3, seed=5)
    states = [dealt(load(book), as_dealt(batch, row)) for row in range(3)]
    while not batch.done.all():
        chosen, table = [0] * 3, batch.legal_table()
        seen = observations(batch)
        for row, state in enumerate(states):
            if not state.is_terminal():
                assert state.current_player() == batch.turn[row]
                assert state.legal_actions() == np.flatnonzero(table[row]).tolist()
                assert state.observation_tensor(state.current_player()) == seen[row].tolist()
                chosen[row] = rng.choice(state.legal_actions())
                state.apply_action(chosen[row])
        batch.step(chosen)
    for row, state in enumerate(states):
        assert state.is_terminal()
        assert state.returns() == batch.net[row].tolist()
        assert sum(state.returns()) == (120 - batch.cups[row].sum() if batch.cups.size else 0)


def as_dealt(batch: Batch, row: int) -> list[int]:
    """The cards of a deal that has just been dealt, in the order in which OpenSpiel deals."""
    at = danish_at if isinstance(batch.rules, DanishRules) else french_at
    s = batch.states[row]
    sets = [cards_in(s[at.SUITS + place], s[at.TRUMPS + place]) for place in range(batch.places)]
    if not isinstance(batch.rules, DanishRules):
        sets.append(cards_in(s[french_at.CHIEN_SUITS], s[french_at.CHIEN_TRUMPS]))
    return [card for together in sets for card in indices(together)]


# --- what a player knows ---------------------------------------------------------------------------------


@pytest.mark.parametrize("book", BOOKS)
def test_nobody_observes_the_cards_of_the_others(book: str) -> None:
    cards = shuffled(Random(2))
    game = load(book)
    hand = 25 if book in DANISH else (24, 18, 15)[game.num_players() - 3]
    others = cards[hand : 2 * hand], cards[2 * hand :]
    other = [*cards[:hand], *others[1][:hand], *others[0], *others[1][hand:]]
    one, two = dealt(game, cards), dealt(game, other)
    assert str(one) != str(two)
    assert_looks_the_same(one, two, 0)


@pytest.mark.parametrize("book", BOOKS)
def test_a_deal_is_drawn_that_looks_the_same_to_a_player(book: str) -> None:
    game, rng = load(book), Random(len(book))
    phases = set[int]()
    for _ in range(2):
        state = dealt(game, shuffled(rng))
        while not state.is_terminal():
            phase = int(state._row[state.tree.phase])
            if phase not in phases or rng.random() < 0.07:
                phases.add(phase)
                for player in range(game.num_players()):
                    other = state.resample_from_infostate(player, rng.random)
                    assert_looks_the_same(state, other, player)
                    if player == state.current_player():
                        assert other.legal_actions() == state.legal_actions()
            state.apply_action(rng.choice(state.legal_actions()))
    assert len(phases) >= 2


def test_other_cards_lie_with_the_others() -> None:
    state = dealt(load("french4"), shuffled(Random(4)))
    drawn = {tuple(state.resample_from_infostate(0, Random(seed).random).history()) for seed in range(5)}
    assert len(drawn) == 5
    assert drawn == {
        tuple(state.resample_from_infostate(0, Random(seed).random).history()) for seed in range(5)
    }


def test_a_poignee_is_seen_when_all_of_it_is_shown() -> None:
    game, rng = load("french4"), Random(1)
    trumps, plain = list(range(56, 69)), [card for card in range(78) if card not in range(56, 69)]
    state = dealt(game, [*plain[:5], *trumps, *rng.sample(plain[5:], 60)])
    for action in (PASS, PASS, PASS, SANS_LE_CHIEN):
        state.apply_action(action)
    while NO_SLAM in state.legal_actions():
        state.apply_action(NO_SLAM)
    before = state.clone()
    state.apply_action(french_at.SHOW)
    for card in (60, 61):
        state.apply_action(card)
        for player in (1, 2, 3):
            assert_looks_the_same(before, state, player)
            assert_looks_the_same(state, state.resample_from_infostate(player, rng.random), player)
        assert_looks_the_same(state, state.resample_from_infostate(0, rng.random), 0)
    while state.observation_tensor(1) == before.observation_tensor(1):
        state.apply_action(state.legal_actions()[0])
    assert "poignees: 0 0 0 10" in state.observation_string(1)
    assert_looks_the_same(state, state.resample_from_infostate(1, rng.random), 1)


# --- a redeal --------------------------------------------------------------------------------------------


def without_trumps(rng: Random) -> list[int]:
    """Cards of which forehand gets no trump."""
    plain = rng.sample([card for card in range(78) if not ALL_TRUMPS >> card & 1], 25)
    return [*plain, *rng.sample([card for card in range(78) if card not in plain], 53)]


def test_who_is_dealt_no_trump_may_ask_for_other_cards() -> None:
    game, rng = load("hermansen"), Random(1)
    first = without_trumps(rng)
    state = dealt(game, first)
    for _ in range(MOST_DEALS - 1):
        assert state.legal_actions() == [ACCEPT, DEMAND]
        assert "turn: 1 0 0" in state.observation_string(0)
        assert "turn" not in state.observation_string(1)  # whom the question is put to is not told
        assert_looks_the_same(state, state.resample_from_infostate(0, rng.random), 0)
        state.apply_action(DEMAND)
        assert state.is_chance_node()
        for card in without_trumps(rng):
            state.apply_action(card)
    assert state.legal_actions() == [ACCEPT]
    state.apply_action(ACCEPT)
    for player in range(3):
        assert_looks_the_same(state, state.resample_from_infostate(player, rng.random), player)
    token = 3 * vocabulary(state.tree.rules)
    assert state.tokens(0)[:25] == [
        token + card for card in sorted(first[:25])
    ]  # cards thrown in are recalled


# --- what a game is told ---------------------------------------------------------------------------------


def test_cups_are_parameters_of_a_danish_game() -> None:
    game = pyspiel.load_game("ultimo_jensen(king=33,pagat=7)")
    state = dealt(game, shuffled(Random(1)))
    assert "cups: 38 12" in state.observation_string(0)  # with the dealer's ante
    assert game.get_parameters() == {"king": 33, "pagat": 7}
    with pytest.raises(pyspiel.SpielError, match="king"):
        pyspiel.load_game("ultimo_french4(king=1)")


def test_observations_come_in_named_pieces() -> None:
    game = load("french5")
    state = dealt(game, list(range(78)))
    observer = game.make_py_observer(pyspiel.IIGObservationType(perfect_recall=True))
    observer.set_from(state, 1)
    assert np.flatnonzero(observer.dict["hand"][0]).tolist() == list(range(15, 30))
    assert observer.dict["played"].shape == (5, 78)
    assert observer.dict["history"].any()
    assert observer.tensor.tolist() == state.information_state_tensor(1)
    assert state.action_to_string(0, 80) == "bid garde"
    assert state.action_to_string(pyspiel.PlayerId.CHANCE, 0) == "deal S1"
