"""Best play of a French deal with all cards seen: what every card is worth to the taker's side.

The value of a position is what each defender pays at the end (`Score.value`). It is found by asking whether
the taker's side comes to at least so much, with other numbers until the answer is certain; all searches for
a position share one table of what they have found.
"""

from __future__ import annotations

from collections.abc import Collection
from contextlib import closing
from functools import partial
from math import inf

from ultimo import french
from ultimo.analysis.solver.limits import Bounds, Clock, TimeIsUp
from ultimo.analysis.solver.solver import MEMORY, Solution, Valued
from ultimo.analysis.solver.team import Team, Words
from ultimo.cards import Card
from ultimo.events import Action, Play, Seat
from ultimo.french.legal import poignee_trumps, shows
from ultimo.kernel import NotCompilable
from ultimo.kernel.arrays import aligned
from ultimo.kernel.french.search import layout as at
from ultimo.kernel.french.search.goal import score_bound, score_range, set_goal
from ultimo.kernel.french.search.setup import Position, groups, lay, new_boards, run, share
from ultimo.kernel.french.search.transposition import BUCKET, NO_CARD
from ultimo.kernel.jit import Ints
from ultimo.rulebook import FrenchRules

SLICE = 1 << 22  # nodes to search before looking up
FIRST_SLICE = 1 << 12  # with a time limit
STEPS = (0, 4, 8, 16, 32, 64)  # of score beyond a bound, question after question
EVEN, LEAN = 0.5, 0.3  # where between two bounds to ask: half-way, or so far from there
MUCH_DEARER = 4  # times as many nodes: then it is worth while to lean
COSTLY = 1 << 20  # nodes that an answer is taken to need before any is known
FIRST_BUCKETS = 1 << 13  # a megabyte
NODES_PER_BUCKET = 16


def solve(
    rules: FrenchRules,
    state: french.State,
    *,
    seconds: float | None = None,
    nodes: int | None = None,
    memory: int = MEMORY,
    line: int | None = None,
    actions: Collection[Action] | None = None,
    threads: int = 1,
    target: int | None = None,
) -> Solution:
    """The value of a French position, of the cards that may be played in it, and a line; see `solver.solve`.

    Values are what each defender pays the taker's side, whoever is on turn. If a limit comes first, a
    value not yet certain is the end of its bounds that is worse for the seat on turn. Raises `ValueError`
    where no card is to be played or cards are not known, `NotCompilable` if a poignée may still be shown.
    """
    _check(rules, state)
    with closing(Team(threads, Words(at.NODES, at.NODE_LIMIT, at.STOPPED))) as team:
        return _Solver(rules, state, seconds, nodes, memory, team, target).solution(state, line, actions)


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


def next_target(bounds: Bounds, first: Bounds, guess: int | None, step: int, lean: float) -> int:
    """What to ask for next: about the guess, from a bound that has moved so far on, or between if both have.

    `lean` says how near to the upper bound to ask, from 0 to 1.
    """
    if guess is None or (bounds.low > first.low and bounds.high < first.high):
        target = bounds.low + 1 + round((bounds.high - bounds.low - 1) * lean)
    elif bounds.low <= guess <= bounds.high:
        target = guess + 1 if bounds.low == guess or lean > EVEN else guess
    else:
        target = bounds.low + 1 + step if bounds.low > guess else bounds.high - step
    return min(max(target, bounds.low + 1), bounds.high)


