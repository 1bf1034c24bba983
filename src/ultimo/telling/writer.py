"""What a text about the rules is made of, and the hand that writes it from the words of `names/learn`.

A block is something that a terminal, a page and a printer can draw: a passage, a list, a grid, rows of cards.
A place in a sentence is a parameter of the rules (`{pay.king_lost:points}`) or a value given with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from msgspec import Struct, structs

from ultimo.names import learning
from ultimo.rulebook import Rules
from ultimo.telling.rules_words import explain
from ultimo.telling.wording import phrasing


class Passage(Struct, frozen=True, tag_field="kind", tag="passage"):
    """Sentences that belong together."""

    text: str


class Items(Struct, frozen=True, tag_field="kind", tag="items"):
    """A list."""

    items: tuple[str, ...]


class Grid(Struct, frozen=True, tag_field="kind", tag="grid"):
    """Rows under a head."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class CardRow(Struct, frozen=True):
    """Cards side by side, in notation, and what they are; some may be marked."""

    label: str
    cards: tuple[str, ...]
    marked: tuple[str, ...] = ()


class CardRows(Struct, frozen=True, tag_field="kind", tag="cards"):
    """Rows of cards."""

    rows: tuple[CardRow, ...]


Block: TypeAlias = Passage | Items | Grid | CardRows


class Chapter(Struct, frozen=True):
    """A part of the text; its id is the same in every language."""

    id: str
    title: str
    blocks: tuple[Block, ...]


class Writer:
    """Writes about the rules of a table in a language; `said` are the keys of what has been written."""

    def __init__(self, rules: Rules, table: int, language: str) -> None:
        self.family = rules.family
        self.table = table
        self.language = language
        self.said: list[str] = []
        self._words = learning(language)
        self._phrasing = phrasing(language)
        self._rules = structs.asdict(rules)
        self._lines = {line.key: line.sentence for part in explain(rules, language) for line in part.lines}

    def say(self, key: str, **values: Any) -> str:
        """The sentences under a key, with the rules and these values in their places."""
        full = key if key.startswith("shared.") else f"{self.family}.{key}"
        self.said.append(full)
        return self._phrasing.vformat(self._words[full], (), self._rules | values)

    def passage(self, *keys: str, **values: Any) -> Passage:
        """The sentences under these keys as one passage; an empty key is left out."""
        return Passage(" ".join(self.say(key, **values) for key in keys if key))

    def items(self, *keys: str, **values: Any) -> Items:
        """The sentences under these keys as a list; an empty key is left out."""
        return Items(tuple(self.say(key, **values) for key in keys if key))

    def grid(self, *head: str, rows: Iterable[tuple[str, ...]]) -> Grid:
        """Rows under the words of these keys."""
        return Grid(tuple(map(self.say, head)), tuple(rows))

    def cards(self, **rows: Iterable[str]) -> CardRows:
        """Cards in notation, row by row, each under its name in the chapter on the cards."""
        return CardRows(tuple(CardRow(self.say(f"cards.{name}"), tuple(row)) for name, row in rows.items()))

    def worth(self, points: Mapping[str, str]) -> Grid:
        """What cards are worth."""
        rows = ((self.say(f"cards.{card}"), worth) for card, worth in points.items())
        return self.grid("cards.card", "cards.worth", rows=rows)

    def line(self, parameter: str) -> Passage:
        """What the rules in sentences say about a parameter."""
        return Passage(*self.lines(parameter).items)

    def lines(self, *parameters: str) -> Items:
        """What the rules in sentences say about these parameters; one that means nothing here is left out."""
        told = [parameter for parameter in parameters if parameter in self._lines]
        self.said += [f"rules.{parameter}" for parameter in told]
        return Items(tuple(self._lines[parameter] for parameter in told))

    def chapter(self, name: str, *blocks: Block | None) -> Chapter:
        """A chapter; a block that is nothing is left out."""
        return Chapter(name, self.say(f"{name}.title"), tuple(filter(None, blocks)))
