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
from ultimo.server.accounts import DAY, Accounts, Session
from ultimo.server.bots import Bots
from ultimo.server.club_store import ClubStore
from ultimo.server.followers import Followers
from ultimo.server.http import LANGUAGE, Refusal
from ultimo.server.keeper import Keeper
from ultimo.server.limits import Buckets, Places, TableLimits
from ultimo.server.pages import Page
from ultimo.server.reviews import Reviews
from ultimo.server.settings import Config
from ultimo.server.sheet_store import SheetStore
from ultimo.server.store import Store
from ultimo.server.thinking import Errands, Thinking
from ultimo.server.tournament_store import TournamentStore

COOKIE: Final = "ultimo"


@dataclass(slots=True, eq=False)
class House:
    """The parts of the running server."""

    config: Config
    store: Store
    keeper: Keeper
    bots: Bots
    accounts: Accounts
    page: Page
    logins: Buckets
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


def speak(connection: HTTPConnection, answer: Response, language: str) -> Response:
    """Let the browser keep the language that was chosen."""
    _keep(connection, answer, LANGUAGE, language, httponly=False)
    return answer


def _keep(connection: HTTPConnection, answer: Response, name: str, value: str, *, httponly: bool) -> None:
    lasts, secure = int(house(connection).config.session_days * DAY), security.is_secure(connection)
    answer.set_cookie(name, value, lasts, secure=secure, httponly=httponly, samesite="lax", path="/")


def unremember(answer: Response) -> Response:
    """Take the token from the browser."""
    answer.delete_cookie(COOKIE, path="/", httponly=True, samesite="lax")
    return answer
