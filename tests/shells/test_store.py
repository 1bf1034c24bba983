"""The database under the server: logs that lose nothing, and people who can be forgotten."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, text

from clubs import KAREN, SCRAPPED, Log
from live import bots
from postgres import binaries, new_database
from ultimo.club import club as c
from ultimo.club import sheet as s
from ultimo.server.club_store import ClubStore, Invitation
from ultimo.server.database import Database, DatabaseError, url_of
from ultimo.server.held import fold, summary
from ultimo.server.schema import SchemaError, metadata
from ultimo.server.sheet_store import Spent
from ultimo.server.store import Conflict, Player, Row, Store
from ultimo.table import Fact, Settings, open_table
from ultimo.table.facts import NOBODY, ChatSaid, SeatTaken

ADA = Player("ada", "Ada", True, "en")
BO = Player("bo", "Bo", True, "da")


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
        await store.append("t1", end, [said("hello"), said("again")], 101.0, "command1")
        with pytest.raises(Conflict):
            await store.append("t1", end + 2, [said("hello")], 102.0, "command1")
        assert await store.applied("t1", "command1") == end + 1
        assert await store.applied("t1", "command2") is None
        await new_table(store, "t2")
        await store.append("t2", end, [said("elsewhere")], 103.0, "command1")
        assert await store.applied("t2", "command1") == end + 1

    run(address, scenario)


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
        await store.be_present("n1", [("t1", "ada"), ("t2", "ada")], 100.0)
        await store.be_present("n2", [("t1", "bo")], 105.0)
        assert await store.present(["t1", "t2"], "n2", 95.0) == {
            "t1": frozenset({"ada"}),
            "t2": frozenset({"ada"}),
        }
        assert await store.present(["t1"], "n3", 104.0) == {"t1": frozenset({"bo"})}
        await store.be_present("n1", [("t2", "ada")], 110.0)
        assert await store.present(["t1"], "n2", 95.0) == {}

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
        assert sorted(await store.forget("ada")) == ["t1", "t2"]
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
        assert renamed.commands == {"command": log.club.seq}
        assert (await clubs.sheets("club"))[sheet][0].names[2] == c.NOBODY  # type: ignore[union-attr]
        assert await clubs.forget_person(KAREN, 4.0) == ["club"]
        assert (await clubs.of("bo"))[0].role == "secretary"
        assert await clubs.forget_person("bo", 5.0) == []
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
