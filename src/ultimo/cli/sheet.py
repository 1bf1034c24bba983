"""`ultimo sheet`: print and check the score sheet of an evening."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator

import msgspec

from ultimo.cli import given
from ultimo.cli.complaint import Complaint, complaining
from ultimo.cli.convert import write
from ultimo.club.files import SheetError, loads, table, to_csv
from ultimo.club.money import Rate, fewest_payments, in_coins
from ultimo.club.sheet import Ledger, Sheet, fold, ledger
from ultimo.club.workbook import to_xlsx
from ultimo.names import capital, club_words
from ultimo.telling.rules_words import book
from ultimo.telling.teller import Teller, cite_after, signed

COIN = 100  # of the smallest coins make the currency's unit


def arguments(parser: ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument(
        "file", metavar="FILE", help="the log of a score sheet (JSON lines); - for standard input"
    )
    parser.add_argument("--deal", metavar="N", type=int, help="show every payment of deal N")
    parser.add_argument(
        "--rate", metavar="COINS", type=int, help="what a point is worth, in the smallest coin"
    )
    parser.add_argument("--csv", action="store_true", help="output a table for a spreadsheet")
    parser.add_argument("--xlsx", metavar="OUT", help="write a workbook for a spreadsheet to OUT")
    parser.add_argument("--json", action="store_true", help="output JSON")
    given.add_language(parser)


def run(arguments: Namespace) -> int:
    """Check the sheet and print it."""
    words = given.words(arguments)
    text = given.text(arguments.file)
    try:
        sheet = fold(loads(text))
    except SheetError as error:
        raise Complaint(f"{given.called(arguments.file)}: {error.told(words.language)}") from error
    found = ledger(sheet)
    teller = Teller(words, sheet.rules, sheet.names)
    if arguments.json:
        print(msgspec.json.encode(found).decode())
    elif arguments.csv:
        print(to_csv(table(sheet, found, words.language), words.language), end="")
    elif arguments.xlsx is not None:
        rate = None if arguments.rate is None else _rate(arguments.rate)
        _workbook(arguments.xlsx, lambda: to_xlsx(sheet, found, words.language, rate))
    elif arguments.deal is not None:
        print("\n".join(_deal(teller, found, arguments.deal)))
    else:
        print("\n".join(_evening(teller, sheet, found, arguments.rate)))
    return 0


def _workbook(path: str, made: Callable[[], bytes]) -> None:
    """Write a workbook."""
    try:
        content = made()
    except ModuleNotFoundError as error:
        raise Complaint(f"--xlsx needs {error.name}: pip install 'ultimo[web]'") from error
    write(path, content)


@complaining(ValueError, about="--rate: ")
def _rate(coins: int) -> Rate:
    return Rate(coins)


def _deal(teller: Teller, found: Ledger, number: int) -> Iterator[str]:
    """Every payment of a deal."""
    if number not in range(1, len(found.lines) + 1):
        raise Complaint(f"--deal: there are {len(found.lines)} deals")
    line = found.lines[number - 1]
    for transfer in line.transfers:
        yield f"{capital(teller.payment(transfer))}{cite_after(teller, transfer.cite)}"
    yield f"{teller.text('total')}: {teller.totals(line.gains)}"


def _evening(teller: Teller, sheet: Sheet, found: Ledger, rate: int | None) -> Iterator[str]:
    """The table of all deals, what comes next, and at the end who pays whom."""
    language = teller.words.language
    words = club_words(language)
    yield words["sheet.title"].format(book=book(sheet.rules, language).title)
    yield ""
    yield from columns(list(table(sheet, found, language)), len(sheet.names))
    yield ""
    if not sheet.closed:
        yield words["sheet.next"].format(dealer=sheet.names[found.state.dealer])
        for transfer in found.due:
            yield f"  {capital(teller.payment(transfer))}"
        return
    yield words["sheet.closed"]
    if rate is not None:
        payments = fewest_payments(in_coins(found.totals, _rate(rate)))
        for one in payments:
            whole, coins = divmod(one.coins, COIN)
            amount = f"{whole}.{coins:02}" if language == "en" else f"{whole},{coins:02}"
            payer, payee = sheet.names[one.payer], sheet.names[one.payee]
            yield words["sheet.pays"].format(payer=payer, payee=payee, amount=amount)
        if not payments:
            yield words["sheet.square"]


def columns(rows: list[tuple[str | int, ...]], players: int) -> Iterator[str]:
    """The rows in columns; what players won or lost with its sign, at the right."""
    told = [
        [
            signed(cell) if isinstance(cell, int) and 2 <= place < 2 + players else str(cell)
            for place, cell in enumerate(row)
        ]
        for row in rows
    ]
    widths = [max(map(len, column)) for column in zip(*told, strict=True)]
    for row in told:
        cells = zip(row, widths, strict=True)
        yield "  ".join(
            cell.ljust(width) if place < 2 else cell.rjust(width) for place, (cell, width) in enumerate(cells)
        ).rstrip()
