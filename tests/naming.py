"""Which cards a text that a page is sent names, and which of its words name cards in general."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import msgspec

from ultimo.cards import NOTATION
from ultimo.events import Event
from ultimo.names import names

# Where any card may be named, whoever holds it: what may be called, and what may be declared.
SPOKEN = ("Call", "Declare")


@cache
def spellings(language: str, family: str) -> dict[str, str]:
    """How each card is written, to its notation: notation and the signs of the language.

    The skus is also spoken of where nobody shows it, so that only its notation gives it away.
    """
    words = names(language)
    written = {f'"{card}"': card for card in NOTATION}
    signs = {words.card(card, family): card for card in NOTATION if card != "T0"}  # type: ignore[arg-type]
    return written | signs


@cache
def _pattern(language: str, family: str) -> re.Pattern[str]:
    longest_first = sorted(map(re.escape, spellings(language, family)), key=len, reverse=True)
    return re.compile(rf"(?:{'|'.join(longest_first)})(?![0-9])")


def named(text: str, language: str, family: str) -> set[str]:
    """The cards that are named in a text."""
    written = spellings(language, family)
    return {written[found] for found in _pattern(language, family).findall(text)}


def named_by(event: Event) -> set[str]:
    """The cards that an event names."""
    return set(re.findall(r'"([SHCD](?:10|[KQNJ1-9])|T\d+)"', msgspec.json.encode(event).decode()))


def without_speech(message: bytes) -> str:
    """The text of a message without what names cards in general: rules, and offers that name any card."""
    full: dict[str, Any] = msgspec.json.decode(message)
    turn = full.get("scene", full.get("patch", {})).get("turn")
    if turn is not None:
        turn["offers"] = [
            offer
            for offer in turn["offers"]
            if offer["kind"] != "declare" and offer.get("action", {}).get("type") not in SPOKEN
        ]
        turn["question"] = turn["guide"] = ""
        turn["barred"] = [barred["cards"] for barred in turn["barred"]]
    return msgspec.json.encode(full).decode()
