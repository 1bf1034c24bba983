"""The Danish search for a side: can it reach a target, all others playing against it?

Alpha-beta with a null window: one question at a time is asked, whether what comes from here on is at least
`target`. The answer is a bound on the value, on the side of the target where the value lies. Positions before
a lead are looked up in the transposition table; moves are ordered by the table's move, by what a trick brings
and by the history heuristic.
"""

from __future__ import annotations

from ultimo.danish.following import LAST
from ultimo.danish.phases import can_be_demanded
from ultimo.kernel.bits import count
from ultimo.kernel.danish.search import layout as at
from ultimo.kernel.danish.search.moves import (
    CARD_BITS,
    MOVE_BITS,
    SCORE_SHIFT,
    after_move,
    announceable,
    cards_on_table,
    demand_of,
    first_card,
    last_leader,
    last_trick,
    led_suit,
    list_moves,
    note_cards_in_play,
    place_after,
    remove,
    room_for_moves,
    second_card,
    taker,
    trick_number,
    trick_points,
)
from ultimo.kernel.danish.search.tables import counted
from ultimo.kernel.danish.search.transposition import bounds, bucket_of, hash_move, key_of, probe, store_bound
from ultimo.kernel.jit import Ints, compiled, inlined
from ultimo.play.following import FIRST_TRUMP, NO_SUIT, SKUS_BIT

GAIN_WEIGHT = 5000  # what a point of the trick counts in the order of moves, beside the history


@compiled
def search(w: Ints, leader: int, trick: int, past: int, target: int) -> int:
    """A bound on what comes from here on: a lower one if it is at least `target`, else an upper one.

    `trick` is what lies on the table, one word (see `moves`), `past` what has happened that still matters.
    """
    w[at.NODES] += 1
    if w[at.NODES] > w[at.LIMIT]:
        w[at.STOP] = 1
        return target
    played = cards_on_table(trick)
    if played < 0:  # the places from the leader on may announce, one after the other
        place = place_after(leader, played + 3)
        best = search(w, leader, trick + 1, past, target)
        number = trick_number(w, leader)
        for kind in range(1, w[at.KINDS] + 1):
            if w[at.STOP] or is_cut(w[at.SIDE + place] != 0, best, target):
                break
            if announceable(w, past, place, kind, number):
                announced = past | kind << (at.KIND_SHIFT + 4 * place)
                value = search(w, leader, trick + 1, announced, target)
                best = max(best, value) if w[at.SIDE + place] else min(best, value)
        return best
    place = place_after(leader, played)
    number = trick_number(w, place)
    left = LAST + 1 - number
    asked = demand_of(trick) != at.NOT_ASKED
    one, two, three, bucket, tried_first = 0, 0, 0, 0, -1
    if played == 0 and left == 1:
        leading = last_leader(w, leader)
        if leading >= 0:
            return last_trick(w, leading, past)
    elif played == 0 and not asked:
        bound = quick_bound(w, past, target)
        if bound != at.FAR:
            return bound
        one, two, three = key_of(w, leader, past)
        bucket = bucket_of(w, one, two, three)
        entry = probe(w, bucket, one, two, three)
        if entry >= 0:
            low, high = bounds(w, entry)
            if low >= target:
                return low
            if high < target:
                return high
            tried_first = hash_move(w, entry)
    maximal = w[at.SIDE + place] != 0
    best, best_move = -at.FAR if maximal else at.FAR, 0
    holds = w[at.TRUMPS + place] & SKUS_BIT != 0
    if not asked and can_be_demanded(w, number, not holds):
        best = search(w, leader, trick + (at.DEMANDED << at.DEMAND_SHIFT), past, target)
        if w[at.ASK + place] != at.BOTH_ASK and (best >= target) != (w[at.ASK + place] == at.MAX_ASKS):
            other = search(w, leader, trick + (at.ANSWERED << at.DEMAND_SHIFT), past, target)
            best = max(best, other) if w[at.ASK + place] == at.MAX_ASKS else min(best, other)
        if w[at.STOP]:
            return target
    else:
        out_suits, out_trumps = w[at.OUT_SUITS], w[at.OUT_TRUMPS]
        if played == 0:
            note_cards_in_play(w)
        base = room_for_moves(left, trick)
        naming = played == 1 and led_suit(trick) == NO_SUIT
        moves = list_moves(w, base, place, number, trick, tried_first & CARD_BITS if tried_first >= 0 else -1)
        if played == 2 and moves > 1 and left > 1 and w[at.MODE] != at.CLAIMED:
            order_by_gain(w, base, moves, leader, trick, past, place)
        for index in range(moves):
            move = w[base + index] & MOVE_BITS
            value = 0
            if naming or w[at.MODE] != at.CLAIMED or left == 1 or not is_fatal(w, move & CARD_BITS):
                if not naming:
                    remove(w, place, move & CARD_BITS)
                leads, after, then, value, over = after_move(w, leader, number, trick, past, move)
                if not over:
                    value += search(w, leads, after, then, target - value)
                if not naming:
                    remove(w, place, move & CARD_BITS)
                if w[at.STOP]:
                    break
            if (value > best) if maximal else (value < best):
                best, best_move = value, move
                if is_cut(maximal, best, target):
                    break
        w[at.OUT_SUITS], w[at.OUT_TRUMPS] = out_suits, out_trumps
        if w[at.STOP]:
            return target
        if moves > 1 and is_cut(maximal, best, target):
            w[at.HISTORY + 78 * (3 * played + place) + (best_move & CARD_BITS)] += left * left
    if one:
        store_bound(w, bucket, one, two, three, left, best_move, best, target)
    return best


