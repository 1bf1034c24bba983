"""The database under the server: logs that lose nothing, and people who can be forgotten."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, create_engine, event, insert, select, text

from clubs import KAREN, SCRAPPED, Log
from live import bots
from postgres import binaries, new_database, paused
from serving import PATIENCE
from ultimo.club import club as c
from ultimo.club import sheet as s
from ultimo.club import tournament as t
from ultimo.club.presets import PRESETS
from ultimo.server.appending import Conflict, Deleted, UnknownTable
from ultimo.server.club_store import ClubStore, Invitation
from ultimo.server.database import Database, DatabaseError, Unavailable, url_of
from ultimo.server.leases import Lease, LeaseLost, SharedLeases
from ultimo.server.naming import skeletons
from ultimo.server.schema import MIGRATIONS, SchemaError, metadata, upgrade
from ultimo.server.sheet_store import Spent
from ultimo.server.store import UNDER_WAY, Player, Store, bound
from ultimo.server.tournament_store import TournamentStore
from ultimo.table import Fact, Settings, open_table
from ultimo.table.facts import NOBODY, ChatSaid, SeatTaken
from ultimo.table.pages import Row, fold, summary

ADA = Player("ada", "Ada", True, "en")
BO = Player("bo", "Bo", True, "da")
BEFORE_SENDERS = "0008"  # the last schema in which a command was not bound to its sender


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return str(tmp_path / "tables.db")
    if binaries() is None:
        pytest.skip("PostgreSQL is not installed: apt-get install postgresql")
    return new_database()


@asynccontextmanager
async def opened(address: str) -> AsyncIterator[Store]:
    database = Database(address)
    await database.start()
    try:
        yield Store(database)
    finally:
        await database.close()


def run(address: str, scenario: Callable[[Store], Awaitable[None]]) -> None:
    async def main() -> None:
        async with opened(address) as store:
            await scenario(store)

    asyncio.run(main())


async def new_table(
    store: Store, table: str = "t1", player: Player = ADA, *, public: bool = True, at: float = 100.0
) -> tuple[Fact, ...]:
    settings = Settings("dtf", 3, bots(3, people=2), public=public)
    facts = open_table(table, settings, player.id, player.name)
    folded = fold(None, [Row(seq, fact, at) for seq, fact in enumerate(facts, 1)])
    await store.create(facts, at, summary(folded))
    return facts


def said(words: str, player: str = "ada") -> ChatSaid:
    return ChatSaid(player, player.title(), None, words)


# --- the schema ----------------------------------------------------------------------------------------


def test_the_migrations_make_the_tables_that_the_program_knows(address: str) -> None:
    async def scenario(store: Store) -> None:
        differences = await store.database.read(
            lambda connection: compare_metadata(MigrationContext.configure(connection), metadata)
        )
        assert differences == []

    run(address, scenario)


def test_two_processes_may_bring_a_database_up_to_date_at_once(address: str) -> None:
    async def main() -> None:
        first, second = Database(address), Database(address)
        await asyncio.gather(first.start(), second.start())
        await new_table(Store(first))
        assert len(await Store(second).read("t1")) == 3
        await first.close()
        await second.close()

    asyncio.run(main())


def test_an_upgrade_waits_for_another_that_takes_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ultimo.server.database.BUSY", 0)
    file, begins = str(tmp_path / "tables.db"), threading.Event()
    first, second = Database(file), Database(file)

    @event.listens_for(second.engine, "connect")
    def hear(connection: sqlite3.Connection, _: object) -> None:
        connection.set_trace_callback(lambda said: begins.set() if said == "BEGIN IMMEDIATE" else None)

    with ThreadPoolExecutor(1) as pool:
        with first.engine.connect().execution_options(writes=True) as upgrading, upgrading.begin():
            other = pool.submit(upgrade, second.engine)
            assert begins.wait(PATIENCE)
        other.result()
    for database in (first, second):
        asyncio.run(database.close())


def test_many_processes_may_open_a_new_file_at_the_same_moment(tmp_path: Path) -> None:
    """SQLite turns some of them away at once, although it is told to wait."""
    many, times = 4, 60
    for number in range(times):
        file = str(tmp_path / f"{number}.db")
        databases, together = [Database(file) for _ in range(many)], threading.Barrier(many)

        def open_it(database: Database, together: threading.Barrier = together) -> str:
            together.wait()
            with database.engine.connect() as connection:
                return str(connection.exec_driver_sql("PRAGMA journal_mode").scalar_one())

        with ThreadPoolExecutor(many) as pool:
            assert list(pool.map(open_it, databases)) == ["wal"] * many
        for database in databases:
            asyncio.run(database.close())


def test_a_database_of_a_later_version_is_refused(address: str) -> None:
    async def main() -> None:
        async with opened(address) as store:
            await store.database.write(
                lambda connection: connection.execute(
                    text("UPDATE alembic_version SET version_num = '9999'")
                ).close()
            )
        database = Database(address)
        with pytest.raises(SchemaError, match="another version"):
            await database.start()
        await database.close()

    asyncio.run(main())


def test_the_address_of_a_database_says_which_it_is() -> None:
    assert url_of("some/tables.db").render_as_string() == "sqlite:///some/tables.db"
    assert url_of("postgresql://me@there/tarok").drivername == "postgresql+psycopg"
    with pytest.raises(DatabaseError, match="mysql is not supported"):
        url_of("mysql://there/tarok")


def test_a_database_that_does_not_answer_is_given_up_and_used_again() -> None:
    """Whoever waits is told before long; the threads and connections are free when it answers again."""
    if binaries() is None:
        pytest.skip("PostgreSQL is not installed: apt-get install postgresql")
    address = new_database()

    async def main() -> None:
        database = Database(f"{address}&connect_timeout=2", connections=2, answer=0.3)
        await database.start()
        store = Store(database)
        await new_table(store)
        with paused(address):
            asked = [store.append("t1", 3, [said("hello")], 1.0), *(store.read("t1") for _ in range(5))]
            outcomes = await asyncio.gather(*asked, return_exceptions=True)
        assert {type(outcome) for outcome in outcomes} == {Unavailable}
        assert len(await Store(database).read("t1")) == 3
        await store.append("t1", 3, [said("hello")], 1.0)
        await database.close()

    asyncio.run(main())


def test_a_transaction_that_is_forgotten_keeps_nobody_waiting_for_ever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As of a process that hangs in the middle of writing: PostgreSQL ends it."""
    if binaries() is None:
        pytest.skip("PostgreSQL is not installed: apt-get install postgresql")
    monkeypatch.setattr("ultimo.server.database.FORGOTTEN", 1)

    async def scenario(store: Store) -> None:
        await new_table(store)
        hung = store.database.engine.connect()
        hung.execute(
            text("INSERT INTO event SELECT table_id, 4, kind, body, 'x', at FROM event WHERE seq = 3")
        )
        await store.append("t1", 3, [said("hello")], 1.0)
        hung.invalidate()
        hung.close()

    run(new_database(), scenario)


