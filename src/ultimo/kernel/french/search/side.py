"""The open-card search of French Tarot: alpha-beta with a null window, two sides, every card seen.

`search` tells by how much the taker's side passes or misses the mark (`goal`) if both sides
play their best: exactly so far as the answer to the question, and elsewhere as a bound. It tries one card of
each group that comes to the same, keeps positions between tricks in a transposition table, by what mattered
in them, and leaves off where the tricks that a side is sure of decide. What mattered in the search just ended
stands on the board: at least the lowest card of each suit whose rank has decided something.
"""

from __future__ import annotations

from ultimo.french import numbers as rule
from ultimo.french.following import UNBEATEN, fall, legal_cards, top_trump
from ultimo.french.phases import barred_suits
from ultimo.french.reckoning import NO_SEAT, NOBODY, TAKER, pile_bouts, pile_half_points
from ultimo.kernel.bits import count
from ultimo.kernel.french.layout import MOST_SEATS
from ultimo.kernel.french.search import layout as at
from ultimo.kernel.french.search import transposition
from ultimo.kernel.french.search.bounds import sure_bounds
from ultimo.kernel.french.search.goal import end_of, range_place
from ultimo.kernel.french.search.transposition import NO_CARD
from ultimo.kernel.french.search.tricks import (
    BLANK_SUITS,
    BLANK_TRUMPS,
    PETIT,
    decided_by,
    last_trick,
    trick_share,
)
from ultimo.kernel.jit import Ints, always_inlined, concurrent, inlined
from ultimo.kernel.pausing import more_positions
from ultimo.kernel.searching import (
    LOWEST_OF_SUITS,
    blended,
    flip,
    is_marked,
    joins,
    lowest_card,
    mark_of,
    one_of_each,
    set_mark,
    without_lowest,
)
from ultimo.play.following import (
    FIRST_TRUMP,
    NO_SUIT,
    PACK_SIZE,
    REAL_TRUMPS,
    SKUS_CARD,
    SUIT_BITS,
    follow,
    in_force,
    strength,
    suit_of,
)

PIPS = joins(0x3FF * LOWEST_OF_SUITS, LOWEST_OF_SUITS)  # cards that are like the one just below them
MIDDLE = joins((1 << 20) - 2)  # T2 … T20 all count the same
NO_PROMISE = 4096
KNOWN_LITTLE = 13_000  # what a lead counts for of which nothing is known
LAST_COUNTS = 8  # times as much counts the lead that was good last
MARKED_FROM = 6  # tricks left: with fewer, two threads may as well do the same


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
def replies(board: Ints, side: int, suit: int) -> int:
    """In how many ways that differ the hands of the other side can answer the lead of a suit."""
    suits, trumps = int(board[at.REST_SUITS]), int(board[at.REST_TRUMPS])
    ways = 1
    for seat in range(int(board[rule.PLAYERS])):
        if board[at.SIDES + seat] != side:
            own, real = follow(int(board[at.SUITS + seat]), int(board[at.TRUMPS + seat]) & REAL_TRUMPS, suit)
            ways *= max(1, count(one_of_each(own, suits, PIPS)) + count(one_of_each(real, trumps, MIDDLE)))
    return ways


@inlined
def next_move(board: Ints, start: int, moves: int, hash_card: int) -> int:
    """Take the most promising card off the list; the table's move comes first."""
    place = start
    for other in range(start, start + moves):
        if board[other] & 127 == hash_card:
            place = other
            break
        if board[other] > board[place]:
            place = other
    card = int(board[place]) & 127
    board[place] = board[start + moves - 1]
    return card


@inlined
def make(board: Ints, seat: int, card: int) -> None:
    """Make a move, or unmake it: a card goes from a hand to the table, or back."""
    flip(board, at.SUITS + seat, at.TRUMPS + seat, card)
    flip(board, at.REST_SUITS, at.REST_TRUMPS, card)
    flip(board, at.TRICK_SUITS, at.TRICK_TRUMPS, card)


