"""Runs on a real cluster: a scheduler and workers in processes of their own, slow, of other versions, killed.

To be cheap the tests share one cluster, and those come last that take something away from it.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from threading import Barrier, BrokenBarrierError
from typing import Any

import msgspec
import pytest

from commands import fails, ultimo
from serving import PATIENCE, until
from ultimo.analysis import executing
from ultimo.analysis.executing import Cluster, Here
from ultimo.analysis.runs import RunError, WorkerEnded
from ultimo.analysis.simulation import run as simulation
from ultimo.analysis.simulation.run import Job, Plan, plan, run
from ultimo.analysis.statistics import Summary
from ultimo.cli import figures
from ultimo.rulebook import load
from ultimo.tutor.school.puzzles.puzzle import collection, write

pytestmark = pytest.mark.xdist_group("cluster")
MARKS = "ULTIMO_TEST_MARKS"  # the folder in which workers and tests leave marks for each other
SEARCHED = tuple(sys.path)  # where workers find modules
SOURCES = Path(executing.__file__).parents[1]
HERE = "127.0.0.1"
QUIET = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}


class Farm:
    """A scheduler and two workers; they are started again if a test needs them that comes after their end."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.scheduler: subprocess.Popen[bytes] | None = None
        self.workers: list[subprocess.Popen[bytes]] = []
        self.times = 0

    @property
    def address(self) -> str:
        """Of the scheduler; a worker is there, or about to be."""
        if self.scheduler is None or self.scheduler.poll() is not None:
            self.times += 1
            options = ("--host", HERE, "--port", "0", "--dashboard-address", f"{HERE}:0")
            self.scheduler = self._start("scheduler", *options, "--scheduler-file", str(self._file))
            until(lambda: self._read() is not None, lambda: "the scheduler does not start")
            self.stop_workers()
        if not self.alive:
            self.workers = [self.worker(), self.worker()]
        return str(self._read())

    @property
    def alive(self) -> int:
        """How many workers there are."""
        return sum(one.poll() is None for one in self.workers)

    def worker(self, *paths: str) -> subprocess.Popen[bytes]:
        """One more worker, which finds modules in these places first."""
        options = ("--nthreads", "1", "--no-nanny", "--no-dashboard", "--memory-limit", "0")
        places = ("--scheduler-file", str(self._file), "--local-directory", str(self.folder))
        return self._start("worker", *options, *places, paths=paths)

    def stop_workers(self) -> None:
        """End all workers."""
        for one in self.workers:
            one.kill()
            one.wait()

    def stop(self) -> None:
        """End everything."""
        self.stop_workers()
        if self.scheduler is not None:
            self.scheduler.kill()
            self.scheduler.wait()

    @property
    def _file(self) -> Path:
        return self.folder / f"scheduler-{self.times}.json"

    def _read(self) -> str | None:
        """The address in the scheduler's file, once all of it is written."""
        try:
            address: str = json.loads(self._file.read_bytes())["address"]
        except (FileNotFoundError, ValueError):
            return None
        return address

    def _start(self, what: str, *options: str, paths: tuple[str, ...] = ()) -> subprocess.Popen[bytes]:
        search = os.pathsep.join((*paths, *SEARCHED))
        environment = os.environ | {"PYTHONPATH": search, MARKS: str(self.folder)}
        return subprocess.Popen([sys.executable, "-m", "dask", what, *options], env=environment, **QUIET)  # type: ignore[call-overload,no-any-return]


@pytest.fixture(scope="module")
def farm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Farm]:
    made = Farm(tmp_path_factory.mktemp("cluster"))
    try:
        yield made
    finally:
        made.stop()


@pytest.fixture
def on(farm: Farm) -> Iterator[Cluster]:
    with Cluster(farm.address) as on:
        until(lambda: len(on._client.nthreads()) == farm.alive)
        yield on


def danish() -> Plan:
    return plan(load("hermansen"), table=4, seed=5, deals=330, length=20, players=["random"])


def french() -> Plan:
    return plan(load("french4"), seed=5, deals=330, players=["beginner"])


def written(path: Path, made: Plan, **options: Any) -> bytes:
    run(made, rows=path, **options)
    return path.read_bytes()


