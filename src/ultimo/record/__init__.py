"""Records of deals and sessions: one model, two spellings, lossless both ways."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, TypeAlias

from ultimo.record import jsonl, sheet
from ultimo.record.model import Entry, Header, Record, RecordError, header, lines, rules_of

Spelling: TypeAlias = Literal["jsonl", "sheet"]

__all__ = [
    "Entry",
    "Header",
    "Record",
    "RecordError",
    "Spelling",
    "decode",
    "header",
    "load",
    "loads",
    "rules_of",
    "spelling",
]


def spelling(text: str) -> Spelling:
    """How the record in `text` is spelled; its first line tells."""
    number, first = next(lines(text), (1, ""))
    if not first:
        raise RecordError(number, 1, "the record is empty", "empty")
    if first.lstrip().startswith("{"):
        return "jsonl"
    if first.lower().split()[:2] == ["ultimo", "sheet"]:
        return "sheet"
    raise RecordError(
        number, 1, "not a record: the first line must be 'Ultimo sheet 1' or {\"ultimo\":1,…}", "notARecord"
    )


def loads(text: str, *, tolerant: bool = False) -> Record:
    """The record in `text`, in either spelling; `tolerant` drops a JSON line that was cut off at the end."""
    return jsonl.loads(text, tolerant=tolerant) if spelling(text) == "jsonl" else sheet.loads(text)


def load(path: Path | str, *, tolerant: bool = False) -> Record:
    """The record in a file, in either spelling."""
    return loads(decode(Path(path).read_bytes(), tolerant=tolerant), tolerant=tolerant)


def decode(data: bytes, *, tolerant: bool = False) -> str:
    """The text of a record in its bytes; `tolerant` drops a last line that was cut off within a character."""
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line_start = data.rfind(b"\n", 0, error.start) + 1
        if tolerant and b"\n" not in data[error.start :]:
            return data[:line_start].decode()
        column = len(data[line_start : error.start].decode()) + 1
        raise RecordError(
            data.count(b"\n", 0, error.start) + 1, column, "not UTF-8 text", "notUtf8"
        ) from None
