"""A score sheet as a file: its log as JSON lines, read back without loss, and its table for others."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from io import StringIO

import msgspec

from ultimo import rulebook
from ultimo.club.sheet import AnyFact, Ledger, Opened, Refused, Sheet, decide, evolve, fold
from ultimo.events import IllegalAction
from ultimo.names import club_words, names


class SheetError(ValueError):
    """A file that is no score sheet: in which line, from 1, and why."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"line {line}: {reason}")
        self.line, self.reason = line, reason


def dumps(facts: Iterable[AnyFact]) -> str:
    """A log as JSON lines."""
    return "".join(msgspec.json.encode(fact).decode() + "\n" for fact in facts)


def loads(text: str) -> list[AnyFact]:
    """The log that a text holds, every fact of which can have been written; or `SheetError`."""
    facts: list[AnyFact] = []
    sheet: Sheet | None = None
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            fact = msgspec.json.decode(line, type=AnyFact)
            sheet = _begun(fact) if sheet is None else decide(sheet, fact)
        except (msgspec.ValidationError, msgspec.DecodeError) as error:
            raise SheetError(number, str(error)) from error
        except (Refused, IllegalAction, rulebook.RulebookError) as error:
            raise SheetError(number, str(error)) from error
        facts.append(fact)
    if sheet is None:
        raise SheetError(1, "an empty file")
    return facts


def _begun(fact: AnyFact) -> Sheet:
    if not isinstance(fact, Opened):
        raise Refused("notOpen", reason="a sheet begins with Opened")
    sheet = evolve(None, fact)
    if fact.digest and fact.digest != rulebook.digest(sheet.rules):
        raise Refused("otherRules", reason=f"{fact.rules} has other rules in this version of ultimo")
    return sheet


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


def to_csv(rows: Iterable[tuple[str | int, ...]]) -> str:
    """The rows for a spreadsheet; a text that would be taken for a formula there is quoted."""
    out = StringIO()
    writer = csv.writer(out, lineterminator="\n")
    for row in rows:
        writer.writerow(
            [f"'{cell}" if isinstance(cell, str) and cell[:1] in tuple("=+-@") else cell for cell in row]
        )
    return out.getvalue()


def sheet_of(text: str) -> Sheet:
    """The sheet in a text, or `SheetError`."""
    return fold(loads(text))
