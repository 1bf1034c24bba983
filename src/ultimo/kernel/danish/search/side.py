"""The Danish search for a side: can it reach a target, all others playing against it?

Alpha-beta with a null window: one question at a time is asked, whether what comes from here on is at least
`target`. The answer is a bound on the value, on the side of the target where the value lies. Positions before
a lead are looked up in the transposition table; moves are ordered by the table's move, by what a trick
brings, by the history heuristic, and leads also by how few replies they leave.

A position that is not known is first searched in the *bare game*, where nothing is counted: what it brings
and what the count can still bring may answer the question.
"""

from __future__ import annotations

from ultimo.danish.following import LAST, legal_cards
from ultimo.danish.phases import can_be_demanded
from ultimo.kernel.bits import count, highest, lowest
from ultimo.kernel.danish.search import layout as at
from ultimo.kernel.danish.search import moves, transposition
from ultimo.kernel.danish.search.tables import counted, is_counted, way_of
from ultimo.kernel.jit import Ints, concurrent, inlined
from ultimo.kernel.pausing import more_positions
from ultimo.kernel.searching import one_of_each
from ultimo.play.following import FIRST_TRUMP, REAL_TRUMPS, SKUS_BIT

GAIN_WEIGHT = 5000  # what a point of the trick counts in the order of moves, beside the history
MOST_HISTORY = 1000  # what was good lately counts, and not what was good in the first question
BARED_FROM = 5  # tricks left: with fewer the bare game saves nothing
NO_MOVE = -1
UNTRIED = 100  # what a lead counts beside its history, before it is divided by the replies to it


@concurrent
def search(w: Ints, leader: int, trick: int, past: int, target: int) -> int:
    """A bound on what comes from here on: a lower one if it is at least `target`, else an upper one.

    `trick` is what lies on the table, one word (see `moves`), `past` what has happened that still matters.
    """
    w[at.NODES] += 1
    if w[at.NODES] > w[at.LIMIT]:
        w[at.LIMIT] += more_positions()
        if w[at.NODES] > w[at.LIMIT]:
            w[at.STOP] = 1
            return target
    played = moves.cards_on_table(trick)
    place = moves.place_after(leader, played + 3 if played < 0 else played)
    maximal = w[at.SIDE + place] != 0
    best, best_move = -at.FAR if maximal else at.FAR, 0
    if played < 0:  # the places from the leader on may announce, one after the other
        for kind in range(w[at.KINDS] + 1):
            if moves.announceable(w, past, place, kind, moves.trick_number(w, leader)):
                value = search(w, leader, trick + 1, moves.announced(past, place, kind), target)
                best = max(best, value) if maximal else min(best, value)
                if w[at.STOP] or is_cut(maximal, best, target):
                    break
        return best
    number = moves.trick_number(w, place)
    left = LAST + 1 - number
    asked = moves.demand_of(trick) != at.NOT_ASKED
    key, keyed, hash_card = (0, 0, 0), False, -1
    if played == 0 and left == 1:
        leading = moves.last_leader(w, leader)
        if leading >= 0:
            value, _ = moves.last_trick(w, leading, past)
            return value
    elif played == 0 and not asked:
        bound = quick_bound(w, past, target)
        if bound != at.FAR:
            return bound
        key, keyed = transposition.key_of(w, leader, past), True
        entry, move, known = transposition.probe(w, transposition.bucket_of(w, key), key)
        if entry >= 0:
            low, high = transposition.bounds_in(known)
            if low >= target or high < target:
                return low if low >= target else high
            hash_card = transposition.card_of(move)
        elif w[at.BARED] and past < at.BARE and left >= BARED_FROM and is_counted(past):
            least, most = count_with_sure_tricks(w, past)
            nearer = least if w[at.BARED] == 1 else most  # one against two gets the smaller part of it
            bound = search(w, leader, trick, past | at.BARE, target - nearer)
            if w[at.STOP]:
                return target
            if bound + least >= target or bound + most < target:
                bound += least if bound + least >= target else most
                transposition.store_bound(w, key, left, NO_MOVE, bound, target)
                return bound
    holds = w[at.TRUMPS + place] & SKUS_BIT != 0
    if not asked and can_be_demanded(w, number, not holds):
        asks = w[at.ASK + place]
        best = search(w, leader, trick + (at.DEMANDED << at.DEMAND_SHIFT), past, target)
        if asks != at.BOTH_ASK and not is_cut(asks == at.MAX_ASKS, best, target):
            other = search(w, leader, trick + (at.ANSWERED << at.DEMAND_SHIFT), past, target)
            best = max(best, other) if asks == at.MAX_ASKS else min(best, other)
    else:
        out_suits, out_trumps = w[at.OUT_SUITS], w[at.OUT_TRUMPS]
        base = moves.room_for_moves(left, trick)
        listed = moves.list_moves(w, base, place, number, trick, way_of(past), hash_card)
        if listed > 1 and left > 1 and w[at.MODE] != at.CLAIMED:
            if played == 2:
                order_by_gain(w, base, listed, leader, trick, past, place)
            elif played == 0:
                order_by_replies(w, base, listed, place, number, way_of(past))
        for index in range(listed):
            if w[at.MARKS_AT]:
                moves.choose(w, base, index, listed if index else 1, left, trick, past)
            move, value = w[base + index] & moves.MOVE_BITS, 0
            if not is_fatal(w, left, trick, move):
                moves.make(w, place, trick, move)
                leads, after, then, value, over = moves.after_move(w, leader, number, trick, past, move)
                if not over:
                    value += search(w, leads, after, then, target - value)
                moves.make(w, place, trick, move)
            if w[at.MARKS_AT]:
                moves.unmark(w, base)
            if w[at.STOP]:
                break
            if (value > best) if maximal else (value < best):
                best, best_move = value, move
                if is_cut(maximal, best, target):
                    break
        w[at.OUT_SUITS], w[at.OUT_TRUMPS] = out_suits, out_trumps
        if listed > 1 and is_cut(maximal, best, target) and not w[at.STOP]:
            good = at.HISTORY + 78 * (3 * played + place) + (best_move & moves.CARD_BITS)
            w[good] += (MOST_HISTORY - w[good]) >> 3
    if w[at.STOP]:
        return target
    if keyed:
        transposition.store_bound(w, key, left, best_move, best, target)
    return best


