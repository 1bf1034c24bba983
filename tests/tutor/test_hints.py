"""Hints: at every kind of decision, from what the seat knows alone, with an answer to “why not this one?”."""

from __future__ import annotations

from random import Random

import pytest

from kernel.worlds_views import glimpses
from properties.driving import TABLES
from secrecy.retelling import retold
from tutor.walking import kind, some, strict, teller
from ultimo import danish, deal, rulebook
from ultimo import events as e
from ultimo.names import LANGUAGES
from ultimo.play.choices import Choices
from ultimo.players import View
from ultimo.rulebook import Rules
from ultimo.tutor import hinting
from ultimo.tutor.decisions import seen
from ultimo.tutor.shown import HintShown

SAMPLES = 12
CUT = rulebook.load("french4", {"deal.shuffle": "never"})
RULES = [
    *(pytest.param(rulebook.load(book), id=book) for book in rulebook.ids()),
    *(pytest.param(strict(book), id=f"{book} strict") for book in ("dtf", "basta", "jensen")),
    pytest.param(CUT, id="french4 cut"),
]
DANISH = {"handCheck", "skat", "play"}
FRENCH = {"bid", "ecart", "slam", "play"}
STRICT = DANISH | {"declare", "count", "name"}


def hinted(view: View, choices: Choices, against: e.Action | None = None, language: str = "en") -> HintShown:
    told = teller(view.rules, view.deal.table, language)
    return hinting.hint(view, choices, told, against, samples=SAMPLES)


@pytest.mark.parametrize("rules", RULES)
def test_every_kind_of_decision_gets_a_hint(rules: Rules) -> None:
    asked = set()
    for number, (view, choices) in enumerate(some(rules, rules.sizes[0], range(12), 2)):
        asked.add(kind(view))
        against = choices.draw(Random(number))
        hint = hinted(view, choices, against, LANGUAGES[number % len(LANGUAGES)])
        assert hint.action in choices
        assert hint.label
        assert hint.why
        assert all(hint.why)
        assert hint.candidates[0].action == hint.action
        assert len(hint.seats) == view.deal.table + 1
        for row in hint.hidden:
            assert len(row.chances) == len(hint.seats)
            assert sum(row.chances) == pytest.approx(1.0, abs=0.01)
        assert hint.against is not None
        assert hint.against.label
        assert hint.against.sentences
    assert asked >= (FRENCH if rules.family == "french" else DANISH - {"handCheck"})


def test_all_kinds_of_decisions_are_among_them() -> None:
    found = {
        kind(view) for book in ("dtf", "basta", "jensen") for view, _ in some(strict(book), 3, range(12), 1)
    }
    assert found >= STRICT | {"vote", "answer", "misdeal", "announce", "demand"}
    assert {kind(view) for view, _ in some(CUT, 4, range(4), 1)} >= {"cut"}
    assert {kind(view) for view, _ in some(rulebook.load("french5"), 5, range(4), 1)} >= {"call"}


def test_a_hint_comes_again_word_for_word() -> None:
    for view, choices in list(some(rulebook.load("dtf"), 3, range(1), 2))[-3:]:
        against = choices.draw(Random(1))
        assert hinted(view, choices, against) == hinted(view, choices, against)


def test_what_may_not_be_done_is_refused() -> None:
    view, choices = next(iter(some(rulebook.load("dtf"), 3, range(1), 1)))
    with pytest.raises(e.IllegalAction):
        hinted(view, choices, e.Bid("garde"))


def test_at_a_strict_table_what_is_honest_is_advised() -> None:
    """No hint leads into an error, and what would be one is called so."""
    rules = strict("jensen")
    assert rules.family == "danish"
    declared = revoked = 0
    for view, choices in some(rules, 3, range(12), 3):
        hint = hinted(view, choices)
        state = view.deal
        assert isinstance(state, danish.State)
        if isinstance(hint.action, e.Declare):
            declared += 1
            assert hint.why[0].startswith("Declare what your hand holds")
        if isinstance(hint.action, e.Play):
            calm = deal.legal(rulebook.load("jensen"), state, view.seat)
            assert hint.action in calm
            for wrong in (play for play in choices if isinstance(play, e.Play) and play not in calm):
                answer = hinted(view, choices, wrong).against
                assert answer is not None
                revoked += 1
                break
    assert declared
    assert revoked


def test_a_card_that_comes_to_the_same_says_so() -> None:
    found = 0
    for view, choices in some(rulebook.load("hermansen"), 3, range(3), 4):
        if kind(view) != "play":
            continue
        hint = hinted(view, choices)
        if not isinstance(hint.action, e.Play) or hint.action.named is not None:
            continue
        for other in choices:
            answer = hinted(view, choices, other).against
            assert answer is not None
            if other != hint.action and answer.loses == 0.0 and answer.error == 0.0:
                found += "comes to the same" in answer.sentences[0]
                break
    assert found


@pytest.mark.cites("E5")
@pytest.mark.parametrize("book", ["dtf", "french5"])
def test_hidden_cards_that_lie_elsewhere_change_no_word(book: str) -> None:
    """Let the cards that a seat cannot know lie elsewhere: its hint is the same to the letter."""
    rules = rulebook.load(book)
    size = dict(TABLES)[book] if rules.family == "french" else rules.sizes[0]
    compared = moved = 0
    for seed in range(2):
        moments = [
            one
            for one in glimpses(rules, size, Random(f"hint {book} {seed}"))
            if one.viewer is not None and one.viewer in deal.waiting_for(rules, one.view)
        ]
        for glimpse in moments[:: max(1, len(moments) // 3)]:
            seat = glimpse.viewer
            assert seat is not None
            choices = deal.legal(rules, glimpse.view, seat)
            against = choices.draw(Random(seed))
            told = hinted(seen(rules, seat, glimpse.view), choices, against)
            for world in glimpse.draw(2):
                truth, view = retold(rules, seat, glimpse.seen, world)
                moved += tuple(truth.hands) != glimpse.truth[:-1]
                again = hinted(seen(rules, seat, view), deal.legal(rules, truth, seat), against)
                assert again == told
                compared += 1
    assert compared >= 8
    assert moved >= 4
