"""Running the server until it is told to stop: then it says goodbye, finishes what it writes, and ends."""

from __future__ import annotations

import asyncio
import gc
import os
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import Final

import uvicorn
from sqlalchemy.exc import SQLAlchemyError
from starlette.applications import Starlette

from ultimo.server import logs, settings
from ultimo.server.app import create
from ultimo.server.database import Database, DatabaseError, url_of
from ultimo.server.edge import Door, EdgeConfig
from ultimo.server.files import InUse, held, make_private
from ultimo.server.schema import SchemaError
from ultimo.server.settings import Config, SettingError
from ultimo.table.messages import MAX_FRAME

# New objects until the garbage collector looks at the young ones, such looks until it looks at those that
# have survived, and such looks until it looks at all. The states of tables have no cycles and need it not; to
# look at those of 300 tables takes up to a tenth of a second, and was done every few seconds. Sockets do have
# cycles: who opens and closes many of them must not fill the memory before they are looked at.
COLLECT: Final = (10_000, 5, 10)
BACKLOG: Final = 1024  # connections that wait to be let in
AT_ONCE: Final = 32  # of them that are accepted before anything else is done; all fit into the reserve
MOST_FILES: Final = 65_536  # that are asked for, where there is no limit
RESERVE: Final = 128  # files that are no connections: the database, processes that think, the log
FRAME_LIMIT: Final = 2 * MAX_FRAME  # above this the protocol itself hangs up; below, the page is told why


class Server(uvicorn.Server):
    """A server that ends by a signal as if it had been asked politely."""

    def __init__(self, config: EdgeConfig, app: Starlette, opened: Callable[[str], None]) -> None:
        super().__init__(config)
        self._app = app
        self._door = config.door
        self._opened = opened

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, and say where."""
        await super().startup(sockets)
        if self.started and sockets:
            sockets[0].listen(BACKLOG)  # the event loop has asked for as few as it accepts at once
            host, port = sockets[0].getsockname()[:2]
            logs.logger().info("serving", host=host, port=port)
            self._opened(address_of(host, port))

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Let nobody in, send everybody home, and stop."""
        logs.logger().info("stopping")
        for server in self.servers:
            server.close()
        await self._app.state.house.stop()
        await super().shutdown(sockets)

    async def on_tick(self, counter: int) -> bool:
        """What is to be done now and then: once a second slow connections are ended."""
        if counter % 10 == 0:
            self._door.sweep()
        return await super().on_tick(counter)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop; at once if told so twice."""
        self.force_exit = self.should_exit
        self.should_exit = True


def run(config: Config, opened: Callable[[str], None]) -> None:
    """Serve until a signal comes; `opened` is told the address. Raises `SettingError`."""
    logs.configure(config.log_level, config.log_format)
    seed = settings.seed_for_tests(config)
    with database_to_itself(config):
        asyncio.run(_try_database(config))
        _serve(config, seed, opened)


def _serve(config: Config, seed: str | None, opened: Callable[[str], None]) -> None:
    if seed is not None:
        logs.logger().warning("FOR TESTS ALONE: whoever knows the seed knows all cards", seed=seed)
    door = _door(config)
    app = create(config, seed)
    gc.set_threshold(*COLLECT)
    server = Server(
        EdgeConfig(
            app,
            door,
            log_config=None,
            access_log=False,
            server_header=False,
            backlog=AT_ONCE,
            ws_max_size=FRAME_LIMIT,
            ws_ping_interval=config.ping_seconds,
            ws_ping_timeout=config.ping_seconds,
            timeout_keep_alive=config.idle_seconds,
            timeout_graceful_shutdown=config.shutdown_seconds,
        ),
        app,
        opened,
    )
    server.run([_listening(config)])


@contextmanager
def database_to_itself(config: Config) -> Iterator[None]:
    """Keep the file of SQLite private, and other servers from it, for as long as this one runs."""
    with ExitStack() as stack:
        with _said_plainly():
            url = url_of(settings.database(config))
            if url.get_backend_name() == "sqlite" and url.database:
                file = Path(url.database)
                if readable := make_private(file, own=not config.database):
                    logs.logger().warning("others can read the database", files=list(map(str, readable)))
                stack.enter_context(held(file))
        yield


def _door(config: Config) -> Door:
    try:
        return Door(config, connections(file_limit(), config.connections))
    except ValueError as error:
        raise SettingError("proxies", "the proxies are not known", str(error)) from error


def file_limit() -> int:
    """How many files this process may have open, as many as it can be given."""
    try:
        import resource
    except ModuleNotFoundError:  # a system that counts otherwise
        return MOST_FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = MOST_FILES if hard == resource.RLIM_INFINITY else hard
    if soft != resource.RLIM_INFINITY and soft < most:
        with suppress(ValueError, OSError):  # the system knows a limit of its own
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MOST_FILES if soft == resource.RLIM_INFINITY else soft


def connections(files: int, wished: int) -> int:
    """How many connections there may be, so that files are left for all else.

    >>> connections(1024, 0), connections(1024, 5000), connections(1024, 50), connections(100, 0)
    (896, 896, 50, 50)
    """
    most = files - min(RESERVE, files // 2)
    return min(wished, most) if wished else most


async def _try_database(config: Config) -> None:
    """Open the database once before anything is served, so that what is wrong with it is said plainly."""
    with _said_plainly():
        database = Database(settings.database(config))
        try:
            await database.start()
        finally:
            await database.close()


@contextmanager
def _said_plainly() -> Iterator[None]:
    try:
        yield
    except (DatabaseError, SchemaError, SQLAlchemyError, InUse, OSError) as error:
        reason = str(getattr(error, "orig", None) or error).strip().splitlines()[0]
        raise SettingError("database", "the database cannot be opened", reason) from error


def _listening(config: Config) -> socket.socket:
    family = socket.AF_INET6 if ":" in config.host else socket.AF_INET
    try:
        return socket.create_server((config.host, config.port), family=family, backlog=BACKLOG)
    except OSError as error:
        where, number = f"{config.host}:{config.port}", error.errno or 0
        reason = os.strerror(number) if number > 0 else error.strerror  # a name that is unknown has no number
        raise SettingError("", where, f"{reason}; choose another --port or --host") from error


def address_of(host: str, port: int) -> str:
    """What to type into a browser on this machine."""
    here = "localhost" if host in ("0.0.0.0", "::", "") else f"[{host}]" if ":" in host else host
    return f"http://{here}:{port}/"