@inlined
def is_cut(maximal: bool, best: int, target: int) -> bool:
    """Whether the question is answered: the place to move has what it needs, and need not look further."""
    return (best >= target) == maximal


@inlined
def is_fatal(w: Ints, left: int, trick: int, move: int) -> bool:
    """Whether a claim is lost as soon as this card falls."""
    if w[at.MODE] != at.CLAIMED or left == 1 or moves.is_naming(trick):
        return False
    return moves.is_among(move & moves.CARD_BITS, w[at.FATAL_SUITS], w[at.FATAL_TRUMPS])


@inlined
def order_by_gain(w: Ints, base: int, listed: int, leader: int, trick: int, past: int, place: int) -> None:
    """Order the last cards of a trick anew, by what the trick then brings."""
    for index in range(listed):
        word = w[base + index]
        card = word & moves.CARD_BITS
        took = moves.taker(w, leader, trick, card)
        gain, _ = moves.trick_points(w, past, leader, took, trick, card, False)
        if not w[at.SIDE + place]:
            gain = -gain
        moves.insert_move(w, base, index, word + gain * (GAIN_WEIGHT << moves.SCORE_SHIFT))


@inlined
def order_by_replies(w: Ints, base: int, listed: int, place: int, number: int, way: int) -> None:
    """Order leads anew: what leaves the other side few replies is refuted or not at little cost."""
    replies = 0
    for suit in range(5):
        replies |= replies_to(w, place, number, suit, way) << 10 * suit
    for index in range(listed):
        word = w[base + index]
        move, score = word & moves.MOVE_BITS, word >> moves.SCORE_SHIFT
        if score < moves.HASH_SCORE:
            suit = moves.lead_of(move)
            score = (score + UNTRIED << 6) // (replies >> 10 * suit & 1023)
        moves.insert_move(w, base, index, score << moves.SCORE_SHIFT | move)


