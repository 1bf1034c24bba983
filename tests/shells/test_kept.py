"""Files and databases of earlier states of the product: all of it is read, checked and gone on with."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest

from commands import ultimo
from device import Device, is_over
from postgres import new_database
from serving import AtTable, Serving, Visitor
from ultimo.club.archive import read, standings_of
from ultimo.club.club import fold as fold_club
from ultimo.club.entries import DanishDeal, Entry, FrenchDeal
from ultimo.club.files import loads
from ultimo.club.sheet import Booked, Reopened, decide, fold, ledger
from ultimo.pocket.storage import Memory

pytestmark = pytest.mark.xdist_group("kept")

KEPT = Path(__file__).parents[1] / "data" / "kept"
FOREVER = {f"ULTIMO_{what}_DAYS": "0" for what in ("CHAT", "LOG", "EMPTY", "GUEST", "REVIEW")}
LIMITS = {"ULTIMO_REQUEST_BURST": "5000", "ULTIMO_REQUEST_RATE": "1000"}
LOGIN = {"name": "Karen", "password": "tarok og skat 394"}


# --- records ---------------------------------------------------------------------------------------------


class Told(NamedTuple):
    """What a record says: its digest, its deals, the totals, the cups, and how many shuffles are proven."""

    digest: str
    deals: int
    totals: list[int]
    cups: dict[str, int]
    fair: int


RECORDS = {
    "schema-1/dtf.jsonl": Told("3f3bb25e1037dd64", 1, [15, -100, -55, -40], {"king": 95, "pagat": 85}, 1),
    "schema-1/basta.sheet": Told("fe55a66ae98d0bd3", 2, [73, 104, -55, -207], {"king": 30, "pagat": 55}, 2),
    "schema-1/hermansen.jsonl": Told("ddde9ca448efc235", 1, [100, 65, -165], {"king": 0, "pagat": 0}, 0),
    "schema-1/french4.sheet": Told("e29dae2cce1f4aea", 1, [180, -540, 180, 180], {}, 1),
    "schema-15/dtf.jsonl": Told("54ecd3df513bf62e", 1, [-75, -40, -60, -5], {"king": 90, "pagat": 90}, 1),
    "schema-15/dtf-server.jsonl": Told("54ecd3df513bf62e", 1, [-15, -85, -45], {"king": 75, "pagat": 70}, 1),
    "schema-15/hermansen.sheet": Told(
        "fa9cb8e932a07b9b", 1, [-80, -40, -40, 0, -60], {"king": 110, "pagat": 110}, 1
    ),
    "schema-15/french4.jsonl": Told("e29dae2cce1f4aea", 1, [180, -540, 180, 180], {}, 1),
    "schema-15/fft4-server.sheet": Told("14b1be2dee68b614", 1, [396, 396, -1188, 396], {}, 1),
}


@pytest.mark.parametrize("file", RECORDS)
def test_a_record_is_checked_move_by_move(file: str) -> None:
    wanted, done = RECORDS[file], ultimo("replay", "--json", KEPT / file)
    assert (done.status, done.err) == (0, "")
    told = msgspec.json.decode(done.out)
    last = told["steps"][-1]
    assert (told["digest"], last["deal"]) == (wanted.digest, wanted.deals)
    assert (last["totals"], last["cups"]) == (wanted.totals, wanted.cups)


@pytest.mark.parametrize("file", [file for file, told in RECORDS.items() if told.fair])
def test_the_shuffle_of_a_record_is_verified(file: str) -> None:
    done = ultimo("verify", KEPT / file)
    fits = done.out.count(": not proven: it fits, ")
    assert (done.status, done.err, fits) == (3, "", RECORDS[file].fair)
    assert "NOT FAIR" not in done.out


@pytest.mark.parametrize("file", RECORDS)
def test_a_record_keeps_its_header_when_it_is_converted(file: str, tmp_path: Path) -> None:
    other = tmp_path / ("other.sheet" if file.endswith(".jsonl") else "other.jsonl")
    assert ultimo("convert", KEPT / file, other).status == 0
    assert RECORDS[file].digest in other.read_text().partition("\n\n")[0]


# --- score sheets as files -------------------------------------------------------------------------------


class Written(NamedTuple):
    """What stands on a sheet: its totals, its cups, how many deals and facts, and whether it is closed."""

    totals: list[int]
    cups: list[int]
    deals: int
    facts: int
    closed: bool


SHEETS = {
    "dtf-open": Written([-150, -50, 170, -65], [95, 0], 2, 7, False),
    "basta-closed": Written([-7, 7, 0], [0, 0], 1, 3, True),
    "french4-closed": Written([-123, -66, 239, -25, -25], [], 3, 5, True),
    "fft3-open": Written([-66, -66, 132], [], 1, 2, False),
}
FRENCH: Entry = FrenchDeal(taker=1, bid="garde", half_points=98, bouts=2)
NEXT: dict[str, Entry] = {
    "dtf-open": DanishDeal(winner=3, counts={1: 24, 3: 28}),
    "basta-closed": DanishDeal(winner=2, counts={0: 20, 1: 30, 2: 28}),
    "french4-closed": FRENCH,
    "fft3-open": FRENCH,
}


def text(name: str) -> str:
    return (KEPT / "schema-15" / f"{name}.sheet.jsonl").read_text()


@pytest.mark.parametrize("name", SHEETS)
def test_a_score_sheet_is_worked_out_and_written_on(name: str) -> None:
    sheet, wanted = fold(loads(text(name))), SHEETS[name]
    found = ledger(sheet)
    cups = [found.state.cups[cup] for cup in sheet.rules.accounts]
    assert Written(list(found.totals), cups, len(found.lines), sheet.seq, sheet.closed) == wanted
    if sheet.closed:
        sheet = decide(sheet, Reopened(by=sheet.pen))
    found = ledger(decide(sheet, Booked(by=sheet.pen, entry=NEXT[name])))
    assert len(found.lines) == wanted.deals + 1
    assert sum(found.totals) + sum(found.state.cups.values()) == 0


# --- a club ----------------------------------------------------------------------------------------------

STANDINGS = {"m3": 190, "m2": -35, "m4": -45, "m1": -110}


def test_a_club_is_read_with_its_sheets() -> None:
    whole = read((KEPT / "schema-15" / "club.jsonl").read_text())
    club = fold_club(whole.facts)
    assert (club.name, [one.name for one in club.members.values()]) == (
        "Tarokklubben",
        ["Karen", "Bo", "Ida", "Per"],
    )
    assert {one.member: one.total for one in standings_of(club, "s1")} == STANDINGS
    assert [ledger(fold(facts)).totals for facts in whole.sheets.values()] == [
        (-110, -35, 190, -45),
        (-70, 5, -65),
    ]


# --- databases -------------------------------------------------------------------------------------------


class Held(NamedTuple):
    """What a database holds of its two tables: the ids, the digest of the Danish one, and Karen's totals."""

    danish: str
    digest: str
    points: int
    french: str
    won: int


