"""Running an arena on all processors, into a file that survives being interrupted.

While a run lasts there is, beside FILE, `FILE.part`: a line that says what is played, and a line for each
deal in each rotation that has been played. A line that was torn by a kill is played again. When all are there
FILE appears in one step, and the part goes.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from time import perf_counter
from typing import IO, TypeVar

import msgspec
from msgspec import Struct

from ultimo.players.arena import arena
from ultimo.players.arena.arena import ArenaError, Plan, Played
from ultimo.players.arena.results import Result, result

SOURCES = (
    "*.py",
    "danish/*.py",
    "french/*.py",
    "play/*.py",
    "kernel/**/*.py",
    "players/**/*.py",
    "analysis/solver/*.py",
)
AGAIN = "run the same command to continue, or delete the file to start over"

Advance = Callable[[int], None]
H = TypeVar("H", bound=Struct)


class Job(Struct, frozen=True):
    """A deal to be played in a rotation."""

    plan: Plan
    deal: int
    rotation: int


class Head(Struct, frozen=True):
    """The first line of a part."""

    plan: Plan
    engine: str


def do(job: Job) -> Played:
    """Play; each process first gets its players ready."""
    _ready(msgspec.json.encode(msgspec.structs.replace(job.plan, deals=1)))
    return arena.play(job.plan, job.deal, job.rotation, perf_counter)


@lru_cache(maxsize=1)
def _ready(made: bytes) -> None:
    arena.get_ready(msgspec.json.decode(made, type=Plan))


def run(made: Plan, out: Path | None, processes: int | None) -> Result:
    """Play what has not been played, and sum up."""
    from ultimo.cli.progress import progress

    if out is not None and out.exists():
        return finished(out, made)
    sources = engine()  # as they are now: they may change while it runs
    jobs = [Job(made, deal, rotation) for deal, rotation in arena.schedule(made)]
    with progress(len(jobs)) as advance:
        if out is None:
            return result(made, _play(jobs, processes, advance), sources)
        part = out.with_name(out.name + ".part")
        played = {(one.deal, one.rotation): one for one in resumed(part, made)}
        jobs = [job for job in jobs if (job.deal, job.rotation) not in played]
        advance(len(played))
        with part.open("ab") as lines:
            for one in _play(jobs, processes, advance):
                _append(lines, one)
                played[one.deal, one.rotation] = one
    found = result(made, (played[place] for place in arena.schedule(made)), sources)
    _put(out, encoded(found))
    part.unlink()
    return found


def _play(jobs: list[Job], processes: int | None, advance: Advance) -> Iterator[Played]:
    from ultimo.analysis.simulation.run import SimulationError, spread

    at_a_time = max(1, min(processes or os.cpu_count() or 1, len(jobs)))
    try:
        for one in spread(do, iter(jobs), at_a_time):
            yield one
            advance(1)
    except SimulationError as error:
        raise ArenaError(error) from error


def encoded(found: Result) -> bytes:
    """A result as it is written."""
    return msgspec.json.format(msgspec.json.encode(found), indent=2) + b"\n"


@lru_cache(maxsize=1)
def engine() -> str:
    """What the sources of all that plays are known by: other code may play otherwise."""
    home, digest = Path(__file__).parents[1], hashlib.sha256()
    for pattern in SOURCES:
        for source in sorted(home.glob(pattern)):
            digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


# --- files ---------------------------------------------------------------------------------------------


def finished(out: Path, made: Plan) -> Result:
    """The result that a file holds, if it is that of this plan."""
    try:
        found = msgspec.json.decode(out.read_bytes(), type=Result)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise ArenaError(f"{out}: not the result of an arena ({error})") from error
    _refuse_other(out, Head(found.plan, found.engine), Head(made, engine()))
    return found


def resumed(part: Path, made: Plan) -> Iterator[Played]:
    """What a part holds of this plan, cleared of a torn end; a part that is not there is begun."""
    fresh = Head(made, engine())
    whole, torn = _lines(part)
    if torn:
        os.truncate(part, sum(len(line) + 1 for line in whole))
    if not whole:
        with part.open("wb") as lines:
            _append(lines, fresh)
        return
    head = _read(part, 1, whole[0], Head)
    # with another number of deals the same deals are the same
    _refuse_other(part, head, Head(msgspec.structs.replace(made, deals=head.plan.deals), fresh.engine))
    for number, line in enumerate(whole[1:], 2):
        one = _read(part, number, line, Played)
        if one.deal < made.deals:
            yield one


def _lines(part: Path) -> tuple[list[bytes], bytes]:
    """The whole lines of a file, and what stands behind the last; a last line that is none is torn too."""
    if not part.exists():
        return [], b""
    *whole, torn = part.read_bytes().split(b"\n")
    try:
        if whole:
            json.loads(whole[-1])
    except ValueError:
        torn = whole.pop()
    return whole, torn


def _read(part: Path, number: int, line: bytes, kind: type[H]) -> H:
    try:
        return msgspec.json.decode(line, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise ArenaError(f"{part}:{number}: damaged ({error}); delete it to begin the run anew") from error


def _refuse_other(file: Path, found: Head, wanted: Head) -> None:
    """A run of another plan, or by other code, is not gone on with."""
    was, now = (json.loads(msgspec.json.encode(head.plan)) for head in (found, wanted))
    for key in now:
        if was[key] != now[key]:
            old, new = (json.dumps(plan[key], ensure_ascii=False) for plan in (was, now))
            raise ArenaError(f"{file}: belongs to a run with {key} {old}, not {new}; {AGAIN}")
    if found.engine != wanted.engine:
        raise ArenaError(
            f"{file}: belongs to a run by another version of the program; delete it to begin anew"
        )


def _append(lines: IO[bytes], value: Struct) -> None:
    lines.write(msgspec.json.encode(value) + b"\n")
    lines.flush()


def _put(path: Path, content: bytes) -> None:
    """Write a file in one step, or not at all."""
    draft = path.with_name(path.name + ".draft")
    try:
        with draft.open("wb") as out:
            out.write(content)
            out.flush()
            os.fsync(out.fileno())
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
