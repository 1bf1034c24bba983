"""Duplicate: every table plays the same boards, and only what others made of the same cards counts.

A board has a number, from which follow who deals and, in the French game, who takes: the contract is a garde
and nobody bids. What the tables made of it is compared by seat:

- percent: from 100 for the best down to 0 for the last, those with the same result share. The defenders of a
  French table have the complement of their taker's mark, because they lose what he wins.
- mean: by how much it is more than all tables made of it on average.
- match points: two teams play a board at two tables, and each has the taker at one. The better taker's team
  gets the square root of the difference, the other loses it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import groupby, product
from math import isqrt
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from ultimo.events import Seat

Marks: TypeAlias = Literal["percent", "mean", "match"]
Tables: TypeAlias = tuple[tuple[int, ...], ...]

HUNDRED: Final = Fraction(100)
ATTACK: Final = Fraction(1, 4)  # of a player's mark; the rest is defence
ATTACK_OF_THREE: Final = Fraction(1, 2)  # of the mark of a triplette
SOUTH: Final = 0  # where the taker of another team sits


class Played(Struct, frozen=True):
    """A board at a table: who sat there, and what it brought each seat."""

    board: int
    table: int
    people: tuple[int, ...]
    points: tuple[int, ...]
    taker: Seat | None = None

    @property
    def score(self) -> int:
        """What the taker won from each defender."""
        assert self.taker is not None
        return -self.points[self.taker - 1]


class Marked(Struct, frozen=True):
    """A board at a table with the mark of each seat."""

    played: Played
    marks: tuple[Fraction, ...]


def taker_of(board: int, seats: int, *, teams: bool) -> Seat:
    """Who takes on a board: South where teams meet, else everybody in turn."""
    return SOUTH if teams else (board - 1) % seats


def dealer_of(board: int, seats: int) -> Seat:
    """Who deals a board: everybody in turn, each time beginning with another."""
    return ((board - 1) + (board - 1) // seats) % seats


def by_seat(score: int, taker: Seat, seats: int) -> tuple[int, ...]:
    """What a board brought each seat, where the taker won so much from each defender.

    >>> by_seat(82, 1, 4)
    (-82, 246, -82, -82)
    """
    return tuple(score * (seats - 1) if seat == taker else -score for seat in range(seats))


# --- marks -----------------------------------------------------------------------------------------------


def marked(played: Iterable[Played], marks: Marks, team: Mapping[int, str] | None = None) -> list[Marked]:
    """Every table of every board with its marks; match points need the team of everybody."""
    found = []
    ordered = sorted(played, key=lambda one: (one.board, one.table))
    for _, group in groupby(ordered, key=lambda one: one.board):
        tables = list(group)
        match marks:
            case "percent":
                found += _by_seats(tables, percents)
            case "mean":
                found += _by_seats(tables, means)
            case "match":
                assert team is not None
                found += _matches(tables, team)
    return found


def percents(results: Sequence[int]) -> list[Fraction]:
    """Marks evenly from 100 to 0; the same results share, and one alone has 50.

    >>> [int(mark) for mark in percents((56, 62, -56, -52, 50))]
    [75, 100, 0, 25, 50]
    """
    if len(results) == 1:
        return [HUNDRED / 2]
    beaten = [2 * sum(other < one for other in results) + results.count(one) - 1 for one in results]
    return [HUNDRED * points / (2 * (len(results) - 1)) for points in beaten]


def means(results: Sequence[int]) -> list[Fraction]:
    """By how much each result is above the mean of all.

    >>> [str(mark) for mark in means((10, 20, 40))]
    ['-40/3', '-10/3', '50/3']
    """
    mean = Fraction(sum(results), len(results))
    return [one - mean for one in results]


def match_points(ours: int, theirs: int) -> Fraction:
    """The root of the difference, cut off after two places; below zero where the others were better.

    >>> int(match_points(82, 66)), int(match_points(-76, 68))
    (4, -12)
    """
    root = Fraction(isqrt(abs(ours - theirs) * 10_000), 100)
    return root if ours >= theirs else -root


def _by_seats(tables: Sequence[Played], marks: Callable[[Sequence[int]], list[Fraction]]) -> list[Marked]:
    columns = [marks(results) for results in zip(*(one.points for one in tables), strict=True)]
    return [Marked(one, row) for one, row in zip(tables, zip(*columns, strict=True), strict=True)]


def _matches(tables: Sequence[Played], team: Mapping[int, str]) -> list[Marked]:
    """Each table against the one where the teams have changed places; without one a table has nothing."""
    found = []
    sides = {_sides(one, team): one for one in tables}
    for one in tables:
        attack, defence = _sides(one, team)
        other = sides.get((defence, attack))
        mark = Fraction(0) if other is None else match_points(one.score, other.score)
        row = tuple(mark if seat == one.taker else -mark for seat in range(len(one.people)))
        found.append(Marked(one, row))
    return found


def _sides(one: Played, team: Mapping[int, str]) -> tuple[str, str]:
    """The teams that attack and that defend at a table."""
    assert one.taker is not None
    return team[one.people[one.taker]], team[one.people[one.taker - 1]]


def weighted(found: Iterable[tuple[Fraction, bool]], attack: Fraction) -> Fraction:
    """The mark from those in attack and those in defence, the former with such a weight."""
    both: dict[bool, list[Fraction]] = {True: [], False: []}
    for mark, attacking in found:
        both[attacking].append(mark)
    kinds = [sum(marks, Fraction(0)) / len(marks) for marks in both.values() if marks]
    if len(kinds) < 2:
        return kinds[0] if kinds else Fraction(0)
    return attack * kinds[0] + (1 - attack) * kinds[1]


# --- who sits where --------------------------------------------------------------------------------------


def individuals(people: Sequence[int], rounds: int, seats: int) -> tuple[Tables, ...]:
    """Rounds for individuals: everybody keeps their seat, and each seat moves on by another number of tables.

    As few as can be meet twice; who is left over sits out.

    >>> individuals(range(1, 9), 2, 4)
    (((1, 3, 5, 7), (2, 4, 6, 8)), ((1, 3, 6, 8), (2, 4, 5, 7)))
    """
    many = len(people) // seats
    lines = [people[line * many : (line + 1) * many] for line in range(seats)]
    steps = min(
        product((0,), *[range(min(many, 8))] * (seats - 1)),
        key=lambda steps: (_meetings(steps, rounds, many), sum(steps), steps),
        default=(0,) * seats,
    )
    return tuple(
        tuple(
            tuple(line[(table + step * number) % many] for line, step in zip(lines, steps, strict=True))
            for table in range(many)
        )
        for number in range(rounds)
    )


def _meetings(steps: Sequence[int], rounds: int, many: int) -> int:
    """How often two seats whose lines move so are at the same table again."""
    found = 0
    for place, one in enumerate(steps):
        for other in steps[:place]:
            met = [(one - other) * number % many for number in range(rounds)]
            found += len(met) - len(set(met))
    return found


def triplettes(teams: Sequence[Sequence[int]], rounds: int) -> tuple[Tables, ...]:
    """Rounds for teams of three: of four teams one attacks, each of its players at the table of another team.

    >>> triplettes([(1, 2, 3), (4, 5, 6), (7, 8, 9), (10, 11, 12)], 1)
    (((1, 4, 5, 6), (2, 7, 8, 9), (3, 10, 11, 12)),)
    """
    found = []
    whole = len(teams) - len(teams) % 4
    for number in range(rounds):
        turned = [teams[(place + number) % whole] for place in range(whole)]
        attacking = turned[::4]
        defending = [team for place, team in enumerate(turned) if place % 4]
        tables = []
        for place, against in enumerate(defending):
            taker, member = divmod((place + number // 4) % len(defending), 3)
            tables.append((attacking[taker][member], *against))
        found.append(tuple(tables))
    return tuple(found)


def quadrettes(teams: Sequence[Sequence[int]], rounds: int) -> tuple[Tables, ...]:
    """Rounds for teams of four: two teams meet at two tables, at each of which one has the taker.

    >>> quadrettes([(1, 2, 3, 4), (5, 6, 7, 8)], 1)
    (((1, 6, 7, 8), (5, 2, 3, 4)),)
    """
    found = []
    whole = len(teams) - len(teams) % 2
    for number in range(rounds):
        fixed, *others = teams[:whole]
        shift, taker = number % (whole - 1), number % 4
        order = [fixed, *others[shift:], *others[:shift]]
        tables: list[tuple[int, ...]] = []
        for place in range(whole // 2):
            here, there = order[place], order[-1 - place]
            for attack, defence in ((here, there), (there, here)):
                staying = [who for member, who in enumerate(defence) if member != taker]
                tables.append((attack[taker], *staying))
        found.append(tuple(tables))
    return tuple(found)
