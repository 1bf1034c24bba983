"""The requests that are about score sheets: begun, looked at, written on, handed over, kept.

Whoever has the address of a sheet may look at it; whoever has its pen writes. Who writes, and when, is never
taken from a request.
"""

from __future__ import annotations

import re
import secrets
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import ExitStack
from functools import partial
from hashlib import sha256
from typing import Final, TypeAlias

from sqlalchemy import Connection
from starlette.requests import Request
from starlette.responses import Response

from ultimo.answers import sheets
from ultimo.answers.refusing import Refusal
from ultimo.answers.sheet_payloads import (
    AskPen,
    NoteDeal,
    OpenSheet,
    PenSecret,
    PreviewDeal,
    ReadSheet,
    SheetMade,
    SheetNews,
    SheetOrigin,
    SheetWritten,
    WriteSheet,
)
from ultimo.club.money import Rate
from ultimo.club.sheet import AnyFact, Sheet, fold
from ultimo.server.appending import Conflict
from ultimo.server.database import Check
from ultimo.server.house import (
    House,
    answered,
    beginning,
    check_written,
    house,
    known,
    session_key,
    session_of,
    spend,
    use,
    was_read,
    who_asks,
    worked_out,
    wrote,
)
from ultimo.server.http import asked, language, told
from ultimo.server.security import address
from ultimo.server.sheet_store import Log, Spent, unclosed
from ultimo.server.tutoring import Lined, Lines

TRIES: Final = 20  # conflicts in a row before somebody is turned away
SCORERS: Final = frozenset({"secretary", "scorer"})  # of a club, who write on its sheets
BEAT: Final = 20.0  # seconds between two signs of life to a follower
LOOK: Final = 2.0  # seconds after which a server that is not alone looks for news
Length: TypeAlias = Callable[[str], Awaitable[int]]  # how long a log is


# --- beginning and finding -------------------------------------------------------------------------------


async def open_sheet(request: Request) -> Response:
    """Begin a sheet."""
    session, wish = await known(request), await asked(request, OpenSheet)
    fact, made = sheets.opened(wish, session.player.id, house(request).clock(), language(request))
    return await _begun(request, (fact,), made)


async def read_sheet(request: Request) -> Response:
    """Make a sheet of a log that was kept: whoever brings it has the pen; who wrote it, the file says."""
    session, wish, tongue = await known(request), await asked(request, ReadSheet), language(request)
    own = session.player.id
    await use(request, "bytes", own, len(await request.body()))
    facts, made = await worked_out(request, lambda: sheets.read(wish.log, own, tongue))
    return await _begun(request, facts, made)


async def _begun(request: Request, facts: Sequence[AnyFact], made: Sheet) -> Response:
    here = house(request)
    key = secrets.token_urlsafe(16)
    await here.sheets.create(key, facts, made, here.clock(), room_for_sheet(request, made.host, made))
    return told(SheetMade(key), 201)


def room_for_sheet(request: Request, player: str, made: Sheet) -> Check:
    """Refuse another sheet to whoever has enough of them open, or has begun enough today."""
    most = house(request).config.own_sheets

    def check(transaction: Connection) -> None:
        if not made.closed and unclosed(transaction, player) >= most:
            raise Refusal(409, "ownSheets", most=most)

    return beginning(request, "sheets", player, check)


async def listed(request: Request) -> Response:
    """The sheets that one has begun or writes on."""
    session, tongue = await known(request), language(request)
    return told([sheets.line(one, tongue) for one in await house(request).sheets.of(session.player.id)])


# --- looking ---------------------------------------------------------------------------------------------


async def look(request: Request) -> Response:
    """A sheet as it stands."""
    key, tongue, facts, ids = _key(request), language(request), await _facts(request), await _ids(request)
    club, roles = await house(request).clubs.at(key, ids) or ("", set())
    called, origin = await _known_as(request, club, facts)
    scores, mine = not club or bool(roles & SCORERS), await house(request).sheets.may_delete(key, ids)
    own = club if roles else ""
    return await answered(
        request, lambda: sheets.shown(key, facts, ids, called, tongue, own, scores, mine, origin)
    )


