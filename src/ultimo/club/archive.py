"""A club as a file: its log and those of its sheets as JSON lines, and results of the past as CSV.

In a file people are members (m1), and not what a server calls their accounts; somebody who is no member is
p1, p2 … So a file tells nothing of accounts, and can be read on any server.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import count
from typing import Any, Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from ultimo.club import sheet as s
from ultimo.club.club import (
    AccountLinked,
    AnyFact,
    AttendanceSet,
    Club,
    Counted,
    EveningClosed,
    EveningOpened,
    Founded,
    MemberAdded,
    Result,
    SeasonId,
    SheetLinked,
    SheetUnlinked,
    Uncounted,
    decide,
    founded,
    is_day,
    next_id,
)
from ultimo.club.files import Cell, SheetError, dumps, loads
from ultimo.club.season import ALL, Standing, brought, played, season_name, standings
from ultimo.names import LANGUAGES, club_words

LONGEST_LINE: Final = 1000  # characters of an imported line
LARGEST_NUMBER: Final = 1_000_000  # of points in an imported line
LONGEST_MEMBER: Final = 24  # characters of a name, as for accounts
PORTABLE: Final = re.compile(r"[mp]\d{1,4}")
EUROPEAN: Final = re.compile(r"(\d{1,2})[./-](\d{1,2})[./-](\d{2}(?:\d{2})?)")
WRITTEN_OUT: Final = re.compile(r"(\d{1,2})(?:\.|er)? ([^\W\d]+)\.? (\d{4})")


class SheetLog(Struct, frozen=True, tag_field="type", tag=True):
    """The log of a score sheet in the file of its club."""

    sheet: str
    facts: tuple[s.AnyFact, ...]


LINE: Final = msgspec.json.Decoder(AnyFact | SheetLog)


class Whole(Struct, frozen=True):
    """A club with all its sheets."""

    facts: tuple[AnyFact, ...]
    sheets: dict[str, tuple[s.AnyFact, ...]]


# --- whole clubs -----------------------------------------------------------------------------------------


def export(whole: Whole) -> str:
    """A club as JSON lines, its sheets behind its own log."""
    lines: list[AnyFact | SheetLog] = [*whole.facts]
    lines += [SheetLog(key, facts) for key, facts in whole.sheets.items()]
    return "".join(msgspec.json.encode(line).decode() + "\n" for line in lines)


def read(text: str) -> Whole:
    """The club in a file, every fact of which can have been written; or `SheetError` with its line."""
    facts: list[AnyFact] = []
    sheets: dict[str, tuple[s.AnyFact, ...]] = {}
    club: Club | None = None
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            one = LINE.decode(line)
        except (msgspec.DecodeError, RecursionError) as error:
            raise SheetError(number, _english(error)) from error
        if isinstance(one, SheetLog):
            sheets[one.sheet] = _checked(number, one)
            continue
        try:
            club = _begun(one) if club is None else decide(club, one)
        except s.Refused as refused:
            raise SheetError(number, refused.told) from refused
        facts.append(one)
    if club is None:
        raise SheetError(1, lambda language: club_words(language)["file.empty"])
    return Whole(tuple(facts), sheets)


def _begun(fact: AnyFact) -> Club:
    if not isinstance(fact, Founded):
        raise s.Refused("notFounded")
    return founded(fact)


def _checked(number: int, log: SheetLog) -> tuple[s.AnyFact, ...]:
    try:
        return tuple(loads(dumps(log.facts)))
    except SheetError as error:
        raise SheetError(number, error.told) from error


def _english(error: Exception) -> Callable[[str], str]:
    """A reason for whoever has changed a file by hand: it names fields, which are English."""
    return lambda _: str(error)


def portable(whole: Whole) -> Whole:
    """The club with members in the place of accounts; who is called so already keeps it."""
    people = {"": ""}
    for fact in whole.facts:
        if isinstance(fact, AccountLinked):
            people.setdefault(fact.player, fact.member)
    written = [*whole.facts, *(fact for facts in whole.sheets.values() for fact in facts)]
    writers = [one for fact in written for one in (fact.by, getattr(fact, "to", ""))]
    people |= {one: one for one in writers if PORTABLE.fullmatch(one)}
    unnamed = (f"p{number}" for number in count(1) if f"p{number}" not in people)
    for one in writers:
        if one not in people:
            people[one] = next(unnamed)
    return Whole(
        tuple(_renamed(fact, people) for fact in whole.facts),
        {key: tuple(_pen_of(fact, people) for fact in facts) for key, facts in whole.sheets.items()},
    )


def _renamed(fact: AnyFact, people: Mapping[str, str]) -> AnyFact:
    fact = replace(fact, by=people[fact.by])
    return replace(fact, player=fact.member) if isinstance(fact, AccountLinked) else fact


def _pen_of(fact: s.AnyFact, people: Mapping[str, str]) -> s.AnyFact:
    fact = replace(fact, by=people[fact.by])
    return replace(fact, to=people[fact.to]) if isinstance(fact, s.PenHanded) else fact


def with_sheets(facts: Iterable[AnyFact], new: Mapping[str, str]) -> list[AnyFact]:
    """The log with its sheets under new ids, as on a server on which the old ones may be others'."""

    def moved(fact: AnyFact) -> AnyFact:
        match fact:
            case SheetLinked(sheet=sheet) | SheetUnlinked(sheet=sheet):
                return replace(fact, sheet=new.get(sheet, sheet))
            case Counted(source=source) | Uncounted(source=source):
                return replace(fact, source=new.get(source, source))
        return fact

    return [moved(fact) for fact in facts]


