"""Whatever is sent to the server: it is refused, logged, and harms nobody."""

from __future__ import annotations

import http.client
import socket
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection

from serving import PATIENCE, AtTable, Serving, Visitor

pytestmark = pytest.mark.xdist_group("server_hostile")

FRAME = 8 * 1024
LIMITS = {
    "ULTIMO_REQUEST_BURST": "5000",
    "ULTIMO_REQUEST_RATE": "1000",
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with Serving(tmp_path_factory.mktemp("hostile") / "tables.db", env=LIMITS) as serving:
        yield serving


@pytest.fixture
def visitor(server: Serving) -> Visitor:
    one = Visitor(server)
    one.enter()
    return one


@pytest.fixture
def table(visitor: Visitor) -> str:
    return visitor.open_table()


@pytest.fixture(autouse=True)
def _nothing_raised(server: Serving) -> Iterator[None]:
    """After every test the server lives and has logged no failure."""
    before = len(failures(server))
    yield
    assert Visitor(server).get("/readyz").status == 200
    assert not failures(server)[before:]


def failures(server: Serving) -> list[dict[str, Any]]:
    """What has gone wrong in the server itself."""
    return [line for line in server.lines if line["level"] in ("error", "critical")]


def refusals(server: Serving) -> list[str]:
    """The reasons of all that was turned away so far."""
    return [line["reason"] for line in server.lines if line["event"] == "refused"]


def end(socket: ClientConnection) -> tuple[list[dict[str, Any]], int]:
    """What a socket still says, and the code with which it is closed."""
    said = []
    with suppress(ConnectionClosed):
        while True:
            said.append(msgspec.json.decode(socket.recv(PATIENCE)))
    return said, socket.close_code or 0


# --- origins -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "origin",
    ["https://evil.example", "null", "http://127.0.0.1", "http://localhost:1", "https://127.0.0.1", ""],
)
def test_a_change_from_another_page_is_refused(server: Serving, visitor: Visitor, origin: str) -> None:
    before = len(visitor.get("/api/history").json)
    answer = visitor.ask("POST", "/api/tables", {}, {"Origin": origin})
    assert answer.status == 403
    assert visitor.ask("DELETE", "/api/me", headers={"Origin": origin}).status == 403
    assert len(visitor.get("/api/history").json) == before
    assert refusals(server)[-2:] == ["foreignOrigin"] * 2


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1:1"])
def test_a_socket_from_another_page_is_refused(
    server: Serving, visitor: Visitor, table: str, origin: str
) -> None:
    with pytest.raises(InvalidStatus) as refused:
        visitor.watch(table, origin)
    assert refused.value.response.status_code == 403
    assert refusals(server)[-1] == "foreignOrigin"


def test_the_origins_that_are_named_may_come(tmp_path: Path) -> None:
    named = {"ULTIMO_ORIGINS": "https://tarok.example"}
    with Serving(tmp_path / "tables.db", env=named, seed=None) as server:
        visitor = Visitor(server)
        answer = visitor.ask("POST", "/api/enter", {}, {"Origin": "https://tarok.example"})
        assert answer.status == 200
        with visitor.watch(visitor.open_table(), "https://tarok.example") as socket:
            assert msgspec.json.decode(socket.recv(PATIENCE))["type"] == "full"


# --- messages ------------------------------------------------------------------------------------------


def deep(opening: str, depth: int) -> str:
    return opening * depth


