"""A tournament as somebody sees it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from ultimo import rulebook
from ultimo.answers import books
from ultimo.club import standings
from ultimo.club import tournament as t
from ultimo.club.duplicate import dealer_of
from ultimo.club.hand_records import seat_name
from ultimo.rulebook import DanishRules
from ultimo.server.tournament_payloads import (
    BoardTable,
    EntrantShown,
    Figures,
    ScorerShown,
    TournamentBoard,
    TournamentRound,
    TournamentShown,
    TournamentStanding,
    TournamentTable,
    TournamentTrail,
)

PLACES = 2  # decimals of what is shown; places are worked out exactly
TRAIL = 200  # lines at most, the last ones


def shown(
    key: str,
    facts: Sequence[t.AnyFact],
    role: t.Role | None,
    called: Mapping[str, str],
    language: str,
) -> TournamentShown:
    """The tournament for somebody with this role; only who writes sees who has written what."""
    found = t.fold(facts)
    terms, rules, results = found.terms, found.rules, standings.results(found)
    trail = list(trail_lines(found, facts, called))[-TRAIL:]
    return TournamentShown(
        id=key,
        seq=found.seq,
        name=found.name,
        title=books.title_of(rules.id, language),
        rules=rules.id,
        family=rules.family,
        house=len(rulebook.overrides(rules)),
        counting=not isinstance(rules, DanishRules) or rules.count.mode != "off",
        cups=_has_cups(found),
        kind=terms.kind,
        rounds=terms.rounds,
        deals=terms.deals,
        sizes=terms.sizes,
        compare=terms.compare,
        clubs=terms.clubs,
        ties=terms.ties,
        marks=_marks(terms),
        seats=tuple(seat_name(language, seat, terms.sizes[0]) for seat in range(terms.sizes[0])),
        role=role or "",
        public=found.public,
        closed=found.closed,
        rounds_closed=found.rounds_closed,
        people=tuple(map(_entrant, found.entrants)),
        plan=tuple(_round(found, number) for number in range(1, terms.rounds + 1)),
        by_person=tuple(map(_standing, results.people)),
        by_team=tuple(map(_standing, results.teams)),
        by_club=tuple(map(_standing, results.clubs)),
        boards=tuple(_boards(found)),
        scorers=tuple(ScorerShown(one, called.get(one, "")) for one in sorted(found.scorers)) if role else (),
        trail=tuple(trail) if role else (),
    )


def _marks(terms: t.Terms) -> Literal["points", "perDeal", "percent", "mean", "match"]:
    match terms.kind:
        case "individual":
            return terms.compare
        case "triplette":
            return "percent"
        case "quadrette":
            return "match"
        case "duplicate":
            return terms.marks


def _entrant(one: t.Entrant) -> EntrantShown:
    stand_in = one.stand_ins[-1][1] if one.stand_ins else ""
    return EntrantShown(one.id, one.person.name, one.person.team, one.person.club, one.left, stand_in)


def _round(found: t.Tournament, number: int) -> TournamentRound:
    drawn = found.tables.get(number, ())
    tables = tuple(_table(found, number, place) for place in range(1, len(drawn) + 1))
    return TournamentRound(
        number, number <= found.rounds_closed, tables, t.idle(found, number) if drawn else ()
    )


def _table(found: t.Tournament, number: int, place: int) -> TournamentTable:
    people = found.table(number, place)
    result = found.results.get((number, place))
    planned = found.terms.deals if found.terms.boards else t.deals_at(found, len(people))
    called = tuple(found.entrant(who).name_in(number) for who in people)
    sheet = found.sheets.get((number, place), "")
    if result is None:
        return TournamentTable(place, people, called, planned, sheet=sheet)
    return TournamentTable(
        place,
        people,
        called,
        planned,
        reported=True,
        amended=(number, place) in found.amended,
        points=result.points,
        boards=result.boards,
        deals=result.deals,
        cups=result.cups,
        figures=figures(found, number, result),
        sheet=sheet,
    )


def _standing(one: standings.Standing) -> TournamentStanding:
    rounds = tuple(None if score is None else round(float(score), PLACES) for score in one.rounds)
    score, penalty = round(float(one.score), PLACES), float(one.penalty)
    return TournamentStanding(one.place, one.name, one.who, score, rounds, penalty)


def _boards(found: t.Tournament) -> Iterator[TournamentBoard]:
    if not found.terms.boards:
        return
    made, seats = standings.boards(found), found.terms.sizes[0]
    for board in range(1, found.terms.rounds * found.terms.deals + 1):
        tables = tuple(
            BoardTable(
                one.table,
                one.people,
                one.points,
                tuple(round(float(mark), PLACES) for mark in one.marks),
            )
            for one in made.get(board, ())
        )
        number = standings.round_of(found.terms, board)
        taker = t.taker_on(found, board)
        yield TournamentBoard(board, number, dealer_of(board, seats), taker, tables)


def figures(found: t.Tournament, number: int, result: t.Result) -> Figures:
    """A result of a round in the numbers in which it is typed."""
    if not found.terms.boards:
        return (*result.points, *((result.cups,) if _has_cups(found) else ()))
    first, told = (number - 1) * found.terms.deals + 1, list[int | None]()
    for board, points in enumerate(result.boards, first):
        taker = t.taker_on(found, board)
        if taker is not None:
            told.append(-points[taker - 1] if points else None)
        else:
            told += points or (None,) * found.terms.sizes[0]
    return tuple(told)


def _has_cups(found: t.Tournament) -> bool:
    """Whether a table reports what is left in its cups."""
    return found.rules.has_cups and not found.terms.divided


def trail_lines(
    found: t.Tournament, facts: Sequence[t.AnyFact], called: Mapping[str, str]
) -> Iterator[TournamentTrail]:
    """Everything that was written, by whom and when; beside a correction stands what it corrects."""
    stood: dict[tuple[int, int], Figures] = {}
    for seq, fact in enumerate(facts, 1):
        before: Figures = ()
        now: Figures = ()
        if isinstance(fact, t.Reported | t.Amended):
            key, now = (fact.round, fact.table), figures(found, fact.round, fact.result)
            before, stood[key] = stood.get(key, ()), now
        kind, who = type(fact).__name__, getattr(fact, "who", 0)
        yield TournamentTrail(
            seq,
            kind[0].lower() + kind[1:],
            called.get(fact.by, ""),
            fact.at,
            round=getattr(fact, "round", 0),
            table=getattr(fact, "table", 0),
            who=who if isinstance(who, int) else 0,
            text=getattr(fact, "note", "") or getattr(fact, "name", ""),
            figures=now,
            before=before,
        )


def writers(facts: Sequence[t.AnyFact]) -> set[str]:
    """The ids of all who have written, or may."""
    return {fact.by for fact in facts} | {fact.who for fact in facts if isinstance(fact, t.ScorerNamed)}
