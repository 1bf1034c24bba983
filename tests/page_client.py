"""Pages without a browser: they come back by themselves, repeat what has no answer, and play by the offers.

What they were told can be held against the log that the server has left.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, MutableSequence, Sequence
from contextlib import suppress
from hashlib import sha256
from itertools import cycle
from random import Random
from time import perf_counter, time
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import create_engine, select
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.typing import Origin

from live import answer
from serving import PATIENCE, SEED, Serving, Visitor
from ultimo import record
from ultimo.events import CardPlayed, Play
from ultimo.fair import commitment
from ultimo.record.check import check
from ultimo.server.database import url_of
from ultimo.server.schema import event
from ultimo.table import Fact, Settings, open_table, scene
from ultimo.table.facts import (
    Happened,
    MadeReady,
    PlayerCommitted,
    PlayerRevealed,
    SeatTaken,
    SessionStarted,
)
from ultimo.table.messages import Act, Commit, Ready, Reveal, Sit, Start, Wish
from ultimo.table.pages import Row, fold
from ultimo.table.scene import Turn
from written import write

NO_LIMITS = {f"ULTIMO_{what}_{how}": "10000" for what in ("MESSAGE", "REQUEST") for how in ("BURST", "RATE")}
NO_LIMITS |= {
    f"ULTIMO_{what}": "10000" for what in ("SOCKETS", "ADDRESS_CONNECTIONS", "SPECTATORS", "TABLE_SOCKETS")
}
NO_LIMITS["PYTHONWARNINGS"] = "ignore"  # Python complains of what a killed process has left behind
LONG = 3 * PATIENCE  # seconds for a deal with all that happens to it
AGAIN = 0.1  # seconds until a page tries to come back
NOTHING_SEEN = -1
REFUSALS = 20  # so often the table may go on without a page before the page is taken to be wrong


class Page:
    """A page of one person at one table. `servers` are where it may come back, the first where it begins."""

    def __init__(
        self,
        visitor: Visitor,
        player: str | None,
        table: str,
        servers: Sequence[Serving] = (),
        language: str = "en",
        plays: bool = True,
        dice: str = "",
    ) -> None:
        self.visitor, self.player, self.table, self.language = visitor, player, table, language
        self.scene: dict[str, Any] = {}
        self.seq = NOTHING_SEEN
        self.heard: MutableSequence[bytes] = []  # every message as it came
        self.sent: dict[str, Wish] = {}
        self.done: dict[str, int] = {}
        self.refused: dict[str, str] = {}
        self.seconds: list[float] = []  # from each command until its answer and its effect were seen
        self.lost = self.gaps = 0
        self.pace = (0.0, 0.0)  # the seconds that the person takes for a move lie between
        self.patience: float | None = LONG  # seconds for all that it stays for
        self.most_refused = REFUSALS
        self.silence: float | None = None  # seconds without a word after which it tries another server
        self.when_sent: Callable[[Page], None] = lambda _: None  # is told of each command
        self._plays = plays
        self._pending: dict[str, float] = {}  # commands without an answer, and since when
        self._applied: dict[int, float] = {}  # where commands stand that have not been seen yet
        self._dice = dice  # from which this page's choices and secrets follow
        self._rng = Random(dice)
        self._commands = Random(dice)
        self._servers = cycle(servers or [visitor.server])
        visitor.server = next(self._servers)

    def want(self, wish: Wish, cmd: str | None = None) -> str:
        """Wish something; it is sent until it is answered."""
        cmd = cmd or self._commands.randbytes(8).hex()
        self.sent[cmd] = wish
        self._pending[cmd] = perf_counter()
        return cmd

    @property
    def waits(self) -> bool:
        """Whether a command has no answer yet."""
        return bool(self._pending)

    @property
    def in_trick(self) -> bool:
        """Whether cards of a trick lie on the table."""
        return bool(self.scene and self.scene["trick"])

    async def stay(self, until: Callable[[Page], bool]) -> None:
        """Be at the table, and play, until something is so and every command is answered."""
        try:
            async with asyncio.timeout(self.patience):
                while not self._may_go(until):
                    await self._come(until)
        except TimeoutError:
            raise AssertionError(f"a page is stuck: {self.seen}") from None

    async def look(self) -> None:
        """Come and see how the table is now."""
        self.seq = NOTHING_SEEN
        await self.stay(lambda _: True)

    async def _come(self, until: Callable[[Page], bool]) -> None:
        """Come to the table and stay as long as the line does."""
        with suppress(OSError, ConnectionClosed, InvalidHandshake, EOFError):
            async with self._socket() as socket:
                await self._talk(socket, until)
        if not self._may_go(until):
            self.lost += 1
            self.visitor.server = next(self._servers)
            await asyncio.sleep(AGAIN)

    @property
    def seen(self) -> str:
        """Where this page is, for whoever wants to know why it does not go on."""
        shown = {key: self.scene.get(key) for key in ("you", "moment", "number", "headline", "turn", "fair")}
        waiting = [self.sent[cmd] for cmd in self._pending]
        return f"{self.table} at {self.seq}: {shown}; unanswered {waiting}, refused {self.refused}"

    def _may_go(self, until: Callable[[Page], bool]) -> bool:
        return self.seq != NOTHING_SEEN and not self._pending and until(self)

    def _socket(self) -> connect:
        url, cookie = self.visitor.server.url, self.visitor.cookie
        return connect(
            f"{url.replace('http', 'ws', 1)}/ws/{self.table}?lang={self.language}",
            origin=Origin(url),
            additional_headers={"Cookie": cookie} if cookie else None,
            proxy=None,
            open_timeout=self.silence or PATIENCE,
            close_timeout=1,
        )

    async def _talk(self, socket: ClientConnection, until: Callable[[Page], bool]) -> None:
        self.seq = NOTHING_SEEN
        for cmd in self._pending:
            await self._send(socket, cmd)
        while not self._may_go(until):
            async with asyncio.timeout(self.silence):
                data = await socket.recv(decode=False)
            self.heard.append(data)
            self._hear(data)
            if self.seq == NOTHING_SEEN:
                await socket.send('{"type":"resync"}')
            elif not self._pending and not self._applied and not until(self) and (wish := self._wish()):
                await asyncio.sleep(self._rng.uniform(*self.pace))
                await self._send(socket, self.want(*wish))

    async def _send(self, socket: ClientConnection, cmd: str) -> None:
        do = {"type": "do", "cmd": cmd, "wish": self.sent[cmd]}
        await socket.send(msgspec.json.encode(do).decode())
        self.when_sent(self)

    # --- what the server says --------------------------------------------------------------------------

    def _hear(self, data: bytes) -> None:
        message = msgspec.json.decode(data)
        match message["type"]:
            case "full":
                self.scene, self.seq = message["scene"], message["seq"]
            case "update" if message["base"] == self.seq:
                self.scene |= message["patch"]
                self.seq = message["seq"]
            case "update" if self.seq != NOTHING_SEEN:
                self.seq = NOTHING_SEEN
                self.gaps += 1
            case "done":
                since = self._pending.pop(message["cmd"])
                self.done[message["cmd"]] = message["seq"]
                self._applied[message["seq"]] = since
            case "refused":  # the table has gone on without the page, which looks at it anew
                del self._pending[message["cmd"]]
                self.refused[message["cmd"]] = message["reason"]
                assert len(self.refused) < self.most_refused, self.refused
                self.seq = NOTHING_SEEN
            case "goodbye":
                assert message["again"], message
        for seq in [seq for seq in self._applied if seq <= self.seq]:
            self.seconds.append(perf_counter() - self._applied.pop(seq))

    # --- what the page wants ---------------------------------------------------------------------------

    def _wish(self) -> tuple[Wish, str | None] | None:
        """What the table asks of this page now, as a wish with its id."""
        shown = self.scene
        if not self._plays or shown["you"] is None:
            return None
        own, fair = shown["seats"][shown["you"]], shown["fair"]
        if shown["table"]["mayStart"] and all(seat["kind"] != "open" for seat in shown["seats"]):
            return Start(), None
        if fair is not None and fair["wanted"] is not None:
            return self._share(fair["number"], fair["wanted"])
        if shown["turn"] is not None and own["turn"]:
            return Act(answer(msgspec.convert(shown["turn"], Turn), self._rng)), None
        if shown["moment"] == "between" and shown["number"] and not own["ready"]:
            return Ready(), None
        return None

    def _share(self, number: int, wanted: str) -> tuple[Wish, str]:
        """The page's part in the shuffling; asked twice, it says the same with the same id."""
        secret = Random(f"{self._dice}:{number}").randbytes(32).hex()
        wish = Commit(number, commitment(secret)) if wanted == "commit" else Reveal(number, secret)
        return wish, f"{wanted}-{number}-{secret[:32]}"


