"""The file of a SQLite database: private to the user, and used by one server at a time.

The file holds cards that are not played yet and what people said, so nobody else on the machine may read it.
SQLite gives the files that it makes beside it (`-wal`, `-shm`) the permissions of the file itself.
"""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, Final

BESIDE: Final = ("", "-wal", "-shm", ".lock")  # the file itself, and what stands beside it
OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO  # what a private file lets nobody do


class InUse(RuntimeError):
    """A database that a server works with."""


def make_private(file: Path, *, own: bool) -> list[Path]:
    """Make the folder and the file where there are none, open to the user alone.

    In our own folder (`own`) those that are there are mended. Elsewhere somebody may have opened them on
    purpose: they are left as they are, and those that others can read are returned.
    """
    folder = file.parent
    missing = [one for one in (folder, *folder.parents) if not one.exists()]
    for one in reversed(missing):
        one.mkdir(mode=0o700, exist_ok=True)
    with suppress(FileExistsError):  # one that is there is not opened: to close it would end SQLite's locks
        os.close(os.open(file, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
    there = [one for ending in BESIDE if (one := file.with_name(file.name + ending)).exists()]
    if own:
        for one in (folder, *there):
            one.chmod(stat.S_IMODE(one.stat().st_mode) & ~OTHERS)
    return [one for one in there if one.stat().st_mode & (stat.S_IRGRP | stat.S_IROTH)]


def remove(file: Path) -> None:
    """Remove a database that nobody uses."""
    for ending in BESIDE:
        file.with_name(file.name + ending).unlink(missing_ok=True)


@contextmanager
def replaced(file: Path) -> Iterator[BinaryIO]:
    """A private file that takes the place of another, or of none, once it is written and safe on the disk.

    Until then it has another name; if anything goes wrong, nothing is left of it.
    """
    handle, name = tempfile.mkstemp(prefix=f".{file.name}.", dir=file.parent)  # 0600
    try:
        with open(handle, "wb") as new:
            yield new
            new.flush()
            os.fsync(new.fileno())
        os.replace(name, file)
    except BaseException:
        os.unlink(name)
        raise
    folder = os.open(file.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


@contextmanager
def held(file: Path) -> Iterator[None]:
    """Hold the lock of a database; raises `InUse` if another process does.

    The kernel lets go of it when the process ends, however it ends, and no child inherits it.
    """
    import fcntl  # not there on Windows

    real = file.resolve()  # two names of one file have one lock
    lock = os.open(f"{real}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        try:
            fcntl.lockf(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            who = os.read(lock, 20).decode(errors="replace").strip()
            which = f" (process {who})" if who.isdecimal() else ""
            raise InUse(
                f"another server{which} uses {file}; stop it first, or use another database"
            ) from error
        with suppress(OSError):  # on a full disk nobody is named
            os.ftruncate(lock, 0)
            os.write(lock, f"{os.getpid()}\n".encode())
        yield
    finally:
        os.close(lock)
