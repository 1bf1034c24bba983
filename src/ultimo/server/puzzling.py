"""The requests about puzzles: which there are, the next one, and what comes of somebody's moves.

The server trusts no page: the moves are played again from the start, and the first attempt that ends counts.
"""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Final

from msgspec import Raw
from msgspec.structs import asdict
from starlette.requests import Request
from starlette.responses import Response

from ultimo.answers import books
from ultimo.answers.payloads import (
    Attempted,
    OwnDeal,
    PuzzlesTold,
    RulesLine,
    StandingShown,
    ThemeLine,
    TryPuzzle,
)
from ultimo.answers.ratings import MEASURED, Attempt, Rating, Standing, standing
from ultimo.answers.refusing import Refusal
from ultimo.names import puzzling
from ultimo.server import pieces
from ultimo.server.house import House, answered, house, known, session_of, spend, who_asks
from ultimo.server.http import asked, language, told
from ultimo.server.security import address
from ultimo.server.thinking import Unfinished
from ultimo.tutor.school.puzzles.puzzle import THEMES, Puzzle, UnknownPuzzle, collection, puzzle

DAY: Final = 24 * 3600
OWN: Final = 12  # deals of one's own that are listed
NEAREST: Final = 12  # puzzles of about one's own rating, of which the next one is drawn


# --- lists ---------------------------------------------------------------------------------------------


async def listed(request: Request) -> Response:
    """Which puzzles there are, how one has done so far, and the puzzle of the day."""
    here, tongue = house(request), language(request)
    tried, own = await _tried(request), await _own(request, tongue)

    def work() -> Response:
        found, day = standing(tried.values()), of_the_day(here.clock())
        number = Counter(one.theme for one in collection())
        attempted = [(known_, tried[known_.id].solved) for known_ in collection() if known_.id in tried]
        themes = tuple(
            ThemeLine(
                theme,
                puzzling(tongue)[f"themes.{theme}"],
                next(one.family for one in collection() if one.theme == theme),
                number[theme],
                sum(one.theme == theme for one, _ in attempted),
                sum(one.theme == theme and solved for one, solved in attempted),
            )
            for theme in THEMES
            if number[theme]
        )
        done = tried.get(day.id)
        solved = None if done is None else done.solved
        return told(PuzzlesTold(themes, _rules(tongue), _shown(found), day.id, solved, own))

    return await answered(request, work)


async def _own(request: Request, language: str) -> tuple[OwnDeal, ...]:
    """The last deals of one's own in which one can look for something better."""
    session = await session_of(request)
    if session is None:
        return ()
    found = await house(request).store.mistakes(session.player.id)
    return tuple(
        OwnDeal(one.table, one.deal, books.title_of(one.rules, language), one.number) for one in found[:OWN]
    )


def _rules(language: str) -> tuple[RulesLine, ...]:
    number = Counter((one.rules, one.family) for one in collection())
    return tuple(
        RulesLine(rules, books.title_of(rules, language), family, count)
        for (rules, family), count in number.items()
    )


def of_the_day(now: float) -> Puzzle:
    """The puzzle of a day, the same for everybody."""
    return Random(f"puzzle of day {int(now // DAY)}").choice(collection())


# --- one puzzle ----------------------------------------------------------------------------------------


async def following(request: Request) -> Response:
    """A puzzle that one has not tried, about as hard as one is good; of a theme or rulebook, if asked for."""
    spend(request)
    query, tried = request.query_params, await _tried(request)
    theme, rules = query.get("theme"), query.get("rules")
    fitting = [
        one for one in collection() if theme in (None, "", one.theme) and rules in (None, "", one.rules)
    ]
    if not fitting:
        raise Refusal(404, "unknownPuzzle")
    fresh = [one for one in fitting if one.id not in tried] or fitting
    here, rating = house(request), standing(tried.values()).rating.mu
    rated = await here.store.puzzle_ratings([one.id for one in fresh])
    fresh.sort(key=lambda one: abs(rated.get(one.id, made_rating(one)).mu - rating))
    return await _told(request, Random().choice(fresh[:NEAREST]), tried)


async def daily(request: Request) -> Response:
    """The puzzle of the day."""
    spend(request)
    return await _told(request, of_the_day(house(request).clock()), await _tried(request))


async def one(request: Request) -> Response:
    """A puzzle from its start."""
    spend(request)
    return await _told(request, _named(request), await _tried(request))


async def attempt(request: Request) -> Response:
    """What comes of somebody's moves; the first time that they end a puzzle, it counts."""
    spend(request)
    here, session, wish = house(request), await known(request), await asked(request, TryPuzzle)
    found = _named(request)
    body, state = await _played(request, found, wish)
    tried = await _tried(request)
    counted = None
    if state != "open" and found.id not in tried:
        counted = await here.store.note_attempt(
            session.player.id, found.id, made_rating(found), state == "solved", here.clock()
        )
    if counted is None:
        return _answer(body, standing(tried.values()), tried.get(found.id))
    before, after = counted
    change = after.rating.shown - before.rating.shown
    solved = state == "solved"
    return told({**asdict(Attempted(_shown(after), solved, change)), "told": Raw(body)})


def made_rating(one: Puzzle) -> Rating:
    """What a puzzle is rated before anybody has tried it."""
    return Rating(float(one.rating), MEASURED)


def _named(request: Request) -> Puzzle:
    try:
        return puzzle(request.path_params["puzzle"])
    except UnknownPuzzle:
        raise Refusal(404, "unknownPuzzle") from None


async def _told(request: Request, one: Puzzle, tried: dict[str, Attempt]) -> Response:
    body, _ = await _played(request, one, TryPuzzle())
    return _answer(body, standing(tried.values()), tried.get(one.id))


def _answer(body: bytes, found: Standing, done: Attempt | None) -> Response:
    answer = Attempted(_shown(found), None if done is None else done.solved)
    return told({**asdict(answer), "told": Raw(body)})


async def _played(request: Request, one: Puzzle, wish: TryPuzzle) -> tuple[bytes, str]:
    """The puzzle after the moves; what is wrong with them is told with its place."""
    here, person = house(request), await who_asks(request)
    release = await here.errands.take("board", person, address(request), object())
    try:
        return await _searched(here, person, one, wish, language(request))
    finally:
        release()


async def _searched(
    here: House, person: str, one: Puzzle, wish: TryPuzzle, language: str
) -> tuple[bytes, str]:
    try:
        return await here.searching.think(person, pieces.puzzle, one.id, wish.moves, language, urgent=True)
    except pieces.Wrong as wrong:
        raise Refusal(422, "told", wrong.field, column=wrong.column, reason=wrong.reason) from None
    except Unfinished:
        raise Refusal(503, "tutorFailed") from None


# --- who asks ------------------------------------------------------------------------------------------


async def _tried(request: Request) -> dict[str, Attempt]:
    """The first attempts of whoever asks, by puzzle; of a stranger there are none."""
    session = await session_of(request)
    if session is None:
        return {}
    return {one.puzzle: one for one in await house(request).store.attempts(session.player.id)}


def _shown(found: Standing) -> StandingShown:
    return StandingShown(found.rating.shown, found.tried, found.solved, found.streak, found.best)
