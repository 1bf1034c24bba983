"""How a value becomes a sentence: templates, tables of sentences, and small functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

# A template; a template for zero and one for the rest; a sentence for each value; or a function of the
# value and of all tables. Templates know the value as {0} and as {points}.
Wording: TypeAlias = str | tuple[str, str] | Mapping[Any, str] | Callable[[Any, Any], str]
Chapter: TypeAlias = Mapping[str, Wording]


def sentence(wording: Wording, value: Any, tables: Any) -> str:
    """What `wording` says about a value; some sentences need a look at the other tables."""
    match wording:
        case str():
            return wording.format(value, points=points(value))
        case (zero, other):
            return sentence(other if value else zero, value, tables)
        case Mapping():
            return wording[value]
        case _:
            return wording(value, tables)


def points(value: Any) -> str:
    """A number of points as a person says it; nothing sensible for what is no number."""
    return {0: "nothing", 1: "1 point"}.get(value, f"{value} points") if isinstance(value, int) else ""


def listed(parts: list[str], last: str = "and") -> str:
    """Parts joined as a person does.

    >>> listed(["3", "4", "5"], "or")
    '3, 4 or 5'
    """
    return f" {last} ".join(part for part in (", ".join(parts[:-1]), *parts[-1:]) if part)
