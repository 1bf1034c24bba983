"""Puzzles as they go to a page."""

from __future__ import annotations

from msgspec import Struct

from ultimo.events import Seat
from ultimo.names import Family
from ultimo.tutor.school.puzzles.playing import State
from ultimo.tutor.school.puzzles.puzzle import Theme
from ultimo.tutor.shown import ActionShown, LineStep


class PuzzleShown(Struct, frozen=True, rename="camel"):
    """What is known of a puzzle before it is solved."""

    id: str
    rules: str
    family: Family
    theme: Theme
    title: str  # of the theme
    tricks: int
    rating: int
    seats: tuple[Seat, ...]  # that the solver plays
    side: str
    goal: str


class ReplyShown(Struct, frozen=True, rename="camel"):
    """What came of some moves: what may be done next, or what is said now that it is over.

    `line` is a right line to the end, `refutation` how the others answer the wrong move.
    """

    state: State
    told: tuple[str, ...]
    question: str
    actions: tuple[ActionShown, ...]
    line: tuple[LineStep, ...] = ()
    refutation: tuple[LineStep, ...] = ()
