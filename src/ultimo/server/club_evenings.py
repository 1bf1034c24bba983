"""The requests about an evening of a club: tables drawn, sheets opened, counted and closed."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from functools import partial
from typing import Any

from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import Response

from ultimo import rulebook
from ultimo.answers import books
from ultimo.answers.cleaning import clean
from ultimo.answers.refusing import Refusal
from ultimo.answers.sheet_payloads import SheetMade
from ultimo.answers.sheets import begun, draws_lot, taken
from ultimo.club import club as c
from ultimo.club import sheet as s
from ultimo.club.season import longest_run, results
from ultimo.club.sheet import Refused
from ultimo.server.appending import Conflict
from ultimo.server.club_asking import (
    TRIES,
    Seen,
    append,
    as_member,
    evening_asked,
    refusal,
    shown_to,
    worked,
)
from ultimo.server.club_drawing import drawn
from ultimo.server.club_payloads import (
    CloseEvening,
    ClubWritten,
    CountOnline,
    DrawTables,
    OpenClubSheet,
)
from ultimo.server.house import house, use, was_read
from ultimo.server.http import asked, language, told
from ultimo.server.sheet_store import Log


async def draw(request: Request) -> Response:
    """Draw who sits where; nothing is written."""
    seen, wish = await as_member(request, "scorer"), await asked(request, DrawTables)
    one = evening_asked(request, seen.club)
    seed = clean(wish.seed) or secrets.token_hex(4)
    return await shown_to(request, lambda: drawn(seen.club, one, wish, seed))


async def open_sheet(request: Request) -> Response:
    """Begin the score sheet of a table, or tell which it has."""
    here, wish = house(request), await asked(request, OpenClubSheet)
    tongue = language(request)
    for _ in range(TRIES):
        seen = await as_member(request, "scorer")
        one = evening_asked(request, seen.club)
        there = [x.sheet for x in one.sheets if (x.round, x.table) == (wish.round, wish.table)]
        if there:
            return told(SheetMade(there[0]))
        key, at = secrets.token_urlsafe(16), here.clock()
        try:
            seats = wish.seats or _drawn_there(one, wish)
            opened = _opened(seen, one, wish, seats, at)
        except Refused as refused:
            raise refusal(refused, tongue) from None
        made = begun(opened, "seats", tongue)
        await use(request, "sheets", seen.player)
        linked = c.SheetLinked(
            by=seen.player,
            at=at,
            evening=one.id,
            round=wish.round,
            table=wish.table,
            sheet=key,
            seats=seats,
        )
        try:
            await append(request, seen, [linked], sheet=(key, [opened], made))
        except Conflict:
            continue
        return told(SheetMade(key), 201)
    raise Refusal(503, "failed")


def _drawn_there(evening: c.Evening, wish: OpenClubSheet) -> tuple[str, ...]:
    if wish.round > len(evening.rounds) or wish.table > len(evening.rounds[wish.round - 1]):
        raise Refused("noSuchTable", "table")
    return evening.rounds[wish.round - 1][wish.table - 1]


def _opened(seen: Seen, evening: c.Evening, wish: OpenClubSheet, seats: Sequence[str], at: float) -> s.Opened:
    if not set(seats) <= {*seen.club.members, *evening.guests}:
        raise Refused("badTables", "seats")
    plain: dict[str, Any] = {}
    club = seen.club
    if wish.rules:
        club = replace(club, book=c.check_rules(wish.rules, plain).id, overrides=plain)
    book, overrides = c.rules_for(club, len(seats))
    return s.Opened(
        by=seen.player,
        at=at,
        rules=book,
        names=tuple(seen.club.called(seat, evening) for seat in seats),
        dealer=wish.dealer,
        overrides=overrides,
        digest=rulebook.digest(rulebook.load(book, overrides)),
    )


async def close(request: Request) -> Response:
    """Count the sheets of an evening, and close it."""
    here, wish = house(request), await asked(request, CloseEvening)
    for _ in range(TRIES):
        seen = await as_member(request, "scorer")
        one = evening_asked(request, seen.club)
        stamp = {"by": seen.player, "at": here.clock()}
        try:
            logs = await _logs(request, seen, one, wish.divide)
        except Conflict:
            continue

        def work(one: c.Evening = one, logs: Any = logs, stamp: Any = stamp) -> list[c.AnyFact]:
            facts: list[c.AnyFact] = []
            for table in one.sheets:
                log = logs[table.sheet]
                before = one.counts.get(table.sheet)
                if not log.facts or (before is not None and before.seq == log.seq):
                    continue
                sheet = s.fold(log.facts)
                if sheet.entries:
                    counted = _counted(table, sheet, wish.anyway)
                    facts.append(replace(counted, evening=one.id, **stamp))
                elif before is not None:
                    facts.append(c.Uncounted(evening=one.id, source=table.sheet, **stamp))
            return [*facts, c.EveningClosed(evening=one.id, **stamp)]

        try:
            facts = await worked(request, work)
            await append(request, seen, facts)
        except Conflict:
            continue
        return told(ClubWritten(seen.log.seq + len(facts)))
    raise Refusal(503, "failed")


async def _logs(request: Request, seen: Seen, evening: c.Evening, divide: bool) -> dict[str, Log]:
    """The logs of the sheets of an evening; with `divide` those that are open are closed by their book."""
    here = house(request)
    logs = {one.sheet: await here.sheets.read(one.sheet) for one in evening.sheets}
    was_read(request, sum(log.seq for log in logs.values()))
    if not divide or evening.closed:
        return logs
    ids, at, tongue = await here.sheets.ids(seen.player), here.clock(), language(request)
    for key, log in logs.items():
        for fact, after in await worked(request, partial(_closing, log.facts, ids, at, tongue)):
            await here.sheets.append(key, fact, after)
            here.followers.wake(key)
            logs[key] = Log((*logs[key].facts, fact), log.commands)
    return logs


def _closing(
    facts: Sequence[s.AnyFact], ids: Sequence[str], at: float, tongue: str
) -> list[tuple[s.AnyFact, s.Sheet]]:
    """What closes an open sheet, by the hand of a scorer, who takes its pen first.

    Where the book draws a lot for the rest of the cups somebody has to draw it: such a sheet stays open.
    """
    sheet = s.fold(facts) if facts else None
    if sheet is None or sheet.closed or not sheet.entries or draws_lot(sheet.rules):
        return []
    written: list[tuple[s.AnyFact, s.Sheet]] = []
    if sheet.pen not in ids:
        handed, sheet = taken(sheet, ids, at, code=False, free=True, language=tongue)
        written.append((handed, sheet))
    closed = s.Closed(by=sheet.pen, at=at)
    return [*written, (closed, s.decide(sheet, closed))]


def _counted(table: c.TableSheet, sheet: s.Sheet, anyway: bool) -> c.Counted:
    """What a sheet brought everybody; a sheet that is not closed is refused unless it is to be counted so."""
    if not sheet.closed and not anyway:
        raise Refused("sheetsOpen", "sheet", table=table.table, round=table.round)
    found = results(sheet, s.ledger(sheet), table.seats)
    return c.Counted(evening="", source=table.sheet, seq=sheet.seq, results=found, deals=len(sheet.entries))


async def online(request: Request) -> Response:
    """Count a session that members have played at a table of this server."""
    here, wish = house(request), await asked(request, CountOnline)
    for _ in range(TRIES):
        seen = await as_member(request, "scorer")
        one = evening_asked(request, seen.club)
        members = {x.player: x.id for x in seen.club.members.values() if x.player and not x.left}
        moment, figures = await here.clubs.sessions(wish.table, list(members))
        found = tuple(_online(members[player], deals) for player, deals in figures.items())

        def work(seen: Seen = seen, moment: str = moment, found: Any = found) -> None:
            if not seen.club.online:
                raise Refused("noOnline")
            if not found:
                raise Refused("nobodyPlayed", "table")
            if moment != "over":
                raise Refused("notOver", "table")

        await worked(request, work)
        fact = c.Counted(by=seen.player, at=here.clock(), evening=one.id, source=wish.table, results=found)
        try:
            await append(request, seen, [fact])
        except Conflict:
            continue
        return told(ClubWritten(seen.log.seq + 1))
    raise Refusal(503, "failed")


def _online(member: str, deals: Sequence[dict[str, Any]]) -> c.Result:
    """What a session online brought a member; its figures do not tell kings from pagats, nor who dealt."""
    gains = [one["points"] for one in deals]
    played = [one["points"] for one in deals if one["played"]]
    danish = bool(deals) and books.family_of(deals[0]["rules"]) == "danish"
    slams = sum(one["slams"] for one in deals)
    bids = {one["bid"] for one in deals if one["bid"]}
    tally = c.Tally(
        won=sum(one > 0 for one in played),
        points_won=sum(one for one in gains if one > 0),
        points_lost=-sum(one for one in gains if one < 0),
        best=max([0, *gains]),
        worst=min([0, *gains]),
        run=longest_run(played),
        nolos=sum(one["nolos"] for one in deals),
        touts=slams if danish else 0,
        slams=0 if danish else slams,
        contracts={
            bid: c.Contract(
                sum(one["bid"] == bid for one in deals),
                sum(one["made"] for one in deals if one["bid"] == bid),
            )
            for bid in sorted(bids)
        },
    )
    points = sum(one["points"] + one["share"] for one in deals)
    return c.Result(member, points, len(played), tally)
