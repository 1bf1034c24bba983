"""The requests to the tutor: hints at a table, reviews of deals, and the analysis board."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable
from functools import partial
from time import perf_counter
from typing import Final, TypeAlias, TypeVar

import msgspec
from msgspec import Raw
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from ultimo.answers import advice, books, positions
from ultimo.answers.payloads import Analyse, AskHint, Reopen, Search, Trouble, Waiting, WriteDown
from ultimo.answers.refusing import Refusal, number, sentence, trouble
from ultimo.server import metrics, reviews
from ultimo.server.house import House, answered, asker, house, known, spend, worked_out
from ultimo.server.http import asked, language, told
from ultimo.server.logs import logger
from ultimo.server.security import address
from ultimo.server.tables import game_of, open_log_of
from ultimo.server.thinking import Unfinished
from ultimo.server.turns import Asker

T = TypeVar("T")
Lined: TypeAlias = AsyncGenerator[object, None]
Shown: TypeAlias = Callable[[bytes], Awaitable[object]]

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
    if game.device:
        raise Refusal(409, "playedOnDevice")
    player = await here.store.known_as(game.id, session.player.id)
    live = await here.keeper.look(game.id)
    view, choices = advice.question(live, player, wish.against, tongue)
    began, people = perf_counter(), advice.people(live)
    if wish.first:
        first = await here.bots.advise(
            live.rules, advice.club_hint, view, choices, tongue, people, wish.against
        )
        return told(Raw(first))
    release = await here.errands.take("hint", session.player.id, address(request), object())
    try:
        if not await here.thinking.until_ready(GRACE):
            raise Refusal(503, "tutorStarting")
        given = (view, choices, tongue, people, wish.against, here.config.review_samples)
        found = await here.thinking.think(await asker(request), advice.hint, *given, urgent=True)
    except Unfinished:
        raise Refusal(503, "tutorFailed") from None
    finally:
        release()
    metrics.HINT.observe(perf_counter() - began)
    return told(Raw(found))


# --- reviews -------------------------------------------------------------------------------------------


async def review(request: Request) -> Response:
    """Every decision of a deal, judged; until that is done, how far it is."""
    here, deal, tongue = house(request), number(request.path_params["deal"]), language(request)
    game, log = await game_of(request), await open_log_of(request)
    played = await worked_out(request, lambda: advice.played(log, deal))
    who, title = await asker(request), books.title_of(game.settings.rules, tongue)
    wanted = reviews.order(game.id, deal, played.rules, played.events, here.config.review_samples)
    shown = partial(_shown, here, who, played, tongue, deal, title)
    kept = await here.reviews.kept(wanted)
    if kept is not None:
        release = await here.errands.take("hint", who[-1], address(request), object())
        return Lines(_told_at_once(kept, shown), tongue, release)
    release = await here.errands.take("review", who[-1], address(request), (game.id, deal))
    return Lines(_reviewed(here, who, wanted, shown), tongue, release)


async def _told_at_once(body: bytes, shown: Shown) -> Lined:
    yield await shown(body)


async def _reviewed(here: House, who: Asker, wanted: reviews.Order, shown: Shown) -> Lined:
    following = here.reviews.follow(who, wanted)
    try:
        async for news in following:
            yield await shown(news) if isinstance(news, bytes) else news
    finally:
        await following.aclose()


async def _shown(
    here: House, who: Asker, played: advice.Played, language: str, deal: int, title: str, body: bytes
) -> object:
    """The line with a review in words."""
    given = (body, played, language, deal, title)
    return {"review": Raw(await here.thinking.think(who, advice.review_shown, *given, urgent=True))}


# --- the analysis board --------------------------------------------------------------------------------


async def analyse(request: Request) -> Response:
    """A position after some moves, and what may be done there."""
    wish = await asked(request, Analyse)
    return told(Raw(await looked_at(request, positions.board, wish.text, wish.moves, language(request))))


async def record(request: Request) -> Response:
    """The record of what was played from a position, to keep."""
    wish = await asked(request, WriteDown)
    given = (wish.text, wish.moves, wish.comments, language(request))
    return told(await looked_at(request, positions.written, *given))


async def reopen(request: Request) -> Response:
    """The position and the moves of such a record."""
    wish = await asked(request, Reopen)
    return told(await looked_at(request, positions.opened, wish.record, language(request)))


async def position(request: Request) -> Response:
    """The position that a frame of a replay shows, in text."""
    deal, step = number(request.path_params["deal"]), request.path_params["step"]
    log = await open_log_of(request)
    return await answered(request, lambda: positions.position(log, deal, step))


async def solve(request: Request) -> Response:
    """What a position is worth: each line knows more than the one before."""
    spend(request)
    here, wish, who = house(request), await asked(request, Search), await asker(request)
    release = await here.errands.take("search", who[-1], address(request), object())
    return Lines(_searched(here, who, wish, language(request)), language(request), release)


async def _searched(here: House, who: Asker, wish: Search, language: str) -> Lined:
    """The stages of a search, each with more positions than the one before."""
    result = "left"
    try:
        yield Waiting(here.searches.waiting)
        for budget in positions.BUDGETS:
            given = (wish.text, wish.moves, wish.goal, language, budget)
            line, finished, exact = await here.searches.stage(who, budget, positions.solved, *given)
            if finished:
                result = "exact" if exact else "cut"
            yield Raw(line)
            if finished:
                return
    except Refusal as refusal:
        result = "failed"
        yield trouble(refusal, language)
    except Exception:
        result = "failed"
        raise
    finally:
        metrics.SEARCHES.labels(result).inc()


async def looked_at(request: Request, look: Callable[..., T], *given: object) -> T:
    """What is found out in a moment, in a process."""
    spend(request)
    here, who = house(request), await asker(request)
    release = await here.errands.take("board", who[-1], address(request), object())
    try:
        return await here.looking.think(who, look, *given)
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
