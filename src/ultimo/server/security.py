"""What stands between the world and the app: origins, sizes, rates, headers, and a log line a request.

Nothing that a request does comes out of here as an exception.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from contextlib import suppress
from ipaddress import IPv6Address
from typing import Final

from h11 import LocalProtocolError
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ultimo.server import logs, metrics
from ultimo.server.http import Refusal, language, largest, refused
from ultimo.server.limits import Buckets
from ultimo.server.settings import Config

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
    """Where a request comes from, as far as can be known; with IPv6 one person has a whole network."""
    host = connection.client.host if connection.client else "?"
    try:
        whole = IPv6Address(host)
    except ValueError:  # IPv4, or whatever a proxy has said
        return host
    return str(whole.ipv4_mapped or f"{IPv6Address(int(whole) >> 64 << 64)}/64")


class Guard:
    """Lets through what may come in, and answers for what goes wrong behind it."""

    def __init__(self, app: ASGIApp, config: Config, clock: Callable[[], float] = time.monotonic) -> None:
        self._app = app
        self._origins = config.origins
        self._requests = Buckets(config.request_burst, config.request_rate)
        self._clock = clock

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began, status = self._clock(), 0

        async def answer(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                _put_headers(message, is_secure(request), name)
            try:
                await send(message)
            except LocalProtocolError:  # what came behind the request was no HTTP, and that was answered
                raise ClientDisconnect from None

        name = secrets.token_hex(8)
        request = Request(scope, receive)
        with logs.about(request=name):
            try:
                self._check(request)
                await self._app(scope, _limited(receive, largest(request.url.path)), answer)
            except Refusal as refusal:
                note(refusal.why, path=request.url.path, address=address(request))
                with suppress(ClientDisconnect):
                    await refused(refusal, language(request))(scope, receive, answer)
            except ClientDisconnect:
                logs.logger().info("gone before the answer", path=request.url.path)
            except Exception:
                logs.logger().exception("request failed", path=request.url.path)
                if not status:
                    with suppress(ClientDisconnect):
                        await refused(Refusal(500, "failed"), language(request))(scope, receive, answer)
            self._log(request, status, self._clock() - began)

    def _check(self, request: Request) -> None:
        """Whether a request may come in at all."""
        if request.method in SAFE:
            return
        if not is_own(request, self._origins):
            raise Refusal(403, "foreignOrigin")
        if not self._requests.take(address(request), self._clock()):
            raise Refusal(429, "tooMany")
        length = Headers(scope=request.scope).get("content-length", "0")
        most = largest(request.url.path)
        if not length.isdecimal() or len(length) > DIGITS or int(length) > most:
            raise Refusal(413, "tooLarge", most=most)

    def _log(self, request: Request, status: int, seconds: float) -> None:
        method = request.method if request.method in METHODS else "other"
        metrics.REQUESTS.labels(method, str(status)).inc()
        metrics.REQUEST.observe(seconds)
        say = logs.logger().debug if request.url.path in QUIET else logs.logger().info
        say(
            "request",
            method=method,
            path=request.url.path,
            status=status,
            milliseconds=round(seconds * 1000, 1),
            address=address(request),
        )


DIGITS: Final = 12  # of a length that is worth being read
QUIET: Final = frozenset({"/healthz", "/readyz", "/metrics"})  # asked for again and again


def note(reason: str, **values: object) -> None:
    """Log and count something that was turned away."""
    metrics.REFUSALS.labels(reason).inc()
    logs.logger().warning("refused", reason=reason, **values)


def _limited(receive: Receive, most: int) -> Receive:
    """A body that cannot become too large, whatever its header says."""
    left = most

    async def limited() -> Message:
        nonlocal left
        message = await receive()
        left -= len(message.get("body", b""))
        if left < 0:
            raise Refusal(413, "tooLarge", most=most)
        return message

    return limited


def _put_headers(message: Message, secure: bool, name: str) -> None:
    headers = MutableHeaders(scope=message)
    for header, value in HEADERS.items():
        headers.setdefault(header, value)
    headers["x-request-id"] = name
    if secure:
        headers["strict-transport-security"] = "max-age=31536000"
