"""The school over HTTP: the course, its lessons and exercises, the trainers, and how far somebody has come.

What a lesson says is worked out once, in a process, and kept.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

from starlette.requests import Request
from starlette.responses import Response

from ultimo.answers import school as classes
from ultimo.answers.payloads import GiveAnswer, TrainerVerdict
from ultimo.answers.refusing import Refusal
from ultimo.server.house import House, answered, asker, house, session_of, spend
from ultimo.server.http import asked, language, told
from ultimo.server.security import address
from ultimo.server.thinking import Unfinished
from ultimo.server.tutoring import GRACE, looked_at
from ultimo.table.facts import PlayerId
from ultimo.tutor.school.trainers import Trainer

T = TypeVar("T")

_parts: dict[tuple[str, str], classes.Parts] = {}  # of lessons, by name and language


async def done(here: House, player: PlayerId, item: str) -> None:
    """Remember that somebody has done something: an exercise, a first deal."""
    await here.store.done(player, item, here.clock())


# --- the course ----------------------------------------------------------------------------------------


async def school(request: Request) -> Response:
    """All that can be learned. The process that will be asked for a lesson gets ready meanwhile."""
    tongue, progress = language(request), await _progress(request)
    await house(request).looking.until_ready(0.0)
    return await answered(request, lambda: classes.school(progress, tongue))


async def lesson(request: Request) -> Response:
    """A lesson, with what of it is solved."""
    name, tongue, progress = _lesson_of(request), language(request), await _progress(request)
    parts = await _parts_of(request, name, tongue)
    return told(await asyncio.to_thread(classes.lesson, name, parts, progress, tongue))


async def answer(request: Request) -> Response:
    """What is said to an answer to an exercise of a lesson; a right one is remembered."""
    name, tongue = _lesson_of(request), language(request)
    wish = await asked(request, GiveAnswer)
    number = await asyncio.to_thread(classes.exercise_asked, name, request.path_params["number"])
    verdict = await looked_at(request, classes.lesson_verdict, name, number, wish.answer, tongue)
    session = await session_of(request)
    if verdict.right and session is not None:
        await done(house(request), session.player.id, classes.exercise_item(name, number))
    return told(verdict)


async def _parts_of(request: Request, name: str, language: str) -> classes.Parts:
    if (name, language) not in _parts:
        _parts[name, language] = await looked_at(request, classes.parts, name, language)
    return _parts[name, language]


def _lesson_of(request: Request) -> str:
    name: str = request.path_params["lesson"]
    classes.check_lesson(name)
    return name


# --- the trainers --------------------------------------------------------------------------------------


async def question(request: Request) -> Response:
    """A question of a run: `rules` are by which book, `seed` names the run, `n` is the number in it."""
    one, tongue = classes.trainer_asked(request.path_params["trainer"]), language(request)
    book, seed, n = classes.question_asked(one, request.query_params)
    found = await _asked(request, one, classes.trainer_question, one.id, book, seed, n, tongue)
    return told(classes.trainer_page(one, book, n, found, await _progress(request), tongue))


async def judge(request: Request) -> Response:
    """What is said to an answer to it, and how long the run is."""
    one, tongue = classes.trainer_asked(request.path_params["trainer"]), language(request)
    book, seed, n = classes.question_asked(one, request.query_params)
    wish = await asked(request, GiveAnswer)
    given = (one.id, book, seed, n, wish.answer, tongue)
    verdict = await _asked(request, one, classes.trainer_verdict, *given)
    session, here = await session_of(request), house(request)
    if session is None:
        return told(TrainerVerdict(verdict, int(verdict.right), 0))
    run = f"{book}/{seed}"
    streak = await here.store.answered(session.player.id, one.id, run, n, verdict.right, here.clock())
    best = (await here.store.progress(session.player.id)).get(classes.longest_item(one.id), 0)
    return told(TrainerVerdict(verdict, streak, best))


async def _asked(request: Request, one: Trainer, piece: Callable[..., T], *given: object) -> T:
    """What a trainer says: what takes long is worked out where the tutor thinks."""
    if not one.heavy:
        return await looked_at(request, piece, *given)
    spend(request)
    here, who = house(request), await asker(request)
    release = await here.errands.take("hint", who[-1], address(request), object())
    try:
        if not await here.thinking.until_ready(GRACE):
            raise Refusal(503, "tutorStarting")
        return await here.thinking.think(who, piece, *given, urgent=True)
    except Unfinished:
        raise Refusal(503, "tutorFailed") from None
    finally:
        release()


async def _progress(request: Request) -> classes.Progress:
    """What the person who asks has done; a stranger has done nothing."""
    session = await session_of(request)
    return {} if session is None else await house(request).store.progress(session.player.id)
