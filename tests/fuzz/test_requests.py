"""Whatever is asked of the server: it answers in words, never fails, and goes on."""

from __future__ import annotations

import asyncio
import inspect
import re
from collections.abc import Collection, Iterator
from functools import cache
from itertools import count
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple
from unittest import mock
from urllib.parse import quote, unquote

import msgspec
import pytest
from starlette.routing import Route
from structlog.testing import capture_logs

from fuzz import examples
from fuzz.fuzzing import fuzz
from fuzz.making import Maker
from fuzz.mutating import NUMBERS, WORDS, Mutator, dumped
from ultimo import rulebook
from ultimo.answers import positions
from ultimo.server import app
from ultimo.server.app import ROUTES
from ultimo.server.bots import Bots
from ultimo.server.settings import Config
from ultimo.server.thinking import Unfinished
from ultimo.server.turns import Asker
from ultimo.table.scene import Level

pytestmark = pytest.mark.timeout(7200)

HOST: Final = "ultimo.example"
ASKS: Final = re.compile(r"asked\(request, (\w+)\)")
INSTANT: Final = {positions.board, positions.written, positions.opened}  # of what processes work out
FURNISHED: Final = 150  # requests after which all is made anew, as some of it may be gone
FAREWELLS: Final = ("/api/me", "/api/logout", "/api/enter", "/api/login")  # after which nobody is known
BUSY: Final = 503  # what the processes would work out, which are not there


class Asked(NamedTuple):
    """A request."""

    method: str
    path: str
    query: str
    headers: tuple[tuple[bytes, bytes], ...]
    body: bytes


class Answer(NamedTuple):
    """What came of it."""

    status: int
    headers: dict[str, str]
    body: bytes


class NoBots(Bots):
    """Bots who only ever choose at random, and so need no processes."""

    def prepare(self, levels: Collection[Level]) -> None:
        """Start nothing."""


class NoProcesses:
    """In the place of the processes that think: what takes a moment is done at once, the rest never."""

    waiting = 0

    async def until_ready(self, _: float) -> bool:
        return True

    async def think(self, _: Asker, function: Any, *given: Any, urgent: bool = False) -> Any:
        if function not in INSTANT:
            raise Unfinished
        return function(*given)

    async def stage(self, _: Asker, most: int, function: Any, *given: Any) -> Any:
        raise Unfinished

    async def at_once(self, asker: Asker, function: Any, *given: Any) -> Any:
        return await self.think(asker, function, *given)

    async def close(self) -> None:
        """There is nothing to close."""


class Inside:
    """The server in this process, asked as uvicorn asks it."""

    def __init__(self, folder: Path) -> None:
        config = Config(
            database=str(folder / "tables.db"),
            hosts=(HOST,),
            bot_processes=1,
            read_burst=1_000_000,
            read_rate=1_000_000,
            table_burst=100_000,
            table_rate=100_000,
            request_burst=100_000,
            request_rate=100_000,
            login_burst=10_000,
            login_rate=1000,
        )
        self.runner = asyncio.Runner()
        with mock.patch.object(app, "Bots", NoBots):
            self._open(config)

    def _open(self, config: Config) -> None:
        self.cookie = ""
        self.app = app.create(config, seed="1")
        self._lifespan = self.app.router.lifespan_context(self.app)
        self.runner.run(self._lifespan.__aenter__())
        house = self.app.state.house
        house.thinking = house.searches = house.looking = NoProcesses()
        house.reviews._thinking = house.thinking

    def close(self) -> None:
        self.runner.run(self._lifespan.__aexit__(None, None, None))
        self.runner.close()

    def ask(self, asked: Asked) -> Answer:
        return self.runner.run(self._ask(asked))

    def post(self, path: str, body: Any) -> Any:
        """Ask for something that must be granted."""
        answer = self.ask(Asked("POST", path, "", (), msgspec.json.encode(body)))
        assert answer.status < 300, answer
        return msgspec.json.decode(answer.body)

    async def _ask(self, asked: Asked) -> Answer:
        own = {b"host": HOST.encode(), b"origin": f"https://{HOST}".encode(), b"cookie": self.cookie.encode()}
        own[b"content-length"] = str(len(asked.body)).encode()
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": asked.method,
            "scheme": "https",
            "path": unquote(quote(asked.path, errors="replace")),
            "raw_path": quote(asked.path, errors="replace").encode(),
            "query_string": asked.query.encode("latin-1", "replace"),
            "root_path": "",
            "headers": list((own | dict(asked.headers)).items()),
            "client": ("192.0.2.1", 1),
            "server": (HOST, 443),
            "state": {},
        }
        waiting = [{"type": "http.request", "body": asked.body, "more_body": False}]
        told: list[Any] = []
        gone = asyncio.Event()

        async def receive() -> Any:
            if waiting:
                return waiting.pop()
            await gone.wait()
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            told.append(message)
            if message.get("body"):
                gone.set()  # whoever follows something has seen enough

        await self.app(scope, receive, send)
        headers = {key.decode().lower(): value.decode() for key, value in told[0]["headers"]}
        if "set-cookie" in headers:
            kept = [value.decode() for key, value in told[0]["headers"] if key.lower() == b"set-cookie"]
            own_one = [one.partition(";")[0] for one in kept if one.startswith("ultimo=")]
            self.cookie = own_one[0] if own_one and len(own_one[0]) > 12 else self.cookie
        return Answer(told[0]["status"], headers, b"".join(one.get("body", b"") for one in told[1:]))


