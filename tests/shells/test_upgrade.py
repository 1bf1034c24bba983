"""A database of the first schema, written by the server of that time: today's server goes on with it."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import column, create_engine, insert, select, table

from commands import ultimo
from postgres import new_database
from serving import AtTable, Serving, Visitor
from ultimo.server.database import url_of
from ultimo.server.house import COOKIE
from ultimo.server.schema import event, metadata

FIRST = Path(__file__).parents[1] / "data" / "database-0001.json"


@cache
def first() -> dict[str, Any]:
    found: dict[str, Any] = msgspec.json.decode(FIRST.read_bytes())
    return found


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A database at revision 0001."""
    made = str(tmp_path / "tables.db") if request.param == "sqlite" else new_database()
    engine = create_engine(url_of(made))
    with engine.begin() as connection:
        for statement in first()[request.param]:
            connection.exec_driver_sql(statement)
        for name, kept in first()["tables"].items():
            columns = kept["columns"]
            rows = [dict(zip(columns, row, strict=True)) for row in kept["rows"]]
            connection.execute(insert(table(name, *map(column, columns))), rows)
    engine.dispose()
    return made


def check_schema(address: str) -> list[str]:
    """Whether a database has today's schema; the bodies of its events."""
    engine = create_engine(url_of(address))
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
        bodies = list(connection.execute(select(event.c.body).order_by(event.c.seq)).scalars())
    engine.dispose()
    return bodies


def test_a_server_goes_on_with_a_database_of_the_first_schema(address: str) -> None:
    (game,) = first()["tables"]["game"]["rows"]
    old = [row[3] for row in first()["tables"]["event"]["rows"]]
    with Serving(address) as server:
        visitor = Visitor(server)
        visitor.cookies[COOKIE] = first()["token"]
        (line,) = visitor.get("/api/history").json
        assert (line["id"], line["deals"], line["series"]) == (game[0], 1, [-80])
        assert len(visitor.get(f"/api/tables/{game[0]}/replay/1").json["frames"]) > 80
        assert len(visitor.get(f"/api/tables/{game[0]}/fair/1").json["shuffles"]) == 1
        with AtTable(visitor, game[0]) as page:
            assert [said["text"] for said in page.scene["chat"]] == ["Godaften!"]
            assert (page.scene["moment"], page.scene["number"]) == ("deal", 2)
            page.play(2)
        assert visitor.get(f"/api/tables/{game[0]}/replay/2").status == 200
        assert visitor.get("/api/figures").json["deals"] == 1
    new = check_schema(address)
    assert new[: len(old)] == [dated(body) for body in old]
    assert len(new) > len(old)


def dated(body: str) -> str:
    """A fact of the first schema as it is in today's: it has the digest by which the table is played."""
    return body.replace('"tempo":"instant"}', '"tempo":"instant","digest":"d69f122ff30db533"}', 1)


def test_a_backup_of_the_first_schema_is_restored_into_todays(address: str, tmp_path: Path) -> None:
    file, target = tmp_path / "first.backup", str(tmp_path / "target.db")
    assert ultimo("backup", file, "--database", address).status == 0
    assert ultimo("restore", file, "--database", target).status == 0
    assert check_schema(target) == [dated(row[3]) for row in first()["tables"]["event"]["rows"]]
