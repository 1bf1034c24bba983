"""Keeps the tables of one process: in memory as they are folded from the log, driven, and shown to viewers.

Whatever changes a table is appended to its log first. Several processes may do so: the writer names the
sequence number it has seen last, and on a conflict reads on and decides again.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable, Collection, Coroutine, Sequence
from contextlib import suppress
from hashlib import sha256
from typing import Any, TypeVar

from msgspec.structs import replace
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from ultimo.events import IllegalAction
from ultimo.server import metrics
from ultimo.server.bots import Bots
from ultimo.server.driver import Driver
from ultimo.server.figures import figures
from ultimo.server.held import Folded, Held, Viewer, fold, summary
from ultimo.server.limits import Buckets
from ultimo.server.logs import logger
from ultimo.server.sharing import Bus, Locks, Notice, shared
from ultimo.server.store import Conflict, Player, Row, Store, TableId, UnknownTable
from ultimo.table import Again, Fact, Live, SeatPlan, Settings, decide, open_table
from ultimo.table.facts import PlayerId, RematchOpened, Undone
from ultimo.table.messages import Rematch, Wish

T = TypeVar("T")

PULSE = 3.0  # seconds after which a process looks around without being woken
REST = 120.0  # seconds after which a table that nobody watches here leaves the memory
ABSENT = 3 * PULSE  # seconds after which somebody at another process is taken to have gone
TRIES = 20  # conflicts in a row before a command is refused
FAULT = "tableStopped"
UNMANNED_BURST = 120  # moves of bots where nobody plays along, for one address
UNMANNED_RATE = 10.0  # of them a second, on average
CHUNK = 100  # facts that are folded before others have their turn


class Closing(RuntimeError):
    """The server is being stopped; the same command can be sent again to the next."""


class Keeper:
    """The tables of a process. `clock` gives seconds since 1970, `secret` 32 random bytes as hex.

    With a `seed` the cards of every table that is opened here are known beforehand: for tests alone.
    """

    def __init__(
        self,
        store: Store,
        bots: Bots,
        *,
        bus: Bus | None = None,
        locks: Locks | None = None,
        clock: Callable[[], float] = time.time,
        secret: Callable[[], str] = lambda: secrets.token_hex(32),
        pulse: float = PULSE,
        rest: float = REST,
        seed: str | None = None,
    ) -> None:
        self._store, self._bots = store, bots
        usual_bus, usual_locks = shared(store.database)
        self._bus, self._locks = bus or usual_bus, locks or usual_locks
        self._clock, self._secret, self._seed = clock, secret, seed
        self._pulse, self._rest = pulse, rest
        self._alone = store.database.embedded
        self._node = secrets.token_hex(8)
        self._tables: dict[TableId, Held] = {}
        self._loading: dict[TableId, asyncio.Task[Held]] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        self._counting_heads = asyncio.Lock()
        self._unmanned = Buckets(UNMANNED_BURST, UNMANNED_RATE)
        self._pulsing: asyncio.Task[None] | None = None
        self._closing = False

    async def start(self) -> None:
        """Begin to listen and to look around."""
        await self._bus.start(self._hear)
        self._bots.prepare(["club"])
        self._pulsing = asyncio.create_task(self._look_around_for_ever())

    async def close(self) -> None:
        """Stop all tables, say goodbye to their viewers, and wait for what is being written."""
        self._closing = True
        drivers = [held.driver for held in self._tables.values() if held.driver is not None]
        running = [*drivers, self._pulsing] if self._pulsing is not None else drivers
        for task in running:
            task.cancel()
        for held in self._tables.values():
            for viewer in held.viewers:
                viewer.say_goodbye("the server is being stopped", again=True)
        await asyncio.gather(*running, *self._tasks, return_exceptions=True)
        if not self._alone:
            with suppress(Exception):  # the others find out by themselves, a little later
                await self._store.be_present(self._node, (), self._clock())
        await self._locks.close()
        await self._bus.close()
        await self._bots.close()

    @property
    def tables(self) -> frozenset[TableId]:
        """The tables in memory."""
        return frozenset(self._tables)

    # --- what people want ------------------------------------------------------------------------------

    async def open(self, settings: Settings, player: Player, again: Again | None = None) -> TableId:
        """Open a table; may raise `IllegalAction` or `RulebookError`."""
        table = self._secret()[:16]
        await self._create(table, settings, player, again)
        return table

    async def do(self, table: TableId, player: Player, cmd: str, wish: Wish) -> int:
        """Apply a command once, and say where in the log; may raise `IllegalAction` or `UnknownTable`.

        It is finished even if nobody waits for it any longer.
        """
        if self._closing:
            raise Closing
        return await asyncio.shield(self._spawn(self._do(table, player, cmd, wish)))

    async def look(self, table: TableId) -> Live:
        """A table as it is now; may raise `UnknownTable`."""
        held = await self._hold(table)
        if not self._alone:
            await self._read_on(held)
        return held.live

    async def watch(self, table: TableId, player: Player | None, language: str, address: str = "") -> Viewer:
        """Watch a table; while it is watched, the player is present. May raise `UnknownTable`."""
        if self._closing:
            raise Closing
        held = await self._hold(table)
        viewer = Viewer(
            held.latest,
            player.id if player is not None else None,
            language,
            self._clock,
            lambda viewer: self._left(held, viewer),
            address,
        )
        held.viewers.add(viewer)
        metrics.VIEWERS.inc()
        self._presence_changed(held)
        return viewer

    async def forget(self, player_id: PlayerId) -> None:
        """Delete what there is about a person, here and in the other processes."""
        for table in await self._store.forget(player_id):
            self._bus.tell(Notice(table, "anew"))

    # --- commands --------------------------------------------------------------------------------------

    async def _do(self, table: TableId, player: Player, cmd: str, wish: Wish) -> int:
        held = await self._hold(table)
        async with held.lock:
            for _ in range(TRIES):
                if held.faulty:
                    raise IllegalAction(FAULT)
                try:
                    facts = await self._decide(held.live, player, wish)
                    return await self._append(held, facts, cmd, player.id)
                except (IllegalAction, Conflict) as refusal:
                    known = await self._store.applied(table, cmd)
                    news = await self._catch_up(held)
                    if known is not None:
                        return known
                    if isinstance(refusal, IllegalAction) and not news:
                        raise
        raise IllegalAction("tooManyAct")

    async def _decide(self, live: Live, player: Player, wish: Wish) -> Sequence[Fact]:
        if isinstance(wish, Rematch):
            return await self._rematch(live, player)
        return decide(live, player.id, player.name, wish)

    async def _rematch(self, live: Live, player: Player) -> Sequence[Fact]:
        """Open the table at which the same people play on, whoever of them asks first.

        Its id follows from that of the old table, so that two who ask at once get the same.
        """
        seat = live.seat_of(player.id)
        if live.moment != "over" or seat is None:
            raise IllegalAction("rematchForPlayers")
        if live.rematch is not None:
            raise IllegalAction("rematchOpen")
        table = sha256(f"rematch {live.table}".encode()).hexdigest()[:16]
        plans = [SeatPlan("bot", one.level) if one.kind == "bot" else SeatPlan("open") for one in live.seats]
        plans[seat] = SeatPlan("host")
        with suppress(IntegrityError):
            await self._create(table, replace(live.settings, seats=tuple(plans)), player, None)
        return (RematchOpened(table),)

    async def _create(self, table: TableId, settings: Settings, player: Player, again: Again | None) -> None:
        now = self._clock()
        facts = open_table(table, settings, player.id, player.name, again, self._seed)
        folded = fold(None, [Row(seq, fact, now) for seq, fact in enumerate(facts, 1)])
        await self._store.create(facts, now, summary(folded))

    async def _append(
        self, held: Held, facts: Sequence[Fact], cmd: str | None = None, by: PlayerId | None = None
    ) -> int:
        """Write facts, then let them be seen; where the first stands. Needs the table's lock."""
        if not facts:
            return held.live.seq
        now, seq = self._clock(), held.live.seq
        rows = [Row(seq + place, fact, now) for place, fact in enumerate(facts, 1)]
        folded = fold(held.folded, rows)
        brief = summary(folded)
        with metrics.APPEND.time():
            await self._store.append(
                held.id,
                seq,
                facts,
                now,
                cmd,
                brief if brief != held.summary else None,
                by if by not in held.noted else None,
                figures(folded.live) if folded.series != held.folded.series else (),
                folded.live.number if any(isinstance(fact, Undone) for fact in facts) else None,
            )
        if by is not None:
            held.noted.add(by)
        held.advance(folded, rows)
        self._bus.tell(Notice(held.id, "facts", folded.live.seq))
        return seq + 1

    async def _catch_up(self, held: Held) -> bool:
        """Read what others have written, and whether they have. Needs the table's lock."""
        rows = await self._store.read(held.id, held.live.seq)
        if rows:
            held.advance(fold(held.folded, rows), rows)
        return bool(rows)

    # --- tables in memory ------------------------------------------------------------------------------

    async def _hold(self, table: TableId) -> Held:
        """A table in memory, read from its log if it is not there yet."""
        while table not in self._tables:  # it may have been let go again before anybody could hold it
            if table not in self._loading:
                self._loading[table] = self._spawn(self._load(table))
                self._loading[table].add_done_callback(lambda _: self._loading.pop(table))
            await asyncio.shield(self._loading[table])
        held = self._tables[table]
        held.used_at = self._clock()
        return held

    async def _load(self, table: TableId) -> Held:
        held = Held(await self._read(table), self._clock())
        self._tables[table] = held
        self._bots.prepare({sitting.level for sitting in held.live.seats if sitting.by_bot})
        metrics.TABLES.set(len(self._tables))
        if not self._alone:  # what others have done since the log was read went unheard
            await self._read_on(held)
            await self._see_who_is_there([table])
        await self._own([table])
        return held

    async def _read(self, table: TableId) -> Folded:
        rows = await self._store.read(table)
        if not rows:
            raise UnknownTable(table)
        folded = None
        for start in range(0, len(rows), CHUNK):
            folded = fold(folded, rows[start : start + CHUNK])
            await asyncio.sleep(0)
        assert folded is not None
        return folded

    async def _let_go(self, idle: Collection[Held]) -> None:
        for held in idle:
            _stop(held)
            del self._tables[held.id]
        metrics.TABLES.set(len(self._tables))
        if idle:
            await self._locks.release([held.id for held in idle])

    def _left(self, held: Held, viewer: Viewer) -> None:
        held.seen(self._clock())
        held.viewers.discard(viewer)
        held.used_at = self._clock()
        metrics.VIEWERS.dec()
        self._presence_changed(held)

    def _presence_changed(self, held: Held) -> None:
        held.show()
        if not (self._alone or self._closing):
            self._spawn(self._quietly(self._tell_presence(held)))

    # --- driving ---------------------------------------------------------------------------------------

    async def _own(self, tables: Collection[TableId]) -> None:
        """Drive the tables that this process owns, and no others."""
        owned = await self._locks.take(tables)
        if self._closing:
            return
        for table, held in self._tables.items():
            if table not in owned:
                _stop(held)
            elif held.driver is None and not held.faulty and held.live.moment != "over":
                held.expect_everybody(self._clock())
                held.driver = asyncio.create_task(self._drive(held))

    async def _drive(self, held: Held) -> None:
        """Drive a table; the database may be away for a while, but what else fails is left alone."""
        driver = Driver(held, self._bots, self._append_if_still, self._clock, self._secret, self._unmanned)
        while not held.faulty and held.live.moment != "over":
            try:
                await driver.run()
            except SQLAlchemyError as error:
                logger().warning("a table cannot go on", table=held.id, error=type(error).__name__)
                await asyncio.sleep(self._pulse)
            except Exception:
                logger().exception("a table has failed", table=held.id)
                held.faulty = True

    async def _append_if_still(self, held: Held, live: Live, facts: Sequence[Fact]) -> None:
        await asyncio.shield(self._spawn(self._by_itself(held, live, facts)))

    async def _by_itself(self, held: Held, live: Live, facts: Sequence[Fact]) -> None:
        """Write what the table does by itself, unless something else has happened to it meanwhile."""
        async with held.lock:
            if held.live is live and not self._closing:
                try:
                    await self._append(held, facts)
                except Conflict:
                    await self._catch_up(held)

    # --- other processes -------------------------------------------------------------------------------

    def _hear(self, notice: Notice) -> None:
        if self._closing:
            return
        if notice.table is None:
            self._spawn(self._quietly(self._look_around()))
            return
        held = self._tables.get(notice.table)
        if held is None:
            return
        match notice.what:
            case "facts" if notice.seq > held.live.seq:
                self._spawn(self._quietly(self._read_on(held)))
            case "presence" if not self._alone:
                self._spawn(self._quietly(self._see_who_is_there([held.id])))
            case "anew":
                self._spawn(self._quietly(self._read_anew(held)))

    async def _read_on(self, held: Held) -> None:
        async with held.lock:
            await self._catch_up(held)

    async def _read_anew(self, held: Held) -> None:
        async with held.lock:
            held.begin_anew(await self._read(held.id))

    async def _tell_presence(self, held: Held) -> None:
        await self._be_present()
        self._bus.tell(Notice(held.id, "presence"))

    async def _be_present(self) -> None:
        async with self._counting_heads:
            people = [(held.id, player) for held in self._tables.values() for player in held.here]
            await self._store.be_present(self._node, people, self._clock())

    async def _see_who_is_there(self, tables: Collection[TableId]) -> None:
        found = await self._store.present(tables, self._node, self._clock() - ABSENT)
        for table in tables:
            held, there = self._tables.get(table), found.get(table, frozenset())
            if held is not None and held.elsewhere != there:
                held.seen(self._clock())
                held.elsewhere = there
                held.show()

    async def _look_around_for_ever(self) -> None:
        while True:
            await asyncio.sleep(self._pulse)
            await self._quietly(self._look_around())

    async def _look_around(self) -> None:
        """Find out what nobody has said: who is there, which logs have grown, what is idle, what to drive."""
        if not self._alone:
            await self._be_present()
            await self._see_who_is_there(list(self._tables))
            for table, length in (await self._store.lengths(list(self._tables))).items():
                held = self._tables.get(table)
                if held is not None and length > held.live.seq:
                    await self._read_on(held)
        idle = [held for held in self._tables.values() if self._is_idle(held)]
        await self._let_go(idle)
        await self._own(list(self._tables))

    def _is_idle(self, held: Held) -> bool:
        rested = self._clock() - held.used_at > self._rest
        return rested and not held.viewers and not held.lock.locked()

    # --- tasks -----------------------------------------------------------------------------------------

    def _spawn(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Begin something that is finished whatever happens to whoever has asked for it."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _quietly(self, work: Coroutine[Any, Any, None]) -> None:
        """Do something that is done again before long, should it fail now."""
        try:
            await work
        except Exception:
            logger().exception("the keeper has failed in something")


def _stop(held: Held) -> None:
    if held.driver is not None:
        held.driver.cancel()
        held.driver = None
