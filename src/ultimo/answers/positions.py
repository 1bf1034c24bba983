"""The analysis board: a position after some moves, what it is worth, and what was played from there.

What needs the compiler is loaded when it is needed, so that a shell can have it done in another process. For
the same reason much of it is told in JSON already, which a shell hands on unread.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final

import msgspec
from msgspec.structs import replace

from ultimo import deal as deals
from ultimo.analysis.position.writing import NoPosition, write
from ultimo.answers.advice import played
from ultimo.answers.files import TEXT, File
from ultimo.answers.payloads import PositionTold, Reopened
from ultimo.answers.refusing import Refusal
from ultimo.events import Action
from ultimo.table.archive import Log

BUDGETS: Final = tuple(1 << power for power in range(16, 27, 2))  # positions of the stages of a search


def position(log: Log, deal: int, step: str) -> PositionTold:
    """The position that a frame of a replay shows, in text."""
    if not re.fullmatch(r"[0-9]{1,5}", step):
        raise Refusal(404, "unknownPage")
    found = played(log, deal)
    if int(step) not in found.steps:
        raise Refusal(404, "unknownStep", deal=deal, step=step)
    last = max(place for place, frame in enumerate(found.steps) if frame == int(step))
    try:
        return PositionTold(write(found.rules, deals.replay(found.rules, found.events[: last + 1])))
    except NoPosition:
        raise Refusal(409, "noPosition") from None


def board(text: str, moves: Sequence[Action], language: str) -> bytes:
    """A position after some moves, and what may be done there (`BoardShown`)."""
    from ultimo.table import boarding
    from ultimo.tutor import board

    with _refused():
        return msgspec.json.encode(boarding.board_shown(board.board(text, moves, language), language))


def written(text: str, moves: Sequence[Action], comments: Sequence[str], language: str) -> File:
    """The record of what was played from a position, to keep."""
    from ultimo.tutor import board

    with _refused():
        return File("ultimo.txt", TEXT, board.record(text, moves, comments, language))


def opened(record: str, language: str) -> Reopened:
    """The position and the moves of such a record."""
    from ultimo.tutor import board

    with _refused():
        return Reopened(*board.recorded(record, language))


def solved(
    text: str, moves: Sequence[Action], goal: str, language: str, budget: int
) -> tuple[bytes, bool, bool]:
    """What a search finds in so many positions (`SolvedShown`), whether it ends here, and is proven."""
    from ultimo.tutor import board

    with _refused():
        found = board.solving(text, moves, goal, language, budget)
    finished = found.finished or found.exact or budget == BUDGETS[-1]
    return msgspec.json.encode(replace(found, finished=finished)), finished, found.exact


@contextmanager
def _refused() -> Iterator[None]:
    """Tell what is wrong with a position or a move, and where."""
    from ultimo.tutor.board import BoardError

    try:
        yield
    except BoardError as error:
        raise Refusal(422, "told", error.field, column=error.column, reason=error.reason) from None
