"""Where bots think: in processes of their own, so that nobody's thinking delays a table.

Experts take seconds, everybody else milliseconds; so they queue in two lanes. Whatever goes wrong in a lane,
a move comes out: at worst one drawn from the choices.
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Collection
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor
from multiprocessing import connection, get_context, parent_process
from random import Random
from threading import Thread
from time import perf_counter

from ultimo import rulebook
from ultimo.events import Action
from ultimo.play.choices import Choices
from ultimo.players import RandomPlayer, View, create
from ultimo.players.match import first_answer
from ultimo.server import metrics
from ultimo.server.logs import logger
from ultimo.table.scene import Level

PATIENCE = 20.0  # seconds that a move may take beyond an expert's time, in a lane that is ready
TRIES = 2


class Bots:
    """Finds moves. Without numba the levels above random take their time."""

    def __init__(self, processes: int = 0, expert_seconds: float = 1.0, patience: float = PATIENCE) -> None:
        processes = processes or max(1, (os.cpu_count() or 1) - 1)
        self._seconds = expert_seconds
        self._patience = patience
        self._expert = Lane("expert", processes)
        self._quick = Lane("club", max(1, processes // 4))

    def prepare(self, levels: Collection[Level]) -> None:
        """Have the processes for bots of these levels ready before anybody waits for them.

        Those of the experts take long to get ready, and where no expert plays nobody needs them.
        """
        for level in levels:
            if level != "random":
                self._lane(level).start()

    async def choose(self, level: Level, seed: str, view: View, choices: Choices) -> Action:
        """What a bot of this level does."""
        if level == "random":
            return choices.draw(Random(seed))
        lane = self._lane(level)
        lane.start()
        if lane is self._expert and not lane.ready:  # a club player moves while an expert gets ready
            lane, level = self._quick, "club"
            lane.start()
        await lane.until_ready()
        return await self.choose_in(lane, level, seed, view, choices)

    async def choose_in(self, lane: Lane, level: Level, seed: str, view: View, choices: Choices) -> Action:
        """What a bot does that thinks in this lane."""
        began = perf_counter()
        for _ in range(TRIES):
            try:
                async with asyncio.timeout(self._seconds + self._patience):
                    action = await lane.choose(level, seed, self._seconds, view, choices)
                metrics.BOT.labels(level).observe(perf_counter() - began)
                if action in choices:
                    return action
                logger().error("a bot has chosen what it may not", level=level, seed=seed)
                break
            except BrokenExecutor:
                logger().warning("a process of the bots has died", level=level)
            except TimeoutError:
                logger().error("a bot takes too long", level=level, seed=seed)
                break
            except Exception:
                logger().exception("a bot has failed", level=level, seed=seed)
                break
        return choices.draw(Random(seed))

    def _lane(self, level: Level) -> Lane:
        return self._expert if level == "expert" else self._quick

    async def close(self) -> None:
        """End the processes, whatever they think about."""
        for lane in (self._expert, self._quick):
            await asyncio.to_thread(lane.close)


class Lane:
    """A pool of processes for one kind of bots, made anew when one of them dies."""

    def __init__(self, level: Level, processes: int) -> None:
        self._level, self._processes = level, processes
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
    def ready(self) -> bool:
        """Whether a process has warmed up: the first time ever, that takes a minute of compiling."""
        return any(started.done() for started in self._starting)

    async def until_ready(self) -> None:
        """Wait for the first process to warm up, however long it takes."""
        if not self.ready:
            starting = [asyncio.wrap_future(started) for started in self._starting]
            await asyncio.wait(starting, return_when=asyncio.FIRST_COMPLETED)

    async def choose(self, level: Level, seed: str, seconds: float, view: View, choices: Choices) -> Action:
        """What a bot does, in one of the processes."""
        loop, pool = asyncio.get_running_loop(), self._executor()
        try:
            return await loop.run_in_executor(pool, _choose, level, seed, seconds, view, choices)
        except BrokenExecutor:
            if self._pool is pool:  # of all who waited for it, the first has it made anew
                self._pool = None
                pool.shutdown(wait=False)
            raise

    def close(self) -> None:
        """End the processes."""
        if self._pool is not None:
            for process in list((self._pool._processes or {}).values()):
                process.terminate()
            self._pool.shutdown(cancel_futures=True)
            self._pool = None

    def _executor(self) -> ProcessPoolExecutor:
        if self._pool is None:
            self._pool = ProcessPoolExecutor(
                self._processes, get_context("spawn"), initializer=_begin, initargs=(self._level,)
            )
        return self._pool


# --- in the processes ----------------------------------------------------------------------------------


def _choose(level: Level, seed: str, seconds: float, view: View, choices: Choices) -> Action:
    return create(level, seed, seconds=seconds).choose(view, choices)


def _begin(level: Level) -> None:
    """Get a process ready: it ends when its server does, and has found a move of each family already."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server
    Thread(target=_die_with_server, daemon=True).start()
    for book, table in (("dtf", 3), ("french4", 4)):
        view, choices = decision(book, table)
        _choose(level, "warm", 0.05, view, choices)


def _die_with_server() -> None:
    """A pool whose process was killed would wait for work for ever."""
    server = parent_process()
    assert server is not None
    connection.wait([server.sentinel])
    os._exit(1)


def decision(book: str, table: int) -> tuple[View, Choices]:
    """Something to decide, in the first trick of a deal."""
    return first_answer(rulebook.load(book), table, {seat: RandomPlayer(seat) for seat in range(table)})
