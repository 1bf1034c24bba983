"""The parts of the server without a server: its guard, its sessions, its limits."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from h11 import LocalProtocolError
from starlette.applications import Starlette
from starlette.requests import HTTPConnection, Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.types import Message, Receive, Scope, Send

from ultimo.answers.refusing import Refusal
from ultimo.server.accounts import Accounts, hashed
from ultimo.server.app import ready
from ultimo.server.clock import DAY
from ultimo.server.database import Database
from ultimo.server.limits import KEPT, Buckets, Places
from ultimo.server.security import Guard, address
from ultimo.server.settings import Config
from ultimo.server.sockets import FLOOD, RESTARTING, UNKNOWN, comes_again
from ultimo.server.store import Store

DAYS = 90
APP = Starlette(routes=[Route("/", PlainTextResponse)])  # of which a log line names the route


# --- the guard -----------------------------------------------------------------------------------------


def answered(
    app: Callable[[Scope, Receive, Send], Awaitable[None]],
    method: str = "GET",
    headers: tuple[tuple[bytes, bytes], ...] = (),
) -> tuple[int, Any]:
    """What a guarded app answers: the status, and the JSON."""
    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": b"x" * 50_000, "more_body": True}

    async def send(message: Message) -> None:
        sent.append(message)

    scope = {
        "type": "http",
        "method": method,
        "path": "/",
        "app": APP,
        "query_string": b"",
        "scheme": "http",
        "headers": [(b"host", b"localhost"), (b"origin", b"http://localhost"), *headers],
        "client": ("2001:db8:1:2:3:4:5:6", 1),
    }
    asyncio.run(Guard(app, Config())(scope, receive, send))
    return sent[0]["status"], msgspec.json.decode(sent[1]["body"])


def test_an_app_that_fails_answers_500_and_tells_nothing() -> None:
    async def failing(scope: Scope, receive: Receive, send: Send) -> None:
        raise ValueError("a secret")

    status, body = answered(failing)
    assert status == 500
    assert "secret" not in str(body)


def test_who_speaks_no_http_behind_a_request_is_told_once() -> None:
    """The protocol has said so and closed: nothing more can be sent, and nothing fails."""

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(_: Message) -> None:
        raise LocalProtocolError("can't handle event type Response")

    async def app(*_: object) -> None:
        raise RuntimeError("secret")

    scope: dict[str, Any] = {
        "type": "http",
        "path": "/",
        "app": APP,
        "query_string": b"",
        "scheme": "http",
        "headers": [],
    }
    for method in ("GET", "POST"):  # which fails, and which is refused
        asyncio.run(Guard(app, Config())(scope | {"method": method}, receive, send))


@pytest.mark.parametrize("length", ["9" * 5000, "-1", "²", ""])
def test_a_length_that_is_none(length: str) -> None:
    async def app(*_: object) -> None:
        raise AssertionError

    status, told = answered(app, "POST", ((b"content-length", length.encode("latin-1")),))
    assert (status, bool(told["error"])) == (413, True)


def test_a_body_without_end_is_cut_off() -> None:
    async def greedy(scope: Scope, receive: Receive, send: Send) -> None:
        while True:
            await receive()

    assert answered(greedy, "POST")[0] == 413


def test_a_refusal_is_told_with_its_field() -> None:
    async def refusing(scope: Scope, receive: Receive, send: Send) -> None:
        raise Refusal(409, "nameTaken", "name", name="Ada")

    status, body = answered(refusing, "POST")
    assert (status, body["field"]) == (409, "name")
    assert "Ada" in body["error"]


@pytest.mark.parametrize(
    ("host", "counted"),
    [
        ("203.0.113.7", "203.0.113.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8::5", "2001:db8::/64"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        ("not:an:address", "not:an:address"),
    ],
)
def test_limits_count_an_address_or_a_network_of_one_person(host: str, counted: str) -> None:
    assert address(HTTPConnection({"type": "http", "client": (host, 1)})) == counted


def test_without_its_database_the_server_is_not_ready() -> None:
    class Gone:
        async def check(self) -> None:
            raise OSError("the password is swordfish")

    house = SimpleNamespace(store=Gone())
    request = Request({"type": "http", "app": SimpleNamespace(state=SimpleNamespace(house=house))})
    answer = asyncio.run(ready(request))
    assert answer.status_code == 503
    assert b"swordfish" not in answer.body


# --- sessions ------------------------------------------------------------------------------------------


def test_a_session_lasts_as_long_as_it_is_used(tmp_path: Path) -> None:
    now = 1000.0

    async def story() -> None:
        nonlocal now
        database = Database(str(tmp_path / "tables.db"))
        await database.start()
        store = Store(database)
        accounts = Accounts(store, DAYS, lambda: now)
        session = await accounts.enter(None, "da")
        for _ in range(3):
            now += (DAYS - 1) * DAY
            assert (await accounts.session(session.token)) is not None
        now += DAYS * DAY
        assert await accounts.session(session.token) is None
        assert await accounts.session(hashed(session.token)) is None
        await database.close()

    asyncio.run(story())


# --- limits --------------------------------------------------------------------------------------------


def test_each_key_has_a_bucket_of_its_own_that_fills_again() -> None:
    buckets = Buckets(burst=2, rate=0.5)
    assert [buckets.take("a", 0.0) for _ in range(3)] == [True, True, False]
    assert buckets.take("b", 0.0)
    assert not buckets.take("a", 1.0)
    assert buckets.take("a", 3.0)
    assert [buckets.take("a", 100.0) for _ in range(3)] == [True, True, False]


def test_a_crowd_of_keys_is_forgotten_without_emptying_anybodys_bucket() -> None:
    buckets = Buckets(burst=1, rate=1.0)
    for number in range(KEPT):
        buckets.take(str(number), 0.0)
    buckets.take("late", 0.5)
    assert not buckets.take("late", 1.0)
    assert buckets.take("0", 1.0)


@pytest.mark.parametrize("fails", [False, True])
def test_a_place_is_free_again_when_its_holder_has_gone(fails: bool) -> None:
    places = Places(1)
    try:
        with places.hold("a") as first, places.hold("a") as second, places.hold("b") as other:
            assert (first, second, other) == (True, False, True)
            if fails:
                raise KeyError
    except KeyError:
        assert fails
    with places.hold("a") as again:
        assert again


def test_a_page_that_comes_too_often_comes_again_and_one_that_floods_does_not() -> None:
    refusals = (FLOOD, "tooMany"), (FLOOD, "flood"), (RESTARTING, "noSession"), (UNKNOWN, "unknownTable")
    again = {why for code, why in refusals if comes_again(Refusal(code, why))}
    assert again == {"tooMany", "noSession"}
