"""A database that runs jobs: SQLite in a file, or PostgreSQL.

A job is a plain function of a connection, run in a thread inside one transaction. Much can be written
together: what comes within a hundredth of a second shares a transaction and one wait for the disk, which
takes longer than all of it, and what is of one kind is given to its writer at once. If something fails, all
is written again, each by itself, so that it does not hurt the others; hardly anything does. For SQLite one
thread writes, and all jobs together. Driven statement by statement from the event loop, the same takes seven
times the processor.

Nothing hangs for ever: PostgreSQL ends statements and forgotten transactions by itself, and where it does not
answer at all the connection is cut. What fails then is `Unavailable`: nothing was written. Only where the
answer to a COMMIT is missing can nobody know, and that is `Unsure`.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import socket
import sqlite3
import time
from collections.abc import Awaitable, Callable, Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial
from itertools import groupby
from pathlib import Path
from threading import Lock
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar

import sqlalchemy as sa
from sqlalchemy import URL, ColumnElement, Connection, Engine, Table, create_engine, event, make_url
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.engine import RootTransaction
from sqlalchemy.exc import (
    ArgumentError,
    DBAPIError,
    InterfaceError,
    InternalError,
    OperationalError,
    SQLAlchemyError,
)
from sqlalchemy.exc import TimeoutError as NoConnectionLeft

from ultimo.server.files import make_private
from ultimo.server.logs import logger
from ultimo.server.schema import upgrade

T = TypeVar("T")
S = TypeVar("S")
Job: TypeAlias = Callable[[Connection], T]
Check: TypeAlias = Callable[[Connection], None]  # raises a `Refusal` inside the transaction that it refuses
Writer: TypeAlias = Callable[[Connection, Sequence[S]], Sequence[T]]

GROUP = 200  # of them in a transaction at most
GAP = 0.01  # seconds from the beginning of such a transaction to that of the next
BUSY = 10  # seconds that SQLite waits for another process,
UPGRADING = 600  # that it waits for one that brings the schema up to date,
AGAIN = 0.01  # and after which it is asked again where it does not wait by itself
STATEMENT = 10  # seconds after which PostgreSQL gives up a statement,
FORGOTTEN = 5  # and a transaction in which its client says nothing more, so that its locks are free
ANSWER = 15.0  # seconds after which a PostgreSQL that does not answer at all is given up
LINES: Final = {  # how soon a connection to a machine that has vanished is noticed
    "connect_timeout": "5",
    "keepalives_idle": "5",
    "keepalives_interval": "2",
    "keepalives_count": "2",
    "tcp_user_timeout": "9000",
}
NO_SPACE: Final = {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_IOERR_SHMSIZE}
DISK_FULL: Final = "53100"  # PostgreSQL
READING = 3  # seconds that it waits for readers, until it empties its journal
PERSONAL = (  # tables in which people's names and words stand
    "player",
    "session",
    "device",
    "lookalike",
    "event",
    "game",
    "game_player",
    "sheet",
    "sheet_fact",
    "tournament",
    "tournament_fact",
)


class Waiting(NamedTuple):
    """Something that is to be written together with others, by whom, and who waits for it."""

    where: str
    write: Writer[Any, Any]
    what: Any
    future: asyncio.Future[Any]


class DatabaseError(RuntimeError):
    """A database that cannot be opened."""


class Unavailable(RuntimeError):
    """The database does not answer, or cannot do what it is asked: nothing was written. Ask again later."""


class Full(Unavailable):
    """There is no space to write: nothing was written."""


class Unsure(Unavailable):
    """The database has not answered a COMMIT: what was to be written is there, or not. Send it again."""


def url_of(database: str) -> URL:
    """The address of a database: `postgresql://…`, or the path of a file for SQLite."""
    if "://" not in database:
        return URL.create("sqlite", database=str(Path(database).expanduser()))
    try:
        url = make_url(database)
    except ArgumentError as error:
        raise DatabaseError(f"{database!r} is not the address of a database") from error
    match url.get_backend_name():
        case "postgresql" | "postgres":
            return _with_timeouts(url.set(drivername="postgresql+psycopg"))
        case "sqlite":
            return url
        case other:
            raise DatabaseError(f"{other} is not supported: give postgresql://… or the path of a file")


def _with_timeouts(url: URL) -> URL:
    """An address of PostgreSQL with what keeps connections from hanging, where it says nothing else."""
    ends = f"-c statement_timeout={STATEMENT}s -c idle_in_transaction_session_timeout={FORGOTTEN}s"
    options = str(url.query.get("options", ""))
    if ends not in options:
        url = url.update_query_dict({"options": f"{ends} {options}".strip()})  # the last word counts
    return url.update_query_dict({name: value for name, value in LINES.items() if name not in url.query})


class Database:
    """A database; `embedded` says that it is a file of SQLite, which no other process works with.

    `answer` is for how many seconds an answer of PostgreSQL is waited for.
    """

    def __init__(self, database: str, connections: int = 8, answer: float = ANSWER) -> None:
        self.url = url_of(database)
        self._answer = answer
        self.embedded = self.url.get_backend_name() == "sqlite"
        if self.file is not None:
            make_private(self.file, own=False)
        self.engine = _embedded(self.url) if self.embedded else _served(self.url, connections)
        self._threads = ThreadPoolExecutor(connections, "database")
        self._writer = ThreadPoolExecutor(1, "writer") if self.embedded else self._threads
        self._waiting: list[Waiting] = []
        self._flushing: asyncio.Task[None] | None = None
        self._flushed_at = -GAP
        self._writing: set[asyncio.Task[None]] = set()
        self._full = False  # the last write has failed for want of space
        self._one_scrubs = asyncio.Lock()
        self._asked = self._done = 0  # how often the journal was to be emptied, and has been
        self._scrubbing: asyncio.Task[None] | None = None

    @property
    def file(self) -> Path | None:
        """The file of SQLite."""
        return Path(self.url.database) if self.embedded and self.url.database else None

    @property
    def address(self) -> str:
        """What psycopg connects to; there a plus is a plus."""
        whole = self.url.set(drivername="postgresql").render_as_string(hide_password=False)
        place, _, query = whole.partition("?")
        return f"{place}?{query.replace('+', '%20')}"

    async def start(self) -> None:
        """Bring the schema up to date."""
        await asyncio.get_running_loop().run_in_executor(self._writer, upgrade, self.engine)

    async def read(self, job: Job[T]) -> T:
        """Run a job that only reads; may raise `Unavailable`."""
        return await self._run(job, False)

    async def write(self, job: Job[T]) -> T:
        """Run a job; once this returns, what it wrote is safe. May raise `Unavailable`, and so `Unsure`."""
        return await self._noting_space(
            self._together(_each, job, "") if self.embedded else self._run(job, True)
        )

    async def write_together(self, write: Writer[S, T], what: S, where: str) -> T:
        """Have something written with whatever else this writer is given just then; else the same.

        It is given them in the order of where they are written to, so that no two groups of different
        processes wait for each other.
        """
        return await self._noting_space(self._together(write, what, where))

    async def _noting_space(self, writing: Awaitable[T]) -> T:
        try:
            done = await writing
        except Full:
            self._full = True
            raise
        self._full = False
        return done

    async def has_room(self, reserve: int) -> bool:
        """Whether more can be written: so many bytes are free, and the last write had space."""
        if self.file is not None and await asyncio.to_thread(_free, self.file) < reserve:
            return False
        if self._full:
            with suppress(Full):
                await self.write(_touch)
        return not self._full

    async def _together(self, write: Writer[S, T], what: S, where: str) -> T:
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()
        self._waiting.append(Waiting(where, write, what, future))
        if self._flushing is None or self._flushing.done():
            self._flushing = loop.create_task(self._flush())
        return await future

    async def _run(self, job: Job[T], writes: bool) -> T:
        """Run a job in a thread; where PostgreSQL is silent for too long, its connection is cut."""
        line = Line()
        work = self._threads.submit(_transact, self.engine, job, writes, line)
        timer = asyncio.get_running_loop().call_later(self._answer, line.cut)
        try:
            return await asyncio.wrap_future(work)
        finally:
            if work.done() or self.embedded:  # else nobody waits for it any longer, but it still runs
                timer.cancel()

    async def scrub(self) -> None:
        """Leave nothing of what was deleted in the files of the database, as far as it can be done from here.

        SQLite overwrites what is deleted, but its journal of changes (the WAL) has the pages as they were: it
        is emptied. PostgreSQL makes the room of deleted rows free, to be used again.
        """
        if self.embedded:
            await self._scrubbed()
        elif self._scrubbing is None or self._scrubbing.done():  # else the next time, or PostgreSQL by itself
            self._scrubbing = asyncio.create_task(asyncio.to_thread(_vacuum, self.engine))

    async def _scrubbed(self) -> None:
        """Empty the journal; whoever asks while it is being emptied shares the next time with others."""
        self._asked += 1
        mine = self._asked
        async with self._one_scrubs:
            if self._done < mine:
                upto = self._asked
                await asyncio.get_running_loop().run_in_executor(self._writer, _empty_journal, self.engine)
                self._done = upto

    async def close(self) -> None:
        """Wait for what is being written, and close all connections."""
        if self._flushing is not None:
            await self._flushing
        await asyncio.gather(*self._writing)
        if self._scrubbing is not None:
            await self._scrubbing
        await asyncio.to_thread(self._threads.shutdown)
        await asyncio.to_thread(self._writer.shutdown)
        self.engine.dispose()

    async def _flush(self) -> None:
        """Write all that waits, and what comes meanwhile. PostgreSQL can write several groups at a time."""
        loop = asyncio.get_running_loop()
        while self._waiting:
            await asyncio.sleep(self._flushed_at + GAP - loop.time())
            self._flushed_at = loop.time()
            group, self._waiting = self._waiting[:GROUP], self._waiting[GROUP:]
            writing = loop.create_task(self._write_group(group))
            if self.embedded:
                await writing
            else:
                self._writing.add(writing)
                writing.add_done_callback(self._writing.discard)

    async def _write_group(self, group: list[Waiting]) -> None:
        """Write what some wait for, and let them know."""
        group.sort(key=lambda one: one.where)  # whoever wrote to the same place first is still first
        try:
            outcomes = await self._outcomes(group)
        except Exception as error:  # the transaction itself: whoever waits for it hears so
            outcomes = [error] * len(group)
        for one, outcome in zip(group, outcomes, strict=True):
            if one.future.done():  # nobody waits any more
                continue
            if isinstance(outcome, BaseException):
                told = _told(outcome) if isinstance(outcome, SQLAlchemyError) else outcome
                one.future.set_exception(told)
            else:
                one.future.set_result(outcome)

    async def _outcomes(self, group: Sequence[Waiting]) -> Sequence[Any]:
        """What comes of all that is written together, or the exceptions with which it ends."""
        if self.embedded:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._writer, _transact_all, self.engine, group)
        try:
            return await self._run(partial(_written, group), True)
        except Unavailable:
            raise
        except Exception as error:  # nothing has been written
            if len(group) == 1:
                return [error]
            alone = (self._run(partial(_written_alone, one), True) for one in group)
            return await asyncio.gather(*alone, return_exceptions=True)


def _each(connection: Connection, jobs: Sequence[Job[T]]) -> list[T]:
    """The writer of whatever is of no kind."""
    return [job(connection) for job in jobs]


def _written(group: Sequence[Waiting], connection: Connection) -> list[Any]:
    """Write a group, what follows on each other by the same writer at once; what comes of it."""
    kinds = groupby(group, key=lambda one: one.write)
    return [done for write, some in kinds for done in write(connection, [one.what for one in some])]


def _written_alone(one: Waiting, connection: Connection) -> Any:
    (done,) = _written([one], connection)
    return done


def _is_full(error: BaseException | None) -> bool:
    """Whether something could not be written for want of space: nothing of its transaction is there.

    Behind a quota or a limit of the file's size SQLite only says that it cannot write. A rollback that fails
    because SQLite has already done it hides what went wrong first.
    """
    while error is not None:
        driver = getattr(error, "orig", None)
        code, state = getattr(driver, "sqlite_errorcode", None), getattr(driver, "sqlstate", None)
        if code in NO_SPACE or state == DISK_FULL:
            return True
        error = error.__cause__ or error.__context__
    return False


def _touch(connection: Connection) -> None:
    """Write something that changes nothing."""
    connection.execute(sa.text("UPDATE alembic_version SET version_num = version_num"))


def _free(file: Path) -> int:
    return shutil.disk_usage(file.parent).free


def insert_or_change(connection: Connection, table: Table) -> sqlite.Insert | postgresql.Insert:
    """An insert that can say what happens on a conflict; both databases spell it alike."""
    return sqlite.insert(table) if connection.dialect.name == "sqlite" else postgresql.insert(table)


def one_by_one(connection: Connection, key: str) -> None:
    """Wait until no other transaction does what has this key: what is counted now is so until the commit.

    SQLite writes one by one anyway.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(sa.func.hashtextextended(key, 0))))


