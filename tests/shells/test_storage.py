"""The files of the database: private, one server at a time, and a disk that is full."""

from __future__ import annotations

import sqlite3
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from serving import PATIENCE, Serving, Visitor, serve
from ultimo.server.files import InUse, held, make_private
from ultimo.server.http import sentence


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
