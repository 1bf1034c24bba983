"""Beginners, club players and students need neither numpy nor the compiler, and decide alike without them."""

from __future__ import annotations

import subprocess
import sys
from hashlib import sha256
from random import Random

import pytest

from ultimo import rulebook
from ultimo.players import Match, create

PLAIN = """
import sys
sys.modules["numpy"] = sys.modules["numba"] = None  # importing them fails
from tests.players.test_without_numpy import told
print(told(sys.argv[1], int(sys.argv[2]), sys.argv[3]))
"""


def told(book: str, table: int, level: str) -> str:
    """A digest of two deals among bots of a level, with all that happened in them."""
    players = {seat: create(level, seed=1) for seat in range(table)}
    match = Match(rulebook.load(book), [f"p{seat}" for seat in range(table)], players, Random(7))
    for _ in range(2):
        match.next_deal()
        while match.state.playing:
            match.advance()
    return sha256(repr(match.state).encode()).hexdigest()


@pytest.mark.parametrize("level", ["beginner", "club", "student"])
@pytest.mark.parametrize(("book", "table"), [("hermansen", 3), ("basta", 4), ("dtf", 5), ("french5", 5)])
def test_players_decide_alike_without_numpy(book: str, table: int, level: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PLAIN, book, str(table), level], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == told(book, table, level)
