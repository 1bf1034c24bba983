"""What stands between the world and the app: origins, sizes, rates, headers, and a log line a request.

Nothing that a request does comes out of here as an exception.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from h11 import LocalProtocolError
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ultimo.answers.refusing import Refusal, largest, refusal_of
from ultimo.rulebook import UnknownVersion
from ultimo.server import logs, metrics
from ultimo.server.database import Full, Unavailable, Unsure
from ultimo.server.hosts import Hosts, address_groups, counted
from ultimo.server.http import language, refused
from ultimo.server.limits import Buckets, Rarely
from ultimo.server.settings import Config
from ultimo.server.turns import Asker

SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})
METHODS: Final = SAFE | {"POST", "PATCH", "PUT", "DELETE"}  # others are counted together
HEADERS: Final = {
    "content-security-policy": "; ".join(
        (
            "default-src 'self'",
            "img-src 'self' data:",
            "object-src 'none'",
            "base-uri 'none'",
            "form-action 'self'",
            "frame-ancestors 'none'",
        )
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}


def is_secure(connection: HTTPConnection) -> bool:
    """Whether a request has come encrypted, to us or to a proxy that we believe."""
    return connection.scope["scheme"] in ("https", "wss")


def own_origin(connection: HTTPConnection) -> str:
    """The origin of a page that this server itself has sent."""
    return f"{'https' if is_secure(connection) else 'http'}://{connection.headers.get('host', '')}"


def is_own(connection: HTTPConnection, origins: tuple[str, ...]) -> bool:
    """Whether a request comes from a page of ours; browsers always say where it comes from."""
    origin = connection.headers.get("origin")
    return origin is not None and origin in (own_origin(connection), *origins)


def address(connection: HTTPConnection) -> str:
    """Where a request comes from, as far as can be known, and as limits count it."""
    return counted(connection.client.host) if connection.client else "?"


def route_of(request: Request) -> str:
    """The route of a request, as log lines name it: a path may hold what opens something.

    One that was refused on the way in has not been routed.
    """
    scope = request.scope
    route = scope.get("route") or max(request.app.routes, key=lambda one: one.matches(scope)[0].value)
    return str(route.path_format)


def groups(connection: HTTPConnection) -> Asker:
    """The groups that the address of a request is in, the widest first."""
    return address_groups(address(connection))[::-1]


class Guard:
    """Lets through what may come in, and answers for what goes wrong behind it."""

    def __init__(self, app: ASGIApp, config: Config, clock: Callable[[], float] = time.monotonic) -> None:
        self._app = app
        self._origins = config.origins
        self._hosts = Hosts(config.hosts, config.origins, config.host)
        self._requests = Buckets(config.request_burst, config.request_rate)
        self._clock = clock

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket" and not self._is_meant(HTTPConnection(scope)):
            note("unknownHost", address=address(HTTPConnection(scope)))
            await send({"type": "websocket.close"})
            return
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began, status = self._clock(), 0

        async def answer(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                _put_headers(message, is_secure(request), name)
                if two_lengths:  # another might read the next request out of this one's body
                    MutableHeaders(scope=message)["connection"] = "close"
            try:
                await send(message)
            except LocalProtocolError:  # what came behind the request was no HTTP, and that was answered
                raise ClientDisconnect from None

        name = secrets.token_hex(8)
        request = Request(scope, receive)
        two_lengths = {"content-length", "transfer-encoding"} <= set(request.headers)
        with logs.about(request=name):
            try:
                if two_lengths:
                    raise Refusal(400, "twoLengths")
                self._check(request)
                await self._app(scope, _limited(receive, largest(request.url.path)), answer)
            except (Refusal, UnknownVersion) as error:
                refusal = refusal_of(error)
                note(refusal.why, route=route_of(request), address=address(request))
                response = refused(refusal, language(request))
                if refusal.status == TOO_LARGE:
                    response.headers["connection"] = "close"
                    if "expect" not in request.headers:  # else nothing comes before the answer
                        await _discarded(receive)
                with suppress(ClientDisconnect):
                    await response(scope, receive, answer)
            except Unavailable as error:
                logs.logger().warning("the database cannot write or answer", error=str(error))
                if not status:
                    await refused(_trouble(error), language(request))(scope, receive, answer)
            except ClientDisconnect:
                logs.logger().info("gone before the answer", route=route_of(request))
            except Exception:
                logs.logger().exception("request failed", route=route_of(request))
                if not status:
                    with suppress(ClientDisconnect):
                        await refused(Refusal(500, "failed"), language(request))(scope, receive, answer)
            self._log(request, status, self._clock() - began)

    def _check(self, request: Request) -> None:
        """Whether a request may come in at all."""
        if not self._is_meant(request):
            raise Refusal(421, "unknownHost")
        if request.method in SAFE:
            return
        if not is_own(request, self._origins):
            raise Refusal(403, "foreignOrigin")
        if not self._requests.take(address(request), self._clock()):
            raise Refusal(429, "tooMany")
        length = Headers(scope=request.scope).get("content-length", "0")
        most = largest(request.url.path)
        if not length.isdecimal() or len(length) > DIGITS or int(length) > most:
            raise Refusal(TOO_LARGE, "tooLarge", most=most)

    def _is_meant(self, connection: HTTPConnection) -> bool:
        """Whether a request is for this server by its name; a browser always says one."""
        host = connection.headers.get("host")
        return host is None or host in self._hosts

    def _log(self, request: Request, status: int, seconds: float) -> None:
        method = request.method if request.method in METHODS else "other"
        metrics.REQUESTS.labels(method, str(status)).inc()
        metrics.REQUEST.observe(seconds)
        where = address(request)
        left_out = REQUEST_LINES.left_out(where, self._clock())
        if left_out is None:
            return
        say = logs.logger().debug if request.url.path in QUIET else logs.logger().info
        say(
            "request",
            method=method,
            route=route_of(request),
            status=status,
            milliseconds=round(seconds * 1000, 1),
            address=where,
            **_besides(left_out),
        )


def _trouble(error: Unavailable) -> Refusal:
    """What somebody is told whose request the database could not serve."""
    match error:
        case Full():
            return Refusal(507, "diskFull")
        case Unsure():
            return Refusal(503, "unsure")
        case _:
            return Refusal(503, "unavailable")


DIGITS: Final = 12  # of a length that is worth being read
TOO_LARGE: Final = 413
DISCARDED: Final = 16 * 1024 * 1024  # bytes that are read of a body that is too large
STALLED: Final = 2.0  # seconds after which no more of it is waited for
QUIET: Final = frozenset({"/healthz", "/readyz", "/metrics"})  # asked for again and again


UNUSED: Final = "unusedConnection"  # browsers open some in advance
REQUEST_LINES: Final = Rarely(1000, 5.0)  # by address
REFUSAL_LINES: Final = Rarely(100, 0.1)  # by reason and by who it was
REASON_LINES: Final = Rarely(1000, 5.0)  # by reason, whoever it was
MOST_TOLD: Final = 100  # lines about what was left out, at once


def note(reason: str, **values: object) -> None:
    """Count something that was turned away, and log it; of a flood only some lines, so that no disk fills."""
    metrics.REFUSALS.labels(reason).inc()
    if reason == UNUSED:
        return
    who, now = values.get("address") or values.get("player") or "", time.monotonic()
    left_out = REFUSAL_LINES.left_out(f"{reason} {who}", now)
    if left_out is None or (others := REASON_LINES.left_out(reason, now)) is None:
        return
    logs.logger().warning("refused", reason=reason, **values, **_besides(left_out + others))


def tell_left_out() -> None:
    """Log how many lines were not, where no later line has said so."""
    unsaid = REFUSAL_LINES.unsaid() | REASON_LINES.unsaid() | REQUEST_LINES.unsaid()
    for about, times in sorted(unsaid.items(), key=lambda item: -item[1])[:MOST_TOLD]:
        logs.logger().warning("lines left out", about=about, left_out=times)


def _besides(left_out: int) -> dict[str, int]:
    return {"left_out": left_out} if left_out else {}


def _limited(receive: Receive, most: int) -> Receive:
    """A body that cannot become too large, whatever its header says."""
    left = most

    async def limited() -> Message:
        nonlocal left
        message = await receive()
        left -= len(message.get("body", b""))
        if left < 0:
            raise Refusal(TOO_LARGE, "tooLarge", most=most)
        return message

    return limited


async def _discarded(receive: Receive) -> None:
    """Read what still comes of a body that is too large: most browsers read no answer before it is sent."""
    left, more = DISCARDED, True
    with suppress(TimeoutError):
        while more and left > 0:
            message = await asyncio.wait_for(receive(), STALLED)
            left -= len(message.get("body", b""))
            more = message.get("more_body", False)


def _put_headers(message: Message, secure: bool, name: str) -> None:
    headers = MutableHeaders(scope=message)
    for header, value in HEADERS.items():
        headers.setdefault(header, value)
    headers["x-request-id"] = name
    if secure:
        headers["strict-transport-security"] = "max-age=31536000"
