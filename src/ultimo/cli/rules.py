"""`ultimo rules`: list the rulebooks, read one, compare two, learn how to play."""

from __future__ import annotations

from argparse import SUPPRESS, ArgumentParser, Namespace
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

import msgspec

from ultimo import names, rulebook
from ultimo.cli import given, learning
from ultimo.cli.complaint import Complaint, complaining
from ultimo.cli.learning import WIDTH, wrapped
from ultimo.rulebook import RulebookError, Rules
from ultimo.telling.citations import decisions
from ultimo.telling.citations import words as cite_words
from ultimo.telling.glossary import glossary
from ultimo.telling.learning import chapters, heading
from ultimo.telling.rules_words import ENGLISH, Difference, book, differences, explain, sentences
from ultimo.telling.wording import phrasing

_LANGUAGES = f"{', '.join(names.LANGUAGES)}; else {ENGLISH}, regardless of the system language"


def arguments(parser: ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument("--json", action="store_true", help="for programs")
    parser.add_argument("--lang", metavar="xx", default=ENGLISH, help=_LANGUAGES)
    kinds = parser.add_subparsers(dest="kind", metavar="learn ID | words | show ID | diff A B")
    learn = kinds.add_parser("learn", help="how to play, for a newcomer")
    learn.add_argument("book", metavar="ID")
    learn.add_argument("--table", type=int, metavar="N", help="players at the table (default: the fewest)")
    learn.add_argument("--html", action="store_true", help="output a page to print")
    given.add_house(learn)
    words = kinds.add_parser("words", help="explain the words of the game")
    show = kinds.add_parser("show", help="show a rulebook, with citations")
    show.add_argument("book", metavar="ID")
    given.add_house(show)
    show.add_argument("--why", action="store_true", help="add why rules were interpreted as they are")
    diff = kinds.add_parser("diff", help="differences between two rulebooks")
    diff.add_argument("a", metavar="A")
    diff.add_argument("b", metavar="B")
    for one in (show, diff):
        one.add_argument("--keys", action="store_true", help="add the key of each rule, for house rules")
    for one in (learn, words, show, diff):
        one.add_argument("--json", action="store_true", default=SUPPRESS, help="for programs")
        one.add_argument("--lang", metavar="xx", default=SUPPRESS, help=_LANGUAGES)


def run(arguments: Namespace) -> int:
    """Print what was asked for."""
    lines: Iterable[str]
    value: Any
    language = given.words(arguments).language
    match arguments.kind:
        case "learn":
            rules = given.rules(arguments.book, given.house(arguments))
            value = chapters(rules, _table(rules, arguments.table), language)
            told = learning.page if arguments.html else learning.text
            lines = told(heading(rules, language), value, rules.family, language)
            lines = [lines] if isinstance(lines, str) else lines
        case "words":
            value = glossary(language)
            lines = learning.words(value)
        case "show":
            rules = given.rules(arguments.book, given.house(arguments))
            lines = show_lines(rules, language=language, why=arguments.why, keys=arguments.keys)
            value = _shown(rules, language)
        case "diff":
            a, b = (given.rules(one, {}) for one in (arguments.a, arguments.b))
            with complaining(RulebookError):
                found = differences(a, b, language)
            lines = diff_lines(a, b, found, language, arguments.keys)
            value = {"a": a.id, "b": b.id, "differences": found}
        case _:
            books = [rulebook.load(one) for one in rulebook.ids()]
            lines, value = list_lines(books, language), [_listed(rules, language) for rules in books]
    if arguments.json:
        lines = [msgspec.json.format(msgspec.json.encode(value)).decode()]
    print("\n".join(lines))
    return 0


def _table(rules: Rules, size: int | None) -> int:
    """How many sit at the table: as asked for, else the fewest that the rulebook knows."""
    if size is not None and size not in rules.sizes:
        sizes = phrasing(ENGLISH).format("{sizes:or}", sizes=rules.sizes)
        raise Complaint(f"{rules.id} is for {sizes} at the table, not {size}")
    return size or min(rules.sizes)


# --- the list ------------------------------------------------------------------------------------------


def list_lines(books: Iterable[Rules], language: str = ENGLISH) -> Iterator[str]:
    """Each rulebook with what it is about."""
    for rules in books:
        words = book(rules, language)
        yield f"{rules.id:<10} {words.title}"
        yield from wrapped(words.about, " " * 11)
        sizes = _around("sizes", language, sizes=rules.sizes, digest=rulebook.digest(rules))
        yield f"{'':<10} {sizes}"


def _listed(rules: Rules, language: str) -> dict[str, Any]:
    words = book(rules, language)
    return {
        "id": rules.id,
        "family": rules.family,
        "title": words.title,
        "about": words.about,
        "sizes": rules.sizes,
        "digest": rulebook.digest(rules),
    }


# --- one rulebook --------------------------------------------------------------------------------------


def show_lines(
    rules: Rules,
    width: int = WIDTH,
    language: str = ENGLISH,
    *,
    why: bool = False,
    keys: bool = False,
) -> list[str]:
    """The rulebook section by section; house rules are marked, and their book's own words follow."""
    paragraphs = _shown_in_words(rules, language, why, keys)
    return [line for text, first, rest in paragraphs for line in wrapped(text, rest, first, width)]


def _shown_in_words(rules: Rules, language: str, why: bool, keys: bool) -> Iterator[tuple[str, str, str]]:
    """Paragraphs, with what stands before their first line and before the others."""
    house, plain = rulebook.overrides(rules), sentences(rulebook.book_of(rules), language)
    words = book(rules, language)
    yield words.title, "", ""
    yield words.about, "", ""
    if house:
        yield _around("house", language, count=len(house)), "", ""
    for section in explain(rules, language):
        yield "", "", ""
        yield section.title.upper(), "", ""
        for cite, lines in groupby(section.lines, lambda line: line.cite):
            for line in lines:
                in_book = plain[line.key]
                named = f"{line.key}: " if keys else ""
                yield named + line.sentence, "  " if line.sentence == in_book else "* ", "    "
                if line.sentence != in_book:
                    yield _around("book", language, sentence=in_book), "    ", "    "
            yield f"[{cite_words(cite, language)}]", "    ", "     "
            for sentence in decisions(cite, language) if why else ():
                yield sentence, "    – ", "      "


def _shown(rules: Rules, language: str) -> dict[str, Any]:
    sections = explain(rules, language)
    return _listed(rules, language) | {"house": rulebook.overrides(rules), "sections": sections}


# --- two rulebooks -------------------------------------------------------------------------------------


def diff_lines(
    a: Rules, b: Rules, found: list[Difference], language: str = ENGLISH, keys: bool = False
) -> Iterator[str]:
    """Both sentences on whatever two rulebooks do not agree about."""
    width = max(len(a.id), len(b.id))
    title_a, title_b = (f"{book(rules, language).title} ({rules.id})" for rules in (a, b))
    yield _around("differ" if found else "same", language, a=title_a, b=title_b, count=len(found))
    for one in found:
        yield ""
        if keys:
            yield one.key
        for name, sentence, cite in ((a.id, one.sentence_a, one.cite_a), (b.id, one.sentence_b, one.cite_b)):
            indent = " " * (width + 4)
            yield from wrapped(f"{sentence} [{cite_words(cite, language)}]", indent, f"  {name:<{width}}  ")


def _around(key: str, language: str, **values: Any) -> str:
    """What stands around the sentences of a rulebook."""
    told = phrasing(language)
    return told.format(told.words["shown"][key], **values)
