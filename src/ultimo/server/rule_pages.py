"""The requests about rulebooks: which there are, one with its switches, how to play it, and the words."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any, Final

import msgspec
from msgspec import Raw
from starlette.requests import Request
from starlette.responses import Response

from ultimo import rulebook
from ultimo.answers.books import book_line, table_rules
from ultimo.answers.payloads import BookPage, Glossary
from ultimo.answers.refusing import Refusal, number
from ultimo.rulebook import RulebookError, Rules
from ultimo.server.house import answered
from ultimo.server.http import language, told
from ultimo.telling.glossary import glossary
from ultimo.telling.switches import switches

KEPT: Final = 200  # pages that are kept, of each kind
LONGEST_HOUSE: Final = 4000  # characters of house rules in an address


async def books(request: Request) -> Response:
    """All rulebooks."""
    tongue = language(request)
    return await answered(request, lambda: told([book_line(one, tongue) for one in rulebook.ids()]))


async def book(request: Request) -> Response:
    """One rulebook with its switches, as `house` has set them so far."""
    (name, house), tongue = _asked_for(request), language(request)
    return await answered(request, lambda: _json(_page(name, house, tongue)))


async def learn(request: Request) -> Response:
    """How to play by a rulebook, for `size` at the table (else the fewest) and with `house` rules."""
    (name, house), tongue = _asked_for(request), language(request)
    wish = request.query_params.get("size")
    size = None if wish is None else number(wish)
    return await answered(request, lambda: _json(_taught(name, house, size, tongue)))


async def words(request: Request) -> Response:
    """The words of both games, explained."""
    tongue = language(request)
    return await answered(request, lambda: _json(_glossary(tongue)))


def _asked_for(request: Request) -> tuple[str, str]:
    """The rulebook in the address, and the `house` rules that are asked for, as they are written."""
    name: str = request.path_params["book"]
    if name not in rulebook.ids():
        raise Refusal(404, "unknownBook", "rules", book=name[:40], books=", ".join(rulebook.ids()))
    house = request.query_params.get("house", "{}")
    if len(house) > LONGEST_HOUSE:
        raise Refusal(413, "tooLarge", "house", most=LONGEST_HOUSE)
    return name, house


def _json(encoded: bytes) -> Response:
    return told(Raw(encoded))


# What has been asked for lately is kept as it was told: of few books there are few pages that people look at.


@lru_cache(KEPT)
def _page(name: str, house: str, language: str) -> bytes:
    rules = _rules(name, house)
    page = BookPage(book_line(rules.id, language), switches(rules, language), rules.sheet_sizes)
    return msgspec.json.encode(page)


@lru_cache(KEPT)
def _taught(name: str, house: str, size: int | None, language: str) -> bytes:
    rules = _rules(name, house)
    chosen = min(rules.sizes) if size is None else size
    if chosen not in rules.sizes:
        raise Refusal(404, "unknownPage")
    return msgspec.json.encode(table_rules(rules, chosen, language))


@cache
def _glossary(language: str) -> bytes:
    return msgspec.json.encode(Glossary(glossary(language)))


def _rules(name: str, house: str) -> Rules:
    try:
        return rulebook.load(name, msgspec.json.decode(house, type=dict[str, Any]))
    except RulebookError as error:
        raise Refusal(422, "settings", f"house.{error.key}", reason=error) from None
    except (msgspec.DecodeError, RecursionError):
        raise Refusal(400, "notJson", "house") from None
