"""Keeps the tables of one process: in memory as they are folded from the log, driven, and shown to viewers.

Whatever changes a table is appended to its log first. Several processes may do so: the writer names the
sequence number it has seen last, and on a conflict reads on and decides again. What people do may be written
by any process; what a table does by itself, only by the one that has its lease.
"""

from __future__ import annotations

import asyncio
import secrets
import sys
import time
from collections.abc import Callable, Collection, Coroutine, Iterable, Sequence
from contextlib import suppress
from functools import partial
from hashlib import sha256
from typing import Any, NamedTuple, TypeVar

from ultimo.answers.refusing import sentence
from ultimo.events import Action, IllegalAction
from ultimo.server import metrics
from ultimo.server.appending import Conflict, Opening, TableId, UnknownTable
from ultimo.server.bots import Bots
from ultimo.server.clock import Clock, passed
from ultimo.server.database import Check, Unavailable, Unsure, no_limit
from ultimo.server.figures import figures
from ultimo.server.held import Gallery, Held, Viewer
from ultimo.server.leases import SECONDS, Lease, LeaseLost, Leases
from ultimo.server.limits import Buckets
from ultimo.server.logs import logger
from ultimo.server.naming import alike
from ultimo.server.quotas import users
from ultimo.server.sharing import Bus, Notice, shared
from ultimo.server.store import Player, Store, bound
from ultimo.table import Again, Fact, Live, Settings, decide, open_table
from ultimo.table.decide import has_say, rematch
from ultimo.table.driver import Driver
from ultimo.table.driving import Think
from ultimo.table.facts import (
    AddressBarred,
    PersonDeleted,
    PlayerId,
    RematchOpened,
    SpectatorRemoved,
    Undone,
)
from ultimo.table.messages import BEGIN, ONWARD, Rematch, Say, SeatBot, Sit, Wish
from ultimo.table.pages import Folded, Row, fold, summary
from ultimo.table.scene import RECKONING

T = TypeVar("T")


class Permit(NamedTuple):
    """What refuses a table to whoever has enough of them, and a seat of an expert to the host of enough."""

    table: Callable[[Settings], Check] = lambda _: no_limit
    expert: Callable[[PlayerId], Check] = lambda _: no_limit


PULSES = 3  # how often a process looks around without being woken while a lease lasts
HUNG = 2  # leases for which a process has done nothing before it takes itself to have hung
REST = 120.0  # seconds after which a table that nobody watches here leaves the memory
TRIES = 20  # conflicts in a row before a command is refused
FAULT = "tableStopped"
DIGEST = 16  # hexadecimal digits
UNMANNED_BURST = 120  # moves of bots where nobody plays along, for one address
UNMANNED_RATE = 10.0  # of them a second, on average
MOST_IDLE = 1000  # facts of a table in a row without a move: before a game, or between deals
CHUNK = 100  # facts that are folded before others have their turn


class Closing(RuntimeError):
    """The server is being stopped; the same command can be sent again to the next."""


class NoRoom(RuntimeError):
    """Somebody may not watch a table: which sentence says why, and how many there may be."""

    def __init__(self, why: str, most: int = 0) -> None:
        super().__init__(why)
        self.why, self.most = why, most


class Room(NamedTuple):
    """How many may watch a table here: spectators, and windows of one person."""

    spectators: int = 100
    windows: int = 8


