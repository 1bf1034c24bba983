"""The requests about games to watch. What a review says is worked out once, in a process, and kept."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from ultimo.answers import games
from ultimo.answers.payloads import TableMade, WatchOn
from ultimo.server.house import answered, house, known, worked_out
from ultimo.server.http import asked, language, told
from ultimo.server.tables import room
from ultimo.server.tutoring import looked_at
from ultimo.tutor.shown import ReviewShown

_reviews: Final[dict[tuple[str, str], ReviewShown]] = {}  # by name and language


async def listed(request: Request) -> Response:
    """All games. The process that will be asked for a review gets ready meanwhile."""
    tongue = language(request)
    await house(request).looking.until_ready(0.0)
    return await answered(request, lambda: games.listed(tongue))


async def one(request: Request) -> Response:
    """A game step by step."""
    name, tongue = _name(request), language(request)
    return await answered(request, lambda: games.told(name, tongue))


async def review(request: Request) -> Response:
    """What the review says of it."""
    name, tongue = _name(request), language(request)
    if (name, tongue) not in _reviews:
        _reviews[name, tongue] = await looked_at(request, games.review, name, tongue)
    return told(_reviews[name, tongue])


async def position(request: Request) -> Response:
    """The position that a step of it shows, in text."""
    name, step = _name(request), request.path_params["step"]
    return await answered(request, lambda: games.position(name, step))


async def again(request: Request) -> Response:
    """Open a table at which it is played on."""
    session, wish, name = await known(request), await asked(request, WatchOn), _name(request)
    settings, cards = await worked_out(request, lambda: games.again(name, wish))
    allow = room(request, session.player.id, settings)
    return told(TableMade(await house(request).keeper.open(settings, session.player, cards, allow)), 201)


def _name(request: Request) -> str:
    name: str = request.path_params["game"]
    return games.named(name).id