SCHEMAS = {
    ("schema-1", "sqlite"): Held("7e30658abaa3fbd5", "3f3bb25e1037dd64", -65, "5c9e31f41d31aa8d", 450),
    ("schema-1", "postgresql"): Held("61b07b396d498ad0", "3f3bb25e1037dd64", -90, "74906c1e66a02706", 276),
    ("schema-15", "sqlite"): Held("ffcfc17c3d74bb68", "54ecd3df513bf62e", -15, "9c77d0629ba3fc3f", 396),
    ("schema-15", "postgresql"): Held("b69df720cee15b47", "54ecd3df513bf62e", 135, "9cc9f662fd3371c8", 288),
}
LATEST = [one for one in SCHEMAS if one[0] == "schema-15"]


class Restored(NamedTuple):
    """A server with a restored database, and Karen."""

    state: str
    kind: str
    server: Serving
    karen: Visitor

    @property
    def held(self) -> Held:
        return SCHEMAS[self.state, self.kind]

    def shown(self, path: str) -> Any:
        answer = self.karen.get(path)
        assert answer.status == 200, (path, answer)
        return answer.json


@pytest.fixture(scope="module", params=SCHEMAS, ids=" ".join)
def restored(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Restored]:
    state, kind = request.param
    database = str(tmp_path_factory.mktemp("kept") / "tables.db") if kind == "sqlite" else new_database()
    done = ultimo("restore", KEPT / state / f"{kind}.backup", "--database", database)
    assert (done.status, done.err) == (0, "")
    with Serving(database, env=LIMITS | FOREVER) as server:
        karen = Visitor(server)
        assert karen.post("/api/login", LOGIN).status == 200
        yield Restored(state, kind, server, karen)
        assert [line for line in server.lines if line["level"] in ("error", "critical")] == []


def test_the_tables_of_an_account_are_listed(restored: Restored) -> None:
    held = restored.held
    lines = {one["id"]: one for one in restored.shown("/api/history")}
    assert lines.keys() == {held.danish, held.french}
    danish, french = lines[held.danish], lines[held.french]
    assert (danish["moment"], danish["series"][0], danish["players"]) == (
        "deal",
        held.points,
        ["Karen", "Aage", "Inger"],
    )
    assert (french["moment"], french["series"]) == ("over", [held.won])


