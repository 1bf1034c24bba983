"""What a French search knows of tricks: what they bring, which cards come to the same, what is sure."""

from __future__ import annotations

from ultimo.french import numbers as rule
from ultimo.french import reckoning
from ultimo.french.following import UNBEATEN, fall
from ultimo.kernel.bits import count, highest
from ultimo.kernel.french.search import layout as at
from ultimo.kernel.french.search.goal import end_of, range_place
from ultimo.kernel.jit import Ints, inlined
from ultimo.kernel.searching import lowest_card
from ultimo.play.following import NO_SUIT, REAL_TRUMPS, SKUS_BIT, SKUS_CARD

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
        card = lowest_card(int(board[at.SUITS + seat]), int(board[at.TRUMPS + seat]))
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
    return half_points - int(board[at.MARKS + end_of(have + bouts, petit, slam)])


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
        held = reckoning.pile_half_points(int(board[at.SUITS + other]), trumps)
        held -= 8 if trumps & SKUS_BIT else 0
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
    taker_kept, defence_kept = excuse_side == reckoning.TAKER, excuse_side == reckoning.DEFENCE
    worst = range_place(alive, real & PETIT, fewest + taker_kept, most)
    best = range_place(alive, real & PETIT, fewest, most - defence_kept)
    low += KEPT_AT_LEAST * taker_kept - int(board[at.MOST + worst])
    return low, high - KEPT_AT_LEAST * defence_kept - int(board[at.LEAST + best])
