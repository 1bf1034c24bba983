"""`ultimo deals`: prepared deals for tables that all play the same cards, made by a seed and printed."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from pathlib import Path

from ultimo import files
from ultimo.cli import given
from ultimo.cli.complaint import Complaint
from ultimo.cli.convert import write
from ultimo.cli.figures import positive
from ultimo.club.boards import MOST_BOARDS, Board, BoardError, dumps, loads, make, recorded
from ultimo.club.hand_records import as_html, as_text
from ultimo.names import Names, club_words
from ultimo.record import jsonl

FORMS = ("text", "html", "json")
SUFFIXES = {".txt": "text", ".html": "html", ".jsonl": "json"}


def arguments(parser: ArgumentParser) -> None:
    """The arguments of the command."""
    what = parser.add_subparsers(dest="what", metavar="make | show", required=True)
    new = what.add_parser("make", help="deal boards by a seed", description="deal boards by a seed")
    new.add_argument("number", metavar="N", type=positive, help="how many boards")
    new.add_argument("--rules", metavar="ID", default="french4", help="the rulebook (default: french4)")
    new.add_argument(
        "--table", metavar="N", type=int, help="players at the table (default: 4, else the most)"
    )
    new.add_argument(
        "--seed", metavar="TEXT", type=given.plain, required=True, help="the same seed gives the same deals"
    )
    new.add_argument("--first", metavar="N", type=positive, default=1, help="number of the first board (1)")
    new.add_argument("--teams", action="store_true", help="South always takes, as teams play (French)")
    given.add_house(new)
    show = what.add_parser("show", help="print boards", description="print boards that were made")
    show.add_argument("file", metavar="FILE", help="boards as JSON lines; - for standard input")
    show.add_argument("--board", metavar="N", type=positive, help="only this board")
    show.add_argument("--record", action="store_true", help="a board as a record, for other commands")
    for one in (new, show):
        one.add_argument(
            "--form", choices=FORMS, help="how to write them (default: as --out ends, else text)"
        )
        one.add_argument("--out", metavar="FILE", default=given.STREAM, help="a file instead of the screen")
        given.add_language(one)


def run(arguments: Namespace) -> int:
    """Make boards, or read them, and write them."""
    words = given.words(arguments)
    boards = _made(arguments) if arguments.what == "make" else _read(arguments, words)
    if arguments.what == "show" and arguments.record:
        if len(boards) != 1:
            raise Complaint("--record: say which board with --board")
        text = jsonl.dumps(recorded(boards[0]))
    else:
        text = _written(arguments, boards, words)
    write(arguments.out, text.encode())
    return 0


def _made(arguments: Namespace) -> list[Board]:
    rules = given.rules(arguments.rules, given.house(arguments))
    table = arguments.table or (4 if 4 in rules.sizes else max(rules.sizes))
    if table not in rules.sizes:
        raise Complaint(f"--table: {rules.id} is for {' or '.join(map(str, rules.sizes))} players")
    if arguments.number > MOST_BOARDS:
        raise Complaint(f"at most {MOST_BOARDS} boards at a time")
    numbers = range(arguments.first, arguments.first + arguments.number)
    return list(make(rules, table, arguments.seed, numbers, teams=arguments.teams))


def _read(arguments: Namespace, words: Names) -> list[Board]:
    club = club_words(words.language)
    try:
        found = loads(given.text(arguments.file, files.BOARDS))
    except BoardError as error:
        told = club["deals.wrongFile"].format(line=error.line, reason=error.reason)
        raise Complaint(f"{given.called(arguments.file)}: {told}") from error
    if arguments.board is None:
        return found
    chosen = [board for board in found if board.board == arguments.board]
    if not chosen:
        raise Complaint(f"--board: {club['deals.noBoard'].format(number=arguments.board)}")
    return chosen


def _written(arguments: Namespace, boards: Sequence[Board], words: Names) -> str:
    match arguments.form or SUFFIXES.get(Path(arguments.out).suffix, "text"):
        case "json":
            return dumps(boards)
        case "html":
            return as_html(boards, words)
    return "".join(f"{line}\n" for line in as_text(boards, words))
