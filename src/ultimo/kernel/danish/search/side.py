"""The Danish search for a side: can it reach a target, all others playing against it?

One question at a time is asked (a null window): is what comes from here on at least `target`? The answer is a
bound on the value, on the side of the target where the value lies. Positions before a lead are remembered
with the bounds found for them, under a key that holds the whole position; so no two can be taken for one
another.
"""

from __future__ import annotations

from ultimo.danish.following import THIRD_LAST, legal_cards
from ultimo.kernel.bits import count, lowest
from ultimo.kernel.danish.search import layout as at
from ultimo.kernel.danish.search.moves import (
    CARD_BITS,
    DEPTH_SHIFT,
    MOVE_BITS,
    NAME_SHIFT,
    THIRD_WORD_SHIFT,
    claim_after,
    claim_at_end,
    find,
    home_of,
    key_of,
    last_points,
    next_place,
    put_cards,
    put_move,
    put_names,
    remove,
    suit_out,
    taker,
    trick_points,
)
from ultimo.kernel.danish.search.tables import counted, kind_of
from ultimo.kernel.jit import Ints, compiled, inlined
from ultimo.play.following import FIRST_TRUMP, NO_SUIT, SKUS_BIT, SKUS_CARD, TRUMP_SUIT

TRICKS = 26  # less the cards in hand: the number of the trick
NOT_ASKED, DEMANDED, ANSWERED = 0, 1, 2  # whether the skus is demanded in the third-last trick
MIN_ASKS, MAX_ASKS, BOTH_ASK = 0, 1, 2  # who may demand it: opponents of the side, its friends, one of each
GAINW = 5000
HIGH_SHIFT = 30  # of the two bounds in a word
HIGH_MASK = (1 << HIGH_SHIFT) - 1


@inlined
def may_announce(w: Ints, past: int, place: int, kind: int, number: int) -> bool:
    """Whether a place may make an announcement before a trick.

    Rule: 003 SPILLET; I-9.15.
    """
    if w[at.KIND + 2 * kind + 1] != number or kind_of(past, place):
        return False
    if w[at.KIND + 2 * kind] == at.NOLO_KIND:
        return (past >> place & 1) != 0
    others = at.ZERO_BITS ^ 1 << place
    return (past & others) == others


@inlined
def only_card(w: Ints, place: int) -> int:
    """The one card of a hand."""
    return lowest(w[at.SUITS + place]) if w[at.SUITS + place] else FIRST_TRUMP + lowest(w[at.TRUMPS + place])


@inlined
def _last(w: Ints, leader: int, past: int) -> int:
    """What the last trick brings, when nobody has a choice."""
    first = only_card(w, leader)
    second = only_card(w, next_place(leader))
    third = only_card(w, next_place(next_place(leader)))
    led = first // 14 if first < FIRST_TRUMP else TRUMP_SUIT
    took = taker(w, leader, first, second, third, led)
    if w[at.MODE] == at.CLAIMED:
        return claim_at_end(w, past, leader, took, first, second, third)
    return last_points(w, past, leader, took, first, second, third)


@inlined
def _is_fatal(w: Ints, card: int) -> bool:
    """Whether a claim is lost as soon as this card falls."""
    if card >= FIRST_TRUMP:
        return (w[at.FATAL_TRUMPS] >> (card - FIRST_TRUMP) & 1) != 0
    return (w[at.FATAL_SUITS] >> card & 1) != 0


@inlined
def _bound(w: Ints, past: int, target: int) -> int:
    """A bound that answers the question without search, or FAR; everybody has taken a trick."""
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


