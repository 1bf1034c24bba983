"""What the pages and the server tell each other about clubs, as JSON.

Requests (C is the club's id, E an evening's, S a season's; who may do it stands in brackets):

- `POST /api/clubs` `FoundClub` -> `ClubMade`; `GET /api/clubs` -> `ClubLine[]`
- `POST /api/clubs/read` `ReadClub` -> `ClubMade`: a club of an exported file
- `POST /api/clubs/invitation` `ReadInvitation` -> `InvitationShown`
- `POST /api/clubs/join` `JoinClub` -> `ClubMade`
- `GET /api/clubs/C` -> `ClubShown` (members; of a public club everybody, with less in it)
- `POST /api/clubs/C` `WriteClub` -> `ClubWritten`, or 409 `ClubBehind` if others wrote about the same
  (each wish says who may)
- `DELETE /api/clubs/C` (secretary) -> 204
- `GET /api/clubs/C/follow?since=SEQ` -> lines of `ClubNews`, as sheets have them (members)
- `GET /api/clubs/C/seasons/S` -> `SeasonShown`; S is `all` for everything (members; public: everybody)
- `GET /api/clubs/C/evenings/E` -> `EveningShown` (members)
- `POST /api/clubs/C/evenings/E/draw` `DrawTables` -> `TablesDrawn`: nothing is written (scorers)
- `POST /api/clubs/C/evenings/E/sheets` `OpenClubSheet` -> `SheetMade` (scorers)
- `POST /api/clubs/C/evenings/E/close` `CloseEvening` -> `ClubWritten`: counts its sheets (scorers)
- `POST /api/clubs/C/evenings/E/online` `CountOnline` -> `ClubWritten` (scorers)
- `GET /api/clubs/C/members/M` -> `MemberShown` (members)
- `GET /api/clubs/C/rules` -> `ClubRules` (members)
- `GET /api/clubs/C/chronicle` -> `ChronicleLine[]` (members)
- `GET /api/clubs/C/invitations` -> `InvitationLine[]`, `POST` with `InviteMember` -> `InvitationMade`,
  `DELETE /api/clubs/C/invitations/I` -> 204 (secretary)
- `POST /api/clubs/C/recovery` -> `InvitationMade`: the recovery link of whoever asks (secretary)
- `POST /api/clubs/C/import` `ImportResults` -> `ImportShown` (secretary)
- `GET /api/clubs/C/results.csv?season=S`, `…/standings.csv?season=S` (members), `…/export` (secretary):
  files; the CSV of the results is what an import reads
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from msgspec import Meta, field

from ultimo.answers.payloads import Asked, Differs, Language, PlayerName, Told
from ultimo.answers.sheet_payloads import Command
from ultimo.club.club import LONGEST_NAME, MOST_GUESTS, MOST_MEMBERS, MOST_ROUNDS, Measure, Role
from ultimo.names import Family

LARGEST_IMPORT = 200_000  # characters
LARGEST_CLUB = 8_000_000  # characters of an exported club

ClubName: TypeAlias = Annotated[str, Meta(min_length=1, max_length=LONGEST_NAME)]
Id: TypeAlias = Annotated[str, Meta(max_length=8)]  # of a member (m1), guest (g1), season (s1), evening (e1)
Text: TypeAlias = Annotated[str, Meta(max_length=500)]
Round: TypeAlias = Annotated[int, Meta(ge=1, le=MOST_ROUNDS)]
Place: TypeAlias = Annotated[int, Meta(ge=1, le=MOST_MEMBERS)]
Seats: TypeAlias = Annotated[tuple[Id, ...], Meta(max_length=8)]
RoundOfTables: TypeAlias = Annotated[tuple[Seats, ...], Meta(max_length=60)]
Rounds: TypeAlias = Annotated[tuple[RoundOfTables, ...], Meta(max_length=MOST_ROUNDS)]
People: TypeAlias = Annotated[tuple[Id, ...], Meta(max_length=MOST_MEMBERS)]
Deals: TypeAlias = Annotated[int, Meta(ge=0, le=1000)]
ViewerRole: TypeAlias = Literal["secretary", "scorer", "member", ""]
Grant: TypeAlias = Literal["secretary", "scorer", "member", "recovery"]  # what an invitation gives


# --- what is asked for -----------------------------------------------------------------------------------


class ScoringWish(Asked, frozen=True):
    """How a season is won: all points, the mean of an evening, the `best` evenings; who came to `least`."""

    by: Measure = "total"
    best: Annotated[int, Meta(ge=0, le=1000)] = 0
    least: Annotated[int, Meta(ge=0, le=1000)] = 0


class FoundClub(Asked, frozen=True):
    """Found a club; whoever does is its first member, `me`, and its secretary."""

    name: ClubName
    rules: str = "dtf"
    house: dict[str, Any] = field(default_factory=dict)
    me: PlayerName | None = None
    language: Language | None = None


class ReadClub(Asked, frozen=True):
    """Make a club of an exported file; whoever reads it is the member `member`, and secretary."""

    file: Annotated[str, Meta(max_length=LARGEST_CLUB)]
    member: Id = "m1"


class ClubWish(Asked, frozen=True, tag_field="type"):
    """Something to be written in the club's log; who writes it, and when, the server knows itself."""


