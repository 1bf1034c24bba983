"""Is a deal ever inconsistent? Whatever is dealt and played, under whatever rules, the laws hold.

`laws.Witness` states them: every card in one place, nothing lost, views that are folds of what was seen,
legal actions that are exactly the accepted ones, payments that are the settlement, records that lose nothing.
"""

from __future__ import annotations

import os
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from properties.alternatives import changes
from properties.driving import SWITCHES, TABLES, open_deal
from properties.laws import witnessed
from table import FFT
from ultimo import rulebook
from ultimo.rulebook import Rules

LONG = "ULTIMO_LONG" in os.environ
DEALS = 2000 if LONG else 12  # for each rule set, over its table sizes
examples = settings(
    max_examples=600 if LONG else 40,
    deadline=None,
    derandomize=not LONG,
    suppress_health_check=list(HealthCheck),
)
SEEDS = st.integers(0, 2**32)


def share(book: str) -> int:
    """How many of a rule set's deals one of its table sizes gets; the FFT has no other ways, only values."""
    deals = DEALS // 4 if book in FFT else DEALS
    return -(-deals // len(rulebook.load(book).sizes))


@pytest.mark.cites("E5", "I-4.6", "I-7.2", "I-C.25")
@pytest.mark.parametrize(("book", "size"), TABLES)
def test_the_laws_hold_in_every_deal(book: str, size: int) -> None:
    rules = rulebook.load(book)
    for number in range(share(book)):
        rng = Random(f"{book} {size} {number}")
        probing = 1.0 if number < 100 else 0.1
        witnessed(rules, open_deal(rules, size, rng), rng, probing=probing)


@st.composite
def house_tables(draw: st.DrawFn, books: tuple[str, ...], switches: int = 0) -> tuple[Rules, int]:
    """A rulebook with some house rules, as many as go together, and a size of table."""
    book = draw(st.sampled_from(books))
    house: dict[str, Any] = {}
    for key, value in draw(st.lists(st.sampled_from(changes(book)), max_size=8)):
        house = _with(book, house, key, value)
    for switch in draw(st.lists(st.sampled_from(SWITCHES), max_size=switches, unique=True)):
        house = _with(book, house, switch, True)
    rules = rulebook.load(book, house)
    return rules, draw(st.sampled_from(rules.sizes))


def _with(book: str, house: dict[str, Any], key: str, value: Any) -> dict[str, Any]:
    try:
        rulebook.load(book, house | {key: value})
    except rulebook.RulebookError:  # it contradicts another house rule
        return house
    return house | {key: value}


@given(table=house_tables(rulebook.ids()), seed=SEEDS)
@examples
def test_the_laws_hold_under_house_rules(table: tuple[Rules, int], seed: int) -> None:
    rules, size = table
    rng = Random(seed)
    witnessed(rules, open_deal(rules, size, rng), rng)


DANISH = tuple(book for book in rulebook.ids() if rulebook.load(book).family == "danish")


@given(
    table=house_tables(DANISH, switches=len(SWITCHES)),
    seed=SEEDS,
    error=st.sampled_from((0.0, 0.02, 0.2, 1.0)),
)
@examples
def test_the_laws_hold_whatever_errors_a_table_allows(
    table: tuple[Rules, int], seed: int, error: float
) -> None:
    rules, size = table
    rng = Random(seed)
    witnessed(rules, open_deal(rules, size, rng), rng, error=error, probing=0.2)


@pytest.mark.parametrize("book", ["french3", "french4", "french5"])
def test_a_ladder_that_has_a_bid_twice_is_refused(book: str) -> None:
    """Nobody could say which of the two he bids."""
    ladder = rulebook.parameters(rulebook.load(book))["bid.ladder"]
    twice = [{**ladder[0], "id": "sans"}, *ladder[1:]]
    with pytest.raises(rulebook.RulebookError):
        rulebook.load(book, {"bid.ladder": twice})
