"""The open-card solver: how fast it searches, and what share of positions it solves in a given time.

Solved means everything that `solve` tells is exact: the value of every legal action and a line to the end. In
the same run: two threads against one, how the work grows with the tricks, and DDS, the solver of bridge.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from itertools import islice, pairwise
from random import Random
from statistics import median
from typing import Any, TypeAlias

from benchmarks.positions import CLUB_PLAY, ORIGINS, held, positions
from benchmarks.report import Bar, Section, table
from msgspec import Struct

from ultimo import deal, rulebook
from ultimo.analysis.solver import Atom, Claim, Goal, Points, Solution, solve
from ultimo.cards import ULTIMO_CARDS
from ultimo.events import Seat
from ultimo.kernel.danish.search import layout as danish_search
from ultimo.kernel.french.search import transposition as french_search
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
    """What is asked of the solver, with how many tricks to go, and what it shall reach in club play.

    `medians` are seconds by tricks left; `shares` too, within which 95 % are solved. With `together` tricks
    two threads are tried against one.
    """

    name: str
    book: str
    question: Question
    sizes: tuple[int, ...] = (6, 8, 10, 12, 14, 16)
    medians: dict[int, float] = {}
    shares: dict[int, float] = {}
    together: int = 0


MODELS = (
    Model("two sides, a claim", "hermansen", claim, medians={12: 0.03, 14: 0.15}, together=16),
    Model(
        "two sides, points",
        "hermansen",
        points_of_one,
        medians={10: 0.02, 12: 0.2},
        shares={12: 2.0},
        together=13,
    ),
    Model(
        "everybody for themselves",
        "hermansen",
        everybody,
        (6, 7, 8, 9, 10, 12),
        {9: 0.1, 10: 0.3},
        together=10,
    ),
    Model("French, four players", "french4", everybody, medians={8: 0.012, 10: 0.15, 12: 1.5}, together=11),
    Model("French, three players", "french3", everybody),
    Model("French, five players", "french5", everybody, (6, 8, 10, 12, 14)),
)
QUICK = MODELS[:4]
TWICE = 1.6  # times as fast two threads shall be
LIMITS = {False: 25_000_000, True: 100_000_000}  # nodes for a position; the second in a full run


class Cell(Struct, frozen=True):
    """What came of the positions of one model, origin and number of tricks."""

    model: Model
    origin: str
    left: int
    seconds: tuple[float, ...]  # of the processor's time for each position, infinite if it was not solved
    nodes: tuple[int, ...]
    searching: float  # seconds for all

    def share(self, within: float) -> float:
        """The share solved within some seconds, in per cent."""
        return 100 * sum(taken <= within for taken in self.seconds) / len(self.seconds)

    @property
    def solves(self) -> bool:
        """Whether most positions are solved, so that there is a median."""
        return median(self.seconds) < UNSOLVED


def solved(
    rules: Rules, model: Model, state: deal.State, seed: str, limit: int, *, threads: int = 1
) -> Solution:
    """Solve a position with the model's question."""
    goal, side = model.question(state, Random(seed))
    return solve(rules, state, goal, side, nodes=limit, threads=threads)


def cell(model: Model, origin: str, left: int, limit: int, number: int, budget: float) -> Cell:
    """Solve positions, at most so many, and only while there is time once enough of them are done.

    Enough is a quarter of them, or half where something is asked of the median.
    """
    rules, taken, nodes, searching = rulebook.load(model.book), list[float](), list[int](), 0.0
    enough = number // (2 if left in model.medians and origin == CLUB_PLAY else 4)
    began = time.perf_counter()
    for place, state in enumerate(positions(rules, left, origin)):
        if place == number or (place >= enough and time.perf_counter() - began > budget):
            break
        start = time.process_time()
        solution = solved(rules, model, state, f"{origin} {left} {place}", limit)
        took = time.process_time() - start
        taken.append(took if solution.exact else UNSOLVED)
        nodes.append(solution.nodes)
        searching += took
    return Cell(model, origin, left, tuple(taken), tuple(nodes), searching)


