"""The requests that are about score sheets: begun, looked at, written on, handed over, kept.

Whoever has the address of a sheet may look at it; whoever has its pen writes. Who writes, and when, is never
taken from a request.
"""

from __future__ import annotations

import re
import secrets
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from hashlib import sha256
from typing import Final, TypeAlias

import msgspec
from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import Response

from ultimo import rulebook
from ultimo.answers import books
from ultimo.answers.cleaning import NAME_LENGTH, clean, clean_name
from ultimo.answers.refusing import Refusal
from ultimo.answers.sheet_payloads import (
    AnySheetWish,
    AskPen,
    BookDeal,
    ChipPile,
    CloseSheet,
    CoinPayment,
    CorrectDeal,
    NoteDeal,
    OpenSheet,
    PenSecret,
    PreviewDeal,
    ReadSheet,
    ReopenSheet,
    SheetBehind,
    SheetLine,
    SheetMade,
    SheetMoney,
    SheetNews,
    SheetPreview,
    SheetWritten,
    UndoDeal,
    WriteSheet,
)
from ultimo.club import sheet as s
from ultimo.club.files import SheetError, dumps, loads, table, to_csv
from ultimo.club.money import Rate, chips, fewest_payments, in_coins
from ultimo.club.workbook import to_xlsx
from ultimo.events import IllegalAction
from ultimo.names import names
from ultimo.rulebook import RulebookError
from ultimo.server.house import (
    House,
    answered,
    house,
    known,
    session_key,
    session_of,
    spend,
    use,
    was_read,
    who_asks,
    worked_out,
)
from ultimo.server.http import asked, language, told
from ultimo.server.security import address
from ultimo.server.sheet_showing import kept, previewed, shown, trail_line, why_not, writers
from ultimo.server.sheet_store import Log, Spent
from ultimo.server.store import Conflict
from ultimo.server.tutoring import Lined, Lines
from ultimo.telling.teller import Teller

TRIES: Final = 20  # conflicts in a row before somebody is turned away
SCORERS: Final = frozenset({"secretary", "scorer"})  # of a club, who write on its sheets
HANDING: Final = 600.0  # seconds for which a secret takes the pen
MOST_FACTS: Final = 10_000  # on a sheet
LARGEST_NUMBER: Final = 9999  # in what is written
BEAT: Final = 20.0  # seconds between two signs of life to a follower
LOOK: Final = 2.0  # seconds after which a server that is not alone looks for news
Length: TypeAlias = Callable[[str], Awaitable[int]]  # how long a log is
ORDERED: Final = (BookDeal, CorrectDeal, UndoDeal)  # what hangs on all that was written before


# --- beginning and finding -------------------------------------------------------------------------------


async def open_sheet(request: Request) -> Response:
    """Begin a sheet."""
    session, wish, tongue = await known(request), await asked(request, OpenSheet), language(request)
    people = tuple(map(clean_name, wish.names))
    check_numbers(wish.dealer)
    try:
        rules = rulebook.load(wish.rules, wish.house)
    except RulebookError as error:
        raise Refusal(422, "settings", f"house.{error.key}" if error.key else "rules", reason=error) from None
    opened = s.Opened(
        by=session.player.id,
        at=house(request).clock(),
        rules=wish.rules,
        names=people,
        dealer=wish.dealer,
        overrides=wish.house,
        digest=rulebook.digest(rules),
    )
    try:
        made = s.evolve(None, opened)
    except IllegalAction as error:
        reason = Teller(names(tongue), rules, people).refusal(error)
        raise Refusal(422, "settings", "names", error.cite, reason=reason) from None
    return await _begun(request, (opened,), made)


