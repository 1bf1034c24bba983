"""The logs of the clubs, what lists and permissions need of them, invitations, and the clubs' sheets."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Final, Literal, TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy import Connection, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from ultimo.club import sheet as s
from ultimo.club.club import AccountLinked, AnyFact, Club, Role, departure, evolve, fold, forget
from ultimo.server import schema
from ultimo.server.appending import Conflict
from ultimo.server.database import Check, Database, Job, no_limit
from ultimo.server.sheet_store import FACT as SHEET_FACT
from ultimo.server.sheet_store import Spent, add_sheet
from ultimo.server.store import LISTED, all_ids, asked_for, bound

# Made once, before any thread needs it: msgspec crashes where several threads are the first to use a type.
FACT: Final = msgspec.json.Decoder(AnyFact)
KEPT: Final = 50  # clubs that are kept folded
FOREVER: Final = 253_402_300_799.0  # seconds since 1970: the end of the year 9999
BATCH: Final = 1000  # facts of a new club that are written at a time
TRIES: Final = 20  # conflicts in a row


Grant: TypeAlias = Role | Literal["recovery"]  # what an invitation gives


class ClubLog(Struct, frozen=True):
    """What is written of a club, what it comes to, and by which commands: where the first fact of each is.

    They are `bound` to who sent them.
    """

    facts: tuple[AnyFact, ...]
    club: Club
    commands: dict[str, int]
    epoch: int

    @property
    def seq(self) -> int:
        """How much is written."""
        return len(self.facts)


class ListedClub(Struct, frozen=True):
    """A club in a list."""

    id: str
    name: str
    role: Role
    members: int
    at: float


class Invitation(Struct, frozen=True):
    """An invitation: its hash, the club, which member it is for ("" for anybody), until when, how often.

    One for `recovery` makes whoever has it the secretary it is for, in the place of a browser that is lost.
    """

    hash: str
    club: str
    member: str
    role: Grant
    until: float
    uses: int


class SheetHead(Struct, frozen=True):
    """What lists show of a club's sheet."""

    id: str
    deals: int
    closed: bool
    seq: int


