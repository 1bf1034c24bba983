"""What the pages and the server tell each other about tournaments, as JSON.

Requests (T is the tournament's id; who may do it stands in brackets):

- `POST /api/tournaments` `BeginTournament` -> `TournamentMade` (everybody; for a club its secretary)
- `GET /api/tournaments` -> `TournamentLine[]`: one's own and those of one's clubs
- `GET /api/tournaments/presets` -> `PresetShown[]`
- `GET /api/tournaments/T` -> `TournamentShown` (organiser, scorers, members of
  its club; of a public one everybody)
- `POST /api/tournaments/T` `WriteTournament` -> `TournamentWritten`, or 409 `TournamentBehind` if others have
  written about the same (organiser; scorers the results)
- `GET /api/tournaments/T/follow?since=SEQ` -> lines of `TournamentNews`, as sheets have them
- `POST /api/tournaments/T/draw` -> `TablesProposed`: nothing is written (organiser)
- `POST /api/tournaments/T/sheets` `OpenTableSheet` -> `SheetMade` (organiser, scorers)
- `POST /api/tournaments/T/scorers` `AskScoring` -> `ScoringSecret` (organiser), or with a secret
  `TournamentWritten` (whoever has it)
- `GET /api/tournaments/T/boards.html`, `/boards.jsonl` (organiser): the hand records, to print and to keep
- `GET /api/tournaments/T/boards/N` -> `BoardHands` (organiser; others once the round is closed)
- `POST /api/tournaments/T/boards/N` `AskPosition` -> `BoardPosition`: for the analysis board
- `GET /api/tournaments/T/standings.csv`, `/log`: files
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from msgspec import Meta, field

from ultimo.answers.payloads import Asked, Told
from ultimo.answers.sheet_payloads import Command
from ultimo.cards import Card
from ultimo.club.tournament import (
    LONGEST_NAME,
    LONGEST_NOTE,
    MOST_DEALS,
    MOST_PEOPLE,
    MOST_ROUNDS,
    Kind,
    Role,
)
from ultimo.names import Family

Name: TypeAlias = Annotated[str, Meta(min_length=1, max_length=LONGEST_NAME)]
Part: TypeAlias = Annotated[str, Meta(max_length=LONGEST_NAME)]
Note: TypeAlias = Annotated[str, Meta(max_length=LONGEST_NOTE)]
Number: TypeAlias = Annotated[int, Meta(ge=1, le=MOST_PEOPLE)]
RoundNumber: TypeAlias = Annotated[int, Meta(ge=1, le=MOST_ROUNDS)]
Points: TypeAlias = Annotated[int, Meta(ge=-99_999, le=99_999)]
SeatPoints: TypeAlias = Annotated[tuple[Points, ...], Meta(max_length=5)]
TableSeats: TypeAlias = Annotated[tuple[Number, ...], Meta(max_length=5)]
Compare: TypeAlias = Literal["points", "perDeal"]
Clubs: TypeAlias = Literal["mean", "sum"]
Ties: TypeAlias = Literal["shared", "bestRound", "lastRound"]
BoardMarks: TypeAlias = Literal["percent", "mean"]
Figures: TypeAlias = tuple[int | None, ...]  # as a result is typed; null for a board that was not played


# --- what is asked for -----------------------------------------------------------------------------------


class BeginTournament(Asked, frozen=True):
    """Announce a tournament; `club` holds it, if it is not a person's."""

    name: Name
    rules: str
    rounds: RoundNumber
    deals: Annotated[int, Meta(ge=1, le=MOST_DEALS)]
    kind: Kind = "individual"
    house: dict[str, Any] = field(default_factory=dict)
    sizes: Annotated[tuple[int, ...], Meta(min_length=1, max_length=3)] = (4, 3)
    compare: Compare = "points"
    clubs: Clubs = "mean"
    ties: Ties = "shared"
    marks: BoardMarks = "percent"
    divided: bool = True
    apart: bool = True
    club: Annotated[str, Meta(max_length=64)] = ""


class PersonWish(Asked, frozen=True):
    """Somebody who enters."""

    name: Name
    team: Part = ""
    club: Part = ""


class TournamentWish(Asked, frozen=True, tag_field="type"):
    """Something to be written; who writes it, and when, the server knows itself."""


