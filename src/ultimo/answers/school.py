"""The school: the course, its lessons and exercises, the trainers, and how far somebody has come.

What has been done is remembered under items: `lesson/whip-sums/0` is the first exercise of a lesson,
`first/danish` the first deal of a game, and `trainer/declarations` the longest run of right answers with a
trainer. `run/declarations/dtf/7x` is the run that goes on. A run is counted answer by answer, so that nobody
has to be believed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Final, TypeAlias, get_args

from msgspec import structs

from ultimo.answers import books
from ultimo.answers.payloads import (
    AskPart,
    FirstDeal,
    LessonLine,
    LessonPage,
    ReadPart,
    School,
    SchoolChapter,
    TrainerBook,
    TrainerLine,
    TrainerPage,
)
from ultimo.answers.refusing import Refusal
from ultimo.names import Family, schooling
from ultimo.rulebook import load
from ultimo.telling.citations import cited
from ultimo.telling.writer import Block
from ultimo.tutor.school import course
from ultimo.tutor.school.exercises import Answer, BadAnswer, Question, Verdict
from ultimo.tutor.school.parts import Asking
from ultimo.tutor.school.trainers import TRAINERS, Trainer, UnknownTrainer, trainer

Progress: TypeAlias = Mapping[str, int]  # what somebody has done, by item
Parts: TypeAlias = tuple[Block | Question, ...]  # of a lesson

FAMILIES: Final[tuple[Family, ...]] = get_args(Family)
NUMBER: Final = re.compile(r"[0-9]{1,4}")  # of an exercise, or of a question in a run
SEED: Final = re.compile(r"[0-9a-z]{1,24}")
ENDED: Final = -1  # the value of a run in which an answer was wrong


# --- what has been done ----------------------------------------------------------------------------------


def exercise_item(lesson: str, number: int) -> str:
    """An exercise of a lesson."""
    return f"lesson/{lesson}/{number}"


def first_item(family: Family) -> str:
    """The first deal of a game."""
    return f"first/{family}"


def longest_item(trainer: str) -> str:
    """The longest run of right answers with a trainer."""
    return f"trainer/{trainer}"


def run_item(trainer: str, run: str = "") -> str:
    """A run of a trainer; without its name, what the items of all of them begin with."""
    return f"run/{trainer}/{run}"


def run_after(before: int, n: int, right: bool) -> int:
    """The value of a run after an answer to question `n`; above 0 it is how many answers are right.

    A run counts from its first question on and ends with a wrong answer; an answer out of turn changes
    nothing.

    >>> run_after(0, 0, True), run_after(3, 3, False), run_after(3, 5, True), run_after(ENDED, 0, True)
    (1, -1, 3, -1)
    """
    if n != before:
        return before
    return n + 1 if right else ENDED


# --- the course ------------------------------------------------------------------------------------------


def school(progress: Progress, language: str) -> School:
    """All that can be learned."""
    lines = _lines(language)
    return School(
        first=tuple(FirstDeal(family, first_item(family) in progress) for family in FAMILIES),
        chapters=tuple(
            SchoolChapter(
                chapter.id,
                chapter.family,
                getattr(chapter.title, language),
                tuple(_line(lines[name], progress) for name in chapter.lessons),
            )
            for chapter in course.course().chapters
        ),
        trainers=tuple(_trainer_line(one, language, progress) for one in TRAINERS.values()),
    )


def check_lesson(name: str) -> None:
    """Refuse a lesson that there is not."""
    try:
        course.family_of(name)
    except course.UnknownLesson:
        raise Refusal(404, "unknownLesson") from None


def parts(name: str, language: str) -> Parts:
    """The parts of a lesson in order; some of them take a moment to work out."""
    found = course.lesson(name)
    pen = found.pen(language)
    return tuple(part.question(pen) if isinstance(part, Asking) else part.block(pen) for part in found.parts)


def lesson(name: str, parts: Parts, progress: Progress, language: str) -> LessonPage:
    """A lesson of these parts, with what of it is solved."""
    lines, found = _lines(language), course.lesson(name)
    family = course.family_of(name)
    order = course.course().lessons(family)
    place = order.index(name)

    def line(other: str) -> LessonLine:
        return _line(lines[other], progress)

    return LessonPage(
        name=name,
        family=family,
        chapter=next(getattr(one.title, language) for one in course.course().chapters if name in one.lessons),
        title=lines[name].title,
        goal=lines[name].goal,
        book=books.title_of(found.rules, language),
        parts=_numbered(name, parts, progress),
        cites=tuple(cited(one, language) for one in found.cites),
        needs=tuple(map(line, found.needs)),
        previous=line(order[place - 1]) if place > 0 else None,
        next=line(order[place + 1]) if place + 1 < len(order) else None,
        trainers=tuple(
            _trainer_line(TRAINERS[one], language, progress) for one in found.trainers if one in TRAINERS
        ),
    )


def exercise_asked(name: str, number: str) -> int:
    """The number of an exercise that a lesson has."""
    if not NUMBER.fullmatch(number) or int(number) >= len(course.lesson(name).exercises):
        raise Refusal(404, "unknownExercise")
    return int(number)


def lesson_verdict(name: str, number: int, answer: Answer, language: str) -> Verdict:
    """What is said to an answer to an exercise of a lesson."""
    try:
        return course.exercise(name, number).verdict(answer, language)
    except BadAnswer:
        raise Refusal(422, "badAnswer", "answer") from None


def _numbered(name: str, parts: Parts, progress: Progress) -> tuple[ReadPart | AskPart, ...]:
    """The parts of a lesson, the exercises with their numbers."""
    numbered: list[ReadPart | AskPart] = []
    number = 0
    for part in parts:
        if isinstance(part, Question):
            numbered.append(AskPart(number, part, exercise_item(name, number) in progress))
            number += 1
        else:
            numbered.append(ReadPart(part))
    return tuple(numbered)


@cache
def _lines(language: str) -> Mapping[str, LessonLine]:
    """All lessons in a list, none of them begun."""
    names = [name for family in FAMILIES for name in course.course().lessons(family)]
    return {name: _new_line(name, language) for name in names}


def _new_line(name: str, language: str) -> LessonLine:
    found = course.lesson(name)
    pen = found.pen(language)
    return LessonLine(name, pen.write(found.title), pen.write(found.goal), len(found.exercises), 0)


def _line(line: LessonLine, progress: Progress) -> LessonLine:
    solved = sum(exercise_item(line.name, number) in progress for number in range(line.exercises))
    return structs.replace(line, solved=solved)


# --- the trainers ----------------------------------------------------------------------------------------


def trainer_asked(name: str) -> Trainer:
    """The trainer of this name."""
    try:
        return trainer(name)
    except UnknownTrainer:
        raise Refusal(404, "unknownTrainer") from None


def question_asked(one: Trainer, wish: Mapping[str, str]) -> tuple[str, str, int]:
    """By which book (`rules`) a question is asked for, in which run (`seed`), and its number there (`n`)."""
    book, seed, n = wish.get("rules", one.books[0]), wish.get("seed", "0"), wish.get("n", "0")
    if book not in one.books:
        raise Refusal(404, "unknownBook", "rules", book=book[:40], books=", ".join(one.books))
    if not SEED.fullmatch(seed) or not NUMBER.fullmatch(n):
        raise Refusal(404, "unknownExercise", "n" if SEED.fullmatch(seed) else "seed")
    return book, seed, int(n)


def trainer_question(trainer: str, book: str, seed: str, n: int, language: str) -> Question:
    """A question of a trainer's run."""
    return TRAINERS[trainer].ask(load(book), seed, n).question(language)


def trainer_page(
    one: Trainer, book: str, n: int, question: Question, progress: Progress, language: str
) -> TrainerPage:
    """A question as it is shown."""
    return TrainerPage(_trainer_line(one, language, progress), book, n, question)


def trainer_verdict(trainer: str, book: str, seed: str, n: int, answer: Answer, language: str) -> Verdict:
    """What is said to an answer to it."""
    try:
        return TRAINERS[trainer].ask(load(book), seed, n).verdict(answer, language)
    except BadAnswer:
        raise Refusal(422, "badAnswer", "answer") from None


def _trainer_line(one: Trainer, language: str, progress: Progress) -> TrainerLine:
    words = schooling(language)
    return TrainerLine(
        id=one.id,
        family=one.family,
        title=words[f"trainers.{one.id}.title"],
        about=words[f"trainers.{one.id}.about"],
        books=tuple(
            TrainerBook(book, books.title_of(book, language), load(book).family) for book in one.books
        ),
        best=progress.get(longest_item(one.id), 0),
    )
