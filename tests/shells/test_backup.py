"""Backups: taken while a server is playing, restored into either database, refused if they are damaged."""

from __future__ import annotations

import gzip
import os
import re
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from hashlib import sha256
from itertools import count
from pathlib import Path
from threading import Event
from typing import Any

import msgspec
import pytest
from sqlalchemy import create_engine, select

from commands import fails, ultimo
from live import bots
from page_client import NO_LIMITS
from postgres import new_database
from serving import AtTable, Serving, Visitor
from ultimo.server.backup import VOLATILE
from ultimo.server.database import url_of
from ultimo.server.schema import event, game, metadata
from ultimo.server.store import FACT, SERIES, Player
from ultimo.table import Settings, open_table
from ultimo.table.pages import Row, fold, summary
from written import write


def contents(database: str) -> dict[str, list[tuple[Any, ...]]]:
    """All rows of a database, in an order of their own."""
    engine = create_engine(url_of(database))
    with engine.connect() as connection:
        found = {
            name: sorted(map(tuple, connection.execute(select(table))), key=repr)
            for name, table in metadata.tables.items()
            if name not in VOLATILE
        }
    engine.dispose()
    return found


def check_consistent(database: str) -> int:
    """Whether what lists say of every table is what its log says; how many facts there are."""
    engine, facts = create_engine(url_of(database)), 0
    with engine.connect() as connection:
        for line in connection.execute(select(game)).mappings().all():
            query = select(event.c.seq, event.c.body, event.c.at).where(event.c.table_id == line["id"])
            rows = [Row(seq, FACT.decode(body), at) for seq, body, at in connection.execute(query)]
            rows.sort(key=lambda row: row.seq)
            assert [row.seq for row in rows] == list(range(1, len(rows) + 1))
            shown = summary(fold(None, rows))
            assert (line["moment"], line["number"]) == (shown.moment, shown.number)
            assert SERIES.decode(line["series"]) == shown.series
            facts += len(rows)
    engine.dispose()
    return facts


def saved(database: str, file: Path) -> Path:
    done = ultimo("backup", file, "--database", database)
    assert (done.status, done.err) == (0, ""), done
    assert done.out.endswith(f" rows in {file}\n")
    return file


def restored(file: Path, database: str) -> str:
    done = ultimo("restore", file, "--database", database)
    assert (done.status, done.err) == (0, ""), done
    return database


def saved_in_play(visitor: Visitor, table: str, deal: int, file: Path) -> int:
    """Take a backup while somebody plays deal after deal; which is the last."""
    over = Event()
    with AtTable(visitor, table, seed=deal) as page, ThreadPoolExecutor(1) as player:

        def play() -> int:
            for number in count(deal):
                page.play(number)
                if over.is_set():
                    return number
            raise AssertionError("unreachable")

        last = player.submit(play)
        saved(visitor.server.database, file)
        over.set()
        return last.result()


def test_both_databases_are_saved_while_somebody_plays_and_a_server_goes_on_with_either(
    tmp_path: Path,
) -> None:
    in_play, file, again = tmp_path / "in-play.backup", tmp_path / "all.backup", str(tmp_path / "again.db")
    with Serving(tmp_path / "first.db", env=NO_LIMITS) as first:
        visitor = Visitor(first)
        visitor.enter()
        table = visitor.open_table()
        deal = saved_in_play(visitor, table, 1, in_play)
    assert check_consistent(restored(in_play, str(tmp_path / "first-in-play.db"))) >= 3
    assert stat.S_IMODE(in_play.stat().st_mode) == 0o600

    postgres = new_database()
    restored(saved(first.database, file), postgres)
    assert contents(postgres) == contents(first.database)
    with Serving(postgres, env=NO_LIMITS) as second:
        visitor.server = second
        deal = saved_in_play(visitor, table, deal + 1, in_play)
        assert "connected" in fails("restore", file, "--database", postgres, "--replace")
    assert check_consistent(restored(in_play, str(tmp_path / "second-in-play.db"))) > 30

    restored(saved(postgres, file), again)
    assert contents(again) == contents(postgres)
    with Serving(again) as third:
        visitor.server = third
        with AtTable(visitor, table) as page:
            page.play(deal + 1)
        assert visitor.get(f"/api/tables/{table}/replay/1").status == 200
        assert [one["deals"] for one in visitor.get("/api/history").json] == [deal + 1]
        assert f"process {third.pid}" in fails("restore", file, "--database", again, "--replace")


# --- what is refused -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A database with a table in it."""
    address = str(tmp_path_factory.mktemp("source") / "tables.db")
    settings = Settings("dtf", 3, bots(3))
    write(address, open_table("t1", settings, "ada", "Ada"), 100.0, Player("ada", "Ada", True, "en"), "token")
    return address