OLD = """
INSERT INTO player (id, name, language, name_key, password, guest, created_at, seen_at) VALUES
    ('ada', 'Ada', 'en', 'ada', 'x', FALSE, 1, 1), ('fake', 'Аda', 'en', 'аda', 'x', FALSE, 2, 2),
    ('bo', 'Bo', 'en', 'bo', 'x', FALSE, 3, 3);
INSERT INTO sheet (id, host, pen, rules, names, deals, closed, handing_until, created_at, updated_at) VALUES
    ('s', 'ada', 'bo', 'dtf', '[]', 0, FALSE, 0, 1, 1);
INSERT INTO sheet_fact (sheet_id, seq, body, at) VALUES
    ('s', 1, '{"type":"Opened","by":"ada","rules":"dtf","names":[]}', 1),
    ('s', 2, '{"type":"Noted","by":"bo","deal":0,"text":"well played"}', 1)
"""


def test_names_and_notes_from_before_are_known_after_an_upgrade(tmp_path: Path) -> None:
    """Accounts keep their names, even two that look alike already; the older one has the look."""
    database = Database(str(tmp_path / "old.db"))
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    before = ScriptDirectory.from_config(config).get_revision("0013").down_revision
    assert isinstance(before, str)
    with database.engine.connect().execution_options(writes=True) as connection, connection.begin():
        config.attributes["connection"] = connection
        command.upgrade(config, before)
        for statement in OLD.split(";\n"):
            connection.exec_driver_sql(statement)
    database.engine.dispose()

    async def scenario(store: Store) -> None:
        assert [await store.account(name) is not None for name in ("ada", "аda", "bo")] == [True] * 3
        alike = [await store.looks_like(skeletons(name), "bo") for name in ("ADA", "Bo", "Ане")]
        assert alike == [True, False, False]
        assert not await store.looks_like(skeletons("Ada"), "ada")
        writers = text("SELECT log_id, player_id FROM noted")
        rows = await store.database.read(lambda connection: connection.execute(writers).all())
        assert [tuple(row) for row in rows] == [("s", "bo")]

    run(str(tmp_path / "old.db"), scenario)