class Keeper:
    """The tables of a process. `clock` gives seconds since 1970, `secret` 32 random bytes as hex.

    Who is not heard of for `lease` seconds loses their tables, and is taken to be away; within them a process
    looks around three times, or every `pulse` seconds. With a `seed` the cards of every table that is opened
    here are known beforehand: for tests alone. `about_people` is told which sessions have ended and who is
    deleted, at whichever process, and when notices may have been lost; `wrote`, who has written what.
    """

    def __init__(
        self,
        store: Store,
        bots: Bots,
        *,
        bus: Bus | None = None,
        leases: Leases | None = None,
        clock: Callable[[], float] = time.time,
        secret: Callable[[], str] = lambda: secrets.token_hex(32),
        lease: float = SECONDS,
        pulse: float | None = None,
        rest: float = REST,
        seed: str | None = None,
        room: Room = Room(),  # noqa: B008
        wrote: Callable[[Iterable[str], Iterable[object]], None] = lambda *_: None,
        about_people: Callable[[Notice], None] = lambda _: None,
    ) -> None:
        self._store, self._bots = store, bots
        self._room, self._about_people, self._wrote = room, about_people, wrote
        self._gallery = Gallery()
        self._node = secrets.token_hex(8)
        usual_bus, usual_leases = shared(store.database, self._node, lease)
        self._bus, self._leases = bus or usual_bus, leases or usual_leases
        self._clock, self._secret, self._seed = clock, secret, seed
        self._lease, self._pulse, self._rest = lease, pulse or lease / PULSES, rest
        self._alone = store.database.embedded
        self._tables: dict[TableId, Held] = {}
        self._loading: dict[TableId, asyncio.Task[Held]] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        self._counting_heads = asyncio.Lock()
        self._owning = asyncio.Lock()
        self._awake_at = passed()
        self._telling = asyncio.Lock()
        self._running: list[asyncio.Task[None]] = []
        self._unsaid: set[TableId] = set()  # where people have come or gone, unknown to others
        self._unmanned = Buckets(UNMANNED_BURST, UNMANNED_RATE)
        self._closing = False

    async def start(self) -> None:
        """Begin to listen and to look around."""
        await self._bus.start(self._hear)
        self._bots.prepare(["club"])
        often = min(self._pulse, self._lease / PULSES)
        works = (self._look_around, self._pulse), (self._own_all, self._pulse), (self._stay_awake, often)
        for_ever = [self._for_ever(*work) for work in works]  # none waits for another
        self._running = [asyncio.create_task(work) for work in (*for_ever, self._gallery.run())]

    async def close(self) -> None:
        """Stop all tables, say goodbye to their viewers, finish what is being written, give all leases back.

        The other processes are told, so that the tables go on there without a pause.
        """
        self._closing = True
        drivers = [held.driver for held in self._tables.values() if held.driver is not None]
        running = [*drivers, *self._running]
        for task in running:
            task.cancel()
        for held in self._tables.values():
            for viewer in held.viewers:
                viewer.say_goodbye("the server is being stopped", again=True)
        await asyncio.gather(*running, *self._tasks, return_exceptions=True)
        if not self._alone:
            with suppress(Exception):  # the others find out by themselves, a little later
                await self._store.be_present(self._node, ())
        await self._leases.release(self._tables)
        await self._leases.close()
        self._bus.tell(Notice(None))
        await self._bus.close()
        await self._bots.close()

    @property
    def tables(self) -> frozenset[TableId]:
        """The tables in memory."""
        return frozenset(self._tables)

    # --- what people want ------------------------------------------------------------------------------

    async def open(
        self, settings: Settings, player: Player, again: Again | None = None, allow: Check = no_limit
    ) -> TableId:
        """Open a table, if that is allowed; may raise `IllegalAction` or `RulebookError`."""
        table = self._secret()[:16]
        opening = self._opening(table, settings, player, again, allow)
        await self._store.create(opening.facts, self._clock(), opening.summary, allow)
        return table

    async def do(
        self,
        table: TableId,
        player: Player,
        cmd: str,
        wish: Wish,
        token: str | None = None,
        permit: Permit = Permit(),  # noqa: B008
    ) -> int:
        """Apply a command once, and say where in the log; may raise `IllegalAction` or `UnknownTable`.

        What comes from a session, by the hash of its token, is written only while that lasts: else `Deleted`.
        Whatever it raises, the command is not in the log; but for `Unavailable`: then nobody knows, and the
        same has to be sent again. It is finished even if nobody waits for it any longer. `permit` may refuse
        the table of a rematch, or an expert.
        """
        if self._closing:
            raise Closing
        if self._was_away():
            raise Unavailable("this process was away")
        return await asyncio.shield(self._spawn(self._do(table, player, cmd, wish, token, permit)))

    async def look(self, table: TableId) -> Live:
        """A table as it is now; may raise `UnknownTable`."""
        held = await self._hold(table)
        if not self._alone:
            await self._read_on(held)
        return held.live

    async def watch(self, table: TableId, player: Player | None, language: str, address: str = "") -> Viewer:
        """Watch a table; while it is watched, the player is present. May raise `UnknownTable` or `NoRoom`."""
        if self._closing:
            raise Closing
        held = await self._hold(table)
        self._make_room(held, player, address)
        viewer = Viewer(
            held.latest,
            player.id if player is not None else None,
            language,
            held.now,
            lambda viewer: self._left(held, viewer),
            address,
        )
        held.viewers.add(viewer)
        metrics.VIEWERS.inc()
        self._presence_changed(held)
        return viewer

    def _make_room(self, held: Held, player: Player | None, address: str) -> None:
        """Let nobody in for whom there is no room, or whom the host has sent away.

        From one address come at most half of the spectators, so that nobody fills a table alone.
        """
        person = player.id if player is not None else address
        if sum(viewer.person == person for viewer in held.viewers) >= self._room.windows:
            raise NoRoom("manyHere", self._room.windows)
        if has_say(held.live, person):
            return
        unknown = player is None or player.guest
        if person in held.live.removed or (unknown and digest(held.id, address) in held.live.barred):
            raise NoRoom("removed")
        spectators, most = held.spectators, self._room.spectators
        if len(spectators) >= most:
            raise NoRoom("manySpectators", most)
        if sum(viewer.address == address for viewer in spectators) >= (half := (most + 1) // 2):
            raise NoRoom("manyFromHere", half)

    async def _send_away(self, held: Held) -> None:
        """Send those away whom the host has removed, and bar the addresses from where they came."""
        gone = [viewer for viewer in held.viewers if viewer.player in held.live.removed]
        for viewer in gone:
            viewer.say_goodbye(sentence(viewer.language, "removed"), again=False)
        found = {AddressBarred(viewer.player or "", digest(held.id, viewer.address)) for viewer in gone}
        async with held.lock.turn():
            for _ in range(TRIES):
                try:
                    await self._append(held, [one for one in found if one.digest not in held.live.barred])
                    return
                except Conflict:
                    await self._catch_up(held)

    async def forget(self, player_id: PlayerId) -> list[PlayerId]:
        """Delete what there is about a person, here and in the other processes; all ids of the person."""
        forgotten = await self._store.forget(player_id, self._clock())
        for table in forgotten.tables:
            self._bus.tell(Notice(table, "facts", sys.maxsize))
        self.ended(forgotten.sessions)
        self._bus.tell(Notice(player_id, "deleted"))
        return forgotten.ids

    def ended(self, sessions: Iterable[str]) -> None:
        """Let all processes know that sessions have ended, by the hashes of their tokens."""
        for one in sessions:
            self._bus.tell(Notice(one, "ended"))

    def changed(self, tables: Iterable[TableId]) -> None:
        """Let every process read these tables anew: something has been taken out of their logs."""
        for table in tables:
            self._bus.tell(Notice(table, "anew"))

    # --- commands --------------------------------------------------------------------------------------

    async def _do(
        self, table: TableId, player: Player, cmd: str, wish: Wish, token: str | None, permit: Permit
    ) -> int:
        held = await self._hold(table)
        async with held.lock.turn(player.id, has_say(held.live, player.id)):
            for _ in range(TRIES):
                try:
                    if held.faulty:
                        raise IllegalAction(FAULT)
                    facts, opening = self._decide(held.live, player, wish, permit)
                    sender = bound(player.id, cmd), player.id, token
                    expert = isinstance(wish, SeatBot) and wish.level in RECKONING
                    allow = permit.expert(held.live.host) if expert else no_limit
                    return await self._append(held, facts, *sender, opening=opening, allow=allow)
                except Unavailable:
                    raise
                except Exception as refusal:  # what was sent before may be in the log all the same
                    known = await self._store.applied(table, player.id, cmd)
                    news = await self._catch_up(held)
                    if known is not None:
                        return known
                    if not isinstance(refusal, Conflict) and not news:
                        raise
        raise IllegalAction("tooManyAct")

    def _decide(
        self, live: Live, player: Player, wish: Wish, permit: Permit
    ) -> tuple[Sequence[Fact], Opening | None]:
        if isinstance(wish, Rematch):
            return self._rematch(live, player, permit)
        idle = live.seq - live.moved_seq
        if idle >= MOST_IDLE and not isinstance(wish, (*ONWARD, *BEGIN)):
            raise IllegalAction("tooMuchWritten")
        if isinstance(wish, Sit | Say):
            _must_look_different(live, player, bots=isinstance(wish, Sit))
        return decide(live, player.id, player.name, wish), None

    def _rematch(self, live: Live, player: Player, permit: Permit) -> tuple[Sequence[Fact], Opening]:
        """The table at which the same people play on.

        Nobody can guess its id. It is written with the fact that names it, so that of two who ask at once one
        opens it, and nothing is left of the other's.
        """
        settings, table = rematch(live, player.id), self._secret()[:16]
        return (RematchOpened(table),), self._opening(table, settings, player, None, permit.table(settings))

    def _opening(
        self, table: TableId, settings: Settings, player: Player, again: Again | None, allow: Check
    ) -> Opening:
        """The beginning of a table."""
        now = self._clock()
        facts = open_table(table, settings, player.id, player.name, again, self._seed)
        folded = fold(None, [Row(seq, fact, now) for seq, fact in enumerate(facts, 1)])
        return Opening(facts, summary(folded), allow)

    async def _append(
        self,
        held: Held,
        facts: Sequence[Fact],
        cmd: str | None = None,
        by: PlayerId | None = None,
        token: str | None = None,
        lease: Lease | None = None,
        opening: Opening | None = None,
        allow: Check = no_limit,
    ) -> int:
        """Write facts, then let them be seen; where the first stands. Needs the table's lock."""
        if not facts:
            return held.live.seq
        now, seq = held.now(), held.live.seq
        rows = [Row(seq + place, fact, now) for place, fact in enumerate(facts, 1)]
        folded = fold(held.folded, rows)
        brief = summary(folded)
        figured = figures(folded.live) if folded.series != held.folded.series else ()
        taken_back = folded.live.number if any(isinstance(fact, Undone) for fact in facts) else None
        try:
            with metrics.APPEND.time():
                await self._store.append(
                    held.id,
                    seq,
                    facts,
                    now,
                    cmd,
                    brief if brief != held.summary else None,
                    by if by not in held.noted else None,
                    figured,
                    taken_back,
                    lease,
                    opening,
                    by,
                    token,
                    allow,
                )
        except Unsure:
            held.doubtful = True
            raise
        self._wrote(users(*held.writer(by)), facts)
        if by is not None:
            held.noted.add(by)
        try:
            self._advance(held, folded, rows)
        except Exception as error:  # what is written is written
            logger().exception("a table cannot be shown", table=held.id)
            raise Unsure("what was written cannot be shown") from error
        finally:  # when this process has it already: it hears itself too, and would read it once more
            self._bus.tell(Notice(held.id, "facts", folded.live.seq))
        return seq + 1

    async def _catch_up(self, held: Held) -> bool:
        """Read what others have written, and whether they have. Needs the table's lock."""
        rows = await self._store.read(held.id, held.live.seq)
        held.doubtful = False
        if any(isinstance(row.fact, PersonDeleted) for row in rows):  # the log before it has changed too
            held.begin_anew(await self._read(held.id))
        elif rows:
            self._advance(held, fold(held.folded, rows), rows)
        return bool(rows)

    def _advance(self, held: Held, folded: Folded, rows: Sequence[Row]) -> None:
        held.advance(folded, rows)
        if any(isinstance(row.fact, SpectatorRemoved) for row in rows):
            self._spawn(self._quietly(self._send_away(held)))

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
        held = Held(await self._read(table), self._clock, self._gallery)
        self._tables[table] = held
        self._bots.prepare({sitting.level for sitting in held.live.seats if sitting.by_bot})
        metrics.TABLES.set(len(self._tables))
        await self._read_on(held)  # what others have done since the log was read went unheard
        if not self._alone:
            await self._see_who_is_there([table])
        await self._own([table])
        return held

    async def _read(self, table: TableId) -> Folded:
        rows = await self._store.read(table)
        if not rows or await self._store.brought([table]):  # who brought it plays it elsewhere
            raise UnknownTable(table)
        folded = None
        for start in range(0, len(rows), CHUNK):
            folded = fold(folded, rows[start : start + CHUNK])
            await asyncio.sleep(0)
        assert folded is not None
        return folded

    async def _let_go(self, idle: Collection[Held]) -> None:
        async with self._owning:
            for held in idle:
                _stop(held)
                del self._tables[held.id]
            metrics.TABLES.set(len(self._tables))
            await self._leases.release([held.id for held in idle])

    def _left(self, held: Held, viewer: Viewer) -> None:
        held.seen(held.now())
        held.viewers.discard(viewer)
        held.used_at = self._clock()
        metrics.VIEWERS.dec()
        self._presence_changed(held)

    def _presence_changed(self, held: Held) -> None:
        held.show_presence()
        if not (self._alone or self._closing):
            if not self._unsaid:
                self._spawn(self._quietly(self._tell_presence()))
            self._unsaid.add(held.id)

    # --- driving ---------------------------------------------------------------------------------------

    async def _own_all(self) -> None:
        await self._own(list(self._tables))

    async def _own(self, tables: Collection[TableId]) -> None:
        """Of these tables drive those whose lease this process has, and not the others."""
        async with self._owning:
            some = [held for held in map(self._tables.get, tables) if held and held.live.moment != "over"]
            try:
                leases = await self._leases.hold([held.id for held in some])
            except Unavailable as error:  # what is written without a lease is refused anyway
                logger().warning("the leases cannot be renewed", error=str(error))
                return
            if self._closing:
                return
            for held in some:
                if held.id not in leases:
                    _stop(held)
                    continue
                if held.lease != leases[held.id]:
                    _stop(held)
                    held.lease = leases[held.id]
                if held.driver is None and not held.faulty:
                    held.driver = asyncio.create_task(self._drive(held, held.lease))

    async def _drive(self, held: Held, lease: Lease | None) -> None:
        """Drive a table; the database may be away for a while, but what else fails is left alone."""
        choose, may_move = partial(self._choose, held), partial(self._may_move, held)
        go_on = partial(self._append_if_still, lease, held)
        while not held.faulty and held.live.moment != "over":
            held.expect_everybody()
            try:
                await Driver(held, choose, go_on, self._secret, may_move).run()
            except Unavailable as error:
                logger().warning("a table cannot go on", table=held.id, error=str(error))
                await asyncio.sleep(self._pulse)
            except Exception:
                logger().exception("a table has failed", table=held.id)
                held.faulty = True

    async def _choose(self, held: Held, think: Think) -> Action:
        given = think.level, think.seed, think.view, think.choices
        return await self._bots.choose(*given, held.payer)

    def _may_move(self, held: Held, now: float) -> bool:
        """Whether bots who play for spectators alone may move now: one address has them move so often."""
        return self._unmanned.take(held.payer, now)

    async def _append_if_still(
        self, lease: Lease | None, held: Held, live: Live, facts: Sequence[Fact]
    ) -> None:
        await asyncio.shield(self._spawn(self._by_itself(lease, held, live, facts)))

    async def _by_itself(self, lease: Lease | None, held: Held, live: Live, facts: Sequence[Fact]) -> None:
        """Write what the table does by itself, unless something else has happened to it meanwhile."""
        async with held.lock.turn():
            if held.live is not live or self._closing:
                return
            try:
                await self._append(held, facts, lease=lease)
            except Conflict:
                await self._catch_up(held)
            except LeaseLost:
                logger().info("a table is driven elsewhere", table=held.id)
                if held.lease == lease:
                    _stop(held)
                await self._catch_up(held)

    # --- other processes -------------------------------------------------------------------------------

    def _hear(self, notice: Notice) -> None:
        if self._closing:
            return
        if notice.table is None or notice.what in ("ended", "deleted"):
            self._about_people(notice)
        if notice.table is None:
            for work in (self._look_around, self._own_all):
                self._spawn(self._quietly(work()))
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
        async with held.lock.turn():
            await self._catch_up(held)

    async def _read_anew(self, held: Held) -> None:
        async with held.lock.turn():
            held.begin_anew(await self._read(held.id))

    async def _tell_presence(self) -> None:
        """Tell other processes who is here now; whoever comes meanwhile is told of together."""
        async with self._telling:
            tables, self._unsaid = self._unsaid, set()
            await self._be_present()
            for table in tables:
                self._bus.tell(Notice(table, "presence"))

    async def _be_present(self) -> None:
        async with self._counting_heads:
            people = [(held.id, player) for held in self._tables.values() for player in held.here]
            await self._store.be_present(self._node, people)

    async def _see_who_is_there(self, tables: Collection[TableId]) -> None:
        found = await self._store.present(tables, self._node, self._lease)
        for table in tables:
            held, there = self._tables.get(table), found.get(table, frozenset())
            if held is not None and held.elsewhere != there:
                held.seen(held.now())
                held.elsewhere = there
                held.show_presence()

    async def _for_ever(self, work: Callable[[], Coroutine[Any, Any, None]], seconds: float) -> None:
        while True:
            await asyncio.sleep(seconds)
            await self._quietly(work())

    async def _stay_awake(self) -> None:
        """Notice when this process has hung: whoever was here has gone elsewhere by now.

        What still comes from them may have been sent again and refused elsewhere: it is not done here.
        """
        if self._was_away():
            logger().warning("this process was away", seconds=round(passed() - self._awake_at, 1))
            for held in self._tables.values():
                for viewer in held.viewers:
                    viewer.say_goodbye("the server was away", again=True)
        self._awake_at = passed()

    def _was_away(self) -> bool:
        """Whether this process has done nothing for so long that it must have hung."""
        return not self._alone and passed() - self._awake_at > HUNG * self._lease

    async def _look_around(self) -> None:
        """Find out what nobody has said: the time, who is there, which logs have grown, what is idle."""
        if isinstance(self._clock, Clock):
            self._clock.correct(await self._store.time())
        if not self._alone:
            await self._be_present()
            await self._see_who_is_there(list(self._tables))
            for table, length in (await self._store.lengths(list(self._tables))).items():
                held = self._tables.get(table)
                if held is not None and length > held.live.seq:
                    await self._read_on(held)
        for held in [held for held in self._tables.values() if held.doubtful]:
            await self._read_on(held)
        if idle := [held for held in self._tables.values() if self._is_idle(held)]:
            await self._let_go(idle)

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
        except Unavailable as error:
            logger().warning("the database cannot be reached", error=str(error))
        except Exception:
            logger().exception("the keeper has failed in something")


def digest(table: TableId, address: str) -> str:
    """An address as the log of one table has it: it cannot be compared with that of another."""
    return sha256(f"{table}:{address}".encode()).hexdigest()[:DIGEST]


def _must_look_different(live: Live, player: Player, bots: bool) -> None:
    """Refuse a name that looks like that of somebody else at the table: of a person, or of a bot too."""
    for seat, sitting in enumerate(live.seats):
        other = sitting.kind == "person" and sitting.player != player.id
        if (other or (bots and sitting.kind == "bot")) and alike(sitting.name, player.name):
            raise IllegalAction("nameAtTable", player=seat)


def _stop(held: Held) -> None:
    held.lease = None
    if held.driver is not None:
        held.driver.cancel()
        held.driver = None