def test_what_was_played_is_shown_and_its_record_is_checked(restored: Restored, tmp_path: Path) -> None:
    held = restored.held
    for table, digest in ((held.danish, held.digest), (held.french, "")):
        assert len(restored.shown(f"/api/tables/{table}/replay/1")["frames"]) > 100
        assert len(restored.shown(f"/api/tables/{table}/fair/1")["shuffles"]) == 1
        for form in ("jsonl", "sheet"):
            file = tmp_path / f"{table}.{form}"
            file.write_bytes(restored.karen.get(f"/api/tables/{table}/record?form={form}").body)
            assert digest in file.read_text()
            assert ultimo("replay", file).status == 0
            assert ultimo("verify", file).out.count(": not proven: it fits, ") == 1


def test_a_deal_that_was_left_in_the_middle_is_played_to_its_end(restored: Restored) -> None:
    with AtTable(restored.karen, restored.held.danish) as page:
        assert page.scene["number"] >= 2
        page.play(2)
        assert page.scene["result"]["number"] >= 2
    record = restored.karen.get(f"/api/tables/{restored.held.danish}/record?form=jsonl").body
    done = ultimo("replay", "--json", "-", given=record)
    assert done.status == 0
    assert msgspec.json.decode(done.out)["digest"] == restored.held.digest


@pytest.mark.parametrize("restored", LATEST, ids=" ".join, indirect=True)
def test_the_sheets_of_an_account_are_worked_out(restored: Restored) -> None:
    found = {one["rules"]: one["id"] for one in restored.shown("/api/sheets")}
    for name, wanted in SHEETS.items():
        key = found[name.partition("-")[0]]
        if name == "dtf-open" and restored.kind == "sqlite":
            continue  # the one on which what waits in the browser is written
        sheet = restored.shown(f"/api/sheets/{key}")
        told = (sheet["totals"], [cup["points"] for cup in sheet["cups"]], len(sheet["deals"]))
        assert (Written(*told, sheet["seq"], sheet["closed"])) == wanted
        assert sheet["hasPen"]


@pytest.mark.parametrize("restored", LATEST[:1], ids=" ".join, indirect=True)
def test_what_waits_in_a_browser_is_written_once(restored: Restored) -> None:
    kept = msgspec.json.decode((KEPT / "schema-15" / "browser.json").read_bytes())
    (key,) = [name for name in kept if name.startswith("ultimo.sheet.queue.")]
    sheet = f"/api/sheets/{key.rpartition('.')[2]}"
    for _ in range(2):  # the answers were lost, and it is all sent again
        answers = [restored.karen.post(sheet, one) for one in msgspec.json.decode(kept[key])]
        assert [(one.status, one.json) for one in answers] == [(200, {"seq": at}) for at in (8, 9, 10)]
    shown = restored.shown(sheet)
    assert (len(shown["deals"]), shown["closed"], shown["deals"][2]["note"]) == (3, True, "in the tunnel")
    assert sum(shown["totals"]) == 0
    assert msgspec.json.decode(kept["ultimo.sheet.last"])["names"] == list(shown["names"])


@pytest.mark.parametrize("restored", LATEST, ids=" ".join, indirect=True)
def test_a_club_goes_on_where_it_was(restored: Restored) -> None:
    (club,) = restored.shown("/api/clubs")
    path = f"/api/clubs/{club['id']}"
    standings = restored.shown(f"{path}/seasons/s1")["standings"]
    assert {one["member"]: one["total"] for one in standings} == STANDINGS
    (line,) = restored.shown(f"{path}/evenings/e2")["sheets"]
    sheet = f"/api/sheets/{line['sheet']}"
    entry = {"game": "danish", "winner": 0, "counts": {"0": 30, "2": 20}}
    for base, wish in enumerate(({"type": "BookDeal", "entry": entry}, {"type": "CloseSheet"}), 2):
        write = {"cmd": f"after-restoring-{base}", "base": base, "wish": wish}
        assert restored.karen.post(sheet, write).status == 200
    assert restored.karen.post(f"{path}/evenings/e2/close", {}).status == 200
    totals = restored.shown(sheet)["totals"]
    standings = restored.shown(f"{path}/seasons/s1")["standings"]
    brought = dict(zip(("m1", "m2", "m3"), totals, strict=True))
    assert {one["member"]: one["total"] for one in standings} == {
        member: points + brought.get(member, 0) for member, points in STANDINGS.items()
    }


