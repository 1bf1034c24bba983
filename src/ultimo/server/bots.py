"""Where bots think, so that nobody's thinking delays a table.

Experts take seconds. They think in processes of their own, for which the tables of different hosts take
turns; an expert that does not get its turn, or fails, has a club player move for it. Everybody else takes a
tenth of a millisecond once compiled, less than it takes to ask another process: they think in the server
itself, as soon as a process has shown that their compiled code works here. Until then they think in
processes, and until anything is compiled in processes that run the same source as Python and make the same
choices; what is missing is compiled meanwhile, in processes that let all others go first. Whatever goes
wrong, a move comes out: at worst one drawn from the choices.

How long a bot takes tells nothing about its cards: each of a bot's moves takes the same time, whether there
was one card to play or twenty, once it has got its turn; and all its moves queue for that alike.
"""

from __future__ import annotations

import asyncio
import gc
import os
from collections.abc import Callable, Collection
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from random import Random
from time import perf_counter
from typing import Literal, TypeAlias, TypeVar

from ultimo.events import Action
from ultimo.kernel.cache import compiler
from ultimo.play.choices import Choices
from ultimo.players import View, create
from ultimo.players.warming import CLUB, compile_once, is_ready
from ultimo.rulebook import Rules
from ultimo.server import metrics
from ultimo.server.hosts import address_groups
from ultimo.server.logs import logger
from ultimo.server.processes import NICE, Processes, begin, decision, end
from ultimo.server.thinking import Thinking, TooSlow, Unfinished, Waited
from ultimo.table.scene import RECKONING, Level

T = TypeVar("T")
Speed: TypeAlias = Literal["compiled", "compiling", "uncompiled"]
Reason: TypeAlias = Literal["starting", "queue", "slow", "failed"]  # why a club player moves for an expert

PATIENCE = 20.0  # seconds that a move may take in a lane that is ready, an expert's beyond its own time
WAIT = 2.0  # seconds that an expert may wait for its turn
GRACE = 5.0  # seconds that compiled bots may take to get ready before others move for them
TRIES = 2
QUICK = 0.02  # seconds that each move of a beginner or a club player takes: more than any of them needs
SPARE = 0.15  # seconds that each move of an expert takes beyond its thinking, for the way there and back


