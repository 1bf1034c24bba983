"""Rulebooks as the pages show them: what there is, what differs, what a table may change, what it plays."""

from __future__ import annotations

from functools import cache

from ultimo import names, rulebook
from ultimo.answers.payloads import Book, Differs, RuleLine, RuleSection, TableRules
from ultimo.names import Family
from ultimo.rulebook import Rules
from ultimo.telling.citations import cited
from ultimo.telling.learning import chapters, heading, usual
from ultimo.telling.rules_words import Line, differences, explain, sentences
from ultimo.telling.rules_words import book as words_of


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
    plain = sentences(rulebook.load(rules.id), language)
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
    )


def _line(line: Line, plain: str, language: str) -> RuleLine:
    own = line.sentence != plain
    return RuleLine(line.key, line.sentence, cited(line.cite, language), own, plain if own else "")
