"""A tournament: a log of what was written, folded into participants, rounds, tables and results.

As on a score sheet nothing is erased and nothing is kept that can be worked out: places and results by
person, team and club follow from what the tables brought in (`ultimo.club.standings`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from ultimo import rulebook, series
from ultimo.club import plausible
from ultimo.club.duplicate import taker_of
from ultimo.club.sheet import Instant, Refused
from ultimo.events import Seat
from ultimo.pauses import with_pauses
from ultimo.rulebook import FrenchRules, Rules

Kind: TypeAlias = Literal["individual", "triplette", "quadrette", "duplicate"]
Role: TypeAlias = Literal["organiser", "scorer"]
Table: TypeAlias = tuple[int, ...]  # the numbers of those who sit there, by seat

MOST_PEOPLE = 400
MOST_ROUNDS = 20
MOST_DEALS = 60  # in a round
MOST_POINTS = 99_999  # of anybody at a table
LONGEST_NAME = 60
LONGEST_NOTE = 200
TEAM: dict[Kind, int] = {"triplette": 3, "quadrette": 4}  # how many make a team, where that is fixed


class Terms(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is played, and how the results are compared.

    `deals` is how many deals everybody plays in a round. Where one of four sits out a table of four has more.
    """

    rules: str
    rounds: int
    deals: int
    kind: Kind = "individual"
    overrides: dict[str, Any] = {}
    sizes: tuple[int, ...] = (4, 3)  # of tables, the best first
    compare: Literal["points", "perDeal"] = "points"
    clubs: Literal["mean", "sum"] = "mean"
    ties: Literal["shared", "bestRound", "lastRound"] = "shared"
    marks: Literal["percent", "mean"] = "percent"  # by which boards are compared, where each plays alone
    divided: bool = True  # whether the cups are divided at the end of each round
    apart: bool = True  # whether those of a team are kept from meeting at a table

    @property
    def boards(self) -> bool:
        """Whether all tables play the same prepared deals."""
        return self.kind != "individual"


class Person(Struct, frozen=True, omit_defaults=True):
    """Somebody who enters: their name, their team and their club."""

    name: str
    team: str = ""
    club: str = ""


class Entrant(Struct, frozen=True):
    """A participant; whoever stands in for them plays on under their number."""

    id: int
    person: Person
    left: int = 0  # the first round they no longer play; 0 while they are there
    stand_ins: tuple[tuple[int, str], ...] = ()  # from which round on, and who

    def plays(self, number: int) -> bool:
        """Whether they play a round."""
        return not 0 < self.left <= number

    def name_in(self, number: int) -> str:
        """Who plays a round for this number."""
        return next((name for since, name in reversed(self.stand_ins) if since <= number), self.person.name)


class Result(Struct, frozen=True, omit_defaults=True):
    """What a table brought in, by seat: points of the round, or of every board where boards are compared.

    `cups` is what is left in cups that are not divided, `deals` how many the table has played if not as
    many as were to be, `sheet` the score sheet that says all that. A board that was not played is empty.
    """

    points: tuple[int, ...] = ()
    boards: tuple[tuple[int, ...], ...] = ()
    deals: int = 0
    cups: int = 0
    sheet: str = ""


# --- what is written -------------------------------------------------------------------------------------


