"""`ultimo backup`: save all that a server keeps, even while it runs."""

from __future__ import annotations

import os
import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from ultimo.cli import given
from ultimo.cli.complaint import Complaint, complaining
from ultimo.cli.progress import progress
from ultimo.cli.serve import given_by
from ultimo.server.settings import SettingError, database, gather

if TYPE_CHECKING:
    from ultimo.server.database import Database


def arguments(parser: ArgumentParser) -> None:
    """The arguments of the command."""
    parser.epilog = (
        "The file is compressed and private, and the same for SQLite and PostgreSQL. The server may run."
    )
    parser.add_argument("file", metavar="FILE", help="where to save; - for standard output")
    add_database(parser)


def add_database(parser: ArgumentParser) -> None:
    """The options that say which database."""
    parser.add_argument(
        "--database",
        metavar="X",
        help="a SQLite file or postgresql://…; by default that of `ultimo serve` [ULTIMO_DATABASE]",
    )
    parser.add_argument("--config", metavar="FILE", help="settings from a TOML file (ULTIMO_CONFIG)")


def run(arguments: Namespace) -> int:
    """Save."""
    with opened(arguments, must_exist=True) as base:
        from ultimo.server.backup import Saving, snapshot

        with snapshot(base.engine) as connection, connection.begin():
            saving = Saving(connection)
            with _out(arguments.file) as out, progress(saving.total, "rows") as done:
                saving.write(out, time.time(), done)
    if arguments.file != given.STREAM:
        print(f"saved {saving.total:,} rows in {arguments.file}")
    return 0


@contextmanager
def opened(arguments: Namespace, must_exist: bool) -> Iterator[Database]:
    """The database that is asked for; what is wrong with it is said in one line."""
    with complaining(SettingError):
        address = database(gather(given_by(arguments, os.environ)))
    try:
        from sqlalchemy.exc import SQLAlchemyError

        from ultimo.server.backup import BackupError
        from ultimo.server.database import Database, DatabaseError, url_of
        from ultimo.server.files import InUse, remove
        from ultimo.server.schema import SchemaError
    except ModuleNotFoundError as error:
        raise Complaint(f"the server needs {error.name}: pip install 'ultimo[web]'") from error
    try:
        url = url_of(address)
        file = Path(url.database) if url.get_backend_name() == "sqlite" and url.database else None
        new = file is not None and not file.exists()
        if new and must_exist:
            raise Complaint(f"there is no database {file}")
        base = Database(address)
        try:
            yield base
        except BaseException:
            if file is not None and new:
                base.engine.dispose()
                remove(file)
            raise
        finally:
            base.engine.dispose()
    except (BackupError, DatabaseError, InUse, SchemaError, OSError) as error:
        raise Complaint(str(error)) from error
    except SQLAlchemyError as error:
        reason = str(getattr(error, "orig", None) or error).strip().splitlines()[0]
        raise Complaint(f"the database: {reason}") from error


@contextmanager
def _out(file: str) -> Iterator[BinaryIO]:
    """Where the backup goes: a new file, an older backup that it replaces, or standard output."""
    from ultimo.server.backup import BackupError, header
    from ultimo.server.files import replaced

    if file == given.STREAM:
        if sys.stdout.isatty():
            raise Complaint("a backup is not for a terminal: name a file, or send the output somewhere")
        yield sys.stdout.buffer
        return
    path = Path(file)
    try:
        if path.is_file():
            with path.open("rb") as old:
                header(old)
        with replaced(path) as new:
            yield new
    except BackupError as error:
        raise Complaint(f"{file} is there already, and {error}: choose another name") from error
    except OSError as error:
        raise Complaint(f"{file}: {error.strerror}") from error
