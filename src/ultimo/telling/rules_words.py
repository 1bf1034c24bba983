"""A rulebook in sentences: every parameter once, in the order of a deal, with its citation.

A line stands for one parameter, or for a small table whose values read as one sentence (`fine.revoke`).

>>> from ultimo.rulebook import load
>>> [line.sentence for section in explain(load("dtf")) for line in section.lines if line.key == "fine.revoke"]
['A revoke costs 40 points into each cup and stops the deal unless both opponents want to play on.']
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from typing import Any

import msgspec
from msgspec import Struct

from ultimo.rulebook import FrenchRules, RulebookError, Rules, citation
from ultimo.telling.danish_words import DANISH
from ultimo.telling.french_words import FRENCH
from ultimo.telling.wording import Chapter, sentence


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


def explain(rules: Rules) -> list[Section]:
    """Every parameter of the rules as a sentence, section by section."""
    tables = msgspec.to_builtins(rules)
    return [
        Section(
            title,
            tuple(
                Line(key, sentence(wording, _value(tables, key), tables), citation(rules, key))
                for key, wording in chapter.items()
            ),
        )
        for title, chapter in _chapters(rules).items()
    ]


def differences(a: Rules, b: Rules) -> list[Difference]:
    """What two rulebooks of one family say differently, in the order of a deal."""
    if type(a) is not type(b):
        reason = "one is Danish Tarok, the other French Tarot: there is nothing to compare"
        raise RulebookError(f"{a.id} and {b.id}", "family", reason)
    tables_a, tables_b = msgspec.to_builtins(a), msgspec.to_builtins(b)
    return [
        Difference(line_a.key, line_a.sentence, line_b.sentence, line_a.cite, line_b.cite)
        for line_a, line_b in zip(_lines(a), _lines(b), strict=True)
        if _rule(tables_a, line_a.key) != _rule(tables_b, line_b.key)
    ]


def _lines(rules: Rules) -> list[Line]:
    return [line for section in explain(rules) for line in section.lines]


def _chapters(rules: Rules) -> Mapping[str, Chapter]:
    return FRENCH if isinstance(rules, FrenchRules) else DANISH


def _value(tables: Any, key: str) -> Any:
    return reduce(lambda node, word: node[word], key.split("."), tables)


def _rule(tables: Any, key: str) -> Any:
    """The value of a line to compare: the citation of a fine is not a rule."""
    value = _value(tables, key)
    return {**value, "cite": ""} if isinstance(value, dict) else value
