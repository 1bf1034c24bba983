"""Retention: what is old is deleted, a little at a time.

A run goes through the rules. Each finds a few things that are too old, in a transaction that only reads, and
deletes at most some hundred rows in one that writes; then it rests for longer than that took, so that nobody
who plays waits for it. Of several processes one does so. What a step decides on is looked at once more by the
transaction that deletes it.

The log of a table goes in three steps: its line in `game` says `going`, from when on nobody reads or writes
the log; its events are deleted; then the line says `gone`, or goes too if no deal was ever finished there.
Results stand in that line and in `figure`: they stay.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final, NamedTuple, Protocol

import sqlalchemy as sa
from sqlalchemy import ColumnElement, Connection, NullPool, Table, delete, select, update
from sqlalchemy.exc import OperationalError

from ultimo.server import metrics
from ultimo.server.appending import KEPT, TableId, encoded
from ultimo.server.clock import DAY
from ultimo.server.database import Database, Unavailable, clock_of
from ultimo.server.logs import logger
from ultimo.server.schema import (
    GOING,
    WORDLESS,
    WORDS,
    attempt,
    club_invitation,
    club_member,
    event,
    figure,
    game,
    game_player,
    player,
    presence,
    program,
    progress,
    review,
    session,
    sheet,
    tournament,
)
from ultimo.server.settings import Config
from ultimo.server.store import FACT, GONE
from ultimo.table.facts import without_words

FIRST: Final = 60.0  # seconds after the start until the first run: who comes back first must not wait
EVERY: Final = 3600.0  # seconds between two runs
ROWS: Final = 200  # that a transaction deletes at most, of each table
FEW: Final = 20  # guests, or tables, that are looked at in a step
PAUSE: Final = 0.2  # seconds between two steps at least
REST: Final = 5  # times as long as a step took
LOCK: Final = 7812  # the key under which one process at a time does this
MOMENTS: Final = ("gathering", "deal", "between", "over")  # so that the index on (moment, updated_at) serves


class Held(Protocol):
    """Who holds tables in memory."""

    @property
    def tables(self) -> frozenset[TableId]:
        """The tables in memory."""

    def changed(self, tables: Iterable[TableId]) -> None:
        """Let every process read these tables anew."""


class Step(NamedTuple):
    """What one step has done: how many of each, in which logs, and whether there may be more to do."""

    removed: Counter[str]
    changed: frozenset[TableId] = frozenset()
    more: bool = False


DONE: Final = Step(Counter())


class Retention:
    """Deletes what the settings say; `clock` gives seconds since 1970."""

    def __init__(
        self,
        database: Database,
        keeper: Held,
        config: Config,
        clock: Callable[[], float] = time.time,
        pause: float = PAUSE,
    ) -> None:
        self._database, self._keeper, self._config = database, keeper, config
        self._clock, self._pause = clock, pause

    async def run_for_ever(self) -> None:
        """Run now and then; cancel it to stop."""
        await asyncio.sleep(FIRST)
        while True:
            try:
                await self.run()
            except (Unavailable, OperationalError) as error:  # it is tried again before long
                logger().warning("retention cannot reach the database", error=type(error).__name__)
            except Exception:
                logger().exception("retention has failed")  # the next run goes on
            await asyncio.sleep(EVERY)

    async def run(self) -> Counter[str]:
        """Delete all that is too old now, unless another process does; how many of each."""
        lock = _alone(self._database)
        alone = await asyncio.to_thread(lock.__enter__)
        try:
            return await self._run() if alone else Counter()
        finally:
            await asyncio.to_thread(lock.__exit__, None, None, None)

    async def _run(self) -> Counter[str]:
        began, removed = time.monotonic(), Counter[str]()
        for rule in (self._leftovers, self._words, self._empty, self._logs, self._going, self._guests):
            more = True
            while more:
                step_began = time.monotonic()
                step = await rule()
                for what, number in step.removed.items():
                    metrics.REMOVED.labels(what).inc(number)
                removed += step.removed
                self._keeper.changed(step.changed)
                more = step.more
                await asyncio.sleep(max(self._pause, REST * (time.monotonic() - step_began)))
        logger().info("retention", seconds=round(time.monotonic() - began, 1), **removed)
        return removed

    def _before(self, days: int) -> float | None:
        """What is older than this is too old; None keeps everything."""
        return self._clock() - days * DAY if days else None

    # --- the rules -------------------------------------------------------------------------------------

    async def _leftovers(self) -> Step:
        """What nobody can use any more, and reviews."""
        now, old = self._clock(), self._before(self._config.review_days)

        def step(connection: Connection) -> Step:
            removed = Counter(
                sessions=_delete_some(connection, session, session.c.expires_at < now),
                invitations=_delete_some(connection, club_invitation, club_invitation.c.until < now),
                reviews=0 if old is None else _delete_some(connection, review, review.c.at < old),
            )
            return Step(+removed, more=ROWS in removed.values())

        return await self._database.write(step)

    async def _words(self) -> Step:
        """What was said: the text goes, and that something was said stays."""
        old = self._before(self._config.chat_days)
        if old is None:
            return DONE

        def step(connection: Connection) -> Step:
            query = select(event.c.table_id, event.c.seq, event.c.body).where(WORDS, event.c.at < old)
            found = connection.execute(query.limit(ROWS)).all()
            for table, seq, body in found:
                one = (event.c.table_id == table) & (event.c.seq == seq)
                values = {"kind": WORDLESS, "body": encoded(without_words(FACT.decode(body)))}
                connection.execute(update(event).where(one).values(**values))
            tables = frozenset(table for table, _, _ in found)
            return Step(Counter(words=len(found)), tables, len(found) == ROWS)

        return await self._database.write(step)

    async def _empty(self) -> Step:
        """Tables at which no deal was ever finished."""
        return await self._let_go(self._before(self._config.empty_days), game.c.series == "[]")

    async def _logs(self) -> Step:
        """The logs of tables at which nothing has happened for long."""
        return await self._let_go(self._before(self._config.log_days), game.c.series != "[]")

    async def _let_go(self, old: float | None, which: ColumnElement[bool]) -> Step:
        """Let the logs of some tables be deleted, unless somebody is there or a process holds them."""
        if old is None:
            return DONE
        wanted = sa.and_(
            game.c.moment.in_(MOMENTS),
            game.c.updated_at < old,
            game.c.log == KEPT,
            which,
            game.c.id.not_in(list(self._keeper.tables)),
        )

        def abandoned(connection: Connection) -> ColumnElement[bool]:
            there = select(presence.c.table_id).where(presence.c.seen_at > clock_of(connection) - GONE)
            return wanted & game.c.id.not_in(there)

        def find(connection: Connection) -> Sequence[TableId]:
            query = select(game.c.id).where(abandoned(connection)).limit(FEW)
            return connection.execute(query).scalars().all()

        found = await self._database.read(find)

        def step(connection: Connection) -> Step:
            going = update(game).where(game.c.id.in_(found), abandoned(connection))
            going = going.values(log="going", moment="over")
            number = connection.execute(going).rowcount
            return Step(Counter(), more=number > 0 and len(found) == FEW)

        return await self._database.write(step) if found else DONE

    async def _going(self) -> Step:
        """The events of a log that is going, some at a time; with the last of them it is gone."""
        find = select(game.c.id, game.c.series).where(GOING).limit(1)
        found = await self._database.read(lambda connection: connection.execute(find).first())
        if found is None:
            return DONE
        table, series = found

        def step(connection: Connection) -> Step:
            if _delete_some(connection, event, event.c.table_id == table) == ROWS:
                return Step(Counter(), more=True)
            for other in (review, program):
                connection.execute(delete(other).where(other.c.table_id == table))
            if series == "[]":
                connection.execute(delete(game).where(game.c.id == table))
                return Step(Counter(tables=1), more=True)
            connection.execute(update(game).where(game.c.id == table).values(log="gone"))
            return Step(Counter(logs=1), more=True)

        return await self._database.write(step)

    async def _guests(self) -> Step:
        """Guests who have not come for long, and whose session has ended: they cannot come back.

        Who has an account, belongs to a club, or keeps a score sheet or a tournament stays.
        """
        old, now = self._before(self._config.guest_days), self._clock()
        if old is None:
            return DONE
        keeps = (
            select(session.c.player_id).where(session.c.expires_at >= now),
            select(club_member.c.player_id),
            select(sheet.c.host),
            select(sheet.c.pen),
            select(tournament.c.host),
        )
        wanted = sa.and_(
            player.c.guest,
            player.c.merged_into.is_(None),
            player.c.seen_at < old,
            *(player.c.id.not_in(ids) for ids in keeps),
        )
        find = select(player.c.id).where(wanted).limit(FEW)
        found = await self._database.read(lambda connection: connection.execute(find).scalars().all())

        def step(connection: Connection) -> Step:
            still = player.c.id.in_(found) & wanted
            ids = connection.execute(select(player.c.id).where(still)).scalars().all()
            if not ids:
                return DONE
            for table in (session, progress, attempt, figure, game_player):
                if _delete_some(connection, table, table.c.player_id.in_(ids)) == ROWS:
                    return Step(Counter(), more=True)
            connection.execute(delete(player).where(player.c.id.in_(ids)))
            return Step(Counter(guests=len(ids)), more=len(found) == FEW)

        return await self._database.write(step) if found else DONE


def _delete_some(connection: Connection, table: Table, which: ColumnElement[bool]) -> int:
    """Delete so many rows of a table at most; how many."""
    key = table.primary_key.columns
    some = select(*key).where(which).limit(ROWS)
    return connection.execute(delete(table).where(sa.tuple_(*key).in_(some))).rowcount


@contextmanager
def _alone(database: Database) -> Iterator[bool]:
    """Whether no other process is at it; none is until this ends."""
    if database.embedded:
        yield True
        return
    engine = sa.create_engine(database.url, poolclass=NullPool, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        yield bool(connection.execute(select(sa.func.pg_try_advisory_lock(LOCK))).scalar_one())
