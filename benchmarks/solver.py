"""The open-card solver: how fast it searches, and what share of positions it solves in a given time.

Solved means everything that `solve` tells is exact: the value of every legal action and a line to the end.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from random import Random
from statistics import median
from typing import Any, TypeAlias

from benchmarks.positions import ORIGINS, held, positions
from benchmarks.report import Bar, Section, table
from msgspec import Struct

from ultimo import deal, rulebook
from ultimo.analysis.solver import Atom, Claim, Goal, Points, Solution, solve
from ultimo.cards import ULTIMO_CARDS
from ultimo.events import Seat
from ultimo.rulebook import Rules

Question: TypeAlias = Callable[[Any, Random], tuple[Goal, frozenset[Seat] | None]]
UNSOLVED = float("inf")


def claim(state: Any, rng: Random) -> tuple[Goal, frozenset[Seat] | None]:
    """One seat against the two others: the last trick, or the ultimo of a king or pagat that it holds."""
    if (candidates := held(state, ULTIMO_CARDS)) and rng.random() < 0.5:
        seat, card = rng.choice(candidates)
        return Claim((Atom("ultimo", seat, card),)), frozenset({seat})
    seat = rng.choice(state.order)
    return Claim((Atom("lastTrick", seat),)), frozenset({seat})


def points_of_one(state: Any, rng: Random) -> tuple[Goal, frozenset[Seat] | None]:
    """One seat's points against the two others."""
    return Points(), frozenset({rng.choice(state.order)})


def everybody(state: Any, rng: Random) -> tuple[Goal, frozenset[Seat] | None]:
    """Every seat for its own points; in a French deal the sides are what they are."""
    return Points(), None


class Model(Struct, frozen=True):
    """What is asked of the solver, and how many tricks it should manage."""

    name: str
    book: str
    question: Question
    two_sides: bool
    sizes: tuple[int, ...] = (6, 8, 10, 12, 14, 16)


MODELS = (
    Model("two sides, a claim", "hermansen", claim, True),
    Model("two sides, points", "hermansen", points_of_one, True),
    Model("everybody for himself", "hermansen", everybody, False, (6, 7, 8, 9, 10, 12)),
    Model("French, four players", "french4", everybody, True),
    Model("French, three players", "french3", everybody, True),
    Model("French, five players", "french5", everybody, True, (6, 8, 10, 12, 14)),
)
QUICK = MODELS[:4]


class Cell(Struct, frozen=True):
    """What came of the positions of one model, origin and number of tricks."""

    model: Model
    origin: str
    left: int
    seconds: tuple[float, ...]  # of each position, infinite if it was not solved
    nodes: int
    searching: float  # seconds of the processor's time

    def share(self, within: float) -> float:
        """The share solved within some seconds, in per cent."""
        return 100 * sum(taken <= within for taken in self.seconds) / len(self.seconds)


def solved(rules: Rules, model: Model, state: deal.State, seed: str, limit: float) -> Solution:
    """Solve a position with the model's question."""
    goal, side = model.question(state, Random(seed))
    return solve(rules, state, goal, side, seconds=limit)


def cell(model: Model, origin: str, left: int, limit: float, number: int, budget: float) -> Cell:
    """Solve positions, at most so many and, once a quarter of them is done, only while there is time."""
    rules, taken, nodes, searching = rulebook.load(model.book), list[float](), 0, 0.0
    began = time.perf_counter()
    for place, state in enumerate(positions(rules, left, origin)):
        if place == number or (place >= number // 4 and time.perf_counter() - began > budget):
            break
        start, cpu = time.perf_counter(), time.process_time()
        solution = solved(rules, model, state, f"{origin} {left} {place}", limit)
        taken.append(time.perf_counter() - start if solution.exact else UNSOLVED)
        nodes, searching = nodes + solution.nodes, searching + time.process_time() - cpu
    return Cell(model, origin, left, tuple(taken), nodes, searching)


def cells(full: bool) -> Iterator[Cell]:
    """Every model, origin and number of tricks, until a model can hardly solve any more."""
    limit, number, budget = (10.0, 40, 120.0) if full else (1.0, 40, 6.0)
    for model in MODELS if full else QUICK:
        rules = rulebook.load(model.book)
        solved(rules, model, next(positions(rules, 4, "random play")), "", 10.0)  # compiles
        for origin in ORIGINS:
            for left in model.sizes:
                yield cell(model, origin, left, limit, number, budget)


def bars(found: list[Cell]) -> Iterator[Bar]:
    """What is asked of two sides and of everybody for himself."""
    for one in found:
        name = f"{one.model.name}, {one.left} tricks, {one.origin}"
        if one.model.two_sides:
            shares, medians = {10: 0.1, 12: 1.0}, {12: 0.1, 14: 1.0}
        else:
            shares, medians = {}, {8: 0.1, 10: 1.0}
        if one.left in shares:
            within = shares[one.left]
            yield Bar(f"{name}: solved in {within} s", 95, one.share(within), " %")
        if one.left in medians:
            yield Bar(f"{name}: median", medians[one.left], median(one.seconds), " s", most=True)


def measure(full: bool) -> Section:
    """Shares and medians, by the clock."""
    found = list(cells(full))
    limits = (0.1, 1.0, 10.0) if full else (0.1, 1.0)
    head = (
        "model",
        "positions from",
        "tricks left",
        "positions",
        *(f"in {limit:g} s" for limit in limits),
        "median, s",
        "M nodes/s",
    )
    rows = [
        (
            one.model.name,
            one.origin,
            one.left,
            len(one.seconds),
            *(f"{one.share(limit):.0f} %" for limit in limits),
            median(one.seconds),
            one.nodes / max(one.searching, 1e-9) / 1e6,
        )
        for one in found
    ]
    return Section(
        "Solver",
        "Positions before a trick; a claim is the last trick or an ultimo of one seat against two others. "
        "Solved: every legal action has its exact value, and a line leads to the end of the deal. Seconds by "
        f"the clock, at most {limits[-1]:g} for a position (∞: not solved).",
        (table(head, rows),),
        tuple(bars(found)),
    )
