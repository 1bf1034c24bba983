"""Tables on this device: folded from their logs, driven, and shown to the page.

What changes a table is kept first, and then seen. There is one writer: the page sees to it that only one
window has the house. A table is driven as long as a page looks at it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Final

import msgspec
from msgspec import Struct

from ultimo.answers.bringing import KEPT, Kept
from ultimo.answers.refusing import sentence
from ultimo.events import Action, IllegalAction
from ultimo.players import create
from ultimo.pocket.storage import Conflict, Full, Storage
from ultimo.table import messages
from ultimo.table.decide import decide, open_table, rematch
from ultimo.table.driver import Driver
from ultimo.table.driving import STAND_IN, Think
from ultimo.table.facts import Fact, PlayerId, RematchOpened
from ultimo.table.live import Live
from ultimo.table.pages import Folded, Page, Row, Step, Summary, fold, summary
from ultimo.table.scene import RECKONING
from ultimo.table.settings import Again, Settings
from ultimo.table.showing import teller_of
from ultimo.telling.citations import cited_if

READER: Final[msgspec.json.Decoder[messages.PageMessage]] = msgspec.json.Decoder(messages.PageMessage)


class Line(Struct, frozen=True):
    """What lists show of a table."""

    settings: Settings
    summary: Summary
    at: float


LINE: Final[msgspec.json.Decoder[Line]] = msgspec.json.Decoder(Line)


class Person(Struct, frozen=True):
    """Who lives on this device."""

    id: PlayerId
    name: str


class UnknownTable(LookupError):
    """There is no such table here."""


class Tables:
    """All tables of the device. `clock` gives seconds since 1970, `secret` 32 random bytes as hex."""

    def __init__(self, storage: Storage, clock: Callable[[], float], secret: Callable[[], str]) -> None:
        self._storage, self.clock, self.secret = storage, clock, secret
        self._tables: dict[str, Table] = {}

    async def open(self, settings: Settings, person: Person, again: Again | None = None) -> str:
        """Open a table; its id says that it is here. May raise `IllegalAction` or `RulebookError`."""
        table, now = f"~{self.secret()[:16]}", self.clock()
        facts = open_table(table, settings, person.id, person.name, again)
        rows = [Row(seq, fact, now) for seq, fact in enumerate(facts, 1)]
        await self.append(table, rows, None)
        await self.describe(fold(None, rows))
        return table

    async def read(self, table: str) -> list[Row]:
        """The log of a table; may raise `UnknownTable`."""
        kept = [(seq, KEPT.decode(row)) for seq, row in await self._storage.read(table)]
        rows = [Row(seq, one.fact, one.at) for seq, one in kept]
        if not rows:
            raise UnknownTable(table)
        return rows

    async def hold(self, table: str) -> Table:
        """A table in memory; may raise `UnknownTable`."""
        if table not in self._tables:
            folded = fold(None, await self.read(table))
            self._tables.setdefault(table, Table(folded, self))
        return self._tables[table]

    async def lines(self) -> list[tuple[str, Line]]:
        """What lists show of all tables, the latest first."""
        found = [(table, LINE.decode(line)) for table, line in await self._storage.logs("table")]
        return sorted(found, key=lambda one: -one[1].at)

    async def forget(self, table: str) -> None:
        """Delete a table."""
        if (held := self._tables.pop(table, None)) is not None:
            held.stop()
        await self._storage.forget(table)

    async def forget_all(self) -> None:
        """Delete all tables, and everything else that is kept."""
        for held in self._tables.values():
            held.stop()
        self._tables.clear()
        await self._storage.clear()

    # --- for the tables ----------------------------------------------------------------------------------

    async def append(self, table: str, rows: Sequence[Row], cmd: str | None) -> None:
        """Write what happens at a table, and the command that it obeys."""
        kept = [msgspec.json.encode(Kept(row.at, row.fact)).decode() for row in rows]
        await self._storage.append(table, rows[0].seq - 1, kept, cmd)

    def let_go(self, table: Table) -> None:
        """Keep a table in memory no longer: whoever comes next has it read anew."""
        if self._tables.get(table.live.table) is table:
            del self._tables[table.live.table]

    async def applied(self, table: str, cmd: str) -> int | None:
        """Where in the log of a table a command was obeyed."""
        return await self._storage.applied(table, cmd)

    async def describe(self, folded: Folded) -> None:
        """Keep what lists show of a table."""
        live = folded.live
        line = Line(live.settings, summary(folded), live.at)
        await self._storage.describe(live.table, "table", msgspec.json.encode(line).decode())


class Table:
    """A table in memory."""

    def __init__(self, folded: Folded, keeper: Tables) -> None:
        self.folded = folded
        self.woken = asyncio.Event()
        self._keeper = keeper
        self._lock = asyncio.Lock()
        self._talks: set[Talk] = set()
        self._last_seen: dict[PlayerId, float] = {}
        self._driver: asyncio.Task[None] | None = None

    @property
    def live(self) -> Live:
        """The table as it is now."""
        return self.folded.live

    def now(self) -> float:
        """The time at the table; nothing in its log lies in the future."""
        return max(self._keeper.clock(), self.live.at)

    def seen(self, now: float) -> dict[PlayerId, float]:
        """When each person was last here."""
        self._last_seen |= dict.fromkeys(self._present, now)
        return self._last_seen

    async def choose(self, think: Think) -> Action:
        """The move of a bot; who would have to reckon longer than this device can plays as in a club."""
        await asyncio.sleep(0)
        level = STAND_IN if think.level in RECKONING else think.level
        return create(level, think.seed).choose(think.view, think.choices)

    async def go_on(self, live: Live, facts: Sequence[Fact]) -> None:
        """Write what the table does by itself, unless something else has happened to it meanwhile."""
        async with self._lock:
            if self.live is live:
                await self._append(facts, None)

    # --- people ------------------------------------------------------------------------------------------

    def join(self, person: Person, language: str, say: Callable[[str], None]) -> Talk:
        """Show the table to a page, and drive it."""
        talk = Talk(self, person, language, say)
        self._talks.add(talk)
        self._show(Step(self.live, (), self.live, self._present))
        if self._driver is None or self._driver.done():
            self._driver = asyncio.create_task(self._drive())
        return talk

    def leave(self, talk: Talk) -> None:
        """A page looks no longer; a table that nobody looks at stands still."""
        self.seen(self.now())
        self._talks.discard(talk)
        if not self._talks:
            self.stop()

    def stop(self) -> None:
        """Drive the table no longer."""
        if self._driver is not None:
            self._driver.cancel()
            self._driver = None

    async def _drive(self) -> None:
        """Drive the table; what cannot be kept is told, and the page comes back and tries again."""
        try:
            await Driver(self, self.choose, self.go_on, self._keeper.secret).run()
        except Full:
            self.send_away("deviceFull")
        except Conflict:
            self.send_away("wentOnElsewhere")

    def send_away(self, why: str) -> None:
        """Have all pages come back: what is in memory may not be what is kept."""
        self._keeper.let_go(self)
        for talk in tuple(self._talks):
            talk.say_goodbye(why)

    async def do(self, person: Person, cmd: str, wish: messages.Wish) -> int:
        """Apply a command once, and say where in the log; may raise `IllegalAction` or `Full`."""
        async with self._lock:
            known = await self._keeper.applied(self.live.table, cmd)
            if known is not None:
                return known
            if isinstance(wish, messages.Rematch):
                settings = rematch(self.live, person.id)
                return await self._append((RematchOpened(await self._keeper.open(settings, person)),), cmd)
            return await self._append(decide(self.live, person.id, person.name, wish), cmd)

    async def _append(self, facts: Sequence[Fact], cmd: str | None) -> int:
        if not facts:
            return self.live.seq
        before, now = self.folded, self.now()
        rows = [Row(seq, fact, now) for seq, fact in enumerate(facts, before.live.seq + 1)]
        folded = fold(before, rows)
        await self._keeper.append(before.live.table, rows, cmd)
        self.folded = folded
        if summary(folded) != summary(before):  # before it is shown: then the page may be closed
            await self._keeper.describe(folded)
        self._show(Step(before.live, rows, folded.live, self._present))
        return rows[0].seq

    @property
    def _present(self) -> frozenset[PlayerId]:
        return frozenset(talk.person.id for talk in self._talks)

    def _show(self, step: Step) -> None:
        for talk in self._talks:
            talk.show(step)
        self.woken.set()


class Talk:
    """What goes to and fro between a table and one page."""

    def __init__(self, table: Table, person: Person, language: str, say: Callable[[str], None]) -> None:
        self.person = person
        self._table, self._language, self._say = table, language, say
        self._page: Page | None = None  # what the page has; None if it is to be sent everything

    def show(self, step: Step) -> None:
        """Tell the page what has happened."""
        viewer, now = self.person.id, self._table.now()
        if self._page is None:
            message, self._page = step.everything(viewer, self._language, now)
            self._say(message.decode())
            return
        changed, self._page = step.changes(viewer, self._language, self._page, now)
        if changed is not None:
            self._say(changed.decode())

    async def hear(self, text: str) -> None:
        """Do what the page has sent."""
        match READER.decode(text):
            case messages.Ping():
                self._send(messages.Pong(self._table.now()))
            case messages.Resync():
                self._page = None
                live = self._table.live
                self.show(Step(live, (), live, frozenset({self.person.id})))
            case messages.Do(cmd=cmd, wish=wish):
                if (answer := await self._done(cmd, wish)) is not None:
                    self._send(answer)

    def close(self) -> None:
        """The page looks no longer."""
        self._table.leave(self)

    async def _done(self, cmd: str, wish: messages.Wish) -> messages.Done | messages.Refused | None:
        """The answer to a command; none where the page has to come back and send it again."""
        try:
            return messages.Done(cmd, await self._table.do(self.person, cmd, wish))
        except IllegalAction as error:
            reason = teller_of(self._table.live, self._language).refusal(error)
            return messages.Refused(cmd, reason, cited_if(error.cite, self._language))
        except Full:
            return messages.Refused(cmd, sentence(self._language, "deviceFull"))
        except Conflict:
            self._table.send_away("wentOnElsewhere")
            return None

    def say_goodbye(self, why: str) -> None:
        """Have the page come back in a while."""
        self.close()
        self._send(messages.Goodbye(sentence(self._language, why), again=True))

    def _send(self, message: messages.ServerMessage) -> None:
        self._say(msgspec.json.encode(message).decode())