MALFORMED = [
    "",
    "hello",
    "null",
    "[]",
    "{}",
    '{"type":"do"}',
    '{"type":"nonsense"}',
    '{"type":"ping","more":1}',
    '{"type":"do","cmd":"short","wish":{"type":"Start"}}',
    '{"type":"do","cmd":"with spaces in it","wish":{"type":"Start"}}',
    '{"type":"do","cmd":12345678,"wish":{"type":"Start"}}',
    '{"type":"do","cmd":"aaaaaaaa","wish":{"type":"Sit","seat":"one"}}',
    '{"type":"do","cmd":"aaaaaaaa","wish":{"type":"Sit","seat":1.5}}',
    '{"type":"do","cmd":"aaaaaaaa","wish":{"type":"Sit","seat":1,"name":"King"}}',
    '{"type":"do","cmd":"aaaaaaaa","wish":{"type":"SetTempo"}}',
    '{"type":"do","cmd":"aaaaaaaa","wish":{"type":"SetTempo","tempo":"warp"}}',
    '{"type":"do","cmd":"aaaaaaaa","wish":{"type":"Skip","seat":0}}',
    '{"type":"do","cmd":"aaaaaaaa","wish":{"type":"ClaimRest","cards":["T21"]}}',
    '{"type":"do","cmd":"aaaaaaaa","wish":{"type":"Act","action":{"type":"Play","card":"XX"}}}',
    '{"type":"do","cmd":"aaaaaaaa","wish":{"type":"Act","action":{"type":"Deal","hands":[]}}}x',
    '{"type":"do","cmd":"aaaaaaaa","wish":{"type":"Say","text":""}}',
    '{"type":"do","cmd":"aaaaaaaa","wish":{"type":"Commit","deal":1,"digest":"xyz"}}',
    '{"type":"do","cmd":"aaaaaaaa","wish":{"type":"Start","__proto__":{}}}',
    deep("[", 4000),
    deep('{"type":', 900),
    deep('{"type":"do","cmd":"aaaaaaaa","wish":', 150),
    "\ud83c\udccf",
]


@pytest.mark.parametrize("text", MALFORMED, ids=range(len(MALFORMED)))
def test_what_is_not_understood_is_said_once_and_ends_the_socket(
    server: Serving, visitor: Visitor, table: str, text: str
) -> None:
    with visitor.watch(table) as socket:
        socket.recv(PATIENCE)
        socket.send(text.encode("utf-16", "surrogatepass").decode("utf-16"))
        said, code = end(socket)
    assert [one["again"] for one in said if one["type"] == "goodbye"] == [False]
    assert code == 4400
    assert refusals(server)[-1] == "malformed"


def test_bytes_are_not_understood(visitor: Visitor, table: str) -> None:
    with visitor.watch(table) as socket:
        socket.recv(PATIENCE)
        socket.send(b'{"type":"ping"}')
        assert end(socket)[1] == 4400


@pytest.mark.parametrize("size", [FRAME + 1, 2 * FRAME, 2 * FRAME + 1, 500_000])
def test_a_message_that_is_too_large_ends_the_socket(
    server: Serving, visitor: Visitor, table: str, size: int
) -> None:
    with visitor.watch(table) as socket:
        socket.recv(PATIENCE)
        with suppress(ConnectionClosed):
            socket.send('"' + "x" * (size - 2) + '"')
        said, code = end(socket)
    assert code == 1009
    if size <= 2 * FRAME:
        assert "8192" in said[-1]["reason"]
    reason = "largeMessage" if size <= 2 * FRAME else "large frame"
    assert server.logged("refused", reason=reason, table=table)


def test_a_message_of_the_largest_size_is_read(visitor: Visitor, table: str) -> None:
    with visitor.watch(table) as socket:
        socket.recv(PATIENCE)
        socket.send('{"type":"ping"}'.ljust(FRAME))
        kinds = set()
        while "pong" not in kinds:
            kinds.add(msgspec.json.decode(socket.recv(PATIENCE))["type"])


def test_a_flood_ends_the_socket_of_the_one_who_sends_it_alone(
    server: Serving, visitor: Visitor, table: str
) -> None:
    other = Visitor(server)
    other.enter()
    with AtTable(visitor, table) as calm, other.watch(table) as socket:
        with suppress(ConnectionClosed):
            for _ in range(300):
                socket.send('{"type":"ping"}')
        said, code = end(socket)
        assert code == 4429
        assert said[-1]["type"] == "goodbye"
        assert refusals(server).count("flood") == 1
        calm.send({"type": "ping"})
        while calm.hear()["type"] != "pong":
            pass


def test_a_table_that_is_none_is_said_to_be_none(server: Serving, visitor: Visitor) -> None:
    for name in ("none", "x" * 3000, "%00"):
        with visitor.watch(name) as socket:
            said, code = end(socket)
        assert code == 4404
        assert said[-1]["reason"].startswith("There is no table at this link")
    assert refusals(server)[-1] == "unknownTable"


