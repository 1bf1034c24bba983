"""A place in one line of text, which only moves forward."""

from __future__ import annotations

import re
from functools import cache
from json import JSONDecodeError
from typing import Any

import msgspec

from ultimo.record.model import RecordError
from ultimo.record.places import DECODER, DIGITS, TOO_DEEP, too_deep

_SPACE = re.compile(r"\s*")
_NEXT = re.compile(r"\w+|\S?")
_NUMBER = re.compile(rf"-?[0-9]{{1,{DIGITS}}}(?![\w.])")


@cache
def word(text: str) -> re.Pattern[str]:
    """The pattern of a fixed text: case and spaces do not matter, but it ends where a word ends."""
    spaced = r"\s*".join(re.escape(part) for part in text.split())
    return re.compile(spaced + r"(?!\w)" if text.rstrip()[-1:].isalnum() else spaced, re.IGNORECASE)


class Cursor:
    """Reads a line from left to right and knows where it stands."""

    __slots__ = ("at", "line", "text")

    def __init__(self, text: str, line: int) -> None:
        self.text = text
        self.line = line
        self.at = 0
        self._skip()

    def _skip(self) -> None:
        found = _SPACE.match(self.text, self.at)
        self.at = found.end() if found else self.at

    def peek(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """The match of `pattern` here, if there is one."""
        return pattern.match(self.text, self.at)

    def take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """The match of `pattern` here, if there is one; the cursor goes behind it and the spaces after it."""
        if found := pattern.match(self.text, self.at):
            self.at = found.end()
            self._skip()
        return found

    def need(self, pattern: re.Pattern[str], what: str) -> re.Match[str]:
        """The match of `pattern`, which must stand here."""
        if found := self.take(pattern):
            return found
        raise self.expected(what)

    def number(self, what: str = "a whole number") -> int:
        """The whole number that must stand here."""
        return int(self.need(_NUMBER, what)[0])

    def json(self) -> Any:
        """The JSON value that must stand here."""
        start = self.at
        try:
            _, self.at = DECODER.raw_decode(self.text, start)
            value = msgspec.json.decode(self.text[start : self.at])
            if too_deep(self.text[start : self.at]):
                raise self.fail(TOO_DEEP, start)
        except JSONDecodeError as error:
            raise self.fail(f"not JSON: {error.msg[:1].lower()}{error.msg[1:]}", error.pos) from None
        except RecordError:
            raise
        except (ValueError, RecursionError, msgspec.DecodeError):
            raise self.fail("not JSON: out of range, or nested too deep", start) from None
        self._skip()
        return value

    @property
    def ended(self) -> bool:
        """Whether nothing is left of the line."""
        return self.at == len(self.text)

    def end(self) -> None:
        """Nothing may be left of the line."""
        if not self.ended:
            raise self.fail(f"{self.text[self.at :].rstrip()!r} does not belong here")

    def expected(self, what: str) -> RecordError:
        """The error that something else stands here."""
        found = self.peek(_NEXT)
        here = repr(found[0]) if found and found[0] else "the end of the line"
        return self.fail(f"expected {what}, found {here}")

    def fail(self, reason: str, at: int | None = None) -> RecordError:
        """The error that something is wrong here, or `at` another place of the line."""
        return RecordError(self.line, (self.at if at is None else at) + 1, reason)
