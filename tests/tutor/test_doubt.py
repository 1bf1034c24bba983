"""The doubt about when the excuse should go, which play-outs among club players judge badly."""

from __future__ import annotations

from random import Random
from typing import Any

from properties.driving import open_deal
from ultimo import deal, rulebook
from ultimo.cards import SKUS
from ultimo.events import Pass, Play
from ultimo.players.policy.levels import Club
from ultimo.tutor.decisions import seen
from ultimo.tutor.judging import EXCUSE_DOUBT, judged, judgement


def early_choice_about_the_excuse() -> tuple[Any, Any]:
    """A view early in a French deal in which the excuse may be played."""
    rules = rulebook.load("french4")
    for number in range(100):
        rng = Random(number)
        opened = open_deal(rules, 4, rng)
        state: Any = deal.initial(rules, opened)
        state, _ = deal.step(rules, state, None, deal.deal_out(rules, state, deal.shuffled(rng), rng))
        while not deal.is_over(state) and len(state.tricks) < 6:
            seat = deal.waiting_for(rules, state)[0]
            choices = deal.legal(rules, state, seat)
            if state.phase == "play" and state.tricks and choices.cards() & SKUS and len(choices) > 2:
                return seen(rules, seat, state), choices
            action = Club().choose(seen(rules, seat, state), choices)
            if state.phase == "bid" and isinstance(action, Pass) and seat == state.dealer:
                break
            state, _ = deal.step(rules, state, seat, action)
    raise AssertionError


def test_early_in_a_deal_the_excuse_is_judged_with_a_doubt_of_its_own() -> None:
    view, choices = early_choice_about_the_excuse()
    worths = judged(judgement(view, choices, samples=64)).worths
    excuse = [isinstance(one.action, Play) and one.action.card.bit == SKUS for one in worths]
    assert any(excuse)
    for one, plays in zip(worths[1:], excuse[1:], strict=True):
        assert (one.error >= EXCUSE_DOUBT) or not (plays or excuse[0])
