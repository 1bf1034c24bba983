"""What a side is sure of before a lead, without a search.

*Trumps that cannot all be beaten*: each trump of a hand falls in a trick of its own, and is lost only to a
higher trump of the other side, which falls but once. So of i trumps with h higher ones against them i - h
win, whatever anybody plays. *Cashing*: the highest cards of the leader's suits win as long as every hand with
a trump can follow. No trump falls in such a trick, so these tricks and those of the trumps add up. *Drawing*:
a leader with as many trumps above all others as any other hand has trumps can draw them all; then all of
those trumps win, and nobody ruffs. *Command*: a hand with so many trumps that it can draw all others and is
never left without one, whoever leads, keeps its highest cards of plain suits until it has the lead or may
win with them; each of them, and each of its trumps, is lost only to a trump, which falls but once. All but
the first cost more, and are asked only if it leaves the question open.
"""

from __future__ import annotations

from ultimo.french import numbers as rule
from ultimo.french.reckoning import DEFENCE, NO_SEAT, NOBODY, TAKER, pile_bouts, pile_half_points
from ultimo.kernel.bits import count, highest, select
from ultimo.kernel.french.search import layout as at
from ultimo.kernel.french.search.goal import range_place
from ultimo.kernel.french.search.tricks import BLANK_SUITS, BLANK_TRUMPS, PETIT
from ultimo.kernel.jit import Ints, inlined
from ultimo.kernel.searching import LOWEST_OF_SUITS
from ultimo.play.following import REAL_TRUMPS, SKUS_BIT, SUIT_BITS

T21 = 1 << 20
JACKS = LOWEST_OF_SUITS << 10
COURTS = tuple(pile_half_points(1 << rank, 0) for rank in range(10, 14))  # jack, knight, queen, king
BOUT = pile_half_points(0, PETIT)
KEPT_AT_LEAST = BOUT - 1  # half points that an excuse brings its side if it is not kept for the last trick


@inlined
def holder_of(board: Ints, bit: int) -> int:
    """The seat that holds a trump, or the excuse; one of them must."""
    seat = 0
    while not board[at.TRUMPS + seat] & bit:
        seat += 1
    return seat


@inlined
def cheapest(suits: int, trumps: int, number: int) -> int:
    """The fewest half points in so many cards of a hand; the excuse counts as a blank.

    An excuse in a trick of another brings at least as much as a blank.
    """
    blanks = count(suits & BLANK_SUITS) + count(trumps & (BLANK_TRUMPS | SKUS_BIT))
    if number <= blanks:
        return number
    points, left = blanks, number - blanks
    for rank in range(3):
        courts = min(left, count(suits & JACKS << rank))
        points += COURTS[rank] * courts
        left -= courts
    return points + BOUT * left


@inlined
def unbeaten(own: int, against: int) -> tuple[int, int]:
    """How many tricks the trumps of a hand win, whatever is played; and the lowest that this rests on."""
    tricks, held, rests_on = 0, 0, 0
    while own:
        top = highest(own)
        own ^= 1 << top
        held += 1
        sure = held - count(against >> top)
        if sure + count(own) <= tricks:
            break
        if sure > tricks:
            tricks, rests_on = sure, 1 << top
    return tricks, rests_on


@inlined
def best_hand(board: Ints, side: int, against: int) -> tuple[int, int, int]:
    """The hand of a side whose trumps win the most tricks in any case, how many, and what this rests on."""
    hand, most, rests_on = NO_SEAT, 0, 0
    for seat in range(int(board[rule.PLAYERS])):
        own = int(board[at.TRUMPS + seat]) & REAL_TRUMPS
        if board[at.SIDES + seat] == side and count(own) > most:
            tricks, lowest = unbeaten(own, against)
            if tricks > most:
                hand, most, rests_on = seat, tricks, lowest
    return hand, most, rests_on


@inlined
def points_of(
    board: Ints, side: int, hand: int, tricks: int, leader: int, cashed: int, brought: int, drawn: bool
) -> int:
    """The fewest half points of so many tricks won by the trumps of a hand, and so many cashed by the leader.

    `brought` is what the cashed cards count. T21 always wins its trick; where trumps are drawn, the petit of
    another hand falls to the leader.
    """
    points = brought + tricks
    for seat in range(int(board[rule.PLAYERS])):
        suits, trumps = int(board[at.SUITS + seat]), int(board[at.TRUMPS + seat])
        sure = trumps & T21 if board[at.SIDES + seat] == side else 0
        if seat == hand:
            points += (BOUT - 1) * count(sure) + (0 if seat == leader else cashed)
        elif seat == leader and cashed:
            points += (BOUT - 1) * count(sure) + tricks
        else:
            sure |= trumps & PETIT if drawn else 0
            bouts = count(sure)
            points += BOUT * bouts + cheapest(suits, trumps ^ sure, tricks + cashed - bouts)
    return points


@inlined
def run_of(own: int, others: int) -> int:
    """The cards of a suit above all those of others."""
    if not others:
        return own
    above = highest(others) + 1
    return own >> above << above


