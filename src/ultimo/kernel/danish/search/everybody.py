"""The Danish search in which every place plays for itself (max^n).

A value is what the three places gain from here on, side by side in one word. Who is to move takes what gains
them most; of what is equal to them, what gains the next hand least, then the third. That is a total order, so
the value of a position does not depend on the order of its moves. There is no window to cut with: only the
transposition table saves work, the more so as an entry may hold for other remainders of the counts.
"""

from __future__ import annotations

from ultimo.danish.following import LAST
from ultimo.danish.phases import can_be_demanded
from ultimo.kernel.danish.search import layout as at
from ultimo.kernel.danish.search import moves, remainders, transposition
from ultimo.kernel.danish.search.remainders import EVERY_SHIFT, NO_SHIFT, order_of, with_counts
from ultimo.kernel.jit import Ints, concurrent, tight
from ultimo.kernel.pausing import more_positions
from ultimo.play.following import SKUS_BIT


@concurrent
def search_all(w: Ints, leader: int, trick: int, past: int) -> int:
    """What the three places gain from here on; the arguments are those of `side.search`."""
    value = _search(w, leader, trick, past)
    return remainders.counted_from(w, value, past) if remainders.holds_widely(w, past) else value


@tight
def _search(w: Ints, leader: int, trick: int, past: int) -> int:
    """What the three places gain from here on, without the counts where what is found holds widely.

    On the board stands then what the piles come to, and for which shifts of their remainders the same is
    played. From there on the past says that nothing is counted.
    """
    w[at.NODES] += 1
    if w[at.NODES] > w[at.LIMIT]:
        w[at.LIMIT] += more_positions()
        if w[at.NODES] > w[at.LIMIT]:
            w[at.STOP] = 1
            return 0
    played, best = moves.cards_on_table(trick), at.UNKNOWN
    if played < 0:  # the places from the leader on may announce, one after the other
        place = moves.place_after(leader, played + 3)
        for kind in range(w[at.KINDS] + 1):
            if w[at.STOP] == 0 and moves.announceable(w, past, place, kind, moves.trick_number(w, leader)):
                value = _search(w, leader, trick + 1, moves.announced(past, place, kind))
                if best == at.UNKNOWN or order_of(value, place) > order_of(best, place):
                    best = value
        return best
    place = moves.place_after(leader, played)
    number = moves.trick_number(w, place)
    left = LAST + 1 - number
    asked = moves.demand_of(trick) != at.NOT_ASKED
    key, keyed, wide = (0, 0, 0), False, remainders.holds_widely(w, past)
    piles, shifts = 0, EVERY_SHIFT
    if wide:
        past |= at.BARE
    if played == 0 and left == 1:
        leading = moves.last_leader(w, leader)
        if leading >= 0:
            best, after = moves.last_trick(w, leading, past)
            w[at.PILES], w[at.SHIFTS] = remainders.piles_of(after), EVERY_SHIFT
            return best
    elif played == 0 and not asked:
        keyed = True
        if wide:
            key = remainders.key_of(w, leader, past)
            known = remainders.probe(w, key, past)
            if known != at.UNKNOWN:
                return known
        else:
            key = transposition.key_of(w, leader, past)
            entry, move, known = transposition.probe(w, transposition.bucket_of(w, key), key)
            if entry >= 0 and move == 0:
                return known
    holds = w[at.TRUMPS + place] & SKUS_BIT != 0
    if not asked and can_be_demanded(w, number, not holds):
        demanded = _search(w, leader, trick + (at.DEMANDED << at.DEMAND_SHIFT), past)
        demanded_piles, demanded_shifts = w[at.PILES], w[at.SHIFTS]
        best = _search(w, leader, trick + (at.ANSWERED << at.DEMAND_SHIFT), past)
        piles, shifts = w[at.PILES], demanded_shifts & w[at.SHIFTS]
        for asker in range(2, -1, -1):  # forehand is asked first, so decides last
            if asker != place:
                more = order_of(with_counts(w, wide, best, piles), asker)
                more -= order_of(with_counts(w, wide, demanded, demanded_piles), asker)
                if wide:
                    shifts &= remainders.agreeing(w, asker, more, piles, demanded_piles)
                if more < 0:
                    best, piles = demanded, demanded_piles
    else:
        out_suits, out_trumps = w[at.OUT_SUITS], w[at.OUT_TRUMPS]
        base = moves.room_for_moves(left, trick)
        listed = moves.list_moves(w, base, place, number, trick, 0, -1)
        liked = 0
        for index in range(listed):
            if w[at.MARKS_AT]:
                moves.choose(w, base, index, listed, left, trick, past)
            move = w[base + index] & moves.MOVE_BITS
            moves.make(w, place, trick, move)
            leads, after, then, value, over = moves.after_move(w, leader, number, trick, past, move)
            if over:
                w[at.PILES], w[at.SHIFTS] = remainders.piles_of(then), EVERY_SHIFT
            else:
                value += _search(w, leads, after, then)
                if not wide and remainders.holds_widely(w, then):
                    value = remainders.counted_from(w, value, then)
            moves.make(w, place, trick, move)
            if w[at.MARKS_AT]:
                moves.unmark(w, base)
            if w[at.STOP]:
                break
            likes = order_of(with_counts(w, wide, value, w[at.PILES]), place)
            if wide:
                shifts &= w[at.SHIFTS]
                if index and shifts != NO_SHIFT:
                    shifts &= remainders.agreeing(w, place, liked - likes, piles, w[at.PILES])
            if index == 0 or likes > liked:
                best, liked, piles = value, likes, w[at.PILES]
        w[at.OUT_SUITS], w[at.OUT_TRUMPS] = out_suits, out_trumps
    if w[at.STOP]:
        return 0
    if wide and keyed:
        remainders.store(w, key, left, past, best, piles, shifts)
    elif keyed:
        transposition.store(w, transposition.make_room(w, key, left), key, left, -1, best)
    w[at.PILES], w[at.SHIFTS] = piles, shifts
    return best
