"""What the server keeps: the logs of the tables, what lists show of them, and the people."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, TypeAlias

import msgspec
from msgspec import Struct
from sqlalchemy import Connection, RowMapping, Table, delete, func, insert, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import IntegrityError

from ultimo.events import Seat
from ultimo.server import figures
from ultimo.server.database import Database
from ultimo.server.figures import Figure
from ultimo.server.people import People, Player, PlayerId, all_ids
from ultimo.server.schema import event, game, game_player, player, presence, session
from ultimo.table.facts import NOBODY, BotSeated, Fact, SeatLeft, SeatTaken, forget
from ultimo.table.scene import Moment
from ultimo.table.settings import Settings

__all__ = ["Conflict", "Game", "Player", "PlayerId", "Row", "Store", "Summary", "TableId", "UnknownTable"]

TableId: TypeAlias = str

LOBBY = 2 * 3600.0  # seconds after which a table at which nothing happens leaves the lobby
LISTED = 200  # tables in a list at most
GONE = 60.0  # seconds after which nobody believes that somebody is still connected

# Made once, before any thread needs them: msgspec crashes where several threads are the first to use a type.
FACT = msgspec.json.Decoder(Fact)
SETTINGS = msgspec.json.Decoder(Settings)


class UnknownTable(LookupError):
    """There is no such table."""

    def __init__(self, table: TableId) -> None:
        super().__init__(f"there is no table {table}")
        self.table = table


class Conflict(Exception):
    """The log has gone on, or the command has been applied: read on, and decide again."""


class Row(Struct, frozen=True):
    """A fact in its log."""

    seq: int
    fact: Fact
    at: float


class Summary(Struct, frozen=True):
    """What lists show of a table: names and kinds by seat, and the totals of all seats after each deal."""

    moment: Moment
    number: int  # of the deal
    names: tuple[str, ...]  # "" where the seat is open
    kinds: tuple[str, ...]  # person, bot, open
    series: tuple[tuple[int, ...], ...]
    people: tuple[tuple[PlayerId, Seat], ...]


class Game(Struct, frozen=True):
    """A table in a list."""

    id: TableId
    settings: Settings
    title: str
    moment: Moment
    number: int
    names: tuple[str, ...]
    kinds: tuple[str, ...]
    series: tuple[tuple[int, ...], ...]
    at: float  # of the last fact
    seat: Seat | None = None  # of the player whose history it is


class Store(People):
    """The database as the server uses it."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self.database = database

    async def check(self) -> None:
        """Ask the database something; raises when it cannot be reached."""
        await self.database.read(lambda connection: connection.execute(select(1)).close())

    # --- the log ---------------------------------------------------------------------------------------

    async def create(
        self,
        table: TableId,
        settings: Settings,
        title: str,
        host: PlayerId,
        facts: Sequence[Fact],
        at: float,
        summary: Summary,
    ) -> None:
        """Begin the log of a table."""
        values = {
            "id": table,
            "settings": msgspec.json.encode(settings).decode(),
            "title": title,
            "host": host,
            "public": settings.public,
            "created_at": at,
        }

        def job(connection: Connection) -> None:
            connection.execute(insert(game).values(**values, **_listed(summary, at)))
            _note_people(connection, table, dict(summary.people))
            connection.execute(insert(event), _rows(table, 0, facts, at, None))

        await self.database.write(job)

    async def append(
        self,
        table: TableId,
        after: int,
        facts: Sequence[Fact],
        at: float,
        cmd: str | None = None,
        summary: Summary | None = None,
        speaker: PlayerId | None = None,
        figured: Sequence[Figure] = (),
    ) -> tuple[Row, ...]:
        """Write facts behind the one that the writer has seen last, or raise `Conflict`.

        A summary is given where it has changed, a speaker who has not been at this table before, and the
        figures of a deal that these facts end.
        """

        def job(connection: Connection) -> None:
            try:
                connection.execute(insert(event), _rows(table, after, facts, at, cmd))
            except IntegrityError as error:
                raise Conflict from error
            listed = {"updated_at": at} if summary is None else _listed(summary, at)
            connection.execute(update(game).where(game.c.id == table).values(**listed))
            people: dict[PlayerId, Seat | None] = {} if speaker is None else {speaker: None}
            _note_people(connection, table, people | dict(summary.people if summary is not None else ()))
            figures.note(connection, table, at, figured)

        await self.database.write(job)
        return tuple(Row(after + place, fact, at) for place, fact in enumerate(facts, 1))

    async def read(self, table: TableId, after: int = 0) -> list[Row]:
        """The log behind a sequence number; of an unknown table it is empty."""

        def job(connection: Connection) -> list[Row]:  # a long log takes seconds to decode: in a thread
            query = select(event.c.seq, event.c.body, event.c.at)
            query = query.where(event.c.table_id == _asked_for(table), event.c.seq > after).order_by(
                event.c.seq
            )
            rows = connection.execute(query)
            return [Row(seq, FACT.decode(body), at) for seq, body, at in rows]

        return await self.database.read(job)

    async def applied(self, table: TableId, cmd: str) -> int | None:
        """Where in the log a command has been applied."""
        query = select(event.c.seq).where(event.c.table_id == table, event.c.cmd_id == cmd)
        return await self.database.read(lambda connection: connection.execute(query).scalar_one_or_none())

    async def lengths(self, tables: Collection[TableId]) -> dict[TableId, int]:
        """How long the logs of these tables are."""
        query = select(event.c.table_id, func.max(event.c.seq)).where(event.c.table_id.in_(tables))
        query = query.group_by(event.c.table_id)
        return await self.database.read(lambda connection: dict(map(tuple, connection.execute(query))))

    # --- lists -----------------------------------------------------------------------------------------

    async def game(self, table: TableId) -> Game | None:
        """A table."""
        query = select(game).where(game.c.id == _asked_for(table))
        games = await self.database.read(lambda connection: _games(connection.execute(query).mappings()))
        return games[0] if games else None

    async def lobby(self, now: float) -> list[Game]:
        """The public tables that are open or being played, the liveliest first."""
        query = select(game).where(game.c.public, game.c.moment != "over", game.c.updated_at > now - LOBBY)
        query = query.order_by(game.c.updated_at.desc()).limit(LISTED)
        return await self.database.read(lambda connection: _games(connection.execute(query).mappings()))

    async def history(self, player_id: PlayerId) -> list[Game]:
        """The tables at which somebody has sat, the last first."""

        def job(connection: Connection) -> list[Game]:
            ids = all_ids(connection, player_id)
            query = select(game, game_player.c.seat).join(game_player)
            query = query.where(game_player.c.player_id.in_(ids), game_player.c.seat.is_not(None))
            query = query.order_by(game.c.updated_at.desc()).limit(LISTED)
            return _games(connection.execute(query).mappings())

        return await self.database.read(job)

    async def figures(self, player_id: PlayerId, since: float) -> figures.Sums:
        """What somebody has won and lost, and how much of it since a time."""
        return await self.database.read(
            lambda connection: figures.sums(connection, all_ids(connection, player_id), since)
        )

    # --- presence --------------------------------------------------------------------------------------

    async def be_present(self, node: str, people: Iterable[tuple[TableId, PlayerId]], now: float) -> None:
        """Say who is connected to this process, instead of what it has said before."""
        rows = [
            {"table_id": table, "player_id": player_id, "node": node, "seen_at": now}
            for table, player_id in people
        ]

        def job(connection: Connection) -> None:
            old = (presence.c.node == node) | (presence.c.seen_at < now - GONE)
            connection.execute(delete(presence).where(old))
            if rows:
                connection.execute(insert(presence), rows)

        await self.database.write(job)

    async def present(
        self, tables: Collection[TableId], node: str, since: float
    ) -> dict[TableId, frozenset[PlayerId]]:
        """Who is connected to other processes."""
        there = presence.c
        query = select(there.table_id, there.player_id)
        query = query.where(there.table_id.in_(tables), there.node != node, there.seen_at > since)
        found: dict[TableId, set[PlayerId]] = defaultdict(set)
        for table, player_id in await self.database.read(lambda connection: connection.execute(query).all()):
            found[table].add(player_id)
        return {table: frozenset(people) for table, people in found.items()}

    # --- forgetting ------------------------------------------------------------------------------------

    async def forget(self, player_id: PlayerId) -> list[TableId]:
        """Delete what there is about a person; the tables out of whose logs name and words are gone."""
        ids = await self.database.read(lambda connection: all_ids(connection, player_id))
        query = select(game_player.c.game_id).where(game_player.c.player_id.in_(ids)).distinct()
        tables = await self.database.read(lambda connection: list(connection.execute(query).scalars()))
        for table in tables:
            await self.database.write(partial(_forget_at, table, ids))

        def job(connection: Connection) -> None:
            connection.execute(delete(session).where(session.c.player_id.in_(ids)))
            connection.execute(delete(game_player).where(game_player.c.player_id.in_(ids)))
            connection.execute(delete(presence).where(presence.c.player_id.in_(ids)))
            figures.forget(connection, ids)
            connection.execute(delete(player).where(player.c.id.in_(ids)))

        await self.database.write(job)
        return tables


