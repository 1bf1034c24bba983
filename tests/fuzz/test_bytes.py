"""Whatever bytes come over the wire: the server answers or hangs up, logs no failure, and serves the next."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import suppress
from random import Random

import pytest

from fuzz.fuzzing import fuzz
from fuzz.mutating import Mutator
from serving import PATIENCE, Serving, Visitor

pytestmark = [pytest.mark.xdist_group("server_hostile"), pytest.mark.timeout(7200)]

FIRST = b"HTTP/1.1 "
CUT_OFF = "ASGI callable returned without completing response."  # uvicorn had answered before: 400


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    plenty = {"ULTIMO_REQUEST_BURST": "100000", "ULTIMO_REQUEST_RATE": "100000", "ULTIMO_LOG_LEVEL": "error"}
    with Serving(tmp_path_factory.mktemp("bytes") / "tables.db", env=plenty) as serving:
        yield serving


def frame(text: bytes, code: int = 1) -> bytes:
    """A frame of a socket as a browser sends it, masked with zeros."""
    length = bytes([0x80 | len(text)]) if len(text) < 126 else b"\xfe" + len(text).to_bytes(2, "big")
    return bytes([0x80 | code]) + length + bytes(4) + text


def conversations(server: Serving) -> list[bytes]:
    """What a browser sends: requests of all kinds, and a socket with its messages."""
    visitor = Visitor(server)
    visitor.enter()
    table = visitor.open_table()
    own = f"Host: 127.0.0.1:{server.port}\r\nOrigin: {server.url}\r\nCookie: {visitor.cookie}\r\n".encode()
    body = b'{"text":"hermansen: F T1 S2 S1 / M T21 T0 HK / B H7 H8 H9","moves":[]}'
    upgrade = (
        b"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
        b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Extensions: permessage-deflate\r\n\r\n"
    )
    said = (
        b'{"type":"ping"}',
        b'{"type":"resync"}',
        b'{"type":"do","cmd":"command-1","wish":{"type":"Ready"}}',
    )
    return [
        b"GET / HTTP/1.1\r\n" + own + b"Accept-Encoding: gzip\r\n\r\n",
        b"GET /api/books/dtf?lang=da HTTP/1.1\r\n" + own + b"Connection: close\r\n\r\n",
        f"GET /api/tables/{table} HTTP/1.1\r\n".encode() + own + b"Range: bytes=0-10\r\n\r\n",
        b"POST /api/tables HTTP/1.1\r\n" + own + b"Content-Length: 2\r\n\r\n{}",
        b"POST /api/sheets/read HTTP/1.1\r\n"
        + own
        + b"Expect: 100-continue\r\nContent-Length: 10\r\n\r\n"
        + b'{"log":""}',
        b"POST /api/clubs HTTP/1.1\r\n" + own + b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
        b"PATCH /api/me HTTP/1.1\r\n" + own + b"Content-Length: %d\r\n\r\n" % len(body) + body,
        b"GET /healthz HTTP/1.0\r\n\r\nGET /readyz HTTP/1.1\r\n" + own + b"\r\n",
        f"GET /ws/{table} HTTP/1.1\r\n".encode()
        + own
        + upgrade
        + b"".join(map(frame, said))
        + frame(b"\x03\xe8", 8),
        f"GET /ws/{table} HTTP/1.1\r\n".encode() + own + upgrade + frame(b"x" * 200, 2) + frame(b"", 9),
    ]


def test_bytes(server: Serving) -> None:
    some = conversations(server)

    def make(dice: Random) -> bytes:
        return Mutator(dice, some).text(4)

    def answered(data: bytes) -> str:
        heard = b""
        with (
            socket.create_connection(("127.0.0.1", server.port), PATIENCE) as line,
            suppress(ConnectionError),
        ):
            line.sendall(data)
            with suppress(OSError):  # where the server has closed already
                line.shutdown(socket.SHUT_WR)
            while piece := line.recv(65536):
                heard += piece
        assert not heard or heard.startswith(FIRST), heard[:200]
        assert not heard.startswith(FIRST + b"500"), heard[:500]
        return heard[len(FIRST) : len(FIRST) + 1].decode() or "gone"

    found = fuzz("bytes", 250, make, answered)
    assert found["2"], found
    assert found["4"], found
    assert Visitor(server).get("/readyz").status == 200
    wrong = [line for line in server.lines if line["level"] in ("error", "critical")]
    assert not [line for line in wrong if line["event"] != CUT_OFF], server.log