def cells(full: bool) -> Iterator[Cell]:
    """Every model, origin and number of tricks."""
    limit, number, budget = LIMITS[full], 40, 120.0 if full else 6.0
    for model in MODELS if full else QUICK:
        rules = rulebook.load(model.book)
        solved(rules, model, next(positions(rules, 4, "random play")), "", LIMITS[full])  # compiles
        for origin in ORIGINS:
            for left in model.sizes:
                yield cell(model, origin, left, limit, number, budget)


def bars(found: Sequence[Cell]) -> Iterator[Bar]:
    """What is asked of positions of club play."""
    for one in found:
        if one.origin != CLUB_PLAY:
            continue
        name, left = f"{one.model.name}, {one.left} tricks, {one.origin}", one.left
        if left in one.model.medians:
            yield Bar(f"{name}: median", one.model.medians[left], median(one.seconds), " s", most=True)
        if left in one.model.shares:
            within = one.model.shares[left]
            yield Bar(f"{name}: solved in {within:g} s", 95, one.share(within), " %")


def solved_table(found: Sequence[Cell], limits: Sequence[float]) -> str:
    """What was solved, and how fast."""
    head = ("model", "positions from", "tricks left", "positions", *(f"in {limit:g} s" for limit in limits))
    rows = (
        (
            one.model.name,
            one.origin,
            one.left,
            len(one.seconds),
            *(f"{one.share(limit):.0f} %" for limit in limits),
            median(one.seconds),
            sum(one.nodes) / max(one.searching, 1e-9) / 1e6,
        )
        for one in found
    )
    return table((*head, "median, s", "M nodes/s"), rows)


# --- how the work grows ----------------------------------------------------------------------------------


def growth_table(found: Sequence[Cell]) -> str:
    """Nodes of the middle position by tricks left, and by how much one more trick multiplies them."""
    rows = []
    for one, more in pairwise(found):
        if (one.model, one.origin) == (more.model, more.origin) and one.solves and more.solves:
            nodes, then = median(one.nodes), median(more.nodes)
            entry = 8 * (danish_search.ENTRY if one.model.book == "hermansen" else french_search.ENTRY)
            each = (then / max(nodes, 1)) ** (1 / (more.left - one.left))
            name = f"{one.model.name}, {one.origin}"
            rows.append((name, f"{one.left} to {more.left}", int(nodes), int(then), each, entry))
    head = ("model", "tricks left", "nodes", "then", "times for each trick", "bytes of a known position")
    return table(head, rows)


# --- two threads against one -----------------------------------------------------------------------------


class Pair(Struct, frozen=True):
    """Positions solved by one thread and by two: seconds by the clock and of the processors, nodes."""

    model: Model
    positions: int
    clock: tuple[float, float]
    processor: tuple[float, float]
    nodes: tuple[int, int]

    @property
    def gain(self) -> float:
        """How many times as fast two are by the clock."""
        return self.clock[0] / self.clock[1]

    @property
    def possible(self) -> float:
        """How many times as fast they would be if they had two processors for themselves."""
        return 2 * self.processor[0] / self.processor[1]


def pair(model: Model, number: int, limit: int) -> Pair:
    """Solve positions of club play with one thread and with two; those count that both solve."""
    rules, left, count = rulebook.load(model.book), model.together, 0
    clock, processor, nodes = [0.0, 0.0], [0.0, 0.0], [0, 0]
    for place, state in enumerate(islice(positions(rules, left, "club play"), number)):
        taken = {}
        for threads in (1, 2) if place % 2 else (2, 1):
            start, used = time.perf_counter(), time.process_time()
            found = solved(rules, model, state, f"club play {left} {place}", limit, threads=threads)
            taken[threads] = found, time.perf_counter() - start, time.process_time() - used
        if all(found.exact for found, _, _ in taken.values()):
            count += 1
            for which, (found, by_clock, by_processor) in enumerate((taken[1], taken[2])):
                clock[which] += by_clock
                processor[which] += by_processor
                nodes[which] += found.nodes
    return Pair(model, count, (clock[0], clock[1]), (processor[0], processor[1]), (nodes[0], nodes[1]))


def pairs_table(found: Sequence[Pair]) -> str:
    """What two threads gain."""
    head = (
        *("model", "tricks left", "positions", "one, s", "two, s", "times as fast"),
        *("with two processors for themselves", "nodes of two to one"),
    )
    rows = (
        (
            *(one.model.name, one.model.together, one.positions, *one.clock),
            *(one.gain, one.possible, one.nodes[1] / one.nodes[0]),
        )
        for one in found
        if one.positions
    )
    return table(head, rows)