class ClubStore:
    """The clubs in the database."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self._kept: OrderedDict[str, ClubLog] = OrderedDict()

    # --- logs ------------------------------------------------------------------------------------------

    async def create(
        self,
        key: str,
        facts: Sequence[AnyFact],
        made: Club,
        at: float,
        sheets: Mapping[str, tuple[Sequence[s.AnyFact], s.Sheet]] | None = None,
        allow: Check = no_limit,
    ) -> None:
        """Begin the log of a club, if that is allowed, with all its sheets if it is brought from elsewhere.

        What is long is written in batches, so that others can write in between. Its members come last: until
        then nobody knows of it.
        """
        jobs: list[tuple[int, Job[None]]] = [(0, partial(_begin, key=key, made=made, at=at))]
        for start in range(0, len(facts), BATCH):
            some = facts[start : start + BATCH]
            jobs.append((len(some), partial(_continue, key=key, after=start, facts=some)))
        for name, (log, sheet) in (sheets or {}).items():
            jobs.append((len(log), partial(add_sheet, key=name, facts=log, made=sheet, at=at, club=key)))
        jobs += (0, allow), (0, partial(_note_members, key=key, club=made))
        try:
            for batch in _batches(jobs):
                await self.database.write(partial(_together, jobs=batch))
        except BaseException:
            await self.delete(key)
            raise

    async def read(self, key: str) -> ClubLog | None:
        """The log of a club, which is kept as long as nothing is written behind it."""

        def head(connection: Connection) -> tuple[int, int] | None:
            query = select(schema.club.c.epoch, func.max(schema.club_fact.c.seq)).join(schema.club_fact)
            query = query.where(schema.club.c.id == asked_for(key)).group_by(schema.club.c.epoch)
            row = connection.execute(query).one_or_none()
            return None if row is None else (row[0], row[1])

        found = await self.database.read(head)
        if found is None:
            self._kept.pop(key, None)
            return None
        kept = self._kept.get(key)
        if kept is None or (kept.epoch, kept.seq) != found:
            known = kept if kept is not None and kept.epoch == found[0] else None
            kept = await self.database.read(lambda connection: _log(connection, key, known))
            self._kept[key] = kept
        self._kept.move_to_end(key)
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return kept

    async def length(self, key: str) -> int:
        """How much is written; nothing of an unknown club."""
        query = select(func.max(schema.club_fact.c.seq)).where(schema.club_fact.c.club_id == asked_for(key))
        return await self.database.read(lambda connection: connection.execute(query).scalar_one() or 0)

    async def append(
        self,
        key: str,
        facts: Sequence[AnyFact],
        after: Club,
        cmd: str | None = None,
        invitation: str | None = None,
        sheet: tuple[str, Sequence[s.AnyFact], s.Sheet] | None = None,
    ) -> None:
        """Write facts as the last of the club `after` them, or raise `Conflict`.

        With the hash of an invitation only if that still works, else `Spent`; with a sheet it is begun too.
        """

        def job(connection: Connection) -> None:
            if invitation is not None:
                row = schema.club_invitation.c
                works = (row.hash == invitation) & (row.uses > 0) & (row.until > facts[0].at)
                used = update(schema.club_invitation).where(works).values(uses=row.uses - 1)
                if connection.execute(used).rowcount != 1:
                    raise Spent
            _append(connection, key, facts, after, cmd)
            if sheet is not None:
                name, log, made = sheet
                add_sheet(connection, name, log, made, facts[0].at, key)

        await self.database.write(job)

    async def delete(self, key: str) -> None:
        """Delete a club, all its sheets and its tournaments."""
        await self.database.write(lambda connection: _delete(connection, key))
        self._kept.pop(key, None)

    # --- lists and rights ------------------------------------------------------------------------------

    async def ids(self, player_id: str) -> list[str]:
        """All ids of a person, the given one first."""
        return await self.database.read(lambda connection: all_ids(connection, player_id))

    async def called(self, key: str, players: Collection[str]) -> dict[str, str]:
        """What a club calls those of these people who belong to it, or did: by the names of its members.

        A log goes on speaking of a guest by the id from before they had an account.
        """
        log = await self.read(key)
        if log is None:
            return {}
        linked = {fact.player: fact.member for fact in log.facts if isinstance(fact, AccountLinked)}
        one = schema.player.c
        query = select(one.id, func.coalesce(one.merged_into, one.id)).where(one.id.in_({*linked, *players}))
        own = await self.database.read(lambda connection: dict(map(tuple, connection.execute(query))))
        members = {own.get(player, player): member for player, member in linked.items()}
        return {
            player: log.club.called(members[own.get(player, player)])
            for player in players
            if own.get(player, player) in members
        }

    async def of(self, player_id: str) -> list[ListedClub]:
        """The clubs that somebody belongs to, the last first."""

        def job(connection: Connection) -> list[ListedClub]:
            club, member = schema.club.c, schema.club_member.c
            query = select(club.id, club.name, member.role, club.members, club.updated_at)
            query = query.join(schema.club_member, member.club_id == club.id)
            query = query.where(member.player_id.in_(all_ids(connection, player_id)))
            rows = connection.execute(query.order_by(club.updated_at.desc()).limit(LISTED))
            return list({row[0]: ListedClub(*row) for row in rows}.values())

        return await self.database.read(job)

    async def at(self, sheet: str, players: Collection[str]) -> tuple[str, set[str]] | None:
        """The club that a sheet belongs to, and what somebody is there; None if it belongs to none."""

        def job(connection: Connection) -> tuple[str, set[str]] | None:
            query = select(schema.sheet.c.club_id).where(schema.sheet.c.id == asked_for(sheet))
            club = connection.execute(query).scalar_one_or_none()
            if club is None:
                return None
            member = schema.club_member.c
            roles = select(member.role).where(member.club_id == club, member.player_id.in_(players))
            return club, set(connection.execute(roles).scalars())

        return await self.database.read(job)

    # --- sheets ----------------------------------------------------------------------------------------

    async def heads(self, sheets: Collection[str]) -> dict[str, SheetHead]:
        """What lists show of these sheets."""
        sheet, fact = schema.sheet.c, schema.sheet_fact.c
        query = select(sheet.id, sheet.deals, sheet.closed, func.max(fact.seq)).join(schema.sheet_fact)
        query = query.where(sheet.id.in_(sheets)).group_by(sheet.id, sheet.deals, sheet.closed)
        return await self.database.read(
            lambda connection: {row[0]: SheetHead(*row) for row in connection.execute(query)}
        )

    async def sheets(self, club: str) -> dict[str, tuple[s.AnyFact, ...]]:
        """The logs of all sheets of a club."""
        fact = schema.sheet_fact.c
        query = select(fact.sheet_id, fact.body).join(schema.sheet).where(schema.sheet.c.club_id == club)
        query = query.order_by(schema.sheet.c.created_at, fact.sheet_id, fact.seq)

        def job(connection: Connection) -> dict[str, tuple[s.AnyFact, ...]]:
            found: dict[str, list[s.AnyFact]] = {}
            for sheet, body in connection.execute(query):
                found.setdefault(sheet, []).append(SHEET_FACT.decode(body))
            return {sheet: tuple(facts) for sheet, facts in found.items()}

        return await self.database.read(job)

    async def sessions(
        self, table: str, players: Collection[str]
    ) -> tuple[str, dict[str, list[dict[str, object]]]]:
        """Of a table online its moment, and of each of these people what every deal brought them."""

        def job(connection: Connection) -> tuple[str, dict[str, list[dict[str, object]]]]:
            query = select(schema.game.c.moment).where(schema.game.c.id == asked_for(table))
            moment = connection.execute(query).scalar_one_or_none() or ""
            figures: dict[str, list[dict[str, object]]] = {}
            for player in players:
                row = schema.figure.c
                mine = row.player_id.in_(all_ids(connection, player))
                counted = row.uncounted == ""
                rows = select(schema.figure).where(row.table_id == asked_for(table), mine, counted)
                rows = rows.order_by(row.deal)
                found = [dict(one) for one in connection.execute(rows).mappings()]
                if found:
                    figures[player] = found
            return moment, figures

        return await self.database.read(job)

    # --- invitations -----------------------------------------------------------------------------------

    async def invite(self, one: Invitation, now: float, allow: Check = no_limit) -> None:
        """Let people join, if that is allowed; what has expired goes, and an earlier recovery link."""

        def job(connection: Connection) -> None:
            allow(connection)
            row = schema.club_invitation.c
            connection.execute(delete(schema.club_invitation).where(row.until < now))
            if one.role == "recovery":
                earlier = (row.club_id == one.club) & (row.member_id == one.member) & (row.role == one.role)
                connection.execute(delete(schema.club_invitation).where(earlier))
            given = {"hash": one.hash, "club_id": one.club, "member_id": one.member, "role": one.role}
            values = insert(schema.club_invitation).values(**given, until=one.until, uses=one.uses)
            connection.execute(values)

        await self.database.write(job)

    async def invitations(self, now: float, club: str = "", key: str = "") -> list[Invitation]:
        """The invitations that still work: of a club, or the one with a hash."""
        return await self.database.read(partial(invitations, now=now, club=club, key=key))

    async def withdraw(self, club: str, key: str) -> bool:
        """Let an invitation work no more; whether there was one."""
        row = schema.club_invitation.c
        gone = delete(schema.club_invitation).where(row.club_id == club, row.hash == asked_for(key))
        return await self.database.write(lambda connection: connection.execute(gone).rowcount == 1)

    # --- forgetting ------------------------------------------------------------------------------------

    async def forget_member(self, key: str, member: str) -> None:
        """Take a member's name out of the log and of the sheets; results stay."""

        def job(connection: Connection) -> None:
            log = _log(connection, key)
            _rewrite(connection, key, log.facts, lambda fact: forget(fact, member))
            seats = {
                one.sheet: frozenset(seat for seat, who in enumerate(one.seats) if who == member)
                for evening in log.club.evenings.values()
                for one in evening.sheets
                if member in one.seats
            }
            for sheet, forgotten in seats.items():
                _rename(connection, sheet, forgotten, log.club.called_by_number(member))
            bumped = {"epoch": log.epoch + 1}
            connection.execute(update(schema.club).where(schema.club.c.id == key).values(**bumped))

        await self.database.write(job)

    async def forget_person(self, ids: Collection[str], at: float) -> list[str]:
        """Take somebody out of all clubs; those with nobody else are deleted. The clubs that live on."""
        member = schema.club_member.c
        query = select(member.club_id).where(member.player_id.in_(ids)).distinct()
        clubs = await self.database.read(lambda connection: list(connection.execute(query).scalars()))
        left = []
        for key in clubs:
            for _ in range(TRIES):
                try:
                    if await self.database.write(partial(_depart, key=key, ids=ids, at=at)):
                        left.append(key)
                    break
                except Conflict:
                    continue
            else:
                raise Conflict
        return left


