"""A game to watch as the log of a table: what shows the deals of a table shows it too."""

from __future__ import annotations

from ultimo import rulebook
from ultimo.record.check import whole_steps
from ultimo.table.facts import BotSeated, Fact, Happened, SessionStarted, TableOpened
from ultimo.table.settings import SeatPlan, Settings
from ultimo.tutor.games.game import Game

DEAL = 1  # the number of the only one


def log_of(game: Game) -> list[tuple[Fact, float]]:
    """The log of the table at which the masters played."""
    settings, rules = settings_of(game), game.rules
    sat: list[Fact] = [BotSeated(seat, "master", name) for seat, name in enumerate(game.players)]
    played = [Happened(events) for events in whole_steps(rules, game.events)]
    facts: list[Fact] = [TableOpened("", settings, ""), *sat, SessionStarted(), *played]
    return [(fact, 0.0) for fact in facts]


def settings_of(game: Game) -> Settings:
    """The agreement of that table."""
    rules, size = game.rules, len(game.players)
    seats = (SeatPlan("bot", "master"),) * size
    return Settings(
        rules.id, size, seats, house=rulebook.overrides(rules), deals=1, digest=rulebook.digest(rules)
    )