async def _known_as(
    request: Request, club: str, facts: Sequence[AnyFact]
) -> tuple[dict[str, str], SheetOrigin | None]:
    """The names of who has written on a sheet, a club's members by those of its list; and its place there."""
    here, writers = house(request), sheets.writers(facts)
    called = await here.sheets.called(writers)
    if club:
        called |= await here.clubs.called(club, writers)
    log = await here.clubs.read(club) if club else None
    return called, sheets.origin_of(log.club, _key(request)) if log is not None else None


async def _sheet_for_file(request: Request) -> tuple[Sequence[AnyFact], dict[str, str], SheetOrigin | None]:
    """A sheet as a file says it: what was written, by whom, and where."""
    facts = await _facts(request)
    club, _ = await house(request).clubs.at(_key(request), ()) or ("", set())
    return facts, *await _known_as(request, club, facts)


async def preview(request: Request) -> Response:
    """What an entry would pay, or why it cannot have been."""
    wish, facts, tongue = await asked(request, PreviewDeal), await _facts(request), language(request)
    return await answered(request, lambda: sheets.previewed(facts, wish, tongue))


async def money(request: Request) -> Response:
    """The evening in money, at so many `coins` for so many `points`."""
    rate, facts, tongue = _rate(request), await _facts(request), language(request)
    return await answered(request, lambda: sheets.money(facts, rate, tongue))


def _rate(request: Request) -> Rate:
    wish = request.query_params
    return sheets.rate_asked(wish.get("coins", "1"), wish.get("points", "1"))


async def follow(request: Request) -> Response:
    """How much is written, again and again: at once, when there is more, and as a sign of life."""
    return await followed(request, _key(request), house(request).sheets.length, SheetNews, "unknownSheet")


async def followed(
    request: Request,
    key: str,
    length: Length,
    news: Callable[[int], object],
    unknown: str,
    private: bool = False,
) -> Response:
    """How long a log is, again and again, as long as somebody listens; if private, until they log out."""
    spend(request)
    here, person = house(request), await who_asks(request)
    since = request.query_params.get("since", "0")
    if not re.fullmatch(r"[0-9]{1,9}", since) or not await length(key):
        raise Refusal(404, unknown)
    places = ExitStack()
    for held, who in ((here.streams, address(request)), (here.own_streams, person)):
        if not places.enter_context(held.hold(who)):
            places.close()
            raise Refusal(429, "tooManyStreams")
    watched = request if private else None
    lines = _news(here, key, int(since), length, news, watched)
    return Lines(lines, language(request), places.close)


async def _news(
    here: House,
    key: str,
    told_of: int,
    length: Length,
    news: Callable[[int], object],
    watched: Request | None,
) -> Lined:
    seconds = BEAT if here.sheets.database.embedded else LOOK
    told_at = float("-inf")
    keys = (key,) if watched is None else (key, session_key(watched))
    with here.followers.listening(*keys) as woken:
        while not here.followers.closed:
            heard = woken.is_set() or time.monotonic() >= told_at + BEAT
            woken.clear()
            if watched is not None and heard and await session_of(watched) is None:
                return
            seq = await length(key)
            if seq != told_of or time.monotonic() >= told_at + BEAT:
                told_of, told_at = seq, time.monotonic()
                yield news(seq)
            await here.followers.wait(woken, seconds)


async def log(request: Request) -> Response:
    """All that was written, to keep."""
    (facts, called, origin), tongue = await _sheet_for_file(request), language(request)
    return await answered(request, lambda: sheets.log_file(facts, called, origin, tongue))


async def spreadsheet(request: Request) -> Response:
    """The table of all deals for a spreadsheet."""
    (facts, _, origin), tongue = await _sheet_for_file(request), language(request)
    return await answered(request, lambda: sheets.table_file(facts, origin, tongue))


async def workbook(request: Request) -> Response:
    """The evening as a workbook; at a rate, with who pays whom in money."""
    (facts, _, origin), tongue = await _sheet_for_file(request), language(request)
    rate = _rate(request) if "coins" in request.query_params else None
    return await answered(request, lambda: sheets.workbook(facts, rate, origin, tongue))


