"""Where bots think: in processes of their own, so that nobody's thinking delays a table.

Experts take seconds, everybody else milliseconds; so they queue in two lanes. Until the second is compiled, a
third stands in for it: the same source, run as Python, makes the same choices; what is missing is compiled
meanwhile, in a process that lets all others go first. Whatever goes wrong in a lane, a move comes out: at
worst one drawn from the choices.
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable, Collection
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor
from multiprocessing import connection, get_context, parent_process
from random import Random
from threading import Thread
from time import perf_counter
from typing import Literal, TypeAlias, TypeVar

from ultimo import rulebook
from ultimo.events import Action
from ultimo.kernel.cache import compiler
from ultimo.play.choices import Choices
from ultimo.players import RandomPlayer, View, create
from ultimo.players.match import first_answer
from ultimo.players.warming import CLUB, compile_once, is_ready
from ultimo.rulebook import Rules
from ultimo.server import metrics
from ultimo.server.limits import Gate
from ultimo.server.logs import logger
from ultimo.table.scene import Level

T = TypeVar("T")
Speed: TypeAlias = Literal["compiled", "compiling", "uncompiled"]

PATIENCE = 20.0  # seconds that a move may take beyond an expert's time, in a lane that is ready
GRACE = 5.0  # seconds that compiled bots may take to get ready before others move for them
TRIES = 2
NICE = 10  # how far a process stands back that compiles, or thinks for the tutor


class Bots:
    """Finds moves: at once, and compiled as soon as that is possible."""

    def __init__(self, processes: int = 0, expert_seconds: float = 1.0, patience: float = PATIENCE) -> None:
        processes = processes or max(1, (os.cpu_count() or 1) - 1)
        self._seconds = expert_seconds
        self._patience = patience
        self._expert = Lane("expert", processes)
        self._quick = Lane("club", max(1, processes // 4))
        self._plain = Lane("club", max(1, processes // 4), plain=True)
        self._compiling: Compiling | None = None
        self._getting_quick: asyncio.Task[None] | None = None

    def prepare(self, levels: Collection[Level]) -> None:
        """Have the processes for bots of these levels ready before anybody waits for them.

        Those of the experts take long to get ready, and where no expert plays nobody needs them.
        """
        for level in levels:
            if level == "expert":
                self._expert.start()
            elif level != "random":
                self._start_quick()

    @property
    def speed(self) -> Speed:
        """How bots think who are no experts."""
        if self._quick.works:
            return "compiled"
        getting = self._getting_quick
        return "compiling" if getting is not None and not getting.done() else "uncompiled"

    async def choose(self, level: Level, seed: str, view: View, choices: Choices, payer: str = "") -> Action:
        """What a bot of this level does; those who wait for one take turns by who pays for it."""
        if level == "random":
            return choices.draw(Random(seed))
        if level == "expert":
            self._expert.start()
            if self._expert.ready:
                return await self.choose_in(self._expert, level, seed, view, choices, payer)
            level = "club"  # who moves while an expert gets ready
        lane = await self._quick_or_plain(view.rules)
        return await self.choose_in(lane, level, seed, view, choices, payer)

    async def choose_in(
        self, lane: Lane, level: Level, seed: str, view: View, choices: Choices, payer: str = ""
    ) -> Action:
        """What a bot does that thinks in this lane."""
        began = perf_counter()
        async with lane.gate.turn(payer):
            action = await self._chosen(lane, level, seed, view, choices)
        metrics.BOT.labels(level).observe(perf_counter() - began)
        return action

    async def _chosen(self, lane: Lane, level: Level, seed: str, view: View, choices: Choices) -> Action:
        for _ in range(TRIES):
            try:
                async with asyncio.timeout(self._seconds + self._patience):
                    action = await lane.choose(level, seed, self._seconds, view, choices)
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

    async def close(self) -> None:
        """End the processes, whatever they think about."""
        if self._getting_quick is not None:
            self._getting_quick.cancel()
            await asyncio.wait([self._getting_quick])
        for lane in (self._expert, self._quick, self._plain):
            await asyncio.to_thread(lane.close)

    # --- from plain to compiled ------------------------------------------------------------------------

    def _start_quick(self) -> None:
        """Start the compiled bots; those who run as Python, if there is something to compile first."""
        if self._getting_quick is not None:
            return
        if compiler() is not None:
            self._compiling = Compiling()
        if self._compiling is None or self._compiling.waiting:
            self._plain.start()
        else:
            self._quick.start()
        self._getting_quick = asyncio.create_task(self._get_quick())

    async def _get_quick(self) -> None:
        """Compile what is not, and let the compiled bots take over; if that fails, all stays as it is."""
        if self._compiling is None or (self._compiling.waiting and not await self._compiling.run()):
            return
        self._quick.start()
        await self._quick.until_ready()
        if self._quick.works:
            metrics.COMPILED.set(1)
            logger().info("bots are compiled")
            self._plain.retire()
        else:
            logger().error("compiled bots do not start: they go on uncompiled")

    async def _quick_or_plain(self, rules: Rules) -> Lane:
        """The lane of all who are no experts: the compiled one, if nobody has to wait for it."""
        self._start_quick()
        if not self._quick.works:
            await self._until_any_ready(rules)
        return self._quick if self._quick.works else self._plain

    async def _until_any_ready(self, rules: Rules) -> None:
        if self._compiling is not None:
            self._compiling.ask_for(rules)
        if self._quick.started and not self._plain.started:
            await self._quick.until_ready(GRACE)
        if not self._quick.works:
            self._plain.start()
            await self._plain.until_ready()


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
            _end(pool)

    def _executor(self) -> ProcessPoolExecutor:
        if self._pool is None:
            self._pool = ProcessPoolExecutor(self._processes, get_context("spawn"), self._begin, self._given)
        return self._pool


class Lane(Processes):
    """Processes for one kind of bots."""

    def __init__(self, level: Level, processes: int, plain: bool = False) -> None:
        """With `plain` nothing is compiled in its processes."""
        super().__init__(processes, _begin_choosing, level, plain)
        self.gate = Gate(processes + 1)  # one waits at hand

    async def choose(self, level: Level, seed: str, seconds: float, view: View, choices: Choices) -> Action:
        """What a bot does, in one of the processes."""
        return await self.run(_choose, level, seed, seconds, view, choices)


def _end(pool: ProcessPoolExecutor) -> None:
    """End the processes of a pool, whatever they are at."""
    for process in list((pool._processes or {}).values()):
        process.terminate()
    pool.shutdown(cancel_futures=True)


def _seen(started: asyncio.Future[int]) -> None:
    """Who no longer waits for a process need not hear that it was ended before it was ready."""
    if not started.cancelled():
        started.exception()


class Compiling:
    """The parts of the club's that are not compiled yet; those come first that tables have asked for."""

    def __init__(self) -> None:
        self._waiting = [name for name in CLUB if not is_ready(name)]

    @property
    def waiting(self) -> tuple[str, ...]:
        """What is left to compile, in its order."""
        return tuple(self._waiting)

    def ask_for(self, rules: Rules) -> None:
        """Let the family come next that is played by these rules."""
        name = f"{rules.family.capitalize()} club"
        if name in self._waiting:
            self._waiting.remove(name)
            self._waiting.insert(0, name)

    async def run(self) -> bool:
        """Compile one part after another; whether that went well."""
        loop = asyncio.get_running_loop()
        pool = ProcessPoolExecutor(1, get_context("spawn"), initializer=_begin_compiling)
        try:
            while self._waiting:
                name = self._waiting.pop(0)
                logger().info("compiling", part=name)
                seconds = await loop.run_in_executor(pool, compile_once, name)
                logger().info("compiled", part=name, seconds=round(seconds, 1))
        except Exception:
            logger().exception("compiling has failed: bots go on uncompiled")
            return False
        finally:
            await asyncio.to_thread(_end, pool)
        return True


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


def _choose(level: Level, seed: str, seconds: float, view: View, choices: Choices) -> Action:
    return create(level, seed, seconds=seconds).choose(view, choices)


def _begin_compiling() -> None:
    """Get a process ready that compiles: it yields to everybody."""
    begin()
    os.nice(NICE)


def _begin_choosing(level: Level, plain: bool) -> None:
    """Get a process ready in which bots think: it has found a move of each family already."""
    begin()
    if plain:
        os.environ["NUMBA_DISABLE_JIT"] = "1"  # the kernel has not been loaded yet
    for book, table in (("dtf", 3), ("french4", 4)):
        view, choices = decision(book, table)
        _choose(level, "warm", 0.05, view, choices)


def decision(book: str, table: int) -> tuple[View, Choices]:
    """Something to decide, in the first trick of a deal."""
    return first_answer(rulebook.load(book), table, {seat: RandomPlayer(seat) for seat in range(table)})
