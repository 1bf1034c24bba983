"""A score sheet as a workbook for a spreadsheet (XLSX): every deal, and at the end who pays whom."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from typing import TYPE_CHECKING, TypeAlias

from ultimo.club.files import is_formula, table
from ultimo.club.money import Rate, fewest_payments, in_coins
from ultimo.club.sheet import Ledger, Sheet
from ultimo.names import club_words
from ultimo.pauses import with_pauses

if TYPE_CHECKING:
    from openpyxl.worksheet.worksheet import Worksheet

Row: TypeAlias = tuple[str | int | float, ...]
COIN = 100  # of the smallest coins make the currency's unit
WIDEST = 40  # characters of a column
POINTS, MONEY = "+0;-0;0", "#,##0.00"


def to_xlsx(sheet: Sheet, found: Ledger, language: str, rate: Rate | None = None) -> bytes:
    """The workbook; with a rate, what everybody gets or pays in money too.

    The library is loaded when it is needed: it takes long, and few need it.
    """
    from openpyxl import Workbook

    words, book = club_words(language), Workbook()
    deals = book.active
    assert deals is not None
    deals.title = words["sheet.deals"]
    cups = len(sheet.rules.accounts) if sheet.rules.has_cups else 0
    rows: list[Row] = list(table(sheet, found, language))
    _fill(deals, rows, (1, len(rows)))
    _format(deals, POINTS, range(3, 3 + len(sheet.names)))
    _format(deals, "0", range(3 + len(sheet.names), 3 + len(sheet.names) + cups))
    deals.freeze_panes = "C2"  # the head, the number of a deal and its dealer stay
    end = book.create_sheet(words["sheet.end"])
    parts = list(_end(sheet, found, language, rate))
    heads = [number for number, (head, _) in enumerate(parts, 1) if head]
    _fill(end, [row for _, row in parts], heads)
    _format(end, POINTS, (2,))
    _format(end, "0" if rate is None else MONEY, (3,))
    end.freeze_panes = "B2"
    out = BytesIO()
    book.save(out)
    return out.getvalue()


def _end(sheet: Sheet, found: Ledger, language: str, rate: Rate | None) -> Iterator[tuple[bool, Row]]:
    """Totals, shares of the cups and who pays whom: whether a row is a head, and the row."""
    words, people = club_words(language), sheet.names
    square = sum(found.totals) == 0
    coins = in_coins(found.totals, rate) if square and rate is not None else None
    yield True, ("", words["sheet.total"], *((words["sheet.money"],) if coins is not None else ()))
    for seat, name in enumerate(people):
        yield False, (name, found.totals[seat], *((coins[seat] / COIN,) if coins is not None else ()))
    if found.division:
        yield False, ()
        yield True, (words["sheet.division"],)
        for seat, name in enumerate(people):
            yield False, (name, sum(one.points for one in found.division if one.payee == seat))
    yield False, ()
    yield True, (words["sheet.whoPays"],)
    if not square:
        yield False, (words["sheet.notOver"],)
        return
    payments = fewest_payments(found.totals if coins is None else coins)
    for paid in payments:
        amount = paid.coins if coins is None else paid.coins / COIN
        yield False, (people[paid.payer], people[paid.payee], amount)
    if not payments:
        yield False, (words["sheet.square"],)


def _fill(page: Worksheet, rows: list[Row], heads: tuple[int, ...] | list[int]) -> None:
    """Write rows, some of them bold, in columns as wide as they need; a text is never a formula."""
    from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE
    from openpyxl.styles import Font
    from openpyxl.utils import get_column_letter

    widths: dict[int, int] = {}
    for number, row in enumerate(with_pauses(rows), 1):
        for place, value in enumerate(row, 1):
            cell = page.cell(number, place)
            if isinstance(value, str):
                cell.value = ILLEGAL_CHARACTERS_RE.sub("", value)
                cell.data_type = "s"
                cell.quotePrefix = is_formula(value)
            else:
                cell.value = value
            cell.font = Font(bold=number in heads)
            if len(row) > 1:  # a sentence may reach over the columns beside it
                widths[place] = max(widths.get(place, 0), len(str(value)))
    for place, width in widths.items():
        page.column_dimensions[get_column_letter(place)].width = min(width, WIDEST) + 3


def _format(page: Worksheet, form: str, columns: range | tuple[int, ...]) -> None:
    """Numbers of these columns are told so."""
    for column in columns:
        for row in range(2, page.max_row + 1):
            cell = page.cell(row, column)
            if isinstance(cell.value, int | float):
                cell.number_format = form
