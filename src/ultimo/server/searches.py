"""Searches: each is kept in a process and goes on there, a tenth of a second at a time, by turns.

Between its pieces a search waits in a thread of its own (`kernel.pausing`) with its stack and its table, so
that nothing is searched again. So many stages are kept at the same time, and as many short ones: a short
search never waits for the end of a long one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from itertools import count
from threading import Semaphore, Thread
from time import perf_counter
from typing import Any, Final, Generic, TypeVar

from ultimo.server.limits import Gate
from ultimo.server.thinking import Thinking, begin_searching, half_of_processors
from ultimo.server.turns import Asker

T = TypeVar("T")

PIECE: Final = 0.1  # seconds
SHORT: Final = 1 << 20  # positions of a short stage at most
KEPT: Final = 3  # long stages in each process, and as many short ones; each has a table of up to 64 MB


class Searches:
    """The processes in which searches are kept, each in one of them."""

    def __init__(
        self, processes: int = 0, begin: Callable[[], None] = begin_searching, piece: float = PIECE
    ) -> None:
        processes = processes or half_of_processors()
        self._processes = [Thinking(1, begin) for _ in range(processes)]
        self._short, self._long = Gate(KEPT * processes, 1), Gate(KEPT * processes, 1)
        self._numbers, self._piece = count(), piece
        self._dropping: set[asyncio.Task[None]] = set()

    @property
    def waiting(self) -> int:
        """How many pieces wait."""
        return sum(one.waiting for one in self._processes)

    def start(self) -> None:
        """Start the processes, so that they get ready before anybody waits for them."""
        for one in self._processes:
            one.start()

    async def stage(self, asker: Asker, most: int, function: Callable[..., T], *given: object) -> T:
        """What a search of at most so many positions finds; it is dropped when nobody waits for it any more.

        Of an address one short and one long stage are kept. Raises `Unfinished`, or what the function raises.
        """
        async with (self._short if most <= SHORT else self._long).turn(asker[:-1]):
            process, number = self._least_busy(), next(self._numbers)
            piece = partial(process.think, asker, go_on, number, self._piece, function, *given)
            try:
                while (found := await piece()) is None:
                    pass
            except asyncio.CancelledError:
                dropping = asyncio.create_task(process.think(asker, drop, number, urgent=True))
                self._dropping.add(dropping)
                dropping.add_done_callback(self._dropped)
                raise
            answer: T = found[0]
            return answer

    async def at_once(self, asker: Asker, function: Callable[..., T], *given: object) -> T:
        """What takes a moment, before any further piece of a search."""
        return await self._least_busy().think(asker, function, *given, urgent=True)

    async def close(self) -> None:
        """End the processes."""
        await asyncio.gather(*(one.close() for one in self._processes))

    def _least_busy(self) -> Thinking:
        return min(self._processes, key=lambda one: one.load)

    def _dropped(self, dropping: asyncio.Task[None]) -> None:
        self._dropping.discard(dropping)
        if not dropping.cancelled():
            dropping.exception()  # a process that is gone keeps nothing


# --- in the processes ----------------------------------------------------------------------------------


class Search(Generic[T]):
    """A search in a thread of its own, which goes on only while it is told to."""

    def __init__(self, work: Callable[[], T]) -> None:
        self.found: Future[T] = Future()
        self._turn, self._paused = Semaphore(0), Semaphore(0)
        self._until, self._wanted = 0.0, True
        Thread(target=self._run, args=(work,), daemon=True).start()

    def go_on(self, seconds: float) -> None:
        """Search for so many seconds, or until something is found."""
        self._until = perf_counter() + seconds
        self._turn.release()
        self._paused.acquire()

    def drop(self) -> None:
        """Search no more, and forget everything."""
        self._wanted = False
        self.go_on(0.0)

    def _pause(self) -> bool:
        if self._wanted and perf_counter() >= self._until:
            self._paused.release()
            self._turn.acquire()
        return self._wanted

    def _run(self, work: Callable[[], T]) -> None:
        from ultimo.kernel.pausing import pausing

        self._turn.acquire()
        try:
            with pausing(self._pause):
                self.found.set_result(work())
        except BaseException as error:
            self.found.set_exception(error)
        self._paused.release()


_kept: dict[int, Search[Any]] = {}


def go_on(number: int, seconds: float, function: Callable[..., T], *given: object) -> tuple[T] | None:
    """Let a search go on, or begin it; what it finds, if that is before its time is up."""
    search = _kept.get(number) or _kept.setdefault(number, Search(partial(function, *given)))
    search.go_on(seconds)
    if not search.found.done():
        return None
    del _kept[number]
    return (search.found.result(),)


def drop(number: int) -> None:
    """Forget a search, if it is kept."""
    if (search := _kept.pop(number, None)) is not None:
        search.drop()
