"""The logs of the score sheets, what lists show of them, and pens that are being handed over."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

import msgspec
from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy import Connection, delete, func, insert, or_, select, update
from sqlalchemy.exc import IntegrityError

from ultimo.answers.sheets import Listed
from ultimo.club.sheet import AnyFact, Noted, PenHanded, Sheet
from ultimo.server.appending import Conflict, must_be_there
from ultimo.server.database import Check, Database, insert_or_change, no_limit
from ultimo.server.schema import noted, player, sheet, sheet_fact
from ultimo.server.store import LISTED, TEXTS, all_ids, asked_for, bound
from ultimo.table.facts import PlayerId

# Made once, before any thread needs it: msgspec crashes where several threads are the first to use a type.
FACT = msgspec.json.Decoder(AnyFact)


class Spent(Exception):
    """The secret takes no pen: it was never given out, has been used, or is too old."""


class Log(Struct, frozen=True):
    """What is written on a sheet, and by which commands, `bound` to who sent them."""

    facts: tuple[AnyFact, ...]
    commands: dict[str, int]

    @property
    def seq(self) -> int:
        """How much is written."""
        return len(self.facts)

    def obeyed(self, ids: Iterable[str], cmd: str) -> int | None:
        """Where a command of a person with these ids is written."""
        return next((self.commands[key] for one in ids if (key := bound(one, cmd)) in self.commands), None)


class SheetStore:
    """The score sheets in the database."""

    def __init__(self, database: Database) -> None:
        self.database = database

    async def create(
        self, key: str, facts: Sequence[AnyFact], made: Sheet, at: float, allow: Check = no_limit
    ) -> None:
        """Begin the log of a sheet, if that is allowed."""

        def job(connection: Connection) -> None:
            allow(connection)
            add_sheet(connection, key, facts, made, at)

        await self.database.write(job)

    async def read(self, key: str) -> Log:
        """The log of a sheet; of an unknown one it is empty."""

        def job(connection: Connection) -> Log:
            query = select(sheet_fact.c.body, sheet_fact.c.cmd_id, sheet_fact.c.seq)
            query = query.where(sheet_fact.c.sheet_id == asked_for(key)).order_by(sheet_fact.c.seq)
            rows = list(connection.execute(query))
            return Log(
                tuple(FACT.decode(body) for body, _, _ in rows), {cmd: seq for _, cmd, seq in rows if cmd}
            )

        return await self.database.read(job)

    async def length(self, key: str) -> int:
        """How much is written on a sheet; nothing on an unknown one."""
        query = select(func.max(sheet_fact.c.seq)).where(sheet_fact.c.sheet_id == asked_for(key))
        return await self.database.read(lambda connection: connection.execute(query).scalar_one() or 0)

    async def append(
        self, key: str, fact: AnyFact, after: Sheet, cmd: str | None = None, secret: str | None = None
    ) -> None:
        """Write a fact as the last of the sheet `after` it, or raise `Conflict`.

        With the hash of a secret, only if that still takes the pen: else `Spent`. A pen that has changed
        hands is taken by no secret that was given out before.
        """

        def job(connection: Connection) -> None:
            if secret is not None:
                fits = (sheet.c.handing == secret) & (sheet.c.handing_until > fact.at)
                taken = update(sheet).where(sheet.c.id == key, fits).values(handing=None)
                if connection.execute(taken).rowcount != 1:
                    raise Spent
            try:
                connection.execute(insert(sheet_fact), [_row(key, after.seq, fact, cmd)])
            except IntegrityError as error:
                raise Conflict from error
            if isinstance(fact, Noted):
                note_writer(connection, key, fact.by)
            handed = {"handing": None} if isinstance(fact, PenHanded) else {}
            values = _following(after, fact.at) | handed
            connection.execute(update(sheet).where(sheet.c.id == key).values(**values))

        await self.database.write(job)

    async def bring(
        self,
        key: str,
        log: str,
        after: int,
        facts: Sequence[AnyFact],
        made: Sheet,
        by: PlayerId,
        at: float,
        allow: Check = no_limit,
    ) -> None:
        """Write what comes from a device behind the first `after` facts of a sheet, or raise `Conflict`.

        Behind none, the sheet is begun if that is allowed.
        """

        def job(connection: Connection) -> None:
            must_be_there(connection, by)
            try:
                if not after:
                    allow(connection)
                    add_sheet(connection, key, facts, made, at, device=log)
                    return
                connection.execute(
                    insert(sheet_fact),
                    [_row(key, seq, fact, None) for seq, fact in enumerate(facts, after + 1)],
                )
            except IntegrityError as error:
                raise Conflict from error
            _note_writers(connection, key, facts)
            connection.execute(update(sheet).where(sheet.c.id == key).values(**_following(made, at)))

        await self.database.write(job)

    async def brought(self, keys: Collection[str]) -> str | None:
        """Which of these sheets is there: one that somebody has brought under one of their ids."""
        query = select(sheet.c.id).where(sheet.c.id.in_(keys), sheet.c.device_log.is_not(None))
        return await self.database.read(lambda connection: connection.execute(query).scalars().first())

    async def may_delete(self, key: str, ids: Collection[str]) -> bool:
        """Whether somebody with these ids has brought a sheet from a device."""
        mine = sheet.c.device_log.is_not(None) & sheet.c.host.in_(ids)
        query = select(sheet.c.id).where(sheet.c.id == asked_for(key), mine)
        return await self.database.read(lambda connection: connection.execute(query).first() is not None)

    async def drop_brought(self, key: str, player_id: PlayerId) -> bool:
        """Delete a sheet that somebody has brought from a device; whether there was one."""

        def job(connection: Connection) -> bool:
            mine = sheet.c.host.in_(all_ids(connection, player_id)) & sheet.c.device_log.is_not(None)
            gone = connection.execute(delete(sheet).where(sheet.c.id == asked_for(key), mine)).rowcount == 1
            if gone:
                connection.execute(delete(noted).where(noted.c.log_id == key))
            return gone

        return await self.database.write(job)

    async def hand_over(self, key: str, secret: str, until: float) -> None:
        """Let the pen be taken by whoever knows a secret, of which this is the hash."""
        statement = update(sheet).where(sheet.c.id == key).values(handing=secret, handing_until=until)
        await self.database.write(lambda connection: connection.execute(statement).rowcount)

    async def of(self, player_id: str) -> list[Listed]:
        """The sheets that somebody has begun or writes on and that are no club's, the last first."""

        def job(connection: Connection) -> list[Listed]:
            ids = all_ids(connection, player_id)
            query = select(sheet).where(or_(sheet.c.host.in_(ids), sheet.c.pen.in_(ids)))
            query = query.where(sheet.c.club_id.is_(None))
            rows = connection.execute(query.order_by(sheet.c.updated_at.desc()).limit(LISTED)).mappings()
            return [
                Listed(
                    row["id"],
                    row["rules"],
                    TEXTS.decode(row["names"]),
                    row["deals"],
                    row["closed"],
                    row["updated_at"],
                    row["device_log"] or "",
                )
                for row in rows
            ]

        return await self.database.read(job)

    async def forget_words(self, ids: Collection[str]) -> None:
        """Take what somebody has noted off the sheets of others; what a club has stays its own."""

        def job(connection: Connection) -> None:
            theirs = select(noted.c.log_id).where(noted.c.player_id.in_(ids))
            query = select(sheet_fact.c.sheet_id, sheet_fact.c.seq, sheet_fact.c.body).join(sheet)
            query = query.where(sheet.c.id.in_(theirs), sheet.c.club_id.is_(None))
            for key, seq, body in connection.execute(query).all():
                fact = FACT.decode(body)
                if isinstance(fact, Noted) and fact.by in ids:
                    kept = msgspec.json.encode(replace(fact, text="")).decode()
                    row = (sheet_fact.c.sheet_id == key) & (sheet_fact.c.seq == seq)
                    connection.execute(update(sheet_fact).where(row).values(body=kept))

        await self.database.write(job)

    async def ids(self, player_id: str) -> list[str]:
        """All ids of a person, the given one first."""
        return await self.database.read(lambda connection: all_ids(connection, player_id))

    async def called(self, players: Collection[str]) -> dict[str, str]:
        """What people are called."""
        query = select(player.c.id, player.c.name).where(player.c.id.in_(players))
        return await self.database.read(lambda connection: dict(map(tuple, connection.execute(query))))


