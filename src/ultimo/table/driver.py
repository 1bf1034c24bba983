"""Drives a table: does what it does by itself, when it is time, and has its bots think."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from typing import Protocol

from msgspec import Struct
from msgspec.structs import replace

from ultimo.events import Action
from ultimo.table.driving import Facts, Nothing, Secret, Seen, Think, Wait, due, thought
from ultimo.table.facts import Fact
from ultimo.table.live import Live

BREATH = 0.25  # seconds until bots who may not move yet ask again


class Driven(Protocol):
    """A table that somebody keeps; `woken` is set when it has changed, or somebody has come or gone."""

    woken: asyncio.Event

    @property
    def live(self) -> Live:
        """The table as it is now."""

    def now(self) -> float:
        """The time at the table, in seconds since 1970."""

    def seen(self, now: float, /) -> Seen:
        """When each person was last connected."""


class Thinking(Struct, frozen=True):
    """A bot at work on a move."""

    move: tuple[int, int, str]
    task: asyncio.Task[Action]


def _move(think: Think) -> tuple[int, int, str]:
    return think.moves, think.seat, think.level


class Driver:
    """Asks one table again and again what is due.

    `choose` finds the move of a bot, `go_on` writes facts if the table is still as it was, and `may_move`
    says whether bots may move now where nobody plays along. Nobody's time to think has run while the table
    was driven by nobody: it counts from when this one began.
    """

    def __init__(
        self,
        table: Driven,
        choose: Callable[[Think], Coroutine[None, None, Action]],
        go_on: Callable[[Live, Sequence[Fact]], Awaitable[None]],
        secret: Secret,
        may_move: Callable[[float], bool] = lambda _: True,
    ) -> None:
        self._table, self._choose, self._go_on = table, choose, go_on
        self._secret, self._may_move = secret, may_move
        self._since = table.now()
        self._thinking: Thinking | None = None

    async def run(self) -> None:
        """Drive until the table is over; cancel it to stop."""
        try:
            while self._table.live.moment != "over":
                await self._step()
        finally:
            self._stop_thinking()

    async def _step(self) -> None:
        table, live, now = self._table, self._table.live, self._table.now()
        table.woken.clear()
        waited = live if live.asked_at >= self._since else replace(live, asked_at=self._since)
        match due(waited, now, table.seen(now), self._secret):
            case Nothing():
                self._stop_thinking()
                await table.woken.wait()
            case Wait(until=until):
                await self._rest(until - now)
            case Facts(facts=facts):
                await self._go_on(live, facts)
            case Think() as think if self._too_fast(live, think, now):
                await self._rest(BREATH)
            case Think() as think:
                await self._think(live, think, now)

    def _too_fast(self, live: Live, think: Think, now: float) -> bool:
        """Whether bots who play for spectators alone have to wait."""
        if live.people or (self._thinking is not None and self._thinking.move == _move(think)):
            return False
        return not self._may_move(now)

    async def _rest(self, seconds: float) -> None:
        """Wait, but not longer than until something happens."""
        alarm = asyncio.get_running_loop().call_later(seconds, self._table.woken.set)
        try:
            await self._table.woken.wait()
        finally:
            alarm.cancel()

    async def _think(self, live: Live, think: Think, now: float) -> None:
        """Let a bot move: it begins to think at once, and moves when its time has come."""
        task = self._task(think)
        if think.not_before > now:
            await self._rest(think.not_before - now)
        elif not task.done():
            task.add_done_callback(lambda _: self._table.woken.set())
            await self._table.woken.wait()
        else:
            self._thinking = None
            await self._go_on(live, thought(live, think, task.result()))

    def _task(self, think: Think) -> asyncio.Task[Action]:
        """The bot that thinks about this move; whoever thinks about another need not go on."""
        move = _move(think)
        if self._thinking is None or self._thinking.move != move:
            self._stop_thinking()
            self._thinking = Thinking(move, asyncio.create_task(self._choose(think)))
        return self._thinking.task

    def _stop_thinking(self) -> None:
        if self._thinking is not None:
            self._thinking.task.cancel()
            self._thinking = None
