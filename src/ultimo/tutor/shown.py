"""What the tutor shows: hints, reviews and solved positions as they go to a page."""

from __future__ import annotations

from msgspec import Struct

from ultimo.events import Action, Seat
from ultimo.names import Family
from ultimo.tutor.grades import Grade
from ultimo.tutor.reviewed import Standing


class CandidateShown(Struct, frozen=True, rename="camel"):
    """An action that was tried, and what it brings on average; nothing is known of one that was not tried.

    `error` is the standard error of what lies between it and the best.
    """

    label: str
    cards: tuple[str, ...]
    action: Action
    points: float | None = None
    error: float | None = None
    samples: int = 0
    standing: Standing = "worse"


class HiddenShown(Struct, frozen=True, rename="camel"):
    """A key card that somebody else has, and the chance of every place that it is there."""

    card: str
    name: str
    chances: tuple[float, ...]


class AgainstShown(Struct, frozen=True, rename="camel"):
    """The answer to: why not this one?"""

    label: str
    cards: tuple[str, ...]
    loses: float | None
    error: float | None
    sentences: tuple[str, ...]


class HintShown(Struct, frozen=True, rename="camel"):
    """What to do now, and why."""

    action: Action
    cards: tuple[str, ...]
    label: str
    why: tuple[str, ...]
    dangers: tuple[str, ...]
    candidates: tuple[CandidateShown, ...]
    hidden: tuple[HiddenShown, ...]
    seats: tuple[str, ...]  # the names of the seats in order, last what lies aside
    against: AgainstShown | None = None


class LineStep(Struct, frozen=True, rename="camel"):
    """Something that somebody does in a line of play."""

    seat: Seat
    name: str
    label: str
    cards: tuple[str, ...]
    trick: int | None = None


class OptionShown(Struct, frozen=True, rename="camel"):
    """What could have been done, and what it would have been worth."""

    label: str
    cards: tuple[str, ...]
    action: Action
    points: float
    behind: float
    error: float
    open: float | None
    chosen: bool
    grade: Grade
    standing: Standing


class LessonLink(Struct, frozen=True):
    """A lesson of the school: its name and what it is called."""

    name: str
    title: str


class DecisionShown(Struct, frozen=True, rename="camel"):
    """A decision of a deal with what is thought of it; frame `step` of the replay shows what followed."""

    at: int
    step: int
    seat: Seat
    trick: int | None
    question: str
    label: str
    cards: tuple[str, ...]
    action: Action
    grade: Grade
    grade_word: str
    loss: float
    error: float
    open_loss: float | None
    proven: bool
    words: tuple[str, ...]
    principle: str
    options: tuple[OptionShown, ...]
    line: tuple[LineStep, ...] = ()
    played: tuple[LineStep, ...] = ()
    lesson: LessonLink | None = None  # that teaches the principle


class ReviewedSeat(Struct, frozen=True, rename="camel"):
    """What a seat got, how much of it was luck, and where it lost most: `worst` are places of decisions."""

    seat: Seat
    name: str
    plays: bool
    result: int
    luck: float
    play: float
    lost: float
    worst: tuple[int, ...]
    grades: dict[Grade, int]
    sentences: tuple[str, ...]


class ThresholdsShown(Struct, frozen=True, rename="camel"):
    """From so many points on a loss is called so."""

    slip: float
    mistake: float
    blunder: float


class ReviewShown(Struct, frozen=True, rename="camel"):
    """A deal reviewed; `graph` is what every seat could expect before each decision, then what they got."""

    deal: int
    title: str
    family: Family
    seats: tuple[ReviewedSeat, ...]
    decisions: tuple[DecisionShown, ...]
    graph: tuple[tuple[float, ...], ...]
    thresholds: ThresholdsShown
    note: str


class ActionShown(Struct, frozen=True, rename="camel"):
    """Something that may be done on the analysis board."""

    action: Action
    label: str
    cards: tuple[str, ...]


class GoalShown(Struct, frozen=True, rename="camel"):
    """A question that can be asked about a position."""

    id: str
    label: str


class BoardSeat(Struct, frozen=True, rename="camel"):
    """A seat of the analysis board: its letter in the text of a position, and its name."""

    seat: Seat
    letter: str
    name: str


class ValueShown(Struct, frozen=True, rename="camel"):
    """What an action is worth with open cards; `points` are those of every seat, where they are known.

    The worth is proven to lie from `least` to `most`; null: nothing is proven yet.
    """

    action: Action
    label: str
    cards: tuple[str, ...]
    value: float
    points: tuple[float, ...] | None
    best: bool
    least: float | None = None
    most: float | None = None


class SolvedShown(Struct, frozen=True, rename="camel"):
    """What the solver has found so far; the last one is `finished`."""

    finished: bool
    exact: bool
    nodes: int
    seconds: float
    depth: int
    values: tuple[ValueShown, ...]
    line: tuple[LineStep, ...]
    verdict: str
    forced: tuple[str, ...]
