"""Every other value that a parameter of a rulebook may take: house rules for tests, mutations for tools."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeAlias, Union, get_args, get_origin

import msgspec
from msgspec import Meta, Struct, structs

from ultimo import rulebook

Change: TypeAlias = tuple[str, Any]  # a key and another value for it

STEPS = (1, -1, 5, -5)


@cache
def changes(book: str) -> tuple[Change, ...]:
    """Each parameter of a rulebook with each other value, where the rulebook can be played so."""
    return tuple(change for change in _wishes(book) if _is_possible(book, change))


def _wishes(book: str) -> Iterator[Change]:
    rules = rulebook.load(book)
    for key, value in rulebook.parameters(rules).items():
        for other in others(type_of(type(rules), key), value):
            yield key, other


def _is_possible(book: str, change: Change) -> bool:
    try:
        rules = rulebook.load(book, dict([change]))
    except rulebook.RulebookError:
        return False
    return bool(rulebook.overrides(rules))


def type_of(kind: Any, key: str) -> Any:
    """The type of the parameter that a dotted key names."""
    for word in key.split("."):
        if get_origin(kind) is dict:
            kind = get_args(kind)[1]
            continue
        kind = next(field.type for field in structs.fields(kind) if field.encode_name == word)
    return kind


def others(kind: Any, value: Any) -> Iterator[Any]:
    """Other values of a type: the flip side, each other word, numbers nearby, a list changed in one place."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Annotated:
        yield from _numbers(inner[1:], value)
    elif origin is Literal:
        yield from (word for word in inner if word != value)
    elif kind is bool:
        yield not value
    elif kind is int:
        yield from (value + step for step in STEPS)
    elif origin in (Union, UnionType):
        for one in inner:
            yield from _of_union(one, value)
    elif origin is tuple and inner[1:] == (...,):
        yield from _lists(inner[0], value)
    elif origin is tuple:
        yield from _places(list(inner), value)
    elif isinstance(kind, type) and issubclass(kind, Struct):
        for field in structs.fields(kind):
            for other in others(field.type, value[field.encode_name]):
                yield {**value, field.encode_name: other}


def _numbers(marks: tuple[Any, ...], value: int) -> Iterator[int]:
    for mark in marks:
        if isinstance(mark, Meta) and isinstance(mark.ge, int) and isinstance(mark.le, int):
            yield from (other for step in STEPS if mark.ge <= (other := value + step) <= mark.le)


def _of_union(kind: Any, value: Any) -> Iterator[Any]:
    """A session is open, or so many deals, or so many rounds long."""
    if get_origin(kind) is Literal:
        yield from (word for word in get_args(kind) if word != value)
    elif kind is not NoneType and issubclass(kind, Struct) and not isinstance(value, dict):
        yield from ({field.encode_name: 2} for field in structs.fields(kind))


def _lists(kind: Any, value: list[Any]) -> Iterator[list[Any]]:
    """The list without an item, with one changed, and with a word more."""
    for place in range(len(value)):
        yield value[:place] + value[place + 1 :]
    yield from _places([kind] * len(value), value)
    if get_origin(kind) is Literal:
        yield from ([*value, word] for word in get_args(kind) if word not in value)
    elif isinstance(kind, type) and issubclass(kind, Struct) and not value:
        yield [{field.encode_name: 2 for field in structs.fields(kind)}]


def _places(kinds: list[Any], value: list[Any]) -> Iterator[list[Any]]:
    for place, kind in enumerate(kinds):
        for other in others(kind, value[place]):
            if other not in value:
                yield [*value[:place], other, *value[place + 1 :]]


def spelled(change: Change) -> str:
    """A change as a house rule on the command line."""
    key, value = change
    return f"{key}={msgspec.json.encode(value).decode()}"