class EnterPeople(TournamentWish, frozen=True, tag=True):
    """People enter; they are numbered in this order."""

    people: Annotated[tuple[PersonWish, ...], Meta(min_length=1, max_length=MOST_PEOPLE)]


class RenamePerson(TournamentWish, frozen=True, tag=True):
    """Put the name, team or club of a participant right."""

    who: Number
    person: PersonWish


class WithdrawPerson(TournamentWish, frozen=True, tag=True):
    """A participant plays no more from a round on."""

    who: Number
    round: RoundNumber


class ReturnPerson(TournamentWish, frozen=True, tag=True):
    """A participant plays again."""

    who: Number


class StandIn(TournamentWish, frozen=True, tag=True):
    """Somebody plays for a participant from a round on."""

    who: Number
    round: RoundNumber
    name: Name


class SeatTables(TournamentWish, frozen=True, tag=True):
    """The tables of a round."""

    round: RoundNumber
    tables: Annotated[tuple[TableSeats, ...], Meta(min_length=1, max_length=MOST_PEOPLE)]


class ReportTable(TournamentWish, frozen=True, tag=True):
    """What a table brought in: points by seat, or boards by seat, or on each board what the taker won.

    A `score` is what the taker won from each defender; one that is missing was not played. With `sheet` the
    table's own score sheet says everything. `amend` puts a result right that is there. What the rules hardly
    allow is refused with the field `anyway`, unless that is set.
    """

    round: RoundNumber
    table: Number
    points: SeatPoints = ()
    boards: Annotated[tuple[SeatPoints, ...], Meta(max_length=MOST_DEALS)] = ()
    scores: Annotated[tuple[Points | None, ...], Meta(max_length=MOST_DEALS)] = ()
    deals: Annotated[int, Meta(ge=0, le=600)] = 0
    cups: Annotated[int, Meta(ge=0, le=99_999)] = 0
    sheet: bool = False
    amend: bool = False
    anyway: bool = False
    note: Note = ""


class CloseRound(TournamentWish, frozen=True, tag=True):
    """All results of a round are in."""

    round: RoundNumber


class Penalise(TournamentWish, frozen=True, tag=True):
    """Somebody loses so many hundredths of a point or mark."""

    who: Number
    hundredths: Annotated[int, Meta(ge=-9_999_900, le=9_999_900)]
    note: Note = ""


class DropScorer(TournamentWish, frozen=True, tag=True):
    """Somebody may write results no longer."""

    who: Annotated[str, Meta(max_length=64)]


class PublishTournament(TournamentWish, frozen=True, tag=True):
    """Whether everybody who has the address may read the results."""

    public: bool


class CloseTournament(TournamentWish, frozen=True, tag=True):
    """The tournament is over."""


class ReopenTournament(TournamentWish, frozen=True, tag=True):
    """It is not over after all."""


AnyTournamentWish: TypeAlias = (
    EnterPeople
    | RenamePerson
    | WithdrawPerson
    | ReturnPerson
    | StandIn
    | SeatTables
    | ReportTable
    | CloseRound
    | Penalise
    | DropScorer
    | PublishTournament
    | CloseTournament
    | ReopenTournament
)


class WriteTournament(Asked, frozen=True):
    """Write something behind what one has seen last; the same command is obeyed once."""

    cmd: Command
    base: int
    wish: AnyTournamentWish


class OpenTableSheet(Asked, frozen=True):
    """Open a score sheet for a table."""

    round: RoundNumber
    table: Number


class AskScoring(Asked, frozen=True):
    """Ask for a secret that makes scorers, or become one with it."""

    secret: Annotated[str, Meta(max_length=64)] = ""


class AskPosition(Asked, frozen=True):
    """Ask for the position of a board after these cards have been laid."""

    laid: Annotated[tuple[Card, ...], Meta(max_length=6)]


# --- what is told ----------------------------------------------------------------------------------------


class PresetShown(Told, frozen=True):
    """A tournament as a federation holds it, to begin from."""

    id: str
    rules: str
    family: Family
    kind: Kind
    rounds: int
    deals: int
    sizes: tuple[int, ...]


class TournamentMade(Told, frozen=True):
    """The tournament that has been begun."""

    id: str


class TournamentWritten(Told, frozen=True):
    """Where something has been written."""

    seq: int


class TournamentNews(Told, frozen=True):
    """How much is written."""

    seq: int