@inlined
def replies_to(w: Ints, place: int, number: int, suit: int, way: int) -> int:
    """How many ways the other side has to reply to a lead of some suit, at least one."""
    ways, other = 1, place
    for _ in range(2):
        other = moves.next_place(other)
        if w[at.SIDE + other] != w[at.SIDE + place]:
            suits, trumps = legal_cards(w, w[at.SUITS + other], w[at.TRUMPS + other], suit, number, False)
            suits = one_of_each(suits, w[at.OUT_SUITS], w[at.JOINED_SUITS + way])
            ways *= count(suits) + count(one_of_each(trumps, w[at.OUT_TRUMPS], w[at.JOINED_TRUMPS + way]))
    return max(ways, 1)


# --- bounds ------------------------------------------------------------------------------------------------


@inlined
def count_to_come(w: Ints, past: int) -> tuple[int, int]:
    """What the count can still bring, at least and at most."""
    if way_of(past):
        return 0, 0
    rise, fall, rest = 0, 0, w[at.TOTAL]
    for place in range(3):
        pile = counted(past, place)
        rest -= pile
        rise += w[at.SPARE_HIGH + at.COUNT_SPAN * place + pile]
        fall += w[at.SPARE_LOW + at.COUNT_SPAN * place + pile]
    rise += rest * w[at.SLOPE_HIGH]
    fall += rest * w[at.SLOPE_LOW]
    return -(-fall // w[at.STEP] * w[at.STEP]), rise // w[at.STEP] * w[at.STEP]


@inlined
def count_with_sure_tricks(w: Ints, past: int) -> tuple[int, int]:
    """What the count can still bring, when every hand takes the tricks that it takes however all play.

    Each of them counts one point, and T21 falls in one.
    """
    least, most = count_to_come(w, past)
    more, less = 0, 0
    for place in range(3):
        sure = sure_tricks(w, place)
        if w[at.TRUMPS + place] & w[at.TOP_MASK]:
            sure += w[at.HONOUR + FIRST_TRUMP + lowest(w[at.TOP_MASK])]
        more += sure * (w[at.SLOPE + place] - w[at.SLOPE_LOW])
        less += sure * (w[at.SLOPE_HIGH] - w[at.SLOPE + place])
    return least + more // w[at.STEP] * w[at.STEP], most - less // w[at.STEP] * w[at.STEP]


@inlined
def sure_tricks(w: Ints, place: int) -> int:
    """The tricks that trumps of a hand take for sure: each falls in another, and is lost to a higher one."""
    own = w[at.TRUMPS + place] & REAL_TRUMPS
    others = (w[at.TRUMPS] | w[at.TRUMPS + 1] | w[at.TRUMPS + 2]) & REAL_TRUMPS ^ own
    sure, tried = 0, 0
    while own:
        trump = highest(own)
        own ^= 1 << trump
        tried += 1
        sure = max(sure, tried - count(others >> trump))
    return sure


@inlined
def quick_bound(w: Ints, past: int, target: int) -> int:
    """A bound that answers the question without search, or FAR; only when everybody has taken a trick."""
    if w[at.MODE] == at.CLAIMED or not is_counted(past):
        return at.FAR
    low, high = count_to_come(w, past)
    kings, pagat = 0, 3
    for place in range(3):
        held = count(w[at.SUITS + place] & w[at.KINGS_MASK])
        if held:
            kings |= 1 << place
            lost = held * w[at.LOST_KING_VALUE + place]
            high, low = high + max(0, lost), low + min(0, lost)
        if w[at.TRUMPS + place] & w[at.PAGAT_MASK]:
            pagat = place
            high, low = high + w[at.PAGAT_HIGH + place], low + w[at.PAGAT_LOW + place]
    played = (kings * 4 + pagat) * 5 + (past >> at.KINGS_SHIFT & 7)
    high += w[at.ENDS_HIGH + played]
    if high < target:
        return high
    low += w[at.ENDS_LOW + played]
    if low >= target:
        return low
    return at.FAR
