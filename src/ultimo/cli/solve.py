"""`ultimo solve`: what every action of a position is worth with open cards, and who can force what."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec import Struct

from ultimo import danish, deal, record
from ultimo.analysis import position
from ultimo.analysis.goals import EVENTS, GoalError, goal_of, side_of
from ultimo.analysis.position import PositionError
from ultimo.analysis.solver import Goal, Solution, solve
from ultimo.analysis.solver.forcing import Forced, Forcing, forcing
from ultimo.cli import figures, given
from ultimo.cli.complaint import Complaint
from ultimo.cli.solving import Telling
from ultimo.events import Seat, SeriesOpened
from ultimo.names import names
from ultimo.record import RecordError
from ultimo.record.check import IllegalRecord
from ultimo.rulebook import DanishRules, RulebookError, Rules
from ultimo.telling.teller import Teller

FORCED_UNASKED = 6  # tricks left, up to which it is told who can force what without being asked

T = TypeVar("T")


class Question(Struct, frozen=True):
    """What is asked of the solver."""

    rules: Rules
    state: deal.State
    players: tuple[str, ...]
    goal: Goal
    side: frozenset[Seat] | None


class Answer(Struct, frozen=True):
    """What a program is told."""

    rules: str
    seats: dict[str, Seat]
    goal: str
    side: list[Seat] | None
    solution: Solution
    forced: tuple[Forced, ...] | None


def arguments(parser: ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument(
        "position",
        metavar="FILE|POSITION",
        help="a record in either spelling (- is standard input), or a position",
    )
    parser.add_argument("--rules", metavar="ID", help="the rulebook of a position")
    given.add_house(parser)
    parser.add_argument("--deal", metavar="N", type=int, help="the Nth deal of a record; default: the last")
    parser.add_argument(
        "--after", metavar="TRICK", type=int, help="the position of a record after this trick"
    )
    parser.add_argument("--event", metavar="N", type=int, help="the position of a record after its Nth event")
    parser.add_argument(
        "--goal",
        default="points",
        help="points, or e.g. lastTrick:F or ultimo:F:T1,!ultimo:B:HK; else points",
    )
    parser.add_argument(
        "--for",
        dest="side",
        metavar="SEATS",
        help="who plays for the goal: F, or F,M; maxn: each player for themselves",
    )
    parser.add_argument(
        "--seconds", metavar="S", type=float, help="stop after S seconds and show the best found"
    )
    parser.add_argument(
        "--threads", metavar="N", type=figures.positive, default=1, help="search with N threads; default: 1"
    )
    parser.add_argument(
        "--force",
        action="store_true",
        help=f"also show who can force what with more than {FORCED_UNASKED} tricks left",
    )
    parser.add_argument("--json", action="store_true", help="for programs")
    given.add_language(parser, "the language of errors in a position or goal: ")
    parser.epilog = (
        'A position: "hermansen: F T1 S2 S1 / M T21 T0 HK / B H7 H8 H9; F leads"; see docs/command-line.md.\n'
        f"Events of a goal: {', '.join(EVENTS)}; ! before one that must not occur."
    )


def run(arguments: Namespace) -> int:
    """Solve the position, and tell it."""
    question = asked(arguments)
    try:
        solution = solve(
            question.rules,
            question.state,
            question.goal,
            question.side,
            seconds=arguments.seconds,
            threads=arguments.threads,
        )
        forced = _forced(arguments, question)
    except ValueError as error:
        raise Complaint(error) from error
    except ModuleNotFoundError as error:
        raise Complaint(f"the solver needs {error.name}: pip install 'ultimo[fast]'") from error
    if arguments.json:
        side = None if question.side is None else sorted(question.side)
        seats = position.seats(question.state)
        found = None if forced is None else forced.found
        answer = Answer(question.rules.id, seats, arguments.goal, side, solution, found)
        print(msgspec.json.encode(answer).decode())
        return 0
    telling = Telling(
        Teller(names("en"), question.rules, question.players), question.state, question.goal, question.side
    )
    print("\n".join(telling.lines(solution, forced)))
    return 0


def _forced(arguments: Namespace, question: Question) -> Forcing | None:
    few = max(hand.bit_count() for hand in question.state.hands) <= FORCED_UNASKED
    if not arguments.force and (arguments.goal != "points" or not few):
        return None
    match question.rules, question.state:
        case DanishRules() as rules, danish.State() as state:
            return forcing(rules, state, seconds=arguments.seconds)
    if arguments.force:
        raise Complaint("--force: only Danish Tarok has an ultimo to force")
    return None


# --- what is asked -------------------------------------------------------------------------------------


def asked(arguments: Namespace) -> Question:
    """What the arguments ask."""
    language = given.words(arguments).language
    rules, state, players = _position(arguments, language)
    goal = _asking("--goal", language, lambda: goal_of(arguments.goal, rules, state))
    side = _asking("--for", language, lambda: side_of(arguments.side, rules, state, goal))
    return Question(rules, state, players, goal, side)


def _asking(option: str, language: str, ask: Callable[[], T]) -> T:
    try:
        return ask()
    except GoalError as error:
        raise Complaint(f"{option}: {error.told(language)}") from error


def _position(arguments: Namespace, language: str) -> tuple[Rules, deal.State, tuple[str, ...]]:
    text: str = arguments.position
    if text == given.STREAM or not _looks_like_position(text):
        return _recorded(arguments)
    for option in ("deal", "after", "event"):
        if getattr(arguments, option) is not None:
            raise Complaint(f"--{option} works only with a record, not with a position")
    try:
        rules, state = position.read(text, arguments.rules, given.house(arguments))
    except PositionError as error:
        raise Complaint(f"position:1:{error.at + 1}: {error.told(language)}") from error
    except RulebookError as error:
        raise Complaint(error) from error
    return rules, state, _players(state, ())


def _looks_like_position(text: str) -> bool:
    """Whether this is no file: nothing of that name is there, and it has more than one word."""
    try:
        return not Path(text).exists() and (len(text.split()) > 1 or ":" in text)
    except OSError:  # longer than any name
        return True


def _recorded(arguments: Namespace) -> tuple[Rules, deal.State, tuple[str, ...]]:
    file: str = arguments.position
    if arguments.rules or arguments.set or arguments.house:
        raise Complaint("a record has its own rules: --rules, --set and --house are for positions")
    _, read = given.read_record(file)
    events = [entry.event for entry in read.entries]
    try:
        rules = record.rules_of(read.header)
        state = position.recorded(
            rules, events, number=arguments.deal, after=arguments.after, event=arguments.event
        )
    except RecordError as error:
        raise given.damaged(file, error) from error
    except IllegalRecord as error:
        raise Complaint(f"{given.called(file)}: {error}") from error
    except ValueError as error:
        raise Complaint(f"{given.called(file)}: {error}") from error
    first = events[0] if events else None
    return rules, state, _players(state, first.names if isinstance(first, SeriesOpened) else ())


def _players(state: deal.State, called: Sequence[str]) -> tuple[str, ...]:
    """What the seats are called: by their letters, and by their names where they have any."""
    letters = {seat: letter for letter, seat in position.seats(state).items()}
    return tuple(
        " ".join(part for part in (letters.get(seat, ""), called[seat] if called else "") if part)
        for seat in range(state.table)
    )
