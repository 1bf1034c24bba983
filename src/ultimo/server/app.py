"""The server as an ASGI app: its routes, and what is started and stopped with it."""

from __future__ import annotations

import asyncio
import secrets
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from itertools import count
from typing import Final

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute

from ultimo.answers.refusing import Refusal
from ultimo.server import (
    bringing,
    club_joining,
    clubs,
    guiding,
    logs,
    metrics,
    programs,
    puzzling,
    rule_pages,
    schooling,
    settings,
    sheets,
    sockets,
    tables,
    tournaments,
    tutoring,
    visitors,
    watching,
)
from ultimo.server.accounts import Accounts
from ultimo.server.bots import Bots
from ultimo.server.clock import Clock
from ultimo.server.club_store import ClubStore
from ultimo.server.database import Database, Unavailable
from ultimo.server.followers import Followers
from ultimo.server.house import House, costly, ended_key, house, quick
from ultimo.server.http import COMPRESSED_FROM, told
from ultimo.server.keeper import Keeper, Room
from ultimo.server.limits import Attempts, Buckets, Places, TableLimits, Works
from ultimo.server.naming import skeletons
from ultimo.server.pages import Page
from ultimo.server.quotas import Daily, Quotas
from ultimo.server.retention import Retention
from ultimo.server.reviews import Reviews
from ultimo.server.searches import Searches
from ultimo.server.security import Guard
from ultimo.server.settings import Config
from ultimo.server.sharing import Notice
from ultimo.server.sheet_store import SheetStore
from ultimo.server.store import Store
from ultimo.server.thinking import Errands, Thinking, begin_looking, begin_thinking
from ultimo.server.tournament_store import TournamentStore

ANSWERED: Final = 3.0  # seconds in which the database of a server that is ready answers
MIB: Final = 1024 * 1024
SWITCH: Final = 0.00005  # seconds after which a thread that works gives way to the event loop; usual are 5 ms
WORKS: Final = 2  # replays and the like that are worked out at the same time
WAITING: Final = 100  # of an address that may wait for that
UPLOADS: Final = 4  # files that an address may send at the same time


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
    sys.setswitchinterval(SWITCH)
    database = Database(settings.database(config))
    try:
        await database.start()
        store = Store(database)
        bots = Bots(config.bot_processes, config.expert_seconds, config.expert_wait)
        clock, page, followers = Clock(await store.time()), Page(settings.page(config)), Followers()

        def about_people(notice: Notice) -> None:
            if notice.table is None:
                followers.wake_all()
            elif notice.what == "ended":
                followers.wake(ended_key(notice.table))
            if notice.what != "ended":
                page.forget_previews()

        quotas = Quotas(database, by_day(config))
        keeper = Keeper(
            store,
            bots,
            wrote=quotas.note,
            clock=clock,
            lease=config.lease_seconds,
            seed=seed,
            room=Room(config.spectators, config.table_sockets),
            about_people=about_people,
        )
        thinking = Thinking(config.tutor_processes, begin_thinking)
        reads = Buckets(config.read_burst, config.read_rate)
        await keeper.start()
        running = [
            asyncio.create_task(Retention(database, keeper, config).run_for_ever()),
            asyncio.create_task(quotas.run_for_ever()),
        ]
        here = House(
            config=config,
            store=store,
            keeper=keeper,
            bots=bots,
            accounts=Accounts(
                store,
                config.session_days,
                clock,
                choose=secrets.randbelow if seed is None else _in_turn(),
                ended=keeper.ended,
            ),
            page=page,
            logins=Attempts(config.login_burst, config.login_rate),
            costly=Buckets(config.request_burst, config.request_rate),
            openings=Buckets(config.table_burst, config.table_rate),
            sockets=Places(config.sockets),
            limits=TableLimits(
                Buckets(config.message_burst, config.message_rate),
                Buckets(config.talk_burst, config.talk_rate),
                Buckets(config.spectator_burst, config.spectator_rate),
                asyncio.Lock(),
            ),
            streams=Places(config.streams),
            own_streams=Places(config.own_streams),
            uploads=Places(UPLOADS),
            works=Works(reads, WORKS, WAITING),
            quick_works=Works(reads, WORKS, WAITING),
            quotas=quotas,
            thinking=thinking,
            searches=Searches(config.tutor_processes),
            looking=Thinking(1, begin_looking),
            errands=Errands(config.tutor_queue, config.tutor_address),
            reviews=Reviews(store, thinking, clock),
            sheets=SheetStore(database),
            clubs=ClubStore(database),
            tournaments=TournamentStore(database),
            followers=followers,
            clock=clock,
        )
        await here.finish_forgetting()
        reading = asyncio.create_task(asyncio.to_thread(skeletons, ""))  # before the first name needs it
        yield here
        for task in running:
            task.cancel()
        await asyncio.gather(*running, reading, return_exceptions=True)
        with suppress(Unavailable):
            await quotas.flush()
    finally:
        await database.close()