def deal_over(page: Page) -> bool:
    """Whether the page shows the result of the first deal."""
    return page.scene["result"] is not None


def party(
    servers: Sequence[Serving],
    rules: str,
    size: int,
    people: int = 1,
    level: str = "random",
    languages: Sequence[str] = ("en",),
    plays: bool = True,
    luck: str = "",
    **settings: Any,
) -> list[Page]:
    """The pages of some people at a new table whose other seats have bots; each begins at another server.

    Those with the same luck choose alike, and take the same time.
    """
    pages: list[Page] = []
    plans = [{"kind": "open"}] * (people - 1) + [{"kind": "bot", "level": level}] * (size - people)
    for seat in range(people):
        turned = [*servers[seat % len(servers) :], *servers[: seat % len(servers)]]
        visitor = Visitor(turned[0])
        player = visitor.enter()["id"]
        visitor.ask("PATCH", "/api/me", {"name": f"Player {seat}"})  # no two at a table may be called alike
        if not pages:
            table = opened(visitor, rules, size, plans, settings)
        dice, language = f"{luck}{rules}:{size}:{seat}", languages[seat % len(languages)]
        pages.append(Page(visitor, player, table, turned, language, plays, dice))
        if seat:
            pages[-1].want(Sit(seat))
    return pages