class RenameClub(ClubWish, frozen=True, tag=True):
    """Secretary: give the club another name."""

    name: ClubName


class SetHouseRules(ClubWish, frozen=True, tag=True):
    """Secretary: the club's own rulebook, which the sheets that are opened from now on follow."""

    name: ClubName
    rules: str
    house: dict[str, Any] = field(default_factory=dict)


class ChangeClub(ClubWish, frozen=True, tag=True):
    """Secretary: who may see the standings, whether sessions online count, how new seasons are won."""

    public: bool
    online: bool
    scoring: ScoringWish = ScoringWish()


class AddMembers(ClubWish, frozen=True, tag=True):
    """Secretary: put people on the list."""

    names: Annotated[tuple[PlayerName, ...], Meta(min_length=1, max_length=MOST_MEMBERS)]


class RenameMember(ClubWish, frozen=True, tag=True):
    """Secretary: call a member something else."""

    member: Id
    name: PlayerName


class GiveRole(ClubWish, frozen=True, tag=True):
    """Secretary: let a member do more or less. At least one secretary stays."""

    member: Id
    role: Role


class AskForRole(ClubWish, frozen=True, tag=True):
    """Scorer: ask to be a secretary, too."""

    member: Id


class LetGo(ClubWish, frozen=True, tag=True):
    """Secretary, or the member: the member has left, and the account sees the club no more."""

    member: Id


class WelcomeBack(ClubWish, frozen=True, tag=True):
    """Secretary: a member who had left is back."""

    member: Id


class UnlinkMember(ClubWish, frozen=True, tag=True):
    """Secretary, or the member: the account sees the club no more; the member stays on the list."""

    member: Id


class ForgetMember(ClubWish, frozen=True, tag=True):
    """Secretary: take a member's name out of the whole log and all sheets; what they won stays."""

    member: Id


class OpenSeason(ClubWish, frozen=True, tag=True):
    """Secretary: begin a season, won as the club's seasons are unless `scoring` says otherwise."""

    name: ClubName
    scoring: ScoringWish | None = None


class ChangeSeason(ClubWish, frozen=True, tag=True):
    """Secretary: call a season something else, or let it be won in another way."""

    season: Id
    name: ClubName
    scoring: ScoringWish


class CloseSeason(ClubWish, frozen=True, tag=True):
    """Secretary: the season is over. All its evenings must be closed."""

    season: Id


class ReopenSeason(ClubWish, frozen=True, tag=True):
    """Secretary: the season goes on after all."""

    season: Id


class OpenEvening(ClubWish, frozen=True, tag=True):
    """Scorer: the club meets on a day (2026-11-17); without `season` in the one that runs, if any does.

    An empty `season` is an evening outside of all seasons.
    """

    day: Annotated[str, Meta(max_length=10)]
    season: Id | None = None


