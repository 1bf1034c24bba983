"""Two servers on one PostgreSQL, of which one is killed: everybody plays on at the other."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest

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
from postgres import binaries, new_database
from serving import Serving
from ultimo.events import CardPlayed, SkatLaid
from ultimo.table.facts import Happened

SOON = {"ULTIMO_LEASE_SECONDS": "1.5"}  # until the tables of a server that is gone go on at the other
COMMANDS = 30  # that are acknowledged before the kill


@pytest.fixture
def servers() -> Iterator[list[Serving]]:
    if binaries() is None:
        pytest.skip("PostgreSQL is not installed: apt-get install postgresql")
    database = new_database()
    servers = [Serving(database, env=NO_LIMITS | SOON) for _ in range(2)]
    try:
        with ThreadPoolExecutor() as pool:
            list(pool.map(Serving.start, servers))
        yield servers
    finally:
        for server in servers:
            server.kill()


async def evening(first: Serving, pages: Sequence[Page], sleeper: Page) -> float:
    """Let people play a deal to its end while a server is killed; when it was.

    The sleeper is there and never moves, and stays until after the kill his clock has moved for him.
    """
    there = [page for page in pages if page.visitor.server is first]
    async with asyncio.TaskGroup() as group:
        await sleeper.stay(has_cards)
        playing = [group.create_task(page.stay(deal_over)) for page in pages]
        await in_a_trick(pages, there, COMMANDS)
        assert not any(task.done() for task in playing)
        first.kill()
        killed_at = time.time()
        await sleeper.look()
        held = len(sleeper.scene["hand"])
        await sleeper.stay(lambda page: len(page.scene["hand"]) < held)
    return killed_at


def has_cards(page: Page) -> bool:
    return bool(page.scene["hand"])


def test_nothing_is_lost_or_doubled_when_one_of_two_servers_is_killed(servers: list[Serving]) -> None:
    first, second = servers
    tables = [
        party([first, second], "dtf", 3, people=2, level="beginner"),  # each at another server
        party([second, first], "basta", 3, people=3),
        party([first, second], "french4", 4, people=1),  # driven by the one that dies
        party([second, first], "french5", 5, people=2),
    ]
    (sleeper,) = party([first, second], "dtf", 3, clock=5, plays=False)
    pages = [page for table in tables for page in table]
    killed_at = asyncio.run(evening(first, pages, sleeper))
    for table in tables:
        check_record(second, table[0])
        check_log(log_of(second.database, table[0].table), table)
    assert all(page.visitor.server is second for page in [*pages, sleeper])
    assert not any(page.gaps for page in pages)
    assert failures(second) == []

    log = log_of(second.database, sleeper.table)
    check_log(log, [sleeper])
    later = [row.fact for row in log if row.at > killed_at and isinstance(row.fact, Happened)]
    moves = [event for fact in later for event in fact.events if isinstance(event, CardPlayed | SkatLaid)]
    assert {event.seat for event in moves} >= {0}
