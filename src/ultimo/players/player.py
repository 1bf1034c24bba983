"""The protocol of a player, and the player who chooses at random."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from inspect import signature
from random import Random
from typing import Any, Protocol

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


# A level and what makes its players from a seed: named where to import it would take long.
PLAYERS: dict[str, Callable[..., Player] | str] = {
    "random": RandomPlayer,
    "beginner": "ultimo.players.policy.levels:Beginner",
    "club": "ultimo.players.policy.levels:Club",
    "expert": "ultimo.players.expert.expert:Expert",
}


def create(level: str, seed: int | str, **options: Any) -> Player:
    """A bot of this level. It gets those of the options that the level takes; what is None is not given."""
    taken = options_of(level)
    chosen = {name: value for name, value in options.items() if name in taken and value is not None}
    return _factory(level)(seed, **chosen)


@cache
def options_of(level: str) -> frozenset[str]:
    """The options that a level takes, beside its seed."""
    return frozenset(list(signature(_factory(level)).parameters)[1:])


def _factory(level: str) -> Callable[..., Player]:
    if level not in PLAYERS:
        raise ValueError(f"there is no player {level!r}; there are {', '.join(PLAYERS)}")
    factory = PLAYERS[level]
    if isinstance(factory, str):
        module, _, name = factory.partition(":")
        made: Callable[..., Player] = getattr(import_module(module), name)
        return made
    return factory