# --- the log -------------------------------------------------------------------------------------------


def test_what_is_appended_is_read_back_in_order(address: str) -> None:
    async def scenario(store: Store) -> None:
        facts = await new_table(store)
        await store.append("t1", len(facts), [said("one"), said("two")], 105.5, "command1")
        log = await store.read("t1")
        assert [row.fact for row in log] == [*facts, said("one"), said("two")]
        assert [row.at for row in log] == [100.0] * len(facts) + [105.5] * 2
        assert [row.seq for row in log] == list(range(1, len(facts) + 3))
        assert await store.read("t1", after=len(facts) + 1) == [Row(len(facts) + 2, said("two"), 105.5)]
        assert await store.lengths(["t1", "none"]) == {"t1": len(facts) + 2}

    run(address, scenario)


@pytest.mark.parametrize("table", ["", "\0", "no such table", "\N{PLAYING CARD BACK}" * 1000])
def test_whatever_stands_in_an_address_can_be_looked_for(address: str, table: str) -> None:
    async def scenario(store: Store) -> None:
        assert await store.game(table) is None
        assert await store.read(table) == []

    run(address, scenario)


def test_who_has_not_seen_the_end_of_the_log_appends_nothing(address: str) -> None:
    async def scenario(store: Store) -> None:
        end = len(await new_table(store))
        await store.append("t1", end, [said("first")], 101.0)
        with pytest.raises(Conflict) as caught:
            await store.append("t1", end, [said("late"), said("later")], 102.0)
        assert "later" not in str(caught.value.__cause__)  # what is written is nobody's business in a log
        assert [row.fact for row in await store.read("t1", end)] == [said("first")]

    run(address, scenario)


def test_a_command_is_applied_once(address: str) -> None:
    async def scenario(store: Store) -> None:
        end = len(await new_table(store))
        mine = bound("ada", "command1")
        await store.append("t1", end, [said("hello"), said("again")], 101.0, mine)
        with pytest.raises(Conflict):
            await store.append("t1", end + 2, [said("hello")], 102.0, mine)
        assert await store.applied("t1", "ada", "command1") == end + 1
        assert await store.applied("t1", "ada", "command2") is None
        await new_table(store, "t2")
        await store.append("t2", end, [said("elsewhere")], 103.0, mine)
        assert await store.applied("t2", "ada", "command1") == end + 1

    run(address, scenario)


def test_a_command_is_the_senders_alone(address: str) -> None:
    async def scenario(store: Store) -> None:
        end = len(await new_table(store))
        await store.append("t1", end, [said("hello")], 101.0, bound("ada", "command1"))
        assert await store.applied("t1", "bo", "command1") is None
        await store.append("t1", end + 1, [said("hello", "bo")], 102.0, bound("bo", "command1"))
        assert await store.applied("t1", "bo", "command1") == end + 2
        assert await store.applied("t1", "ada", "command1") == end + 1

    run(address, scenario)


