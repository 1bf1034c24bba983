"""`ultimo club`: print the standings of an exported club, and check its whole log."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator

import msgspec

from ultimo import files
from ultimo.cli import given
from ultimo.cli.complaint import Complaint
from ultimo.cli.sheet import columns
from ultimo.club.archive import Whole, read, result_rows, standing_rows, title
from ultimo.club.club import Club, fold
from ultimo.club.files import Cell, SheetError, to_csv, written
from ultimo.club.season import ALL, chronicle, current, scoring_words
from ultimo.names import capital, club_words


def arguments(parser: ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument(
        "file", metavar="FILE", help="a club that was exported (JSON lines); - for standard input"
    )
    parser.add_argument(
        "--season", metavar="NAME", help="a season by its name or id, or all; by default the last"
    )
    parser.add_argument("--results", action="store_true", help="print every evening instead of the standings")
    parser.add_argument("--chronicle", action="store_true", help="print what the club remembers")
    parser.add_argument("--csv", action="store_true", help="output a table for a spreadsheet")
    parser.add_argument("--json", action="store_true", help="output JSON")
    given.add_language(parser)


def run(arguments: Namespace) -> int:
    """Check the club and print it."""
    language = given.words(arguments).language
    text = given.text(arguments.file, files.CLUB)
    try:
        whole = read(text)
    except SheetError as error:
        raise Complaint(f"{given.called(arguments.file)}: {error.told(language)}") from error
    club = fold(whole.facts)
    season = _season(club, arguments.season)
    if arguments.chronicle:
        lines = list(chronicle(club, whole.facts, language))
        if arguments.json:
            print(msgspec.json.encode(lines).decode())
        else:
            print("\n".join(f"{line.day}  {line.text}" for line in lines))
        return 0
    rows = list((result_rows if arguments.results else standing_rows)(club, season, language))
    if arguments.json:
        head, *rest = (result_rows if arguments.results else standing_rows)(club, season, "en")
        print(msgspec.json.encode([dict(zip(head, row, strict=True)) for row in rest]).decode())
    elif arguments.csv:
        print(to_csv(rows, language), end="")
    else:
        print("\n".join(_told(club, season, whole, rows, language)))
    return 0


def _season(club: Club, wish: str | None) -> str:
    """The season that is asked for."""
    if wish is None:
        return current(club)
    if wish in (ALL, *club.seasons):
        return wish
    for one in club.seasons.values():
        if one.name == wish:
            return one.id
    known = ", ".join([one.name for one in club.seasons.values()] + [ALL])
    raise Complaint(f"--season: there is no season {wish}; choose one of: {known}")


def _told(
    club: Club, season: str, whole: Whole, rows: list[tuple[Cell, ...]], language: str
) -> Iterator[str]:
    """The standings in columns, how they are reckoned, and that all was checked."""
    scoring = club.scoring if season == ALL else club.seasons[season].scoring
    yield title(club, season, language)
    yield capital(scoring_words(scoring, language))
    yield ""
    yield from columns([tuple(written(cell, language) for cell in row) for row in rows], 0)
    yield ""
    checked = club_words(language)["club.checked"]
    yield capital(checked.format(facts=len(whole.facts), sheets=len(whole.sheets)))