class SetAttendance(ClubWish, frozen=True, tag=True):
    """Scorer: who is there, instead of what was said before. Guests have ids g1, g2 … and names.

    Who comes late plays from round `late` on, who leaves early plays until round `leaving`.
    """

    evening: Id
    members: People
    guests: Annotated[dict[Id, PlayerName], Meta(max_length=MOST_GUESTS)] = field(default_factory=dict)
    late: Annotated[dict[Id, Round], Meta(max_length=MOST_MEMBERS)] = field(default_factory=dict)
    leaving: Annotated[dict[Id, Round], Meta(max_length=MOST_MEMBERS)] = field(default_factory=dict)


class KeepTables(ClubWish, frozen=True, tag=True):
    """Scorer: who sits at which table in each round, drawn (then with its `seed`) or put together by hand."""

    evening: Id
    rounds: Rounds
    seed: Annotated[str, Meta(max_length=64)] = ""


class UnlinkSheet(ClubWish, frozen=True, tag=True):
    """Scorer: a score sheet does not belong to the evening after all. It stays where it is."""

    evening: Id
    sheet: Annotated[str, Meta(max_length=64)]


class Uncount(ClubWish, frozen=True, tag=True):
    """Scorer: what was counted of a source counts no more."""

    evening: Id
    source: Annotated[str, Meta(max_length=64)]


class ReopenEvening(ClubWish, frozen=True, tag=True):
    """Scorer: the evening goes on after all, or something is put right."""

    evening: Id


class Chronicle(ClubWish, frozen=True, tag=True):
    """Scorer: write something worth remembering, of an evening or of the club."""

    text: Text
    evening: Id = ""


AnyClubWish: TypeAlias = (
    RenameClub
    | SetHouseRules
    | ChangeClub
    | AddMembers
    | RenameMember
    | GiveRole
    | AskForRole
    | LetGo
    | WelcomeBack
    | UnlinkMember
    | ForgetMember
    | OpenSeason
    | ChangeSeason
    | CloseSeason
    | ReopenSeason
    | OpenEvening
    | SetAttendance
    | KeepTables
    | UnlinkSheet
    | Uncount
    | ReopenEvening
    | Chronicle
)


class WriteClub(Asked, frozen=True):
    """Write something; `base` is the `seq` that one has seen. The same command is obeyed once."""

    cmd: Command
    base: int
    wish: AnyClubWish


class DrawTables(Asked, frozen=True):
    """Draw who sits where for so many rounds; nothing is written until `KeepTables`.

    `sizes` are the sizes of tables, the best first. The first `kept` rounds that stand are left as they are.
    Those in `apart` do not sit together. With the same `seed` the same is drawn; without one by a new one.
    With `mixed` those who have met often this season meet less.
    """

    rounds: Round
    sizes: Annotated[tuple[Annotated[int, Meta(ge=3, le=5)], ...], Meta(min_length=1, max_length=3)] = (4, 3)
    tables: Place | None = None
    kept: Annotated[int, Meta(ge=0, le=MOST_ROUNDS)] = 0
    apart: Annotated[tuple[tuple[Id, Id], ...], Meta(max_length=100)] = ()
    mixed: bool = True
    seed: Annotated[str, Meta(max_length=64)] = ""


class OpenClubSheet(Asked, frozen=True):
    """Begin the score sheet of a table: by default who was drawn there, by the club's rules.

    `seats` are members and guests in the order in which they sit. A guest counts for nobody.
    """

    round: Round = 1
    table: Place = 1
    seats: Seats = ()
    dealer: Annotated[int, Meta(ge=0, le=7)] = 0
    rules: str = ""  # another book than the club's, then without its house rules


class CloseEvening(Asked, frozen=True):
    """Count the sheets of the evening and close it.

    Sheets that are open are refused, unless `divide` closes them by their book first, which divides their
    cups, or `anyway` counts them as they stand: what is in their cups is then nobody's.
    """

    anyway: bool = False
    divide: bool = False


class CountOnline(Asked, frozen=True):
    """Count a session at a table of this server, for the members whose accounts played there."""

    table: Annotated[str, Meta(max_length=64)]


class InviteMember(Asked, frozen=True):
    """Make an invitation: for one `member` on the list, or (without) for anybody who has the link.

    Whoever opens one for anybody says which member without an account they are, or is put on the list.
    """

    member: Id = ""
    role: Role = "member"
    days: Annotated[int, Meta(ge=1, le=90)] = 14
    uses: Annotated[int, Meta(ge=1, le=MOST_MEMBERS)] = 1