@inlined
def trick_word(cards: int, led: int, height: int, by: int, excuse: int) -> int:
    """A trick as one word."""
    word = cards | (led + 1) << at.LED_SHIFT | (height + at.LOWEST_HEIGHT) << at.HEIGHT_SHIFT
    return word | by << at.BY_SHIFT | (excuse + 1) << at.EXCUSE_SHIFT


@inlined
def standing_word(alive: int, bouts: int, petit_before: int) -> int:
    """How a deal stands, as one word."""
    return alive | bouts << at.BOUTS_SHIFT | petit_before << at.PETIT_SHIFT


@inlined
def how_it_stands(trick: int) -> tuple[int, int, int, int]:
    """The suit in force, how high the best card stands, whose it is, and who has played the excuse."""
    return (
        (trick >> at.LED_SHIFT & 7) - 1,
        (trick >> at.HEIGHT_SHIFT & at.HEIGHT_BITS) - at.LOWEST_HEIGHT,
        trick >> at.BY_SHIFT & at.SEAT_BITS,
        (trick >> at.EXCUSE_SHIFT) - 1,
    )


@inlined
def list_moves(board: Ints, start: int, left: int, seat: int, trick: int) -> tuple[int, int, int, int]:
    """List one card of each group of equivalent ones, after how promising it is; how many there are.

    Then come the cards that may be played, and the trump in the trick whose rank tells which these are.
    """
    led, height, by, _ = how_it_stands(trick)
    place = trick & at.CARDS_BITS
    barred = barred_suits(board, int(board[at.CALLED]), int(board[rule.HAND]) - left, place)
    suits, trumps = legal_cards(
        int(board[at.SUITS + seat]), int(board[at.TRUMPS + seat]), led, top_trump(height), barred
    )
    may_suits, may_trumps, to_beat = suits, trumps, 0
    held = count(int(board[at.TRUMPS + seat]) & REAL_TRUMPS)
    if led != NO_SUIT and trumps & REAL_TRUMPS and held > 1 and top_trump(height):
        to_beat = 1 << (top_trump(height) - 1)
    trick_suits, trick_trumps = int(board[at.TRICK_SUITS]), int(board[at.TRICK_TRUMPS])
    suits = one_of_each(suits, int(board[at.REST_SUITS]) | trick_suits, PIPS)
    trumps = one_of_each(trumps, int(board[at.REST_TRUMPS]) | trick_trumps, MIDDLE)
    points = pile_half_points(trick_suits, trick_trumps & REAL_TRUMPS)
    ahead = place > 0 and board[at.SIDES + by] == board[at.SIDES + seat]
    moves, suit, ways = 0, NO_SUIT, 1
    while suits or trumps:
        card = lowest_card(suits, trumps)
        suits, trumps = without_lowest(suits, trumps)
        promise = promise_of(card, led, height, ahead, points)
        if place:
            promise += NO_PROMISE
        elif card != SKUS_CARD:
            # A lead that leaves the others few replies is soon tried, and one that was good often, or last.
            if suit_of(card) != suit:
                suit = suit_of(card)
                ways = replies(board, int(board[at.SIDES + seat]), suit)
            known = int(board[at.HISTORY + PACK_SIZE * seat + card])
            promise = (16 * promise + known + KNOWN_LITTLE) * 64 // ways
            if board[at.LAST_GOOD + MOST_SEATS * left + seat] == card:
                promise *= LAST_COUNTS
        board[start + moves] = promise << 7 | card
        moves += 1
    return moves, may_suits, may_trumps, to_beat


@inlined
def won_by(board: Ints, seat: int, trick: int, card: int) -> tuple[int, int]:
    """The card that wins a trick in which the last one falls, if its rank matters."""
    led, height, by, _ = how_it_stands(trick)
    led, height, by = fall(card, seat, led, height, by)
    return decided_by(led, height, int(board[at.TRICK_SUITS]), int(board[at.TRICK_TRUMPS]))


@inlined
def group_of(bit: int, may: int, present: int, blanks: int) -> int:
    """The cards that come to the same as the lowest of them, with those that are gone between them."""
    free = (may | ~present) & blanks
    return free & ~(free + bit)


@inlined
def below(mattered: int) -> int:
    """All places below the lowest card that mattered."""
    return (mattered & -mattered) - 1


