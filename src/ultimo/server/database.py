"""A database that runs jobs: SQLite in a file, or PostgreSQL.

A job is a plain function of a connection, run in a thread inside one transaction. For SQLite one thread
writes: it takes all jobs that wait into a transaction, so that they share one wait for the disk. If one of
them fails, all are run again, each in a savepoint, so that it does not hurt the others; hardly any does.
Driven statement by statement from the event loop, the same takes seven times the processor.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from sqlalchemy import URL, Connection, Engine, Table, create_engine, event, make_url
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import ArgumentError, DBAPIError

from ultimo.server.schema import upgrade

T = TypeVar("T")
Job: TypeAlias = Callable[[Connection], T]

GROUP = 200  # jobs in a transaction at most
BUSY = 10  # seconds that SQLite waits for another process


class DatabaseError(RuntimeError):
    """A database that cannot be opened."""


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
            return url.set(drivername="postgresql+psycopg")
        case "sqlite":
            return url
        case other:
            raise DatabaseError(f"{other} is not supported: give postgresql://… or the path of a file")


class Database:
    """A database; `embedded` says that it is a file of SQLite, which no other process works with."""

    def __init__(self, database: str, connections: int = 8) -> None:
        self.url = url_of(database)
        self.embedded = self.url.get_backend_name() == "sqlite"
        if self.embedded and self.url.database:
            Path(self.url.database).parent.mkdir(parents=True, exist_ok=True)
        self.engine = _embedded(self.url) if self.embedded else _served(self.url, connections)
        self._threads = ThreadPoolExecutor(connections, "database")
        self._writer = ThreadPoolExecutor(1, "writer") if self.embedded else self._threads
        self._waiting: list[tuple[Job[Any], asyncio.Future[Any]]] = []
        self._flushing: asyncio.Task[None] | None = None

    @property
    def address(self) -> str:
        """What psycopg connects to."""
        return self.url.set(drivername="postgresql").render_as_string(hide_password=False)

    async def start(self) -> None:
        """Bring the schema up to date."""
        await asyncio.get_running_loop().run_in_executor(self._writer, upgrade, self.engine)

    async def read(self, job: Job[T]) -> T:
        """Run a job that only reads."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, _transact, self.engine, job, False)

    async def write(self, job: Job[T]) -> T:
        """Run a job; once this returns, what it wrote is safe."""
        loop = asyncio.get_running_loop()
        if not self.embedded:
            return await loop.run_in_executor(self._threads, _transact, self.engine, job, True)
        future: asyncio.Future[T] = loop.create_future()
        self._waiting.append((job, future))
        if self._flushing is None or self._flushing.done():
            self._flushing = loop.create_task(self._flush())
        return await future

    async def close(self) -> None:
        """Wait for what is being written, and close all connections."""
        if self._flushing is not None:
            await self._flushing
        await asyncio.to_thread(self._threads.shutdown)
        await asyncio.to_thread(self._writer.shutdown)
        self.engine.dispose()

    async def _flush(self) -> None:
        loop = asyncio.get_running_loop()
        while self._waiting:
            group, self._waiting = self._waiting[:GROUP], self._waiting[GROUP:]
            jobs = [job for job, _ in group]
            try:
                outcomes = await loop.run_in_executor(self._writer, _transact_all, self.engine, jobs)
            except Exception as error:  # the transaction itself: whoever waits for it hears so
                outcomes = [error] * len(group)
            for (_, future), outcome in zip(group, outcomes, strict=True):
                if future.done():  # nobody waits any more
                    continue
                if isinstance(outcome, Exception):
                    future.set_exception(outcome)
                else:
                    future.set_result(outcome)


def insert_or_change(connection: Connection, table: Table) -> sqlite.Insert | postgresql.Insert:
    """An insert that can say what happens on a conflict; both databases spell it alike."""
    return sqlite.insert(table) if connection.dialect.name == "sqlite" else postgresql.insert(table)


def _transact(engine: Engine, job: Job[T], writes: bool) -> T:
    """Run a job in a transaction of its own; once more if the connection turns out to have been lost."""
    for last in (False, True):
        try:
            with engine.connect().execution_options(writes=writes) as connection, connection.begin():
                return job(connection)
        except DBAPIError as error:
            if last or not error.connection_invalidated:
                raise
    raise AssertionError("unreachable")


def _transact_all(engine: Engine, jobs: Sequence[Job[Any]]) -> list[Any]:
    """Run jobs in one transaction; what each gives, or the exception it ends with."""
    try:
        with engine.connect().execution_options(writes=True) as connection, connection.begin():
            return [job(connection) for job in jobs]
    except Exception as error:  # nothing has been written
        return [error] if len(jobs) == 1 else _transact_each(engine, jobs)


def _transact_each(engine: Engine, jobs: Sequence[Job[Any]]) -> list[Any]:
    """The same, where some jobs fail: each in a savepoint.

    When the disk is full, SQLite rolls everything back by itself; then no job has written anything.
    """
    outcomes: list[Any] = []
    with engine.connect().execution_options(writes=True) as connection, connection.begin():
        for job in jobs:
            try:
                with connection.begin_nested():
                    outcomes.append(job(connection))
            except Exception as error:
                if not _in_transaction(connection):
                    raise
                outcomes.append(error)
    return outcomes


def _in_transaction(connection: Connection) -> bool:
    """Whether SQLite is still in the transaction."""
    driver = connection.connection.dbapi_connection
    return driver is not None and bool(driver.in_transaction)


def _served(url: URL, connections: int) -> Engine:
    try:
        return create_engine(url, pool_size=connections, max_overflow=0, hide_parameters=True)
    except ModuleNotFoundError as error:
        raise DatabaseError("PostgreSQL needs psycopg: pip install 'ultimo[postgres]'") from error


def _embedded(url: URL) -> Engine:
    """An engine for SQLite that begins transactions by itself: the driver would begin them too late."""
    engine = create_engine(url, hide_parameters=True)  # an error that is logged must name no card

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _: Any) -> None:
        connection.isolation_level = None
        for pragma in (
            f"busy_timeout = {BUSY * 1000}",
            "journal_mode = WAL",
            "synchronous = FULL",
            "foreign_keys = ON",
        ):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        writes = connection.get_execution_options().get("writes", False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine
