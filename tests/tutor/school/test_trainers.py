"""Trainers ask without an end and never the same twice; whatever they say can be answered and understood."""

from __future__ import annotations

import re
import subprocess
import sys

import msgspec
import pytest
from msgspec.structs import replace

from ultimo import danish, deal, french
from ultimo import events as e
from ultimo.cards import ALL_TRUMPS, TRUMPS, mask
from ultimo.danish.declarations import declarations
from ultimo.names import LANGUAGES, schooling
from ultimo.rulebook import DanishRules, FrenchRules, ids, load
from ultimo.telling.writer import CardRows
from ultimo.tutor.school.course import UnknownExercise, UnknownLesson, exercise, lesson
from ultimo.tutor.school.exercises import Answer, BadAnswer, Choice, Number, Pick, Question, Widget
from ultimo.tutor.school.trainers import TRAINERS, Trainer, UnknownTrainer, counting, score, trainer
from ultimo.tutor.school.trainers import declarations as declarations_trainer
from ultimo.tutor.school.trainers.declarations import Hand

LIGHT = [pytest.param(one, id=one.id) for one in TRAINERS.values() if not one.heavy]
ASKED = 200  # of a run by the usual rulebook
FEW = 12  # by each other one
PLACES = re.compile(r"\{[^}]*\}")
HUGE = ("0",) * 10_000


def some_answer(widget: Widget) -> Answer:
    match widget:
        case Choice() | Number():
            return ("0",)
        case Pick(cards=cards, count=count, barred=barred):
            return tuple([card for card in cards if card not in barred][:count])


def other_answer(widget: Widget, right: Answer) -> Answer:
    """An answer that is not right: another number, or something else of the options."""
    match widget:
        case Number():
            return (str(int(right[0]) + 1),)
        case Choice(options=options):
            return tuple(str(one) for one in range(len(options)) if str(one) not in right)[:1] or right[:1]
        case Pick():
            raise NotImplementedError("only a judge knows")


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
    assert load(one.books[0]).family == one.family
    families = [load(book).family for book in one.books]
    assert families == sorted(families, key=families.index)  # those of one game side by side
    for language in LANGUAGES:
        words = schooling(language)
        assert words[f"trainers.{one.id}.title"]
        assert words[f"trainers.{one.id}.about"]


@pytest.mark.parametrize("one", LIGHT)
def test_a_run_is_the_same_every_time_and_nothing_in_it_comes_twice(one: Trainer) -> None:
    for book in one.books:
        rules, asked = load(book), ASKED if book == one.books[0] else FEW
        first = [one.ask(rules, "7", n).question("en") for n in range(asked)]
        again = [one.ask(rules, "7", n).question("en") for n in range(FEW)]
        other = [one.ask(rules, "8", n).question("en") for n in range(FEW)]
        assert first[:FEW] == again
        written = [msgspec.json.encode(question) for question in first]
        assert len(set(written)) == asked
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
                assert not asked.verdict(other_answer(question.widget, told.answer), language).right
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
    for number in (-1, len(lesson("whip-sums").exercises), 10**9):
        with pytest.raises(UnknownExercise):
            exercise("whip-sums", number)


def test_an_exercise_of_a_lesson_speaks_by_its_rulebook() -> None:
    asked = exercise("whip-sums", 0)
    assert asked.question("da").text == "Hvor mange tarokker driver en pisk på syv kort ud?"
    assert asked.verdict(("7",), "en").right
    assert not asked.verdict(("6",), "en").right


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
    for n in range(40):
        asked = declarations_trainer.ask(rules, "kinds", n)
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


# --- score -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("book", TRAINERS["score"].books)
def test_what_a_deal_brings_is_what_the_settlement_says(book: str) -> None:
    """The settlement from the score sheet alone comes to the same as the deal, payment by payment."""
    rules = load(book)
    for n in range(10):
        asked = score.ask(rules, "sheet", n)
        opened, state = asked.deal.log[0], asked.deal.state
        assert isinstance(opened, e.Opened)
        if isinstance(state, danish.State):
            outcome: danish.Outcome | french.Outcome = replace(
                danish.outcome_of(state, state.counts), king=opened.king, pagat=opened.pagat
            )
        else:
            assert isinstance(rules, FrenchRules)
            outcome = french.outcome_of(rules, state)
        paid = e.balances(deal.settle(rules, outcome).transfers)[asked.seat]
        assert asked.verdict((str(paid),), "en").right
        assert not asked.verdict((str(paid + 5),), "en").right


def test_the_scores_asked_for_have_every_kind_of_payment() -> None:
    paid = {
        book: {one.reason for n in range(60) for one in score.ask(load(book), "kinds", n).deal.transfers}
        for book in ("dtf", "french4")
    }
    assert paid["dtf"] >= {
        *("kingUltimo", "kingBagud", "pagatUltimo", "lastTrick", "nolo", "count"),
        *("declaration", "kingLost", "pagatLost", "pagatHome", "ante"),
    }
    assert paid["french4"] >= {"contract", "petitAuBout", "poignee"}


# --- counting --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("book", TRAINERS["counting"].books)
def test_trumps_are_counted_as_they_lie_on_the_table(book: str) -> None:
    rules = load(book)
    every = ALL_TRUMPS if rules.family == "danish" else TRUMPS
    for n in range(12):
        asked = counting.ask(rules, "table", n)
        block = asked.question("en").blocks[1]
        assert isinstance(block, CardRows)
        shown = mask(" ".join(card for row in block.rows for card in row.cards))
        marked = asked.verdict(("0",), "en").blocks[1]
        assert isinstance(marked, CardRows)
        assert mask(" ".join(card for row in marked.rows for card in row.marked)) == shown & every
        if asked.kind == "out":
            assert asked.verdict((str((every & ~shown).bit_count()),), "en").right


def test_the_french_way_of_counting_has_tens_for_the_left_and_units_for_the_right() -> None:
    found = (counting.ask(load("dtf"), "pairs", n) for n in range(40))
    asked = next(one for one in found if one.kind == "both")
    told = asked.verdict(("0",), "en")
    left, right = divmod(int(told.answer[0]), 10)
    assert f"Right {right}, Left {left}," in told.text
    assert f"Left {left}, right {right}: {told.answer[0]}." in told.text
