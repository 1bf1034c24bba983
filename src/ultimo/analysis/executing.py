"""Where the chunks of a run are done: in this process, in several, or on the machines of a cluster.

A run is cut into jobs that need nothing but themselves, and sums up what comes of them in whatever order they
are done. So it does not know where they are done, and comes to the same everywhere:

>>> with Here() as on:
...     sorted(on.spread(abs, iter([-2, 1, -3])))
[1, 2, 3]

A cluster is one of Dask (extra `cluster`): a scheduler and its workers. Jobs go to it a few at a time, and
what comes of them is fetched as it is done, so that neither side keeps much. The jobs of a worker that ends
are done again by another.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import pickle
import signal
import sys
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import CancelledError, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, contextmanager, suppress
from functools import lru_cache, partial
from importlib.metadata import PackageNotFoundError, version
from multiprocessing import get_context, resource_tracker
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Lock
from time import monotonic
from types import TracebackType
from typing import TYPE_CHECKING, Any, Protocol, Self, TypeVar

from ultimo.analysis.runs import RunError, WorkerEnded, become_worker, in_one_step

if TYPE_CHECKING:
    from distributed import Client

AHEAD = 2  # jobs that a process has waiting for it
AHEAD_AFAR = 4  # the same of a worker, to which the way is longer
LOOK = 1.0  # seconds after which it is looked whether all is well, and how many workers there are
CONNECT = 10.0  # seconds in which a scheduler must answer
PATIENCE = 300.0  # seconds without any worker after which a run is given up
LOCAL = "local:"
# What decides, beside the program itself and Python, what comes out to the last bit.
PACKAGES = ("numpy", "numba", "llvmlite", "msgspec", "pyarrow")

J = TypeVar("J")
D = TypeVar("D")
D_co = TypeVar("D_co", covariant=True)
Tell = Callable[[str], None]  # is told where a cluster can be watched


class Promise(Protocol[D_co]):
    """What will come of a job."""

    def add_done_callback(self, call: Callable[[Any], object], /) -> None:
        """Let it be told when it is there."""

    def result(self) -> D_co:
        """What came of it."""


class Executor(ABC):
    """A place where jobs are done; opened and closed by `with`."""

    remote = False  # whether it writes no files here

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:  # noqa: B027
        """Leave nothing running."""

    @abstractmethod
    def spread(self, do: Callable[[J], D], jobs: Iterator[J]) -> Iterator[D]:
        """What comes of the jobs, in whatever order they are done; `do` must be found by its name.

        Jobs are asked for as there is room for them, so that one may depend on what has come already.
        """

    def files(self, make: Callable[[J, Path], D], jobs: Iterator[J], folder: Path) -> Iterator[D]:
        """What comes of jobs that write files into a folder; they are in place before the answer is given.

        `make` must be found by its name, and puts each file in place in one step. On a cluster it writes into
        a folder of its worker, from where the files are fetched: no file system need be shared.
        """
        if not self.remote:
            yield from self.spread(partial(_made, make, folder), jobs)
            return
        for contents, answer in self.spread(partial(_sent, make), jobs):
            for name, content in contents.items():
                path = folder / name
                path.parent.mkdir(parents=True, exist_ok=True)
                with in_one_step(path) as out:
                    out.write_bytes(content)
            yield answer


def _made(make: Callable[[J, Path], D], folder: Path, job: J) -> D:
    return make(job, folder)


def _sent(make: Callable[[J, Path], D], job: J) -> tuple[dict[str, bytes], D]:
    """On a worker: the files that a job has written, by their names in the folder, and its answer.

    The folder is in that of the worker, which Dask clears up even if the worker is killed.
    """
    from distributed import get_worker

    with tempfile.TemporaryDirectory(prefix="ultimo-", dir=get_worker().local_directory) as name:
        folder = Path(name)
        answer = make(job, folder)
        files = sorted(file for file in folder.rglob("*") if file.is_file())
        return {file.relative_to(folder).as_posix(): file.read_bytes() for file in files}, answer


def executor(cores: int, cluster: str | None = None, tell: Tell = lambda said: None) -> Executor:
    """Where to do jobs: on a cluster, in so many processes, or here if it is one."""
    if cluster is not None:
        return Cluster(cluster, tell)
    return Here() if cores == 1 else Processes(cores)


class Here(Executor):
    """In this process, one job after the other."""

    def spread(self, do: Callable[[J], D], jobs: Iterator[J]) -> Iterator[D]:
        """What comes of the jobs, in their order."""
        yield from map(do, jobs)


class Processes(Executor):
    """In some processes of this machine; they begin when there is something to do."""

    def __init__(self, number: int) -> None:
        self._number = number
        self._pool: ProcessPoolExecutor | None = None

    def spread(self, do: Callable[[J], D], jobs: Iterator[J]) -> Iterator[D]:
        """What comes of the jobs; the processes stay for the next ones."""
        if self._pool is None:
            context = get_context("spawn")  # the same everywhere, and safe with the threads of numpy
            self._pool = ProcessPoolExecutor(self._number, context, initializer=become_worker)
        try:
            yield from _driven(
                partial(_submitted, self._pool, do), jobs, lambda: AHEAD * self._number, _cancel
            )
        except BrokenProcessPool as error:
            raise WorkerEnded("a process that played was ended from outside") from error

    def close(self) -> None:
        """End the processes; what they are at is finished first."""
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)


def _submitted(pool: ProcessPoolExecutor, do: Callable[[J], D], job: J) -> Future[D]:
    return pool.submit(do, job)


def _driven(
    submit: Callable[[J], Promise[D]],
    jobs: Iterator[J],
    room: Callable[[], int],
    cancel: Callable[[Sequence[Any]], None],
) -> Iterator[D]:
    """What comes of the jobs as it comes; there are never more under way than there is room for."""
    ready: SimpleQueue[int] = SimpleQueue()
    waiting: dict[int, Promise[D]] = {}
    number, more = 0, True
    try:
        while True:
            while more and len(waiting) < room():
                try:
                    job = next(jobs)
                except StopIteration:
                    more = False
                    break
                waiting[number] = submit(job)
                waiting[number].add_done_callback(partial(_note, ready, number))
                number += 1
            if not waiting:
                return
            try:
                done = ready.get(timeout=LOOK)
            except Empty:
                room()  # it notices if nobody is left who works
                continue
            yield waiting.pop(done).result()
    finally:
        cancel(list(waiting.values()))


def _note(ready: SimpleQueue[int], number: int, _: object) -> None:
    ready.put(number)


def _cancel(promises: Sequence[Any]) -> None:
    for one in promises:
        one.cancel()


# --- a cluster -----------------------------------------------------------------------------------------


class Cluster(Executor):
    """On the workers of a Dask scheduler: of the one at an address, or of one that is started here."""

    remote = True

    def __init__(self, where: str, tell: Tell = lambda said: None) -> None:
        self._where = where
        self._tell = tell
        self._stack = ExitStack()
        self._client: Client
        self._asked = self._seen = 0.0
        self._threads = 0

    def __enter__(self) -> Self:
        with self._stack:
            self._client = self._connected()
            self._wait_for_workers()
            self._seen = monotonic()
            self._refuse_others()
            self._tell(self._told())
            self._stack = self._stack.pop_all()
        return self

    def close(self) -> None:
        """Leave the scheduler; one that was started here ends with its workers."""
        self._stack.close()

    def spread(self, do: Callable[[J], D], jobs: Iterator[J]) -> Iterator[D]:
        """What comes of the jobs; what a worker that ended was about to do is done by another."""
        from distributed import KilledWorker

        try:
            yield from _driven(partial(self._submit, do), jobs, self._room, self._cancel)
        except RunError:
            raise
        except KilledWorker as error:
            raise WorkerEnded(f"{self._where}: all workers that tried a chunk have ended") from error
        except (Exception, asyncio.CancelledError) as error:
            lost = isinstance(error, CancelledError | asyncio.CancelledError | OSError)
            if lost or self._client.status != "running":
                raise WorkerEnded(f"{self._where}: the connection to the scheduler was lost") from error
            raise

    def _connected(self) -> Client:
        from distributed import Client, LocalCluster

        logging.getLogger("distributed").setLevel(logging.CRITICAL)  # what matters is told in a sentence
        address: Any = self._where
        if self._where.startswith(LOCAL):
            with _unmoved_by_interrupts():
                address = LocalCluster(
                    n_workers=int(self._where.removeprefix(LOCAL)),
                    threads_per_worker=1,
                    host="127.0.0.1",
                    dashboard_address="127.0.0.1:0",
                    memory_limit=0,
                    silence_logs=logging.CRITICAL,
                )
            self._stack.callback(address.close, timeout=CONNECT)
        try:
            client = Client(address, timeout=CONNECT, set_as_default=False)
        except (OSError, ValueError) as error:
            raise RunError(f"{self._where}: no Dask scheduler answers there") from error
        self._stack.callback(_quietly, client.close, timeout=CONNECT)
        return client

    def _wait_for_workers(self) -> None:
        from distributed import TimeoutError as TooLate

        try:
            self._client.wait_for_workers(1, timeout=CONNECT)
        except TooLate as error:
            raise RunError(f"{self._where}: the scheduler has no workers") from error

    def _refuse_others(self) -> None:
        """All must be by the same sources: others may play otherwise."""
        try:
            self._client.run_on_scheduler(program)  # whose version matters not: it only passes jobs on
        except ImportError as error:
            raise RunError(f"{self._where}: the scheduler cannot load ultimo ({error})") from error
        for worker, found in self._client.run(program, on_error="return").items():
            if isinstance(found, OSError):
                continue  # it has just ended
            if isinstance(found, BaseException):
                raise RunError(
                    f"{worker}: the worker cannot load this version of ultimo ({found})"
                ) from found
            refuse_other_program(worker, found, program())

    def _told(self) -> str:
        number = len(self._client.nthreads())
        workers = "1 worker" if number == 1 else f"{number} workers"
        address = self._client.scheduler.address if self._where.startswith(LOCAL) else self._where
        return f"cluster {address}, {workers}; dashboard {self._client.dashboard_link}"

    def _submit(self, do: Callable[[J], D], job: J) -> Promise[D]:
        packed = pickle.dumps((do, job))
        future = self._client.submit(task, program(), packed, pure=False)
        return Afar(self._client, future, self._room)

    def _room(self) -> int:
        """How many jobs may be under way; workers come and go."""
        now = monotonic()
        if now - self._asked >= LOOK:
            self._threads = sum(self._client.nthreads().values())
            self._asked = now
            if self._threads:
                self._seen = now
            elif now - self._seen > PATIENCE:
                raise WorkerEnded(f"{self._where}: there are no workers any more")
        return max(1, AHEAD_AFAR * self._threads)

    def _cancel(self, promises: Sequence[Any]) -> None:
        """Let nobody do what nobody waits for; a scheduler that does not answer is not waited for."""
        if promises and self._client.status == "running":
            cancelling = self._client.cancel([one.future for one in promises], asynchronous=True)
            coming = asyncio.run_coroutine_threadsafe(cancelling, self._client.loop.asyncio_loop)
            _quietly(coming.result, CONNECT)


class Afar:
    """What will come of a job on a cluster."""

    def __init__(self, client: Client, future: Any, look: Callable[[], object]) -> None:
        self._client = client
        self.future = future
        self._look = look

    def add_done_callback(self, call: Callable[[Any], object], /) -> None:
        """Let it be told when it is there: that is, on the worker."""
        self.future.add_done_callback(call)

    def result(self) -> Any:
        """Fetch it; if its worker has ended meanwhile, the job is done again, and that may take long."""
        fetching = self._client.gather(self.future, asynchronous=True)
        coming = asyncio.run_coroutine_threadsafe(fetching, self._client.loop.asyncio_loop)
        try:
            while not wait([coming], LOOK).done:
                self._look()
            return coming.result()
        finally:
            coming.cancel()


_ONE = Lock()


def task(wanted: dict[str, str], packed: bytes) -> Any:
    """On a worker: do a job, if the program is the one that sent it; a worker may have come late.

    One after the other, also if the worker has several threads: players share what they keep in memory.
    """
    from distributed import get_worker

    address: str = get_worker().address
    refuse_other_program(address, program(), wanted)
    with _ONE:
        do, job = pickle.loads(packed)
        try:
            return do(job)
        except (OSError, RunError) as error:
            raise RunError(f"{address}: {error}") from error


@lru_cache(maxsize=1)
def program() -> dict[str, str]:
    """What decides what comes out: this program, by a digest of its sources and rulebooks, and what it uses.

    Python too: since 3.12 it adds up floats in another way.
    """
    found = {"ultimo": _sources(), "python": f"{sys.version_info.major}.{sys.version_info.minor}"}
    for package in PACKAGES:
        with suppress(PackageNotFoundError):
            found[package] = version(package)
    return found


def _sources() -> str:
    home, digest = Path(__file__).parents[1], hashlib.sha256()
    for file in sorted(file for end in ("py", "toml") for file in home.rglob(f"*.{end}")):
        content = file.read_bytes()
        digest.update(f"{file.relative_to(home).as_posix()} {len(content)}\n".encode())
        digest.update(content)
    return f"{version('ultimo')} ({digest.hexdigest()[:16]})"


def refuse_other_program(worker: str, found: Mapping[str, str], wanted: Mapping[str, str]) -> None:
    """A worker with another program, or built on others, is not played with."""
    for name, here in wanted.items():
        there = found.get(name)
        if there != here:
            has = f"no {name}" if there is None else f"{name} {there}"
            raise RunError(f"{worker}: the worker has {has}, not {here}; install the same on all")


@contextmanager
def _unmoved_by_interrupts() -> Iterator[None]:
    """Threads that begin here, and their processes, leave Ctrl-C to this one."""
    resource_tracker.ensure_running()  # later it would begin in such a thread, and let interrupts in again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _quietly(call: Callable[..., object], *given: object, **named: object) -> None:
    """Do something on the way out that may be impossible by now."""
    with suppress(Exception):
        call(*given, **named)
