"""What a club player of French Tarot does beside playing cards: bid, call, lay, announce and show."""

from __future__ import annotations

from ultimo.french import numbers as rule
from ultimo.kernel.bits import count, highest, lowest
from ultimo.kernel.french import layout as at
from ultimo.kernel.french import weights as wt
from ultimo.kernel.french.policy import reasons as why
from ultimo.kernel.french.policy.odds import BIDDER, DEFENDER, HALF_POINTS, TAKER, low_trump, role_of
from ultimo.kernel.jit import Ints, inlined
from ultimo.kernel.policy import NEVER, suit_cards
from ultimo.play.following import FIRST_TRUMP, REAL_TRUMPS, SUIT_BITS

HIGH_TRUMPS = 0b11111 << 15  # T16 … T20
MIDDLE_TRUMPS = 0b11111 << 10  # T11 … T15
KING, QUEEN, JACK = 13, 12, 10
FEWEST_PLAYERS = 3


@inlined
def club_word(n: Ints, s: Ints, suits: int, trumps: int, words: int) -> int:
    """What a club player does in any phase but the tricks."""
    phase = s[at.PHASE]
    s[at.ROLE] = BIDDER if phase == at.BIDDING else TAKER
    if phase == at.BIDDING:
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
        return at.SLAM if loses_nothing(n, s, s[at.TURN]) else at.DECLINE
    s[at.WHY] = why.POIGNEE
    return low_trump(trumps)


# --- bids ----------------------------------------------------------------------------------------------


@inlined
def bid(n: Ints, s: Ints, words: int) -> int:
    """The highest bid that the hand is worth, if it is higher than those before; else a pass."""
    seat, table = s[at.TURN], n[rule.PLAYERS] - FEWEST_PLAYERS
    worth = promise(n, table, s[at.SUITS + seat], s[at.TRUMPS + seat])
    chosen = at.PASS
    for step in range(rule.MOST_BIDS):
        needed = n[wt.BID_FROM + rule.MOST_BIDS * table + step]
        if words >> (at.BID - at.FIRST_WORD + step) & 1 and worth >= needed:
            chosen = at.BID + step
    return chosen


@inlined
def promise(n: Ints, table: int, suits: int, trumps: int) -> int:
    """What a hand promises to its taker: bouts, trumps by number and height, courts and short suits."""
    real = count(trumps & REAL_TRUMPS)
    worth = n[wt.NOTHING_HELD + table] + n[wt.TRUMP + table] * real
    worth += n[wt.NINTH_TRUMP + table] * max(0, real - wt.EIGHT_TRUMPS)
    worth += n[wt.HIGH_TRUMP + table] * count(trumps & HIGH_TRUMPS)
    worth += n[wt.MIDDLE_TRUMP + table] * count(trumps & MIDDLE_TRUMPS)
    worth += n[wt.PETIT + table] * (trumps & 1)
    worth += n[wt.T21 + table] * (trumps >> 20 & 1) + n[wt.EXCUSE + table] * (trumps >> 21 & 1)
    for suit in range(4):
        held = suit_cards(suits, suit)
        for court in range(4):
            worth += n[wt.COURT + 3 * court + table] * (held >> (JACK + court) & 1)
        if held >> QUEEN == 0b11:
            worth += n[wt.KING_AND_QUEEN + table]
        if held == 0:
            worth += n[wt.VOID_SUIT + table]
        elif held & (held - 1) == 0:
            worth += n[wt.SINGLETON + table]
    return worth


# --- call, écart, slam ---------------------------------------------------------------------------------


@inlined
def call(n: Ints, s: Ints, suits: int) -> int:
    """A king that one does not hold, best of a suit in which one is long or has the queen."""
    hand = s[at.SUITS + s[at.TURN]]
    best, most = lowest(suits), NEVER
    left = suits & ~hand
    while left:
        card = lowest(left)
        left &= left - 1
        held = suit_cards(hand, card // 14)
        score = n[wt.CALL_QUEEN] * (held >> QUEEN & 1) + n[wt.CALL_LENGTH] * count(held)
        if score > most:
            best, most = card, score
    return best


@inlined
def lay(n: Ints, s: Ints, suits: int) -> int:
    """The next card of the écart: from short suits without a king, courts first."""
    hand = s[at.SUITS + s[at.TURN]]
    best, most = lowest(suits), NEVER
    while suits:
        card = lowest(suits)
        suits &= suits - 1
        score = lay_score(n, s, suit_cards(hand, card // 14), card)
        if score > most:
            best, most = card, score
    return best


@inlined
def lay_score(n: Ints, s: Ints, held: int, card: int) -> int:
    """How good it is to lay a card of a suit of which so much is held."""
    length = count(held)
    score = n[wt.LAY_POINTS] * HALF_POINTS[card] + n[wt.LAY_LENGTH] * length
    if held >> KING & 1:
        score += n[wt.LAY_KING]
        if card % 14 == QUEEN:
            score += n[wt.LAY_QUEEN]
    elif length <= s[at.LEFT]:
        score += n[wt.LAY_VOID]
    return score


@inlined
def loses_nothing(n: Ints, s: Ints, seat: int) -> bool:
    """Whether no trick can be lost: trumps from the top, twice as many as are out, and only highest cards."""
    trumps = s[at.TRUMPS + seat] & REAL_TRUMPS
    others = 21 - count(trumps) - count(s[at.ECART_TRUMPS])
    missing = highest(REAL_TRUMPS & ~trumps) if trumps != REAL_TRUMPS else 0
    if count(trumps >> missing) < n[wt.SLAM_TOP] or count(trumps) < n[wt.SLAM_TIMES] * others:
        return False
    for suit in range(4):
        held = suit_cards(s[at.SUITS + seat], suit)
        gone = suit_cards(s[at.ECART_SUITS], suit) if seat == s[at.TAKER] else 0
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
    role = role_of(s, s[at.TURN])
    if role == DEFENDER:
        return False
    s[at.ROLE], s[at.WHY] = role, why.POIGNEE
    return True
