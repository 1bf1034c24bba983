"""All that a request can reach, and who it comes from."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps
from typing import Final, TypeAlias, TypeVar, cast

from sqlalchemy import Connection
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from ultimo.answers.refusing import LARGEST, Refusal, largest
from ultimo.server import security
from ultimo.server.accounts import Accounts, Session, hashed
from ultimo.server.bots import Bots
from ultimo.server.clock import DAY
from ultimo.server.club_store import ClubStore
from ultimo.server.database import Check, one_by_one
from ultimo.server.followers import Followers
from ultimo.server.http import LANGUAGE, compressed, told
from ultimo.server.keeper import Keeper
from ultimo.server.limits import (
    Attempts,
    Buckets,
    Crowded,
    Places,
    Spent,
    TableLimits,
    Works,
)
from ultimo.server.pages import Page
from ultimo.server.quotas import ADDRESS, Daily, Quotas, users
from ultimo.server.reviews import Reviews
from ultimo.server.searches import Searches
from ultimo.server.settings import Config
from ultimo.server.sheet_store import SheetStore
from ultimo.server.store import Store
from ultimo.server.thinking import Errands, Thinking
from ultimo.server.tournament_store import TournamentStore
from ultimo.server.turns import Asker

T = TypeVar("T")
Handler: TypeAlias = Callable[[Request], Awaitable[Response]]

COOKIE: Final = "ultimo"
DEVICE: Final = "ultimo_device"  # the cookie of a browser that has logged in to an account before


@dataclass(slots=True, eq=False)
class House:
    """The parts of the running server."""

    config: Config
    store: Store
    keeper: Keeper
    bots: Bots
    accounts: Accounts
    page: Page
    logins: Attempts
    costly: Buckets  # new sockets and streams, and what the tutor is asked
    openings: Buckets  # of tables
    sockets: Places
    limits: TableLimits
    streams: Places  # answers that go on: to those who follow a sheet, a club or a tournament
    own_streams: Places  # of a person
    uploads: Places  # files that are being sent
    works: Works  # what is read from logs and worked out
    quick_works: Works  # what never takes long, and waits for nothing that does
    quotas: Quotas
    thinking: Thinking  # about hints and reviews
    searches: Searches  # and puzzles
    looking: Thinking  # at positions, which takes a moment
    errands: Errands
    reviews: Reviews
    sheets: SheetStore
    clubs: ClubStore
    tournaments: TournamentStore
    followers: Followers  # of score sheets, clubs and tournaments
    clock: Callable[[], float] = time.time
    stopped: bool = False

    async def forget(self, player_id: str) -> None:
        """Delete all there is about somebody."""
        ids = await self.keeper.forget(player_id)
        for club in await self.clubs.forget_person(ids, self.clock()):
            self.followers.wake(club)
        await self.sheets.forget_words(ids)
        await self.tournaments.forget_words(ids)
        await self.store.finished(ids, self.clock())
        await self.store.database.scrub()

    async def finish_forgetting(self) -> None:
        """Delete what a server that died has left of people who had asked for it."""
        for player_id in await self.store.unfinished():
            await self.forget(player_id)

    async def stop(self) -> None:
        """Send everybody home who watches a table, drive the tables no longer, and think no more."""
        if not self.stopped:
            self.stopped = True
            self.followers.close()
            self.works.close()
            self.quick_works.close()
            thinkers = self.thinking, self.searches, self.looking
            await asyncio.gather(self.keeper.close(), *(one.close() for one in thinkers))


def house(connection: HTTPConnection) -> House:
    """The house that a request has come to."""
    return cast(House, connection.app.state.house)


async def session_of(connection: HTTPConnection) -> Session | None:
    """Whose request it is, if that is known."""
    return await house(connection).accounts.session(connection.cookies.get(COOKIE))


def session_key(connection: HTTPConnection) -> str:
    """What is woken when the session of a request ends."""
    return ended_key(hashed(connection.cookies.get(COOKIE, "")))


def ended_key(token_hash: str) -> str:
    """What is woken when a session ends, by the hash of its token."""
    return f"session {token_hash}"


async def known(connection: HTTPConnection) -> Session:
    """Whose request it is; strangers are turned away."""
    session = await session_of(connection)
    if session is None:
        raise Refusal(401, "noSession")
    return session


async def who_asks(connection: HTTPConnection) -> str:
    """Who takes turns and holds places: a person, or an address of which nobody is known."""
    session = await session_of(connection)
    return session.player.id if session is not None else at(connection)


async def asker(connection: HTTPConnection) -> Asker:
    """Who asks, as turns are taken: by address first, then by person."""
    return *security.groups(connection), await who_asks(connection)


def at(connection: HTTPConnection) -> str:
    """The address of a request where it stands beside the ids of people."""
    return ADDRESS + security.address(connection)


# --- what it costs -------------------------------------------------------------------------------------


def spend(connection: HTTPConnection) -> None:
    """Take a token of the address for something that takes more than a moment, or refuse it."""
    if not house(connection).costly.take(security.address(connection), time.monotonic()):
        raise Refusal(429, "tooMany")


def costly(handler: Handler) -> Handler:
    """A request that reads a log or works something out: its address has a token and a turn before it begins.

    The body is read before, so that nobody who sends slowly has a turn meanwhile.
    """
    return _in_turn(handler, lambda here: here.works)


def quick(handler: Handler) -> Handler:
    """The same for a short list, of which it is certain that it takes no more than a moment."""
    return _in_turn(handler, lambda here: here.quick_works)


def _in_turn(handler: Handler, lane: Callable[[House], Works]) -> Handler:
    @wraps(handler)
    async def in_turn(request: Request) -> Response:
        works = request.state.works = lane(house(request))
        try:
            works.spend(security.groups(request))
            with _room(request):
                await request.body()
                async with works.turn(security.groups(request)) as spent:
                    request.state.spent = spent
                    return await handler(request)
        except Crowded:
            raise Refusal(429, "tooMany") from None

    return in_turn


@contextmanager
def _room(request: Request) -> Iterator[None]:
    """Room for a body that is larger than most, as long as the block runs."""
    if largest(request.url.path) == LARGEST:
        yield
        return
    with house(request).uploads.hold(security.address(request)) as place:
        if not place:
            raise Crowded
        yield


async def worked_out(request: Request, work: Callable[[], T]) -> T:
    """The result of work that takes a while, off the event loop; its request is `costly`."""
    works = cast(Works, request.state.works)
    return await works.run(_spent(request), work)


async def answered(request: Request, work: Callable[[], object]) -> Response:
    """An answer that is worked out, written and compressed off the event loop."""
    return await worked_out(request, lambda: compressed(request, told(work())))


def was_read(request: Request, facts: int) -> None:
    """Note how much was read for a request that is `costly`."""
    _spent(request).facts += facts


def _spent(request: Request) -> Spent:
    return cast(Spent, request.state.spent)


async def use(connection: HTTPConnection, what: Daily, player: str = "", amount: int = 1) -> None:
    """Use up something of which a person and an address have so much a day, or refuse it."""
    await house(connection).quotas.use(what, _users(connection, player), amount)


def beginning(connection: HTTPConnection, what: Daily, player: str, check: Check, owner: str = "") -> Check:
    """What the transaction does first that begins something: count what there is, and use a part of the day.

    `check` refuses it if its owner, usually the player, has enough. Of several requests at the same moment
    each counts what those before it have begun.
    """
    check_written(connection, player)
    using = house(connection).quotas.using(what, _users(connection, player))

    def job(transaction: Connection) -> None:
        one_by_one(transaction, f"{what} {owner or player}")
        check(transaction)
        using(transaction)

    return job


def _users(connection: HTTPConnection, player: str) -> list[str]:
    """Whose use of the day something is that a person asks for."""
    return users(player, security.address(connection))


def check_written(connection: HTTPConnection, player: str) -> None:
    """Refuse a beginning to whoever has written enough today, or whose address has."""
    house(connection).quotas.check_written(_users(connection, player))


def wrote(connection: HTTPConnection, player: str, facts: Iterable[object]) -> None:
    """Note that somebody has written facts."""
    house(connection).quotas.note(_users(connection, player), facts)


def remember(connection: HTTPConnection, answer: Response, session: Session) -> Response:
    """Give the browser the token, and the language of its owner."""
    _keep(connection, answer, COOKIE, session.token, httponly=True)
    return speak(connection, answer, session.player.language)


def remember_device(connection: HTTPConnection, answer: Response, token: str) -> Response:
    """Let the browser keep a token by which it is known to have logged in before."""
    _keep(connection, answer, DEVICE, token, httponly=True)
    return answer


def device_of(connection: HTTPConnection) -> str | None:
    """The token by which a browser is known to have logged in before."""
    return connection.cookies.get(DEVICE)


def speak(connection: HTTPConnection, answer: Response, language: str) -> Response:
    """Let the browser keep the language that was chosen."""
    _keep(connection, answer, LANGUAGE, language, httponly=False)
    return answer


def _keep(connection: HTTPConnection, answer: Response, name: str, value: str, *, httponly: bool) -> None:
    lasts, secure = int(house(connection).config.session_days * DAY), security.is_secure(connection)
    answer.set_cookie(name, value, lasts, secure=secure, httponly=httponly, samesite="lax", path="/")


def unremember(answer: Response, *cookies: str) -> Response:
    """Take tokens from the browser."""
    for cookie in cookies:
        answer.delete_cookie(cookie, path="/", httponly=True, samesite="lax")
    return answer
