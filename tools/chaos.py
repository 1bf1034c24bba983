"""Break a server again and again while people play, and then look whether all promises were kept.

People without browsers play at several tables over real sockets. Meanwhile servers are killed and started
again, stand still for a while, or lose their network, and PostgreSQL crashes. At the end nothing acknowledged
may be lost or doubled, nothing refused may stand in a log, all pages must show what the log says, every
record must be one of a game played by the rules, and every deal must be fair.

    python tools/chaos.py --kills 200
    python tools/chaos.py --database postgres --kills 20 --pauses 50 --restarts 30 --partitions 20

Partitions need root and `ip`, for network namespaces.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
import tempfile
import time
from argparse import ArgumentParser, Namespace
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from sqlalchemy import create_engine, select

from networks import NEAR, Cable, Relay, inside, postgres_in, server_in
from page_client import NO_LIMITS, Page, check_log, check_record, deal_over, failures, log_of
from postgres import folder_of, new_database, restart
from serving import Serving, Visitor
from ultimo.server.database import url_of
from ultimo.server.schema import lease
from ultimo.table.messages import Sit

LEASE = 2.0  # seconds
PACE = (0.02, 0.3)  # seconds that a person takes for a move
PROGRESS = 4  # commands that are answered between two blows
BOOKS = (("dtf", 3), ("hermansen", 4), ("french4", 4), ("french5", 5), ("basta", 3), ("jensen", 4))
PEOPLE = 2  # at a table


class Far(Serving):
    """A server on a machine of its own, which may lose its network to the database and to all people."""

    def __init__(self, database: str, cable: Cable, relay: Relay, env: dict[str, str]) -> None:
        super().__init__(
            f"postgresql://postgres@{relay.host}:{relay.port}/{name_of(database)}", env=env, inside=cable.far
        )
        self._cable = cable
        self._door: Relay | None = None

    def start(self) -> None:
        """Start the server, and let people in from here."""
        super().start()
        self._door = Relay(partial(server_in, self._cable.far, self.port))
        self.port = self._door.port
        self.url = f"http://127.0.0.1:{self.port}"

    def vanish(self) -> None:
        """Lose the network without a word."""
        assert self._door is not None
        self._door.flowing.clear()
        self._cable.pull()

    def come_back(self) -> None:
        """Have it again."""
        assert self._door is not None
        self._cable.join()
        self._door.flowing.set()


class Chaos:
    """Servers, the people there, and what is done to them."""

    def __init__(self, options: Namespace, servers: Sequence[Serving], far: Far | None, rng: Random) -> None:
        self._options, self._servers, self._far, self._rng = options, servers, far, rng
        self._everywhere = [*servers, *([far] if far is not None else [])]
        self.tables = [self._party(number) for number in range(options.tables)]
        self.pages = [page for table in self.tables for page in table]
        self._over = False

    def _party(self, number: int) -> list[Page]:
        """Two people at a new table whose other seats have bots, each at a server of their own."""
        rules, size = BOOKS[number % len(BOOKS)]
        bots = [{"kind": "bot", "level": "random"}] * (size - PEOPLE)
        pages: list[Page] = []
        for seat in range(PEOPLE):
            start = (number + seat) % len(self._everywhere)
            servers = [*self._everywhere[start:], *self._everywhere[:start]]
            visitor = Visitor(servers[0])
            player = visitor.enter()["id"]
            visitor.ask("PATCH", "/api/me", {"name": f"Guest {seat}"})
            if not pages:
                seats = [{"kind": "host"}, {"kind": "open"}, *bots]
                table = visitor.open_table(rules, size, seats=seats, grace=3600)
            page = Page(visitor, player, table, servers, dice=f"{self._options.seed}:{number}:{seat}")
            page.pace, page.silence, page.patience, page.most_refused = PACE, 2 * LEASE, None, sys.maxsize
            page.heard = deque(maxlen=0)
            if seat:
                page.want(Sit(seat))
            pages.append(page)
        return pages

    async def run(self) -> None:
        """Let people play while everything is done to them; then let them finish their deals."""
        async with asyncio.TaskGroup() as group:
            for page in self.pages:
                group.create_task(page.stay(lambda page: self._over and deal_over(page)))
            blows = [
                *[self._kill] * self._options.kills,
                *[self._pause] * self._options.pauses,
                *[self._restart] * self._options.restarts,
                *[self._partition] * self._options.partitions,
            ]
            self._rng.shuffle(blows)
            for number, blow in enumerate(blows, 1):
                await self._progress()
                await asyncio.sleep(self._rng.uniform(0.0, 0.1))
                await blow()
                print(f"\r{number} of {len(blows)}", end="", file=sys.stderr, flush=True)
            await self._progress()
            self._over = True
        for page in self.pages:
            page.visitor.server = self._servers[0]
            await page.look()

    async def _progress(self) -> None:
        """Wait until people have got on."""
        done = self._done()
        async with asyncio.timeout(120):
            while self._done() < done + PROGRESS:
                await asyncio.sleep(0.02)

    def _done(self) -> int:
        return sum(len(page.done) for page in self.pages)

    async def _kill(self) -> None:
        server = self._rng.choice(self._servers)
        server.kill()
        await asyncio.to_thread(server.start)

    async def _pause(self) -> None:
        server = self._rng.choice(self._servers)
        server.pause()
        await asyncio.sleep(self._rng.uniform(0.2, 2.5 * LEASE))
        server.resume()

    async def _restart(self) -> None:
        await asyncio.to_thread(restart, self._servers[-1].database)

    async def _partition(self) -> None:
        assert self._far is not None
        self._far.vanish()
        await asyncio.sleep(self._rng.uniform(0.2, 2.5 * LEASE))
        self._far.come_back()

    # --- the promises ----------------------------------------------------------------------------------

    def check(self) -> dict[str, Any]:
        """Raise if a promise was broken; else the figures."""
        server, gaps, facts = self._servers[0], [0.0], 0
        for pages in self.tables:
            log = log_of(self._servers[-1].database, pages[0].table)
            check_log(log, pages)
            in_log = {row.cmd for row in log}
            assert not any(in_log & page.refused.keys() for page in pages)
            assert {page.seq for page in pages} == {len(log)}, "not all pages show the end"
            check_record(server, pages[0])
            check_by_commands(server, pages[0].table)
            gaps += [after.at - before.at for before, after in pairwise(log)]
            facts += len(log)
        broken = [line for one in self._everywhere for line in failures(one)]
        assert not broken, broken
        return {
            "acknowledged commands, all in the logs once": self._done(),
            "refused commands, none in the logs": sum(len(page.refused) for page in self.pages),
            "facts": facts,
            "lines that pages have lost": sum(page.lost for page in self.pages),
            "times a table was taken over": takeovers(self._servers[-1].database),
            "longest time at which nothing happened at a table, in seconds": round(max(gaps), 1),
        }


def check_by_commands(server: Serving, table: str) -> None:
    """What a server gives as the record of a table passes `ultimo replay` and `ultimo verify`."""
    given = Visitor(server).get(f"/api/tables/{table}/record?form=jsonl").body
    with tempfile.NamedTemporaryFile(suffix=".jsonl") as file:
        file.write(given)
        file.flush()
        for command in ("replay", "verify"):
            ultimo = [sys.executable, "-m", "ultimo.cli.main", command, file.name]
            done = subprocess.run(ultimo, capture_output=True, text=True, timeout=300, check=False)
            assert done.returncode == 0, (command, table, done.stdout[-2000:], done.stderr[-2000:])


def takeovers(database: str) -> int:
    """How often tables went from one process to another."""
    engine = create_engine(url_of(database))
    try:
        with engine.connect() as connection:
            return sum(fence - 1 for fence in connection.execute(select(lease.c.fence)).scalars())
    finally:
        engine.dispose()


def name_of(database: str) -> str:
    """The name of a database in its address."""
    return database.partition("?")[0].rpartition("/")[2]


@contextmanager
def serving(options: Namespace) -> Iterator[tuple[list[Serving], Far | None]]:
    """The servers: one on SQLite, two on PostgreSQL, and for partitions one more behind a cable."""
    env = NO_LIMITS | {"ULTIMO_LEASE_SECONDS": str(LEASE)}
    with ExitStack() as stack:
        if options.database == "sqlite":
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="ultimo-chaos-"))
            yield [stack.enter_context(Serving(Path(folder) / "tables.db", env=env, seed=None))], None
            return
        database, far = new_database(durable=True), None
        if options.partitions:
            cable = stack.enter_context(Cable())
            with inside(cable.near):
                relay = Relay(partial(postgres_in, folder_of(database)), NEAR)
            stack.callback(relay.close)
            far = Far(database, cable, relay, env)
            stack.enter_context(far)
        yield [stack.enter_context(Serving(database, env=env)) for _ in range(2)], far


def main() -> None:
    """Break, check, print figures."""
    parser = ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--database", choices=("sqlite", "postgres"), default="sqlite")
    for what in ("kills", "pauses", "restarts", "partitions"):
        parser.add_argument(f"--{what}", type=int, default=0)
    parser.add_argument("--tables", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if options.database == "sqlite" and (options.restarts or options.partitions):
        parser.error("--restarts and --partitions need --database postgres")
    began = time.monotonic()
    with serving(options) as (servers, far):
        chaos = Chaos(options, servers, far, Random(options.seed))
        asyncio.run(chaos.run())
        figures = chaos.check()
    print()
    for what in ("kills", "pauses", "restarts", "partitions"):
        print(f"{what}: {getattr(options, what)}")
    for name, value in figures.items():
        print(f"{name}: {value}")
    print(f"seconds: {time.monotonic() - began:.0f}")


if __name__ == "__main__":
    main()
