"""Texts and names of people, without what nobody can read."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from ultimo.answers.refusing import Refusal

NAME_LENGTH: Final = 24
STYLES: Final = re.compile("[\ufe00-\ufe0f]")  # which picture of a character: an emoji's, for example
INVISIBLE: Final = re.compile(  # and no control character
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\uffa0\U000e0100-\U000e01ef]"
)


def clean(text: str) -> str:
    """A text of people without control characters, with single spaces."""
    plain = "".join(" " if letter.isspace() else letter for letter in unicodedata.normalize("NFKC", text))
    shown = "".join(letter for letter in plain if not unicodedata.category(letter).startswith("C"))
    return " ".join(shown.split())


def clean_name(name: str) -> str:
    """The name as it is shown; one that nobody could read is refused."""
    cleaned = clean(STYLES.sub("", name))[:NAME_LENGTH].strip()
    if not any(letter.isalnum() for letter in INVISIBLE.sub("", cleaned)):
        raise Refusal(422, "nameEmpty", "name")
    return cleaned
