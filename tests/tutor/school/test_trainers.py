"""Trainers ask without an end and never the same twice; whatever they say can be answered and understood."""

from __future__ import annotations

import re
import subprocess
import sys

import msgspec
import pytest

from ultimo.cards import mask
from ultimo.danish.declarations import declarations
from ultimo.names import LANGUAGES, schooling
from ultimo.rulebook import DanishRules, ids, load
from ultimo.telling.writer import CardRows
from ultimo.tutor.school.course import UnknownExercise, UnknownLesson, exercise, lesson
from ultimo.tutor.school.exercises import Answer, BadAnswer, Choice, Number, Pick, Question, Widget
from ultimo.tutor.school.trainers import TRAINERS, Trainer, UnknownTrainer, trainer
from ultimo.tutor.school.trainers.declarations import Hand, ask

LIGHT = [pytest.param(one, id=one.id) for one in TRAINERS.values() if not one.heavy]
ASKED = 40
PLACES = re.compile(r"\{[^}]*\}")
HUGE = ("0",) * 10_000


def some_answer(widget: Widget) -> Answer:
    match widget:
        case Choice() | Number():
            return ("0",)
        case Pick(cards=cards, count=count, barred=barred):
            return tuple([card for card in cards if card not in barred][:count])


def impossible(widget: Widget) -> list[Answer]:
    match widget:
        case Choice(options=options):
            return [(), ("-1",), (str(len(options)),), ("0", "0"), ("x",), ("٣",), HUGE]
        case Number():
            return [(), ("",), ("1.5",), ("1e9",), ("9" * 5000,), ("٣",), ("1", "2"), HUGE]
        case Pick(cards=cards, barred=barred):
            return [(), cards[:1] * 3, ("SK",) * 3, ("??",), cards, (*barred[:1], *cards), HUGE]


@pytest.mark.parametrize("one", TRAINERS.values(), ids=lambda one: one.id)
def test_a_trainer_has_a_name_and_rulebooks_of_its_game(one: Trainer) -> None:
    assert one.books
    assert {load(book).family for book in one.books} == {one.family}
    for language in LANGUAGES:
        words = schooling(language)
        assert words[f"trainers.{one.id}.title"]
        assert words[f"trainers.{one.id}.about"]


@pytest.mark.parametrize("one", LIGHT)
def test_a_run_is_the_same_every_time_and_nothing_in_it_comes_twice(one: Trainer) -> None:
    for book in one.books:
        rules = load(book)
        first = [one.ask(rules, "7", n).question("en") for n in range(ASKED)]
        again = [one.ask(rules, "7", n).question("en") for n in range(ASKED)]
        other = [one.ask(rules, "8", n).question("en") for n in range(ASKED)]
        assert first == again
        written = [msgspec.json.encode(question) for question in first]
        assert len(set(written)) == ASKED
        assert not set(written) & set(map(msgspec.json.encode, other))


@pytest.mark.parametrize("one", LIGHT)
def test_a_trainer_accepts_its_own_answer_in_every_language_and_refuses_what_is_none(one: Trainer) -> None:
    for book in one.books:
        for n in range(5):
            asked = one.ask(load(book), "7", n)
            answers = set()
            for language in LANGUAGES:
                question = asked.question(language)
                told = asked.verdict(some_answer(question.widget), language)
                assert asked.verdict(told.answer, language).right
                assert question.text
                assert told.text
                assert "{" not in question.text + told.text
                answers.add(told.answer)
            assert len(answers) == 1
            for bad in impossible(question.widget):
                with pytest.raises(BadAnswer):
                    asked.verdict(bad, "en")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_words_of_the_school_have_the_same_places_in_every_language(language: str) -> None:
    first, other = schooling(LANGUAGES[0]), schooling(language)
    assert {key: set(PLACES.findall(text)) for key, text in other.items()} == {
        key: set(PLACES.findall(text)) for key, text in first.items()
    }


def test_an_unknown_trainer_or_exercise_is_an_error_of_its_own() -> None:
    with pytest.raises(UnknownTrainer):
        trainer("no such")
    with pytest.raises(UnknownLesson):
        exercise("no such", 0)
    for number in (-1, 99, 10**9):
        with pytest.raises(UnknownExercise):
            exercise("whip-sums", number)


def test_an_exercise_of_a_lesson_speaks_by_its_rulebook() -> None:
    asked, taught = exercise("whip-sums", 0), lesson("whip-sums")
    assert asked.question("da") == taught.exercises[0].question(taught.pen("da"))
    answer = asked.verdict(("999",), "en")
    assert not answer.right
    assert asked.verdict(answer.answer, "en").right



def test_the_school_can_be_listed_without_the_compiler() -> None:
    """The server knows every lesson and trainer, and never loads numba."""
    code = (
        "import sys, ultimo.tutor.school.course, ultimo.tutor.school.trainers; print('numba' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


# --- declarations ----------------------------------------------------------------------------------------


def hand_of(question: Question) -> tuple[str, ...]:
    (block,) = question.blocks
    assert isinstance(block, CardRows)
    return block.rows[0].cards


@pytest.mark.parametrize("book", [book for book in ids() if load(book).family == "danish"])
def test_what_a_hand_declares_is_what_the_rules_say(book: str) -> None:
    rules = load(book)
    assert isinstance(rules, DanishRules)
    kinds = set()
    for n in range(ASKED):
        asked = ask(rules, "kinds", n)
        question = asked.question("en")
        widget = question.widget
        assert isinstance(widget, Choice)
        hand = mask(" ".join(hand_of(question)))
        assert hand.bit_count() == 25
        due = declarations(rules, hand)
        told = asked.verdict((str(len(widget.options) - 1),), "en")
        assert told.right == (not due)
        assert len(told.answer) == max(1, len(due))
        kinds |= {one.kind for one in due}
    assert kinds >= {"tarok", "matadors", "half"}


def test_the_verdict_says_what_is_there_and_what_is_missing() -> None:
    rules = load("dtf")
    assert isinstance(rules, DanishRules)
    held = "SK SQ SN T0 T20 T19 T18 T9 T8 T7 S2 S3 S4 H1 H2 H3 C1 C2 C3 C4 D1 D2 D3 D4 D5"
    asked = Hand(rules, mask(held))
    widget = asked.question("en").widget
    assert isinstance(widget, Choice)
    half = widget.options.index("Half spades without the jack")
    matadors = widget.options.index("3 matadors")
    told = asked.verdict((str(matadors),), "en")
    assert not told.right
    assert told.answer == (str(half),)
    assert (
        "Half spades without the jack: three of the four court cards, and the skus (5 points)." in told.text
    )
    assert "Missing for matadors: T21 T1." in told.text
    (block,) = told.blocks
    assert isinstance(block, CardRows)
    assert set(block.rows[0].marked) == {"SK", "SQ", "SN", "T0"}
    assert asked.verdict((str(half),), "da").text.startswith("Rigtigt. ")
