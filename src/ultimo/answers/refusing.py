"""What a request asks for, and why it is not granted, in the language of who has asked.

>>> trouble(Refusal(409, "nameTaken", "name", name="Karen"), "da").error
'Navnet Karen er optaget; vælg et andet.'
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final, TypeVar

import msgspec

from ultimo import names
from ultimo.answers.payloads import Trouble
from ultimo.events import IllegalAction
from ultimo.rulebook import UnknownVersion, fault
from ultimo.table.archive import UnknownDeal
from ultimo.telling.citations import cited_if

LARGEST: Final = 64 * 1024  # bytes of a body
LARGER: Final = {  # of those in which people bring what they have kept
    re.compile(r"/api/sheets/(read|from-device/[^/]+)"): 1024 * 1024,
    re.compile(r"/api/tables/from-device/[^/]+"): 4 * 1024 * 1024,
    re.compile(r"/api/clubs/read"): 12 * 1024 * 1024,
    re.compile(r"/api/clubs/[^/]+/import"): 512 * 1024,
}

T = TypeVar("T")


class Refusal(Exception):
    """A request that is not granted: the status, and which sentence says why; `field` is what it is about.

    Where a socket is closed, the status is the code of the close. It can be sent from one process to another.
    """

    def __init__(
        self,
        status: int,
        why: str,
        field: str = "",
        cite: str = "",
        column: int | None = None,
        **values: object,
    ) -> None:
        super().__init__(why)
        self.status = status
        self.why = why
        self.field = field
        self.cite = cite
        self.column = column
        self.values = values

    def __reduce__(self) -> tuple[Any, ...]:
        return _refusal, (self.status, self.why, self.field, self.cite, self.column, self.values)


def _refusal(
    status: int, why: str, field: str, cite: str, column: int | None, values: dict[str, object]
) -> Refusal:
    return Refusal(status, why, field, cite, column, **values)


def refusal_of(error: Refusal | UnknownVersion, status: int = 409) -> Refusal:
    """Why something is refused: also what was begun by rules that only a later program knows."""
    return error if isinstance(error, Refusal) else Refusal(status, "otherRules", book=error.file)


def trouble(refusal: Refusal, language: str) -> Trouble:
    """A refusal in words."""
    error = sentence(language, refusal.why, **refusal.values)
    return Trouble(error, refusal.field, cited_if(refusal.cite, language), refusal.column)


def sentence(language: str, key: str, **values: object) -> str:
    """A sentence about a request, with its values filled in."""
    text: str = names.tables(language, "server")["trouble"][key]
    return text.format_map(values)


@contextmanager
def of_deal(deal: int) -> Iterator[None]:
    """Refuse what is asked about a deal that a log does not have, or that its rules do not allow."""
    try:
        yield
    except UnknownDeal:
        raise Refusal(404, "unknownDeal", "deal", deal=deal) from None
    except IllegalAction as error:
        raise Refusal(409, "settings", "deal", error.cite, reason=error.reason) from None


# --- what is asked for ---------------------------------------------------------------------------------


def largest(path: str) -> int:
    """How many bytes the body of a request may have.

    >>> largest("/api/sheets"), largest("/api/clubs/x/import")
    (65536, 524288)
    """
    return next((most for pattern, most in LARGER.items() if pattern.fullmatch(path)), LARGEST)


def decoded(body: bytes, kind: type[T]) -> T:
    """What the body of a request asks for."""
    try:
        return msgspec.json.decode(body or b"{}", type=kind)
    except msgspec.ValidationError as error:
        reason, field = fault(error)
        raise Refusal(422, "invalid", field, part=field or "JSON", reason=reason) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise Refusal(400, "notJson") from None


def number(text: str) -> int:
    """A number in an address, from 1 up."""
    if not re.fullmatch(r"[1-9][0-9]{0,8}", text):
        raise Refusal(404, "unknownPage")
    return int(text)


def preferred(header: str) -> str:
    """The language of ours that an `Accept-Language` header likes best.

    >>> preferred("nb;q=0.9, de-AT;q=0.8, en;q=0.5"), preferred("pl"), preferred("fr-CA,fr;q=x")
    ('de', 'en', 'fr')
    """
    wishes: list[tuple[float, int, str]] = []
    for place, part in enumerate(header[:500].split(",")):
        tag, _, rest = part.strip().partition(";")
        tongue = tag.strip().lower().split("-")[0]
        weight = re.fullmatch(r"\s*q=([01](?:\.[0-9]{1,3})?)\s*", rest)
        if tongue in names.LANGUAGES:
            wishes.append((-float(weight[1]) if weight else -1.0, place, tongue))
    return min(wishes)[2] if wishes else names.LANGUAGES[0]
