"""Chunks in this process, and on a cluster with one worker and two; what a chunk costs a scheduler."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.measure import Job, in_turns, timed
from benchmarks.report import Section, table
from msgspec import Struct

from ultimo.analysis.executing import Cluster, Executor, Here, Processes
from ultimo.analysis.runs import in_one_step
from ultimo.analysis.simulation import run as simulation
from ultimo.analysis.simulation.files import Checkpoint
from ultimo.rulebook import load

CHUNK = 200_000  # deals
SMALL, LARGE = simulation.CHUNK, 500_000  # deals of a chunk, for the estimate
MANY = 1_000_000_000  # deals, for the estimate
MORE = (2, 4, 8, 16, 32, 64, 128)
EMPTY = 400  # jobs with nothing to do
KEPT = 4  # chunks that are put on disk


class Model(Struct, frozen=True):
    """What decides how a run scales: seconds of a chunk, of what one place does for each, and of the end."""

    chunk: float
    overhead: float
    end: float = 0.0

    def seconds(self, chunks: int, workers: int) -> float:
        """How long so many chunks take: as the workers need, or as one place does; the last chunk; the end.

        >>> Model(0.5, 0.01).seconds(100, 10), Model(0.5, 0.01, 2.0).seconds(100, 100)
        (5.5, 3.5)
        """
        return max(chunks * self.chunk / workers, chunks * self.overhead) + self.chunk + self.end

    def speedup(self, chunks: int, workers: int) -> float:
        """Against one process without a scheduler."""
        return (chunks * self.chunk + self.end) / self.seconds(chunks, workers)


def playing(on: Executor, deals: int, chunk: int) -> Job:
    """A run; the work is its deals."""
    made = simulation.plan(load("hermansen"), table=3, seed=1, deals=deals)

    def job() -> float:
        assert simulation.run(made, on=on, chunk=chunk).deals == deals
        return deals

    return job


def nothing(on: Executor) -> Job:
    """Empty jobs; the work is their number."""
    return lambda: sum(1 for _ in on.spread(abs, iter(range(EMPTY))))


class Keeping:
    """What the command itself does with the rows of chunks, wherever they were played."""

    def __init__(self, folder: Path, size: int) -> None:
        made = simulation.plan(load("hermansen"), table=3, seed=1, deals=size)
        self.path = folder / "rows.parquet"
        self.state = Checkpoint.of(self.path, made, size)
        _, self.summary = simulation.write(simulation.Job(made, 0, 0, size, "parquet"), self.state.parts)
        self.content = self.state.part(0).read_bytes()

    def keep(self) -> float:
        """Put chunks on disk; the work is their number."""
        for number in range(KEPT):
            with in_one_step(self.state.part(number)) as out:
                out.write_bytes(self.content)
            self.state.note(number, self.summary)
        return KEPT

    def join(self) -> float:
        """Make one file of them; the work is its rows."""
        self.state.merge(KEPT)
        return KEPT * self.summary.deals


def measure(full: bool) -> Section:
    """By the clock, in turns, with the clusters open side by side; one that is idle costs next to nothing."""
    deals = CHUNK * (30 if full else 10)
    with Cluster("local:1") as one, Cluster("local:2") as two, Processes(2) as pair:
        places: Mapping[str, Executor] = {
            "here": Here(),
            "2 processes": pair,
            "1 worker": one,
            "2 workers": two,
        }
        played = in_turns({name: playing(on, deals, CHUNK) for name, on in places.items()}, 2)
        empty = in_turns({name: nothing(on) for name, on in places.items()}, 2)
    with TemporaryDirectory() as folder:
        kept = Keeping(Path(folder), LARGE)
        keep, join = timed(kept.keep).wall, timed(kept.join).wall
    rows = [
        (name, rate.wall, rate.wall / played["here"].wall, 1000 / empty[name].wall)
        for name, rate in played.items()
    ]
    overhead, deal = 1 / empty["2 workers"].wall, 1 / played["here"].wall
    models = {
        f"{SMALL:,} a chunk": (SMALL, Model(SMALL * deal, overhead)),
        f"{LARGE:,} a chunk": (LARGE, Model(LARGE * deal, overhead)),
        "and `--rows`": (LARGE, Model(LARGE * deal, overhead + 1 / keep, MANY / join)),
    }
    return Section(
        "A cluster",
        f"Random deals of hermansen, {deals // CHUNK} chunks of {CHUNK:,}, by the clock; {os.cpu_count()} "
        "cores. The clusters are started here: scheduler, workers and command share the processors. Below, "
        f"what that comes to with more workers on other machines, for {MANY:,} deals: a chunk takes as long "
        "as here, the scheduler as long for each as with two workers, and at the end all wait for one chunk. "
        f"With `--rows` the command puts each chunk of {LARGE:,} on its disk ({1000 / keep:.0f} ms), and "
        f"joins the parts at the end ({join:,.0f} rows/s).",
        (
            table(("", "deals/s", "against here", "ms an empty job"), rows),
            table(("workers, estimated", *models), _estimated(models.values())),
        ),
    )


def _estimated(models: Iterable[tuple[int, Model]]) -> Iterator[tuple[object, ...]]:
    every = list(models)
    for workers in MORE:
        yield str(workers), *(model.speedup(MANY // size, workers) for size, model in every)
