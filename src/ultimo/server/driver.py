"""Drives a table: does what it does by itself, when it is time, and has its bots think."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from ultimo.events import Action
from ultimo.server.bots import Bots
from ultimo.server.held import Held
from ultimo.server.limits import Buckets
from ultimo.table import Fact, Facts, Live, Nothing, Think, Wait, due, thought

BREATH = 0.25  # seconds until bots who play for spectators alone ask again whether they may move

Append = Callable[[Held, Live, Sequence[Fact]], Awaitable[None]]


class Thinking(Struct, frozen=True):
    """A bot at work on a move."""

    move: tuple[int, int, str]
    task: asyncio.Task[Action]


def _move(think: Think) -> tuple[int, int, str]:
    return think.moves, think.seat, think.level


class Driver:
    """Asks one table again and again what is due. `append` writes facts if the table is still as it was.

    Nobody's time to think has run while the table was driven by nobody: it counts from when this one began.
    """

    def __init__(
        self, held: Held, bots: Bots, append: Append, secret: Callable[[], str], unmanned: Buckets
    ) -> None:
        self._held, self._bots, self._append, self._secret = held, bots, append, secret
        self._unmanned = unmanned
        self._since = held.now()
        self._thinking: Thinking | None = None

    async def run(self) -> None:
        """Drive until the table is over; cancel it to stop."""
        try:
            while self._held.live.moment != "over":
                await self._step()
        finally:
            self._stop_thinking()

    async def _step(self) -> None:
        held, live, now = self._held, self._held.live, self._held.now()
        held.woken.clear()
        waited = live if live.asked_at >= self._since else replace(live, asked_at=self._since)
        match due(waited, now, held.seen(now), self._secret):
            case Nothing():
                self._stop_thinking()
                await held.woken.wait()
            case Wait(until=until):
                await self._rest(until - now)
            case Facts(facts=facts):
                await self._append(held, live, facts)
            case Think() as think if self._too_fast(live, think, now):
                await self._rest(BREATH)
            case Think() as think:
                await self._think(live, think, now)

    def _too_fast(self, live: Live, think: Think, now: float) -> bool:
        """Whether bots who play for spectators alone have to wait: one address has them move so often."""
        if live.people or (self._thinking is not None and self._thinking.move == _move(think)):
            return False
        return not self._unmanned.take(self._held.payer, now)

    async def _rest(self, seconds: float) -> None:
        """Wait, but not longer than until something happens."""
        alarm = asyncio.get_running_loop().call_later(seconds, self._held.woken.set)
        try:
            await self._held.woken.wait()
        finally:
            alarm.cancel()

    async def _think(self, live: Live, think: Think, now: float) -> None:
        """Let a bot move: it begins to think at once, and moves when its time has come."""
        task = self._task(think)
        if think.not_before > now:
            await self._rest(think.not_before - now)
        elif not task.done():
            task.add_done_callback(lambda _: self._held.woken.set())
            await self._held.woken.wait()
        else:
            self._thinking = None
            await self._append(self._held, live, thought(live, think, task.result()))

    def _task(self, think: Think) -> asyncio.Task[Action]:
        """The bot that thinks about this move; whoever thinks about another need not go on."""
        move = _move(think)
        if self._thinking is None or self._thinking.move != move:
            self._stop_thinking()
            given = think.level, think.seed, think.view, think.choices
            task = asyncio.create_task(self._bots.choose(*given, self._held.payer))
            self._thinking = Thinking(move, task)
        return self._thinking.task

    def _stop_thinking(self) -> None:
        if self._thinking is not None:
            self._thinking.task.cancel()
            self._thinking = None