class TournamentTrail(Told, frozen=True):
    """Something that was written: what, by whom, when, and about which round, table or participant."""

    seq: int
    kind: str
    by: str
    at: float
    round: int = 0
    table: int = 0
    who: int = 0
    text: str = ""
    figures: Figures = ()  # of a result
    before: Figures = ()  # of the result that it corrects


class TournamentBehind(Told, frozen=True):
    """Others have written about the same since: nothing was written now, and this is the news.

    Of a table, `stands` is the result that is there and `sent` the one that was not written.
    """

    error: str
    seq: int
    news: tuple[TournamentTrail, ...]
    stands: Figures = ()
    sent: Figures = ()


class TournamentLine(Told, frozen=True):
    """A tournament in a list."""

    id: str
    name: str
    title: str
    kind: Kind
    people: int
    public: bool
    closed: bool
    at: float


class EntrantShown(Told, frozen=True):
    """A participant: the first round they no longer play, and who plays for them now."""

    id: int
    name: str
    team: str = ""
    club: str = ""
    left: int = 0
    stand_in: str = ""


class TournamentTable(Told, frozen=True):
    """A table of a round: who sits there by seat, and what it brought in."""

    number: int
    people: tuple[int, ...]
    names: tuple[str, ...]
    planned: int  # deals
    reported: bool = False
    amended: bool = False
    points: tuple[int, ...] = ()
    boards: tuple[tuple[int, ...], ...] = ()
    deals: int = 0
    cups: int = 0
    figures: Figures = ()  # by seat, then of the cups; or the taker's score on each board, or each seat's
    sheet: str = ""


class TournamentRound(Told, frozen=True):
    """A round."""

    number: int
    closed: bool
    tables: tuple[TournamentTable, ...] = ()
    idle: tuple[int, ...] = ()


class TournamentStanding(Told, frozen=True):
    """A line of the results."""

    place: int
    name: str
    who: tuple[int, ...]
    score: float
    rounds: tuple[float | None, ...]
    penalty: float = 0.0


class BoardTable(Told, frozen=True):
    """What a table made of a board."""

    table: int
    people: tuple[int, ...]
    points: tuple[int, ...]
    marks: tuple[float, ...]


class TournamentBoard(Told, frozen=True):
    """A board: who deals, who takes where that is given, and what the tables made of it."""

    number: int
    round: int
    dealer: int
    taker: int | None
    tables: tuple[BoardTable, ...] = ()


class ScorerShown(Told, frozen=True):
    """Somebody who may write results."""

    id: str
    name: str


class TournamentShown(Told, frozen=True):
    """A tournament as somebody sees it."""

    id: str
    seq: int
    name: str
    title: str
    rules: str
    family: Family
    house: int
    counting: bool  # whether the count is paid
    cups: bool  # whether what is left in the cups is reported
    kind: Kind
    rounds: int
    deals: int
    sizes: tuple[int, ...]
    compare: Compare
    clubs: Clubs
    ties: Ties
    marks: Literal["points", "perDeal", "percent", "mean", "match"]
    seats: tuple[str, ...]  # what seats are called at a table of boards
    role: Role | Literal[""]
    public: bool
    closed: bool
    rounds_closed: int
    people: tuple[EntrantShown, ...]
    plan: tuple[TournamentRound, ...]
    by_person: tuple[TournamentStanding, ...]
    by_team: tuple[TournamentStanding, ...]
    by_club: tuple[TournamentStanding, ...]
    boards: tuple[TournamentBoard, ...]
    scorers: tuple[ScorerShown, ...]
    trail: tuple[TournamentTrail, ...]


class TablesProposed(Told, frozen=True):
    """Tables for rounds that have none with results yet, by their number."""

    rounds: dict[int, tuple[tuple[int, ...], ...]]


class ScoringSecret(Told, frozen=True):
    """Whoever knows this may become a scorer until then."""

    secret: str
    until: float


class BoardHands(Told, frozen=True):
    """The hands of a board by seat, each in the order in which a player holds it."""

    number: int
    seats: tuple[str, ...]
    dealer: int
    taker: int | None
    hands: tuple[tuple[str, ...], ...]
    chien: tuple[str, ...]
    lays: int  # who lays cards away
    laid: int  # how many


class BoardPosition(Told, frozen=True):
    """A position as text."""

    text: str
