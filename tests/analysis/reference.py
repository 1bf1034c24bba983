"""The open-card solver as one would explain it: try everything the engine allows.

The whole tree of an ending is grown once with `deal.legal` and `deal.step`; every goal is then read off it.
Positions that differ only in how they came about are grown once; nothing else is left out, and nothing of
the real solver is used.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol, TypeAlias

from msgspec.structs import replace

from ultimo import danish, deal, french
from ultimo.cards import SKUS, ULTIMO_CARDS, Card
from ultimo.danish.following import THIRD_LAST
from ultimo.danish.state import Trick
from ultimo.events import (
    Action,
    Announce,
    Decline,
    DemandSkus,
    NameSkus,
    Play,
    Scored,
    Seat,
)
from ultimo.rulebook import Rules

MOVES = (
    Play,
    NameSkus,
    DemandSkus,
    Decline,
    Announce,
)  # what a solver weighs; questions to the dealer are not
Vector: TypeAlias = tuple[int, ...]  # what each seat of the table gains


class Event(Protocol):
    """One atom of a claim, as the solver has it."""

    @property
    def what(self) -> str: ...
    @property
    def seat(self) -> Seat: ...
    @property
    def card(self) -> Card | None: ...
    @property
    def holds(self) -> bool: ...


class TooManyPositions(Exception):
    """The tree of an ending is too large to be grown."""


class Node:
    """A position: who is to decide, and what each of his moves gains everybody and leads to."""

    __slots__ = ("end", "mover", "moves", "value")

    def __init__(self, mover: Seat | None = None, end: End | None = None) -> None:
        self.mover = mover
        self.end = end  # how the deal ends, if this is its end
        self.moves: list[Move] = []
        self.value = 0  # French: the value of the deal, if this is its end


class Move:
    """One of a seat's moves."""

    __slots__ = ("action", "gains", "seat", "to")

    def __init__(self, seat: Seat, action: Action, gains: Vector, to: Node) -> None:
        self.seat = seat
        self.action = action
        self.gains = gains
        self.to = to


class End:
    """What a claim about a Danish deal is judged by."""

    def __init__(self, won: Sequence[int], last: Trick, fallen: Fates) -> None:
        self.won = tuple(won)
        self.last = last
        self.fallen = fallen  # kings and pagat that fell before the last trick


Fates: TypeAlias = frozenset[tuple[Seat, Card, bool]]  # whose, which, and whether it took its trick


def fates(tricks: Iterable[Trick]) -> Fates:
    """What became of the kings and the pagat in these tricks."""
    return frozenset(
        (play.seat, play.card, play.seat == trick.winner)
        for trick in tricks
        for play in trick.plays
        if play.card.bit & ULTIMO_CARDS
    )


# --- growing the tree ----------------------------------------------------------------------------------


class Tree:
    """Everything that can happen from a position on."""

    def __init__(self, rules: Rules, state: deal.State, most: int = 1_000_000) -> None:
        self.rules = rules
        self.state = state
        self.most = most
        self.known: dict[object, Node] = {}
        self.table = state.table
        self.past = len(state.tricks)
        self.fallen = fates(state.tricks) if isinstance(state, danish.State) else frozenset()
        self.root = self._danish_root(state) if isinstance(state, danish.State) else self._turn(state)

    def _step(self, state: deal.State, seat: Seat, action: Action) -> tuple[Any, Vector, int]:
        after, events = deal.step(self.rules, state, seat, action)
        gains = tuple(now - before for now, before in zip(after.net, state.net, strict=True))
        value = next((event.value for event in events if isinstance(event, Scored)), 0)
        return after, gains, value

    def _turn(self, state: deal.State) -> Node:
        """The position in which the seat that the deal waits for moves."""
        key = self._danish_key(state) if isinstance(state, danish.State) else french_key(state)
        if key in self.known:
            return self.known[key]
        if len(self.known) >= self.most:
            raise TooManyPositions
        (mover, *_) = deal.waiting_for(self.rules, state)
        node = self.known[key] = Node(mover)
        for action in deal.legal(self.rules, state, mover):
            if isinstance(action, MOVES) and not (
                isinstance(action, DemandSkus) and state.phase != "demand"
            ):  # a late demand is asked for apart
                node.moves.append(self._move(state, mover, action))
        return node

    def _move(self, state: deal.State, seat: Seat, action: Action) -> Move:
        after, gains, value = self._step(state, seat, action)
        if deal.is_over(after):
            leaf = Node()
            leaf.value = value
            if isinstance(after, danish.State):
                recent = fates(after.tricks[self.past : -1])
                leaf.end = End(after.won, after.tricks[-1], self.fallen | recent)
            return Move(seat, action, gains, leaf)
        to = self._position(after) if isinstance(after, danish.State) else self._turn(after)
        return Move(seat, action, gains, to)

    def _danish_key(self, state: danish.State) -> object:
        """A position without its past: what has been paid, and in which order the tricks were won."""
        return replace(state, net=(), tricks=(), kings_lost=()), fates(state.tricks[self.past :])

    # --- Danish: when the skus is demanded -------------------------------------------------------------

    def _danish_root(self, state: danish.State) -> Node:
        """The position that is asked about: where the window stands open, its first seat answers in it.

        Where the skus may be demanded now, those who may are listed before its holder; the holder's moves
        are what they are when nobody does.
        """
        askers = self._askers(state)
        if not askers:
            return self._turn(state)
        holder = self._turn(state)
        root = Node(None)
        root.moves = [self._move(state, seat, DemandSkus()) for seat in askers] + holder.moves
        self.question = self._question(state, askers)
        return root

    question: Node | None = None  # the root with the demand still open, which says what it is worth

    def _position(self, state: danish.State) -> Node:
        """A position of the tree: nobody demands in the window, but just before the holder's turn."""
        while state.phase == "demand":
            state = self._step(state, state.asked[0], Decline())[0]
        askers = self._askers(state)
        return self._question(state, askers) if askers else self._turn(state)

    def _askers(self, state: danish.State) -> tuple[Seat, ...]:
        """Who may demand the skus now, its holder being on turn: forehand, middle, dealer."""
        if state.phase != "play" or state.number != THIRD_LAST or not state.hands[state.turn] & SKUS:
            return ()
        return tuple(seat for seat in state.order if DemandSkus() in deal.legal(self.rules, state, seat))

    def _question(self, state: danish.State, askers: tuple[Seat, ...]) -> Node:
        if not askers:
            return self._turn(state)
        node = Node(askers[0])
        node.moves = [
            self._move(state, askers[0], DemandSkus()),
            Move(askers[0], Decline(), (0,) * self.table, self._question(state, askers[1:])),
        ]
        return node

    @property
    def start(self) -> Node:
        """The position as it is worth to everybody, with a demand that may still come."""
        return self.question or self.root