# --- the solver of bridge --------------------------------------------------------------------------------

RANKS = "AKQJT98765432"
IN_HAND = (6, 8, 10, 12)


def bridge_solved(cards: int, number: int) -> float | None:
    """Boards of so many cards in each hand that DDS solves in a second; None if it is not there."""
    try:
        from endplay.dds import solve_board
        from endplay.types import Deal, Denom, Player
    except ImportError:
        return None
    rng, seconds = Random(cards), 0.0
    for _ in range(number):
        pack = rng.sample([(suit, rank) for suit in range(4) for rank in RANKS], 4 * cards)
        hands = [pack[cards * seat : cards * (seat + 1)] for seat in range(4)]
        held = (
            ".".join("".join(rank for rank in RANKS if (suit, rank) in hand) for suit in range(4))
            for hand in hands
        )
        board = Deal("N:" + " ".join(held), first=Player.north, trump=Denom.spades)
        start = time.process_time()
        list(solve_board(board))
        seconds += time.process_time() - start
    return number / seconds


def actions_solved(model: Model, cards: int, number: int, limit: int) -> float:
    """Positions of club play with so many tricks to go that the solver solves in a second."""
    rules, count, spent = rulebook.load(model.book), 0, 0.0
    for place, state in enumerate(islice(positions(rules, cards, "club play"), number)):
        goal, side = model.question(state, Random(f"club play {cards} {place}"))
        start = time.process_time()
        count += solve(rules, state, goal, side, nodes=limit, line=0).exact
        spent += time.process_time() - start
    return count / spent


def bridge_table(number: int, limit: int) -> str:
    """Solves a second beside DDS, with as many cards in each hand."""
    some = [model for model in QUICK if model.question is not everybody or model.book == "french4"]
    rows = []
    for cards in IN_HAND:
        dds = bridge_solved(cards, 2 * number)
        ours = [actions_solved(model, cards, number, limit) for model in some]
        rows.append(
            (f"{cards} cards in each hand", "endplay is not installed" if dds is None else dds, *ours)
        )
    return table(("solves a second", "bridge, DDS", *(model.name for model in some)), rows)


LIMITED = (
    "The number of positions, which grows with each trick as the third table says; a position costs some "
    "70 ns, a quarter of them waiting for the table. Tried without gain: asking the table about all ends of "
    "a trick before any is searched visits 15 % fewer positions of Danish points, and takes 20 % longer; "
    "fetching an entry while the bounds are worked out hides less than it costs; a table twice as full keeps "
    "fewer positions, and an eighth more are searched. Two threads visit hardly more Danish positions than "
    "one, but each costs 20 to 30 % more, as the table goes from one processor to the other; in French "
    "endings a quarter of what they do is done twice. More room in the table, and marks nearer to its end, "
    "bring nothing."
)


def measure(full: bool) -> Section:
    """Shares and medians, two threads, growth, and the solver of bridge."""
    found = list(cells(full))
    pairs = [pair(model, 20 if full else 6, LIMITS[full]) for model in QUICK]
    limits = (0.1, 1.0, 10.0) if full else (0.1, 1.0, 2.0)
    return Section(
        "Solver",
        "Positions before a trick; a claim is the last trick or an ultimo of one seat against two others. "
        "Solved: every legal action has its exact value, and a line leads to the end of the deal. Seconds of "
        f"one processor; at most {LIMITS[full] // 1_000_000} million nodes a position (∞: not solved). Two "
        "threads and one take turns, by the clock: on a busy machine they gain what others leave; the next "
        "column says what they would. DDS solves boards dealt at random, with trumps, the value of "
        "every lead; ours are positions of club play, the value of every action, without a line.",
        (
            solved_table(found, limits),
            pairs_table(pairs),
            growth_table([one for one in found if one.origin == "club play"]),
            bridge_table(20, LIMITS[full]),
        ),
        (
            *bars(found),
            *(
                Bar(
                    f"{one.model.name}, {one.model.together} tricks: two threads, times as fast",
                    TWICE,
                    one.gain,
                )
                for one in pairs
                if one.positions
            ),
        ),
        LIMITED,
    )
