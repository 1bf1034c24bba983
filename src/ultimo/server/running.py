"""Running the server until it is told to stop: then it says goodbye, finishes what it writes, and ends."""

from __future__ import annotations

import asyncio
import gc
import os
import socket
from collections.abc import Callable
from types import FrameType
from typing import Final

import uvicorn
from sqlalchemy.exc import SQLAlchemyError
from starlette.applications import Starlette

from ultimo.server import logs, settings
from ultimo.server.app import create
from ultimo.server.database import Database, DatabaseError
from ultimo.server.schema import SchemaError
from ultimo.server.settings import Config, SettingError
from ultimo.table.messages import MAX_FRAME

# New objects until the garbage collector looks at the young ones, such looks until it looks at those that
# have survived, and such looks until it looks at all. The states of tables have no cycles and need it not; to
# look at those of 300 tables takes up to a tenth of a second, and was done every few seconds. Sockets do have
# cycles: who opens and closes many of them must not fill the memory before they are looked at.
COLLECT: Final = (10_000, 5, 10)
BACKLOG: Final = 1024  # connections that wait to be let in
FRAME_LIMIT: Final = 2 * MAX_FRAME  # above this the protocol itself hangs up; below, the page is told why


class Server(uvicorn.Server):
    """A server that ends by a signal as if it had been asked politely."""

    def __init__(self, config: uvicorn.Config, app: Starlette, opened: Callable[[str], None]) -> None:
        super().__init__(config)
        self._app = app
        self._opened = opened

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, and say where."""
        await super().startup(sockets)
        if self.started and sockets:
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

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop; at once if told so twice."""
        self.force_exit = self.should_exit
        self.should_exit = True


def run(config: Config, opened: Callable[[str], None]) -> None:
    """Serve until a signal comes; `opened` is told the address. Raises `SettingError`."""
    logs.configure(config.log_level, config.log_format)
    seed = settings.seed_for_tests(config)
    asyncio.run(_try_database(config))
    if seed is not None:
        logs.logger().warning("FOR TESTS ALONE: whoever knows the seed knows all cards", seed=seed)
    app = create(config, seed)
    gc.set_threshold(*COLLECT)
    server = Server(
        uvicorn.Config(
            app,
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=bool(config.proxies),
            forwarded_allow_ips=list(config.proxies),
            ws="websockets-sansio",
            ws_max_size=FRAME_LIMIT,
            timeout_graceful_shutdown=config.shutdown_seconds,
        ),
        app,
        opened,
    )
    server.run([_listening(config)])


async def _try_database(config: Config) -> None:
    """Open the database once before anything is served, so that what is wrong with it is said plainly."""
    try:
        database = Database(settings.database(config))
        try:
            await database.start()
        finally:
            await database.close()
    except (DatabaseError, SchemaError, SQLAlchemyError, OSError) as error:
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