def test_commands_of_before_are_bound_to_who_sent_them(address: str) -> None:
    """The migration finds the sender of each command that was stored without one."""
    log: dict[int, tuple[dict[str, Any], str | None]] = {
        1: ({"type": "TableOpened", "table": "t1", "settings": {}, "host": "ada"}, None),
        2: ({"type": "SeatTaken", "seat": 0, "player": "ada", "name": "Ada"}, None),
        3: ({"type": "SeatTaken", "seat": 1, "player": "bo", "name": "Bo"}, "sit"),
        4: ({"type": "SessionStarted"}, "start"),
        5: ({"type": "Happened", "events": [{"type": "HandTaken", "seat": 1}]}, "act"),
        6: ({"type": "ChatSaid", "player": "cleo", "name": "Cleo", "seat": None, "text": "Hi"}, "say"),
        7: ({"type": "BotSeated", "seat": 1, "level": "club", "name": "Karen"}, "stand"),
        8: ({"type": "MadeReady", "seat": 0}, "ready"),
    }
    engine = create_engine(url_of(address))
    upgrade(engine, BEFORE_SENDERS)
    with engine.begin() as connection:
        game: dict[str, Any] = dict.fromkeys(("settings", "title", "moment", "names", "kinds", "series"), "")
        game |= {
            "id": "t1",
            "host": "ada",
            "settings": '{"rules":"french4"}',
            "public": False,
            "number": 1,
            "created_at": 1.0,
            "updated_at": 1.0,
        }
        columns = ", ".join(game)
        values = ", ".join(f":{name}" for name in game)
        connection.execute(text(f"INSERT INTO game ({columns}) VALUES ({values})"), game)
        for seq, (fact, cmd) in log.items():
            row = {"table_id": "t1", "seq": seq, "kind": fact["type"], "body": json.dumps(fact)}
            connection.execute(insert(metadata.tables["event"]).values(**row, cmd_id=cmd, at=1.0))
    upgrade(engine)
    with engine.connect() as connection:
        event = metadata.tables["event"].c
        query = select(event.cmd_id).where(event.cmd_id.is_not(None)).order_by(event.seq)
        found = list(connection.execute(query).scalars())
    engine.dispose()
    assert found == ["bo:sit", "ada:start", "bo:act", "cleo:say", "bo:stand", "ada:ready"]


def test_a_conflict_at_one_table_does_not_hurt_what_is_written_with_it(address: str) -> None:
    async def scenario(store: Store) -> None:
        tables = [f"t{number}" for number in range(8)]
        for table in tables:
            end = len(await new_table(store, table))
        late = {"t2", "t5"}
        outcomes = await asyncio.gather(
            *(
                store.append(table, end - 1 if table in late else end, [said(table)], 101.0)
                for table in tables
            ),
            return_exceptions=True,
        )
        failed = {table for table, one in zip(tables, outcomes, strict=True) if isinstance(one, Conflict)}
        assert failed == late
        for table in tables:
            written = [row.fact for row in await store.read(table, end)]
            assert written == ([] if table in late else [said(table)])

    run(address, scenario)


def test_whatever_may_not_be_written_does_not_hurt_what_is_written_with_it(address: str) -> None:
    """Somebody is logged out, a log is being deleted, a lease is lost, all in one group."""

    async def scenario(store: Store) -> None:
        await store.add_guest(ADA, 100.0)
        await store.add_session("here", "ada", 100.0, 900.0)
        await store.add_session("gone", "ada", 100.0, 101.0)
        for table in (tables := [f"t{number}" for number in range(6)]):
            end = len(await new_table(store, table))
        going = text("UPDATE game SET log = 'going' WHERE id = 't3'")
        await store.database.write(lambda connection: connection.execute(going).close())
        given: dict[str, dict[str, Any]] = {
            "t0": {"by": "ada", "token": "here"},
            "t1": {"by": "ada", "token": "gone"},
            "t4": {"by": "nobody", "token": "here"},
        }
        why: dict[str, type[Exception]] = {"t1": Deleted, "t3": UnknownTable, "t4": Deleted}
        if not store.database.embedded:
            leases = SharedLeases(store.database, "first", 60.0)
            held = await leases.hold(["t2", "t5"])
            await leases.close()
            lost = {"t5": {"lease": Lease("t5", "second", 1)}}
            given |= {"t2": {"lease": held["t2"]}} | lost
            why |= {"t5": LeaseLost}
        outcomes = await asyncio.gather(
            *(store.append(table, end, [said(table)], 102.0, **given.get(table, {})) for table in tables),
            return_exceptions=True,
        )
        assert [type(one) if one else None for one in outcomes] == [why.get(table) for table in tables]
        query = text("SELECT table_id, count(*) FROM event GROUP BY table_id")
        rows = await store.database.read(lambda connection: connection.execute(query).all())
        assert dict(map(tuple, rows)) == {table: end if table in why else end + 1 for table in tables}

    run(address, scenario)


