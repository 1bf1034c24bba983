"""How an expert reckons: likely worlds are drawn, and candidates race in them.

All candidates are tried in the same worlds, so that luck of the cards cancels out of what lies between them.
Who is clearly behind drops out, and the time goes to those who are close. What the solver has found counts
from the beginning, so that nobody drops out for the play-outs alone.
"""

from __future__ import annotations

from collections.abc import Callable
from math import erfc, exp, hypot, inf, pi, sqrt
from time import perf_counter
from typing import Protocol, TypeAlias

import numpy as np
from msgspec import Struct

from ultimo.kernel.jit import Ints, Words
from ultimo.kernel.worlds.draw import Worlds
from ultimo.players.expert.inference import ENOUGH, Floats

Clock: TypeAlias = Callable[[], float]

FIRST_ROUND = 16  # worlds in which all candidates are tried
LARGEST_ROUND = 256
LEAST = 24  # worlds before anybody drops out
BEHIND = 2.5  # standard errors
SOLVED_ALONE = 4  # so many solved worlds count as much as all the play-outs
HABIT = 8.0  # points by which all play-outs may be wrong together: the club's player has habits
RARE = 30.0  # points that a solved world differs from others at least: a few of them show no slam
CAUTION = 1.0  # standard errors by which a candidate must lead the favourite
SAME = 64  # worlds in which two candidates come to the same before they are taken for equal
STRIDE = np.uint64(0xD1342543DE82EF95)


class Table(Protocol):
    """A decision as the search sees it."""

    def likely(self, number: int, dice: Words) -> tuple[Worlds, Ints]:
        """About so many worlds with what each counts, and the present state in each; none if none fits."""
        ...

    def gains(self, states: Ints, alive: Ints, seeds: Words) -> Ints:
        """What the candidates gain in each of the states: a row, a column a candidate."""
        ...


class Solved(Struct):
    """What the candidates gain in worlds that were solved with open cards: a row for each world."""

    gains: list[Floats]

    @property
    def share(self) -> float:
        """How much they count beside the play-outs: the more of them, the more."""
        return len(self.gains) / (len(self.gains) + SOLVED_ALONE)

    def mixed(self, points: Floats) -> Floats:
        """The points of the play-outs and of the solved worlds."""
        solved: Floats = np.mean(self.gains, axis=0)
        return self.share * solved + (1 - self.share) * points


class Race(Struct):
    """What is known of the candidates so far."""

    gains: list[Floats]  # by round: a row for each world, a column for each candidate
    alive: Ints
    worlds: list[Worlds]  # by round
    solved: Solved | None = None
    kept: int | None = None  # a candidate that never drops out
    handicaps: Floats | float = 0.0  # points that each candidate must be better than those without

    @property
    def weights(self) -> Floats:
        """What each world counts."""
        return np.concatenate([one.weights for one in self.worlds])

    def pool(self) -> Worlds:
        """All worlds that were drawn."""
        suits = np.concatenate([one.suits for one in self.worlds])
        trumps = np.concatenate([one.trumps for one in self.worlds])
        return Worlds(suits, trumps, self.weights)

    def points(self, played: Floats) -> Floats:
        """What the candidates are thought worth, who gain so much in the play-outs."""
        return played if self.solved is None else self.solved.mixed(played)

    def standing(self, points: Floats) -> Floats:
        """How the candidates compare, who are thought worth so much."""
        return points - self.handicaps

    def results(self) -> tuple[Floats, Floats, Ints]:
        """For each candidate its points, their standard error and the number of worlds it was tried in."""
        number = len(self.alive)
        mean, spread, tried = np.zeros(number), np.zeros(number), np.zeros(number, np.int64)
        table, weights = np.concatenate(self.gains), self.weights
        for one in range(number):
            known = ~np.isnan(table[:, one])
            mean[one], spread[one] = mean_of(table[known, one], weights[known])
            tried[one] = known.sum()
        return self.points(mean), spread, tried

    def lead(self, one: int, other: int) -> tuple[float, float]:
        """By how much a candidate is ahead of another in the worlds of both, and its standard error.

        Where worlds were solved as well, either counts for more the surer it is.
        """
        table, weights = np.concatenate(self.gains), self.weights
        both = ~np.isnan(table[:, one] - table[:, other])
        lead, error = mean_of(table[both, one] - table[both, other], weights[both])
        if self.solved is None:
            return lead, error
        between = np.array(self.solved.gains)[:, one] - np.array(self.solved.gains)[:, other]
        mean, spread = mean_of(between, np.ones(len(between)))
        doubt, spread = hypot(error, HABIT), hypot(spread, RARE / sqrt(len(between)))
        share = doubt**2 / (doubt**2 + spread**2)
        return share * mean + (1 - share) * lead, hypot(share * spread, (1 - share) * error)


