"""Files of decisions with what every action brought: jobs that need nothing but themselves.

A job is done here or on a worker of a cluster (`analysis.executing`), and makes the same bytes everywhere.
What is there already is not made again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import Struct

import ultimo
from ultimo.analysis.executing import Executor
from ultimo.analysis.runs import in_one_step
from ultimo.kernel.cache import imported
from ultimo.kernel.dice import starts
from ultimo.kernel.jit import Ints
from ultimo.learning import danish, french

FAMILIES: dict[str, Any] = {"danish": danish, "french": french}
DEALS = 100_000  # a file's own among the deals of a seed


class Job(Struct, frozen=True, kw_only=True):
    """A file of decisions: who plays the deals, who plays them out, and which deals they are."""

    name: str
    family: str
    ns: Ints  # the rulebook for the club, then for each student
    drivers: tuple[int, ...]  # minds: rows of `ns`, 0 for the club
    own: int
    others: tuple[int, ...]
    share: int
    words: int
    wander: int
    seed: int
    number: int  # of the file among those of the seed
    size: int
    as_states: bool  # the deals themselves, and not what a network learns from


def make(job: Job, folder: Path) -> int:
    """Write the file of a job into a folder; how many decisions are in it."""
    by = FAMILIES[job.family]
    s, t, w, minds = by.blank()
    states = np.zeros((job.size, len(s)), np.int64)
    brought = np.zeros((job.size, by.ACTIONS), np.int16)
    dice, again = np.zeros(1, np.uint64), np.zeros(1, np.uint64)
    by.generate(
        job.ns,
        np.array(job.drivers, np.int64),
        job.own,
        np.array(job.others, np.int64),
        job.share,
        job.words,
        job.wander,
        s,
        t,
        w,
        minds,
        starts(job.seed, job.number * DEALS),
        dice,
        again,
        states,
        brought,
    )
    with in_one_step(folder / job.name) as path, path.open("wb") as new:
        if job.as_states:
            np.savez_compressed(new, states=states, brought=brought)
        else:
            inputs = np.zeros((job.size, -(-by.INPUTS // 64)), np.int64)
            labels = np.zeros((job.size, by.OUTPUTS), np.int16)
            by.note(job.ns[0], s, w, dice, states, brought, inputs, labels)
            np.savez(new, inputs=inputs, labels=labels)
    return job.size


def make_all(on: Executor, jobs: Sequence[Job], folder: Path, tell: Callable[[int], object]) -> list[Path]:
    """The files of all jobs, in their order; `tell` hears of more decisions that are there."""
    missing = [job for job in jobs if not (folder / job.name).exists()]
    tell(sum(job.size for job in jobs) - sum(job.size for job in missing))
    for size in on.files(make, iter(missing), folder):
        tell(size)
    return [folder / job.name for job in jobs]


def sources(family: str) -> str:
    """A digest of all that plays."""
    root = Path(ultimo.__file__).parent
    found = hashlib.sha256()
    for name in sorted(imported(f"ultimo.learning.{family}")):
        found.update(root.joinpath(*name.split(".")[1:]).with_suffix(".py").read_bytes())
    return found.hexdigest()[:16]


def digest(by: object) -> str:
    """A name for what comes of something that can be written as JSON."""
    return hashlib.sha256(json.dumps(by, sort_keys=True).encode()).hexdigest()[:16]
