"""Solving a Danish position: the engine names the actions and their payments, the search values what follows.

The skus is demanded in the third-last trick just before its holder's turn: the two others are asked, forehand
before middle before dealer, and one yes is enough. In the window before that trick nobody demands, except
where the window is the position that is asked about: then its first seat answers in it.
"""

from __future__ import annotations

from math import inf
from time import perf_counter
from typing import TypeAlias

from msgspec import Struct

from ultimo import danish
from ultimo.analysis.solver.solver import Atom, Claim, Goal, Solution, Valued
from ultimo.cards import ALL_CARDS, SKUS, ULTIMO_CARDS, Cards
from ultimo.danish.following import LAST, THIRD_LAST
from ultimo.events import Action, Announce, Decline, DemandSkus, NameSkus, Play, Seat
from ultimo.kernel import NotCompilable
from ultimo.kernel.danish.search import layout as at
from ultimo.kernel.danish.search.everybody import search_all
from ultimo.kernel.danish.search.moves import worth_of_counts
from ultimo.kernel.danish.search.setup import Board, Query, Rounding
from ultimo.kernel.danish.search.side import search
from ultimo.kernel.danish.search.tables import gain_of
from ultimo.rulebook import DanishRules

IN_PLAY = ("announce", "demand", "play", "name")
MOVES = (Play, NameSkus, DemandSkus, Decline, Announce)
STRIDE = 5  # how far from a bound the next question goes at first
FIRST_SLICE = 1 << 16  # positions searched before the clock is read
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


class TimeIsUp(Exception):
    """A limit came before the answer."""


class Bounds(Struct):
    """Between what two values the truth lies."""

    low: int = -at.FAR
    high: int = at.FAR

    @property
    def known(self) -> bool:
        """Whether nothing is left to ask."""
        return self.low == self.high

    @property
    def told(self) -> int:
        """What to tell: the lower bound, which the side is sure of; before there is one, what is known."""
        return self.low if self.low > -at.FAR else self.high if self.high < at.FAR else 0


def solve(
    rules: DanishRules,
    state: danish.State,
    goal: Goal,
    side: frozenset[Seat] | None,
    *,
    seconds: float | None,
    nodes: int | None,
    memory: int,
) -> Solution:
    """Solve a Danish position; see `ultimo.analysis.solver.solve`."""
    _check(rules, state)
    clock = Clock(seconds, nodes)
    if side is None:
        if isinstance(goal, Claim):
            raise ValueError("a claim needs the side that makes it")
        return _Everybody(rules, state, clock, memory).solution()
    if not side or not side < set(state.order):
        raise ValueError("a side is one or two of the three active seats")
    if isinstance(goal, Claim):
        return _Claimants(rules, state, goal, side, clock, memory).solution()
    return _Side(rules, state, side, clock, memory).solution()


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


class Clock:
    """What a search may take, told in positions: how many may be visited before it is looked at again."""

    def __init__(self, seconds: float | None, most: int | None) -> None:
        self.start = perf_counter()
        self.most = 1 << 60 if most is None else most
        self.end = inf if seconds is None else self.start + seconds
        self.nodes = 0

    @property
    def passed(self) -> float:
        """Seconds since the search began."""
        return perf_counter() - self.start

    def slice(self) -> int:
        """How many positions to search next; raises `TimeIsUp`."""
        rest = self.most - self.nodes
        if rest <= 0:
            raise TimeIsUp
        if self.end == inf:
            return rest
        left = self.end - perf_counter()
        if left <= 0:
            raise TimeIsUp
        speed = self.nodes / max(self.passed, 1e-6)
        return min(rest, max(FIRST_SLICE, int(min(speed * left * 0.7, 1e15))))


# --- the position and its actions ----------------------------------------------------------------------


def _askers(rules: DanishRules, state: danish.State) -> tuple[Seat, ...]:
    """Who may demand the skus now, its holder being on turn in the third-last trick."""
    if state.phase != "play" or state.number != THIRD_LAST or not state.hands[state.turn] & SKUS:
        return ()
    return tuple(seat for seat in state.order if DemandSkus() in danish.legal(rules, state, seat))


def _choices(rules: DanishRules, state: danish.State) -> list[Choice]:
    """What the seat may do that the deal waits for; where several are asked, the first."""
    (mover, *_) = danish.waiting_for(rules, state)
    return [
        (mover, action)
        for action in danish.legal(rules, state, mover)
        if isinstance(action, MOVES) and (state.phase == "demand" or not isinstance(action, DemandSkus))
    ]


def _step(rules: DanishRules, state: danish.State, choice: Choice) -> danish.State:
    """The position after an action."""
    return danish.step(rules, state, *choice)[0]


# --- a side against the others -------------------------------------------------------------------------


