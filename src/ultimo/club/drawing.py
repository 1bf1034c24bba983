"""Who sits at which table: drawn by the club's seating, or by the movement of a duplicate."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from random import Random

from ultimo.club import duplicate, seating
from ultimo.club.sheet import Refused
from ultimo.club.tournament import TEAM, Table, Tournament, teams_of

STEPS = 300_000  # a second or two: those of a team are kept apart, so a plan without repeats is rarer


def drawn(found: Tournament, seed: str) -> dict[int, tuple[Table, ...]]:
    """Tables for every round that has no results yet, or `Refused`.

    A duplicate's follow from the seed of the tournament, so that its rounds fit each other whenever they are
    drawn.
    """
    played = max((number for number, _ in found.results), default=found.rounds_closed)
    open_rounds = range(played + 1, found.terms.rounds + 1)
    if not open_rounds:
        raise Refused("tournament.nothingToDraw", "round")
    if found.terms.boards:
        rounds = _movement(found, open_rounds[0])
        return {number: rounds[number - 1] for number in open_rounds}
    plan = _seating(found, seed, played)
    return {number: plan[number - 1] for number in open_rounds}


def _movement(found: Tournament, first: int) -> tuple[tuple[Table, ...], ...]:
    rng, rounds, there = Random(found.seed), found.terms.rounds, found.present(first)
    if found.terms.kind == "duplicate":
        seats = found.terms.sizes[0]
        if len(there) < seats:
            raise Refused("tournament.tooFew", "people", least=seats)
        people = [one.id for one in there]
        return duplicate.individuals(rng.sample(people, len(people)), rounds, seats)
    teams = _teams(found, first)
    order = rng.sample(teams, len(teams))
    if found.terms.kind == "triplette":
        return duplicate.triplettes(order, rounds)
    return duplicate.quadrettes(order, rounds)


def _teams(found: Tournament, first: int) -> list[tuple[int, ...]]:
    """The teams, each of which has to be complete."""
    size = TEAM[found.terms.kind]
    teams = teams_of(found.present(first))
    for name, who in teams.items():
        if len(who) != size:
            raise Refused("tournament.teamSize", "people", team=name, size=size)
    together = {"triplette": 4, "quadrette": 2}[found.terms.kind]
    if not teams or len(teams) % together:
        raise Refused("tournament.manyTeams", "people", many=together)
    return list(teams.values())


def _seating(found: Tournament, seed: str, played: int) -> Sequence[tuple[Table, ...]]:
    """All rounds by the club's seating: those that have been played as they were, the others drawn.

    It knows people by a text, and who is not to meet by pairs.
    """
    terms = found.terms
    here = found.present(played + 1)
    teams = teams_of(here).values() if terms.apart else ()
    wish = seating.Wish(
        people=tuple(str(one.id) for one in here),
        rounds=terms.rounds,
        sizes=terms.sizes,
        until_round={str(one.id): one.left - 1 for one in here if one.left},
        apart=tuple((str(one), str(other)) for team in teams for one, other in combinations(team, 2)),
    )
    kept = tuple(
        seating.Round(tuple(tuple(map(str, table)) for table in found.tables[number]))
        for number in range(1, played + 1)
    )
    rounds = seating.draw(wish, seed, kept, STEPS).rounds
    return [tuple(tuple(map(int, table)) for table in one.tables) for one in rounds]
