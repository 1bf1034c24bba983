"""Runs of many deals: what is planned, and kept in files that survive an interruption.

Whatever is played in it, a run has a plan. What it has done so far belongs to this plan and to the sources
that played, and is gone on with by the same ones only.
"""

from __future__ import annotations

import hashlib
import json
import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from importlib.metadata import version
from multiprocessing import parent_process
from pathlib import Path
from typing import Any, TypedDict, TypeVar

import msgspec
from msgspec import Struct

from ultimo import rulebook
from ultimo.rulebook import Rules

# All that plays, or decides how it is played.
SOURCES = (
    "*.py",
    "danish/*.py",
    "french/*.py",
    "play/*.py",
    "kernel/**/*.py",
    "players/**/*.py",
    "analysis/solver/*.py",
    "research/*.py",
)

T = TypeVar("T")
Advance = Callable[[int], None]  # is told how many more are done


class RunError(Exception):
    """A run that cannot be done as it was asked for, or that could not be finished; in one line."""


class WorkerEnded(RunError):
    """A process that played was ended from outside."""


# --- the plan ------------------------------------------------------------------------------------------


class Plan(Struct, frozen=True, kw_only=True):
    """What decides what comes out of a run; each kind of run adds its own."""

    rules: str
    digest: str
    overrides: dict[str, Any]
    players: tuple[str, ...]  # levels
    seed: int
    deals: int
    version: str


class Book(TypedDict):
    """What a plan says of its rules, and of the program."""

    rules: str
    digest: str
    overrides: dict[str, Any]
    version: str


def book(rules: Rules, table: int) -> Book:
    """What a plan says of its rules; raises RunError if so many cannot play by them."""
    if table not in rules.sizes:
        sizes = " or ".join(map(str, rules.sizes))
        raise RunError(f"{rules.id} is played by {sizes} at the table, not {table}")
    overrides = msgspec.json.decode(msgspec.json.encode(rulebook.overrides(rules)))
    return Book(rules=rules.id, digest=rulebook.digest(rules), overrides=overrides, version=version("ultimo"))


def rules_of(made: Plan) -> Rules:
    """The rules of a plan."""
    return _rules(made.rules, msgspec.json.encode(made.overrides))


@lru_cache(maxsize=8)
def _rules(name: str, house: bytes) -> Rules:
    return rulebook.load(name, msgspec.json.decode(house))


# --- files ---------------------------------------------------------------------------------------------


class Origin(Struct):
    """What a file says of the run that it belongs to."""

    plan: dict[str, Any]
    engine: str  # the digest of the sources: other code may play otherwise


def origin(made: Plan) -> Origin:
    """What the file of a run says of it now."""
    return Origin(msgspec.json.decode(msgspec.json.encode(made)), engine())


@lru_cache(maxsize=1)
def engine() -> str:
    """What the sources of all that plays are known by."""
    home, digest = Path(__file__).parents[1], hashlib.sha256()
    for pattern in SOURCES:
        for source in sorted(home.glob(pattern)):
            digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


def refuse_other(file: Path, found: Origin, wanted: Origin) -> None:
    """A run under other settings, or by other code, is not gone on with."""
    for key, now in wanted.plan.items():
        if (was := found.plan.get(key)) != now:
            old, new = (json.dumps(value, ensure_ascii=False) for value in (was, now))
            raise RunError(
                f"{file}: belongs to a run with {key} {old}, not {new}; "
                "run the same command to continue, or delete the file to start over"
            )
    if found.engine != wanted.engine:
        raise RunError(f"{file}: belongs to a run by another version of the program; delete it to begin anew")


def decoded(file: str, text: bytes, kind: type[T]) -> T:
    """What a file, or a line of it, holds."""
    try:
        return msgspec.json.decode(text, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise RunError(f"{file}: damaged ({error}); delete it to begin the run anew") from error


@contextmanager
def in_one_step(path: Path) -> Iterator[Path]:
    """A place to write to; what was written there is then put in place at once, or not at all."""
    draft = path.with_name(path.name + ".draft")
    try:
        yield draft
        with draft.open("rb+") as written:
            os.fsync(written.fileno())
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


# --- processes -----------------------------------------------------------------------------------------


def become_worker() -> None:
    """Called in a process: it leaves Ctrl-C to its parent, and does not outlive it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
