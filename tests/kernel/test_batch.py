"""Deals side by side are the deals of any other run, and nothing illegal gets in."""

from __future__ import annotations

import numpy as np
import pytest

from table import DANISH, FRENCH
from ultimo.kernel.batch import Batch
from ultimo.kernel.danish import run as danish_run
from ultimo.kernel.french import run as french_run
from ultimo.kernel.policy import POLICIES
from ultimo.rulebook import DanishRules, FrenchRules, load


@pytest.mark.parametrize("book", [*DANISH, *FRENCH])
def test_a_batch_played_by_random_choice_ends_in_order(book: str) -> None:
    rng = np.random.default_rng(5)
    batch = Batch(load(book), deals=40, seed=9)
    start = batch.net.sum() + batch.cups.sum()
    dealt_in = 0
    while not batch.done.all():
        may = batch.legal_table()
        assert np.array_equal(may.any(axis=1), ~batch.done)
        assert ((batch.turn >= 0) == ~batch.done).all()
        batch.step(np.where(may, rng.random(may.shape), 0).argmax(axis=1))
        dealt_in += 1
    assert dealt_in > 25
    assert batch.net.sum() + batch.cups.sum() == start


@pytest.mark.parametrize("book", [*DANISH, *FRENCH])
def test_a_batch_deals_the_same_cards_as_a_run(book: str) -> None:
    rules = load(book)
    batch = Batch(rules, deals=12, seed=31, first=4)
    batch.play()
    if isinstance(rules, DanishRules):  # the first deal of each session of one, with founded cups
        rows = danish_run.sessions(rules, table=3, seed=31, first=4, number=12, length=1)
        founded = Batch(rules, deals=12, seed=31, first=4, king=int(rows[0, 10]), pagat=int(rows[0, 11]))
        founded.play()
        column = danish_run.COLUMNS.index("king_cup_after")
        assert np.array_equal(founded.cups, rows[:, column : column + 2])
    else:
        assert isinstance(rules, FrenchRules)
        rows = french_run.sessions(rules, seed=31, first=4, number=12)
        bids = rows[:, french_run.COLUMNS.index("result")]
        assert len(bids) == len(batch.net)
    again = Batch(rules, deals=12, seed=31, first=4)
    again.play()
    assert np.array_equal(batch.net, again.net)


def test_wrong_actions_are_refused_and_change_nothing() -> None:
    batch = Batch(load("dtf"), deals=3, seed=1)
    before = batch.legal_table()
    illegal = (~before).argmax(axis=1)
    refused = ((illegal, "not legal in deal 0"), ([-5, 0, 0], "not legal"), ([0], "one action for each"))
    for wrong, words in refused:
        with pytest.raises(ValueError, match=words):
            batch.step(wrong)
    assert np.array_equal(before, batch.legal_table())


def test_the_tricks_that_were_won_are_told() -> None:
    danish = Batch(load("dtf"), deals=20, seed=3)
    danish.play()
    assert (danish.tricks_won.sum(axis=1) == 25).all()
    french = Batch(load("french4"), deals=20, seed=3)
    french.play()
    assert french.tricks_won.shape == (20, 1)
    assert 0 <= french.tricks_won.min() < french.tricks_won.max() <= 18


@pytest.mark.parametrize("book", ["dtf", "french5"])
def test_deals_go_on_by_policies_until_a_place_is_to_act(book: str) -> None:
    rules, rng = load(book), np.random.default_rng(1)
    club = POLICIES["club"]
    batch, stops = Batch(rules, deals=30, seed=2), rng.integers(0, 3, 30)
    while not batch.done.all():
        batch.play_on((club,), stops)
        assert (batch.done | (batch.turn == stops)).all()
        may = batch.legal_table()
        batch.step(np.where(may, rng.random(may.shape), 0).argmax(axis=1))
    alone = Batch(rules, deals=30, seed=2)
    alone.play_on((club,), np.full(30, -1))
    whole = Batch(rules, deals=30, seed=2)
    whole.play((club,))
    assert alone.done.all()
    assert np.array_equal(alone.net, whole.net)


@pytest.mark.parametrize("book", ["hermansen", "french3"])
def test_other_deals_take_the_place_of_some(book: str) -> None:
    batch, other = Batch(load(book), deals=5, seed=8), Batch(load(book), deals=2, seed=8, first=20)
    kept = batch.states[[0, 2, 4]].copy()
    batch.deal_anew([1, 3], [20, 21])
    assert np.array_equal(batch.states[[0, 2, 4]], kept)
    assert np.array_equal(batch.states[[1, 3]], other.states)
    assert np.array_equal(batch.legal_table()[[1, 3]], other.legal_table())
