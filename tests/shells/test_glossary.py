"""The words of the game are explained in every language, and are words that our texts use."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import pytest

from commands import ultimo
from ultimo.names import LANGUAGES, tables
from ultimo.rulebook import ids
from ultimo.telling.glossary import glossary

PARTS = ("", "learn", "page", "rules", "refusals", "server")
each_language = pytest.mark.parametrize("tongue", LANGUAGES)


def said(node: Any) -> Iterator[str]:
    """Every text of a file."""
    if isinstance(node, str):
        yield node
    elif isinstance(node, list | tuple):
        for below in node:
            yield from said(below)
    elif isinstance(node, Mapping):
        for below in node.values():
            yield from said(below)


@cache
def texts(tongue: str) -> str:
    """All that we say in a language but the glossary; English refusals are the keys of the others."""
    refusals = "\n".join(tables("da", "refusals"))
    parts = [part for part in PARTS if (tongue, part) != ("en", "refusals")]
    return "\n".join([refusals, *(text for part in parts for text in said(tables(tongue, part)))])


def stands(word: str, text: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text, re.IGNORECASE) is not None


@each_language
def test_every_language_explains_the_same_words(tongue: str) -> None:
    concepts = tables("concepts", "glossary")
    assert list(tables(tongue, "glossary")) == list(concepts)
    for one in glossary(tongue):
        assert one.words
        assert all(word == word.strip() != "" for word in one.words), one.id
        assert one.says.endswith((".", ".)")), one.id
        assert "'" not in one.says, one.id
        assert set(concepts[one.id]) <= {"family", "books", "unheard"}
        assert set(concepts[one.id]["books"]) <= set(ids())


@each_language
def test_every_word_stands_in_some_text_or_is_one_of_the_books_only(tongue: str) -> None:
    concepts = tables("concepts", "glossary")
    for one in glossary(tongue):
        heard = any(stands(word, texts(tongue)) for word in one.words)
        assert heard or concepts[one.id].get("unheard"), one.id


@each_language
def test_a_word_of_a_game_has_one_meaning_in_it(tongue: str) -> None:
    for family in ("danish", "french"):
        words = [
            word.lower() for one in glossary(tongue) if one.family in ("", family) for word in set(one.words)
        ]
        assert sorted(words) == sorted({*words})


def test_the_command_explains_the_words() -> None:
    printed = ultimo("rules", "words", "--lang", "da").out
    assert "M. Basta, 1899: scus" in printed
    assert "At tage alle 25 stik i et spil." in printed
    read = json.loads(ultimo("rules", "words", "--json").out)
    assert {one["id"] for one in read} == set(tables("concepts", "glossary"))
