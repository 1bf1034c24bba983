"""From a world to its neighbour: two hidden cards change places, where all that is known still fits.

Worlds drawn one as likely as another are seldom among the likely ones, once it counts how somebody would have
played their cards. A chain of small changes, each taken or left by how likely it is (Metropolis), leads
there. A change is as likely to be proposed as the one back: the chain favours no world by itself.
"""

from __future__ import annotations

from ultimo.kernel.bits import count
from ultimo.kernel.dice import draw
from ultimo.kernel.jit import Ints, Words, inlined, tight
from ultimo.kernel.worlds import fit
from ultimo.kernel.worlds import knowledge as at
from ultimo.kernel.worlds.count import GOT_SUITS, GOT_TRUMPS, LEFT, Floats, Paper, is_allowed
from ultimo.kernel.worlds.knowledge import Knowledge
from ultimo.play.following import REAL_TRUMPS


@tight
def throw(dice: Words, lots: Floats) -> None:
    """Numbers from 0 up to but not including 1."""
    for number in range(len(lots)):
        lots[number] = fit.unit(dice)


@tight
def exchange(k: Knowledge, dice: Words, w: Paper, suits: Ints, trumps: Ints, moved: Ints) -> None:
    """Propose a neighbour of every world, in its place; `moved` says which have one that fits."""
    places = len(k.places)
    for world in range(len(moved)):
        moved[world] = 0
        if places < 2:
            continue
        one = draw(dice, places)
        other = draw(dice, places - 1)
        other += other >= one
        here, there = k.places[one, at.ROW], k.places[other, at.ROW]
        from_suits, from_trumps = _hidden_card(k, here, suits[world], trumps[world], dice)
        to_suits, to_trumps = _hidden_card(k, there, suits[world], trumps[world], dice)
        if not _may_lie(k, from_suits, from_trumps, other) or not _may_lie(k, to_suits, to_trumps, one):
            continue
        _swap(suits[world], trumps[world], here, there, from_suits | to_suits, from_trumps | to_trumps)
        if fits(k, w, suits[world], trumps[world]):
            moved[world] = 1
        else:
            _swap(suits[world], trumps[world], here, there, from_suits | to_suits, from_trumps | to_trumps)


@inlined
def _hidden_card(k: Knowledge, row: int, suits: Ints, trumps: Ints, dice: Words) -> tuple[int, int]:
    """Any of the cards in a row that are not known to lie there."""
    return fit.pick(dice, suits[row] & ~k.known[row, 0], trumps[row] & ~k.known[row, 1], 1)


@inlined
def _may_lie(k: Knowledge, suits: int, trumps: int, place: int) -> bool:
    """Whether a card may lie in a place."""
    for kind in range(len(k.classes)):
        if k.classes[kind, at.SUITS] & suits or k.classes[kind, at.TRUMPS_WORD] & trumps:
            return bool(k.classes[kind, at.ALLOWED] >> place & 1)
    return False


@inlined
def _swap(suits: Ints, trumps: Ints, here: int, there: int, of_suits: int, of_trumps: int) -> None:
    """Let two cards change rows, or back."""
    suits[here] ^= of_suits
    suits[there] ^= of_suits
    trumps[here] ^= of_trumps
    trumps[there] ^= of_trumps


@inlined
def fits(k: Knowledge, w: Paper, suits: Ints, trumps: Ints) -> bool:
    """Whether a whole world fits what was heard; each card lies where it may."""
    desk = w.desk
    for place in range(len(k.places)):
        row = k.places[place, at.ROW]
        desk[GOT_SUITS, place] = suits[row] & ~k.known[row, 0]
        desk[GOT_TRUMPS, place] = trumps[row] & ~k.known[row, 1]
        desk[LEFT, place] = k.places[place, at.ROOM] - count(desk[GOT_TRUMPS, place] & REAL_TRUMPS)
    if not is_allowed(k, k.levels[at.AFTER_TRUMPS], desk):
        return False
    for place in range(len(k.places)):
        desk[LEFT, place] = k.places[place, at.ROOM] - count(desk[GOT_TRUMPS, place])
    if not is_allowed(k, k.levels[at.AFTER_SKUS], desk):
        return False
    if not fit.declares_as_heard(k, w) or not fit.holds_what_it_must(k, desk):
        return False
    return not k.laid[at.DOUBTFUL] or fit.lays_as_heard(k, w)