class _Side:
    """The search for the points of a side. All values are counted from the root."""

    def __init__(
        self, rules: DanishRules, root: danish.State, side: frozenset[Seat], clock: Clock, memory: int
    ) -> None:
        self.rules, self.root, self.side, self.clock = rules, root, side, clock
        self.sides = tuple(seat in side for seat in root.order)
        self.guess = 0
        self.memory = memory
        self.rounding: Rounding | None = None
        self.prepare()

    def prepare(self) -> None:
        """Lay the root on the board. Where counts are paid in steps, a second board counts every point."""
        self.memory //= 2
        self.board = self._laid()
        self.straight = self._laid()
        self.rounding = self.straight.straighten()

    def _laid(self) -> Board:
        return Board(self.rules, self.root, self.sides, None, self.memory)

    def standing(self, board: Board, state: danish.State) -> tuple[int, int]:
        """The past of a position, and what the side has by it: its gains, and the piles as they lie."""
        past = board.past_of(state)
        gains = sum(state.net[seat] - self.root.net[seat] for seat in self.side)
        return past, gains + int(worth_of_counts(board.w, past))

    def decided(self, state: danish.State) -> int | None:
        """What a position comes to if that is already certain."""
        if state.phase != "closed":
            return None
        return sum(state.net[seat] - self.root.net[seat] for seat in self.side)

    def bound(self, state: danish.State, target: int, *, answered: bool = False) -> int:
        """A bound on what a position comes to, on that side of the target where it lies.

        With `answered` nobody demands the skus of the one on turn.
        """
        certain = self.decided(state)
        if certain is not None:
            return certain
        rounding = self.rounding
        if rounding:
            asked = rounding.necessary(target)
            points = self._asked(self.straight, state, asked, answered)
            if points < asked:
                return rounding.most(points)
            enough = rounding.sufficient(target)
            if points < enough:
                points = self._asked(self.straight, state, enough, answered)
            if points >= enough:
                return rounding.least(points)
        return self._asked(self.board, state, target, answered)

    def _asked(self, board: Board, state: danish.State, target: int, answered: bool) -> int:
        """A bound as the search finds it."""
        w = board.w
        past, has = self.standing(board, state)
        while True:
            leader, trick = board.lay(state, answered)
            w[at.NODES], w[at.STOP], w[at.LIMIT] = 0, 0, self.clock.slice()
            found = int(search(w, leader, trick, past, target - has))
            self.clock.nodes += int(min(w[at.NODES], w[at.LIMIT]))  # the one too many is only counted
            if not w[at.STOP]:
                return found + has

    def bounds(self, state: danish.State, *, answered: bool = False) -> Bounds:
        """What a position comes to, exactly or as far as time allows."""
        found, target, stride = self.all_bounds(), self.guess, STRIDE
        try:
            while found.low < found.high:
                guess = self.bound(state, target, answered=answered)
                if guess >= target:
                    found.low = guess
                    target = min(guess + stride, (guess + found.high + 1) // 2)
                else:
                    found.high = guess
                    target = max(guess - stride, (found.low + guess + 1) // 2)
                target = min(max(target, found.low + 1), found.high)
                stride *= 2
            self.guess = found.low
        except TimeIsUp:
            pass
        return found

    def all_bounds(self) -> Bounds:
        """What is known without a search."""
        return Bounds(-at.FAR, at.FAR)

    def solution(self) -> Solution:
        """Value every action, and play a line of best ones."""
        demands: list[Choice] = [(seat, DemandSkus()) for seat in _askers(self.rules, self.root)]
        own = _choices(self.rules, self.root)
        known = [self.bounds(_step(self.rules, self.root, choice)) for choice in demands + own]
        valued = [Valued(*choice, one.told) for choice, one in zip(demands + own, known, strict=True)]
        value = self._best(own[0][0], [one.value for one in valued[len(demands) :]])
        for one in reversed(valued[: len(demands)]):  # they are asked before the holder of the skus moves
            value = self._best(one.seat, [value, one.value])
        exact = all(one.known for one in known)
        line = self._line(value) if exact else ()
        return Solution(value, None, tuple(valued), line, exact, self.clock.nodes, self.clock.passed)

    def _best(self, seat: Seat, values: list[int]) -> int:
        return max(values) if seat in self.side else min(values)

    def _line(self, value: int) -> tuple[Choice, ...]:
        """Actions that keep the value, to the end of the deal or of the time."""
        line: list[Choice] = []
        state = self.root
        try:
            while state.phase != "closed":
                line.append(self._keeping(state, value))
                state = _step(self.rules, state, line[-1])
        except TimeIsUp:
            pass
        return tuple(line)

    def _keeping(self, state: danish.State, value: int) -> Choice:
        """The first action that keeps the value for the one on turn; a demand comes before it."""
        if state.phase == "demand" and state is not self.root:
            return state.asked[0], Decline()
        choices, askers = _choices(self.rules, state), _askers(self.rules, state)
        if askers:
            instead = self.bounds(state, answered=True).low
            for seat in askers:
                if instead != value and (value > instead) == (seat in self.side):
                    return seat, DemandSkus()
        for choice in choices[:-1]:
            wins = choice[0] in self.side
            target = value if wins else value + 1
            if (self.bound(_step(self.rules, state, choice), target) >= target) == wins:
                return choice
        return choices[-1]


# --- claims ----------------------------------------------------------------------------------------------


class _Claimants(_Side):
    """The search for a claim of a side: worth 1 if it can be forced, else 0."""

    def __init__(
        self,
        rules: DanishRules,
        root: danish.State,
        claim: Claim,
        side: frozenset[Seat],
        clock: Clock,
        memory: int,
    ) -> None:
        if len(claim.atoms) > at.MOST_ATOMS:
            raise ValueError(f"a claim has at most {at.MOST_ATOMS} atoms")
        for atom in claim.atoms:
            if atom.seat not in root.order:
                raise ValueError(f"seat {atom.seat} does not play in this deal")
        self.claim = claim
        super().__init__(rules, root, side, clock, memory)

    def prepare(self) -> None:
        """Lay the root and the atoms on the board."""
        queries = tuple(
            Query(EVENTS[atom.what], self.root.order.index(atom.seat), concerned(atom, self.root), atom.holds)
            for atom in self.claim.atoms
        )
        self.board = Board(self.rules, self.root, self.sides, queries, self.memory)

    def standing(self, board: Board, state: danish.State) -> tuple[int, int]:
        """The atoms that are still open."""
        past = 0
        for number, atom in enumerate(self.claim.atoms):
            past |= (occurs(atom, state) is None) << number
        return past, 0

    def decided(self, state: danish.State) -> int | None:
        """0 or 1 if the claim is lost or won."""
        certain = [(occurs(atom, state), atom.holds) for atom in self.claim.atoms]
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


class _Everybody:
    """The search in which every seat plays for its own points. All values are counted from the root."""

    def __init__(self, rules: DanishRules, root: danish.State, clock: Clock, memory: int) -> None:
        self.rules, self.root, self.clock = rules, root, clock
        self.board = Board(rules, root, (False, False, False), None, memory)

    def value(self, state: danish.State, *, answered: bool = False) -> tuple[int, ...]:
        """What the three places come to."""
        gains = [state.net[seat] - self.root.net[seat] for seat in self.root.order]
        if state.phase == "closed":
            return tuple(gains)
        w, past = self.board.w, self.board.past_of(state)
        while True:
            leader, trick = self.board.lay(state, answered)
            w[at.NODES], w[at.STOP], w[at.LIMIT] = 0, 0, self.clock.slice()
            found = int(search_all(w, leader, trick, past))
            self.clock.nodes += int(min(w[at.NODES], w[at.LIMIT]))  # the one too many is only counted
            if not w[at.STOP]:
                found += int(worth_of_counts(w, past))
                return tuple(gain + gain_of(found, place) for place, gain in enumerate(gains))

    def solution(self) -> Solution:
        """Value every action, and play a line of best ones."""
        demands: list[Choice] = [(seat, DemandSkus()) for seat in _askers(self.rules, self.root)]
        own = _choices(self.rules, self.root)
        known: list[tuple[int, ...]] = []
        try:
            for choice in demands + own:
                known.append(self.value(_step(self.rules, self.root, choice)))
        except TimeIsUp:
            pass
        exact = len(known) == len(demands) + len(own)
        known += [(0, 0, 0)] * (len(demands) + len(own) - len(known))
        valued = [
            Valued(seat, action, gains[self._place(seat)], self._told(gains))
            for (seat, action), gains in zip(demands + own, known, strict=True)
        ]
        best = self._best(own[0][0], known[len(demands) :])
        for (seat, _), gains in reversed([*zip(demands, known, strict=False)]):
            best = self._best(seat, [best, gains])
        line = self._line() if exact else ()
        value = best[self._place((demands + own)[0][0])]
        return Solution(
            value, self._told(best), tuple(valued), line, exact, self.clock.nodes, self.clock.passed
        )

    def _place(self, seat: Seat) -> int:
        return self.root.order.index(seat)

    def _told(self, gains: tuple[int, ...]) -> tuple[int, ...]:
        """Gains by seat of the table; who sits out gains nothing."""
        order = self.root.order
        return tuple(gains[order.index(seat)] if seat in order else 0 for seat in range(self.root.table))

    def _best(self, seat: Seat, values: list[tuple[int, ...]]) -> tuple[int, ...]:
        """What a seat takes: the most for itself, then the least for the next hand, then for the third."""
        place = self._place(seat)
        return max(values, key=lambda v: (v[place], -v[(place + 1) % 3], -v[(place + 2) % 3]))

    def _line(self) -> tuple[Choice, ...]:
        """What everybody would do, to the end of the deal or of the time."""
        line: list[Choice] = []
        state = self.root
        try:
            while state.phase != "closed":
                line.append(self._chosen(state))
                state = _step(self.rules, state, line[-1])
        except TimeIsUp:
            pass
        return tuple(line)

    def _chosen(self, state: danish.State) -> Choice:
        if state.phase == "demand" and state is not self.root:
            return state.asked[0], Decline()
        choices, askers = _choices(self.rules, state), _askers(self.rules, state)
        if askers:
            whole, instead = self.value(state), self.value(state, answered=True)
            for seat in askers:
                if whole != instead and self._best(seat, [instead, whole]) == whole:
                    return seat, DemandSkus()
        known = [self.value(_step(self.rules, state, choice)) for choice in choices]
        return choices[known.index(self._best(choices[0][0], known))]
