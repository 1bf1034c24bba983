"""Everything that the books teach has a lesson, and the page that says so is up to date."""

from __future__ import annotations

import re
from pathlib import Path

from ultimo.names import tutoring
from ultimo.tutor.school.course import course, lesson, taught_in
from ultimo.tutor.school.trainers import TRAINERS
from write_school import PAGE, lessons_by_id, table, taught

RULES = Path(__file__).parents[3] / "docs" / "rules.md"
ITEMS = 148  # teachings of the five books, besides the principles


def ids() -> list[str]:
    return [one for entry in taught() for one in entry["ids"]]


def test_every_principle_of_the_rules_must_be_taught() -> None:
    principles = set(re.findall(r"\*\*(F[1-7]\.\d+)", RULES.read_text(encoding="utf-8")))
    assert len(principles) > 70
    assert {one for one in ids() if one.startswith("F")} == principles


def test_each_teaching_stands_once_with_its_place() -> None:
    assert len(ids()) == len(set(ids()))
    assert sum(not one.startswith("F") for one in ids()) == ITEMS
    assert all(entry["what"] and entry["at"] for entry in taught())


def test_everything_that_must_be_taught_has_a_lesson() -> None:
    assert sorted(set(ids()) - set(lessons_by_id())) == []


def test_a_lesson_teaches_nothing_that_is_not_known() -> None:
    assert sorted(set(lessons_by_id()) - set(ids())) == []


def test_the_page_is_up_to_date() -> None:
    assert table() in PAGE.read_text(encoding="utf-8"), "run tools/write_school.py"


def test_every_chapter_has_lessons() -> None:
    assert all(chapter.lessons for chapter in course().chapters)


def test_a_lesson_leads_to_trainers_that_there_are() -> None:
    names = [name for chapter in course().chapters for name in chapter.lessons]
    assert {one for name in names for one in lesson(name).trainers} == set(TRAINERS)


def test_a_principle_leads_to_the_lesson_that_teaches_it() -> None:
    assert taught_in("F1.5") == "whip-sums"
    assert taught_in("solved") is None
    told = [key.removeprefix("principles.") for key in tutoring("en") if key.startswith("principles.F")]
    assert told
    assert [key for key in told if taught_in(key) is None] == ["FR.only", "FR.win"]  # which teach nothing
    assert all(lesson(name) for name in course().advice.values())
