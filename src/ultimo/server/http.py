"""Requests and answers as Starlette has them: JSON and files in and out."""

from __future__ import annotations

import gzip
from typing import Any, Final, TypeVar

import msgspec
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from ultimo import names
from ultimo.answers.files import File
from ultimo.answers.refusing import Refusal, decoded, preferred, trouble

COMPRESSED_FROM: Final = 1024  # bytes of an answer
RETRY: Final = 2  # seconds after which to ask again what could not be answered just now
LANGUAGE: Final = "ultimo_language"  # the cookie with the language that was chosen

T = TypeVar("T")


async def asked(request: Request, kind: type[T]) -> T:
    """What the body of a request asks for."""
    return decoded(await request.body(), kind)


def told(value: Any, status: int = 200) -> Response:
    """An answer in JSON, or a file to keep; no cache keeps it."""
    headers = {"cache-control": "no-store"}
    if isinstance(value, File):
        headers["content-disposition"] = f'attachment; filename="{value.name}"'
        return Response(value.body, status, headers, media_type=value.media)
    return Response(msgspec.json.encode(value), status, headers, media_type="application/json")


def compressed(request: Request, answer: Response) -> Response:
    """An answer as it is sent to whoever understands gzip: what is large is compressed where it is made."""
    if len(answer.body) >= COMPRESSED_FROM and "gzip" in request.headers.get("accept-encoding", ""):
        answer.body = gzip.compress(answer.body, 6, mtime=0)
        answer.headers["content-encoding"] = "gzip"
        answer.headers["content-length"] = str(len(answer.body))
        answer.headers.add_vary_header("accept-encoding")
    return answer


def refused(refusal: Refusal, language: str) -> Response:
    """The answer to a request that is not granted, in words."""
    answer = told(trouble(refusal, language), refusal.status)
    if refusal.status == 503:
        answer.headers["retry-after"] = str(RETRY)
    return answer


def language(connection: HTTPConnection) -> str:
    """The language of an answer: asked for in the address, chosen before, or what the browser prefers."""
    for wish in (connection.query_params.get("lang"), connection.cookies.get(LANGUAGE)):
        if wish in names.LANGUAGES:
            return wish
    return preferred(connection.headers.get("accept-language", ""))
