"""Who asks something of a club, and what they may: the part that all requests about clubs share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, TypeVar

from sqlalchemy import Connection
from starlette.requests import Request
from starlette.responses import Response

from ultimo.answers.refusing import Refusal
from ultimo.answers.sheets import why_not
from ultimo.club import club as c
from ultimo.club import sheet as s
from ultimo.club.season import ALL
from ultimo.club.sheet import Refused
from ultimo.server.accounts import Session
from ultimo.server.clock import DAY as DAY
from ultimo.server.club_store import ClubLog, clubs_run_by
from ultimo.server.database import Check
from ultimo.server.house import answered, beginning, house, known, session_of, was_read, worked_out, wrote
from ultimo.server.http import language

TRIES: Final = 20  # conflicts in a row before somebody is turned away
MOST_FACTS: Final = 30_000  # in the log of a club
MOST_INVITATIONS: Final = 250  # of a club at a time
RANKS: Final = {"member": 0, "scorer": 1, "secretary": 2}

T = TypeVar("T")


class Seen(NamedTuple):
    """A club as it stands, and what whoever asks is in it."""

    key: str
    log: ClubLog
    member: c.Member | None
    player: str = ""  # "" for somebody without a session

    @property
    def club(self) -> c.Club:
        """The club."""
        return self.log.club


async def _seen(request: Request, session: Session | None) -> Seen:
    """The club in the address, for those who may know of it."""
    here, key = house(request), request.path_params["club"]
    log = await here.clubs.read(key)
    if log is None:
        raise Refusal(404, "unknownClub")
    was_read(request, log.seq)
    club = log.club
    member = None
    if session is not None:
        member = club.member_of(await here.clubs.ids(session.player.id))
    if member is None and not club.public:
        raise Refusal(404, "unknownClub")
    return Seen(key, log, member, "" if session is None else session.player.id)


async def looking(request: Request) -> Seen:
    """Somebody who looks, a stranger perhaps."""
    return await _seen(request, await session_of(request))


async def as_member(request: Request, role: c.Role = "member") -> Seen:
    """A member who is at least this."""
    seen = await _seen(request, await known(request))
    if seen.member is None:
        raise Refusal(404, "unknownClub")
    if RANKS[seen.member.role] < RANKS[role]:
        raise refusal(Refused("notAllowed"), language(request))
    return seen


def refusal(refused: Refused, tongue: str) -> Refusal:
    status = {"notAllowed": 403, "badRules": 422}.get(refused.key, 409)
    return Refusal(status, "told", refused.field, reason=why_not(refused, None, tongue))


async def worked(request: Request, work: Callable[[], T]) -> T:
    """The result of work off the event loop; what is refused is told."""
    try:
        return await worked_out(request, work)
    except Refused as refused:
        raise refusal(refused, language(request)) from None


async def shown_to(request: Request, work: Callable[[], object]) -> Response:
    """What work off the event loop comes to, as an answer."""
    try:
        return await answered(request, work)
    except Refused as refused:
        raise refusal(refused, language(request)) from None


def season_asked(request: Request, club: c.Club, season: str) -> str:
    if season != ALL and season not in club.seasons:
        raise gone(Refused("noSuchSeason", "season"), request)
    return season


def gone(refused: Refused, request: Request) -> Refusal:
    return Refusal(404, "told", refused.field, reason=why_not(refused, None, language(request)))


def evening_asked(request: Request, club: c.Club) -> c.Evening:
    evening = club.evenings.get(request.path_params["evening"])
    if evening is None:
        raise gone(Refused("noSuchEvening", "evening"), request)
    return evening


async def append(
    request: Request,
    seen: Seen,
    facts: Sequence[c.AnyFact],
    cmd: str | None = None,
    sheet: tuple[str, Sequence[s.AnyFact], s.Sheet] | None = None,
) -> c.Club:
    """Write facts that whoever asks may write, or raise `Conflict`; the club after them."""
    here = house(request)

    def work() -> c.Club:
        if not all(c.may(seen.member, fact) for fact in facts):
            raise Refused("notAllowed")
        if seen.log.seq + len(facts) > MOST_FACTS:
            raise Refused("clubFull")
        return decided(seen.club, facts)

    after = await worked(request, work)
    await here.clubs.append(seen.key, facts, after, cmd, sheet=sheet)
    wrote(request, seen.player, (*facts, *(sheet[1] if sheet is not None else ())))
    here.followers.wake(seen.key)
    return after


def room_for_a_club(request: Request, player: str) -> Check:
    """Refuse a club to whoever is the secretary of enough of them, or has founded enough today."""
    most = house(request).config.own_clubs

    def check(transaction: Connection) -> None:
        if clubs_run_by(transaction, player) >= most:
            raise Refusal(409, "manyClubs", most=most)

    return beginning(request, "clubs", player, check)


def decided(club: c.Club, facts: Sequence[c.AnyFact]) -> c.Club:
    for fact in facts:
        club = c.decide(club, fact)
    return club