async def read_sheet(request: Request) -> Response:
    """Make a sheet of a log that was kept: whoever brings it has the pen; who wrote it, the file says."""
    session, wish = await known(request), await asked(request, ReadSheet)
    own = session.player.id
    await use(request, "bytes", own, len(await request.body()))
    if len(wish.log.splitlines()) > MOST_FACTS:
        raise Refusal(422, "tooMany")

    def work() -> tuple[tuple[s.AnyFact, ...], s.Sheet]:
        facts = loads(wish.log)
        check_numbers(msgspec.to_builtins([fact for fact in facts if not isinstance(fact, s.PenHanded)]))
        read = tuple(_read(fact, own) for fact in facts if not isinstance(fact, s.PenHanded))
        return read, s.fold(read)

    try:
        facts, made = await worked_out(request, 1, work)
    except SheetError as error:
        raise Refusal(422, "told", "log", reason=error.told(language(request))) from None
    return await _begun(request, facts, made)


def _read(fact: s.AnyFact, own: str) -> s.AnyFact:
    """A fact of a file as one's own, with the name that the file has for whoever wrote it."""
    return replace(fact, by=own, told_by=clean(fact.told_by or fact.by)[:NAME_LENGTH])


async def _begun(request: Request, facts: Sequence[s.AnyFact], made: s.Sheet) -> Response:
    here = house(request)
    if await here.sheets.unclosed(made.host) >= here.config.own_sheets:
        raise Refusal(409, "ownSheets", most=here.config.own_sheets)
    await use(request, "sheets", made.host)
    key = secrets.token_urlsafe(16)
    await here.sheets.create(key, facts, made, here.clock())
    return told(SheetMade(key), 201)


async def listed(request: Request) -> Response:
    """The sheets that one has begun or writes on."""
    session, tongue = await known(request), language(request)
    return told(
        [
            SheetLine(
                one.id, books.title_of(one.rules, tongue), one.rules, one.names, one.deals, one.closed, one.at
            )
            for one in await house(request).sheets.of(session.player.id)
        ]
    )


# --- looking ---------------------------------------------------------------------------------------------


async def look(request: Request) -> Response:
    """A sheet as it stands."""
    key, tongue, log, ids = _key(request), language(request), await _log(request), await _ids(request)
    called = await house(request).sheets.called(writers(log.facts))
    club, roles = await house(request).clubs.at(key, ids) or ("", set())

    def work() -> Response:
        now = shown(key, log.facts, ids, called, tongue)
        return told(replace(now, club=club if roles else "", scores=not club or bool(roles & SCORERS)))

    return await answered(request, work)


async def preview(request: Request) -> Response:
    """What an entry would pay, or why it cannot have been."""
    wish, log, tongue = await asked(request, PreviewDeal), await _log(request), language(request)
    check_numbers(msgspec.to_builtins(wish))

    def work() -> SheetPreview:
        sheet = s.fold(log.facts)
        try:
            if wish.deal is not None and wish.deal not in range(1, len(sheet.entries) + 1):
                raise s.Refused("noSuchDeal", "deal", deal=wish.deal)
            return previewed(sheet, s.preview(sheet, wish.entry, wish.deal), tongue)
        except s.Refused as refused:
            return SheetPreview(sheet.seq, error=why_not(refused, sheet, tongue), field_=refused.field)

    return told(await worked_out(request, 1, work))


async def money(request: Request) -> Response:
    """The evening in money, at so many `coins` for so many `points`."""
    rate, log = _rate(request), await _log(request)

    def work() -> SheetMoney:
        totals = s.ledger(s.fold(log.facts)).totals
        if sum(totals):
            raise s.Refused("notClosed")
        coins = in_coins(totals, rate)
        return SheetMoney(
            coins,
            tuple(CoinPayment(one.payer, one.payee, one.coins) for one in fewest_payments(coins)),
            tuple(
                ChipPile({str(value): many for value, many in pile.items()}, rest)
                for pile, rest in map(chips, totals)
            ),
        )

    try:
        return told(await worked_out(request, 1, work))
    except s.Refused as refused:
        raise _refusal(refused, None, language(request)) from None


