"""Rulebooks as the pages show them: what there is, what differs, what a table may change, what it plays."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any, Final

import msgspec
from msgspec import Raw

from ultimo import names, rulebook
from ultimo.answers.payloads import Book, BookPage, Differs, Glossary, RuleLine, RuleSection, TableRules
from ultimo.answers.refusing import Refusal, number
from ultimo.names import Family
from ultimo.rulebook import RulebookError, Rules
from ultimo.telling.citations import cited
from ultimo.telling.glossary import glossary
from ultimo.telling.learning import chapters, heading, usual
from ultimo.telling.rules_words import Line, differences, explain, sentences
from ultimo.telling.rules_words import book as words_of
from ultimo.telling.switches import switches

KEPT: Final = 200  # pages that are kept, of each kind
LONGEST_HOUSE: Final = 4000  # characters of house rules in an address


# --- the pages -------------------------------------------------------------------------------------------
# What has been asked for lately is kept as it was told: of few books there are few pages that people look at.


def books(language: str) -> list[Book]:
    """All rulebooks."""
    return [book_line(one, language) for one in rulebook.ids()]


def page(name: str, house: str, language: str) -> Raw:
    """One rulebook with its switches (`BookPage`), as `house` has set them so far."""
    _check(name, house)
    return Raw(_page(name, house, language))


def learn(name: str, house: str, size: str | None, language: str) -> Raw:
    """How to play by a rulebook (`TableRules`) with `house` rules, for `size` at the table or the fewest."""
    _check(name, house)
    return Raw(_taught(name, house, None if size is None else number(size), language))


def words(language: str) -> Raw:
    """The words of both games, explained (`Glossary`)."""
    return Raw(_glossary(language))


@lru_cache(KEPT)
def _page(name: str, house: str, language: str) -> bytes:
    rules = _rules(name, house)
    shown = BookPage(book_line(rules.id, language), switches(rules, language), rules.sheet_sizes)
    return msgspec.json.encode(shown)


@lru_cache(KEPT)
def _taught(name: str, house: str, size: int | None, language: str) -> bytes:
    rules = _rules(name, house)
    chosen = min(rules.sizes) if size is None else size
    if chosen not in rules.sizes:
        raise Refusal(404, "unknownPage")
    return msgspec.json.encode(table_rules(rules, chosen, language))


@cache
def _glossary(language: str) -> bytes:
    return msgspec.json.encode(Glossary(glossary(language)))


def _check(name: str, house: str) -> None:
    """Refuse a rulebook that there is not, and more house rules than anybody has."""
    if name not in rulebook.ids():
        raise Refusal(404, "unknownBook", "rules", book=name[:40], books=", ".join(rulebook.ids()))
    if len(house) > LONGEST_HOUSE:
        raise Refusal(413, "tooLarge", "house", most=LONGEST_HOUSE)


def _rules(name: str, house: str) -> Rules:
    try:
        return rulebook.load(name, msgspec.json.decode(house, type=dict[str, Any]))
    except RulebookError as error:
        raise Refusal(422, "settings", f"house.{error.key}", reason=error) from None
    except (msgspec.DecodeError, RecursionError):
        raise Refusal(400, "notJson", "house") from None


# --- what they show --------------------------------------------------------------------------------------


@cache
def book_line(name: str, language: str) -> Book:
    """A rulebook in a list."""
    rules = rulebook.load(name)
    beside = usual(rules)
    words = words_of(rules, language)
    return Book(
        id=name,
        family=rules.family,
        title=words.title,
        about=words.about,
        sizes=rules.sizes,
        beside=words_of(beside, language).title,
        differences=differing(rules, beside, language) if {*rules.sizes} & {*beside.sizes} else (),
    )


def differing(rules: Rules, usual: Rules, language: str) -> tuple[Differs, ...]:
    """What rules say otherwise than others of the same family."""
    return tuple(
        Differs(
            one.key, one.sentence_a, one.sentence_b, cited(one.cite_a, language), cited(one.cite_b, language)
        )
        for one in differences(rules, usual, language)
    )


def title_of(rules: str, language: str) -> str:
    """What a rulebook is called."""
    return book_line(rules, language).title


def family_of(rules: str) -> Family:
    """Which game a rulebook is of."""
    return book_line(rules, names.LANGUAGES[0]).family


def table_rules(rules: Rules, size: int, language: str) -> TableRules:
    """How to play, and the rules of a table in sentences; a house rule stands beside what the book says."""
    plain = sentences(rulebook.book_of(rules), language)
    words, house = words_of(rules, language), rulebook.overrides(rules)
    return TableRules(
        title=words.title,
        about=words.about,
        heading=heading(rules, language),
        family=rules.family,
        size=size,
        sizes=rules.sizes,
        house=len(house),
        chapters=chapters(rules, size, language),
        sections=tuple(
            RuleSection(section.title, tuple(_line(one, plain[one.key], language) for one in section.lines))
            for section in explain(rules, language)
        ),
        earlier=rulebook.is_earlier(rules),
    )


def _line(line: Line, plain: str, language: str) -> RuleLine:
    own = line.sentence != plain
    return RuleLine(line.key, line.sentence, cited(line.cite, language), own, plain if own else "")
