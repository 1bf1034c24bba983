"""How things are timed: side by side in one run, in turns, and the best turn of each counts.

Machines are noisy, and noise only ever makes things slower. So a figure is the best of several turns, and
what is compared takes turns: a slow minute then slows both.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from typing import NamedTuple, TypeAlias

Job: TypeAlias = Callable[[], float]  # does some work and says how much it was


class Rate(NamedTuple):
    """Work a second: of the processor's time, and of the clock on the wall."""

    cpu: float
    wall: float

    def times(self, factor: float) -> Rate:
        """The rate in another unit, of which there are `factor` in this one."""
        return Rate(self.cpu * factor, self.wall * factor)


def timed(job: Job) -> Rate:
    """How fast a job is, once."""
    cpu, wall = time.process_time(), time.perf_counter()
    work = job()
    return Rate(
        work / max(time.process_time() - cpu, 1e-9),
        work / max(time.perf_counter() - wall, 1e-9),
    )


def in_turns(jobs: Mapping[str, Job], turns: int) -> dict[str, Rate]:
    """The best rates of some jobs that take turns; each has one turn before, which does not count."""
    for job in jobs.values():
        job()
    found = [{name: timed(job) for name, job in jobs.items()} for _ in range(turns)]
    return {
        name: Rate(max(turn[name].cpu for turn in found), max(turn[name].wall for turn in found))
        for name in jobs
    }


def run_python(*arguments: str, **environment: str) -> str:
    """What another Python, with other settings, writes."""
    done = subprocess.run(
        [sys.executable, *arguments],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


class Taken(NamedTuple):
    """Seconds that a command took: by the clock, and of the processor's time."""

    wall: float
    cpu: float


def seconds_of(command: list[str], times: int, **environment: str) -> list[Taken]:
    """How long a command takes, each time; the shortest first."""
    found = []
    for _ in range(times):
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        subprocess.run(command, env=os.environ | environment, check=True, stdout=subprocess.DEVNULL)
        wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
        found.append(Taken(wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime))
    return sorted(found)
