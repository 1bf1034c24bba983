"""The tables that lessons print say what the rulebooks and the count say."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ultimo.rulebook import DanishRules, load
from ultimo.tutor.school import parts as p
from ultimo.tutor.school.course import lesson
from ultimo.tutor.school.sums.danish import fives, gained

BOOKS = ("basta", "hermansen", "jensen", "vlk", "dtf")


def _last_trick(rules: DanishRules, cards: str) -> str:
    """What each opponent pays for a last trick that forehand wins, with nothing in the cups."""
    return str(gained([rules.id, "F", "0", "0", *cards.split()]) // 2)


PRICES: tuple[Callable[[DanishRules], str], ...] = (
    lambda rules: f"{rules.cups.found.king} / {rules.cups.found.pagat}",
    lambda rules: _last_trick(rules, "T5 S5 H3"),
    lambda rules: _last_trick(rules, "DK D5 H3"),
    lambda rules: _last_trick(rules, "T1 D5 H3"),
    lambda rules: str(rules.pay.king_lost_cup),
    lambda rules: str(rules.bagud.pagat_extra_cup),
    lambda rules: str(rules.nolo.pay + rules.nolo.premium),
    lambda rules: _last_trick(rules, "T5 S5 H3 25 0 0"),
)


@pytest.mark.parametrize("row", range(len(PRICES)))
def test_the_prices_of_the_five_books_are_those_of_the_rulebooks(row: int) -> None:
    (told,) = [part for part in lesson("five-books").parts if isinstance(part, p.Rows)]
    assert len(told.rows) == len(PRICES)
    books = [rules for book in BOOKS if isinstance(rules := load(book), DanishRules)]
    assert told.rows[row][1:] == tuple(map(PRICES[row], books))


def test_the_table_of_card_points_is_the_one_that_is_paid_by() -> None:
    _, told = (part for part in lesson("points-and-chips").parts if isinstance(part, p.Rows))
    paid: dict[int, int] = {}
    for points, price in told.rows:
        first, last = map(int, str(points).split("–"))
        paid |= {count: int(str(price).replace("−", "-")) for count in range(first, last + 1)}
    assert paid == {count: fives([str(count)]) for count in range(79)}