def invitations(connection: Connection, now: float, club: str = "", key: str = "") -> list[Invitation]:
    """The invitations that still work: of a club, or the one with a hash."""
    row = schema.club_invitation.c
    query = select(row.hash, row.club_id, row.member_id, row.role, row.until, row.uses)
    query = query.where(row.until > now, row.uses > 0).order_by(row.until)
    query = query.where(row.club_id == club) if club else query.where(row.hash == key)
    return [Invitation(*one) for one in connection.execute(query)]


def clubs_run_by(connection: Connection, player_id: str) -> int:
    """Of how many clubs somebody is the secretary."""
    member = schema.club_member.c
    query = select(func.count(member.club_id.distinct())).where(member.role == "secretary")
    return connection.execute(query.where(member.player_id.in_(all_ids(connection, player_id)))).scalar_one()


def _batches(jobs: Iterable[tuple[int, Job[None]]]) -> Iterator[list[Job[None]]]:
    """Jobs that are done together, each with the number of facts that it writes."""
    batch, written = list[Job[None]](), 0
    for number, job in jobs:
        if batch and written + number > BATCH:
            yield batch
            batch, written = [], 0
        batch.append(job)
        written += number
    yield batch


def _together(connection: Connection, jobs: Iterable[Job[None]]) -> None:
    for job in jobs:
        job(connection)


