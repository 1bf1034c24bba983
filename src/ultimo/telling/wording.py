"""How a value becomes a sentence: the words of `names/rules`, filled in as their language does it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from string import Formatter
from typing import Any, TypeAlias

from ultimo.names import tables

Wording: TypeAlias = Mapping[str, Any]  # the sentences and labels under one parameter


class Phrasing(Formatter):
    """Fills in the sentences of one language; what stands after a colon says how a value is told.

    >>> phrasing("en").format("{sizes:or} bring {base:points}", sizes=[3, 4, 5], base=1)
    '3, 4 or 5 bring 1 point'
    """

    def __init__(self, language: str) -> None:
        self.words = tables(language, "rules")
        self._lists: Mapping[str, str] = self.words["lists"]
        self._amounts: Mapping[str, Sequence[str]] = self.words["amounts"]
        self._tables = {**self.words["words"], "bids": tables(language)["bids"]}

    def get_value(self, key: int | str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        """The value of a place; `{0}` is the one that is called 0."""
        return kwargs[str(key)]

    def format_field(self, value: Any, format_spec: str) -> str:
        """A value as an amount, a list or a word of a table; by itself if nothing is said about it."""
        match format_spec:
            case "apart":
                return self._apart(value)
            case "and" | "or":
                return listed([str(part) for part in value], self._lists[format_spec])
            case _ if format_spec in self._amounts:
                number: int = abs(value)  # a price is told, whoever pays it
                return self._amounts[format_spec][min(number, 2)].format(number)
            case _ if format_spec in self._tables:
                return str(self._tables[format_spec][value])
            case _:
                return str(super().format_field(value, format_spec))

    def sentence(self, wording: Wording, value: Any, rules: Any) -> str:
        """What is said about the value of a parameter; a fine needs a look at the other tables."""
        if (choice := _choice(value)) in wording:
            return self.vformat(wording[choice], (), _fields(value))
        if not value and "zero" in wording:
            return str(wording["zero"])
        if "offence" in wording:
            fine = value if isinstance(value, Mapping) else {"amt": value, "effect": ()}
            return self._fine(wording["offence"], fine, rules["fine"]["to"])
        rows = [self.vformat(wording["each"], (), _fields(row)) for row in value] if "each" in wording else []
        return self.vformat(wording["text"], (), {**_fields(value), "each": rows})

    def _fine(self, offence: str, fine: Any, to: str) -> str:
        """What an offence costs and does, then what the offender suffers."""
        words, effects = self.words["fines"], fine["effect"]
        does = [text for effect, text in words["stops"].items() if effect in effects]
        if fine["amt"]:
            does.insert(0, self.format(words["costs"], amt=fine["amt"], to=words["to"][to]))
        suffers = [text for effect, text in words["suffers"].items() if effect in effects]
        clauses = [words["offender"].format(effects=self._and(suffers))] if suffers else []
        clauses += [words[effect] for effect in ("correctable", "onlyBeforeDealer") if effect in effects]
        if does:
            done = words["done"].format(offence=offence, effects=self._and(does))
            return self._apart([done, *clauses]) + "."
        told = words["without"] if clauses else words["none"]
        return str(told.format(offence=offence, clauses=self._apart(clauses)))

    def _and(self, parts: list[str]) -> str:
        return listed(parts, self._lists["and"])

    def _apart(self, parts: list[str]) -> str:
        return self._lists["apart"].join(parts)


@cache
def phrasing(language: str) -> Phrasing:
    """The phrasing of one of the languages."""
    return Phrasing(language)


def listed(parts: list[str], last: str = "and") -> str:
    """Parts joined as a person does.

    >>> listed(["3", "4", "5"], "or")
    '3, 4 or 5'
    """
    return f" {last} ".join(part for part in (", ".join(parts[:-1]), *parts[-1:]) if part)


def _choice(value: Any) -> str:
    """The word under which a value may have a sentence of its own."""
    match value:
        case bool():
            return "yes" if value else "no"
        case str() | int():
            return str(value)
        case (int(least), int(most)):
            return f"{least}-{most}"
        case dict() if len(value) == 1:  # a length is of deals or of rounds
            return str(next(iter(value)))
        case _:
            return ""


def _fields(value: Any) -> Mapping[str, Any]:
    """The places that a value fills: those of a table by their names, else `value`."""
    return value if isinstance(value, Mapping) else {"value": value}
