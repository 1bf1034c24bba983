"""What a loss is called: from a slip to a blunder, never worse than the doubt about it allows."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from ultimo.rulebook import Rules

SURE = 1.64  # standard errors by which a loss must be sure before it is held against anybody

Grade: TypeAlias = Literal["forced", "best", "fine", "slip", "mistake", "blunder"]
COSTLY: tuple[Grade, ...] = ("slip", "mistake", "blunder")
GRADES: tuple[Grade, ...] = ("forced", "best", "fine", "slip", "mistake", "blunder")


class Thresholds(Struct, frozen=True):
    """From so many points on, after the doubt is taken off, a loss is called so."""

    fine: float = 0.5
    slip: float = 2.0
    mistake: float = 8.0
    blunder: float = 25.0


DANISH = Thresholds()
FRENCH = Thresholds(0.5, 2.0, 5.0, 20.0)


def thresholds(rules: Rules) -> Thresholds:
    """What losses are called in a family of games."""
    return DANISH if rules.family == "danish" else FRENCH


def grade_of(rules: Rules, loss: float, error: float) -> Grade:
    """The grade of a loss: never worse than the doubt about it allows."""
    sure, steps = loss - SURE * error, thresholds(rules)
    if sure >= steps.blunder:
        return "blunder"
    if sure >= steps.mistake:
        return "mistake"
    if sure >= steps.slip:
        return "slip"
    return "fine" if loss >= steps.fine else "best"


def is_equal(rules: Rules, behind: float, error: float) -> bool:
    """Whether an action is about equal to the best: what lies between them is within its error, or little."""
    return behind - SURE * error < thresholds(rules).fine