class Fact(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type"):
    """Something written about a tournament: by whom, and when (seconds since 1970)."""

    by: str = ""
    at: Instant = 0.0


class Begun(Fact, frozen=True, tag=True):
    """A tournament is announced; with `seed` its prepared deals are dealt."""

    name: str
    terms: Terms
    seed: str = ""
    digest: str = ""  # of the rules


class Entered(Fact, frozen=True, tag=True):
    """People enter; they are numbered in this order."""

    people: tuple[Person, ...]


class Renamed(Fact, frozen=True, tag=True):
    """Name, team or club of a participant are put right."""

    who: int
    person: Person


class Withdrew(Fact, frozen=True, tag=True):
    """A participant plays no more from a round on."""

    who: int
    round: int


class Returned(Fact, frozen=True, tag=True):
    """A participant who had withdrawn plays again."""

    who: int


class StoodIn(Fact, frozen=True, tag=True):
    """Somebody plays for a participant from a round on."""

    who: int
    round: int
    name: str


class Seated(Fact, frozen=True, tag=True):
    """The tables of a round."""

    round: int
    tables: tuple[Table, ...]


class SheetLinked(Fact, frozen=True, tag=True):
    """A table keeps its score on a sheet."""

    round: int
    table: int
    sheet: str


class Reported(Fact, frozen=True, tag=True):
    """A table has brought in its result; `anyway` although the rules hardly allow it."""

    round: int
    table: int
    result: Result
    anyway: bool = False


class Amended(Fact, frozen=True, tag=True):
    """The result of a table is put right; `anyway` although the rules hardly allow it."""

    round: int
    table: int
    result: Result
    note: str = ""
    anyway: bool = False


class RoundClosed(Fact, frozen=True, tag=True):
    """All results of a round are in."""

    round: int


class Penalised(Fact, frozen=True, tag=True):
    """Somebody loses so many hundredths of a point, or of a mark; below zero they are given."""

    who: int
    hundredths: int
    note: str = ""


class ScorerNamed(Fact, frozen=True, tag=True):
    """Somebody may write results down, or no longer."""

    who: str
    may: bool = True


class Published(Fact, frozen=True, tag=True):
    """Whether everybody who has the address may read the results."""

    public: bool


class Closed(Fact, frozen=True, tag=True):
    """The tournament is over."""


class Reopened(Fact, frozen=True, tag=True):
    """The tournament is not over after all."""


AnyFact: TypeAlias = (
    Begun
    | Entered
    | Renamed
    | Withdrew
    | Returned
    | StoodIn
    | Seated
    | SheetLinked
    | Reported
    | Amended
    | RoundClosed
    | Penalised
    | ScorerNamed
    | Published
    | Closed
    | Reopened
)


# --- the tournament --------------------------------------------------------------------------------------


class Tournament(Struct, frozen=True):
    """What stands in the log."""

    name: str
    terms: Terms
    rules: Rules
    host: str
    seed: str = ""
    entrants: tuple[Entrant, ...] = ()
    tables: dict[int, tuple[Table, ...]] = {}  # by round, from 1
    results: dict[tuple[int, int], Result] = {}  # by round and table, both from 1
    sheets: dict[tuple[int, int], str] = {}  # by round and table
    amended: frozenset[tuple[int, int]] = frozenset()
    rounds_closed: int = 0
    penalties: dict[int, int] = {}  # in hundredths
    scorers: frozenset[str] = frozenset()
    public: bool = False
    closed: bool = False
    seq: int = 0

    def entrant(self, who: int) -> Entrant:
        """The participant with a number."""
        return self.entrants[who - 1]

    def present(self, number: int) -> tuple[Entrant, ...]:
        """Who plays in a round."""
        return tuple(one for one in self.entrants if one.plays(number))

    def table(self, number: int, place: int) -> Table:
        """Who sits at a table in a round."""
        return self.tables[number][place - 1]


def evolve(found: Tournament | None, fact: AnyFact) -> Tournament:
    """The tournament after a fact."""
    if isinstance(fact, Begun):
        rules = rulebook.load(fact.terms.rules, fact.terms.overrides, fact.digest)
        return Tournament(fact.name, fact.terms, rules, fact.by, fact.seed, seq=1)
    if found is None:
        raise ValueError("a tournament begins with Begun")
    found = replace(found, seq=found.seq + 1)
    match fact:
        case Entered(people=people):
            first = len(found.entrants) + 1
            new = tuple(Entrant(number, person) for number, person in enumerate(people, first))
            return replace(found, entrants=found.entrants + new)
        case Renamed(who=who, person=person):
            return _changed(found, replace(found.entrant(who), person=person))
        case Withdrew(who=who, round=number):
            kept = {
                drawn: tables
                for drawn, tables in found.tables.items()
                if drawn < number or not _sits(who, tables)
            }  # what they were drawn for is drawn anew
            return _changed(replace(found, tables=kept), replace(found.entrant(who), left=number))
        case Returned(who=who):
            return _changed(found, replace(found.entrant(who), left=0))
        case StoodIn(who=who, round=number, name=name):
            one = found.entrant(who)
            earlier = tuple(stood for stood in one.stand_ins if stood[0] < number)
            return _changed(found, replace(one, stand_ins=(*earlier, (number, name))))
        case Seated(round=number, tables=tables):
            sheets = {key: sheet for key, sheet in found.sheets.items() if key[0] != number}
            return replace(found, tables=found.tables | {number: tables}, sheets=sheets)
        case SheetLinked(round=number, table=place, sheet=sheet):
            return replace(found, sheets=found.sheets | {(number, place): sheet})
        case Reported(round=number, table=place, result=result):
            return replace(found, results=found.results | {(number, place): result})
        case Amended(round=number, table=place, result=result):
            amended = found.amended | {(number, place)}
            return replace(found, results=found.results | {(number, place): result}, amended=amended)
        case RoundClosed(round=number):
            return replace(found, rounds_closed=number)
        case Penalised(who=who, hundredths=lost):
            return replace(found, penalties=found.penalties | {who: found.penalties.get(who, 0) + lost})
        case ScorerNamed(who=scorer, may=may):
            return replace(found, scorers=found.scorers | {scorer} if may else found.scorers - {scorer})
        case Published(public=public):
            return replace(found, public=public)
        case Closed():
            return replace(found, closed=True)
        case Reopened():
            return replace(found, closed=False)


def _changed(found: Tournament, one: Entrant) -> Tournament:
    entrants = (*found.entrants[: one.id - 1], one, *found.entrants[one.id :])
    return replace(found, entrants=entrants)


def fold(facts: Iterable[AnyFact]) -> Tournament:
    """The tournament that a log makes."""
    found: Tournament | None = None
    for fact in with_pauses(facts):
        found = evolve(found, fact)
    if found is None:
        raise ValueError("an empty log")
    return found


# --- what may be written ---------------------------------------------------------------------------------


def begin(fact: Begun) -> Tournament:
    """The tournament with which a log begins, or `Refused`."""
    terms = fact.terms
    _check_name(fact.name, "name")
    if terms.rounds not in range(1, MOST_ROUNDS + 1):
        raise Refused("tournament.rounds", "rounds", most=MOST_ROUNDS)
    if terms.deals not in range(1, MOST_DEALS + 1):
        raise Refused("tournament.deals", "deals", most=MOST_DEALS)
    found = evolve(None, fact)
    if not terms.sizes or any(rules_at(found, size) is None for size in terms.sizes):
        raise Refused("tournament.sizes", "sizes")
    if terms.kind in TEAM and (terms.sizes != (4,) or not isinstance(found.rules, FrenchRules)):
        raise Refused("tournament.teamsOfFour", "sizes")
    if terms.kind == "duplicate" and len(terms.sizes) != 1:
        raise Refused("tournament.oneSize", "sizes")
    return found


def decide(found: Tournament, fact: AnyFact, role: Role = "organiser") -> Tournament:
    """The tournament after a fact that may be written, or `Refused`.

    The organiser writes everything, a scorer the results.
    """
    if role != "organiser" and not isinstance(fact, SheetLinked | Reported | Amended):
        raise Refused("tournament.notOrganiser")
    if found.closed and not isinstance(fact, Reopened | Published):
        raise Refused("tournament.closed")
    match fact:
        case Begun():
            raise Refused("tournament.alreadyBegun")
        case Entered(people=people):
            _check_entering(found, people)
        case Renamed(who=who, person=person):
            _check_who(found, who)
            _check_person(person)
        case Withdrew(who=who, round=number):
            _check_who(found, who)
            _check_round(found, number)
            _check_unseated(found, who, number)
        case Returned(who=who):
            if not _check_who(found, who).left:
                raise Refused("tournament.notWithdrawn", "who")
        case StoodIn(who=who, round=number, name=name):
            _check_who(found, who)
            _check_round(found, number)
            _check_name(name, "name")
        case Seated(round=number, tables=tables):
            _check_round(found, number)
            _check_tables(found, number, tables)
        case SheetLinked(round=number, table=place):
            _check_table(found, number, place)
            if found.terms.boards:
                raise Refused("tournament.boardByBoard", "table")
            if (number, place) in found.sheets:
                raise Refused("tournament.hasSheet", "table", table=place)
        case Reported(round=number, table=place, result=result, anyway=anyway):
            _check_table(found, number, place)
            if (number, place) in found.results:
                raise Refused("tournament.alreadyReported", "table", table=place)
            _check_result(found, number, place, result, anyway)
        case Amended(round=number, table=place, result=result, note=note, anyway=anyway):
            _check_table(found, number, place)
            if (number, place) not in found.results:
                raise Refused("tournament.notReported", "table", table=place)
            _check_note(note)
            _check_result(found, number, place, result, anyway)
        case RoundClosed(round=number):
            _check_closing(found, number)
        case Penalised(who=who, hundredths=lost, note=note):
            _check_who(found, who)
            _check_note(note)
            if lost == 0 or abs(lost) > MOST_POINTS * 100:
                raise Refused("tournament.penalty", "hundredths")
        case ScorerNamed(who=scorer):
            if not scorer:
                raise Refused("nobody", "who")
        case Reopened():
            if not found.closed:
                raise Refused("tournament.notClosed")
    return evolve(found, fact)


def _check_name(name: str, field: str) -> None:
    if not name.strip():
        raise Refused("tournament.noName", field)
    if len(name) > LONGEST_NAME:
        raise Refused("tournament.nameTooLong", field, most=LONGEST_NAME)


def _check_note(note: str) -> None:
    if len(note) > LONGEST_NOTE:
        raise Refused("tournament.noteTooLong", "note", most=LONGEST_NOTE)


def _check_person(person: Person) -> None:
    _check_name(person.name, "name")
    for part, text in (("team", person.team), ("club", person.club)):
        if len(text) > LONGEST_NAME:
            raise Refused("tournament.nameTooLong", part, most=LONGEST_NAME)


def _check_entering(found: Tournament, people: Sequence[Person]) -> None:
    if len(found.entrants) + len(people) > MOST_PEOPLE:
        raise Refused("tournament.tooManyPeople", "people", most=MOST_PEOPLE)
    known = {one.person for one in found.entrants}
    for person in people:
        _check_person(person)
        if person in known:
            raise Refused("tournament.twice", "people", name=person.name)
        known.add(person)


def _check_who(found: Tournament, who: int) -> Entrant:
    if who not in range(1, len(found.entrants) + 1):
        raise Refused("tournament.noSuchPerson", "who", who=who)
    return found.entrant(who)


def _check_round(found: Tournament, number: int) -> None:
    if number not in range(1, found.terms.rounds + 1):
        raise Refused("tournament.noSuchRound", "round", round=number)
    if number <= found.rounds_closed:
        raise Refused("tournament.roundClosed", "round", round=number)


def _check_unseated(found: Tournament, who: int, number: int) -> None:
    """Nobody leaves a round of which results are in: somebody stands in."""
    for later, tables in found.tables.items():
        if later >= number and _sits(who, tables) and _reported(found, later):
            raise Refused("tournament.stillSeated", "who", who=who, round=later)


def _sits(who: int, tables: Iterable[Table]) -> bool:
    return any(who in table for table in tables)


def _reported(found: Tournament, number: int) -> bool:
    return any(one == number for one, _ in found.results)


def _check_tables(found: Tournament, number: int, tables: Sequence[Table]) -> None:
    if _reported(found, number):
        raise Refused("tournament.hasResults", "round", round=number)
    seated = [who for table in tables for who in table]
    if not tables or any(len(table) not in found.terms.sizes for table in tables):
        raise Refused("tournament.wrongTable", "tables")
    for who in seated:
        if not _check_who(found, who).plays(number):
            raise Refused("tournament.withdrawn", "tables", who=who)
        if seated.count(who) > 1:
            raise Refused("tournament.seatedTwice", "tables", who=who)


def _check_table(found: Tournament, number: int, place: int) -> None:
    if number not in range(1, found.terms.rounds + 1):
        raise Refused("tournament.noSuchRound", "round", round=number)
    if place not in range(1, len(found.tables.get(number, ())) + 1):
        raise Refused("tournament.noSuchTable", "table", table=place)


def _check_result(found: Tournament, number: int, place: int, result: Result, anyway: bool) -> None:
    _check_numbers(found, number, place, result)
    if not anyway and not result.sheet and (doubt := _doubt(found, number, result)):
        raise doubt


def _doubt(found: Tournament, number: int, result: Result) -> Refused | None:
    """Why the rules hardly allow a result."""
    if found.terms.boards:
        boards = enumerate(result.boards, (number - 1) * found.terms.deals + 1)
        doubts = (
            plausible.doubt_of_board(found.rules, board, points, taker_on(found, board))
            for board, points in boards
            if points
        )
        return next(filter(None, doubts), None)
    rules = rules_at(found, len(result.points))
    assert rules is not None
    return plausible.doubt_of_table(rules, result.points, result.deals or deals_at(found, len(result.points)))


def _check_numbers(found: Tournament, number: int, place: int, result: Result) -> None:
    seats, terms = len(found.table(number, place)), found.terms
    if result.deals not in range(10 * MOST_DEALS + 1):
        raise Refused("tournament.deals", "deals", most=10 * MOST_DEALS)
    if terms.boards:
        if result.points or len(result.boards) != terms.deals:
            raise Refused("tournament.boards", "boards", boards=terms.deals)
        for points in result.boards:
            if points:
                _check_points(points, seats, "boards")
            if sum(points) and not found.rules.has_cups:
                raise Refused("tournament.sum", "boards", sum=sum(points))
        return
    if result.boards:
        raise Refused("tournament.noBoards", "boards")
    _check_points(result.points, seats, "points")
    if result.cups and (terms.divided or not found.rules.has_cups):
        raise Refused("tournament.cupsDivided", "cups")
    if result.cups not in range(MOST_POINTS + 1) or sum(result.points) + result.cups:
        raise Refused("tournament.sum", "points", sum=sum(result.points) + result.cups)


def _check_points(points: Sequence[int], seats: int, field: str) -> None:
    if len(points) != seats:
        raise Refused("tournament.eachSeat", field, seats=seats)
    if any(abs(one) > MOST_POINTS for one in points):
        raise Refused("tournament.tooMany", field, most=MOST_POINTS)


def _check_closing(found: Tournament, number: int) -> None:
    if number != found.rounds_closed + 1 or not found.tables.get(number):
        raise Refused("tournament.notNext", "round", round=number)
    if missing := waiting_for(found, number):
        raise Refused("tournament.missing", "round", tables=", ".join(map(str, missing)))


# --- what follows from it --------------------------------------------------------------------------------


def waiting_for(found: Tournament, number: int) -> tuple[int, ...]:
    """The tables of a round whose result is not in."""
    places = range(1, len(found.tables.get(number, ())) + 1)
    return tuple(place for place in places if (number, place) not in found.results)


def idle(found: Tournament, number: int) -> tuple[int, ...]:
    """Who plays in the tournament, but sits at no table of a round."""
    seated = {who for table in found.tables.get(number, ()) for who in table}
    return tuple(one.id for one in found.present(number) if one.id not in seated)


def role_of(found: Tournament, ids: Iterable[str], secretary: bool = False) -> Role | None:
    """What somebody with these ids may write; the secretary of the club that holds it is an organiser."""
    known = set(ids)
    if secretary or found.host in known:
        return "organiser"
    return "scorer" if known & found.scorers else None


def taker_on(found: Tournament, board: int) -> Seat | None:
    """Who takes on a board, where that is given."""
    if not isinstance(found.rules, FrenchRules):
        return None
    return taker_of(board, found.terms.sizes[0], teams=found.terms.kind != "duplicate")


def rules_at(found: Tournament, size: int) -> Rules | None:
    """The rules of a table of this size: the tournament's own, or those of the book's sister for so many."""
    if size in found.rules.sizes:
        return found.rules
    book = rulebook.sister(found.rules.id, size)
    return rulebook.load(book) if book is not None else None


def playing_at(found: Tournament, size: int) -> int:
    """How many of a table play in a deal."""
    rules = rules_at(found, size)
    assert rules is not None
    return len(series.seated(rules, size, 0, series.first_out(rules, size, 0)))


def deals_at(found: Tournament, size: int) -> int:
    """How many deals a table of this size has to play, so that everybody plays as many as the terms say."""
    return -(-found.terms.deals * size // playing_at(found, size))


def teams_of(entrants: Iterable[Entrant]) -> dict[str, tuple[int, ...]]:
    """The numbers of those in each team, in the order in which the teams entered."""
    return _grouped((one.person.team, one.id) for one in entrants)


def clubs_of(entrants: Iterable[Entrant]) -> dict[str, tuple[int, ...]]:
    """The numbers of those of each club."""
    return _grouped((one.person.club, one.id) for one in entrants)


def _grouped(pairs: Iterable[tuple[str, int]]) -> dict[str, tuple[int, ...]]:
    found: dict[str, tuple[int, ...]] = {}
    for name, who in pairs:
        if name:
            found[name] = (*found.get(name, ()), who)
    return found
