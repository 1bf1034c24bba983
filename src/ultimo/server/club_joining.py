"""The requests about invitations to a club: made, withdrawn, looked at, accepted.

Their secret stands behind the # of a link and in the body of a request: proxies log paths.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection, Sequence
from urllib.parse import quote

from sqlalchemy import Connection
from starlette.requests import Request
from starlette.responses import Response

from ultimo.answers.cleaning import clean_name
from ultimo.answers.refusing import Refusal
from ultimo.club import club as c
from ultimo.club.sheet import Refused
from ultimo.server.accounts import Session
from ultimo.server.appending import Conflict
from ultimo.server.club_asking import (
    DAY,
    MOST_FACTS,
    MOST_INVITATIONS,
    RANKS,
    TRIES,
    as_member,
    decided,
    refusal,
    worked,
)
from ultimo.server.club_payloads import (
    ClubMade,
    InvitationLine,
    InvitationMade,
    InvitationShown,
    InviteMember,
    Joinable,
    JoinClub,
    ReadInvitation,
)
from ultimo.server.club_store import FOREVER, ClubLog, Invitation
from ultimo.server.club_store import invitations as working
from ultimo.server.database import no_limit
from ultimo.server.house import beginning, house, known, session_of, was_read
from ultimo.server.http import asked, language, told
from ultimo.server.sheet_store import Spent
from ultimo.server.sheets import hashed


async def invitations(request: Request) -> Response:
    """The invitations that still work."""
    here, seen = house(request), await as_member(request, "secretary")
    return told(
        [
            InvitationLine(
                one.hash,
                one.member,
                seen.club.called(one.member) if one.member else "",
                one.role,
                one.until,
                one.uses,
            )
            for one in await here.clubs.invitations(here.clock(), club=seen.key)
        ]
    )


async def invite(request: Request) -> Response:
    """Make an invitation."""
    here, seen, wish = (
        house(request),
        await as_member(request, "secretary"),
        await asked(request, InviteMember),
    )
    tongue, now = language(request), here.clock()
    if wish.member:
        one = seen.club.members.get(wish.member)
        if one is None or one.left or one.nameless:
            raise refusal(Refused("noSuchMember", "member"), tongue)
        if one.player:
            raise refusal(Refused("isLinked", "member", name=one.name), tongue)

    def check(transaction: Connection) -> None:
        if len(working(transaction, now, seen.key)) >= MOST_INVITATIONS:
            raise Refusal(429, "tooMany")

    secret = secrets.token_urlsafe(16)
    uses = 1 if wish.member else wish.uses
    made = Invitation(hashed(secret), seen.key, wish.member, wish.role, now + wish.days * DAY, uses)
    await here.clubs.invite(made, now, beginning(request, "invitations", seen.player, check, seen.key))
    return told(InvitationMade(made.hash, secret, made.until), 201)


async def recover(request: Request) -> Response:
    """Make a recovery link for whoever asks, in the place of an earlier one."""
    here, seen = house(request), await as_member(request, "secretary")
    assert seen.member is not None
    secret = secrets.token_urlsafe(16)
    made = Invitation(hashed(secret), seen.key, seen.member.id, "recovery", FOREVER, 1)
    allow = beginning(request, "invitations", seen.player, no_limit, seen.key)
    await here.clubs.invite(made, here.clock(), allow)
    return told(InvitationMade(made.hash, secret, made.until), 201)


async def withdraw(request: Request) -> Response:
    """Let an invitation work no more."""
    seen = await as_member(request, "secretary")
    if not await house(request).clubs.withdraw(seen.key, request.path_params["invitation"]):
        raise Refusal(404, "invitationSpent")
    return Response(status_code=204)


async def _invited(request: Request, wish: ReadInvitation) -> tuple[Invitation, ClubLog]:
    here = house(request)
    found = await here.clubs.invitations(here.clock(), key=hashed(wish.secret))
    log = await here.clubs.read(found[0].club) if found else None
    if log is None:
        raise Refusal(404, "invitationSpent")
    was_read(request, log.seq)
    return found[0], log


def _free(club: c.Club) -> list[c.Member]:
    """Those without an account whom somebody may be who has an invitation for anybody."""
    plain = (one for one in club.members.values() if not one.player and not one.left)
    return [one for one in plain if one.role == "member" and not one.nameless]


async def invitation(request: Request) -> Response:
    """What an invitation is for."""
    wish = await asked(request, ReadInvitation)
    (one, log), session = await _invited(request, wish), await session_of(request)
    ids = [] if session is None else await house(request).clubs.ids(session.player.id)
    members = [log.club.members[one.member]] if one.member else _free(log.club)
    return told(
        InvitationShown(
            club=one.club,
            name=log.club.name,
            role=one.role,
            member=one.member,
            members=tuple(Joinable(x.id, x.name) for x in members),
            joined=_joined(log.club, one, ids),
            until=one.until,
        )
    )


async def moved(request: Request) -> Response:
    """The link of an invitation whose secret stands in its path, as links did once."""
    secret = quote(request.path_params["secret"], safe="")
    headers = {"location": f"/clubs/join#invitation={secret}", "cache-control": "no-store"}
    return Response(status_code=302, headers=headers)


async def join(request: Request) -> Response:
    """Accept an invitation; whoever belongs to the club already stays who they are."""
    here, session, wish = house(request), await known(request), await asked(request, JoinClub)
    ids = await here.clubs.ids(session.player.id)
    for _ in range(TRIES):
        one, log = await _invited(request, wish)
        if _joined(log.club, one, ids):
            return told(ClubMade(one.club))
        facts = _joining(log.club, one, wish, session, here.clock())

        def work(log: ClubLog = log, facts: Sequence[c.AnyFact] = facts) -> c.Club:
            if log.seq + len(facts) > MOST_FACTS:
                raise Refused("clubFull")
            return decided(log.club, facts)

        after = await worked(request, work)
        try:
            await here.clubs.append(one.club, facts, after, invitation=one.hash)
        except Spent:
            raise Refusal(404, "invitationSpent") from None
        except Conflict:
            continue
        here.followers.wake(one.club)
        return told(ClubMade(one.club), 201)
    raise Refusal(503, "failed")


def _joined(club: c.Club, one: Invitation, ids: Collection[str]) -> bool:
    """Whether an invitation has nothing to give somebody with these ids."""
    member = club.member_of(ids)
    return member is not None and (one.role != "recovery" or member.id == one.member)


def _joining(club: c.Club, one: Invitation, wish: JoinClub, session: Session, at: float) -> list[c.AnyFact]:
    by, facts = session.player.id, list[c.AnyFact]()
    if one.role == "recovery":
        return [c.AccountLinked(by=by, at=at, member=one.member, player=by, recovered=True)]
    member = one.member or wish.member
    if not one.member and wish.member and wish.member not in {free.id for free in _free(club)}:
        raise Refusal(404, "invitationSpent", "member")
    if member in club.members and club.members[member].left:
        raise Refusal(404, "invitationSpent", "member")
    if not member:
        member = c.next_id("m", club.members)
        name = clean_name(wish.name or session.player.name)
        facts.append(c.MemberAdded(by=by, at=at, member=member, name=name))
    facts.append(c.AccountLinked(by=by, at=at, member=member, player=by))
    role = club.members[member].role if member in club.members else "member"
    if RANKS[one.role] > RANKS[role]:
        facts.append(c.RoleGiven(by=by, at=at, member=member, role=one.role))
    return facts
