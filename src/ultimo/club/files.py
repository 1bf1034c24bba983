"""A score sheet as a file: its log as JSON lines, read back without loss, and its table for others."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from io import StringIO
from typing import Final, TypeAlias

import msgspec

from ultimo import rulebook
from ultimo.club.sheet import AnyFact, Evening, Ledger, Opened, Refused, Sheet, decide, evolve, fold
from ultimo.events import IllegalAction
from ultimo.names import club_words, names
from ultimo.pauses import with_pauses
from ultimo.telling.teller import Teller

SIGNS: Final = "=+@\uff1d\uff0b\uff20\uff0d-"  # with which formulas begin, the wide ones of East Asia too
FORMULA: Final = re.compile(rf"""((?:^|[;,|\t\r\n])[\s"]*)(?=[{SIGNS}])""")
Cell: TypeAlias = str | int | float  # of a table
MOST_WORKED_OUT = 20_000  # deals, corrections included: hundreds of corrections of a long evening


class SheetError(ValueError):
    """A file that is no score sheet: in which line, from 1, and why in any language."""

    def __init__(self, line: int, reason: Callable[[str], str]) -> None:
        super().__init__(line)
        self.line, self._reason = line, reason

    def told(self, language: str) -> str:
        """The line and the reason in a language."""
        return club_words(language)["file.line"].format(line=self.line, reason=self._reason(language))

    def __str__(self) -> str:
        return self.told("en")


def dumps(facts: Iterable[AnyFact]) -> str:
    """A log as JSON lines."""
    return "".join(msgspec.json.encode(fact).decode() + "\n" for fact in with_pauses(facts))


def loads(text: str) -> list[AnyFact]:
    """The log that a text holds, every fact of which can have been written; or `SheetError`."""
    facts: list[AnyFact] = []
    sheet: Sheet | None = None
    evening = Evening()
    for number, line in enumerate(with_pauses(text.splitlines()), 1):
        if not line.strip():
            continue
        try:
            fact = msgspec.json.decode(line, type=AnyFact)
        except (msgspec.DecodeError, RecursionError) as error:
            raise SheetError(number, _english(error)) from error
        try:
            sheet = _begun(fact) if sheet is None else decide(sheet, fact, evening)
        except Refused as refused:
            raise SheetError(number, partial(refused.told, sheet=sheet)) from refused
        except IllegalAction as illegal:
            assert isinstance(fact, Opened)
            raise SheetError(number, _refusal(fact, illegal)) from illegal
        except rulebook.RulebookError as wrong:
            raise SheetError(number, _english(wrong)) from wrong
        if evening.worked_out > MOST_WORKED_OUT:
            raise SheetError(number, lambda language: club_words(language)["file.tooMuch"])
        facts.append(fact)
    if sheet is None:
        raise SheetError(1, lambda language: club_words(language)["file.empty"])
    return facts


def _english(error: Exception) -> Callable[[str], str]:
    """A reason for whoever has written a file or rules by hand: it names fields, which are English."""
    return lambda _: str(error)


def _refusal(opened: Opened, error: IllegalAction) -> Callable[[str], str]:
    """Why the table cannot be opened."""
    rules = rulebook.load(opened.rules, opened.overrides, opened.digest)
    return lambda language: Teller(names(language), rules, opened.names).refusal(error)


def _begun(fact: AnyFact) -> Sheet:
    if not isinstance(fact, Opened):
        raise Refused("notOpen")
    try:
        return evolve(None, fact)
    except rulebook.UnknownVersion:
        raise Refused("otherRules", "rules", book=fact.rules) from None


def table(sheet: Sheet, found: Ledger, language: str) -> Iterator[tuple[str | int, ...]]:
    """The ledger as rows: a head, each deal with what it brought everybody and the cups after it, sums."""
    words, cups = club_words(language), sheet.rules.accounts if sheet.rules.has_cups else ()
    called = [names(language).cup(cup) for cup in cups]
    yield words["sheet.deal"], words["sheet.dealer"], *sheet.names, *called, words["sheet.note"]
    for line in found.lines:
        held = [line.cups[cup] for cup in cups]
        note = sheet.notes.get(line.number, "")
        yield line.number, sheet.names[line.dealer], *line.gains, *held, note
    if found.division:
        shares = [
            sum(t.points for t in found.division if t.payee == seat) for seat in range(len(sheet.names))
        ]
        yield words["sheet.division"], "", *shares, *(0 for _ in cups), ""
    yield (
        words["sheet.total"],
        "",
        *found.totals,
        *(found.state.cups[cup] for cup in cups),
        sheet.notes.get(0, ""),
    )


def is_formula(text: str) -> bool:
    """Whether a spreadsheet would take a text for a formula."""
    return text[:1] in tuple(SIGNS)


def escape_formulas(text: str) -> str:
    """A text of which no spreadsheet makes a formula, whichever character separates its cells.

    A file with commas that is read with semicolons is split in the middle of a quoted text.

    >>> escape_formulas("=1+1"), escape_formulas("x;=1+1"), escape_formulas("Bo-Kaj; 3 = 3")
    ("'=1+1", "x;'=1+1", 'Bo-Kaj; 3 = 3')
    """
    return FORMULA.sub(r"\1'", text)


def to_csv(rows: Iterable[Sequence[Cell]], language: str) -> str:
    """The rows for a spreadsheet in a language, which tells its separator and its decimal mark.

    A text that would be taken for a formula there is quoted; a number stays one.
    """
    out = StringIO()
    writer = csv.writer(out, delimiter="," if language == "en" else ";", lineterminator="\n")
    for row in rows:
        writer.writerow([written(cell, language) for cell in row])
    return out.getvalue()


def written(cell: Cell, language: str) -> str:
    """A cell of a table as a spreadsheet in a language reads it; a number has at most two decimals.

    >>> written(-12.5, "da"), written(-3.0, "en"), written("-3", "en")
    ('-12,5', '-3', "'-3")
    """
    match cell:
        case str():
            return escape_formulas(cell)
        case int():
            return str(cell)
        case float():
            text = f"{cell:.2f}".rstrip("0").rstrip(".")
            return text if language == "en" else text.replace(".", ",")


def sheet_of(text: str) -> Sheet:
    """The sheet in a text, or `SheetError`."""
    return fold(loads(text))
