"""Hints of a club player: by principles and from what the seat knows alone, without any reckoning."""

from __future__ import annotations

from random import Random

import pytest

from kernel.worlds_views import glimpses
from secrecy.retelling import retold
from tutor.walking import some, strict, teller
from ultimo import deal, rulebook
from ultimo import events as e
from ultimo.names import LANGUAGES
from ultimo.play.choices import Choices
from ultimo.players import View
from ultimo.players.policy.levels import Club
from ultimo.rulebook import Rules
from ultimo.tutor.advising import club_hint, decided_by_cards, weighable
from ultimo.tutor.decisions import seen
from ultimo.tutor.shown import HintShown

RULES = [
    *(pytest.param(rulebook.load(book), id=book) for book in rulebook.ids()),
    pytest.param(strict("jensen"), id="jensen strict"),
]


def hinted(view: View, choices: Choices, against: e.Action | None = None, language: str = "en") -> HintShown:
    return club_hint(view, choices, teller(view.rules, view.deal.table, language), against)


@pytest.mark.parametrize("rules", RULES)
def test_it_advises_what_a_club_player_does(rules: Rules) -> None:
    for number, (view, choices) in enumerate(some(rules, rules.sizes[0], range(6), 2)):
        hint = hinted(view, choices, language=LANGUAGES[number % len(LANGUAGES)])
        assert hint.action in choices
        if decided_by_cards(view, choices):
            assert hint.action == Club().explain(view, weighable(view, choices)).action
        assert hint.label
        assert hint.why
        assert all(hint.why)
        shown = [one.action for one in hint.candidates]
        assert shown[0] == hint.action
        assert len(set(shown)) == len(shown)
        assert all(one.points is one.error is None and not one.samples for one in hint.candidates)
        assert (hint.dangers, hint.hidden, hint.against) == ((), (), None)
        assert len(hint.seats) == view.deal.table + 1


@pytest.mark.parametrize("rules", RULES)
def test_it_says_something_against_every_other_action(rules: Rules) -> None:
    for number, (view, choices) in enumerate(some(rules, rules.sizes[0], range(3), 2)):
        other = choices.draw(Random(number))
        hint = hinted(view, choices, other)
        assert hint.against is not None
        assert hint.against.label
        (sentence,) = hint.against.sentences
        if decided_by_cards(view, choices) and other in weighable(view, choices):
            assert other in [one.action for one in hint.candidates]
            assert sentence.startswith("A club player prefers") == (other != hint.action)


def test_a_card_against_the_rules_is_called_so() -> None:
    calm, told = rulebook.load("jensen"), set()
    for view, choices in some(strict("jensen"), 3, range(12), 3):
        if view.deal.phase == "play" and decided_by_cards(view, choices):
            may = deal.legal(calm, view.deal, view.seat)
            wrong = next((one for one in choices if isinstance(one, e.Play) and one not in may), None)
            if wrong is not None:
                against = hinted(view, choices, wrong).against
                assert against is not None
                told.add(against.sentences[0].removeprefix(against.label))
    assert told == {" is against the rules."}


def test_what_may_not_be_done_is_refused() -> None:
    view, choices = next(iter(some(rulebook.load("dtf"), 3, range(1), 1)))
    with pytest.raises(e.IllegalAction):
        hinted(view, choices, e.Bid("garde"))


@pytest.mark.cites("E5")
@pytest.mark.parametrize("book", ["dtf", "french5"])
def test_hidden_cards_that_lie_elsewhere_change_no_word(book: str) -> None:
    rules, compared = rulebook.load(book), 0
    moments = [
        (one, one.viewer)
        for one in glimpses(rules, rules.sizes[0], Random(f"club hint {book}"))
        if one.viewer is not None and one.viewer in deal.waiting_for(rules, one.view)
    ]
    for glimpse, seat in moments[:: max(1, len(moments) // 6)]:
        choices = deal.legal(rules, glimpse.view, seat)
        against = choices.draw(Random(1))
        told = hinted(seen(rules, seat, glimpse.view), choices, against)
        for world in glimpse.draw(2):
            truth, view = retold(rules, seat, glimpse.seen, world)
            assert hinted(seen(rules, seat, view), deal.legal(rules, truth, seat), against) == told
            compared += tuple(truth.hands) != glimpse.truth[:-1]
    assert compared >= 4
