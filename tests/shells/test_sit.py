"""A program at a table of the server: its token, what it is sent, and a whole game with `ultimo sit`."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from typing import Any, get_args, get_type_hints

import msgspec
import pytest
from websockets.sync.client import ClientConnection, connect
from websockets.sync.server import serve
from websockets.typing import Origin

from commands import Done, fails, ultimo
from live import HOST, Evening, bots
from serving import PATIENCE, AtTable, Serving, Visitor
from ultimo.cli.sit import Seat
from ultimo.players import create
from ultimo.players.player import PLAYERS
from ultimo.server.programs import Ears, Told
from ultimo.server.store import Player
from ultimo.table import Settings, evolve
from ultimo.table.facts import StoodIn
from ultimo.table.messages import TakeBack
from ultimo.table.scene import Level

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


def test_a_seat_that_is_taken_away_has_no_token(server: Serving, host: Visitor) -> None:
    table = _open(host)
    token = _seated(host, table)["token"]
    with AtTable(host, table) as page:
        with _socket(server, table, token) as socket:
            assert _hear(socket)["moment"] == "gathering"
            (owl,) = (one for one in page.scene["people"] if one["name"] == "Owl (bot)")
            page.do({"type": "TakeSeat", "who": owl["who"]})
            while (told := _hear(socket))["type"] != "goodbye":
                pass
            assert told["reason"].startswith("This token does not fit")
        with _socket(server, table, token) as socket:
            assert _hear(socket)["type"] == "goodbye"
    other = _seated(host, table)["token"]  # another program may have the seat
    with _socket(server, table, token) as socket, _socket(server, table, other) as next_one:
        assert [_hear(socket)["type"], _hear(next_one)["type"]] == ["goodbye", "told"]


def test_with_the_host_the_tokens_at_their_table_go(server: Serving) -> None:
    host = Visitor(server)
    host.enter()
    table = _open(host)
    token = _seated(host, table)["token"]
    assert host.ask("DELETE", "/api/me", {}).status == 204
    with _socket(server, table, token) as socket:
        assert _hear(socket)["reason"].startswith("This token does not fit")


def test_who_floods_is_sent_away_and_told_why(server: Serving, host: Visitor) -> None:
    table = _open(host)
    with _socket(server, table, _seated(host, table)["token"]) as socket:
        for _ in range(200):
            socket.send('{"type":"ping"}')
        while (told := _hear(socket))["type"] != "goodbye":
            pass
        assert told["again"] is False
    assert host.get(f"/api/tables/{table}").status == 200


LEVELS = ["cmd:touch /tmp/x", "ultimo.players.policy.levels:Club", "os:system", "genius", ""]


def test_no_level_comes_from_elsewhere(server: Serving, host: Visitor) -> None:
    """A player by a command or a module would be code of whoever asks, on the server."""
    table = _open(host)
    for level in LEVELS:
        seats = [{"kind": "host"}, {"kind": "bot", "level": level}, {"kind": "bot"}]
        wish = {"settings": {"rules": "hermansen", "size": 3, "seats": seats}}
        assert host.post("/api/tables", wish).status == 422
        assert host.post(f"/api/tables/{table}/bots", {"seat": 1, "name": "x", "level": level}).status == 422
        with AtTable(host, table) as page:
            page.socket.send(json.dumps(_do({"type": "SeatBot", "seat": 1, "level": level})))
            assert page.hear()["type"] == "goodbye"


def _do(wish: dict[str, Any]) -> dict[str, Any]:
    return {"type": "do", "cmd": "12345678", "wish": wish}


def test_every_level_that_is_read_is_one_of_ours() -> None:
    """In whatever is sent to a server, and in what it reads from its database."""
    import ultimo.server.app
    from ultimo.table.scene import SeatShown

    found = set()
    kinds = list(msgspec.Struct.__subclasses__())
    while kinds:
        kind = kinds.pop()
        kinds += kind.__subclasses__()
        of_server = kind.__module__.startswith(("ultimo.server", "ultimo.table", "ultimo.club"))
        if of_server and kind is not SeatShown and "level" in kind.__struct_fields__:
            assert get_type_hints(kind)["level"] == Level, kind
            found.add(kind.__name__)
    assert found >= {"SeatPlan", "SeatBot", "BotSeated"}
    assert set(get_args(Level)) == set(PLAYERS) - {"student", "expert-1"}  # who are no company for people
    assert ultimo.server.app.ROUTES


def test_a_program_that_comes_back_takes_its_seat_back() -> None:
    evening = Evening(Settings("dtf", 3, bots(3), tempo="instant"), 7)
    while 0 not in evening.live.waiting_for:
        evening.one_thing()
    ears = Ears(Player(HOST, "Owl (bot)", True, "en"))
    assert not msgspec.json.decode(ears.hear(evening.live), type=Told).replaced
    assert ears.hear(evening.live) == b""
    away = msgspec.json.decode(ears.hear(evolve(evening.live, StoodIn(0), 0.0)), type=Told)
    assert (away.replaced, list(Seat(create("random", 1)).wishes(away))) == (True, [TakeBack()])


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
    ("said", "complaint"),
    [
        ('{"type":"goodbye","reason":"Enough.","again":false}', "Enough."),
        ('{"type":"told","seq":"x"}', "the server speaks another version (Expected `int`, got `str`"),
        ('{"type":"goodbye","reason":"Soon.","again":true}', "the table cannot be reached (the connection"),
    ],
)
def test_what_a_server_says_is_taken_as_it_is(
    said: str, complaint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ultimo.cli.sit.time.sleep", lambda seconds: None)
    with serve(lambda socket: socket.send(said), "127.0.0.1", 0) as other:
        thread = Thread(target=other.serve_forever)
        thread.start()
        url = f"http://127.0.0.1:{other.socket.getsockname()[1]}"
        words = ("sit", "--url", url, "--table", "x", "--program", CAUTIOUS, "--token", "-")
        assert complaint in fails(*words, given="token")
        other.shutdown()
        thread.join(PATIENCE)


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
