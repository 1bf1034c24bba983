"""Writing to the logs of tables: many of them at once, with few statements.

A move is little to write; what takes time is to ask for it. So the moves that are written together are
checked and written by one statement in PostgreSQL, and in SQLite by one for all rows of a kind. If one of
them may not be written, none is, and whoever asked does so again for each alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

import msgspec
from msgspec import Struct
from sqlalchemy import Connection, bindparam, exists, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from ultimo.answers.refusing import Refusal
from ultimo.events import Seat
from ultimo.server import figures
from ultimo.server.database import Check, insert_or_change, no_limit
from ultimo.server.figures import Figure
from ultimo.server.leases import HELD, Lease, LeaseLost
from ultimo.server.schema import event, game, game_player, player, session
from ultimo.table.facts import Fact, PlayerId, TableOpened
from ultimo.table.pages import Summary
from ultimo.table.settings import rules_of

TableId: TypeAlias = str

KEPT = "kept"  # what `game.log` says of a log that is there

# What is asked and done at every move, put together once.
LASTS = (
    select(player.c.deleted_at)
    .where(player.c.id == bindparam("player"))
    .where(
        exists().where(session.c.token_hash == bindparam("token"), session.c.expires_at > bindparam("now"))
    )
)
DELETED = select(player.c.deleted_at).where(player.c.id == bindparam("player")).with_for_update(read=True)
WRITE = insert(event)
TOUCH = (
    update(game)
    .where(game.c.id == bindparam("table"), game.c.log == KEPT)
    .values(updated_at=bindparam("updated_at"))
)
# The same in one statement for PostgreSQL: how many leases are held and cannot be taken over before the
# transaction ends, how many people are there and cannot be deleted before, how many rows were written and
# how many tables touched. It is done in this order, and each of these in the order in which rows are given,
# so that no two processes wait for each other.
MOVES = f"""
WITH held AS ({HELD}), there AS (
    SELECT FROM player
    JOIN unnest(%(people)b::text[], %(tokens)b::text[], %(times)b::float8[]) AS given (id, token, now)
    USING (id)
    WHERE deleted_at IS NULL
    AND EXISTS (SELECT FROM session WHERE token_hash = given.token AND expires_at > given.now)
    ORDER BY id FOR SHARE OF player
), written AS (
    INSERT INTO event (table_id, seq, kind, body, cmd_id, at)
    SELECT * FROM unnest(
        %(table_id)b::text[], %(seq)b::int[], %(kind)b::text[], %(body)b::text[], %(cmd_id)b::text[],
        %(at)b::float8[]
    )
    RETURNING 1
), touched AS (
    UPDATE game SET updated_at = given.at
    FROM unnest(%(tables)b::text[], %(touched)b::float8[]) AS given (id, at)
    WHERE game.id = given.id AND log = '{KEPT}'
    RETURNING 1
)
SELECT (SELECT count(*) FROM held), (SELECT count(*) FROM there), (SELECT count(*) FROM written),
    (SELECT count(*) FROM touched)
"""


class UnknownTable(LookupError):
    """There is no such table."""

    def __init__(self, table: TableId) -> None:
        super().__init__(f"there is no table {table}")
        self.table = table


class Conflict(Exception):
    """The log has gone on, or the command has been applied: read on, and decide again."""


class Deleted(Refusal):
    """The person's data has been deleted, or is being, or the session has ended: nothing more is written."""

    def __init__(self) -> None:
        super().__init__(401, "noSession")


class Opening(Struct, frozen=True):
    """The facts with which a table begins, what lists show of it then, and whether it may."""

    facts: tuple[Fact, ...]
    summary: Summary
    allow: Check = no_limit  # refuses it if its host has enough tables


class Append(Struct, frozen=True):
    """Facts that are to be written behind the one that the writer has seen last.

    A command is given as it is `bound` to its sender, a summary where it has changed, a speaker who has not
    been at this table before, and the figures of a deal that these facts end. A deal of which they take
    something back has none. Another table that these facts open begins with them, or not at all. They are
    written under a lease only if it is held, and by somebody with a token only while the session lasts.
    """

    table: TableId
    after: int
    facts: Sequence[Fact]
    at: float
    cmd: str | None = None
    summary: Summary | None = None
    speaker: PlayerId | None = None
    figured: Sequence[Figure] = ()
    taken_back: int | None = None
    lease: Lease | None = None
    opening: Opening | None = None
    by: PlayerId | None = None
    token: str | None = None
    allow: Check = no_limit  # refuses it inside the transaction

    @property
    def people(self) -> dict[PlayerId, Seat | None]:
        """Who is noted to have been at the table."""
        spoken: dict[PlayerId, Seat | None] = {} if self.speaker is None else {self.speaker: None}
        return spoken | dict(self.summary.people if self.summary is not None else ())


def append_all(connection: Connection, appends: Sequence[Append]) -> list[None]:
    """Write all of these or nothing: raises `Conflict`, `LeaseLost`, `Deleted` or `UnknownTable`."""
    for one in appends:
        one.allow(connection)
        if one.by is not None and one.token is None:
            must_be_there(connection, one.by)
    write = _write_one_kind_after_another if connection.dialect.name == "sqlite" else _write_at_once
    try:
        write(connection, appends)
    except IntegrityError as error:
        raise Conflict from error
    for one in appends:
        if one.summary is not None:
            kept = (game.c.id == one.table) & (game.c.log == KEPT)
            listed = update(game).where(kept).values(**listed_as(one.summary, one.at))
            _must_be_kept(connection.execute(listed).rowcount == 1, one)
    note_people(connection, [(one.table, one.people) for one in appends])
    for one in appends:
        if one.taken_back is not None:
            figures.drop(connection, one.table, one.taken_back)
        figures.note(connection, one.table, one.at, one.figured)
        if one.opening is not None:
            begin(connection, one.opening, one.at)
    return [None] * len(appends)


