"""What one person or address may keep and keep running: refused with what to do, and nobody else is hurt."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from http.client import HTTPResponse
from typing import Any
from urllib.request import Request, urlopen

import pytest

from serving import PATIENCE, Answer, AtTable, Serving, Visitor

pytestmark = pytest.mark.xdist_group("server_quotas")

FEW = {
    "ULTIMO_READ_BURST": "60",
    "ULTIMO_READ_RATE": "0.001",
    "ULTIMO_STREAMS": "3",
    "ULTIMO_OWN_STREAMS": "2",
    "ULTIMO_OWN_TABLES": "3",
    "ULTIMO_OWN_BOT_TABLES": "1",
    "ULTIMO_OWN_EXPERTS": "2",
    "ULTIMO_OWN_SHEETS": "2",
    "ULTIMO_OWN_CLUBS": "1",
    "ULTIMO_OWN_TOURNAMENTS": "1",
    "ULTIMO_DAY_GUESTS": "4",
    "ULTIMO_DAY_TABLES": "5",
    "ULTIMO_DAY_SHEETS": "6",
    "ULTIMO_DAY_CLUBS": "2",
    "ULTIMO_DAY_TOURNAMENTS": "2",
    "ULTIMO_DAY_INVITATIONS": "2",
    "ULTIMO_DAY_BYTES": "2000",
}
BOT = {"kind": "bot", "level": "random"}
PROXY = {"ULTIMO_PROXIES": "127.0.0.1"}
SHEET = {"rules": "dtf", "names": ["Ada", "Bo", "Ida"]}
TOURNAMENT = {"name": "Cup", "rules": "french4", "rounds": 2, "deals": 4}


class From(Visitor):
    """Somebody who comes from an address of their own, by a proxy that says so."""

    def __init__(self, server: Serving, address: str) -> None:
        super().__init__(server)
        self.address = address

    def ask(
        self,
        method: str,
        path: str,
        body: Any = None,
        headers: Mapping[str, str] | None = None,
        data: bytes | None = None,
    ) -> Answer:
        """Send a request from there."""
        return super().ask(method, path, body, {"X-Forwarded-For": self.address, **(headers or {})}, data)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    folder = tmp_path_factory.mktemp("quotas")
    with Serving(folder / "tables.db", 0, FEW | PROXY, seed=None) as serving:
        yield serving
        assert not [line for line in serving.lines if line["level"] in ("error", "critical")]


def come(server: Serving, address: str) -> From:
    one = From(server, address)
    one.enter()
    return one


def opened(visitor: Visitor, *seats: dict[str, str]) -> Answer:
    """Ask for a table."""
    wish = {"rules": "dtf", "size": 3, "seats": list(seats), "tempo": "instant"}
    return visitor.post("/api/tables?lang=en", {"settings": wish})


def refused(answer: Answer, status: int, words: str) -> None:
    assert (answer.status, words in answer.json["error"]) == (status, True), answer


def test_one_person_has_so_many_tables_open_and_an_address_so_many_a_day(server: Serving) -> None:
    ada, host = come(server, "198.51.100.1"), {"kind": "host"}
    for _ in range(3):
        assert opened(ada, host, BOT, BOT).status == 201
    refused(opened(ada, host, BOT, BOT), 409, "Finish one of them first")
    bo = come(server, "198.51.100.1")
    for _ in range(2):
        assert opened(bo, host, BOT, BOT).status == 201
    refused(opened(bo, host, BOT, BOT), 429, "tomorrow")
    assert opened(come(server, "198.51.100.2"), host, BOT, BOT).status == 201


def test_bots_alone_and_experts_are_counted_for_themselves(server: Serving) -> None:
    ada, expert = come(server, "198.51.100.3"), {"kind": "bot", "level": "expert"}
    assert opened(ada, BOT, BOT, BOT).status == 201
    refused(opened(ada, BOT, BOT, BOT), 409, "only bots play")
    refused(opened(ada, expert, expert, {"kind": "host"}, expert), 422, "")
    assert opened(ada, expert, expert, {"kind": "host"}).status == 201
    refused(opened(ada, expert, {"kind": "open"}, {"kind": "host"}), 409, "experts")
    later = opened(ada, {"kind": "host"}, {"kind": "open"}, {"kind": "open"})
    with AtTable(ada, later.json["id"]) as page:
        refusal = page.do({"type": "SeatBot", "seat": 1, "level": "master"})
        assert (refusal["type"], "experts" in refusal["reason"]) == ("refused", True)
        assert page.do({"type": "SeatBot", "seat": 1, "level": "club"})["type"] == "done"


def test_a_rematch_is_a_table_like_any_other(server: Serving) -> None:
    ada = come(server, "198.51.100.12")
    with AtTable(ada, ada.open_table(deals=1)) as page:
        page.play()
        others = [ada.open_table(deals=1) for _ in range(3)]
        refusal = page.do({"type": "Rematch"})
        assert (refusal["type"], "Finish one of them" in refusal["reason"]) == ("refused", True)
        with AtTable(ada, others[0]) as other:
            other.play()
        assert page.do({"type": "Rematch"})["type"] == "done"


def test_new_guests_from_one_address_come_to_an_end_and_others_still_come(server: Serving) -> None:
    first = come(server, "198.51.100.4")
    assert first.post("/api/account", {"name": "Quota", "password": "long enough"}).status == 200
    for _ in range(3):
        come(server, "198.51.100.4")
    late = From(server, "198.51.100.4")
    refused(late.post("/api/enter?lang=en"), 429, "Log in")
    assert late.post("/api/login", {"name": "Quota", "password": "long enough"}).status == 200
    assert first.post("/api/enter").status == 200, "who is known is no new guest"
    assert From(server, "198.51.100.5").post("/api/enter").status == 200


def test_sheets_clubs_and_tournaments_have_a_bound_until_one_is_closed(server: Serving) -> None:
    ada = come(server, "198.51.100.6")
    sheets = [ada.post("/api/sheets", SHEET).json["id"] for _ in range(2)]
    refused(ada.post("/api/sheets?lang=en", SHEET), 409, "Close one")
    shut = {"cmd": "close-this-one", "base": 1, "wish": {"type": "CloseSheet"}}
    closed = ada.post(f"/api/sheets/{sheets[0]}", shut)
    assert closed.status == 200, closed
    assert ada.post("/api/sheets", SHEET).status == 201
    club = ada.post("/api/clubs", {"name": "Tarok"}).json["id"]
    refused(ada.post("/api/clubs?lang=en", {"name": "Tarok"}), 409, "Delete one")
    assert ada.ask("DELETE", f"/api/clubs/{club}").status == 204
    assert ada.post("/api/clubs", {"name": "Tarok"}).status == 201
    bo = come(server, "198.51.100.6")
    refused(bo.post("/api/clubs?lang=en", {"name": "Tarok"}), 429, "tomorrow")
    assert ada.post("/api/tournaments", TOURNAMENT).status == 201
    refused(ada.post("/api/tournaments?lang=en", TOURNAMENT), 409, "Close one")
    assert bo.post("/api/tournaments", TOURNAMENT).status == 201
    late = come(server, "198.51.100.6")
    refused(late.post("/api/tournaments?lang=en", TOURNAMENT), 429, "tomorrow")


def test_invitations_and_files_have_a_bound_for_the_day(server: Serving) -> None:
    ada = come(server, "198.51.100.7")
    sheet = ada.post("/api/sheets", SHEET).json["id"]
    for _ in range(2):
        assert ada.post(f"/api/sheets/{sheet}/pen").status == 200
    refused(ada.post(f"/api/sheets/{sheet}/pen?lang=en"), 429, "tomorrow")
    kept = ada.get(f"/api/sheets/{sheet}/log").body.decode()
    assert ada.post("/api/sheets/read", {"log": kept}).status == 201
    assert ada.post("/api/sheets/read", {"log": "x" * 1000}).status == 422, "it counts what is sent"
    refused(ada.post("/api/sheets/read?lang=en", {"log": "x" * 1000}), 429, "bytes")
    refused(ada.post("/api/clubs/read?lang=en", {"file": "x" * 3000, "member": "m1"}), 429, "bytes")


def _follow(visitor: From, sheet: str) -> HTTPResponse:
    url = f"{visitor.server.url}/api/sheets/{sheet}/follow"
    headers = {"X-Forwarded-For": visitor.address, "Cookie": visitor.cookie}
    answer: HTTPResponse = urlopen(Request(url, headers=headers), timeout=PATIENCE)
    assert json.loads(answer.readline())["seq"] == 1
    return answer


def test_a_person_and_an_address_follow_so_much_at_the_same_time(server: Serving) -> None:
    ada, bo = come(server, "198.51.100.8"), come(server, "198.51.100.8")
    sheet = ada.post("/api/sheets", SHEET).json["id"]
    path = f"/api/sheets/{sheet}/follow?lang=en"
    with ExitStack() as open_ones:
        for _ in range(2):
            open_ones.enter_context(_follow(ada, sheet))
        refused(ada.get(path), 429, "Close one")
        open_ones.enter_context(_follow(bo, sheet))
        refused(bo.get(path), 429, "Close one")
        other = come(server, "198.51.100.9")
        with _follow(other, sheet):
            pass


def test_costly_reads_ask_the_bucket_before_anything_is_read(server: Serving) -> None:
    """No table of these exists: who has no token is told so, and not that it does not exist."""
    ada = come(server, "198.51.100.10")
    for _ in range(60):
        if ada.get("/api/tables/none/replay/1").status == 429:
            break
    paths = ["tables", "history", "figures", "books", "words", "school", "puzzles", "clubs", "sheets"]
    paths += [f"tables/none/{what}" for what in ("replay/1", "record", "ledger", "fair/1", "rules")]
    paths += [
        "tables/none/position/1/1",
        "tables/none/review/1",
        "books/dtf",
        "books/dtf/learn",
        "tournaments",
    ]
    paths += [f"sheets/none{what}" for what in ("", "/money", "/follow", "/log", "/table.csv", "/xlsx")]
    paths += [
        f"clubs/none{what}" for what in ("", "/follow", "/rules", "/chronicle", "/export", "/members/m1")
    ]
    paths += [f"tournaments/none{what}" for what in ("", "/follow", "/log", "/boards/1", "/standings.csv")]
    answers = {path: ada.get(f"/api/{path}").status for path in paths}
    assert set(answers.values()) == {429}, answers
    assert ada.get("/healthz").status == 200
    assert come(server, "198.51.100.11").get("/api/tables/none/replay/1").status == 404