# --- wishes --------------------------------------------------------------------------------------------


def test_a_wish_out_of_turn_changes_nothing(server: Serving, visitor: Visitor, table: str) -> None:
    with AtTable(visitor, table) as page:
        page.do({"type": "Start"})
        while page.scene["turn"] is None and page.scene["number"] == 0:
            page.hear()
        seq = page.seq
        for action in (
            {"type": "Deal", "hands": [["SK"], ["HK"], ["CK"]], "chien": []},
            {"type": "Lay", "cards": ["SK", "HK", "T21"], "tout": False},
            {"type": "Play", "card": "T21", "named": "H"},
            {"type": "Cut", "at": -(10**9)},
        ):
            answer = page.do({"type": "Act", "action": action})
            assert answer["type"] == "refused"
            assert answer["reason"]
        assert refusals(server)[-1] == "illegal"
        assert page.seq >= seq
        page.play()


def test_who_is_not_to_move_is_told_who_is(server: Serving, visitor: Visitor) -> None:
    friend = Visitor(server)
    friend.enter()
    seats = [{"kind": "host"}, {"kind": "open"}, *[{"kind": "bot", "level": "random"}] * 2]
    table = visitor.open_table("french4", 4, seats=seats)
    with AtTable(visitor, table) as page, AtTable(friend, table, seed=2) as other:
        assert other.do({"type": "Sit", "seat": 1})["type"] == "done"
        while not page.scene["seats"][1]["turn"]:  # the friend is there and takes his time
            wish = page.wish()
            if wish is None:
                page.hear()
            else:
                page.do(wish)
        answer = page.do({"type": "Act", "action": {"type": "Pass"}})
        assert answer["type"] == "refused"
        assert page.scene["seats"][1]["name"] in answer["reason"]


def test_a_stranger_watches_and_does_nothing(server: Serving, visitor: Visitor, table: str) -> None:
    stranger, other = Visitor(server), Visitor(server)
    other.enter()
    wishes: list[dict[str, Any]] = [
        {"type": "Start"},
        {"type": "Sit", "seat": 0},
        {"type": "Sit", "seat": -1},
        {"type": "Sit", "seat": 99},
        {"type": "Sit", "seat": 2**63 - 1},
        {"type": "SeatBot", "seat": 0, "level": "club"},
        {"type": "OpenSeat", "seat": 1},
        {"type": "Stand"},
        {"type": "Ready"},
        {"type": "TakeBack"},
        {"type": "SetTempo", "tempo": "fast"},
        {"type": "Skip"},
        {"type": "ClaimRest"},
        {"type": "Finish"},
        {"type": "Rematch"},
        {"type": "Commit", "deal": 1, "digest": "0" * 64},
        {"type": "Reveal", "deal": 1, "secret": "0" * 64},
        {"type": "Act", "action": {"type": "Accept"}},
    ]
    for who in (stranger, other):
        with AtTable(who, table) as page:
            assert page.scene["you"] is None
            assert page.scene["hand"] == []
            for wish in wishes:
                assert page.do(wish)["type"] == "refused", wish
    with AtTable(visitor, table) as page:
        assert page.scene["you"] == 0
        page.play()


def test_wishes_at_the_wrong_time_change_nothing(visitor: Visitor, table: str) -> None:
    with AtTable(visitor, table) as page:
        for _ in range(3):
            for wish in ({"type": "Skip"}, {"type": "ClaimRest"}, {"type": "Start"}):
                assert page.do(wish)["type"] == "refused", wish
        assert page.do({"type": "SetTempo", "tempo": "fast"})["type"] == "done"
        assert page.do({"type": "SetTempo", "tempo": "fast"})["type"] == "refused"
        assert page.scene["table"]["tempo"] == "fast"
        page.do({"type": "SetTempo", "tempo": "instant"})
        page.play()


