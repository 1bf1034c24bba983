"""The keeper of the tables with real parts: databases, several processes, people who come and go."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from functools import partial
from hashlib import sha256
from itertools import count, cycle
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from sqlalchemy import Connection, text

from commands import ultimo
from live import answer, bots
from page_client import without_presence
from postgres import binaries, new_database
from ultimo.answers.tables import fair_deal
from ultimo.events import Found, IllegalAction
from ultimo.fair import commitment
from ultimo.rulebook import Rules
from ultimo.server.appending import Append, Conflict, Deleted, Opening, UnknownTable, append_all
from ultimo.server.bots import Bots, Lane
from ultimo.server.clock import Clock
from ultimo.server.database import Database, Unavailable, Unsure
from ultimo.server.held import Gallery, Held, Viewer
from ultimo.server.keeper import Keeper, NoRoom, Room
from ultimo.server.leases import Lease, LeaseLost, SharedLeases
from ultimo.server.processes import decision
from ultimo.server.sharing import Notice
from ultimo.server.store import Player, Store
from ultimo.server.turns import FairLock
from ultimo.table import Fact, Live, SeatPlan, Settings, due, open_table, scene
from ultimo.table.facts import ChatSaid, RematchOpened, StoodIn, WentAway
from ultimo.table.live import key_of
from ultimo.table.messages import (
    Act,
    Commit,
    Full,
    Goodbye,
    OpenSeat,
    Ready,
    Rematch,
    Remove,
    Reveal,
    Say,
    SeatBot,
    ServerMessage,
    SetTempo,
    Sit,
    Start,
    TakeBack,
    Update,
    Wish,
)
from ultimo.table.pages import Row, fold, summary
from ultimo.table.scene import Level, Scene

ADA = Player("ada", "Ada", True, "en")
BO = Player("bo", "Bo", True, "en")
ALONE = Settings("dtf", 3, bots(3), tempo="instant", deals=1)
TOGETHER = Settings("dtf", 3, bots(3, people=2), tempo="instant", deals=1)
ONLY_BOTS = Settings("french4", 4, (SeatPlan("bot", "random"),) * 4, tempo="instant", deals=1)
PATIENCE = 120  # seconds until a condition that should come true is given up


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return str(tmp_path / "tables.db") if request.param == "sqlite" else served()


def served() -> str:
    if binaries() is None:
        pytest.skip("PostgreSQL is not installed: apt-get install postgresql")
    return new_database()


class NoBots(Bots):
    """Bots who only ever choose at random, and so need no processes."""

    def prepare(self, levels: Collection[Level]) -> None:
        """Start nothing."""


@asynccontextmanager
async def keeping(address: str, **options: Any) -> AsyncIterator[Keeper]:
    """A server's keeper with its store, as it is started and stopped."""
    database = Database(address)
    await database.start()
    dice = Random(78)
    given = {"pulse": 0.1, "secret": lambda: dice.randbytes(32).hex(), "seed": "keeper", **options}
    keeper = Keeper(Store(database), NoBots(), **given)
    await keeper.start()
    try:
        yield keeper
    finally:
        await keeper.close()
        await database.close()


@asynccontextmanager
async def storing(address: str) -> AsyncIterator[Store]:
    database = Database(address)
    try:
        yield Store(database)
    finally:
        await database.close()


