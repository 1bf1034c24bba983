"""What the server itself says: in four languages, and nothing that is never said."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random
from string import Formatter
from typing import Any, get_args

import pytest

from ultimo import names
from ultimo.answers.cleaning import clean, clean_name, guest_name
from ultimo.answers.refusing import Refusal, sentence
from ultimo.server.quotas import Daily

ULTIMO = Path(__file__).parents[2] / "src" / "ultimo"
ENGLISH: dict[str, str] = names.tables("en", "server")["trouble"]


def source() -> str:
    """What answers requests."""
    files = [path for part in ("answers", "pocket", "server") for path in (ULTIMO / part).glob("*.py")]
    return "".join(path.read_text(encoding="utf-8") for path in files)


def places(text: str) -> set[str | None]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("language", names.LANGUAGES)
def test_every_language_has_the_same_sentences_with_the_same_places(language: str) -> None:
    trouble: dict[str, Any] = names.tables(language, "server")["trouble"]
    assert list(trouble) == list(ENGLISH)
    for key, text in trouble.items():
        assert places(text) == places(ENGLISH[key])


def test_every_sentence_is_said_somewhere() -> None:
    said = {f"day{what.capitalize()}" for what in get_args(Daily)}  # `quotas.OverQuota`
    assert set(ENGLISH) <= said | set(re.findall(r'"(\w+)"', source()))


def test_every_refusal_has_its_sentence() -> None:
    said = set(re.findall(r'(?:Refusal|Fault|_refused)\(\w+, "(\w+)"', source()))
    assert len(said) > 15
    assert said <= set(ENGLISH)


@pytest.mark.parametrize("language", names.LANGUAGES)
def test_a_guest_has_a_name_that_fits_in_every_language(language: str) -> None:
    found = {guest_name(language, Random(seed).randrange) for seed in range(50)}
    assert len(found) > 40
    assert all(clean_name(name) == name for name in found)


def test_values_are_filled_in() -> None:
    assert sentence("de", "nameTaken", name="Ada") == "Der Name Ada ist vergeben; wähle einen anderen."


def test_texts_of_people_lose_what_cannot_be_read() -> None:
    assert clean("a\x00b\u202e c\n\td\u200b ") == "ab c d"
    assert clean_name("  Ｋaren   Blixen ") == "Karen Blixen"
    assert len(clean_name("x" * 80)) == 24


@pytest.mark.parametrize("name", ["", "   ", "\u200b\u200b", "!?", "\x07"])
def test_a_name_that_nobody_could_read_is_refused(name: str) -> None:
    with pytest.raises(Refusal):
        clean_name(name)
