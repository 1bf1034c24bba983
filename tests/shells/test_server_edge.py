"""Connections that flood, dawdle or do nothing: they end, are counted, and slow nobody else."""

from __future__ import annotations

import asyncio
import base64
import gc
import re
import socket
import struct
import weakref
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from typing import Any, cast

import msgspec
import pytest
import uvicorn
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect
from websockets.asyncio.client import connect

from serving import PATIENCE, Serving, Visitor, until
from ultimo.server.appending import TableId
from ultimo.server.edge import HELD, Door, EdgeConfig, HttpConnection, Line, SocketConnection, Stalled
from ultimo.server.hosts import Hosts, Proxies
from ultimo.server.settings import Config
from ultimo.server.sockets import Talk

pytestmark = pytest.mark.xdist_group("server_edge")

FILES = 256
SOON = {
    "ULTIMO_REQUEST_SECONDS": "2",
    "ULTIMO_PING_SECONDS": "2",
    "ULTIMO_MESSAGE_BURST": "1000",
    "ULTIMO_REQUEST_BURST": "1000",
    "ULTIMO_REQUEST_RATE": "1000",
}
TEXT, PING, CLOSE = 1, 9, 8


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with Serving(tmp_path_factory.mktemp("edge") / "tables.db", env=SOON, files=FILES) as serving:
        yield serving


def counted(server: Serving, reason: str) -> float:
    """How often the server has turned something away for this reason."""
    text = Visitor(server).get("/metrics").body.decode()
    found = re.search(rf'^ultimo_refusals_total{{reason="{reason}"}} (\S+)$', text, re.MULTILINE)
    return float(found[1]) if found else 0.0


def raw(server: Serving, data: bytes = b"", buffer: int = 0) -> socket.socket:
    """A connection that says just this; with a `buffer`, one that holds little of what comes back."""
    connection = socket.socket()
    if buffer:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
    connection.settimeout(PATIENCE)
    connection.connect(("127.0.0.1", server.port))
    connection.sendall(data)
    return connection


def rest_of(connection: socket.socket) -> bytes:
    """What still comes until the server ends the connection."""
    said = b""
    try:
        while data := connection.recv(65536):
            said += data
    except ConnectionError:
        pass
    return said


def sending(connection: socket.socket, data: bytes) -> None:
    """Send all that the server takes."""
    with suppress(ConnectionError):
        connection.sendall(data)


def request(server: Serving, line: str, *headers: str, body: bytes = b"") -> bytes:
    """A request as it goes over the line."""
    host = (
        () if any(header.startswith("Host:") for header in headers) else (f"Host: 127.0.0.1:{server.port}",)
    )
    return "\r\n".join([f"{line} HTTP/1.1", *host, *headers, "", ""]).encode() + body


def enter(server: Serving, *headers: str, body: bytes = b"") -> bytes:
    """A request to come in."""
    return request(server, "POST /api/enter", f"Origin: {server.url}", *headers, body=body)


def watching(server: Serving, *headers: str, buffer: int = 0) -> socket.socket:
    """A WebSocket at a new table, for frames as they come; what it is told first is not read."""
    visitor = Visitor(server)
    visitor.enter()
    key = base64.b64encode(bytes(16)).decode()
    said = request(
        server,
        f"GET /ws/{visitor.open_table()}",
        f"Origin: {server.url}",
        f"Cookie: {visitor.cookie}",
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Version: 13",
        f"Sec-WebSocket-Key: {key}",
        *headers,
    )
    connection = raw(server, said, buffer)
    until(lambda: b"\r\n\r\n" in connection.recv(4096, socket.MSG_PEEK))
    return connection


def frame(opcode: int, payload: bytes = b"", fin: bool = True) -> bytes:
    """A frame as a client sends it, under a mask of zeros."""
    size = bytes([0x80 | len(payload)]) if len(payload) < 126 else struct.pack("!BH", 0xFE, len(payload))
    return bytes([fin << 7 | opcode]) + size + bytes(4) + payload


