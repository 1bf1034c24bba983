"""`ultimo puzzle`: solve puzzles in the terminal, without a server."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from random import Random
from typing import TYPE_CHECKING

from ultimo.cli import given
from ultimo.cli.complaint import Complaint
from ultimo.cli.learning import wrapped
from ultimo.events import Action
from ultimo.names import Names, folded, puzzling
from ultimo.rulebook import ids
from ultimo.tutor.school.puzzles.puzzle import THEMES, Puzzle, UnknownPuzzle, collection, puzzle

if TYPE_CHECKING:
    from ultimo.tutor.board import Board
    from ultimo.tutor.shown import ActionShown, LineStep

QUIT = "q"


class Stop(Exception):
    """The person has had enough."""


def arguments(parser: ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument("--theme", choices=THEMES, metavar="NAME", help=f"{', '.join(THEMES)}")
    parser.add_argument("--rules", choices=ids(), metavar="ID", help=", ".join(ids()))
    parser.add_argument("--id", metavar="ID", help="one puzzle by its name")
    parser.add_argument("--seed", metavar="S", type=given.plain, help="the same order of puzzles every time")
    given.add_language(parser)


def run(arguments: Namespace) -> int:
    """Ask one puzzle after another until the person stops."""
    names = given.words(arguments)
    some = _asked(arguments)
    solved = tried = 0
    try:
        for one in some:
            solved += _solves(one, names)
            tried += 1
            print()
    except (Stop, EOFError, KeyboardInterrupt):
        print()
    if tried:
        print(puzzling(names.language)["terminal.score"].format(solved=solved, tried=tried))
    return 0


def _asked(arguments: Namespace) -> list[Puzzle]:
    if arguments.id is not None:
        try:
            return [puzzle(arguments.id)]
        except UnknownPuzzle:
            raise Complaint(f"--id: there is no puzzle {arguments.id!r}") from None
    found = [
        one
        for one in collection()
        if arguments.theme in (None, one.theme) and arguments.rules in (None, one.rules)
    ]
    if not found:
        raise Complaint("there is no puzzle with this theme and these rules")
    Random(arguments.seed).shuffle(found)
    return found


def _solves(one: Puzzle, names: Names) -> bool:
    """Ask a puzzle to its end; whether it was solved."""
    from ultimo.tutor.school.puzzles.playing import reply
    from ultimo.tutor.school.puzzles.words import puzzle_shown, reply_shown

    text = puzzling(names.language)
    shown = puzzle_shown(one, names.language)
    title = text["terminal.title"]
    print(title.format(theme=shown.title, rules=shown.rules, tricks=shown.tricks, rating=shown.rating))
    _tell((shown.side, shown.goal))
    moves: list[Action] = []
    while True:
        found = reply(one, moves)
        told = reply_shown(one, moves, found, names.language)
        _tell(told.told)
        if told.state != "open":
            _line(text["told.refuted"], told.refutation)
            _line(text["told.line"], told.line)
            return told.state == "solved"
        print()
        print("\n".join(_cards(found.place.board, names)))
        if told.question:
            _tell((told.question,))
        for number, action in enumerate(told.actions, 1):
            print(f"  {number}. {action.label}")
        moves.append(_chosen(told.actions, names))


def _chosen(actions: Sequence[ActionShown], names: Names) -> Action:
    """What the person chooses: by number, by label or by card."""
    text = puzzling(names.language)
    while True:
        print(text["terminal.choose"], flush=True)
        said = folded(input())
        if said == QUIT:
            raise Stop
        for number, one in enumerate(actions, 1):
            if said in (str(number), folded(one.label), *map(folded, one.cards)):
                return one.action
        print(text["terminal.unknown"])


def _cards(board: Board, names: Names) -> Iterator[str]:
    """The hands in order of play, the one on turn marked, and what lies on the table."""
    from ultimo.tutor.board import words_of

    words = words_of(board, names.language)
    for seat in board.letters:
        mark = "→" if seat == board.turn else " "
        hand = words.teller.faces(words.teller.sorted(board.state.hands[seat]))
        yield f"{mark} {names.pair(words.name(seat), hand)}"
    if board.state.trick:
        played = ", ".join(
            f"{words.name(play.seat)} {words.teller.face(play.card)}" for play in board.state.trick
        )
        yield f"  {names.pair(puzzling(names.language)['terminal.onTable'], played)}"


def _line(title: str, steps: Sequence[LineStep]) -> None:
    """A line of play."""
    if steps:
        _tell((f"{title} {', '.join(f'{step.name} {step.label}' for step in steps)}",))


def _tell(sentences: Sequence[str]) -> None:
    for sentence in sentences:
        print("\n".join(wrapped(sentence)))
    sys.stdout.flush()
