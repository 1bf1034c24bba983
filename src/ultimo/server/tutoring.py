"""The requests to the tutor: hints at a table, reviews of deals, and the analysis board."""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator, Awaitable, Callable
from functools import partial
from time import perf_counter
from typing import Final, TypeAlias, TypeVar

import msgspec
from msgspec import Raw, Struct
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from ultimo import deal as deals
from ultimo.analysis.position.writing import NoPosition, write
from ultimo.answers import books
from ultimo.answers.payloads import (
    Analyse,
    AskHint,
    PositionTold,
    Reopen,
    Reopened,
    Search,
    Trouble,
    Waiting,
    WriteDown,
)
from ultimo.answers.refusing import Refusal, number, sentence
from ultimo.events import DealEvent, IllegalAction
from ultimo.names import capital
from ultimo.rulebook import Rules
from ultimo.server import metrics, pieces, reviews
from ultimo.server.house import House, answered, house, known, spend, who_asks, worked_out
from ultimo.server.http import asked, language, told
from ultimo.server.logs import logger
from ultimo.server.security import address
from ultimo.server.tables import game_of, open_log_of
from ultimo.server.thinking import Unfinished
from ultimo.table import archive
from ultimo.table.archive import Log
from ultimo.table.helping import question
from ultimo.table.showing import teller_of

T = TypeVar("T")
Lined: TypeAlias = AsyncGenerator[object, None]
Shown: TypeAlias = Callable[[bytes], Awaitable[object]]

BUDGETS: Final = tuple(1 << power for power in range(16, 27, 2))  # positions of the stages of a search
GRACE: Final = 20.0  # seconds that a hint waits for a process to get ready
STREAM: Final = {
    "cache-control": "no-store",
    "content-encoding": "identity",  # compressed lines would wait for one another
    "x-accel-buffering": "no",
}


# --- hints ---------------------------------------------------------------------------------------------


async def hint(request: Request) -> Response:
    """What the person whose turn it is might do, from what their seat knows."""
    spend(request)
    here, session, tongue = house(request), await known(request), language(request)
    wish, game = await asked(request, AskHint), await game_of(request)
    if not game.kept:
        raise Refusal(410, "logGone")
    player = await here.store.known_as(game.id, session.player.id)
    live = await here.keeper.look(game.id)
    teller = teller_of(live, tongue)
    if live.seat_of(player) is None:
        raise Refusal(403, "told", reason=_sentence(teller.refusal(IllegalAction("notSeated"))))
    try:
        view, choices = question(live, player)
        if wish.against is not None and wish.against not in choices:
            raise IllegalAction("notNow")
    except IllegalAction as error:
        raise Refusal(409, "told", cite=error.cite, reason=_sentence(teller.refusal(error))) from None
    began, people = perf_counter(), tuple(sitting.name or "–" for sitting in live.seats)
    release = await here.errands.take("hint", session.player.id, address(request), object())
    try:
        if not await here.thinking.until_ready(GRACE):
            raise Refusal(503, "tutorStarting")
        samples = here.config.review_samples
        thought = here.thinking.think(
            session.player.id, pieces.hint, view, choices, tongue, people, wish.against, samples, urgent=True
        )
        found = await thought
    except Unfinished:
        raise Refusal(503, "tutorFailed") from None
    finally:
        release()
    metrics.HINT.observe(perf_counter() - began)
    return told(Raw(found))


def _sentence(reason: str) -> str:
    return f"{capital(reason.rstrip('.'))}."


# --- reviews -------------------------------------------------------------------------------------------


class Played(Struct, frozen=True):
    """A deal that is over: its events, the frames of its replay by event, and who sat where."""

    rules: Rules
    events: tuple[DealEvent, ...]
    steps: tuple[int, ...]
    people: tuple[str, ...]


async def review(request: Request) -> Response:
    """Every decision of a deal, judged; until that is done, how far it is."""
    here, deal, tongue = house(request), number(request.path_params["deal"]), language(request)
    game, log = await game_of(request), await open_log_of(request)
    played = await worked_out(request, deal, lambda: _played(log, deal))
    person, title = await who_asks(request), books.title_of(game.settings.rules, tongue)
    wanted = reviews.order(game.id, deal, played.rules, played.events, here.config.review_samples)
    shown = partial(_shown, here, person, played, tongue, deal, title)
    kept = await here.reviews.kept(wanted)
    if kept is not None:
        release = await here.errands.take("hint", person, address(request), object())
        return Lines(_told_at_once(kept, shown), tongue, release)
    release = await here.errands.take("review", person, address(request), (game.id, deal))
    return Lines(_reviewed(here, person, wanted, shown), tongue, release)


def _played(log: Log, deal: int) -> Played:
    rules, events = archive.deal_events(log, deal)
    step_of = archive.step_of(log, deal)
    before = archive.deal_steps(log, deal)[0].before
    people = tuple(sitting.name or "–" for sitting in before.seats)
    return Played(rules, events, tuple(map(step_of, range(len(events)))), people)


async def _told_at_once(body: bytes, shown: Shown) -> Lined:
    yield await shown(body)


