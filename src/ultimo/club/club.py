"""A club: a log of what was decided and played, folded into members, seasons, evenings and results.

Nothing that was written is erased, but for the name of somebody who wants to be forgotten. What an evening
brought everybody is copied into the log when it is counted, so that no page has to read a season of score
sheets; counted again, it takes the place of the earlier count. Who may write what is a question of its own:
`may` answers it, and `decide` says whether a fact fits what was written before.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from datetime import UTC, date, datetime
from typing import Any, Final, Literal, TypeAlias, get_args

from msgspec import Struct
from msgspec.structs import replace

from ultimo import rulebook
from ultimo.club.sheet import LONGEST_NOTE, Instant, Refused
from ultimo.names import LANGUAGES, club_words
from ultimo.pauses import with_pauses
from ultimo.rulebook import RulebookError, Rules

MOST_MEMBERS: Final = 200
MOST_SEASONS: Final = 100
MOST_EVENINGS: Final = 2000
MOST_GUESTS: Final = 40  # of an evening
MOST_ROUNDS: Final = 20  # of an evening
MOST_POINTS: Final = 1_000_000  # that a table can bring
LONGEST_NAME: Final = 60  # of a club, a season, a rulebook
NOBODY: Final = "–"  # written instead of a name that is deleted

MemberId: TypeAlias = str  # m1, m2 …; a guest of an evening is g1, g2 …
SeasonId: TypeAlias = str  # s1, s2 …
EveningId: TypeAlias = str  # e1, e2 …
Role: TypeAlias = Literal["secretary", "scorer", "member"]
Measure: TypeAlias = Literal["total", "mean", "best"]
Tables: TypeAlias = tuple[tuple[str, ...], ...]  # who sits where in a round
ROLES: Final[tuple[Role, ...]] = get_args(Role)  # whoever may most first


class Scoring(Struct, frozen=True, omit_defaults=True):
    """How a season is won: by all points, by the mean of an evening, or by the best `best` evenings.

    Whoever has come to fewer than `least` evenings stands behind the others, without a place.
    """

    by: Measure = "total"
    best: int = 0
    least: int = 0


class Contract(Struct, frozen=True, array_like=True):
    """How often a bid was taken with, and made."""

    taken: int = 0
    made: int = 0


class Tally(Struct, frozen=True, omit_defaults=True):
    """What a member did at a table: deals, points and feats."""

    won: int = 0  # deals that brought points
    points_won: int = 0  # in those
    points_lost: int = 0  # in the others, above zero
    best: int = 0  # the most that a deal brought
    worst: int = 0  # the most that a deal cost, below zero
    run: int = 0  # deals in a row that brought points
    dealt: int = 0  # deals as the dealer
    dealt_points: int = 0  # what those brought
    kings: int = 0  # king ultimos
    pagats: int = 0  # pagat ultimos
    kings_behind: int = 0  # kings lost in the last trick: king bagud
    pagats_behind: int = 0
    nolos: int = 0
    touts: int = 0
    cup: int = 0  # the largest that was emptied
    contracts: dict[str, Contract] = {}  # as the taker, by the bid
    petits: int = 0  # au bout
    poignees: int = 0
    slams: int = 0


class Result(Struct, frozen=True, omit_defaults=True):
    """What a member took home from a table."""

    member: MemberId
    points: int
    deals: int = 0  # that the member played
    tally: Tally = Tally()


# --- what is written -------------------------------------------------------------------------------------


class Fact(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type"):
    """Something written in the club's log: by whom, and when (seconds since 1970)."""

    by: str = ""
    at: Instant = 0.0


class Founded(Fact, frozen=True, tag=True):
    """A club is founded: what it is called, what it plays, and which language it speaks."""

    name: str
    book: str = "dtf"
    overrides: dict[str, Any] = {}
    language: str = "en"


class Renamed(Fact, frozen=True, tag=True):
    """The club has another name."""

    name: str


