"""A private PostgreSQL for tests: a cluster in a temporary folder, and in it a new database for each test."""

from __future__ import annotations

import atexit
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from itertools import count
from pathlib import Path

import psycopg

from serving import PATIENCE

_numbers = count(1)


def binaries() -> Path | None:
    """Where PostgreSQL's own programs are, the newest if there are several."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: float(path.parent.name))
    if found:
        return found[-1]
    on_path = shutil.which("initdb")
    return Path(on_path).parent if on_path else None


def new_database(durable: bool = False) -> str:
    """The address of an empty database; a durable one waits for the disk, as tests need not."""
    name = f"test{next(_numbers)}"
    with psycopg.connect(_address("postgres", durable), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    return _address(name, durable)


def restart(address: str) -> None:
    """Let the PostgreSQL behind an address crash and come back."""
    programs, folder = binaries(), Path(folder_of(address))
    assert programs is not None
    settings = ("-D", folder / "data", "-w", "-m", "immediate", "-l", folder / "log")
    _run(programs / "pg_ctl", *settings, "restart")


@contextmanager
def paused(address: str) -> Iterator[None]:
    """Let the PostgreSQL behind an address stand still, with all its processes."""
    first = int((Path(folder_of(address)) / "data" / "postmaster.pid").read_text().splitlines()[0])
    stopped = [first]
    os.kill(first, signal.SIGSTOP)  # from now on it begins no other
    try:
        for stat in Path("/proc").glob("[0-9]*/stat"):
            with suppress(OSError):
                if int(stat.read_text().rpartition(") ")[2].split()[1]) == first:
                    stopped.append(int(stat.parent.name))
                    os.kill(stopped[-1], signal.SIGSTOP)
        yield
    finally:
        for pid in stopped:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)


def folder_of(address: str) -> str:
    """The folder in which the PostgreSQL behind an address listens."""
    return address.partition("?host=")[2]


def _address(database: str, durable: bool) -> str:
    return f"postgresql://postgres@/{database}?host={_cluster(durable)}"


@cache
def _cluster(durable: bool) -> str:
    """The folder of a running cluster, which ends with this process. It listens there and nowhere else."""
    programs = binaries()
    assert programs is not None, "PostgreSQL is not installed"
    folder = Path(tempfile.mkdtemp(prefix="ultimo-pg-"))
    data = folder / "data"
    if os.getuid() == 0:  # PostgreSQL refuses to run as root
        shutil.chown(folder, "postgres", "postgres")
    _run(programs / "initdb", "-D", data, "-U", "postgres", "-A", "trust", "--no-sync", "-E", "UTF8")
    sync = "on" if durable else "off"
    options = f"-c listen_addresses='' -c fsync={sync} -c max_connections=200 -k {folder}"
    _run(programs / "pg_ctl", "-D", data, "-w", "-l", folder / "log", "-o", options, "start")

    def stop() -> None:
        _run(programs / "pg_ctl", "-D", data, "-w", "-m", "immediate", "stop")
        shutil.rmtree(folder, ignore_errors=True)

    atexit.register(stop)
    return str(folder)


def _run(*command: str | Path) -> None:
    user = "postgres" if os.getuid() == 0 else None
    subprocess.run(
        [str(part) for part in command],
        user=user,
        group=user,
        extra_groups=[] if user else None,
        cwd="/",
        check=True,
        stdout=subprocess.DEVNULL,
        timeout=PATIENCE,
    )
