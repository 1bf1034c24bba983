"""Are all worlds that fit drawn, and drawn equally often?"""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from math import sqrt
from pathlib import Path
from random import Random

import numpy as np
import pytest

from kernel.worlds_views import Glimpse, digest, glimpses
from table import WITHOUT_FFT
from ultimo import rulebook
from ultimo.cards import ALL_CARDS, Cards
from ultimo.kernel.dice import generator
from ultimo.kernel.worlds.count import paper
from ultimo.kernel.worlds.draw import BUDGET, sampler
from ultimo.kernel.worlds.exchange import exchange
from ultimo.kernel.worlds.facts import Facts
from ultimo.kernel.worlds.knowledge import arranged
from ultimo.play.following import FIRST_TRUMP
from worlds_by_replay import consistent, fits

LONG = "ULTIMO_LONG" in os.environ
ENDINGS = 6 if LONG else 2  # for each rulebook
MOST = 300 if LONG else 130  # ways in which the cards of an ending could lie
DRAWS = 200  # for each world
CHANGES = 20  # in a chain
BOOKS = WITHOUT_FFT


def endings(book: str) -> Iterator[tuple[Glimpse, list[tuple[Cards, ...]]]]:
    """Moments near the end of deals, with all the worlds that fit what was seen."""
    rules = rulebook.load(book)
    found = number = 0
    while found < ENDINGS:
        number += 1
        rng = Random(f"ending {book} {number}")
        late = [
            glimpse
            for glimpse in glimpses(rules, rules.sizes[number % len(rules.sizes)], rng)
            if 10 <= glimpse.others() <= MOST and glimpse.view.phase != "closed"
        ]
        if not late:
            continue
        glimpse = rng.choice(late)
        fitting = [
            world for world in glimpse.worlds() if consistent(rules, glimpse.viewer, glimpse.seen, world)
        ]
        if len(fitting) > 1:
            found += 1
            yield glimpse, fitting


def drawn(glimpse: Glimpse, number: int, budget: int) -> tuple[list[tuple[Cards, ...]], list[float]]:
    worlds = sampler(glimpse.knowledge(), budget).draw(number, generator(5, number))
    assert len(worlds) == number
    return [worlds.rows(place) for place in range(number)], [float(each) for each in worlds.weights]


@pytest.mark.parametrize("book", BOOKS)
def test_every_world_that_fits_is_drawn_as_often_as_another(book: str) -> None:
    for glimpse, fitting in endings(book):
        known = glimpse.knowledge()
        assert all(fits(known, world) for world in fitting)
        worlds, weights = drawn(glimpse, DRAWS * len(fitting), BUDGET)
        assert set(weights) == {1.0}
        times = Counter(worlds)
        assert set(times) == set(fitting)
        freedom = len(fitting) - 1
        squares = sum((times[world] - DRAWS) ** 2 / DRAWS for world in fitting)
        assert squares < freedom + 4 * sqrt(2 * freedom) + 8
        worlds, weights = drawn(glimpse, DRAWS * len(fitting), 0)
        assert set(worlds) == set(fitting)
        shares: Counter[tuple[Cards, ...]] = Counter()
        for world, weight in zip(worlds, weights, strict=True):
            shares[world] += weight * len(fitting) / sum(weights)  # type: ignore[assignment]
        assert all(0.6 < shares[world] < 1.5 for world in fitting)


@pytest.mark.parametrize("book", BOOKS)
def test_exchanges_favour_no_world(book: str) -> None:
    """Worlds that are drawn as often as one another are found as often as one another after changes."""
    for glimpse, fitting in endings(book):
        known, dice, number = glimpse.knowledge(), generator(7, 1), DRAWS * len(fitting)
        worlds, moved = sampler(known).draw(number, dice), np.zeros(number, np.int64)
        for _ in range(CHANGES):
            exchange(known, dice, paper(), worlds.suits, worlds.trumps, moved)
        times = Counter(worlds.rows(place) for place in range(number))
        assert set(times) == set(fitting)
        freedom = len(fitting) - 1
        squares = sum((times[world] - DRAWS) ** 2 / DRAWS for world in fitting)
        assert squares < freedom + 4 * sqrt(2 * freedom) + 8