@inlined
def legal_because(to_beat: int, may: int, held: int, card: int) -> int:
    """The trump whose rank tells that a card may be played, or without a card that no other trump may be.

    `to_beat` is the highest trump in the trick. Where all trumps of a hand may be played, those that may
    be if they lay otherwise are among them.
    """
    if card == NO_CARD:
        return to_beat if (may ^ held) & REAL_TRUMPS else 0
    if card < FIRST_TRUMP or card == SKUS_CARD:
        return 0
    return max(to_beat, 1 << (card - FIRST_TRUMP))


@always_inlined
def after_card(
    board: Ints, left: int, seat: int, trick: int, standing: int, card: int
) -> tuple[int, int, int, int, int]:
    """The tricks left, who is next, trick and standing when a card has fallen, and what it has brought."""
    players = int(board[rule.PLAYERS])
    led, height, by, excuse = how_it_stands(trick)
    led, height, by = fall(card, seat, led, height, by)
    excuse = seat if card == SKUS_CARD else excuse
    laid = (trick & at.CARDS_BITS) + 1
    if laid < players:
        return left, (seat + 1) % players, trick_word(laid, led, height, by, excuse), standing, 0
    trumps = int(board[at.TRICK_TRUMPS])
    number = int(board[rule.HAND]) - left
    gain, bouts = trick_share(board, number, by, int(board[at.TRICK_SUITS]), trumps, excuse)
    alive = standing & at.ALIVE_BITS & (1 if board[at.SIDES + by] == TAKER else 2)
    bouts += standing >> at.BOUTS_SHIFT & at.BOUTS_BITS
    new_trick = trick_word(0, NO_SUIT, UNBEATEN, by, NO_SEAT)
    return left - 1, by, new_trick, standing_word(alive, bouts, trumps & PETIT), gain


@inlined
def mark_of_position(board: Ints, trick: int, standing: int) -> int:
    """A word for a position, in a search in which it is certain who holds a card that is not yet played."""
    rest = blended(int(board[at.REST_SUITS]), int(board[at.REST_TRUMPS]))
    lie = blended(int(board[at.TRICK_SUITS]), int(board[at.TRICK_TRUMPS]))
    return blended(blended(rest, lie), trick << 8 | standing)


