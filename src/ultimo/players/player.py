"""The protocol of a player, the player who chooses at random, and how players are found by name.

A player is a level of Ultimo, or comes from elsewhere: from an installed package that names it in the group
`ultimo.players` of its entry points, as `package.module:Class`, or as `cmd:PROGRAM ARGS…`, a program in any
language (docs/protocol.md).
"""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from importlib import import_module
from importlib.metadata import entry_points
from inspect import Parameter, signature
from math import inf
from pathlib import Path
from random import Random
from typing import Any, Final, Protocol, runtime_checkable

from msgspec import Struct

from ultimo import deal, series
from ultimo.events import Action, Event, Seat
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


@runtime_checkable
class Watcher(Protocol):
    """A player who wants to be told what its seat sees as it happens."""

    def see(self, view: View, event: Event, /) -> None:
        """Something happened, as the seat saw it; `view` is what it knows now."""
        ...


class Fault(Struct, frozen=True):
    """What a program did wrong in a deal: the kind of it, and a line that says what."""

    kind: str
    message: str


@runtime_checkable
class Guest(Watcher, Protocol):
    """A player who runs outside of this program, who may fail, and who has to be seen off."""

    faults: list[Fault]  # at most one a deal: a stand-in then finishes it

    def leave(self) -> None:
        """Get up from the table."""
        ...


class RandomPlayer:
    """Chooses at random: a kind of action first, then one of them. The same seed, the same choices."""

    def __init__(self, seed: int | str) -> None:
        self._rng = Random(seed)

    def choose(self, view: View, choices: Choices, /) -> Action:
        """Any of the choices."""
        return choices.draw(self._rng)


# --- by name -------------------------------------------------------------------------------------------

Factory = Callable[..., Player]

# A level and what makes its players from a seed: named where to import it would take long.
PLAYERS: dict[str, Factory | str] = {
    "random": RandomPlayer,
    "beginner": "ultimo.players.policy.levels:Beginner",
    "club": "ultimo.players.policy.levels:Club",
    "student": "ultimo.players.policy.levels:Student",
    "expert": "ultimo.players.expert.expert:Expert",
    "master": "ultimo.players.expert.expert:Master",
    "expert-1": "ultimo.players.expert.expert:FirstExpert",  # to compare others with
}
GROUP: Final = "ultimo.players"  # of entry points
COMMAND: Final = "cmd:"
THINKS: Final = "@"  # between a level and its seconds: master@0.1
PROGRAM: Final = "ultimo.research.programs:Program"  # what asks the program of a command
ANY: Final = frozenset({"seconds", "samples"})  # what a player gets that takes any option


def create(level: str, seed: int | str, **options: Any) -> Player:
    """A bot of this level. It gets those of the options that the level takes; what is None is not given."""
    taken = options_of(level)
    chosen = {name: value for name, value in options.items() if name in taken and value is not None}
    return _factory(level)(seed, **chosen)


@lru_cache(maxsize=64)
def options_of(level: str) -> frozenset[str]:
    """The options that a level takes, beside its seed and what its name says."""
    factory = _factory(level)
    _, *taken = signature(factory).parameters.values()
    named = frozenset(one.name for one in taken if one.kind is not Parameter.VAR_KEYWORD)
    found = named if len(named) == len(taken) else named | ANY
    return found - factory.keywords.keys() if isinstance(factory, partial) else found


def see_off(players: Sequence[Player]) -> list[list[Fault]]:
    """The game is over: what went wrong with each player, who has left."""
    found = []
    for player in players:
        found.append(list(player.faults) if isinstance(player, Guest) else [])
        if isinstance(player, Guest):
            player.leave()
    return found


def short(level: str) -> str:
    """What a player is called in a table: of a command, the file that it runs.

    >>> short("club"), short("my.bots:Careful"), short("cmd:/opt/bots/owl --depth 3")
    ('club', 'Careful', 'owl')
    """
    if not level.startswith(COMMAND):
        return level.rpartition(":")[2]
    words = shlex.split(level.removeprefix(COMMAND))
    script = next((word for word in words[1:] if Path(word).is_file()), words[0])
    return Path(script).stem


def split(text: str) -> list[str]:
    """Players that are written with commas between them; a comma in quotes is part of a command.

    >>> split("cmd:node 'a,b.mjs',club,club")
    ["cmd:node 'a,b.mjs'", 'club', 'club']
    """
    found, quote = [""], ""
    for letter in text:
        if letter in "'\"" and quote in ("", letter):
            quote = "" if quote else letter
        if letter == "," and not quote:
            found.append("")
        else:
            found[-1] += letter
    return found


def _factory(level: str) -> Factory:
    name, thinks, seconds = level.partition(THINKS)
    if thinks and name in PLAYERS:
        return _thinking(name, seconds)
    factory = PLAYERS.get(level)
    if factory is None:
        return _elsewhere(level)
    return _named(factory) if isinstance(factory, str) else factory


def _thinking(name: str, seconds: str) -> Factory:
    """What makes players of a level who have so many seconds for a decision, whatever the others have."""
    if "seconds" not in options_of(name):
        raise ValueError(f"{name}{THINKS}{seconds}: {name} does not think by the clock")
    try:
        given = float(seconds)
    except ValueError:
        given = 0.0
    if not 0 < given < inf:
        raise ValueError(
            f"{name}{THINKS}{seconds}: behind {THINKS} comes how many seconds a decision may take"
        )
    return partial(_factory(name), seconds=given)


def _named(path: str) -> Factory:
    module, _, name = path.partition(":")
    made: Factory = getattr(import_module(module), name)
    return made


@lru_cache(maxsize=64)
def _elsewhere(level: str) -> Factory:
    """What makes players that are not ours; raises `ValueError` if there are none of this name."""
    if level.startswith(COMMAND):
        return _program(level.removeprefix(COMMAND))
    if ":" in level:
        return _imported(level)
    installed = entry_points(group=GROUP)
    if level not in installed.names:
        there = ", ".join([*PLAYERS, *sorted(installed.names)])
        raise ValueError(
            f"there is no player {level!r}; there are {there}, package.module:Class and cmd:PROGRAM"
        )
    return _checked(level, installed[level].load)


def _program(command: str) -> Factory:
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise ValueError(f"{COMMAND}{command}: {error}") from error
    if not words:
        raise ValueError(f"{COMMAND} what? Write the program and its arguments behind it")
    if shutil.which(words[0]) is None:
        raise ValueError(f"{COMMAND}{command}: there is no program {words[0]!r}")
    return partial(_named(PROGRAM), command)


def _imported(level: str) -> Factory:
    """A class of a module, which may lie where the command is run."""
    if (here := os.getcwd()) not in sys.path:
        sys.path.append(here)
    return _checked(level, lambda: _named(level))


def _checked(level: str, load: Callable[[], Any]) -> Factory:
    try:
        found: Any = load()
        next(iter(signature(found).parameters))
    except (ImportError, AttributeError) as error:
        raise ValueError(f"there is no player {level!r}: {error}") from error
    except (TypeError, ValueError, StopIteration) as error:
        raise ValueError(f"{level!r} makes no player from a seed") from error
    made: Factory = found
    return made