async def until(condition: Callable[[], Awaitable[bool]]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not await condition():
            await asyncio.sleep(0.01)


_commands = count(1)


def command() -> str:
    return f"command-{next(_commands)}"


class Person:
    """Somebody with a page: keeps what it is sent, and plays by what it is offered."""

    def __init__(self, keeper: Keeper, table: str, player: Player | None) -> None:
        self.keeper, self.table, self.player = keeper, table, player
        self.rng = Random(player.id if player else 0)
        self.scene: dict[str, Any] = {}
        self.seq = 0
        self.messages: list[ServerMessage] = []
        self.done: list[int] = []

    @property
    def shown(self) -> Scene:
        return msgspec.convert(self.scene, Scene)

    async def do(self, wish: Wish, cmd: str | None = None) -> int:
        assert self.player is not None
        return await self.keeper.do(self.table, self.player, cmd or command(), wish)

    def take(self, data: bytes) -> None:
        """Put a message into the page."""
        message: ServerMessage = msgspec.json.decode(data, type=ServerMessage)
        self.messages.append(message)
        match message:
            case Full(seq=seq):
                self.seq, self.scene = seq, msgspec.json.decode(data)["scene"]
            case Update(base=base, seq=seq, patch=patch):
                assert base == self.seq
                self.seq, self.scene = seq, self.scene | patch

    async def play(self, enough: Callable[[Scene], bool]) -> None:
        """Take part until it is enough."""
        watching = await self.keeper.watch(self.table, self.player, "en")
        try:
            async with asyncio.timeout(PATIENCE):
                async for data in watching:
                    self.take(data)
                    if self.scene and enough(self.shown):
                        return
                    if (wish := self.wish()) is not None:
                        await self._try(wish)
            raise AssertionError(f"the page was closed: {self.messages[-1]}")
        finally:
            watching.close()

    async def _try(self, wish: Wish) -> None:
        with suppress(IllegalAction):  # the table had gone on: the page hears of it next
            self.done.append(await self.do(wish))

    def wish(self) -> Wish | None:
        """What a page, or the person before it, does next."""
        shown = self.shown
        if self.player is None or shown.you is None:
            return None
        if shown.table.may_start and all(seat.kind != "open" for seat in shown.seats):
            return Start()
        if shown.fair is not None and shown.fair.wanted:
            secret = Random(f"{self.player.id}:{shown.fair.number}").randbytes(32).hex()
            if shown.fair.wanted == "commit":
                return Commit(shown.fair.number, commitment(secret))
            return Reveal(shown.fair.number, secret)
        own = shown.seats[shown.you]
        if shown.moment == "between" and not own.ready:
            return Ready()
        if shown.turn is not None and own.turn and not own.stand_in:
            return Act(answer(shown.turn, self.rng))
        return None


def over(shown: Scene) -> bool:
    return shown.moment == "over"


async def asked(person: Person) -> None:
    """Let somebody play until it is his turn to play a card, and then not."""
    await person.play(lambda shown: shown.last is not None and isinstance(person.wish(), Act))


# --- at one process ------------------------------------------------------------------------------------


def test_a_table_at_which_nobody_plays_notes_so_much_and_can_still_be_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ultimo.server.keeper.MOST_IDLE", 12)

    async def main() -> None:
        async with keeping(str(tmp_path / "tables.db")) as here:
            table = await here.open(TOGETHER, ADA)
            bot: Iterator[Wish] = cycle((SeatBot(1, "random"), OpenSeat(1)))
            for number in range(12 - (await here.look(table)).seq):
                await here.do(table, ADA, f"to-and-fro-{number}", next(bot))
            for wish in (SetTempo("slow"), Say("Hello"), OpenSeat(2)):
                with pytest.raises(IllegalAction, match="so much has happened"):
                    await here.do(table, ADA, "more-of-that", wish)
            await here.do(table, ADA, "start-now", Start())
            ada = Person(here, table, ADA)
            await asked(ada)
            await here.do(table, ADA, "in-the-game", Say("Hello"))

    asyncio.run(main())


def test_a_person_plays_a_session_against_bots_by_messages_alone(address: str) -> None:
    async def main() -> None:
        async with keeping(address) as keeper, storing(address) as store:
            table = await keeper.open(ALONE, ADA)
            ada, spectator = Person(keeper, table, ADA), Person(keeper, table, None)
            await asyncio.gather(ada.play(over), spectator.play(over))
            folded = fold(None, await store.read(table))
            for person, viewer_id in ((ada, "ada"), (spectator, None)):
                whole = scene(folded.live, viewer_id, "en", frozenset())
                assert without_presence(msgspec.json.decode(msgspec.json.encode(whole))) == without_presence(
                    person.scene
                )
            assert sum(isinstance(message, Full) for message in ada.messages) == 1
            game = await store.game(table)
            assert game is not None
            assert (game.moment, game.number, game.kinds) == ("over", 1, ("person", "bot", "bot"))
            assert game.series == (tuple(seat.total for seat in ada.shown.seats),)
            assert [one.seat for one in await store.history("ada")] == [0]

    asyncio.run(main())


def test_the_cards_come_from_the_secrets_of_the_server_and_of_a_page(address: str) -> None:
    """With a clock that stands still the server waits for the page as long as it takes."""

    async def main() -> None:
        async with keeping(address, seed=None, clock=lambda: 1000.0) as keeper, storing(address) as store:
            table = await keeper.open(ALONE, ADA)
            await Person(keeper, table, ADA).play(over)
            log = [(row.fact, row.at) for row in await store.read(table)]
            proof = msgspec.json.encode(fair_deal(log, 1))
        verified = ultimo("verify", "-", given=proof)
        assert verified.status == 0
        assert "fair: shuffled by the server and 1 of the players" in verified.out

    asyncio.run(main())


def test_a_command_that_is_sent_again_changes_nothing(address: str) -> None:
    async def main() -> None:
        async with keeping(address) as keeper, storing(address) as store:
            table = await keeper.open(TOGETHER, ADA)
            ada, bo = Person(keeper, table, ADA), Person(keeper, table, BO)
            said = [await ada.do(Say("hello"), "command-say") for _ in range(3)]
            sat = [await bo.do(Sit(1), "command-sit") for _ in range(2)]
            at_once = await asyncio.gather(*(ada.do(Say("once"), "command-once") for _ in range(4)))
            assert len({*said}) == len({*sat}) == len({*at_once}) == 1
            words = [row.fact.text for row in await store.read(table) if isinstance(row.fact, ChatSaid)]
            assert words == ["hello", "once"]

    asyncio.run(main())


def test_what_is_refused_leaves_no_trace(address: str) -> None:
    async def main() -> None:
        async with keeping(address) as keeper, storing(address) as store:
            table = await keeper.open(TOGETHER, ADA)
            with pytest.raises(IllegalAction, match="only the host"):
                await keeper.do(table, BO, command(), Start())
            with pytest.raises(UnknownTable):
                await keeper.do("nowhere", BO, command(), Start())
            with pytest.raises(UnknownTable):
                await keeper.watch("nowhere", None, "en")
            assert len(await store.read(table)) == 3

    asyncio.run(main())


def test_a_table_goes_on_after_a_restart_where_it_was(address: str) -> None:
    async def main() -> None:
        async with keeping(address) as keeper:
            table = await keeper.open(ALONE, ADA)
            before = Person(keeper, table, ADA)
            await asked(before)
        async with keeping(address) as keeper:
            after = Person(keeper, table, ADA)
            await after.play(lambda shown: True)
            assert after.seq == before.seq
            assert {**after.scene, "seats": 0} == {**before.scene, "seats": 0}
            await after.play(over)

    asyncio.run(main())


def test_a_slow_page_is_sent_everything_again(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ultimo.server.held.BACKLOG", 5)

    async def main() -> None:
        async with keeping(address) as keeper:
            table = await keeper.open(TOGETHER, ADA)
            ada = Person(keeper, table, ADA)
            await keeper.do(table, BO, command(), Sit(1))
            slow = await keeper.watch(table, BO, "en")
            ada.take(await anext(slow))
            for number in range(20):
                await ada.do(Say(f"line {number}"))
            ada.take(await anext(slow))
            assert [type(message) for message in ada.messages] == [Full, Full]
            assert [line.text for line in ada.shown.chat] == [f"line {number}" for number in range(20)]
            slow.close()
            assert [message async for message in slow] == []

    asyncio.run(main())


def test_everything_is_sent_again_when_a_page_asks_for_it(tmp_path: Path) -> None:
    async def main() -> None:
        async with keeping(str(tmp_path / "tables.db")) as keeper:
            ada = Person(keeper, await keeper.open(TOGETHER, ADA), ADA)
            page = await keeper.watch(ada.table, ADA, "en")
            ada.take(await anext(page))
            page.resync()
            ada.take(await anext(page))
            await ada.do(Say("hello"))
            ada.take(await anext(page))
            assert [type(message) for message in ada.messages] == [Full, Full, Update]

    asyncio.run(main())


def test_a_bot_plays_for_who_stays_away_and_gives_the_seat_back(tmp_path: Path) -> None:
    now = [1000.0]

    async def main() -> None:
        path = str(tmp_path / "tables.db")
        async with keeping(path, clock=lambda: now[0]) as keeper, storing(path) as store:
            ada = Person(keeper, await keeper.open(msgspec.structs.replace(TOGETHER, deals=None), ADA), ADA)
            friend = Person(keeper, ada.table, BO)
            await friend.do(Sit(1))
            playing = asyncio.create_task(friend.play(lambda shown: shown.seats[0].stand_in))
            await asked(ada)

            async def stood_in() -> list[float]:
                return [row.at for row in await store.read(ada.table) if isinstance(row.fact, StoodIn)]

            async def has_stood_in() -> bool:
                return bool(await stood_in())

            now[0] += ALONE.grace - 1
            await keeper.do(ada.table, BO, command(), Say("where is Ada?"))
            now[0] += 2
            await keeper.do(ada.table, BO, command(), Say("a bot should play"))
            await until(has_stood_in)
            assert await stood_in() == [1000.0 + ALONE.grace + 1]
            await playing
            await ada.do(TakeBack())
            await ada.play(lambda shown: not shown.seats[0].stand_in)

    asyncio.run(main())


def test_a_server_that_comes_back_waits_for_its_people(tmp_path: Path) -> None:
    """Who has thought for longer than the grace is not taken to be away because the server has been."""
    now = [1000.0]

    async def main() -> None:
        path = str(tmp_path / "tables.db")
        async with keeping(path, clock=lambda: now[0]) as keeper:
            ada = Person(keeper, await keeper.open(ALONE, ADA), ADA)
            await asked(ada)
        now[0] += ALONE.grace + 1
        async with keeping(path, clock=lambda: now[0]) as keeper, storing(path) as store:
            ada.keeper = keeper
            tricks = len(ada.shown.seats)
            await ada.play(lambda shown: sum(seat.tricks for seat in shown.seats) > tricks)
            assert not [row for row in await store.read(ada.table) if isinstance(row.fact, StoodIn)]

    asyncio.run(main())


def test_a_table_waits_for_its_only_person_through_restarts(tmp_path: Path) -> None:
    now = [1000.0]

    async def main() -> None:
        path = str(tmp_path / "tables.db")

        async def log() -> list[Fact]:
            async with storing(path) as store:
                return [row.fact for row in await store.read(ada.table)]

        async def paused() -> bool:
            return WentAway("ada") in await log()

        async with keeping(path, clock=lambda: now[0]) as keeper:
            ada = Person(keeper, await keeper.open(ALONE, ADA), ADA)
            await asked(ada)
            watching = await keeper.watch(ada.table, None, "en")
            now[0] += 60
            await keeper.do(ada.table, BO, command(), Say("where is Ada?"))
            await until(paused)
            watching.close()
            before = await log()
        for _ in range(2):
            now[0] += 10_000
            async with keeping(path, clock=lambda: now[0]) as keeper:
                watching = await keeper.watch(ada.table, None, "en")
                await asyncio.sleep(0.3)
                watching.close()
        assert await log() == before
        async with keeping(path, clock=lambda: now[0]) as keeper:
            ada.keeper = keeper
            await ada.play(lambda shown: shown.table.back == now[0])
            await ada.play(over)
            assert not any(isinstance(fact, StoodIn) for fact in await log())

    asyncio.run(main())


def test_a_fault_at_one_table_does_not_stop_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, broken = str(tmp_path / "tables.db"), set[str]()

    def fails(live: Any, *rest: Any) -> Any:
        if live.table in broken:
            raise RuntimeError("a bug")
        return due(live, *rest)

    monkeypatch.setattr("ultimo.table.driver.due", fails)

    async def main() -> None:
        async with keeping(path) as keeper:
            bad, good = await keeper.open(ALONE, ADA), await keeper.open(ALONE, ADA)
            broken.add(bad)
            page = await keeper.watch(bad, ADA, "en")

            async def stopped() -> bool:
                try:
                    await keeper.do(bad, ADA, command(), Say("hello?"))
                except IllegalAction as refusal:
                    return refusal.key == "tableStopped"
                return False

            await until(stopped)
            await Person(keeper, good, ADA).play(over)
            page.close()

    asyncio.run(main())


def test_a_server_that_stops_says_goodbye_and_loses_nothing(address: str) -> None:
    async def main() -> None:
        async with keeping(address) as keeper:
            ada = Person(keeper, await keeper.open(TOGETHER, ADA), ADA)
            page = await keeper.watch(ada.table, ADA, "en")
            ada.take(await anext(page))
            said = asyncio.create_task(ada.do(Say("last words")))
            await asyncio.sleep(0)
        async for data in page:
            ada.take(data)
        assert ada.messages[-1] == Goodbye("the server is being stopped", True)
        async with storing(address) as store:
            log = await store.read(ada.table)
            assert isinstance(log[await said - 1].fact, ChatSaid)

    asyncio.run(main())


def test_a_table_that_nobody_watches_leaves_the_memory_and_comes_back(address: str) -> None:
    now = [1000.0]

    async def main() -> None:
        async with keeping(address, pulse=0.02, rest=60, clock=lambda: now[0]) as keeper:
            ada = Person(keeper, await keeper.open(TOGETHER, ADA), ADA)
            assert keeper.tables == frozenset()
            await ada.do(Say("I am back soon"))
            assert keeper.tables == {ada.table}

            async def gone() -> bool:
                return not keeper.tables

            now[0] += 61
            await until(gone)
            await ada.play(lambda shown: shown.chat[0].text == "I am back soon")
            assert keeper.tables == {ada.table}

    asyncio.run(main())


def test_two_who_want_a_rematch_get_the_same_table(address: str) -> None:
    async def main() -> None:
        async with keeping(address) as keeper:
            table = await keeper.open(TOGETHER, ADA)
            ada, bo = Person(keeper, table, ADA), Person(keeper, table, BO)
            await bo.do(Sit(1))
            await asyncio.gather(ada.play(over), bo.play(over))
            asked_for = await asyncio.gather(
                *(one.do(Rematch()) for one in (bo, ada)), return_exceptions=True
            )
            assert sum(isinstance(one, int) for one in asked_for) == 1
            await ada.play(lambda shown: shown.table.rematch is not None)
            again = ada.shown.table.rematch
            assert again is not None
            assert again != sha256(f"rematch {table}".encode()).hexdigest()[:16], "anybody could work it out"
            new = Person(keeper, again, BO)
            await new.play(lambda shown: True)
            assert [seat.name for seat in new.shown.seats] == ["", "Bo", "Karen"]

    asyncio.run(main())


def test_a_rematch_that_comes_too_late_leaves_no_table(address: str) -> None:
    """Two processes that open it at once: the log takes one, and with it one table alone."""

    async def main() -> None:
        async with keeping(address) as keeper, storing(address) as store:
            table = await keeper.open(ALONE, ADA)
            ada = Person(keeper, table, ADA)
            await ada.play(over)
            other = open_table("other", ALONE, "ada", "Ada")
            brief = summary(fold(None, [Row(seq, fact, 1.0) for seq, fact in enumerate(other, 1)]))
            with pytest.raises(Conflict):
                await store.append(table, 1, [RematchOpened("other")], 1.0, opening=Opening(other, brief))
            assert await store.game("other") is None
            await ada.do(Rematch())
            live = await keeper.look(table)
            assert live.rematch is not None
            assert await store.game(live.rematch) is not None

    asyncio.run(main())


def test_who_sends_the_command_of_another_neither_gets_its_answer_nor_stops_it(address: str) -> None:
    async def main() -> None:
        async with keeping(address) as keeper:
            table = await keeper.open(TOGETHER, ADA)
            first = await keeper.do(table, BO, "the-same-id", Say("mine"))
            second = await keeper.do(table, ADA, "the-same-id", Say("mine too"))
            assert first < second
            assert [said.name for said, _ in (await keeper.look(table)).chat] == ["Bo", "Ada"]
            with pytest.raises(IllegalAction):
                await keeper.do(table, Player("cleo", "Cleo", True, "en"), "the-same-id", Start())
            assert await keeper.do(table, BO, "the-same-id", Say("mine")) == first

    asyncio.run(main())


def test_who_is_forgotten_vanishes_before_everybodys_eyes(address: str) -> None:
    async def main() -> None:
        async with keeping(address) as keeper:
            table = await keeper.open(TOGETHER, ADA)
            bo = Person(keeper, table, BO)
            await bo.do(Sit(1))
            await keeper.do(table, ADA, command(), Start())
            watching = asyncio.create_task(Person(keeper, table, None).play(lambda s: s.seats[1].name == "–"))
            await bo.play(lambda shown: shown.moment == "deal")
            await keeper.forget("bo")
            await watching

    asyncio.run(main())


# --- many people at one table ------------------------------------------------------------------------------


def test_seats_have_their_turn_first_and_people_take_turns() -> None:
    async def main() -> None:
        lock, order = FairLock(), list[str]()

        async def come(name: str, person: str, urgent: bool) -> None:
            async with lock.turn(person, urgent):
                order.append(name)

        async with lock.turn():
            names = [("s1", "s", False), ("s2", "s", False), ("t1", "t", False), ("seat", "ada", True)]
            tasks = [asyncio.create_task(come(*one)) for one in [*names, ("gone", "x", True)]]
            await asyncio.sleep(0)
            tasks.pop().cancel()
            await asyncio.sleep(0)
            assert lock.locked()
        await asyncio.gather(*tasks)
        assert order == ["seat", "s1", "t1", "s2"]
        assert not lock.locked()

    asyncio.run(main())


def held_table() -> tuple[Held, Callable[[Player | None], Viewer]]:
    """A table of Ada's in memory, and how somebody begins to watch it."""
    opened_at = [Row(seq, fact, 1.0) for seq, fact in enumerate(open_table("t", TOGETHER, "ada", "Ada"), 1)]
    held = Held(fold(None, opened_at), lambda: 1.0, Gallery())

    def watch(player: Player | None) -> Viewer:
        viewer = Viewer(held.latest, player.id if player else None, "en", lambda: 2.0, held.viewers.discard)
        held.viewers.add(viewer)
        return viewer

    return held, watch


def say(held: Held, text: str) -> None:
    rows = [Row(held.live.seq + 1, ChatSaid("ada", "Ada", 0, text), 2.0)]
    held.advance(fold(held.folded, rows), rows)


def test_spectators_are_shown_what_happens_after_the_seats_and_as_one_step() -> None:
    async def main() -> None:
        held, watch = held_table()
        seat, spectator = watch(ADA), watch(BO)
        for viewer in (seat, spectator):
            await anext(viewer)
        for words in ("one", "two", "three"):
            say(held, words)
        late = watch(None)
        assert [json(await anext(seat))["story"][0]["text"] for _ in range(3)] == [
            "Ada: one",
            "Ada: two",
            "Ada: three",
        ]
        assert json(await anext(late))["type"] == "full"
        step = held.for_spectators()
        assert step is not None
        assert held.for_spectators() is None
        for viewer in (spectator, late):
            viewer.tell(step)
        shown = json(await anext(spectator))
        assert [line["text"] for line in shown["story"]] == ["Ada: one", "Ada: two", "Ada: three"]
        assert (shown["base"], shown["seq"], shown["now"]) == (held.live.seq - 3, held.live.seq, 2.0)
        say(held, "four")
        late.tell(held.latest)
        assert [line["text"] for line in json(await anext(late))["story"]] == ["Ada: four"], "nothing twice"

    asyncio.run(main())


def test_spectators_to_whom_it_looks_the_same_are_shown_what_was_worked_out_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    drawn: list[str | None] = []

    def counted(live: Live, viewer: str | None, *rest: Any) -> Scene:
        drawn.append(viewer)
        return scene(live, viewer, *rest)

    monkeypatch.setattr("ultimo.table.pages.scene", counted)

    async def main() -> None:
        held, watch = held_table()
        viewers = [watch(ADA), *(watch(Player(f"guest{number}", "Guest", True, "en")) for number in range(9))]
        viewers.append(watch(None))
        for viewer in viewers:
            await anext(viewer)
        assert sorted(map(str, drawn)) == ["None", "ada"]
        drawn.clear()
        say(held, "hello")
        step = held.for_spectators()
        assert step is not None
        for viewer in held.spectators:
            viewer.tell(step)
        assert len({await anext(viewer) for viewer in viewers[1:]}) == 1
        await anext(viewers[0])
        assert sorted(map(str, drawn)) == ["None", "ada"]

    asyncio.run(main())


def test_a_table_has_room_for_so_many_spectators_and_windows_of_one_person(tmp_path: Path) -> None:
    async def main() -> None:
        async with keeping(str(tmp_path / "tables.db"), room=Room(spectators=2, windows=2)) as keeper:
            table = await keeper.open(TOGETHER, ADA)
            first = await keeper.watch(table, BO, "en", "1.1.1.1")
            with pytest.raises(NoRoom, match="manyFromHere"):
                await keeper.watch(table, None, "en", "1.1.1.1")
            await keeper.watch(table, None, "en", "2.2.2.2")
            with pytest.raises(NoRoom, match="manySpectators"):
                await keeper.watch(table, None, "en", "3.3.3.3")
            for _ in range(2):
                await keeper.watch(table, ADA, "en", "1.1.1.1")
            with pytest.raises(NoRoom, match="manyHere"):
                await keeper.watch(table, ADA, "en", "1.1.1.1")
            first.close()
            await keeper.watch(table, None, "en", "3.3.3.3")

    asyncio.run(main())


def test_a_spectator_whom_the_host_removes_does_not_come_back(address: str) -> None:
    async def main() -> None:
        async with keeping(address) as keeper:
            table = await keeper.open(TOGETHER, ADA)
            await keeper.do(table, BO, command(), Say("Play faster!"))
            bo = await keeper.watch(table, BO, "en", "1.1.1.1")
            await keeper.do(table, ADA, command(), Remove(key_of(table, "bo")))
            last = [json(message) async for message in bo][-1]
            assert last == {
                "type": "goodbye",
                "reason": "The host has removed you from this table.",
                "again": False,
            }
            await until(lambda: barred(keeper, table))
            stranger, guest = None, Player("cleo", "Cleo", True, "en")
            for who, where in ((BO, "2.2.2.2"), (stranger, "1.1.1.1"), (guest, "1.1.1.1")):
                with pytest.raises(NoRoom, match="removed"):
                    await keeper.watch(table, who, "en", where)
            for who, where in (
                (ADA, "1.1.1.1"),
                (guest, "2.2.2.2"),
                (Player("dan", "Dan", False, "en"), "1.1.1.1"),
            ):
                (await keeper.watch(table, who, "en", where)).close()

    async def barred(keeper: Keeper, table: str) -> bool:
        return bool((await keeper.look(table)).barred)

    asyncio.run(main())


def json(message: bytes) -> Any:
    return msgspec.json.decode(message)


# --- several processes ---------------------------------------------------------------------------------


def test_who_is_deleted_at_one_process_vanishes_from_the_memory_of_all() -> None:
    """Also what the other process does next does not bring the name back."""
    address = served()

    async def main() -> None:
        heard: list[Notice] = []
        async with (
            keeping(address, pulse=60.0) as one,
            keeping(address, pulse=60.0, about_people=heard.append) as two,
            storing(address) as db,
        ):
            for player in (ADA, BO):
                await db.add_guest(player, 1.0)
            await db.add_session("hash of bo", "bo", 1.0, 1e12)
            table = await one.open(TOGETHER, ADA)
            await two.do(table, BO, command(), Sit(1))
            watching = asyncio.create_task(Person(two, table, None).play(lambda s: s.seats[1].name == "–"))
            assert await one.forget("bo") == ["bo"]
            await watching
            wanted = {("ended", "hash of bo"), ("deleted", "bo")}
            while not wanted <= {(one.what, one.table) for one in heard}:
                await asyncio.sleep(0.01)
            with pytest.raises(Deleted):
                await two.do(table, BO, command(), Say("late"))
            await two.do(table, ADA, command(), Start())
            game = await db.game(table)
            assert game is not None
            assert game.names[:2] == ("Ada", "–")
            assert "'Bo'" not in repr([row.fact for row in await db.read(table)])

    asyncio.run(main())


def test_people_at_two_processes_play_at_one_table() -> None:
    address = served()

    async def main() -> None:
        async with (
            keeping(address, pulse=5.0) as one,
            keeping(address, pulse=5.0) as two,
            storing(address) as db,
        ):
            table = await one.open(TOGETHER, ADA)
            ada, bo = Person(one, table, ADA), Person(two, table, BO)
            await bo.do(Sit(1))
            await asyncio.gather(ada.play(over), bo.play(over))
            log = await db.read(table)
            assert [row.seq for row in log] == list(range(1, len(log) + 1))
            assert len({*ada.done, *bo.done}) == len(ada.done) + len(bo.done)  # each command has its place
            live = fold(None, log).live
            for person, player in ((ada, "ada"), (bo, "bo")):
                whole = scene(live, player, "en", frozenset())
                assert whole.result == person.shown.result
                assert whole.chat == person.shown.chat

    asyncio.run(main())


def test_presence_is_known_to_other_processes() -> None:
    address = served()

    async def main() -> None:
        async with keeping(address, pulse=5.0) as one, keeping(address, pulse=5.0) as two:
            table = await one.open(TOGETHER, ADA)
            bo = Person(two, table, BO)
            here = await one.watch(table, ADA, "en")
            await bo.play(lambda shown: shown.seats[0].present)
            away = asyncio.create_task(bo.play(lambda shown: not shown.seats[0].present))
            here.close()
            await away

    asyncio.run(main())


def test_a_notice_that_gets_lost_is_made_up_for() -> None:
    class Deaf:
        """A bus that passes nothing on."""

        async def start(self, hear: object) -> None: ...
        def tell(self, notice: object) -> None: ...
        async def close(self) -> None: ...

    address = served()

    async def main() -> None:
        async with keeping(address, bus=Deaf()) as one, keeping(address, bus=Deaf()) as two:
            table = await one.open(TOGETHER, ADA)
            bo = asyncio.create_task(Person(two, table, BO).play(lambda shown: len(shown.chat) == 2))
            await Person(one, table, ADA).do(Say("hello"))
            await Person(one, table, ADA).do(Say("anybody?"))
            await bo

    asyncio.run(main())


def test_the_bus_comes_back_when_its_connection_is_lost() -> None:
    address = served()

    async def main() -> None:
        async with (
            keeping(address, pulse=600.0) as one,
            keeping(address, pulse=600.0) as two,
            storing(address) as db,
        ):
            table = await one.open(TOGETHER, ADA)
            bo = asyncio.create_task(Person(two, table, BO).play(lambda shown: len(shown.chat) == 2))
            ada = Person(one, table, ADA)
            await ada.do(Say("hello"))
            kill = (
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
            await db.database.read(lambda connection: connection.exec_driver_sql(kill).close())
            await ada.do(Say("still there?"))
            await bo

    asyncio.run(main())


@contextmanager
def process(script: str, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """Another process of Python."""
    started = subprocess.Popen(
        [sys.executable, "-c", script, *arguments], stdout=subprocess.PIPE, text=True, env={**os.environ}
    )
    try:
        yield started
    finally:
        started.kill()
        started.communicate()


def test_a_table_is_driven_by_who_has_its_lease_and_by_another_once_it_has_run_out() -> None:
    """What people do is written all the same, whoever drives."""
    address = served()

    async def main() -> None:
        async with keeping(address, pulse=0.05) as keeper, storing(address) as store:
            table = await keeper.open(ONLY_BOTS, ADA)
            opened = len(await store.read(table))
            hung = SharedLeases(store.database, "hung", 60.0)
            assert list(await hung.hold([table])) == [table]
            page = await keeper.watch(table, ADA, "en")
            await keeper.do(table, ADA, command(), Say("whose table is this?"))
            await asyncio.sleep(0.3)  # several pulses, in which nothing may happen
            assert len(await store.read(table)) == opened + 1
            await expire(store)
            await Person(keeper, table, ADA).play(over)
            page.close()
            assert await hung.hold([table]) == {}
            await hung.close()

    asyncio.run(main())


def test_a_process_that_has_hung_sends_its_people_away_before_it_does_anything_for_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """They have gone elsewhere; what they sent here before may have been refused there."""
    address, passed = served(), [0.0]
    monkeypatch.setattr("ultimo.server.keeper.passed", lambda: passed[0])

    async def main() -> None:
        async with keeping(address, pulse=0.05) as keeper:
            ada = Person(keeper, await keeper.open(TOGETHER, ADA), ADA)
            page = await keeper.watch(ada.table, ADA, "en")
            ada.take(await anext(page))
            passed[0] += 100.0
            with pytest.raises(Unavailable):
                await ada.do(Say("I sent this long ago"))
            async for data in page:
                ada.take(data)
            assert ada.messages[-1] == Goodbye("the server was away", True)
            assert page.leaving
            await ada.do(Say("here I am again"))

    asyncio.run(main())


async def expire(store: Store) -> None:
    """Let all leases run out."""
    ended = text("UPDATE lease SET until = until - 3600")
    await store.database.write(lambda connection: connection.execute(ended).close())


def test_who_has_lost_a_lease_writes_nothing_by_itself() -> None:
    address = served()

    async def main() -> None:
        async with keeping(address, pulse=60.0) as keeper, storing(address) as store:
            table = await keeper.open(ONLY_BOTS, ADA)
            first, second = (SharedLeases(store.database, node, 60.0) for node in ("first", "second"))
            held = (await first.hold([table]))[table]
            end = len(await store.read(table))
            fact = ChatSaid("ada", "Ada", None, "by itself")
            await store.append(table, end, [fact], 1.0, lease=held)
            await expire(store)
            with pytest.raises(LeaseLost):
                await store.append(table, end + 1, [fact], 1.0, lease=held)
            assert await first.hold([table]) == {table: held}  # nobody else wanted it
            await store.append(table, end + 1, [fact], 1.0, lease=held)
            await first.release([table])
            taken = (await second.hold([table]))[table]
            assert held is not None
            assert taken == Lease(table, "second", held.fence + 1)
            with pytest.raises(LeaseLost):
                await store.append(table, end + 2, [fact], 1.0, lease=held)
            await store.append(table, end + 2, [fact], 1.0, lease=taken)
            await first.close()
            await second.close()

    asyncio.run(main())


def test_a_lease_is_renewed_while_something_is_written_under_it_but_nobody_takes_it_over() -> None:
    """Whoever renews many leases would else wait for those who write, and they for each other."""
    address = served()

    async def main() -> None:
        async with keeping(address, pulse=60.0) as keeper, storing(address) as store:
            tables = [await keeper.open(ONLY_BOTS, ADA) for _ in range(2)]
            first, second = (SharedLeases(store.database, node, 60.0) for node in ("first", "second"))
            held = await first.hold(tables)
            written, renewed = threading.Event(), threading.Event()
            end, fact = len(await store.read(tables[0])), ChatSaid("ada", "Ada", None, "by itself")

            def write(connection: Connection) -> None:
                append_all(connection, [Append(tables[0], end, [fact], 1.0, lease=held[tables[0]])])
                written.set()
                assert renewed.wait(PATIENCE)
                append_all(connection, [Append(tables[1], end, [fact], 1.0, lease=held[tables[1]])])

            writing = asyncio.create_task(store.database.write(write))
            await asyncio.to_thread(written.wait)
            assert await first.hold(tables) == held
            await expire(store)
            assert list(await second.hold(tables)) == tables[1:]
            renewed.set()
            with pytest.raises(LeaseLost):
                await writing
            assert list(await second.hold(tables[:1])) == tables[:1]
            await first.close()
            await second.close()

    asyncio.run(main())


def test_a_server_that_stops_gives_its_tables_to_the_other_at_once() -> None:
    """With leases and pulses of minutes the other can only have heard of it."""
    address = served()

    async def main() -> None:
        slow = {"lease": 600.0, "pulse": 600.0}
        async with keeping(address, **slow) as second, storing(address) as store:
            async with keeping(address, **slow) as first:
                ada = Person(first, await first.open(ALONE, ADA), ADA)
                await asked(ada)
                watching = await second.watch(ada.table, ADA, "en")
            ada.keeper = second
            await ada.play(over)
            watching.close()
            log = await store.read(ada.table)
            assert [row.seq for row in log] == list(range(1, len(log) + 1))

    asyncio.run(main())


def test_two_servers_whose_clocks_differ_replace_nobody() -> None:
    """The time of one lies behind, that of the other ahead; the log never goes backwards all the same."""
    address = served()

    async def main() -> None:
        behind, ahead = (lambda: time.time() - 15.0), (lambda: time.time() + 3600.0)
        async with keeping(address, clock=behind) as one, storing(address) as store:
            async with keeping(address, clock=ahead) as two:
                table = await one.open(TOGETHER, ADA)
                ada, bo = Person(one, table, ADA), Person(two, table, BO)
                await bo.do(Sit(1))
                await asyncio.gather(asked(ada), bo.play(lambda shown: shown.last is not None))
            bo.keeper = one
            await asyncio.gather(ada.play(over), bo.play(over))
            log = await store.read(table)
            assert [row.at for row in log] == sorted(row.at for row in log)
            assert not any(isinstance(row.fact, StoodIn | WentAway) for row in log)

    asyncio.run(main())


# --- time and trouble ----------------------------------------------------------------------------------


def test_a_clock_never_jumps_and_never_goes_backwards() -> None:
    """Whatever the clock of the database shows: an hour too early, an hour too late, now this, now that."""
    rng, elapsed = Random(78), [0.0]
    clock = Clock(1000.0, lambda: elapsed[0])
    shown = clock()
    for _ in range(1000):
        clock.correct(clock() + rng.choice((-3600.0, 3600.0, 0.0, 0.01, -0.01)))
        step = rng.uniform(0.0, 5.0)
        elapsed[0] += step
        assert step * 0.99 - 1e-9 <= clock() - shown <= step * 1.01 + 1e-9
        shown = clock()
    for _ in range(100):  # two that see the same clock agree before long
        clock.correct(1005.0 + elapsed[0])
        elapsed[0] += 60.0
    assert abs(clock() - (1005.0 + elapsed[0])) < 0.001


def test_a_wall_clock_that_is_set_replaces_nobody_and_freezes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At every pulse the clock of the database shows an hour more or less than before."""
    jumps = cycle((3600.0, -3600.0))

    async def jumping(_: Store) -> float:
        return time.time() + next(jumps)

    monkeypatch.setattr(Store, "time", jumping)

    async def main() -> None:
        path, clock = str(tmp_path / "tables.db"), Clock(time.time())
        async with keeping(path, clock=clock, pulse=0.02) as keeper, storing(path) as store:
            ada = Person(keeper, await keeper.open(replace(TOGETHER, clock=60), ADA), ADA)
            bo = Person(keeper, ada.table, BO)
            await bo.do(Sit(1))
            await asyncio.gather(ada.play(over), bo.play(over))
            log = await store.read(ada.table)
            assert not any(isinstance(row.fact, StoodIn | WentAway) for row in log)
            assert log[-1].at - log[0].at < 600

    asyncio.run(main())


def test_a_table_whose_log_ends_in_the_future_goes_on(tmp_path: Path) -> None:
    now, address = [90_000.0], str(tmp_path / "tables.db")

    async def main() -> None:
        async with keeping(address, clock=lambda: now[0]) as keeper:
            ada = Person(keeper, await keeper.open(replace(ALONE, tempo="normal"), ADA), ADA)
            await ada.do(Say("good night"))
        now[0] -= 86_400.0
        async with keeping(address, clock=lambda: now[0]) as keeper, storing(address) as store:
            ada.keeper = keeper

            async def pass_time() -> None:
                while True:
                    await asyncio.sleep(0.01)
                    now[0] += 0.5
                    await keeper.do(ada.table, BO, command(), Say("it is getting late"))

            clock = asyncio.create_task(pass_time())
            await ada.play(lambda shown: shown.last is not None)
            clock.cancel()
            times = [row.at for row in await store.read(ada.table)]
            assert times == sorted(times)
            assert times[-1] < 90_000.0 + 3600

    asyncio.run(main())


def test_a_clock_for_moves_does_not_run_while_nobody_drives_the_table(tmp_path: Path) -> None:
    now = [1000.0]

    async def main() -> None:
        path = str(tmp_path / "tables.db")
        async with keeping(path, clock=lambda: now[0]) as keeper:
            ada = Person(keeper, await keeper.open(replace(TOGETHER, clock=30), ADA), ADA)
            await keeper.do(ada.table, BO, command(), Sit(1))
            bo = asyncio.create_task(Person(keeper, ada.table, BO).play(lambda shown: shown.last is not None))
            await asked(ada)
            bo.cancel()
        now[0] += 3600
        async with keeping(path, clock=lambda: now[0]) as keeper, storing(path) as store:
            before = await store.read(ada.table)
            page = await keeper.watch(ada.table, ADA, "en")
            now[0] += 29
            await keeper.do(ada.table, BO, command(), Say("still thinking?"))
            await asyncio.sleep(0.2)
            assert len(await store.read(ada.table)) == len(before) + 1
            page.close()

    asyncio.run(main())


def test_a_command_whose_commit_has_no_answer_is_known_when_it_is_sent_again(tmp_path: Path) -> None:
    """SQLite has written it, and then failed; or it has failed before. Nobody is told that it was refused."""

    async def main() -> None:
        path = str(tmp_path / "tables.db")
        async with keeping(path) as keeper, storing(path) as store:
            ada = Person(keeper, await keeper.open(TOGETHER, ADA), ADA)
            watching = await keeper.watch(ada.table, ADA, "en")
            ada.take(await anext(watching))
            dialect: Any = keeper._store.database.engine.dialect
            commit = dialect.do_commit
            for number, then in enumerate((commit, lambda _: None), 1):
                dialect.do_commit = partial(fail_after, then)
                with pytest.raises(Unsure):
                    await ada.do(Say("hello"), f"command-{number}")
                dialect.do_commit = commit
                if number == 1:  # others see it without being told
                    ada.take(await anext(watching))
                    assert [line.text for line in ada.shown.chat] == ["hello"]
                await ada.do(Say("hello"), f"command-{number}")
            log = await store.read(ada.table)
            assert [type(row.fact) for row in log[-3:]][1:] == [ChatSaid, ChatSaid]
            watching.close()

    asyncio.run(main())


def fail_after(commit: Callable[[Any], None], connection: Any) -> None:
    """A COMMIT that ends with an error."""
    commit(connection)
    raise sqlite3.OperationalError("disk I/O error")


# --- bots ----------------------------------------------------------------------------------------------


def test_a_bot_whose_process_is_killed_moves_all_the_same() -> None:
    view, choices = decision("dtf", 3)

    async def main() -> None:
        bot, lane = NoBots(), Lane("random", 1)
        try:
            first = await bot._in_lane(lane, "random", "seed", view, choices)
            assert first in choices
            dead = lane.pids
            for pid in dead:
                os.kill(pid, signal.SIGKILL)
            assert await bot._in_lane(lane, "random", "seed", view, choices) == first
            assert lane.pids.isdisjoint(dead)
        finally:
            lane.close()

    asyncio.run(main())


def test_a_bot_that_fails_or_takes_too_long_moves_all_the_same() -> None:
    view, choices = decision("french4", 4)

    class Stuck(Lane):
        async def choose(self, *_: object) -> Any:
            await asyncio.sleep(600)

    class Cheat(Lane):
        async def choose(self, *_: object) -> Any:
            return Found()

    class Failing(Lane):
        async def choose(self, *_: object) -> Any:
            raise RuntimeError("a bug")

    class Given(NoBots):
        lane: Lane

        async def _quick_or_plain(self, rules: Rules) -> Lane:
            return self.lane

    async def main() -> None:
        bot = Given(patience=0.01)
        for lane in (Stuck("club", 1), Cheat("club", 1), Failing("club", 1)):
            bot.lane = lane
            assert await bot.choose("club", "seed", view, choices) in choices

    asyncio.run(main())


THINKER = """
import asyncio, time
from ultimo.server.bots import Lane
from ultimo.server.processes import decision

async def main():
    lane = Lane("random", 1)
    await lane.choose("random", "seed", *decision("dtf", 3))
    print(*lane.pids, flush=True)
    time.sleep(600)

asyncio.run(main())
"""


def test_the_processes_of_bots_die_with_their_server() -> None:
    with process(THINKER) as server:
        assert server.stdout is not None
        pid = int(server.stdout.readline())
        assert lives(pid)
        server.send_signal(signal.SIGKILL)

        async def gone() -> bool:
            return not lives(pid)

        asyncio.run(until(gone))


def lives(pid: int) -> bool:
    """Whether there is such a process, which has not ended."""
    try:
        return ") Z" not in Path(f"/proc/{pid}/stat").read_text()
    except FileNotFoundError:
        return False
