"""The Danish search in which every place plays for itself (max^n).

A value is what the three places gain from here on, side by side in one word. Who is to move takes what gains
him most; of what is equal to him, what gains the next hand least, then the third. That is a total order, so
the value of a position does not depend on the order of its moves.
"""

from __future__ import annotations

from ultimo.danish.following import THIRD_LAST, legal_cards
from ultimo.kernel.bits import count
from ultimo.kernel.danish.search import layout as at
from ultimo.kernel.danish.search.moves import (
    CARD_BITS,
    DEPTH_SHIFT,
    MOVE_BITS,
    NAME_SHIFT,
    THIRD_WORD_SHIFT,
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
from ultimo.kernel.danish.search.side import DEMANDED, NOT_ASKED, TRICKS, may_announce, only_card
from ultimo.kernel.danish.search.tables import gain_of
from ultimo.kernel.jit import Ints, compiled, inlined
from ultimo.play.following import FIRST_TRUMP, NO_SUIT, SKUS_BIT, SKUS_CARD, TRUMP_SUIT


@inlined
def is_better(one: int, other: int, place: int) -> bool:
    """Whether a place would rather have one outcome than another."""
    mine, yours = gain_of(one, place), gain_of(other, place)
    if mine != yours:
        return mine > yours
    place = next_place(place)
    mine, yours = gain_of(one, place), gain_of(other, place)
    if mine != yours:
        return mine < yours
    place = next_place(place)
    return gain_of(one, place) < gain_of(other, place)


@inlined
def _preferred(one: int, other: int, place: int) -> int:
    return other if is_better(other, one, place) else one


@inlined
def _keep(w: Ints, home: int, one: int, two: int, three: int, left: int, value: int) -> None:
    """Note the value of a position. Of two places the first is kept for what has more tricks left."""
    played = home
    if w[home]:
        if (w[home + 2] >> DEPTH_SHIFT & 31) > left:
            played = home + at.ENTRY
        else:
            for word in range(at.ENTRY):
                w[home + at.ENTRY + word] = w[home + word]
    w[played], w[played + 1], w[played + 2], w[played + 3] = (
        one,
        two,
        three << THIRD_WORD_SHIFT | left << DEPTH_SHIFT,
        value,
    )


@compiled
def search_all(
    w: Ints, leader: int, played: int, led: int, first: int, second: int, demand: int, past: int
) -> int:
    """What the three places gain from here on; the arguments are those of `side.search`."""
    w[at.NODES] += 1
    zero = played - played  # variables: a recursive function is never given a literal
    none = zero - 1
    if w[at.NODES] > w[at.LIMIT]:
        w[at.STOP] = 1
        return zero
    place = leader + played if played >= 0 else leader + played + 3
    if place > 2:
        place -= 3
    following = next_place(place)
    if played < 0:
        best = search_all(w, leader, played + 1, led, first, second, demand, past)
        number = TRICKS - count(w[at.SUITS + leader]) - count(w[at.TRUMPS + leader])
        for kind in range(1, w[at.KINDS] + 1):
            if w[at.STOP] == 0 and may_announce(w, past, place, kind, number):
                announced = past | kind << (at.KIND_SHIFT + 4 * place)
                value = search_all(w, leader, played + 1, led, first, second, demand, announced)
                best = _preferred(best, value, place)
        return best
    suits, trumps = w[at.SUITS + place], w[at.TRUMPS + place]
    left = count(suits) + count(trumps)
    number = TRICKS - left
    one, two, three, home = zero, zero, zero, zero
    if played == 0:
        if left == 1:
            leading = following if trumps & SKUS_BIT and w[at.PASSES] else leader
            if not w[at.TRUMPS + leading] & SKUS_BIT:
                return _last(w, leading, past)
        elif demand == NOT_ASKED:
            one, two, three = key_of(w, leader, past)
            home = home_of(w, one, two, three)
            known = find(w, home, one, two, three)
            if known >= 0:
                return w[known + 3]
    best = zero + at.UNKNOWN
    if number == THIRD_LAST and demand == NOT_ASKED and trumps & SKUS_BIT and w[at.DEMANDABLE]:
        asked, answered = demand + 1, demand + 2
        demanded = search_all(w, leader, played, led, first, second, asked, past)
        best = search_all(w, leader, played, led, first, second, answered, past)
        for asker in range(2, -1, -1):  # forehand is asked first, so decides last
            if asker != place:
                best = _preferred(best, demanded, asker)
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
            moves = put_cards(w, base, 3 * played + place, may_suits, may_trumps, none)
            if may_trumps & SKUS_BIT:
                if played == 0:
                    moves = put_names(w, base, moves, SKUS_CARD, following, next_place(following), 0)
                else:
                    moves = put_move(w, base, moves, SKUS_CARD, 0)
        for index in range(moves):
            move = w[base + index] & MOVE_BITS
            card, name = move & CARD_BITS, (move >> NAME_SHIFT) - 1
            value = zero
            if naming:
                value = search_all(w, leader, played, name + zero, first, second, demand, past)
            else:
                remove(w, place, card)
                if played == 0:
                    suit = card // 14 if card < FIRST_TRUMP else TRUMP_SUIT + zero
                    if card == SKUS_CARD:
                        suit = name
                        if w[at.RENAMES] and suit_out(w, following, next_place(following), suit):
                            suit = none
                    value = search_all(w, leader, played + 1, suit, card, second, demand, past)
                elif played == 1:
                    value = search_all(w, leader, played + 1, led, first, card, demand, past)
                else:
                    took = taker(w, leader, first, second, card, led)
                    if left == 1:
                        value = last_points(w, past, leader, took, first, second, card)
                    else:
                        gain, after = trick_points(w, past, leader, took, first, second, card)
                        start = zero
                        if w[at.WINDOWS] >> (number + 1) & 1:
                            start = zero - 3
                        value = gain + search_all(w, took, start, none, first, second, zero, after)
                remove(w, place, card)
            if w[at.STOP]:
                break
            if best == at.UNKNOWN or is_better(value, best, place):
                best = value
        w[at.OUT_SUITS], w[at.OUT_TRUMPS] = out_suits, out_trumps
    if w[at.STOP]:
        return zero
    if one:
        _keep(w, home, one, two, three, left, best)
    return best


@inlined
def _last(w: Ints, leader: int, past: int) -> int:
    """What the last trick brings, when nobody has a choice."""
    first = only_card(w, leader)
    second = only_card(w, next_place(leader))
    third = only_card(w, next_place(next_place(leader)))
    led = first // 14 if first < FIRST_TRUMP else TRUMP_SUIT
    took = taker(w, leader, first, second, third, led)
    return last_points(w, past, leader, took, first, second, third)
