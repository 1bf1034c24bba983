"""Threads that search together find what one finds, and do not believe an entry that two have written."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, product

import numpy as np
import pytest

from analysis.endings import questions
from ultimo.analysis.solver import Solution, solve, team
from ultimo.kernel.danish.search import layout as danish_at
from ultimo.kernel.danish.search import transposition as danish_table
from ultimo.kernel.french.search import transposition as french_table
from ultimo.kernel.jit import Ints

SMALL, LARGE = 1 << 16, 16 << 20  # in the small table positions displace one another
POSITIONS = 40  # of each book


@pytest.fixture(autouse=True)
def help_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Threads help with what they would think too short."""
    monkeypatch.setattr(team, "ALONE", 8)


def told(found: Solution) -> tuple[object, ...]:
    """All that does not depend on how long it took."""
    return found.value, found.points, found.actions, found.line, found.exact


BOOKS = ("jensen", "hermansen", "vlk", "basta", "dtf", "french3", "french4", "french5")


@pytest.mark.parametrize("book", BOOKS)
def test_threads_find_what_one_finds(book: str) -> None:
    helped = 0
    for number, (rules, state, goal, side) in enumerate(islice(questions(book, "threads"), POSITIONS)):
        memory = SMALL if number % 2 else LARGE
        alone = solve(rules, state, goal, side, memory=memory)
        together = solve(rules, state, goal, side, memory=memory, threads=2 + number % 5 // 4)
        assert told(together) == told(alone), (number, state)
        helped += alone.nodes != together.nodes
    assert helped


@pytest.mark.parametrize("book", BOOKS)
def test_what_threads_prove_before_a_limit_is_true(book: str) -> None:
    cut = 0
    for number, (rules, state, goal, side) in enumerate(islice(questions(book, "threads"), POSITIONS)):
        whole = solve(rules, state, goal, side, line=0)
        part = solve(
            rules, state, goal, side, line=0, threads=2, nodes=max(1, whole.nodes // (2 + number % 7))
        )
        cut += not part.exact
        for one, true in zip(part.actions, whole.actions, strict=True):
            assert one.action == true.action
            assert one.least is None or one.least <= true.value
            assert one.most is None or one.most >= true.value
    assert cut


def test_at_least_one_thread_must_search() -> None:
    rules, state, goal, side = next(questions("hermansen", "threads"))
    with pytest.raises(ValueError, match="at least one thread"):
        solve(rules, state, goal, side, threads=0)


def mixes(one: Ints, other: Ints) -> Iterator[Ints]:
    """Two entries as two threads may leave them: some words of one, the rest of the other."""
    for which in product((False, True), repeat=len(one)):
        if len(set(which)) > 1:
            yield np.where(which, one, other)


def test_a_danish_entry_of_two_is_not_believed() -> None:
    w: Ints = np.zeros(danish_at.TABLES + danish_at.BUCKET, np.int64)
    size = danish_at.ENTRY
    first, second = slice(danish_at.TABLES, danish_at.TABLES + size), slice(-size, None)
    for keys in product([(5, 6, 7), (5, 6, 8), (5, 9, 7), (4, 6, 7), (1 << 62, 1 << 61, 1 << 44)], repeat=2):
        for value in (1, -1, 1 << 58):
            w[danish_at.TABLES :] = 0
            danish_table.store(w, danish_at.TABLES, keys[0], 8, 3, value)
            danish_table.store(w, danish_at.TABLES + size, keys[1], 9, 4, 12345)
            for key, entry, found in ((keys[0], 0, value), (keys[1], size, 12345)):
                if keys[0] != keys[1]:
                    entry += danish_at.TABLES
                    assert danish_table.probe(w, danish_at.TABLES, key)[::2] == (entry, found)
            entries = [w[first].copy(), w[second].copy()]
            for mixed in mixes(*entries):
                w[first], w[second] = mixed, 0
                for key in keys:
                    entry, _, _ = danish_table.probe(w, danish_at.TABLES, key)
                    assert entry < 0 or any((mixed == one).all() for one in entries)


def test_a_french_entry_of_two_is_not_believed() -> None:
    table: Ints = np.zeros(french_table.BUCKET, np.int64)
    whole, orders = (3 << 40, 5 << 40, 3 << 40 | 1), (1, 2, 3)
    entries = []
    for number, one in enumerate(whole):
        table[:] = 0
        check = french_table.check_of(one, *orders, 0)
        french_table.keep(table, one, check, 5, 7, 10 * number, True, 0)
        assert french_table.look_up(table, one, *orders, 0)[0] == table[1]
        entries.append(table[: french_table.ENTRY].copy())
    for one, other in product(range(3), repeat=2):
        for mixed in mixes(entries[one], entries[other]):
            table[:] = 0
            table[: french_table.ENTRY] = mixed
            for some in whole:
                found, _ = french_table.look_up(table, some, *orders, 0)
                assert found < 0 or (one == other and some == whole[one])
