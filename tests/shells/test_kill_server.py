"""A server that is killed in the middle of tricks and started again: nothing acknowledged is lost."""

from __future__ import annotations

import asyncio
from pathlib import Path

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
from serving import Serving

COMMANDS = 15  # that are answered before the first kill, and between two
DELAYS = (0.0, 0.004, 0.012)  # seconds for which a server lives on after a command has been sent to it


async def kill_now_and_then(server: Serving, pages: list[Page]) -> int:
    """Kill the server while tricks are being played, start it again; how many commands were under way."""
    cut_off = 0
    for number, delay in enumerate(DELAYS, 1):
        await in_a_trick(pages, pages, number * COMMANDS, (lambda: None) if delay else server.kill)
        await asyncio.sleep(delay)  # it may have written the command, or not even read it
        cut_off += sum(page.waits for page in pages)
        server.kill()
        await asyncio.to_thread(server.start)
    return cut_off


async def evening(server: Serving, pages: list[Page]) -> int:
    """Let everybody play a deal to its end while the server is killed."""
    async with asyncio.TaskGroup() as group:
        for page in pages:
            group.create_task(page.stay(deal_over))
        killing = group.create_task(kill_now_and_then(server, pages))
    return killing.result()


def test_what_was_acknowledged_is_there_after_a_kill_and_everybody_plays_on(tmp_path: Path) -> None:
    database = tmp_path / "tables.db"
    with Serving(database, env=NO_LIMITS) as server:
        tables = [
            party([server], "dtf", 3, people=2, level="beginner"),
            party([server], "hermansen", 4, people=2),
            party([server], "french4", 4, people=1),
            party([server], "french5", 5, people=2, level="beginner"),
        ]
        pages = [page for table in tables for page in table]
        assert asyncio.run(evening(server, pages)) >= 1
        for table in tables:
            check_record(server, table[0])
        assert failures(server) == []
    assert all(page.lost for page in pages)
    assert not any(page.gaps for page in pages)
    for table in tables:
        check_log(log_of(str(database), table[0].table), table)
