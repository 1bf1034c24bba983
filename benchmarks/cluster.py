"""Chunks in this process, and on a cluster with one worker and two; what a chunk costs a scheduler."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping

from benchmarks.measure import Job, in_turns
from benchmarks.report import Section, table
from msgspec import Struct

from ultimo.analysis.executing import Cluster, Executor, Here
from ultimo.analysis.simulation import run as simulation
from ultimo.rulebook import load

MORE = (2, 4, 8, 16, 32, 64, 128)
EMPTY = 400  # jobs with nothing to do


class Model(Struct, frozen=True):
    """What decides how a run scales: seconds of a chunk, of the longest, and of the scheduler for each."""

    chunk: float
    longest: float
    overhead: float

    def seconds(self, chunks: int, workers: int) -> float:
        """How long so many chunks take: as the workers need, or as the scheduler does; and the last chunk.

        >>> Model(0.5, 0.5, 0.01).seconds(100, 10), Model(0.5, 0.5, 0.01).seconds(100, 100)
        (5.5, 1.5)
        """
        return max(chunks * self.chunk / workers, chunks * self.overhead) + self.longest

    def speedup(self, chunks: int, workers: int) -> float:
        """Against one process without a scheduler."""
        return chunks * self.chunk / self.seconds(chunks, workers)


def playing(on: Executor, deals: int, chunk: int) -> Job:
    """A run; the work is its chunks."""
    made = simulation.plan(load("hermansen"), table=3, seed=1, deals=deals)

    def job() -> float:
        assert simulation.run(made, on=on, chunk=chunk).deals == deals
        return deals / chunk

    return job


def nothing(on: Executor) -> Job:
    """Empty jobs; the work is their number."""
    return lambda: sum(1 for _ in on.spread(abs, iter(range(EMPTY))))


def measure(full: bool) -> Section:
    """By the clock, in turns, with the clusters open side by side; one that is idle costs next to nothing."""
    chunk = simulation.CHUNK
    deals = chunk * (24 if full else 8)
    with Cluster("local:1") as one, Cluster("local:2") as two:
        places: Mapping[str, Executor] = {"here": Here(), "1 worker": one, "2 workers": two}
        played = in_turns({name: playing(on, deals, chunk) for name, on in places.items()}, 3)
        empty = in_turns({name: nothing(on) for name, on in places.items()}, 3)
    rows = [
        (name, 1000 / rate.wall, rate.wall / played["here"].wall, 1000 / empty[name].wall)
        for name, rate in played.items()
    ]
    model = Model(1 / played["here"].wall, 1 / played["here"].wall, 1 / empty["2 workers"].wall)
    return Section(
        "A cluster",
        f"Chunks of {chunk:,} random deals of hermansen, {deals // chunk} in a run, by the clock; "
        f"{os.cpu_count()} cores. The clusters are started here: scheduler, workers and command share the "
        "processors. Below, what that comes to with more workers on other machines, for 10,000 chunks: one "
        "takes as long as here, the scheduler as long as with two workers, and at the end all wait for one "
        "chunk.",
        (
            table(("", "ms a chunk", "against here", "ms an empty job"), rows),
            table(("workers", "against here, estimated", "of the ideal"), _estimated(model)),
        ),
    )


def _estimated(model: Model) -> Iterator[tuple[str, float, str]]:
    for workers in MORE:
        found = model.speedup(10_000, workers)
        yield str(workers), found, f"{found / workers:.0%}"
