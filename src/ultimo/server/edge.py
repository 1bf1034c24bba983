"""Connections before they are requests: how many there may be, how slow, and how much comes over one.

The door knows every connection. When an address or the whole server has as many as it may, the connection
that has been idle longest makes room for a new one: nobody is shut out by connections which do nothing. Once
a second the door ends those that are too slow. The protocols are uvicorn's; they count what they parse.
"""

from __future__ import annotations

import asyncio
import time
from asyncio import BaseTransport, Transport
from collections import Counter
from collections.abc import Callable
from typing import Any, Final

import h11
import uvicorn
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState

from ultimo.answers.refusing import Refusal
from ultimo.server import metrics
from ultimo.server.hosts import Proxies, counted
from ultimo.server.http import language, refused
from ultimo.server.limits import Bucket, Buckets
from ultimo.server.security import UNUSED, note, tell_left_out
from ultimo.server.settings import Config
from ultimo.table.messages import MAX_FRAME

BURST: Final = 2  # requests of any kind in a burst that an address may send for each change
READS: Final = 5  # and on average
LONGEST: Final = 10.0  # seconds that a request waits for its turn at most
MOST_DEBT: Final = 8.0  # seconds that requests of an address wait already when it gets no new connection
FRAMES: Final = 4  # frames that may come for each message: parts of it, pings, pongs
PARTS: Final = 64  # frames of one message
SLICE: Final = 1024  # bytes that are parsed before frames are counted
SLOWEST: Final = 4096  # bytes a second of a body, or of an answer that is read
SMALL: Final = 64  # bytes that the parts of a body have on average
UNREAD: Final = 256 * 1024  # bytes of a body that may come after its request has been answered
HELD: Final = 32 * 1024 * 1024  # bytes kept for one address: of requests, and of answers it has not read
CLOSING: Final = 5.0  # seconds that a connection gets to close
RECKONING: Final = 60.0  # seconds after which it is logged what was not
FLOOD: Final = 4429
TOO_LARGE: Final = 1009
FULL: Final = (
    b"HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\nretry-after: 5\r\ncontent-length: 0\r\n\r\n"
)


class Line:
    """A connection as the door knows it. `overdue` says why it must end now, if it must."""

    __slots__ = ("address", "closing", "overdue", "peer", "proxied", "received", "transport")

    def __init__(self, transport: Transport, peer: str, proxied: bool) -> None:
        self.transport, self.peer, self.proxied = transport, peer, proxied
        self.address = "" if proxied else counted(peer)  # who is behind a proxy is known by the request
        self.closing: float | None = None
        self.let_go()

    def let_go(self) -> None:
        """Know nothing of whoever reads the connection, who can then be forgotten at once."""
        self.overdue: Callable[[float], str] = lambda _: ""
        self.received: Callable[[], int] = lambda: 0  # bytes of a request that are kept


class Held:
    """The connections of one address."""

    __slots__ = ("idle", "many")

    def __init__(self) -> None:
        self.many = 0
        self.idle: dict[Line, None] = {}  # the longest idle first


