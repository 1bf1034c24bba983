"""A real server in a process of its own, and people who talk to it over real connections."""

from __future__ import annotations

import http.client
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random
from types import TracebackType
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import msgspec
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from live import answer
from ultimo.fair import commitment
from ultimo.server.settings import TEST_SEED
from ultimo.table.scene import Turn

OPEN = "Ultimo is running at "
ROOM = {  # for pages that play faster than a person could, and for a file of tests that share a server
    "ULTIMO_MESSAGE_BURST": "100",
    "ULTIMO_READ_BURST": "100000",
    "ULTIMO_READ_RATE": "1000",
    "ULTIMO_TABLE_BURST": "10000",
    "ULTIMO_OWN_TABLES": "10000",
    "ULTIMO_OWN_EXPERTS": "10000",
} | {f"ULTIMO_DAY_{what}": "10000" for what in ("GUESTS", "TABLES", "SHEETS", "CLUBS", "TOURNAMENTS")}
SEED = "1"
PATIENCE = 180.0  # seconds until what must happen is taken not to happen; a machine may be busy


def until(condition: Callable[[], bool], otherwise: Callable[[], str] = str) -> None:
    """Wait until something is so, which it must be in the end; otherwise say why it should."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, otherwise()
        time.sleep(0.02)


def serve(*flags: str, **env: str) -> subprocess.CompletedProcess[str]:
    """A server that is not expected to start."""
    program = [sys.executable, "-m", "ultimo.cli.main", "serve", *flags]
    return subprocess.run(
        program, capture_output=True, text=True, timeout=PATIENCE, env={**os.environ, **env}, check=False
    )


def ends_with_its_parent(group: int) -> None:
    """The workers of a killed run end by themselves."""

    def gone() -> bool:
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        return False

    until(gone, lambda: "a worker has outlived its parent")


class Serving:
    """`ultimo serve` with a database: started by `with`, killed or stopped and started again at will.

    The port is a free one unless it is given, and stays the same when the server is started again. All cards
    follow from the seed; without one, as on PostgreSQL, which takes none, they come from real secrets. It may
    run inside a network namespace; with `files` it may have only so many files open.
    """

    def __init__(
        self,
        database: Path | str,
        port: int = 0,
        env: Mapping[str, str] | None = None,
        *flags: str,
        seed: str | None = SEED,
        inside: str = "",
        files: int | None = None,
    ) -> None:
        self.database = str(database)
        self.port = port
        self.url = ""
        self.seed = None if "://" in self.database else seed
        self._env = {TEST_SEED: self.seed or "", **(env or {})}
        self._flags = flags
        self._inside = ["ip", "netns", "exec", inside] if inside else []
        self._files = files
        self._process: subprocess.Popen[str] | None = None
        self._log = tempfile.NamedTemporaryFile("w+", suffix=".log")  # noqa: SIM115

    def __enter__(self) -> Serving:
        if self._log.closed:  # it has been here before
            self._log = tempfile.NamedTemporaryFile("w+", suffix=".log")
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.kill()
        self._log.close()

    def start(self) -> None:
        """Start the server, and wait until it can be reached."""
        program = [sys.executable, "-m", "ultimo.cli.main", "serve"]
        if self._files is not None:
            program = ["sh", "-c", f'ulimit -n {self._files}; exec "$@"', "sh", *program]
        settings = ["--database", self.database, "--port", str(self.port), "--bot-processes", "1"]
        self._process = subprocess.Popen(
            [*self._inside, *program, *settings, *self._flags],
            stdout=subprocess.PIPE,
            stderr=self._log,
            text=True,
            env={**os.environ, **ROOM, **self._env},
        )
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line.startswith(OPEN):
            raise AssertionError(f"the server does not start: {line}{self.log}")
        self.url = line.removeprefix(OPEN).strip().rstrip("/")
        self.port = urlsplit(self.url).port or 0

    def kill(self) -> None:
        """Let the server die without a word."""
        self._end(signal.SIGKILL)

    def stop(self) -> int:
        """Ask the server to stop; the status with which it ends."""
        return self._end(signal.SIGTERM)

    def pause(self) -> None:
        """Let the server hang: it does nothing, and its connections stay open."""
        os.kill(self.pid, signal.SIGSTOP)

    def resume(self) -> None:
        """Let the server go on as if nothing had happened."""
        os.kill(self.pid, signal.SIGCONT)

    def _end(self, how: signal.Signals) -> int:
        if self._process is None:
            return 0
        self._process.send_signal(how)
        status = self._process.wait(PATIENCE)
        if self._process.stdout is not None:
            self._process.stdout.close()
        self._process = None
        return status

    @property
    def pid(self) -> int:
        """The process of the server."""
        assert self._process is not None
        return self._process.pid

    @property
    def log(self) -> str:
        """All that the server has logged."""
        return Path(self._log.name).read_text(encoding="utf-8")

    @property
    def lines(self) -> list[dict[str, Any]]:
        """The complete lines of the log, as programs read them."""
        return [
            msgspec.json.decode(line) for line in self.log.splitlines(keepends=True) if line.endswith("\n")
        ]

    def logged(self, event: str, **values: Any) -> dict[str, Any]:
        """The last line of the log about an event with these values, as soon as there is one."""
        wanted = {"event": event, **values}

        def found() -> list[dict[str, Any]]:
            return [line for line in self.lines if wanted.items() <= line.items()]

        until(lambda: bool(found()), lambda: f"nothing is logged about {wanted}: {self.log}")
        return found()[-1]


class Answer(NamedTuple):
    """What the server answers."""

    status: int
    headers: Mapping[str, str]
    cookies: tuple[str, ...]
    body: bytes

    @property
    def json(self) -> Any:
        """The answer as JSON."""
        return msgspec.json.decode(self.body)


class Visitor:
    """Somebody with a browser of his own: it keeps cookies and says which page it is on."""

    def __init__(self, server: Serving) -> None:
        self.server = server
        self.cookies: dict[str, str] = {}

    def ask(
        self,
        method: str,
        path: str,
        body: Any = None,
        headers: Mapping[str, str] | None = None,
        data: bytes | None = None,
    ) -> Answer:
        """Send a request; `data` goes out as it is."""
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=PATIENCE)
        sent = {"Origin": self.server.url, "Cookie": self.cookie} | dict(headers or {})
        content = data if data is not None else None if body is None else msgspec.json.encode(body)
        try:
            connection.request(method, path, content, {key: value for key, value in sent.items() if value})
            answer = connection.getresponse()
            cookies = tuple(answer.headers.get_all("set-cookie", []))
            result = Answer(
                answer.status, {k.lower(): v for k, v in answer.headers.items()}, cookies, answer.read()
            )
        finally:
            connection.close()
        self._keep(cookies)
        return result

    def get(self, path: str) -> Answer:
        """Ask for something."""
        return self.ask("GET", path)

    def post(self, path: str, body: Any = None) -> Answer:
        """Ask for a change."""
        return self.ask("POST", path, body if body is not None else {})

    def enter(self) -> Any:
        """Come in."""
        return self.post("/api/enter").json

    def open_table(self, rules: str = "dtf", size: int = 3, level: str = "random", **settings: Any) -> str:
        """Open a table for oneself and bots."""
        seats = [{"kind": "host"}, *[{"kind": "bot", "level": level}] * (size - 1)]
        wish = {"rules": rules, "size": size, "seats": seats, "tempo": "instant"} | settings
        answer = self.post("/api/tables", {"settings": wish})
        assert answer.status == 201, answer
        table: str = answer.json["id"]
        return table

    def watch(self, table: str, origin: str | None = None) -> ClientConnection:
        """Open a socket at a table, from a page of this server or from another."""
        address = self.server.url.replace("http", "ws", 1)
        return connect(
            f"{address}/ws/{table}?lang=en",
            origin=Origin(origin or self.server.url),
            additional_headers={"Cookie": self.cookie} if self.cookie else None,
            proxy=None,
            open_timeout=PATIENCE,
            legacy=True,
        )

    @property
    def cookie(self) -> str:
        """The cookies as they are sent."""
        return "; ".join(f"{name}={value}" for name, value in self.cookies.items())

    def _keep(self, cookies: tuple[str, ...]) -> None:
        for cookie in cookies:
            name, _, value = cookie.partition(";")[0].partition("=")
            if value.strip('"'):
                self.cookies[name] = value
            else:
                self.cookies.pop(name, None)


class AtTable:
    """A page at a table: it keeps the scene up to date, and does by the offers what it is asked."""

    def __init__(self, visitor: Visitor, table: str, seed: int = 1) -> None:
        self.socket = visitor.watch(table)
        self.scene: dict[str, Any] = {}
        self.seq = 0
        self.story: list[dict[str, Any]] = []
        self._rng = Random(seed)  # for what is chosen at the table, and nothing else
        self._commands = Random(seed)
        self.hear()

    def __enter__(self) -> AtTable:
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.close()

    def hear(self) -> dict[str, Any]:
        """The next message, which the scene is brought up to."""
        message: dict[str, Any] = msgspec.json.decode(self.socket.recv(PATIENCE))
        match message["type"]:
            case "full":
                self.scene, self.seq = message["scene"], message["seq"]
                self.story = message["story"]
            case "update":
                assert message["base"] == self.seq, message
                self.scene |= message["patch"]
                self.seq = message["seq"]
                self.story += message["story"]
        return message

    def do(self, wish: dict[str, Any], cmd: str | None = None) -> dict[str, Any]:
        """Send a command, and wait for its answer and until its effect is seen."""
        cmd = cmd or self._commands.randbytes(8).hex()
        self.send({"type": "do", "cmd": cmd, "wish": wish})
        while True:
            message = self.hear()
            if message.get("cmd") == cmd or message["type"] == "goodbye":
                while self.seq < message.get("seq", 0):
                    self.hear()
                return message

    def send(self, message: Any) -> None:
        """Send something, whatever it is."""
        self.socket.send(msgspec.json.encode(message).decode())

    def play(self, deal: int = 1) -> None:
        """Play at random, by the offers alone, until this deal is over."""
        self.take_part(lambda: (self.scene["result"] or {"number": 0})["number"] >= deal)

    def take_part(self, until: Callable[[], bool]) -> None:
        """Do what the table asks for, until something is so."""
        while not until():
            wish = self.wish()
            if wish is None:
                self.hear()
                continue
            seq, said = self.seq, self.do(wish)
            assert said["type"] in ("done", "refused"), said
            while self.seq == seq and said["type"] == "refused":  # another was quicker, of which we hear
                self.hear()

    def wish(self) -> dict[str, Any] | None:
        """What the table asks of this page now."""
        fair, own = self.scene["fair"], self.scene["you"]
        if self.scene["table"]["mayStart"] and all(seat["kind"] != "open" for seat in self.scene["seats"]):
            return {"type": "Start"}
        if fair is not None and fair["wanted"] is not None:
            secret = Random(f"{self.scene['table']['id']}:{own}:{fair['number']}").randbytes(32).hex()
            if fair["wanted"] == "commit":
                return {"type": "Commit", "deal": fair["number"], "digest": commitment(secret)}
            return {"type": "Reveal", "deal": fair["number"], "secret": secret}
        if self.scene["turn"] is not None and self.scene["seats"][own]["turn"]:
            turn = msgspec.convert(self.scene["turn"], Turn)
            return {"type": "Act", "action": msgspec.to_builtins(answer(turn, self._rng))}
        between = self.scene["moment"] == "between" and self.scene["number"] > 0
        if between and not self.scene["seats"][own]["ready"]:
            return {"type": "Ready"}
        return None
