"""A story: the facts that follow from one wish, each applied as it is told."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from ultimo.events import DealEvent, Paid, Transfer

R = TypeVar("R")
S = TypeVar("S")


class Story(Generic[R, S]):
    """Collects events and keeps the state up to date while `decide` works out what happens.

    A family's story says how its state evolves.
    """

    __slots__ = ("events", "rules", "state")
    evolve: Callable[[R, S, DealEvent], S]

    def __init__(self, rules: R, state: S) -> None:
        self.rules = rules
        self.state = state
        self.events: list[DealEvent] = []

    def tell(self, event: DealEvent) -> None:
        """Let `event` happen."""
        self.events.append(event)
        self.state = self.evolve(self.rules, self.state, event)

    def pay(self, transfers: tuple[Transfer, ...] | list[Transfer]) -> None:
        """Let points change hands, if any do."""
        if transfers:
            self.tell(Paid(tuple(transfers)))


def put(values: tuple[S, ...], place: int, value: S) -> tuple[S, ...]:
    """A tuple with one place changed."""
    return (*values[:place], value, *values[place + 1 :])


def without(values: tuple[S, ...], value: S) -> tuple[S, ...]:
    """A tuple with one value left out."""
    return tuple(one for one in values if one != value)