@pytest.fixture(scope="module")
def inside(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Inside]:
    server = Inside(tmp_path_factory.mktemp("fuzz"))
    yield server
    server.close()


def furnished(server: Inside) -> dict[str, list[Any]]:
    """A table, a sheet, a club and a tournament, and what a request may name of them."""
    server.cookie = ""
    server.post("/api/enter", {})
    bots = [{"kind": "host"}, *[{"kind": "bot", "level": "random"}] * 2]
    table = server.post(
        "/api/tables", {"settings": {"rules": "dtf", "size": 3, "seats": bots, "tempo": "instant"}}
    )
    names = ["Karen", "Bo", "Ida", "Per"]
    sheet = server.post("/api/sheets", {"rules": "french4", "names": names})["id"]
    danish = server.post("/api/sheets", {"rules": "dtf", "names": names[:3]})["id"]
    club = server.post("/api/clubs", {"name": "Tarokklubben", "rules": "french4", "me": "Karen"})["id"]
    wishes = [
        {"type": "AddMembers", "names": names[1:]},
        {"type": "OpenSeason", "name": "2026"},
        {"type": "OpenEvening", "day": "2026-01-10"},
        {"type": "SetAttendance", "evening": "e1", "members": ["m1", "m2", "m3", "m4"]},
    ]
    for number, wish in enumerate(wishes):
        seq = msgspec.json.decode(server.ask(Asked("GET", f"/api/clubs/{club}", "", (), b"")).body)["seq"]
        server.post(f"/api/clubs/{club}", {"cmd": f"command-{number}", "base": seq, "wish": wish})
    begun = {"name": "Cup", "rules": "french4", "rounds": 2, "deals": 4, "sizes": [4], "kind": "duplicate"}
    cup = server.post("/api/tournaments", begun)["id"]
    entered = {"type": "EnterPeople", "people": [{"name": one} for one in names]}
    server.post(f"/api/tournaments/{cup}", {"cmd": "command-9", "base": 1, "wish": entered})
    books = list(rulebook.ids())
    houses = [{}, {"skus.demandable": False}, {"poignee.multiple": "largest"}, {"ultimo.king": 10**9}]
    return {
        "table": [table["id"]], "sheet": [sheet, danish], "club": [club], "tournament": [cup], "deal": [1],
        "evening": ["e1"], "season": ["s1", "all"], "member": ["m1", "m2", "m3", "m4"], "board": [1, 2],
        "form": ["html", "jsonl"], "rules": books, "book": books, "size": [3, 4, 5], "house": houses,
        "number": [1], "step": [0, 5], "base": [*range(12)], "round": [1, 2], "who": [1, 2, 3, 4],
        "names": [names[:3], names], "name": ["first-danish", *names], "members": [["m1", "m2", "m3", "m4"]],
        "tables": [[[1, 2, 3, 4]]], "seats": [["m1", "m2", "m3", "m4"]], "text": [*examples.POSITIONS],
        "log": [one.decode() for one in examples.sheets()], "file": [examples.club()[1].decode()],
        "record": [examples.records()[0].decode()[:50_000]], "day": ["2026-01-10", "2026-02-30"],
        "lesson": lessons(), "trainer": trainers(), "puzzle": puzzles(), "order": [[1, 2, 0], [1, 3, 0]],
        "password": ["a long enough password"], "cmd": [f"command-{number}" for number in range(10, 400)],
        "half_points": [*range(183)], "bouts": [0, 1, 2, 3], "counts": [{"0": 30, "1": 20}],
        "winner": [0, 1, 2], "taker": [0, 1, 2, 3],
    }  # fmt: skip


