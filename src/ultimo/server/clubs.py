"""The requests that are about clubs: founded, looked at, written in, joined, drawn, counted, kept, deleted.

A secretary does everything, a scorer keeps evenings and sheets, a member reads and leaves. A stranger sees
the name and the standings of a public club; of any other it cannot even be known whether it exists. Who
writes, and when, is never taken from a request.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ultimo.answers.cleaning import clean, clean_name
from ultimo.answers.refusing import Refusal
from ultimo.answers.sheets import why_not
from ultimo.club import club as c
from ultimo.club.sheet import Refused
from ultimo.server import club_evenings, club_joining, club_keeping
from ultimo.server.appending import Conflict
from ultimo.server.club_asking import (
    TRIES,
    Seen,
    append,
    as_member,
    decided,
    evening_asked,
    gone,
    looking,
    room_for_a_club,
    season_asked,
    shown_to,
    worked,
)
from ultimo.server.club_payloads import (
    AddMembers,
    AnyClubWish,
    AskForRole,
    ChangeClub,
    ChangeSeason,
    Chronicle,
    CloseSeason,
    ClubBehind,
    ClubLine,
    ClubMade,
    ClubNews,
    ClubWritten,
    ForgetMember,
    FoundClub,
    GiveRole,
    KeepTables,
    LetGo,
    OpenEvening,
    OpenSeason,
    RenameClub,
    RenameMember,
    ReopenEvening,
    ReopenSeason,
    ScoringWish,
    SetAttendance,
    SetHouseRules,
    Uncount,
    UnlinkMember,
    UnlinkSheet,
    WelcomeBack,
    WriteClub,
)
from ultimo.server.club_showing import (
    chronicle_lines,
    evening_shown,
    member_shown,
    rules_shown,
    season_shown,
    shown,
)
from ultimo.server.club_store import ClubLog
from ultimo.server.house import check_written, costly, house, known, quick
from ultimo.server.http import asked, language, told
from ultimo.server.sheets import followed
from ultimo.server.store import bound

# What is written of an evening under way, or ends something: no limit of writing refuses it.
UNDER_WAY: Final = (
    *(SetAttendance, KeepTables, UnlinkSheet, Uncount, ReopenEvening),
    *(LetGo, UnlinkMember, ForgetMember, CloseSeason),
)

# --- founding and finding --------------------------------------------------------------------------------


async def found(request: Request) -> Response:
    """Found a club."""
    here, session, wish = house(request), await known(request), await asked(request, FoundClub)
    by, at = session.player.id, here.clock()
    first = c.Founded(
        by=by,
        at=at,
        name=clean(wish.name),
        book=wish.rules,
        overrides=wish.house,
        language=wish.language or language(request),
    )
    rest: list[c.AnyFact] = [
        c.MemberAdded(by=by, at=at, member="m1", name=clean_name(wish.me or session.player.name)),
        c.AccountLinked(by=by, at=at, member="m1", player=by),
        c.RoleGiven(by=by, at=at, member="m1", role="secretary"),
    ]

    made = await worked(request, lambda: decided(c.founded(first), rest))
    key = secrets.token_urlsafe(16)
    await here.clubs.create(key, [first, *rest], made, at, allow=room_for_a_club(request, by))
    return told(ClubMade(key), 201)


async def listed(request: Request) -> Response:
    """The clubs that one belongs to."""
    session = await known(request)
    clubs = await house(request).clubs.of(session.player.id)
    return told([ClubLine(one.id, one.name, one.role, one.members, one.at) for one in clubs])


# --- looking ---------------------------------------------------------------------------------------------


async def look(request: Request) -> Response:
    """A club as one may see it."""
    seen, tongue, at = await looking(request), language(request), house(request).clock()
    called = await _writers(request, seen)
    return await shown_to(
        request, lambda: shown(seen.key, seen.log.facts, seen.club, seen.member, called, tongue, at)
    )


async def _writers(request: Request, seen: Seen) -> dict[str, str]:
    """What those are called who have written in the chronicle."""
    writers = {fact.by for fact in seen.log.facts if isinstance(fact, c.Chronicled)}
    return await house(request).clubs.called(seen.key, writers) if writers else {}


async def follow(request: Request) -> Response:
    """How much is written, again and again."""
    seen = await as_member(request)
    return await followed(
        request, seen.key, house(request).clubs.length, ClubNews, "unknownClub", private=True
    )


async def season(request: Request) -> Response:
    """A season, or all evenings."""
    seen, tongue = await looking(request), language(request)
    which = season_asked(request, seen.club, request.path_params["season"])
    member = seen.member is not None
    return await shown_to(request, lambda: season_shown(seen.club, which, member, tongue))


async def evening(request: Request) -> Response:
    """An evening."""
    seen, tongue = await as_member(request), language(request)
    one = evening_asked(request, seen.club)
    heads = await house(request).clubs.heads([sheet.sheet for sheet in one.sheets])
    called = await _writers(request, seen)
    return await shown_to(
        request, lambda: evening_shown(seen.club, seen.log.facts, one, heads, called, tongue)
    )


async def member(request: Request) -> Response:
    """A member."""
    seen, tongue = await as_member(request), language(request)
    one = seen.club.members.get(request.path_params["member"])
    if one is None:
        raise gone(Refused("noSuchMember", "member"), request)
    return await shown_to(request, lambda: member_shown(seen.club, one, tongue))


async def rules(request: Request) -> Response:
    """The club's rules beside its book."""
    seen, tongue = await as_member(request), language(request)
    return await shown_to(request, lambda: rules_shown(seen.club, tongue))


