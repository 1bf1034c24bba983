"""The requests about rulebooks: which there are, one with its switches, how to play it, and the words."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from ultimo.answers import books as shelf
from ultimo.server.house import answered
from ultimo.server.http import language


async def books(request: Request) -> Response:
    """All rulebooks."""
    tongue = language(request)
    return await answered(request, lambda: shelf.books(tongue))


async def book(request: Request) -> Response:
    """One rulebook with its switches, as `house` has set them so far."""
    (name, house), tongue = _asked_for(request), language(request)
    return await answered(request, lambda: shelf.page(name, house, tongue))


async def learn(request: Request) -> Response:
    """How to play by a rulebook, for `size` at the table (else the fewest) and with `house` rules."""
    (name, house), tongue = _asked_for(request), language(request)
    size = request.query_params.get("size")
    return await answered(request, lambda: shelf.learn(name, house, size, tongue))


async def words(request: Request) -> Response:
    """The words of both games, explained."""
    tongue = language(request)
    return await answered(request, lambda: shelf.words(tongue))


def _asked_for(request: Request) -> tuple[str, str]:
    """The rulebook in the address, and the `house` rules that are asked for, as they are written."""
    return request.path_params["book"], request.query_params.get("house", "{}")
