"""Where the tutor and the experts think: in processes, piece by piece, by turns.

A piece is a move of an expert, a hint, a decision of a review, or a tenth of a second of a search. Addresses
take turns, and the people of an address among themselves; hints come before the tutor's others. So nobody
waits long, however much somebody else has asked for. Each process is a pool of its own: one that dies hurts
no other piece.
"""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from collections.abc import Callable
from concurrent.futures import BrokenExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, TypeAlias, TypeVar

from prometheus_client import Gauge

from ultimo.answers.refusing import Refusal
from ultimo.server import metrics
from ultimo.server.hosts import address_groups
from ultimo.server.logs import logger
from ultimo.server.processes import NICE, Processes, begin, decision
from ultimo.server.turns import Asker, Turns

T = TypeVar("T")
Kind: TypeAlias = Literal["hint", "review", "search", "board"]

PATIENCE = 300.0  # seconds that a piece may take
TRIES = 2
PAUSE = 3.0  # seconds that a new wish waits for an older one of the same person to end


class Unfinished(Exception):
    """A piece that came to nothing: its process died too often, or took too long, or the server stops."""


class Waited(Unfinished):
    """A piece whose turn has not come in time."""


class TooSlow(Unfinished):
    """A piece that took too long once it had begun."""


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """Something to be done in a process, and who hears what came of it."""

    asker: Asker
    function: Callable[..., Any]
    given: tuple[object, ...]
    answer: asyncio.Future[Any]
    limit: asyncio.Timeout  # of waiting