def by_day(config: Config) -> dict[Daily, int]:
    """How much of what a person or an address may use in a day."""
    return {
        "guests": config.day_guests,
        "tables": config.day_tables,
        "sheets": config.day_sheets,
        "clubs": config.day_clubs,
        "tournaments": config.day_tournaments,
        "invitations": config.day_invitations,
        "bytes": config.day_bytes,
        "written": config.day_written,
        "ratings": config.day_ratings,
    }


def _in_turn() -> Callable[[int], int]:
    """What stands for chance in the names of guests under test: no two of some hundred are alike."""
    numbers = count()
    return lambda many: next(numbers) % many


# --- what is asked by machines -------------------------------------------------------------------------


async def alive(_: Request) -> Response:
    """Whether the server runs."""
    return PlainTextResponse("alive\n")


async def ready(request: Request) -> Response:
    """Whether the server can be used: the database answers, and has space to write.

    Its page may be missing, and bots uncompiled.
    """
    here = house(request)
    try:
        async with asyncio.timeout(ANSWERED):
            await here.store.check()
            room = await here.store.database.has_room(here.config.disk_reserve * MIB)
        if not room:
            logs.logger().warning("not ready", error="the disk is full")
            return told({"ready": False, "database": "the disk is full"}, 503)
    except Exception as error:
        logs.logger().warning("not ready", error=type(error).__name__)
        return told({"ready": False, "database": "cannot be reached"}, 503)
    page = "built" if here.page.built else "not built: run make page"
    return told({"ready": True, "database": "ok", "page": page, "bots": here.bots.speed})


async def measured(request: Request) -> Response:
    """What is counted and timed."""
    if not house(request).config.metrics:
        raise Refusal(404, "unknownPage")
    return Response(metrics.exposition(), media_type=metrics.CONTENT_TYPE)


# --- the page ------------------------------------------------------------------------------------------


