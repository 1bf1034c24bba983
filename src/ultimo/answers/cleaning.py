"""Texts and names of people, without what nobody can read; and names for those who have not said theirs."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from typing import Final

from ultimo import names
from ultimo.answers.refusing import Refusal

NAME_LENGTH: Final = 24
NUMBERS: Final = range(10, 100)  # behind the names of guests
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


def guest_name(language: str, choose: Callable[[int], int]) -> str:
    """A friendly name for somebody who has not said theirs; `choose(n)` gives a number below n.

    >>> guest_name("en", lambda many: many - 1)
    'Whale 99'
    """
    animals: list[str] = names.tables(language, "server")["guests"]["animals"].split(", ")
    return f"{animals[choose(len(animals))]} {NUMBERS[choose(len(NUMBERS))]}"
