"""A club as somebody sees it: its standings, seasons, evenings, members and chronicle."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Final

from msgspec.structs import replace

from ultimo import rulebook
from ultimo.answers import books
from ultimo.club import season as seasons
from ultimo.club.archive import standings_of
from ultimo.club.club import AccountLinked, AnyFact, Club, Evening, Member, Scoring, Tally
from ultimo.club.season import ALL, Played, Standing, brought, current, played
from ultimo.names import capital, club_words, names
from ultimo.server.clock import DAY
from ultimo.server.club_payloads import (
    ChartLine,
    ChronicleLine,
    ClubRules,
    ClubSheet,
    ClubShown,
    CountLine,
    EveningLine,
    EveningShown,
    MemberLine,
    MemberSeason,
    MemberShown,
    RecordLine,
    RecoveryLine,
    ScoringShown,
    SeasonLine,
    SeasonShown,
    StandingLine,
    TallyLine,
)
from ultimo.server.club_store import SheetHead

LAST: Final = 30  # lines of the chronicle beside a club
LATELY: Final = 30 * DAY  # for so long secretaries are told that a recovery link was used
DANISH: Final = ("kings", "pagats", "kings_behind", "pagats_behind", "nolos", "touts", "cup")
FRENCH: Final = ("petits", "poignees", "slams")
FIRST: Final = ("won", "points_won", "points_lost", "best", "worst", "run", "dealt", "dealt_points")


def shown(
    key: str,
    facts: Sequence[AnyFact],
    club: Club,
    member: Member | None,
    called: Mapping[str, str],
    language: str,
    at: float,
) -> ClubShown:
    """The club for a member at a time; for a stranger only its name, its rules and its standings."""
    rules, running = club.rules, current(club)
    public = ClubShown(
        id=key,
        seq=club.seq,
        name=club.name,
        role="" if member is None else member.role,
        me="" if member is None else member.id,
        language=club.language,  # type: ignore[arg-type]
        public=club.public,
        title=books.title_of(rules.id, language),
        rules=rules.id,
        rules_name=club.rules_name,
        family=rules.family,
        sizes=rules.sheet_sizes,
        house=club.overrides,
        online=club.online,
        scoring=_scoring(club.scoring, language),
        season=running,
        standings=standing_lines(club, running),
        seasons=tuple(_seasons(club, language)),
    )
    if member is None:
        return public
    evenings = sorted(club.evenings.values(), key=lambda one: (one.day, len(one.id), one.id), reverse=True)
    return replace(
        public,
        members=tuple(member_line(club, one) for one in club.members.values() if not one.nameless),
        evenings=tuple(_evening_line(club, one) for one in evenings),
        chronicle=tuple(islice(chronicle_lines(facts, club, called, language), LAST)),
        recovered=tuple(_recovered(facts, club, at - LATELY)) if member.role == "secretary" else (),
    )


def _recovered(facts: Sequence[AnyFact], club: Club, since: float) -> Iterator[RecoveryLine]:
    """The recovery links that were used since then."""
    for fact in facts:
        if isinstance(fact, AccountLinked) and fact.recovered and fact.at >= since:
            yield RecoveryLine(club.called(fact.member), fact.at)


def member_line(club: Club, one: Member) -> MemberLine:
    """A member on the list."""
    return MemberLine(one.id, club.called(one.id), one.role, bool(one.player), one.left, one.asks)


def _scoring(scoring: Scoring, language: str) -> ScoringShown:
    label = capital(seasons.scoring_words(scoring, language))
    return ScoringShown(scoring.by, scoring.best, scoring.least, label)


def _seasons(club: Club, language: str) -> Iterator[SeasonLine]:
    for one in club.seasons_by_day:
        evenings = sum(evening.season == one.id for evening in club.evenings.values())
        yield SeasonLine(one.id, one.name, one.closed, evenings, _scoring(one.scoring, language))


def standing_lines(club: Club, season: str) -> tuple[StandingLine, ...]:
    """The standings of a season."""
    return tuple(_standing(club, one) for one in standings_of(club, season))


def _standing(club: Club, one: Standing) -> StandingLine:
    return StandingLine(
        place=one.place,
        member=one.member,
        name=club.called(one.member),
        score=round(float(one.score), 2),
        total=one.total,
        evenings=one.evenings,
        counted=one.counted,
        deals=one.deals,
        mean=round(float(one.mean), 2),
        per_deal=round(float(one.per_deal), 2),
        won=one.won,
    )


def _evening_line(club: Club, evening: Evening) -> EveningLine:
    found = brought(evening)
    best = seasons.best_of(found)
    return EveningLine(
        id=evening.id,
        day=evening.day,
        season=evening.season,
        closed=evening.closed,
        people=len(evening.people),
        tables=len(evening.sheets),
        deals=sum(map(seasons.deals_of, evening.counts.values())),
        best=", ".join(map(club.called, best)),
        best_points=found[best[0]].points if best else 0,
    )


# --- seasons and members -----------------------------------------------------------------------------------


def season_shown(club: Club, season: str, member: bool, language: str) -> SeasonShown:
    """A season for a member; for a stranger only its standings."""
    some = played(club, season)
    known = club.seasons.get(season)
    scoring = club.scoring if known is None else known.scoring
    return SeasonShown(
        id=season,
        name=seasons.season_name(club, season, language),
        closed=known is not None and known.closed,
        scoring=_scoring(scoring, language),
        evenings=tuple(_evening_line(club, one) for one in some.evenings) if member else (),
        standings=standing_lines(club, season),
        charts=tuple(
            ChartLine(one.member, club.called(one.member), one.points, one.totals)
            for one in seasons.charts(some)
        )
        if member
        else (),
        records=tuple(_records(club, some, language)) if member else (),
        tallies={one: tally_lines(club, some, one, language) for one in some.members} if member else {},
    )


def _records(club: Club, some: Played, language: str) -> Iterator[RecordLine]:
    for one in seasons.records(some):
        yield RecordLine(
            kind=one.kind,
            label=club_words(language)[f"record.{one.kind}"],
            value=one.value,
            members=one.members,
            names=tuple(map(club.called, one.members)),
            evening=one.evening,
            day=club.evenings[one.evening].day,
        )


def tally_lines(club: Club, some: Played, member: str, language: str) -> tuple[TallyLine, ...]:
    """What a member did in a season, in words; feats of a game that was not played are left out."""
    words, tally = club_words(language), seasons.tally_of(some, member)
    mine = [one[member] for one in some.brought if member in one]
    values = {"deals": sum(one.deals for one in mine)} | _numbers(tally)
    family = club.rules.family
    usual = DANISH if family == "danish" else FRENCH
    lines = [
        TallyLine(key, words[f"tally.{key}"], value)
        for key, value in values.items()
        if value or key in (*FIRST, *usual, "deals", "other_points")
    ]
    for bid, one in tally.contracts.items():
        label = words["tally.contract"].format(bid=capital(names(language).bid(bid)))
        lines.append(TallyLine(f"contract.{bid}", label, one.made, one.taken))
    return tuple(lines)


def _numbers(tally: Tally) -> dict[str, int]:
    values = {key: getattr(tally, key) for key in (*FIRST, *DANISH, *FRENCH)}
    gained = tally.points_won - tally.points_lost
    first = {key: values.pop(key) for key in FIRST}
    return first | {"other_points": gained - tally.dealt_points} | values


def member_shown(club: Club, member: Member, language: str) -> MemberShown:
    """A member in all seasons."""
    whole = played(club)
    lines = []
    for season in (*(one.id for one in club.seasons_by_day), ALL):
        some = played(club, season)
        mine = next((one for one in standings_of(club, season) if one.member == member.id), None)
        if mine is not None:
            points = seasons.chart(some, member.id).points
            name = seasons.season_name(club, season, language)
            lines.append(MemberSeason(season, name, _standing(club, mine), points))
    return MemberShown(member_line(club, member), tally_lines(club, whole, member.id, language), tuple(lines))


# --- evenings ----------------------------------------------------------------------------------------------


def evening_shown(
    club: Club,
    facts: Sequence[AnyFact],
    evening: Evening,
    heads: Mapping[str, SheetHead],
    writers: Mapping[str, str],
    language: str,
) -> EveningShown:
    """An evening with its sheets as they stand."""
    called = {one: club.called(one, evening) for one in (*club.members, *evening.guests)}
    some = Played((evening,), (brought(evening),))
    return EveningShown(
        id=evening.id,
        day=evening.day,
        season=evening.season,
        closed=evening.closed,
        seq=club.seq,
        members=evening.members,
        guests=evening.guests,
        late=evening.late,
        leaving=evening.leaving,
        rounds=evening.rounds,
        seed=evening.seed,
        names=called,
        sheets=tuple(_sheets(evening, heads, called)),
        counts=tuple(
            CountLine(
                source=one.source,
                kind=seasons.kind_of(evening, one),
                points={result.member: result.points for result in one.results},
                deals=seasons.deals_of(one),
            )
            for one in evening.counts.values()
        ),
        results=tuple(_standing(club, one) for one in seasons.standings(some, Scoring(), club.called)),
        chronicle=tuple(chronicle_lines(facts, club, writers, language, evening.id)),
    )


def _sheets(
    evening: Evening, heads: Mapping[str, SheetHead], called: Mapping[str, str]
) -> Iterator[ClubSheet]:
    for one in evening.sheets:
        head = heads.get(one.sheet, SheetHead(one.sheet, 0, True, 0))
        count = evening.counts.get(one.sheet)
        points = {} if count is None else {result.member: result.points for result in count.results}
        yield ClubSheet(
            sheet=one.sheet,
            round=one.round,
            table=one.table,
            seats=one.seats,
            names=tuple(called.get(seat, "") for seat in one.seats),
            deals=head.deals,
            closed=head.closed,
            counted=count is not None and count.seq == head.seq,
            totals=tuple(points.get(seat, 0) for seat in one.seats) if points else (),
        )


def chronicle_lines(
    facts: Sequence[AnyFact], club: Club, called: Mapping[str, str], language: str, evening: str = ""
) -> Iterator[ChronicleLine]:
    """The chronicle of the club or of an evening, the newest first; `called` has who wrote in it."""
    for one in seasons.chronicle(club, facts, language, evening):
        by = called.get(one.by) or club.called(one.by) if one.own else ""
        yield ChronicleLine(one.seq, one.at, one.day, one.evening, one.text, one.own, by)


def rules_shown(club: Club, language: str) -> ClubRules:
    """The club's rules beside those of its book."""
    rules = club.rules
    return ClubRules(
        name=club.rules_name,
        rules=rules.id,
        title=books.title_of(rules.id, language),
        family=rules.family,
        house=club.overrides,
        differences=books.differing(rules, rulebook.book_of(rules), language),
    )