def _begin(connection: Connection, key: str, made: Club, at: float) -> None:
    row = {"id": key, "created_at": at, "epoch": 0} | _following(made, at)
    connection.execute(insert(schema.club).values(**row))


def _continue(connection: Connection, key: str, after: int, facts: Sequence[AnyFact]) -> None:
    connection.execute(insert(schema.club_fact), _rows(key, after, facts, None))


def _log(connection: Connection, key: str, known: ClubLog | None = None) -> ClubLog:
    """The log of a club, read on behind what is known of it."""
    fact = schema.club_fact.c
    after = 0 if known is None else known.seq
    query = select(fact.body, fact.cmd_id, fact.seq).where(fact.club_id == key, fact.seq > after)
    rows = list(connection.execute(query.order_by(fact.seq)))
    head = select(schema.club.c.epoch).where(schema.club.c.id == key)
    epoch = connection.execute(head).scalar_one()
    new = tuple(FACT.decode(body) for body, _, _ in rows)
    commands = {cmd: seq for _, cmd, seq in rows if cmd}
    if known is None:
        return ClubLog(new, fold(new), commands, epoch)
    club = known.club
    for one in new:
        club = evolve(club, one)
    return ClubLog((*known.facts, *new), club, known.commands | commands, epoch)


def _append(
    connection: Connection, key: str, facts: Sequence[AnyFact], after: Club, cmd: str | None = None
) -> None:
    try:
        connection.execute(insert(schema.club_fact), _rows(key, after.seq - len(facts), facts, cmd))
    except IntegrityError as error:
        raise Conflict from error
    values = _following(after, facts[-1].at)
    connection.execute(update(schema.club).where(schema.club.c.id == key).values(**values))
    _note_members(connection, key, after)


