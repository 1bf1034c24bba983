"""Who can force what in a Danish ending: the last trick, an ultimo, another's bagud, the end of an ultimo."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from time import monotonic

from msgspec import Struct

from ultimo import danish
from ultimo.analysis.solver.solver import Atom, Claim, solve
from ultimo.cards import ULTIMO_CARDS, Cards, cards
from ultimo.events import Seat
from ultimo.rulebook import DanishRules


class Forced(Struct, frozen=True):
    """What some seats together can bring about, whatever the others do."""

    side: tuple[Seat, ...]
    atom: Atom


class Forcing(Struct, frozen=True):
    """Everything that can be forced; `exact` is false if time ran out before all of it was tried."""

    found: tuple[Forced, ...]
    exact: bool


def wishes(state: danish.State, side: tuple[Seat, ...]) -> Iterator[Atom]:
    """What a side may want to force: for itself the last trick and its ultimos, for the others their bagud.

    To prevent another's ultimo is worth a wish of its own: it is less than to play him bagud.
    """
    for seat in side:
        yield Atom("lastTrick", seat)
        for card in cards(_still_held(state, seat) & ULTIMO_CARDS):
            yield Atom("ultimo", seat, card)
    for seat in state.order:
        if seat not in side:
            for card in cards(_still_held(state, seat) & ULTIMO_CARDS):
                yield Atom("bagud", seat, card)
                yield Atom("ultimo", seat, card, holds=False)


def _still_held(state: danish.State, seat: Seat) -> Cards:
    """The cards that a seat may yet play to the last trick, or has just played to it."""
    return state.hands[seat] or sum(play.card.bit for play in state.trick if play.seat == seat)


def forcing(rules: DanishRules, state: danish.State, *, seconds: float | None = None) -> Forcing:
    """Everything that a seat alone, or two together, can force.

    Two together are told only what neither of them can do alone; and nobody is told that he can prevent an
    ultimo if he can do more and play its owner bagud.
    """
    end = None if seconds is None else monotonic() + seconds
    found: list[Forced] = []
    exact = True
    for size in (1, 2):
        for side in combinations(state.order, size):
            for atom in wishes(state, side):
                if _is_known(found, side, atom):
                    continue
                left = None if end is None else max(0.0, end - monotonic())
                solution = solve(
                    rules, state, Claim((atom,)), frozenset(side), seconds=left, line=0, actions=()
                )
                exact = exact and solution.exact
                if solution.value == 1:
                    found.append(Forced(side, atom))
    return Forcing(tuple(found), exact)


def _is_known(found: list[Forced], side: tuple[Seat, ...], atom: Atom) -> bool:
    """Whether some of the side are known to force this already, or a bagud that implies it."""
    more = Atom("bagud", atom.seat, atom.card) if not atom.holds else atom
    return any(one.atom in (atom, more) and set(one.side) <= set(side) for one in found)