def _asked_for(table: TableId) -> str:
    """The id in an address, which anybody can write: PostgreSQL cannot even look for a NUL."""
    return table.replace("\0", "\N{REPLACEMENT CHARACTER}")


def _rows(
    table: TableId, after: int, facts: Sequence[Fact], at: float, cmd: str | None
) -> list[dict[str, Any]]:
    """Facts as rows; the first carries the command."""
    return [
        {
            "table_id": table,
            "seq": after + place,
            "kind": type(fact).__name__,
            "body": msgspec.json.encode(fact).decode(),
            "cmd_id": cmd if place == 1 else None,
            "at": at,
        }
        for place, fact in enumerate(facts, 1)
    ]


def _listed(summary: Summary, at: float) -> dict[str, Any]:
    return {
        "moment": summary.moment,
        "number": summary.number,
        "names": msgspec.json.encode(summary.names).decode(),
        "kinds": msgspec.json.encode(summary.kinds).decode(),
        "series": msgspec.json.encode(summary.series).decode(),
        "updated_at": at,
    }


def _games(rows: Iterable[RowMapping]) -> list[Game]:
    return [
        Game(
            id=row["id"],
            settings=SETTINGS.decode(row["settings"]),
            title=row["title"],
            moment=row["moment"],
            number=row["number"],
            names=msgspec.json.decode(row["names"], type=tuple[str, ...]),
            kinds=msgspec.json.decode(row["kinds"], type=tuple[str, ...]),
            series=msgspec.json.decode(row["series"], type=tuple[tuple[int, ...], ...]),
            at=row["updated_at"],
            seat=row.get("seat"),
        )
        for row in rows
    ]


