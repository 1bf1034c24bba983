"""The open-card search of French Tarot: two sides, every card seen, one question.

`search` tells by how much the taker's side passes or misses the mark (`goal`) if both sides
play their best: exactly so far as the answer to the question, and elsewhere as a bound. It tries one card of
each group that comes to the same, remembers positions between tricks by the order of the cards left and not
by their ranks, and leaves off where the tricks that a hand wins in any case decide.
"""

from __future__ import annotations

from ultimo.french import numbers as rule
from ultimo.french.following import UNBEATEN, fall, legal_cards, top_trump
from ultimo.french.phases import barred_suits
from ultimo.french.reckoning import NO_SEAT, NOBODY, TAKER, pile_bouts, pile_half_points
from ultimo.kernel.bits import lowest
from ultimo.kernel.french.search import layout as at
from ultimo.kernel.french.search.goal import mark_place, range_place
from ultimo.kernel.french.search.transposition import (
    FARTHEST,
    NO_CARD,
    bounds_of,
    card_of,
    find,
    position_key,
    remember,
)
from ultimo.kernel.french.search.tricks import (
    MIDDLE,
    PETIT,
    PIPS,
    last_trick,
    one_of_each,
    sure_bounds,
    trick_share,
)
from ultimo.kernel.jit import Ints, compiled, inlined
from ultimo.play.following import (
    FIRST_TRUMP,
    NO_SUIT,
    REAL_TRUMPS,
    SKUS_CARD,
    in_force,
    strength,
)

NO_PROMISE = 4096


@inlined
def promise_of(card: int, led: int, best: int, ahead: bool, points: int) -> int:
    """How promising a card is: much in a trick that one's side would win, little in one of the others'."""
    if card == SKUS_CARD:
        return 4 * points if ahead else -4 * points
    trump = card >= FIRST_TRUMP
    rank = card - FIRST_TRUMP if trump else card % 14
    value = points + 1
    if trump and rank in (0, 20):
        value += 8
    elif not trump and rank >= 10:
        value += 2 * (rank - 9)
    if not ahead and strength(card, in_force(led, card), False) <= best:
        value = -value
    return 4 * value - rank


@inlined
def list_moves(
    board: Ints, start: int, suits: int, trumps: int, led: int, best: int, ahead: bool, points: int
) -> int:
    """Write down the cards to try, each after a number that says how promising it is; how many there are."""
    moves = 0
    while trumps:
        card = FIRST_TRUMP + lowest(trumps)
        trumps &= trumps - 1
        board[start + moves] = (promise_of(card, led, best, ahead, points) + NO_PROMISE) << 7 | card
        moves += 1
    while suits:
        card = lowest(suits)
        suits &= suits - 1
        board[start + moves] = (promise_of(card, led, best, ahead, points) + NO_PROMISE) << 7 | card
        moves += 1
    return moves


@inlined
def next_move(board: Ints, start: int, moves: int, hint: int) -> int:
    """Take the most promising card off the list; a hint comes first."""
    place = start
    for other in range(start, start + moves):
        if board[other] & 127 == hint:
            place = other
            break
        if board[other] > board[place]:
            place = other
    card = int(board[place]) & 127
    board[place] = board[start + moves - 1]
    return card


@inlined
def added(suits: int, trumps: int, card: int) -> tuple[int, int]:
    """Two words with one more card."""
    if card >= FIRST_TRUMP:
        return suits, trumps | 1 << (card - FIRST_TRUMP)
    return suits | 1 << card, trumps


@inlined
def move(board: Ints, seat: int, card: int) -> None:
    """Take a card out of a hand, or put it back."""
    suits, trumps = added(0, 0, card)
    board[at.SUITS + seat] ^= suits
    board[at.TRUMPS + seat] ^= trumps
    board[at.REST_SUITS] ^= suits
    board[at.REST_TRUMPS] ^= trumps


