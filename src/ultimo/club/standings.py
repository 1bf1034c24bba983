"""Who has won a tournament: by person, by team and by club, at any time; and board by board.

Scores are exact, so that nobody is placed before another by a rounding. The same score is the same place,
unless the terms break the tie; the place after two seconds is the fourth.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import TypeAlias

from msgspec import Struct

from ultimo.club import duplicate
from ultimo.club.duplicate import Marked, Marks, Played
from ultimo.club.tournament import (
    TEAM,
    Kind,
    Table,
    Terms,
    Tournament,
    clubs_of,
    deals_at,
    playing_at,
    taker_on,
    teams_of,
)
from ultimo.events import Seat

NOTHING = Fraction(0)


class Standing(Struct, frozen=True):
    """A line of the results: the place, who, the score, and what each round brought (None: not played).

    `who` has the number of a person, or of all who count for a team or a club.
    """

    place: int
    name: str
    who: tuple[int, ...]
    score: Fraction
    rounds: tuple[Fraction | None, ...]
    penalty: Fraction = NOTHING


class BoardLine(Struct, frozen=True):
    """What a table made of a board."""

    round: int
    table: int
    people: Table
    taker: Seat | None
    points: tuple[int, ...]
    marks: tuple[Fraction, ...]


# --- by person -------------------------------------------------------------------------------------------


class Brought(Struct, frozen=True):
    """What a round brought somebody: points and how many deals they played, or the marks of boards."""

    points: int = 0
    deals: Fraction = NOTHING
    marks: tuple[tuple[Fraction, bool], ...] = ()  # and whether in attack


Rounds: TypeAlias = dict[int, dict[int, Brought]]  # by person, then by round


class Results(Struct, frozen=True):
    """All results: by person, by team and by club."""

    people: tuple[Standing, ...]
    teams: tuple[Standing, ...]
    clubs: tuple[Standing, ...]


def results(found: Tournament) -> Results:
    """All results, worked out together."""
    rounds = _rounds(found)
    return Results(_people(found, rounds), _teams(found, rounds), _clubs(found, rounds))


def people(found: Tournament) -> tuple[Standing, ...]:
    """The results of everybody who has played, or is still to play."""
    return _people(found, _rounds(found))


def teams(found: Tournament) -> tuple[Standing, ...]:
    """The results of the teams: what their people have made adds up.

    Teams of three and four have a mark of their own, see `_team_marks`.
    """
    return _teams(found, _rounds(found))


def clubs(found: Tournament) -> tuple[Standing, ...]:
    """The results of the clubs: what their people have made on average, or all together."""
    return _clubs(found, _rounds(found))


def _people(found: Tournament, rounds: Rounds) -> tuple[Standing, ...]:
    lines = []
    for one in found.entrants:
        own = rounds.get(one.id, {})
        if one.left == 1 and not own:
            continue
        lost = _penalty(found, (one.id,))
        score = _together(found.terms, own.values()) - lost
        by_round = tuple(
            _together(found.terms, [own[number]]) if number in own else None
            for number in range(1, found.terms.rounds + 1)
        )
        lines.append(Standing(0, one.person.name, (one.id,), score, by_round, lost))
    return placed(found, lines)


def _rounds(found: Tournament) -> Rounds:
    """What each round brought each person."""
    if found.terms.boards:
        return _board_rounds(found)
    brought: Rounds = defaultdict(dict)
    for (number, place), result in found.results.items():
        table = found.table(number, place)
        size = len(table)
        deals = Fraction((result.deals or deals_at(found, size)) * playing_at(found, size), size)
        for who, points in zip(table, result.points, strict=True):
            brought[who][number] = Brought(points, deals)
    return brought


def _board_rounds(found: Tournament) -> Rounds:
    marks: dict[int, dict[int, list[tuple[Fraction, bool]]]] = defaultdict(lambda: defaultdict(list))
    for one in _marked(found):
        number = round_of(found.terms, one.played.board)
        for seat, (who, mark) in enumerate(zip(one.played.people, one.marks, strict=True)):
            marks[who][number].append((mark, seat == one.played.taker))
    return {
        who: {number: Brought(marks=tuple(own)) for number, own in by_round.items()}
        for who, by_round in marks.items()
    }


def _together(terms: Terms, all_brought: Iterable[Brought]) -> Fraction:
    """What some rounds are worth together, penalties not counted."""
    brought = list(all_brought)
    if not terms.boards:
        points, deals = sum(one.points for one in brought), sum(one.deals for one in brought)
        if terms.compare == "perDeal":
            return Fraction(points) / deals if deals else NOTHING
        return Fraction(points)
    marks = [mark for one in brought for mark in one.marks]
    if _by_percent(terms):
        return duplicate.weighted(marks, _attack(terms))
    return sum((mark for mark, _ in marks), NOTHING)


def _by_percent(terms: Terms) -> bool:
    return terms.kind == "triplette" or (terms.kind == "duplicate" and terms.marks == "percent")


def _attack(terms: Terms) -> Fraction:
    return duplicate.ATTACK_OF_THREE if terms.kind == "triplette" else duplicate.ATTACK


def _penalty(found: Tournament, who: Iterable[int]) -> Fraction:
    return Fraction(sum(found.penalties.get(one, 0) for one in who), 100)


# --- by team and by club -----------------------------------------------------------------------------------


def _teams(found: Tournament, rounds: Rounds) -> tuple[Standing, ...]:
    worth = _team_marks if found.terms.kind in TEAM else _sum
    return _groups(found, teams_of(found.entrants), rounds, worth)


def _clubs(found: Tournament, rounds: Rounds) -> tuple[Standing, ...]:
    worth = _mean if found.terms.clubs == "mean" else _sum
    return _groups(found, clubs_of(found.entrants), rounds, worth)


Worth: TypeAlias = Callable[[Tournament, Sequence[Iterable[Brought]]], Fraction]


def _groups(
    found: Tournament, groups: dict[str, tuple[int, ...]], rounds: Rounds, worth: Worth
) -> tuple[Standing, ...]:
    lines = []
    for name, who in groups.items():
        playing = tuple(one for one in who if one in rounds)
        if not playing:
            playing = tuple(one for one in who if found.entrant(one).left != 1)
        if not playing:
            continue
        own = [rounds.get(one, {}) for one in playing]
        by_round = tuple(
            worth(found, [[one[number]] if number in one else [] for one in own])
            if any(number in one for one in own)
            else None
            for number in range(1, found.terms.rounds + 1)
        )
        lost = _penalty(found, who)
        shared = lost / len(playing) if worth is _mean else lost
        score = worth(found, [one.values() for one in own]) - shared
        lines.append(Standing(0, name, playing, score, by_round, shared))
    return placed(found, lines)


def _sum(found: Tournament, own: Sequence[Iterable[Brought]]) -> Fraction:
    return sum((_together(found.terms, one) for one in own), NOTHING)


def _mean(found: Tournament, own: Sequence[Iterable[Brought]]) -> Fraction:
    return _sum(found, own) / len(own)


def _team_marks(found: Tournament, own: Sequence[Iterable[Brought]]) -> Fraction:
    """The mark of a team: of the three who defend together each has the same mark, and it counts once."""
    marks = [mark for one in own for brought in one for mark in brought.marks]
    if found.terms.kind == "triplette":
        return duplicate.weighted(marks, _attack(found.terms))
    # Both tables of a match tell the same difference: the half of it is told at each.
    return sum((mark / (2 if attacking else 6) for mark, attacking in marks), NOTHING)


# --- places ------------------------------------------------------------------------------------------------


def placed(found: Tournament, lines: Iterable[Standing]) -> tuple[Standing, ...]:
    """The lines in order, each with its place."""
    ordered = sorted(lines, key=lambda one: (*_worth(found.terms, one), one.name))
    told: list[Standing] = []
    for number, one in enumerate(ordered, 1):
        same = told and _worth(found.terms, told[-1]) == _worth(found.terms, one)
        place = told[-1].place if same else number
        told.append(Standing(place, one.name, one.who, one.score, one.rounds, one.penalty))
    return tuple(told)


def _worth(terms: Terms, one: Standing) -> tuple[Fraction, ...]:
    """What decides the place, the least first."""
    played = [brought for brought in one.rounds if brought is not None]
    match terms.ties:
        case "bestRound" if played:
            return (-one.score, -max(played))
        case "lastRound" if played:
            return (-one.score, -played[-1])
    return (-one.score, NOTHING)


# --- board by board ----------------------------------------------------------------------------------------


def round_of(terms: Terms, board: int) -> int:
    """The round in which a board is played."""
    return (board - 1) // terms.deals + 1


def boards(found: Tournament) -> dict[int, tuple[BoardLine, ...]]:
    """What the tables made of each board, by its number."""
    told: dict[int, tuple[BoardLine, ...]] = {}
    for one in _marked(found):
        own = one.played
        number = round_of(found.terms, own.board)
        line = BoardLine(number, own.table, own.people, own.taker, own.points, one.marks)
        told[own.board] = (*told.get(own.board, ()), line)
    return told


def _marked(found: Tournament) -> list[Marked]:
    team = {one.id: one.person.team for one in found.entrants}
    by_kind: dict[Kind, Marks] = {"quadrette": "match", "triplette": "percent"}
    return duplicate.marked(_played(found), by_kind.get(found.terms.kind, found.terms.marks), team)


def _played(found: Tournament) -> Iterator[Played]:
    for (number, place), result in found.results.items():
        table = found.table(number, place)
        for board, points in enumerate(result.boards, (number - 1) * found.terms.deals + 1):
            if points:
                yield Played(board, place, table, points, taker_on(found, board))