async def _reviewed(here: House, person: str, wanted: reviews.Order, shown: Shown) -> Lined:
    following = here.reviews.follow(person, wanted)
    try:
        async for news in following:
            yield await shown(news) if isinstance(news, bytes) else news
    finally:
        await following.aclose()


async def _shown(
    here: House, person: str, played: Played, language: str, deal: int, title: str, body: bytes
) -> object:
    """The line with a review in words."""
    told = (language, played.people, deal, title, played.steps)
    shown = await here.thinking.think(
        person, pieces.review_shown, body, played.rules, played.events, *told, urgent=True
    )
    return {"review": Raw(shown)}


# --- the analysis board --------------------------------------------------------------------------------


async def analyse(request: Request) -> Response:
    """A position after some moves, and what may be done there."""
    wish = await asked(request, Analyse)
    return told(Raw(await looked_at(request, pieces.board, wish.text, wish.moves, language(request))))


async def record(request: Request) -> Response:
    """The record of what was played from a position, to keep."""
    wish = await asked(request, WriteDown)
    given = (wish.text, wish.moves, wish.comments, language(request))
    text = await looked_at(request, pieces.written, *given)
    headers = {"content-disposition": 'attachment; filename="ultimo.txt"', "cache-control": "no-store"}
    return Response(text, headers=headers, media_type="text/plain; charset=utf-8")


async def reopen(request: Request) -> Response:
    """The position and the moves of such a record."""
    wish = await asked(request, Reopen)
    return told(Reopened(*await looked_at(request, pieces.opened, wish.record, language(request))))


async def position(request: Request) -> Response:
    """The position that a frame of a replay shows, in text."""
    deal, step = number(request.path_params["deal"]), request.path_params["step"]
    log = await open_log_of(request)
    if not re.fullmatch(r"[0-9]{1,5}", step):
        raise Refusal(404, "unknownPage")

    def work() -> Response:
        played = _played(log, deal)
        if int(step) not in played.steps:
            raise Refusal(404, "unknownStep", deal=deal, step=step)
        last = max(place for place, frame in enumerate(played.steps) if frame == int(step))
        return told(PositionTold(write(played.rules, deals.replay(played.rules, played.events[: last + 1]))))

    try:
        return await answered(request, work, deal)
    except NoPosition:
        raise Refusal(409, "noPosition") from None


async def solve(request: Request) -> Response:
    """What a position is worth: each line knows more than the one before."""
    spend(request)
    here, wish, person = house(request), await asked(request, Search), await who_asks(request)
    release = await here.errands.take("search", person, address(request), object())
    return Lines(_searched(here, person, wish, language(request)), language(request), release)


async def _searched(here: House, person: str, wish: Search, language: str) -> Lined:
    """The stages of a search, each with more positions than the one before."""
    result = "left"
    try:
        yield Waiting(here.searching.waiting)
        for budget in BUDGETS:
            last = budget == BUDGETS[-1]
            given = (wish.text, wish.moves, wish.goal, language, budget, last)
            line, finished, exact = await here.searching.think(person, pieces.solved, *given)
            if finished:
                result = "exact" if exact else "cut"
            yield Raw(line)
            if finished:
                return
    except pieces.Wrong as wrong:
        result = "failed"
        yield Trouble(wrong.reason, wrong.field, column=wrong.column)
    except Exception:
        result = "failed"
        raise
    finally:
        metrics.SEARCHES.labels(result).inc()


async def looked_at(request: Request, look: Callable[..., T], *given: object) -> T:
    """What is found out in a moment, in a process; what is wrong with a position is told with its place."""
    spend(request)
    here, person = house(request), await who_asks(request)
    release = await here.errands.take("board", person, address(request), object())
    try:
        return await here.looking.think(person, look, *given)
    except pieces.Wrong as wrong:
        raise Refusal(422, "told", wrong.field, column=wrong.column, reason=wrong.reason) from None
    except Unfinished:
        raise Refusal(503, "tutorFailed") from None
    finally:
        release()


# --- how they are answered -----------------------------------------------------------------------------


class Lines(StreamingResponse):
    """An answer in lines of JSON that come one by one; `release` is called when it is over, however."""

    def __init__(self, lines: Lined, language: str, release: Callable[[], None]) -> None:
        self._lines, self._release = lines, release
        self._bytes = self._encoded(lines, language)
        super().__init__(self._bytes, headers=STREAM, media_type="application/jsonl")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._release()
            await self._bytes.aclose()
            await self._lines.aclose()

    async def _encoded(self, lines: Lined, language: str) -> AsyncGenerator[bytes, None]:
        """The lines; what goes wrong in the midst is the last."""
        try:
            async for line in lines:
                yield msgspec.json.encode(line) + b"\n"
        except Unfinished:
            yield msgspec.json.encode(Trouble(sentence(language, "tutorFailed"))) + b"\n"
        except Exception:
            logger().exception("an answer has failed in the midst")
            yield msgspec.json.encode(Trouble(sentence(language, "failed"))) + b"\n"
