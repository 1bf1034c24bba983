"""The files of the database: private, one server at a time, and a disk that is full."""

from __future__ import annotations

import asyncio
import resource
import shutil
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Awaitable, Iterator
from contextlib import closing, suppress
from pathlib import Path

import msgspec
import pytest
import structlog
from sqlalchemy import select
from sqlalchemy.exc import IntegrityError

from page_client import log_of
from postgres import new_database
from serving import PATIENCE, AtTable, Serving, Visitor, serve
from ultimo.answers.refusing import sentence
from ultimo.server import running
from ultimo.server.database import Database, Full
from ultimo.server.files import InUse, held, make_private
from ultimo.server.logs import Lossy
from ultimo.server.schema import player
from ultimo.server.settings import Config
from ultimo.server.store import Player, Store
from ultimo.table.facts import ChatSaid


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_what_we_make_is_private_and_only_our_own_folder_is_mended(tmp_path: Path) -> None:
    file = tmp_path / "state" / "ultimo" / "tables.db"
    assert make_private(file, own=False) == []
    assert [mode(one) for one in (file, file.parent, file.parent.parent)] == [0o600, 0o700, 0o700]
    wal = file.with_name("tables.db-wal")
    wal.touch()
    for path, open_to in ((file, 0o644), (wal, 0o660), (file.parent, 0o755)):
        path.chmod(open_to)
    assert make_private(file, own=False) == [file, wal]
    assert (mode(file), mode(file.parent)) == (0o644, 0o755)
    assert make_private(file, own=True) == []
    assert [mode(one) for one in (file, wal, file.parent)] == [0o600, 0o600, 0o700]


def test_a_server_mends_its_own_folder_and_warns_of_a_file_that_others_can_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    own, other = tmp_path / "ultimo" / "tables.db", tmp_path / "tables.db"
    own.parent.mkdir(mode=0o755)
    for file in (own, other):
        file.touch(0o644)
    with structlog.testing.capture_logs() as lines:
        for config in (Config(), Config(database=str(other))):
            with running.database_to_itself(config):
                pass
    assert (mode(own.parent), mode(own), mode(other)) == (0o700, 0o600, 0o644)
    assert [(line["event"], line["files"]) for line in lines] == [
        ("others can read the database", [str(other)])
    ]


def test_the_lock_is_free_again_when_its_holder_is_killed(tmp_path: Path) -> None:
    file, link = tmp_path / "tables.db", tmp_path / "link.db"
    link.symlink_to(file)
    script = (
        "import sys, time; from pathlib import Path; from ultimo.server.files import held\n"
        "with held(Path(sys.argv[1])): print('held', flush=True); time.sleep(600)"
    )
    with subprocess.Popen([sys.executable, "-c", script, file], stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(InUse, match=f"process {holder.pid}"), held(link):
            pass
        holder.kill()
    with held(link):
        assert mode(tmp_path / "tables.db.lock") == 0o600


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with Serving(tmp_path_factory.mktemp("served") / "new" / "tables.db") as serving:
        yield serving


def test_a_table_whose_moves_are_deleted_says_so(server: Serving) -> None:
    visitor = Visitor(server)
    visitor.enter()
    table = visitor.open_table()
    with closing(sqlite3.connect(server.database, timeout=PATIENCE)) as connection:
        connection.execute("UPDATE game SET log = 'gone', moment = 'over' WHERE id = ?", (table,))
        connection.commit()
    for path in ("replay/1", "record", "ledger", "fair/1", "review/1", "position/1/1"):
        answer = visitor.get(f"/api/tables/{table}/{path}?lang=en")
        assert (answer.status, answer.json["error"]) == (410, sentence("en", "logGone")), path
    assert visitor.post(f"/api/tables/{table}/hint").status == 410
    assert visitor.post(f"/api/tables/{table}/again", {"deal": 1}).status == 410
    assert visitor.get(f"/api/tables/{table}").status == 200
    assert visitor.get("/api/tables/none/replay/1").status == 404
    with visitor.watch(table) as socket:
        goodbye = msgspec.json.decode(socket.recv(PATIENCE))
    assert goodbye == {"type": "goodbye", "reason": sentence("en", "logGone"), "again": False}


def test_a_second_server_on_the_same_file_is_refused_and_the_first_goes_on(server: Serving) -> None:
    done = serve("--port", "0", "--database", server.database)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        f"ultimo: the database cannot be opened: database: another server (process {server.pid}) uses "
        f"{server.database}; stop it first, or use another database\n"
    )
    folder = Path(server.database).parent
    assert mode(folder) == 0o700
    assert {one.name: mode(one) for one in folder.iterdir()} == dict.fromkeys(
        ("tables.db", "tables.db-wal", "tables.db-shm", "tables.db.lock"), 0o600
    )
    server.kill()
    server.start()


