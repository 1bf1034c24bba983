"""Ratings of people and puzzles: a puzzle that is tried is a game of two, and one of them wins.

Of a person only the first finished attempt at a puzzle counts. An attempt keeps what the puzzle was rated
then, so that a rating is worked out from a person's attempts alone, under whatever ids they were made.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import exp, sqrt
from typing import Final

from msgspec import Struct

MEAN: Final = 1500.0
UNKNOWN: Final = 250.0  # how uncertain the rating of somebody new is,
MEASURED: Final = 120.0  # and that of a puzzle that nobody has tried
CHANCE: Final = 200.0  # how much luck there is in one attempt
DRIFT: Final = 2.0  # how much somebody may have changed since the one before


class Rating(Struct, frozen=True):
    """How good somebody is, or how hard a puzzle is, and how uncertain that is."""

    mu: float = MEAN
    sigma: float = UNKNOWN

    @property
    def shown(self) -> int:
        """The rating as people see it."""
        return round(self.mu)


class Attempt(Struct, frozen=True):
    """A puzzle that somebody has tried, and its rating before."""

    puzzle: str
    at: float
    solved: bool
    rating: Rating


class Standing(Struct, frozen=True):
    """What somebody's attempts come to."""

    rating: Rating = Rating()
    tried: int = 0
    solved: int = 0
    streak: int = 0  # solved one after another, up to now
    best: int = 0  # streak

    def after(self, attempt: Attempt) -> Standing:
        """What they come to with one more."""
        streak = self.streak + 1 if attempt.solved else 0
        return Standing(
            rated(self.rating, attempt.rating, attempt.solved)[0],
            self.tried + 1,
            self.solved + attempt.solved,
            streak,
            max(self.best, streak),
        )


def first_ones(attempts: Iterable[Attempt]) -> list[Attempt]:
    """Of all attempts at a puzzle only the first, in the order in which they were made."""
    found: dict[str, Attempt] = {}
    for one in sorted(attempts, key=lambda one: (one.at, one.puzzle)):
        found.setdefault(one.puzzle, one)
    return list(found.values())


def standing(attempts: Iterable[Attempt]) -> Standing:
    """What attempts come to."""
    found = Standing()
    for one in first_ones(attempts):
        found = found.after(one)
    return found


def rated(solver: Rating, puzzle: Rating, solved: bool) -> tuple[Rating, Rating]:
    """The ratings of both after an attempt, by the model of Plackett and Luce for a game of two.

    Weng and Lin, A Bayesian Approximation Method for Online Ranking, JMLR 12 (2011), algorithm 4.
    """
    winner, loser = (solver, puzzle) if solved else (puzzle, solver)
    spread = sqrt(_variance(winner) + _variance(loser) + 2 * CHANCE**2)
    surprise = 1 / (1 + exp((winner.mu - loser.mu) / spread))

    def after(one: Rating, change: float) -> Rating:
        part = _variance(one) / spread**2
        known = surprise * (1 - surprise) * part * sqrt(part)
        return Rating(one.mu + change * part * spread, sqrt(_variance(one) * (1 - known)))

    won, lost = after(winner, surprise), after(loser, -surprise)
    return (won, lost) if solved else (lost, won)


def _variance(one: Rating) -> float:
    """How uncertain a rating is by the next attempt."""
    return one.sigma**2 + DRIFT**2