async def chronicle(request: Request) -> Response:
    """Everything worth remembering."""
    seen, tongue = await as_member(request), language(request)
    called = await _writers(request, seen)
    return await shown_to(request, lambda: list(chronicle_lines(seen.log.facts, seen.club, called, tongue)))


# --- writing ---------------------------------------------------------------------------------------------


async def write(request: Request) -> Response:
    """Write something once; what takes the place of something, only if one has seen that."""
    here, wish = house(request), await asked(request, WriteClub)
    for _ in range(TRIES):
        seen = await as_member(request)
        log = seen.log
        if (obeyed := log.commands.get(bound(seen.player, wish.cmd))) is not None:
            await _unnamed(request, seen, wish.wish)
            return told(_written(log, obeyed))
        if not isinstance(wish.wish, UNDER_WAY):
            check_written(request, seen.player)
        facts = _facts(seen.club, wish.wish, seen.player, here.clock())
        subjects = {c.subject(fact) for fact in facts} - {""}
        if any(c.subject(fact) in subjects for fact in log.facts[max(wish.base, 0) :]):
            error = why_not(Refused("clubBehind"), None, language(request))
            return told(ClubBehind(error, log.seq), 409)
        try:
            await append(request, seen, facts, wish.cmd)
        except Conflict:
            continue
        await _unnamed(request, seen, wish.wish)
        return told(ClubWritten(log.seq + len(facts), _made(facts)))
    raise Refusal(503, "failed")


async def _unnamed(request: Request, seen: Seen, wish: AnyClubWish) -> None:
    """Take a name out of what is written, once it is noted that it is gone; it can be done twice."""
    secretary = seen.member is not None and seen.member.role == "secretary"
    if isinstance(wish, ForgetMember) and secretary:
        await house(request).clubs.forget_member(seen.key, wish.member)


def _written(log: ClubLog, first: int) -> ClubWritten:
    """The answer to a command that has been obeyed: what one command writes has one writer and one time."""
    begun = log.facts[first - 1]
    facts = [begun]
    for fact in log.facts[first:]:
        if (fact.by, fact.at) != (begun.by, begun.at):
            break
        facts.append(fact)
    return ClubWritten(first + len(facts) - 1, _made(facts))


def _made(facts: Sequence[c.AnyFact]) -> tuple[str, ...]:
    ids = []
    for fact in facts:
        match fact:
            case c.MemberAdded(member=one) | c.SeasonOpened(season=one) | c.EveningOpened(evening=one):
                ids.append(one)
    return tuple(ids)


