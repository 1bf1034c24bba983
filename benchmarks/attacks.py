"""What an honest player notices of an attack: waits without it and beside it, in one run.

`python -m benchmarks.attacks [name …]` measures some attacks alone. To add one, write a function under
`@attack`: it gets a `Target`, does its harm over connections from `Target.connect` or `Target.ask`, and stops
when `Target.paced` does. It runs in a process of its own, of low priority, and is begun again when the server
ends it. Its connections come from another address than those of the honest player, as they would.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import http
import http.client
import json
import os
import socket
import struct
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from importlib import import_module
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.parse import quote

from benchmarks.report import ROOT, Bar, Section, bars_table, table

SERVER: Final = "127.0.0.1"
ATTACKERS: Final = "127.0.0."  # where attacks come from, from 127.0.0.2 up
NICE: Final = 10  # an attacker has a machine of its own; here it takes turns with the server
PATIENCE: Final = 5.0  # seconds an attacker waits for the server
AGAIN: Final = 0.05  # seconds until an attack that was ended begins again
MOST: Final = 3.0  # times as long an honest player may wait beside an attack
SPECTATORS: Final = 100
WRITERS: Final = 20
CHUNK: Final = 48 * 1024  # bytes of frames that are sent at once


class Target(NamedTuple):
    """The server under attack, and what the attacker has there: a session of their own, and a table."""

    port: int
    cookie: str
    table: str
    seconds: float  # after which any attack stops by itself
    number: int = 0  # of the address that requests come from

    @property
    def origin(self) -> str:
        """The origin of the server's own pages."""
        return f"http://{SERVER}:{self.port}"

    def connect(self, number: int = 0, buffer: int = 0) -> socket.socket:
        """A new connection, from one of several addresses; with a `buffer`, one that holds little."""
        connection = socket.socket()
        if buffer:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        connection.settimeout(PATIENCE)
        connection.bind((f"{ATTACKERS}{2 + number}", 0))
        connection.connect((SERVER, self.port))
        return connection

    def request(self, line: str, *headers: str) -> bytes:
        """A request without a body as it goes over the line."""
        host = f"Host: {SERVER}:{self.port}"
        return "\r\n".join([f"{line} HTTP/1.1", host, *headers, "", ""]).encode()

    def ask(
        self, method: str, path: str, body: bytes | None = None, headers: Mapping[str, str] | None = None
    ) -> int:
        """Send a request as the attacker, over a connection of its own; the status of the answer."""
        return self.told(method, path, body, headers)[0]

    def told(
        self, method: str, path: str, body: bytes | None = None, headers: Mapping[str, str] | None = None
    ) -> tuple[int, bytes]:
        """The same, with the answer itself."""
        connection = self._line()
        sent = {"Origin": self.origin, "Cookie": self.cookie, **(headers or {})}
        try:
            connection.request(method, path, body, sent)
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    def made(self, path: str, wish: Any) -> str:
        """Make something, if the server still lets one; its id."""
        status, body = self.told("POST", path, json.dumps(wish).encode())
        if status != http.HTTPStatus.CREATED:
            raise ConnectionRefusedError(body)
        key: str = json.loads(body)["id"]
        return key

    def read(self, path: str, body: bytes | None = None) -> None:
        """Ask for something that takes long, and wait for it as long as the attack goes on."""
        connection = self._line()
        connection.timeout = self.seconds
        try:
            connection.request(
                "GET" if body is None else "POST", path, body, {"Origin": self.origin, "Cookie": self.cookie}
            )
            connection.getresponse().read()
        finally:
            connection.close()

    def as_guest(self) -> Target:
        """The attacker once more, as a new guest."""
        connection = self._line()
        try:
            connection.request("POST", "/api/enter", b"{}", {"Origin": self.origin})
            answer = connection.getresponse()
            answer.read()
            given = [cookie.partition(";")[0] for cookie in answer.headers.get_all("set-cookie", [])]
        finally:
            connection.close()
        if not given:
            raise ConnectionRefusedError(answer.status)
        return self._replace(cookie="; ".join(given))

    def _line(self) -> http.client.HTTPConnection:
        here = f"{ATTACKERS}{2 + self.number}", 0
        return http.client.HTTPConnection(SERVER, self.port, PATIENCE, here)

    def together(self, work: Callable[[Target], None], addresses: int = 1, guests: int = 1) -> None:
        """Have this done again and again by so many guests of each of so many addresses at once."""

        def go_on(number: int) -> None:
            guest = self._replace(number=number % addresses).as_guest()
            for _ in self.paced(10):
                with suppress(OSError, http.client.HTTPException):
                    work(guest)

        with ThreadPoolExecutor(addresses * guests) as pool:
            list(pool.map(go_on, range(addresses * guests)))

    def flood(self, paths: Sequence[str], rate: float, threads: int = 8) -> None:
        """Ask for these by turns, so many a second altogether, over several connections at once."""

        def ask(_: int) -> None:
            for number in self.paced(rate / threads):
                with suppress(OSError, http.client.HTTPException):
                    self.ask("GET", paths[number % len(paths)])

        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(ask, range(threads)))

    def watch(self) -> socket.socket:
        """An open WebSocket at the table, for frames as they come."""
        connection = self.connect()
        connection.sendall(
            self.request(
                f"GET /ws/{self.table}",
                f"Origin: {self.origin}",
                f"Cookie: {self.cookie}",
                "Upgrade: websocket",
                "Connection: Upgrade",
                "Sec-WebSocket-Version: 13",
                f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}",
            )
        )
        answer = connection.recv(4096)
        if b" 101 " not in answer.split(b"\r\n")[0]:
            connection.close()
            raise ConnectionRefusedError(answer)
        return connection

    def paced(self, rate: float) -> Iterator[int]:
        """Numbers from 0, so many a second, until the attack must stop."""
        began = time.monotonic()
        for number in range(int(rate * self.seconds)):
            if (ahead := began + number / rate - time.monotonic()) > 0:
                time.sleep(ahead)
            yield number


