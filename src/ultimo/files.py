"""Reading what a user gives, in one place: never more than a limit, never for ever, and as text only UTF-8.

A limit is generous: the largest file that a person or this program makes is a small part of it.
"""

from __future__ import annotations

import os
import select
import stat
from pathlib import Path
from typing import BinaryIO, Final

KIB: Final = 1024
MIB: Final = 1024 * KIB
RULES: Final = 256 * KIB  # bytes of a rulebook or of house rules
SMALL: Final = MIB  # of one deal, one sheet, one plan, a list of names
BOARDS: Final = 4 * MIB  # of prepared deals
CLUB: Final = 12 * MIB  # of a club with all its sheets
RECORD: Final = 32 * MIB  # of a record: some thousand deals
DEEPEST: Final = 100  # lists and tables within each other
LONGEST: Final = 1000  # characters of a reason, which may quote what somebody else has written
PATIENCE: Final = 60.0  # seconds in which whoever writes to a pipe must say something
PIECE: Final = 64 * KIB
BOM: Final = b"\xef\xbb\xbf"


class FileError(ValueError):
    """A file that cannot be read: why, in a few words."""


def read(path: Path | str, most: int) -> bytes:
    """The bytes of a file, of which there may be `most`."""
    try:
        # A pipe that nobody writes to must not keep us waiting when it is opened.
        with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb", buffering=0) as file:
            mode = os.fstat(file.fileno()).st_mode
            if not (stat.S_ISREG(mode) or stat.S_ISFIFO(mode)):
                raise FileError("is not a file")
            return _all(file, most, PATIENCE if stat.S_ISFIFO(mode) else None)
    except OSError as error:
        raise FileError(error.strerror or str(error)) from error
    except ValueError as error:  # a name with a NUL
        raise error if isinstance(error, FileError) else FileError("there can be no such name") from error


def stream(source: BinaryIO, most: int) -> bytes:
    """What a stream says until its end, at most so many bytes."""
    try:
        return _within(source.read(most + 1), most)
    except OSError as error:
        raise FileError(error.strerror or str(error)) from error


def _all(file: BinaryIO, most: int, patience: float | None) -> bytes:
    found = bytearray()
    while len(found) <= most:
        if patience is not None and not select.select([file], [], [], patience)[0]:
            raise FileError(f"is a pipe to which nobody has written for {patience:.0f} seconds")
        if not (piece := file.read(min(PIECE, most + 1 - len(found)))):
            break
        found += piece
    return _within(bytes(found), most)


def _within(data: bytes, most: int) -> bytes:
    if len(data) > most:
        raise FileError(f"is too large: at most {most // KIB} KiB are read")
    return data


def shortened(said: str, most: int = LONGEST) -> str:
    """What is told of something that may be endless.

    >>> shortened("Ultimo, by the book", 8)
    'Ulti … book'
    """
    return said if len(said) <= most else f"{said[: most // 2]} … {said[-(most // 2) :]}"


def text(data: bytes) -> str:
    """Bytes as text, which must be UTF-8; a mark at its beginning does not count."""
    try:
        return data.removeprefix(BOM).decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise FileError(f"line {line}: not UTF-8 text") from error