@inlined
def _remember(
    w: Ints, home: int, one: int, two: int, three: int, left: int, move: int, bound: int, target: int
) -> None:
    """Note a bound. Of the two places of a key the first is kept for what has more tricks left."""
    known = find(w, home, one, two, three)
    low, high = 0, 2 * at.FAR
    if known >= 0:
        low, high = w[known + 3] >> HIGH_SHIFT, w[known + 3] & HIGH_MASK
    else:
        deep = w[home] and (w[home + 2] >> DEPTH_SHIFT & 31) > left
        known = home + at.ENTRY if deep else home
        if not deep and w[home]:
            for word in range(at.ENTRY):
                w[home + at.ENTRY + word] = w[home + word]
    if bound >= target:
        low = max(low, bound + at.FAR)
    else:
        high = min(high, bound + at.FAR)
    w[known], w[known + 1] = one, two
    w[known + 2] = three << THIRD_WORD_SHIFT | left << DEPTH_SHIFT | (move + 1)
    w[known + 3] = low << HIGH_SHIFT | high


@compiled
def search(
    w: Ints,
    leader: int,
    played: int,
    led: int,
    first: int,
    second: int,
    demand: int,
    past: int,
    target: int,
) -> int:
    """A bound on what comes from here on: a lower one if it is at least `target`, else an upper one.

    `at` cards lie on the table, `first` and `second`, to a lead of suit `led`; a skus that the second hand
    has to name anew has no suit yet. With `at` -3 … -1 the places from the leader on may announce.
    """
    w[at.NODES] += 1
    if w[at.NODES] > w[at.LIMIT]:
        w[at.STOP] = 1
        return target
    zero = played - played  # variables: a recursive function is never given a literal
    none = zero - 1
    if played < 0:
        place = leader + played + 3
        if place > 2:
            place -= 3
        best = search(w, leader, played + 1, led, first, second, demand, past, target)
        number = TRICKS - count(w[at.SUITS + leader]) - count(w[at.TRUMPS + leader])
        for kind in range(1, w[at.KINDS] + 1):
            if w[at.STOP] or (best >= target) == (w[at.SIDE + place] != 0):
                break
            if may_announce(w, past, place, kind, number):
                announced = past | kind << (at.KIND_SHIFT + 4 * place)
                value = search(w, leader, played + 1, led, first, second, demand, announced, target)
                best = max(best, value) if w[at.SIDE + place] else min(best, value)
        return best
    place = leader + played
    if place > 2:
        place -= 3
    following = next_place(place)
    suits, trumps = w[at.SUITS + place], w[at.TRUMPS + place]
    left = count(suits) + count(trumps)
    number = TRICKS - left
    one, two, three, home, hint = zero, zero, zero, zero, none
    if played == 0:
        if left == 1:
            leading = following if trumps & SKUS_BIT and w[at.PASSES] else leader
            if not w[at.TRUMPS + leading] & SKUS_BIT:
                return _last(w, leading, past)
        elif demand == NOT_ASKED:
            if w[at.MODE] != at.CLAIMED and not past & at.ZERO_BITS and not past >> at.KIND_SHIFT:
                bound = _bound(w, past, target)
                if bound != at.FAR:
                    return bound
            one, two, three = key_of(w, leader, past)
            home = home_of(w, one, two, three)
            known = find(w, home, one, two, three)
            if known >= 0:
                low, high = (w[known + 3] >> HIGH_SHIFT) - at.FAR, (w[known + 3] & HIGH_MASK) - at.FAR
                if low >= target:
                    return low
                if high < target:
                    return high
                hint = (w[known + 2] & MOVE_BITS) - 1
    best_move = zero
    maximal = w[at.SIDE + place]
    best = -at.FAR if maximal else at.FAR
    if number == THIRD_LAST and demand == NOT_ASKED and trumps & SKUS_BIT and w[at.DEMANDABLE]:
        asked, answered = demand + 1, demand + 2
        best = search(w, leader, played, led, first, second, asked, past, target)
        if w[at.ASK + place] != BOTH_ASK and (best >= target) != (w[at.ASK + place] == MAX_ASKS):
            other = search(w, leader, played, led, first, second, answered, past, target)
            best = max(best, other) if w[at.ASK + place] == MAX_ASKS else min(best, other)
        if w[at.STOP]:
            return target
    else:
        out_suits, out_trumps = w[at.OUT_SUITS], w[at.OUT_TRUMPS]
        naming = played == 1 and led == NO_SUIT
        base = at.MOVES + at.MOVE_ROOM * (4 * left + (3 if naming else played))
        if played == 0:
            w[at.OUT_SUITS] = w[at.SUITS] | w[at.SUITS + 1] | w[at.SUITS + 2]
            w[at.OUT_TRUMPS] = w[at.TRUMPS] | w[at.TRUMPS + 1] | w[at.TRUMPS + 2]
        if naming:
            moves = put_names(w, base, 0, SKUS_CARD, place, following, 0)
        else:
            may_suits, may_trumps = legal_cards(
                suits, trumps, led, number, demand == DEMANDED, w[at.VOLUNTARY], w[at.BARRED]
            )
            likely = hint & CARD_BITS if hint >= 0 else hint
            moves = put_cards(w, base, 3 * played + place, may_suits, may_trumps, likely)
            if may_trumps & SKUS_BIT:
                score = w[at.HISTORY + 78 * (3 * played + place) + SKUS_CARD]
                if played == 0:
                    moves = put_names(w, base, moves, SKUS_CARD, following, next_place(following), score)
                else:
                    moves = put_move(w, base, moves, SKUS_CARD, score)
        if played == 2 and moves > 1 and left > 1 and w[at.MODE] != at.CLAIMED:
            for index in range(moves):
                word = w[base + index]
                card = word & CARD_BITS
                took = taker(w, leader, first, second, card, led)
                gain, after = trick_points(w, past, leader, took, first, second, card)
                if not maximal:
                    gain = -gain
                word += gain * (GAINW << 12)
                spot = index
                while spot > 0 and w[base + spot - 1] < word:
                    w[base + spot] = w[base + spot - 1]
                    spot -= 1
                w[base + spot] = word
        for index in range(moves):
            move = w[base + index] & MOVE_BITS
            card, name = move & CARD_BITS, (move >> NAME_SHIFT) - 1
            value = zero
            if naming:
                value = search(w, leader, played, name + zero, first, second, demand, past, target)
            elif w[at.MODE] == at.CLAIMED and left > 1 and _is_fatal(w, card):
                value = zero
            else:
                remove(w, place, card)
                if played == 0:
                    suit = card // 14 if card < FIRST_TRUMP else TRUMP_SUIT + zero
                    if card == SKUS_CARD:
                        suit = name
                        if w[at.RENAMES] and suit_out(w, following, next_place(following), suit):
                            suit = none
                    value = search(w, leader, played + 1, suit, card, second, demand, past, target)
                elif played == 1:
                    value = search(w, leader, played + 1, led, first, card, demand, past, target)
                else:
                    took = taker(w, leader, first, second, card, led)
                    if w[at.MODE] == at.CLAIMED:
                        if left == 1:
                            value = claim_at_end(w, past, leader, took, first, second, card)
                        else:
                            after = claim_after(w, past, leader, took, first, second, card)
                            if after < 0:
                                value = zero
                            elif after == 0:
                                value = zero + 1
                            else:
                                value = search(w, took, zero, none, first, second, zero, after, target)
                    elif left == 1:
                        value = last_points(w, past, leader, took, first, second, card)
                    else:
                        gain, after = trick_points(w, past, leader, took, first, second, card)
                        start = zero
                        if w[at.WINDOWS] >> (number + 1) & 1:
                            start = zero - 3
                        value = gain + search(w, took, start, none, first, second, zero, after, target - gain)
                remove(w, place, card)
                if w[at.STOP]:
                    break
            if maximal:
                if value > best:
                    best, best_move = value, move
                    if best >= target:
                        break
            elif value < best:
                best, best_move = value, move
                if best < target:
                    break
        w[at.OUT_SUITS], w[at.OUT_TRUMPS] = out_suits, out_trumps
        if w[at.STOP]:
            return target
        if moves > 1 and (best >= target) == (maximal != 0):
            w[at.HISTORY + 78 * (3 * played + place) + (best_move & CARD_BITS)] += left * left
    if one:
        _remember(w, home, one, two, three, left, best_move, best, target)
    return best
