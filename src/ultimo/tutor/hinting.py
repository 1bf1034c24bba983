"""Stub: hints."""

from __future__ import annotations

from ultimo.events import Action
from ultimo.play.choices import Choices
from ultimo.players import View
from ultimo.telling.labels import label
from ultimo.telling.teller import Teller
from ultimo.tutor.judging import SAMPLES, decided_by_cards, judged, judgement
from ultimo.tutor.shown import CandidateShown, HintShown


def hint(
    view: View, choices: Choices, teller: Teller, against: Action | None = None, samples: int = SAMPLES
) -> HintShown:
    """Stub: what to do now."""
    if not decided_by_cards(view, choices):
        (action, *_) = choices
        return HintShown(action, (), label(teller, view.deal, action), (), (), (), (), ())
    worths = judged(judgement(view, choices, against, samples)).worths
    told = tuple(
        CandidateShown(
            label(teller, view.deal, one.action), (), one.action, one.points, one.error, one.samples
        )
        for one in worths
    )
    return HintShown(worths[0].action, (), told[0].label, ("stub",), (), told, (), ())
