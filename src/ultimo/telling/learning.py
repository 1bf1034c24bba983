"""How to play: a rulebook as a newcomer reads it, for the number of people at this table.

The chapters are made from the parameters, so that they are true for a table with its house rules. What they
say stands in `names/learn`; which of it is said, in `learning_danish` and `learning_french`.

>>> from ultimo.rulebook import load
>>> [chapter.title for chapter in chapters(load("french4"), 4)][:3]
['What the game is about', 'The 78 cards', 'The deal']
"""

from __future__ import annotations

from collections.abc import Iterator

from ultimo import rulebook
from ultimo.rulebook import DanishRules, Rules
from ultimo.telling.learning_danish import danish
from ultimo.telling.learning_french import french
from ultimo.telling.rules_words import ENGLISH, Difference, book, differences
from ultimo.telling.writer import Chapter, Grid, Writer

USUAL = {"danish": "dtf", "french": "french4"}  # with which the other books of a family are compared
BESIDE = {"fft3": "french3", "fft5": "french5"}  # and those that are for another number of players


def heading(rules: Rules, language: str = ENGLISH) -> str:
    """What stands above the chapters."""
    return Writer(rules, 0, language).say("shared.title", book=book(rules, language).title)


def chapters(rules: Rules, table: int, language: str = ENGLISH) -> tuple[Chapter, ...]:
    """How to play by these rules with so many at the table, and what is particular about them."""
    return (*lessons(Writer(rules, table, language), rules), *comparisons(rules, language))


def lessons(writer: Writer, rules: Rules) -> tuple[Chapter, ...]:
    """The chapters that teach."""
    return tuple(danish(writer, rules) if isinstance(rules, DanishRules) else french(writer, rules))


def comparisons(rules: Rules, language: str = ENGLISH) -> Iterator[Chapter]:
    """The house rules of the table beside its book, and the book beside the usual one of its family."""
    writer, plain = Writer(rules, 0, language), rulebook.book_of(rules)
    beside = usual(rules)
    there = book(beside, language).title
    for name, found, title, other in (
        ("house", differences(rules, plain, language), writer.say("shared.house"), writer.say("shared.book")),
        ("differs", differences(plain, beside, language), writer.say("shared.differs", book=there), there),
    ):
        if found:
            yield Chapter(name, title, (_beside(found, writer.say("shared.here"), other),))


def usual(rules: Rules) -> Rules:
    """The book that this one is compared with."""
    return rulebook.load(BESIDE.get(rules.id, USUAL[rules.family]))


def _beside(found: list[Difference], here: str, there: str) -> Grid:
    return Grid((here, there), tuple((one.sentence_a, one.sentence_b) for one in found))