def _facts(club: c.Club, wish: AnyClubWish, by: str, at: float) -> list[c.AnyFact]:
    """The facts that a wish comes to."""

    def fact(kind: Callable[..., c.AnyFact], **values: Any) -> list[c.AnyFact]:
        return [kind(by=by, at=at, **values)]

    match wish:
        case RenameClub(name=name):
            return fact(c.Renamed, name=clean(name))
        case SetHouseRules(name=name):
            return fact(c.HouseRules, name=clean(name), book=wish.rules, overrides=wish.house)
        case ChangeClub(public=public, online=online):
            return fact(c.SettingsChanged, public=public, online=online, scoring=_scoring(wish.scoring))
        case AddMembers(names=some):
            new = range(len(club.members) + 1, len(club.members) + len(some) + 1)
            pairs = zip(new, map(clean_name, some), strict=True)
            return [c.MemberAdded(by=by, at=at, member=f"m{number}", name=name) for number, name in pairs]
        case RenameMember(member=member, name=name):
            return fact(c.MemberRenamed, member=member, name=clean_name(name))
        case GiveRole(member=member, role=role):
            return fact(c.RoleGiven, member=member, role=role)
        case AskForRole(member=member):
            return fact(c.RoleAsked, member=member)
        case LetGo(member=member):
            linked = member in club.members and club.members[member].player
            left = fact(c.MemberLeft, member=member)
            return [*left, *(fact(c.AccountUnlinked, member=member) if linked else ())]
        case WelcomeBack(member=member):
            return fact(c.MemberReturned, member=member)
        case UnlinkMember(member=member):
            return fact(c.AccountUnlinked, member=member)
        case ForgetMember(member=member):
            return [*c.forgetting(club, member, by, at)]
        case OpenSeason(name=name, scoring=scoring):
            season = c.next_id("s", club.seasons)
            won = club.scoring if scoring is None else _scoring(scoring)
            return fact(c.SeasonOpened, season=season, name=clean(name), scoring=won)
        case ChangeSeason(season=season, name=name):
            return fact(c.SeasonChanged, season=season, name=clean(name), scoring=_scoring(wish.scoring))
        case CloseSeason(season=season):
            return fact(c.SeasonClosed, season=season)
        case ReopenSeason(season=season):
            return fact(c.SeasonReopened, season=season)
        case OpenEvening(day=day, season=which):
            running = club.season.id if club.season is not None else ""
            evening = c.next_id("e", club.evenings)
            season = running if which is None else which
            return fact(c.EveningOpened, evening=evening, day=day, season=season)
        case SetAttendance(evening=evening, members=members, late=late, leaving=leaving):
            guests = {key: clean_name(name) for key, name in wish.guests.items()}
            values = {"members": members, "guests": guests, "late": late, "leaving": leaving}
            return fact(c.AttendanceSet, evening=evening, **values)
        case KeepTables(evening=evening, rounds=rounds, seed=seed):
            return fact(c.Drawn, evening=evening, rounds=rounds, seed=clean(seed))
        case UnlinkSheet(evening=evening, sheet=sheet):
            return fact(c.SheetUnlinked, evening=evening, sheet=sheet)
        case Uncount(evening=evening, source=source):
            return fact(c.Uncounted, evening=evening, source=source)
        case ReopenEvening(evening=evening):
            return fact(c.EveningReopened, evening=evening)
        case Chronicle(text=text, evening=evening):
            return fact(c.Chronicled, text=clean(text), evening=evening)


def _scoring(wish: ScoringWish) -> c.Scoring:
    return c.Scoring(wish.by, wish.best, wish.least)


async def remove(request: Request) -> Response:
    """Delete a club and all its sheets."""
    here, seen = house(request), await as_member(request, "secretary")
    await here.clubs.delete(seen.key)
    here.followers.wake(seen.key)
    return Response(status_code=204)


POST: Final = ["POST"]
ROUTES: Final = [
    Route("/api/clubs", quick(listed)),
    Route("/api/clubs", costly(found), methods=POST),
    Route("/api/clubs/read", costly(club_keeping.read_club), methods=POST),
    Route("/api/clubs/invitation", costly(club_joining.invitation), methods=POST),
    Route("/api/clubs/join", costly(club_joining.join), methods=POST),
    Route("/api/clubs/{club}", costly(look)),
    Route("/api/clubs/{club}", costly(write), methods=POST),
    Route("/api/clubs/{club}", costly(remove), methods=["DELETE"]),
    Route("/api/clubs/{club}/follow", costly(follow)),
    Route("/api/clubs/{club}/seasons/{season}", costly(season)),
    Route("/api/clubs/{club}/evenings/{evening}", costly(evening)),
    Route("/api/clubs/{club}/evenings/{evening}/draw", costly(club_evenings.draw), methods=POST),
    Route("/api/clubs/{club}/evenings/{evening}/sheets", costly(club_evenings.open_sheet), methods=POST),
    Route("/api/clubs/{club}/evenings/{evening}/close", costly(club_evenings.close), methods=POST),
    Route("/api/clubs/{club}/evenings/{evening}/online", costly(club_evenings.online), methods=POST),
    Route("/api/clubs/{club}/members/{member}", costly(member)),
    Route("/api/clubs/{club}/rules", costly(rules)),
    Route("/api/clubs/{club}/chronicle", costly(chronicle)),
    Route("/api/clubs/{club}/invitations", costly(club_joining.invitations)),
    Route("/api/clubs/{club}/invitations", costly(club_joining.invite), methods=POST),
    Route("/api/clubs/{club}/invitations/{invitation}", costly(club_joining.withdraw), methods=["DELETE"]),
    Route("/api/clubs/{club}/recovery", costly(club_joining.recover), methods=POST),
    Route("/api/clubs/{club}/import", costly(club_keeping.import_results), methods=POST),
    Route("/api/clubs/{club}/export", costly(club_keeping.export_club)),
    Route("/api/clubs/{club}/results.csv", costly(club_keeping.results_csv)),
    Route("/api/clubs/{club}/standings.csv", costly(club_keeping.standings_csv)),
]
