"""The logs of the tournaments, what lists show of them, and invitations to keep the score."""

from __future__ import annotations

from collections.abc import Collection

import msgspec
from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy import Connection, func, insert, or_, select, update
from sqlalchemy.exc import IntegrityError

from ultimo.club.tournament import Amended, AnyFact, Kind, Penalised, Tournament
from ultimo.server.appending import Conflict
from ultimo.server.database import Check, Database, no_limit
from ultimo.server.schema import noted, tournament, tournament_fact
from ultimo.server.sheet_store import note_writer
from ultimo.server.store import LISTED, all_ids, asked_for, bound

# Made once, before any thread needs it: msgspec crashes where several threads are the first to use a type.
FACT = msgspec.json.Decoder(AnyFact)


class TournamentLog(Struct, frozen=True):
    """What is written about a tournament, by which commands, and which club holds it.

    Commands are `bound` to who sent them.
    """

    facts: tuple[AnyFact, ...]
    commands: dict[str, int]
    club: str = ""

    @property
    def seq(self) -> int:
        """How much is written."""
        return len(self.facts)


class TournamentListed(Struct, frozen=True):
    """A tournament in a list."""

    id: str
    name: str
    rules: str
    kind: Kind
    people: int
    public: bool
    closed: bool
    at: float


class TournamentStore:
    """The tournaments in the database."""

    def __init__(self, database: Database) -> None:
        self.database = database

    async def create(
        self, key: str, fact: AnyFact, made: Tournament, club: str, allow: Check = no_limit
    ) -> None:
        """Begin the log of a tournament, if that is allowed."""

        def job(connection: Connection) -> None:
            allow(connection)
            fixed = {"id": key, "host": made.host, "club": club, "rules": made.rules.id}
            fixed |= {"kind": made.terms.kind}
            times = {"created_at": fact.at, "inviting_until": 0.0}
            connection.execute(insert(tournament).values(**fixed, **times, **_following(made, fact.at)))
            connection.execute(insert(tournament_fact), [_row(key, 1, fact, None)])

        await self.database.write(job)

    async def read(self, key: str) -> TournamentLog:
        """The log of a tournament; of an unknown one it is empty."""

        def job(connection: Connection) -> TournamentLog:
            own = tournament_fact.c.tournament_id == asked_for(key)
            query = select(tournament_fact.c.body, tournament_fact.c.cmd_id, tournament_fact.c.seq)
            rows = list(connection.execute(query.where(own).order_by(tournament_fact.c.seq)))
            club = connection.execute(select(tournament.c.club).where(tournament.c.id == asked_for(key)))
            return TournamentLog(
                tuple(FACT.decode(body) for body, _, _ in rows),
                {cmd: seq for _, cmd, seq in rows if cmd},
                club.scalar_one_or_none() or "",
            )

        return await self.database.read(job)

    async def length(self, key: str) -> int:
        """How much is written about a tournament; nothing about an unknown one."""
        query = select(func.max(tournament_fact.c.seq))
        query = query.where(tournament_fact.c.tournament_id == asked_for(key))
        return await self.database.read(lambda connection: connection.execute(query).scalar_one() or 0)

    async def append(self, key: str, fact: AnyFact, after: Tournament, cmd: str | None = None) -> None:
        """Write a fact as the last of the tournament `after` it, or raise `Conflict`."""

        def job(connection: Connection) -> None:
            try:
                connection.execute(insert(tournament_fact), [_row(key, after.seq, fact, cmd)])
            except IntegrityError as error:
                raise Conflict from error
            if isinstance(fact, Amended | Penalised) and fact.note:
                note_writer(connection, key, fact.by)
            values = _following(after, fact.at)
            connection.execute(update(tournament).where(tournament.c.id == key).values(**values))

        await self.database.write(job)

    async def invite(self, key: str, secret: str, until: float) -> None:
        """Let whoever knows a secret, of which this is the hash, become a scorer."""
        values = {"inviting": secret, "inviting_until": until}
        statement = update(tournament).where(tournament.c.id == key).values(**values)
        await self.database.write(lambda connection: connection.execute(statement).rowcount)

    async def invited(self, key: str, secret: str, now: float) -> bool:
        """Whether a secret, of which this is the hash, makes scorers now."""
        fits = (tournament.c.inviting == secret) & (tournament.c.inviting_until > now)
        query = select(tournament.c.id).where(tournament.c.id == asked_for(key), fits)
        return await self.database.read(lambda connection: connection.execute(query).first() is not None)

    async def forget_words(self, ids: Collection[str]) -> None:
        """Take what somebody has noted out of the tournaments of others; what a club has stays its own."""

        def job(connection: Connection) -> None:
            theirs = select(noted.c.log_id).where(noted.c.player_id.in_(ids))
            fact = tournament_fact.c
            query = select(fact.tournament_id, fact.seq, fact.body).join(tournament)
            query = query.where(tournament.c.id.in_(theirs), tournament.c.club == "")
            for key, seq, body in connection.execute(query).all():
                written = FACT.decode(body)
                if isinstance(written, Amended | Penalised) and written.by in ids:
                    kept = msgspec.json.encode(replace(written, note="")).decode()
                    row = (fact.tournament_id == key) & (fact.seq == seq)
                    connection.execute(update(tournament_fact).where(row).values(body=kept))

        await self.database.write(job)

    async def of(self, player_id: str, clubs: Collection[str]) -> list[TournamentListed]:
        """The tournaments of a person and of some clubs, the last first."""

        def job(connection: Connection) -> list[TournamentListed]:
            ids = all_ids(connection, player_id)
            mine = tournament.c.host.in_(ids) & (tournament.c.club == "")
            query = select(tournament).where(or_(mine, tournament.c.club.in_(clubs)))
            rows = connection.execute(query.order_by(tournament.c.updated_at.desc()).limit(LISTED)).mappings()
            return [
                TournamentListed(
                    row["id"],
                    row["name"],
                    row["rules"],
                    row["kind"],
                    row["people"],
                    row["public"],
                    row["closed"],
                    row["updated_at"],
                )
                for row in rows
            ]

        return await self.database.read(job)


def unclosed(connection: Connection, player_id: str, club: str = "") -> int:
    """How many tournaments of a club, or else of a person, are not closed."""
    query = select(func.count()).where(tournament.c.closed.is_(False), tournament.c.club == club)
    if not club:
        query = query.where(tournament.c.host.in_(all_ids(connection, player_id)))
    return connection.execute(query).scalar_one()


def _following(made: Tournament, at: float) -> dict[str, object]:
    people = sum(one.left != 1 for one in made.entrants)
    return {
        "name": made.name,
        "people": people,
        "public": made.public,
        "closed": made.closed,
        "updated_at": at,
    }


def _row(key: str, seq: int, fact: AnyFact, cmd: str | None) -> dict[str, object]:
    body = msgspec.json.encode(fact).decode()
    return {
        "tournament_id": key,
        "seq": seq,
        "cmd_id": cmd and bound(fact.by, cmd),
        "body": body,
        "at": fact.at,
    }
