"""The Danish search in which every place plays for itself (max^n).

A value is what the three places gain from here on, side by side in one word. Who is to move takes what gains
them most; of what is equal to them, what gains the next hand least, then the third. That is a total order, so
the value of a position does not depend on the order of its moves. There is no window to cut with: only the
transposition table saves work.
"""

from __future__ import annotations

from ultimo.danish.following import LAST
from ultimo.danish.phases import can_be_demanded
from ultimo.kernel.danish.search import layout as at
from ultimo.kernel.danish.search import moves, transposition
from ultimo.kernel.danish.search.tables import gain_of
from ultimo.kernel.jit import Ints, concurrent, inlined
from ultimo.play.following import SKUS_BIT


@concurrent
def search_all(w: Ints, leader: int, trick: int, past: int) -> int:
    """What the three places gain from here on; the arguments are those of `side.search`."""
    w[at.NODES] += 1
    if w[at.NODES] > w[at.LIMIT]:
        w[at.STOP] = 1
        return 0
    played, best = moves.cards_on_table(trick), at.UNKNOWN
    if played < 0:  # the places from the leader on may announce, one after the other
        place = moves.place_after(leader, played + 3)
        for kind in range(w[at.KINDS] + 1):
            if w[at.STOP] == 0 and moves.announceable(w, past, place, kind, moves.trick_number(w, leader)):
                value = search_all(w, leader, trick + 1, moves.announced(past, place, kind))
                best = preferred(best, value, place)
        return best
    place = moves.place_after(leader, played)
    number = moves.trick_number(w, place)
    left = LAST + 1 - number
    asked = moves.demand_of(trick) != at.NOT_ASKED
    key, keyed = (0, 0, 0), False
    if played == 0 and left == 1:
        leading = moves.last_leader(w, leader)
        if leading >= 0:
            return moves.last_trick(w, leading, past)
    elif played == 0 and not asked:
        key, keyed = transposition.key_of(w, leader, past), True
        entry, _, known = transposition.probe(w, transposition.bucket_of(w, key), key)
        if entry >= 0:
            return known
    holds = w[at.TRUMPS + place] & SKUS_BIT != 0
    if not asked and can_be_demanded(w, number, not holds):
        demanded = search_all(w, leader, trick + (at.DEMANDED << at.DEMAND_SHIFT), past)
        best = search_all(w, leader, trick + (at.ANSWERED << at.DEMAND_SHIFT), past)
        for asker in range(2, -1, -1):  # forehand is asked first, so decides last
            if asker != place:
                best = preferred(best, demanded, asker)
    else:
        out_suits, out_trumps = w[at.OUT_SUITS], w[at.OUT_TRUMPS]
        base = moves.room_for_moves(left, trick)
        listed = moves.list_moves(w, base, place, number, trick, -1)
        for index in range(listed):
            if w[at.MARKS_AT]:
                moves.choose(w, base, index, listed, left, trick, past)
            move = w[base + index] & moves.MOVE_BITS
            moves.make(w, place, trick, move)
            leads, after, then, value, over = moves.after_move(w, leader, number, trick, past, move)
            if not over:
                value += search_all(w, leads, after, then)
            moves.make(w, place, trick, move)
            if w[at.MARKS_AT]:
                moves.unmark(w, base)
            if w[at.STOP]:
                break
            best = preferred(best, value, place)
        w[at.OUT_SUITS], w[at.OUT_TRUMPS] = out_suits, out_trumps
    if w[at.STOP]:
        return 0
    if keyed:
        transposition.store(w, transposition.make_room(w, key, left), key, left, -1, best)
    return best


@inlined
def preferred(one: int, other: int, place: int) -> int:
    """The outcome that a place would rather have; it would rather have any than one that is not known yet."""
    return other if one == at.UNKNOWN or is_better(other, one, place) else one


@inlined
def is_better(one: int, other: int, place: int) -> bool:
    """Whether a place would rather have one outcome than another."""
    mine, yours = gain_of(one, place), gain_of(other, place)
    if mine != yours:
        return mine > yours
    place = moves.next_place(place)
    mine, yours = gain_of(one, place), gain_of(other, place)
    if mine != yours:
        return mine < yours
    place = moves.next_place(place)
    return gain_of(one, place) < gain_of(other, place)