def test_what_people_say_has_bounds_and_is_not_logged(server: Serving, visitor: Visitor, table: str) -> None:
    with AtTable(visitor, table) as page:
        assert page.do({"type": "Say", "text": "\x00\u202e \n"})["type"] == "refused"
        assert page.do({"type": "Say", "text": "good\x07 \u200bevening"})["type"] == "done"
        while not page.scene["chat"]:
            page.hear()
        assert page.scene["chat"][-1]["text"] == "good evening"
        assert "evening" not in server.log
        page.send({"type": "do", "cmd": "x" * 8, "wish": {"type": "Say", "text": "x" * 501}})
        assert end(page.socket)[1] == 4400


def test_a_command_that_is_sent_again_is_done_once(visitor: Visitor, table: str) -> None:
    with AtTable(visitor, table) as page, AtTable(visitor, table) as other:
        wish = {"type": "Say", "text": "once"}
        answers = [page.do(wish, "command-1"), other.do(wish, "command-1"), page.do(wish, "command-1")]
        assert {answer["type"] for answer in answers} == {"done"}
        assert len({answer["seq"] for answer in answers}) == 1
        page.do({"type": "Say", "text": "twice"})
        while len(page.scene["chat"]) < 2:
            page.hear()
        assert [said["text"] for said in page.scene["chat"]] == ["once", "twice"]


# --- requests ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 422),
        (b"nonsense", 400),
        (b"\xff\xfe", 400),
        (b"[]", 422),
        (b"[" * 60_000, 422),
        (b'{"settings":' * 5000, 422),
        (b'{"settings":{"rules":"dtf","size":3,"seats":[],"house":{"x":' + b"[" * 60_000, 400),
        (b'{"settings":{"rules":"dtf","size":3}}', 422),
        (b'{"settings":{"rules":"whist","size":3,"seats":[]}}', 422),
        (b'{"settings":{"rules":"../dtf","size":3,"seats":[]}}', 422),
        (b'{"settings":{"rules":"dtf","size":3,"seats":[{"kind":"host"}]}}', 422),
        (b'{"settings":{"rules":"dtf","size":99,"seats":[]}}', 422),
        (b'{"settings":{"rules":"dtf","size":3,"seats":[],"house":{"skus.x":1}}}', 422),
        (b'{"settings":{"rules":"dtf","size":3,"seats":[],"house":{"skus":[[[]]]}}}', 422),
        (b'{"settings":{"rules":"dtf","size":3,"seats":[],"deals":1e99}}', 422),
        (b'{"settings":{},"more":1}', 422),
    ],
)
def test_a_body_that_cannot_be_is_refused(visitor: Visitor, body: bytes, status: int) -> None:
    answer = visitor.ask("POST", "/api/tables", data=body)
    assert answer.status == status
    assert answer.json["error"]


