"""Which decisions of a deal are worth telling to whoever watches it, and a review with no more than these."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from ultimo.players.policy.levels import Club
from ultimo.rulebook import Rules
from ultimo.tutor.advising import weighable
from ultimo.tutor.decisions import Decision
from ultimo.tutor.grades import COSTLY, thresholds
from ultimo.tutor.reviewed import Review, Reviewed, Worth

MOST = 10  # decisions of a deal that are told
OPTIONS = 6  # that are told of a decision, with what was done
PLACES = 2  # behind the point


def weight(rules: Rules, one: Reviewed, made: Decision) -> float:
    """How much there is to tell of a decision: what was costly comes first, then what a club player misses.

    What a club player does too is told of cards alone, where a principle stands behind it. What was right and
    had bad luck is told if that is proven. Of what was right nothing smaller than a mistake is told.
    """
    steps = thresholds(rules)
    if one.grade in COSTLY:
        return 2 * steps.blunder + one.sure_loss
    if one.unlucky and one.proven and one.sure_loss == 0:
        return min(one.open_loss or 0.0, steps.blunder)
    if one.found < steps.mistake:
        return 0.0
    found = min(one.found, steps.blunder)
    if not one.options[0].does(Club().choose(made.view, weighable(made.view, made.choices))):
        return 2 * found
    return found if one.phase == "play" else 0.0


def told(rules: Rules, review: Review, made: Sequence[Decision]) -> list[int]:
    """The places of the decisions that are worth telling, in their order."""
    pairs = zip(review.decisions, made, strict=True)
    weights = [weight(rules, *pair) for pair in pairs]
    great = sorted((place for place, one in enumerate(weights) if one > 0), key=lambda place: -weights[place])
    return sorted(great[:MOST])


def short(rules: Rules, review: Review, made: Sequence[Decision]) -> Review:
    """The review in which only decisions worth telling have options, and no number is longer than needed."""
    places = told(rules, review, made)
    return replace(
        review,
        decisions=tuple(
            _short(one) if place in places else _bare(one) for place, one in enumerate(review.decisions)
        ),
    )


def _bare(one: Reviewed) -> Reviewed:
    """A decision of which no more is told than its grade and what it cost."""
    plain = Reviewed(one.index, one.seat, one.phase, one.trick, one.action, one.grade)
    return replace(plain, loss=_rounded(one.loss), error=_rounded(one.error), outlook=one.outlook)


def _short(one: Reviewed) -> Reviewed:
    options = [
        option for place, option in enumerate(one.options) if place < OPTIONS or option.does(one.action)
    ]
    return replace(
        one,
        loss=_rounded(one.loss),
        error=_rounded(one.error),
        open_loss=None if one.open_loss is None else _rounded(one.open_loss),
        options=tuple(map(_short_worth, options)),
    )


def _short_worth(one: Worth) -> Worth:
    return replace(
        one,
        points=_rounded(one.points),
        behind=_rounded(one.behind),
        error=_rounded(one.error),
        open=None if one.open is None else _rounded(one.open),
    )


def _rounded(value: float) -> float:
    return round(value, PLACES) + 0.0  # which is never −0
