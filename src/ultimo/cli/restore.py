"""`ultimo restore`: fill an empty database with a backup."""

from __future__ import annotations

import shutil
import sys
import tempfile
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from ultimo.cli import given
from ultimo.cli.backup import add_database, opened
from ultimo.cli.complaint import Complaint
from ultimo.cli.progress import progress

if TYPE_CHECKING:
    from ultimo.server.backup import Trailer
    from ultimo.server.database import Database


def arguments(parser: ArgumentParser) -> None:
    """The arguments of the command."""
    parser.epilog = "Stop the server first. The whole file is checked before anything is written."
    parser.add_argument("file", metavar="FILE", help="a file of `ultimo backup`; - for standard input")
    parser.add_argument(
        "--replace", action="store_true", help="DELETE all that is in the database now, and restore instead"
    )
    add_database(parser)


def run(arguments: Namespace) -> int:
    """Check the backup, and restore it."""
    with _given(arguments.file) as file:
        trailer = _checked(arguments.file, file)
        with opened(arguments, must_exist=False) as base:
            _restore(base, file, trailer, arguments.replace)
    print(f"restored {trailer.total:,} rows")
    return 0


def _restore(base: Database, file: BinaryIO, trailer: Trailer, replace: bool) -> None:
    from ultimo.server.backup import restore
    from ultimo.server.files import held

    with progress(trailer.total, "rows") as done:
        if base.file is None:
            restore(base.engine, file, replace, done)
            return
        with held(base.file):
            restore(base.engine, file, replace, done)


def _checked(name: str, file: BinaryIO) -> Trailer:
    try:
        from ultimo.server.backup import BackupError, check
    except ModuleNotFoundError as error:
        raise Complaint(f"the server needs {error.name}: pip install 'ultimo[web]'") from error
    try:
        return check(file)
    except BackupError as error:
        raise Complaint(f"{given.called(name)} {error}; nothing is changed") from error


def _given(name: str) -> BinaryIO:
    """The backup as a file that can be read twice."""
    try:
        if name != given.STREAM:
            return Path(name).open("rb")
        copy = tempfile.TemporaryFile()  # noqa: SIM115 who asks closes it
        shutil.copyfileobj(sys.stdin.buffer, copy)
        return copy
    except OSError as error:
        raise Complaint(f"{given.called(name)}: {error.strerror}") from error