class HouseRules(Fact, frozen=True, tag=True):
    """The club's own rulebook: its name, the book it follows, and what it changes there."""

    name: str
    book: str
    overrides: dict[str, Any] = {}


class SettingsChanged(Fact, frozen=True, tag=True):
    """Whether anybody may see the standings, whether sessions online count, and how seasons are won."""

    public: bool = False
    online: bool = False
    scoring: Scoring = Scoring()


class MemberAdded(Fact, frozen=True, tag=True):
    """Somebody new is on the list."""

    member: MemberId
    name: str


class MemberRenamed(Fact, frozen=True, tag=True):
    """A member is called something else."""

    member: MemberId
    name: str


class MemberLeft(Fact, frozen=True, tag=True):
    """A member plays no more; what they have won stays."""

    member: MemberId


class MemberReturned(Fact, frozen=True, tag=True):
    """A member plays again."""

    member: MemberId


class RoleGiven(Fact, frozen=True, tag=True):
    """A member may do more or less from now on."""

    member: MemberId
    role: Role


class RoleAsked(Fact, frozen=True, tag=True):
    """A scorer would like to be a secretary; the next role that they are given is the answer."""

    member: MemberId


class AccountLinked(Fact, frozen=True, tag=True):
    """A member is somebody who is known to the server; `recovered` if by a recovery link."""

    member: MemberId
    player: str
    recovered: bool = False


class AccountUnlinked(Fact, frozen=True, tag=True):
    """A member is only a name again."""

    member: MemberId


class SeasonOpened(Fact, frozen=True, tag=True):
    """A season begins."""

    season: SeasonId
    name: str
    scoring: Scoring = Scoring()


class SeasonChanged(Fact, frozen=True, tag=True):
    """A season is called something else, or is won in another way."""

    season: SeasonId
    name: str
    scoring: Scoring = Scoring()


class SeasonClosed(Fact, frozen=True, tag=True):
    """A season is over: nothing in it changes any more."""

    season: SeasonId


class SeasonReopened(Fact, frozen=True, tag=True):
    """A season goes on after all."""

    season: SeasonId


class EveningOpened(Fact, frozen=True, tag=True):
    """The club meets on a day (2026-11-17), in a season or outside of all."""

    evening: EveningId
    day: str
    season: SeasonId = ""


class AttendanceSet(Fact, frozen=True, tag=True):
    """Who is there: members, guests by their names, who comes late and who leaves early.

    Rounds count from 1: who comes late is there from `late` on, who leaves plays `leaving` as the last.
    """

    evening: EveningId
    members: tuple[MemberId, ...]
    guests: dict[str, str] = {}
    late: dict[str, int] = {}
    leaving: dict[str, int] = {}


class Drawn(Fact, frozen=True, tag=True):
    """Who sits at which table in each round, members and guests; `seed` if it was drawn by lot."""

    evening: EveningId
    rounds: tuple[Tables, ...]
    seed: str = ""


class SheetLinked(Fact, frozen=True, tag=True):
    """A score sheet is kept for a table of a round, both from 1; "" is a seat that counts for nobody."""

    evening: EveningId
    round: int
    table: int
    sheet: str
    seats: tuple[str, ...]


class SheetUnlinked(Fact, frozen=True, tag=True):
    """A score sheet does not belong to the evening after all."""

    evening: EveningId
    sheet: str


class Counted(Fact, frozen=True, tag=True):
    """What a sheet (as it was with `seq` facts), an online table or an imported list brought everybody."""

    evening: EveningId
    source: str
    seq: int = 0
    results: tuple[Result, ...] = ()
    deals: int = 0  # of the table, where a sheet says so: at some tables nobody plays all of them


class Uncounted(Fact, frozen=True, tag=True):
    """What was counted of a source counts no more."""

    evening: EveningId
    source: str


class EveningClosed(Fact, frozen=True, tag=True):
    """The evening is over, and what was played is counted."""

    evening: EveningId


