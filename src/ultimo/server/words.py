"""What the server itself says to a person, in his language.

>>> sentence("da", "nameTaken", name="Karen"), guest_name("en", lambda many: many - 1)
('Navnet Karen er optaget; vælg et andet.', 'Whale 99')
"""

from __future__ import annotations

from collections.abc import Callable

from ultimo import names
from ultimo.events import IllegalAction
from ultimo.names import UnknownName
from ultimo.server.logs import logger
from ultimo.telling.teller import Teller

PART = "server"
NUMBERS = range(10, 100)


def sentence(language: str, key: str, **values: object) -> str:
    """A sentence of the server, with its values filled in."""
    text: str = names.tables(language, PART)["trouble"][key]
    return text.format_map(values)


def told_by(teller: Teller, error: IllegalAction) -> str:
    """Why a wish is refused at a table, by somebody who knows its rules and its people."""
    try:
        return teller.refusal(error)
    except UnknownName as missing:
        logger().error("no words for a refusal", language=teller.words.language, key=missing.key)
        return error.reason


def guest_name(language: str, choose: Callable[[int], int]) -> str:
    """A friendly name for somebody who has not said his; `choose(n)` gives a number below n."""
    animals: list[str] = names.tables(language, PART)["guests"]["animals"].split(", ")
    return f"{animals[choose(len(animals))]} {NUMBERS[choose(len(NUMBERS))]}"