@inlined
def is_cut(maximal: bool, best: int, target: int) -> bool:
    """Whether the question is answered: the place to move has what it needs, and need not look further."""
    return (best >= target) == maximal


@inlined
def is_fatal(w: Ints, card: int) -> bool:
    """Whether a claim is lost as soon as this card falls."""
    if card >= FIRST_TRUMP:
        return (w[at.FATAL_TRUMPS] >> (card - FIRST_TRUMP) & 1) != 0
    return (w[at.FATAL_SUITS] >> card & 1) != 0


@inlined
def order_by_gain(w: Ints, base: int, moves: int, leader: int, trick: int, past: int, place: int) -> None:
    """Order the last cards of a trick anew, by what the trick then brings."""
    first, second, led = first_card(trick), second_card(trick), led_suit(trick)
    for index in range(moves):
        word = w[base + index]
        card = word & CARD_BITS
        took = taker(w, leader, first, second, card, led)
        gain, _ = trick_points(w, past, leader, took, first, second, card)
        if not w[at.SIDE + place]:
            gain = -gain
        word += gain * (GAIN_WEIGHT << SCORE_SHIFT)
        spot = index
        while spot > 0 and w[base + spot - 1] < word:
            w[base + spot] = w[base + spot - 1]
            spot -= 1
        w[base + spot] = word


@inlined
def quick_bound(w: Ints, past: int, target: int) -> int:
    """A bound that answers the question without search, or FAR; only when everybody has taken a trick."""
    if w[at.MODE] == at.CLAIMED or past & at.ZERO_BITS or past >> at.KIND_SHIFT:
        return at.FAR
    kings, high, low, rise, fall = 0, 0, 0, 0, 0
    pagat = 3
    rest = w[at.TOTAL]
    for place in range(3):
        held = count(w[at.SUITS + place] & w[at.KINGS_MASK])
        if held:
            kings |= 1 << place
            lost = held * w[at.LOST_KING_VALUE + place]
            high, low = high + max(0, lost), low + min(0, lost)
        if w[at.TRUMPS + place] & w[at.PAGAT_MASK]:
            pagat = place
            high, low = high + w[at.PAGAT_HIGH + place], low + w[at.PAGAT_LOW + place]
        pile = counted(past, place)
        rest -= pile
        rise += w[at.SPARE_HIGH + at.COUNT_SPAN * place + pile]
        fall += w[at.SPARE_LOW + at.COUNT_SPAN * place + pile]
    played = (kings * 4 + pagat) * 5 + (past >> at.KINGS_SHIFT & 7)
    rise += rest * w[at.SLOPE_HIGH]
    high += w[at.ENDS_HIGH + played] + rise // w[at.STEP] * w[at.STEP]
    if high < target:
        return high
    fall += rest * w[at.SLOPE_LOW]
    low += w[at.ENDS_LOW + played] - -fall // w[at.STEP] * w[at.STEP]
    if low >= target:
        return low
    return at.FAR
