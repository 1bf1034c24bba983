"""Stub: the analysis board as it is shown."""

from __future__ import annotations

from typing import Any

from ultimo.tutor.board import Board


def board_shown(board: Board, language: str) -> dict[str, Any]:
    """Stub: the board as the page draws it."""
    return {"text": board.rules.id, "over": False}
