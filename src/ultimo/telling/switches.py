"""The house rules of a table as switches: what may be changed, in which words and within which bounds.

A parameter is offered if `names/rules` has a label for it, with the values that the other rules of the
table leave possible; what leaves no choice, or means nothing beside the others, is not offered.

>>> from ultimo.rulebook import load
>>> skus = next(group for group in switches(load("dtf")) if group.title == "Skus")
>>> skus.switches[0].label, skus.switches[0].kind, skus.switches[0].book
('The skus can be demanded', 'yes/no', True)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any, Literal, TypeAlias

import msgspec
from msgspec import Struct, inspect
from msgspec.structs import replace

from ultimo import rulebook
from ultimo.rulebook import RulebookError, Rules, citation
from ultimo.telling.citations import Cited, cited
from ultimo.telling.rules_words import ENGLISH, applies, chapters, sentences, value_of
from ultimo.telling.wording import Wording, phrasing

Value: TypeAlias = bool | int | str

# Prices on which a table may agree only within a range of the book.
RANGES = {"ultimo.king": "ultimo.kingRange", "ultimo.pagat": "ultimo.pagatRange"}


class Choice(Struct, frozen=True):
    """One value of a switch, and what it means."""

    value: Value
    sentence: str


class Switch(Struct, frozen=True):
    """A parameter that a table may change: one of its `choices`, or a number from `least` to `most`."""

    key: str  # as a house rule has it
    kind: Literal["yes/no", "choice", "number"]
    label: str
    sentence: str  # what the table plays now
    value: Value
    book: Value  # what the rulebook says
    cite: Cited
    choices: tuple[Choice, ...] = ()
    least: int = 0
    most: int = 0


class SwitchGroup(Struct, frozen=True):
    """The switches of one section of the rules."""

    title: str
    switches: tuple[Switch, ...]


def switches(rules: Rules, language: str = ENGLISH) -> tuple[SwitchGroup, ...]:
    """All that a table may change, grouped as the rules are explained."""
    groups = [
        SwitchGroup(title, tuple(_offered(rules, chapter, language)))
        for title, chapter in chapters(rules, language)
    ]
    return tuple(group for group in groups if group.switches)


def _offered(rules: Rules, chapter: Mapping[str, Wording], language: str) -> Iterator[Switch]:
    now, book = msgspec.to_builtins(rules), msgspec.to_builtins(rulebook.book_of(rules))
    told = sentences(rules, language)
    for line, wording in chapter.items():
        if not applies(now, line):
            continue
        for key, label in _labels(line, wording):
            values = value_of(now, key), value_of(book, key)
            if None in values:  # a row that the list does not have
                continue
            switch = Switch(key, "number", label, told[line], *values, cited(citation(rules, key), language))
            switch = _with_values(rules, switch, wording, language)
            if len(switch.choices) > 1 or switch.least < switch.most:
                yield switch


def _labels(line: str, wording: Wording) -> Iterator[tuple[str, str]]:
    """The labels under a line: for its own value, or for those of a small table."""
    if "label" in wording:
        yield line, wording["label"]
    for name, label in wording.get("labels", {}).items():
        yield f"{line}.{name}", label


def _with_values(rules: Rules, switch: Switch, wording: Wording, language: str) -> Switch:
    """A switch with the values that it may have."""
    values: Iterable[Any]
    match _type(type(rules), switch.key):
        case inspect.IntType(ge=int(least), le=int(most)):
            if switch.key in RANGES:
                least, most = value_of(msgspec.to_builtins(rules), RANGES[switch.key])
            return replace(switch, least=least, most=most)
        case inspect.BoolType():
            switch, values = replace(switch, kind="yes/no"), (True, False)
        case inspect.LiteralType(values=words):
            place = [*wording].index  # the order of the sentences
            switch, values = replace(switch, kind="choice"), sorted(words, key=lambda word: place(str(word)))
        case other:
            raise TypeError(f"{switch.key} has a label but cannot be switched: {other}")
    told = phrasing(language)
    choices = [Choice(value, told.sentence(wording, value, {})) for value in values]
    return replace(switch, choices=tuple(one for one in choices if _possible(rules, switch.key, one.value)))


def _possible(rules: Rules, key: str, value: Value) -> bool:
    """Whether the other rules of the table allow a value."""
    try:
        rulebook.changed(rules, {key: value})
    except RulebookError:
        return False
    return True


@cache
def _type(rules: type[Rules], key: str) -> inspect.Type:
    """The type of a parameter."""
    kind: Any = inspect.type_info(rules)
    for word in key.split("."):
        if isinstance(kind, inspect.VarTupleType):  # the word names a row
            kind = kind.item_type
            continue
        kind = next(field.type for field in kind.fields if field.encode_name == word)
    return kind  # type: ignore[no-any-return]