class EveningReopened(Fact, frozen=True, tag=True):
    """The evening goes on after all, or something is put right."""

    evening: EveningId


class Chronicled(Fact, frozen=True, tag=True):
    """Something worth remembering, of an evening or of the club."""

    text: str
    evening: EveningId = ""


AnyFact: TypeAlias = (
    Founded
    | Renamed
    | HouseRules
    | SettingsChanged
    | MemberAdded
    | MemberRenamed
    | MemberLeft
    | MemberReturned
    | RoleGiven
    | RoleAsked
    | AccountLinked
    | AccountUnlinked
    | SeasonOpened
    | SeasonChanged
    | SeasonClosed
    | SeasonReopened
    | EveningOpened
    | AttendanceSet
    | Drawn
    | SheetLinked
    | SheetUnlinked
    | Counted
    | Uncounted
    | EveningClosed
    | EveningReopened
    | Chronicled
)


# --- the club --------------------------------------------------------------------------------------------


class Member(Struct, frozen=True):
    """Somebody on the list; `player` is who that is on the server, if known."""

    id: MemberId
    name: str
    role: Role = "member"
    player: str = ""
    left: bool = False
    asks: bool = False  # to be a secretary

    @property
    def nameless(self) -> bool:
        """Whether the name is deleted: the results stay, the member stands in no list."""
        return self.name == NOBODY


class Season(Struct, frozen=True):
    """A season."""

    id: SeasonId
    name: str
    scoring: Scoring
    opened: Instant = 0.0
    closed: bool = False


class TableSheet(Struct, frozen=True):
    """A score sheet of an evening."""

    sheet: str
    round: int
    table: int
    seats: tuple[str, ...]


class Count(Struct, frozen=True):
    """What was counted of a source."""

    source: str
    seq: int
    results: tuple[Result, ...]
    deals: int = 0


class Evening(Struct, frozen=True):
    """An evening of the club."""

    id: EveningId
    day: str
    season: SeasonId = ""
    members: tuple[MemberId, ...] = ()
    guests: dict[str, str] = {}
    late: dict[str, int] = {}
    leaving: dict[str, int] = {}
    rounds: tuple[Tables, ...] = ()
    seed: str = ""
    sheets: tuple[TableSheet, ...] = ()
    counts: dict[str, Count] = {}
    closed: bool = False

    @property
    def people(self) -> tuple[str, ...]:
        """Everybody who is there, the guests last."""
        return (*self.members, *self.guests)


class Club(Struct, frozen=True):
    """What the log of a club comes to."""

    name: str
    book: str
    overrides: dict[str, Any]
    language: str
    rules_name: str = ""
    public: bool = False
    online: bool = False
    scoring: Scoring = Scoring()
    members: dict[MemberId, Member] = {}
    seasons: dict[SeasonId, Season] = {}
    evenings: dict[EveningId, Evening] = {}
    sheets: frozenset[str] = frozenset()  # of all evenings
    seq: int = 0  # facts so far

    @property
    def rules(self) -> Rules:
        """The rules of the club."""
        return rulebook.load(self.book, self.overrides)

    @property
    def secretaries(self) -> list[Member]:
        """Those who can do everything, as far as the server knows them."""
        return [
            one for one in self.members.values() if one.role == "secretary" and one.player and not one.left
        ]

    @property
    def season(self) -> Season | None:
        """The season that runs: of those that are not closed, the last by day."""
        return next((one for one in reversed(self.seasons_by_day) if not one.closed), None)

    @property
    def seasons_by_day(self) -> list[Season]:
        """The seasons by their last evening; one without evenings by the day on which it was begun."""
        days = self.season_days
        return sorted(self.seasons.values(), key=lambda one: days.get(one.id, ("", day_at(one.opened)))[1])

    @property
    def season_days(self) -> dict[SeasonId, tuple[str, str]]:
        """The first and the last day of each season that has evenings."""
        days: dict[SeasonId, tuple[str, str]] = {}
        for one in self.evenings.values():
            first, last = days.get(one.season, (one.day, one.day))
            days[one.season] = min(first, one.day), max(last, one.day)
        return days

    def member_of(self, players: Collection[str]) -> Member | None:
        """The member that somebody with these ids is; of several whoever may do most."""
        mine = [one for one in self.members.values() if one.player in players and not one.left]
        return min(mine, key=lambda one: ROLES.index(one.role), default=None)

    def called(self, person: str, evening: Evening | None = None) -> str:
        """The name of a member, or of a guest of an evening."""
        if person in self.members:
            one = self.members[person]
            return self.called_by_number(person) if one.nameless else one.name
        return evening.guests.get(person, NOBODY) if evening is not None else NOBODY

    def called_by_number(self, member: MemberId) -> str:
        """What a member is called whose name is deleted: results can be told apart and read back."""
        return club_words(self.language)["club.deleted"].format(number=member[1:])


