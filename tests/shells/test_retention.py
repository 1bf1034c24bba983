"""Retention: what is too old goes, what somebody needs stays, and logs fold as before."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, func, insert, select, update

from live import HOST, Evening, bots
from postgres import new_database
from ultimo.answers.ratings import Rating
from ultimo.server import retention, schema
from ultimo.server.appending import UnknownTable
from ultimo.server.clock import DAY
from ultimo.server.club_store import ClubStore, Invitation
from ultimo.server.database import Database
from ultimo.server.figures import figures
from ultimo.server.retention import Retention
from ultimo.server.settings import Config
from ultimo.server.store import Player, Store, bound
from ultimo.table import Fact, Settings, open_table
from ultimo.table.facts import NOBODY, ChatSaid
from ultimo.table.pages import Row, fold, summary

LATER = 1000 * DAY
DAYS = 20
ALL = Config(chat_days=DAYS, log_days=DAYS, empty_days=DAYS, guest_days=DAYS, review_days=DAYS)
NEVER = Config(chat_days=0, log_days=0, empty_days=0, guest_days=0, review_days=0)


class Holder:
    """Holds tables in memory, and is told which have changed."""

    def __init__(self, *tables: str) -> None:
        self.tables = frozenset(tables)
        self.heard: list[str] = []

    def changed(self, tables: Iterable[str]) -> None:
        self.heard += tables


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return str(tmp_path / "tables.db") if request.param == "sqlite" else new_database()


def run(address: str, scenario: Callable[[Store], Awaitable[None]]) -> None:
    async def main() -> None:
        store = Store(Database(address))
        await store.database.start()
        try:
            await scenario(store)
        finally:
            await store.database.close()

    asyncio.run(main())


async def removed(
    store: Store, config: Config = ALL, holder: Holder | None = None, now: float = LATER
) -> Counter[str]:
    return await Retention(store.database, holder or Holder(), config, lambda: now, pause=0).run()


async def write(store: Store, facts: Iterable[Fact], at: float) -> tuple[Fact, ...]:
    """Write the log of a table all at once."""
    rows = [Row(seq, fact, at) for seq, fact in enumerate(facts, 1)]
    await store.create([row.fact for row in rows], at, summary(fold(None, rows)))
    return tuple(row.fact for row in rows)


async def empty_table(store: Store, table: str, at: float = 0.0) -> tuple[Fact, ...]:
    return await write(store, open_table(table, Settings("dtf", 3, bots(3, people=2)), "ada", "Ada"), at)


def long_ago(connection: Connection) -> None:
    """Let everybody who is connected have been seen an hour before."""
    connection.execute(update(schema.presence).values(seen_at=schema.presence.c.seen_at - 3600))


async def rows_of(store: Store, table: str) -> int:
    query = select(func.count()).select_from(schema.metadata.tables[table])
    number: int = await store.database.read(lambda connection: connection.execute(query).scalar_one())
    return number


def said(words: str) -> ChatSaid:
    return ChatSaid("ada", "Ada", None, words)


def test_empty_tables_go_unless_somebody_is_there(address: str) -> None:
    async def scenario(store: Store) -> None:
        for table in ("old", "held", "watched"):
            await empty_table(store, table)
        await empty_table(store, "young", LATER - DAY)
        await store.be_present("n1", [("old", "gone")])
        await store.database.write(long_ago)
        await store.be_present("n2", [("watched", "bo")])
        assert await removed(store, NEVER) == {}
        assert await removed(store, holder=Holder("held")) == {"tables": 1}
        assert await store.game("old") is None
        assert await store.read("old") == []
        for table in ("held", "watched", "young"):
            assert len(await store.read(table)) == 3
        assert await removed(store, holder=Holder("held")) == {}

    run(address, scenario)


def test_old_words_go_and_the_log_still_folds(address: str) -> None:
    async def scenario(store: Store) -> None:
        end = len(await empty_table(store, "t1", LATER - DAY))
        facts = [*map(said, ("a secret", "another")), said("just now")]
        await store.append("t1", end, facts[:2], LATER - 30 * DAY, bound("ada", "1"))
        await store.append("t1", end + 2, facts[2:], LATER - DAY, bound("ada", "2"))
        before = await store.read("t1")
        assert await removed(store, NEVER) == {}
        holder = Holder("t1")
        assert await removed(store, holder=holder) == {"words": 2}
        assert holder.heard == ["t1"]
        log = await store.read("t1")
        assert [row.fact for row in log[end:]] == [said(NOBODY), said(NOBODY), said("just now")]
        assert [row.at for row in log] == [row.at for row in before]
        assert fold(None, log).live.seq == fold(None, before).live.seq
        assert await store.applied("t1", "ada", "1") == end + 1
        assert await removed(store) == {}

    run(address, scenario)


def test_moves_go_and_results_stay(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retention, "ROWS", 50)
    evening = Evening(Settings("dtf", 3, bots(3), tempo="instant"), 7)
    evening.play_on(1)

    async def scenario(store: Store) -> None:
        await store.add_guest(Player(HOST, "Ada", True, "en"), LATER)
        rows = [Row(seq, fact, 0.0) for seq, (fact, _) in enumerate(evening.log, 1)]
        log = await write(store, (row.fact for row in rows), 0.0)
        table, folded = "table1", fold(None, rows)
        await store.append(table, len(log), [said("well")], 1.0, figured=figures(folded.live))
        await store.keep_review(table, 1, 1, "a", b"first", LATER)
        token = {"token_hash": "x", "table_id": table, "player_id": "program-x", "name": "Owl (bot)"}
        await store.database.write(
            lambda connection: connection.execute(insert(schema.program).values(**token, created_at=0.0))
        )
        history, sums = await store.history(HOST), await store.figures(HOST, 0, "en")
        assert await removed(store, NEVER) == {}

        asked: list[int] = []
        writing = store.database.write

        async def counted(job: Any) -> Any:
            before = await rows_of(store, "event")
            done = await writing(job)
            asked.append(before - await rows_of(store, "event"))
            return done

        monkeypatch.setattr(store.database, "write", counted)
        assert await removed(store) == {"words": 1, "logs": 1}
        assert max(asked) == 50
        assert await store.read(table) == []
        assert await rows_of(store, "event") == await rows_of(store, "review") == 0
        assert await rows_of(store, "program") == 0
        (after,) = await store.history(HOST)
        assert (after.series, after.names, after.moment) == (history[0].series, history[0].names, "over")
        assert not after.kept
        assert await store.figures(HOST, 0, "en") == sums
        with pytest.raises(UnknownTable):
            await store.append(table, len(log) + 1, [said("late")], LATER)
        assert await rows_of(store, "event") == 0
        assert await removed(store) == {}

    run(address, scenario)


def test_what_is_written_just_before_keeps_the_log(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario(store: Store) -> None:
        end = len(await empty_table(store, "t1"))
        reading = store.database.read

        async def interrupted(job: Any) -> Any:
            found = await reading(job)
            monkeypatch.setattr(store.database, "read", reading)
            await store.append("t1", end, [said("here I am")], LATER)
            return found

        monkeypatch.setattr(store.database, "read", interrupted)
        assert await removed(store) == {}
        assert len(await store.read("t1")) == end + 1

    run(address, scenario)


def test_guests_who_cannot_come_back_go_and_everybody_else_stays(address: str) -> None:
    async def scenario(store: Store) -> None:
        people = ("gone", "here", "account", "merged", "member", "scorer", "young")
        for one in people:
            await store.add_guest(Player(one, one.title(), True, "en"), LATER if one == "young" else 0.0)
            await store.done(one, "first/danish", 0.0)
            await store.note_attempt(one, "p1", Rating(25.0, 8.0), True, 0.0)
        await store.make_account("account", "Account", "account", "hashed")
        await store.merge("merged", "account")
        await store.add_session("expired", "gone", 0.0, 5.0)
        await store.add_session("valid", "here", 0.0, LATER + DAY)
        columns = {"id": "s1", "host": "scorer", "pen": "scorer", "rules": "dtf", "names": "[]", "deals": 0}
        times = {"closed": False, "handing_until": 0.0, "created_at": 0.0, "updated_at": 0.0}
        club = {"id": "c1", "name": "Club", "members": 1, "epoch": 0, "created_at": 0.0, "updated_at": 0.0}
        member = {"club_id": "c1", "member_id": "m1", "player_id": "member", "role": "member"}

        def fill(connection: Any) -> None:
            connection.execute(insert(schema.sheet).values(**columns, **times))
            connection.execute(insert(schema.club).values(**club))
            connection.execute(insert(schema.club_member).values(**member))
            connection.execute(update(schema.player).where(schema.player.c.id != "young").values(seen_at=0.0))

        await store.database.write(fill)
        await ClubStore(store.database).invite(Invitation("hash", "c1", "", "member", 9.0, 1), 1.0)
        assert await removed(store, NEVER) == {"sessions": 1, "invitations": 1}
        assert await removed(store) == {"guests": 1}
        query = select(schema.player.c.id)
        left = await store.database.read(lambda connection: set(connection.execute(query).scalars()))
        assert left == {*people} - {"gone"}
        assert await rows_of(store, "progress") == await rows_of(store, "attempt") == len(people) - 1
        assert await store.player_of("valid", LATER) is not None

    run(address, scenario)


def test_of_several_processes_one_does_it() -> None:
    async def scenario(store: Store) -> None:
        await empty_table(store, "old")
        with retention._alone(store.database) as alone:
            assert alone
            assert await removed(store) == {}
        assert await removed(store) == {"tables": 1}

    run(new_database(), scenario)
