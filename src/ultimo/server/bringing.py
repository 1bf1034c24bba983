"""The requests by which people bring what they kept on a device to their account, and delete it there."""

from __future__ import annotations

import time
from functools import partial
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from ultimo.answers import bringing
from ultimo.answers.bringing import Differ, Session
from ultimo.answers.payloads import BringSession, SessionBrought
from ultimo.answers.refusing import Refusal
from ultimo.answers.sheet_payloads import BringSheet, SheetBrought
from ultimo.club.sheet import AnyFact, Sheet, fold
from ultimo.server.appending import Conflict
from ultimo.server.house import house, known, use, was_read, worked_out
from ultimo.server.http import asked, language, told
from ultimo.server.security import address
from ultimo.server.sheets import room_for_sheet
from ultimo.table.pages import summary

TRIES: Final = 20  # conflicts in a row before somebody is turned away


async def sheet(request: Request) -> Response:
    """Bring a score sheet: begun once, and from then on written behind."""
    here, session, wish = house(request), await known(request), await asked(request, BringSheet)
    own, tongue, log = session.player.id, language(request), request.path_params["log"]
    await use(request, "bytes", own, len(await request.body()))
    keys = [bringing.place(one, log) for one in await here.sheets.ids(own)]
    for _ in range(TRIES):
        key = await here.sheets.brought(keys)
        if key is None and wish.known:
            raise Refusal(410, "sheetGone")
        there = () if key is None else (await here.sheets.read(key)).facts
        was_read(request, len(there))
        by = there[0].by if there else own
        try:
            work = partial(_grown, wish, there, by, here.clock(), tongue)
            facts, made = await worked_out(request, work)
        except Differ as differ:
            return told(differ.told(key or "", tongue), 409)
        if facts:
            allow = room_for_sheet(request, own, made)
            try:
                await here.sheets.bring(
                    key or keys[0], log, len(there), facts, made, own, facts[-1].at, allow
                )
            except Conflict:
                continue
            here.followers.wake(key or keys[0])
        return told(SheetBrought(key or keys[0], made.seq), 200 if there else 201)
    raise Refusal(503, "failed")


def _grown(
    wish: BringSheet, there: tuple[AnyFact, ...], by: str, now: float, tongue: str
) -> tuple[tuple[AnyFact, ...], Sheet]:
    """What a sheet is to have written behind it, and the sheet then."""
    facts = bringing.grown(there, bringing.sheet(wish.log, by, wish.name, now, tongue))
    return facts, fold((*there, *facts))


async def forget_sheet(request: Request) -> Response:
    """Delete a sheet that one has brought."""
    session, key = await known(request), request.path_params["sheet"]
    if not await house(request).sheets.drop_brought(key, session.player.id):
        raise Refusal(404, "notBrought")
    house(request).followers.wake(key)
    return Response(status_code=204)


async def session(request: Request) -> Response:
    """Bring a session: its deals that are over; what comes of a longer log takes the place of the rest."""
    here, person, wish = house(request), await known(request), await asked(request, BringSession)
    own, tongue, log = person.player.id, language(request), request.path_params["log"]
    await use(request, "bytes", own, len(await request.body()))
    keys = [bringing.place(one, log) for one in await here.sheets.ids(own)]
    for _ in range(TRIES):
        key = await here.store.brought(keys)
        if key is None and wish.known:
            raise Refusal(410, "sessionGone")
        work = partial(bringing.session, wish.log, key or keys[0], own, here.clock(), tongue)
        made: Session = await worked_out(request, work)
        if key is None:
            if not here.openings.take(address(request), time.monotonic()):
                raise Refusal(429, "tooMany")
            await use(request, "tables", own)
        brief = summary(made.folded)
        try:
            await here.store.bring(log, made.rows, brief, made.length)
        except Conflict:
            continue
        return told(SessionBrought(key or keys[0], len(brief.series)), 200 if key else 201)
    raise Refusal(503, "failed")


async def forget_session(request: Request) -> Response:
    """Delete a session that one has brought."""
    person = await known(request)
    if not await house(request).store.drop_brought(request.path_params["table"], person.player.id):
        raise Refusal(404, "notBrought")
    return Response(status_code=204)
