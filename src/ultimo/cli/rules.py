"""`ultimo rules`: list the rulebooks, read one, compare two."""

from __future__ import annotations

import textwrap
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

import msgspec

from ultimo import rulebook
from ultimo.cli import given
from ultimo.cli.complaint import Complaint
from ultimo.rulebook import RulebookError, Rules
from ultimo.telling.rules_words import Difference, Line, differences, explain
from ultimo.telling.teller import family
from ultimo.telling.wording import listed

WIDTH = 100


def arguments(parser: ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument("--json", action="store_true", help="for programs")
    kinds = parser.add_subparsers(dest="kind", metavar="show ID | diff A B")
    show = kinds.add_parser("show", help="what a rulebook says, with citations")
    show.add_argument("book", metavar="ID")
    given.add_house(show)
    diff = kinds.add_parser("diff", help="what two rulebooks say differently")
    diff.add_argument("a", metavar="A")
    diff.add_argument("b", metavar="B")
    for one in (show, diff):
        one.add_argument("--json", action="store_true", default=None, help="for programs")


def run(arguments: Namespace) -> int:
    """Print what was asked for."""
    lines: Iterable[str]
    value: Any
    match arguments.kind:
        case "show":
            rules = given.rules(arguments.book, given.house(arguments))
            lines, value = show_lines(rules), _shown(rules)
        case "diff":
            a, b = (given.rules(book, {}) for book in (arguments.a, arguments.b))
            found = _differences(a, b)
            lines, value = diff_lines(a, b, found), {"a": a.id, "b": b.id, "differences": found}
        case _:
            books = [rulebook.load(book) for book in rulebook.ids()]
            lines, value = list_lines(books), [_listed(rules) for rules in books]
    if arguments.json:
        lines = [msgspec.json.format(msgspec.json.encode(value)).decode()]
    print("\n".join(lines))
    return 0


# --- the list ------------------------------------------------------------------------------------------


def list_lines(books: Iterable[Rules]) -> Iterator[str]:
    """Each rulebook with what it is about."""
    for rules in books:
        sizes = listed([str(size) for size in rules.sizes], "or")
        yield f"{rules.id:<10} {rules.title}"
        yield from _wrapped(rules.about, " " * 11)
        yield f"{'':<10} for {sizes} at the table · digest {rulebook.digest(rules)}"


def _listed(rules: Rules) -> dict[str, Any]:
    return {
        "id": rules.id,
        "family": family(rules),
        "title": rules.title,
        "about": rules.about,
        "sizes": rules.sizes,
        "digest": rulebook.digest(rules),
    }


# --- one rulebook --------------------------------------------------------------------------------------


def show_lines(rules: Rules, width: int = WIDTH) -> list[str]:
    """The rulebook section by section; house rules are marked, and their book's own words follow."""
    return [
        line for text, first, rest in _shown_in_words(rules) for line in _wrapped(text, rest, first, width)
    ]


def _shown_in_words(rules: Rules) -> Iterator[tuple[str, str, str]]:
    """Paragraphs, with what stands before their first line and before the others."""
    house, book = rulebook.overrides(rules), _by_key(rulebook.load(rules.id))
    yield rules.title, "", ""
    yield rules.about, "", ""
    if house:
        yield f"House rules, marked with *: {listed(list(house))}.", "", ""
    for section in explain(rules):
        yield "", "", ""
        yield section.title.upper(), "", ""
        for cite, lines in groupby(section.lines, lambda line: line.cite):
            for line in lines:
                in_book = book[line.key].sentence
                yield line.sentence, "  " if line.sentence == in_book else "* ", "    "
                if line.sentence != in_book:
                    yield f"(The book: {in_book})", "    ", "    "
            yield f"[{cite}]", "    ", "     "


def _shown(rules: Rules) -> dict[str, Any]:
    return _listed(rules) | {"house": rulebook.overrides(rules), "sections": explain(rules)}


def _by_key(rules: Rules) -> dict[str, Line]:
    return {line.key: line for section in explain(rules) for line in section.lines}


# --- two rulebooks -------------------------------------------------------------------------------------


def diff_lines(a: Rules, b: Rules, found: list[Difference]) -> Iterator[str]:
    """Both sentences on whatever two rulebooks do not agree about."""
    width = max(len(a.id), len(b.id))
    yield f"{a.title} ({a.id}) and {b.title} ({b.id}): {len(found) or 'no'} differences"
    for one in found:
        yield ""
        yield one.key
        for book, sentence, cite in ((a.id, one.sentence_a, one.cite_a), (b.id, one.sentence_b, one.cite_b)):
            indent = " " * (width + 4)
            yield from _wrapped(f"{sentence} [{cite}]", indent, f"  {book:<{width}}  ")


def _differences(a: Rules, b: Rules) -> list[Difference]:
    try:
        return differences(a, b)
    except RulebookError as error:
        raise Complaint(error) from error


def _wrapped(text: str, rest: str = "", first: str | None = None, width: int = WIDTH) -> list[str]:
    """A paragraph as lines; an empty one is an empty line."""
    before = rest if first is None else first
    return textwrap.wrap(text, width, initial_indent=before, subsequent_indent=rest) or [""]
