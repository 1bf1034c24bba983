"""The requests about puzzles: which there are, the next one, and what comes of somebody's moves."""

from __future__ import annotations

from random import Random

from starlette.requests import Request
from starlette.responses import Response

from ultimo.answers import books, puzzles
from ultimo.answers.payloads import OwnDeal, TryPuzzle
from ultimo.answers.ratings import Attempt
from ultimo.answers.refusing import Refusal
from ultimo.server.house import answered, asker, house, known, session_of, spend
from ultimo.server.http import asked, language, told
from ultimo.server.quotas import users
from ultimo.server.security import address
from ultimo.server.thinking import Unfinished
from ultimo.tutor.school.puzzles.puzzle import Puzzle


async def listed(request: Request) -> Response:
    """Which puzzles there are, how one has done so far, and the puzzle of the day."""
    now, tongue = house(request).clock(), language(request)
    tried, own = await _tried(request), await _own(request, tongue)
    return await answered(request, lambda: puzzles.listed(tried, own, puzzles.of_the_day(now), tongue))


async def following(request: Request) -> Response:
    """A puzzle that one has not tried, about as hard as one is good; of a theme or rulebook, if asked for."""
    spend(request)
    query, tried = request.query_params, await _tried(request)
    fresh = puzzles.fresh(tried, query.get("theme"), query.get("rules"))
    rated = await house(request).store.puzzle_ratings([one.id for one in fresh])
    return await _told(request, puzzles.following(fresh, tried, rated, Random()), tried)


async def daily(request: Request) -> Response:
    """The puzzle of the day."""
    spend(request)
    return await _told(request, puzzles.of_the_day(house(request).clock()), await _tried(request))


async def one(request: Request) -> Response:
    """A puzzle from its start."""
    spend(request)
    return await _told(request, puzzles.named(request.path_params["puzzle"]), await _tried(request))


async def attempt(request: Request) -> Response:
    """What comes of somebody's moves; the first time that they end a puzzle, it counts."""
    spend(request)
    here, session, wish = house(request), await known(request), await asked(request, TryPuzzle)
    found = puzzles.named(request.path_params["puzzle"])
    body, state = await _played(request, found, wish)
    tried = await _tried(request)
    counted = None
    if state != "open" and found.id not in tried:
        made = puzzles.made_rating(found)
        player, solved = session.player, state == "solved"
        rates = not player.guest and await _rates(request, found)
        counted = await here.store.note_attempt(player.id, found.id, made, solved, here.clock(), rates)
    if counted is None:
        return told(puzzles.shown(body, found, tried))
    return told(puzzles.counted(body, *counted))


async def _rates(request: Request, one: Puzzle) -> bool:
    """Whether an attempt changes the rating of the puzzle: only a few of one address do in a day."""
    who = [f"{group} {one.id}" for group in users("", address(request))]
    return await house(request).quotas.has_left("ratings", who)


async def _told(request: Request, one: Puzzle, tried: dict[str, Attempt]) -> Response:
    body, _ = await _played(request, one, TryPuzzle())
    return told(puzzles.shown(body, one, tried))


async def _played(request: Request, one: Puzzle, wish: TryPuzzle) -> tuple[bytes, str]:
    """The puzzle after the moves, worked out in a process."""
    here, who = house(request), await asker(request)
    release = await here.errands.take("board", who[-1], address(request), object())
    given = (one.id, wish.moves, language(request))
    try:
        return await here.searches.at_once(who, puzzles.played, *given)
    except Unfinished:
        raise Refusal(503, "tutorFailed") from None
    finally:
        release()


async def _tried(request: Request) -> dict[str, Attempt]:
    """The first attempts of whoever asks, by puzzle; of a stranger there are none."""
    session = await session_of(request)
    if session is None:
        return {}
    return {one.puzzle: one for one in await house(request).store.attempts(session.player.id)}


async def _own(request: Request, language: str) -> list[OwnDeal]:
    """The deals of one's own in which one can look for something better, the last first."""
    session = await session_of(request)
    found = [] if session is None else await house(request).store.mistakes(session.player.id)
    return [OwnDeal(one.table, one.deal, books.title_of(one.rules, language), one.number) for one in found]