def close_code(said: bytes) -> int:
    """The code with which a server closes a socket, in all that it has said; 0 without one."""
    rest = said.partition(b"\r\n\r\n")[2]
    while len(rest) > 1:
        opcode, size, start = rest[0] & 0x0F, rest[1], 2
        if size == 126:
            size, start = int.from_bytes(rest[2:4]), 4
        elif size == 127:
            size, start = int.from_bytes(rest[2:10]), 10
        if opcode == CLOSE:
            return int.from_bytes(rest[start : start + 2])
        rest = rest[start + size :]
    return 0


# --- sockets -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "flood", "code", "reason"),
    [
        (frame(TEXT, fin=False), frame(0, fin=False) * 10_000, 1009, "tooManyParts"),
        (b"", frame(PING) * 10_000, 4429, "tooManyFrames"),
        (b"", frame(10, b"x" * 100) * 10_000, 4429, "tooManyFrames"),
    ],
    ids=["parts", "pings", "pongs"],
)
def test_frames_are_counted_whole_messages_or_not(
    server: Serving, first: bytes, flood: bytes, code: int, reason: str
) -> None:
    before = counted(server, reason)
    with watching(server) as connection:
        sending(connection, first)
        sending(connection, flood)
        assert close_code(rest_of(connection)) == code
    until(lambda: counted(server, reason) == before + 1)
    server.logged("refused", reason=reason, address="127.0.0.1")


# --- slow and idle connections -------------------------------------------------------------------------


def test_whoever_dawdles_is_not_waited_for(server: Serving) -> None:
    """Slow requests, answers that nobody reads, and a socket without an answer to pings: all at once."""
    slow = "unusedConnection", "slowHeader", "slowBody"
    before = {reason: counted(server, reason) for reason in (*slow, "slowReader")}
    begun = b"", b"GET / HTTP/1.1\r\nHo", enter(server, "Content-Length: 10", body=b"{")
    lines = [raw(server, data) for data in begun]
    silent, deaf, idler = watching(server), watching(server, buffer=4096), raw(server, buffer=4096)
    with ExitStack() as stack:
        for connection in (*lines, silent, deaf, idler):
            stack.enter_context(connection)
        for number in range(60):  # so that there is something to send
            say = {"type": "do", "cmd": f"command-{number}", "wish": {"type": "Say", "text": "æ" * 500}}
            sending(deaf, frame(TEXT, msgspec.json.encode(say)))
        deaf.setblocking(False)
        idler.setblocking(False)
        pages, resync = request(server, "GET /metrics") * 10, frame(TEXT, b'{"type":"resync"}')
        until(lambda: ended_while(deaf, resync) & ended_while(idler, pages))
        for connection in lines:
            rest_of(connection)
        assert close_code(rest_of(silent)) == 1011
    until(lambda: all(counted(server, reason) == before[reason] + 1 for reason in slow))
    until(
        lambda: counted(server, "slowReader") > before["slowReader"]
    )  # the system may hold what one was told


def ended_while(connection: socket.socket, data: bytes) -> bool:
    """Send what goes without waiting; whether the connection has ended."""
    try:
        connection.send(data)
    except BlockingIOError:
        return False
    except ConnectionError:
        return True
    return False


def test_idle_connections_shut_nobody_out_and_fill_no_log(server: Serving) -> None:
    with ExitStack() as stack:
        idle = [stack.enter_context(raw(server)) for _ in range(FILES + 50)]
        assert Visitor(server).get("/healthz").status == 200
        assert rest_of(idle[0]) == b""
    assert "out of system resource" not in server.log
    assert len(server.log) < 200_000