def mean_of(values: Floats, weights: Floats) -> tuple[float, float]:
    """A weighted mean and its standard error."""
    total = weights.sum()
    if total <= 0:
        return 0.0, inf
    mean = float((values * weights).sum() / total)
    square = float((weights**2 * (values - mean) ** 2).sum()) / total**2
    return mean, sqrt(square)


def run(
    table: Table,
    number: int,
    favourite: int,
    seed: int,
    samples: int | None,
    end: float,
    solved: Solved | None = None,
    kept: int | None = None,
    clock: Clock = perf_counter,
    enough: float = ENOUGH,
    handicaps: Floats | float = 0.0,
) -> Race:
    """Let `number` candidates race until the samples or the time is used up, or one is left.

    `favourite` is the one that wins where nothing lies between it and another; `kept` is one that stays in
    the race whatever it gains. By the clock it also ends where going on promises less than
    `enough`.
    """
    dice = np.array([seed], np.uint64)
    race = Race([], np.ones(number, np.int64), [], solved, kept, handicaps)
    size, tried, slowest = FIRST_ROUND, 0, 0.0
    while race.alive.sum() > 1:
        if samples is not None:
            size = min(size, samples - tried)
            if size <= 0:
                break
        elif tried and promise(race, favourite) < enough:
            break
        elif clock() + slowest * size > end and tried:
            size = int((end - clock()) / slowest / 1.2) if slowest else 0
            if size < 4:
                break
        began = clock()
        played = _round(table, race, size, dice)
        if not played:
            break
        slowest = (clock() - began) / size
        tried += size
        _drop(race, favourite)
        size = min(2 * size, LARGEST_ROUND)
    return race


def _round(table: Table, race: Race, size: int, dice: Words) -> int:
    """Draw and play some worlds; how many."""
    worlds, states = table.likely(size, dice)
    if not len(worlds):
        return 0
    race.worlds.append(worlds)
    seeds = dice[0] + STRIDE * np.arange(1, len(worlds) + 1, dtype=np.uint64)
    dice[0] = seeds[-1]
    gains = table.gains(states, race.alive, seeds).astype(np.float64)
    gains[:, race.alive == 0] = np.nan
    race.gains.append(gains)
    return len(worlds)


def _drop(race: Race, favourite: int) -> None:
    """Candidates clearly behind the best drop out, and those that come to the same as the favourite."""
    table, weights = np.concatenate(race.gains), race.weights
    if len(table) < LEAST:
        return
    points = race.points((table * weights[:, None]).sum(axis=0) / weights.sum())
    standing = race.standing(points)
    best = int(np.where(race.alive, standing, -inf).argmax())
    for one in np.flatnonzero(race.alive):
        error = mean_of(table[:, best] - table[:, one], weights)[1]
        if standing[best] - standing[one] > BEHIND * error and one != race.kept:
            race.alive[one] = 0
    if len(table) < SAME:
        return
    first = favourite if race.alive[favourite] else best
    for one in np.flatnonzero(race.alive):
        same = points[one] == points[first] and not (table[:, one] != table[:, first]).any()
        if one not in (first, race.kept) and same:
            race.alive[one] = 0


def choice(race: Race, points: Floats, tried: Ints, favourite: int) -> int:
    """The candidate to take: the best of those left, unless the favourite is hardly behind it."""
    standing = race.standing(points)
    best = int(np.where(tried == tried.max(), standing, -inf).argmax())
    if best == favourite or not race.alive[favourite]:
        return best
    table, weights = np.concatenate(race.gains), race.weights
    _, spread = mean_of(table[:, best] - table[:, favourite], weights)
    return favourite if standing[best] - standing[favourite] <= CAUTION * spread else best


def promise(race: Race, favourite: int) -> float:
    """The points that may be expected of knowing what all further play-outs would show.

    The choice of now would turn out wrong with some chance, and by so much: of a difference that is known as
    `ahead` ± `spread` the expected part below zero, summed over those still in the race. What a rare world
    brings may not have been seen yet.
    """
    points, _, tried = race.results()
    chosen = choice(race, points, tried, favourite)
    table, weights, standing = np.concatenate(race.gains), race.weights, race.standing(points)
    if len(table) < LEAST:
        return inf
    share, expected = 1.0 if race.solved is None else 1 - race.solved.share, 0.0
    for one in np.flatnonzero(race.alive):
        spread = share * hypot(mean_of(table[:, chosen] - table[:, one], weights)[1], RARE / len(table))
        if one != chosen:
            ahead = float(standing[chosen] - standing[one]) / spread
            expected += spread * (exp(-(ahead**2) / 2) / sqrt(2 * pi) - ahead * erfc(ahead / sqrt(2)) / 2)
    return expected
