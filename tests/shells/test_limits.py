"""How much one person or address may ask for, keep running and keep: the parts that need no server."""

from __future__ import annotations

import asyncio
import json
import threading
from collections import Counter
from collections.abc import Callable, Coroutine
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest
from sqlalchemy import select
from starlette.requests import Request
from starlette.routing import Route, WebSocketRoute

from postgres import binaries, new_database
from ultimo import record, rulebook
from ultimo.answers import sheets
from ultimo.club import boards
from ultimo.club.hand_records import as_html
from ultimo.names import names
from ultimo.pauses import pause, pausing
from ultimo.players import RandomPlayer
from ultimo.players.match import Match
from ultimo.record import jsonl
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


def test_a_turn_that_pauses_lets_others_go_first() -> None:
    async def main() -> None:
        gate, served, others = Gate(1, each=1, pauses=2), list[str](), list[asyncio.Task[None]]()
        now = asyncio.Event()
        now.set()

        async def long(key: str) -> None:
            async with gate.turn((key,)) as pause:
                for piece in range(3):
                    served.append(f"{key}{piece}")
                    while len(others) < 3:
                        await asyncio.sleep(0)
                    await pause()

        both = [asyncio.create_task(long(key)) for key in ("a", "b")]
        await _settled()
        others += [asyncio.create_task(_in(gate, key, served, now)) for key in ("short", "a", "other")]
        await asyncio.gather(*both, *others)
        assert served == ["a0", "b0", "short", "a1", "other", "b1", "a2", "b2", "a"]

    run(main)


@pytest.fixture
def always_pausing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Works pause wherever they may."""
    monkeypatch.setattr(limits, "PIECE", 0.0)


def pausing_until(over: threading.Event) -> bool:
    while not over.is_set():
        pause()
    return True


async def _worked(works: Works, address: str, work: Callable[[], object]) -> object:
    works.spend((address,))
    async with works.turn((address,)) as spent:
        return await works.run(spent, work)


def test_cheap_reads_and_short_works_wait_for_no_dear_ones(always_pausing: None) -> None:
    async def main() -> None:
        buckets, over = Buckets(burst=100, rate=100.0), threading.Event()
        works, quick = Works(buckets, most=2, waiting=9), Works(buckets, most=2, waiting=9)
        dear = [
            asyncio.create_task(_worked(works, f"192.0.2.{n}", partial(pausing_until, over)))
            for n in range(6)
        ]
        assert await _worked(quick, "192.0.2.9", lambda: "lobby") == "lobby"
        assert await _worked(works, "192.0.2.9", lambda: "a short work") == "a short work"
        assert not any(one.done() for one in dear)
        over.set()
        assert await asyncio.gather(*dear) == [True] * 6
        works.close()
        quick.close()

    run(main)


def test_work_for_which_nobody_waits_ends_at_its_next_pause(always_pausing: None) -> None:
    async def main() -> None:
        works, begun, ended = Works(Buckets(100, 100.0), 1, 9), threading.Event(), threading.Event()

        def work() -> None:
            begun.set()
            try:
                pausing_until(threading.Event())
            finally:
                ended.set()

        left = asyncio.create_task(_worked(works, "here", work))
        await asyncio.to_thread(begun.wait)
        left.cancel()
        await asyncio.to_thread(ended.wait)
        assert await _worked(works, "here", lambda: "next") == "next"
        works.close()

    run(main)


def hand_records(boards_of: int) -> object:
    made = boards.make(rulebook.load("french4"), 4, "a seed", range(1, boards_of + 1))
    return as_html(list(made), names("en"))


def sheet_of(deals: int) -> object:
    booked = {"type": "Booked", "by": "A", "entry": {"game": "danish"}}
    opened = {"type": "Opened", "rules": "dtf", "names": ["A", "B", "C"], "by": "A"}
    log = "\n".join(json.dumps(line) for line in (opened, *[booked] * deals))
    facts, _ = sheets.read(log, "A", "en")
    return sheets.workbook(facts, None, None, "en")


def record_of(deals: int) -> object:
    rules = rulebook.load("dtf")
    match = Match(rules, "ABC", {seat: RandomPlayer(seat) for seat in range(3)}, Random(1))
    for _ in match.play_deals(deals):
        pass
    entries = tuple(record.Entry(event) for event in match.log)
    return jsonl.dumps(record.Record(record.header(rules, 3), entries))


@pytest.mark.parametrize("work", [hand_records, sheet_of, record_of])
def test_dear_work_pauses_with_every_part_of_it(work: Callable[[int], object]) -> None:
    pauses = Counter[int]()
    for parts in (2, 12):
        with pausing(partial(pauses.update, [parts])):
            work(parts)
    assert pauses[12] - pauses[2] >= 2 * 10


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
