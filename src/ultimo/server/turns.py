"""Whose turn it is: pieces of work that wait, of many people, and the order in which they are done.

>>> turns = Turns[str]()
>>> for person, piece in (("Ada", "a1"), ("Ada", "a2"), ("Bo", "b1")):
...     turns.add(person, piece)
>>> turns.add("Bo", "at once", urgent=True)
>>> [turns.take() for _ in range(5)]
['at once', 'a1', 'b1', 'a2', None]
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from typing import Generic, TypeVar

T = TypeVar("T")


class Turns(Generic[T]):
    """Pieces of work: what is urgent goes first, and in either rank people take turns, a piece each."""

    def __init__(self) -> None:
        self._ranks: tuple[dict[str, deque[T]], ...] = ({}, {})  # who comes first is next

    def __len__(self) -> int:
        return sum(len(waiting) for rank in self._ranks for waiting in rank.values())

    def add(self, person: str, piece: T, urgent: bool = False) -> None:
        """Let a piece of a person's wait; who had nothing waiting comes last."""
        self._ranks[0 if urgent else 1].setdefault(person, deque()).append(piece)

    def take(self, but: Collection[str] = ()) -> T | None:
        """The next piece, but of none of these persons; its person goes to the end of the row."""
        for rank in self._ranks:
            for person, waiting in rank.items():
                if person in but:
                    continue
                del rank[person]
                piece = waiting.popleft()
                if waiting:
                    rank[person] = waiting
                return piece
        return None

    def drop(self, person: str, piece: T) -> bool:
        """Take out a piece that nobody wants any more; whether it still waited."""
        for rank in self._ranks:
            waiting = rank.get(person, deque())
            if piece in waiting:
                waiting.remove(piece)
                if not waiting:
                    del rank[person]
                return True
        return False


class FairLock:
    """A lock for which people wait in fair turns: what is urgent goes first."""

    def __init__(self) -> None:
        self._waiting = Turns[asyncio.Future[None]]()
        self._locked = False

    def locked(self) -> bool:
        """Whether somebody has it."""
        return self._locked

    @asynccontextmanager
    async def turn(self, person: str = "", urgent: bool = True) -> AsyncIterator[None]:
        """Have the lock as long as the block runs, when it is the person's turn."""
        if self._locked:
            await self._come(person, urgent)
        self._locked = True
        try:
            yield
        finally:
            self._hand_on()

    async def _come(self, person: str, urgent: bool) -> None:
        """Wait until the lock is handed over."""
        place: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.add(person, place, urgent)
        try:
            await place
        except asyncio.CancelledError:
            if place.cancelled():
                self._waiting.drop(person, place)
            else:  # it was handed over to somebody who has gone
                self._hand_on()
            raise

    def _hand_on(self) -> None:
        place = self._waiting.take()
        while place is not None and place.cancelled():
            place = self._waiting.take()
        if place is None:
            self._locked = False
        else:
            place.set_result(None)
