"""A search that pauses every few positions finds what it finds in one go, in as many positions."""

from __future__ import annotations

from itertools import chain, islice, repeat
from unittest.mock import Mock

import pytest
from msgspec.structs import replace

from analysis.endings import Question, questions
from ultimo.analysis.solver import Solution, solve
from ultimo.kernel import pausing

POSITIONS = 40  # of each book
EVERY = 16  # positions between two pauses


@pytest.fixture(autouse=True)
def pause_often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Short endings pause too."""
    monkeypatch.setattr(pausing, "GRANT", EVERY)


def solved(question: Question, nodes: int | None) -> Solution:
    return replace(solve(*question, nodes=nodes, memory=1 << 20), seconds=0.0)


@pytest.mark.parametrize("nodes", [None, 500])  # with a limit many answers are not exact
@pytest.mark.parametrize("book", ["hermansen", "dtf", "french4", "french5"])
def test_a_search_that_pauses_finds_the_same_in_as_many_positions(book: str, nodes: int | None) -> None:
    pauses, visited = 0, 0

    def pause() -> bool:
        nonlocal pauses
        pauses += 1
        return True

    for question in islice(questions(book, "pauses"), POSITIONS):
        before = solved(question, nodes)
        with pausing.pausing(pause):
            found = solved(question, nodes)
        assert found == before
        visited += found.nodes
    assert pauses >= visited / EVERY > POSITIONS, "no piece is longer, and there are some"


@pytest.mark.parametrize("book", ["hermansen", "french4"])
def test_a_search_that_is_abandoned_ends_at_its_next_pause(book: str) -> None:
    abandoned = 0
    for question in islice(questions(book, "abandoned"), POSITIONS):
        if solved(question, None).nodes > 8 * EVERY:
            pause = Mock(side_effect=chain((True, True), repeat(False)))
            with pausing.pausing(pause), pytest.raises(pausing.Abandoned):
                solved(question, None)
            abandoned += 1
    assert abandoned
