"""Chance: whatever can draw without replacement, `random.Random` or a stream that can be checked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol


class Chance(Protocol):
    """Draws, each of the population as likely as another."""

    def sample(self, population: Sequence[Any], k: int) -> list[Any]:
        """Some of the population in the order in which they are drawn."""
        ...
