"""What was kept on a device goes to an account once, whatever happens, and is checked as it comes."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache
from random import Random
from typing import Any

import msgspec
import pytest

from device import NAMES, PLAIN, Device, play_session, rows_of, write_sheet
from fuzz.mutating import Mutator
from postgres import new_database
from serving import PATIENCE, Answer, AtTable, Serving, Visitor
from ultimo.answers import bringing
from ultimo.answers.refusing import Refusal, largest

pytestmark = pytest.mark.xdist_group("server_bringing")

LIMITS = {"ULTIMO_REQUEST_BURST": "5000", "ULTIMO_REQUEST_RATE": "1000"}
SHEET, TABLE = "~00000000000000a1", "~00000000000000b1"
FAR = 4_000_000_000.0  # a time at which everything was long ago


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    if request.param == "sqlite":
        with Serving(tmp_path_factory.mktemp("bringing") / "tables.db", env=LIMITS) as serving:
            yield serving
    else:
        with Serving(new_database(), env=LIMITS) as serving:
            yield serving


@pytest.fixture(autouse=True)
def _nothing_raised(server: Serving) -> Iterator[None]:
    """After every test the server has logged no failure of its own."""
    yield
    assert [line for line in server.lines if line["level"] in ("error", "critical")] == []


@pytest.fixture
def karen(server: Serving) -> Visitor:
    return entered(server)


def entered(server: Serving) -> Visitor:
    one = Visitor(server)
    one.enter()
    return one


# --- what a device has -----------------------------------------------------------------------------------


@cache
def sheet_log(deals: int = 3) -> tuple[str, ...]:
    """The rows of a score sheet as a device keeps them."""
    device = Device()

    async def evening() -> tuple[str, ...]:
        return await rows_of(device, await write_sheet(device, deals))

    return asyncio.run(evening())


@cache
def session_log(deals: int = 2) -> tuple[str, ...]:
    """The rows of a session to its end as a device keeps them."""
    device = Device()

    async def evening() -> tuple[str, ...]:
        return await rows_of(device, await play_session(device, deals))

    return asyncio.run(evening())


def put(visitor: Visitor, what: str, log: str, rows: Sequence[str], **more: Any) -> Answer:
    named = {"name": "Karen"} if what == "sheets" else {}
    return visitor.ask("PUT", f"/api/{what}/from-device/{log}", {"log": "\n".join(rows)} | named | more)


def listed(visitor: Visitor, what: str = "sheets") -> list[str]:
    return [one["id"] for one in visitor.get(f"/api/{what}").json]


# --- score sheets ----------------------------------------------------------------------------------------


def test_a_sheet_is_brought_once_however_often_it_comes(server: Serving, karen: Visitor) -> None:
    rows = sheet_log()
    with ThreadPoolExecutor(4) as tabs:
        answers = list(tabs.map(lambda _: put(karen, "sheets", SHEET, rows), range(8)))
    assert sorted(answer.status for answer in answers) == [200] * 7 + [201]
    assert len({answer.json["id"] for answer in answers}) == 1
    (key,) = listed(karen)
    assert karen.get("/api/sheets").json[0]["device"] == SHEET
    shown = karen.get(f"/api/sheets/{key}").json
    assert (shown["seq"], shown["hasPen"], len(shown["deals"])) == (len(rows), True, 3)
    assert {(one["by"], one["fromFile"]) for one in shown["trail"]} == {("Karen", True)}
    other = entered(server)
    assert put(other, "sheets", SHEET, rows).status == 201, "another person has a place of their own"
    assert listed(other) != listed(karen)


def test_a_sheet_that_goes_on_is_written_behind(karen: Visitor) -> None:
    rows = sheet_log()
    for many in (2, 4, 3, 5, 5):
        answer = put(karen, "sheets", SHEET, rows[:many], known=many > 2)
        assert answer.status in (200, 201)
    (key,) = listed(karen)
    assert karen.get(f"/api/sheets/{key}").json["seq"] == 5
    write = {"cmd": "at-the-server", "base": 5, "wish": {"type": "UndoDeal"}}
    assert karen.post(f"/api/sheets/{key}", write).json == {"seq": 6}, "it can be written on there"
    assert put(karen, "sheets", SHEET, rows).json == {"id": key, "seq": 6}, (
        "the device is behind: nothing to do"
    )


def test_two_that_differ_are_told_and_both_can_be_kept(karen: Visitor) -> None:
    rows = sheet_log()
    key = put(karen, "sheets", SHEET, rows[:2]).json["id"]
    for place in (2, 3):
        write = {"cmd": f"at-the-server-{place}", "base": place, "wish": {"type": "BookDeal", "entry": PLAIN}}
        assert karen.post(f"/api/sheets/{key}", write).status == 200
    undone = {"cmd": "at-the-server-4", "base": 4, "wish": {"type": "UndoDeal"}}
    karen.post(f"/api/sheets/{key}", undone)
    told = put(karen, "sheets", SHEET, rows)
    assert told.status == 409
    assert told.json | {"error": ""} == {"error": "", "id": key, "same": 4, "there": 1, "here": 1}
    assert karen.get(f"/api/sheets/{key}").json["seq"] == 5, "nothing was written"
    both = [put(karen, "sheets", f"{SHEET}.1", rows) for _ in range(2)]
    assert [answer.status for answer in both] == [201, 200]
    assert len(listed(karen)) == 2


def test_a_guest_who_makes_an_account_has_no_second_sheet(server: Serving, karen: Visitor) -> None:
    account = entered(server)
    credentials = {"name": "Karen of the tunnel", "password": "a long password"}
    assert account.post("/api/account", credentials).status == 200
    key = put(karen, "sheets", SHEET, sheet_log()[:2]).json["id"]
    table = put(karen, "tables", TABLE, session_log()).json["id"]
    assert karen.post("/api/login", credentials).status == 200
    assert put(karen, "sheets", SHEET, sheet_log()).json == {"id": key, "seq": 5}
    assert put(karen, "tables", TABLE, session_log()).json["id"] == table
    assert listed(karen) == [key]
    assert karen.get(f"/api/sheets/{key}").json["hasPen"]


def test_what_was_deleted_does_not_come_back_by_itself(server: Serving, karen: Visitor) -> None:
    for what, log, rows in (("sheets", SHEET, sheet_log()), ("tables", TABLE, session_log())):
        key = put(karen, what, log, rows).json["id"]
        assert entered(server).ask("DELETE", f"/api/{what}/{key}").status == 404, "it is not theirs"
        assert karen.ask("DELETE", f"/api/{what}/{key}").status == 204
        assert karen.ask("DELETE", f"/api/{what}/{key}").status == 404
        assert put(karen, what, log, rows, known=True).status == 410
        assert put(karen, what, log, rows).status == 201, "unless it is wanted"
    own = karen.post("/api/sheets", {"rules": "dtf", "names": NAMES}).json["id"]
    assert karen.ask("DELETE", f"/api/sheets/{own}").status == 404, "only what came from a device"
    assert not karen.get(f"/api/sheets/{own}").json["mayDelete"]


@pytest.mark.parametrize("log", ["", "~", "~00000000000000A1", "~00000000000000a1.0", "x" * 5000, "~%00"])
def test_only_the_id_of_a_device_is_one(karen: Visitor, log: str) -> None:
    assert put(karen, "sheets", log, sheet_log()).status in (404, 405)
    assert put(karen, "tables", log, session_log()).status in (404, 405)


def test_who_is_not_known_brings_nothing(server: Serving) -> None:
    stranger = Visitor(server)
    assert put(stranger, "sheets", SHEET, sheet_log()).status == 401
    assert put(stranger, "tables", TABLE, session_log()).status == 401


def test_a_forged_sheet_is_refused(karen: Visitor) -> None:
    rows = sheet_log()
    impossible = rows[1].replace('"counts":{"1":30', '"counts":{"1":99')
    assert impossible != rows[1]
    for forged in ([rows[0], impossible], rows[1:], [*rows, "{"], [*rows, rows[0]], [""], []):
        answer = put(karen, "sheets", SHEET, forged)
        assert (answer.status, bool(answer.json["error"])) == (422, True), forged
    later = rows[0].replace('"at":1', '"at":9')
    assert put(karen, "sheets", SHEET, [later]).status == 201
    assert karen.get("/api/sheets").json[0]["at"] < FAR, "no clock of a device runs ahead of the server's"


def test_what_is_too_large_is_refused(karen: Visitor) -> None:
    for what, most in (("sheets", 1 << 20), ("tables", 4 << 20)):
        path = f"/api/{what}/from-device/{SHEET}"
        assert largest(path) == most
        announced = {"Content-Length": str(most + 1)}
        assert karen.ask("PUT", path, headers=announced, data=b"{").status == 413


# --- sessions --------------------------------------------------------------------------------------------


def test_a_session_is_brought_once_to_be_looked_at(server: Serving, karen: Visitor) -> None:
    rows = session_log()
    with ThreadPoolExecutor(4) as tabs:
        answers = list(tabs.map(lambda _: put(karen, "tables", TABLE, rows), range(6)))
    assert {answer.status for answer in answers} == {200, 201}
    (sitting,) = karen.get("/api/history").json
    key = sitting["id"]
    assert {answer.json["id"] for answer in answers} == {key}
    assert (sitting["deals"], sitting["moment"], sitting["device"]) == (2, "over", TABLE)
    for path in ("", "/rules", "/ledger", "/replay/1", "/replay/2", "/record?form=jsonl"):
        assert karen.get(f"/api/tables/{key}{path}").status == 200
    assert karen.get(f"/api/tables/{key}/fair/1").status == 404, (
        "a shuffle that one person knew proves nothing"
    )
    assert karen.post(f"/api/tables/{key}/hint", {}).status == 409
    with karen.watch(key) as socket:
        goodbye = msgspec.json.decode(socket.recv(PATIENCE))
    assert (goodbye["type"], goodbye["again"]) == ("goodbye", False)


def test_a_session_never_counts(server: Serving, karen: Visitor) -> None:
    key = put(karen, "tables", TABLE, session_log()).json["id"]
    assert karen.get("/api/figures").json["deals"] == 0
    credentials = {"name": "The secretary", "password": "a long password"}
    assert karen.post("/api/account", credentials).status == 200
    club = karen.post("/api/clubs", {"name": "Cellar", "rules": "dtf", "me": "Karen"}).json["id"]

    def write(base: int, wish: dict[str, Any]) -> Answer:
        return karen.post(f"/api/clubs/{club}", {"cmd": f"command-{base}", "base": base, "wish": wish})

    seq = karen.get(f"/api/clubs/{club}").json["seq"]
    assert write(seq, {"type": "ChangeClub", "public": False, "online": True}).status == 200
    seen = karen.get(f"/api/clubs/{club}").json
    assert seen["online"]
    season = write(seen["seq"], {"type": "OpenSeason", "name": "2026"})
    assert season.status == 200, season
    season_id = season.json["made"][0]
    evening = write(seen["seq"] + 1, {"type": "OpenEvening", "season": season_id, "day": "2026-11-18"})
    assert evening.status == 200, evening
    count = karen.post(f"/api/clubs/{club}/evenings/{evening.json['made'][0]}/online", {"table": key})
    assert (count.status, "played" in count.json["error"]) == (409, True), count


def test_a_session_that_goes_on_grows_and_never_shrinks(karen: Visitor) -> None:
    rows = session_log(3)
    closed = [place for place, row in enumerate(rows, 1) if '"DealClosed"' in row]
    middle = (closed[0] + closed[1]) // 2
    assert put(karen, "tables", TABLE, rows[: closed[0] - 5]).status == 409, "no deal is over"
    grown = [
        put(karen, "tables", TABLE, rows[:many]).json["deals"] for many in (middle, closed[1], len(rows))
    ]
    assert grown == [1, 2, 3]
    assert put(karen, "tables", TABLE, rows[:middle]).status == 200
    (sitting,) = karen.get("/api/history").json
    assert sitting["deals"] == 3
    assert karen.get(f"/api/tables/{sitting['id']}/replay/3").status == 200


def test_whoever_brings_a_session_can_play_others(karen: Visitor) -> None:
    put(karen, "tables", TABLE, session_log())
    table = karen.open_table(deals=1)
    with AtTable(karen, table) as seat:
        seat.play()
    assert karen.get("/api/figures").json["deals"] == 1


def test_who_is_deleted_leaves_no_session(server: Serving, karen: Visitor) -> None:
    key = put(karen, "tables", TABLE, session_log()).json["id"]
    assert karen.ask("DELETE", "/api/me").status in (200, 204)
    assert entered(server).get(f"/api/tables/{key}").status == 404


def test_a_forged_session_is_refused(karen: Visitor) -> None:
    rows = session_log()
    paid = next(place for place, row in enumerate(rows) if '"Paid"' in row)
    richer = rows[paid].replace('"points":', '"points":9', 1)
    seats = rows[0].replace('{"kind":"host"}', '{"kind":"open"}')
    assert seats != rows[0]
    for forged in (
        [*rows[:paid], richer, *rows[paid + 1 :]],
        [*rows[:paid], *rows[paid + 1 :]],
        [seats, *rows[1:]],
        rows[1:],
        ["{}"],
        [],
    ):
        answer = put(karen, "tables", TABLE, forged)
        assert (answer.status, bool(answer.json["error"])) == (422, True), forged[:1]
    assert karen.get("/api/history").json == []


def test_whatever_log_comes_it_is_kept_as_the_rules_give_it_or_refused() -> None:
    rows, dice = session_log(1), Random(78)
    honest = totals(rows)
    mutator = Mutator(dice, [row.encode() for row in rows])
    kept = 0
    for _ in range(400):
        damaged = list(rows)
        for place in dice.sample(range(len(rows)), dice.randint(1, 2)):
            mutator.examples = [rows[place].encode()]
            damaged[place] = mutator.text().decode(errors="replace")
        with suppress(Refusal):
            assert sum(totals(damaged)) == sum(honest)
            kept += 1
    assert 20 < kept < 380, "only what is not part of the game may be anything"


def totals(rows: Sequence[str]) -> tuple[int, ...]:
    return bringing.session("\n".join(rows), "key", "karen", FAR, "en").folded.series[-1]