@pytest.mark.parametrize(("book", "size", "trick"), [("jensen", 3, 2), ("basta", 3, 9), ("french5", 5, 4)])
def test_cards_lie_as_often_in_a_hand_as_they_do_in_shuffled_packs(book: str, size: int, trick: int) -> None:
    """Where the worlds are too many to be listed: compared with shuffling until the cards fit."""
    glimpse, kept = comparable(book, size, trick)
    worlds = sampler(glimpse.knowledge()).draw(20_000, generator(5, 0))
    for card in range(78):
        for row in range(size + 1):
            word = worlds.suits[:, row] if card < FIRST_TRUMP else worlds.trumps[:, row]
            often = np.mean(word >> card % FIRST_TRUMP & 1)
            rather = sum(world[row] >> card & 1 for world in kept) / len(kept)
            assert abs(often - rather) < 5 * sqrt(0.25 / len(kept))


def comparable(book: str, size: int, trick: int) -> tuple[Glimpse, list[tuple[Cards, ...]]]:
    """A moment of a deal, and shuffled packs that fit what was seen."""
    rules = rulebook.load(book)
    for number in range(100):
        for glimpse in glimpses(rules, size, Random(f"{book} {number}")):
            if len(glimpse.view.tricks) == trick and glimpse.viewer is not None:
                rng = Random(number)
                known = glimpse.knowledge()
                tried = (glimpse.shuffled(rng) for _ in range(500))
                if known.hidden > 25 and sum(fits(known, world) for world in tried) >= 15:
                    tried = (glimpse.shuffled(rng) for _ in range(50_000 if LONG else 4_000))
                    return glimpse, [world for world in tried if fits(known, world)]
                break
    raise AssertionError("no deal to compare")


@pytest.mark.parametrize("seed", range(6))
def test_weights_make_up_for_what_dealing_card_by_card_favours(seed: int) -> None:
    """Eight cards in places where not all of them may lie: exact, weighted, and what weights would miss."""
    rng = Random(seed)
    found = Facts([0, 0, 0, ALL_CARDS & ~0xFF], [2, 3, 3, 0])
    for card in range(8):
        found.never(rng.randrange(4), 1 << card)
        found.never(rng.randrange(6) % 4, 1 << card)
    may = list(found.may)
    known = arranged(found, (0,))
    fitting = {
        (*world, ALL_CARDS & ~0xFF)
        for world in three_hands()
        if all(hand & ~may[row] == 0 for row, hand in enumerate(world))
    }
    number = 2000 * len(fitting)
    for budget in (BUDGET, 0):
        worlds = sampler(known, budget).draw(number, generator(seed, 0))
        shares: dict[tuple[Cards, ...], float] = dict.fromkeys(fitting, 0.0)
        for place in range(number):
            shares[worlds.rows(place)] += float(worlds.weights[place])
        mean = sum(shares.values()) / len(fitting)
        assert set(shares) == fitting
        assert all(0.85 * mean < share < 1.15 * mean for share in shares.values())


def three_hands() -> Iterator[tuple[Cards, ...]]:
    """All ways to deal eight cards in hands of two, three and three."""
    for first in combinations(range(8), 2):
        for second in combinations(sorted(set(range(8)) - set(first)), 3):
            hands = [sum(1 << card for card in hand) for hand in (first, second)]
            yield (*hands, 0xFF & ~sum(hands))


def test_plain_python_draws_the_same_worlds() -> None:
    here = Path(__file__).parents[1]
    plain = subprocess.run(
        [sys.executable, "-m", "kernel.worlds_views"],
        cwd=here,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert plain.stdout.strip() == digest(1)
