"""Damaged and hostile input, made from good examples: cut, flipped, doubled, spliced, huge, deep.

Everything follows from the dice that are given, so that a case can be made again.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Final, TypeAlias

Path: TypeAlias = tuple[str | int, ...]

NUMBERS: Final = (
    0,
    1,
    -1,
    2,
    3,
    5,
    7,
    26,
    78,
    79,
    255,
    1000,
    10**6,
    3 * 10**8,
    2**31,
    2**53,
    2**63 - 1,
    2**63,
    2**64,
)
LONG_NUMBERS: Final = (
    "9" * 400,
    "-" + "9" * 5000,
    "1" + "0" * 19,
    "0" * 300 + "1",
    "1e999",
    "-0",
    "0x10",
    "1_000",
)
WORDS: Final = (
    "", " ", "-", "?", "?×999", "null", "T0", "T22", "SK", "S11", "dtf", "french4", "all", "__class__", "{0}",
    "{x.y}", "%s", "=1+1", "../../etc/passwd", "Åse", "ß", "ﬁ", "١٢", "²", "½", "🂡", "\u0000", "\ud800",
    "\ufeff", "\u202e", "\u2028", "\x85", "\x1b[2J", "\r\n", "\n", "\t", "'", '"', "\\", "a" * 300,
    "é" * 70_000,
)  # fmt: skip
BYTES: Final = (
    b"\x00",
    b"\xff",
    b"\xc3",
    b"\xed\xa0\x80",
    b"\xef\xbb\xbf",
    b"\r\n",
    b"\n",
    b"\xff\xfe",
    b"\xe2\x80\xa8",
)
DEPTHS: Final = (10, 90, 200, 950, 1500, 30_000)
NUMBER: Final = re.compile(rb"-?\d+")
WORD: Final = re.compile(rb"\w+|[^\w\s]+")
LARGEST: Final = 2_000_000  # bytes of an input: sizes have tests of their own


class Mutator:
    """Makes damaged inputs from examples."""

    def __init__(self, dice: Random, examples: Sequence[bytes]) -> None:
        self.dice, self.examples = dice, examples

    def text(self, times: int = 3) -> bytes:
        """An example with some damage, as text or within its JSON; now and then none."""
        data = self.dice.choice(self.examples)
        for _ in range(self.dice.randrange(times + 1)):
            data = self.dice.choice((self._in_json, self._in_json, self._in_text))(data)[:LARGEST]
        return data

    def value(self, value: Any, times: int = 3) -> Any:
        """A JSON value with some damage in its parts."""
        for _ in range(self.dice.randrange(times + 1)):
            value = self._changed(value)
        return value

    def nasty(self, value: Any = None) -> Any:
        """A value that is hardly what is expected; sometimes of the type of `value`."""
        dice = self.dice
        match dice.randrange(8):
            case 0 | 1 if isinstance(value, int | float):
                return value + dice.choice((-1, 1, 2, 100))
            case 0 | 1 if isinstance(value, str):
                return dice.choice((value.upper(), value[:-1], value * 2, value + " ", value[::-1]))
            case 0 | 1 | 2:
                return dice.choice(NUMBERS)
            case 3:
                return dice.choice(WORDS)
            case 4:
                return dice.choice((None, True, False, 0.5, -1e300, [], {}, [[]], [None], {"": None}))
            case 5:
                return [value] * dice.choice((1, 2, 79, 3000))
            case 6:
                return {dice.choice(WORDS[:-1]): value}
            case _:
                return nested(dice.choice(DEPTHS[:5]), value)

    # --- in values ---------------------------------------------------------------------------------------

    def _changed(self, value: Any) -> Any:
        place = self.dice.choice(list(paths(value)))
        old = at(value, place)
        how: list[Callable[[], Any]] = [lambda: put(value, place, self.nasty(old))]
        if place:
            how += [lambda: put(value, place, ...), lambda: put(value, place, at(value, self._some(value)))]
        if isinstance(old, list) and old:
            one = self.dice.choice(old)
            how += [
                lambda: put(value, place, [*old, one]),
                lambda: put(value, place, old[::-1]),
                lambda: put(value, place, old * 2),
            ]
        if isinstance(old, dict):
            key = self.dice.choice(["extra", "type", *old])
            how += [lambda: put(value, place, {**old, self.dice.choice(WORDS[:-1]): old.get(key)})]
        return self.dice.choice(how)()

    def _some(self, value: Any) -> Path:
        return self.dice.choice(list(paths(value)))

    def _in_json(self, data: bytes) -> bytes:
        """Damage within a line that is JSON, or within the whole."""
        lines = data.split(b"\n")
        places = [place for place, line in enumerate(lines) if line[:1] in (b"{", b"[")] or [0]
        some = self.dice.choice(places)
        whole = _json(data) if len(lines) > 1 and lines[0].strip() in (b"{", b"[") else None
        if whole is not None:
            return dumped(self._changed(whole))
        if (value := _json(lines[some])) is None:
            return self._in_text(data)
        return b"\n".join([*lines[:some], dumped(self._changed(value)), *lines[some + 1 :]])

    # --- in text -----------------------------------------------------------------------------------------

    def _in_text(self, data: bytes) -> bytes:
        dice = self.dice
        start, end = sorted((dice.randrange(len(data) + 1), dice.randrange(len(data) + 1)))
        end = min(end, start + dice.choice((1, 2, 10, 200, 10**6)))
        match dice.randrange(14):
            case 0:  # flip a bit
                return (
                    data[:start] + bytes([data[start] ^ 1 << dice.randrange(8)]) + data[start + 1 :]
                    if data[start:]
                    else b""
                )
            case 1:
                return data[:start] + data[end:]
            case 2:
                return data[:start]
            case 3:
                return data[:end] + data[start:end] * dice.choice((1, 2, 500)) + data[end:]
            case 4:  # splice
                other = dice.choice(self.examples)
                return data[:start] + other[dice.randrange(len(other) + 1) :]
            case 5:
                return data[:start] + dice.choice(BYTES) + data[start:]
            case 6:
                return self._lines(data)
            case 7 | 8 | 9:
                return self._token(data, NUMBER, [str(one) for one in NUMBERS] + list(LONG_NUMBERS))
            case 10 | 11:
                return self._token(data, WORD, [*WORDS, *LONG_NUMBERS])
            case 12:
                opening = dice.choice((b"[", b"{", b"(", b'{"a":', b"[[", b'"', b"a.", b"#", b"  "))
                return data[:start] + opening * dice.choice(DEPTHS) + data[start:]
            case _:
                text = data.decode(errors="replace")
                return dice.choice(
                    (
                        lambda: text.replace("\n", "\r\n").encode(),
                        lambda: text.encode("utf-16"),
                        lambda: text.encode("latin-1", "replace"),
                        lambda: "\ufeff".encode() + data,
                        lambda: text.upper().encode(),
                        lambda: text.replace(" ", "\u00a0").encode(),
                    )
                )()

    def _token(self, data: bytes, pattern: re.Pattern[bytes], others: Sequence[str]) -> bytes:
        found = list(pattern.finditer(data[:100_000]))
        if not found:
            return data
        one = self.dice.choice(found)
        own = [other[0].decode(errors="replace") for other in self.dice.sample(found, min(3, len(found)))]
        new = self.dice.choice([*others, *own]).encode("utf-8", "surrogatepass")
        return data[: one.start()] + new + data[one.end() :]

    def _lines(self, data: bytes) -> bytes:
        lines, dice = data.split(b"\n"), self.dice
        here, there = dice.randrange(len(lines)), dice.randrange(len(lines))
        match dice.randrange(4):
            case 0:
                lines[here], lines[there] = lines[there], lines[here]
            case 1:
                del lines[here]
            case 2:
                lines[here:here] = [lines[there]] * dice.choice((1, 2, 100))
            case _:
                lines[here:here] = dice.choice(self.examples).split(b"\n")[: dice.choice((1, 3, 1000))]
        return b"\n".join(lines)


def nested(depth: int, value: Any = None) -> Any:
    """A value within so many lists."""
    for _ in range(depth):
        value = [value]
    return value


def paths(value: Any, most: int = 400) -> list[Path]:
    """The places of all parts of a value, itself first."""
    found: list[Path] = [()]
    waiting: list[tuple[Path, Any]] = [((), value)]
    while waiting and len(found) < most:
        path, one = waiting.pop(0)
        items = one.items() if isinstance(one, dict) else enumerate(one) if isinstance(one, list) else ()
        for key, below in items:
            found.append((*path, key))
            waiting.append(((*path, key), below))
    return found


def at(value: Any, path: Path) -> Any:
    """The part of a value at a place."""
    for key in path:
        value = value[key]
    return value


def put(value: Any, path: Path, new: Any) -> Any:
    """A copy of a value with another part at a place; `...` takes it away."""
    if not path:
        return new
    key, rest = path[0], path[1:]
    if isinstance(value, dict):
        assert isinstance(key, str)
        changed = {**value, key: put(value[key], rest, new)}
        return {name: one for name, one in changed.items() if one is not ...}
    assert isinstance(key, int)
    items = [*value[:key], put(value[key], rest, new), *value[key + 1 :]]
    return [one for one in items if one is not ...]


def _json(data: bytes) -> Any:
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None


def dumped(value: Any) -> bytes:
    """A value as JSON, also where it is not quite."""
    try:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")
    except RecursionError:
        return b"[" * 2000
