"""How much one person or address may ask for, keep running and keep: the parts that need no server."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select
from starlette.requests import Request
from starlette.routing import Route, WebSocketRoute

from postgres import binaries, new_database
from ultimo.server import limits
from ultimo.server.app import ROUTES
from ultimo.server.database import Database
from ultimo.server.limits import Buckets, Crowded, Gate, Spent, Works
from ultimo.server.pages import Page
from ultimo.server.quotas import OverQuota, Quotas
from ultimo.server.schema import quota
from ultimo.server.store import Store


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return str(tmp_path / "tables.db")
    if binaries() is None:
        pytest.skip("PostgreSQL is not installed: apt-get install postgresql")
    return new_database()


# --- which requests ------------------------------------------------------------------------------------

CHEAP = {  # requests that look up a row or two, or that ask another bucket first
    *("/healthz", "/readyz", "/metrics", "/{path:path}", "/api/{path:path}", "/ws/{table}"),
    *("/api/enter", "/api/me", "/api/account", "/api/password", "/api/login", "/api/logout"),
    *("POST /api/tables", "GET /api/tables/{table}", "POST /api/sheets", "/api/tournaments/presets"),
    *("/api/tables/{table}/hint", "/api/analyse", "/api/analyse/solve"),  # the bucket of the tutor
    *("/api/analyse/record", "/api/analyse/open", "/api/school/trainers/{trainer}"),
    *("/api/school/lessons/{lesson}", "/api/school/lessons/{lesson}/{number}"),
    *("/api/games/{game}/review", "/clubs/join/{secret}"),
    *("/api/puzzles/next", "/api/puzzles/day", "/api/puzzles/{puzzle}"),
}


def test_every_request_is_either_cheap_or_has_a_token_and_a_turn_first() -> None:
    taken = set()
    for route in ROUTES:
        assert isinstance(route, Route | WebSocketRoute)
        methods = getattr(route, "methods", None) or {"GET"}
        names = {route.path, *(f"{method} {route.path}" for method in methods)}
        is_costly = getattr(route.endpoint, "__wrapped__", None) is not None
        assert is_costly != bool(names & CHEAP), names
        taken |= names & CHEAP
    assert taken == CHEAP, "each of these is a route"


# --- buckets -------------------------------------------------------------------------------------------


def test_what_was_expensive_is_paid_for_afterwards() -> None:
    buckets = Buckets(burst=10, rate=1.0)
    assert buckets.take("here", 0.0)
    buckets.charge("here", 12.0)
    assert [buckets.take("here", now) for now in (0.0, 3.5, 4.5)] == [False, False, True]
    assert buckets.take("there", 0.0)


def test_what_is_owed_has_a_bound() -> None:
    buckets = Buckets(burst=10, rate=1.0)
    assert buckets.take("here", 0.0)
    buckets.charge("here", 1e9)
    assert not buckets.take("here", 100.5)
    assert buckets.take("here", 101.5)


def test_time_costs_tokens_and_so_do_many_facts() -> None:
    assert Spent(seconds=1.0).tokens == pytest.approx(200)
    assert Spent(facts=5000).tokens == pytest.approx(5)


# --- turns ---------------------------------------------------------------------------------------------


async def _in(gate: Gate, key: str, served: list[str], let_go: asyncio.Event) -> None:
    async with gate.turn((key,)):
        served.append(key)
        await let_go.wait()


async def _settled() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


def run(scenario: Callable[[], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(scenario())


def test_keys_take_turns_however_much_one_of_them_waits_for() -> None:
    async def main() -> None:
        gate, served, first, rest = Gate(1), list[str](), asyncio.Event(), asyncio.Event()
        rest.set()
        tasks = [asyncio.create_task(_in(gate, "greedy", served, first))]
        await _settled()
        for key in ("greedy", "greedy", "greedy", "honest", "other"):
            tasks.append(asyncio.create_task(_in(gate, key, served, rest)))
            await _settled()
        assert served == ["greedy"], "one at a time"
        first.set()
        await asyncio.gather(*tasks)
        assert served == ["greedy", "greedy", "honest", "other", "greedy", "greedy"]

    run(main)


def test_one_key_never_has_all_places() -> None:
    async def main() -> None:
        gate, served, let_go = Gate(2, each=1), list[str](), asyncio.Event()
        tasks = [asyncio.create_task(_in(gate, "greedy", served, let_go)) for _ in range(3)]
        await _settled()
        assert served == ["greedy"]
        tasks.append(asyncio.create_task(_in(gate, "honest", served, let_go)))
        await _settled()
        assert served == ["greedy", "honest"]
        let_go.set()
        await asyncio.gather(*tasks)
        assert served == ["greedy", "honest", "greedy", "greedy"]

    run(main)


def test_a_key_that_rests_lets_others_go_first() -> None:
    async def main() -> None:
        gate, served, now = Gate(2, each=1), list[str](), asyncio.Event()
        now.set()
        async with gate.turn(("greedy",), lambda: 3600.0):
            pass
        resting = asyncio.create_task(_in(gate, "greedy", served, now))
        await _in(gate, "honest", served, now)
        assert served == ["honest"]
        resting.cancel()
        await asyncio.gather(resting, return_exceptions=True)

    run(main)


def test_a_key_with_too_much_in_line_is_refused_and_others_are_not() -> None:
    async def main() -> None:
        gate, served, let_go = Gate(1, waiting=1), list[str](), asyncio.Event()
        tasks = [asyncio.create_task(_in(gate, "greedy", served, let_go)) for _ in range(2)]
        await _settled()
        with pytest.raises(Crowded):
            await _in(gate, "greedy", served, let_go)
        tasks.append(asyncio.create_task(_in(gate, "honest", served, let_go)))
        let_go.set()
        await asyncio.gather(*tasks)
        assert sorted(served) == ["greedy", "greedy", "honest"]

    run(main)


def test_a_turn_that_takes_long_goes_on_beside_those_of_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "LONG", 0.0)

    async def main() -> None:
        gate, served, never, now = Gate(1, each=1, longer=2), list[str](), asyncio.Event(), asyncio.Event()
        now.set()
        dear = [asyncio.create_task(_in(gate, f"dear {n}", served, never)) for n in range(2)]
        again = asyncio.create_task(_in(gate, "dear 0", served, now))
        await asyncio.create_task(_in(gate, "honest", served, now))
        assert served == ["dear 0", "dear 1", "honest"], "an asker has one turn at a time all the same"
        third = asyncio.create_task(_in(gate, "dear 2", served, never))
        late = asyncio.create_task(_in(gate, "late", served, now))
        while served[-1] != "dear 2":
            await asyncio.sleep(0)
        await _settled()
        assert not late.done(), "no more than two go on beside the turns of others"
        dear[0].cancel()
        await asyncio.gather(again, late)
        for one in (dear[1], third):
            one.cancel()
        await asyncio.gather(*dear, third, return_exceptions=True)
        await asyncio.create_task(_in(gate, "last", served, now))
        assert not gate._short | gate._long

    run(main)


def test_cheap_reads_and_short_works_wait_for_no_dear_ones() -> None:
    async def main() -> None:
        buckets, over = Buckets(burst=100, rate=100.0), threading.Event()
        works, quick = Works(buckets, most=2, waiting=9), Works(buckets, most=2, waiting=9)

        async def work(lane: Works, address: str, what: Callable[[], object]) -> object:
            lane.spend((address,))
            async with lane.turn((address,)) as spent:
                return await lane.run(spent, what)

        dear = [asyncio.create_task(work(works, f"192.0.2.{n}", over.wait)) for n in range(6)]
        assert await work(quick, "192.0.2.9", lambda: "lobby") == "lobby"
        assert await work(works, "192.0.2.9", lambda: "a short work") == "a short work"
        assert not any(one.done() for one in dear)
        over.set()
        assert await asyncio.gather(*dear) == [True] * 6
        works.close()
        quick.close()

    run(main)


@pytest.mark.parametrize("begun", [True, False])
def test_who_goes_away_gives_the_turn_back(begun: bool) -> None:
    async def main() -> None:
        gate, served, never, now = Gate(1), list[str](), asyncio.Event(), asyncio.Event()
        now.set()
        tasks = [asyncio.create_task(_in(gate, key, served, never)) for key in ("first", "second")]
        await _settled()
        tasks[0 if begun else 1].cancel()
        await _settled()
        if not begun:
            tasks[0].cancel()
        third = asyncio.create_task(_in(gate, "third", served, now))
        await _settled()
        tasks[1].cancel()
        await third
        assert served == (["first", "second", "third"] if begun else ["first", "third"])

    run(main)


def test_work_is_refused_before_it_begins_and_paid_for_when_it_is_done() -> None:
    async def main() -> None:
        works = Works(Buckets(burst=3, rate=0.001), most=1, waiting=5, clock=lambda: 0.0)
        works.spend(("here",))
        async with works.turn(("here",)) as spent:
            assert await works.run(spent, lambda: "done") == "done"
            spent.facts = 3000
        with pytest.raises(Crowded):
            works.spend(("here",))
        works.spend(("there",))
        works.close()

    run(main)


def test_work_that_fails_is_paid_for_too() -> None:
    def fail() -> None:
        raise LookupError

    async def failing(works: Works) -> None:
        async with works.turn(("here",)) as spent:
            spent.facts = 3000
            await works.run(spent, fail)

    async def main() -> None:
        works = Works(Buckets(burst=3, rate=0.001), most=1, waiting=5, clock=lambda: 0.0)
        works.spend(("here",))
        with pytest.raises(LookupError):
            await failing(works)
        with pytest.raises(Crowded):
            works.spend(("here",))
        works.close()

    run(main)


# --- by the day ----------------------------------------------------------------------------------------


def test_a_day_has_an_end_and_a_restart_changes_nothing(address: str) -> None:
    now = [86400.0 * 100]

    async def using(*wishes: tuple[str, int]) -> list[bool]:
        database = Database(address)
        await database.start()
        quotas = Quotas(database, {"bytes": 10}, lambda: now[0])
        granted = []
        for who, amount in wishes:
            try:
                await quotas.use("bytes", who.split(), amount)
                granted.append(True)
            except OverQuota:
                granted.append(False)
        await database.close()
        return granted

    assert asyncio.run(using(("ada", 6), ("ada", 5), ("bo", 5), ("ada", 4))) == [True, False, True, True]
    assert asyncio.run(using(("ada", 1), ("bo", 5), ("bo", 11))) == [False, True, False]
    now[0] += 86400
    assert asyncio.run(using(("ada", 10), ("ada", 1))) == [True, False]


def test_who_is_refused_has_used_nothing_up_for_others(address: str) -> None:
    async def main() -> None:
        database = Database(address)
        await database.start()
        now = [0.0]
        quotas = Quotas(database, {"tables": 2}, lambda: now[0])
        await quotas.use("tables", ["ada", "at home"])
        await quotas.use("tables", ["bo", "at home"])
        with pytest.raises(OverQuota):
            await quotas.use("tables", ["ida", "at home"])
        rows = await database.read(lambda connection: connection.execute(select(quota.c.who)).scalars().all())
        assert sorted(rows) == ["ada", "at home", "bo"]
        now[0] += 86400
        await quotas.use("tables", ["ida"])
        rows = await database.read(lambda connection: connection.execute(select(quota.c.who)).scalars().all())
        assert rows == ["ida"], "what is of an earlier day is deleted"
        await database.close()

    asyncio.run(main())


def test_of_many_at_once_no_more_pass_than_may(address: str) -> None:
    async def main() -> None:
        database = Database(address)
        await database.start()
        quotas = Quotas(database, {"guests": 5}, lambda: 0.0)
        wishes = [quotas.use("guests", ["at home"]) for _ in range(12)]
        outcomes = await asyncio.gather(*wishes, return_exceptions=True)
        assert sum(outcome is None for outcome in outcomes) == 5
        assert sum(isinstance(outcome, OverQuota) for outcome in outcomes) == 7
        await database.close()

    asyncio.run(main())


# --- the page ------------------------------------------------------------------------------------------


def test_the_page_comes_to_whoever_asks_for_too_many_of_it(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text('<html lang="en"><head></head></html>', encoding="utf-8")
    database = Database(str(tmp_path / "tables.db"))

    def asked(host: str) -> Request:
        headers = [(b"host", host.encode())]
        scope = {"type": "http", "method": "GET", "path": "/", "query_string": b"", "headers": headers}
        return Request({**scope, "scheme": "http", "server": (host, 80), "client": ("192.0.2.1", 1)})

    async def main() -> None:
        page = Page(tmp_path)
        works = Works(Buckets(burst=1, rate=0.001), most=1, waiting=5, clock=lambda: 0.0)
        hosts = ("a.example", "b.example", "a.example")
        answers = [await page.front(asked(host), Store(database), works) for host in hosts]
        assert [answer.status_code for answer in answers] == [200] * 3
        named = [host.encode() in bytes(answer.body) for host, answer in zip(hosts, answers, strict=True)]
        assert named == [True, False, True], "what was made before is still there"
        works.close()
        await database.close()

    asyncio.run(main())
