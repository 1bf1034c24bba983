"""What a French search knows of tricks: what they bring, which cards come to the same, what is sure."""

from __future__ import annotations

from ultimo.french import numbers as rule
from ultimo.french import reckoning
from ultimo.french.following import UNBEATEN, fall
from ultimo.kernel.bits import count, highest, lowest
from ultimo.kernel.french.search import layout as at
from ultimo.kernel.french.search.goal import mark_place, range_place
from ultimo.kernel.jit import Ints, inlined
from ultimo.play.following import (
    FIRST_TRUMP,
    NO_SUIT,
    REAL_TRUMPS,
    SKUS_BIT,
    SKUS_CARD,
)

PIPS = 0x3FF | 0x3FF << 14 | 0x3FF << 28 | 0x3FF << 42
MIDDLE = (1 << 20) - 2  # T2 … T20, which all count the same
PETIT = 1
KEPT_AT_LEAST = 8  # half points that an excuse brings its side if it is not kept for the last trick


@inlined
def sweep_side(alive: int) -> int:
    """The side that has won every trick so far; before the first trick nobody has."""
    if alive == 1:
        return reckoning.TAKER
    return reckoning.DEFENCE if alive == 2 else reckoning.NOBODY


@inlined
def trick_share(board: Ints, number: int, by: int, suits: int, trumps: int, excuse: int) -> tuple[int, int]:
    """The half points and the bouts that a trick brings the taker's side; `excuse` is who played it.

    Rule: 002 §3, §9.
    """
    side = int(board[at.SIDES + by])
    half_points, bouts = 0, 0
    if side == reckoning.TAKER:
        real = trumps & REAL_TRUMPS
        half_points, bouts = reckoning.pile_half_points(suits, real), reckoning.pile_bouts(real)
    if excuse != reckoning.NO_SEAT:
        owner = int(board[at.SIDES + excuse])
        more, bout = reckoning.excuse_brings(board, number, owner, side == owner, by == excuse)
        half_points += more
        bouts += bout
    return half_points, bouts


@inlined
def last_trick(board: Ints, leader: int, alive: int, have: int, before: int) -> int:
    """The half points of the last trick, in which nobody has a choice, less the mark of the end it makes.

    `before` is whether the petit fell in the trick before.
    Rule: 002 §9, §11, §12.
    """
    players = int(board[rule.PLAYERS])
    number = int(board[rule.HAND]) - 1
    suits, trumps, led, best, by, excuse = 0, 0, NO_SUIT, UNBEATEN, leader, reckoning.NO_SEAT
    for place in range(players):
        seat = (leader + place) % players
        suits |= int(board[at.SUITS + seat])
        trumps |= int(board[at.TRUMPS + seat])
        if board[at.TRUMPS + seat]:
            card = FIRST_TRUMP + lowest(int(board[at.TRUMPS + seat]))
        else:
            card = lowest(int(board[at.SUITS + seat]))
        if card == SKUS_CARD:
            excuse = seat
        led, best, by = fall(card, seat, led, best, by)
    itself = excuse != reckoning.NO_SEAT and reckoning.excuse_takes(
        board, number, sweep_side(alive), int(board[at.SIDES + excuse])
    )
    if itself:
        by = excuse
    half_points, bouts = trick_share(board, number, by, suits, trumps, excuse)
    side = int(board[at.SIDES + by])
    petit, slam = reckoning.NOBODY, reckoning.NOBODY
    if trumps & PETIT or (before and reckoning.petit_ends(board, number - 1, itself)):
        petit = side
    if alive & (1 if side == reckoning.TAKER else 2):
        slam = side
    return half_points - int(board[mark_place(have + bouts, petit, slam)])


# --- groups of cards that come to the same -------------------------------------------------------------


@inlined
def one_of_each(own: int, present: int, alike: int) -> int:
    """The lowest card of every group in `own` that no card of another hand or of the trick parts.

    Only cards that count the same, those of `alike`, are put together. A bit is carried upwards over the
    cards that are gone; where it comes upon a card of one's own again, that one adds nothing.
    """
    gone = alike & ~present
    above = (own & alike) << 1
    reached = ((gone + (above & gone)) & ~gone) | (above & ~gone)
    return own & ~(reached & alike)


# --- what is sure --------------------------------------------------------------------------------------


@inlined
def holder_of(board: Ints, bit: int) -> int:
    """The seat that holds a trump, or the excuse; one of them must."""
    seat = 0
    while not board[at.TRUMPS + seat] & bit:
        seat += 1
    return seat


@inlined
def sure_tricks(board: Ints, seat: int, n: int) -> tuple[int, int]:
    """What the hand with the highest trump wins however it plays, in half points and bouts.

    Its trumps above all those of others win a trick each.
    """
    players = int(board[rule.PLAYERS])
    own = int(board[at.TRUMPS + seat]) & REAL_TRUMPS
    others = int(board[at.REST_TRUMPS]) & REAL_TRUMPS & ~own
    run = own
    if others:
        above = highest(others) + 1
        run = own >> above << above
    tricks = count(run)
    bouts = reckoning.pile_bouts(run)
    points = tricks + 8 * bouts
    for distance in range(1, players):
        other = (seat + distance) % players
        trumps = int(board[at.TRUMPS + other])
        # An excuse in a trick of another brings at least as much as a blank.
        held = reckoning.pile_half_points(int(board[at.SUITS + other]), trumps) - (
            8 if trumps & SKUS_BIT else 0
        )
        points += max(tricks, held - 9 * (n - tricks))
    return points, bouts


@inlined
def sure_bounds(board: Ints, n: int, alive: int, have: int) -> tuple[int, int]:
    """Between what two numbers the answer lies, whatever is played."""
    suits, trumps = int(board[at.REST_SUITS]), int(board[at.REST_TRUMPS])
    real = trumps & REAL_TRUMPS
    low, high = 0, reckoning.pile_half_points(suits, trumps)
    fewest, most = have, have + reckoning.pile_bouts(trumps)
    excuse_side = reckoning.NOBODY
    if trumps & SKUS_BIT:
        excuse_side = int(board[at.SIDES + holder_of(board, SKUS_BIT)])
    if real:
        holder = holder_of(board, 1 << highest(real))
        side = int(board[at.SIDES + holder])
        # Nothing is sure of a trump if the excuse of the other side may still take the last trick.
        if excuse_side != -side or not alive & (2 if side == reckoning.TAKER else 1):
            points, bouts = sure_tricks(board, holder, n)
            if side == reckoning.TAKER:
                low += points
                fewest += bouts
            else:
                high -= points
                most -= bouts
    # Who holds the excuse can play it before the last trick.
    if excuse_side == reckoning.TAKER:
        where = range_place(alive, real & PETIT, fewest + 1, most)
        low += KEPT_AT_LEAST
    else:
        where = range_place(alive, real & PETIT, fewest, most)
    low -= int(board[at.MOST + where])
    if excuse_side == reckoning.DEFENCE:
        where = range_place(alive, real & PETIT, fewest, most - 1)
        high -= KEPT_AT_LEAST
    else:
        where = range_place(alive, real & PETIT, fewest, most)
    return low, high - int(board[at.LEAST + where])