def _rate(request: Request) -> Rate:
    coins, points = (request.query_params.get(key, "1") for key in ("coins", "points"))
    if not re.fullmatch(r"[0-9]{1,6}", coins) or not re.fullmatch(r"[1-9][0-9]{0,5}", points):
        raise Refusal(404, "unknownPage", "coins")
    return Rate(int(coins), int(points))


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
    facts = (await _log(request)).facts
    called = await house(request).sheets.called(writers(facts))
    name = f"ultimo-{_key(request)}.jsonl"
    return await answered(
        request, lambda: file(dumps(kept(facts, called)), name, "application/jsonl; charset=utf-8")
    )


async def spreadsheet(request: Request) -> Response:
    """The table of all deals for a spreadsheet."""
    log, tongue = await _log(request), language(request)

    def work() -> Response:
        sheet = s.fold(log.facts)
        return csv_file(to_csv(table(sheet, s.ledger(sheet), tongue)), f"ultimo-{_key(request)}.csv")

    return await answered(request, work)


async def workbook(request: Request) -> Response:
    """The evening as a workbook; at a rate, with who pays whom in money."""
    log, tongue = await _log(request), language(request)
    rate = _rate(request) if "coins" in request.query_params else None

    media = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"

    def work() -> Response:
        sheet = s.fold(log.facts)
        return file(to_xlsx(sheet, s.ledger(sheet), tongue, rate), f"ultimo-{_key(request)}.xlsx", media)

    return await answered(request, work)


def file(text: str | bytes, name: str, media: str) -> Response:
    """A text or a workbook that is kept as a file."""
    headers = {"content-disposition": f'attachment; filename="{name}"', "cache-control": "no-store"}
    return Response(text, headers=headers, media_type=media)


def csv_file(text: str, name: str) -> Response:
    """A table for a spreadsheet, marked so that ø is read as ø."""
    return file("\N{ZERO WIDTH NO-BREAK SPACE}" + text, name, "text/csv; charset=utf-8")


# --- writing ---------------------------------------------------------------------------------------------


async def write(request: Request) -> Response:
    """Write something once; what hangs on what was written before, only if one has seen all of that."""
    here, session, tongue = house(request), await known(request), language(request)
    asked_for, key = await asked(request, WriteSheet), _key(request)
    check_numbers(msgspec.to_builtins(asked_for.wish))
    ids = await here.sheets.ids(session.player.id)
    await _in_club(here, key, ids)
    for _ in range(TRIES):
        log = await _log(request)
        if (obeyed := log.obeyed(ids, asked_for.cmd)) is not None:
            return told(SheetWritten(obeyed))
        if isinstance(asked_for.wish, ORDERED) and asked_for.base != log.seq:
            called = await here.sheets.called(writers(log.facts))
            behind = partial(_behind, log, called, asked_for.base, tongue)
            return told(await worked_out(request, 1, behind), 409)
        try:
            await _written(request, key, log, ids, asked_for.wish, asked_for.cmd)
        except Conflict:
            continue
        return told(SheetWritten(log.seq + 1))
    raise Refusal(503, "failed")


async def _written(
    request: Request, key: str, log: Log, ids: Sequence[str], wish: AnySheetWish, cmd: str
) -> None:
    """Write a wish behind the log, or raise `Conflict`."""
    here = house(request)

    def work() -> tuple[s.AnyFact, s.Sheet]:
        sheet = s.fold(log.facts)
        if log.seq >= MOST_FACTS:
            raise s.Refused("tooManyDeals")
        fact = _fact(wish, _acting(sheet, ids), here.clock())
        return fact, s.decide(sheet, fact)

    try:
        fact, after = await worked_out(request, 1, work)
    except s.Refused as refused:
        raise _refusal(refused, s.fold(log.facts[:1]), language(request)) from None
    await here.sheets.append(key, fact, after, cmd)
    here.followers.wake(key)


