"""The requests that are about people: coming in, names and languages, accounts, one's own games."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from msgspec import UNSET
from starlette.requests import Request
from starlette.responses import Response

from ultimo.answers import tables
from ultimo.answers.cleaning import clean_name
from ultimo.answers.payloads import ChangeMe, ChangePassword, Credentials, Enter, LogOut, Me
from ultimo.answers.refusing import Refusal, number
from ultimo.server import logs
from ultimo.server.accounts import Session
from ultimo.server.house import (
    COOKIE,
    DEVICE,
    answered,
    device_of,
    house,
    known,
    remember,
    remember_device,
    session_of,
    speak,
    unremember,
    use,
    was_read,
)
from ultimo.server.http import asked, language, told
from ultimo.server.limits import Lane
from ultimo.server.naming import name_key
from ultimo.server.security import address
from ultimo.server.store import Player


async def enter(request: Request) -> Response:
    """Come in; a stranger becomes a guest."""
    wish = (await asked(request, Enter)).language
    session = await session_of(request)
    accounts = house(request).accounts
    if session is not None and wish not in (None, session.player.language):
        player = await accounts.change(session, None, wish)
        session = session._replace(player=player)
    if session is None:
        await use(request, "guests")
    session = await accounts.enter(session, wish or language(request))
    return remember(request, told(_me(session.player)), session)


async def change_me(request: Request) -> Response:
    """Change one's name or language."""
    session, wish = await known(request), await asked(request, ChangeMe)
    name = None if wish.name is UNSET else wish.name
    tongue = None if wish.language is UNSET else wish.language
    player = await house(request).accounts.change(session, name, tongue)
    return speak(request, told(_me(player)), player.language)


async def forget_me(request: Request) -> Response:
    """Delete all there is about somebody."""
    here, session = house(request), await known(request)
    await here.forget(session.player.id)
    logs.logger().info("forgotten", player=session.player.id)
    return unremember(Response(status_code=204), COOKIE, DEVICE)


async def register(request: Request) -> Response:
    """Make an account of a guest."""
    session, wish = await known(request), await asked(request, Credentials)
    async with _attempt(request, wish.name):
        session = await house(request).accounts.register(session, wish.name, wish.password)
    return await _welcome(request, session, "registered")


async def login(request: Request) -> Response:
    """Log in to an account."""
    session, wish = await session_of(request), await asked(request, Credentials)
    async with _attempt(request, wish.name) as lane:
        session = await house(request).accounts.login(session, wish.name, wish.password, lane)
    return await _welcome(request, session, "logged in")


async def change_password(request: Request) -> Response:
    """Change the password of one's account; other sessions end."""
    session, wish = await known(request), await asked(request, ChangePassword)
    async with _attempt(request, session.player.name, session.player.id):
        session = await house(request).accounts.change_password(session, wish.old, wish.new)
    return await _welcome(request, session, "password changed")


async def logout(request: Request) -> Response:
    """Log out, here or everywhere."""
    session, wish = await session_of(request), await asked(request, LogOut)
    accounts = house(request).accounts
    if session is not None:
        await (accounts.leave_everywhere(session) if wish.everywhere else accounts.leave(session))
    return unremember(Response(status_code=204), COOKIE)


async def history(request: Request) -> Response:
    """The sessions that one has played."""
    session, tongue = await known(request), language(request)
    games = await house(request).store.history(session.player.id)
    was_read(request, sum(len(game.series) for game in games))
    return await answered(request, lambda: [tables.sitting(game, tongue) for game in games])


async def figures(request: Request) -> Response:
    """What one has won and lost; `since` is when one's day began, in minutes since 1970."""
    session, tongue = await known(request), language(request)
    since = 60 * number(request.query_params.get("since", "1"))
    found = await house(request).store.figures(session.player.id, since, tongue)
    was_read(request, found.deals)
    return told(found)


@asynccontextmanager
async def _attempt(request: Request, name: str, own: str | None = None) -> AsyncIterator[Lane]:
    """Try a password, and in which lane; who tries too many is turned away. `own` is who is logged in."""
    here, key = house(request), name_key(clean_name(name))
    device = own or await here.accounts.device(device_of(request), name)
    async with here.logins.attempt(key, address(request), device, time.monotonic()) as lane:
        if lane is None:
            raise Refusal(429, "tooMany")
        yield lane


async def _welcome(request: Request, session: Session, what: str) -> Response:
    logs.logger().info(what, player=session.player.id)
    device = await house(request).accounts.remember_device(session.player, device_of(request))
    return remember_device(request, remember(request, told(_me(session.player)), session), device)


def _me(player: Player) -> Me:
    return Me(player.id, player.name, player.guest, player.language)  # type: ignore[arg-type]