def _note_people(connection: Connection, table: TableId, people: Mapping[PlayerId, Seat | None]) -> None:
    """Note who has been at a table; a seat is not forgotten when its player only speaks later."""
    if not people:
        return
    statement = _insert(connection, game_player)
    seat = func.coalesce(statement.excluded.seat, game_player.c.seat)
    statement = statement.on_conflict_do_update(index_elements=["game_id", "player_id"], set_={"seat": seat})
    rows = [{"game_id": table, "player_id": one, "seat": seat} for one, seat in people.items()]
    connection.execute(statement, rows)


def _insert(connection: Connection, table: Table) -> sqlite.Insert | postgresql.Insert:
    """An insert that can say what happens on a conflict; both databases spell it alike."""
    if connection.dialect.name == "sqlite":
        return sqlite.insert(table)
    return postgresql.insert(table)


def _forget_at(table: TableId, ids: Sequence[PlayerId], connection: Connection) -> None:
    """Take a person's name and words out of the log of one table, and out of its lines in lists."""
    query = select(event.c.seq, event.c.body).where(event.c.table_id == table).order_by(event.c.seq)
    log = [(seq, body, FACT.decode(body)) for seq, body in connection.execute(query)]
    taken = [fact for _, _, fact in log if isinstance(fact, SeatTaken)]
    for seq, body, fact in log:
        for player_id in ids:
            fact = forget(fact, player_id, frozenset(one.seat for one in taken if one.player == player_id))
        forgotten = msgspec.json.encode(fact).decode()
        if forgotten != body:
            where = (event.c.table_id == table) & (event.c.seq == seq)
            connection.execute(update(event).where(where).values(body=forgotten))
    names = connection.execute(select(game.c.names).where(game.c.id == table)).scalar_one()
    shown = list(msgspec.json.decode(names, type=list[str]))
    holders = {
        fact.seat: fact.player if isinstance(fact, SeatTaken) else None
        for _, _, fact in log
        if isinstance(fact, SeatTaken | BotSeated | SeatLeft)
    }
    for seat, holder in holders.items():
        shown[seat] = NOBODY if holder in ids else shown[seat]
    values = {"names": msgspec.json.encode(shown).decode()}
    connection.execute(update(game).where(game.c.id == table).values(**values))