def test_what_comes_at_once_is_written_together(address: str) -> None:
    async def scenario(store: Store) -> None:
        for table in ("t1", "t2", "t3"):
            await new_table(store, table)
        commits: list[Connection] = []
        event.listen(store.database.engine, "commit", commits.append)
        await asyncio.gather(*(store.append(table, 3, [said(table)], 101.0) for table in ("t3", "t1", "t2")))
        assert len(commits) == 1
        for table in ("t1", "t2", "t3"):
            assert (await store.read(table, 3))[0].fact == said(table)

    run(address, scenario)


def test_two_who_write_the_same_table_lose_and_double_nothing(address: str) -> None:
    async def write(store: Store, who: str, number: int) -> None:
        seq = 0
        for turn in range(number):
            while True:
                seq += len(await store.read("t1", seq))
                try:
                    await store.append("t1", seq, [said(f"{who}{turn}"), said(f"{who}{turn}!")], 101.0)
                    break
                except Conflict:
                    continue

    async def scenario(store: Store) -> None:
        end = len(await new_table(store))
        async with opened(address) as other:
            await asyncio.gather(write(store, "a", 25), write(other, "b", 25))
        log = await store.read("t1", end)
        words = [row.fact.text for row in log if isinstance(row.fact, ChatSaid)]
        assert [row.seq for row in log] == list(range(end + 1, end + 101))
        assert sorted(words) == sorted(
            f"{who}{turn}{x}" for who in "ab" for turn in range(25) for x in ("", "!")
        )
        for first, second in zip(words[::2], words[1::2], strict=True):
            assert second == f"{first}!"  # what was appended together stands together

    run(address, scenario)


# --- lists ---------------------------------------------------------------------------------------------


def test_the_lobby_shows_public_tables_where_something_happens(address: str) -> None:
    async def scenario(store: Store) -> None:
        await new_table(store, "old", at=100.0)
        await new_table(store, "new", at=200.0)
        await new_table(store, "secret", public=False, at=300.0)
        assert [game.id for game in await store.lobby(210.0)] == ["new", "old"]
        assert [game.id for game in await store.lobby(100.0 + 2 * 3600 + 50)] == ["new"]
        await store.append("old", 3, [said("hello")], 400.0)
        shown = (await store.lobby(410.0))[0]
        assert (shown.id, shown.at, shown.moment) == ("old", 400.0, "gathering")
        assert (shown.names, shown.kinds) == (("Ada", "", "Karen"), ("person", "open", "bot"))
        assert await store.game("none") is None

    run(address, scenario)


def test_history_has_the_tables_at_which_one_sat(address: str) -> None:
    async def scenario(store: Store) -> None:
        await new_table(store, "t1", ADA, at=100.0)
        await new_table(store, "t2", BO, at=200.0)
        await store.append("t2", 3, [said("may I?")], 201.0, "command1", speaker="ada")
        assert [(game.id, game.seat) for game in await store.history("ada")] == [("t1", 0)]
        log = await store.read("t2")
        sat = [*log, Row(5, SeatTaken(1, "ada", "Ada"), 202.0)]
        await store.append("t2", 4, [sat[-1].fact], 202.0, summary=summary(fold(None, sat)))
        await store.append("t2", 5, [said("thanks")], 203.0, speaker="ada")
        assert [(game.id, game.seat) for game in await store.history("ada")] == [("t2", 1), ("t1", 0)]

    run(address, scenario)


def test_who_is_connected_to_another_process_is_known_for_a_while(address: str) -> None:
    async def scenario(store: Store) -> None:
        await store.be_present("n1", [("t1", "ada"), ("t2", "ada")])
        await store.be_present("n2", [("t1", "bo")])
        assert await store.present(["t1", "t2"], "n2", 60.0) == {
            "t1": frozenset({"ada"}),
            "t2": frozenset({"ada"}),
        }
        older = text("UPDATE presence SET seen_at = seen_at - 30 WHERE node = 'n1'")
        await store.database.write(lambda connection: connection.execute(older).close())
        assert await store.present(["t1"], "n3", 20.0) == {"t1": frozenset({"bo"})}
        assert await store.present(["t1"], "n3", 60.0) == {"t1": frozenset({"ada", "bo"})}
        await store.be_present("n1", [("t2", "ada")])
        assert await store.present(["t1"], "n2", 60.0) == {}

    run(address, scenario)


