"""What a club player does before the first card: bid, call, lay, announce and show."""

from __future__ import annotations

from ultimo.french import numbers as rule
from ultimo.kernel.bits import count, highest, lowest
from ultimo.kernel.french import layout as at
from ultimo.kernel.french.policy import reasons as why
from ultimo.kernel.french.policy import weights as wt
from ultimo.kernel.french.policy.odds import role_of
from ultimo.kernel.french.policy.weights import weight
from ultimo.kernel.jit import Ints, inlined
from ultimo.play.following import FIRST_TRUMP, REAL_TRUMPS, SUIT_BITS

HIGH_TRUMPS = 0b11111 << 15  # T16 … T20
MIDDLE_TRUMPS = 0b11111 << 10  # T11 … T15
KING, QUEEN, JACK = 13, 12, 10

# What the cards of a hand promise to its taker, for three, four and five players: tenths of the points that
# each defender would pay at the lowest bid. Found by least squares over deals that club players took.
NOTHING_HELD = (-829, -1160, -597)
TRUMP = (49, 78, 69)
HIGH_TRUMP = (13, 40, 36)
MIDDLE_TRUMP = (0, 15, 6)
NINTH_TRUMP = (24, 30, 53)  # and each after it
T21 = (322, 436, 307)
EXCUSE = (244, 298, 224)
PETIT = (197, 218, 153)
COURT = ((15, 10, 5), (28, 19, 13), (44, 47, 18), (86, 122, 79))  # jack, knight, queen, king
KING_AND_QUEEN = (17, 17, 8)
VOID_SUIT = (24, 4, 22)
SINGLETON = (19, 2, 11)

# From what promise on each bid of the ladder gains the most.
BID_FROM = ((-60, 0, 420, 660), (-20, 0, 620, 750), (-60, 0, 250, 370))


@inlined
def club_word(n: Ints, s: Ints, suits: int, trumps: int, words: int) -> int:
    """What a club player does in any phase but the tricks."""
    phase = s[at.PHASE]
    s[at.ROLE] = why.TAKER
    if phase == at.BIDDING:
        s[at.ROLE] = why.BIDDER
        s[at.WHY] = why.BID_WORTH
        return bid(n, s, words)
    if phase == at.CALLING:
        s[at.WHY] = why.CALL
        return call(n, s, suits)
    if phase == at.LAYING:
        s[at.WHY] = why.ECART
        return lay(n, s, suits) if suits else FIRST_TRUMP + lowest(trumps)
    if phase == at.SLAM_ASKED:
        s[at.WHY] = why.SLAM
        return at.SLAM if loses_nothing(s, s[at.TURN]) else at.DECLINE
    s[at.WHY] = why.POIGNEE
    return FIRST_TRUMP + lowest(trumps & ~1 if trumps & ~1 else trumps)


# --- bids ----------------------------------------------------------------------------------------------


@inlined
def bid(n: Ints, s: Ints, words: int) -> int:
    """The highest bid that the hand is worth, if it is higher than those before; else a pass."""
    seat, table = s[at.TURN], n[rule.PLAYERS] - 3
    worth = promise(table, s[at.SUITS + seat], s[at.TRUMPS + seat])
    chosen = at.PASS
    for step in range(rule.MOST_BIDS):
        if words >> (at.BID - at.FIRST_WORD + step) & 1 and worth >= BID_FROM[table][step]:
            chosen = at.BID + step
    return chosen


@inlined
def promise(table: int, suits: int, trumps: int) -> int:
    """What a hand promises to its taker: bouts, trumps by number and height, courts and short suits."""
    real = count(trumps & REAL_TRUMPS)
    worth = NOTHING_HELD[table] + TRUMP[table] * real + NINTH_TRUMP[table] * max(0, real - 8)
    worth += HIGH_TRUMP[table] * count(trumps & HIGH_TRUMPS)
    worth += MIDDLE_TRUMP[table] * count(trumps & MIDDLE_TRUMPS)
    worth += (
        T21[table] * (trumps >> 20 & 1) + EXCUSE[table] * (trumps >> 21 & 1) + PETIT[table] * (trumps & 1)
    )
    for suit in range(4):
        held = suits >> (14 * suit) & SUIT_BITS
        for court in range(4):
            worth += COURT[court][table] * (held >> (JACK + court) & 1)
        if held >> QUEEN == 0b11:
            worth += KING_AND_QUEEN[table]
        if held == 0:
            worth += VOID_SUIT[table]
        elif held & (held - 1) == 0:
            worth += SINGLETON[table]
    return worth


# --- call, écart, slam ---------------------------------------------------------------------------------


@inlined
def call(n: Ints, s: Ints, suits: int) -> int:
    """A king that one does not hold, best of a suit in which one is long or has the queen."""
    hand = s[at.SUITS + s[at.TURN]]
    best, most = lowest(suits), -1
    left = suits & ~hand
    while left:
        card = lowest(left)
        left &= left - 1
        held = hand >> (14 * (card // 14)) & SUIT_BITS
        score = 100 + weight(s, wt.CALL_QUEEN) * (held >> QUEEN & 1) + weight(s, wt.CALL_LENGTH) * count(held)
        if score > most:
            best, most = card, score
    return best


@inlined
def lay(n: Ints, s: Ints, suits: int) -> int:
    """The next card of the écart: from short suits without a king, courts first."""
    hand = s[at.SUITS + s[at.TURN]]
    best, most = lowest(suits), -(1 << 30)
    left = suits
    while left:
        card = lowest(left)
        left &= left - 1
        suit, rank = card // 14, card % 14
        held = hand >> (14 * suit) & SUIT_BITS
        score = lay_score(n, s, held, rank)
        if score > most:
            best, most = card, score
    return best


@inlined
def lay_score(n: Ints, s: Ints, held: int, rank: int) -> int:
    """How good it is to lay a card of a suit of which so much is held."""
    length = count(held)
    score = weight(s, wt.LAY_POINTS) * (1 + 2 * max(0, rank - 9)) + weight(s, wt.LAY_SHORT) * (8 - length)
    if held >> KING & 1:
        score += weight(s, wt.LAY_KING)
        if rank == QUEEN:
            score += weight(s, wt.LAY_QUEEN)
    elif length <= s[at.LEFT]:
        score += weight(s, wt.LAY_VOID)
    return score


@inlined
def loses_nothing(s: Ints, seat: int) -> bool:
    """Whether no trick can be lost: trumps from the top, twice as many as are out, and only highest cards."""
    trumps = s[at.TRUMPS + seat] & REAL_TRUMPS
    others = 21 - count(trumps) - count(s[at.ECART_TRUMPS])
    missing = highest(REAL_TRUMPS & ~trumps) if trumps != REAL_TRUMPS else 0
    if count(trumps >> missing) < 5 or count(trumps) < 2 * others:
        return False
    for suit in range(4):
        held = s[at.SUITS + seat] >> (14 * suit) & SUIT_BITS
        gone = s[at.ECART_SUITS] >> (14 * suit) & SUIT_BITS if seat == s[at.TAKER] else 0
        out = SUIT_BITS & ~(held | gone)
        if held and out and lowest(held) < highest(out):
            return False
    return True


# --- poignée -------------------------------------------------------------------------------------------


@inlined
def shows(s: Ints) -> bool:
    """Whether to show a poignée: only if one's own side will probably win.

    Who takes on so many trumps wins four deals of five; a defender who has them, but one of two.
    """
    return role_of(s, s[at.TURN]) != why.DEFENDER
