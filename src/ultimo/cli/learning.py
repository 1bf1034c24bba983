"""How to play and the words of the game, as text for a terminal or as a page to print."""

from __future__ import annotations

import html
import textwrap
from collections.abc import Iterable, Iterator
from itertools import zip_longest

from ultimo.names import Family, names
from ultimo.telling.glossary import Explanation
from ultimo.telling.writer import Block, CardRows, Chapter, Grid, Items, Passage

WIDTH = 100
NARROWEST = 12  # a column of a grid
PAGE = """<!doctype html>
<html lang="{language}"><head><meta charset="utf-8"><title>{title}</title><style>
body {{ max-width: 42rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.5 Georgia, serif; }}
h2 {{ break-after: avoid; }} table {{ border-collapse: collapse; }} tr {{ break-inside: avoid; }}
th, td {{ padding: 0.2rem 0.8rem 0.2rem 0; border-bottom: 1px solid #999; }}
th, td {{ text-align: left; vertical-align: top; }}
</style></head><body>
<h1>{title}</h1>
{body}
</body></html>"""


def wrapped(text: str, rest: str = "", first: str | None = None, width: int = WIDTH) -> list[str]:
    """A paragraph as lines; an empty one is an empty line."""
    before = rest if first is None else first
    return textwrap.wrap(text, width, initial_indent=before, subsequent_indent=rest) or [""]


def text(title: str, chapters: Iterable[Chapter], family: Family, language: str) -> Iterator[str]:
    """The chapters as lines."""
    yield title
    for chapter in chapters:
        yield ""
        yield chapter.title.upper()
        for block in chapter.blocks:
            yield ""
            yield from _lines(block, family, language)


def _lines(block: Block, family: Family, language: str) -> Iterator[str]:
    match block:
        case Passage(text=said):
            yield from wrapped(said)
        case Items(items=items):
            for item in items:
                yield from wrapped(item, "    ", "  • ")
        case Grid(head=head, rows=rows):
            yield from _grid(head, rows)
        case CardRows(rows=card_rows):
            for row in card_rows:
                yield names(language).pair(row.label, "").rstrip()
                yield from wrapped(_cards(row.cards, family, language), "  ")


def _grid(head: tuple[str, ...], rows: tuple[tuple[str, ...], ...]) -> Iterator[str]:
    """Columns side by side; what is too wide for its column goes on below."""
    wide = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    while sum(wide) + 2 * len(wide) > WIDTH and max(wide) > NARROWEST:
        wide[wide.index(max(wide))] -= 1
    for place, row in enumerate((head, *rows)):
        cells = [textwrap.wrap(cell, width) for cell, width in zip(row, wide, strict=True)]
        for line in zip_longest(*cells, fillvalue=""):
            yield "  ".join(f"{cell:<{width}}" for cell, width in zip(line, wide, strict=True)).rstrip()
        if place == 0:
            yield "  ".join("─" * width for width in wide)


def _cards(cards: tuple[str, ...], family: Family, language: str) -> str:
    return " ".join(names(language).card(card, family) for card in cards)


def words(glossary: Iterable[Explanation]) -> Iterator[str]:
    """The words of the game, each with what it means and what the books call it."""
    for one in glossary:
        yield one.word
        yield from wrapped(one.says, "    ")
        told = "; ".join(f"{own.book}: {own.words}" for own in one.books)
        yield from wrapped(told, "    ") if told else ()


def page(title: str, chapters: Iterable[Chapter], family: Family, language: str) -> str:
    """The chapters as an HTML page that can be printed."""
    parts = []
    for chapter in chapters:
        parts.append(f'<h2 id="{chapter.id}">{html.escape(chapter.title)}</h2>')
        parts += [_html(block, family, language) for block in chapter.blocks]
    return PAGE.format(language=language, title=html.escape(title), body="\n".join(parts))


def _html(block: Block, family: Family, language: str) -> str:
    match block:
        case Passage(text=said):
            return _tag("p", said)
        case Items(items=items):
            return f"<ul>{''.join(_tag('li', item) for item in items)}</ul>"
        case Grid(head=head, rows=rows):
            top = "".join(_tag("th", cell) for cell in head)
            below = "".join(f"<tr>{''.join(_tag('td', cell) for cell in row)}</tr>" for row in rows)
            return f"<table><tr>{top}</tr>{below}</table>"
        case CardRows(rows=card_rows):
            lines = (
                names(language).pair(row.label, _cards(row.cards, family, language)) for row in card_rows
            )
            return f"<ul>{''.join(_tag('li', line) for line in lines)}</ul>"


def _tag(name: str, said: str) -> str:
    return f"<{name}>{html.escape(said, quote=False)}</{name}>"
