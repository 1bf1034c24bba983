"""What a puzzle claims, worked out again by the exact solver."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ultimo.analysis import position
from ultimo.tutor.board import BoardError
from ultimo.tutor.school.puzzles.alike import Shape, equals, shape
from ultimo.tutor.school.puzzles.finding import shows, themes_of
from ultimo.tutor.school.puzzles.playing import Game, solution_of
from ultimo.tutor.school.puzzles.puzzle import FEWEST, MARGIN, MOST, Puzzle


def verify(puzzle: Puzzle) -> list[str]:
    """What is wrong with a puzzle; nothing if it is sound.

    Of a puzzle that was found the first move must be the only one, but for cards that are as good. A composed
    one may begin with a choice.
    """
    try:
        game = Game(puzzle)
    except (BoardError, ValueError) as error:
        return [str(error)]
    return list(_faults(game))


def verify_numbered(job: tuple[int, Puzzle]) -> tuple[int, list[str]]:
    """The same of one of many: its number goes along."""
    number, puzzle = job
    return number, verify(puzzle)


def _faults(game: Game) -> Iterator[str]:
    puzzle, board = game.puzzle, game.start.board
    found = not puzzle.composed
    if puzzle.rules != board.rules.id or puzzle.tricks != board.left:
        yield "the position has other rules, or other tricks to come"
    if puzzle.theme not in themes_of(board.rules):
        yield f"these rules have no theme {puzzle.theme}"
    if not FEWEST <= puzzle.tricks <= MOST:
        yield f"{puzzle.tricks} tricks to come"
    if board.turn not in game.side or game.over(board) is not None:
        yield "the solver is not on turn"
        return
    asked = game.asked(game.start)
    if not asked.right:
        yield "the goal cannot be forced"
        return
    if found and (asked.share == 1 or not equals([one.action for one in asked.right], board)):
        yield "there are several right moves, and they are not alike"
    if puzzle.family == "french":
        yield from _margin(game)
    reply = game.play(game.line())
    if reply.state != "solved":
        yield "the right line does not reach the goal"
    if all(one.share == 1 for one in reply.decisions):
        yield "every move is right"
    if puzzle.theme in ("demand", "name", "excuse") and not shows(game, puzzle.theme):
        yield f"the theme {puzzle.theme} does not come up"
    if found and position.write(board.rules, board.start) != puzzle.position:
        yield "the position is not written as it is kept"


def _margin(game: Game) -> Iterator[str]:
    """Right and wrong cards of a French puzzle lie well apart."""
    values = [one.value for one in solution_of(game.start.board, game.goal, game.side, line=0).actions]
    good, bad = [v for v in values if game.good(v)], [v for v in values if not game.good(v)]
    gap = (min(good) - max(bad)) if game.most else (min(bad) - max(good))
    if gap < MARGIN:
        yield f"only {gap} points between right and wrong"


def twins(puzzles: Iterable[Puzzle]) -> list[tuple[Puzzle, Puzzle]]:
    """Puzzles that are alike."""
    seen: dict[Shape, Puzzle] = {}
    found = []
    for one in puzzles:
        other = seen.setdefault(shape(one), one)
        if other is not one:
            found.append((other, one))
    return found
