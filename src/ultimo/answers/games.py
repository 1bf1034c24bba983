"""Games to watch: which there are, one of them step by step with its review in words, and ways on from there.

What tells a review loads the compiler when it begins, so that a shell can have it done in another process.
"""

from __future__ import annotations

from functools import cache

from msgspec.structs import replace

from ultimo.answers import books, positions, tables
from ultimo.answers.advice import played
from ultimo.answers.payloads import GameLine, GameSeat, GamesTold, GameTold, PositionTold, WatchOn
from ultimo.answers.refusing import Refusal
from ultimo.names import names
from ultimo.table.settings import Again, SeatPlan, Settings
from ultimo.table.watching import DEAL, log_of, settings_of
from ultimo.telling.headlines import emblem, headline
from ultimo.telling.teller import Teller
from ultimo.tutor.games import game as games
from ultimo.tutor.games.game import Game
from ultimo.tutor.shown import ReviewShown


@cache
def listed(language: str) -> GamesTold:
    """All games."""
    return GamesTold(tuple(line(one, language) for one in games.collection()))


def line(one: Game, language: str) -> GameLine:
    """What a game is about, who played it, and how many of its decisions are told."""
    rules, deal = one.rules, one.deal
    seats = zip(one.players, one.review.result, strict=True)
    return GameLine(
        one.id,
        headline(Teller(names(language), rules, one.players), deal),
        books.title_of(rules.id, language),
        rules.family,
        tuple(GameSeat(name, result) for name, result in seats),
        emblem(rules, deal).value,
        sum(len(decision.options) > 1 for decision in one.review.decisions),
    )


def named(name: str) -> Game:
    """The game of this name."""
    try:
        return games.game(name)
    except games.UnknownGame:
        raise Refusal(404, "unknownGame") from None


def told(name: str, language: str) -> GameTold:
    """A game step by step with all cards open."""
    one = named(name)
    return GameTold(line(one, language), tables.replay(log_of(one), DEAL, language))


def review(name: str, language: str) -> ReviewShown:
    """The review of a game in words; only decisions that are worth telling have options."""
    from ultimo.tutor import telling

    one = named(name)
    found, title = played(log_of(one), DEAL), books.title_of(one.rules.id, language)
    teller, step_of = Teller(names(language), found.rules, found.people), found.steps.__getitem__
    return telling.review_shown(one.review, found.events, teller, DEAL, title, step_of, better_lines=False)


def position(name: str, step: str) -> PositionTold:
    """The position that a step of a game shows, in text."""
    return positions.position(log_of(named(name)), DEAL, step)


def again(name: str, wish: WatchOn) -> tuple[Settings, Again]:
    """A table at which one plays a game on from a step.

    The others are club players: a table of masters would need a server.
    """
    one = named(name)
    settings = settings_of(one)
    if wish.seat >= settings.size:
        raise Refusal(404, "unknownPage", "seat")
    seats = tuple(SeatPlan("host" if seat == wish.seat else "bot") for seat in range(settings.size))
    return replace(settings, seats=seats), tables.again(log_of(one), DEAL, wish.step)