# --- the same as anywhere else -------------------------------------------------------------------------


@pytest.mark.parametrize("make", [danish, french])
def test_workers_and_chunks_leave_no_trace(make: Any, on: Cluster, tmp_path: Path) -> None:
    for suffix in (".jsonl", ".parquet"):
        whole = written(tmp_path / f"here{suffix}", make())
        for chunk in (30, 170):
            assert written(tmp_path / f"there{suffix}", make(), chunk=chunk, on=on) == whole
    assert run(make(), chunk=50, on=on) == run(make())
    assert {path.stem for path in tmp_path.iterdir()} == {"here", "there"}


def test_every_command_says_the_same(farm: Farm, tmp_path: Path) -> None:
    file = tmp_path / "some.jsonl"
    file.write_bytes(write([one for one in collection() if one.tricks <= 3][:4]))
    for words in (
        ("simulate", "--rules", "basta,dtf", "--table", 3, "--deals", 100, "--chunk", 40),
        ("simulate", "--rules", "french5", "--deals", 100, "--chunk", 40, "--json"),
        ("stats", "--deals", 100),
        ("puzzles", "verify", file),
    ):
        there = ultimo(*words, "--cluster", farm.address)
        assert there.status == 0
        assert there.out == ultimo(*words, "--cores", 1).out
        assert there.err.startswith(f"cluster {farm.address}, ")
        assert "; dashboard http://127.0.0.1:" in there.err
        assert there.err.count("\n") == 1


def test_a_corpus_is_written_the_same(farm: Farm, tmp_path: Path) -> None:
    words = ("dataset", "--rules", "hermansen", "--players", "beginner", "--deals", 100, "--shard", 40)
    here, there = tmp_path / "here", tmp_path / "there"
    assert ultimo(*words, "--out", here, "--cores", 1).status == 0
    assert ultimo(*words, "--out", there, "--cluster", farm.address).status == 0
    assert _files(there) == _files(here)
    assert len(_files(there)) == 3 + 3 + 2


def test_the_same_puzzles_are_found(farm: Farm, tmp_path: Path) -> None:
    what = ("--rules", "hermansen", "--themes", "pagat,king", "--number", 2, "--deals", 60)
    words = ("puzzles", "make", *what)
    here, there = tmp_path / "here.jsonl", tmp_path / "there.jsonl"
    found = ultimo(*words, "--out", here, "--cores", 1)
    assert found.status == 0
    assert ultimo(*words, "--out", there, "--cluster", farm.address).out == found.out
    assert here.stat().st_size
    assert _files(tmp_path) == {Path(name): here.read_bytes() for name in ("here.jsonl", "there.jsonl")}


def _files(folder: Path) -> dict[Path, bytes]:
    """All files of a folder."""
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_an_arena_comes_to_the_same(farm: Farm, tmp_path: Path) -> None:
    """Also without a file, where results are added up as they come."""
    words = ("arena", "--rules", "hermansen", "--players", "random,random,beginner", "--deals", 4, "--json")
    file = tmp_path / "there.json"
    here = ultimo(*words, "--processes", 1)
    assert here.status == 0
    for options in (("--out", file), ()):
        assert _timeless(ultimo(*words, *options, "--cluster", farm.address).out) == _timeless(here.out)
    assert _timeless(file.read_text()) == _timeless(here.out)


def _timeless(told: str) -> Any:
    """A result without how long players thought."""
    found = json.loads(told)
    for one in found["players"]:
        for key in [key for key in one if key.endswith("seconds")]:
            del one[key]
    return found


def test_a_job_may_write_several_files(on: Cluster, tmp_path: Path) -> None:
    for where, name in ((on, "there"), (Here(), "here")):
        assert sorted(where.files(two_files, iter(range(3)), tmp_path / name)) == [0, 1, 4]
    found = {path.relative_to(tmp_path).as_posix(): path.read_text() for path in tmp_path.rglob("*.txt")}
    assert len(found) == 12
    assert found["there/2.txt"] == found["here/2.txt"] == "2"
    assert found["there/deep/2.txt"] == found["here/deep/2.txt"] == "4"


