"""Processes that work for the server: how they begin, and how they end."""

from __future__ import annotations

import os
import signal
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import connection, parent_process
from threading import Thread


def begin() -> None:
    """Called in the process: Ctrl-C is for the server, and the process ends when its server does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_die_with_server, daemon=True).start()


def _die_with_server() -> None:
    """A pool whose process was killed would wait for work for ever."""
    server = parent_process()
    assert server is not None
    connection.wait([server.sentinel])
    os._exit(1)


def end(pool: ProcessPoolExecutor) -> None:
    """End the processes of a pool, whatever they are at."""
    for process in list((pool._processes or {}).values()):
        process.terminate()
    pool.shutdown(cancel_futures=True)
