"""Best play of a French deal with all cards seen: what every card is worth to the taker's side.

The value of a position is what each defender pays at the end (`Score.value`). It is found by asking whether
the taker's side comes to at least so much, with other numbers until the answer is certain; all searches for
a position share one table of what they have found.
"""

from __future__ import annotations

from math import inf

import numpy as np

from ultimo import french
from ultimo.analysis.solver.limits import Bounds, Clock, TimeIsUp
from ultimo.analysis.solver.solver import MEMORY, Solution, Valued
from ultimo.cards import Card
from ultimo.events import Action, Play, Seat
from ultimo.french.legal import poignee_trumps, shows
from ultimo.kernel import NotCompilable
from ultimo.kernel.french.search import layout as at
from ultimo.kernel.french.search.goal import score_bound, score_range, set_goal
from ultimo.kernel.french.search.setup import groups, lay, new_board, run
from ultimo.kernel.french.search.transposition import BUCKET, NO_CARD
from ultimo.kernel.jit import Ints
from ultimo.rulebook import FrenchRules

SLICE = 1 << 22  # nodes to search before looking up
FIRST_SLICE = 1 << 12  # with a time limit
TRIES_NEAR_GUESS = 3
FIRST_BUCKETS = 1 << 13  # a megabyte
NODES_PER_BUCKET = 16


def solve(
    rules: FrenchRules,
    state: french.State,
    *,
    seconds: float | None = None,
    nodes: int | None = None,
    memory: int = MEMORY,
    line: bool = True,
) -> Solution:
    """The value of a French position, of every card that may be played in it, and if wished a line.

    Values are what each defender pays the taker's side, whoever is on turn. If a limit comes first, a
    value not yet certain is the end of its bounds that is worse for the seat on turn. Raises `ValueError`
    where no card is to be played or cards are not known, `NotCompilable` if a poignée may still be shown.
    """
    _check(rules, state)
    return _Solver(rules, state, seconds, nodes, memory).solution(state, line)


def value(
    rules: FrenchRules,
    state: french.State,
    *,
    seconds: float | None = None,
    nodes: int | None = None,
    memory: int = MEMORY,
) -> Solution:
    """The value of a French position and no more: a solution without actions and without a line.

    This takes about half as long as to value every card. What is said of limits in `solve` holds here too.
    """
    _check(rules, state)
    return _Solver(rules, state, seconds, nodes, memory).root(state, wants_card=False)


def best(
    rules: FrenchRules,
    state: french.State,
    *,
    seconds: float | None = None,
    nodes: int | None = None,
    memory: int = MEMORY,
) -> Solution:
    """The value of a French position and one best card: the only action of the solution, which has no line.

    If a limit comes first, there may be no action.
    """
    _check(rules, state)
    return _Solver(rules, state, seconds, nodes, memory).root(state, wants_card=True)


def _check(rules: FrenchRules, state: french.State) -> None:
    if state.phase != "play" or state.turn is None:
        raise ValueError(f"phase {state.phase!r}: a French deal is solved from its first card on")
    if any(state.unseen) or state.chien_unseen or state.ecart_unseen:
        raise ValueError("a position is solved only with all its cards known")
    if not state.tricks and any(_may_show(rules, state, seat) for seat in _yet_to_play(state)):
        raise NotCompilable("a poignée may still be shown: the search begins after it")


def _yet_to_play(state: french.State) -> tuple[Seat, ...]:
    done = {play.seat for play in state.trick} | {shown.seat for shown in state.poignees}
    return tuple(seat for seat in range(state.table) if seat not in done)


def _may_show(rules: FrenchRules, state: french.State, seat: Seat) -> bool:
    trumps, with_excuse = poignee_trumps(rules, state, seat)
    return any(len(shows(trumps, with_excuse, size)) for size in rules.poignee.sizes)


