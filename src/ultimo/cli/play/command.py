"""The arguments of `ultimo play`, and the table it is played at: a screen, or plain lines."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from pathlib import Path

from ultimo.cli import given
from ultimo.cli.complaint import Complaint
from ultimo.cli.play.game import sit_down
from ultimo.cli.play.plain import PlainTable
from ultimo.cli.play.presenter import Presenter
from ultimo.players.player import PLAYERS


def arguments(parser: ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument("--rules", metavar="ID", help="the rulebook (dtf)")
    parser.add_argument(
        "--table",
        metavar="N",
        type=int,
        help="number of players at the table (default: 4, or what the book allows)",
    )
    parser.add_argument("--seat", metavar="N", type=int, help="your seat number, from 0 (default: 0)")
    parser.add_argument("--name", help="your name")
    parser.add_argument("--deals", metavar="N", type=_positive, help="end the game after N deals")
    parser.add_argument("--seed", help="same seed, same cards")
    parser.add_argument(
        "--level", choices=tuple(PLAYERS), default="club", help="how well the others play (club)"
    )
    parser.add_argument("--save", metavar="FILE", type=Path, help="file to save the game in")
    parser.add_argument(
        "--resume",
        metavar="FILE",
        type=Path,
        nargs="?",
        const=True,
        help="continue a saved game (default: the last one)",
    )
    given.add_house(parser)
    given.add_language(parser)
    parser.add_argument("--quick", action="store_true", help="confirm choices with one key press")
    parser.add_argument(
        "--plain", action="store_true", help="plain text, line by line, without full-screen display"
    )


def _positive(text: str) -> int:
    if not text.isdecimal() or not int(text):
        raise ArgumentTypeError(f"{text!r} is not a number of deals")
    return int(text)


def run(arguments: Namespace) -> int:
    """Play."""
    words = given.words(arguments)
    presenter = Presenter(sit_down(arguments, words), arguments.quick)
    terminals = (sys.stdin, sys.stdout, sys.stderr)  # the screen is drawn on standard error
    try:
        if arguments.plain or not all(stream.isatty() for stream in terminals):
            PlainTable(presenter).run()
        else:
            _screen(presenter)
    finally:
        presenter.session.close()
    for line in presenter.farewell():
        print(line)
    return 0


def _screen(presenter: Presenter) -> None:
    try:
        from ultimo.cli.play.app import Table
    except ImportError as error:
        raise Complaint(
            f"the screen needs {error.name}: pip install 'ultimo[terminal]', or play with --plain"
        ) from error
    table = Table(presenter)
    table.run()
    if table.failure:
        raise table.failure
