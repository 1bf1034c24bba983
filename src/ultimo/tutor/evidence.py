"""What the reasons of a hint are checked against: what a seat knows, what its actions are worth, play-outs.

Nothing is imported here that reckons: a device without the compiler has evidence, too, only less.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from ultimo import events as e
from ultimo.cards import Card
from ultimo.play.choices import Choices
from ultimo.players import View
from ultimo.tutor.grades import SURE, is_equal
from ultimo.tutor.reviewed import Worth

COUNTS = ("count", "half", "bouts")  # what is counted, where other events happen or not


class Change(Struct, frozen=True):
    """How often something happens by one action and by another, or how much is counted; with its error."""

    event: str
    one: float
    other: float
    error: float  # of the difference, in the worlds of both

    @property
    def is_sure(self) -> bool:
        """Whether the difference is beyond its error."""
        return abs(self.one - self.other) > SURE * self.error


class Evidence(Struct, frozen=True):
    """A decision with all that its reasons are checked against."""

    view: View
    choices: Choices
    worths: tuple[Worth, ...]  # the best first
    known: bool = False  # every card is known
    changes: Mapping[str, Change] = {}  # from the second best to the best, by event
    last: tuple[float, ...] = ()  # by seat: how often it takes the last trick, by the best action
    chances: Mapping[Card, tuple[float, ...]] = {}  # where a key card may lie
    located: Mapping[Card, int] = {}  # where a key card must lie
    trumps: Mapping[e.Seat, float] = {}  # how many a seat is thought to have, who probably has the most

    @property
    def action(self) -> e.Action:
        """What is advised."""
        return self.worths[0].action

    @property
    def rival(self) -> e.Action | None:
        """The second best."""
        return self.worths[1].action if len(self.worths) > 1 else None

    @property
    def equals(self) -> list[Worth]:
        """What is about equal to the best."""
        return [one for one in self.worths[1:] if is_equal(self.view.rules, one.behind, one.error)]

    def rises(self, event: str) -> bool:
        """Whether the best action makes something more frequent than the second best, beyond the error."""
        change = self.changes.get(event)
        return change is not None and change.is_sure and change.one > change.other

    def falls(self, event: str) -> bool:
        """Whether the best action makes something less frequent than the second best, beyond the error."""
        change = self.changes.get(event)
        return change is not None and change.is_sure and change.one < change.other

    def chance(self, event: str) -> float:
        """How often something happens by the best action; never, where nothing was played out."""
        change = self.changes.get(event)
        return 0.0 if change is None else change.one
