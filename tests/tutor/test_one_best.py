"""Hint and review call the same action best, and what is called best has the most points in its own table."""

from __future__ import annotations

from random import Random

import pytest

from tutor.walking import PEOPLE, teller
from ultimo import rulebook
from ultimo.events import Action
from ultimo.play.choices import Choices
from ultimo.players import Match, View
from ultimo.players.policy.levels import Club
from ultimo.tutor.advising import decided_by_cards
from ultimo.tutor.decisions import deals
from ultimo.tutor.grades import is_equal
from ultimo.tutor.hinting import hint
from ultimo.tutor.review import review
from ultimo.tutor.shown import HintShown
from ultimo.tutor.telling import review_shown

SAMPLES = 12


class Obedient:
    """A player who does what the hint says."""

    def __init__(self) -> None:
        self.hints: list[HintShown] = []

    def choose(self, view: View, choices: Choices, /) -> Action:
        shown = hint(view, choices, teller(view.rules, view.deal.table), samples=SAMPLES)
        if decided_by_cards(view, choices):
            self.hints.append(shown)
        return shown.action


@pytest.mark.parametrize("book", ["hermansen", "dtf", "french3", "french5"])
def test_who_follows_the_hints_did_best_by_the_review(book: str) -> None:
    rules, obedient = rulebook.load(book), Obedient()
    size = rules.sizes[0]
    players = {seat: Club() if seat else obedient for seat in range(size)}
    match = Match(rules, PEOPLE[:size], players, Random(f"obedient {book}"))
    for _ in match.play_deals(1):
        pass
    (events,) = deals(match.log)
    found = review(rules, events, seats=(0,), samples=SAMPLES)
    told = review_shown(found, events, teller(rules, size), 1, "", lambda at: at, better_lines=False)
    judged = [
        (one, shown)
        for one, shown in zip(found.decisions, told.decisions, strict=True)
        if one.seat == 0 and one.options
    ]
    assert len(judged) == len(obedient.hints) > 10
    for given, (one, shown) in zip(obedient.hints, judged, strict=True):
        assert given.action == one.action
        assert (one.grade, one.loss) in (("best", 0.0), ("forced", 0.0))
        if len(one.options) > 1:
            standings = {option.action: option.standing for option in shown.options}
            for candidate in given.candidates:
                assert candidate.standing == standings[candidate.action]


@pytest.mark.parametrize("book", ["basta", "jensen", "vlk", "fft4", "french4"])
def test_what_is_best_has_the_most_points_in_its_own_table(book: str) -> None:
    rules, obedient = rulebook.load(book), Obedient()
    size = rules.sizes[0]
    players = dict.fromkeys(range(size), obedient)
    for _ in Match(rules, PEOPLE[:size], players, Random(f"table {book}")).play_deals(1):
        pass
    compared = equal = 0
    for given in obedient.hints:
        first, *others = given.candidates
        assert first.action == given.action
        for other in others:
            assert other.points is not None
            assert first.points is not None
            assert other.error is not None
            assert other.points <= first.points
            behind = first.points - other.points
            if abs(behind - 1.64 * other.error - 0.5) > 0.02:  # but for rounding
                assert (other.standing == "equal") == is_equal(rules, behind, other.error)
            compared += 1
        if others:
            some = any(other.standing == "equal" for other in others)
            assert first.standing == ("equal" if some else "best")
            assert some == any("about equal" in sentence for sentence in given.why)
            equal += some
    assert compared > 50
    assert equal > 3
