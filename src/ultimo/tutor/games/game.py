"""A game to watch: the record of a deal between masters and its review, and where all of them are kept.

The file beside this module holds a game a line; `tools/write_games.py` writes it. Nothing is imported here
that reckons: a game is shown where there is no compiler.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib import resources
from typing import Final

import msgspec
from msgspec import Raw, Struct

from ultimo.events import DealEvent, Event, SeriesOpened
from ultimo.record import Record, jsonl, rules_of
from ultimo.rulebook import Rules
from ultimo.tutor.decisions import deals
from ultimo.tutor.reviewed import Review

FILE: Final = "games.jsonl"


class Game(Struct, frozen=True):
    """A session of one deal, as the lines of its record, and the review of the deal.

    Of the review only those decisions have their options that are worth telling.
    """

    id: str
    record: tuple[Raw, ...]
    review: Review

    @property
    def kept(self) -> Record:
        """The record."""
        return jsonl.loads("\n".join(bytes(line).decode() for line in self.record))

    @property
    def rules(self) -> Rules:
        """The rules by which it was played."""
        return rules_of(self.kept.header)

    @property
    def events(self) -> tuple[Event, ...]:
        """All that happened."""
        return tuple(entry.event for entry in self.kept.entries)

    @property
    def deal(self) -> tuple[DealEvent, ...]:
        """What happened in the deal."""
        (only,) = deals(self.events)
        return only

    @property
    def players(self) -> tuple[str, ...]:
        """Who played, by seat."""
        opened = self.events[0]
        assert isinstance(opened, SeriesOpened)
        return opened.names


def made(name: str, kept: Record, review: Review) -> Game:
    """A game of its record and its review."""
    return Game(name, tuple(Raw(line.encode()) for line in jsonl.dumps(kept).splitlines()), review)


# --- all of them -------------------------------------------------------------------------------------------


class UnknownGame(LookupError):
    """A name under which there is no game."""


@cache
def collection() -> tuple[Game, ...]:
    """All games that come with the program."""
    return tuple(read(resources.files(__package__).joinpath(FILE).read_bytes()))


def game(name: str) -> Game:
    """A game by its name, or `UnknownGame`."""
    found = next((one for one in collection() if one.id == name), None)
    if found is None:
        raise UnknownGame(name)
    return found


def read(data: bytes) -> list[Game]:
    """The games of a file, or `msgspec.ValidationError`."""
    return msgspec.json.Decoder(Game).decode_lines(data)


def write(games: Iterable[Game]) -> bytes:
    """Games as a file has them."""
    return msgspec.json.Encoder().encode_lines(games)
