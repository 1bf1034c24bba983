"""Where in a line of JSON something is wrong, and why, in plain words.

Nothing here runs while a record is read without an error.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from json import JSONDecodeError
from types import NoneType, UnionType
from typing import Any, Literal, NoReturn, Union, get_args, get_origin

import msgspec
from msgspec import structs

from ultimo.cards import Card, CardError, parse_card
from ultimo.files import DEEPEST

Step = str | int
DIGITS = 18  # of a number
ITEMS = 999  # of a list
TOO_MANY = f"a list has more than {ITEMS} items"
_LONG_NUMBER = re.compile(rf"[0-9]{{{DIGITS + 1}}}")
TOO_DEEP = f"lists and objects are nested more than {DEEPEST} deep"
_SPACE = re.compile(r"[ \t\n\r]*")
_BRACKET_OR_STRING = re.compile(r'"(?:[^"\\]|\\.)*"|([\[{])|([\]}])')


def _no_number(name: str) -> NoReturn:
    raise ValueError(name)  # NaN and Infinity, which Python would take


DECODER = json.JSONDecoder(parse_constant=_no_number)


def too_deep(text: str) -> bool:
    """Whether lists and objects of the correct JSON `text` are nested deeper than all can read and write."""
    if text.count("[") + text.count("{") <= DEEPEST:
        return False
    depth = 0
    for found in _BRACKET_OR_STRING.finditer(text):
        depth += bool(found[1]) - bool(found[2])
        if depth > DEEPEST:
            return True
    return False


def excess(text: str, value: Any) -> tuple[tuple[Step, ...], str] | None:
    """Path and reason of a number or a list in `value`, out of `text`, that is too long for a record."""
    if len(text) <= 2 * ITEMS and not _LONG_NUMBER.search(text):
        return None
    return next(_excesses(value, ()), None)


def _excesses(value: Any, path: tuple[Step, ...]) -> Iterator[tuple[tuple[Step, ...], str]]:
    if isinstance(value, int) and abs(value) >= 10**DIGITS:
        yield path, f"a number has more than {DIGITS} digits"
    elif isinstance(value, list) and len(value) > ITEMS:
        yield path, TOO_MANY
    elif isinstance(value, dict | list):
        for key, one in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _excesses(one, (*path, key))


def locate(text: str, path: tuple[Step, ...]) -> int:
    """The offset of the value at `path` in the correct JSON `text`, or of what encloses it."""
    at = _skip(text, 0)
    for step in path:
        for key, place in _members(text, at):
            if key == step:
                at = place
                break
        else:
            break
    return at


def _members(text: str, at: int) -> Iterator[tuple[Step, int]]:
    """The keys (or numbers) of an object (or a list) and where their values begin."""
    if text[at] not in "{[":
        return
    number = 0
    at = _skip(text, at + 1)
    while text[at] not in "}]":
        key: Step = number
        if text[at] == '"' and (colon := _after_key(text, at)):
            key, at = colon
        yield key, at
        at = _skip(text, DECODER.raw_decode(text, at)[1])
        if text[at] == ",":
            at = _skip(text, at + 1)
        number += 1


def _after_key(text: str, at: int) -> tuple[str, int] | None:
    key, end = DECODER.raw_decode(text, at)
    end = _skip(text, end)
    return (key, _skip(text, end + 1)) if text[end] == ":" else None


def _skip(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


def syntax(text: str) -> tuple[int, str]:
    """Offset and reason of the first error in `text`, which is not JSON."""
    try:
        DECODER.decode(text)
    except JSONDecodeError as error:
        return error.pos, f"not JSON: {error.msg[:1].lower()}{error.msg[1:]}"
    except RecursionError:
        return 0, "not JSON: nested too deep"
    except ValueError:
        pass
    return 0, "not JSON: a number or a character is out of range"


def misfit(error: msgspec.ValidationError, kind: type[Any], raw: Any) -> tuple[tuple[Step, ...], str]:
    """Path and reason of a value that does not fit `kind`."""
    message, _, place = str(error).partition(" - at `$")
    path = tuple(name or int(number) for name, number in re.findall(r"\.(\w+)|\[(\d+)\]", place))
    where: Any = kind
    for step in path:
        where, raw = _inside(where, step), raw[step]
    name = _name(path) or kind.__name__
    if missing := re.search(r"missing required field `(\w+)`", message):
        return path, f"{name} lacks the key {missing[1]!r}"
    if where in (Card, Card | None) and isinstance(raw, str):
        return path, not_a_card(raw)
    return path, f"{name} must be {words_for(where)}, not {json.dumps(raw, ensure_ascii=False)}"


def not_a_card(text: str) -> str:
    """Why `text` is no card."""
    try:
        parse_card(text)
    except CardError as error:
        return f"{error}, or ? for an unseen card"
    raise AssertionError(text)


def words_for(kind: Any) -> str:
    """What a value of this type is, to a person."""
    arguments = get_args(kind)
    if get_origin(kind) is Literal:
        return "one of " + ", ".join(map(str, arguments))
    if get_origin(kind) in (Union, UnionType):
        return " or ".join(words_for(one) for one in arguments)
    names = {int: "a whole number", bool: "true or false", str: "text", Card: "a card", NoneType: "null"}
    return names.get(kind, "a list" if get_origin(kind) is tuple else "an object")


def _inside(kind: Any, step: Step) -> Any:
    """The type at one step into a type."""
    if isinstance(step, int):
        return get_args(kind)[0]
    return next(field.type for field in structs.fields(kind) if field.name == step)


def _name(path: tuple[Step, ...]) -> str:
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).lstrip(".")
