"""A rulebook in sentences: every parameter once, in the order of a deal, with its citation.

A line stands for one parameter, or for a small table whose values read as one sentence (`fine.revoke`).
What the other rules of a table leave without meaning has no line there. The sentences are those of
`names/rules`.

>>> from ultimo.rulebook import load
>>> explain(load("dtf"))[1].lines[0].sentence
'There is a king cup and a pagat cup.'
>>> explain(load("french4"), "fr")[1].title, book(load("french4"), "de").title
('Enchères', 'Französisches Tarot, vier Spieler')
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import reduce
from typing import Any

import msgspec
from msgspec import Struct

from ultimo import rulebook
from ultimo.rulebook import RulebookError, Rules, citation
from ultimo.telling.wording import Wording, phrasing

ENGLISH = "en"


def _has_cups(tables: Any) -> bool:
    return bool(tables["cups"]["enabled"])


def _has_partner(tables: Any) -> bool:
    return bool(tables["call"]["card"] != "none")


# Rules that mean nothing at a table where others are as they are.
ONLY_WHERE: dict[str, Callable[[Any], bool]] = {
    key: means
    for keys, means in (
        ("table.five", lambda tables: 5 in tables["table"]["sizes"]),
        ("cups.found cups.foundBy cups.ante cups.moveDuty cups.lastTrickOrder", _has_cups),
        ("pay.kingLostCup pay.pagatLostCup bagud.pagatExtraCup tout.takesCups strict.cups", _has_cups),
        ("fine.cupsNotMoved", lambda tables: _has_cups(tables) and tables["cups"]["moveDuty"]),
        ("deal.misdealPay", lambda tables: tables["deal"]["misdeal"] != "anteOrPass"),
        ("fine.wrongDemand strict.skusDemand", lambda tables: tables["skus"]["demandable"]),
        ("skus.swapOnRename strict.skusClaim", lambda tables: tables["skus"]["rename"] == "claim"),
        ("call.fallback call.firstLeadBan call.restrictAfterExcuse", _has_partner),
        ("share.partner share.alone", _has_partner),
        ("table.mort", lambda tables: tables.get("players") == 4),
    )
    for key in keys.split()
}


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


def history(rules: Rules, language: str) -> str:
    """What kind of book it is, and of which edition; nothing of a rulebook of somebody's own."""
    return str(phrasing(language).words["books"].get(rules.id, {}).get("history", ""))


def book(rules: Rules, language: str = ENGLISH) -> Book:
    """Title and character of a rulebook; one of somebody's own has only the words of its file."""
    own = {"title": rules.title, "about": rules.about}
    words = phrasing(language).words["books"].get(rules.id, own)
    return Book(words["title"], words["about"])


def explain(rules: Rules, language: str = ENGLISH) -> list[Section]:
    """Every parameter that means something at this table as a sentence, section by section."""
    tables, told = msgspec.to_builtins(rules), sentences(rules, language)
    sections = [
        Section(
            title,
            tuple(Line(key, told[key], citation(rules, key)) for key in chapter if applies(tables, key)),
        )
        for title, chapter in chapters(rules, language)
    ]
    return [section for section in sections if section.lines]


def sentences(rules: Rules, language: str = ENGLISH) -> dict[str, str]:
    """What is said about each line, whether it means something at this table or not."""
    tables, told = msgspec.to_builtins(rules), phrasing(language)
    found = {
        key: told.sentence(wording, value_of(tables, key), tables)
        for _, chapter in chapters(rules, language)
        for key, wording in chapter.items()
    }
    for key, remark in _remarks(rules, language).items():
        found[key] += f" {remark}"
    return found


def applies(tables: Any, key: str) -> bool:
    """Whether a line means something where the other rules are as in these tables."""
    return key not in ONLY_WHERE or ONLY_WHERE[key](tables)


def _remarks(rules: Rules, language: str) -> dict[str, str]:
    """What is to be said besides about rules of the book, where the table plays them as the book has them."""
    remarks: dict[str, str] = phrasing(language).words["books"].get(rules.id, {}).get("remarks", {})
    changed = rulebook.overrides(rules) if remarks else {}
    return {key: remark for key, remark in remarks.items() if key not in changed}


def differences(a: Rules, b: Rules, language: str = ENGLISH) -> list[Difference]:
    """What two rulebooks of one family say differently, in the order of a deal.

    A rule that means something to one of them only hangs on another, in which they differ.
    """
    if type(a) is not type(b):
        reason = "one is Danish Tarok, the other French Tarot: there is nothing to compare"
        raise RulebookError(f"{a.id} and {b.id}", "family", reason)
    tables_a, tables_b = msgspec.to_builtins(a), msgspec.to_builtins(b)
    there = {line.key: line for section in explain(b, language) for line in section.lines}
    return [
        Difference(line.key, line.sentence, there[line.key].sentence, line.cite, there[line.key].cite)
        for section in explain(a, language)
        for line in section.lines
        if line.key in there and _rule(tables_a, line.key) != _rule(tables_b, line.key)
    ]


def chapters(rules: Rules, language: str) -> Iterator[tuple[str, dict[str, Wording]]]:
    """The sections of the rules: their titles, and the wording of each parameter."""
    for section in phrasing(language).words[rules.family]:
        yield section["title"], {key: wording for key, wording in section.items() if key != "title"}


def value_of(tables: Any, key: str) -> Any:
    """What stands in tables under a dotted key; nothing, where a list has no such row."""
    return reduce(_below, key.split("."), tables)


def _below(node: Any, word: str) -> Any:
    if not isinstance(node, list | tuple):
        return node if node is None else node[word]
    place = rulebook.row_place(node, word)
    return None if place is None else node[place]


def _rule(tables: Any, key: str) -> Any:
    """The value of a line to compare: the citation of a fine is not a rule."""
    value = value_of(tables, key)
    return {**value, "cite": ""} if isinstance(value, dict) else value