def evolve(club: Club | None, fact: AnyFact) -> Club:
    """The club after a fact."""
    if isinstance(fact, Founded):
        return Club(fact.name, fact.book, fact.overrides, fact.language, seq=1)
    if club is None:
        raise ValueError("a club begins with Founded")
    club = replace(club, seq=club.seq + 1)
    match fact:
        case Renamed(name=name):
            return replace(club, name=name)
        case HouseRules(name=name, book=book, overrides=overrides):
            return replace(club, rules_name=name, book=book, overrides=overrides)
        case SettingsChanged(public=public, online=online, scoring=scoring):
            return replace(club, public=public, online=online, scoring=scoring)
        case MemberAdded(member=member, name=name):
            return replace(club, members=club.members | {member: Member(member, name)})
        case MemberRenamed(name=name):
            return _member(club, fact.member, name=name)
        case MemberLeft() | MemberReturned():
            return _member(club, fact.member, left=isinstance(fact, MemberLeft))
        case RoleGiven(role=role):
            return _member(club, fact.member, role=role, asks=False)
        case RoleAsked():
            return _member(club, fact.member, asks=True)
        case AccountLinked(player=player):
            return _member(club, fact.member, player=player)
        case AccountUnlinked():
            return _member(club, fact.member, player="")
        case SeasonOpened(season=season, name=name, scoring=scoring):
            return replace(club, seasons=club.seasons | {season: Season(season, name, scoring, fact.at)})
        case SeasonChanged(name=name, scoring=scoring):
            return _season(club, fact.season, name=name, scoring=scoring)
        case SeasonClosed() | SeasonReopened():
            return _season(club, fact.season, closed=isinstance(fact, SeasonClosed))
        case EveningOpened(evening=evening, day=day, season=season):
            return replace(club, evenings=club.evenings | {evening: Evening(evening, day, season)})
        case Chronicled():
            return club
        case _:
            before = club.evenings[fact.evening]
            sheets = club.sheets
            if isinstance(fact, SheetLinked | SheetUnlinked):
                sheets = sheets ^ {fact.sheet}
            return replace(club, evenings=club.evenings | {before.id: _evening(before, fact)}, sheets=sheets)


EveningFact: TypeAlias = (
    AttendanceSet
    | Drawn
    | SheetLinked
    | SheetUnlinked
    | Counted
    | Uncounted
    | EveningClosed
    | EveningReopened
)


