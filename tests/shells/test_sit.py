"""A program at a table of the server: its token, what it is sent, and a whole game with `ultimo sit`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from typing import Any

import msgspec
import pytest
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from commands import Done, fails, ultimo
from serving import PATIENCE, AtTable, Serving, Visitor

pytestmark = pytest.mark.xdist_group("server_sit")

CAUTIOUS = f"{sys.executable} {Path(__file__).resolve().parents[2] / 'examples' / 'bots' / 'cautious.py'}"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with Serving(tmp_path_factory.mktemp("sit") / "sit.db") as serving:
        yield serving


@pytest.fixture(scope="module")
def host(server: Serving) -> Visitor:
    one = Visitor(server)
    one.enter()
    return one


def _open(host: Visitor, rules: str = "hermansen") -> str:
    """A table with the host, an open seat and a bot."""
    seats = [{"kind": "host"}, {"kind": "open"}, {"kind": "bot", "level": "random"}]
    return host.open_table(rules, 3, seats=seats, deals=1)


def _seated(host: Visitor, table: str) -> dict[str, Any]:
    answer = host.post(f"/api/tables/{table}/bots", {"seat": 1, "name": "Owl"})
    assert answer.status == 201, answer
    found: dict[str, Any] = answer.json
    return found


def _socket(server: Serving, table: str, token: str) -> ClientConnection:
    return connect(
        f"{server.url.replace('http', 'ws', 1)}/ws/{table}?lang=en",
        origin=Origin(server.url),
        additional_headers={"Authorization": f"Bearer {token}"},
        proxy=None,
        open_timeout=PATIENCE,
    )


def _hear(socket: ClientConnection) -> dict[str, Any]:
    found: dict[str, Any] = msgspec.json.decode(socket.recv(PATIENCE))
    return found


def test_the_host_gives_a_seat_to_a_program(server: Serving, host: Visitor) -> None:
    table = _open(host)
    seated = _seated(host, table)
    assert (seated["seat"], seated["name"]) == (1, "Owl (bot)")
    assert host.get(f"/api/tables/{table}").json["seats"][1]["name"] == "Owl (bot)"
    database = Path(server.database).read_bytes() + Path(f"{server.database}-wal").read_bytes()
    assert seated["token"].encode() not in database
    taken = host.post(f"/api/tables/{table}/bots", {"seat": 1, "name": "Cat"})
    assert (taken.status, taken.json["field"]) == (409, "seat")
    other = Visitor(server)
    other.enter()
    assert other.post(f"/api/tables/{_open(host)}/bots", {"seat": 1, "name": "Cat"}).status == 409
    assert host.post("/api/tables/none/bots", {"seat": 1, "name": "Cat"}).status == 404
    assert Visitor(server).post(f"/api/tables/{table}/bots", {"seat": 1, "name": "Cat"}).status == 401


def test_a_token_is_for_one_table(server: Serving, host: Visitor) -> None:
    token = _seated(host, _open(host))["token"]
    with _socket(server, _open(host), token) as socket:
        assert _hear(socket)["reason"].startswith("This token does not fit")


def test_a_program_is_sent_what_its_seat_sees_and_may_only_play(server: Serving, host: Visitor) -> None:
    table = _open(host)
    token = _seated(host, table)["token"]
    with _socket(server, table, token) as socket, AtTable(host, table) as page:
        assert _hear(socket)["moment"] == "gathering"
        socket.send('{"type":"do","cmd":"12345678","wish":{"type":"Say","text":"hello"}}')
        while (answer := _hear(socket))["type"] != "refused":
            pass
        assert answer["reason"] == "Programs may only play."
        page.do({"type": "Start"})
        while not (told := _hear(socket)).get("before"):
            pass
        assert told["before"]["rules"] == "hermansen"
        assert (told["before"]["seat"], told.get("start", 0)) == (1, 0)
        events = list(told["events"])
        while not (dealt := [one for one in events if one["type"] == "Dealt"]):
            events += _hear(socket).get("events", [])
        hands = dealt[0]["hands"]
        assert ["?" in hand for hand in hands] == [True, False, True]


def test_a_program_plays_a_game(server: Serving, host: Visitor, tmp_path: Path) -> None:
    table, file = _open(host), tmp_path / "token"
    file.write_text(_seated(host, table)["token"] + "\n", encoding="utf-8")
    sat: list[Done] = []
    words = ("sit", "--url", server.url, "--table", table, "--program", CAUTIOUS, "--token", file)
    with AtTable(host, table) as page:
        thread = Thread(target=lambda: sat.append(ultimo(*words)))
        thread.start()
        page.play(1)
        while page.scene["moment"] != "over":
            wish = page.wish()
            page.do(wish) if wish is not None else page.hear()
        thread.join(PATIENCE)
    (done,) = sat
    assert (done.status, done.err) == (0, "")
    assert done.out.startswith("The game is over: 1 deals, ")
    assert "failed" not in done.out


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("--program", CAUTIOUS), "give the token of the seat: --token FILE"),
        (("--program", "no-such-program", "--token", "-"), "cmd:no-such-program: there is no program"),
        (("--program", CAUTIOUS, "--token", "none"), "none: No such file or directory"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(
    arguments: tuple[str, ...], complaint: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("ULTIMO_TOKEN", raising=False)
    monkeypatch.chdir(tmp_path)
    run = ("sit", "--url", "http://127.0.0.1:1", "--table", "x", *arguments)
    assert fails(*run, given="token").startswith(complaint)
