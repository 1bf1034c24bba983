"""JSON in and out: what a request asks for, and what is wrong with it, in the language of who has asked.

>>> sentence("da", "nameTaken", name="Karen")
'Navnet Karen er optaget; vælg et andet.'
"""

from __future__ import annotations

import gzip
import re
from typing import Any, Final, TypeVar

import msgspec
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from ultimo import names
from ultimo.events import IllegalAction
from ultimo.names import UnknownName
from ultimo.rulebook import fault
from ultimo.server.logs import logger
from ultimo.server.payloads import Trouble
from ultimo.telling.citations import cited_if
from ultimo.telling.teller import Teller

COMPRESSED_FROM: Final = 1024  # bytes of an answer
LARGEST: Final = 64 * 1024  # bytes of a body
LARGER: Final = {  # of those in which people bring what they have kept
    re.compile(r"/api/sheets/read"): 1024 * 1024,
    re.compile(r"/api/clubs/read"): 12 * 1024 * 1024,
    re.compile(r"/api/clubs/[^/]+/import"): 512 * 1024,
}
RETRY: Final = 2  # seconds after which to ask again what could not be answered just now
LANGUAGE: Final = "ultimo_language"  # the cookie with the language that was chosen

T = TypeVar("T")


class Refusal(Exception):
    """A request that is not granted: the status, and which sentence says why; `field` is what it is about.

    Where a socket is closed, the status is the code of the close.
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


def largest(path: str) -> int:
    """How many bytes the body of a request may have.

    >>> largest("/api/sheets"), largest("/api/clubs/x/import")
    (65536, 524288)
    """
    return next((most for pattern, most in LARGER.items() if pattern.fullmatch(path)), LARGEST)


async def asked(request: Request, kind: type[T]) -> T:
    """What the body of a request asks for."""
    body = await request.body()
    try:
        return msgspec.json.decode(body or b"{}", type=kind)
    except msgspec.ValidationError as error:
        reason, field = fault(error)
        raise Refusal(422, "invalid", field, part=field or "JSON", reason=reason) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise Refusal(400, "notJson") from None


def told(value: Any, status: int = 200) -> Response:
    """An answer in JSON, which no cache keeps."""
    return Response(
        msgspec.json.encode(value), status, {"cache-control": "no-store"}, media_type="application/json"
    )


def compressed(request: Request, answer: Response) -> Response:
    """An answer as it is sent to whoever understands gzip: what is large is compressed where it is made."""
    if len(answer.body) >= COMPRESSED_FROM and "gzip" in request.headers.get("accept-encoding", ""):
        answer.body = gzip.compress(answer.body, 6, mtime=0)
        answer.headers["content-encoding"] = "gzip"
        answer.headers["content-length"] = str(len(answer.body))
        answer.headers.add_vary_header("accept-encoding")
    return answer


def sentence(language: str, key: str, **values: object) -> str:
    """A sentence of the server, with its values filled in."""
    text: str = names.tables(language, "server")["trouble"][key]
    return text.format_map(values)


def told_by(teller: Teller, error: IllegalAction) -> str:
    """Why a wish is refused at a table, by somebody who knows its rules and its people."""
    try:
        return teller.refusal(error)
    except UnknownName as missing:
        logger().error("no words for a refusal", language=teller.words.language, key=missing.key)
        return error.reason


def refused(refusal: Refusal, language: str) -> Response:
    """The answer to a request that is not granted, in words."""
    error = sentence(language, refusal.why, **refusal.values)
    cite = cited_if(refusal.cite, language)
    answer = told(Trouble(error, refusal.field, cite, refusal.column), refusal.status)
    if refusal.status == 503:
        answer.headers["retry-after"] = str(RETRY)
    return answer


def number(text: str) -> int:
    """A number in an address, from 1 up."""
    if not re.fullmatch(r"[1-9][0-9]{0,8}", text):
        raise Refusal(404, "unknownPage")
    return int(text)


def language(connection: HTTPConnection) -> str:
    """The language of an answer: asked for in the address, chosen before, or what the browser prefers."""
    for wish in (connection.query_params.get("lang"), connection.cookies.get(LANGUAGE)):
        if wish in names.LANGUAGES:
            return wish
    return preferred(connection.headers.get("accept-language", ""))


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
