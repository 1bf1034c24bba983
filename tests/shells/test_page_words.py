"""The page's own words: the same keys in every language, each of them used and none missing."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ultimo import names

SOURCES = Path(__file__).parents[2] / "web" / "src"
PLACES = re.compile(r"\{(\w+)\}")
# t("table.play"), t(`table.levels.${level}`), and keys that stand as values: key: "new.size"
WHOLE = re.compile(r"[\"'`]([a-z]\w*(?:\.\w+)+)[\"'`]")
BEGUN = re.compile(r"\bt\(\s*`([^`$]+\.)\$\{")


def written() -> str:
    files = [*SOURCES.rglob("*.svelte"), *SOURCES.rglob("*.ts")]
    return "\n".join(file.read_text(encoding="utf-8") for file in files if ".test." not in file.name)


@pytest.mark.parametrize("language", names.LANGUAGES)
def test_every_language_has_the_keys_and_places_of_the_first(language: str) -> None:
    first, other = names.page(names.LANGUAGES[0]), names.page(language)
    assert set(first) == set(other)
    for key, text in other.items():
        assert text.strip()
        assert set(PLACES.findall(text)) == set(PLACES.findall(first[key])), key


def test_every_key_that_the_page_uses_exists() -> None:
    known = names.page(names.LANGUAGES[0])
    used = set(re.findall(r"\bt\(\s*[\"']([^\"']+)[\"']", written()))
    assert used - set(known) == set()
    for begun in BEGUN.findall(written()):
        assert any(key.startswith(begun) for key in known), begun


def test_every_key_is_used() -> None:
    text = written()
    whole, begun = set(WHOLE.findall(text)), tuple(BEGUN.findall(text))
    unused = {key for key in names.page(names.LANGUAGES[0]) if key not in whole and not key.startswith(begun)}
    assert unused == set()