def french_key(state: deal.State) -> object:
    """A position without the order of its tricks: their winners, the last one and the excuse's matter."""
    assert isinstance(state, french.State)
    excuse = None if state.excuse is None else state.tricks[state.excuse]
    sides = frozenset(trick.winner for trick in state.tricks)
    return replace(state, tricks=(), excuse=None), len(state.tricks), state.tricks[-1:], excuse, sides


# --- reading goals off the tree ------------------------------------------------------------------------


Values: TypeAlias = list[tuple[Seat, Action, int]]


def forced(tree: Tree, claim: Iterable[Event], side: frozenset[Seat]) -> tuple[int, Values]:
    """1 where the side can bring about all atoms of the claim, else 0: now, and after each move."""
    atoms = tuple(claim)
    found: dict[Node, int] = {}

    def value(node: Node) -> int:
        if node not in found:
            if node.end is not None:
                found[node] = int(all(occurs(atom, node.end) is atom.holds for atom in atoms))
            else:
                best = max if node.mover in side else min
                found[node] = best(value(move.to) for move in node.moves)
        return found[node]

    return value(tree.start), [(move.seat, move.action, value(move.to)) for move in tree.root.moves]


def occurs(atom: Event, end: End) -> bool:
    """Whether an event has come about in a deal."""
    seat, last = atom.seat, end.last
    match atom.what:
        case "nolo":
            return end.won[seat] == 0
        case "tout":
            return end.won[seat] == sum(end.won)
        case "lastTrick":
            return any(
                play.seat == seat == last.winner and atom.card in (None, play.card) for play in last.plays
            )
        case "ultimo" | "bagud":
            return (seat, atom.what == "ultimo") in [
                (whose, took) for whose, card, took in fates([last]) if atom.card in (None, card)
            ]
        case "home" | "lost":
            return (seat, atom.what == "home") in [
                (whose, took) for whose, card, took in end.fallen if atom.card in (None, card)
            ]
        case _:
            raise AssertionError(atom.what)


def gained(tree: Tree, side: frozenset[Seat]) -> tuple[int, Values]:
    """What the side gains from here on, all others being against it: now, and with each move."""
    found: dict[Node, int] = {}

    def value(node: Node) -> int:
        if node not in found:
            if not node.moves:
                found[node] = 0
            else:
                best = max if node.mover in side else min
                found[node] = best(map(through, node.moves))
        return found[node]

    def through(move: Move) -> int:
        return sum(move.gains[seat] for seat in side) + value(move.to)

    return value(tree.start), [(move.seat, move.action, through(move)) for move in tree.root.moves]


def everybody(tree: Tree) -> tuple[Vector, list[tuple[Seat, Action, Vector]]]:
    """What everybody gains when each seat plays for itself: now, and with each move.

    Of what is equal to himself a player takes what is worst for the next hand, then for the third.
    """
    state = tree.state
    assert isinstance(state, danish.State)
    found: dict[Node, Vector] = {}

    def value(node: Node) -> Vector:
        if node not in found:
            if not node.moves:
                found[node] = (0,) * tree.table
            else:
                assert node.mover is not None
                mine, next_hand = node.mover, state.after(node.mover)
                third = state.after(next_hand)
                found[node] = max(map(through, node.moves), key=lambda v: (v[mine], -v[next_hand], -v[third]))
        return found[node]

    def through(move: Move) -> Vector:
        return tuple(a + b for a, b in zip(move.gains, value(move.to), strict=True))

    return value(tree.start), [(move.seat, move.action, through(move)) for move in tree.root.moves]


def scored(tree: Tree) -> tuple[int, Values]:
    """French: what each defender pays, the taker's side against the defence: now, and with each move."""
    state = tree.state
    assert isinstance(state, french.State)
    found: dict[Node, int] = {}

    def value(node: Node) -> int:
        if node not in found:
            if node.mover is None:
                found[node] = node.value
            else:
                best = max if state.side(node.mover) == "taker" else min
                found[node] = best(value(move.to) for move in node.moves)
        return found[node]

    return value(tree.root), [(move.seat, move.action, value(move.to)) for move in tree.root.moves]