def no_limit(_: Connection) -> None:
    """Let something be begun, whatever there is already."""


def among(connection: Connection, column: ColumnElement[str], values: Collection[str]) -> ColumnElement[bool]:
    """Whether a column has one of many values; for PostgreSQL they are one array, and one statement for all.

    Written one by one they would be a new statement for each number of them, which takes longer than to look.
    """
    if connection.dialect.name == "sqlite":
        return column.in_(values)
    return column == sa.any_(sa.literal(list(values), ARRAY(sa.Text)))


# The time by the clock of the database, in seconds since 1970, when the statement comes to it. PostgreSQL is
# asked once a statement, so that an index can be used for what is compared.
SQLITE_CLOCK: Final[ColumnElement[float]] = (sa.func.julianday("now") - 2440587.5) * 86400.0
POSTGRES_CLOCK: Final[ColumnElement[float]] = sa.select(
    sa.cast(sa.extract("epoch", sa.func.clock_timestamp()), sa.Double)
).scalar_subquery()


def clock_of(connection: Connection) -> ColumnElement[float]:
    """The clock of the database."""
    return SQLITE_CLOCK if connection.dialect.name == "sqlite" else POSTGRES_CLOCK


class Line:
    """The connection over which a job runs, for whoever has waited for the job too long."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._driver: Any = None
        self.is_cut = False

    @contextmanager
    def over(self, connection: Connection) -> Iterator[None]:
        """Run over this connection, unless it is too late."""
        with self._lock:
            self.check()
            self._driver = connection.connection.dbapi_connection
        try:
            yield
        finally:
            with self._lock:
                self._driver = None

    def check(self) -> None:
        """Begin nothing that nobody waits for any longer."""
        if self.is_cut:
            raise Unavailable("it was waited for too long")

    def cut(self) -> None:
        """Let the job fail at once; it waits for a network that is silent."""
        with self._lock:
            self.is_cut = True
            if self._driver is not None:
                with suppress(Exception), socket.socket(fileno=os.dup(self._driver.fileno())) as wire:
                    wire.shutdown(socket.SHUT_RDWR)


def _transact(engine: Engine, job: Job[T], writes: bool, line: Line) -> T:
    """Run a job in a transaction of its own; once more if the connection turns out to have been lost."""
    for last in (False, True):
        line.check()
        try:
            connecting = engine.connect().execution_options(writes=writes)
            with connecting as connection, line.over(connection), connection.begin() as transaction:
                result = job(connection)
                _commit(transaction, writes)
                return result
        except SQLAlchemyError as error:
            lost = isinstance(error, DBAPIError) and error.connection_invalidated
            if last or not lost or line.is_cut:
                raise _told(error) from error
    raise AssertionError("unreachable")


def _transact_all(engine: Engine, group: Sequence[Waiting]) -> list[Any]:
    """Write a group in one transaction; what comes of it, or the exception with which it ends."""
    try:
        connecting = engine.connect().execution_options(writes=True)
        with connecting as connection, connection.begin() as transaction:
            outcomes = _written(group, connection)
            _commit(transaction, True)
            return outcomes
    except Unsure:
        raise
    except Exception as error:  # nothing has been written
        return [error] if len(group) == 1 else _transact_each(engine, group)


def _transact_each(engine: Engine, group: Sequence[Waiting]) -> list[Any]:
    """The same, where something fails: each in a savepoint.

    When the disk is full, SQLite rolls everything back by itself; then nothing is written.
    """
    outcomes: list[Any] = []
    connecting = engine.connect().execution_options(writes=True)
    with connecting as connection, connection.begin() as transaction:
        for one in group:
            try:
                with connection.begin_nested():
                    outcomes.append(_written_alone(one, connection))
            except Exception as error:
                if not _in_transaction(connection):
                    raise
                outcomes.append(error)
        _commit(transaction, True)
    return outcomes


def _commit(transaction: RootTransaction, writes: bool) -> None:
    """Commit; where that fails, nobody knows whether it has been done, unless there was no space for it."""
    try:
        transaction.commit()
    except SQLAlchemyError as error:
        code = getattr(getattr(error, "orig", None), "sqlite_errorcode", None)
        if writes and code != sqlite3.SQLITE_BUSY and not _is_full(error):
            transaction.connection.invalidate()  # nobody knows what it is in the middle of
            raise Unsure("the answer to a COMMIT is missing") from error
        raise


def _told(error: SQLAlchemyError) -> Exception:
    """An error as it is told: trouble with the database itself, or a fault in what it was asked."""
    if not isinstance(error, OperationalError | InterfaceError | InternalError | NoConnectionLeft):
        return error
    kind = Full if _is_full(error) else Unavailable
    trouble = kind(type(getattr(error, "orig", None) or error).__name__)
    trouble.__cause__ = error
    return trouble


def _empty_journal(engine: Engine) -> None:
    """Write what stands in the journal into the file, and leave the journal empty; readers are waited for."""
    connection = engine.raw_connection()
    try:
        cursor = connection.cursor()
        cursor.execute(f"PRAGMA busy_timeout = {READING * 1000}")
        busy, *_ = cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        cursor.execute(f"PRAGMA busy_timeout = {BUSY * 1000}")
        if busy:
            logger().warning(
                "the journal of the database could not be emptied: another program is reading it"
            )
    finally:
        connection.close()


def _vacuum(engine: Engine) -> None:
    """Free the room of deleted rows; only the pages that have some are looked at."""
    try:
        with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.exec_driver_sql(f"VACUUM (SKIP_LOCKED) {', '.join(PERSONAL)}")
    except DBAPIError as error:
        logger().warning("deleted rows could not be cleared away", error=type(error.orig).__name__)


def _in_transaction(connection: Connection) -> bool:
    """Whether SQLite is still in the transaction."""
    driver = connection.connection.dbapi_connection
    return driver is not None and bool(driver.in_transaction)


def _served(url: URL, connections: int) -> Engine:
    try:
        return create_engine(url, pool_size=connections, max_overflow=0, hide_parameters=True)
    except ModuleNotFoundError as error:
        raise DatabaseError("PostgreSQL needs psycopg: pip install 'ultimo[postgres]'") from error


def _keep_journal(connection: sqlite3.Connection) -> None:
    """Have changes written to a journal first (the WAL).

    Of two who do so at once with a new file, SQLite turns one away without waiting, whatever the timeout.
    """
    until = time.monotonic() + BUSY
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
            time.sleep(AGAIN)


def _embedded(url: URL) -> Engine:
    """An engine for SQLite that begins transactions by itself: the driver would begin them too late."""
    engine = create_engine(url, hide_parameters=True)  # an error that is logged must name no card

    @event.listens_for(engine, "connect")
    def prepare(connection: sqlite3.Connection, _: Any) -> None:
        connection.isolation_level = None
        connection.execute(f"PRAGMA busy_timeout = {BUSY * 1000}")
        _keep_journal(connection)
        for pragma in (
            "synchronous = FULL",
            "foreign_keys = ON",
            "secure_delete = ON",  # what is deleted is overwritten in the file
        ):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        options = connection.get_execution_options()
        if options.get("upgrades", False):  # another process may upgrade, which takes longer than a write
            connection.exec_driver_sql(f"PRAGMA busy_timeout = {UPGRADING * 1000}")
            connection.exec_driver_sql("BEGIN IMMEDIATE")
            connection.exec_driver_sql(f"PRAGMA busy_timeout = {BUSY * 1000}")
        else:
            connection.exec_driver_sql("BEGIN IMMEDIATE" if options.get("writes", False) else "BEGIN")

    return engine
