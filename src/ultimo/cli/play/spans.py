"""Lines of text made of spans: a text, and what it is (`legal`, `marked`, `dim` …).

Nothing is told by the kind alone: without colours the text says the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeAlias


class Span(NamedTuple):
    """A piece of a line and what it is."""

    text: str
    kind: str = ""


Line: TypeAlias = list[Span]


def plain(line: Iterable[Span]) -> str:
    """A line without its kinds."""
    return "".join(span.text for span in line).rstrip()


def width(line: Iterable[Span]) -> int:
    """How many columns a line takes."""
    return sum(len(span.text) for span in line)


def cut(line: Line, columns: int) -> Line:
    """A line that takes no more than so many columns; the last of them shows that something is left out."""
    kept: Line = []
    for span in line:
        room = columns - width(kept)
        if len(span.text.rstrip()) > room:
            return [*kept, Span(span.text[: room - 1] + "…", span.kind)]
        kept.append(Span(span.text[:room], span.kind))
    return kept


def flow(cells: Sequence[Line], columns: int) -> list[Line]:
    """Cells one after another, on as many lines as they need."""
    lines: list[Line] = [[]]
    for cell in cells:
        if lines[-1] and width(lines[-1]) + width(cell) > columns:
            lines.append([])
        lines[-1] += cell
    return lines


def table(rows: Sequence[Sequence[str]], right: Iterable[int]) -> list[Line]:
    """Rows in columns, those of `right` flush with their right edge; the first row is their heads."""
    flush = set(right)
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return [
        [
            Span(
                (text.rjust(wide) if column in flush else text.ljust(wide)) + "  ",
                "dim" if place == 0 else "",
            )
            for column, (text, wide) in enumerate(zip(row, widths, strict=True))
        ]
        for place, row in enumerate(rows)
    ]
