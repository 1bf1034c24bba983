"""The course: its chapters, and the lessons in their order."""

from __future__ import annotations

from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable

import msgspec
from msgspec import Struct

from ultimo.names import Family
from ultimo.tutor.school.parts import Lesson, Said


class Chapter(Struct, frozen=True, forbid_unknown_fields=True):
    """A part of the course."""

    id: str
    family: Family
    title: Said
    lessons: tuple[str, ...]


class Course(Struct, frozen=True, forbid_unknown_fields=True):
    """All chapters in the order in which they are taught, of one game after the other."""

    chapters: tuple[Chapter, ...]

    def lessons(self, family: Family) -> tuple[str, ...]:
        """The lessons of a game in their order."""
        return tuple(one for chapter in self.chapters if chapter.family == family for one in chapter.lessons)


class UnknownLesson(LookupError):
    """A name under which there is no lesson."""


@cache
def course() -> Course:
    """The course."""
    return msgspec.toml.decode(_folder().joinpath("course.toml").read_bytes(), type=Course)


@cache
def lesson(name: str) -> Lesson:
    """A lesson by its name, or `UnknownLesson`."""
    chapter = next((one for one in course().chapters if name in one.lessons), None)
    if chapter is None:
        raise UnknownLesson(name)
    return read(_folder().joinpath(chapter.family, f"{name}.toml"))


def read(file: Traversable) -> Lesson:
    """The lesson in a file, or `msgspec.ValidationError` that says what is wrong with it, and where."""
    return msgspec.toml.decode(file.read_bytes(), type=Lesson)


def _folder() -> Traversable:
    return resources.files("ultimo.tutor.school").joinpath("lessons")
