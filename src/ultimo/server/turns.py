"""Whose turn it is: pieces of work that wait, of many askers, and the order in which they are done.

>>> turns = Turns[str]()
>>> for asker, piece in ((("here", "Ada"), "a1"), (("here", "Ada"), "a2"), (("here", "Bo"), "b1")):
...     turns.add(asker, piece)
>>> turns.add(("there", "Cy"), "c1")
>>> turns.add(("there", "Cy"), "at once", urgent=True)
>>> [turns.take() for _ in range(6)]
['at once', 'a1', 'c1', 'b1', 'a2', None]
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from typing import Generic, TypeAlias, TypeVar

T = TypeVar("T")
Asker: TypeAlias = tuple[str, ...]  # who asks: the groups of an address from the widest on, then the person


class _Row(Generic[T]):
    """A queue of a group: round robin over the groups within it, each of which is a queue too."""

    def __init__(self) -> None:
        self._own: deque[T] = deque()
        self._within: dict[str, _Row[T]] = {}  # who comes first is next

    def __len__(self) -> int:
        return len(self._own) + sum(map(len, self._within.values()))

    def add(self, asker: Asker, piece: T) -> None:
        if asker:
            self._within.setdefault(asker[0], _Row()).add(asker[1:], piece)
        else:
            self._own.append(piece)

    def take(self, but: Collection[str]) -> tuple[T] | None:
        if self._own:
            return (self._own.popleft(),)
        for name, row in self._within.items():
            if name not in but and (taken := row.take(but)) is not None:
                del self._within[name]
                if row:
                    self._within[name] = row  # at the end
                return taken
        return None

    def drop(self, asker: Asker, piece: T) -> bool:
        if not asker:
            waited = piece in self._own
            if waited:
                self._own.remove(piece)
            return waited
        row = self._within.get(asker[0])
        waited = row is not None and row.drop(asker[1:], piece)
        if waited and not row:
            del self._within[asker[0]]
        return waited


class Turns(Generic[T]):
    """Pieces of work: what is urgent goes first, and in either rank askers take turns, a piece each.

    Addresses take turns, and within each of them the people there.
    """

    def __init__(self) -> None:
        self._ranks: tuple[_Row[T], _Row[T]] = (_Row(), _Row())

    def __len__(self) -> int:
        return sum(map(len, self._ranks))

    def add(self, asker: Asker, piece: T, urgent: bool = False) -> None:
        """Let a piece wait; who had nothing waiting comes last."""
        self._ranks[0 if urgent else 1].add(asker, piece)

    def take(self, but: Collection[str] = ()) -> T | None:
        """The next piece, but of none of these groups or people; each group it is of goes to the end."""
        for rank in self._ranks:
            if (taken := rank.take(but)) is not None:
                return taken[0]
        return None

    def drop(self, asker: Asker, piece: T) -> bool:
        """Take out a piece that nobody wants any more; whether it still waited."""
        return any(rank.drop(asker, piece) for rank in self._ranks)


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
        self._waiting.add((person,), place, urgent)
        try:
            await place
        except asyncio.CancelledError:
            if place.cancelled():
                self._waiting.drop((person,), place)
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
