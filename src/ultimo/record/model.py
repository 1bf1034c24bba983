"""What a record holds, however it is spelled: a header, and events in their envelopes.

A session of many deals is one flat stream of events; a deal that stands alone begins with `Opened`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, get_args

import msgspec
from msgspec import field

from ultimo import rulebook
from ultimo.events import Event, Value
from ultimo.files import shortened

VERSION: Final = 1
SIZES: Final = range(3, 6)  # of a table, by any rulebook
UNKNOWN: Final = "unknown"  # where an envelope keeps the keys of a line that this version does not know

EVENTS: Final[dict[str, type[Any]]] = {kind.__name__: kind for kind in get_args(Event)}
HEADER_KEYS: Final = frozenset({"ultimo", "rules", "digest", "overrides", "table"})
LINE_KEYS: Final = {
    name: frozenset({"type", "meta", *kind.__struct_fields__}) for name, kind in EVENTS.items()
}


class RecordError(ValueError):
    """A record that cannot be read: where, counted from 1, and why.

    `key` says of what kind the damage is, for programs; it stays the same when the words change.
    """

    def __init__(self, line: int, column: int, reason: str, key: str = "damaged") -> None:
        reason = shortened(reason)
        super().__init__(f"line {line}, column {column}: {reason}")
        self.line = line
        self.column = column
        self.reason = reason
        self.key = key


class Header(Value, frozen=True):
    """Under which rules the events happened; `extra` keeps the keys this version does not know."""

    rules: str
    digest: str
    overrides: dict[str, Any]
    table: int
    extra: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if taken := HEADER_KEYS & self.extra.keys():
            raise ValueError(f"extra cannot hold {', '.join(sorted(taken))}: the header has such keys itself")


class Entry(Value, frozen=True):
    """An event and its envelope: clocks, comments, evaluations, which no rule ever sees."""

    event: Event
    meta: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if UNKNOWN not in self.meta:
            return
        unknown, kind = self.meta[UNKNOWN], type(self.event).__name__
        if not isinstance(unknown, dict) or not unknown or LINE_KEYS[kind] & unknown.keys():
            raise ValueError(f"{UNKNOWN!r} in an envelope holds other keys of a line than {kind} has itself")


class Record(Value, frozen=True):
    """A deal or a session, complete or as far as it has come."""

    header: Header
    entries: tuple[Entry, ...]


def lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines of a file that say something, with their numbers; only a line feed ends a line."""
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        if line and not line.isspace():
            yield number, line


def wrong_table(table: int) -> str:
    """Why there can be no table of this size; nothing, if there can."""
    return "" if table in SIZES else f"at a table sit {SIZES[0]} to {SIZES[-1]}, not {table}"


def other_version(version: object) -> str:
    """Why a record of another version is refused."""
    return f"the format has version {version}, which this Ultimo cannot read; it reads {VERSION}"


def header(rules: rulebook.Rules, table: int) -> Header:
    """The header of a record made under `rules` at a table of this size."""
    house = msgspec.json.decode(msgspec.json.encode(rulebook.overrides(rules)))  # as it will be read again
    return Header(rules.id, rulebook.digest(rules), house, table)


def rules_of(header: Header, *, same: bool = True) -> rulebook.Rules:
    """The rules a record was made under; `same=False` takes today's where nothing here has their digest."""
    try:
        try:
            return rulebook.load(header.rules, header.overrides, header.digest)
        except rulebook.UnknownVersion as unknown:
            if same:
                raise RecordError(
                    1,
                    1,
                    f"the record was made under other rules: {unknown}; read it with the version of Ultimo "
                    "that wrote it, or accept today's rules with rules_of(header, same=False)",
                    "otherRules",
                ) from unknown
            return rulebook.load(header.rules, header.overrides)
    except rulebook.RulebookError as error:
        raise RecordError(
            1, 1, f"the rules of the record cannot be used: {error}", "unusableRules"
        ) from error
