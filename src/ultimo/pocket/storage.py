"""What is kept on a device: logs that only grow, a line about each for lists, and a few values by name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol, TypeAlias

Kind: TypeAlias = Literal["table", "sheet"]


class Conflict(Exception):
    """A log is longer than its writer knew: somebody else has written."""


class Full(Exception):
    """There is no room on the device."""


class Storage(Protocol):
    """Keeps things. What it has answered for is written, whatever happens to the device afterwards."""

    async def append(self, log: str, after: int, rows: Sequence[str], cmd: str | None) -> None:
        """Write rows behind the first `after` of a log, and the command they obey; may raise `Conflict`."""

    async def applied(self, log: str, cmd: str) -> int | None:
        """Where in a log the rows begin that obey a command."""

    async def read(self, log: str, after: int = 0) -> list[tuple[int, str]]:
        """The rows of a log behind its first `after`, with their numbers from 1."""

    async def describe(self, log: str, kind: Kind, line: str) -> None:
        """Keep a line about a log, for lists of its kind."""

    async def logs(self, kind: Kind) -> list[tuple[str, str]]:
        """All logs of a kind, each with its line."""

    async def forget(self, log: str) -> None:
        """Delete a log with all that belongs to it."""

    async def clear(self) -> None:
        """Delete everything."""

    async def get(self, key: str) -> str | None:
        """The value of a name."""

    async def put(self, key: str, value: str) -> None:
        """Keep a value by a name."""


class Memory:
    """Keeps things as long as the process lives: for tests, and for whoever will not have anything kept."""

    def __init__(self) -> None:
        self._empty()

    def _empty(self) -> None:
        self._logs: dict[str, list[str]] = {}
        self._commands: dict[tuple[str, str], int] = {}
        self._lines: dict[str, tuple[Kind, str]] = {}
        self._values: dict[str, str] = {}

    async def append(self, log: str, after: int, rows: Sequence[str], cmd: str | None) -> None:
        """Write rows behind the first `after` of a log."""
        written = self._logs.setdefault(log, [])
        if len(written) != after:
            raise Conflict(log)
        written += rows
        if cmd is not None:
            self._commands[log, cmd] = after + 1

    async def applied(self, log: str, cmd: str) -> int | None:
        """Where the rows begin that obey a command."""
        return self._commands.get((log, cmd))

    async def read(self, log: str, after: int = 0) -> list[tuple[int, str]]:
        """The rows behind the first `after`."""
        return list(enumerate(self._logs.get(log, ())[after:], after + 1))

    async def describe(self, log: str, kind: Kind, line: str) -> None:
        """Keep a line about a log."""
        self._lines[log] = kind, line

    async def logs(self, kind: Kind) -> list[tuple[str, str]]:
        """All logs of a kind."""
        return [(log, line) for log, (of, line) in self._lines.items() if of == kind]

    async def forget(self, log: str) -> None:
        """Delete a log."""
        self._logs.pop(log, None)
        self._lines.pop(log, None)
        self._commands = {key: seq for key, seq in self._commands.items() if key[0] != log}

    async def clear(self) -> None:
        """Delete everything."""
        self._empty()

    async def get(self, key: str) -> str | None:
        """The value of a name."""
        return self._values.get(key)

    async def put(self, key: str, value: str) -> None:
        """Keep a value by a name."""
        self._values[key] = value