def _fact(wish: AnySheetWish, by: str, at: float) -> s.AnyFact:
    match wish:
        case BookDeal(entry=entry):
            return s.Booked(by=by, at=at, entry=entry)
        case CorrectDeal(deal=number, entry=entry):
            return s.Corrected(by=by, at=at, deal=number, entry=entry)
        case UndoDeal():
            return s.Undone(by=by, at=at)
        case NoteDeal(deal=number, text=text):
            return s.Noted(by=by, at=at, deal=number, text=clean(text))
        case CloseSheet(lot=lot):
            return s.Closed(by=by, at=at, lot=lot)
        case ReopenSheet():
            return s.Reopened(by=by, at=at)


def _behind(log: Log, called: Mapping[str, str], base: int, tongue: str) -> SheetBehind:
    """What somebody has not seen yet."""
    sheet: s.Sheet | None = None
    news = []
    for seq, fact in enumerate(log.facts, 1):
        if seq > base:
            news.append(trail_line(seq, fact, sheet, called))
        sheet = s.evolve(sheet, fact)
    return SheetBehind(why_not(s.Refused("behind"), None, tongue), log.seq, tuple(news))


# --- the pen ---------------------------------------------------------------------------------------------


async def pen(request: Request) -> Response:
    """Take the pen, take it back, or get a secret with which another takes it.

    On the sheet of a club every scorer can take it.
    """
    here, session, wish = house(request), await known(request), await asked(request, AskPen)
    key, ids, tongue = _key(request), await here.sheets.ids(session.player.id), language(request)
    scores = await _in_club(here, key, ids)
    for _ in range(TRIES):
        log = await _log(request)
        sheet = await worked_out(request, 1, partial(s.fold, log.facts))
        if not wish.secret and not wish.take_back:
            if sheet.pen not in ids:
                raise _refusal(s.Refused("notYourPen"), sheet, tongue)
            await use(request, "invitations", session.player.id)
            secret, until = secrets.token_urlsafe(16), here.clock() + HANDING
            await here.sheets.hand_over(key, hashed(secret), until)
            return told(PenSecret(secret, until))
        if sheet.pen in ids:
            return told(SheetWritten(sheet.seq))
        by = sheet.pen if wish.secret or scores else _acting(sheet, ids)
        fact = s.PenHanded(by=by, at=here.clock(), to=ids[0])
        try:
            after = s.decide(sheet, fact)
            secret_hash = hashed(wish.secret) if wish.secret else None
            await here.sheets.append(key, fact, after, secret=secret_hash)
        except s.Refused as refused:
            raise _refusal(refused, sheet, tongue) from None
        except Spent:
            raise Refusal(403, "penSpent") from None
        except Conflict:
            continue
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


async def _ids(request: Request) -> list[str]:
    session = await session_of(request)
    return [] if session is None else await house(request).sheets.ids(session.player.id)


async def _in_club(here: House, key: str, ids: Sequence[str]) -> bool:
    """Whether the sheet is a club's; then only its scorers and secretaries get through."""
    found = await here.clubs.at(key, ids)
    if found is not None and not found[1] & SCORERS:
        raise Refusal(403, "clubScorers")
    return found is not None


def _acting(sheet: s.Sheet, ids: Sequence[str]) -> str:
    """Which of a person's ids acts: the one with the pen, or the host's, or the present one."""
    return next((one for one in (sheet.pen, sheet.host) if one in ids), ids[0])


def _refusal(refused: s.Refused, sheet: s.Sheet | None, tongue: str) -> Refusal:
    status = {"notYourPen": 403, "impossible": 422}.get(refused.key, 409)
    return Refusal(status, "told", refused.field, reason=why_not(refused, sheet, tongue))


def check_numbers(written: object) -> None:
    """Refuse numbers that no table has: what is reckoned with them could take long, or overflow."""
    match written:
        case bool() | None:
            return
        case int() if abs(written) > LARGEST_NUMBER:
            raise Refusal(422, "invalid", part="JSON", reason=f"{LARGEST_NUMBER}")
        case dict():
            check_numbers([*written.keys(), *written.values()])
        case list() | tuple():
            for one in written:
                check_numbers(one)