# --- a full disk ---------------------------------------------------------------------------------------


def limit_files(server: Serving, most: int) -> None:
    """Let the files of a running server grow no further: to it the disk is full."""
    resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (most, resource.RLIM_INFINITY))


def readiness(visitor: Visitor) -> tuple[int, str]:
    answer = visitor.get("/readyz")
    return answer.status, answer.json["database"]


def test_a_full_disk_refuses_politely_and_the_table_goes_on_when_there_is_space(server: Serving) -> None:
    visitor, full = Visitor(server), sentence("en", "diskFull")
    visitor.enter()
    table = visitor.open_table()
    with AtTable(visitor, table) as page:
        assert page.do({"type": "Say", "text": "before"})["type"] == "done"
        limit_files(server, Path(f"{server.database}-wal").stat().st_size)
        for text in ("one", "two"):
            said = page.do({"type": "Say", "text": text})
            assert (said["type"], said["reason"]) == ("refused", full)
        assert page.do({"type": "Start"})["type"] == "refused"
        stranger = Visitor(server).ask("POST", "/api/enter?lang=en", {})
        assert (stranger.status, stranger.json["error"]) == (507, full)
        assert visitor.get(f"/api/tables/{table}").status == 200
        assert readiness(visitor) == (503, "the disk is full")
        limit_files(server, resource.RLIM_INFINITY)
        assert readiness(visitor) == (200, "ok")
        assert page.do({"type": "Say", "text": "after"})["type"] == "done"
        limit_files(server, Path(f"{server.database}-wal").stat().st_size)
        assert page.do({"type": "Start"})["type"] == "refused"
        limit_files(server, resource.RLIM_INFINITY)
        page.play()
        assert [line["text"] for line in page.scene["chat"]] == ["before", "after"]
    server.kill()
    log = log_of(server.database, table)
    assert [row.seq for row in log] == list(range(1, len(log) + 1))
    assert [row.fact.text for row in log if isinstance(row.fact, ChatSaid)] == ["before", "after"]
    server.start()
    assert visitor.get(f"/api/tables/{table}/replay/1").status == 200


def test_too_little_space_is_not_ready(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario() -> None:
        base = Database(str(tmp_path / "tables.db"))
        await base.start()
        free = shutil.disk_usage(tmp_path).free
        assert await base.has_room(0)
        assert not await base.has_room(2 * free)
        await base.close()

    asyncio.run(scenario())


FILL: dict[str, tuple[str, ...]] = {  # what makes a database full, and what makes space again
    "sqlite": ("PRAGMA max_page_count = 1", "PRAGMA max_page_count = 1000000"),
    "postgresql": (
        "CREATE FUNCTION no_space() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE EXCEPTION 'no space' USING ERRCODE = '53100'; END $$; "
        "CREATE TRIGGER no_space BEFORE INSERT ON player EXECUTE FUNCTION no_space(); "
        "CREATE TRIGGER no_space BEFORE UPDATE ON alembic_version EXECUTE FUNCTION no_space()",
        "DROP TRIGGER no_space ON player; DROP TRIGGER no_space ON alembic_version",
    ),
}


@pytest.mark.parametrize("kind", FILL)
def test_a_write_without_space_writes_nothing_and_is_no_other_fault(kind: str, tmp_path: Path) -> None:
    async def scenario() -> None:
        base = Database(str(tmp_path / "tables.db") if kind == "sqlite" else new_database())
        store = Store(base)
        await base.start()

        async def sql(statement: str) -> None:
            await base.write(lambda connection: connection.exec_driver_sql(statement).close())

        def comes(name: str) -> Awaitable[None]:
            long = "x" * 5000  # needs a page of its own
            return store.add_guest(Player(name, long, True, "en"), 1.0)

        full, free = FILL[kind]
        await sql(full)
        ended = await asyncio.gather(*map(comes, "abcde"), return_exceptions=True)
        assert [type(one) for one in ended] == [Full] * 5
        if kind == "postgresql":
            assert not await base.has_room(0)
        await sql(free)
        assert await base.has_room(0)
        await asyncio.gather(*map(comes, "cdefg"))
        rows = await base.read(lambda connection: connection.execute(select(player.c.id)).scalars().all())
        assert sorted(rows) == [*"cdefg"]
        with pytest.raises(IntegrityError):
            await comes("c")
        await base.close()

    asyncio.run(scenario())


def test_a_log_that_cannot_be_written_stops_nobody() -> None:
    with open("/dev/full", "w") as full:
        stream = Lossy(full)
        assert stream.write("a line\n") == 7
        stream.flush()
        with suppress(OSError):
            full.close()
