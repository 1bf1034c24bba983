"""What an observation is made of: one field after the other, each with its place, its size and its meaning.

An observation is a row of numbers. First come planes, of 78 numbers each: 1 for every card that is in a set.
Then come the other numbers. Whatever is kept for each player comes in the order of play from the observer on:
the observer first, then whoever plays next, and so on.

>>> field = Fields("danish", 1)
>>> HAND = field.planes("hand", "the cards in hand")
>>> TRICKS = field.numbers("tricks", 3, "tricks won, by player")
>>> HAND, TRICKS, field.layout().size
(0, 78, 81)
"""

from __future__ import annotations

from msgspec import Struct

from ultimo.cards import PACK

CARDS = len(PACK)


class Field(Struct, frozen=True):
    """Some numbers of an observation that belong together; of a set of cards `times` planes."""

    name: str
    start: int
    times: int
    cards: bool
    about: str

    @property
    def size(self) -> int:
        """How many numbers it takes."""
        return self.times * (CARDS if self.cards else 1)


class Layout(Struct, frozen=True):
    """All fields of the observations of a family of games. A change of any of them is another version."""

    family: str
    version: int
    fields: tuple[Field, ...]
    size: int  # how many numbers an observation has
    planes: int  # how many of its fields are sets of cards: with them it begins

    def __getitem__(self, name: str) -> Field:
        return next(field for field in self.fields if field.name == name)


class Fields:
    """Gives out the places of an observation, planes first."""

    def __init__(self, family: str, version: int) -> None:
        self._family, self._version = family, version
        self._fields: list[Field] = []

    def planes(self, name: str, about: str, times: int = 1) -> int:
        """Where the next sets of cards begin."""
        assert all(field.cards for field in self._fields), "planes come before all other numbers"
        return self._next(name, times, True, about)

    def numbers(self, name: str, times: int, about: str) -> int:
        """Where the next numbers begin."""
        return self._next(name, times, False, about)

    def layout(self) -> Layout:
        """What has been given out."""
        size = sum(field.size for field in self._fields)
        planes = sum(field.times for field in self._fields if field.cards)
        return Layout(self._family, self._version, tuple(self._fields), size, planes)

    def _next(self, name: str, times: int, cards: bool, about: str) -> int:
        start = sum(field.size for field in self._fields)
        self._fields.append(Field(name, start, times, cards, about))
        return start
