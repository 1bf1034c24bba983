"""Stub: the analysis board."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from ultimo import deal
from ultimo.analysis.position import read
from ultimo.events import Action, IllegalAction
from ultimo.rulebook import Rules
from ultimo.tutor.shown import SolvedShown


class BoardError(ValueError):
    """What cannot be put on the board."""

    def __init__(self, field: str, column: int | None, reason: str) -> None:
        super().__init__(reason)
        self.field, self.column, self.reason = field, column, reason


class Board(Struct, frozen=True):
    """A position and what was played from there."""

    rules: Rules
    start: deal.State
    state: deal.State


def board(text: str, moves: Sequence[Action], language: str) -> Board:
    """Stub: the board after moves."""
    try:
        rules, start = read(text)
    except ValueError as error:
        raise BoardError("text", 1, str(error)) from None
    state = start
    for place, move in enumerate(moves):
        try:
            (seat,) = deal.waiting_for(rules, state)
            for event in deal.decide(rules, state, seat, move):
                state = deal.evolve(rules, state, event)
        except (IllegalAction, ValueError) as error:
            raise BoardError(f"moves[{place}]", None, str(error)) from None
    return Board(rules, start, state)


def solving(text: str, moves: Sequence[Action], goal: str, language: str, budget: int) -> SolvedShown:
    """Stub: one stage."""
    from ultimo.analysis.solver import solve

    found = board(text, moves, language)
    solve(found.rules, found.state)
    return SolvedShown(False, budget >= 1 << 20, budget, 0.0, 3, (), (), "stub", ())


def record(text: str, moves: Sequence[Action], comments: Sequence[str]) -> str:
    """Stub: the record."""
    board(text, moves, "en")
    return "ultimo stub\n"


def recorded(text: str, language: str = "en") -> tuple[str, tuple[Action, ...], tuple[str, ...]]:
    """Stub: what a record holds."""
    if not text.startswith("ultimo"):
        raise BoardError("text", None, "no position")
    return "dtf: stub", (), ()