class Door:
    """All connections, and who may have one."""

    def __init__(self, config: Config, most: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.most = most
        self.most_each = max(1, min(config.address_connections, most // 2))
        self.seconds = config.request_seconds
        self.frames = FRAMES * config.message_burst, FRAMES * config.message_rate
        self.octets = max(config.message_burst * MAX_FRAME, UNREAD), config.message_rate * MAX_FRAME
        self.clock = clock
        self._proxies = Proxies(config.proxies)
        self._requests = Buckets(BURST * config.request_burst, READS * config.request_rate)
        self._lines: dict[BaseTransport, Line] = {}
        self._idle: dict[Line, None] = {}  # the longest idle first
        self._held: dict[str, Held] = {}
        self._reckoned = clock()

    def __getitem__(self, transport: BaseTransport) -> Line:
        """The connection of a transport."""
        return self._lines[transport]

    def __len__(self) -> int:
        return len(self._lines)

    def enter(self, transport: Transport, peer: str) -> Line | None:
        """Let a connection in, as long as there is room or an idle one can make room."""
        line = Line(transport, peer, peer in self._proxies)
        if why := self._no_room(line):
            note(why, address=line.address or line.peer)
            transport.write(FULL)
            transport.close()
            return None
        self._lines[transport] = line
        self._count(line, line.address)
        self.rest(line)
        metrics.CONNECTIONS.set(len(self._lines))
        return line

    def leave(self, line: Line) -> None:
        """Forget a connection, if it is known."""
        line.let_go()
        if self._lines.pop(line.transport, None) is not None:
            self._stir(line)
            self._uncount(line)
            metrics.CONNECTIONS.set(len(self._lines))

    def drop(self, line: Line, reason: str) -> None:
        """End a connection at once."""
        note(reason, address=line.address or line.peer)
        line.transport.abort()
        self.leave(line)

    async def admit(self, line: Line, scope: Scope) -> str:
        """Let a request in when it is its turn; if not at all, why not.

        Whoever asks too often waits, without harm to others: nothing more is read from the connection.
        """
        address = self._introduce(line, scope)
        wait = self._requests.owe(address, self.clock(), LONGEST) if address else 0.0
        if wait is None:
            return "tooMany"
        if wait:
            await asyncio.sleep(wait)
        if line.transport not in self._lines:
            return "tooMany"
        self._stir(line)
        if address != line.address:
            if address and not self._has_room(address):
                return "tooMany"
            self._uncount(line)
            self._count(line, address)
        return ""

    def rest(self, line: Line) -> None:
        """A connection has no request now; behind a proxy it may be anybody's next."""
        if line.transport not in self._lines:
            return
        if line.proxied and line.address:
            self._uncount(line)
            self._count(line, "")
        self._idle[line] = None
        if line.address:
            self._held[line.address].idle[line] = None

    def sweep(self) -> None:
        """End what is too slow, or does not end by itself."""
        now, held = self.clock(), Counter[str]()
        for line in tuple(self._lines.values()):
            if line.transport.is_closing():
                line.closing = line.closing or now
                if now - line.closing > min(CLOSING, self.seconds):
                    self.drop(line, "slowClose")
            elif reason := line.overdue(now):
                self.drop(line, reason)
            elif line.address and (size := line.received() + line.transport.get_write_buffer_size()):
                held[line.address] += size
                if held[line.address] > HELD:
                    held[line.address] -= size
                    self.drop(line, "tooMuchHeld")
        if now - self._reckoned > RECKONING:
            self._reckoned = now
            tell_left_out()

    def _introduce(self, line: Line, scope: Scope) -> str:
        """Put into a request who sends it, as far as proxies are believed; the address to count, if any."""
        if not line.proxied:
            return line.address
        headers = HTTPConnection(scope).headers
        client = self._proxies.client(line.peer, ",".join(headers.getlist("x-forwarded-for")))
        scope["client"] = client, 0
        scheme = headers.get("x-forwarded-proto", "").strip()
        if scheme in ("http", "https", "ws", "wss"):
            is_socket = scope["type"] == "websocket"
            scope["scheme"] = scheme.replace("http", "ws") if is_socket else scheme.replace("ws", "http")
        return "" if client == line.peer else counted(client)

    def _no_room(self, line: Line) -> str:
        """Why there is no room for a new connection, if there is none."""
        if line.address and self._requests.debt(line.address, self.clock()) > MOST_DEBT:
            return "throttled"
        if line.address and not self._has_room(line.address):
            return "tooManyConnections"
        if len(self._lines) >= self.most:
            if not self._idle:
                return "houseFull"
            self.drop(next(iter(self._idle)), "idleInFullHouse")
        return ""

    def _has_room(self, address: str) -> bool:
        held = self._held.get(address)
        if held is None or held.many < self.most_each:
            return True
        if not held.idle:
            return False
        self.drop(next(iter(held.idle)), "idleOfMany")
        return True

    def _stir(self, line: Line) -> None:
        self._idle.pop(line, None)
        if line.address:
            self._held[line.address].idle.pop(line, None)

    def _count(self, line: Line, address: str) -> None:
        line.address = address
        if address:
            self._held.setdefault(address, Held()).many += 1

    def _uncount(self, line: Line) -> None:
        if line.address:
            held = self._held[line.address]
            held.many -= 1
            if not held.many:
                del self._held[line.address]


class EdgeConfig(uvicorn.Config):
    """The settings of uvicorn, with the door."""

    def __init__(self, app: ASGIApp, door: Door, **settings: Any) -> None:
        super().__init__(app, http=HttpConnection, ws=SocketConnection, proxy_headers=False, **settings)
        self.door = door


class Stalled:
    """How long it takes until the other side has read enough that more can be sent."""

    __slots__ = ("_since", "_size")

    def __init__(self) -> None:
        self._since: float | None = None
        self._size = 0

    def begin(self, transport: Transport, now: float) -> None:
        """From now on nothing more is to be sent."""
        self._since, self._size = now, transport.get_write_buffer_size()

    def end(self) -> None:
        """There is room again."""
        self._since = None

    def overdue(self, transport: Transport, now: float, seconds: float) -> bool:
        """Whether too little was read for too long."""
        if self._since is None:
            return False
        return is_late(now - self._since, self._size - transport.get_write_buffer_size(), seconds)


def is_late(elapsed: float, done: int, seconds: float) -> bool:
    """Whether so many bytes should be through: there are some seconds, and more as long as bytes pass.

    >>> is_late(21, 0, 20), is_late(21, 1024 * 1024, 20)
    (True, False)
    """
    return elapsed > seconds + done / SLOWEST


# --- HTTP ----------------------------------------------------------------------------------------------


class Parser(h11.Connection):
    """A parser that refuses bodies in tiny parts, each of which takes as long as a large one."""

    _parts = _bytes = 0

    def next_event(self) -> Any:
        """The next event of a request."""
        event = super().next_event()
        if isinstance(event, h11.Request):
            self._parts = self._bytes = 0
        elif isinstance(event, h11.Data):
            self._parts += 1
            self._bytes += len(event.data)
            if self._parts > PARTS + self._bytes // SMALL:
                raise h11.RemoteProtocolError("a body in too many parts")
        return event


class HttpConnection(H11Protocol):
    """A connection for requests, with bounds to their time."""

    def __init__(
        self,
        config: EdgeConfig,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self.conn = Parser(h11.SERVER)
        self._door = config.door
        self._line: Line | None = None
        self._stalled = Stalled()
        self._began: float | None = None  # a request, with its first byte; the first with its connection
        self._got = 0  # bytes of it

    @property
    def app(self) -> Any:
        """What a request is handed to, and what that hands it on to; kept apart, this makes no cycle."""
        return self._admit

    @app.setter
    def app(self, behind: Any) -> None:
        self._behind: ASGIApp = behind

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        """Somebody has come."""
        super().connection_made(transport)
        self._line = self._door.enter(transport, self.client[0] if self.client else "?")
        if self._line is not None:
            self._line.overdue = self._overdue
            self._line.received = lambda: 0 if self._began is None else self._got
            self._began = self._door.clock()

    def connection_lost(self, exc: Exception | None) -> None:
        """They have gone."""
        if self._line is not None:
            self._door.leave(self._line)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read on."""
        if self._began is None:
            self._began, self._got = self._door.clock(), 0
        self._got += len(data)
        if self.conn.our_state is h11.DONE and self._got > UNREAD and self._line is not None:
            self._door.drop(self._line, "unreadBody")
            return
        super().data_received(data)

    def on_response_complete(self) -> None:
        """A request is answered: the next may come, or the rest of this one."""
        if self.conn.their_state is h11.SEND_BODY:
            self._got = 0
        else:
            self._began = None
        super().on_response_complete()

    def send_400_response(self, msg: str) -> None:
        """What comes is not HTTP; if that is found in the middle of an answer, there is no other."""
        note("notHttp", address=self._line.address if self._line else "?")
        try:
            super().send_400_response(msg)
        except h11.LocalProtocolError:
            self.transport.abort()

    def pause_writing(self) -> None:
        """What was sent is not read fast enough."""
        super().pause_writing()
        self._stalled.begin(self.transport, self._door.clock())

    def resume_writing(self) -> None:
        """What was sent has been read."""
        super().resume_writing()
        self._stalled.end()

    def _overdue(self, now: float) -> str:
        if self._stalled.overdue(self.transport, now, self._door.seconds):
            return "slowReader"
        if self._began is None:
            return ""
        state, elapsed = self.conn.their_state, now - self._began
        if state is h11.IDLE and elapsed > self._door.seconds:
            return "slowHeader" if self._got else UNUSED
        if state is h11.SEND_BODY and is_late(elapsed, self._got, self._door.seconds):
            return "slowBody"
        return ""

    async def _admit(self, scope: Scope, receive: Receive, send: Send) -> None:
        assert self._line is not None
        self._began, self._got = self._door.clock(), 0
        if why := await self._door.admit(self._line, scope):
            note(why, address=self._line.address or self._line.peer)
            answer = refused(Refusal(429, why), language(HTTPConnection(scope)))
            answer.headers["connection"] = "close"
            await answer(scope, receive, send)
            return
        try:
            await self._behind(scope, receive, send)
        finally:
            self._door.rest(self._line)


# --- WebSockets ----------------------------------------------------------------------------------------


class SocketConnection(WebSocketsSansIOProtocol):
    """A WebSocket of which every frame counts, whole messages or not."""

    def __init__(
        self,
        config: EdgeConfig,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._door = config.door
        self._line: Line | None = None
        self._stalled = Stalled()
        now = self._door.clock()
        self._frames, self._octets = Bucket(*self._door.frames, now), Bucket(*self._door.octets, now)

    @property
    def app(self) -> Any:
        """What a request is handed to, and what that hands it on to; kept apart, this makes no cycle."""
        return self._admit

    @app.setter
    def app(self, behind: Any) -> None:
        self._behind: ASGIApp = behind

    def connection_made(self, transport: BaseTransport) -> None:
        """A connection for requests has become a socket."""
        super().connection_made(transport)
        self._line = self._door[transport]
        self._line.overdue, self._line.received = self._overdue, lambda: 0

    def connection_lost(self, exc: Exception | None) -> None:
        """It is closed."""
        if self._line is not None:
            self._door.leave(self._line)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read frames, as long as there are not too many."""
        if not self.handshake_initiated:
            super().data_received(data)
            return
        now = self._door.clock()
        for at in range(0, len(data), SLICE):
            part = data[at : at + SLICE]
            self.conn.receive_data(part)
            if self.conn.parser_exc is not None:
                self.handle_parser_exception()
                return
            if not self._frames.take(now, len(self.conn.events)) or not self._octets.take(now, len(part)):
                self._end(FLOOD, "tooManyFrames")
                return
            self.handle_events()
            if len(self.frames) > PARTS:
                self._end(TOO_LARGE, "tooManyParts")
                return
            if self.transport.is_closing():
                return

    def _end(self, code: int, reason: str) -> None:
        """Close the socket from this side, whatever still comes."""
        note(reason, address=self._line.address if self._line else "?")
        self.conn.events.clear()
        if not self.handshake_complete or self.conn.close_sent is not None:
            self.transport.abort()
            return
        self.conn.fail(code, reason)
        self.handle_parser_exception()

    async def send(self, message: Any) -> None:
        """Send something, unless the socket was closed here without the app's doing."""
        await self.writable.wait()
        if self.close_sent and self.transport.is_closing():
            raise ClientDisconnected
        await super().send(message)

    def pause_writing(self) -> None:
        """What was sent is not read fast enough."""
        super().pause_writing()
        self._stalled.begin(self.transport, self._door.clock())

    def resume_writing(self) -> None:
        """What was sent has been read."""
        super().resume_writing()
        self._stalled.end()

    def _overdue(self, now: float) -> str:
        return "slowReader" if self._stalled.overdue(self.transport, now, self._door.seconds) else ""

    async def _admit(self, scope: Scope, receive: Receive, send: Send) -> None:
        assert self._line is not None
        if why := await self._door.admit(self._line, scope):
            note(why, address=self._line.address or self._line.peer)
            await send({"type": "websocket.close"})
            return
        await self._behind(scope, receive, send)
