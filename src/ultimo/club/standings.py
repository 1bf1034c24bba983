"""Who has won a tournament: by person, by team and by club, at any time; and board by board.

Scores are exact, so that nobody is placed before another by a rounding. The same score is the same place,
unless the terms break the tie; the place after two seconds is the fourth.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

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
    teams_of,
)
from ultimo.events import Seat
from ultimo.rulebook import FrenchRules

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


def people(found: Tournament) -> tuple[Standing, ...]:
    """The results of everybody who has played, or is still to play."""
    rounds = _rounds(found)
    lines = []
    for one in found.entrants:
        own = tuple(rounds.get((number, one.id)) for number in range(1, found.terms.rounds + 1))
        if one.left == 1 and not any(line is not None for line in own):
            continue
        lost = _penalty(found, (one.id,))
        score = _score(found, [one.id], rounds, _attack(found.terms)) - lost
        lines.append(Standing(0, one.person.name, (one.id,), score, _shown(found, own), lost))
    return placed(found, lines)


class Brought(Struct, frozen=True):
    """What a round brought somebody: points and how many deals they played, or the marks of boards."""

    points: int = 0
    deals: Fraction = NOTHING
    marks: tuple[tuple[Fraction, bool], ...] = ()  # and whether in attack


def _rounds(found: Tournament) -> dict[tuple[int, int], Brought]:
    """What each round brought each person."""
    if found.terms.boards:
        return _board_rounds(found)
    brought = {}
    for (number, place), result in found.results.items():
        table = found.table(number, place)
        size = len(table)
        deals = Fraction((result.deals or deals_at(found, size)) * playing_at(found, size), size)
        for who, points in zip(table, result.points, strict=True):
            brought[number, who] = Brought(points, deals)
    return brought


def _board_rounds(found: Tournament) -> dict[tuple[int, int], Brought]:
    brought: dict[tuple[int, int], Brought] = {}
    for one in _marked(found):
        number = round_of(found.terms, one.played.board)
        for seat, (who, mark) in enumerate(zip(one.played.people, one.marks, strict=True)):
            earlier = brought.get((number, who), Brought())
            new = (mark, seat == one.played.taker)
            brought[number, who] = Brought(
                earlier.points + one.played.points[seat], earlier.deals + 1, (*earlier.marks, new)
            )
    return brought


def _score(
    found: Tournament, who: Iterable[int], rounds: dict[tuple[int, int], Brought], attack: Fraction
) -> Fraction:
    """What some have made together, penalties not counted."""
    numbers = frozenset(who)
    return _together(
        found.terms, [brought for (_, person), brought in rounds.items() if person in numbers], attack
    )


def _together(terms: Terms, all_brought: Sequence[Brought], attack: Fraction) -> Fraction:
    marks = [mark for one in all_brought for mark in one.marks]
    match terms.kind:
        case "quadrette":
            return sum((mark for mark, _ in marks), NOTHING)
        case "triplette":
            return duplicate.weighted(marks, attack)
        case "duplicate" if terms.marks == "percent":
            return duplicate.weighted(marks, attack)
        case "duplicate":
            return sum((mark for mark, _ in marks), NOTHING)
    points, deals = sum(one.points for one in all_brought), sum(one.deals for one in all_brought)
    if terms.compare == "perDeal":
        return Fraction(points) / deals if deals else NOTHING
    return Fraction(points)


def _attack(terms: Terms) -> Fraction:
    return duplicate.ATTACK_OF_THREE if terms.kind == "triplette" else duplicate.ATTACK


def _shown(found: Tournament, own: Sequence[Brought | None]) -> tuple[Fraction | None, ...]:
    """What each round alone would be worth."""
    attack = _attack(found.terms)
    return tuple(None if one is None else _together(found.terms, [one], attack) for one in own)


def _penalty(found: Tournament, who: Iterable[int]) -> Fraction:
    return Fraction(sum(found.penalties.get(one, 0) for one in who), 100)


# --- by team and by club -----------------------------------------------------------------------------------


def teams(found: Tournament) -> tuple[Standing, ...]:
    """The results of the teams: points add up, marks of boards go on as those of one player would.

    Teams of three and four have a mark of their own, see `_team_marks`.
    """
    rounds = _rounds(found)
    return _groups(found, teams_of(found.entrants), rounds, team=True)


def clubs(found: Tournament) -> tuple[Standing, ...]:
    """The results of the clubs: what their people have made on average, or all together."""
    rounds = _rounds(found)
    return _groups(found, clubs_of(found.entrants), rounds, team=False)


def _groups(
    found: Tournament,
    groups: dict[str, tuple[int, ...]],
    rounds: dict[tuple[int, int], Brought],
    *,
    team: bool,
) -> tuple[Standing, ...]:
    lines = []
    one_mark = team and found.terms.kind in TEAM
    mean = not team and found.terms.clubs == "mean"
    for name, who in groups.items():
        playing = tuple(one for one in who if any(person == one for _, person in rounds))
        if not playing:
            playing = tuple(one for one in who if found.entrant(one).left != 1)
        if not playing:
            continue
        lost = _penalty(found, who)
        together = _group_score(found, playing, rounds, one_mark) - lost
        by_round = tuple(
            _group_round(found, playing, rounds, number, one_mark)
            for number in range(1, found.terms.rounds + 1)
        )
        if mean:
            together /= len(playing)
            by_round = tuple(None if one is None else one / len(playing) for one in by_round)
        lines.append(Standing(0, name, playing, together, by_round, lost))
    return placed(found, lines)


def _group_score(
    found: Tournament, who: Sequence[int], rounds: dict[tuple[int, int], Brought], one_mark: bool
) -> Fraction:
    attack = _attack(found.terms)
    if one_mark:
        return _team_marks(found, [one for one in rounds.items() if one[0][1] in who], attack)
    return sum((_score(found, (one,), rounds, attack) for one in who), NOTHING)


def _group_round(
    found: Tournament, who: Sequence[int], rounds: dict[tuple[int, int], Brought], number: int, one_mark: bool
) -> Fraction | None:
    own = {key: brought for key, brought in rounds.items() if key[0] == number and key[1] in who}
    return _group_score(found, who, own, one_mark) if own else None


def _team_marks(
    found: Tournament, own: Sequence[tuple[tuple[int, int], Brought]], attack: Fraction
) -> Fraction:
    """The mark of a team: of the three who defend together each has the same mark, and it counts once."""
    marks = [
        (mark, attacking, 1 if attacking else 3) for _, brought in own for mark, attacking in brought.marks
    ]
    if found.terms.kind == "triplette":
        return duplicate.weighted(((mark, attacking) for mark, attacking, _ in marks), attack)
    # Both tables of a match tell the same difference: the half of it is told at each.
    return sum((mark / (2 * share) for mark, _, share in marks), NOTHING)


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


def taker_on(found: Tournament, board: int) -> Seat | None:
    """Who takes on a board, where that is given."""
    if not isinstance(found.rules, FrenchRules):
        return None
    return duplicate.taker_of(board, found.terms.sizes[0], teams=found.terms.kind != "duplicate")


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
