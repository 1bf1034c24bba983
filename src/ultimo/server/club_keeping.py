"""The requests about files of a club: results of the past, spreadsheets, and the whole club out and in."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

import msgspec
from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import Response

from ultimo.answers.cleaning import clean
from ultimo.answers.files import LINES, File, spreadsheet
from ultimo.answers.refusing import Refusal
from ultimo.answers.sheets import check_numbers
from ultimo.club import club as c
from ultimo.club import sheet as s
from ultimo.club.archive import (
    Imported,
    Whole,
    export,
    facts_of,
    parse,
    portable,
    read,
    result_rows,
    standing_rows,
    with_sheets,
)
from ultimo.club.files import SheetError, to_csv
from ultimo.club.season import ALL
from ultimo.club.sheet import Refused
from ultimo.names import club_words
from ultimo.server.appending import Conflict
from ultimo.server.club_asking import (
    MOST_FACTS,
    TRIES,
    Seen,
    append,
    as_member,
    room_for_a_club,
    season_asked,
    worked,
)
from ultimo.server.club_payloads import (
    ClubMade,
    ImportFault,
    ImportResults,
    ImportShown,
    ReadClub,
)
from ultimo.server.house import answered, house, known, use, was_read
from ultimo.server.http import asked, language, told

T = TypeVar("T")


class Brought(NamedTuple):
    """A club that was read from a file, as it is written: its log, what that comes to, and its sheets."""

    facts: list[c.AnyFact]
    made: c.Club
    sheets: dict[str, tuple[tuple[s.AnyFact, ...], s.Sheet]]


async def read_club(request: Request) -> Response:
    """Make a club of a file that was exported; only whoever brings it belongs to it by an account."""
    here, session, wish = house(request), await known(request), await asked(request, ReadClub)
    by, at = session.player.id, here.clock()
    await use(request, "bytes", by, len(await request.body()))

    def work() -> Brought:
        whole = read(wish.file)
        if len(whole.facts) > MOST_FACTS:
            raise Refused("clubFull")
        check_numbers(list(whole.sheets.values()))
        return _brought(whole, wish.member, by, at)

    try:
        facts, made, sheets = await worked(request, work)
    except SheetError as error:
        raise Refusal(422, "told", "file", reason=error.told(language(request))) from None
    key = secrets.token_urlsafe(16)
    await here.clubs.create(key, facts, made, at, sheets, room_for_a_club(request, by))
    return told(ClubMade(key), 201)


def _brought(whole: Whole, member: str, by: str, at: float) -> Brought:
    """The log of a club that was read: without accounts, but for whoever brings it, and with sheets anew."""
    kept = [one for one in whole.facts if not isinstance(one, c.AccountLinked | c.AccountUnlinked)]
    linked = [one.sheet for one in kept if isinstance(one, c.SheetLinked) and one.sheet in whole.sheets]
    ids = {sheet: secrets.token_urlsafe(16) for sheet in linked}
    facts = _cleaned(with_sheets(kept, ids), list[c.AnyFact])
    club = c.fold(facts)
    if member not in club.members or club.members[member].nameless:
        raise Refused("noSuchMember", "member")
    if club.members[member].left:
        facts.append(c.MemberReturned(by=by, at=at, member=member))
    facts.append(c.AccountLinked(by=by, at=at, member=member, player=by))
    facts.append(c.RoleGiven(by=by, at=at, member=member, role="secretary"))
    logs = {ids[sheet]: _cleaned(whole.sheets[sheet], tuple[s.AnyFact, ...]) for sheet in ids}
    return Brought(facts, c.fold(facts), {sheet: (log, s.fold(log)) for sheet, log in logs.items()})


def _cleaned(facts: T, kind: type[T]) -> T:
    """What a file says, without control characters."""
    return msgspec.convert(_clean(msgspec.to_builtins(facts)), kind)


def _clean(value: Any) -> Any:
    match value:
        case str():
            return clean(value)
        case dict():
            return {key: _clean(one) for key, one in value.items()}
        case list() | tuple():
            return [_clean(one) for one in value]
    return value


async def import_results(request: Request) -> Response:
    """Read results of the past; without `check` they are written, if nothing is wrong with them."""
    here, tongue, wish = house(request), language(request), await asked(request, ImportResults)
    await use(request, "bytes", (await known(request)).player.id, len(await request.body()))
    for _ in range(TRIES):
        seen = await as_member(request, "secretary")
        stamp = {"by": seen.player, "at": here.clock()}

        def work(seen: Seen = seen, stamp: Any = stamp) -> tuple[ImportShown, list[c.AnyFact]]:
            club, found = seen.club, parse(seen.club, wish.text, clean)
            told = _imported(found, wish.add or wish.check, tongue)
            if wish.check or told.errors or not found.days:
                return told, []
            facts: list[c.AnyFact] = []
            season = wish.season
            if not season and wish.name:
                season = c.next_id("s", club.seasons)
                name = clean(wish.name)
                facts.append(c.SeasonOpened(season=season, name=name, scoring=club.scoring, **stamp))
                club = c.decide(club, facts[0])
            facts += facts_of(club, found, season, seen.player, stamp["at"])
            if not wish.season and season:
                facts.append(c.SeasonClosed(season=season, **stamp))
            return replace(told, season=season, seq=seen.log.seq + len(facts)), facts

        answer, facts = await worked(request, work)
        if not facts:
            return told(answer)
        try:
            await append(request, seen, facts)
        except Conflict:
            continue
        return told(answer, 201)
    raise Refusal(503, "failed")


def _imported(found: Imported, unknown_may: bool, tongue: str) -> ImportShown:
    faults = [ImportFault(one.line, one.told(tongue), one.text) for one in found.faults]
    if not unknown_may:
        faults += [
            ImportFault(line, club_words(tongue)["import.unknown"].format(value=name), name)
            for name, line in found.unknown.items()
        ]
    return ImportShown(
        errors=tuple(sorted(faults, key=lambda one: one.line)),
        unknown=tuple(found.unknown),
        evenings=len(found.days),
        lines=found.lines,
        points=found.points,
    )


async def export_club(request: Request) -> Response:
    """The whole club with all its sheets, to keep or to take elsewhere."""
    seen = await as_member(request, "secretary")
    sheets = await house(request).clubs.sheets(seen.key)
    was_read(request, sum(map(len, sheets.values())))
    name = f"ultimo-{seen.key}.jsonl"
    return await answered(request, lambda: File(name, LINES, export(portable(Whole(seen.log.facts, sheets)))))


async def results_csv(request: Request) -> Response:
    """What every evening brought everybody, for a spreadsheet."""
    return await _spreadsheet(request, "results", result_rows)


async def standings_csv(request: Request) -> Response:
    """The standings, for a spreadsheet."""
    return await _spreadsheet(request, "standings", standing_rows)


async def _spreadsheet(request: Request, name: str, rows: Callable[..., Any]) -> Response:
    seen, tongue = await as_member(request), language(request)
    which = season_asked(request, seen.club, request.query_params.get("season", ALL))
    name = f"ultimo-{name}-{seen.key}.csv"
    return await answered(request, lambda: spreadsheet(name, to_csv(rows(seen.club, which, tongue), tongue)))