class Bots:
    """Finds moves: at once, and compiled as soon as that is possible.

    An expert thinks for `expert_seconds`, after it has waited for its turn for at most `expert_wait`.
    """

    def __init__(
        self,
        processes: int = 0,
        expert_seconds: float = 1.0,
        expert_wait: float = WAIT,
        patience: float = PATIENCE,
    ) -> None:
        processes = processes or max(1, (os.cpu_count() or 1) - 1)
        self._seconds, self._wait, self._patience = expert_seconds, expert_wait, patience
        self._expert = Thinking(
            processes,
            partial(_begin_choosing, "master", False),
            patience=expert_seconds + patience,
            tries=1,  # a club player is ready sooner than another process
            waiting=metrics.BOTS_WAITING,
        )
        self._quick = Lane("club", max(1, processes // 4))
        self._plain = Lane("club", max(1, processes // 4), plain=True)
        self._compiling: Compiling | None = None
        self._getting_quick: asyncio.Task[None] | None = None
        self._moving_in: asyncio.Task[None] | None = None
        self._is_in = False  # whether club players think in this process

    def prepare(self, levels: Collection[Level]) -> None:
        """Have the processes for bots of these levels ready before anybody waits for them.

        Those of the experts take long to get ready, and where no expert plays nobody needs them.
        """
        for level in levels:
            if level in RECKONING:
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
        """What a bot of this level does; those who wait for an expert take turns by who pays for it."""
        if level == "random":
            return choices.draw(Random(seed))
        if level in RECKONING:
            found = await self._expertly(level, seed, view, choices, payer)
            if not isinstance(found, str):
                return found
            metrics.STAND_INS.labels(found).inc()
            level = "club"
        began = perf_counter()
        action = await self._quickly(level, seed, view, choices)
        took = perf_counter() - began
        metrics.BOT.labels(level).observe(took)
        await asyncio.sleep(max(0.0, QUICK - took))
        return action if action is not None else choices.draw(Random(seed))

    async def advise(self, rules: Rules, function: Callable[..., T], *given: object) -> T:
        """What a function gives that asks a club player, where these think."""
        if self._is_in:
            return function(*given)
        return await (await self._quick_or_plain(rules)).run(function, *given)

    async def close(self) -> None:
        """End the processes, whatever they think about."""
        for task in (self._getting_quick, self._moving_in):
            if task is not None:
                task.cancel()
                await asyncio.wait([task])
        await self._expert.close()
        for lane in (self._quick, self._plain):
            await asyncio.to_thread(lane.close)

    # --- experts ---------------------------------------------------------------------------------------

    async def _expertly(
        self, level: Level, seed: str, view: View, choices: Choices, payer: str
    ) -> Action | Reason:
        """What an expert or a master does, or why a club player has to move for it.

        A forced move waits for its turn as any other, and then takes as long.
        """
        self._expert.start()
        if not self._expert.ready:
            return "starting"
        given, asked = (level, seed, self._seconds, view, choices), perf_counter()
        asker = address_groups(payer)[::-1]
        try:
            action, took = await self._expert.think(asker, _choose_timed, *given, wait=self._wait)
        except Waited:
            metrics.BOT_WAIT.observe(perf_counter() - asked)
            return "queue"
        except TooSlow:
            return "slow"
        except Unfinished:
            return "failed"
        except Exception:
            logger().exception("a bot has failed", level=level, seed=seed)
            return "failed"
        metrics.BOT_WAIT.observe(max(0.0, perf_counter() - asked - took))
        metrics.BOT.labels(level).observe(took)
        if action not in choices:
            logger().error("a bot has chosen what it may not", level=level, seed=seed)
            return "failed"
        await asyncio.sleep(max(0.0, self._seconds + SPARE - took))
        return action

    # --- everybody else --------------------------------------------------------------------------------

    async def _quickly(self, level: Level, seed: str, view: View, choices: Choices) -> Action | None:
        """What a bot does that is no expert; None if it has failed."""
        if not self._is_in:
            lane = await self._quick_or_plain(view.rules)
            action = await self._in_lane(lane, level, seed, view, choices)
            if lane is self._quick and action is not None:
                self._move_in()
        else:
            action = _chosen_here(level, seed, view, choices)
        if action is None or action in choices:
            return action
        logger().error("a bot has chosen what it may not", level=level, seed=seed)
        return None

    async def _in_lane(
        self, lane: Lane, level: Level, seed: str, view: View, choices: Choices
    ) -> Action | None:
        """What a bot does that thinks in this lane; None if it has failed."""
        for _ in range(TRIES):
            try:
                async with asyncio.timeout(self._patience):
                    return await lane.choose(level, seed, view, choices)
            except BrokenExecutor:
                logger().warning("a process of the bots has died", level=level)
            except TimeoutError:
                logger().error("a bot takes too long", level=level, seed=seed)
                break
            except Exception:
                logger().exception("a bot has failed", level=level, seed=seed)
                break
        return None

    def _move_in(self) -> None:
        """Let this process think for club players, now that another has shown that their code works."""
        if self._moving_in is None:
            self._moving_in = asyncio.create_task(self._load())

    async def _load(self) -> None:
        try:
            await asyncio.to_thread(_load_here)
        except Exception:
            logger().exception("club players go on in a process of their own")
        else:
            self._is_in = True
            self._quick.retire()
            logger().info("club players think in the server")

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


class Lane(Processes):
    """Processes for bots who are no experts."""

    def __init__(self, level: Level, processes: int, plain: bool = False) -> None:
        """With `plain` nothing is compiled in its processes."""
        super().__init__(processes, _begin_choosing, level, plain)

    async def choose(self, level: Level, seed: str, view: View, choices: Choices) -> Action:
        """What a bot does, in one of the processes."""
        return await self.run(_choose, level, seed, view, choices)


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
        """Compile all parts, on as many processors as there are; whether that went well."""
        processes = min(len(self._waiting), len(os.sched_getaffinity(0)))
        pool = ProcessPoolExecutor(processes, get_context("spawn"), initializer=_begin_compiling)
        try:
            await asyncio.gather(*(self._one_after_another(pool) for _ in range(processes)))
        except Exception:
            logger().exception("compiling has failed: bots go on uncompiled")
            return False
        finally:
            await asyncio.to_thread(end, pool)
        return True

    async def _one_after_another(self, pool: ProcessPoolExecutor) -> None:
        loop = asyncio.get_running_loop()
        while self._waiting:
            name = self._waiting.pop(0)
            logger().info("compiling", part=name)
            seconds = await loop.run_in_executor(pool, compile_once, name)
            logger().info("compiled", part=name, seconds=round(seconds, 1))


# --- in this process -----------------------------------------------------------------------------------


def _load_here() -> None:
    """Load the compiled code of the club players.

    What it brings along stays for good: the garbage collector need not look at it again and again.
    """
    _try_out("club")
    gc.collect()
    gc.freeze()


def _chosen_here(level: Level, seed: str, view: View, choices: Choices) -> Action | None:
    """What a bot does that is no expert; None if it has failed."""
    try:
        return _choose(level, seed, view, choices)
    except Exception:
        logger().exception("a bot has failed", level=level, seed=seed)
        return None


def _choose(level: Level, seed: str, view: View, choices: Choices) -> Action:
    return create(level, seed).choose(view, choices)


def _try_out(level: Level, **options: float) -> None:
    """Find a move of each family, which loads all that is needed for others."""
    for book, table in (("dtf", 3), ("french4", 4)):
        create(level, "warm", **options).choose(*decision(book, table))


# --- in the processes ----------------------------------------------------------------------------------


def _choose_timed(
    level: Level, seed: str, seconds: float, view: View, choices: Choices
) -> tuple[Action, float]:
    """What a bot does that thinks for so many seconds, and how many it has taken."""
    began = perf_counter()
    action = create(level, seed, seconds=seconds).choose(view, choices)
    return action, perf_counter() - began


def _begin_compiling() -> None:
    """Get a process ready that compiles: it yields to everybody."""
    begin()
    os.nice(NICE)


def _begin_choosing(level: Level, plain: bool) -> None:
    """Get a process ready in which bots think: it has found a move of each family already."""
    begin()
    if plain:
        os.environ["NUMBA_DISABLE_JIT"] = "1"  # the kernel has not been loaded yet
    _try_out(level, seconds=0.05)