def _depart(connection: Connection, key: str, ids: Collection[str], at: float) -> bool:
    """Take somebody out of a club, or delete it; whether it lives on."""
    club = _log(connection, key).club
    facts = departure(club, ids)
    if facts is None:
        _delete(connection, key)
        return False
    dated = [replace(fact, at=at) for fact in facts]
    for fact in dated:
        club = evolve(club, fact)
    if dated:
        _append(connection, key, dated, club)
    return True


def _delete(connection: Connection, key: str) -> None:
    connection.execute(delete(schema.sheet).where(schema.sheet.c.club_id == key))
    connection.execute(delete(schema.tournament).where(schema.tournament.c.club == key))
    connection.execute(delete(schema.club).where(schema.club.c.id == key))


def _rewrite(
    connection: Connection, key: str, facts: Iterable[AnyFact], change: Callable[[AnyFact], AnyFact]
) -> None:
    for seq, fact in enumerate(facts, 1):
        changed = change(fact)
        if changed != fact:
            row = (schema.club_fact.c.club_id == key) & (schema.club_fact.c.seq == seq)
            connection.execute(update(schema.club_fact).where(row).values(body=_json(changed)))


def _rename(connection: Connection, sheet: str, seats: Collection[int], called: str) -> None:
    """Write another name at some seats of a sheet."""
    first = (schema.sheet_fact.c.sheet_id == sheet) & (schema.sheet_fact.c.seq == 1)
    body = connection.execute(select(schema.sheet_fact.c.body).where(first)).scalar_one_or_none()
    if body is None:
        return
    opened = SHEET_FACT.decode(body)
    assert isinstance(opened, s.Opened)
    names = tuple(called if seat in seats else name for seat, name in enumerate(opened.names))
    kept = update(schema.sheet_fact).where(first).values(body=_json(replace(opened, names=names)))
    connection.execute(kept)
    connection.execute(update(schema.sheet).where(schema.sheet.c.id == sheet).values(names=_json(names)))


def _note_members(connection: Connection, key: str, club: Club) -> None:
    """Who belongs to the club, for lists and rights; a recovery link is a secretary's until it is used."""
    row = schema.club_invitation.c
    recovery = (row.club_id == key) & (row.role == "recovery")
    kept = row.member_id.in_([one.id for one in club.secretaries]) & (row.uses > 0)
    connection.execute(delete(schema.club_invitation).where(recovery, ~kept))
    connection.execute(delete(schema.club_member).where(schema.club_member.c.club_id == key))
    rows = [
        {"club_id": key, "member_id": one.id, "player_id": one.player, "role": one.role}
        for one in club.members.values()
        if one.player and not one.left
    ]
    if rows:
        connection.execute(insert(schema.club_member), rows)


def _following(club: Club, at: float) -> dict[str, object]:
    members = sum(not one.left and not one.nameless for one in club.members.values())
    return {"name": club.name, "members": members, "updated_at": at}


def _rows(key: str, after: int, facts: Sequence[AnyFact], cmd: str | None) -> list[dict[str, object]]:
    """Facts as rows; the first carries the command."""
    return [
        {
            "club_id": key,
            "seq": after + place,
            "cmd_id": bound(fact.by, cmd) if cmd and place == 1 else None,
            "body": _json(fact),
            "at": fact.at,
        }
        for place, fact in enumerate(facts, 1)
    ]


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()