def _evening(evening: Evening, fact: EveningFact) -> Evening:
    """An evening after a fact about it."""
    match fact:
        case AttendanceSet():
            kept = {name: getattr(fact, name) for name in ("members", "guests", "late", "leaving")}
            return replace(evening, **kept)
        case Drawn(rounds=rounds, seed=seed):
            return replace(evening, rounds=rounds, seed=seed)
        case SheetLinked():
            one = TableSheet(fact.sheet, fact.round, fact.table, fact.seats)
            return replace(evening, sheets=(*evening.sheets, one))
        case SheetUnlinked(sheet=sheet):
            others = tuple(one for one in evening.sheets if one.sheet != sheet)
            return replace(evening, sheets=others, counts=_without(evening.counts, sheet))
        case Counted(source=source, seq=seq, results=results, deals=deals):
            return replace(evening, counts=evening.counts | {source: Count(source, seq, results, deals)})
        case Uncounted(source=source):
            return replace(evening, counts=_without(evening.counts, source))
        case EveningClosed() | EveningReopened():
            return replace(evening, closed=isinstance(fact, EveningClosed))


def _without(counts: Mapping[str, Count], source: str) -> dict[str, Count]:
    return {key: one for key, one in counts.items() if key != source}


def _member(club: Club, member: MemberId, **changed: Any) -> Club:
    return replace(club, members=club.members | {member: replace(club.members[member], **changed)})


def _season(club: Club, season: SeasonId, **changed: Any) -> Club:
    return replace(club, seasons=club.seasons | {season: replace(club.seasons[season], **changed)})


def fold(facts: Iterable[AnyFact]) -> Club:
    """The club that a log makes."""
    club: Club | None = None
    for fact in with_pauses(facts):
        club = evolve(club, fact)
    if club is None:
        raise ValueError("an empty log")
    return club


# --- what may be written ---------------------------------------------------------------------------------


SCORERS: Final = (  # what a scorer may write; all else is the secretary's
    EveningOpened,
    AttendanceSet,
    Drawn,
    SheetLinked,
    SheetUnlinked,
    Counted,
    Uncounted,
    EveningClosed,
    EveningReopened,
    Chronicled,
)


def may(member: Member | None, fact: AnyFact) -> bool:
    """Whether somebody may write a fact: a member leaves, a scorer keeps evenings, a secretary does all."""
    if member is None or member.left:
        return False
    if member.role == "secretary":
        return True
    if isinstance(fact, MemberLeft | AccountUnlinked):
        return fact.member == member.id
    if isinstance(fact, RoleAsked):
        return fact.member == member.id and member.role == "scorer"
    return member.role == "scorer" and isinstance(fact, SCORERS)


def subject(fact: AnyFact) -> str:
    """What a fact says something new about, instead of what stood there before; "" if it only adds.

    Two people who write about the same without having seen the other's would undo it.
    """
    match fact:
        case HouseRules() | SettingsChanged() | Renamed():
            return type(fact).__name__
        case MemberRenamed() | RoleGiven() | SeasonChanged():
            return (
                f"{type(fact).__name__} {fact.member if not isinstance(fact, SeasonChanged) else fact.season}"
            )
        case AttendanceSet() | Drawn():
            return f"{type(fact).__name__} {fact.evening}"
        case EveningClosed() | EveningReopened():
            return f"closing {fact.evening}"
        case _:
            return ""


def decide(club: Club, fact: AnyFact) -> Club:
    """The club after a fact that fits what was written before, or `Refused`."""
    match fact:
        case Founded():
            raise Refused("clubFounded")
        case Renamed(name=name):
            _check_name(name)
        case HouseRules(name=name):
            _check_name(name)
            check_rules(fact.book, fact.overrides)
        case SettingsChanged(scoring=scoring):
            _check_scoring(scoring)
        case Chronicled():
            _check_text(club, fact)
        case SeasonOpened() | SeasonChanged() | SeasonClosed() | SeasonReopened():
            _check_season(club, fact)
        case EveningOpened():
            _check_opening(club, fact)
        case (
            AttendanceSet()
            | Drawn()
            | SheetLinked()
            | SheetUnlinked()
            | Counted()
            | Uncounted()
            | EveningClosed()
            | EveningReopened()
        ):
            _check_evening(club, fact)
        case _:
            _check_member(club, fact)
    after = evolve(club, fact)
    if club.secretaries and not after.secretaries:
        raise Refused("lastSecretary", "role")
    return after