class Attack(NamedTuple):
    """One way to do harm."""

    name: str
    about: str
    run: Callable[[Target], None]
    files: int | None  # that the server which is attacked may have open
    env: Mapping[str, str]  # its settings
    beside: bool  # it happens at the honest player's own table
    settling: float  # seconds until it is under way
    asks: tuple[str, ...]  # what else an honest visitor asks for meanwhile (see `attack_load.ASKS`)


ATTACKS: Final[dict[str, Attack]] = {}


def attack(
    about: str,
    *,
    files: int | None = None,
    beside: bool = False,
    settling: float = 1.0,
    asks: tuple[str, ...] = (),
    **env: str,
) -> Callable[[Callable[[Target], None]], Callable[[Target], None]]:
    """Enter a function in the list of attacks; `env` is for the server, such as `ULTIMO_SOCKETS="10"`.

    An attack `beside` the honest player has the player's own table for its table.
    """

    def enter(run: Callable[[Target], None]) -> Callable[[Target], None]:
        ATTACKS[run.__name__] = Attack(run.__name__, about, run, files, env, beside, settling, asks)
        return run

    return enter


def carry_out(name: str, target: Target) -> None:
    """Attack until the time is over: the whole of an attacker's process."""
    os.nice(NICE)
    end = time.monotonic() + target.seconds
    while (left := end - time.monotonic()) > 0:
        with suppress(OSError, http.client.HTTPException):
            ATTACKS[name].run(target._replace(seconds=left))
        time.sleep(AGAIN)


def frame(opcode: int, payload: bytes = b"", fin: bool = True) -> bytes:
    """A frame as a client sends it; the mask is zero, so that the payload stays as it is."""
    assert len(payload) < 1 << 16
    size = bytes([0x80 | len(payload)]) if len(payload) < 126 else struct.pack("!BH", 0xFE, len(payload))
    return bytes([fin << 7 | opcode]) + size + bytes(4) + payload


# --- attacks -------------------------------------------------------------------------------------------


