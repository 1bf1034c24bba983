"""The arguments of `ultimo play`, the game to sit down to, and the table it is played at."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from pathlib import Path
from typing import get_args

from ultimo import rulebook
from ultimo.cli import given
from ultimo.cli.complaint import Complaint
from ultimo.cli.play.plain import PlainTable
from ultimo.cli.play.saving import Saved, SaveFile, default_path, keep_previous, load
from ultimo.cli.play.session import Session
from ultimo.names import Names
from ultimo.table import SeatPlan, Settings, open_local
from ultimo.table.scene import Level

USUAL_TABLE = 4
FIXED = ("rules", "table", "seat", "name", "house", "set")  # what a game that is gone on with has already


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
    parser.add_argument("--name", type=given.plain, help="your name")
    parser.add_argument("--deals", metavar="N", type=_positive, help="end the game after N deals")
    parser.add_argument("--seed", type=given.plain, help="same seed, same cards")
    parser.add_argument(
        "--level", choices=get_args(Level), default="club", help="how well the others play (club)"
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
    session, save = sit_down(arguments, words)
    terminals = (sys.stdin, sys.stdout, sys.stderr)  # the screen is drawn on standard error
    try:
        if arguments.plain or not all(stream.isatty() for stream in terminals):
            PlainTable(session).run()
        else:
            _screen(session)
    finally:
        save.close()
    print(words.text("saved", file=save.path))
    if not session.is_over:
        print(words.text("resume", command=f"ultimo play --resume {save.path}"))
    return 0


def _screen(session: Session) -> None:
    try:
        from ultimo.cli.play.app import Table
    except ImportError as error:
        raise Complaint(
            f"the screen needs {error.name}: pip install 'ultimo[terminal]', or play with --plain"
        ) from error
    table = Table(session)
    table.run()
    if table.failure:
        raise table.failure


# --- a game to sit down to -----------------------------------------------------------------------------


def sit_down(arguments: Namespace, words: Names) -> tuple[Session, SaveFile]:
    """The game that the arguments ask for, a new one or one that is gone on with, saved from now on."""
    if arguments.resume is None:
        saved, path = _new(arguments), _new_path(arguments.save)
    else:
        path = default_path(os.environ) if arguments.resume is True else arguments.resume
        saved, path = _old(arguments, path), arguments.save or path
    bot = SeatPlan("bot", arguments.level)
    seats = tuple(SeatPlan("host") if seat == saved.seat else bot for seat in range(saved.table))
    house, digest = rulebook.overrides(saved.rules), rulebook.digest(saved.rules)
    settings = Settings(saved.rules.id, saved.table, seats, house, arguments.deals, digest=digest)
    name = arguments.name or words.text("screen.person")
    session = Session(
        open_local(settings, name, arguments.seed, saved.played), words.language, quick=arguments.quick
    )
    if session.is_over:
        raise Complaint(f"{path}: {words.text('seriesOver')}")
    session.save = SaveFile(path, saved)
    return session, session.save


def _new(arguments: Namespace) -> Saved:
    rules = given.rules(arguments.rules or "dtf", given.house(arguments))
    usual = USUAL_TABLE if USUAL_TABLE in rules.sizes else rules.sizes[0]
    table, seat = arguments.table or usual, arguments.seat or 0
    if table not in rules.sizes:
        sizes = " or ".join(map(str, rules.sizes))
        raise Complaint(f"--table: {rules.id} is played by {sizes} at the table, not {table}")
    if not 0 <= seat < table:
        raise Complaint(f"--seat: there is no seat {seat} at a table of {table}")
    return Saved(rules, table, seat)


def _new_path(save: Path | None) -> Path:
    """Where a new game is saved; no other is lost by it."""
    if save is None:
        path = default_path(os.environ)
        keep_previous(path)
        return path
    if os.path.lexists(save):
        raise Complaint(f"{save} already exists: continue it with --resume {save}, or give another name")
    return save


def _old(arguments: Namespace, path: Path) -> Saved:
    for option in FIXED:
        if getattr(arguments, option):
            raise Complaint(f"--{option}: cannot be changed when you continue a saved game")
    return load(path)