@concurrent
def search(board: Ints, table: Ints, left: int, seat: int, trick: int, standing: int, need: int) -> int:
    """The half points that the taker's side will still win less the mark of the end, under best play.

    Only whether this is at least `need` is exact. `left` is how many tricks are left, the present one with
    them, and if it has begun at least two; `trick` and `standing` are words (see the layout).
    """
    board[at.NODES] += 1
    if board[at.NODES] >= board[at.NODE_LIMIT]:
        board[at.NODE_LIMIT] += more_positions()
        if board[at.NODES] >= board[at.NODE_LIMIT]:
            board[at.STOPPED] = 1
            return need
    lead = trick & at.CARDS_BITS == 0
    whole, first, second, third, base, hash_card = 0, 0, 0, 0, 0, NO_CARD
    if lead:
        alive, have = standing & at.ALIVE_BITS, standing >> at.BOUTS_SHIFT & at.BOUTS_BITS
        if left == 1:
            return last_trick(board, seat, alive, have, standing >> at.PETIT_SHIFT)
        rest = int(board[at.REST_TRUMPS])
        where = range_place(alive, rest & PETIT, have, have + pile_bouts(rest))
        whole, first, second, third = transposition.position_of(board, seat, int(board[at.SHAPES + where]))
        transposition.fetch_bucket(table, whole)  # it comes while the bounds are worked out
        low, high = sure_bounds(board, left, seat, alive, have, need)
        if low >= need:
            return low
        if high < need:
            return high
        base = int(board[at.MARKS + end_of(have, NOBODY, NOBODY)])
        found, hash_card = transposition.look_up(table, whole, first, second, third, need + base)
        if found >= 0:
            board[at.MATTERED_SUITS], board[at.MATTERED_TRUMPS] = transposition.mattered_within(
                board, transposition.depths_in(found)
            )
            return transposition.bound_of(found) - base
    maximal = board[at.SIDES + seat] == TAKER
    best, best_card = -transposition.FARTHEST if maximal else transposition.FARTHEST, NO_CARD
    start = at.MOVES + at.MOST_MOVES * (5 * left - (trick & at.CARDS_BITS))
    moves, may_suits, may_trumps, to_beat = list_moves(board, start, left, seat, trick)
    present_suits = int(board[at.REST_SUITS] | board[at.TRICK_SUITS])
    present_trumps = int(board[at.REST_TRUMPS] | board[at.TRICK_TRUMPS])
    mattered_suits, mattered_trumps, skip_suits, skip_trumps = 0, 0, 0, 0
    marks = board[at.MARKS_AT] if left >= MARKED_FROM else 0
    here = mark_of_position(board, trick, standing) if marks else 0
    untried, waiting, mark = moves, 0, 0
    while untried + waiting:
        if untried:
            card = next_move(board, start, untried, hash_card)
            untried -= 1
        else:
            card = int(board[start + moves - waiting])
            waiting -= 1
        if marks:
            mark = mark_of(here, card)
            if untried and best_card != NO_CARD and is_marked(board, marks, mark):
                waiting += 1
                board[start + moves - waiting] = card
                continue
        plain = card < FIRST_TRUMP
        bit = 1 << (card if plain else card - FIRST_TRUMP)
        if bit & (skip_suits if plain else skip_trumps):
            continue
        if marks:
            set_mark(board, marks, mark, mark)
        make(board, seat, card)
        then, turn, after, stands, gain = after_card(board, left, seat, trick, standing, card)
        suits, trumps = board[at.TRICK_SUITS], board[at.TRICK_TRUMPS]
        won_suits, won_trumps = 0, 0
        if then < left:
            won_suits, won_trumps = won_by(board, seat, trick, card)
            board[at.TRICK_SUITS] = board[at.TRICK_TRUMPS] = 0
        value = gain + search(board, table, then, turn, after, stands, need - gain)
        board[at.TRICK_SUITS], board[at.TRICK_TRUMPS] = suits, trumps
        make(board, seat, card)
        if marks:
            set_mark(board, marks, mark, 0)
        if board[at.STOPPED]:
            return need
        won_suits |= int(board[at.MATTERED_SUITS])
        won_trumps |= int(board[at.MATTERED_TRUMPS])
        if (value > best) if maximal else (value < best):
            best, best_card = value, card
        if (best >= need) == maximal:
            mattered_suits, mattered_trumps = won_suits, won_trumps
            break
        # Where one of a group matters, its lowest does. Cards below all that mattered are all alike.
        if plain and bit & BLANK_SUITS:
            if won_suits & group_of(bit, may_suits, present_suits, BLANK_SUITS):
                won_suits |= bit
            lane = SUIT_BITS << 14 * (card // 14)
            lower = lane & BLANK_SUITS & below(won_suits & lane)
            if bit & lower:
                skip_suits |= lower
        elif not plain and bit & BLANK_TRUMPS:
            if won_trumps & group_of(bit, may_trumps, present_trumps, BLANK_TRUMPS):
                won_trumps |= bit
            lower = BLANK_TRUMPS & below(won_trumps & BLANK_TRUMPS)
            if bit & lower:
                skip_trumps |= lower
        mattered_suits |= won_suits
        mattered_trumps |= won_trumps
    if to_beat:
        mattered_trumps |= legal_because(
            to_beat,
            may_trumps,
            int(board[at.TRUMPS + seat]),
            best_card if (best >= need) == maximal else NO_CARD,
        )
    if lead:
        if (best >= need) == maximal:
            board[at.HISTORY + PACK_SIZE * seat + best_card] += left * left
            board[at.LAST_GOOD + MOST_SEATS * left + seat] = best_card
        depths = transposition.depths_of(board, mattered_suits, mattered_trumps)
        check = transposition.check_of(whole, first, second, third, depths)
        transposition.keep(table, whole, check, left, best_card, best + base, best >= need, depths)
    board[at.MATTERED_SUITS], board[at.MATTERED_TRUMPS] = mattered_suits, mattered_trumps
    board[at.BEST_CARD] = best_card
    return best
