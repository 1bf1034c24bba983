"""Backups: all that a database keeps, in one file that either kind of database can be restored from.

The file is JSON lines, compressed by gzip: a header; for each table a line with its columns, and its rows as
arrays; and a trailer with the number of rows and the SHA-256 of all lines before it. Tables stand in an order
in which each row finds what it refers to. The names of tables and columns are those of the revision that the
header names: a restored database is made at that revision, filled, and migrated up.
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from importlib.metadata import version
from typing import Any, BinaryIO, Final, Literal, TypeAlias

import msgspec
import sqlalchemy as sa
from msgspec import Struct
from sqlalchemy import Connection, Engine, MetaData, Table

from ultimo.server.schema import alone, is_known, metadata, migrate, revision_of

FORMAT: Final = 1
VOLATILE: Final = frozenset({"lease", "presence"})  # who drives a table and who is connected, just now
VERSIONS: Final = "alembic_version"
BATCH: Final = 500  # rows that are read or written at a time
LONGEST: Final = 64 * 1024 * 1024  # bytes of a line
MAGIC: Final = b"\x1f\x8b"

Value: TypeAlias = str | int | float | bool | None
Progress: TypeAlias = Callable[[int], None]


class Header(Struct, frozen=True):
    """What a backup says of itself; times are seconds since 1970."""

    ultimo: Literal["backup"]
    format: int
    revision: str
    at: float
    version: str


class Section(Struct, frozen=True):
    """The rows of this table follow."""

    table: str
    columns: tuple[str, ...]


class Trailer(Struct, frozen=True):
    """The end: nothing is missing."""

    rows: dict[str, int]
    sha256: str

    @property
    def total(self) -> int:
        """All rows."""
        return sum(self.rows.values())


class BackupError(RuntimeError):
    """Why there is no backup, or nothing is restored, in a sentence."""


# Made once, as in `ultimo.server.store`.
HEADER: Final = msgspec.json.Decoder(Header)
SECTION: Final = msgspec.json.Decoder(Section)
TRAILER: Final = msgspec.json.Decoder(Trailer)
ROW: Final = msgspec.json.Decoder(list[Value])


# --- saving --------------------------------------------------------------------------------------------


class Saving:
    """A database as it is at one moment, however long it takes to write down and whatever happens to it."""

    def __init__(self, connection: Connection) -> None:
        revision = revision_of(connection)
        if revision is None:
            raise BackupError("there is nothing of ultimo in this database")
        self._connection, self._revision = connection, revision
        self._tables = _tables(connection)
        count = sa.func.count()
        self.rows = {
            name: connection.execute(sa.select(count).select_from(table)).scalar_one()
            for name, table in self._tables.items()
        }

    @property
    def total(self) -> int:
        """How many rows there are."""
        return sum(self.rows.values())

    def write(self, out: BinaryIO, at: float, progress: Progress) -> None:
        """Write all of it; `progress` is told of rows as they are done."""
        digest = sha256()
        with gzip.GzipFile(fileobj=out, mode="wb", filename="", compresslevel=6, mtime=int(at)) as packed:
            for line in self._lines(at, progress):
                digest.update(line)
                packed.write(line)
            packed.write(_line(Trailer(self.rows, digest.hexdigest())))

    def _lines(self, at: float, progress: Progress) -> Iterator[bytes]:
        yield _line(Header("backup", FORMAT, self._revision, at, version("ultimo")))
        for name, table in self._tables.items():
            yield _line(Section(name, tuple(map(str, table.columns.keys()))))
            rows = self._connection.execution_options(yield_per=BATCH).execute(sa.select(table))
            for some in rows.partitions():
                yield b"".join(_line(tuple(row)) for row in some)
                progress(len(some))


def snapshot(engine: Engine) -> Connection:
    """A connection whose transaction sees one state of the database; nobody is kept from writing by it."""
    connection = engine.connect()
    if connection.dialect.name == "postgresql":
        return connection.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
    return connection  # SQLite with a write-ahead log does so in any case


def _tables(connection: Connection) -> dict[str, Table]:
    """The tables as they are, each behind those that it refers to."""
    found = MetaData()
    found.reflect(connection)
    left_out = VOLATILE | {VERSIONS}
    return {str(table.name): table for table in found.sorted_tables if table.name not in left_out}


def _line(value: object) -> bytes:
    return msgspec.json.encode(value) + b"\n"


# --- reading -------------------------------------------------------------------------------------------


def header(file: BinaryIO) -> Header:
    """The header of a backup, which must be one that can be read."""
    try:
        found = HEADER.decode(next(_read(file), b""))
    except msgspec.MsgspecError:
        raise BackupError("is no backup of ultimo") from None
    if found.format > FORMAT or not is_known(found.revision):
        raise BackupError(f"was made by a newer version of ultimo ({found.version}): update ultimo first")
    return found


def check(file: BinaryIO) -> Trailer:
    """Read a backup to its end: whether it is whole, and how many rows it has."""
    header(file)
    digest, counted, trailer, columns = sha256(), dict[str, int](), None, 0
    name = ""
    try:
        for place, line in enumerate(_read(file)):
            if trailer is not None:
                raise BackupError("is damaged: there is more behind its end")
            if line.startswith(b"["):
                if len(ROW.decode(line)) != columns:
                    raise BackupError(f"is damaged in line {place + 1}")
                counted[name] += 1
            elif line.startswith(b'{"rows"'):
                trailer = TRAILER.decode(line)
                continue
            elif place > 0:
                section = SECTION.decode(line)
                name, columns = section.table, len(section.columns)
                counted[name] = 0
            digest.update(line)
    except (msgspec.MsgspecError, UnicodeDecodeError, KeyError):
        raise BackupError(f"is damaged in line {place + 1}") from None
    if trailer is None:
        raise BackupError("is cut off: its end is missing")
    if trailer.sha256 != digest.hexdigest() or trailer.rows != counted:
        raise BackupError("is damaged: its SHA-256 is another")
    return trailer


def _read(file: BinaryIO) -> Iterator[bytes]:
    """The lines of a backup, from its beginning."""
    file.seek(0)
    if file.read(len(MAGIC)) != MAGIC:
        raise BackupError("is no backup of ultimo")
    file.seek(0)
    try:
        with gzip.GzipFile(fileobj=file, mode="rb") as packed:
            while line := packed.readline(LONGEST):
                if not line.endswith(b"\n"):
                    raise BackupError("is cut off or damaged")
                yield line
    except (EOFError, gzip.BadGzipFile, zlib.error):
        raise BackupError("is cut off or damaged") from None


# --- restoring -----------------------------------------------------------------------------------------


def restore(engine: Engine, file: BinaryIO, replace: bool, progress: Progress) -> None:
    """Fill a database with a backup that was checked: all of it, or nothing is changed.

    It must be empty, unless what is in it may be replaced.
    """
    with engine.connect().execution_options(writes=True) as connection, connection.begin():
        alone(connection)
        _refuse_guests(connection)
        _clear(connection, replace)
        migrate(connection, header(file).revision)
        tables = _tables(connection)
        lines = _read(file)
        next(lines)
        _fill(connection, tables, lines, progress)
        migrate(connection)


def _fill(
    connection: Connection, tables: Mapping[str, Table], lines: Iterator[bytes], progress: Progress
) -> None:
    table, columns, rows = None, tuple[str, ...](), list[dict[str, Any]]()

    def write() -> None:
        if table is not None and rows:
            connection.execute(sa.insert(table), rows)
            progress(len(rows))
            rows.clear()

    for line in lines:
        if line.startswith(b"["):
            rows.append(dict(zip(columns, ROW.decode(line), strict=True)))
            if len(rows) == BATCH:
                write()
            continue
        write()
        if line.startswith(b'{"rows"'):
            return
        section = SECTION.decode(line)
        table, columns = tables.get(section.table), section.columns
        if table is None or not set(columns) <= set(table.columns.keys()):
            raise BackupError(f"the backup has a table that is not of its revision: {section.table}")


def _refuse_guests(connection: Connection) -> None:
    """Nobody may work with a database that is being filled; who comes now waits for us to be done."""
    if connection.dialect.name != "postgresql":
        return  # its file is locked
    query = (
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() "
        "AND pid <> pg_backend_pid() AND usesysid IS NOT NULL "  # PostgreSQL's own workers are nobody
        "AND coalesce(backend_type, 'client backend') = 'client backend'"  # hidden from other users
    )
    if connection.execute(sa.text(query)).scalar_one():
        raise BackupError("other programs are connected to this database: stop its servers first")


def _clear(connection: Connection, replace: bool) -> None:
    """Make room: drop the tables that are there, if they are ours and empty, or may be replaced."""
    there = MetaData()
    there.reflect(connection)
    ours = [table for table in there.sorted_tables if table.name in {*metadata.tables, VERSIONS}]
    revision = revision_of(connection)
    foreign = len(ours) < len(there.tables) and connection.dialect.name == "sqlite"
    if foreign or (ours and revision is None):
        raise BackupError("the database has tables of another program: use another")
    if revision is not None and not is_known(revision):
        raise BackupError("the database was made by a newer version of ultimo: update ultimo, or use another")
    kept = [table for table in ours if table.name not in {VERSIONS, *VOLATILE}]
    if not replace and any(_has_rows(connection, table) for table in kept):
        raise BackupError(
            "the database is not empty: use another, or say --replace to delete all that is in it"
        )
    there.drop_all(connection, ours)


def _has_rows(connection: Connection, table: Table) -> bool:
    return connection.execute(sa.select(1).select_from(table).limit(1)).first() is not None
