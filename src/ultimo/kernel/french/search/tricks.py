"""What a French search knows of tricks: what they bring, and how the last one ends."""

from __future__ import annotations

from ultimo.french import numbers as rule
from ultimo.french import reckoning
from ultimo.french.following import UNBEATEN, fall, top_trump
from ultimo.kernel.bits import count
from ultimo.kernel.french.search import layout as at
from ultimo.kernel.french.search.goal import end_of
from ultimo.kernel.jit import Ints, inlined
from ultimo.kernel.searching import LOWEST_OF_SUITS, lowest_card
from ultimo.play.following import NO_SUIT, REAL_TRUMPS, SKUS_CARD, SUIT_BITS

PETIT = 1
BLANK_SUITS = 0x3FF * LOWEST_OF_SUITS  # cards that count the least
BLANK_TRUMPS = (1 << 20) - 2


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
def decided_by(led: int, height: int, suits: int, trumps: int) -> tuple[int, int]:
    """The card that has won a trick, if its rank mattered: if it has beaten another of its suit."""
    top = top_trump(height)
    if top:
        return 0, 1 << (top - 1) if count(trumps & REAL_TRUMPS) > 1 else 0
    if height > 0 and count(suits & SUIT_BITS << 14 * led) > 1:
        return 1 << (14 * led + height - 1), 0
    return 0, 0


@inlined
def last_trick(board: Ints, leader: int, alive: int, have: int, before: int) -> int:
    """The half points of the last trick, in which nobody has a choice, less the mark of the end it makes.

    `before` is whether the petit fell in the trick before. What mattered is written on the board.
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
    board[at.MATTERED_SUITS], board[at.MATTERED_TRUMPS] = decided_by(led, best, suits, trumps)
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