class Thinking:
    """Processes with a row of askers in front of them.

    A piece may take `patience` seconds once it has begun; if its process dies, it has so many `tries`.
    """

    def __init__(
        self,
        processes: int,
        begin: Callable[[], None],
        patience: float = PATIENCE,
        tries: int = TRIES,
        waiting: Gauge = metrics.TUTOR_WAITING,
    ) -> None:
        self.processes = processes or half_of_processors()
        self._lanes = [Processes(1, begin) for _ in range(self.processes)]
        self._free = list(self._lanes)
        self._at: dict[Piece, Processes] = {}
        self._turns: Turns[Piece] = Turns()
        self._tasks: set[asyncio.Task[None]] = set()
        self._patience, self._tries = patience, tries
        self._counts_waiting = waiting
        self._closing = False

    @property
    def waiting(self) -> int:
        """How many pieces wait."""
        return len(self._turns)

    @property
    def load(self) -> int:
        """How many pieces wait or are being done."""
        return len(self._turns) + len(self._at)

    @property
    def pids(self) -> frozenset[int]:
        """The processes that there are now."""
        return frozenset(pid for lane in self._lanes for pid in lane.pids)

    def start(self) -> None:
        """Start all processes that do not run, so that they get ready before anybody waits for them."""
        if not self._closing:
            for lane in self._lanes:
                lane.start()

    @property
    def ready(self) -> bool:
        """Whether a process is ready."""
        return any(lane.ready for lane in self._lanes)

    async def until_ready(self, seconds: float) -> bool:
        """Whether a process is ready, now or after so many seconds: the first time ever all is compiled."""
        if not self.ready:
            first = self._lanes[-1]  # who is asked first
            first.start()
            await first.until_ready(seconds)
        return self.ready

    async def think(
        self,
        asker: Asker,
        function: Callable[..., T],
        *given: object,
        urgent: bool = False,
        wait: float | None = None,
    ) -> T:
        """What a function gives, when it is the asker's turn; it begins within `wait` seconds or never.

        Raises `Unfinished`, or what the function raises.
        """
        if self._closing:
            raise Unfinished
        limit = asyncio.timeout(wait)
        piece = Piece(asker, function, given, asyncio.get_running_loop().create_future(), limit)
        try:
            async with limit:
                self._turns.add(asker, piece, urgent)
                self._go_on()
                answer: T = await piece.answer
                return answer
        except TimeoutError:
            raise Waited from None
        finally:
            self._turns.drop(asker, piece)
            self._counts_waiting.set(len(self._turns))

    async def close(self) -> None:
        """End the processes, whatever they think about."""
        self._closing = True
        while (piece := self._turns.take()) is not None:
            _answer(piece, Unfinished())
        for piece in list(self._at):
            _answer(piece, Unfinished())
        for lane in self._lanes:
            await asyncio.to_thread(lane.close)
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _go_on(self) -> None:
        """Let those begin whose turn it is."""
        while self._free and (piece := self._turns.take()) is not None:
            self._at[piece] = self._take_lane()
            self._spawn(self._run(piece, self._at[piece]))
        self._counts_waiting.set(len(self._turns))

    def _take_lane(self) -> Processes:
        """A process that is free, one that is ready if there is one."""
        lane = next((lane for lane in reversed(self._free) if lane.ready), self._free[-1])
        self._free.remove(lane)
        return lane

    async def _run(self, piece: Piece, lane: Processes) -> None:
        try:
            _answer(piece, await self._tried(piece, lane))
        except Exception as error:
            _answer(piece, error)
        finally:
            del self._at[piece]
            self._free.append(lane)
            await asyncio.sleep(0)  # who goes on with another piece is in the row before the next is taken
            self._go_on()

    async def _tried(self, piece: Piece, lane: Processes) -> Any:
        for _ in range(self._tries):
            if piece.answer.done():  # nobody waits any more
                break
            lane.start()
            await lane.until_ready()  # the first time ever, minutes
            if piece.answer.done():
                break
            piece.limit.reschedule(None)
            try:
                async with asyncio.timeout(self._patience):
                    return await lane.run(piece.function, *piece.given)
            except BrokenExecutor:
                if not piece.answer.done():
                    logger().warning("a process that thinks has died", piece=piece.function.__name__)
            except TimeoutError:
                logger().error("thinking takes too long", piece=piece.function.__name__)
                await asyncio.to_thread(lane.close)
                raise TooSlow from None
        raise Unfinished

    def _spawn(self, work: Any) -> None:
        task: asyncio.Task[None] = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def half_of_processors() -> int:
    """How many processes think where nothing else is said."""
    return max(1, (os.cpu_count() or 1) // 2)


def _answer(piece: Piece, answer: object) -> None:
    if piece.answer.done():
        return
    if isinstance(answer, Exception):
        piece.answer.set_exception(answer)
    else:
        piece.answer.set_result(answer)


class Errands:
    """Who has asked for what: one thing of a kind each, so many an address, so many of a kind altogether."""

    def __init__(self, most: int, most_here: int, pause: float = PAUSE) -> None:
        self._most, self._most_here, self._pause = most, most_here, pause
        self._held: Counter[tuple[Kind, str, object]] = Counter()
        self._here: Counter[str] = Counter()
        self._changed = asyncio.Event()

    async def take(self, kind: Kind, person: str, address: str, what: object) -> Callable[[], None]:
        """Take a place, which is given back by calling what this returns; or raise `Refusal`.

        Whoever asks twice for the same has one place. What they have just gone away from is waited for.
        """
        with suppress(TimeoutError):
            async with asyncio.timeout(self._pause):
                while self._busy(kind, person, what):
                    await self._changed.wait()
        if self._busy(kind, person, what):
            raise Refusal(429, "tutorOnce")
        if any(self._here[group] >= self._most_here for group in address_groups(address)):
            raise Refusal(429, "tooMany")
        if sum(number for (held, _, _), number in self._held.items() if held == kind) >= self._most:
            raise Refusal(429, "tutorBusy")
        mine = kind, person, what
        self._held[mine] += 1
        self._here.update(address_groups(address))
        return partial(self._give_back, mine, address)

    def _busy(self, kind: Kind, person: str, what: object) -> bool:
        """Whether a person waits for something else of a kind."""
        return any((held, who) == (kind, person) and other != what for held, who, other in self._held)

    def _give_back(self, mine: tuple[Kind, str, object], address: str) -> None:
        self._held -= Counter([mine])
        self._here -= Counter(address_groups(address))
        self._changed.set()
        self._changed = asyncio.Event()


# --- in the processes ----------------------------------------------------------------------------------


def begin_thinking() -> None:
    """Get a process ready for hints and reviews: it has given a hint in each family already."""
    begin_looking()
    from ultimo.answers import advice

    for book, table in (("dtf", 3), ("french4", 4)):
        advice.hint(*decision(book, table), "en", ("–",) * table, None, samples=2)


def begin_searching() -> None:
    """Get a process ready for searches and puzzles: it has solved an ending of each family already."""
    begin_looking()
    from ultimo.players import warming

    warming.danish_endings()
    warming.french_endings()


def begin_looking() -> None:
    """Get a process ready that stands back behind everybody else."""
    begin()
    os.nice(NICE)
