"""The requests of a guided first deal: a step after some moves. Only that it was finished is kept."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from ultimo.answers import guide
from ultimo.answers.payloads import GuideStep
from ultimo.answers.school import first_item
from ultimo.server.house import house, session_of, worked_out
from ultimo.server.http import asked, language, told
from ultimo.server.schooling import done


async def step(request: Request) -> Response:
    """A step of the first deal of a game; a move that is not made there is refused with its reason."""
    game, tongue = guide.asked_deal(request.path_params["name"]), language(request)
    wish, session = await asked(request, GuideStep), await session_of(request)
    player = None if session is None else session.player.name
    shown = await worked_out(request, lambda: guide.step(game, wish, player, tongue))
    if shown.kind == "end" and session is not None:
        await done(house(request), session.player.id, first_item(game))
    return told(shown)