@inlined
def draws_needed(board: Ints, leader: int) -> int:
    """How often trumps must be led until no other hand has any; an excuse may stand in for one."""
    draws = 0
    for seat in range(int(board[rule.PLAYERS])):
        trumps = int(board[at.TRUMPS + seat])
        if seat != leader and trumps & REAL_TRUMPS:
            draws = max(draws, count(trumps))
    return draws


@inlined
def cashed_cards(board: Ints, leader: int, drawn: bool, room: int) -> int:
    """The cards of plain suits, at most `room`, with which the leader wins one trick after the other."""
    cashed = 0
    for suit in range(4):
        lane = SUIT_BITS << 14 * suit
        own = int(board[at.SUITS + leader]) & lane
        run = run_of(own, int(board[at.REST_SUITS]) & lane & ~own)
        number = count(run)
        for seat in range(int(board[rule.PLAYERS])):
            if not drawn and seat != leader and board[at.TRUMPS + seat] & REAL_TRUMPS:
                number = min(number, count(int(board[at.SUITS + seat]) & lane))
        for _ in range(min(number, room)):
            card = 1 << highest(run)
            run ^= card
            cashed |= card
            room -= 1
    return cashed


@inlined
def leader_wins(
    board: Ints, left: int, leader: int, side: int, hand: int, tricks: int, rests_on: int
) -> tuple[int, int, int, int, int]:
    """What the leader's side can win by cashing and drawing: tricks, half points, and the petit if drawn.

    `hand` wins so many `tricks` with its trumps in any case. Then come the cards whose ranks this rests on.
    """
    if left == board[rule.HAND]:  # the first lead may be barred from a suit
        return 0, 0, 0, 0, 0
    trumps = int(board[at.TRUMPS + leader])
    own, others = trumps & REAL_TRUMPS, int(board[at.REST_TRUMPS]) & REAL_TRUMPS & ~trumps
    room = left - 2 if trumps & SKUS_BIT else left  # an excuse must be played before the last trick
    running = min(count(own), room)
    run, draws = run_of(own, others), draws_needed(board, leader)
    drawn = running >= tricks and draws <= min(count(run), room)
    if drawn:
        hand, tricks = leader, running
        rests_on = 1 << select(run, count(run) - draws) if draws else 0
        room -= running
    cashed = cashed_cards(board, leader, drawn, room)
    number = count(cashed)
    if not number and not drawn:
        return 0, 0, 0, 0, 0
    brought = pile_half_points(cashed, 0)
    points = points_of(board, side, hand, tricks, leader, number, brought, drawn)
    own_petit = int(drawn and own & PETIT and tricks == count(own))
    bouts = own_petit + int(drawn and others & PETIT)
    return tricks + number, points + (BOUT - 1) * own_petit, bouts, cashed, rests_on


@inlined
def in_command(board: Ints, left: int, leader: int) -> int:
    """The hand with so many trumps that it can draw all others and is never left without one; or `NO_SEAT`.

    Others may beat or force out its trumps one by one, but need a trump of theirs, or to have the lead, each
    time; and who holds the excuse must give up the lead for it. An excuse may stand in for a trump.
    """
    if left == board[rule.HAND]:  # the first lead may be barred from a suit
        return NO_SEAT
    hand, most, trumps = NO_SEAT, 0, 0
    for seat in range(int(board[rule.PLAYERS])):
        real = count(int(board[at.TRUMPS + seat]) & REAL_TRUMPS)
        if real:
            trumps += count(int(board[at.TRUMPS + seat]))
            if real > most:
                hand, most = seat, real
    if 2 * most < trumps:
        return NO_SEAT
    excuse = int(board[at.TRUMPS + hand] & SKUS_BIT != 0)
    against = trumps - most - excuse
    if most < against + draws_needed(board, hand) + int(hand != leader or excuse):
        return NO_SEAT
    return hand


@inlined
def masters_of(board: Ints, hand: int) -> int:
    """The cards of plain suits above all those of other hands."""
    suits, masters = int(board[at.SUITS + hand]), 0
    others = int(board[at.REST_SUITS]) & ~suits
    for suit in range(4):
        lane = SUIT_BITS << 14 * suit
        masters |= run_of(suits & lane, others & lane)
    return masters


@inlined
def command_wins(board: Ints, hand: int) -> tuple[int, int, int]:
    """What the hand in command wins in any case: half points, its petit, and the masters this rests on."""
    own = int(board[at.TRUMPS + hand]) & REAL_TRUMPS
    against = count(int(board[at.REST_TRUMPS]) & REAL_TRUMPS) - count(own)
    masters = masters_of(board, hand)
    number, petit = count(masters), own & PETIT if not against else 0
    if not number and not petit:  # no more than the trumps alone
        return 0, 0, 0
    cashed, beaten = max(0, number - against), max(0, against - number)
    brought = cheapest(masters, 0, cashed) + (BOUT - 1) * petit
    side, tricks = int(board[at.SIDES + hand]), count(own) - beaten
    return points_of(board, side, hand, tricks, hand, cashed, brought, False), petit, masters


