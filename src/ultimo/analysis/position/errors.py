"""What is wrong with a text that somebody wrote for the solver: a key and values, told in any language.

The sentences stand in `names/positions`, under the keys. Cards, seats and words of the grammar are values:
they are the same in every language.
"""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

from ultimo.events import IllegalAction
from ultimo.names import names
from ultimo.rulebook import Rules
from ultimo.telling.teller import Teller


class Refused(Struct, frozen=True):
    """Why the rules refuse a card, and the table at which they do: what is needed to tell it."""

    rules: Rules
    players: tuple[str, ...]
    refusal: IllegalAction

    def told(self, language: str) -> str:
        """The reason in a language."""
        return Teller(names(language), self.rules, self.players).refusal(self.refusal)


Spoken: TypeAlias = str | int | Refused


class TextError(ValueError):
    """Text that cannot be understood, and why.

    >>> TextError("notASeat", text="X", seats="F M B").told("da")
    '”X” er ikke en plads: F M B'
    """

    def __init__(self, key: str, **values: Spoken) -> None:
        super().__init__(key)
        self.key = key
        self.values = values

    def told(self, language: str) -> str:
        """The reason in a language."""
        spoken = {
            name: value.told(language) if isinstance(value, Refused) else value
            for name, value in self.values.items()
        }
        return names(language).position(self.key, spoken)

    @property
    def reason(self) -> str:
        """The reason in English."""
        return self.told("en")

    def __str__(self) -> str:
        return self.reason


class PositionError(TextError):
    """Text that is no position: at which place, counted from 0, and why."""

    def __init__(self, at: int, key: str, **values: Spoken) -> None:
        super().__init__(key, **values)
        self.args = (at, key)
        self.at = at

    def __str__(self) -> str:
        return f"column {self.at + 1}: {self.reason}"
