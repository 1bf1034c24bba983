"""A rulebook in sentences: every parameter once, in the order of a deal, with its citation.

A line stands for one parameter, or for a small table whose values read as one sentence (`fine.revoke`).
The sentences are those of `names/rules`.

>>> from ultimo.rulebook import load
>>> explain(load("dtf"))[1].lines[0].sentence
'There is a king cup and a pagat cup.'
>>> explain(load("french4"), "fr")[1].title, book(load("french4"), "de").title
('Enchères', 'Französisches Tarot, vier Spieler')
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from typing import Any

import msgspec
from msgspec import Struct

from ultimo.rulebook import DanishRules, RulebookError, Rules, citation
from ultimo.telling.wording import Wording, phrasing

ENGLISH = "en"


class Book(Struct, frozen=True):
    """What a rulebook is called, and its character in one line."""

    title: str
    about: str


class Line(Struct, frozen=True):
    """One sentence of the rules, where it is set and where it is written down."""

    key: str
    sentence: str
    cite: str


class Section(Struct, frozen=True):
    """The sentences about one part of the game."""

    title: str
    lines: tuple[Line, ...]


class Difference(Struct, frozen=True):
    """One line on which two rulebooks do not agree."""

    key: str
    sentence_a: str
    sentence_b: str
    cite_a: str
    cite_b: str


def book(rules: Rules, language: str = ENGLISH) -> Book:
    """Title and character of a rulebook; one of somebody's own has only the words of its file."""
    own = {"title": rules.title, "about": rules.about}
    words = phrasing(language).words["books"].get(rules.id, own)
    return Book(words["title"], words["about"])


def explain(rules: Rules, language: str = ENGLISH) -> list[Section]:
    """Every parameter of the rules as a sentence, section by section."""
    tables, told = msgspec.to_builtins(rules), phrasing(language)
    return [
        Section(
            title,
            tuple(
                Line(key, told.sentence(wording, value_of(tables, key), tables), citation(rules, key))
                for key, wording in chapter.items()
            ),
        )
        for title, chapter in chapters(rules, language)
    ]


def differences(a: Rules, b: Rules, language: str = ENGLISH) -> list[Difference]:
    """What two rulebooks of one family say differently, in the order of a deal."""
    if type(a) is not type(b):
        reason = "one is Danish Tarok, the other French Tarot: there is nothing to compare"
        raise RulebookError(f"{a.id} and {b.id}", "family", reason)
    tables_a, tables_b = msgspec.to_builtins(a), msgspec.to_builtins(b)
    return [
        Difference(line_a.key, line_a.sentence, line_b.sentence, line_a.cite, line_b.cite)
        for line_a, line_b in zip(_lines(a, language), _lines(b, language), strict=True)
        if _rule(tables_a, line_a.key) != _rule(tables_b, line_b.key)
    ]


def chapters(rules: Rules, language: str) -> Iterator[tuple[str, dict[str, Wording]]]:
    """The sections of the rules: their titles, and the wording of each parameter."""
    family = "danish" if isinstance(rules, DanishRules) else "french"
    for section in phrasing(language).words[family]:
        yield section["title"], {key: wording for key, wording in section.items() if key != "title"}


def value_of(tables: Any, key: str) -> Any:
    """What stands in tables under a dotted key."""
    return reduce(lambda node, word: node[word], key.split("."), tables)


def _lines(rules: Rules, language: str) -> list[Line]:
    return [line for section in explain(rules, language) for line in section.lines]


def _rule(tables: Any, key: str) -> Any:
    """The value of a line to compare: the citation of a fine is not a rule."""
    value = value_of(tables, key)
    return {**value, "cite": ""} if isinstance(value, dict) else value