class _Table:
    """The table of known positions: a small one first, which grows with the search as far as it may.

    Memory costs time when it is first touched, and a small table stays in the processor's cache. A position
    stands in a place that the low bits of its hash tell; in a table twice as large one more bit does. So when
    the table grows, what it holds is copied into the new part, and everything is found where it belongs.
    """

    def __init__(self, memory: int) -> None:
        self.most = 1 << max(1, memory // (8 * BUCKET)).bit_length() - 1  # buckets
        self.words = aligned(BUCKET * self.most, 0, BUCKET)  # a bucket lies in as few lines as possible
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
    """A solution in the making: the boards, the table of positions and the time that is left."""

    def __init__(
        self,
        rules: FrenchRules,
        state: french.State,
        seconds: float | None,
        most: int | None,
        memory: int,
        team: Team,
        target: int | None,
    ) -> None:
        self.rules, self.team, self.target = rules, team, target
        self.table = _Table(memory)
        self.boards = new_boards(rules, state, team.threads)
        self.board = self.boards[0]
        set_goal(self.board, 0)
        # No node is allowed: this only compiles.
        run(self.board, self.table.in_use, lay(self.board, rules, state))
        self.clock = Clock(seconds, most)
        self.costs = [COSTLY, COSTLY]  # nodes of a no and of a yes, the last ones above all
        self.hint: int | None = None  # the number of a card that has proved good at the root

    def solution(
        self, state: french.State, length: int | None, actions: Collection[Action] | None
    ) -> Solution:
        """Value the cards, all or those that are asked for, and play a line of so many best ones."""
        assert state.turn is not None
        seat, maximises = state.turn, state.side(state.turn) == "taker"
        same = groups(self.rules, state)
        if actions is not None:
            same = {card: lowest for card, lowest in same.items() if Play(card) in actions}
        if actions and not same:
            raise ValueError("none of these actions can be taken here")
        after = {card: self.after(state, card) for card in dict.fromkeys(same.values())}
        positions = [*after.values()] or [state]
        bounds = [self.first_bounds(position) for position in positions]
        exact = self.settled(positions, bounds)
        sure = [found.low if maximises else found.high for found in bounds]
        value = (max if maximises else min)(sure)
        told = dict(zip(after, zip(sure, bounds, strict=True), strict=False))
        valued = tuple(
            Valued(seat, Play(card), worth, None, found.low, found.high)
            for card, (worth, found) in ((card, told[lowest]) for card, lowest in same.items())
        )
        line = tuple[tuple[Seat, Action], ...]()
        if exact and self.target is None:
            best = next((card for card, lowest in same.items() if told[lowest][0] == value), None)
            line, exact = self.line(state, best, value, length)
        return Solution(value, None, valued, line, exact, self.clock.nodes, self.clock.passed)

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

    def settled(self, positions: list[french.State], bounds: list[Bounds]) -> bool:
        """Draw the bounds of positions together, each near the last; whether there was time."""
        guess = None
        try:
            for position, found in zip(positions, bounds, strict=True):
                self.settle(position, found, guess)
                guess = found.low
        except TimeIsUp:
            return False
        return True

    def settle(self, state: french.State, bounds: Bounds, guess: int | None) -> None:
        """Ask until the value is known: away from the guess, then between the bounds; of a target, once."""
        if self.target is not None:
            if bounds.low < self.target <= bounds.high:
                self.ask(state, bounds, self.target)
            return
        first, steps = Bounds(bounds.low, bounds.high), iter(STEPS)
        while bounds.low < bounds.high:
            step = 0 if guess is None or bounds.low <= guess <= bounds.high else next(steps, STEPS[-1])
            self.ask(state, bounds, next_target(bounds, first, guess, step, self.lean))

    @property
    def lean(self) -> float:
        """How near to the upper bound to ask: where a yes costs much more than a no, so that it will be a no.

        Costs differ by far: to an easy question any card is an answer, and seldom the first by a short way.
        """
        no, yes = self.costs
        if yes > MUCH_DEARER * no:
            return EVEN + LEAN
        return EVEN - LEAN if no > MUCH_DEARER * yes else EVEN

    def ask(self, state: french.State, bounds: Bounds, target: int) -> None:
        """Ask whether the taker's side comes to `target`, and draw the bounds closer."""
        position = lay(self.board, self.rules, state)
        set_goal(self.board, target)
        self.board[at.BEST_CARD] = NO_CARD
        before = self.clock.nodes
        margin, board = self.searched(position)
        reached = int(margin >= 0)
        self.costs[reached] = (self.costs[reached] + self.clock.nodes - before) // 2
        if (margin >= 0) == (state.turn is not None and state.side(state.turn) == "taker"):
            self.hint = int(board[at.BEST_CARD])
        found = score_bound(self.board, *position.open_ends, margin)
        if margin >= 0:
            bounds.low = max(bounds.low, found)
        else:
            bounds.high = min(bounds.high, found)

    def searched(self, position: Position) -> tuple[int, Ints]:
        """What a search finds, and on which board; what takes long is searched by all threads."""
        threads = 1
        while True:  # what a slice has found is in the table, and the next one begins there
            # Each slice is longer than the last: so the answer is found.
            longest = self.clock.nodes + (SLICE if self.clock.end == inf else FIRST_SLICE)
            most = self.clock.slice(FIRST_SLICE, longest)
            while self.table.full_at <= self.clock.nodes:
                self.table.grow()
            most = self.team.share_of(min(most, self.table.full_at - self.clock.nodes), threads)
            share(self.boards, threads)
            search = partial(run, table=self.table.in_use, position=position)
            found, nodes, board = self.team.ask(self.boards[:threads], most, search)
            self.clock.nodes += nodes
            if found is not None:
                return found, board
            threads = self.team.threads

    # --- the line --------------------------------------------------------------------------------------

    def line(
        self, state: french.State, best: Card | None, value: int, length: int | None
    ) -> tuple[tuple[tuple[Seat, Action], ...], bool]:
        """Best play, the first of the best cards each time, and whether it has come as far as it should."""
        line: list[tuple[Seat, Action]] = []
        hint = self.hint if self.team.threads == 1 else None  # of two threads nobody knows whose it was
        while state.phase == "play" and (length is None or len(line) < length):
            assert state.turn is not None
            try:
                card = best or self.keeping(state, value, hint)
            except TimeIsUp:
                return tuple(line), False
            line.append((state.turn, Play(card)))
            state, best, hint = self.after(state, card), None, None
        return tuple(line), True

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
