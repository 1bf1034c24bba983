"""Goals of the solver as people write them: `points`, `lastTrick:F`, `ultimo:F:T1,!ultimo:B:HK`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import get_type_hints

from ultimo import deal
from ultimo.analysis import position
from ultimo.analysis.position import PositionError
from ultimo.analysis.position.errors import TextError
from ultimo.analysis.position.scanning import Word
from ultimo.analysis.solver import POINTS, Atom, Claim, Goal
from ultimo.events import Seat
from ultimo.rulebook import DanishRules, Rules

EVENTS: tuple[str, ...] = get_type_hints(Atom)["what"].__args__
EVERYBODY = "maxn"


class GoalError(TextError):
    """A goal, or those who play for it, that a position cannot have."""


def goal_of(text: str, rules: Rules, state: deal.State) -> Goal:
    """The goal that a text says, or `GoalError`."""
    if text.strip().lower() == "points":
        return POINTS
    if not isinstance(rules, DanishRules):
        raise GoalError("frenchGoal")
    seats = position.seats(state)
    return Claim(tuple(_atom(one.strip(), seats) for one in text.split(",")))


def _atom(text: str, seats: Mapping[str, Seat]) -> Atom:
    """One event: `ultimo:F:T1`, with `!` before it if it must not occur."""
    what, *rest = text.removeprefix("!").split(":")
    kind = next((event for event in EVENTS if event.lower() == what.strip().lower()), None)
    if kind is None or not 1 <= len(rest) <= 2:
        raise GoalError("notAGoal", text=text, example="ultimo:F:T1", events=", ".join(EVENTS))
    card = None
    if len(rest) == 2:
        try:
            card = Word(rest[1].strip(), 0).card()
        except PositionError as error:
            raise GoalError(error.key, **error.values) from error
    return Atom(kind, _seat(rest[0], seats), card, not text.startswith("!"))  # type: ignore[arg-type]


def _seat(text: str, seats: Mapping[str, Seat]) -> Seat:
    seat = seats.get(text.strip().upper())
    if seat is None:
        raise GoalError("notASeat", text=text.strip(), seats=" ".join(seats))
    return seat


def side_of(text: str | None, rules: Rules, state: deal.State, goal: Goal) -> frozenset[Seat] | None:
    """Who plays for the goal: as it is said, else those whom a claim favours, else everybody alone."""
    if not isinstance(rules, DanishRules):
        if text is not None:
            raise GoalError("frenchSides")
        return None
    seats = position.seats(state)
    if text is not None and text.strip().lower() == EVERYBODY:
        if isinstance(goal, Claim):
            raise GoalError("maxnPoints")
        return None
    if text is not None:
        side = frozenset(_seat(one, seats) for one in text.split(","))
    elif isinstance(goal, Claim):
        side = frozenset(_favoured(goal, frozenset(seats.values())))
    else:
        return None
    if not 0 < len(side) < len(seats):
        raise GoalError("oneOrTwoSeats")
    return side


def _favoured(claim: Claim, everybody: frozenset[Seat]) -> Iterator[Seat]:
    """Who gains by a claim: whose ultimo it is; else, where it is somebody's bagud, the others."""
    gaining = {atom.seat for atom in claim.atoms if (atom.what not in ("bagud", "lost")) == atom.holds}
    losing = {atom.seat for atom in claim.atoms} - gaining
    yield from gaining or everybody - losing
