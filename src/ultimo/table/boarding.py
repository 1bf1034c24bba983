"""The analysis board as a page draws it: a scene with all hands open, and what may be asked and done."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from ultimo import danish, deal, rulebook, series
from ultimo.events import Paid, Seat
from ultimo.table.live import Live, Sitting
from ultimo.table.scene import Scene
from ultimo.table.settings import SeatPlan, Settings
from ultimo.table.showing import scene
from ultimo.tutor.board import Board, actions_shown, goals_shown, played_shown, words_of
from ultimo.tutor.school.puzzles.shown import PuzzleShown, ReplyShown
from ultimo.tutor.shown import ActionShown, BoardSeat, GoalShown, LineStep


class BoardShown(Struct, frozen=True, rename="camel"):
    """A position on the board, what has been played on it, and what may be done and asked."""

    text: str  # the position before any move
    here: str  # and after them
    scene: Scene
    turn: Seat | None
    over: bool
    actions: tuple[ActionShown, ...]
    played: tuple[LineStep, ...]
    seats: tuple[BoardSeat, ...]
    goals: tuple[GoalShown, ...]


class PuzzleTold(Struct, frozen=True, rename="camel"):
    """A puzzle after some moves: its board, the scenes since the last move, and what came of it."""

    puzzle: PuzzleShown
    board: BoardShown
    frames: tuple[Scene, ...]
    reply: ReplyShown


def board_shown(board: Board, language: str) -> BoardShown:
    """Everything about a board, in a language."""
    words = words_of(board, language)
    return BoardShown(
        text=board.text,
        here=board.here,
        scene=open_scene(board, language),
        turn=board.turn,
        over=board.over,
        actions=actions_shown(board, language),
        played=played_shown(board, language),
        seats=tuple(BoardSeat(seat, letter, words.name(seat)) for seat, letter in board.letters.items()),
        goals=goals_shown(board, language),
    )


def open_scene(board: Board, language: str) -> Scene:
    """The table with all hands open. Tricks that were played before the position are counted, not shown."""
    shown = scene(_live(board, language), None, language, frozenset())
    state = board.state
    new = len(state.tricks) > len(board.start.tricks)
    number = state.number
    return replace(
        shown,
        seats=tuple(replace(one, tricks=_tricks(state, one.seat)) for one in shown.seats),
        trick=None if shown.trick is None else replace(shown.trick, number=number),
        last=replace(shown.last, number=number - 1) if new and shown.last is not None else None,
    )


def scenes_between(before: Board, after: Board, language: str) -> tuple[Scene, ...]:
    """The scenes on the way from a board to one that has come of it, without either."""
    found, here = [], before
    for made in after.made[len(before.made) : -1]:
        here = here.after(made.action)
        found.append(open_scene(here, language))
    return tuple(found)


def _tricks(state: deal.State, seat: Seat) -> int:
    if isinstance(state, danish.State):
        return state.won[seat]
    return sum(trick.winner == seat for trick in state.tricks)


def _live(board: Board, language: str) -> Live:
    """A table at which the position lies."""
    state, called = board.state, words_of(board, language).teller.players
    cups = state.cups
    around = series.State(
        called,
        state.dealer,
        None,
        (0,) * state.table,
        cups.get("king", 0),
        cups.get("pagat", 0),
        deal=state,
    )
    paid = [event for one in board.made for event in one.events if isinstance(event, Paid)]
    settings = Settings(
        board.rules.id,
        state.table,
        tuple(SeatPlan("bot") for _ in called),
        house=rulebook.overrides(board.rules),
        digest=rulebook.digest(board.rules),
    )
    return Live(
        seq=0,
        table="",
        settings=settings,
        rules=board.rules,
        host="",
        again=None,
        seats=tuple(Sitting("bot", name) for name in called),
        started=True,
        series=around,
        views=(around,) * (state.table + 1),
        before=around,
        payments=tuple((1, transfer) for one in paid for transfer in one.transfers),
    )
