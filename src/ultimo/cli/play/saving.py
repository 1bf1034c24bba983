"""A game on disk: every event is there before the next one happens, and a torn end is made good."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import BinaryIO

from msgspec import Struct
from msgspec.structs import replace

from ultimo import record
from ultimo.cli import given
from ultimo.cli.complaint import Complaint
from ultimo.events import Event, Seat, SeriesOpened
from ultimo.record import Entry, Header, RecordError, jsonl
from ultimo.record.check import IllegalRecord, whole_steps
from ultimo.rulebook import Rules

SEAT = "seat"  # the key of the header under which the person's seat is kept


class Saved(Struct, frozen=True):
    """A game that can be gone on with."""

    rules: Rules
    table: int
    seat: Seat
    played: tuple[tuple[Event, ...], ...] = ()  # step by step


class SaveFile:
    """A record that grows with the game."""

    def __init__(self, path: Path, game: Saved) -> None:
        """Write the game so far, all of it or nothing."""
        self.path = path
        header = replace(record.header(game.rules, game.table), extra={SEAT: game.seat})
        text = jsonl.encode_header(header) + _encoded(event for step in game.played for event in step)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            beside = path.with_name(f"{path.name}.new")
            with beside.open("wb") as new:
                _write(new, text)
            beside.replace(path)
            self._file = path.open("ab")
        except OSError as error:
            raise _cannot(path, error) from error

    def append(self, events: Iterable[Event]) -> None:
        """Put what has happened on disk; comes back when it is there."""
        try:
            _write(self._file, _encoded(events))
        except OSError as error:
            raise _cannot(self.path, error) from error

    def close(self) -> None:
        """No more events."""
        self._file.close()


def _encoded(events: Iterable[Event]) -> str:
    return "".join(jsonl.encode_entry(Entry(event)) for event in events)


def _write(file: BinaryIO, text: str) -> None:
    file.write(text.encode())
    file.flush()
    os.fsync(file.fileno())


def _cannot(path: Path, error: OSError) -> Complaint:
    return Complaint(f"{path}: the game cannot be saved: {error.strerror}")


def default_path(environ: Mapping[str, str]) -> Path:
    """Where the game is saved if nobody says where: in the state folder of the XDG specification."""
    state = environ.get("XDG_STATE_HOME", "")
    folder = Path(state) if Path(state).is_absolute() else Path.home() / ".local" / "state"
    return folder / "ultimo" / "last.jsonl"


def keep_previous(path: Path) -> None:
    """Move a game out of the way of a new one, in place of the one before."""
    try:
        if path.exists():
            path.replace(path.with_stem("previous"))
    except OSError as error:
        raise _cannot(path, error) from error


def load(path: Path) -> Saved:
    """The game in a file, without what an interruption has left half written."""
    text, saved = given.read_record(str(path), tolerant=True)
    try:
        rules = record.rules_of(saved.header)
        played = whole_steps(rules, [entry.event for entry in saved.entries])
    except RecordError as error:
        raise given.damaged(str(path), error) from error
    except IllegalRecord as error:
        line = jsonl.places(text)[error.index]
        raise given.damaged(str(path), RecordError(line, 1, error.reason)) from error
    _check_table(path, rules, saved.header, played)
    return Saved(rules, saved.header.table, _seat(path, saved.header), played)


def _check_table(path: Path, rules: Rules, header: Header, played: tuple[tuple[Event, ...], ...]) -> None:
    """A game that can be gone on with is a session, of as many as its header says."""
    first = played[0][0] if played else None
    if header.table not in rules.sizes:
        raise Complaint(f"{path}:1:1: {rules.id} is not played by {header.table}")
    if first is not None and (not isinstance(first, SeriesOpened) or len(first.names) != header.table):
        raise Complaint(f"{path}:2:1: the record is not of a session of {header.table}")


def _seat(path: Path, header: Header) -> Seat:
    seat = header.extra.get(SEAT)
    if not isinstance(seat, int) or not 0 <= seat < header.table:
        raise Complaint(f"{path}:1:1: the record does not say which {SEAT!r} you sit")
    return seat
