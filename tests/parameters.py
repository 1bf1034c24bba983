"""Other values for every parameter of the rules, for tests that want to see what a value changes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import inspect

from ultimo.rulebook import Rules

WORDS = {"id", "title", "about", "cite", "cites", "version"}
LISTS: dict[str, list[Any]] = {
    "table.sizes": [[3], [3, 4], [4, 5]],
    "ultimo.kingRange": [[0, 50], [10, 1000]],
    "ultimo.pagatRange": [[0, 50], [10, 1000]],
    "nolo.announce": [
        [{"beforeTrick": 1, "win": 2, "premium": 3, "lose": 4} | change]
        for change in ({}, {"beforeTrick": 5}, {"win": 5}, {"premium": 5}, {"lose": 5})
    ],
    "tout.announce": [
        [{"beforeTrick": 1, "win": 2, "lose": 3} | change]
        for change in ({}, {"beforeTrick": 5}, {"win": 5}, {"lose": 5})
    ],
    "bid.ladder": [
        [{"id": "garde", "mult": 2, "chien": "taken"} | change]
        for change in ({}, {"id": "sans"}, {"mult": 3}, {"chien": "taker"}, {"chien": "defence"})
    ],
    "poignee.sizes": [[8, 10, 14], [8]],
    "poignee.values": [[20, 30, 50], [20]],
    "call.fallback": [[], ["queen"], ["queen", "knight"]],
    "target": [{"0": 57, "1": 51, "2": 41, "3": 36}, {"0": 56, "1": 51, "2": 41, "3": 37}],
    "session.length": [{"deals": 8}, {"rounds": 8}, {"deals": 9}],
}


def kinds(kind: inspect.Type, place: str = "") -> Iterator[tuple[str, inspect.Type]]:
    """Every parameter of a type of rules, with the type of its value."""
    if not isinstance(kind, inspect.StructType):
        yield place, kind
        return
    for field in kind.fields:
        if field.encode_name not in WORDS:
            yield from kinds(field.type, f"{place}.{field.encode_name}".lstrip("."))


def others(key: str, kind: inspect.Type, value: Any) -> list[Any]:
    """Values that differ from `value`: all of them where there are few."""
    if key in LISTS:
        return LISTS[key]
    match kind:
        case inspect.VarTupleType(item_type=inspect.LiteralType(values=values)):
            return [[], *([each] for each in values)]
        case inspect.LiteralType(values=values):
            return [other for other in values if other != value]
        case inspect.BoolType():
            return [not value]
        case inspect.IntType(ge=int(least), le=int(most)):
            return [number for number in (least, value - 1, value + 1, most) if least <= number <= most]
        case _:
            raise NotImplementedError(f"{key}: {kind}")


def with_value(rules: Rules, key: str, value: Any) -> Rules:
    """The rules with one parameter changed, whether or not a table could play them."""
    tables = msgspec.to_builtins(rules)
    *path, last = key.split(".")
    node = tables
    for word in path:
        node = node[word]
    node[last] = value
    return msgspec.convert(tables, type(rules))
