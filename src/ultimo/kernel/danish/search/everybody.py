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
from ultimo.kernel.danish.search import moves
from ultimo.kernel.danish.search.tables import gain_of
from ultimo.kernel.danish.search.transposition import bucket_of, key_of, probe, store_value
from ultimo.kernel.jit import Ints, compiled, inlined
from ultimo.play.following import NO_SUIT, SKUS_BIT


@compiled
def search_all(w: Ints, leader: int, trick: int, past: int) -> int:
    """What the three places gain from here on; the arguments are those of `side.search`."""
    w[at.NODES] += 1
    if w[at.NODES] > w[at.LIMIT]:
        w[at.STOP] = 1
        return 0
    played = moves.cards_on_table(trick)
    if played < 0:  # the places from the leader on may announce, one after the other
        place = moves.place_after(leader, played + 3)
        best = search_all(w, leader, trick + 1, past)
        number = moves.trick_number(w, leader)
        for kind in range(1, w[at.KINDS] + 1):
            if w[at.STOP] == 0 and moves.announceable(w, past, place, kind, number):
                announced = past | kind << (at.KIND_SHIFT + 4 * place)
                best = preferred(best, search_all(w, leader, trick + 1, announced), place)
        return best
    place = moves.place_after(leader, played)
    number = moves.trick_number(w, place)
    left = LAST + 1 - number
    asked = moves.demand_of(trick) != at.NOT_ASKED
    one, two, three, bucket = 0, 0, 0, 0
    if played == 0 and left == 1:
        leading = moves.last_leader(w, leader)
        if leading >= 0:
            return moves.last_trick(w, leading, past)
    elif played == 0 and not asked:
        one, two, three = key_of(w, leader, past)
        bucket = bucket_of(w, one, two, three)
        entry = probe(w, bucket, one, two, three)
        if entry >= 0:
            return w[entry + 3]
    best = at.UNKNOWN
    holds = w[at.TRUMPS + place] & SKUS_BIT != 0
    if not asked and can_be_demanded(w, number, not holds):
        demanded = search_all(w, leader, trick + (at.DEMANDED << at.DEMAND_SHIFT), past)
        best = search_all(w, leader, trick + (at.ANSWERED << at.DEMAND_SHIFT), past)
        for asker in range(2, -1, -1):  # forehand is asked first, so decides last
            if asker != place:
                best = preferred(best, demanded, asker)
    else:
        out_suits, out_trumps = w[at.OUT_SUITS], w[at.OUT_TRUMPS]
        if played == 0:
            moves.note_cards_in_play(w)
        base = moves.room_for_moves(left, trick)
        naming = played == 1 and moves.led_suit(trick) == NO_SUIT
        for index in range(moves.list_moves(w, base, place, number, trick, -1)):
            move = w[base + index] & moves.MOVE_BITS
            if not naming:
                moves.remove(w, place, move & moves.CARD_BITS)
            leads, after, then, value, over = moves.after_move(w, leader, number, trick, past, move)
            if not over:
                value += search_all(w, leads, after, then)
            if not naming:
                moves.remove(w, place, move & moves.CARD_BITS)
            if w[at.STOP]:
                break
            if best == at.UNKNOWN or is_better(value, best, place):
                best = value
        w[at.OUT_SUITS], w[at.OUT_TRUMPS] = out_suits, out_trumps
    if w[at.STOP]:
        return 0
    if one:
        store_value(w, bucket, one, two, three, left, best)
    return best


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


@inlined
def preferred(one: int, other: int, place: int) -> int:
    """The outcome that a place would rather have."""
    return other if is_better(other, one, place) else one
