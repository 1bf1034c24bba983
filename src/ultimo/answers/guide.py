"""A guided first deal, step by step."""

from __future__ import annotations

from ultimo.answers.payloads import GuideStep
from ultimo.answers.refusing import Refusal
from ultimo.names import Family, capital, names
from ultimo.table.guiding import FirstShown, NotHere, guided
from ultimo.tutor.school.first import DEALS, NoSuchStep


def asked_deal(name: str) -> Family:
    """The game whose first deal is asked for."""
    if name not in DEALS:
        raise Refusal(404, "unknownPage")
    return name


def step(game: Family, wish: GuideStep, player: str | None, language: str) -> FirstShown:
    """A step of the first deal of a game; a move that is not made there is refused with its reason."""
    called = capital(names(language).text("you")) if player is None else player
    try:
        return guided(game, wish.moves, wish.at, called, language)
    except NotHere as wrong:
        raise Refusal(409, "told", reason=str(wrong)) from None
    except NoSuchStep as wrong:
        raise Refusal(422, "invalid", "at", part="at", reason=str(wrong)) from None