# --- people --------------------------------------------------------------------------------------------


def test_a_session_knows_its_player_until_it_ends(address: str) -> None:
    async def scenario(store: Store) -> None:
        await store.add_guest(ADA, 100.0)
        await store.add_session("hash1", "ada", 100.0, 200.0)
        assert await store.player_of("hash1", 150.0) == (ADA, 200.0)
        assert await store.player_of("hash1", 200.0) is None
        await store.extend_session("hash1", 190.0, 300.0)
        assert await store.player_of("hash1", 250.0) == (ADA, 300.0)
        await store.end_session("hash1")
        assert await store.player_of("hash1", 250.0) is None

    run(address, scenario)


def test_an_account_has_a_name_of_its_own(address: str) -> None:
    async def scenario(store: Store) -> None:
        await store.add_guest(ADA, 100.0)
        await store.add_guest(BO, 100.0)
        assert await store.make_account("ada", "Ada L", "ada l", "hashed")
        assert not await store.make_account("bo", "ADA L", "ada l", "other")
        assert not await store.make_account("ada", "Ada X", "ada x", "other")
        assert await store.account("ada l") == (Player("ada", "Ada L", False, "en"), "hashed")
        assert await store.account("bo") is None
        await store.rehash("ada", "newer")
        assert await store.change_player("ada", language="fr")
        assert await store.account("ada l") == (Player("ada", "Ada L", False, "fr"), "newer")
        assert await store.make_account("bo", "Bo", "bo", "hashed")
        assert not await store.change_player("bo", "Ada L", None, "ada l")

    run(address, scenario)


def test_a_guest_who_logs_in_keeps_the_games(address: str) -> None:
    async def scenario(store: Store) -> None:
        account = Player("account", "Ada L", True, "en")
        for player in (ADA, BO, account):
            await store.add_guest(player, 100.0)
        await store.make_account("account", "Ada L", "ada l", "hashed")
        await store.add_session("hash1", "ada", 100.0, 900.0)
        await new_table(store, "t1", ADA)
        await new_table(store, "t2", BO)
        await store.merge("ada", "account")
        assert await store.player_of("hash1", 150.0) is None
        assert await store.known_as("t1", "account") == "ada"
        assert await store.known_as("t2", "account") == "account"
        assert [game.id for game in await store.history("account")] == ["t1"]

    run(address, scenario)


def test_who_is_forgotten_leaves_no_name_and_no_word(address: str) -> None:
    async def scenario(store: Store) -> None:
        for player in (ADA, BO):
            await store.add_guest(player, 100.0)
        await store.add_session("hash1", "ada", 100.0, 900.0)
        end = len(await new_table(store, "t1", ADA))
        await new_table(store, "t2", BO)
        await store.append("t1", end, [said("my secret"), said("well", "bo")], 101.0, speaker="ada")
        await store.append("t2", end, [said("also here")], 102.0, speaker="ada")
        assert sorted((await store.forget("ada")).tables) == ["t1", "t2"]
        assert await store.player_of("hash1", 150.0) is None
        assert await store.history("ada") == []
        logs = repr([row.fact for table in ("t1", "t2") for row in await store.read(table)])
        assert "Ada" not in logs
        assert "secret" not in logs
        assert "also here" not in logs
        assert said("well", "bo") in [row.fact for row in await store.read("t1")]
        game = await store.game("t1")
        assert game is not None
        assert game.names == (NOBODY, "", "Karen")

    run(address, scenario)


def test_nothing_is_written_in_the_name_of_who_is_deleted(address: str) -> None:
    """Whatever was under way: a word, a table, a log-in; and what others know from before is out of date."""

    async def scenario(store: Store) -> None:
        for player in (ADA, BO):
            await store.add_guest(player, 100.0)
        end = len(await new_table(store, "t1", ADA))
        await store.forget("ada", 101.0)
        with pytest.raises(Deleted):
            await store.append("t1", end + 1, [said("late")], 102.0, speaker="ada", by="ada")
        with pytest.raises(Deleted):
            await new_table(store, "t2", ADA)
        with pytest.raises(Deleted):
            await store.add_session("hash", "ada", 102.0, 900.0)
        with pytest.raises(Deleted):
            await store.merge("bo", "ada")
        with pytest.raises(Conflict):
            await store.append("t1", end, [said("me too", "bo")], 102.0, by="bo")
        assert await store.unfinished() == ["ada"]
        await store.finished(["ada"], 103.0)
        assert await store.unfinished() == []
        with pytest.raises(Deleted):  # something may still be under way
            await store.add_session("hash", "ada", 102.0, 900.0)
        await store.finished(["nobody"], 103.0 + UNDER_WAY + 1)
        await store.database.scrub()
        people = text("SELECT id FROM player")
        ids = await store.database.read(lambda connection: connection.execute(people).scalars().all())
        assert ids == ["bo"]

    run(address, scenario)


