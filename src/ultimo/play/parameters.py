"""A rulebook as an array of numbers, as the shared rules read it.

A parameter has a fixed place in the array, a choice is written as the number of its word.
"""

from __future__ import annotations

from collections.abc import Mapping
from operator import attrgetter

from ultimo.rulebook import Rules


class Parameters:
    """Gives parameters their places, one after the other, and reads a rulebook into them."""

    def __init__(self) -> None:
        self._names: list[str] = []

    def __call__(self, parameter: str) -> int:
        """The place of the next parameter."""
        self._names.append(parameter)
        return len(self._names) - 1

    def __len__(self) -> int:
        return len(self._names)

    def numbers(self, rules: Rules, words: Mapping[str, Mapping[str, int]]) -> list[int]:
        """What stands in the places; `words` are the numbers of the choices."""
        values = {name: attrgetter(name)(rules) for name in self._names}
        return [words[name][value] if name in words else int(value) for name, value in values.items()]