def unclosed(connection: Connection, player_id: str) -> int:
    """How many sheets somebody has begun that are not closed and are no club's."""
    query = select(func.count()).where(sheet.c.host.in_(all_ids(connection, player_id)))
    query = query.where(sheet.c.closed.is_(False), sheet.c.club_id.is_(None))
    return connection.execute(query).scalar_one()


def note_writer(connection: Connection, key: str, player_id: str) -> None:
    """Remember that somebody has noted something in a log, so that it is found when they are deleted."""
    row = insert_or_change(connection, noted).values(log_id=key, player_id=player_id)
    connection.execute(row.on_conflict_do_nothing())


def add_sheet(
    connection: Connection,
    key: str,
    facts: Sequence[AnyFact],
    made: Sheet,
    at: float,
    club: str | None = None,
    device: str | None = None,
) -> None:
    """Begin the log of a sheet, which may be a club's, or come from a device."""
    values = {"id": key, "host": made.host, "rules": made.rules.id, "created_at": at, "club_id": club}
    names = msgspec.json.encode(made.names).decode()
    fixed = {"names": names, "handing_until": 0.0, "device_log": device}
    connection.execute(insert(sheet).values(**values, **fixed, **_following(made, at)))
    rows = [_row(key, seq, fact, None) for seq, fact in enumerate(facts, 1)]
    connection.execute(insert(sheet_fact), rows)
    _note_writers(connection, key, facts)


def _note_writers(connection: Connection, key: str, facts: Sequence[AnyFact]) -> None:
    for writer in {fact.by for fact in facts if isinstance(fact, Noted)}:
        note_writer(connection, key, writer)


def _following(made: Sheet, at: float) -> dict[str, object]:
    return {"pen": made.pen, "deals": len(made.entries), "closed": made.closed, "updated_at": at}


def _row(key: str, seq: int, fact: AnyFact, cmd: str | None) -> dict[str, object]:
    body = msgspec.json.encode(fact).decode()
    return {"sheet_id": key, "seq": seq, "cmd_id": cmd and bound(fact.by, cmd), "body": body, "at": fact.at}