# --- what is no proper request -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "headers",
    [
        ("Content-Length: 4", "Transfer-Encoding: chunked"),
        ("Content-Length: 4", "Content-Length: 5"),
        ("Content-Length: 4, 5",),
    ],
)
def test_a_request_with_two_lengths_is_refused_and_its_connection_ended(
    server: Serving, headers: tuple[str, ...]
) -> None:
    smuggled = request(server, "GET /healthz")
    with raw(server, enter(server, *headers, body=b"0\r\n\r\n" + smuggled)) as connection:
        answers = rest_of(connection)
    assert answers.startswith(b"HTTP/1.1 400 ")
    assert answers.count(b"HTTP/1.1") == 1


def test_a_body_in_tiny_parts_is_refused(server: Serving) -> None:
    before = counted(server, "notHttp")
    with raw(server, enter(server, "Transfer-Encoding: chunked")) as connection:
        sending(connection, b"1\r\n \r\n" * 5000)
        rest_of(connection)
    until(lambda: counted(server, "notHttp") == before + 1)
    assert "".join(str(line) for line in server.lines if line["level"] in ("error", "critical")) == ""


def test_a_body_without_end_is_not_read_after_its_request_is_refused(server: Serving) -> None:
    before = counted(server, "unreadBody")
    said = request(server, "POST /api/enter", "Origin: https://evil.example", "Content-Length: 90000000")
    with raw(server, said) as connection:
        until(lambda: b" 403 " in connection.recv(4096, socket.MSG_PEEK))
        sending(connection, bytes(8_000_000))
    until(lambda: counted(server, "unreadBody") == before + 1)


def test_a_flood_of_refusals_is_counted_and_hardly_logged(server: Serving) -> None:
    before, many = counted(server, "foreignOrigin"), 400
    said = request(server, "POST /api/enter", "Origin: https://evil.example", "Content-Length: 0")
    with raw(server, said * (many - 1)) as connection:
        connection.sendall(said.replace(b"Origin:", b"Connection: close\r\nOrigin:"))
        assert rest_of(connection).count(b"HTTP/1.1 403") == many
    until(lambda: counted(server, "foreignOrigin") == before + many)
    lines = [line for line in server.lines if line.get("reason") == "foreignOrigin"]
    assert 0 < len(lines) < many / 2


# --- names and addresses -------------------------------------------------------------------------------