@pytest.mark.parametrize("announced", [True, False])
def test_whoever_sends_too_large_a_body_reads_the_answer(
    server: Serving, visitor: Visitor, announced: bool
) -> None:
    """The body is sent to its end before the answer is read, as browsers do, and the connection is closed."""
    head = ["PUT /api/tables/from-device/log HTTP/1.1", f"Host: 127.0.0.1:{server.port}"]
    head += [f"Origin: {server.url}", f"Cookie: {visitor.cookie}"]
    size, part = 8 * 1024 * 1024, 64 * 1024
    head.append(f"Content-Length: {size}" if announced else "Transfer-Encoding: chunked")
    chunk = bytes(part) if announced else b"%x\r\n%s\r\n" % (part, bytes(part))
    with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as connection:
        connection.sendall("\r\n".join([*head, "", ""]).encode())
        for _ in range(size // part):
            connection.sendall(chunk)
        if not announced:
            connection.sendall(b"0\r\n\r\n")
        said = b""
        while data := connection.recv(65536):
            said += data
    assert said.startswith(b"HTTP/1.1 413 ")
    assert b"connection: close" in said.lower()


def test_a_body_that_is_too_large_is_refused_whatever_its_header_says(
    server: Serving, visitor: Visitor
) -> None:
    large = b" " * (64 * 1024 + 1)
    assert visitor.ask("POST", "/api/enter", data=large).status == 413
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
    headers = {"Origin": server.url, "Transfer-Encoding": "chunked"}
    connection.request(
        "POST", "/api/enter", iter([large[:40_000], large[40_000:]]), headers, encode_chunked=True
    )
    assert connection.getresponse().status == 413
    connection.close()
    assert refusals(server)[-2:] == ["tooLarge"] * 2


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/api/nothing", 404),
        ("POST", "/api/books", 404),
        ("POST", "/", 405),
        ("BREW", "/api/me", 405),
        ("GET", "/api/tables/none", 404),
        ("GET", "/api/tables/none/record", 404),
        ("GET", "/api/tables/none/replay/1", 404),
        ("GET", "/api/tables/none/fair/1", 404),
        ("GET", "/api/tables/none/rules", 404),
        ("GET", "/api/tables/none/replay/x", 404),
        ("GET", "/api/tables/none/replay/-1", 404),
        ("GET", "/api/tables/none/replay/99999999999999", 404),
        ("GET", "/api/books/none", 404),
        ("GET", "/api/books/dtf?house=nonsense", 400),
        ("GET", "/api/books/dtf?house=%7B%22skus.x%22:1%7D", 422),
        ("GET", "/api/books/none/learn", 404),
        ("GET", "/api/books/dtf/learn?size=6", 404),
        ("GET", "/api/books/dtf/learn?size=three", 404),
        ("GET", "/api/books/dtf/learn?house=%5B%5D", 400),
        ("GET", "/api/books/dtf/learn?house=%7B%22skus.x%22:1%7D", 422),
        ("POST", "/api/tables/none/again", 422),
        ("GET", "/api/history", 401),
    ],
)
def test_what_is_not_there_is_said_in_json(server: Serving, method: str, path: str, status: int) -> None:
    stranger = Visitor(server)
    if status == 422:
        stranger.enter()
    answer = stranger.ask(method, path)
    assert answer.status == status
    assert answer.json["error"]


def test_a_deal_that_is_not_over_is_not_shown(visitor: Visitor, table: str) -> None:
    with AtTable(visitor, table) as page:
        page.do({"type": "Start"})
    for path in ("record?deal=1", "replay/1", "fair/1", "record?deal=7&form=jsonl"):
        answer = visitor.get(f"/api/tables/{table}/{path}")
        assert answer.status == 404
        assert answer.json["error"].startswith("Deal ")
    assert visitor.get(f"/api/tables/{table}/record?form=pdf").status == 404


def test_who_talks_nonsense_at_the_door_is_not_let_in(server: Serving) -> None:
    for nonsense in (b"\x16\x03\x01\x02\x00", b"GET\r\n\r\n", b"\x00" * 100_000):
        with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as raw:
            try:
                raw.sendall(nonsense)
                raw.shutdown(socket.SHUT_WR)
                answer = raw.recv(1024)
            except OSError:
                continue
            assert answer == b"" or b" 400 " in answer.split(b"\r\n")[0]


# --- rates ---------------------------------------------------------------------------------------------


def test_whoever_asks_too_often_waits(tmp_path_factory: pytest.TempPathFactory) -> None:
    limits = {
        "ULTIMO_REQUEST_BURST": "12",
        "ULTIMO_REQUEST_RATE": "0.001",
        "ULTIMO_LOGIN_BURST": "2",
        "ULTIMO_LOGIN_RATE": "0.001",
        "ULTIMO_SOCKETS": "2",
    }
    with Serving(tmp_path_factory.mktemp("rates") / "tables.db", env=limits) as server:
        visitor = Visitor(server)
        visitor.enter()
        table = visitor.open_table()
        with visitor.watch(table), visitor.watch(table), visitor.watch(table) as third:
            said, code = end(third)
        assert code == 4429
        assert said[0]["reason"].startswith("Too many tables are open on your connection")
        wrong = {"name": "Ada", "password": "wrong password"}
        assert [visitor.post("/api/login", wrong).status for _ in range(4)] == [403, 403, 429, 429]
        assert [visitor.post("/api/enter").status for _ in range(8)] == [200] * 6 + [429] * 2
        assert visitor.get("/api/books").status == 200
        assert {"tooMany", "tooManySockets"} <= set(refusals(server))
