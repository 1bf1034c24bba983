"""Playing a puzzle: the solver's moves against the best defence there is.

Whoever solves a puzzle plays every seat of a side with open cards. A move is right if the goal can still be
forced after it; the first wrong one ends the puzzle. Since the goal is lost for the defence anyhow, it does
what leaves the solver the smallest share of right moves: always the same, so that a puzzle is the same for
everybody. What has only one way is done unasked.

The skus is demanded just before its holder's turn, where the exact search has it demanded too. There the
solver is asked, and `Decline` leaves it where it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Literal, TypeAlias

from msgspec import Struct

from ultimo import danish, french
from ultimo import events as e
from ultimo.analysis.goals import goal_of
from ultimo.analysis.solver import POINTS, Claim, Goal, Solution, Valued, solve
from ultimo.analysis.solver.danish import occurs
from ultimo.rulebook import FrenchRules
from ultimo.tutor.board import Board, board
from ultimo.tutor.school.puzzles.alike import same_worth
from ultimo.tutor.school.puzzles.puzzle import Puzzle

State: TypeAlias = Literal["open", "solved", "failed"]
MEMORY = 1 << 22  # bytes for the positions of a search
BREADTH = (99, 4, 2, 1)  # moves of the defence that are looked into, one after the other without the solver
EASY = 2.0  # what the defence thinks of a position in which nothing is left to decide


class NotAMove(ValueError):
    """Something that cannot be done in a puzzle, by its place among the moves."""

    def __init__(self, place: int) -> None:
        super().__init__(f"move {place + 1} cannot be made here")
        self.place = place


class Option(Struct, frozen=True):
    """Something that may be done, and whether the goal can be forced after it."""

    seat: e.Seat
    action: e.Action
    right: bool


class Asked(Struct, frozen=True):
    """What is to be decided, by the solver or by the defence."""

    ours: bool
    options: tuple[Option, ...]

    @property
    def right(self) -> tuple[Option, ...]:
        """What keeps the goal in reach."""
        return tuple(one for one in self.options if one.right)

    @property
    def share(self) -> float:
        """How much of what may be done is right."""
        return len(self.right) / len(self.options)


class Place(Struct, frozen=True):
    """How far a puzzle has come: the board, and who has let the holder of the skus go on (1: the solver)."""

    board: Board
    waited: int = 0

    def after(self, action: e.Action) -> Place:
        """The place after an action; to decline a demand changes nothing but who is asked next."""
        if self.board.state.phase == "play" and isinstance(action, e.Decline):
            return Place(self.board, self.waited + 1)
        return Place(self.board.after(action))


class Reply(Struct, frozen=True):
    """What came of some moves of the solver; `asked` is what they may do next, `options` as they stand there.

    `decisions` are the solver's, the wrong one last: how many options there were and how many were right.
    """

    place: Place
    state: State
    asked: Asked | None
    decisions: tuple[Asked, ...]


class Game:
    """A puzzle and what has been found out about it."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle = puzzle
        shown = board(puzzle.position)
        self.start = Place(shown)
        self.side = frozenset(seat for seat, letter in shown.letters.items() if letter in puzzle.side)
        self.goal = goal_of(puzzle.goal, shown.rules, shown.start)
        self.danish = isinstance(shown.start, danish.State)
        self.most = isinstance(shown.start, danish.State) or shown.start.taker in self.side
        self._solved: dict[object, Solution] = {}

    # --- what is right -------------------------------------------------------------------------------------

    def good(self, value: int) -> bool:
        """Whether a value of the exact search reaches the goal."""
        if self.danish:
            return value == 1
        return value >= self.puzzle.target if self.most else value <= self.puzzle.target

    def over(self, board: Board) -> bool | None:
        """Whether the goal is reached or missed for good; None while that is open."""
        state, rules = board.state, board.rules
        if isinstance(state, french.State):
            if not board.over:
                return None
            assert isinstance(rules, FrenchRules)
            return self.good(french.score(rules, french.outcome_of(rules, state)).value)
        assert isinstance(state, danish.State)
        assert isinstance(self.goal, Claim)
        certain = [(occurs(atom, state), atom.holds) for atom in self.goal.atoms]
        if any(happens is not None and happens != holds for happens, holds in certain):
            return False
        return True if all(happens is not None for happens, _ in certain) else None

    def solution(self, board: Board) -> Solution:
        """What the exact search says of a position: of a French one, what comes to the target."""
        if board.state not in self._solved:
            target = self.puzzle.target if self.most else self.puzzle.target + 1
            self._solved[board.state] = solution_of(board, self.goal, self.side, line=0, target=target)
        return self._solved[board.state]

    def asked(self, place: Place) -> Asked:
        """What is to be decided at a place that is not over, and what of it is right."""
        state, turn = place.board.state, place.board.turn
        assert turn is not None
        if state.phase == "demand":  # it is asked for again before the holder's turn
            return Asked(turn in self.side, (Option(turn, e.Decline(), True),))
        actions = self.solution(place.board).actions
        own = tuple(self._option(one) for one in actions if one.seat == turn and not _demands(one))
        demands = [self._option(one) for one in actions if _demands(one)]
        ours = [one for one in demands if one.seat in self.side and turn not in self.side]
        theirs = [one for one in demands if one.seat not in self.side]
        unasked = self._kept(turn, own)
        heard = unasked and all(one.right for one in theirs)
        if ours and place.waited < 1:
            seat = ours[0].seat
            return Asked(True, (ours[0], Option(seat, e.Decline(), heard)))
        if theirs and place.waited < 2:
            seat = theirs[0].seat
            return Asked(False, (Option(seat, e.Decline(), unasked), theirs[0]))
        return Asked(turn in self.side, own)

    def _option(self, valued: Valued) -> Option:
        return Option(valued.seat, valued.action, self.good(valued.value))

    def _kept(self, turn: e.Seat, own: Sequence[Option]) -> bool:
        """Whether the goal is in reach if whoever is on turn plays a card."""
        return (any if turn in self.side else all)(one.right for one in own)

    # --- the defence ---------------------------------------------------------------------------------------

    def defended(self, place: Place) -> Place:
        """The place at which the solver has something to decide, or it is over, after the best defence."""
        return self._toughest(place, 0)[1]

    def _toughest(self, place: Place, depth: int) -> tuple[float, Place]:
        """How easy the solver's next decision is after the best defence, and where it is taken."""
        while self.over(place.board) is None:
            asked = self.asked(place)
            if len(asked.options) == 1:
                place = place.after(asked.options[0].action)
            elif asked.ours:
                return asked.share, place
            else:
                some = list(unlike(asked.options, place.board))[: BREADTH[min(depth, len(BREADTH) - 1)]]
                if len(some) == 1:
                    place = place.after(some[0].action)
                    continue
                found = [self._toughest(place.after(one.action), depth + 1) for one in some]
                return min(found, key=lambda one: one[0])
        return EASY, place

    # --- the solver ----------------------------------------------------------------------------------------

    def play(self, moves: Sequence[e.Action]) -> Reply:
        """What comes of the solver's moves, or `NotAMove`."""
        place, taken = self.defended(self.start), list[Asked]()
        for number, action in enumerate(moves):
            if self.over(place.board) is not None:
                raise NotAMove(number)
            asked = self.asked(place)
            chosen = next((one for one in asked.options if one.action == action), None)
            if chosen is None:
                raise NotAMove(number)
            taken.append(asked)
            place = place.after(action)
            if not chosen.right:
                if number + 1 < len(moves):
                    raise NotAMove(number + 1)
                return Reply(place, "failed", None, tuple(taken))
            place = self.defended(place)
        ended = self.over(place.board)
        if ended is None:
            return Reply(place, "open", self.asked(place), tuple(taken))
        return Reply(place, "solved" if ended else "failed", None, tuple(taken))

    def line(self, place: Place | None = None) -> tuple[e.Action, ...]:
        """The solver's moves of a right line from a place, or from the start: of what is right, the first."""
        place, moves = place or self.defended(self.start), list[e.Action]()
        while self.over(place.board) is None:
            right = self.asked(place).right
            if not right:
                break
            moves.append(right[0].action)
            place = self.defended(place.after(moves[-1]))
        return tuple(moves)


@lru_cache(maxsize=64)
def game(puzzle: Puzzle) -> Game:
    """A puzzle as it is played; what has been found out about it is kept for a while."""
    return Game(puzzle)


def solution_of(
    board: Board,
    goal: Goal = POINTS,
    side: frozenset[e.Seat] | None = None,
    *,
    line: int | None = None,
    target: int | None = None,
) -> Solution:
    """What the exact search says of a position; French sides are those of the deal."""
    return solve(board.rules, board.state, goal, side, memory=MEMORY, line=line, target=target)


def reply(puzzle: Puzzle, moves: Sequence[e.Action]) -> Reply:
    """What comes of the solver's moves against the best defence, or `NotAMove`."""
    return game(puzzle).play(moves)


def unlike(options: Sequence[Option], board: Board) -> Iterator[Option]:
    """Of actions that come to the same only the first."""
    seen: list[Option] = []
    for one in options:
        if not any(same_worth(one.action, other.action, board) for other in seen):
            seen.append(one)
            yield one


def _demands(one: Valued) -> bool:
    return isinstance(one.action, e.DemandSkus)
