"""What was begun by an earlier version of a rulebook goes on by it: in files, on devices, in the database."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from commands import ultimo
from device import Device, rows_of
from live import bots
from serving import AtTable, Serving, Visitor
from ultimo import rulebook
from ultimo.club import tournament
from ultimo.club.boards import dumps, loads, make, rules_of
from ultimo.club.entries import DanishDeal
from ultimo.club.sheet import Booked, Opened, fold, ledger
from ultimo.table import Settings, open_table
from ultimo.table.facts import TableOpened

pytestmark = pytest.mark.xdist_group("earlier_rules")

DTF, BASTA, NEVER = "d69f122ff30db533", "fe55a66ae98d0bd3", "0123456789abcdef"
NAMES = ("Karen", "Bo", "Ida", "Per")
ENTRY = {"game": "danish", "winner": 1, "counts": {"0": 20, "1": 30, "3": 28}}
LOG = "~00000000000000a1"


def sheet_log(digest: str = BASTA, by: str = "Karen") -> str:
    """A sheet of four at Basta's table, where the sitter once paid into the cups too."""
    opened = {"type": "Opened", "rules": "basta", "names": NAMES, "digest": digest, "by": by}
    return "".join(json.dumps(fact) + "\n" for fact in (opened, {"type": "Booked", "entry": ENTRY, "by": by}))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with Serving(tmp_path_factory.mktemp("earlier") / "tables.db") as serving:
        yield serving
        assert [line for line in serving.lines if line["level"] in ("error", "critical")] == []


@pytest.fixture
def karen(server: Serving) -> Visitor:
    one = Visitor(server)
    one.enter()
    return one


# --- score sheets ----------------------------------------------------------------------------------------


def test_a_sheet_is_worked_out_by_its_own_version() -> None:
    entry = DanishDeal(winner=1, counts={0: 20, 1: 30, 3: 28})
    cups = {}
    for digest in (BASTA, ""):
        opened = Opened(rules="basta", names=NAMES, digest=digest)
        found = ledger(fold([opened, Booked(entry=entry)]))
        cups[digest] = found.state.cups
    assert cups == {BASTA: {"king": 25, "pagat": 45}, "": {"king": 20, "pagat": 35}}


def test_a_sheet_from_a_file_goes_on_by_its_own_version(karen: Visitor) -> None:
    made = karen.post("/api/sheets/read", {"log": sheet_log()})
    assert made.status == 201, made
    path = f"/api/sheets/{made.json['id']}"
    write = {"cmd": "after-reading", "base": 2, "wish": {"type": "UndoDeal"}}
    assert karen.post(path, write).status == 200
    shown = karen.get(path).json
    assert (shown["earlier"], shown["house"], shown["deals"]) == (True, 0, [])
    again = karen.get(f"{path}/log").body.decode()
    assert f'"digest":"{BASTA}"' in again
    assert karen.post("/api/sheets/read", {"log": again}).status == 201
    assert ultimo("sheet", "-", given=again).status == 0


def test_a_sheet_that_waits_on_a_device_is_brought(karen: Visitor) -> None:
    answer = karen.ask("PUT", f"/api/sheets/from-device/{LOG}", {"log": sheet_log(), "name": "Karen"})
    assert answer.status == 201, answer
    shown = karen.get(f"/api/sheets/{answer.json['id']}").json
    assert (shown["earlier"], [cup["points"] for cup in shown["cups"]]) == (True, [25, 45])


def test_a_sheet_of_a_version_that_nobody_knows_is_refused_in_a_sentence(karen: Visitor) -> None:
    for ask in (
        ("POST", "/api/sheets/read", {"log": sheet_log(NEVER)}),
        ("PUT", f"/api/sheets/from-device/{LOG}.1", {"log": sheet_log(NEVER), "name": "Karen"}),
    ):
        answer = karen.ask(*ask)
        assert answer.status == 422
        assert "does not know the version of basta" in answer.json["error"]


def test_a_sheet_goes_on_inside_a_page() -> None:
    async def evening() -> None:
        device = Device()
        status, made = await device.ask("POST", "/api/sheets/read", {"log": sheet_log()})
        assert status == 201
        path = f"/api/sheets/{made['id']}"
        write = {
            "cmd": "on-the-device",
            "base": 2,
            "wish": {"type": "CorrectDeal", "deal": 1, "entry": ENTRY},
        }
        assert (await device.ask("POST", path, write))[0] == 200
        _, shown = await device.ask("GET", path)
        assert (shown["earlier"], [cup["points"] for cup in shown["cups"]]) == (True, [25, 45])
        assert f'"digest":"{BASTA}"' in (await rows_of(device, made["id"]))[0]

    asyncio.run(evening())


