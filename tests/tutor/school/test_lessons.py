"""Every lesson is whole in four languages, and what it claims holds."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest

from ultimo.cards import mask
from ultimo.french.legal import ecarts
from ultimo.names import LANGUAGES, Family
from ultimo.rulebook import DanishRules, FrenchRules
from ultimo.tutor.board import board, solved, written
from ultimo.tutor.school import course as school
from ultimo.tutor.school import parts as p
from ultimo.tutor.school.exercises import Choice, Number, Pick, Widget
from ultimo.tutor.school.sums import worked_out

FOLDER = Path(school.__file__).parent / "lessons"
FILES = sorted(FOLDER.glob("*/*.toml"))
LESSONS = [pytest.param(file, id=file.stem) for file in FILES]


@pytest.mark.parametrize("file", LESSONS)
def test_a_lesson_can_be_read_in_every_language(file: Path) -> None:
    lesson = school.read(file)
    for language in LANGUAGES:
        pen = lesson.pen(language)
        assert pen.write(lesson.title)
        assert pen.write(lesson.goal)
        for part in lesson.parts:
            if isinstance(part, p.Asking):
                assert part.question(pen).text
            else:
                assert part.block(pen)


@pytest.mark.parametrize("file", LESSONS)
def test_the_exercises_of_a_lesson_accept_their_own_answer_and_no_other(file: Path) -> None:
    lesson = school.read(file)
    for asked in lesson.exercises:
        for language in LANGUAGES:
            pen = lesson.pen(language)
            widget = asked.question(pen).widget
            told = asked.verdict(_any_answer(widget), pen)
            assert asked.verdict(told.answer, pen).right, told
            assert told.text
        if isinstance(widget, Choice):
            right = [asked.verdict((str(one),), pen).right for one in range(len(widget.options))]
            assert not all(right), "every option is right"


def _any_answer(widget: Widget) -> tuple[str, ...]:
    match widget:
        case Choice():
            return ("0",)
        case Number():
            return ("0",)
        case Pick(cards=some, count=count, barred=barred):
            return tuple([card for card in some if card not in barred][:count])


@pytest.mark.parametrize("file", LESSONS)
def test_what_a_lesson_claims_holds(file: Path) -> None:
    lesson = school.read(file)
    pen = lesson.pen("en")
    for part in lesson.parts:
        match part:
            case p.Counted(answer=answer, sum=worked) if worked:
                assert worked_out(worked) == answer, worked
            case p.Chosen(options=options, many=many):
                assert any(one.right for one in options)
                assert many or sum(one.right for one in options) < len(options)
                assert all(one.right or one.why for one in options), "a wrong option has no reason"
            case p.Laid(hand=hand, answers=answers):
                assert mask(hand).bit_count() == 28, hand
                rules = pen.rules
                assert isinstance(rules, DanishRules)
                assert all(p.is_legal(rules, mask(hand), mask(one)) for one in answers), answers
                assert part.book(rules)
            case p.Declared(hand=hand):
                assert mask(hand).bit_count() == 25, hand
            case p.PickedCards(hand=hand, answers=answers, why=why):
                assert all(set(one.split()) <= set(hand.split()) for one in answers)
                assert set(why) <= set(hand.split())
                if isinstance(pen.rules, FrenchRules) and _is_whole(pen.rules, hand):
                    may = ecarts(pen.rules, mask(hand))
                    assert all(mask(one) in may for one in answers), answers
            case p.Allowed(hand=hand, trick=trick):
                assert not mask(hand) & mask(trick)
                assert 0 < part.legal(pen.rules).bit_count() < mask(hand).bit_count(), hand
            case p.Played(goal=goal, answers=answers, why=why):
                found = solved(part.board(), goal)
                assert found.exact, part.position
                best = {written(one.action) for one in found.values if one.best}
                assert best == set(answers), (part.position, goal, found.verdict)
                assert goal == "points" or found.values[0].value == 1, found.verdict
                assert set(why) <= {written(one.action) for one in found.values} - best
            case p.Position(goal=goal) if goal:
                assert solved(board(part.position), goal).values[0].value == 1
            case _:
                pass


def _is_whole(rules: FrenchRules, hand: str) -> bool:
    """Whether a hand is a taker's with the chien, so that what is picked of it is an écart."""
    return mask(hand).bit_count() == rules.deal.hand + rules.deal.chien


def test_every_lesson_stands_in_the_course_once() -> None:
    taught = [f"{one.family}/{name}" for one in school.course().chapters for name in one.lessons]
    assert len(set(taught)) == len(taught)
    assert sorted(taught) == sorted(f"{file.parent.name}/{file.stem}" for file in FILES)


def test_a_lesson_needs_only_what_comes_before_it() -> None:
    for family in get_args(Family):
        order = school.course().lessons(family)
        for place, name in enumerate(order):
            assert set(school.lesson(name).needs) <= set(order[:place]), name