def opened(visitor: Visitor, rules: str, size: int, plans: Sequence[Any], settings: dict[str, Any]) -> str:
    """A new table whose cards follow from a seed: written into the database where the server has none."""
    seats = [{"kind": "host"}, *plans]
    if visitor.server.seed is not None:
        return visitor.open_table(rules, size, seats=seats, **settings)
    wish = {"rules": rules, "size": size, "seats": seats, "tempo": "instant"} | settings
    host = visitor.enter()
    table = sha256(f"{host['id']}:{rules}".encode()).hexdigest()[:16]
    agreed = msgspec.convert(wish, Settings)
    facts = open_table(table, agreed, host["id"], host["name"], seed=SEED)
    write(visitor.server.database, facts, time())
    return table


async def in_a_trick(
    pages: Sequence[Page],
    senders: Sequence[Page],
    commands: int,
    at_once: Callable[[], None] = lambda: None,
) -> None:
    """Wait until so many commands of the pages are answered and a sender has just sent one within a trick.

    What is to be done at once is done before anybody can hear the answer.
    """
    sent = asyncio.Event()

    def look(page: Page) -> None:
        if not sent.is_set() and page.in_trick and sum(len(page.done) for page in pages) >= commands:
            at_once()
            sent.set()

    for page in senders:
        page.when_sent = look
    await sent.wait()


def failures(server: Serving) -> list[dict[str, Any]]:
    """What has gone wrong in a server, by its log."""
    return [line for line in server.lines if line["level"] in ("error", "critical")]


# --- what the server has kept --------------------------------------------------------------------------


class Logged(NamedTuple):
    """A row of the log of a table; a command stands there with its sender."""

    seq: int
    fact: Fact
    cmd: str | None
    at: float


def log_of(database: str, table: str) -> list[Logged]:
    """The log of a table, as the database has it."""
    engine = create_engine(url_of(database))
    columns = event.c.seq, event.c.body, event.c.cmd_id, event.c.at
    query = select(*columns).where(event.c.table_id == table).order_by(event.c.seq)
    try:
        with engine.connect() as connection:
            return [
                Logged(seq, msgspec.json.decode(body, type=Fact), cmd, at)
                for seq, body, cmd, at in connection.execute(query)
            ]
    finally:
        engine.dispose()


def check_log(log: Sequence[Logged], pages: Iterable[Page]) -> None:
    """Each acknowledged command of a table's pages is in its log once, as it was wished, and no other is.

    Each page shows what the log says up to where the page is.
    """
    assert [row.seq for row in log] == list(range(1, len(log) + 1))
    commands = [row.cmd for row in log if row.cmd is not None]
    assert sorted(commands) == sorted(f"{page.player}:{cmd}" for page in pages for cmd in page.done)
    for page in pages:
        for cmd, seq in page.done.items():
            assert log[seq - 1].cmd == f"{page.player}:{cmd}"
            assert says(log[seq - 1].fact, page.sent[cmd]), (log[seq - 1], page.sent[cmd])
        ought = without_presence(scene_at(log, page))
        for section, shown in without_presence(page.scene).items():
            assert shown == ought[section], section


def says(fact: Fact, wish: Wish) -> bool:
    """Whether a fact is what was wished."""
    match fact, wish:
        case Happened(events=events), Act(action=Play(card=card)):
            return any(isinstance(one, CardPlayed) and one.card == card for one in events)
        case PlayerCommitted(digest=digest), Commit():
            return digest == wish.digest
        case PlayerRevealed(secret=secret), Reveal():
            return secret == wish.secret
        case SeatTaken(seat=seat), Sit():
            return seat == wish.seat
        case (Happened(), Act()) | (MadeReady(), Ready()) | (SessionStarted(), Start()):
            return True
    return False


def scene_at(log: Sequence[Logged], page: Page) -> dict[str, Any]:
    """What a page ought to show where it is."""
    live = fold(None, [Row(row.seq, row.fact, row.at) for row in log[: page.seq]]).live
    ought = scene(live, page.player, page.language, frozenset())
    return msgspec.json.decode(msgspec.json.encode(ought), type=dict[str, Any])


def without_presence(shown: dict[str, Any]) -> dict[str, Any]:
    """A scene without who is connected, which is not in the log."""
    return shown | {"seats": [seat | {"present": True} for seat in shown["seats"]]}


def check_record(server: Serving, page: Page) -> None:
    """The record of the page's table that a server gives is one of a game played by the rules."""
    given = Visitor(server).get(f"/api/tables/{page.table}/record?form=jsonl")
    assert given.status == 200, given
    kept = record.loads(given.body.decode())
    reached = check(record.rules_of(kept.header), [entry.event for entry in kept.entries])
    assert reached.series is not None
    assert reached.series.deals > 0