# --- writing ---------------------------------------------------------------------------------------------


async def write(request: Request) -> Response:
    """Write something once; what hangs on what was written before, only if one has seen all of that."""
    here, session, tongue = house(request), await known(request), language(request)
    wish, key = await asked(request, WriteSheet), _key(request)
    sheets.check_numbers(wish.wish)
    if isinstance(wish.wish, NoteDeal):
        check_written(request, session.player.id)
    ids = await here.sheets.ids(session.player.id)
    _, scores = await _in_club(here, key, ids)
    for _ in range(TRIES):
        log = await _log(request)
        if (obeyed := log.obeyed(ids, wish.cmd)) is not None:
            return told(SheetWritten(obeyed))
        if sheets.is_behind(wish, log.seq):
            club, _ = await here.clubs.at(key, ()) or ("", set())
            called, _ = await _known_as(request, club, log.facts)
            behind = partial(sheets.behind, log.facts, called, wish.base, tongue)
            return told(await worked_out(request, behind), 409)
        work = partial(sheets.written, log.facts, ids, wish.wish, here.clock(), tongue, scores)
        fact, after = await worked_out(request, work)
        try:
            await here.sheets.append(key, fact, after, wish.cmd)
        except Conflict:
            continue
        wrote(request, session.player.id, (fact,))
        here.followers.wake(key)
        return told(SheetWritten(after.seq))
    raise Refusal(503, "failed")


# --- the pen ---------------------------------------------------------------------------------------------


async def pen(request: Request) -> Response:
    """Take the pen, take it back, or get a secret with which another takes it.

    On the sheet of a club every scorer can take it, and nobody else can take it back.
    """
    here, session, wish = house(request), await known(request), await asked(request, AskPen)
    key, ids, tongue = _key(request), await here.sheets.ids(session.player.id), language(request)
    in_club, scores = await _in_club(here, key, ids)
    for _ in range(TRIES):
        log = await _log(request)
        sheet = await worked_out(request, partial(fold, log.facts))
        if not wish.secret and not wish.take_back:
            sheets.check_scores(sheet, ids, scores)
            sheets.check_pen(sheet, ids, tongue)
            await use(request, "invitations", session.player.id)
            secret, until = secrets.token_urlsafe(16), here.clock() + sheets.HANDING
            await here.sheets.hand_over(key, hashed(secret), until)
            return told(PenSecret(secret, until))
        if sheets.has_pen(sheet, ids, scores):
            return told(SheetWritten(sheet.seq))
        if not wish.secret:
            sheets.check_scores(sheet, ids, scores)
        fact, after = sheets.taken(sheet, ids, here.clock(), bool(wish.secret), in_club and scores, tongue)
        try:
            secret_hash = hashed(wish.secret) if wish.secret else None
            await here.sheets.append(key, fact, after, secret=secret_hash)
        except Spent:
            raise Refusal(403, "penSpent") from None
        except Conflict:
            continue
        wrote(request, session.player.id, (fact,))
        here.followers.wake(key)
        return told(SheetWritten(after.seq))
    raise Refusal(503, "failed")


def hashed(secret: str) -> str:
    """What the database knows of a secret."""
    return sha256(secret.encode(errors="replace")).hexdigest()


# --- who asks, and for what ------------------------------------------------------------------------------


def _key(request: Request) -> str:
    key: str = request.path_params["sheet"]
    return key


async def _log(request: Request) -> Log:
    log = await house(request).sheets.read(_key(request))
    was_read(request, log.seq)
    if not log.facts:
        raise Refusal(404, "unknownSheet")
    return log


async def _facts(request: Request) -> tuple[AnyFact, ...]:
    return (await _log(request)).facts


async def _ids(request: Request) -> list[str]:
    session = await session_of(request)
    return [] if session is None else await house(request).sheets.ids(session.player.id)


async def _in_club(here: House, key: str, ids: Sequence[str]) -> tuple[bool, bool]:
    """Whether the sheet is a club's, and whether somebody with these ids may take its pen as a scorer."""
    found = await here.clubs.at(key, ids)
    return found is not None, found is None or bool(found[1] & SCORERS)