def founded(fact: Founded) -> Club:
    """The club that begins so, or `Refused`."""
    _check_name(fact.name)
    check_rules(fact.book, fact.overrides)
    if fact.language not in LANGUAGES:
        raise Refused("badLanguage", "language", language=fact.language)
    return evolve(None, fact)


def check_rules(book: str, overrides: Mapping[str, Any]) -> Rules:
    """The rules of a book with these changes, or `Refused` with the field that is wrong."""
    try:
        return rulebook.load(book, overrides)
    except RulebookError as error:
        field = f"overrides.{error.key}" if error.key else "book"
        raise Refused("badRules", field, reason=str(error)) from error


def _check_name(name: str, field: str = "name") -> None:
    if not any(letter.isalnum() for letter in name) and name != NOBODY:
        raise Refused("noName", field)
    if len(name) > LONGEST_NAME:
        raise Refused("longName", field, most=LONGEST_NAME)


def _check_scoring(scoring: Scoring) -> None:
    if scoring.least < 0 or scoring.best < 0 or (scoring.by == "best") != (scoring.best > 0):
        raise Refused("badScoring", "scoring")


def _check_text(club: Club, fact: Chronicled) -> None:
    if not fact.text.strip() or len(fact.text) > LONGEST_NOTE:
        raise Refused("badText", "text", most=LONGEST_NOTE)
    if fact.evening and fact.evening not in club.evenings:
        raise Refused("noSuchEvening", "evening")


MemberFact: TypeAlias = (
    MemberAdded
    | MemberRenamed
    | MemberLeft
    | MemberReturned
    | RoleGiven
    | RoleAsked
    | AccountLinked
    | AccountUnlinked
)


def _check_member(club: Club, fact: MemberFact) -> None:
    if isinstance(fact, MemberAdded):
        if len(club.members) >= MOST_MEMBERS:
            raise Refused("manyMembers", "member", most=MOST_MEMBERS)
        if fact.member != next_id("m", club.members):
            raise Refused("noSuchMember", "member")
        _check_new_name(club, fact.name, "")
        return
    member = club.members.get(fact.member)
    if member is None:
        raise Refused("noSuchMember", "member")
    match fact:
        case MemberRenamed(name=name):
            _check_new_name(club, name, member.id)
        case MemberLeft() if member.left:
            raise Refused("hasLeft", "member", name=member.name)
        case MemberReturned() if not member.left:
            raise Refused("isThere", "member", name=member.name)
        case AccountLinked(player=player, recovered=recovered):
            if not player or (member.player not in ("", player) and not recovered):
                raise Refused("isLinked", "member", name=member.name)
        case AccountUnlinked() if not member.player:
            raise Refused("notLinked", "member", name=member.name)


def _check_new_name(club: Club, name: str, member: MemberId) -> None:
    """No two members have the same name: they could not be told apart on a sheet."""
    _check_name(name)
    key = name.casefold()
    if name != NOBODY and any(
        one.name.casefold() == key and one.id != member for one in club.members.values()
    ):
        raise Refused("sameName", "name", name=name)


SeasonFact: TypeAlias = SeasonOpened | SeasonChanged | SeasonClosed | SeasonReopened


def _check_season(club: Club, fact: SeasonFact) -> None:
    if isinstance(fact, SeasonOpened | SeasonChanged):
        _check_name(fact.name)
        _check_scoring(fact.scoring)
    if isinstance(fact, SeasonOpened):
        if len(club.seasons) >= MOST_SEASONS:
            raise Refused("manySeasons", "season", most=MOST_SEASONS)
        if fact.season != next_id("s", club.seasons):
            raise Refused("noSuchSeason", "season")
        return
    season = club.seasons.get(fact.season)
    if season is None:
        raise Refused("noSuchSeason", "season")
    if isinstance(fact, SeasonReopened):
        if not season.closed:
            raise Refused("seasonOpen", "season", name=season.name)
    elif season.closed:
        raise Refused("seasonClosed", "season", name=season.name)
    if isinstance(fact, SeasonClosed):
        running = [one for one in club.evenings.values() if one.season == season.id and not one.closed]
        if running:
            raise Refused("eveningsRun", "season", day=running[0].day)


