"""Stub: a review in words."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ultimo.events import DealEvent
from ultimo.telling.teller import Teller
from ultimo.tutor.review import Review
from ultimo.tutor.shown import DecisionShown, ReviewShown, ThresholdsShown


def review_shown(
    review: Review,
    events: Sequence[DealEvent],
    teller: Teller,
    number: int,
    title: str,
    step_of: Callable[[int], int],
) -> ReviewShown:
    """Stub: the review as the page shows it."""
    decisions = tuple(
        DecisionShown(
            at,
            step_of(one.index),
            one.seat,
            one.trick,
            "",
            "",
            (),
            one.action,
            one.grade,
            one.grade,
            one.loss,
            one.error,
            one.open_loss,
            one.proven,
            (),
            "",
            (),
        )
        for at, one in enumerate(review.decisions)
    )
    graph = tuple(one.outlook for one in review.decisions)
    family = teller.rules.family
    return ReviewShown(number, title, family, (), decisions, graph, ThresholdsShown(2, 8, 25), "")