@inlined
def sure_bounds(board: Ints, left: int, leader: int, alive: int, have: int, need: int) -> tuple[int, int]:
    """Between what two numbers the answer lies, so far as that tells whether it is at least `need`.

    Where it tells, the cards whose ranks this rests on are written on the board.
    """
    suits, trumps = int(board[at.REST_SUITS]), int(board[at.REST_TRUMPS])
    real = trumps & REAL_TRUMPS
    excuse_side = NOBODY
    if trumps & SKUS_BIT:
        excuse_side = int(board[at.SIDES + holder_of(board, SKUS_BIT)])
    taker_trumps = 0
    for seat in range(int(board[rule.PLAYERS])):
        if board[at.SIDES + seat] == TAKER:
            taker_trumps |= int(board[at.TRUMPS + seat]) & REAL_TRUMPS
    # Nothing is sure of a trump if the excuse of the other side may still take the last trick.
    taker_safe = excuse_side != DEFENCE or not alive & 2
    defence_safe = excuse_side != TAKER or not alive & 1
    fewest, most = have, have + pile_bouts(trumps)
    taker_hand, taker_tricks, taker_points, taker_rests = NO_SEAT, 0, 0, 0
    defence_hand, defence_tricks, defence_points, defence_rests = NO_SEAT, 0, 0, 0
    slam = alive
    if taker_safe:
        taker_hand, taker_tricks, taker_rests = best_hand(board, TAKER, real & ~taker_trumps)
    if taker_tricks:
        taker_points = points_of(board, TAKER, taker_hand, taker_tricks, leader, 0, 0, False)
        fewest += count(taker_trumps & T21)
        alive &= 1  # the defence makes no slam
    if defence_safe:
        defence_hand, defence_tricks, defence_rests = best_hand(board, DEFENCE, taker_trumps)
    if defence_tricks:
        defence_points = points_of(board, DEFENCE, defence_hand, defence_tricks, leader, 0, 0, False)
        most -= count(real & ~taker_trumps & T21)
        alive &= 2
    # Who holds the excuse can play it before the last trick.
    taker_kept, defence_kept = int(excuse_side == TAKER), int(excuse_side == DEFENCE)
    petit = real & PETIT
    low = KEPT_AT_LEAST * taker_kept
    high = pile_half_points(suits, trumps) - KEPT_AT_LEAST * defence_kept
    fewest_kept, most_kept = fewest + taker_kept, most - defence_kept
    least = low + taker_points - int(board[at.MOST + range_place(alive, petit, fewest_kept, most)])
    greatest = high - defence_points - int(board[at.LEAST + range_place(alive, petit, fewest, most_kept)])
    # That the other side makes no slam rests on its opponents' trumps.
    board[at.MATTERED_SUITS] = 0
    if least >= need:
        board[at.MATTERED_TRUMPS] = taker_rests | (defence_rests if slam & 1 else 0)
        return least, greatest
    if greatest < need:
        board[at.MATTERED_TRUMPS] = defence_rests | (taker_rests if slam & 2 else 0)
        return least, greatest
    commands = in_command(board, left, leader)
    if commands != NO_SEAT:
        side = int(board[at.SIDES + commands])
        points, bouts, masters = command_wins(board, commands)
        if side == TAKER and taker_safe and points:
            place = range_place(alive & 1, petit, fewest_kept + bouts, most)
            sure = low + points - int(board[at.MOST + place])
            if sure >= need:
                board[at.MATTERED_SUITS] = masters
                board[at.MATTERED_TRUMPS] = defence_rests if slam & 1 else 0
                return sure, greatest
        elif side == DEFENCE and defence_safe and points:
            place = range_place(alive & 2, petit, fewest, most_kept - bouts)
            sure = high - points - int(board[at.LEAST + place])
            if sure < need:
                board[at.MATTERED_SUITS] = masters
                board[at.MATTERED_TRUMPS] = taker_rests if slam & 2 else 0
                return least, sure
    side = int(board[at.SIDES + leader])
    if side == TAKER and taker_safe:
        tricks, points, bouts, cashed, rests_on = leader_wins(
            board, left, leader, side, taker_hand, taker_tricks, taker_rests
        )
        if tricks:
            place = range_place(alive & 1, petit, fewest_kept + bouts, most)
            least = max(least, low + points - int(board[at.MOST + place]))
            board[at.MATTERED_SUITS] = cashed
            board[at.MATTERED_TRUMPS] = rests_on | (defence_rests if slam & 1 else 0)
    elif side == DEFENCE and defence_safe:
        tricks, points, bouts, cashed, rests_on = leader_wins(
            board, left, leader, side, defence_hand, defence_tricks, defence_rests
        )
        if tricks:
            place = range_place(alive & 2, petit, fewest, most_kept - bouts)
            greatest = min(greatest, high - points - int(board[at.LEAST + place]))
            board[at.MATTERED_SUITS] = cashed
            board[at.MATTERED_TRUMPS] = rests_on | (taker_rests if slam & 2 else 0)
    return least, greatest