def _check_opening(club: Club, fact: EveningOpened) -> None:
    if len(club.evenings) >= MOST_EVENINGS:
        raise Refused("manyEvenings", "evening", most=MOST_EVENINGS)
    if fact.evening != next_id("e", club.evenings):
        raise Refused("noSuchEvening", "evening")
    if not is_day(fact.day):
        raise Refused("badDay", "day", day=fact.day)
    _check_running(club, fact.season)


def _check_running(club: Club, season: SeasonId) -> None:
    if season and season not in club.seasons:
        raise Refused("noSuchSeason", "season")
    if season and club.seasons[season].closed:
        raise Refused("seasonClosed", "season", name=club.seasons[season].name)


def _check_evening(club: Club, fact: EveningFact) -> None:
    evening = club.evenings.get(fact.evening)
    if evening is None:
        raise Refused("noSuchEvening", "evening")
    _check_running(club, evening.season)
    if isinstance(fact, EveningReopened):
        if not evening.closed:
            raise Refused("eveningOpen", "evening", day=evening.day)
    elif evening.closed:
        raise Refused("eveningClosed", "evening", day=evening.day)
    sheets = {one.sheet for one in evening.sheets}
    match fact:
        case AttendanceSet():
            _check_attendance(club, fact)
        case Drawn(rounds=rounds):
            _check_rounds(evening, rounds)
        case SheetLinked():
            if fact.sheet in club.sheets:
                raise Refused("sheetLinked", "sheet")
            if fact.round not in range(1, MOST_ROUNDS + 1) or fact.table not in range(1, MOST_MEMBERS + 1):
                raise Refused("noSuchTable", "table")
            _check_people(club, evening, [one for one in fact.seats if one], "seats")
        case SheetUnlinked(sheet=sheet) if sheet not in sheets:
            raise Refused("noSuchSheet", "sheet")
        case Counted(results=results):
            members = [one.member for one in results]
            if len(set(members)) < len(members) or not set(members) <= set(club.members):
                raise Refused("noSuchMember", "results")
            if any(abs(one.points) > MOST_POINTS for one in results):
                raise Refused("badPoints", "results", most=MOST_POINTS)
        case Uncounted(source=source) if source not in evening.counts:
            raise Refused("notCounted", "source")


def _check_attendance(club: Club, fact: AttendanceSet) -> None:
    for member in fact.members:
        if member not in club.members:
            raise Refused("noSuchMember", "members")
        if fact.members.count(member) > 1:
            raise Refused("twice", "members", name=club.members[member].name)
    if len(fact.guests) > MOST_GUESTS:
        raise Refused("manyGuests", "guests", most=MOST_GUESTS)
    taken = {club.members[one].name.casefold() for one in fact.members}
    for guest, name in fact.guests.items():
        if not (guest[:1] == "g" and guest[1:].isdecimal() and len(guest) < 5):
            raise Refused("noSuchMember", "guests")
        _check_name(name, "guests")
        if name.casefold() in taken:
            raise Refused("sameName", "guests", name=name)
        taken.add(name.casefold())
    there = {*fact.members, *fact.guests}
    for field, rounds in (("late", fact.late), ("leaving", fact.leaving)):
        if not set(rounds) <= there or not all(one in range(1, MOST_ROUNDS + 1) for one in rounds.values()):
            raise Refused("badRound", field, most=MOST_ROUNDS)