# --- tables ----------------------------------------------------------------------------------------------


def header(visitor: Visitor, table: str, form: str = "jsonl") -> dict[str, Any]:
    """The header of the record of a table, of which every move is checked, and the shuffle."""
    text = visitor.get(f"/api/tables/{table}/record?form={form}").body
    told = ultimo("replay", "--json", "-", given=text)
    assert told.status == 0, told.err
    assert ultimo("verify", "-", given=text).status in (0, 1)
    return {key: value for key, value in msgspec.json.decode(told.out).items() if key != "steps"}


@pytest.mark.parametrize("house", [{}, {"pay.kingLost": 10}])
def test_a_table_is_played_by_its_own_version(karen: Visitor, house: dict[str, int]) -> None:
    digest = rulebook.digest(rulebook.load("dtf", house, DTF))
    table = karen.open_table("dtf", 3, house=house, digest=digest, deals=1)
    with AtTable(karen, table) as page:
        page.play()
        while page.scene["moment"] != "over":
            page.hear()
        assert page.do({"type": "Rematch"})["type"] == "done"
        rematch = page.scene["table"]["rematch"]
    for form in ("jsonl", "sheet"):
        assert header(karen, table, form) == {
            "rules": "dtf",
            "digest": digest,
            "overrides": house,
            "table": 3,
        }
    assert karen.get(f"/api/tables/{table}/rules").json["earlier"]
    assert karen.get(f"/api/tables/{table}/rules").json["house"] == len(house)
    again = karen.post(f"/api/tables/{table}/again", {"deal": 1}).json["id"]
    with AtTable(karen, again) as page:
        page.play()
    assert header(karen, again)["digest"] == digest, "the same cards by the same rules"
    assert not karen.get(f"/api/tables/{rematch}/rules").json["earlier"], "a new game by today's"


def test_a_table_of_a_version_that_nobody_knows_is_refused(server: Serving, karen: Visitor) -> None:
    settings = {"rules": "dtf", "size": 3, "seats": [{"kind": "host"}, *[{"kind": "bot"}] * 2]}
    answer = karen.post("/api/tables", {"settings": settings | {"digest": NEVER}})
    assert (answer.status, answer.json["field"]) == (422, "settings.rules")
    assert f"no version here has the digest {NEVER}" in answer.json["error"]

    table = karen.open_table("dtf", 3, deals=1)
    with sqlite3.connect(server.database) as connection:  # as a later program would have written it
        today = rulebook.digest(rulebook.load("dtf"))
        for what, where in (("game", "settings"), ("event", "body")):
            connection.execute(f"UPDATE {what} SET {where} = replace({where}, '{today}', '{NEVER}')")
    connection.close()
    server.stop()
    server.start()
    for path in ("", "/rules", "/ledger"):
        answer = karen.get(f"/api/tables/{table}{path}?lang=en")
        if path:
            assert (answer.status, "does not know" in answer.json["error"]) == (409, True), path
    with karen.watch(table) as socket:
        goodbye = msgspec.json.decode(socket.recv())
    assert (goodbye["type"], goodbye["again"], "does not know" in goodbye["reason"]) == (
        "goodbye",
        False,
        True,
    )
    assert [one["id"] for one in karen.get("/api/history").json][:1] in ([table], [])


def test_a_new_table_records_its_digest() -> None:
    settings = Settings("dtf", 3, bots(3), {"pay.kingLost": 10})
    opened = open_table("t", settings, "ada", "Ada")[0]
    assert isinstance(opened, TableOpened)
    assert opened.settings.digest == rulebook.digest(rulebook.load("dtf", {"pay.kingLost": 10}))


# --- tournaments and boards ------------------------------------------------------------------------------


def test_a_tournament_goes_on_by_its_own_version() -> None:
    terms = tournament.Terms(rules="basta", rounds=1, deals=4, sizes=(4,))
    for digest in (BASTA, ""):
        found = tournament.begin(tournament.Begun(name="Open", terms=terms, digest=digest))
        assert found.rules.version == digest


def test_boards_are_dealt_and_read_by_their_own_version() -> None:
    rules = rulebook.load("dtf", {"pay.kingLost": 10}, DTF)
    (board,) = loads(dumps(make(rules, 3, "a seed", [1])))
    assert rules_of(board) == rules
