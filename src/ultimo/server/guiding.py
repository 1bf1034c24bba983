"""The requests of a guided first deal: a step after some moves. Only that it was finished is kept."""

from __future__ import annotations

from typing import cast

from starlette.requests import Request
from starlette.responses import Response

from ultimo.answers.payloads import GuideStep
from ultimo.answers.refusing import Refusal
from ultimo.names import Family, capital, names
from ultimo.server.house import house, session_of, worked_out
from ultimo.server.http import asked, language, told
from ultimo.server.schooling import done
from ultimo.table.guiding import NotHere, guided
from ultimo.tutor.school.first import DEALS, NoSuchStep


async def step(request: Request) -> Response:
    """A step of the first deal of a game; a move that is not made there is refused with its reason."""
    name, tongue = request.path_params["name"], language(request)
    if name not in DEALS:
        raise Refusal(404, "unknownPage")
    wish, session = await asked(request, GuideStep), await session_of(request)
    game = cast(Family, name)
    player = session.player.name if session is not None else capital(names(tongue).text("you"))
    try:
        shown = await worked_out(request, 1, lambda: guided(game, wish.moves, wish.at, player, tongue))
    except NotHere as wrong:
        raise Refusal(409, "told", reason=str(wrong)) from None
    except NoSuchStep as wrong:
        raise Refusal(422, "invalid", "at", part="at", reason=str(wrong)) from None
    if shown.kind == "end" and session is not None:
        await done(house(request), session.player.id, f"first/{game}")
    return told(shown)