# --- tables for others -----------------------------------------------------------------------------------


def result_rows(club: Club, season: SeasonId, language: str) -> Iterator[tuple[Cell, ...]]:
    """What every evening brought everybody: the rows that an import reads."""
    words = club_words(language)
    yield tuple(words[f"club.{key}"] for key in ("day", "member", "points", "deals"))
    for evening, found in _pairs(club, season):
        for member, one in found.items():
            yield evening, club.called(member), one.points, one.deals


def _pairs(club: Club, season: SeasonId) -> Iterator[tuple[str, dict[str, Result]]]:
    some = played(club, season)
    return zip((one.day for one in some.evenings), some.brought, strict=True)


def standing_rows(club: Club, season: SeasonId, language: str) -> Iterator[tuple[Cell, ...]]:
    """The standings as rows, a head first."""
    words = club_words(language)
    heads = ("place", "member", "score", "total", "evenings", "mean", "deals", "perDeal", "won")
    yield tuple(words[f"club.{key}"] for key in heads)
    for one in standings_of(club, season):
        yield (
            one.place or "",
            club.called(one.member),
            float(one.score),
            one.total,
            one.evenings,
            float(one.mean),
            one.deals,
            float(one.per_deal),
            one.won,
        )


def standings_of(club: Club, season: SeasonId) -> list[Standing]:
    """The standings of a season as it is won, or of all evenings as seasons of the club are."""
    scoring = club.scoring if season == ALL else club.seasons[season].scoring
    return standings(played(club, season), scoring, club.called)


def title(club: Club, season: SeasonId, language: str) -> str:
    """The club and its season."""
    text = club_words(language)["club.title"]
    return text.format(name=club.name, season=season_name(club, season, language))


# --- results of the past ---------------------------------------------------------------------------------


class Fault(Struct, frozen=True):
    """What is wrong with a line: its number, a key in `names/club` and values."""

    line: int
    key: str
    text: str
    values: dict[str, int | str] = {}

    def told(self, language: str) -> str:
        """The reason in a language."""
        return club_words(language)[f"import.{self.key}"].format_map(self.values)


class Imported(Struct, frozen=True):
    """What a list of results holds: faults, names that the club does not know, and results by day."""

    faults: tuple[Fault, ...]
    unknown: dict[str, int]  # and the line in which they come first
    days: dict[str, dict[str, Result]]  # by the name of the member

    @property
    def lines(self) -> int:
        """How many results there are."""
        return sum(map(len, self.days.values()))

    @property
    def points(self) -> int:
        """The sum of all points."""
        return sum(one.points for results in self.days.values() for one in results.values())


def parse(club: Club, text: str, clean: Callable[[str], str] = str.strip) -> Imported:
    """Read lines of `date, member, points[, deals]`; a head is passed over, and so are empty lines."""
    known = {name.casefold(): name for name in map(club.called, club.members)}
    there = {
        (evening.day, club.called(member).casefold())
        for evening in club.evenings.values()
        for member in brought(evening)
    }
    faults: list[Fault] = []
    unknown: dict[str, str] = {}
    first: dict[str, int] = {}
    days: dict[str, dict[str, Result]] = {}
    seen: dict[tuple[str, str], int] = {}
    for number, row in _rows(text):
        found = _line(number, row, clean, first=not seen and not faults)
        if isinstance(found, Fault):
            faults.append(found)
        elif found is not None:
            day, name, one = found
            key = name.casefold()
            name = known.get(key) or unknown.setdefault(key, name)
            first.setdefault(name, number)
            if (day, key) in seen:
                values: dict[str, int | str] = {"value": name, "line": seen[day, key]}
                faults.append(Fault(number, "doubled", _text(row), values))
            elif (day, key) in there:
                faults.append(Fault(number, "there", _text(row), {"value": name}))
            else:
                days.setdefault(day, {})[name] = one
            seen.setdefault((day, key), number)
    new = {name: first[name] for name in unknown.values()}
    return Imported(tuple(faults), new, dict(sorted(days.items())))


