"""Servers on one PostgreSQL that hang, stop, or lose their network, and a PostgreSQL that stands still."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import pytest
from sqlalchemy import create_engine, select
from websockets.exceptions import ConnectionClosed

from networks import NEAR, Cable, Relay, inside, may_join, postgres_in
from page_client import (
    NO_LIMITS,
    Page,
    check_log,
    check_record,
    deal_over,
    failures,
    in_a_trick,
    log_of,
    party,
)
from postgres import binaries, folder_of, new_database, paused
from serving import PATIENCE, AtTable, Serving, Visitor, until
from ultimo.server.database import url_of
from ultimo.server.schema import lease

pytestmark = pytest.mark.xdist_group("hung_servers")

SOON = {"ULTIMO_LEASE_SECONDS": "1.5"}  # until the tables of a server that hangs go on at another
COMMANDS = 10  # that are answered before something happens


@pytest.fixture(scope="module")
def database() -> str:
    if binaries() is None:
        pytest.skip("PostgreSQL is not installed: apt-get install postgresql")
    return new_database()


@pytest.fixture(scope="module")
def relay(database: str) -> Iterator[Relay]:
    relay = Relay(partial(postgres_in, folder_of(database)))
    yield relay
    relay.close()


@pytest.fixture(scope="module")
def servers(database: str, relay: Relay) -> Iterator[list[Serving]]:
    """Two servers, of which the first reaches the database through a relay."""
    servers = [Serving(address, env=NO_LIMITS | SOON) for address in (through(relay, database), database)]
    try:
        with ThreadPoolExecutor() as pool:
            list(pool.map(Serving.start, servers))
        yield servers
    finally:
        for server in servers:
            server.kill()


def through(relay: Relay, database: str) -> str:
    """The address of a database that is reached through a relay."""
    name = database.partition("?")[0].rpartition("/")[2]
    return f"postgresql://postgres@{relay.host}:{relay.port}/{name}"


def owner(database: str, table: str) -> tuple[str, int]:
    """Which process drives a table, and its fencing token."""
    engine = create_engine(url_of(database))
    try:
        with engine.connect() as connection:
            found = connection.execute(select(lease.c.node, lease.c.fence).where(lease.c.table_id == table))
            node, fence = found.one()
            return node, fence
    finally:
        engine.dispose()


def check(server: Serving, *tables: list[Page]) -> None:
    """Nothing is lost or doubled, nothing refused is in the log, and the game was played by the rules."""
    for pages in tables:
        check_record(server, pages[0])
        check_log(log_of(server.database, pages[0].table), pages)


def test_a_server_that_hangs_loses_its_tables_and_writes_nothing_when_it_comes_back(
    servers: list[Serving],
) -> None:
    first, second = servers
    pages = party([first, second], "dtf", 3, people=2)
    ada, _ = pages  # at the server that hangs, and at the other
    ada.silence = 3.0
    AtTable(Visitor(first), ada.table).socket.close()
    before = owner(first.database, ada.table)

    async def evening() -> None:
        async with asyncio.TaskGroup() as group:
            for page in pages:
                group.create_task(page.stay(deal_over))
            await in_a_trick(pages, [ada], COMMANDS, first.pause)
            async with asyncio.timeout(PATIENCE):
                while (after := owner(first.database, ada.table)) == before:
                    await asyncio.sleep(0.05)
            first.resume()
            await Page(Visitor(first), None, ada.table, plays=False).stay(deal_over)
            assert owner(first.database, ada.table) == after
            assert after[0] != before[0]

    try:
        asyncio.run(evening())
    finally:
        first.resume()
    check(first, pages)
    assert failures(first) == failures(second) == []


def test_while_postgresql_stands_still_nothing_is_lost_and_then_all_goes_on(servers: list[Serving]) -> None:
    tables = [party(servers, "dtf", 3, people=2), party(servers, "french4", 4)]
    pages = [page for table in tables for page in table]

    async def evening() -> None:
        async with asyncio.TaskGroup() as group:
            for page in pages:
                group.create_task(page.stay(deal_over))
            await in_a_trick(pages, pages, COMMANDS)
            with paused(servers[1].database):
                await asyncio.sleep(2.0)  # longer than the leases last

    asyncio.run(evening())
    check(servers[0], *tables)
    assert not any(page.refused for page in pages)
    assert [failures(server) for server in servers] == [[], []]


def test_a_command_is_not_refused_when_the_answer_to_its_commit_is_lost(
    servers: list[Serving], relay: Relay
) -> None:
    """The socket is closed as if the server restarted; sent again, the command is where it was written."""
    relayed = servers[0]
    ada = Visitor(relayed)
    ada.enter()
    table = ada.open_table()
    say = {"type": "Say", "text": "hello"}
    with AtTable(ada, table) as page:
        relay.swallow("command-lost")
        with pytest.raises(ConnectionClosed) as closed:
            page.do(say, "command-lost")
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1012
    assert relay.swallowed.wait(PATIENCE)
    with AtTable(ada, table) as page:
        assert page.do(say, "command-lost")["type"] == "done"
        assert [line["text"] for line in page.scene["chat"]] == ["hello"]
    commands = [row.cmd or "" for row in log_of(relayed.database, table)]
    assert sum(cmd.endswith(":command-lost") for cmd in commands) == 1
    assert failures(relayed) == []


@pytest.mark.parametrize("what", ["sheets", "tournaments", "clubs"])
def test_a_request_is_not_refused_when_the_answer_to_its_commit_is_lost(
    servers: list[Serving], relay: Relay, what: str
) -> None:
    relayed = servers[0]
    karen = Visitor(relayed)
    karen.enter()
    begin, wish = WRITING[what]
    made = karen.post(f"/api/{what}", begin)
    assert made.status == 201, made
    address, cmd = f"/api/{what}/{made.json['id']}?lang=en", f"command-{what}"
    base = karen.get(address).json["seq"]
    relay.swallow(cmd)
    lost = karen.post(address, {"cmd": cmd, "base": base, "wish": wish})
    assert (lost.status, lost.headers["retry-after"]) == (503, "2"), lost
    assert "uncertain whether this was saved" in lost.json["error"]
    assert karen.get(address).json["seq"] == base + 1
    again = karen.post(address, {"cmd": cmd, "base": base, "wish": wish})
    assert (again.status, again.json["seq"]) == (200, base + 1), again
    assert failures(relayed) == []


WRITING: dict[str, tuple[Any, Any]] = {
    "sheets": (
        {"rules": "dtf", "names": ["Karen", "Bo", "Ida"]},
        {
            "type": "BookDeal",
            "entry": {"game": "danish", "winner": 1, "counts": {"1": 30, "2": 20}},
        },
    ),
    "tournaments": (
        {"name": "Cup", "rules": "dtf", "rounds": 2, "deals": 4},
        {"type": "EnterPeople", "people": [{"name": "Ida"}]},
    ),
    "clubs": ({"name": "Tarok 78"}, {"type": "RenameClub", "name": "Tarok 79"}),
}


def test_the_tables_of_a_machine_that_vanishes_go_on_at_another(servers: list[Serving]) -> None:
    if not may_join():
        pytest.skip("network namespaces need root, and ip: apt-get install iproute2")
    _, there = servers
    with Cable() as cable:
        with inside(cable.near):
            relay = Relay(partial(postgres_in, folder_of(there.database)), NEAR)
        address = through(relay, there.database)
        with Serving(address, env=NO_LIMITS | SOON, inside=cable.far) as vanishing:
            pages = party([there], "dtf", 3)
            with inside(cable.far):
                AtTable(Visitor(vanishing), pages[0].table).socket.close()
            before = owner(there.database, pages[0].table)

            async def evening() -> None:
                async with asyncio.TaskGroup() as group:
                    group.create_task(pages[0].stay(deal_over))
                    await in_a_trick(pages, pages, COMMANDS, cable.pull)
                    assert owner(there.database, pages[0].table) == before

            asyncio.run(evening())
            check(there, pages)
            node, fence = owner(there.database, pages[0].table)
            assert (node != before[0], fence) == (True, before[1] + 1)
            cable.join()

            def ready() -> bool:
                with inside(cable.far):
                    return Visitor(vanishing).get("/readyz").status == 200

            until(ready, lambda: vanishing.log)
            log = log_of(there.database, pages[0].table)
            with inside(cable.far), AtTable(Visitor(vanishing), pages[0].table) as page:
                while page.seq < len(log):
                    page.hear()
            assert failures(vanishing) == []
        relay.close()


def test_a_server_that_is_told_to_stop_hands_over_in_the_middle_of_a_trick(servers: list[Serving]) -> None:
    """The last of all: afterwards the first server is gone."""
    first, second = servers
    tables = [party([first, second], "dtf", 3, people=2), party([first, second], "french4", 4)]
    pages = [page for table in tables for page in table]

    async def evening() -> None:
        async with asyncio.TaskGroup() as group:
            playing = [group.create_task(page.stay(deal_over)) for page in pages]
            await in_a_trick(pages, [tables[0][0], tables[1][0]], COMMANDS)
            assert not any(task.done() for task in playing)
            assert await asyncio.to_thread(first.stop) == 0

    asyncio.run(evening())
    check(second, *tables)
    assert failures(first) == failures(second) == []
