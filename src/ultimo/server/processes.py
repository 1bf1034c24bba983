"""Processes in which the server has others think, and what each of them begins with."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor
from multiprocessing import connection, get_context, parent_process
from threading import Thread
from typing import TypeVar

from ultimo import rulebook
from ultimo.play.choices import Choices
from ultimo.players import RandomPlayer, View
from ultimo.players.match import first_answer

T = TypeVar("T")

NICE = 10  # how far a process stands back that compiles, or thinks for the tutor


class Processes:
    """A pool of processes that `begin` gets ready, made anew when one of them dies."""

    def __init__(self, processes: int, begin: Callable[..., None], *given: object) -> None:
        self._processes, self._begin, self._given = processes, begin, given
        self._pool: ProcessPoolExecutor | None = None
        self._starting: list[Future[int]] = []

    @property
    def pids(self) -> frozenset[int]:
        """The processes that there are now."""
        return frozenset(self._pool._processes or ()) if self._pool is not None else frozenset()

    def start(self) -> None:
        """Start the processes, if they have not been; each warms up by itself."""
        if self._pool is None:
            self._starting = [self._executor().submit(os.getpid) for _ in range(self._processes)]

    @property
    def started(self) -> bool:
        """Whether the processes have been started."""
        return bool(self._starting)

    @property
    def ready(self) -> bool:
        """Whether a process has warmed up: the first time ever, experts compile for minutes."""
        return any(started.done() for started in self._starting)

    @property
    def works(self) -> bool:
        """Whether a process is ready and nothing has gone wrong in it."""
        done = [started for started in self._starting if started.done() and not started.cancelled()]
        return any(started.exception() is None for started in done)

    async def until_ready(self, seconds: float | None = None) -> None:
        """Wait for the first process to warm up, however long it takes, or at most so many seconds."""
        if not self.ready:
            starting = [asyncio.wrap_future(started) for started in self._starting]
            for one in starting:
                one.add_done_callback(_seen)
            await asyncio.wait(starting, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)

    async def run(self, function: Callable[..., T], *given: object) -> T:
        """What a function gives, in one of the processes."""
        loop, pool = asyncio.get_running_loop(), self._executor()
        try:
            return await loop.run_in_executor(pool, function, *given)
        except BrokenExecutor:
            if self._pool is pool:  # of all who waited for it, the first has it made anew
                self._pool = None
                pool.shutdown(wait=False)
            raise

    def retire(self) -> None:
        """Let the processes end when they have done what they are at."""
        if self._pool is not None:
            self._pool.shutdown(wait=False)
            self._pool = None

    def close(self) -> None:
        """End the processes."""
        pool, self._pool = self._pool, None
        if pool is not None:
            end(pool)

    def _executor(self) -> ProcessPoolExecutor:
        if self._pool is None:
            self._pool = ProcessPoolExecutor(self._processes, get_context("spawn"), self._begin, self._given)
        return self._pool


def end(pool: ProcessPoolExecutor) -> None:
    """End the processes of a pool, whatever they are at."""
    for process in list((pool._processes or {}).values()):
        process.terminate()
    pool.shutdown(cancel_futures=True)


def _seen(started: asyncio.Future[int]) -> None:
    """Who no longer waits for a process need not hear that it was ended before it was ready."""
    if not started.cancelled():
        started.exception()


# --- in the processes ----------------------------------------------------------------------------------


def begin() -> None:
    """Called in each: Ctrl-C is for the server, and the process ends when its server does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_die_with_server, daemon=True).start()


def _die_with_server() -> None:
    """A pool whose process was killed would wait for work for ever."""
    server = parent_process()
    assert server is not None
    connection.wait([server.sentinel])
    os._exit(1)


def decision(book: str, table: int) -> tuple[View, Choices]:
    """Something to decide, in the first trick of a deal."""
    return first_answer(rulebook.load(book), table, {seat: RandomPlayer(seat) for seat in range(table)})
