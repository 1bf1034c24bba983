"""Do the drawn worlds fit what a seat has seen, and is the truth always among those that could be drawn?"""

from __future__ import annotations

import doctest
import os
from pathlib import Path
from random import Random

import numpy as np
import pytest

from kernel.worlds_views import Glimpse, glimpses
from properties.alternatives import changes
from properties.driving import SWITCHES, TABLES
from table import DANISH
from ultimo import deal, rulebook
from ultimo.cards import ALL_CARDS
from ultimo.kernel.dice import generator
from ultimo.kernel.worlds.count import paper
from ultimo.kernel.worlds.draw import sampler
from ultimo.kernel.worlds.exchange import exchange
from ultimo.kernel.worlds.knowledge import Impossible, knowledge
from ultimo.rulebook import Rules
from worlds_by_replay import consistent, fits

LONG = "ULTIMO_LONG" in os.environ
DEALS = 60 if LONG else 2
SHARE = 0.5 if LONG else 0.07  # of the moments in which worlds are drawn
WORLDS = 3
STRICT = [(book, size) for book, size in TABLES if book in DANISH]

every_table = pytest.mark.parametrize(("book", "size"), TABLES)


def house(book: str, rng: Random) -> Rules:
    """A rulebook with a few house rules, no errors among them."""
    chosen: dict[str, object] = {}
    for key, value in rng.sample(changes(book), 3):
        try:
            rulebook.load(book, chosen | {key: value})
        except rulebook.RulebookError:
            continue
        if not key.startswith("strict.") and not key.startswith("table."):
            chosen[key] = value
    return rulebook.load(book, chosen)


def assert_possible(glimpse: Glimpse) -> None:
    """The truth is one of the worlds, whether the viewer remembers everything or only its state."""
    for known in (glimpse.knowledge(), knowledge(glimpse.rules, glimpse.view)):
        assert fits(known, glimpse.truth), glimpse


@every_table
def test_the_truth_is_never_excluded(book: str, size: int) -> None:
    for number in range(DEALS):
        for glimpse in glimpses(rulebook.load(book), size, Random(f"truth {book} {size} {number}")):
            assert_possible(glimpse)


@every_table
def test_the_truth_is_never_excluded_by_house_rules(book: str, size: int) -> None:
    for number in range(DEALS):
        rng = Random(f"house {book} {size} {number}")
        for glimpse in glimpses(house(book, rng), size, rng):
            assert_possible(glimpse)


@pytest.mark.parametrize(("book", "size"), STRICT)
def test_the_truth_is_never_excluded_where_players_err(book: str, size: int) -> None:
    """A revoke proves no void, a false declaration no card."""
    for number in range(DEALS):
        rng = Random(f"strict {book} {size} {number}")
        switches: dict[str, object] = {switch: True for switch in SWITCHES if rng.random() < 0.5}
        mode = {"decl.mode": rng.choice(("auto", "manual"))}
        for glimpse in glimpses(rulebook.load(book, switches | mode), size, rng, error=0.1):
            assert_possible(glimpse)


@every_table
def test_every_world_gives_the_seat_the_same_deal(book: str, size: int) -> None:
    """Played again in a drawn world, the deal is legal and looks to the seat as it did."""
    drawn = 0
    for number in range(DEALS):
        rng = Random(f"worlds {book} {size} {number}")
        rules = house(book, rng) if number % 2 else rulebook.load(book)
        for step, glimpse in enumerate(glimpses(rules, size, rng)):
            if rng.random() < SHARE:
                ready = sampler(glimpse.knowledge())
                assert ready.exact  # nothing that happens at a table is too much to count
                worlds = ready.draw(WORLDS, generator(number, step))
                assert len(worlds) == WORLDS
                for place in range(WORLDS):
                    world = worlds.rows(place)
                    assert consistent(rules, glimpse.viewer, glimpse.seen, world)
                drawn += WORLDS
    assert drawn


@every_table
def test_neighbours_of_worlds_fit_as_well(book: str, size: int) -> None:
    changed = 0
    for step, glimpse in enumerate(glimpses(rulebook.load(book), size, Random(f"next {book} {size}"))):
        if step % 9:
            continue
        known, dice = glimpse.knowledge(), generator(2, step)
        worlds, moved = sampler(known).draw(WORLDS, dice), np.zeros(WORLDS, np.int64)
        before = worlds.suits.copy(), worlds.trumps.copy()
        for _ in range(8):
            exchange(known, dice, paper(), worlds.suits, worlds.trumps, moved)
        changed += (before[0] != worlds.suits).any() or (before[1] != worlds.trumps).any()
        for place in range(len(worlds)):
            assert consistent(glimpse.rules, glimpse.viewer, glimpse.seen, worlds.rows(place))
    assert changed


@every_table
def test_nothing_is_lost_and_nothing_doubled(book: str, size: int) -> None:
    """Every card that has not been played lies in one row, what the viewer sees where it is seen."""
    for step, glimpse in enumerate(glimpses(rulebook.load(book), size, Random(f"whole {book} {size}"))):
        if step % 5:
            continue
        for budget in (0, 1_000_000):
            worlds = sampler(glimpse.knowledge(), budget).draw(5, generator(1, step))
            for place in range(len(worlds)):
                world = worlds.rows(place)
                left = 0
                for seen, cards, true in zip(glimpse.view.hands, world, glimpse.truth, strict=False):
                    assert not left & cards
                    assert seen & ~cards == 0
                    assert cards.bit_count() == true.bit_count()
                    left |= cards
                assert left | world[-1] == sum(glimpse.truth) & ALL_CARDS


def test_a_table_without_cards_has_no_worlds() -> None:
    rules = rulebook.load("dtf")
    glimpse = next(glimpses(rules, 3, Random("none")))
    with pytest.raises(Impossible):
        knowledge(rules, deal.replay(rules, glimpse.seen[:1]))


def test_the_document_shows_what_happens() -> None:
    document = Path(__file__).parents[2] / "docs" / "sampling.md"
    assert doctest.testfile(str(document), module_relative=False).failed == 0
