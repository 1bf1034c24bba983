"""What follows from a club's log: standings, charts, records and the chronicle; and what a sheet brought."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import accumulate
from typing import Final, Literal, get_args

from msgspec import Struct
from msgspec.structs import fields, replace

from ultimo import french
from ultimo.club.club import (
    AnyFact,
    Chronicled,
    Club,
    Contract,
    Count,
    Evening,
    EveningClosed,
    EveningId,
    Founded,
    MemberAdded,
    MemberId,
    MemberLeft,
    MemberReturned,
    Result,
    Scoring,
    Season,
    SeasonClosed,
    SeasonId,
    SeasonOpened,
    Tally,
    day_at,
)
from ultimo.club.entries import FrenchDeal, outcome
from ultimo.club.sheet import Ledger, Line, Sheet
from ultimo.events import Cup, Reason, Seat, Transfer
from ultimo.names import club_words
from ultimo.rulebook import FrenchRules
from ultimo.telling.wording import phrasing

CUPS: Final[tuple[Cup, ...]] = get_args(Cup)
EMPTIES: Final[tuple[Reason, ...]] = ("kingUltimo", "pagatUltimo", "tout")
JOINED: Final[dict[str, Callable[[list[int]], int]]] = {  # how each number of several tallies becomes one
    one.name: {
        "best": partial(max, default=0),
        "run": partial(max, default=0),
        "cup": partial(max, default=0),
        "worst": partial(min, default=0),
    }.get(one.name, sum)
    for one in fields(Tally)
    if one.name != "contracts"
}
MEMORABLE: Final = (
    EveningClosed,
    SeasonClosed,
    Chronicled,
    Founded,
    MemberAdded,
    MemberLeft,
    MemberReturned,
    SeasonOpened,
)
NOTED: Final = ("pagats", "kings", "touts", "nolos", "slams", "petits")  # feats that the chronicle tells
NOTED_CUP: Final = 100  # a cup that is worth telling, and larger ones
REMEMBERED: Final = 5000  # evenings whose results are kept in memory
ALL: Final = "all"  # every evening of the club, instead of a season


# --- of a sheet ------------------------------------------------------------------------------------------


def tallies(sheet: Sheet, found: Ledger) -> tuple[Tally, ...]:
    """What everybody at a table did, by seat; what was paid when the cups were divided is no deal's.

    Of a French deal the petit au bout, poignées and slams are counted for everybody on the side that had
    them: a sheet does not say whose they were.
    """
    return tuple(_tally(sheet, found.lines, seat) for seat in range(len(sheet.names)))


def _tally(sheet: Sheet, lines: Sequence[Line], seat: Seat) -> Tally:
    tally = together(_of_line(sheet, line, seat) for line in lines)
    played = [line.gains[seat] for line in lines if seat in line.order]
    return replace(tally, run=longest_run(played))


def longest_run(gains: Iterable[int]) -> int:
    """How many deals in a row brought points.

    >>> longest_run([5, -3, 2, 8, 1, 0, 4])
    3
    """
    return max(accumulate(gains, lambda run, gain: run + 1 if gain > 0 else 0, initial=0))


def _of_line(sheet: Sheet, line: Line, seat: Seat) -> Tally:
    """What a deal was for one seat."""
    gain, played, deals = line.gains[seat], seat in line.order, line.dealer == seat
    won = [one for one in line.transfers if one.payee == seat]
    lost = [one for one in line.transfers if one.payer == seat]
    tally = Tally(
        won=int(played and gain > 0),
        points_won=max(gain, 0),
        points_lost=max(-gain, 0),
        best=max(gain, 0),
        worst=min(gain, 0),
        dealt=int(deals),
        dealt_points=gain if deals else 0,
        kings=_feats(won, "kingUltimo"),
        pagats=_feats(won, "pagatUltimo"),
        kings_behind=_feats(lost, "kingBagud"),
        pagats_behind=_feats(lost, "pagatBagud"),
        nolos=_feats(won, "nolo"),
        touts=_feats(won, "tout"),
        cup=max(_emptied(won, cup) for cup in CUPS),
    )
    if isinstance(line.entry, FrenchDeal) and line.entry.taker is not None and played and not line.void:
        return _french(sheet, line, seat, tally)
    return tally


def _feats(paid: Iterable[Transfer], reason: Reason) -> int:
    """How many such feats were paid for: each king is one."""
    return len({one.card for one in paid if one.reason == reason})


def _emptied(won: Iterable[Transfer], cup: str) -> int:
    return sum(one.points for one in won if one.payer == cup and one.reason in EMPTIES)


def _french(sheet: Sheet, line: Line, seat: Seat, tally: Tally) -> Tally:
    rules, entry = sheet.rules, line.entry
    assert isinstance(rules, FrenchRules)
    assert isinstance(entry, FrenchDeal)
    side = "taker" if seat in (entry.taker, entry.partner) else "defence"
    happened = outcome(rules, len(sheet.names), line.order, {}, entry)
    assert isinstance(happened, french.Outcome)
    made = french.score(rules, happened).won
    return replace(
        tally,
        contracts={entry.bid: Contract(1, int(made))} if seat == entry.taker else {},
        petits=int(entry.petit_au_bout == side),
        poignees=sum(one == side for one, _ in entry.poignees),
        slams=int(entry.slam_made == side),
    )


def results(sheet: Sheet, found: Ledger, seats: Sequence[str]) -> tuple[Result, ...]:
    """What a sheet brought the members at its seats; who is a guest, or nobody, counts for nobody."""
    told = tallies(sheet, found)
    return tuple(
        Result(member, found.totals[seat], sum(seat in line.order for line in found.lines), told[seat])
        for seat, member in enumerate(seats)
        if member[:1] == "m"
    )


def together(some: Iterable[Tally]) -> Tally:
    """Several tallies as one: sums, and of the records the best."""
    parts = list(some)
    if len(parts) == 1:
        return parts[0]
    found = {name: how([getattr(one, name) for one in parts]) for name, how in JOINED.items()}
    taken: Counter[str] = Counter()
    made: Counter[str] = Counter()
    for tally in parts:
        for bid, one in tally.contracts.items():
            taken[bid] += one.taken
            made[bid] += one.made
    return Tally(**found, contracts={bid: Contract(many, made[bid]) for bid, many in taken.items()})


# --- of an evening ---------------------------------------------------------------------------------------


_BROUGHT: dict[int, tuple[dict[str, Count], dict[MemberId, Result]]] = {}  # by the identity of the counts


def brought(evening: Evening) -> dict[MemberId, Result]:
    """What an evening brought each member, from all tables together.

    Nothing changes the counts of an evening but another count, which makes new ones: so what they come to is
    worked out once for as long as they are there.
    """
    known = _BROUGHT.get(id(evening.counts))
    if known is not None and known[0] is evening.counts:
        return known[1]
    if len(_BROUGHT) >= REMEMBERED:
        _BROUGHT.clear()
    found = _brought(evening)
    _BROUGHT[id(evening.counts)] = evening.counts, found
    return found


def _brought(evening: Evening) -> dict[MemberId, Result]:
    parts: dict[MemberId, list[Result]] = {}
    for count in evening.counts.values():
        for one in count.results:
            parts.setdefault(one.member, []).append(one)
    return {member: _sum(some) for member, some in parts.items()}


def _sum(some: Sequence[Result]) -> Result:
    """What several tables brought a member."""
    if len(some) == 1:
        return some[0]
    points, deals = sum(one.points for one in some), sum(one.deals for one in some)
    return Result(some[0].member, points, deals, together(one.tally for one in some))


def best_of(points: Mapping[MemberId, Result]) -> tuple[MemberId, ...]:
    """Who won an evening: nobody if nothing was counted, several if they share it."""
    most = max((one.points for one in points.values()), default=0)
    return tuple(member for member, one in points.items() if one.points == most)


def kind_of(evening: Evening, count: Count) -> Literal["sheet", "online", "import"]:
    """Where a count comes from: a sheet, a table online, or an import."""
    if count.source == "import":
        return "import"
    return "sheet" if any(one.sheet == count.source for one in evening.sheets) else "online"


def deals_of(count: Count) -> int:
    """How many deals a source had; where nobody has written that down, as many as its players tell of."""
    dealt = sum(one.tally.dealt for one in count.results)  # each deal has one dealer
    return count.deals or max([dealt, *(one.deals for one in count.results)])


# --- of a season -----------------------------------------------------------------------------------------


class Played(Struct, frozen=True):
    """The evenings of a season that count, the first first, and what each brought everybody."""

    evenings: tuple[Evening, ...]
    brought: tuple[dict[MemberId, Result], ...]

    @property
    def members(self) -> list[MemberId]:
        """All who played."""
        return sorted({member for one in self.brought for member in one}, key=lambda one: (len(one), one))


def played(club: Club, season: SeasonId = ALL) -> Played:
    """What was played in a season, or in all of the club."""
    evenings = [one for one in club.evenings.values() if season in (ALL, one.season) and one.counts]
    evenings.sort(key=lambda one: (one.day, len(one.id), one.id))
    return Played(tuple(evenings), tuple(map(brought, evenings)))


class Standing(Struct, frozen=True):
    """A place in the standings, 0 without one; `score` is what the season is won by."""

    place: int
    member: MemberId
    score: Fraction
    total: int
    evenings: int
    counted: int  # of the evenings, in the score
    deals: int
    won: int  # evenings

    @property
    def mean(self) -> Fraction:
        """Points of an evening."""
        return Fraction(self.total, self.evenings) if self.evenings else Fraction(0)

    @property
    def per_deal(self) -> Fraction:
        """Points of a deal."""
        return Fraction(self.total, self.deals) if self.deals else Fraction(0)


def standings(some: Played, scoring: Scoring, called: Callable[[MemberId], str]) -> list[Standing]:
    """Who stands where: the best first, ties on the same place, behind all those who came too rarely.

    >>> from ultimo.club.club import Count
    >>> evening = Evening("e1", "2026-11-17", counts={"x": Count("x", 0, (Result("m1", 5), Result("m2", 5)))})
    >>> found = standings(Played((evening,), (brought(evening),)), Scoring(), str)
    >>> [(one.place, one.member, int(one.score)) for one in found]
    [(1, 'm1', 5), (1, 'm2', 5)]
    """
    winners = Counter(member for one in some.brought for member in best_of(one))
    found = [_standing(some, scoring, member, winners[member]) for member in some.members]
    found.sort(key=lambda one: (one.evenings < scoring.least, -one.score, called(one.member).casefold()))
    placed: list[Standing] = []
    for number, one in enumerate(found, 1):
        shared = bool(placed) and placed[-1].place > 0 and placed[-1].score == one.score
        place = 0 if one.evenings < scoring.least else placed[-1].place if shared else number
        placed.append(replace(one, place=place))
    return placed


def _standing(some: Played, scoring: Scoring, member: MemberId, won: int) -> Standing:
    mine = [one[member] for one in some.brought if member in one]
    points = sorted((one.points for one in mine), reverse=True)
    counted = points[: scoring.best] if scoring.by == "best" else points
    score = Fraction(sum(counted), len(counted) if scoring.by == "mean" else 1)
    deals = sum(one.deals for one in mine)
    return Standing(0, member, score, sum(points), len(points), len(counted), deals, won)


class Chart(Struct, frozen=True):
    """A member through a season: what each evening brought, None where they were away, and the sums."""

    member: MemberId
    points: tuple[int | None, ...]
    totals: tuple[int, ...]


def charts(some: Played) -> list[Chart]:
    """Everybody through a season."""
    return [chart(some, member) for member in some.members]


def chart(some: Played, member: MemberId) -> Chart:
    """A member through a season."""
    points = tuple(one[member].points if member in one else None for one in some.brought)
    return Chart(member, points, tuple(accumulate(one or 0 for one in points)))


def tally_of(some: Played, member: MemberId) -> Tally:
    """All that a member did in a season."""
    return together(one[member].tally for one in some.brought if member in one)


class Record(Struct, frozen=True):
    """A record of a season: by whom, all who share it, and on which evening it was first reached."""

    kind: str
    value: int
    members: tuple[MemberId, ...]
    evening: EveningId


RECORDS: Final[Mapping[str, Callable[[Result], int]]] = {
    "evening": lambda one: one.points,
    "cold": lambda one: -one.points,
    "best": lambda one: one.tally.best,
    "worst": lambda one: -one.tally.worst,
    "run": lambda one: one.tally.run,
    "cup": lambda one: one.tally.cup,
    "ultimos": lambda one: one.tally.kings + one.tally.pagats,
    "baguds": lambda one: one.tally.kings_behind + one.tally.pagats_behind,
    "contracts": lambda one: sum(bid.made for bid in one.tally.contracts.values()),
}
COSTS: Final = ("cold", "worst")  # records that are told below zero


def records(some: Played) -> list[Record]:
    """The records of a season; what nobody did is none."""
    found = []
    for kind, value in RECORDS.items():
        all_of = [
            (value(one), evening.id, member)
            for evening, results in zip(some.evenings, some.brought, strict=True)
            for member, one in results.items()
        ]
        most = max((one[0] for one in all_of), default=0)
        if most > 0:
            holders = [(evening, member) for number, evening, member in all_of if number == most]
            members = tuple(dict.fromkeys(member for _, member in holders))
            found.append(Record(kind, -most if kind in COSTS else most, members, holders[0][0]))
    return found


# --- in words --------------------------------------------------------------------------------------------


def scoring_words(scoring: Scoring, language: str) -> str:
    """How a season is won, as a label."""
    words = club_words(language)
    how = words[f"scoring.{scoring.by}"].format(best=scoring.best)
    return words["scoring.least"].format(how=how, least=scoring.least) if scoring.least else how


def current(club: Club) -> SeasonId:
    """The season that is shown: the one that runs, else the last, else all evenings."""
    return next((one.id for one in (club.season, *reversed(club.seasons_by_day)) if one is not None), ALL)


def season_name(club: Club, season: SeasonId, language: str) -> str:
    """What a season is called, or all evenings together."""
    return club_words(language)["club.all"] if season == ALL else club.seasons[season].name


class Remembered(Struct, frozen=True):
    """A line of the chronicle; `own` was written by a person."""

    seq: int
    at: float
    day: str
    text: str
    evening: EveningId = ""
    own: bool = False
    by: str = ""


def chronicle(
    club: Club, facts: Sequence[AnyFact], language: str, evening: EveningId = ""
) -> Iterator[Remembered]:
    """What the log of a club tells, or what it tells of an evening, the latest day first.

    People have the names that they have now. An evening and a season are told as they were closed last: what
    is closed does not change. Members who were put on the list together stand in one line.
    """
    days: dict[str, tuple[str, int]] = {}
    joined: dict[str, list[MemberId]] = {}
    seasons = club.season_days
    for seq, fact in enumerate(facts, 1):
        if isinstance(fact, MemberAdded) and not club.members[fact.member].nameless:
            joined.setdefault(_once(fact, seq), []).append(fact.member)
        if isinstance(fact, MEMORABLE) and evening in ("", getattr(fact, "evening", "")):
            days[_once(fact, seq)] = _day_of(club, fact, seasons), seq
    for day, seq in sorted(days.values(), reverse=True):
        fact, line = facts[seq - 1], Remembered(seq, facts[seq - 1].at, day, "", by=facts[seq - 1].by)
        if isinstance(fact, MemberAdded):
            yield from _joined(club, joined.get(_once(fact, seq), ()), line, language)
        else:
            yield from _remembered(club, fact, line, language)


def _joined(club: Club, new: Sequence[MemberId], line: Remembered, language: str) -> Iterator[Remembered]:
    """Who was put on the list."""
    words = club_words(language)
    if len(new) > 1:
        yield replace(line, text=words["chronicle.addedMany"].format(count=len(new)))
    elif new:
        yield replace(line, text=words["chronicle.added"].format(name=club.called(new[0])))


def _remembered(club: Club, fact: AnyFact, line: Remembered, language: str) -> Iterator[Remembered]:
    """What is remembered of a fact."""
    words = club_words(language)
    match fact:
        case EveningClosed(evening=evening) if club.evenings[evening].closed:
            for text in _told(club, club.evenings[evening], language):
                yield replace(line, text=text, evening=evening)
        case SeasonClosed(season=season) if club.seasons[season].closed:
            text = _season_won(club, club.seasons[season], language)
            if text:
                yield replace(line, text=text)
        case Chronicled(text=text, evening=evening):
            yield replace(line, text=text, evening=evening, own=True)
        case Founded():
            yield replace(line, text=words["chronicle.founded"])
        case MemberLeft(member=member) | MemberReturned(member=member) if club.members[member].nameless:
            return
        case MemberLeft(member=member):
            yield replace(line, text=words["chronicle.left"].format(name=club.called(member)))
        case MemberReturned(member=member):
            yield replace(line, text=words["chronicle.returned"].format(name=club.called(member)))
        case SeasonOpened(season=season):
            yield replace(line, text=words["chronicle.season"].format(name=club.seasons[season].name))


def _once(fact: AnyFact, seq: int) -> str:
    """What is told once of facts like this one: a closing, or all members of one list."""
    match fact:
        case EveningClosed(evening=closed) | SeasonClosed(season=closed):
            return closed
        case MemberAdded(by=by, at=at):
            return f"members {by} {at}"
        case _:
            return str(seq)


def _day_of(club: Club, fact: AnyFact, seasons: Mapping[SeasonId, tuple[str, str]]) -> str:
    """The day that a fact is about: of its evening, and of a season the first or the last of its evenings."""
    written = day_at(fact.at)
    match fact:
        case EveningClosed(evening=evening) | Chronicled(evening=evening) if evening:
            return club.evenings[evening].day
        case SeasonOpened(season=season) if season in seasons:
            return min(written, seasons[season][0])
        case SeasonClosed(season=season) if season in seasons:
            return seasons[season][1]
        case _:
            return written


def _season_won(club: Club, season: Season, language: str) -> str:
    first = [one for one in standings(played(club, season.id), season.scoring, club.called) if one.place == 1]
    names = [club.called(one.member) for one in first]
    if not names:
        return ""
    text = club_words(language)["chronicle.seasonWon"]
    return phrasing(language).format(text, names=names, name=season.name)


def _told(club: Club, evening: Evening, language: str) -> Iterator[str]:
    """What an evening is remembered for: who won it, and who did what is rare."""
    words, told, found = club_words(language), phrasing(language), brought(evening)
    winners = best_of(found)
    if winners:
        names = [club.called(one) for one in winners]
        points = found[winners[0]].points
        yield told.format(words["chronicle.evening"], names=names, points=f"{points:+}".replace("-", "−"))
    for member, one in found.items():
        feats = list(_feats_told(one.tally, words))
        if feats:
            yield told.format(words["chronicle.feats"], name=club.called(member), feats=feats)


def _feats_told(tally: Tally, words: Mapping[str, str]) -> Iterator[str]:
    for name in NOTED:
        count = getattr(tally, name)
        if count:
            yield words[f"chronicle.{name}" if count == 1 else f"chronicle.{name}Many"].format(count=count)
    if tally.cup >= NOTED_CUP:
        yield words["chronicle.cup"].format(count=tally.cup)