@pytest.mark.parametrize("restored", LATEST, ids=" ".join, indirect=True)
def test_tournaments_and_lessons_are_there(restored: Restored) -> None:
    tournaments = {one["name"]: one["id"] for one in restored.shown("/api/tournaments")}
    assert tournaments.keys() == {"Åbent", "Duplicate"}
    shown = restored.shown(f"/api/tournaments/{tournaments['Åbent']}")
    assert [one["name"] for one in shown["people"]][:3] == ["Karen", "Bo", "Ida"]
    assert (shown["rules"], shown["rounds"], shown["deals"], shown["seq"]) == ("dtf", 1, 4, 4)
    boards = restored.karen.get(f"/api/tournaments/{tournaments['Duplicate']}/log").body.decode()
    assert '"digest":"14b1be2dee68b614"' in boards
    assert solved(restored.shown("/api/school")) == ["whip-sums"]


def solved(school: Any) -> list[str]:
    """The lessons of which something is solved."""
    return [one["name"] for chapter in school["chapters"] for one in chapter["lessons"] if one["solved"]]


# --- a device --------------------------------------------------------------------------------------------

OVER, PLAYING, FRENCH_OVER = "~d4735e3a265e16ee", "~7902699be42c8a8e", "~4fc82b26aecb47d2"
DEVICE_SHEETS = {"~b17ef6d19c7a5b1e": ("dtf", 3, False), "~4523540f1504cd17": ("french4", 2, True)}


def device_rows() -> Any:
    return msgspec.json.decode(gzip.decompress((KEPT / "schema-15" / "device.json.gz").read_bytes()))


async def carried() -> Device:
    """A device with these rows."""
    kept, storage = device_rows(), Memory()
    for (log, place), row in kept["rows"]:
        await storage.append(log, place - 1, [row], None)
    for log, about in kept["about"]:
        await storage.describe(log, about["kind"], about["json"])
    for name, value in kept["values"]:
        await storage.put(name, value)
    return Device(storage)


def test_a_device_shows_what_it_has_kept_and_plays_on() -> None:
    async def evening() -> None:
        device = await carried()
        lines = {one["id"]: one for one in (await device.ask("GET", "/api/history"))[1]}
        assert {table: (one["moment"], one["series"]) for table, one in lines.items()} == {
            OVER: ("over", [-40]),
            PLAYING: ("deal", [-180]),
            FRENCH_OVER: ("over", [-128]),
        }
        for table in (OVER, FRENCH_OVER):
            _, record = await device.ask("GET", f"/api/tables/{table}/record?form=jsonl")
            assert ultimo("replay", "-", given=record).status == 0
        sheets = {
            one["id"]: (one["rules"], one["deals"], one["closed"])
            for one in (await device.ask("GET", "/api/sheets"))[1]
        }
        assert sheets == DEVICE_SHEETS
        assert solved((await device.ask("GET", "/api/school"))[1]) == ["whip-sums"]
        assert (await device.ask("POST", "/api/enter", {}))[1]["name"] == "Karen"
        await device.play(PLAYING, is_over)
        _, record = await device.ask("GET", f"/api/tables/{PLAYING}/record?form=jsonl")
        told = msgspec.json.decode(ultimo("replay", "--json", "-", given=record).out)
        assert (told["digest"], told["steps"][-1]["deal"]) == ("54ecd3df513bf62e", 2)

    asyncio.run(evening())


@pytest.mark.parametrize("restored", LATEST, ids=" ".join, indirect=True)
def test_what_a_device_has_kept_is_brought_to_an_account(restored: Restored) -> None:
    rows = device_rows()["rows"]

    def put(kind: str, log: str, **more: object) -> Any:
        whole = "\n".join(row for (of, _), row in rows if of == log)
        answer = visitor.ask("PUT", f"/api/{kind}/from-device/{log}", {"log": whole} | more)
        assert answer.status == 201, answer
        return answer.json["id"]

    visitor = Visitor(restored.server)
    visitor.enter()
    for log, (rules, deals, closed) in DEVICE_SHEETS.items():
        shown = visitor.get(f"/api/sheets/{put('sheets', log, name='Karen')}").json
        assert (len(shown["deals"]), shown["closed"], shown["hasPen"]) == (deals, closed, True), rules
        assert sum(shown["totals"]) + sum(cup["points"] for cup in shown["cups"]) == 0
    for log, series in ((OVER, [-40]), (PLAYING, [-180]), (FRENCH_OVER, [-128])):
        key = put("tables", log)
        (line,) = [one for one in visitor.get("/api/history").json if one["id"] == key]
        assert (line["series"], line["players"][0]) == (series, "Karen")