class _Table:
    """The table of known positions: a small one first, which grows with the search as far as it may.

    Memory costs time when it is first touched, and a small table stays in the processor's cache. A position
    stands in a place that the low bits of its hash tell; in a table twice as large one more bit does. So when
    the table grows, what it holds is copied into the new part, and everything is found where it belongs.
    """

    def __init__(self, memory: int) -> None:
        self.most = 1 << max(1, memory // (8 * BUCKET)).bit_length() - 1  # buckets
        words: Ints = np.zeros(BUCKET * (self.most + 1), np.int64)
        start = -(words.ctypes.data // 8) % BUCKET  # so that a bucket lies in as few lines as possible
        self.words = words[start : start + BUCKET * self.most]
        self.buckets = min(FIRST_BUCKETS, self.most)

    @property
    def in_use(self) -> Ints:
        """The part that is searched."""
        return self.words[: BUCKET * self.buckets]

    @property
    def full_at(self) -> int:
        """After how many nodes it should grow."""
        return 1 << 60 if self.buckets == self.most else NODES_PER_BUCKET * self.buckets

    def grow(self) -> None:
        """Make it larger."""
        before = self.in_use
        self.buckets *= 2
        self.in_use[len(before) :] = before


class _Solver:
    """A solution in the making: the board, the table of positions and the time that is left."""

    def __init__(
        self, rules: FrenchRules, state: french.State, seconds: float | None, most: int | None, memory: int
    ) -> None:
        self.rules = rules
        self.table = _Table(memory)
        self.board = new_board(rules, state)
        set_goal(self.board, 0)
        # No node is allowed: this only compiles.
        run(self.board, self.table.in_use, lay(self.board, rules, state))
        self.board[at.NODES] = 0
        self.clock = Clock(seconds, most)
        self.hint: int | None = None  # the number of a card that has proved good at the root

    def solution(self, state: french.State, wants_line: bool) -> Solution:
        """Everything about a position."""
        assert state.turn is not None
        seat, maximises = state.turn, state.side(state.turn) == "taker"
        same = groups(self.rules, state)
        after = {card: self.after(state, card) for card in dict.fromkeys(same.values())}
        bounds = {card: self.first_bounds(position) for card, position in after.items()}
        exact, guess = True, None
        try:
            for card, position in after.items():
                self.settle(position, bounds[card], guess)
                guess = bounds[card].low
        except TimeIsUp:
            exact = False
        sure = {card: found.low if maximises else found.high for card, found in bounds.items()}
        valued = tuple(
            Valued(seat, Play(card), sure[group], None, bounds[group].low, bounds[group].high)
            for card, group in same.items()
        )
        value = (max if maximises else min)(sure.values())
        line: tuple[tuple[Seat, Action], ...] = ()
        if exact and wants_line:
            best = next(card for card in same if sure[same[card]] == value)
            line, exact = self.line(state, best, value)
        return Solution(value, None, valued, line, exact, self.clock.nodes, self.clock.passed)

    def root(self, state: french.State, *, wants_card: bool) -> Solution:
        """The value of a position, and if wished one best card."""
        assert state.turn is not None
        bounds, actions, exact = self.first_bounds(state), tuple[Valued, ...](), True
        maximises = state.side(state.turn) == "taker"
        try:
            self.settle(state, bounds, None)
            if wants_card:
                card = self.keeping(state, bounds.low, self.hint)
                actions = (Valued(state.turn, Play(card), bounds.low, None, bounds.low, bounds.high),)
        except TimeIsUp:
            exact = False
        sure = bounds.low if maximises else bounds.high
        return Solution(sure, None, actions, (), exact, self.clock.nodes, self.clock.passed)

    def after(self, state: french.State, card: Card) -> french.State:
        """The position after a card."""
        return french.step(self.rules, state, state.turn, Play(card))[0]

    # --- the value of a position -----------------------------------------------------------------------

    def first_bounds(self, state: french.State) -> Bounds:
        """What the score lies between, whatever is played; after a card of the last trick, what it is."""
        while state.phase == "play" and len(state.tricks) == self.rules.deal.hand - 1:
            state = self.after(state, next(iter(groups(self.rules, state))))
        if state.phase != "play":
            value = french.score(self.rules, french.outcome_of(self.rules, state)).value
            return Bounds(value, value)
        position = lay(self.board, self.rules, state)
        least, most = position.half_points, position.half_points + position.rest_half_points
        return Bounds(*score_range(self.board, *position.open_ends, least, most))

    def settle(self, state: french.State, bounds: Bounds, guess: int | None) -> None:
        """Ask until the value is known: near the guess a few times, then half-way."""
        tries = 0 if guess is None else TRIES_NEAR_GUESS
        while bounds.low < bounds.high:
            target = (bounds.low + bounds.high + 1) // 2
            if guess is not None and tries:
                target = min(max(guess, bounds.low + 1), bounds.high)
                tries -= 1
            self.ask(state, bounds, target)

    def ask(self, state: french.State, bounds: Bounds, target: int) -> None:
        """Ask whether the taker's side comes to `target`, and draw the bounds closer."""
        position = lay(self.board, self.rules, state)
        set_goal(self.board, target)
        self.board[at.STOPPED] = 1
        while self.board[at.STOPPED]:  # what it has found is in the table, and the next slice begins there
            # Each slice is longer than the last: so the answer is found.
            longest = self.clock.nodes + (SLICE if self.clock.end == inf else FIRST_SLICE)
            limit = self.clock.nodes + self.clock.slice(FIRST_SLICE, longest)
            while self.table.full_at <= self.clock.nodes:
                self.table.grow()
            self.board[at.NODE_LIMIT] = min(limit, self.table.full_at)
            self.board[at.STOPPED], self.board[at.BEST_CARD] = 0, NO_CARD
            margin = run(self.board, self.table.in_use, position)
            self.clock.nodes = int(self.board[at.NODES])
        if (margin >= 0) == (state.turn is not None and state.side(state.turn) == "taker"):
            self.hint = int(self.board[at.BEST_CARD])
        found = score_bound(self.board, *position.open_ends, margin)
        if margin >= 0:
            bounds.low = max(bounds.low, found)
        else:
            bounds.high = min(bounds.high, found)

    # --- the line --------------------------------------------------------------------------------------

    def line(
        self, state: french.State, card: Card, value: int
    ) -> tuple[tuple[tuple[Seat, Action], ...], bool]:
        """Best play to the end of the deal, the first of the best cards each time, and if it was reached."""
        line: list[tuple[Seat, Action]] = []
        while True:
            assert state.turn is not None
            line.append((state.turn, Play(card)))
            state = self.after(state, card)
            if state.phase != "play":
                return tuple(line), True
            try:
                card = self.keeping(state, value)
            except TimeIsUp:
                return tuple(line), False

    def keeping(self, state: french.State, value: int, first: int | None = None) -> Card:
        """A card that keeps the value of the position: the one numbered `first`, else the first that does."""
        assert state.turn is not None
        maximises = state.side(state.turn) == "taker"
        target = value if maximises else value + 1
        choices = dict.fromkeys(groups(self.rules, state).values())
        *others, last = sorted(choices, key=lambda card: card.index != first)
        for card in others:
            after = self.after(state, card)
            bounds = self.first_bounds(after)
            if bounds.low < target <= bounds.high:
                self.ask(after, bounds, target)
            if (bounds.low >= target) == maximises:
                return card
        return last
