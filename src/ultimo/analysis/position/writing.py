"""Stub: a position as its line of text."""

from __future__ import annotations

from ultimo import deal
from ultimo.rulebook import Rules


class NoPosition(ValueError):
    """A state that a line of text cannot hold, and why."""


def write(rules: Rules, state: deal.State) -> str:
    """Stub: a position in text."""
    if state.phase != "play":
        raise NoPosition(state.phase)
    return f"{rules.id}: {len(state.tricks)}"
