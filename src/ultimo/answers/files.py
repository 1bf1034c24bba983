"""Files that people keep: what a shell sends as such, and not as JSON."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

TEXT: Final = "text/plain; charset=utf-8"
LINES: Final = "application/jsonl; charset=utf-8"
TABLE: Final = "text/csv; charset=utf-8"
PAGE: Final = "text/html; charset=utf-8"
WORKBOOK: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


class File(Struct, frozen=True):
    """A text or a workbook, with the name under which it is kept and what kind it is."""

    name: str
    media: str
    body: str | bytes


def spreadsheet(name: str, text: str) -> File:
    """A table for a spreadsheet, marked so that ø is read as ø."""
    return File(name, TABLE, "\N{ZERO WIDTH NO-BREAK SPACE}" + text)
