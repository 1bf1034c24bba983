"""Solving a Danish position: the engine names the actions and their payments, the search values what follows.

The skus is demanded in the third-last trick just before its holder's turn: the two others are asked, forehand
before middle before dealer, and one yes is enough. In the window before that trick nobody demands, except
where the window is the position that is asked about: then its first seat answers in it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection
from contextlib import closing
from functools import partial
from math import inf
from typing import Generic, TypeAlias, TypeVar

from msgspec import Struct

from ultimo import danish
from ultimo.analysis.solver.limits import Bounds, Clock, TimeIsUp
from ultimo.analysis.solver.solver import Atom, Claim, Goal, Solution, Valued
from ultimo.analysis.solver.team import Team, Words
from ultimo.cards import ALL_CARDS, SKUS, ULTIMO_CARDS, Cards
from ultimo.danish.following import LAST, THIRD_LAST
from ultimo.events import Action, Announce, Decline, DemandSkus, NameSkus, Play, Seat
from ultimo.kernel import NotCompilable
from ultimo.kernel.danish.search import layout as at
from ultimo.kernel.danish.search.everybody import search_all
from ultimo.kernel.danish.search.moves import worth_of_counts
from ultimo.kernel.danish.search.setup import Board, Query
from ultimo.kernel.danish.search.side import search
from ultimo.kernel.danish.search.tables import gain_of
from ultimo.rulebook import DanishRules

IN_PLAY = ("announce", "demand", "play", "name")
MOVES = (Play, NameSkus, DemandSkus, Decline, Announce)
STRIDE = 5  # how far from a bound the next question goes at first
FIRST_SLICE, LONGEST_SLICE = 1 << 16, 1 << 60  # positions searched before the clock is read
EVENTS = {
    "ultimo": at.ULTIMO,
    "bagud": at.BAGUD,
    "home": at.HOME,
    "lost": at.LOST,
    "lastTrick": at.LAST_TRICK,
    "nolo": at.NOLO,
    "tout": at.TOUT,
}
BEFORE_LAST = ("home", "lost")
OF_THE_DEAL = ("nolo", "tout")

Choice: TypeAlias = tuple[Seat, Action]
Gains: TypeAlias = tuple[int, ...]  # of the three places
V = TypeVar("V")  # a value: points of a side, or the gains of all


def solve(
    rules: DanishRules,
    state: danish.State,
    goal: Goal,
    side: frozenset[Seat] | None,
    *,
    seconds: float | None,
    nodes: int | None,
    memory: int,
    line: int | None,
    actions: Collection[Action] | None,
    threads: int,
) -> Solution:
    """Solve a Danish position; see `ultimo.analysis.solver.solve`."""
    _check(rules, state)
    clock = Clock(seconds, nodes)
    with closing(Team(threads, Words(at.NODES, at.LIMIT, at.STOP))) as team:
        return _solver(rules, state, goal, side, clock, team, memory).solution(line, actions)


def _solver(
    rules: DanishRules,
    state: danish.State,
    goal: Goal,
    side: frozenset[Seat] | None,
    clock: Clock,
    team: Team,
    memory: int,
) -> _Side | _Everybody:
    """Who solves the question."""
    if side is None:
        if isinstance(goal, Claim):
            raise ValueError("a claim needs the side that makes it")
        return _Everybody(rules, state, clock, team, memory)
    if not side or not side < set(state.order):
        raise ValueError("a side is one or two of the three active seats")
    if isinstance(goal, Claim):
        return _Claimants(rules, state, clock, team, memory, side, goal.atoms)
    return _Side(rules, state, clock, team, memory, side)


def _check(rules: DanishRules, state: danish.State) -> None:
    """Refuse what the search cannot express, and what is no position."""
    for name in rules.strict.__struct_fields__:
        if name not in ("cite", "lenient") and getattr(rules.strict, name):
            raise NotCompilable(f"strict.{name}: where errors are possible, no play is certain")
    if state.banned or state.barren or state.charged is not None or state.liable:
        raise NotCompilable("the search does not know the lasting effects of fines")
    if state.phase not in IN_PLAY:
        raise ValueError(f"a position in play is needed, not one in the phase {state.phase!r}")
    played = [play.seat for play in state.trick]
    sizes = {state.hands[seat].bit_count() + (seat in played) for seat in state.order}
    if any(state.unseen[seat] for seat in state.order) or sizes != {LAST + 1 - state.number}:
        raise ValueError("all cards of the three hands must be known, one for each trick to come")


class _Worth(Struct, Generic[V], frozen=True):
    """What a position comes to, as far as it is known: the best guess, and what is proven of it."""

    value: V
    least: int | None
    most: int | None

    @property
    def exact(self) -> bool:
        """Whether it is known."""
        return self.least is not None and self.least == self.most


class _Solver(ABC, Generic[V]):
    """A solution in the making. All values are counted from the root."""

    def __init__(self, rules: DanishRules, root: danish.State, clock: Clock, team: Team, memory: int) -> None:
        self.rules, self.root, self.clock, self.team, self.memory = rules, root, clock, team, memory

    @abstractmethod
    def worths(self, seats: list[Seat], states: list[danish.State]) -> list[_Worth[V]]:
        """What positions come to; bounds are told to the seats that bring them about."""

    @abstractmethod
    def best(self, seat: Seat, values: list[V]) -> V:
        """What a seat takes."""

    @abstractmethod
    def told(self, seat: Seat, value: V) -> tuple[int, Gains | None]:
        """A value as it is told: what it means to a seat, and the gains of all at the table."""

    @abstractmethod
    def demander(self, state: danish.State, askers: tuple[Seat, ...], value: V) -> Seat | None:
        """Who of those who may demand the skus does so, in a position of some value."""

    @abstractmethod
    def keeping(self, state: danish.State, choices: list[Choice], value: V) -> Choice:
        """The first action that keeps the value of a position for the one on turn."""

    def solution(self, length: int | None, actions: Collection[Action] | None) -> Solution:
        """Value the actions, all or those that are asked for, and play a line of so many best ones."""
        demands: list[Choice] = [(seat, DemandSkus()) for seat in self.askers(self.root)]
        own = self.choices(self.root)
        first, valued = (demands + own)[0][0], tuple[Valued, ...]()
        none = actions is not None and not actions
        if none and self.root.phase != "demand":  # a window is answered by its first seat alone
            (whole,) = self.worths([first], [self.root])
            best, exact = whole.value, whole.exact
        else:
            if actions:
                demands, own = ([one for one in some if one[1] in actions] for some in (demands, own))
            best, exact, valued = self.valued(demands, own)
        value, points = self.told(first, best)
        line = self.line(best, length) if exact else ()
        told = () if none else valued
        return Solution(value, points, told, line, exact, self.clock.nodes, self.clock.passed)

    def valued(self, demands: list[Choice], own: list[Choice]) -> tuple[V, bool, tuple[Valued, ...]]:
        """What the best choice comes to, whether every one is known, and what they are worth."""
        both = demands + own
        if not both:
            raise ValueError("none of these actions can be taken here")
        worths = self.worths([seat for seat, _ in both], [self.step(self.root, choice) for choice in both])
        values = [one.value for one in worths]
        best = self.best(own[0][0], values[len(demands) :]) if own else values[-1]
        for (seat, _), one in reversed([*zip(demands, values, strict=False)]):
            best = self.best(seat, [best, one])  # they are asked before the holder of the skus moves
        valued = (
            Valued(*choice, *self.told(choice[0], one.value), one.least, one.most)
            for choice, one in zip(both, worths, strict=True)
        )
        return best, all(one.exact for one in worths), tuple(valued)

    def line(self, value: V, length: int | None) -> tuple[Choice, ...]:
        """So many actions that keep the value, to the end of the deal or of the time at most."""
        line: list[Choice] = []
        state = self.root
        try:
            while state.phase != "closed" and (length is None or len(line) < length):
                line.append(self._next(state, value))
                state = self.step(state, line[-1])
        except TimeIsUp:
            pass
        return tuple(line)

    def _next(self, state: danish.State, value: V) -> Choice:
        """What is done in a position: a demand comes before the one on turn plays."""
        if state.phase == "demand" and state is not self.root:
            return state.asked[0], Decline()
        askers = self.askers(state)
        demander = self.demander(state, askers, value) if askers else None
        if demander is not None:
            return demander, DemandSkus()
        return self.keeping(state, self.choices(state), value)

    def askers(self, state: danish.State) -> tuple[Seat, ...]:
        """Who may demand the skus now, its holder being on turn in the third-last trick."""
        if state.phase != "play" or state.number != THIRD_LAST or not state.hands[state.turn] & SKUS:
            return ()
        return tuple(seat for seat in state.order if DemandSkus() in danish.legal(self.rules, state, seat))

    def choices(self, state: danish.State) -> list[Choice]:
        """What the seat may do that the deal waits for; where several are asked, the first."""
        (mover, *_) = danish.waiting_for(self.rules, state)
        return [
            (mover, action)
            for action in danish.legal(self.rules, state, mover)
            if isinstance(action, MOVES) and (state.phase == "demand" or not isinstance(action, DemandSkus))
        ]

    def step(self, state: danish.State, choice: Choice) -> danish.State:
        """The position after an action."""
        return danish.step(self.rules, state, *choice)[0]

    def searched(self, board: Board, state: danish.State, answered: bool, search: Callable[..., int]) -> int:
        """What a search finds, given board, leader and trick; a slice too short is followed by another.

        What takes long is searched by all threads.
        """
        threads = 1
        while True:
            leader, trick = board.lay(state, answered)
            most = min(self.clock.slice(FIRST_SLICE, LONGEST_SLICE), threads * board.share(threads))
            found, nodes, _ = self.team.ask(
                board.boards[:threads],
                self.team.share_of(most, threads),
                partial(search, leader=leader, trick=trick),
            )
            self.clock.nodes += nodes
            if found is not None:
                return found
            threads = self.team.threads


# --- a side against the others -------------------------------------------------------------------------


class _Side(_Solver[int]):
    """The search for the points of a side, by null-window questions. A claim is one of its kinds."""

    def __init__(
        self,
        rules: DanishRules,
        root: danish.State,
        clock: Clock,
        team: Team,
        memory: int,
        side: frozenset[Seat],
        atoms: tuple[Atom, ...] | None = None,
    ) -> None:
        super().__init__(rules, root, clock, team, memory)
        self.side, self.atoms = side, atoms or ()
        self.guess = 0
        self.lay_root(tuple(seat in side for seat in root.order))

    def lay_root(self, sides: tuple[bool, ...]) -> None:
        """Lay the root on the board."""
        self.board = Board(self.rules, self.root, sides, None, self.memory, self.team.threads)

    def gains(self, state: danish.State) -> int:
        """What the side has gained since the root."""
        return sum(state.net[seat] - self.root.net[seat] for seat in self.side)

    def standing(self, state: danish.State) -> tuple[int, int]:
        """The past of a position, and what the side has by it: its gains, and the piles as they lie."""
        past = self.board.past_of(state)
        return past, self.gains(state) + int(worth_of_counts(self.board.w, past))

    def decided(self, state: danish.State) -> int | None:
        """What a position comes to if that is already certain."""
        return self.gains(state) if state.phase == "closed" else None

    def all_bounds(self) -> Bounds:
        """What is known without a search."""
        return Bounds(-at.FAR, at.FAR)

    def bound(self, state: danish.State, target: int, *, answered: bool = False) -> int:
        """A bound on what a position comes to, on that side of the target where it lies.

        With `answered` nobody demands the skus of the one on turn.
        """
        certain, always = self.decided(state), self.all_bounds()
        if certain is not None:
            return certain
        if not always.low < target <= always.high:  # of a claim at least 0 is sure, and never more than 1
            return always.low if target <= always.low else always.high
        past, has = self.standing(state)
        asked = self.board.rounding.needed(target) - has
        found = self.searched(self.board, state, answered, partial(search, past=past, target=asked))
        return self.board.rounding.rounded(has + found)

    def bounds(self, state: danish.State, *, answered: bool = False) -> Bounds:
        """What a position comes to, exactly or as far as time allows."""
        found = self.all_bounds()
        self.draw(found, state, answered)
        return found

    def draw(
        self, found: Bounds, state: danish.State, answered: bool = False, questions: float = inf
    ) -> None:
        """Draw the bounds of a position together, until they meet or so many questions are asked."""
        stride, asked = STRIDE, 0
        target = min(max(self.guess, found.low + 1), found.high)
        while found.low < found.high and asked < questions:
            try:
                self.guess = self.bound(state, target, answered=answered)
            except TimeIsUp:
                return
            if self.guess >= target:
                found.low = self.guess
                target = min(found.low + stride, (found.low + found.high + 1) // 2)
            else:
                found.high = self.guess
                target = max(found.high - stride, (found.low + found.high + 1) // 2)
            target = min(max(target, found.low + 1), found.high)
            stride, asked = 2 * stride, asked + 1

    def worths(self, seats: list[Seat], states: list[danish.State]) -> list[_Worth[int]]:
        """Exactly, or else the lower bound, which the side is sure of; before there is one, what is known.

        Where a limit may come, something is asked about every position before all is about any.
        """
        found = [self.all_bounds() for _ in states]
        for questions in (1, inf) if self.clock.limited else (inf,):
            for bounds, state in zip(found, states, strict=True):
                self.draw(bounds, state, questions=questions)
        return [self.worth(bounds) for bounds in found]

    def worth(self, found: Bounds) -> _Worth[int]:
        """Bounds as they are told."""
        least = found.low if found.low > -at.FAR else None
        most = found.high if found.high < at.FAR else None
        return _Worth(least if least is not None else most or 0, least, most)

    def best(self, seat: Seat, values: list[int]) -> int:
        """The most for the side, or the least against it."""
        return max(values) if seat in self.side else min(values)

    def told(self, seat: Seat, value: int) -> tuple[int, None]:
        """The value itself."""
        return value, None

    def demander(self, state: danish.State, askers: tuple[Seat, ...], value: int) -> Seat | None:
        """Who has more of a demand than of what comes without one."""
        instead = self.bounds(state, answered=True).low
        gains = (seat for seat in askers if instead != value and (value > instead) == (seat in self.side))
        return next(gains, None)

    def keeping(self, state: danish.State, choices: list[Choice], value: int) -> Choice:
        """The first action that does; the last one must if no other does."""
        for choice in choices[:-1]:
            wins = choice[0] in self.side
            target = value if wins else value + 1
            if (self.bound(self.step(state, choice), target) >= target) == wins:
                return choice
        return choices[-1]


# --- claims ----------------------------------------------------------------------------------------------


class _Claimants(_Side):
    """The search for a claim of a side: worth 1 if it can be forced, else 0."""

    def lay_root(self, sides: tuple[bool, ...]) -> None:
        """Lay the root and the atoms on the board."""
        if len(self.atoms) > at.MOST_ATOMS:
            raise ValueError(f"a claim has at most {at.MOST_ATOMS} atoms")
        order, queries = self.root.order, []
        for atom in self.atoms:
            if atom.seat not in order:
                raise ValueError(f"seat {atom.seat} does not play in this deal")
            cards = concerned(atom, self.root)
            queries.append(Query(EVENTS[atom.what], order.index(atom.seat), cards, atom.holds))
        self.board = Board(self.rules, self.root, sides, tuple(queries), self.memory, self.team.threads)

    def standing(self, state: danish.State) -> tuple[int, int]:
        """The atoms that are still open."""
        return sum((occurs(atom, state) is None) << number for number, atom in enumerate(self.atoms)), 0

    def decided(self, state: danish.State) -> int | None:
        """0 or 1 if the claim is lost or won."""
        certain = [(occurs(atom, state), atom.holds) for atom in self.atoms]
        if any(happens is not None and happens != holds for happens, holds in certain):
            return 0
        return 1 if all(happens is not None for happens, _ in certain) else None

    def all_bounds(self) -> Bounds:
        """A claim is won or lost."""
        return Bounds(0, 1)


def concerned(atom: Atom, state: danish.State) -> Cards:
    """The cards in play that can make an event happen; all cards where none in particular is meant."""
    if atom.what in OF_THE_DEAL or (atom.what == "lastTrick" and atom.card is None):
        return ALL_CARDS
    table = sum(play.card.bit for play in state.trick if play.seat == atom.seat)
    held = state.hands[atom.seat] | (table if atom.what in BEFORE_LAST or state.number == LAST else 0)
    meant = ULTIMO_CARDS if atom.card is None else atom.card.bit
    return held & (meant if atom.what == "lastTrick" else meant & ULTIMO_CARDS)


def occurs(atom: Atom, state: danish.State) -> bool | None:
    """Whether an event has happened in a deal; None if that is still open."""
    over, seat = state.phase == "closed", atom.seat
    if atom.what in OF_THE_DEAL:
        still = state.won[seat] == (0 if atom.what == "nolo" else sum(state.won))
        return still if over or not still else None
    takes = atom.what in ("ultimo", "home", "lastTrick")
    last = state.tricks[-1:] if over else ()
    for trick in state.tricks[: len(state.tricks) - len(last)] if atom.what in BEFORE_LAST else last:
        for play in trick.plays:
            meant = atom.card in (None, play.card)
            kind = atom.what == "lastTrick" or bool(play.card.bit & ULTIMO_CARDS)
            if play.seat == seat and meant and kind and (trick.winner == seat) == takes:
                return True
    if over or not concerned(atom, state) or (atom.what in BEFORE_LAST and state.number == LAST):
        return False
    return None


# --- every seat for itself -------------------------------------------------------------------------------


class _Everybody(_Solver[Gains]):
    """The search in which every seat plays for its own points."""

    def __init__(self, rules: DanishRules, root: danish.State, clock: Clock, team: Team, memory: int) -> None:
        super().__init__(rules, root, clock, team, memory)
        self.board = Board(rules, root, (False, False, False), None, memory, team.threads)

    def value(self, state: danish.State, *, answered: bool = False) -> Gains:
        """What the three places come to; with `answered` nobody demands the skus of the one on turn."""
        gains = tuple(state.net[seat] - self.root.net[seat] for seat in self.root.order)
        if state.phase == "closed":
            return gains
        past = self.board.past_of(state)
        found = int(worth_of_counts(self.board.w, past)) + self.searched(
            self.board, state, answered, partial(search_all, past=past)
        )
        return tuple(gain + gain_of(found, place) for place, gain in enumerate(gains))

    def worths(self, seats: list[Seat], states: list[danish.State]) -> list[_Worth[Gains]]:
        """Exactly, or else nothing."""
        found: list[_Worth[Gains]] = []
        try:
            for seat, state in zip(seats, states, strict=True):
                gains = self.value(state)
                own, _ = self.told(seat, gains)
                found.append(_Worth(gains, own, own))
        except TimeIsUp:
            pass
        return found + [_Worth((0, 0, 0), None, None)] * (len(states) - len(found))

    def best(self, seat: Seat, values: list[Gains]) -> Gains:
        """The most for itself, then the least for the next hand, then for the third."""
        place = self.root.order.index(seat)
        return max(values, key=lambda v: (v[place], -v[(place + 1) % 3], -v[(place + 2) % 3]))

    def told(self, seat: Seat, value: Gains) -> tuple[int, Gains]:
        """Gains by seat of the table; who sits out gains nothing."""
        order = self.root.order
        gains = tuple(value[order.index(one)] if one in order else 0 for one in range(self.root.table))
        return gains[seat], gains

    def demander(self, state: danish.State, askers: tuple[Seat, ...], value: Gains) -> Seat | None:
        """Who would rather have a demand than what comes without one."""
        whole, instead = self.value(state), self.value(state, answered=True)
        gains = (seat for seat in askers if whole != instead and self.best(seat, [instead, whole]) == whole)
        return next(gains, None)

    def keeping(self, state: danish.State, choices: list[Choice], value: Gains) -> Choice:
        """The first of the best actions."""
        known = [self.value(self.step(state, choice)) for choice in choices]
        return choices[known.index(self.best(choices[0][0], known))]