def test_nothing_is_written_for_a_session_that_has_ended(address: str) -> None:
    async def scenario(store: Store) -> None:
        await store.add_guest(ADA, 100.0)
        await store.add_session("hash", "ada", 100.0, 200.0)
        await new_table(store)
        await store.append("t1", 3, [said("still here")], 150.0, by="ada", token="hash")
        with pytest.raises(Deleted):
            await store.append("t1", 4, [said("too late")], 250.0, by="ada", token="hash")
        await store.end_session("hash")
        with pytest.raises(Deleted):
            await store.append("t1", 4, [said("gone")], 150.0, by="ada", token="hash")
        assert [row.fact for row in await store.read("t1", 3)] == [said("still here")]

    run(address, scenario)


def test_what_somebody_noted_in_the_tournament_of_another_goes_with_them(address: str) -> None:
    """What others noted there stays, and so does all that is a club's."""

    async def scenario(store: Store) -> None:
        tournaments = TournamentStore(store.database)
        for key, club in (("open", ""), ("ours", "club")):
            first = t.Begun(by="ada", name="Cup", terms=PRESETS["danish-championship"], seed="s")
            found = t.begin(first)
            await tournaments.create(key, first, found, club)
            for fact in (
                t.Entered(by="ada", people=(t.Person("Per"),)),
                t.Penalised(by="bo", who=1, hundredths=5, note="late again"),
                t.Penalised(by="ada", who=1, hundredths=5, note="Bo is right"),
            ):
                found = t.decide(found, fact)
                await tournaments.append(key, fact, found)
        await tournaments.forget_words(["bo"])
        for key, notes in (("open", ["", "Bo is right"]), ("ours", ["late again", "Bo is right"])):
            facts = (await tournaments.read(key)).facts
            assert [fact.note for fact in facts if isinstance(fact, t.Penalised)] == notes

    run(address, scenario)


# --- reviews -------------------------------------------------------------------------------------------


def test_a_review_is_kept_for_just_what_it_was_made_of_and_goes_with_its_table(address: str) -> None:
    async def scenario(store: Store) -> None:
        await new_table(store)
        assert await store.review("t1", 1, 1, "a") is None
        await store.keep_review("t1", 1, 1, "a", b"first", 100.0)
        await store.keep_review("t1", 2, 1, "a", b"other", 100.0)
        assert await store.review("t1", 1, 1, "a") == b"first"
        assert await store.review("t1", 1, 1, "b") is None
        assert await store.review("t1", 1, 2, "a") is None
        await store.keep_review("t1", 1, 1, "b", "changed ♠".encode(), 101.0)
        assert await store.review("t1", 1, 1, "b") == "changed ♠".encode()
        assert await store.review("t1", 1, 1, "a") is None
        await store.forget(ADA.id)
        assert await store.review("t1", 2, 1, "a") == b"other"
        await store.database.write(lambda connection: connection.execute(text("DELETE FROM game")))
        assert await store.review("t1", 2, 1, "a") is None

    run(address, scenario)


# --- progress ------------------------------------------------------------------------------------------


def test_what_is_done_stays_and_the_better_of_two_values_counts(address: str) -> None:
    async def scenario(store: Store) -> None:
        for player in (ADA, BO):
            await store.add_guest(player, 100.0)
        await store.done("ada", "first/danish", 100.0)
        await store.done("ada", "trainer/x", 101.0, 7)
        await store.done("ada", "trainer/x", 102.0, 5)
        await store.done("bo", "trainer/x", 103.0, 9)
        await store.done("bo", "lesson/y/0", 103.0)
        assert await store.progress("ada") == {"first/danish": 1, "trainer/x": 7}
        await store.merge("ada", "bo")
        assert await store.progress("bo") == {"first/danish": 1, "trainer/x": 9, "lesson/y/0": 1}
        await store.forget("bo")
        assert await store.progress("bo") == await store.progress("ada") == {}

    run(address, scenario)