@attack("a WebSocket sends empty continuation frames without end, 500,000 a second")
def continuation_frames(target: Target) -> None:
    """A message that never ends, of parts that hold nothing."""
    chunk = frame(0, fin=False) * (CHUNK // 6)
    with target.watch() as connection:
        connection.sendall(frame(1, fin=False))
        for _ in target.paced(60):
            connection.sendall(chunk)


@attack(
    "100 guests watch the honest player's table; each talks and asks for everything again",
    beside=True,
    settling=5.0,
    ULTIMO_SPECTATORS=str(2 * SPECTATORS),
)
def spectators_talk(target: Target) -> None:
    """Each of them stays within the limits of one person."""
    with ExitStack() as stack:
        crowd = [stack.enter_context(target.as_guest().watch()) for _ in range(SPECTATORS)]
        for one in crowd:
            one.setblocking(False)
        for number in target.paced(SPECTATORS * 7.0):
            one = crowd[number % SPECTATORS]
            say = f'{{"type":"do","cmd":"words-{number:06}","wish":{{"type":"Say","text":"words {number}"}}}}'
            with suppress(BlockingIOError):
                while one.recv(CHUNK):
                    pass
            with suppress(BlockingIOError):
                one.send(frame(1, b'{"type":"resync"}' if number // SPECTATORS % 2 else say.encode()))


@attack("a WebSocket sends pings without end, 500,000 a second, and reads no answers")
def pings(target: Target) -> None:
    """Each ping wants a pong."""
    chunk = frame(9) * (CHUNK // 6)
    with target.watch() as connection:
        for _ in target.paced(60):
            connection.sendall(chunk)


@attack("1,100 connections that say nothing, at a limit of 1,024 open files", files=1024)
def idle_connections(target: Target) -> None:
    """Connections that only take up room, from four addresses."""
    with ExitStack() as held:
        for number in target.paced(500):
            if number >= 1100:
                time.sleep(target.seconds)
            held.enter_context(target.connect(number % 4))


@attack("400 connections that send a header by single bytes, one a second each")
def slow_headers(target: Target) -> None:
    """Requests that never come to their end."""
    line, lines = b"GET / HTTP/1.1\r\nX-Padding: ", deque[socket.socket]()
    with ExitStack() as held:
        for _ in target.paced(400):
            try:
                if len(lines) < 400:
                    lines.append(held.enter_context(target.connect(len(lines) % 4)))
                    lines[-1].sendall(line)
                lines.rotate()
                lines[0].sendall(b"x")
            except OSError:
                if lines:
                    lines.popleft().close()


@attack("100 connections ask for all words of the page again and again and read nothing")
def unread_answers(target: Target) -> None:
    """Answers that stay where they are made."""
    ask = target.request("GET /api/words?lang=en") * 20
    lines = deque[socket.socket]()
    with ExitStack() as held:
        for _ in target.paced(50):
            try:
                if len(lines) < 100:
                    lines.append(held.enter_context(target.connect(buffer=4096)))
                    lines[-1].setblocking(False)
                lines.rotate()
                lines[0].send(ask)
            except BlockingIOError:
                continue
            except OSError:
                if lines:
                    lines.popleft().close()


@attack("changes from a foreign page, 2,000 a second over 20 connections")
def refused_requests(target: Target) -> None:
    """Requests that are refused, as fast as they can be answered."""
    ask = target.request("POST /api/enter", "Origin: https://evil.example", "Content-Length: 0")
    lines = deque[socket.socket]()
    with ExitStack() as held:
        for _ in target.paced(200):
            try:
                if len(lines) < 20:
                    lines.append(held.enter_context(target.connect()))
                    lines[-1].setblocking(False)
                lines.rotate()
                lines[0].send(ask * 10)
                lines[0].recv(1 << 16)
            except BlockingIOError:
                continue
            except OSError:
                if lines:
                    lines.popleft().close()


@attack("a new connection for each of 500 requests a second")
def new_connections(target: Target) -> None:
    """Requests that bring a connection of their own."""
    ask = target.request("GET /api/books", "Connection: close")
    held = deque[socket.socket](maxlen=100)
    for _ in target.paced(500):
        with suppress(OSError):
            if len(held) == 100:
                held[0].close()
            held.append(target.connect())
            held[-1].sendall(ask)


@attack("bodies in parts of one byte")
def tiny_parts(target: Target) -> None:
    """Bodies that take the parser far longer than the network."""
    head = target.request("POST /api/enter", f"Origin: {target.origin}", "Transfer-Encoding: chunked")
    body = b"1\r\n \r\n" * (CHUNK // 6)
    for _ in target.paced(50):
        with suppress(OSError), target.connect() as connection:
            connection.sendall(head + body)


BOTS: Final = [{"kind": "bot", "level": "random"}] * 3


def _played(target: Target) -> str:
    """A table at which bots have played a deal; for more of them they would not be quick enough."""
    wish = {"rules": "dtf", "size": 3, "seats": BOTS, "tempo": "instant", "deals": 1}
    table = target.made("/api/tables", {"settings": wish})
    with target._replace(table=table).watch() as connection:
        for _ in target.paced(10):
            connection.settimeout(0.01)
            with suppress(TimeoutError):
                while connection.recv(CHUNK):
                    pass
            if json.loads(target.told("GET", f"/api/tables/{table}")[1])["moment"] == "over":
                return table
    raise TimeoutError


@attack("replays, records, ledgers, proofs and positions of a played table are asked for, 200 a second")
def costly_reads(target: Target) -> None:
    """What is worked out from a log, at the full allowance of an address."""
    table = _played(target)
    whats = ("replay/1", "record?form=jsonl", "ledger", "replay/1?lang=fr", "fair/1", "position/1/9", "rules")
    target.flood([f"/api/tables/{table}/{what}" for what in whats], 200)


@attack("rulebooks with ever other house rules are asked for, 200 a second")
def house_rules(target: Target) -> None:
    """Pages of rulebooks that nobody has asked for before."""
    houses = [f'{{"base":{number}}}' for number in range(1000)]
    languages = ("en", "da", "fr", "de")
    asked = [
        f"/api/books/{book}{page}?lang={languages[place % 4]}&house={quote(house)}"
        for place, house in enumerate(houses)
        for book, page in (("french4", ""), ("fft4", "/learn"))
    ]
    target.flood(asked, 200)


@attack("guests come, open tables of bots and watch them, 20 a second")
def tables_of_bots(target: Target) -> None:
    """As many tables as one address may open, of bots alone and for oneself, all of them watched."""
    watched = []
    guest = target
    wish = {"rules": "dtf", "size": 3, "tempo": "instant", "deals": 500}
    try:
        for number in target.paced(20):
            with suppress(OSError, http.client.HTTPException):
                if number % 4 == 0:
                    guest = target.as_guest()
                seats = BOTS if number % 2 else [{"kind": "host"}, *BOTS[1:]]
                table = guest.made("/api/tables", {"settings": {**wish, "seats": seats}})
                watched.append(guest._replace(table=table).watch())
            for connection in watched:
                connection.setblocking(False)
                with suppress(OSError):
                    connection.recv(CHUNK)
    finally:
        for connection in watched:
            connection.close()


@attack("a score sheet of 1000 deals is looked at and made a workbook of, 100 a second")
def long_sheet(target: Target) -> None:
    """The longest score sheet there can be, again and again."""
    opened = {"type": "Opened", "rules": "dtf", "names": ["A", "B", "C"], "by": "A"}
    deal = {"type": "Booked", "by": "A", "entry": {"game": "danish"}}
    log = "\n".join(json.dumps(line) for line in [opened, *[deal] * 1000])
    sheet = target.made("/api/sheets/read", {"log": log})
    target.flood([f"/api/sheets/{sheet}{what}" for what in ("", "/xlsx", "/table.csv", "/log")], 100)


@attack("a club of 600 evenings is imported, exported, read back and looked at, 50 a second")
def large_club(target: Target) -> None:
    """The work of a large club, by one secretary who asks for all of it at once."""
    club = target.made("/api/clubs", {"name": "Tarok", "me": "A"})
    days = [f"{2000 + day // 280}-{1 + day // 28 % 10:02d}-{1 + day % 28:02d}" for day in range(600)]
    lines = [f"{day};{name};{points}" for day in days for name, points in (("A", 5), ("B", -2), ("C", -3))]
    text = "\n".join(["day;name;points", *lines])
    target.ask(
        "POST", f"/api/clubs/{club}/import", json.dumps({"text": text, "add": True, "check": False}).encode()
    )
    file = target.told("GET", f"/api/clubs/{club}/export")[1].decode()
    with suppress(OSError, http.client.HTTPException):
        for _ in range(3):
            target.ask("POST", "/api/clubs/read", json.dumps({"file": file, "member": "m1"}).encode())
    whats = ("", "/export", "/seasons/all", "/chronicle", "/results.csv", "/standings.csv", "/members/m1")
    target.flood([f"/api/clubs/{club}{what}" for what in whats], 50)


@attack(
    "20 guests change the speed of tables to and fro that nobody plays at, each 8 times a second",
    settling=5.0,
)
def speeds_to_and_fro(target: Target) -> None:
    """As much as people may write, from one address."""
    seats = [{"kind": "host"}, {"kind": "open"}, {"kind": "open"}]
    with ExitStack() as stack:
        crowd = []
        for _ in range(WRITERS):
            guest = target.as_guest()
            table = guest.made("/api/tables", {"settings": {"rules": "dtf", "size": 3, "seats": seats}})
            crowd.append(stack.enter_context(guest._replace(table=table).watch()))
            crowd[-1].setblocking(False)
        for number in target.paced(WRITERS * 8.0):
            one, tempo = crowd[number % WRITERS], ("fast", "slow")[number // WRITERS % 2]
            wish = f'{{"type":"do","cmd":"tempo-{number:06}","wish":{{"type":"SetTempo","tempo":"{tempo}"}}}}'
            with suppress(BlockingIOError):
                while one.recv(CHUNK):
                    pass
            with suppress(BlockingIOError):
                one.send(frame(1, wish.encode()))


@attack("guests ask for 30 tables, score sheets and tournaments each at the same moment, again and again")
def begun_at_once(target: Target) -> None:
    """What has a limit for a person, at once."""
    table = {"settings": {"rules": "dtf", "size": 3, "seats": BOTS, "tempo": "instant"}}
    sheet = {"rules": "dtf", "names": ["A", "B", "C"]}
    cup = {"name": "Cup", "rules": "french4", "rounds": 2, "deals": 4}
    wishes = (("/api/tables", table), ("/api/sheets", sheet), ("/api/tournaments", cup))
    with ThreadPoolExecutor(30) as pool:
        for _ in target.paced(1):
            guest = target.as_guest()
            for path, wish in wishes:
                body = json.dumps(wish).encode()
                asked = [pool.submit(guest.ask, "POST", path, body) for _ in range(30)]
                for one in asked:
                    with suppress(OSError, http.client.HTTPException):
                        one.result()


@attack("bodies of 15 MiB where 64 KiB are allowed, over 4 connections at once")
def bodies_too_large(target: Target) -> None:
    """Bodies that are read only to be thrown away."""
    body = bytes(15 * 1024 * 1024)

    def send(_: int) -> None:
        for _ in target.paced(5):
            with suppress(OSError, http.client.HTTPException):
                target.ask("POST", "/api/enter", body)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(send, range(4)))


# All but the first three tricks of a deal.
POSITION: Final = (
    "dtf: F T21 T17 T13 T10 T8 T7 T3 T2 S3 S1 HQ HJ H9 H3 H1 CN C8 C7 C6 C3 DQ DJ"
    " / M T19 T18 T16 T15 T14 T6 T4 T1 SK S9 HK H7 H6 H5 CQ CJ C2 DK D7 D4 D3 D1"
    " / B T20 T12 T11 T9 T5 SQ SN S8 S4 S2 H8 H4 H2 CK C10 C9 C5 C4 D9 D8 D6 D2"
    "; M leads; cups 65 65; won F 1 M 1 B 1; piles F DN, M HN, B T0 SJ; skat S7 S5 C1"
)


@attack(
    "8 guests of one address search a deal of 22 tricks each",
    settling=5.0,
    asks=("a small search", "a puzzle"),
)
def long_searches(target: Target) -> None:
    """Each person may have one search; these never come to an end."""
    wish = json.dumps({"text": POSITION, "moves": []}).encode()
    target.together(lambda guest: guest.read("/api/analyse/solve", wish), guests=8)


@attack(
    "six addresses ask for the hands of 800 prepared deals",
    settling=5.0,
    asks=("the lobby", "the rules of a book"),
)
def hand_records(target: Target) -> None:
    """Seconds of the processor for each, at the full allowance of six addresses."""
    wish = {"name": "A", "rules": "french4", "rounds": 20, "deals": 40, "kind": "duplicate", "sizes": [4]}
    made = dict[int, str]()

    def ask(guest: Target) -> None:
        if guest.number not in made:
            made[guest.number] = guest.made("/api/tournaments", wish)
        guest.read(f"/api/tournaments/{made[guest.number]}/boards.html")

    target.together(ask, addresses=6)


# --- measuring -----------------------------------------------------------------------------------------


def _row(name: str, without: Any, beside: Any) -> tuple[object, ...]:
    cells = [
        cell
        for now, then in ((without.median, beside.median), (without.p95, beside.p95))
        for cell in (1000 * now, 1000 * then, then / now)
    ]
    return name, *cells, beside.failed


def compare(names: list[str], seconds: float, turns: int, sources: str = "") -> Section:
    """Each of these attacks on a server of its own, by turns with quiet; it may be one of other sources."""
    sys.path.append(str(ROOT / "tests"))
    loads: Any = import_module("benchmarks.attack_load")
    found = {name: asyncio.run(loads.besieged(ATTACKS[name], seconds, turns, sources)) for name in names}
    head = ("attack", "median ms without", "beside", "ratio", "p95 ms without", "beside", "ratio", "failed")
    kinds = dict.fromkeys(what for quiet, _ in found.values() for what in quiet)
    pairs = {
        (name, what): (quiet[what], siege[what])
        for what in kinds
        for name, (quiet, siege) in found.items()
        if what in quiet
    }
    return Section(
        "Beside an attack",
        "A server with its usual limits. An honest player plays against two bots at a table of their own; "
        "`/healthz` is asked over a new connection each time; without an attack and beside it, by turns. "
        "A move takes from the player's action until its effect is seen. Beside some attacks somebody at "
        "another address asks for the lobby, the rules of a book, a puzzle, the search of a small ending. "
        "*failed* counts requests without an answer, and connections of the player that were lost.\n\n"
        + "\n".join(f"* `{name}`: {ATTACKS[name].about}" for name in names),
        tuple(
            f"**{what}**\n\n"
            + table(head, [_row(name, *pairs[name, what]) for name in names if (name, what) in pairs])
            for what in kinds
        ),
        tuple(
            Bar(f"{what} beside {name}: p95, times that without", MOST, siege.p95 / quiet.p95, most=True)
            for (name, what), (quiet, siege) in pairs.items()
        ),
    )


def measure(full: bool) -> Section:
    """All attacks."""
    return compare(list(ATTACKS), 15.0 if full else 5.0, 3 if full else 2)


def main() -> None:
    """Measure some attacks, and print what was found."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="name", help=", ".join(ATTACKS))
    parser.add_argument("--seconds", type=float, default=5.0, help="of one turn")
    parser.add_argument("--turns", type=int, default=2, help="with and without the attack")
    parser.add_argument("--before", metavar="TREE", help="measure the sources of another tree first")
    given = parser.parse_args()
    if unknown := set(given.names) - set(ATTACKS):
        parser.error(f"there is no attack {' '.join(unknown)}; there are {' '.join(ATTACKS)}")
    for tree in (given.before, "") if given.before else ("",):
        sources = tree and str(Path(tree, "src").resolve())
        section = compare(given.names or list(ATTACKS), given.seconds, given.turns, sources)
        print("\n".join([f"# {sources or 'these sources'}", *section.lines(), bars_table(section.bars)]))


if __name__ == "__main__":
    from benchmarks.attacks import main as run  # attacks are found by their names in this module

    run()
