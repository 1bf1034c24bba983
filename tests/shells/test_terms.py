"""One name for one thing: no language uses a word beside the one that was decided for it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

import ultimo.names
from ultimo.names import LANGUAGES

WORDS = Path(ultimo.names.__file__).parent
TERMS = tomllib.loads((Path(__file__).parents[1] / "data" / "terms.toml").read_text(encoding="utf-8"))
MEANT = set(TERMS["names"]["meant"])
PLACE = re.compile(r"\{[^}]*\}")
NAMES = ("books.", "guests.", "declarations.", "typed.")  # titles of books, animals, calls, what is typed


def texts(tongue: str) -> Iterator[tuple[str, str]]:
    """Every text of a language, with its file and key; places for values have no names."""
    for file in sorted(WORDS.rglob(f"{tongue}.toml")):
        for key, text in flat(tomllib.loads(file.read_text(encoding="utf-8"))):
            if file.parent.name == "glossary" and key.endswith((".words", ".books")):
                continue  # what a word is known by, also in the books
            yield f"{file.relative_to(WORDS)}:{key}", PLACE.sub("{}", text)


def flat(node: Any, prefix: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(node, str):
        yield prefix, node
        return
    for key, below in node.items() if isinstance(node, Mapping) else enumerate(node):
        yield from flat(below, f"{prefix}.{key}" if prefix else str(key))


@pytest.mark.parametrize("tongue", LANGUAGES)
def test_each_language_keeps_to_its_terms(tongue: str) -> None:
    found = list(texts(tongue))
    assert len(found) > 1000
    wrong = [
        f"{where}: {text!r} says {match[0]!r}; better: {better}"
        for pattern, better in TERMS[tongue].items()
        for where, text in found
        if where not in MEANT and not where.partition(":")[2].startswith(NAMES)
        if (match := re.search(pattern, text))
    ]
    assert not wrong, "\n".join(wrong)
