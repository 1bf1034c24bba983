"""What an observation is made of: one field after the other, each with its place, its size and its meaning.

An observation is a row of numbers. First come planes, of 78 numbers each: 1 for every card that is in a set.
Then come the other numbers. Whatever is kept for each player comes in the order of play from the observer on:
the observer first, then whoever plays next, and so on. `docs/observations.md` is written from this.

>>> field = Fields("danish", 1)
>>> HAND = field.planes("hand", "the cards in hand")
>>> TRICKS = field.numbers("tricks", "tricks won", players(3), high=25)
>>> HAND, TRICKS, field.layout().size
(0, 78, 81)
>>> field.layout()["tricks"].labels
('observer', 'player 1', 'player 2')
"""

from __future__ import annotations

from itertools import product
from math import prod
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from ultimo.cards import PACK

CARDS = len(PACK)
POINTS: Final = 1_000_000  # more than anybody can win, and any cup can hold
SUITS: Final = ("spades", "hearts", "clubs", "diamonds", "trumps")

Axis: TypeAlias = tuple[str, ...]  # what stands for each place along one direction of a field


def players(number: int) -> Axis:
    """The players in the order of play, from the observer on."""
    return ("observer", *(f"player {after}" for after in range(1, number)))


class Field(Struct, frozen=True):
    """Some numbers of an observation that belong together; of a set of cards `times` planes."""

    name: str
    start: int
    times: int
    cards: bool
    about: str
    axes: tuple[Axis, ...]  # whom or what each of the `times` stands for: by player, or by player and suit
    low: int  # no number is smaller
    high: int  # or larger

    @property
    def size(self) -> int:
        """How many numbers it takes."""
        return self.times * (CARDS if self.cards else 1)

    @property
    def shape(self) -> tuple[int, ...]:
        """Its shape as an array."""
        return (*map(len, self.axes), *((CARDS,) if self.cards else ()))

    @property
    def labels(self) -> tuple[str, ...]:
        """What each of the `times` stands for; one that stands alone needs no label."""
        return tuple(", ".join(words) for words in product(*self.axes))


class Layout(Struct, frozen=True):
    """All fields of the observations of a family of games. A change of any of them is another version."""

    family: str
    version: int
    fields: tuple[Field, ...]
    size: int  # how many numbers an observation has
    planes: int  # how many of its fields are sets of cards: with them it begins

    def __getitem__(self, name: str) -> Field:
        return next(field for field in self.fields if field.name == name)

    @property
    def bounds(self) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        """The least and the largest that each number of an observation can be."""
        low, high = (
            np.repeat(ends, [field.size for field in self.fields]).astype(np.float32)
            for ends in zip(*((field.low, field.high) for field in self.fields), strict=True)
        )
        return low, high


class Fields:
    """Gives out the places of an observation, planes first."""

    def __init__(self, family: str, version: int) -> None:
        self._family, self._version = family, version
        self._fields: list[Field] = []

    def planes(self, name: str, about: str, *axes: Axis) -> int:
        """Where the next sets of cards begin."""
        assert all(field.cards for field in self._fields), "planes come before all other numbers"
        return self._next(name, True, about, axes, 0, 1)

    def numbers(self, name: str, about: str, *axes: Axis, low: int = 0, high: int = 1) -> int:
        """Where the next numbers begin; if nothing else is said, each is 0 or 1."""
        return self._next(name, False, about, axes, low, high)

    def layout(self) -> Layout:
        """What has been given out."""
        size = sum(field.size for field in self._fields)
        planes = sum(field.times for field in self._fields if field.cards)
        return Layout(self._family, self._version, tuple(self._fields), size, planes)

    def _next(self, name: str, cards: bool, about: str, axes: tuple[Axis, ...], low: int, high: int) -> int:
        start = sum(field.size for field in self._fields)
        self._fields.append(Field(name, start, prod(map(len, axes)), cards, about, axes, low, high))
        return start