def _write_at_once(connection: Connection, appends: Sequence[Append]) -> None:
    """Check leases and sessions, write all facts, and note when, with one question to PostgreSQL."""
    leases = [one.lease for one in appends if one.lease is not None]
    people = sorted((one.by, one.token, one.at) for one in appends if one.by is not None and one.token)
    touched, rows = _touched(appends), _all_rows(appends)
    given = {
        "leased": [lease.table for lease in leases],
        "nodes": [lease.node for lease in leases],
        "fences": [lease.fence for lease in leases],
        "people": [by for by, _, _ in people],
        "tokens": [token for _, token, _ in people],
        "times": [at for _, _, at in people],
        "tables": list(touched),
        "touched": list(touched.values()),
    } | {name: [row[name] for row in rows] for name in ("table_id", "seq", "kind", "body", "cmd_id", "at")}
    held, there, _, found = connection.exec_driver_sql(MOVES, given).one()
    if held != len(leases):
        raise LeaseLost(leases[0].table)
    if there != len(people):
        raise Deleted
    _must_be_kept(found == len(touched), appends[0])


def _write_one_kind_after_another(connection: Connection, appends: Sequence[Append]) -> None:
    """The same for SQLite, where nobody else writes meanwhile and there are no leases."""
    for one in appends:
        if one.by is not None and one.token is not None:
            given = {"player": one.by, "token": one.token, "now": one.at}
            found = connection.execute(LASTS, given).first()
            if found is None or found.deleted_at is not None:
                raise Deleted
    connection.execute(WRITE, _all_rows(appends))
    touched = [{"table": table, "updated_at": at} for table, at in _touched(appends).items()]
    if touched:
        _must_be_kept(connection.execute(TOUCH, touched).rowcount == len(touched), appends[0])


def _must_be_kept(kept: bool, append: Append) -> None:
    """Nothing may be written behind a log that is being deleted."""
    if not kept:
        raise UnknownTable(append.table)


def _touched(appends: Sequence[Append]) -> dict[TableId, float]:
    """The tables of which lists show nothing new but the time, and that."""
    return {one.table: one.at for one in appends if one.summary is None}


def _all_rows(appends: Sequence[Append]) -> list[dict[str, Any]]:
    return [row for one in appends for row in rows_of(one.table, one.after, one.facts, one.at, one.cmd)]


def must_be_there(connection: Connection, player_id: PlayerId) -> None:
    """Raise `Deleted` if a person's data has been deleted, or is being; until the commit it is not."""
    if connection.execute(DELETED, {"player": player_id}).scalar_one_or_none() is not None:
        raise Deleted


def note_people(
    connection: Connection, people: Iterable[tuple[TableId, Mapping[PlayerId, Seat | None]]]
) -> None:
    """Note who has been at tables; a seat is not forgotten when its player only speaks later."""
    rows = [
        {"game_id": table, "player_id": one, "seat": seat}
        for table, there in people
        for one, seat in there.items()
    ]
    if not rows:
        return
    statement = insert_or_change(connection, game_player)
    seat = func.coalesce(statement.excluded.seat, game_player.c.seat)
    statement = statement.on_conflict_do_update(index_elements=["game_id", "player_id"], set_={"seat": seat})
    connection.execute(statement, rows)


# --- values and rows -----------------------------------------------------------------------------------


def encoded(value: object) -> str:
    """A value as it stands in a column."""
    return msgspec.json.encode(value).decode()


def rows_of(
    table: TableId, after: int, facts: Sequence[Fact], at: float, cmd: str | None
) -> list[dict[str, Any]]:
    """Facts as rows; the first carries the command."""
    return [
        {
            "table_id": table,
            "seq": after + place,
            "kind": type(fact).__name__,
            "body": encoded(fact),
            "cmd_id": cmd if place == 1 else None,
            "at": at,
        }
        for place, fact in enumerate(facts, 1)
    ]


def begin(connection: Connection, opening: Opening, at: float) -> None:
    """Write the beginning of a table."""
    opened = opening.facts[0]
    assert isinstance(opened, TableOpened)
    opening.allow(connection)
    must_be_there(connection, opened.host)
    connection.execute(insert(game).values(**opened_as(opened, at), **listed_as(opening.summary, at)))
    note_people(connection, [(opened.table, dict(opening.summary.people))])
    connection.execute(WRITE, rows_of(opened.table, 0, opening.facts, at, None))


def opened_as(opened: TableOpened, at: float) -> dict[str, Any]:
    """What lists show of a table from its beginning on."""
    return {
        "id": opened.table,
        "settings": encoded(opened.settings),
        "title": rules_of(opened.settings).title,
        "host": opened.host,
        "public": opened.settings.public,
        "created_at": at,
    }


def listed_as(summary: Summary, at: float) -> dict[str, Any]:
    """What lists show of a table now."""
    shown = {name: encoded(getattr(summary, name)) for name in ("names", "kinds", "series")}
    return {"moment": summary.moment, "number": summary.number, "updated_at": at} | shown
