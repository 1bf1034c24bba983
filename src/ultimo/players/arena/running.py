"""Running an arena, on all processors or on a cluster, into a file that survives being interrupted.

While a run lasts there is, beside FILE, `FILE.part`: a line that says what is played, and a line for each
deal in each rotation that has been played. A line that was torn by a kill is played again. When all are there
FILE appears in one step, and the part goes.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import IO

import msgspec
from msgspec import Struct

from ultimo.analysis import runs
from ultimo.analysis.executing import Executor
from ultimo.analysis.runs import Advance, Origin, RunError, decoded, in_one_step, origin, refuse_other
from ultimo.players.arena import arena
from ultimo.players.arena.arena import Plan, Played
from ultimo.players.arena.results import Result, result


class Job(Struct, frozen=True):
    """A deal to be played in a rotation."""

    plan: Plan
    deal: int
    rotation: int
    errors: str | None = None  # where programs complain


def do(job: Job) -> Played:
    """Play; each process first gets its players ready."""
    _ready(msgspec.json.encode(msgspec.structs.replace(job.plan, deals=1)), job.errors)
    return arena.play(job.plan, job.deal, job.rotation, errors=job.errors)


@lru_cache(maxsize=1)
def _ready(made: bytes, errors: str | None) -> None:
    arena.get_ready(msgspec.json.decode(made, type=Plan), errors)


def run(made: Plan, out: Path | None, on: Executor, advance: Advance, errors: str | None = None) -> Result:
    """Play what has not been played, and sum up; `advance` is told how many more are done."""
    if out is not None and out.exists():
        return finished(out, made)
    sources = runs.engine()  # as they are now: they may change while it runs
    jobs = [Job(made, deal, rotation, errors) for deal, rotation in arena.schedule(made)]
    if out is None:
        return result(made, _play(jobs, on, advance), sources)
    part = out.with_name(out.name + ".part")
    played = {(one.deal, one.rotation): one for one in resumed(part, made)}
    jobs = [job for job in jobs if (job.deal, job.rotation) not in played]
    advance(len(played))
    with part.open("ab") as lines:
        for one in _play(jobs, on, advance):
            _append(lines, one)
            played[one.deal, one.rotation] = one
    found = result(made, (played[place] for place in arena.schedule(made)), sources)
    with in_one_step(out) as draft:
        draft.write_bytes(encoded(found))
    part.unlink()
    return found


def _play(jobs: list[Job], on: Executor, advance: Advance) -> Iterator[Played]:
    for one in on.spread(do, iter(jobs)):
        yield one
        advance(1)


def encoded(found: Struct) -> bytes:
    """A result as it is written."""
    return msgspec.json.format(msgspec.json.encode(found), indent=2) + b"\n"


# --- files ---------------------------------------------------------------------------------------------


def finished(out: Path, made: Plan) -> Result:
    """The result that a file holds, if it is that of this plan."""
    try:
        found = msgspec.json.decode(out.read_bytes(), type=Result)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise RunError(f"{out}: not the result of an arena ({error})") from error
    refuse_other(out, Origin(origin(found.plan).plan, found.engine), origin(made))
    return found


def resumed(part: Path, made: Plan) -> Iterator[Played]:
    """What a part holds of this plan, cleared of a torn end; a part that is not there is begun."""
    fresh = origin(made)
    whole, torn = _lines(part)
    if torn:
        os.truncate(part, sum(len(line) + 1 for line in whole))
    if not whole:
        with part.open("wb") as lines:
            _append(lines, fresh)
        return
    head = decoded(f"{part}:1", whole[0], Origin)
    fresh.plan["deals"] = head.plan.get("deals")  # with another number of deals the same deals are the same
    refuse_other(part, head, fresh)
    for number, line in enumerate(whole[1:], 2):
        one = decoded(f"{part}:{number}", line, Played)
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


def _append(lines: IO[bytes], value: Struct) -> None:
    lines.write(msgspec.json.encode(value) + b"\n")
    lines.flush()