def _check_rounds(evening: Evening, rounds: tuple[Tables, ...]) -> None:
    if len(rounds) > MOST_ROUNDS:
        raise Refused("badRound", "rounds", most=MOST_ROUNDS)
    for tables in rounds:
        seated = [one for table in tables for one in table]
        if len(set(seated)) < len(seated) or not set(seated) <= set(evening.people):
            raise Refused("badTables", "rounds")


def _check_people(club: Club, evening: Evening, people: list[str], field: str) -> None:
    if len(set(people)) < len(people) or not set(people) <= {*club.members, *evening.guests}:
        raise Refused("badTables", field)


# --- what follows from it --------------------------------------------------------------------------------


def next_id(letter: str, taken: Collection[str]) -> str:
    """The id of the next member, season or evening.

    >>> next_id("m", ["m1", "m2"])
    'm3'
    """
    return f"{letter}{len(taken) + 1}"


def day_at(at: Instant) -> str:
    """The day of an instant, in UTC.

    >>> day_at(0.0)
    '1970-01-01'
    """
    return datetime.fromtimestamp(at, UTC).date().isoformat()


def is_day(text: str) -> bool:
    """Whether a text is a day as `2026-11-17`."""
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def rules_for(club: Club, size: int) -> tuple[str, dict[str, Any]]:
    """The book and house rules for so many at a table: where the club's book has no such table, its sister's.

    A club that plays French Tarot by four has the book for three, with those of its own rules that fit there.
    """
    if size in club.rules.sheet_sizes:
        return club.book, club.overrides
    book = rulebook.sister(club.book, size)
    if book is None:
        raise Refused("noSuchTable", "table")
    return book, {key: value for key, value in club.overrides.items() if _fits(book, key, value)}


def _fits(book: str, key: str, value: Any) -> bool:
    try:
        rulebook.load(book, {key: value})
    except RulebookError:
        return False
    return True


def departure(club: Club, players: Collection[str]) -> tuple[AnyFact, ...] | None:
    """What is written when somebody deletes their data: their names in the ledger stay, their accounts go.

    Where nobody is left who can do everything, the next with an account can: a scorer before a member, who
    was there longer before who came later. With no account left there is nothing to write: None.
    """
    mine = [one for one in club.members.values() if one.player in players]
    others = [
        one for one in club.members.values() if one.player and one.player not in players and not one.left
    ]
    if not others:
        return None
    heirs: list[AnyFact] = []
    if not any(one.role == "secretary" for one in others):
        heir = min(others, key=lambda one: ROLES.index(one.role))
        heirs = [RoleGiven(member=heir.id, role="secretary")]
    return (*heirs, *(AccountUnlinked(member=one.id) for one in mine))


def forgetting(club: Club, member: MemberId, by: str, at: Instant) -> tuple[AnyFact, ...]:
    """What is written when the name of a member is deleted: they leave, also the evenings that are open."""
    one = club.members.get(member)
    there = [
        evening for evening in club.evenings.values() if member in evening.members and not evening.closed
    ]
    return (
        *(_without_member(evening, member, by, at) for evening in there),
        *((AccountUnlinked(member=member, by=by, at=at),) if one and one.player else ()),
        *((MemberLeft(member=member, by=by, at=at),) if one and not one.left else ()),
        MemberRenamed(member=member, name=NOBODY, by=by, at=at),
    )


def _without_member(evening: Evening, member: MemberId, by: str, at: Instant) -> AttendanceSet:
    members = tuple(one for one in evening.members if one != member)
    late, leaving = (
        {one: number for one, number in rounds.items() if one != member}
        for rounds in (evening.late, evening.leaving)
    )
    return AttendanceSet(
        by=by, at=at, evening=evening.id, members=members, guests=evening.guests, late=late, leaving=leaving
    )


def forget(fact: AnyFact, member: MemberId) -> AnyFact:
    """The fact without the name of a member."""
    if isinstance(fact, MemberAdded | MemberRenamed) and fact.member == member:
        return replace(fact, name=NOBODY)
    return fact
