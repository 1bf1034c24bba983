"""Puzzles: which there are, the next one, and what comes of somebody's moves.

No page is trusted: the moves are played again from the start, and the first attempt that ends counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from random import Random
from typing import Any, Final, TypeAlias

import msgspec
from msgspec import Raw
from msgspec.structs import asdict

from ultimo.answers import books
from ultimo.answers.payloads import Attempted, OwnDeal, PuzzlesTold, RulesLine, StandingShown, ThemeLine
from ultimo.answers.ratings import MEASURED, Attempt, Rating, Standing, standing
from ultimo.answers.refusing import Refusal
from ultimo.events import Action
from ultimo.names import puzzling
from ultimo.tutor.school.puzzles.puzzle import THEMES, Puzzle, UnknownPuzzle, collection, puzzle

Tried: TypeAlias = Mapping[str, Attempt]  # somebody's first attempts, by puzzle

DAY: Final = 24 * 3600
OWN: Final = 12  # deals of one's own that are listed
NEAREST: Final = 12  # puzzles of about one's own rating, of which the next one is drawn


# --- lists -----------------------------------------------------------------------------------------------


def listed(tried: Tried, own: Iterable[OwnDeal], day: Puzzle, language: str) -> PuzzlesTold:
    """Which puzzles there are, how somebody has done so far, and with the puzzle of the day.

    `own` are deals of theirs in which they can look for something better, the last first.
    """
    number = Counter(one.theme for one in collection())
    attempted = [(one, tried[one.id].solved) for one in collection() if one.id in tried]
    themes = tuple(
        ThemeLine(
            theme,
            puzzling(language)[f"themes.{theme}"],
            next(one.family for one in collection() if one.theme == theme),
            number[theme],
            sum(one.theme == theme for one, _ in attempted),
            sum(one.theme == theme and solved for one, solved in attempted),
        )
        for theme in THEMES
        if number[theme]
    )
    shown = _shown(standing(tried.values()))
    return PuzzlesTold(themes, _rules(language), shown, day.id, _solved(tried, day), tuple(own)[:OWN])


def _rules(language: str) -> tuple[RulesLine, ...]:
    number = Counter((one.rules, one.family) for one in collection())
    return tuple(
        RulesLine(rules, books.title_of(rules, language), family, count)
        for (rules, family), count in number.items()
    )


# --- which one -------------------------------------------------------------------------------------------


def of_the_day(now: float, fits: Callable[[Puzzle], bool] = lambda _: True) -> Puzzle:
    """The puzzle of a day, the same for everybody; where it does not fit, the next that is drawn."""
    dice = Random(f"puzzle of day {int(now // DAY)}")
    return next(filter(fits, iter(lambda: dice.choice(collection()), None)))


def named(name: str) -> Puzzle:
    """The puzzle of this name."""
    try:
        return puzzle(name)
    except UnknownPuzzle:
        raise Refusal(404, "unknownPuzzle") from None


def fresh(tried: Tried, theme: str | None, rules: str | None) -> list[Puzzle]:
    """The puzzles of a theme and of a rulebook, if they are asked for; those not tried, if there are any."""
    fitting = [
        one for one in collection() if theme in (None, "", one.theme) and rules in (None, "", one.rules)
    ]
    if not fitting:
        raise Refusal(404, "unknownPuzzle")
    return [one for one in fitting if one.id not in tried] or fitting


def following(some: Iterable[Puzzle], tried: Tried, rated: Mapping[str, Rating], dice: Random) -> Puzzle:
    """One of some puzzles about as hard as somebody is good; `rated` are those that others have tried."""
    own = standing(tried.values()).rating.mu
    nearest = sorted(some, key=lambda one: abs(rated.get(one.id, made_rating(one)).mu - own))
    return dice.choice(nearest[:NEAREST])


def made_rating(one: Puzzle) -> Rating:
    """What a puzzle is rated before anybody has tried it."""
    return Rating(float(one.rating), MEASURED)


# --- trying it -------------------------------------------------------------------------------------------


def played(name: str, moves: Sequence[Action], language: str) -> tuple[bytes, str]:
    """A puzzle after somebody's moves (`PuzzleTold`, in JSON), and its state then: open, solved, or failed.

    The compiler is loaded when it is needed, so that a shell can have it done in another process.
    """
    from ultimo.table import boarding
    from ultimo.tutor.school.puzzles import playing, words

    one = puzzle(name)
    try:
        found = playing.reply(one, moves)
        before = playing.reply(one, moves[:-1]).place if moves else playing.game(one).start
    except playing.NotAMove as error:
        reason = words.told_wrong(error, language)
        raise Refusal(422, "told", "moves", column=error.place + 1, reason=reason) from None
    told = boarding.PuzzleTold(
        words.puzzle_shown(one, language),
        boarding.board_shown(found.place.board, language),
        boarding.scenes_between(before.board, found.place.board, language),
        words.reply_shown(one, moves, found, language),
    )
    return msgspec.json.encode(told), found.state


def shown(body: bytes, one: Puzzle, tried: Tried) -> dict[str, Any]:
    """A puzzle after moves that do not count, to whoever has tried these before."""
    return _told(body, Attempted(_shown(standing(tried.values())), _solved(tried, one)))


def counted(body: bytes, before: Standing, after: Standing) -> dict[str, Any]:
    """A puzzle after somebody's first attempt at it, which has changed what their attempts come to."""
    change = after.rating.shown - before.rating.shown
    return _told(body, Attempted(_shown(after), after.solved > before.solved, change))


def _told(body: bytes, attempted: Attempted) -> dict[str, Any]:
    return {**asdict(attempted), "told": Raw(body)}


def _solved(tried: Tried, one: Puzzle) -> bool | None:
    done = tried.get(one.id)
    return None if done is None else done.solved


def _shown(found: Standing) -> StandingShown:
    return StandingShown(found.rating.shown, found.tried, found.solved, found.streak, found.best)