class ReadInvitation(Asked, frozen=True):
    """Ask what an invitation is for."""

    secret: Annotated[str, Meta(max_length=64)]


class JoinClub(ReadInvitation, frozen=True):
    """Accept an invitation: as a member on the list, or as somebody new with a name."""

    member: Id = ""
    name: PlayerName | None = None


class ImportResults(Asked, frozen=True):
    """Read results of the past, `date,member,points[,deals]` in each line; with `check` nothing is written.

    Every day becomes an evening of the season, which is a new one if only its `name` is given. Unknown
    members are put on the list if `add` is set, else they are errors.
    """

    text: Annotated[str, Meta(max_length=LARGEST_IMPORT)]
    season: Id = ""
    name: Annotated[str, Meta(max_length=LONGEST_NAME)] = ""
    add: bool = False
    check: bool = True


# --- what is told ----------------------------------------------------------------------------------------


class ClubMade(Told, frozen=True):
    """The club that has been founded, read or joined."""

    id: str


class ClubWritten(Told, frozen=True):
    """Where something has been written, and the ids it got: of new members, a season, an evening."""

    seq: int
    made: tuple[str, ...] = ()


class ClubBehind(Told, frozen=True):
    """Somebody else has written about the same: nothing was written now. Look first, then write again."""

    error: str
    seq: int


class ClubNews(Told, frozen=True):
    """How much is written."""

    seq: int


class ClubLine(Told, frozen=True):
    """A club in the list of one's own."""

    id: str
    name: str
    role: Role
    members: int
    at: float


class ScoringShown(Told, frozen=True):
    """How a season is won, and that in words."""

    by: Measure
    best: int
    least: int
    label: str


class MemberLine(Told, frozen=True):
    """Somebody on the list; `linked`: with an account, `asks`: to be a secretary."""

    id: str
    name: str
    role: Role
    linked: bool
    left: bool
    asks: bool = False


class SeasonLine(Told, frozen=True):
    """A season in a list."""

    id: str
    name: str
    closed: bool
    evenings: int
    scoring: ScoringShown


class EveningLine(Told, frozen=True):
    """An evening in a list: how many people are there, guests too; `best` won it."""

    id: str
    day: str
    season: str
    closed: bool
    people: int
    tables: int
    deals: int
    best: str = ""
    best_points: int = 0


class StandingLine(Told, frozen=True):
    """A place in the standings; 0 for whoever came to too few evenings. Ties share a place.

    `score` is what the season is won by; `counted` of the evenings are in it.
    """

    place: int
    member: str
    name: str
    score: float
    total: int
    evenings: int
    counted: int
    deals: int
    mean: float  # of an evening
    per_deal: float
    won: int  # evenings


class RecoveryLine(Told, frozen=True):
    """A recovery link that was used: whose, and when."""

    name: str
    at: float


class ChronicleLine(Told, frozen=True):
    """Something that happened in the club, in a sentence; `own` was written by somebody."""

    seq: int
    at: float
    day: str  # of the evening, else when it was written
    evening: str
    text: str
    own: bool
    by: str = ""


class ClubShown(Told, frozen=True):
    """A club as somebody sees it; a stranger sees the name and the standings, if the club is public."""

    id: str
    seq: int
    name: str
    role: ViewerRole
    me: str  # the member that one is
    language: Language
    public: bool
    title: str  # of the book
    rules: str
    rules_name: str
    family: Family
    sizes: tuple[int, ...]
    house: dict[str, Any]
    online: bool
    scoring: ScoringShown
    season: str  # that runs, else the last
    standings: tuple[StandingLine, ...]
    members: tuple[MemberLine, ...] = ()
    seasons: tuple[SeasonLine, ...] = ()
    evenings: tuple[EveningLine, ...] = ()  # the last first
    chronicle: tuple[ChronicleLine, ...] = ()  # the last lines, the newest first
    recovered: tuple[RecoveryLine, ...] = ()  # of late, for secretaries


class ChartLine(Told, frozen=True):
    """A member through a season: what each evening brought (null: was not there), and the sums."""

    member: str
    name: str
    points: tuple[int | None, ...]
    totals: tuple[int, ...]


