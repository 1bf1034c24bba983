"""What a review holds: every decision of a deal with what is thought of it.

Nothing is imported here that reckons: a review that was made elsewhere is told without the compiler.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

from msgspec import Struct

from ultimo import events as e
from ultimo.events import Action
from ultimo.rulebook import Rules
from ultimo.tutor import VERSION
from ultimo.tutor.grades import COSTLY, DANISH, SURE, Grade, is_equal

WORST = 3  # decisions that are told first


class Worth(Struct, frozen=True):
    """An action and the points that it brings its seat, from here to the end of the deal.

    `behind` is what the best action brings more, and `error` the standard error of that; `open` are the
    points with all cards open, where somebody asked for them.
    """

    action: Action
    points: float
    behind: float = 0.0
    error: float = 0.0
    samples: int = 0
    same: tuple[Action, ...] = ()  # actions that come to the same
    open: float | None = None

    def does(self, action: Action) -> bool:
        """Whether this is an action, or comes to the same."""
        return action == self.action or action in self.same


Standing: TypeAlias = Literal["best", "equal", "worse"]


def standing(rules: Rules, worths: Sequence[Worth]) -> tuple[Standing, ...]:
    """How each of some actions, the best first, stands: what is within its error is about equal to the best.

    The best is called so alone; where others are about equal, it is one of them.
    """
    others: list[Standing] = [
        "equal" if is_equal(rules, one.behind, one.error) else "worse" for one in worths[1:]
    ]
    return ("equal" if "equal" in others else "best", *others)


class Reviewed(Struct, frozen=True):
    """A decision of a seat, and what is thought of it.

    `loss` is how far the action lay behind the best on what the seat knew, `error` the standard error of
    that; `open_loss` is the same with all cards open. `outlook` is what each seat could expect of the deal
    before the decision.
    """

    index: int  # of the event that followed, in the deal
    seat: e.Seat
    phase: str
    trick: int  # how many had been played
    action: e.Action
    grade: Grade
    loss: float = 0.0
    error: float = 0.0
    open_loss: float | None = None
    proven: bool = False  # the open loss is exact
    known: bool = False  # the seat knew every card
    options: tuple[Worth, ...] = ()  # the best first
    role: str = ""
    principle: str = ""  # that is true of the best action
    outlook: tuple[float, ...] = ()

    @property
    def sure_loss(self) -> float:
        """What was lost for sure, as far as anything estimated is."""
        return max(0.0, self.loss - SURE * self.error)

    @property
    def found(self) -> float:
        """By how much it was better than anything else, for sure; nothing where it was not the best."""
        if self.grade != "best" or len(self.options) < 2 or not self.options[0].does(self.action):
            return 0.0
        return max(0.0, min(one.behind - SURE * one.error for one in self.options[1:]))

    @property
    def unlucky(self) -> bool:
        """Whether it was right by what the seat knew, and wrong as the cards lay."""
        return self.grade in ("best", "fine") and (self.open_loss or 0.0) >= DANISH.mistake


class Review(Struct, frozen=True):
    """A deal reviewed. `luck` is what club players make of the same cards on average, seat by seat."""

    rules: str
    digest: str
    decisions: tuple[Reviewed, ...]
    result: tuple[int, ...]
    luck: tuple[float, ...]
    version: int = VERSION

    def worst(self, seat: e.Seat, most: int = WORST) -> list[int]:
        """The places of a seat's costliest decisions, the costliest first; what is fine is not among them."""
        costly = [
            place for place, one in enumerate(self.decisions) if one.seat == seat and one.grade in COSTLY
        ]
        return sorted(costly, key=lambda place: -self.decisions[place].sure_loss)[:most]

    def play(self, seat: e.Seat) -> float:
        """What the play of everybody has added to the luck of a seat, or taken from it."""
        return self.result[seat] - self.luck[seat]