@pytest.fixture(scope="module")
def whole(source: str, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A backup of it."""
    return saved(source, tmp_path_factory.mktemp("whole") / "whole.backup").read_bytes()


def changed(data: bytes, old: str, new: str, *, signed: bool = False) -> bytes:
    """The backup with other words in it, and if it is `signed` with the digest that they have."""
    text = gzip.decompress(data).replace(old.encode(), new.encode(), 1)
    assert text != gzip.decompress(data)
    if signed:
        lines = text.splitlines(keepends=True)
        body = b"".join(lines[:-1])
        trailer = msgspec.json.decode(lines[-1]) | {"sha256": sha256(body).hexdigest()}
        text = body + msgspec.json.encode(trailer) + b"\n"
    return gzip.compress(text)


NEWER = "was made by a newer version of ultimo"
DAMAGES: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "nothing": (lambda data: b"", "is no backup of ultimo"),
    "foreign": (lambda data: b"Dear Ada, how are you?", "is no backup of ultimo"),
    "foreign and packed": (lambda data: gzip.compress(b"Dear Ada\n"), "is no backup of ultimo"),
    "cut off": (lambda data: data[:-100], "is cut off or damaged"),
    "cut off at a line": (
        lambda data: gzip.compress(b"".join(gzip.decompress(data).splitlines(keepends=True)[:-1])),
        "is cut off: its end is missing",
    ),
    "a bit is wrong": (
        lambda data: data[:300] + bytes([data[300] ^ 1]) + data[301:],
        "is (cut off or )?damaged",
    ),
    "a name is changed": (lambda data: changed(data, "Ada", "Eve"), "is damaged: its SHA-256 is another"),
    "a row too few": (lambda data: changed(data, '"rows":{', '"rows":{"x":1,'), "is damaged"),
    "a row too short": (lambda data: changed(data, '["ada","Ada",', '["Ada",'), "is damaged in line"),
    "more behind the end": (lambda data: data + gzip.compress(b"[1]\n"), "is damaged: there is more"),
    "a newer format": (lambda data: changed(data, '"format":1', '"format":2'), NEWER),
    "a newer schema": (
        lambda data: changed(data, '"revision":"', '"revision":"9'),
        "was made by a newer version",
    ),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_file_that_is_not_a_whole_backup_is_refused_in_a_sentence(
    whole: bytes, tmp_path: Path, damage: str
) -> None:
    work, reason = DAMAGES[damage]
    file, target = tmp_path / "a.backup", tmp_path / "target.db"
    file.write_bytes(work(whole))
    told = fails("restore", file, "--database", target)
    assert re.fullmatch(rf"{re.escape(str(file))} {reason}.*; nothing is changed", told), told
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_only_an_empty_database_is_filled_unless_it_may_be_replaced(
    source: str, whole: bytes, tmp_path: Path, kind: str
) -> None:
    file, other = tmp_path / "a.backup", tmp_path / "other.backup"
    file.write_bytes(whole)
    other.write_bytes(changed(whole, '["ada","Ada"', '["ada","Eve"', signed=True))
    target = str(tmp_path / "target.db") if kind == "sqlite" else new_database()
    restored(file, target)
    assert "not empty" in fails("restore", other, "--database", target)
    broken = tmp_path / "broken.backup"
    broken.write_bytes(changed(whole, '"token_hash"', '"token"', signed=True))
    assert "not of its revision" in fails("restore", broken, "--database", target, "--replace")
    assert contents(target) == contents(source)
    assert ultimo("restore", other, "--database", target, "--replace").status == 0
    assert contents(target) != contents(source)
    assert contents(target)["player"][0][:2] == ("ada", "Eve")


def test_a_row_that_does_not_fit_leaves_nothing_behind(whole: bytes, tmp_path: Path) -> None:
    file, target = tmp_path / "a.backup", tmp_path / "target.db"
    file.write_bytes(changed(whole, '["t1",1,', '["t2",1,', signed=True))
    assert "the database: FOREIGN KEY constraint failed" in fails("restore", file, "--database", target)
    assert list(tmp_path.iterdir()) == [file]


def test_a_database_of_another_program_is_left_alone(whole: bytes, tmp_path: Path) -> None:
    file, target = tmp_path / "a.backup", tmp_path / "target.db"
    file.write_bytes(whole)
    with closing(sqlite3.connect(target)) as connection:
        connection.execute("CREATE TABLE recipes (id INTEGER)")
        connection.commit()
    assert "of another program" in fails("restore", file, "--database", target, "--replace")
    assert "nothing of ultimo" in fails("backup", tmp_path / "b.backup", "--database", target)
    assert fails("backup", file, "--database", tmp_path / "none.db").startswith("there is no database")


def test_a_backup_replaces_an_older_backup_and_no_other_file(source: str, tmp_path: Path) -> None:
    file, letter = tmp_path / "a.backup", tmp_path / "letter.txt"
    letter.write_text("Dear Ada")
    assert "choose another name" in fails("backup", letter, "--database", source)
    assert "choose another name" in fails("backup", source, "--database", source)
    saved(source, file)
    saved(source, file)
    assert sorted(tmp_path.iterdir()) == [file, letter]
    told = fails("backup", tmp_path / "no" / "a.backup", "--database", source)
    assert told.endswith("No such file or directory")


def test_a_backup_goes_through_a_pipe_and_the_database_is_that_of_the_settings(
    source: str, tmp_path: Path
) -> None:
    target = tmp_path / "state" / "ultimo" / "tables.db"

    def piped(command: str, given: bytes = b"", **settings: str) -> bytes:
        program = [sys.executable, "-m", "ultimo.cli.main", command, "-"]
        env = os.environ | settings
        return subprocess.run(program, env=env, input=given, stdout=subprocess.PIPE, check=True).stdout

    data = piped("backup", ULTIMO_DATABASE=source)
    told = piped("restore", data, ULTIMO_DATABASE="", XDG_STATE_HOME=str(tmp_path / "state"))
    assert told.startswith(b"restored ")
    assert contents(str(target)) == contents(source)
