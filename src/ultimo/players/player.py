"""The protocol of a player, and the player who chooses at random."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Protocol

from msgspec import Struct

from ultimo import deal, series
from ultimo.events import Action, Seat
from ultimo.play.choices import Choices
from ultimo.rulebook import Rules


class View(Struct, frozen=True):
    """What a seat knows: the fold of what it saw, in the deal and in the series around it."""

    rules: Rules
    seat: Seat
    series: series.State

    @property
    def deal(self) -> deal.State:
        """The present deal, as this seat knows it."""
        assert self.series.deal is not None
        return self.series.deal


class Player(Protocol):
    """A person or a bot. It is told what it may do and knows what its seat has seen, and nothing else."""

    def choose(self, view: View, choices: Choices, /) -> Action:
        """One of the choices."""
        ...


class RandomPlayer:
    """Chooses at random: a kind of action first, then one of them. The same seed, the same choices."""

    def __init__(self, seed: int | str) -> None:
        self._rng = Random(seed)

    def choose(self, view: View, choices: Choices, /) -> Action:
        """Any of the choices."""
        return choices.draw(self._rng)


PLAYERS: dict[str, Callable[[int | str], Player]] = {"random": RandomPlayer}


def create(level: str, seed: int | str) -> Player:
    """A bot of this level."""
    if level not in PLAYERS:
        raise ValueError(f"there is no player {level!r}; there are {', '.join(PLAYERS)}")
    return PLAYERS[level](seed)