def _rows(text: str) -> Iterator[tuple[int, list[str]]]:
    """The lines that say something, in cells; one that is no line of a table has none."""
    lines = text.lstrip("\N{ZERO WIDTH NO-BREAK SPACE}").splitlines()
    sample = "\n".join(lines[:5])
    mark = max(",;\t", key=sample.count)
    for number, line in enumerate(lines, 1):
        if line.strip():
            cells = next(csv.reader([line], delimiter=mark)) if len(line) <= LONGEST_LINE else []
            yield number, [cell.strip() for cell in cells]


def _text(row: Sequence[str]) -> str:
    return ", ".join(row)[:100]


def _line(
    number: int, row: list[str], clean: Callable[[str], str], first: bool
) -> Fault | tuple[str, str, Result] | None:
    """A day, a name and what it brought; nothing if it is the head of the table."""

    def fault(key: str, value: str = "") -> Fault:
        return Fault(number, key, _text(row), {"value": value[:40]} if value else {})

    while len(row) > 3 and not row[-1]:
        row.pop()
    if len(row) not in (3, 4):
        return fault("columns")
    day, name, (points, *rest) = _iso(row[0]), clean(row[1].removeprefix("'")), map(_number, row[2:])
    if first and not is_day(day) and points is None:
        return None
    if not is_day(day):
        return fault("day", row[0] or "–")
    if not any(letter.isalnum() for letter in name):
        return fault("name")
    if len(name) > LONGEST_MEMBER:
        return fault("longName", name)
    for text, value in zip(row[2:], (points, *rest), strict=True):
        if value is None:
            return fault("number", text or "–")
        if abs(value) > LARGEST_NUMBER:
            return fault("large", text)
    deals = rest[0] if rest else 0
    if points is None or deals is None or deals < 0:
        return fault("number", row[-1])
    return day, name, Result("", points, deals)


def _iso(text: str) -> str:
    """A day as `2026-11-17`, also where it is written as Europeans do, the month in any language.

    >>> [_iso(text) for text in ("17/11/2026", "7.1.26", "17. november 2026", "1er août 2026", "then")]
    ['2026-11-17', '2026-01-07', '2026-11-17', '2026-08-01', 'then']
    """
    if found := EUROPEAN.fullmatch(text):
        day, month, year = map(int, found.groups())
    elif (found := WRITTEN_OUT.fullmatch(text)) and (name := found[2].casefold()) in _months():
        day, month, year = int(found[1]), _months()[name], int(found[3])
    else:
        return text
    return f"{year + (year < 100) * 2000}-{month:02}-{day:02}"


@cache
def _months() -> dict[str, int]:
    """The names of the months in every language."""
    named = [club_words(language)["club.months"].split() for language in LANGUAGES]
    return {name.casefold(): month for names in named for month, name in enumerate(names, 1)}


def _number(text: str) -> int | None:
    """A whole number, also with a minus sign of printers or with thousands apart as the page writes them.

    >>> _number("−1.250"), _number("2 565"), _number("1.5")
    (-1250, 2565, None)
    """
    text = text.replace("\N{MINUS SIGN}", "-")
    plain = re.sub(r"(?<=[0-9])[., \u00a0\u202f’'](?=[0-9]{3}(?:[^0-9]|$))", "", text)
    return int(plain) if re.fullmatch(r"[+-]?[0-9]{1,12}", plain) else None


def facts_of(club: Club, found: Imported, season: SeasonId, by: str, at: float) -> list[AnyFact]:
    """The facts that an import without faults writes: new members, then evenings with their results."""
    facts: list[AnyFact] = []
    stamp = {"by": by, "at": at}

    def write(make: Callable[..., AnyFact], **values: Any) -> None:
        nonlocal club
        fact = make(**values, **stamp)
        club = decide(club, fact)
        facts.append(fact)

    for name in found.unknown:
        write(MemberAdded, member=next_id("m", club.members), name=name)
    ids = {club.called(one): one for one in club.members}
    for day, some in found.days.items():
        evening = next_id("e", club.evenings)
        counted = tuple(replace(one, member=ids[name]) for name, one in some.items())
        write(EveningOpened, evening=evening, day=day, season=season)
        write(AttendanceSet, evening=evening, members=tuple(one.member for one in counted))
        write(Counted, evening=evening, source="import", results=counted)
        write(EveningClosed, evening=evening)
    return facts
