"""The vectors of the suite, and whether an answer is the right one."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

_INSTALLED = Path(__file__).parent / "suite"
_CHECKOUT = Path(__file__).parents[3] / "conformance"
HOME = _INSTALLED if _INSTALLED.is_dir() else _CHECKOUT
FOLDER = HOME / "vectors"
INDEX = HOME / "index.json"

KINDS = {
    "legal": "position → legal actions",
    "trick": "trick → winner",
    "declarations": "hand → declarations and what they pay, or poignées",
    "count": "pile → points",
    "outcome": "outcome of a deal → payments",
    "impossible": "outcome that no deal can have → what is wrong",
    "deal": "whole deal → ledger",
    "endgame": "position and moves → winners of tricks, ledger",
    "dealing": "pack → hands",
    "seating": "table → who deals and plays",
    "stakes": "cups → what is paid in, or out at the end",
    "record": "record → what each seat has gained, or what is wrong",
}
# What an answer may leave out: it is compared only if it is there.
OPTIONAL = {"payments", "tricks", "notice", "result"}


class Vector(Struct, frozen=True, omit_defaults=True):
    """A question with its answer; or with the error that it is to be refused with."""

    id: str
    kind: str
    rules: str
    cites: tuple[str, ...]
    input: dict[str, Any]
    overrides: dict[str, Any] = {}
    expected: dict[str, Any] | None = None
    error: dict[str, Any] | None = None

    def request(self) -> dict[str, Any]:
        """What a program is asked."""
        return {
            "id": self.id,
            "kind": self.kind,
            "rules": self.rules,
            "overrides": self.overrides,
            "input": self.input,
        }


def vectors(
    folder: Path = FOLDER, kinds: Collection[str] = (), rules: Collection[str] = ()
) -> Iterator[Vector]:
    """The vectors of a folder, in the order of its files; of some kinds or rule sets, if any are named."""
    decode = msgspec.json.Decoder(Vector).decode
    for file in sorted(folder.glob("*.jsonl")):
        for line in file.read_bytes().splitlines():
            one = decode(line)
            if (not kinds or one.kind in kinds) and (not rules or one.rules in rules):
                yield one


def difference(vector: Vector, said: Any) -> str | None:
    """How an answer, as a program gave it, differs from the right one; None if it does not."""
    if vector.error is not None:
        return _other_error(vector.error, said)
    assert vector.expected is not None
    if "answer" not in said:
        return f"an answer was expected, not the error {_short(said.get('error'))}"
    given = said["answer"]
    if not isinstance(given, dict):
        return f"the answer must be an object, not {_short(given)}"
    for key in sorted(vector.expected.keys() - given.keys() - OPTIONAL):
        return f"{key} is missing"
    for key, value in given.items():
        if key not in vector.expected:
            if key in OPTIONAL:
                continue
            return f"{key}: there is no such thing here"
        if (told := _unlike(key, vector.expected[key], value)) is not None:
            return told
    return None


def _other_error(expected: dict[str, Any], said: Any) -> str | None:
    if "error" not in said:
        return f"the error {expected['key']} was expected, not the answer {_short(said.get('answer'))}"
    given = said["error"]
    if not isinstance(given, dict):
        return f"the error must be an object, not {_short(given)}"
    for key, value in expected.items():
        if key in given and given[key] != value:
            return f"error.{key}: {_short(value)} expected, not {_short(given[key])}"
    return None


def _unlike(key: str, expected: Any, given: Any) -> str | None:
    """How a value of an answer differs, down to the part that does."""
    if key == "actions" and isinstance(given, list):
        try:
            expected, given = sorted(expected), sorted(given)
        except TypeError:
            return f"{key}: {_short(given)} are not actions"
    if isinstance(expected, str) and isinstance(given, str) and key in ("all", "any", "chien"):
        expected, given = sorted(expected.split()), sorted(given.split())
    if key == "hands" and isinstance(given, list) and all(isinstance(hand, str) for hand in given):
        expected, given = ([sorted(hand.split()) for hand in some] for some in (expected, given))
    if isinstance(expected, dict) and isinstance(given, dict):
        for part in sorted(expected.keys() | given.keys(), key=str):
            told = _unlike(part, expected.get(part), given.get(part))
            if told is not None:
                return f"{key}.{told}"
        return None
    return None if _same(expected, given) else f"{key}: {_short(expected)} expected, not {_short(given)}"


def _same(expected: Any, given: Any) -> bool:
    """Whether two values are the same in JSON, where 1 and 1.0 are one number, and true is none."""
    if isinstance(expected, list) and isinstance(given, list):
        return len(expected) == len(given) and all(map(_same, expected, given))
    return isinstance(expected, bool) == isinstance(given, bool) and bool(expected == given)


def _short(value: Any) -> str:
    told = msgspec.json.encode(value).decode()
    return told if len(told) <= 120 else f"{told[:119]}…"


def schema() -> dict[str, Any]:
    """The JSON Schema of a vector, of a request and of an answer."""
    text = {"type": "string"}
    thing = {"type": "object"}
    kind = {
        "enum": sorted(KINDS),
        "description": "; ".join(f"{name}: {KINDS[name]}" for name in sorted(KINDS)),
    }
    asked = {
        "id": text,
        "kind": kind,
        "rules": text,
        "overrides": {**thing, "description": "house rules: dotted parameter → value", "default": {}},
        "input": thing,
    }
    error = {"type": "object", "required": ["key"], "properties": {"key": text}}
    vector = {
        "type": "object",
        "required": ["id", "kind", "rules", "cites", "input"],
        "additionalProperties": False,
        "properties": {
            **asked,
            "cites": {"type": "array", "items": text, "minItems": 1},
            "expected": thing,
            "error": error,
        },
        "oneOf": [{"required": ["expected"]}, {"required": ["error"]}],
    }
    request = {
        "type": "object",
        "required": ["id", "kind", "rules", "overrides", "input"],
        "properties": asked,
    }
    answer = {
        "type": "object",
        "required": ["id"],
        "properties": {"id": text, "answer": thing, "error": thing, "unsupported": {"const": True}},
        "oneOf": [{"required": ["answer"]}, {"required": ["error"]}, {"required": ["unsupported"]}],
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A vector of Ultimo's conformance suite; $defs has a request and an answer of the protocol",
        **vector,
        "$defs": {"request": request, "answer": answer},
    }
