"""Games in small steps: the deals, the points and the cups of every other run of the same seed."""

from __future__ import annotations

import numpy as np
import pytest

from table import DANISH, FRENCH
from ultimo.kernel.danish import run as danish_run
from ultimo.kernel.danish.policy.choose import choose as choose_danish
from ultimo.kernel.french import run as french_run
from ultimo.kernel.french.policy.choose import choose as choose_french
from ultimo.kernel.policy import POLICIES
from ultimo.research.actions import names
from ultimo.research.game import Game
from ultimo.research.history import vocabulary
from ultimo.rulebook import DanishRules, FrenchRules, load

CLUB = POLICIES["club"]


def club_choice(game: Game) -> int:
    """What a club player does, by the loops of the kernel."""
    batch = game._batch
    if isinstance(game.rules, DanishRules):
        return int(choose_danish(CLUB, batch._n, batch.states[0], batch._paper, batch._dice[0]))
    return int(choose_french(CLUB, batch._n, batch.states[0], batch._dice[0]))


@pytest.mark.parametrize(("book", "table"), [(book, table) for book in DANISH for table in load(book).sizes])
def test_a_danish_session_is_that_of_a_run(book: str, table: int) -> None:
    rules = load(book)
    assert isinstance(rules, DanishRules)
    rows = danish_run.sessions(rules, table=table, seed=3, first=2, number=1, length=6, policies=(CLUB,))
    game = Game(rules, table=table, deals=6, seed=3, session=2)
    for row in rows:
        assert game.number == row[danish_run.DEAL]
        assert game.seats == tuple(row[danish_run.PLACES : danish_run.SEAT_NETS])
        played = game.played
        while game.played == played:
            game.act(club_choice(game))
        assert game.settled == tuple(row[danish_run.SEAT_NETS :][:table])
        assert game.cups == tuple(row[danish_run.AFTER :][:2])
    assert game.is_over
    assert sum(game.points) == -sum(game.cups)


@pytest.mark.parametrize("book", FRENCH)
def test_french_deals_are_those_of_a_run(book: str) -> None:
    rules = load(book)
    assert isinstance(rules, FrenchRules)
    rows = french_run.sessions(rules, seed=3, first=0, number=8, policies=(CLUB,))
    game = Game(rules, deals=8, seed=3)
    points = np.zeros(rules.players, np.int64)
    while not game.is_over:
        game.act(club_choice(game))
    points = rows[:, french_run.NET : french_run.NET + rules.players].sum(axis=0)
    assert game.points == tuple(points)


@pytest.mark.parametrize("book", ["basta", "french5"])
def test_a_copy_goes_its_own_way(book: str) -> None:
    game = Game(load(book), deals=2, seed=1, history=True)
    rng = np.random.default_rng(1)

    def step(one: Game) -> None:
        one.act(int(rng.choice(np.flatnonzero(one.legal()))))

    for _ in range(40):
        step(game)
    other, before = game.copy(), game.observe(game.turn or 0)
    while not other.is_over:
        step(other)
    assert np.array_equal(game.observe(game.turn or 0), before)
    assert not game.is_over
    while not game.is_over:
        step(game)


@pytest.mark.parametrize("book", ["hermansen", "french5"])
def test_everybody_reads_the_same_history_from_their_own_seat(book: str) -> None:
    rules = load(book)
    game, rng = Game(rules, seed=5, history=True), np.random.default_rng(2)
    assert game.history is not None
    words = vocabulary(rules)
    while not game.is_over:
        said = game.history.said
        for seat in game.seats:
            tokens = game.history.tokens(seat)
            assert [token % words for token in tokens] == [word for _, word in said]
            assert all(0 <= token < len(game.seats) * words for token in tokens)
        game.act(int(rng.choice(np.flatnonzero(game.legal()))))
    played = [word for _, word in game.history.said if word < 78]
    assert len(played) >= 75


def test_every_action_has_a_name_of_its_own() -> None:
    for danish in (True, False):
        assert len(set(names(danish))) == len(names(danish))


def test_a_table_of_the_wrong_size_is_refused() -> None:
    with pytest.raises(ValueError, match="basta is for"):
        Game(load("basta"), table=5)
