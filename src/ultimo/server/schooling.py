"""The school over HTTP: the course, its lessons and exercises, the trainers, and how far somebody has come.

What a lesson says is worked out once, in a process, and kept. What has been done is remembered under items:
`lesson/whip-sums/0` is the first exercise of a lesson, `first/danish` the first deal of a game, and
`trainer/declarations` the longest run of right answers with a trainer. A run is counted here, answer by
answer, so that nobody has to be believed.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping
from functools import cache
from typing import Final, TypeVar, get_args

from msgspec import structs
from starlette.requests import Request
from starlette.responses import Response

from ultimo.answers import books
from ultimo.answers.payloads import (
    AskPart,
    FirstDeal,
    GiveAnswer,
    LessonLine,
    LessonPage,
    ReadPart,
    School,
    SchoolChapter,
    TrainerBook,
    TrainerLine,
    TrainerPage,
    TrainerVerdict,
)
from ultimo.answers.refusing import Refusal
from ultimo.names import Family, schooling
from ultimo.rulebook import load
from ultimo.server import pieces
from ultimo.server.house import House, answered, house, session_of, spend, who_asks
from ultimo.server.http import asked, language, told
from ultimo.server.security import address
from ultimo.server.thinking import Unfinished
from ultimo.server.tutoring import GRACE, looked_at
from ultimo.table.facts import PlayerId
from ultimo.telling.citations import cited
from ultimo.telling.writer import Block
from ultimo.tutor.school import course
from ultimo.tutor.school.exercises import BadAnswer, Question
from ultimo.tutor.school.trainers import TRAINERS, Trainer, UnknownTrainer, trainer

T = TypeVar("T")

FAMILIES: Final[tuple[Family, ...]] = get_args(Family)
NUMBER: Final = re.compile(r"[0-9]{1,4}")  # of an exercise, or of a question in a run
SEED: Final = re.compile(r"[0-9a-z]{1,24}")

_parts: dict[tuple[str, str], tuple[Block | Question, ...]] = {}  # of lessons, by name and language


async def done(here: House, player: PlayerId, item: str, value: int = 1) -> None:
    """Remember that somebody has done something: an exercise, a first deal, a run of some length."""
    await here.store.done(player, item, here.clock(), value)


# --- the course ----------------------------------------------------------------------------------------


async def school(request: Request) -> Response:
    """All that can be learned. The process that will be asked for a lesson gets ready meanwhile."""
    tongue, progress = language(request), await _progress(request)
    await house(request).looking.until_ready(0.0)

    def work() -> Response:
        lines = _lines(tongue)
        return told(
            School(
                first=tuple(FirstDeal(family, f"first/{family}" in progress) for family in FAMILIES),
                chapters=tuple(
                    SchoolChapter(
                        chapter.id,
                        chapter.family,
                        getattr(chapter.title, tongue),
                        tuple(_line(lines[name], progress) for name in chapter.lessons),
                    )
                    for chapter in course.course().chapters
                ),
                trainers=tuple(_trainer_line(one, tongue, progress) for one in TRAINERS.values()),
            )
        )

    return await answered(request, work)


async def lesson(request: Request) -> Response:
    """A lesson, with what of it is solved."""
    name, tongue, progress = _lesson_of(request), language(request), await _progress(request)
    parts = await _parts_of(request, name, tongue)
    lines, found = await asyncio.to_thread(_lines, tongue), course.lesson(name)
    family = course.family_of(name)
    order = course.course().lessons(family)
    place = order.index(name)

    def line(other: str) -> LessonLine:
        return _line(lines[other], progress)

    return told(
        LessonPage(
            name=name,
            family=family,
            chapter=next(
                getattr(one.title, tongue) for one in course.course().chapters if name in one.lessons
            ),
            title=lines[name].title,
            goal=lines[name].goal,
            book=books.title_of(found.rules, tongue),
            parts=_numbered(name, parts, progress),
            cites=tuple(cited(one, tongue) for one in found.cites),
            needs=tuple(map(line, found.needs)),
            previous=line(order[place - 1]) if place > 0 else None,
            next=line(order[place + 1]) if place + 1 < len(order) else None,
            trainers=tuple(
                _trainer_line(TRAINERS[one], tongue, progress) for one in found.trainers if one in TRAINERS
            ),
        )
    )


async def answer(request: Request) -> Response:
    """What is said to an answer to an exercise of a lesson; a right one is remembered."""
    name, text = _lesson_of(request), request.path_params["number"]
    wish, tongue = await asked(request, GiveAnswer), language(request)
    found = await asyncio.to_thread(course.lesson, name)
    if not NUMBER.fullmatch(text) or int(text) >= len(found.exercises):
        raise Refusal(404, "unknownExercise")
    verdict = await _judged(looked_at(request, pieces.lesson_verdict, name, int(text), wish.answer, tongue))
    session = await session_of(request)
    if verdict.right and session is not None:
        await done(house(request), session.player.id, f"lesson/{name}/{int(text)}")
    return told(verdict)


async def _parts_of(request: Request, name: str, language: str) -> tuple[Block | Question, ...]:
    if (name, language) not in _parts:
        _parts[name, language] = await looked_at(request, pieces.lesson, name, language)
    return _parts[name, language]


def _numbered(
    name: str, parts: tuple[Block | Question, ...], progress: Mapping[str, int]
) -> tuple[ReadPart | AskPart, ...]:
    """The parts of a lesson, the exercises with their numbers."""
    numbered: list[ReadPart | AskPart] = []
    number = 0
    for part in parts:
        if isinstance(part, Question):
            numbered.append(AskPart(number, part, f"lesson/{name}/{number}" in progress))
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


def _line(line: LessonLine, progress: Mapping[str, int]) -> LessonLine:
    solved = sum(f"lesson/{line.name}/{number}" in progress for number in range(line.exercises))
    return structs.replace(line, solved=solved)


def _lesson_of(request: Request) -> str:
    name: str = request.path_params["lesson"]
    try:
        course.family_of(name)
    except course.UnknownLesson:
        raise Refusal(404, "unknownLesson") from None
    return name


# --- the trainers --------------------------------------------------------------------------------------


async def question(request: Request) -> Response:
    """A question of a run: `rules` are by which book, `seed` names the run, `n` is the number in it."""
    one, (book, seed, n), tongue = _trainer_of(request), _place_of(request), language(request)
    found = await _asked(request, one, pieces.trainer_question, one.id, book, seed, n, tongue)
    progress = await _progress(request)
    return told(TrainerPage(_trainer_line(one, tongue, progress), book, n, found))


async def judge(request: Request) -> Response:
    """What is said to an answer to it, and how long the run is."""
    one, (book, seed, n), tongue = _trainer_of(request), _place_of(request), language(request)
    wish = await asked(request, GiveAnswer)
    given = (one.id, book, seed, n, wish.answer, tongue)
    verdict = await _judged(_asked(request, one, pieces.trainer_verdict, *given))
    session, here = await session_of(request), house(request)
    if session is None:
        return told(TrainerVerdict(verdict, int(verdict.right), 0))
    run = f"{book}/{seed}"
    streak = await here.store.answered(session.player.id, one.id, run, n, verdict.right, here.clock())
    best = (await here.store.progress(session.player.id)).get(f"trainer/{one.id}", 0)
    return told(TrainerVerdict(verdict, streak, best))


async def _asked(request: Request, one: Trainer, piece: Callable[..., T], *given: object) -> T:
    """What a trainer says: what takes long is worked out where the tutor thinks."""
    if not one.heavy:
        return await looked_at(request, piece, *given)
    spend(request)
    here, person = house(request), await who_asks(request)
    release = await here.errands.take("hint", person, address(request), object())
    try:
        if not await here.thinking.until_ready(GRACE):
            raise Refusal(503, "tutorStarting")
        return await here.thinking.think(person, piece, *given, urgent=True)
    except Unfinished:
        raise Refusal(503, "tutorFailed") from None
    finally:
        release()


def _trainer_of(request: Request) -> Trainer:
    try:
        return trainer(request.path_params["trainer"])
    except UnknownTrainer:
        raise Refusal(404, "unknownTrainer") from None


def _place_of(request: Request) -> tuple[str, str, int]:
    """The rulebook, the run and the number that are asked for."""
    one, wish = _trainer_of(request), request.query_params
    book, seed, n = wish.get("rules", one.books[0]), wish.get("seed", "0"), wish.get("n", "0")
    if book not in one.books:
        raise Refusal(404, "unknownBook", "rules", book=book[:40], books=", ".join(one.books))
    if not SEED.fullmatch(seed) or not NUMBER.fullmatch(n):
        raise Refusal(404, "unknownExercise", "n" if SEED.fullmatch(seed) else "seed")
    return book, seed, int(n)


def _trainer_line(one: Trainer, language: str, progress: Mapping[str, int]) -> TrainerLine:
    words = schooling(language)
    return TrainerLine(
        id=one.id,
        family=one.family,
        title=words[f"trainers.{one.id}.title"],
        about=words[f"trainers.{one.id}.about"],
        books=tuple(
            TrainerBook(book, books.title_of(book, language), load(book).family) for book in one.books
        ),
        best=progress.get(f"trainer/{one.id}", 0),
    )


# --- both ----------------------------------------------------------------------------------------------


async def _judged(verdict: Awaitable[T]) -> T:
    """A verdict; an answer that the question cannot have is refused."""
    try:
        return await verdict
    except BadAnswer:
        raise Refusal(422, "badAnswer", "answer") from None


async def _progress(request: Request) -> Mapping[str, int]:
    """What the person who asks has done; a stranger has done nothing."""
    session = await session_of(request)
    return {} if session is None else await house(request).store.progress(session.player.id)