def two_files(job: int, folder: Path) -> int:
    (folder / "deep").mkdir(parents=True, exist_ok=True)
    (folder / f"{job}.txt").write_text(str(job))
    (folder / "deep" / f"{job}.txt").write_text(str(job * job))
    return job * job


# --- what goes wrong -----------------------------------------------------------------------------------


def slow(job: Job, parts: Path) -> tuple[int, Summary]:
    """Write a chunk; the first one only when it is waited for."""
    mark = Path(os.environ[MARKS]) / "waited for"
    if job.number == 0:
        until(mark.exists)
    return simulation.write(job, parts)


def test_nobody_waits_for_a_slow_worker(
    farm: Farm, on: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = written(tmp_path / "here.jsonl", danish())
    done: list[int] = []

    def advance(deals: int) -> None:
        done.append(deals)
        if len(done) == 4:  # nothing yet, and three chunks
            (farm.folder / "waited for").touch()

    monkeypatch.setattr(simulation, "write", slow)
    assert written(tmp_path / "there.jsonl", danish(), chunk=40, on=on, advance=advance) == whole
    assert len(done) == 1 + 9


def test_a_worker_of_another_version_is_refused(farm: Farm, tmp_path: Path) -> None:
    shutil.copytree(SOURCES, tmp_path / "ultimo", ignore=shutil.ignore_patterns("static", "__pycache__"))
    with (tmp_path / "ultimo" / "rulebooks" / "dtf.toml").open("a", encoding="utf-8") as book:
        book.write("# another one\n")
    address, other = farm.address, farm.worker(str(tmp_path))
    try:
        with Cluster(address) as on:
            until(lambda: len(on._client.nthreads()) > farm.alive)
    except RunError as error:  # it was there already
        found = str(error)
    else:
        found = fails("simulate", "--deals", 10, "--cluster", address)
    finally:
        other.kill()
        other.wait()
    here = executing.program()["ultimo"]
    assert f"the worker has ultimo {here[:6]}" in found
    assert f"not {here}; install the same on all" in found


def test_a_worker_that_comes_late_is_checked_too(on: Cluster) -> None:
    with pytest.raises(RunError, match=r"the worker has ultimo .*, not 9\.9; install the same on all"):
        on._client.submit(executing.task, {"ultimo": "9.9"}, b"", pure=False).result()


@pytest.mark.parametrize(
    ("found", "complaint"),
    [
        ({"python": "3.11", "numba": "1.1"}, "numba 1.1, not 1.2"),
        ({"python": "3.12", "numba": "1.2"}, "python 3.12, not 3.11"),
        ({"python": "3.11"}, "no numba, not 1.2"),
    ],
)
def test_a_worker_must_be_built_on_the_same(found: dict[str, str], complaint: str) -> None:
    wanted = {"python": "3.11", "numba": "1.2"}
    with pytest.raises(RunError, match=f"^it: the worker has {complaint}; install the same on all$"):
        executing.refuse_other_program("it", found, wanted)
    executing.refuse_other_program("it", wanted | {"pyarrow": "9"}, wanted)
    assert {"python", "numpy", "numba", "llvmlite", "msgspec", "pyarrow"} < executing.program().keys()


def test_what_fails_on_a_worker_is_told_in_a_line(on: Cluster) -> None:
    with pytest.raises(RunError, match=r"^tcp://127\.0\.0\.1:\d+: \[Errno 2\] No such file"):
        list(on.spread(os.listdir, iter(["/there/is/no/such/folder"])))


def test_a_player_that_a_worker_does_not_have_is_named(
    farm: Farm, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "only_here.py").write_text("from ultimo.players.player import RandomPlayer as Player\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    words = ("arena", "--rules", "hermansen", "--players", "only_here:Player,random,random", "--deals", 1)
    done = ultimo(*words, "--cluster", farm.address)
    assert done.status == 1
    complaint = "there is no player 'only_here:Player': No module named 'only_here'"
    assert re.fullmatch(rf"cluster .*\nultimo: tcp://{HERE}:\d+: {complaint}\n", done.err)


def test_a_scheduler_that_cannot_pass_jobs_on_is_told_of(farm: Farm, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(client: object, call: object) -> None:
        raise ModuleNotFoundError("No module named 'ultimo'")

    monkeypatch.setattr("distributed.Client.run_on_scheduler", missing)
    complaint = f"{farm.address}: the scheduler cannot load ultimo (No module named 'ultimo')"
    assert fails("simulate", "--deals", 10, "--cluster", farm.address) == complaint


def dying(job: Job, parts: Path) -> tuple[int, Summary]:
    """Write a chunk; but the first worker that comes to chunk 3 is killed."""
    if job.number == 3:
        try:
            (Path(os.environ[MARKS]) / "died").touch(exist_ok=False)
        except FileExistsError:
            pass
        else:
            os.kill(os.getpid(), signal.SIGKILL)
    return simulation.write(job, parts)


def test_what_a_killed_worker_was_at_is_done_by_another(
    farm: Farm, on: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = written(tmp_path / "here.jsonl", danish())
    monkeypatch.setattr(simulation, "write", dying)
    assert written(tmp_path / "there.jsonl", danish(), chunk=40, on=on) == whole
    assert (farm.folder / "died").exists()
    until(lambda: farm.alive == 1)


def test_what_was_done_and_not_yet_fetched_is_done_again(
    farm: Farm, on: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last worker ends with chunks that are done. First no other comes in time, then one does."""
    made, path = danish(), tmp_path / "there.jsonl"
    whole = written(tmp_path / "here.jsonl", made)
    calls: list[int] = []

    def end(deals: int) -> None:
        calls.append(deals)
        if len(calls) == 2:  # nothing yet, and a chunk
            until(lambda: [one.status for one in list(on._client.futures.values())] == ["finished"] * 3)
            farm.stop_workers()

    def begin(deals: int) -> None:
        calls.append(deals)
        if len(calls) == 1:
            farm.workers = [farm.worker()]

    with monkeypatch.context() as hurried:
        hurried.setattr(executing, "PATIENCE", 0.5)
        with pytest.raises(WorkerEnded, match="there are no workers any more"):
            run(made, rows=path, chunk=100, on=on, advance=end)
    calls.clear()
    run(made, rows=path, chunk=100, on=on, advance=begin)
    assert calls == [100, *calls[1:]]
    assert sum(calls) == 330
    assert path.read_bytes() == whole


def test_a_killed_scheduler_loses_nothing(farm: Farm, on: Cluster, tmp_path: Path) -> None:
    """The run is finished by workers that are started here."""
    made, path = danish(), tmp_path / "there.jsonl"
    whole = written(tmp_path / "here.jsonl", made)
    done: list[int] = []

    def advance(deals: int) -> None:
        done.append(deals)
        if len(done) == 4:  # nothing yet, and three chunks
            assert farm.scheduler is not None
            farm.scheduler.kill()
            farm.scheduler.wait()

    with pytest.raises(WorkerEnded, match="the connection to the scheduler was lost"):
        run(made, rows=path, chunk=20, on=on, advance=advance)
    assert not path.exists()
    assert len(list(tmp_path.glob("there.jsonl.parts/*.jsonl"))) >= 3
    words = ("simulate", "--rules", "hermansen", "--table", 4, "--seed", 5, "--deals", 330, "--rows", path)
    there = ultimo(*words, "--cluster", "local:2")
    assert there.status == 0
    assert there.out == ultimo(*words[:-2], "--cores", 1).out
    assert re.match(r"cluster tcp://127\.0\.0\.1:\d+, 2 workers; dashboard http://127\.0\.0\.1:", there.err)
    assert _files(tmp_path) == {Path(name): whole for name in ("here.jsonl", "there.jsonl")}


# --- where there is none -------------------------------------------------------------------------------


def test_a_scheduler_must_answer_and_have_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    from distributed import LocalCluster

    monkeypatch.setattr(executing, "CONNECT", 0.5)
    words = ("simulate", "--deals", 10, "--cluster")
    assert fails(*words, f"tcp://{HERE}:1") == f"tcp://{HERE}:1: no Dask scheduler answers there"
    with LocalCluster(n_workers=0, host=HERE, dashboard_address=f"{HERE}:0") as idle:
        address = idle.scheduler_address
        assert fails(*words, address) == f"{address}: the scheduler has no workers"


def test_chunks_are_done_one_after_the_other_by_a_worker_with_threads() -> None:
    """Whatever players keep in memory is theirs alone meanwhile."""
    from distributed import LocalCluster

    inside = LocalCluster(
        n_workers=1, threads_per_worker=2, processes=False, dashboard_address=f"{HERE}:0", memory_limit=0
    )
    with inside, Cluster(inside.scheduler_address) as on:
        assert list(on.spread(met, iter(range(2)))) == [False, False]


MEETING = Barrier(2)


def met(job: int) -> bool:
    """Whether somebody else is doing a job at the same time, here in this process."""
    try:
        MEETING.wait(0.2)
    except BrokenBarrierError:
        MEETING.reset()
        return False
    return True


@pytest.mark.parametrize("where", ["here", "local:", "local:0", "local:two", "tcp://here", "http://here:80"])
def test_a_cluster_has_an_address(where: str) -> None:
    done = ultimo("stats", "--cluster", where)
    assert done.status == 2
    assert f"{where!r} is neither tcp://HOST:PORT nor local:N" in done.err


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("simulate", "--cores", 2), "--cluster and --cores: use only one of them"),
        (("stats", "--cores", 2), "--cluster and --cores: use only one of them"),
        (("dataset", "--out", "corpus", "--cores", 2), "--cluster and --cores: use only one of them"),
        (("arena", "--processes", 2), "--cluster and --processes: use only one of them"),
        (("puzzles", "verify", "--cores", 2), "--cluster and --cores: use only one of them"),
        (("simulate", "--out", "a.jsonl"), "--cluster cannot be combined with --out"),
    ],
)
def test_what_cannot_go_together_is_said(words: tuple[object, ...], complaint: str) -> None:
    assert fails(*words, "--cluster", "local:2") == complaint


def test_what_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(figures, "find_spec", lambda name: None if name == "distributed" else object())
    missing = 'this needs distributed: pip install "ultimo[cluster]"'
    assert fails("simulate", "--deals", 3, "--cluster", "local:2") == missing


@pytest.mark.parametrize(
    "command",
    [("simulate",), ("arena",), ("stats",), ("dataset",), ("puzzles", "make"), ("puzzles", "verify")],
)
def test_it_is_in_the_help(command: tuple[str, ...]) -> None:
    shown = " ".join(ultimo(*command, "--help").out.split())
    assert "--cluster WHERE use a Dask cluster: tcp://HOST:PORT of its scheduler, or local:N" in shown


# --- started here --------------------------------------------------------------------------------------


def test_an_interrupted_run_leaves_nobody_behind_and_goes_on(tmp_path: Path) -> None:
    """As a terminal does it: all processes of the command are sent the interrupt."""
    rows, state = tmp_path / "rows.jsonl", tmp_path / "rows.jsonl.state"
    words = ["simulate", "--rules", "hermansen", "--table", "3", "--deals", "40000000", "--chunk", "2000"]
    command = [sys.executable, "-m", "ultimo.cli.main", *words, "--rows", str(rows), "--cluster", "local:1"]
    with subprocess.Popen(
        command,
        stderr=subprocess.PIPE,
        start_new_session=True,
        text=True,
        env={**os.environ, "PYTHONFAULTHANDLER": "1"},
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),  # jobs in the background ignore it
    ) as running:
        until(lambda: state.exists() or running.poll() is not None, lambda: "nothing is played")
        os.killpg(running.pid, signal.SIGINT)
        try:
            _, told = running.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            running.send_signal(signal.SIGABRT)  # where does it stand?
            _, told = running.communicate()
            raise AssertionError(told) from None
        finally:
            running.kill()
    assert running.returncode == 130
    assert told.startswith("cluster tcp://127.0.0.1:")
    assert told.count("\n") == 1
    until(lambda: not _group_exists(running.pid), lambda: "a worker has outlived its run")
    kept = msgspec.json.decode(state.read_bytes())
    for number, size in kept["done"].items():
        assert (tmp_path / "rows.jsonl.parts" / f"{int(number):08}.jsonl").stat().st_size == size


def _group_exists(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True
