"""Score sheets over HTTP: written once by whoever has the pen, followed, handed over, kept."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import msgspec
import pytest
from openpyxl import load_workbook

from postgres import binaries, new_database
from serving import PATIENCE, Answer, Serving, Visitor
from ultimo.answers.sheet_payloads import SheetLine, SheetMoney, SheetPreview, SheetShown
from ultimo.club.files import loads
from ultimo.club.sheet import fold, ledger

pytestmark = pytest.mark.xdist_group("server_sheets")

LIMITS = {"ULTIMO_REQUEST_BURST": "5000", "ULTIMO_REQUEST_RATE": "1000"}
NAMES = ["Karen", "Bo", "Ida", "Per"]
PLAIN = {"game": "danish", "winner": 1, "counts": {"1": 30, "3": 20}}
ULTIMO = {
    "game": "danish",
    "declarations": {"2": [{"kind": "tarok", "count": 10, "pagat": True}]},
    "winner": 2,
    "won_with": "T1",
    "kings_lost": [{"seat": 0, "card": "SK"}],
    "counts": {"2": 31, "0": 22},
}
COMMANDS = count(1)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with Serving(tmp_path_factory.mktemp("sheets") / "tables.db", env=LIMITS) as serving:
        yield serving


@pytest.fixture(autouse=True)
def _nothing_raised(server: Serving) -> Iterator[None]:
    """After every test the server has logged no failure of its own."""
    yield
    assert [line for line in server.lines if line["level"] in ("error", "critical")] == []


@pytest.fixture
def karen(server: Serving) -> Visitor:
    return entered(server)


@pytest.fixture
def sheet(karen: Visitor) -> str:
    return begun(karen)


def entered(server: Serving) -> Visitor:
    one = Visitor(server)
    one.enter()
    return one


def begun(visitor: Visitor, rules: str = "dtf", names: list[str] = NAMES, **wish: Any) -> str:
    answer = visitor.post("/api/sheets", {"rules": rules, "names": names} | wish)
    assert answer.status == 201, answer
    key: str = answer.json["id"]
    return key


def seen(visitor: Visitor, sheet: str, language: str = "en") -> SheetShown:
    return msgspec.json.decode(visitor.get(f"/api/sheets/{sheet}?lang={language}").body, type=SheetShown)


def write(visitor: Visitor, sheet: str, wish: Any, base: int | None = None, cmd: str | None = None) -> Answer:
    base = seen(visitor, sheet).seq if base is None else base
    cmd = cmd or f"command-{next(COMMANDS)}"
    return visitor.post(f"/api/sheets/{sheet}?lang=en", {"cmd": cmd, "base": base, "wish": wish})


def booking(entry: Any) -> dict[str, Any]:
    return {"type": "BookDeal", "entry": entry}


# --- an evening ----------------------------------------------------------------------------------------


def test_an_evening_is_written_and_looked_at(karen: Visitor, sheet: str) -> None:
    first = seen(karen, sheet)
    assert (first.names, first.coming[0].dealer, first.has_pen) == (tuple(NAMES), 0, True)
    assert any("opening stake" in one for one in first.due)
    assert [slot.name for slot in first.book.slots][:2] == ["Trumps", "Matadors"]
    assert write(karen, sheet, booking(PLAIN)).json == {"seq": 2}
    assert write(karen, sheet, booking(ULTIMO)).json == {"seq": 3}
    assert write(karen, sheet, {"type": "NoteDeal", "deal": 2, "text": " a pagat\n ultimo "}).status == 200
    now = seen(karen, sheet)
    assert [deal.gains for deal in now.deals] == [(-70, 5, -40, -65), (-75, -60, 210, 0)]
    assert now.deals[1].note == "a pagat ultimo"
    assert "Ida gets 90 from the pagat cup: pagat ultimo" in now.deals[1].payments
    assert sum(now.totals) + sum(cup.points for cup in now.cups) == 0
    assert now.coming[0].dealer == 2
    assert [one.kind for one in now.trail] == ["opened", "booked", "booked", "noted"]


def test_a_correction_tells_by_whom_and_when_until_it_is_undone(karen: Visitor, sheet: str) -> None:
    for _ in range(2):
        write(karen, sheet, booking(PLAIN | {"counts": {}, "winner": None}))
    assert write(karen, sheet, {"type": "CorrectDeal", "deal": 1, "entry": PLAIN}).status == 200
    deals = seen(karen, sheet).deals
    assert deals[0].corrected is not None
    assert deals[0].corrected.by
    assert deals[0].corrected.at > 0
    assert deals[1].corrected is None
    assert write(karen, sheet, {"type": "UndoDeal"}).status == 200
    assert [deal.corrected for deal in seen(karen, sheet).deals] == [None, None]


def test_a_fine_is_offered_by_its_book_and_paid_with_all_that_follows(karen: Visitor, sheet: str) -> None:
    offered = {one.offence: one for one in seen(karen, sheet).book.mistakes}
    assert (offered["revoke"].price, offered["revoke"].by) == ("40 into each cup", "anybody")
    assert offered["wrongDecl"].asks == ("goesOn", "true")
    assert "gives back what was received wrongly" in offered["wrongDecl"].rule
    assert offered["wrongSkat"].by == offered["misdeal"].by == "dealer"
    ten = {"kind": "tarok", "count": 10, "pagat": True}
    false = {
        "declarations": {"1": [ten | {"count": 11}]},
        "fines": [{"seat": 1, "offence": "wrongDecl"}],
        "true_declarations": {"1": [ten]},
        "won_with": "T1",
    }
    answer = karen.post(f"/api/sheets/{sheet}/preview?lang=en", {"entry": PLAIN | false})
    payments = msgspec.json.decode(answer.body, type=SheetPreview).payments
    assert "Bo pays 40 into the king cup: fine" in payments
    assert "Bo pays 5 to Karen: paid back" in payments
    assert not [one for one in payments if "pagat ultimo" in one]  # Bo may make none


def test_a_preview_pays_what_the_booking_pays_and_writes_nothing(karen: Visitor, sheet: str) -> None:
    answer = karen.post(f"/api/sheets/{sheet}/preview", {"entry": PLAIN})
    told = msgspec.json.decode(answer.body, type=SheetPreview)
    assert told.gains == (-70, 5, -40, -65)
    assert seen(karen, sheet).seq == 1
    write(karen, sheet, booking(PLAIN))
    assert seen(karen, sheet).deals[0].gains == told.gains


@pytest.mark.parametrize(
    ("language", "reason"),
    [
        ("en", "With so few points somebody has no trick: was it a nolo?"),
        ("da", "Med så få point har en af spillerne ingen stik: var det en nolo?"),
    ],
)
def test_what_cannot_have_been_is_told_with_its_field(
    karen: Visitor, sheet: str, language: str, reason: str
) -> None:
    entry = PLAIN | {"counts": {"1": 78, "3": 0}}
    told = karen.post(f"/api/sheets/{sheet}/preview?lang={language}", {"entry": entry}).json
    assert (told["error"], told["field"]) == (reason, "counts")
    assert write(karen, sheet, booking(entry)).status == 422
    assert seen(karen, sheet).seq == 1


def test_players_are_named_where_english_speaks_of_seats(karen: Visitor, sheet: str) -> None:
    told = karen.post(f"/api/sheets/{sheet}/preview?lang=en", {"entry": PLAIN | {"winner": 2}}).json
    assert "Ida does not play in this deal" in told["error"]


def test_the_evening_is_closed_paid_and_opened_again(karen: Visitor, sheet: str) -> None:
    write(karen, sheet, booking(PLAIN))
    assert karen.get(f"/api/sheets/{sheet}/money?coins=5").status == 409  # the cups are not divided
    assert write(karen, sheet, {"type": "CloseSheet"}).status == 200
    now = seen(karen, sheet)
    assert now.closed
    assert now.division
    assert sum(now.totals) == 0
    money = msgspec.json.decode(karen.get(f"/api/sheets/{sheet}/money?coins=5").body, type=SheetMoney)
    assert money.coins == tuple(5 * total for total in now.totals)
    assert sum(one.coins for one in money.payments) == sum(coins for coins in money.coins if coins > 0)
    assert write(karen, sheet, booking(PLAIN)).status == 409
    assert write(karen, sheet, {"type": "ReopenSheet"}).status == 200
    assert not seen(karen, sheet).closed


def test_a_french_table_has_its_bids_and_poignees(karen: Visitor) -> None:
    sheet = begun(karen, "french5", [*NAMES, "Asta"])
    book = seen(karen, sheet).book
    assert [one.id for one in book.bids] == ["petite", "garde", "sans", "contre"]
    assert book.partner
    assert [one.size for one in book.poignees] == [8, 10, 13]
    entry = {"game": "french", "taker": 1, "bid": "garde", "partner": 3, "bouts": 2, "half_points": 80}
    assert write(karen, sheet, booking(entry)).status == 200
    assert seen(karen, sheet).totals[1] < 0


def test_own_sheets_are_listed_and_house_rules_are_kept(karen: Visitor) -> None:
    sheet = begun(karen, house={"skus.demandable": False})
    lines = msgspec.json.decode(karen.get("/api/sheets").body, type=list[SheetLine])
    assert (lines[0].id, lines[0].names, lines[0].deals) == (sheet, tuple(NAMES), 0)
    assert seen(karen, sheet).house == 1


# --- once and only once ----------------------------------------------------------------------------------


def test_a_command_that_is_sent_again_is_answered_as_before(karen: Visitor, sheet: str) -> None:
    answers = [write(karen, sheet, booking(PLAIN), 1, "twice-twice") for _ in range(3)]
    assert [(one.status, one.json) for one in answers] == [(200, {"seq": 2})] * 3
    assert len(seen(karen, sheet).deals) == 1


@pytest.mark.parametrize("wish", [booking(PLAIN), {"type": "UndoDeal"}])
def test_whoever_has_not_seen_the_news_is_told_and_writes_nothing(
    karen: Visitor, sheet: str, wish: Any
) -> None:
    write(karen, sheet, booking(PLAIN))
    answer = write(karen, sheet, wish, base=1)
    assert answer.status == 409
    assert (answer.json["seq"], answer.json["news"][0]["kind"]) == (2, "booked")
    assert seen(karen, sheet).seq == 2


def test_of_many_at_once_one_is_written(karen: Visitor, sheet: str) -> None:
    with ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(lambda _: write(karen, sheet, booking(PLAIN), 1), range(6)))
    assert sorted(one.status for one in answers) == [200, 409, 409, 409, 409, 409]
    assert len(seen(karen, sheet).deals) == 1


def test_a_killed_server_has_lost_and_doubled_nothing(tmp_path: Path) -> None:
    with Serving(tmp_path / "tables.db", env=LIMITS) as server:
        karen = entered(server)
        sheet = begun(karen)
        acknowledged = 0
        for number in range(4):
            answer = write(
                karen,
                sheet,
                booking(PLAIN if number % 4 == 0 else {"game": "danish"}),
                number + 1,
                f"deal-{number}-of-it",
            )
            acknowledged += answer.status == 200
            server.kill()
            server.start()
            again = write(karen, sheet, booking(PLAIN), number + 1, f"deal-{number}-of-it")
            assert (again.status, again.json) == (200, {"seq": number + 2})
        assert acknowledged == len(seen(karen, sheet).deals) == 4


def test_two_servers_write_on_one_sheet_in_turn() -> None:
    if binaries() is None:
        pytest.skip("PostgreSQL is not installed: apt-get install postgresql")
    database = new_database()
    servers = [Serving(database, env=LIMITS) for _ in range(2)]
    try:
        for server in servers:
            server.start()
        karen = entered(servers[0])
        other = Visitor(servers[1])
        other.cookies = dict(karen.cookies)
        sheet = begun(karen)
        with ThreadPoolExecutor(8) as pool:
            both = [karen, other] * 4
            statuses = list(pool.map(lambda one: write(one, sheet, booking(PLAIN), 1).status, both))
        assert sorted(statuses) == [200, *[409] * 7]
        assert len(seen(other, sheet).deals) == 1
    finally:
        for server in servers:
            server.kill()


# --- the pen and those who follow ------------------------------------------------------------------------


def test_whoever_has_the_link_looks_and_does_not_write(server: Serving, karen: Visitor, sheet: str) -> None:
    bo = entered(server)
    assert not seen(bo, sheet).has_pen
    for wish in (booking(PLAIN), {"type": "UndoDeal"}, {"type": "CloseSheet"}):
        assert write(bo, sheet, wish).status == 403
    assert bo.post(f"/api/sheets/{sheet}/pen").status == 403
    assert bo.post(f"/api/sheets/{sheet}/pen", {"takeBack": True}).status == 403
    assert seen(karen, sheet).seq == 1
    stranger = Visitor(server)
    assert write(stranger, sheet, booking(PLAIN)).status == 401


def test_a_secret_takes_the_pen_once_and_the_host_takes_it_back(
    server: Serving, karen: Visitor, sheet: str
) -> None:
    bo, ida = entered(server), entered(server)
    secret = karen.post(f"/api/sheets/{sheet}/pen").json["secret"]
    assert bo.post(f"/api/sheets/{sheet}/pen", {"secret": "guessed"}).status == 403
    assert bo.post(f"/api/sheets/{sheet}/pen", {"secret": secret}).json == {"seq": 2}
    assert bo.post(f"/api/sheets/{sheet}/pen", {"secret": secret}).json == {"seq": 2}  # sent again
    assert ida.post(f"/api/sheets/{sheet}/pen", {"secret": secret}).status == 403
    assert write(karen, sheet, booking(PLAIN)).status == 403
    assert write(bo, sheet, booking(PLAIN)).status == 200
    later = bo.post(f"/api/sheets/{sheet}/pen").json["secret"]
    assert karen.post(f"/api/sheets/{sheet}/pen", {"takeBack": True}).status == 200
    assert ida.post(f"/api/sheets/{sheet}/pen", {"secret": later}).status == 403
    assert [line.id for line in msgspec.json.decode(bo.get("/api/sheets").body, type=list[SheetLine])] == []
    assert seen(karen, sheet).has_pen
    assert [one.kind for one in seen(ida, sheet).trail] == ["opened", "pen", "booked", "pen"]


def test_whoever_logs_in_keeps_the_pen_they_had_as_guest(server: Serving) -> None:
    account, password = "Karen of the club", "a long enough secret"
    first = entered(server)
    assert first.post("/api/account", {"name": account, "password": password}).status == 200
    guest = entered(server)
    sheet = begun(guest)
    assert guest.post("/api/login", {"name": account, "password": password}).status == 200
    assert seen(guest, sheet).has_pen
    assert write(guest, sheet, booking(PLAIN)).status == 200
    assert [line.id for line in msgspec.json.decode(first.get("/api/sheets").body, type=list[SheetLine])] == [
        sheet
    ]


def test_too_many_wishes_at_once_are_turned_away(tmp_path: Path) -> None:
    few = {"ULTIMO_REQUEST_BURST": "5", "ULTIMO_REQUEST_RATE": "0.01"}
    with Serving(tmp_path / "tables.db", env=few) as server:
        karen = entered(server)
        sheet = begun(karen)
        previews = [karen.post(f"/api/sheets/{sheet}/preview", {"entry": PLAIN}).status for _ in range(6)]
        assert previews[0] == 200
        assert previews[-1] == 429


def test_followers_hear_of_what_is_written(server: Serving, karen: Visitor, sheet: str) -> None:
    with urlopen(Request(f"{server.url}/api/sheets/{sheet}/follow?since=1"), timeout=PATIENCE) as lines:
        assert json.loads(lines.readline()) == {"seq": 1}
        write(karen, sheet, booking(PLAIN))
        assert json.loads(lines.readline()) == {"seq": 2}


def test_a_server_that_stops_lets_followers_go(tmp_path: Path) -> None:
    with Serving(tmp_path / "tables.db", env=LIMITS) as server:
        sheet = begun(entered(server))
        with urlopen(f"{server.url}/api/sheets/{sheet}/follow", timeout=PATIENCE) as lines:
            assert json.loads(lines.readline()) == {"seq": 1}
            assert server.stop() == 0
            assert lines.readline() == b""


# --- kept ------------------------------------------------------------------------------------------------


def test_a_log_is_kept_and_becomes_a_sheet_again(server: Serving, karen: Visitor, sheet: str) -> None:
    for entry in (PLAIN, ULTIMO):
        write(karen, sheet, booking(entry))
    log = karen.get(f"/api/sheets/{sheet}/log").body.decode()
    assert ledger(fold(loads(log))).totals == seen(karen, sheet).totals
    bo = entered(server)
    again = bo.post("/api/sheets/read", {"log": log})
    assert again.status == 201
    other = seen(bo, again.json["id"])
    assert (other.totals, other.has_pen) == (seen(karen, sheet).totals, True)
    assert {(one.by, one.from_file) for one in other.trail} == {(karen.enter()["name"], True)}


def test_a_log_as_long_as_the_longest_evening_is_read(karen: Visitor, sheet: str) -> None:
    """A hundred deals, each of them corrected, with long names: more than another request may hold."""
    write(karen, sheet, booking(PLAIN))
    opened, *_ = karen.get(f"/api/sheets/{sheet}/log").body.decode().splitlines()
    by = json.loads(opened)["by"]
    entry = {"game": "danish", "declarations": {}, "fines": [], "kings_lost": []}
    facts: list[Any] = []
    for number in range(1, 101):
        facts.append({"type": "Booked", "by": by, "at": 1.5e9, "entry": entry})
        facts.append({"type": "Corrected", "by": by, "at": 1.5e9, "deal": number, "entry": entry})
        facts.append({"type": "Noted", "by": by, "at": 1.5e9, "deal": number, "text": "x" * 300})
    log = "\n".join([opened, *map(json.dumps, facts)])
    assert len(log) > 64 * 1024
    again = karen.post("/api/sheets/read", {"log": log})
    assert again.status == 201, again
    assert len(seen(karen, again.json["id"]).deals) == 100
    assert karen.post("/api/sheets/read", {"log": log * 20}).status == 413


def test_a_spreadsheet_has_a_row_for_every_deal(karen: Visitor) -> None:
    sheet = begun(karen, names=["=Karen", *NAMES[1:]])
    write(karen, sheet, booking(PLAIN))
    text = karen.get(f"/api/sheets/{sheet}/table.csv?lang=en").body.decode("utf-8-sig")
    rows = list(csv.reader(io.StringIO(text)))
    assert rows[1][2:6] == ["-70", "5", "-40", "-65"]
    assert rows[0][2] == "'=Karen"
    danish = karen.get(f"/api/sheets/{sheet}/table.csv?lang=da")
    assert ";-70;5;-40;-65;" in danish.body.decode("utf-8-sig")
    day = datetime.fromtimestamp(seen(karen, sheet).begun, UTC).date().isoformat()
    assert f'filename="{day}-karen-bo-ida-per.csv"' in danish.headers["content-disposition"]
    answer = karen.get(f"/api/sheets/{sheet}/xlsx?lang=da&coins=25")
    deals, end = load_workbook(io.BytesIO(answer.body)).worksheets
    assert [cell.value for cell in deals[2]][2:6] == [-70, 5, -40, -65]
    assert (deals["C1"].value, deals["C1"].data_type) == ("=Karen", "s")
    assert end["A8"].value == "Partiet er ikke slut."
    assert karen.get(f"/api/sheets/{sheet}/xlsx?coins=x").status == 404


def test_whoever_is_forgotten_takes_their_sheets_along(server: Serving, karen: Visitor, sheet: str) -> None:
    assert karen.ask("DELETE", "/api/me").status == 204
    assert entered(server).get(f"/api/sheets/{sheet}").status == 404


# --- whatever is sent ------------------------------------------------------------------------------------

BAD_OPENINGS = [
    {"rules": "whist", "names": NAMES},
    {"rules": "dtf", "names": ["Karen"]},
    {"rules": "dtf", "names": NAMES, "dealer": 9},
    {"rules": "dtf", "names": NAMES, "dealer": -1},
    {"rules": "dtf", "names": NAMES, "dealer": 10**30},
    {"rules": "dtf", "names": ["", *NAMES[1:]]},
    {"rules": "dtf", "names": ["\u0000\u202e", *NAMES[1:]]},
    {"rules": "dtf", "names": ["x" * 25, *NAMES[1:]]},
    {"rules": "dtf", "names": NAMES * 500},
    {"rules": "dtf", "names": NAMES, "house": {"nothing.such": 1}},
    {"rules": "dtf", "names": NAMES, "by": "somebody"},
    {"rules": "../dtf", "names": NAMES},
    [],
    None,
]


@pytest.mark.parametrize("wish", BAD_OPENINGS, ids=range(len(BAD_OPENINGS)))
def test_no_sheet_is_begun_that_cannot_be(karen: Visitor, wish: Any) -> None:
    assert karen.ask("POST", "/api/sheets", wish).status in (400, 422)
    assert karen.get("/api/sheets").json == []


BAD_ENTRIES: list[Any] = [
    {"game": "french", "taker": 0, "bid": "garde"},
    {"game": "danish", "winner": 99},
    {"game": "danish", "winner": -1},
    {"game": "danish", "winner": 1, "counts": {"1": 10**40, "3": -(10**40)}},
    {"game": "danish", "winner": 1, "counts": {"1": -5, "3": 20}},
    {"game": "danish", "winner": 1, "counts": {"9": 5, "8": 20}},
    {"game": "danish", "winner": 1, "counts": {"1": 30}},
    {"game": "danish", "antes": 10**12},
    {"game": "danish", "antes": -3},
    {"game": "danish", "winner": 1, "won_with": "T0", "counts": {"1": 30, "3": 20}},
    {"game": "danish", "winner": 1, "won_with": "?", "counts": {"1": 30, "3": 20}},
    {"game": "danish", "winner": 1, "won_with": "ZZ"},
    {"game": "danish", "declarations": {"1": [{"kind": "tarok", "count": 99}]}},
    {"game": "danish", "declarations": {"1": [{"kind": "half", "of": "K", "missing": "?"}]}},
    {"game": "danish", "kings_lost": [{"seat": 1, "card": "T5"}]},
    {"game": "danish", "kings_lost": [{"seat": 1, "card": "?"}]},
    {"game": "danish", "given_back": [{"by": 7, "to": -7, "card": "SK", "points": 5}]},
    {"game": "danish", "charged": 44},
    {"game": "danish", "announcements": [{"seat": 1, "kind": "nolo", "before": -4}]},
    {"game": "danish", "winner": 1, "tout": True, "nolo": [1], "counts": {"1": 30, "3": 20}},
    {"game": "danish", "fallen": [{"type": "CardPlayed", "seat": 1, "card": "SK"}] * 5, "winner": 2},
    {"game": "whist"},
    "danish",
]


@pytest.mark.parametrize("entry", BAD_ENTRIES, ids=range(len(BAD_ENTRIES)))
def test_no_entry_is_written_that_cannot_have_been(karen: Visitor, sheet: str, entry: Any) -> None:
    answer = write(karen, sheet, booking(entry))
    told = karen.post(f"/api/sheets/{sheet}/preview", {"entry": entry})
    assert answer.status == 422, answer
    assert told.status == 422 or told.json["error"]
    assert seen(karen, sheet).seq == 1


@pytest.mark.parametrize(
    "wish",
    [
        {"type": "Opened", "rules": "dtf", "names": NAMES},
        {"type": "PenHanded", "to": "me"},
        {"type": "BookDeal", "entry": PLAIN, "by": "Bo"},
        {"type": "CorrectDeal", "deal": 0, "entry": PLAIN},
        {"type": "CorrectDeal", "deal": -1, "entry": PLAIN},
        {"type": "NoteDeal", "deal": 0, "text": "x" * 501},
        {"type": "NoteDeal", "deal": 7, "text": "x"},
        {"type": "CloseSheet", "lot": 17},
        {"type": "UndoDeal"},
        {"type": "ReopenSheet"},
        {},
    ],
)
def test_no_wish_is_written_that_cannot_be(karen: Visitor, sheet: str, wish: Any) -> None:
    assert write(karen, sheet, wish).status in (409, 422)
    assert seen(karen, sheet).seq == 1


@pytest.mark.parametrize(
    "log",
    ["", "nonsense", '{"type":"Closed"}', '{"type":"Opened","rules":"dtf","names":["a"]}', "[" * 60_000],
)
def test_no_log_is_read_that_is_none(karen: Visitor, log: str) -> None:
    assert karen.post("/api/sheets/read", {"log": log}).status == 422


@pytest.mark.parametrize(
    "path", ["", "/log", "/table.csv", "/follow", "/money", "/follow?since=-1", "/nothing"]
)
def test_an_unknown_sheet_is_nowhere(karen: Visitor, path: str) -> None:
    for key in ("nothing", "%00", "..%2f..", "x" * 2000):
        assert karen.get(f"/api/sheets/{key}{path}").status == 404
