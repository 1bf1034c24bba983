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
    trail = [trail_line(seq, fact, called) for seq, fact in enumerate(facts, 1)][-TRAIL:]
    return TournamentShown(
        id=key,
        seq=found.seq,
        name=found.name,
        title=books.title_of(rules.id, language),
        rules=rules.id,
        family=rules.family,
        house=len(rulebook.overrides(rules)),
        counting=not isinstance(rules, DanishRules) or rules.count.mode != "off",
        cups=rules.has_cups and not terms.divided,
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
        taker = standings.taker_on(found, board)
        yield TournamentBoard(board, number, dealer_of(board, seats), taker, tables)


def trail_line(seq: int, fact: t.AnyFact, called: Mapping[str, str]) -> TournamentTrail:
    """What was written, by whom and when."""
    about: dict[str, int] = {
        name: value for name in ("round", "table", "who") if isinstance(value := getattr(fact, name, 0), int)
    }
    text = getattr(fact, "note", "") or getattr(fact, "name", "")
    kind = type(fact).__name__
    return TournamentTrail(
        seq, kind[0].lower() + kind[1:], called.get(fact.by, ""), fact.at, **about, text=text
    )


def writers(facts: Sequence[t.AnyFact]) -> set[str]:
    """The ids of all who have written, or may."""
    return {fact.by for fact in facts} | {fact.who for fact in facts if isinstance(fact, t.ScorerNamed)}