async def page(request: Request) -> Response:
    """The page, or a file of it."""
    here = house(request)
    return here.page.file(request) or await here.page.front(request, here.store, here.quick_works)


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
    Route("/api/password", visitors.change_password, methods=["POST"]),
    Route("/api/logout", visitors.logout, methods=["POST"]),
    Route("/api/history", costly(visitors.history)),
    Route("/api/figures", costly(visitors.figures)),
    Route("/api/words", quick(rule_pages.words)),
    Route("/api/books", quick(rule_pages.books)),
    Route("/api/books/{book}", costly(rule_pages.book)),
    Route("/api/books/{book}/learn", costly(rule_pages.learn)),
    Route("/api/tables", quick(tables.lobby)),
    Route("/api/tables", tables.open_table, methods=["POST"]),
    Route("/api/tables/from-device/{log}", costly(bringing.session), methods=["PUT"]),
    Route("/api/tables/{table}", tables.invitation),
    Route("/api/tables/{table}", costly(bringing.forget_session), methods=["DELETE"]),
    Route("/api/tables/{table}/again", costly(tables.open_again), methods=["POST"]),
    Route("/api/tables/{table}/bots", costly(programs.seat_program), methods=["POST"]),
    Route("/api/tables/{table}/rules", costly(tables.rules)),
    Route("/api/tables/{table}/record", costly(tables.record)),
    Route("/api/tables/{table}/ledger", costly(tables.ledger)),
    Route("/api/tables/{table}/replay/{deal}", costly(tables.replay)),
    Route("/api/tables/{table}/fair/{deal}", costly(tables.fair)),
    Route("/api/tables/{table}/hint", tutoring.hint, methods=["POST"]),
    Route("/api/tables/{table}/review/{deal}", costly(tutoring.review)),
    Route("/api/tables/{table}/position/{deal}/{step}", costly(tutoring.position)),
    Route("/api/analyse", tutoring.analyse, methods=["POST"]),
    Route("/api/analyse/solve", tutoring.solve, methods=["POST"]),
    Route("/api/analyse/record", tutoring.record, methods=["POST"]),
    Route("/api/analyse/open", tutoring.reopen, methods=["POST"]),
    Route("/api/school", quick(schooling.school)),
    Route("/api/school/lessons/{lesson}", schooling.lesson),
    Route("/api/school/lessons/{lesson}/{number}", schooling.answer, methods=["POST"]),
    Route("/api/school/trainers/{trainer}", schooling.question),
    Route("/api/school/trainers/{trainer}", schooling.judge, methods=["POST"]),
    Route("/api/puzzles", quick(puzzling.listed)),
    Route("/api/puzzles/next", puzzling.following),
    Route("/api/puzzles/day", puzzling.daily),
    Route("/api/puzzles/{puzzle}", puzzling.one),
    Route("/api/puzzles/{puzzle}", puzzling.attempt, methods=["POST"]),
    Route("/api/games", quick(watching.listed)),
    Route("/api/games/{game}", costly(watching.one)),
    Route("/api/games/{game}/review", watching.review),
    Route("/api/games/{game}/position/{step}", costly(watching.position)),
    Route("/api/games/{game}/again", costly(watching.again), methods=["POST"]),
    Route("/api/school/first/{name}", costly(guiding.step), methods=["POST"]),
    Route("/api/sheets", quick(sheets.listed)),
    Route("/api/sheets", sheets.open_sheet, methods=["POST"]),
    Route("/api/sheets/read", costly(sheets.read_sheet), methods=["POST"]),
    Route("/api/sheets/from-device/{log}", costly(bringing.sheet), methods=["PUT"]),
    Route("/api/sheets/{sheet}", costly(sheets.look)),
    Route("/api/sheets/{sheet}", costly(bringing.forget_sheet), methods=["DELETE"]),
    Route("/api/sheets/{sheet}", costly(sheets.write), methods=["POST"]),
    Route("/api/sheets/{sheet}/preview", costly(sheets.preview), methods=["POST"]),
    Route("/api/sheets/{sheet}/money", costly(sheets.money)),
    Route("/api/sheets/{sheet}/follow", costly(sheets.follow)),
    Route("/api/sheets/{sheet}/pen", costly(sheets.pen), methods=["POST"]),
    Route("/api/sheets/{sheet}/log", costly(sheets.log)),
    Route("/api/sheets/{sheet}/table.csv", costly(sheets.spreadsheet)),
    Route("/api/sheets/{sheet}/xlsx", costly(sheets.workbook)),
    *clubs.ROUTES,
    *tournaments.ROUTES,
    Route("/api/{path:path}", nothing, methods=["GET", "POST", "PATCH", "PUT", "DELETE"]),
    WebSocketRoute("/ws/{table}", sockets.table),
    Route("/clubs/join/{secret}", club_joining.moved),
    Route("/{path:path}", page),
]
