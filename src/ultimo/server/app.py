"""The server as an ASGI app: its routes, and what is started and stopped with it."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from itertools import count
from typing import Final

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute

from ultimo.server import (
    books,
    clubs,
    guiding,
    logs,
    metrics,
    puzzling,
    schooling,
    settings,
    sheets,
    sockets,
    tables,
    tournaments,
    tutoring,
    visitors,
)
from ultimo.server.accounts import Accounts
from ultimo.server.bots import Bots
from ultimo.server.club_store import ClubStore
from ultimo.server.database import Database
from ultimo.server.followers import Followers
from ultimo.server.house import House, house
from ultimo.server.http import Refusal, told
from ultimo.server.keeper import Keeper
from ultimo.server.limits import Buckets, Places
from ultimo.server.pages import Page
from ultimo.server.reviews import Reviews
from ultimo.server.security import Guard
from ultimo.server.settings import Config
from ultimo.server.sheet_store import SheetStore
from ultimo.server.store import Store
from ultimo.server.thinking import LINGER, Errands, Thinking, begin_searching, begin_thinking
from ultimo.server.tournament_store import TournamentStore

COMPRESSED_FROM: Final = 1024  # bytes
WORKS: Final = 2  # replays and the like that are worked out at the same time


def create(config: Config, seed: str | None = None) -> Starlette:
    """The app with these settings, and under test with a seed; it opens the database when it is started."""

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        async with _opened(config, seed) as here:
            app.state.house = here
            yield
            await here.stop()
        logs.logger().info("stopped")

    return Starlette(
        routes=ROUTES,
        middleware=[
            Middleware(Guard, config=config),
            Middleware(GZipMiddleware, minimum_size=COMPRESSED_FROM, compresslevel=6),
        ],
        exception_handlers={HTTPException: _no_route},
        lifespan=lifespan,
    )


@asynccontextmanager
async def _opened(config: Config, seed: str | None) -> AsyncIterator[House]:
    """The house with its database open and its tables driven."""
    database = Database(settings.database(config))
    try:
        await database.start()
        store = Store(database)
        bots = Bots(config.bot_processes, config.expert_seconds, config.expert_wait)
        keeper = Keeper(store, bots, seed=seed)
        thinking = Thinking(config.tutor_processes, begin_thinking)
        await keeper.start()
        yield House(
            config=config,
            store=store,
            keeper=keeper,
            bots=bots,
            accounts=Accounts(
                store, config.session_days, choose=secrets.randbelow if seed is None else _in_turn()
            ),
            page=Page(settings.page(config)),
            logins=Buckets(config.login_burst, config.login_rate),
            costly=Buckets(config.request_burst, config.request_rate),
            sockets=Places(config.sockets),
            works=asyncio.Semaphore(WORKS),
            thinking=thinking,
            searching=Thinking(config.tutor_processes, begin_searching, LINGER),
            looking=Thinking(1, begin_searching),
            errands=Errands(config.tutor_queue, config.tutor_address),
            reviews=Reviews(store, thinking, time.time),
            sheets=SheetStore(database),
            clubs=ClubStore(database),
            tournaments=TournamentStore(database),
            followers=Followers(),
        )
    finally:
        await database.close()


def _in_turn() -> Callable[[int], int]:
    """What stands for chance in the names of guests under test: no two of some hundred are alike."""
    numbers = count()
    return lambda many: next(numbers) % many


# --- what is asked by machines -------------------------------------------------------------------------


async def alive(_: Request) -> Response:
    """Whether the server runs."""
    return PlainTextResponse("alive\n")


async def ready(request: Request) -> Response:
    """Whether the server can be used: the database answers. Its page may be missing, and bots uncompiled."""
    try:
        await house(request).store.check()
    except Exception as error:
        logs.logger().warning("not ready", error=type(error).__name__)
        return told({"ready": False, "database": "cannot be reached"}, 503)
    page = "built" if house(request).page.built else "not built: run make page"
    return told({"ready": True, "database": "ok", "page": page, "bots": house(request).bots.speed})


async def measured(request: Request) -> Response:
    """What is counted and timed."""
    if not house(request).config.metrics:
        raise Refusal(404, "unknownPage")
    return Response(metrics.exposition(), media_type=metrics.CONTENT_TYPE)


# --- the page ------------------------------------------------------------------------------------------


async def page(request: Request) -> Response:
    """The page, or a file of it."""
    here = house(request)
    return here.page.file(request) or await here.page.front(request, here.store)


async def nothing(_: Request) -> Response:
    """An address under `/api` that is none."""
    raise Refusal(404, "unknownPage")


async def _no_route(_: Request, error: Exception) -> Response:
    """What the router refuses, said as everything else is."""
    assert isinstance(error, HTTPException)
    raise Refusal(error.status_code, "notAllowed" if error.status_code == 405 else "unknownPage")


ROUTES: Final = [
    Route("/healthz", alive),
    Route("/readyz", ready),
    Route("/metrics", measured),
    Route("/api/enter", visitors.enter, methods=["POST"]),
    Route("/api/me", visitors.change_me, methods=["PATCH"]),
    Route("/api/me", visitors.forget_me, methods=["DELETE"]),
    Route("/api/account", visitors.register, methods=["POST"]),
    Route("/api/login", visitors.login, methods=["POST"]),
    Route("/api/logout", visitors.logout, methods=["POST"]),
    Route("/api/history", visitors.history),
    Route("/api/figures", visitors.figures),
    Route("/api/words", books.words),
    Route("/api/books", books.books),
    Route("/api/books/{book}", books.book),
    Route("/api/books/{book}/learn", books.learn),
    Route("/api/tables", tables.lobby),
    Route("/api/tables", tables.open_table, methods=["POST"]),
    Route("/api/tables/{table}", tables.invitation),
    Route("/api/tables/{table}/again", tables.open_again, methods=["POST"]),
    Route("/api/tables/{table}/rules", tables.rules),
    Route("/api/tables/{table}/record", tables.record),
    Route("/api/tables/{table}/ledger", tables.ledger),
    Route("/api/tables/{table}/replay/{deal}", tables.replay),
    Route("/api/tables/{table}/fair/{deal}", tables.fair),
    Route("/api/tables/{table}/hint", tutoring.hint, methods=["POST"]),
    Route("/api/tables/{table}/review/{deal}", tutoring.review),
    Route("/api/tables/{table}/position/{deal}/{step}", tutoring.position),
    Route("/api/analyse", tutoring.analyse, methods=["POST"]),
    Route("/api/analyse/solve", tutoring.solve, methods=["POST"]),
    Route("/api/analyse/record", tutoring.record, methods=["POST"]),
    Route("/api/analyse/open", tutoring.reopen, methods=["POST"]),
    Route("/api/school", schooling.school),
    Route("/api/school/lessons/{lesson}", schooling.lesson),
    Route("/api/school/lessons/{lesson}/{number}", schooling.answer, methods=["POST"]),
    Route("/api/school/trainers/{trainer}", schooling.question),
    Route("/api/school/trainers/{trainer}", schooling.judge, methods=["POST"]),
    Route("/api/puzzles", puzzling.listed),
    Route("/api/puzzles/next", puzzling.following),
    Route("/api/puzzles/day", puzzling.daily),
    Route("/api/puzzles/{puzzle}", puzzling.one),
    Route("/api/puzzles/{puzzle}", puzzling.attempt, methods=["POST"]),
    Route("/api/school/first/{name}", guiding.step, methods=["POST"]),
    Route("/api/sheets", sheets.listed),
    Route("/api/sheets", sheets.open_sheet, methods=["POST"]),
    Route("/api/sheets/read", sheets.read_sheet, methods=["POST"]),
    Route("/api/sheets/{sheet}", sheets.look),
    Route("/api/sheets/{sheet}", sheets.write, methods=["POST"]),
    Route("/api/sheets/{sheet}/preview", sheets.preview, methods=["POST"]),
    Route("/api/sheets/{sheet}/money", sheets.money),
    Route("/api/sheets/{sheet}/follow", sheets.follow),
    Route("/api/sheets/{sheet}/pen", sheets.pen, methods=["POST"]),
    Route("/api/sheets/{sheet}/log", sheets.log),
    Route("/api/sheets/{sheet}/table.csv", sheets.spreadsheet),
    Route("/api/sheets/{sheet}/xlsx", sheets.workbook),
    *clubs.ROUTES,
    *tournaments.ROUTES,
    Route("/api/{path:path}", nothing, methods=["GET", "POST", "PATCH", "PUT", "DELETE"]),
    WebSocketRoute("/ws/{table}", sockets.table),
    Route("/{path:path}", page),
]
