"""Players who go by a policy of the kernel: beginner, student, and the club player who can say why."""

from __future__ import annotations

from typing import Final, Protocol, TypeAlias, TypeVar, cast

from ultimo import deal
from ultimo.danish.state import State as DanishState
from ultimo.events import Action, Seat
from ultimo.french.state import State as FrenchState
from ultimo.kernel.policy import BEGINNER, CLUB, STUDENT
from ultimo.play.choices import Choices
from ultimo.players.player import View
from ultimo.players.policy import danish, french
from ultimo.players.reasons import Reason
from ultimo.rulebook import DanishRules, FrenchRules, Rules

R = TypeVar("R")
S = TypeVar("S", contravariant=True)


class Policies(Protocol[R, S]):
    """The policies at the tables of a family; `policy.danish` and `policy.french` say what they answer."""

    def calm(self, rules: R, /) -> R: ...
    def errand(self, rules: R, state: S, seat: Seat, choices: Choices, /) -> Action | None: ...
    def decides(self, state: S, /) -> bool: ...
    def choose(self, rules: R, state: S, seat: Seat, policy: int, /) -> tuple[Action, int, int]: ...
    def explain(self, rules: R, state: S, seat: Seat, choices: Choices, policy: int, /) -> Reason: ...


DANISH: Final[Policies[DanishRules, DanishState]] = danish
FRENCH: Final[Policies[FrenchRules, FrenchState]] = french

AnyPolicies: TypeAlias = Policies[Rules, deal.State]
_FAMILIES: Final = {DanishRules: cast(AnyPolicies, DANISH), FrenchRules: cast(AnyPolicies, FRENCH)}


def policies(rules: Rules) -> AnyPolicies:
    """The policies at a table with these rules."""
    return _FAMILIES[type(rules)]


def errand(view: View, choices: Choices) -> Action | None:
    """What is to be done now without thinking of the cards; None where they decide."""
    by = policies(view.rules)
    due = by.errand(view.rules, view.deal, view.seat, choices)
    return due or (None if by.decides(view.deal) else next(iter(choices)))


class PolicyPlayer:
    """Does what a policy says. It needs no dice: the same view, the same choice."""

    policy: int

    def __init__(self, seed: int | str = 0) -> None:
        """The seed is there because every level has one."""

    def choose(self, view: View, choices: Choices, /) -> Action:
        """What the policy does; beside the cards, what an honest player does."""
        due = errand(view, choices)
        return due or policies(view.rules).choose(view.rules, view.deal, view.seat, self.policy)[0]


class Beginner(PolicyPlayer):
    """Knows the rules, and the habits of other card games."""

    policy = BEGINNER


class Club(PolicyPlayer):
    """Plays by the books' advice."""

    policy = CLUB

    def explain(self, view: View, choices: Choices, /) -> Reason:
        """The choice with what speaks for it."""
        if (due := errand(view, choices)) is not None:
            return Reason(due)
        by = policies(view.rules)
        return by.explain(view.rules, view.deal, view.seat, choices, CLUB)


class Student(Club):
    """Plays as the club, but for a card that by experience brings more."""

    policy = STUDENT

    def explain(self, view: View, choices: Choices, /) -> Reason:
        """The club's principle where both do the same; else it is by experience, and no more can be said."""
        advised, action = super().explain(view, choices), self.choose(view, choices)
        return advised if advised.action == action else Reason.by("experience", action, advised.role)
