"""The open-card solver: what every action is worth when all hands lie on the table and everybody plays well.

A Danish position is solved for a goal: a claim about how the deal ends, or points. The seats of `side` play
for it and the other active seats against it; without a side every seat plays for its own points. A French
position has its two sides by itself. Answers are exact unless a limit says otherwise: a time, or a number of
positions, which gives the same answer on every machine.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal, TypeAlias

from msgspec import Struct

from ultimo import danish, deal, french
from ultimo.cards import Card
from ultimo.events import Action, Seat
from ultimo.rulebook import DanishRules, FrenchRules, Rules

MEMORY = 64 << 20  # bytes for the table of known positions,
LITTLE_MEMORY = 4 << 20  # and where the search runs as Python: it comes to no more


class Atom(Struct, frozen=True):
    """One event of a Danish ending; without a card, any card of that kind.

    `ultimo` and `bagud`: the seat's king or pagat takes the last trick, or falls there without taking it;
    `home` and `lost`: the same in a trick before the last; `lastTrick`: the seat takes it (with that card);
    `nolo` and `tout`: the seat takes no trick, or every trick, of the whole deal. With `holds` false the
    event must not occur.
    """

    what: Literal["ultimo", "bagud", "home", "lost", "lastTrick", "nolo", "tout"]
    seat: Seat
    card: Card | None = None
    holds: bool = True


class Claim(Struct, frozen=True):
    """The goal that all atoms hold at the end of the deal."""

    atoms: tuple[Atom, ...]


class Points(Struct, frozen=True):
    """The goal of points: all that is paid from the position to the end of the deal, to seats and cups."""


Goal: TypeAlias = Claim | Points
POINTS = Points()


class Valued(Struct, frozen=True):
    """An action and what it is worth.

    A claim is worth 1 to its side if the action keeps it won, else 0. Points are what the side gains, and
    where every seat plays for itself what `seat` gains; then `points` are the gains of all at the table.
    The true value is proven to lie from `least` to `most`; None: nothing is proven yet.
    """

    seat: Seat
    action: Action
    value: int
    points: tuple[int, ...] | None = None
    least: int | None = None
    most: int | None = None


class Solution(Struct, frozen=True):
    """What a position is worth, and every action that matters in it; `line` leads to the end of the deal.

    Where a limit came first `exact` is false. Then values are the best known so far: of a claim 1 only
    if it is proved, of points the lower end of what is still possible (without sides: 0 for what is not yet
    known; French: the end that is worse for the seat on turn), and the line may be short.
    """

    value: int
    points: tuple[int, ...] | None
    actions: tuple[Valued, ...]
    line: tuple[tuple[Seat, Action], ...]
    exact: bool
    nodes: int
    seconds: float


def solve(
    rules: Rules,
    state: deal.State,
    goal: Goal = POINTS,
    side: frozenset[Seat] | None = None,
    *,
    seconds: float | None = None,
    nodes: int | None = None,
    memory: int | None = None,
    line: int | None = None,
    actions: Collection[Action] | None = None,
    threads: int = 1,
    target: int | None = None,
) -> Solution:
    """Solve a position: its value, what its actions are worth, and a line of best play to the end.

    Who asks for less waits for less. Of `actions` only those are valued that are given, and the value is that
    of the best of them; with () none, and the value of the position is found alone. `line` is the number of
    actions in the line: with 1 it is one best action, with 0 nothing.

    At most `nodes` positions are visited, and it takes about `seconds` at most; `memory` bounds the bytes of
    the table of known positions (64 MB, or 4 where nothing is compiled). Several `threads` search together
    what takes long; without the compiler there is one. They find the same; only how much of it is found
    before a limit then differs from one time to the next.

    French positions have one goal, the value of the deal to the taker, and ignore `goal` and `side`. With a
    `target` it is only asked what comes to at least that: values then say no more than on which side of it
    they lie, there is no line, and it takes far less. Danish positions are asked so by claims.
    Raises `ultimo.kernel.NotCompilable` for a table at which errors are possible, and `ValueError` for what
    is no position in play with all its cards known.
    """
    from ultimo.kernel.jit import COMPILED

    if memory is None:
        memory = MEMORY if COMPILED else LITTLE_MEMORY
    match rules, state:
        case DanishRules(), danish.State():
            from ultimo.analysis.solver import danish as danish_solver

            return danish_solver.solve(
                rules,
                state,
                goal,
                side,
                seconds=seconds,
                nodes=nodes,
                memory=memory,
                line=line,
                actions=actions,
                threads=threads,
            )
        case FrenchRules(), french.State():
            from ultimo.analysis.solver import french as french_solver

            return french_solver.solve(
                rules,
                state,
                seconds=seconds,
                nodes=nodes,
                memory=memory,
                line=line,
                actions=actions,
                threads=threads,
                target=target,
            )
    raise ValueError("the position is one of another game")
