"""What the deals of an arena come to: points with their intervals, how often there was what, ratings.

One duplicate deal is one observation: what a player made in it on average over the rotations. Besides its
points a player has a `gain`: how many more they are than the average of the table in the same deals. In
French Tarot, where points sum to zero, the two are the same; in Danish Tarok the cups pay out and take in,
and the gain counts them as everybody's, as they are when a session ends.
"""

from __future__ import annotations

import json
import shlex
from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import sqrt
from typing import Any

from msgspec import Struct

from ultimo.analysis.runs import rules_of
from ultimo.analysis.statistics import Share, Z
from ultimo.players.arena.arena import Plan, Played
from ultimo.players.arena.events import DANISH, FRENCH, OF
from ultimo.rulebook import FrenchRules


class Estimate(Struct, frozen=True):
    """A mean per deal, and its 95 % interval if there is more than one deal."""

    mean: float
    interval: tuple[float, float] | None


class Rating(Struct, frozen=True):
    """What a rating system makes of a player: how good, and how sure that is."""

    mu: float
    sigma: float


class Faults(Struct, frozen=True):
    """In how many deals a program failed in this way, and what it did the first time."""

    count: int
    first: str


class Standing(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How a player has done."""

    player: int
    level: str
    points: Estimate
    gain: Estimate
    rating: Rating
    events: dict[str, Share]
    decisions: int
    mean_seconds: float | None
    slowest_seconds: float
    faults: dict[str, Faults] = {}  # by their kind


class Result(Struct, frozen=True, kw_only=True):
    """What a run comes to."""

    command: str
    plan: Plan
    engine: str  # what the sources of the program that played are known by
    deals: int
    rotations: int
    odd: int | None  # the one player of a level of his own, against all others of one level
    players: tuple[Standing, ...]


def result(made: Plan, played: Iterable[Played], engine: str = "") -> Result:
    """What all deals of a plan come to, in whatever order they come."""
    every = sorted(played, key=lambda one: (one.deal, one.rotation))
    ratings = rated(made, every)
    return Result(
        command=command(made),
        plan=made,
        engine=engine,
        deals=len({one.deal for one in every}),
        rotations=len(made.players),
        odd=odd_one(made.players),
        players=tuple(_standing(made, every, player, rating) for player, rating in enumerate(ratings)),
    )


def command(made: Plan) -> str:
    """The command that does it again."""
    words = ["ultimo", "arena", "--rules", made.rules, "--players", ",".join(made.players)]
    words += ["--deals", str(made.deals), "--seed", str(made.seed)]
    for name, value in made.options.items():
        words += [f"--{name}", f"{value:g}"]
    if made.cups is not None:
        words += ["--cups", ",".join(map(str, made.cups))]
    for key, value in made.overrides.items():
        words += ["--set", f"{key}={_toml(value)}"]
    return shlex.join(words)


def odd_one(levels: Sequence[str]) -> int | None:
    """The place of the one level that differs, if all others are the same."""
    found = Counter(levels)
    single = [level for level, count in found.items() if count == 1]
    return levels.index(single[0]) if len(found) == 2 and len(single) == 1 else None


def estimate(observed: Sequence[Fraction]) -> Estimate:
    """The mean of independent observations; exact, so that their order leaves no trace.

    >>> estimate([Fraction(1), Fraction(3)]).mean
    2.0
    """
    number = len(observed)
    mean = sum(observed, Fraction()) / number
    if number < 2:
        return Estimate(float(mean), None)
    spread = sum(((one - mean) ** 2 for one in observed), Fraction()) / (number - 1)
    half = Z * sqrt(spread / number)
    return Estimate(float(mean), (float(mean) - half, float(mean) + half))


def observations(made: Plan, played: Sequence[Played]) -> tuple[list[list[Fraction]], list[list[Fraction]]]:
    """For each player its points and its gain, deal by deal, on average over the rotations."""
    size = len(made.players)
    sums: dict[int, list[int]] = {}
    for one in played:
        deal = sums.setdefault(one.deal, [0] * size)
        for player, made_points in enumerate(one.points):
            deal[player] += made_points
    points = [[Fraction(deal[player], size) for deal in sums.values()] for player in range(size)]
    gains = [
        [Fraction(size * deal[player] - sum(deal), size * size) for deal in sums.values()]
        for player in range(size)
    ]
    return points, gains


def _standing(made: Plan, played: Sequence[Played], player: int, rating: Rating) -> Standing:
    points, gains = observations(made, played)
    counts = Counter(name for one in played for name, some in one.events.items() if player in some)
    there = sum(player not in one.sitting for one in played)
    names = FRENCH if isinstance(rules_of(made), FrenchRules) else DANISH
    decisions = sum(one.decisions[player] for one in played)
    seconds = sum(one.seconds[player] for one in played)
    return Standing(
        player=player,
        level=made.players[player],
        points=estimate(points[player]),
        gain=estimate(gains[player]),
        rating=rating,
        events={name: Share(counts[name], counts[OF[name]] if name in OF else there) for name in names},
        decisions=decisions,
        mean_seconds=seconds / decisions if decisions else None,
        slowest_seconds=max((one.slowest[player] for one in played), default=0.0),
        faults=_faults(played, player),
    )


def _faults(played: Sequence[Played], player: int) -> dict[str, Faults]:
    found: dict[str, Faults] = {}
    for one in played:
        if (fault := one.faults.get(player)) is not None:
            before = found.get(
                fault.kind, Faults(0, f"deal {one.deal}, rotation {one.rotation}: {fault.message}")
            )
            found[fault.kind] = Faults(before.count + 1, before.first)
    return found


def _toml(value: Any) -> str:
    """A value as a house rule writes it: as JSON does, but for tables."""
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, value))}]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {_toml(one)}" for key, one in value.items()) + "}"
    return json.dumps(value, ensure_ascii=False)


# --- ratings -------------------------------------------------------------------------------------------


def rated(made: Plan, played: Sequence[Played]) -> list[Rating]:
    """Ratings by the model of Plackett and Luce, as Weng and Lin update them, from all deals in order.

    A Danish deal is a game of each against all, ranked by points. A French deal is a game of two sides, won
    by whoever made points; since sides differ in size, the smaller one is joined by a player of straw for
    what it is worth to be the taker, whose rating is found on the way. Players do not learn: what is known
    of them only grows (tau is 0).
    """
    from openskill.models import PlackettLuce

    model = PlackettLuce(tau=0)
    ratings = [model.rating() for _ in made.players]
    straw: dict[int, Any] = {}
    for one in played:
        if isinstance(rules_of(made), FrenchRules):
            if not one.side:
                continue
            others = [player for player in range(len(ratings)) if player not in one.side]
            missing = len(others) - len(one.side)
            taking = straw.setdefault(missing, model.rating(missing * model.mu, 3 * model.sigma))
            teams = [[*(ratings[player] for player in one.side), taking], [ratings[p] for p in others]]
            won = sum(one.points[player] for player in one.side)
            first, second = model.rate(teams, scores=[won, -won])
            *side, straw[missing] = first
            places = [*one.side, *others]
            after = [*side, *second]
        else:
            places = [player for player in range(len(ratings)) if player not in one.sitting]
            scores = [float(one.points[player]) for player in places]
            after = [team[0] for team in model.rate([[ratings[player]] for player in places], scores=scores)]
        for player, rating in zip(places, after, strict=True):
            ratings[player] = rating
    return [Rating(one.mu, one.sigma) for one in ratings]