@compiled
def search(
    board: Ints,
    table: Ints,
    n: int,
    place: int,
    seat: int,
    led: int,
    best: int,
    by: int,
    trick_suits: int,
    trick_trumps: int,
    excuse: int,
    alive: int,
    have: int,
    before: int,
    need: int,
) -> int:
    """The half points that the taker's side will still win less the mark of the end, under best play.

    Only whether this is at least `need` is exact. `n` is how many tricks are left, the present one with
    them, and if it has begun at least two; `seat` plays as number `place` to it, `by` wins it so far with a
    card of height `best`; `excuse` is who has played it in this trick; `alive` says which side may make a
    slam (`range_place`), `have` how many bouts the taker's side has, `before` whether the petit fell in the
    trick before.
    """
    board[at.NODES] += 1
    if board[at.NODES] >= board[at.NODE_LIMIT]:
        board[at.STOPPED] = 1
        return need
    key, base, hint = 0, 0, NO_CARD
    if place == 0:
        if n == 1:
            return last_trick(board, seat, alive, have, before)
        low, high = sure_bounds(board, n, alive, have)
        if low >= need:
            return low
        if high < need:
            return high
        rest = int(board[at.REST_TRUMPS])
        where = range_place(alive, rest & PETIT, have, have + pile_bouts(rest))
        key = position_key(board, seat, int(board[at.SHAPES + where]))
        base = int(board[mark_place(have, NOBODY, NOBODY)])
        found = find(table, key)
        if found >= 0:
            entry = int(table[found + 1])
            low, high = bounds_of(entry)
            if low - base >= need:
                return low - base
            if high - base < need:
                return high - base
            hint = card_of(entry)
    players = int(board[rule.PLAYERS])
    side = int(board[at.SIDES + seat])
    barred = barred_suits(board, int(board[at.CALLED]), int(board[rule.HAND]) - n, place)
    suits, trumps = legal_cards(
        int(board[at.SUITS + seat]), int(board[at.TRUMPS + seat]), led, top_trump(best), barred
    )
    suits = one_of_each(suits, int(board[at.REST_SUITS]) | trick_suits, PIPS)
    trumps = one_of_each(trumps, int(board[at.REST_TRUMPS]) | trick_trumps, MIDDLE)
    start = at.MOVES + at.MOST_MOVES * (5 * n - place)
    points = pile_half_points(trick_suits, trick_trumps & REAL_TRUMPS)
    ahead = place > 0 and board[at.SIDES + by] == side
    moves = list_moves(board, start, suits, trumps, led, best, ahead, points)
    value = -FARTHEST if side == TAKER else FARTHEST
    chosen = NO_CARD
    while moves:
        card = next_move(board, start, moves, hint)
        moves -= 1
        move(board, seat, card)
        suits_now, trumps_now = added(trick_suits, trick_trumps, card)
        follows, highest_yet, leads = fall(card, seat, led, best, by)
        out = seat if card == SKUS_CARD else excuse
        left, laid, turn = n, place + 1, (seat + 1) % players
        more, bouts, chances, fell = 0, 0, alive, before
        if laid == players:
            more, bouts = trick_share(board, int(board[rule.HAND]) - n, leads, suits_now, trumps_now, out)
            left, laid, turn = n - 1, 0, leads
            chances = alive & (1 if board[at.SIDES + leads] == TAKER else 2)
            fell = trumps_now & PETIT
            follows, highest_yet, suits_now, trumps_now, out = NO_SUIT, UNBEATEN, 0, 0, NO_SEAT
        # The compiler must see variables here, never literals, which would be types of their own.
        found_value = more + search(
            board,
            table,
            left,
            laid,
            turn,
            follows,
            highest_yet,
            leads,
            suits_now,
            trumps_now,
            out,
            chances,
            have + bouts,
            fell,
            need - more,
        )
        move(board, seat, card)
        if board[at.STOPPED]:
            return need
        if side == TAKER:
            if found_value > value:
                value, chosen = found_value, card
            if value >= need:
                break
        else:
            if found_value < value:
                value, chosen = found_value, card
            if value < need:
                break
    if place == 0:
        remember(table, key, n, value + base, value >= need, chosen)
    return value