def test_a_server_does_not_answer_to_the_name_of_another(server: Serving) -> None:
    rebound = f"Host: evil.example:{server.port}"
    origin = f"Origin: http://evil.example:{server.port}"
    for said in (request(server, "GET /", rebound), request(server, "POST /api/enter", rebound, origin)):
        with raw(server, said.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n")) as connection:
            assert rest_of(connection).startswith(b"HTTP/1.1 421 ")
    with watching(server, rebound) as connection:
        assert rest_of(connection).startswith(b"HTTP/1.1 403 ")
    for name in ("localhost", "[::1]", "192.168.1.20"):
        with raw(server, request(server, "GET /healthz", f"Host: {name}", "Connection: close")) as connection:
            assert rest_of(connection).startswith(b"HTTP/1.1 200 ")


@pytest.mark.parametrize(
    ("host", "alone", "in_the_house"),
    [
        ("127.0.0.1:8000", True, True),
        ("[fe80::1]:8000", True, True),
        ("LocalHost.", True, True),
        ("table.localhost:80", True, True),
        ("karens-mac.local:8000", False, True),
        ("karens-mac:8000", False, True),
        ("karens-mac.lan", False, True),
        ("evil.example", False, False),
        ("local", False, True),
        ("evil.example:80@localhost", False, False),
        ("localhost.evil.example", False, False),
        ("", False, False),
    ],
)
def test_names_of_a_home_network_are_answered_where_others_are_let_in(
    host: str, alone: bool, in_the_house: bool
) -> None:
    assert (host in Hosts((), (), "127.0.0.1")) is alone
    assert (host in Hosts((), (), "0.0.0.0")) is in_the_house
    assert (host in Hosts(("*",), (), "127.0.0.1")) is (bool(host) and "@" not in host)


@pytest.mark.parametrize(
    ("proxies", "forwarded", "client"),
    [
        (("*",), "198.51.100.1, 203.0.113.7", "203.0.113.7"),
        (("10.0.0.1",), "198.51.100.1, 203.0.113.7", "203.0.113.7"),
        (("10.0.0.0/8",), "203.0.113.7, 10.2.2.2", "203.0.113.7"),
        (("10.0.0.1",), "203.0.113.7, nonsense", "10.0.0.1"),
        (("10.0.0.1",), "", "10.0.0.1"),
        (("10.0.0.1",), "[2001:db8::1]:443", "2001:db8::1"),
    ],
)
def test_nobody_behind_a_proxy_chooses_their_own_address(
    proxies: tuple[str, ...], forwarded: str, client: str
) -> None:
    assert Proxies(proxies).client("10.0.0.1", forwarded) == client


def test_a_proxy_that_is_no_address_is_named() -> None:
    with pytest.raises(ValueError, match="nginx"):
        Proxies(["nginx"])


# --- the door ------------------------------------------------------------------------------------------


class Wire:
    """Stands for a transport."""

    def __init__(self) -> None:
        self.ended = False
        self.unsent = 0

    def write(self, data: bytes) -> None:
        """Say something."""

    def close(self) -> None:
        """End politely."""
        self.ended = True

    abort = close

    def is_closing(self) -> bool:
        """Whether it ends."""
        return self.ended

    def get_write_buffer_size(self) -> int:
        """What has not been sent."""
        return self.unsent


def entered(door: Door, peer: str) -> Line | None:
    return door.enter(cast(Any, Wire()), peer)


def busy(door: Door, line: Line | None, forwarded: str = "") -> tuple[str, Scope]:
    """Let a connection have a request; why not, and what is known of it."""
    assert line is not None
    scope: Scope = {"type": "http", "headers": [(b"x-forwarded-for", forwarded.encode())] * bool(forwarded)}
    return asyncio.run(door.admit(line, scope)), scope


def house(most: int, **settings: Any) -> Door:
    return Door(Config(**settings), most, lambda: 0.0)


def ended(line: Line | None) -> bool:
    return line is None or cast(Wire, line.transport).ended


def test_the_longest_idle_makes_room_when_the_house_is_full() -> None:
    door = house(6)
    lines = [entered(door, f"192.0.2.{number}") for number in range(6)]
    assert busy(door, lines[0])[0] == ""
    assert entered(door, "203.0.113.1") is not None
    assert [ended(line) for line in lines] == [False, True, False, False, False, False]
    assert len(door) == 6


def test_nobody_is_let_in_where_everybody_is_busy() -> None:
    door = house(3)
    for number in range(3):
        busy(door, entered(door, f"192.0.2.{number}"))
    assert entered(door, "203.0.113.1") is None
    assert len(door) == 3


def test_one_address_has_at_most_half_of_all_and_its_own_idle_ones_make_room() -> None:
    door = house(8, address_connections=100)
    lines = [entered(door, "2001:db8::1"), *[entered(door, "2001:db8::2") for _ in range(4)]]
    assert [ended(line) for line in lines] == [True, False, False, False, False]
    for line in lines[1:]:
        busy(door, line)
    assert entered(door, "2001:db8::3") is None
    assert entered(door, "2001:db8:0:1::3") is not None


def test_a_proxy_is_no_visitor_but_those_behind_it_are() -> None:
    door = house(100, proxies=("10.0.0.1",), address_connections=2)
    lines = [entered(door, "10.0.0.1") for _ in range(5)]
    assert not any(map(ended, lines))
    found = [busy(door, line, "198.51.100.9, 203.0.113.7") for line in lines[:3]]
    assert [why for why, _ in found] == ["", "", "tooMany"]
    assert found[0][1]["client"][0] == "203.0.113.7"
    assert busy(door, lines[3], "203.0.113.8")[0] == ""
    assert lines[0] is not None
    door.rest(lines[0])
    assert busy(door, lines[4], "203.0.113.7")[0] == ""
    unknown = [busy(door, entered(door, "10.0.0.1")) for _ in range(5)]
    assert [(why, scope["client"][0]) for why, scope in unknown] == [("", "10.0.0.1")] * 5


def test_who_reads_an_answer_slowly_has_time_and_who_does_not_has_none() -> None:
    wire, stalled = Wire(), Stalled()
    wire.unsent = 1_000_000
    stalled.begin(cast(Any, wire), 0.0)
    assert not stalled.overdue(cast(Any, wire), 20.0, 20.0)
    assert stalled.overdue(cast(Any, wire), 21.0, 20.0)
    wire.unsent -= 40_960
    assert not stalled.overdue(cast(Any, wire), 29.0, 20.0)
    assert stalled.overdue(cast(Any, wire), 31.0, 20.0)
    stalled.end()
    assert not stalled.overdue(cast(Any, wire), 99.0, 20.0)


def test_what_is_kept_for_one_address_is_bounded() -> None:
    door = house(100)
    lines = [entered(door, address) for address in ("192.0.2.1",) * 3 + ("192.0.2.2",)]
    for line in lines:
        assert line is not None
        cast(Wire, line.transport).unsent = HELD // 2
    door.sweep()
    assert sorted(map(ended, lines)) == [False, False, False, True]
    assert not ended(lines[3])


def test_who_asks_without_end_waits_and_others_do_not() -> None:
    door = house(100, request_burst=5, request_rate=0.2)
    line = entered(door, "192.0.2.1")
    assert [busy(door, line)[0] for _ in range(10)] == [""] * 10

    async def waits() -> bool:
        assert line is not None
        scope: Scope = {"type": "http", "headers": []}
        asked = asyncio.ensure_future(door.admit(line, scope))
        await asyncio.sleep(0)
        return not asked.done() and asked.cancel()

    assert asyncio.run(waits())
    assert busy(door, entered(door, "192.0.2.2"))[0] == ""


# --- what has ended is forgotten -----------------------------------------------------------------------
# At once, not when the garbage collector comes: that is seldom, and what a socket holds is not small.


@pytest.fixture
def no_collector() -> Iterator[None]:
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("no_collector")
def test_a_connection_that_has_ended_is_forgotten_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[weakref.ref[asyncio.Protocol]] = []
    for kind in (HttpConnection, SocketConnection):
        monkeypatch.setattr(kind, "connection_made", _noting(made, kind.connection_made))
    asyncio.run(_come_and_go())
    assert len(made) == 3
    assert [one() for one in made] == [None] * 3


def _noting(made: list[weakref.ref[asyncio.Protocol]], real: Callable[[Any, Any], None]) -> Any:
    def connection_made(connection: asyncio.Protocol, transport: asyncio.Transport) -> None:
        made.append(weakref.ref(connection))
        real(connection, transport)

    return connection_made


async def _come_and_go() -> None:
    """A server to which one comes with a request, and another with a socket."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await PlainTextResponse("here")(scope, receive, send)
            return
        with suppress(WebSocketDisconnect):
            page = WebSocket(scope, receive, send)
            await page.accept()
            await page.receive_text()

    config = EdgeConfig(app, Door(Config(), 100), port=0, lifespan="off", log_config=None)
    config.load()
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    assert (await reader.read()).endswith(b"here")
    writer.close()
    async with connect(f"ws://127.0.0.1:{port}", proxy=None):
        pass
    server.should_exit = True
    await serving


@pytest.mark.usefixtures("no_collector")
def test_a_talk_that_has_ended_is_forgotten_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    class Forgettable(Talk):
        async def _show(self) -> None:
            await asyncio.Event().wait()

        async def _until_logged_out(self) -> None:
            await asyncio.Event().wait()

        async def _listen(self) -> None:
            raise WebSocketDisconnect

    async def run() -> weakref.ref[Talk]:
        nothing: Any = None
        talk = Forgettable(nothing, nothing, TableId("table"), None, nothing)
        with suppress(WebSocketDisconnect):
            await talk.run()
        return weakref.ref(talk)

    assert asyncio.run(run())() is None