@cache
def lessons() -> list[str]:
    from ultimo.tutor.school.course import course

    return [
        one for part in msgspec.to_builtins(course()).get("parts", []) for one in part.get("lessons", [])
    ] or ["x"]


@cache
def trainers() -> list[str]:
    return ["score", "counting", "laying", "inference", "following", "who-wins"]


@cache
def puzzles() -> list[str]:
    from ultimo.tutor.school.puzzles.puzzle import collection

    return [one.id for one in collection()[:20]]


def kind_asked(route: Route) -> Any:
    """What the body of a request at a route must be, if it has one."""
    handler = inspect.unwrap(route.endpoint)
    found = ASKS.search(inspect.getsource(handler))
    return handler.__globals__[found[1]] if found else None


def requests(known: dict[str, list[Any]]) -> Any:
    """Makes requests for every route."""
    routes = [one for one in ROUTES if isinstance(one, Route)]
    assert sum(kind_asked(one) is not None for one in routes) > 30

    def path_of(dice: Random, route: Route) -> str:
        def part(found: re.Match[str]) -> str:
            some = known.get(found[1].partition(":")[0])
            return str(dice.choice(some) if some and dice.random() < 0.9 else dice.choice((*NUMBERS, *WORDS)))

        return re.sub(r"\{(\w+(?::\w+)?)\}", part, route.path)

    def make(dice: Random) -> Asked:
        route, maker, mutator = dice.choice(routes), Maker(dice, known), Mutator(dice, [b"{}"])
        method = dice.choice(sorted((route.methods or {"GET"}) - {"HEAD"}))
        method = (
            method
            if dice.random() < 0.95
            else dice.choice(("GET", "POST", "PATCH", "DELETE", "PUT", "HEAD", "BREW"))
        )
        body, kind = b"", kind_asked(route)
        if kind is not None:
            value = maker.value(kind)
            value = value if dice.random() < 0.6 else mutator.value(value, 2)
            body = dumped(value)
            if dice.random() < 0.15:
                body = Mutator(dice, [body]).text(2)
        wishes = (
            "lang",
            "since",
            "rules",
            "table",
            "size",
            "n",
            "seed",
            "season",
            "form",
            "house",
            "theme",
            "q",
            "page",
        )
        query = "&".join(
            f"{one}={quote(str(dice.choice(known.get(one) or [*WORDS, *NUMBERS])), errors='replace')}"
            for one in dice.sample(wishes, dice.randrange(4))
        )
        headers: tuple[tuple[bytes, bytes], ...] = (
            (b"accept-language", dice.choice((b"da", b"fr;q=x", b"\xff", b"en," * 300))),
        )
        if dice.random() < 0.05:
            odd = (
                b"cookie",
                b"content-length",
                b"range",
                b"if-none-match",
                b"host",
                b"accept-encoding",
                b"origin",
            )
            values = (
                b"",
                b"\xff",
                b"9" * 5000,
                b"-1",
                b"ultimo=; ultimo=x",
                b"bytes=0-",
                b"gzip;q=x",
                b'"' * 50,
            )
            headers = (*headers, (dice.choice(odd), dice.choice(values)))
        return Asked(method, path_of(dice, route)[:4000], query, headers, body)

    return make


def test_requests(inside: Inside) -> None:
    known = furnished(inside)
    cookie, cases = inside.cookie, count(1)

    def answered(asked: Asked) -> str:
        nonlocal cookie
        if not next(cases) % FURNISHED:
            known.update(furnished(inside))
            cookie = inside.cookie
        inside.cookie = cookie if asked.path not in FAREWELLS or asked.method == "PATCH" else ""
        with capture_logs() as lines:
            answer = inside.ask(asked)
        assert not [line for line in lines if line["log_level"] in ("error", "critical")], lines
        assert answer.status < 500 or answer.status == BUSY, answer
        if answer.status >= 400 and asked.path.startswith("/api/") and asked.method != "HEAD":
            assert msgspec.json.decode(answer.body)["error"], answer
        return str(answer.status)

    found = fuzz("requests", 700, requests(known), answered)
    assert all(found[status] for status in ("200", "201", "404", "409", "422")), found
