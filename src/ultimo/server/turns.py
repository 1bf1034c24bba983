"""Whose turn it is: pieces of work that wait, of many people, and the order in which they are done.

>>> turns = Turns[str]()
>>> for person, piece in (("Ada", "a1"), ("Ada", "a2"), ("Bo", "b1")):
...     turns.add(person, piece)
>>> turns.add("Bo", "at once", urgent=True)
>>> [turns.take() for _ in range(5)]
['at once', 'a1', 'b1', 'a2', None]
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection
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
