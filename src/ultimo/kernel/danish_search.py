"""The Danish search for a side: can it reach a target, all others playing against it?

One question at a time is asked (a null window): is what comes from here on at least `target`? The answer is a
bound on the value, on the side of the target where the value lies. Positions before a lead are remembered
with the bounds found for them, under a key that holds the whole position; so no two can be taken for one
another.
"""

from __future__ import annotations

from ultimo.danish.following import THIRD_LAST, legal_cards
from ultimo.kernel.bits import count, lowest
from ultimo.kernel.danish_search_moves import (
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
from ultimo.kernel.danish_search_tables import (
    ASK,
    BARRED,
    CLAIMED,
    COUNT_SPAN,
    DEMANDABLE,
    ENDS_HIGH,
    ENDS_LOW,
    ENTRY,
    FAR,
    FATAL_SUITS,
    FATAL_TRUMPS,
    HISTORY,
    KIND,
    KIND_SHIFT,
    KINDS,
    KINGS_MASK,
    KINGS_SHIFT,
    LIMIT,
    LOST_KING_VALUE,
    MODE,
    MOVE_ROOM,
    MOVES,
    NODES,
    NOLO_KIND,
    OUT_SUITS,
    OUT_TRUMPS,
    PAGAT_HIGH,
    PAGAT_LOW,
    PAGAT_MASK,
    PASSES,
    RENAMES,
    SIDE,
    SLOPE_HIGH,
    SLOPE_LOW,
    SPARE_HIGH,
    SPARE_LOW,
    STEP,
    STOP,
    SUITS,
    TOTAL,
    TRUMPS,
    VOLUNTARY,
    WINDOWS,
    ZERO_BITS,
    counted,
    kind_of,
)
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
    if w[KIND + 2 * kind + 1] != number or kind_of(past, place):
        return False
    if w[KIND + 2 * kind] == NOLO_KIND:
        return (past >> place & 1) != 0
    others = ZERO_BITS ^ 1 << place
    return (past & others) == others


@inlined
def only_card(w: Ints, place: int) -> int:
    """The one card of a hand."""
    return lowest(w[SUITS + place]) if w[SUITS + place] else FIRST_TRUMP + lowest(w[TRUMPS + place])


@inlined
def _last(w: Ints, leader: int, past: int) -> int:
    """What the last trick brings, when nobody has a choice."""
    first = only_card(w, leader)
    second = only_card(w, next_place(leader))
    third = only_card(w, next_place(next_place(leader)))
    led = first // 14 if first < FIRST_TRUMP else TRUMP_SUIT
    took = taker(w, leader, first, second, third, led)
    if w[MODE] == CLAIMED:
        return claim_at_end(w, past, leader, took, first, second, third)
    return last_points(w, past, leader, took, first, second, third)


@inlined
def _is_fatal(w: Ints, card: int) -> bool:
    """Whether a claim is lost as soon as this card falls."""
    if card >= FIRST_TRUMP:
        return (w[FATAL_TRUMPS] >> (card - FIRST_TRUMP) & 1) != 0
    return (w[FATAL_SUITS] >> card & 1) != 0


@inlined
def _bound(w: Ints, past: int, target: int) -> int:
    """A bound that answers the question without search, or FAR; everybody has taken a trick."""
    kings, high, low, rise, fall = 0, 0, 0, 0, 0
    pagat = 3
    rest = w[TOTAL]
    for place in range(3):
        held = count(w[SUITS + place] & w[KINGS_MASK])
        if held:
            kings |= 1 << place
            lost = held * w[LOST_KING_VALUE + place]
            high, low = high + max(0, lost), low + min(0, lost)
        if w[TRUMPS + place] & w[PAGAT_MASK]:
            pagat = place
            high, low = high + w[PAGAT_HIGH + place], low + w[PAGAT_LOW + place]
        pile = counted(past, place)
        rest -= pile
        rise += w[SPARE_HIGH + COUNT_SPAN * place + pile]
        fall += w[SPARE_LOW + COUNT_SPAN * place + pile]
    at = (kings * 4 + pagat) * 5 + (past >> KINGS_SHIFT & 7)
    rise += rest * w[SLOPE_HIGH]
    high += w[ENDS_HIGH + at] + rise // w[STEP] * w[STEP]
    if high < target:
        return high
    fall += rest * w[SLOPE_LOW]
    low += w[ENDS_LOW + at] - -fall // w[STEP] * w[STEP]
    if low >= target:
        return low
    return FAR


@inlined
def _remember(
    w: Ints, home: int, one: int, two: int, three: int, left: int, move: int, bound: int, target: int
) -> None:
    """Note a bound. Of the two places of a key the first is kept for what has more tricks left."""
    known = find(w, home, one, two, three)
    low, high = 0, 2 * FAR
    if known >= 0:
        low, high = w[known + 3] >> HIGH_SHIFT, w[known + 3] & HIGH_MASK
    else:
        deep = w[home] and (w[home + 2] >> DEPTH_SHIFT & 31) > left
        known = home + ENTRY if deep else home
        if not deep and w[home]:
            for word in range(ENTRY):
                w[home + ENTRY + word] = w[home + word]
    if bound >= target:
        low = max(low, bound + FAR)
    else:
        high = min(high, bound + FAR)
    w[known], w[known + 1] = one, two
    w[known + 2] = three << THIRD_WORD_SHIFT | left << DEPTH_SHIFT | (move + 1)
    w[known + 3] = low << HIGH_SHIFT | high


@compiled
def search(
    w: Ints,
    leader: int,
    at: int,
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
    w[NODES] += 1
    if w[NODES] > w[LIMIT]:
        w[STOP] = 1
        return target
    zero = at - at  # variables: a recursive function is never given a literal
    none = zero - 1
    if at < 0:
        place = leader + at + 3
        if place > 2:
            place -= 3
        best = search(w, leader, at + 1, led, first, second, demand, past, target)
        number = TRICKS - count(w[SUITS + leader]) - count(w[TRUMPS + leader])
        for kind in range(1, w[KINDS] + 1):
            if w[STOP] or (best >= target) == (w[SIDE + place] != 0):
                break
            if may_announce(w, past, place, kind, number):
                announced = past | kind << (KIND_SHIFT + 4 * place)
                value = search(w, leader, at + 1, led, first, second, demand, announced, target)
                best = max(best, value) if w[SIDE + place] else min(best, value)
        return best
    place = leader + at
    if place > 2:
        place -= 3
    following = next_place(place)
    suits, trumps = w[SUITS + place], w[TRUMPS + place]
    left = count(suits) + count(trumps)
    number = TRICKS - left
    one, two, three, home, hint = zero, zero, zero, zero, none
    if at == 0:
        if left == 1:
            leading = following if trumps & SKUS_BIT and w[PASSES] else leader
            if not w[TRUMPS + leading] & SKUS_BIT:
                return _last(w, leading, past)
        elif demand == NOT_ASKED:
            if w[MODE] != CLAIMED and not past & ZERO_BITS and not past >> KIND_SHIFT:
                bound = _bound(w, past, target)
                if bound != FAR:
                    return bound
            one, two, three = key_of(w, leader, past)
            home = home_of(w, one, two, three)
            known = find(w, home, one, two, three)
            if known >= 0:
                low, high = (w[known + 3] >> HIGH_SHIFT) - FAR, (w[known + 3] & HIGH_MASK) - FAR
                if low >= target:
                    return low
                if high < target:
                    return high
                hint = (w[known + 2] & MOVE_BITS) - 1
    best_move = zero
    maximal = w[SIDE + place]
    best = -FAR if maximal else FAR
    if number == THIRD_LAST and demand == NOT_ASKED and trumps & SKUS_BIT and w[DEMANDABLE]:
        asked, answered = demand + 1, demand + 2
        best = search(w, leader, at, led, first, second, asked, past, target)
        if w[ASK + place] != BOTH_ASK and (best >= target) != (w[ASK + place] == MAX_ASKS):
            other = search(w, leader, at, led, first, second, answered, past, target)
            best = max(best, other) if w[ASK + place] == MAX_ASKS else min(best, other)
        if w[STOP]:
            return target
    else:
        out_suits, out_trumps = w[OUT_SUITS], w[OUT_TRUMPS]
        naming = at == 1 and led == NO_SUIT
        base = MOVES + MOVE_ROOM * (4 * left + (3 if naming else at))
        if at == 0:
            w[OUT_SUITS] = w[SUITS] | w[SUITS + 1] | w[SUITS + 2]
            w[OUT_TRUMPS] = w[TRUMPS] | w[TRUMPS + 1] | w[TRUMPS + 2]
        if naming:
            moves = put_names(w, base, 0, SKUS_CARD, place, following, 0)
        else:
            may_suits, may_trumps = legal_cards(
                suits, trumps, led, number, demand == DEMANDED, w[VOLUNTARY], w[BARRED]
            )
            likely = hint & CARD_BITS if hint >= 0 else hint
            moves = put_cards(w, base, 3 * at + place, may_suits, may_trumps, likely)
            if may_trumps & SKUS_BIT:
                score = w[HISTORY + 78 * (3 * at + place) + SKUS_CARD]
                if at == 0:
                    moves = put_names(w, base, moves, SKUS_CARD, following, next_place(following), score)
                else:
                    moves = put_move(w, base, moves, SKUS_CARD, score)
        if at == 2 and moves > 1 and left > 1 and w[MODE] != CLAIMED:
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
                value = search(w, leader, at, name + zero, first, second, demand, past, target)
            elif w[MODE] == CLAIMED and left > 1 and _is_fatal(w, card):
                value = zero
            else:
                remove(w, place, card)
                if at == 0:
                    suit = card // 14 if card < FIRST_TRUMP else TRUMP_SUIT + zero
                    if card == SKUS_CARD:
                        suit = name
                        if w[RENAMES] and suit_out(w, following, next_place(following), suit):
                            suit = none
                    value = search(w, leader, at + 1, suit, card, second, demand, past, target)
                elif at == 1:
                    value = search(w, leader, at + 1, led, first, card, demand, past, target)
                else:
                    took = taker(w, leader, first, second, card, led)
                    if w[MODE] == CLAIMED:
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
                        if w[WINDOWS] >> (number + 1) & 1:
                            start = zero - 3
                        value = gain + search(w, took, start, none, first, second, zero, after, target - gain)
                remove(w, place, card)
                if w[STOP]:
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
        w[OUT_SUITS], w[OUT_TRUMPS] = out_suits, out_trumps
        if w[STOP]:
            return target
        if moves > 1 and (best >= target) == (maximal != 0):
            w[HISTORY + 78 * (3 * at + place) + (best_move & CARD_BITS)] += left * left
    if one:
        _remember(w, home, one, two, three, left, best_move, best, target)
    return best
