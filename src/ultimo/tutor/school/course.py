"""The course: its chapters, and the lessons in their order."""

from __future__ import annotations

from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable

import msgspec
from msgspec import Struct

from ultimo.names import Family
from ultimo.tutor.school.exercises import Answer, Question, Verdict
from ultimo.tutor.school.parts import Asking, Lesson, Said


class Chapter(Struct, frozen=True, forbid_unknown_fields=True):
    """A part of the course."""

    id: str
    family: Family
    title: Said
    lessons: tuple[str, ...]


class Course(Struct, frozen=True, forbid_unknown_fields=True):
    """All chapters in the order in which they are taught, of one game after the other."""

    chapters: tuple[Chapter, ...]
    advice: dict[str, str] = {}  # the lessons on what is no principle of the rules

    def lessons(self, family: Family) -> tuple[str, ...]:
        """The lessons of a game in their order."""
        return tuple(one for chapter in self.chapters if chapter.family == family for one in chapter.lessons)


class UnknownLesson(LookupError):
    """A name under which there is no lesson."""


class UnknownExercise(LookupError):
    """A number under which a lesson has no exercise."""


class Bound(Struct, frozen=True):
    """An exercise together with its lesson, in whose rulebook it speaks: an `Exercise` like any other."""

    lesson: Lesson
    part: Asking

    def question(self, language: str) -> Question:
        """What is asked."""
        return self.part.question(self.lesson.pen(language))

    def verdict(self, answer: Answer, language: str) -> Verdict:
        """What is said to an answer, or `BadAnswer`."""
        return self.part.verdict(answer, self.lesson.pen(language))


# Makes msgspec learn these types now: two threads that make it do so at the same time crash the process.
msgspec.json.Decoder(Course)
msgspec.json.Decoder(Lesson)


@cache
def course() -> Course:
    """The course."""
    return msgspec.toml.decode(_folder().joinpath("course.toml").read_bytes(), type=Course)


@cache
def lesson(name: str) -> Lesson:
    """A lesson by its name, or `UnknownLesson`."""
    return read(_folder().joinpath(family_of(name), f"{name}.toml"))


def family_of(name: str) -> Family:
    """The game that a lesson is about, or `UnknownLesson`."""
    chapter = next((one for one in course().chapters if name in one.lessons), None)
    if chapter is None:
        raise UnknownLesson(name)
    return chapter.family


def exercise(name: str, number: int) -> Bound:
    """An exercise of a lesson by its number, from 0; or `UnknownLesson`, or `UnknownExercise`."""
    found = lesson(name)
    if not 0 <= number < len(found.exercises):
        raise UnknownExercise(f"{name}/{number}")
    return Bound(found, found.exercises[number])


@cache
def taught_in(principle: str) -> str | None:
    """The first lesson that teaches a principle, or other advice, by its number; none if none does."""
    names = (one for chapter in course().chapters for one in chapter.lessons)
    found = (name for name in names if principle in lesson(name).principles)
    return next(found, course().advice.get(principle))


def read(file: Traversable) -> Lesson:
    """The lesson in a file, or `msgspec.ValidationError` that says what is wrong with it, and where."""
    return msgspec.toml.decode(file.read_bytes(), type=Lesson)


def _folder() -> Traversable:
    return resources.files("ultimo.tutor.school").joinpath("lessons")
