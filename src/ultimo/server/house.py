"""All that a request can reach, and who it comes from."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, cast

from starlette.requests import HTTPConnection
from starlette.responses import Response

from ultimo.server import security
from ultimo.server.accounts import DAY, Accounts, Session, hashed
from ultimo.server.bots import Bots
from ultimo.server.club_store import ClubStore
from ultimo.server.followers import Followers
from ultimo.server.http import LANGUAGE, Refusal
from ultimo.server.keeper import Keeper
from ultimo.server.limits import Attempts, Buckets, Places, TableLimits
from ultimo.server.pages import Page
from ultimo.server.reviews import Reviews
from ultimo.server.settings import Config
from ultimo.server.sheet_store import SheetStore
from ultimo.server.store import Store
from ultimo.server.thinking import Errands, Thinking
from ultimo.server.tournament_store import TournamentStore

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
    costly: Buckets  # what takes more than a moment: new sockets, and what is worked out
    sockets: Places
    limits: TableLimits
    works: asyncio.Semaphore  # so much is worked out at the same time
    thinking: Thinking  # about hints and reviews
    searching: Thinking
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
            thinkers = self.thinking, self.searching, self.looking
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