def test_a_run_is_counted_from_its_first_answer_to_its_first_wrong_one(address: str) -> None:
    async def scenario(store: Store) -> None:
        async def answered(n: int, right: bool = True, name: str = "a", who: str = "ada") -> int:
            return await store.answered(who, "x_y", name, n, right, 100.0)

        assert [await answered(n) for n in (1, 0, 0, 2, 1)] == [0, 1, 1, 1, 2]
        assert await answered(0, who="bo") == 1
        assert await answered(2, right=False) == 0
        assert [await answered(n) for n in (0, 2, 3)] == [0, 0, 0]
        assert [await answered(n, name="b") for n in (0, 1, 2)] == [1, 2, 3]
        assert (await store.progress("ada")) == {"trainer/x_y": 3, "run/x_y/b": 3}, "one run at a time"
        assert await answered(1, who="bo") == 2, "others have their own"

    run(address, scenario)


# --- clubs -----------------------------------------------------------------------------------------------


def test_a_club_is_written_joined_forgotten_and_deleted(address: str) -> None:
    async def scenario(store: Store) -> None:
        clubs, log = ClubStore(store.database), Log()
        evening = log.evening("2026-11-17", ("m1", "m2", "m3"))
        sheet = log.play(evening, 1, ("m1", "m2", "m3"), SCRAPPED)
        sheets = {key: (facts, s.fold(facts)) for key, facts in log.sheets.items()}
        await clubs.create("club", log.facts, log.club, 1.0, sheets)
        kept = await clubs.read("club")
        assert kept is not None
        assert kept.club == log.club
        assert await clubs.read("club") is kept
        assert (await clubs.of(KAREN))[0].role == "secretary"
        assert await clubs.at(sheet, [KAREN]) == ("club", {"secretary"})
        assert (await clubs.heads([sheet]))[sheet].seq == len(log.sheets[sheet])
        assert await clubs.sheets("club") == log.sheets
        await clubs.invite(Invitation("hash", "club", "m2", "member", 9.0, 1), 2.0)
        after = log.write(c.AccountLinked, member="m2", player="bo", at=3.0)
        linked = log.facts[-1:]
        await clubs.append("club", linked, after, "command", invitation="hash")
        with pytest.raises(Spent):
            await clubs.append("club", linked, after, invitation="hash")
        with pytest.raises(Conflict):
            await clubs.append("club", linked, after)
        assert await clubs.invitations(3.0, club="club") == []
        await clubs.forget_member("club", "m3")
        renamed = await clubs.read("club")
        assert renamed is not None
        assert renamed.club.members["m3"].name == c.NOBODY
        assert renamed.commands == {bound(log.facts[-1].by, "command"): log.club.seq}
        assert (await clubs.sheets("club"))[sheet][0].names[2] == "Slettet navn 3"  # type: ignore[union-attr]
        assert await clubs.forget_person([KAREN], 4.0) == ["club"]
        assert (await clubs.of("bo"))[0].role == "secretary"
        assert await clubs.forget_person(["bo"], 5.0) == []
        assert await clubs.read("club") is None
        assert await clubs.heads([sheet]) == {}

    run(address, scenario)


def test_a_large_club_is_written_in_batches_between_which_others_can_write(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    log, writes = Log(), list[object]()
    for number in range(2500):
        log.write(c.Chronicled, text=f"note {number}")

    async def scenario(store: Store) -> None:
        clubs, write = ClubStore(store.database), store.database.write

        async def noted(job: Callable[[Connection], object]) -> object:
            writes.append(job)
            return await write(job)

        monkeypatch.setattr(store.database, "write", noted)
        await clubs.create("club", log.facts, log.club, 1.0)
        assert len(writes) == 3
        read = await clubs.read("club")
        assert read is not None
        assert read.facts == tuple(log.facts)
        assert [one.id for one in await clubs.of(KAREN)] == ["club"]

    run(address, scenario)