class RecordLine(Told, frozen=True):
    """A record: what it is, whose, how much, and when; several have it if it is shared."""

    kind: str
    label: str
    value: int
    members: tuple[str, ...]
    names: tuple[str, ...]
    evening: str
    day: str


class TallyLine(Told, frozen=True):
    """What is counted of a member, in words."""

    key: str
    label: str
    value: int
    of: int | None = None  # of how many: contracts made of those taken


class SeasonShown(Told, frozen=True):
    """A season: standings, how it went, records, and what members did (for those who may see it)."""

    id: str
    name: str
    closed: bool
    scoring: ScoringShown
    evenings: tuple[EveningLine, ...]  # the first first, as the charts have them
    standings: tuple[StandingLine, ...]
    charts: tuple[ChartLine, ...]
    records: tuple[RecordLine, ...]
    tallies: dict[str, tuple[TallyLine, ...]]  # by member


class MemberSeason(Told, frozen=True):
    """A member in a season."""

    season: str
    name: str
    standing: StandingLine
    points: tuple[int | None, ...]  # of each evening


class MemberShown(Told, frozen=True):
    """A member: what they did in all seasons, and in each."""

    member: MemberLine
    tallies: tuple[TallyLine, ...]
    seasons: tuple[MemberSeason, ...]


class ClubSheet(Told, frozen=True):
    """A score sheet of an evening: where, who sits there, and how it stands."""

    sheet: str
    round: int
    table: int
    seats: tuple[str, ...]
    names: tuple[str, ...]
    deals: int
    closed: bool
    counted: bool  # as it stands
    totals: tuple[int, ...] = ()  # of what was counted, by seat; empty if nothing was


class CountLine(Told, frozen=True):
    """What was counted of a source: a sheet, an online table, or `import`."""

    source: str
    kind: Literal["sheet", "online", "import"]
    points: dict[str, int]  # by member
    deals: int


class EveningShown(Told, frozen=True):
    """An evening: who is there, who sits where, the sheets, and what it came to."""

    id: str
    day: str
    season: str
    closed: bool
    seq: int  # of the club
    members: tuple[str, ...]
    guests: dict[str, str]
    late: dict[str, int]
    leaving: dict[str, int]
    rounds: tuple[tuple[tuple[str, ...], ...], ...]
    seed: str
    names: dict[str, str]  # of everybody, by id
    sheets: tuple[ClubSheet, ...]
    counts: tuple[CountLine, ...]
    results: tuple[StandingLine, ...]
    chronicle: tuple[ChronicleLine, ...]


class TablesDrawn(Told, frozen=True):
    """A draw: `repeats` times two people meet again, where `bound` could not be avoided by any draw."""

    rounds: tuple[tuple[tuple[str, ...], ...], ...]
    seed: str
    repeats: int
    bound: int


class ClubRules(Told, frozen=True):
    """The club's rules beside the book they follow: `sentenceA` is the club's, `sentenceB` the book's."""

    name: str
    rules: str
    title: str
    family: Family
    house: dict[str, Any]
    differences: tuple[Differs, ...]


class InvitationMade(Told, frozen=True):
    """Whoever has the secret may join, until then."""

    id: str
    secret: str
    until: float


class InvitationLine(Told, frozen=True):
    """An invitation that still works."""

    id: str
    member: str
    name: str
    role: Grant
    until: float
    uses: int  # left


class Joinable(Told, frozen=True):
    """A member whom somebody with an invitation may be."""

    id: str
    name: str


class InvitationShown(Told, frozen=True):
    """What an invitation is for; `member` is fixed, or one of `members`, or somebody new."""

    club: str
    name: str
    role: Grant
    member: str
    members: tuple[Joinable, ...]
    joined: bool  # already
    until: float


class ImportFault(Told, frozen=True):
    """What is wrong with a line of an import."""

    line: int
    error: str
    text: str = ""


class ImportShown(Told, frozen=True):
    """What an import comes to: what is wrong, whom the club does not know, and what would be written."""

    errors: tuple[ImportFault, ...]
    unknown: tuple[str, ...]
    evenings: int
    lines: int
    points: int  # the sum of all, 0 where nothing was forgotten
    season: str = ""  # once it is written
    seq: int = 0
