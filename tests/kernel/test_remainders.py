"""For which remainders of the counts an outcome holds, against asking the tables for each."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from analysis.endings import danish_endings
from table import danish_rules
from ultimo.kernel.danish.search import layout as at
from ultimo.kernel.danish.search.remainders import EVERY_SHIFT, FIVE, agreeing, order_of, shifted
from ultimo.kernel.danish.search.setup import Board

SHIFTS = tuple(product(range(FIVE), repeat=2))


def bit(i: int, j: int) -> int:
    """A shift of the two remainders as a bit."""
    return 1 << FIVE * (i % FIVE) + j % FIVE


def test_shifts_are_moved_on_and_back() -> None:
    rng = Random(1)
    for i, j in SHIFTS:
        some = rng.getrandbits(25)
        moved = sum(bit(a + i, b + j) for a, b in SHIFTS if some & bit(a, b))
        assert shifted(some, i, j) == moved
        assert shifted(moved, -i % FIVE, -j % FIVE) == some


def test_a_place_orders_outcomes_by_its_own_gain_then_by_the_little_of_the_others() -> None:
    rng = Random(2)
    for _ in range(500):
        one, two = ([rng.choice((-30, -5, 0, 5, 45)) for _ in range(3)] for _ in range(2))
        words = [a + (b << at.THIRD) + (c << 2 * at.THIRD) for a, b, c in (one, two)]
        for place in range(3):
            liked = [(some[place], -some[(place + 1) % 3], -some[(place + 2) % 3]) for some in (one, two)]
            more = order_of(words[0], place) - order_of(words[1], place)
            assert (more > 0, more < 0) == (liked[0] > liked[1], liked[0] < liked[1])


@pytest.mark.parametrize("book", ["jensen", "hermansen", "vlk", "dtf"])
def test_outcomes_agree_where_the_tables_say_so(book: str) -> None:
    _, state = next(danish_endings(book, "remainders", rules=danish_rules(book, {})))
    w = Board(danish_rules(book, {}), state, (False, False, False), None, 1 << 16).w
    counters, rng, narrow = (int(w[at.LOOSE]) & 3, int(w[at.LOOSE]) >> 2), Random(book), 0
    assert counters == (1, 2)

    def worth(gains: int, piles: list[int], shift: tuple[int, ...]) -> int:
        for counter, by in zip(counters, shift, strict=True):
            counted = at.RECKONED + at.COUNT_SPAN * counter + piles[counter]
            gains += int(w[counted + by] - w[counted])
        return gains

    for _ in range(300):
        place, piles = rng.randrange(3), [[rng.randrange(40) for _ in range(3)] for _ in range(2)]
        gains = [sum(rng.choice((-5, 0, 5)) << at.THIRD * of for of in range(3)) for _ in range(2)]
        packed = [sum(pile << 7 * of for of, pile in enumerate(some)) for some in piles]
        more = order_of(gains[0], place) - order_of(gains[1], place)
        expected = 0
        for shift in SHIFTS:
            one, two = (order_of(worth(gains[of], piles[of], shift), place) for of in range(2))
            if one >= two if more >= 0 else one <= two:
                expected |= bit(*shift)
        assert agreeing(w, place, more, *packed) == expected
        narrow += expected != EVERY_SHIFT
    assert 50 < narrow < 300
