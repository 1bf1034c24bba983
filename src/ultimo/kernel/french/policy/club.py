"""The cards of a club player: what a card brings in this trick, against what it would bring later.

Every card that differs from the others is weighed: the chance that the own side takes the trick, times what
lies in it; less what the card is worth in the hand; and for a lead, what it does to the others. Points are in
sixteenths of half a card point.
"""

from __future__ import annotations

from ultimo.french import numbers as rule
from ultimo.french.following import fall
from ultimo.french.reckoning import pile_half_points
from ultimo.kernel.bits import count, lowest
from ultimo.kernel.french import layout as at
from ultimo.kernel.french.memory import LEAD_BITS
from ultimo.kernel.french.policy import weights as wt
from ultimo.kernel.french.policy.odds import (
    SURE,
    chance_to_win,
    judge_sides,
    look_round,
    out_of_suit,
    role_of,
)
from ultimo.kernel.french.policy.reasons import ONLY
from ultimo.kernel.french.policy.weights import weight
from ultimo.kernel.french.policy.why import reason
from ultimo.kernel.jit import Ints, inlined
from ultimo.play.following import (
    FIRST_TRUMP,
    NO_SUIT,
    REAL_TRUMPS,
    SKUS_BIT,
    SKUS_CARD,
    SUIT_BITS,
    TRUMP_SUIT,
)

UNIT = 16
COURTS = 0b1111 << 10
PIPS = (1 << 10) - 1
NEVER = -(1 << 40)
MUST_GO = 1 << 20  # the excuse in the last trick but one


@inlined
def club_card(n: Ints, s: Ints, suits: int, trumps: int) -> int:
    """The card that a club player plays, of those that are legal."""
    seat = s[at.TURN]
    s[at.ROLE] = role_of(s, seat)
    if count(suits) + count(trumps) == 1:
        s[at.WHY] = ONLY
        return lowest(suits) if suits else FIRST_TRUMP + lowest(trumps)
    look_round(n, s, seat)
    judge_sides(n, s, seat)
    best, most = at.NOTHING, NEVER
    left = candidates(suits)
    while left:
        card = lowest(left)
        left &= left - 1
        score = score_of_plain(n, s, seat, card)
        if score > most:
            best, most = card, score
    left = unlike_trumps(s, trumps & REAL_TRUMPS)
    while left:
        card = FIRST_TRUMP + lowest(left)
        left &= left - 1
        score = score_of_trump(n, s, seat, card)
        if score > most:
            best, most = card, score
    if trumps & SKUS_BIT and score_of_excuse(n, s, seat) > most:
        best = SKUS_CARD
    s[at.WHY] = reason(n, s, seat, best)
    return best


@inlined
def candidates(suits: int) -> int:
    """Of plain cards the courts, and of each suit the lowest pip: the others are like it."""
    found = 0
    for suit in range(4):
        held = suits >> (14 * suit) & SUIT_BITS
        pips = held & PIPS
        found |= (held & COURTS | pips & -pips) << (14 * suit)
    return found


@inlined
def unlike_trumps(s: Ints, trumps: int) -> int:
    """Of trumps the petit, the lowest other, and each that beats a trump out which the one below does not."""
    found, last = trumps & 1, 0
    trumps &= ~1
    left = trumps
    while left:
        one = left & -left
        left ^= one
        if last == 0 or s[at.OUT_TRUMPS] & (one - last):
            found |= one
        last = one
    return found


# --- this trick ----------------------------------------------------------------------------------------


@inlined
def in_the_trick(n: Ints, s: Ints) -> int:
    """What lies in the trick, and what the seats behind will add to it."""
    lying = pile_half_points(s[at.TRICK_SUITS], s[at.TRICK_TRUMPS] & REAL_TRUMPS)
    return UNIT * lying + weight(s, wt.LATER) * (n[rule.PLAYERS] - 1 - s[at.PLACE])


@inlined
def won_or_lost(chance: int, points: int) -> int:
    """What points are worth that come home with a chance, and else go to the others."""
    return (2 * chance - SURE) * points // SURE


@inlined
def lead_worth(n: Ints, s: Ints, seat: int, winning: int, chance: int) -> int:
    """What it is worth to lead the next trick, if one's own card wins this one."""
    if winning != seat:
        return 0
    worth = weight(s, wt.LEAD)
    return chance * worth // SURE


@inlined
def score_of_plain(n: Ints, s: Ints, seat: int, card: int) -> int:
    """What playing a plain card brings, less what it would bring later."""
    led, height, winning = fall(card, seat, s[at.LED], s[at.HEIGHT], s[at.WINNING])
    chance = chance_to_win(n, s, seat, led, height, winning)
    suit, rank = card // 14, card % 14
    points = UNIT * half_points(rank)
    score = won_or_lost(chance, in_the_trick(n, s) + points) + lead_worth(n, s, seat, winning, chance)
    score -= worth_kept(n, s, seat, suit, rank, points)
    if s[at.LED] == NO_SUIT:
        score += lead_of_suit(n, s, seat, suit)
    return score


@inlined
def score_of_trump(n: Ints, s: Ints, seat: int, card: int) -> int:
    """What playing a trump brings, less what it would bring later."""
    led, height, winning = fall(card, seat, s[at.LED], s[at.HEIGHT], s[at.WINNING])
    chance = chance_to_win(n, s, seat, led, height, winning)
    score = won_or_lost(chance, in_the_trick(n, s) + UNIT) + lead_worth(n, s, seat, winning, chance)
    if card == FIRST_TRUMP:
        score += won_or_lost(chance, weight(s, wt.PETIT_WORTH)) - petit_kept(n, s, seat)
    else:
        score -= trump_kept(n, s, seat, card - FIRST_TRUMP)
    if s[at.LED] == NO_SUIT:
        score += lead_of_trumps(n, s, seat)
    return score


@inlined
def score_of_excuse(n: Ints, s: Ints, seat: int) -> int:
    """What the excuse brings: the trick goes on without this seat. It has to go before the last trick."""
    left = n[rule.HAND] - s[at.TRICK]
    if left == 2:
        return -MUST_GO if sweeps(s, seat) else MUST_GO
    score = -weight(s, wt.EXCUSE_PER_TRICK) * (left - 2)
    if s[at.WINNING] != at.NOTHING and s[at.LED] != NO_SUIT:
        chance = chance_to_win(n, s, seat, s[at.LED], s[at.HEIGHT], s[at.WINNING])
        score += won_or_lost(chance, in_the_trick(n, s)) - UNIT * (SURE - chance) // SURE
    return score


@inlined
def sweeps(s: Ints, seat: int) -> bool:
    """Whether a seat alone has won every trick: then the excuse takes the last one."""
    return bool(s[at.TRICKS + seat] == s[at.TRICK])


# --- later tricks --------------------------------------------------------------------------------------


@inlined
def half_points(rank: int) -> int:
    """What a plain card counts."""
    return 1 + 2 * max(0, rank - 9)


@inlined
def worth_kept(n: Ints, s: Ints, seat: int, suit: int, rank: int, points: int) -> int:
    """What a plain card is worth as long as it is kept."""
    held = s[at.SUITS + seat] >> (14 * suit) & SUIT_BITS
    if rank < 10:
        if held & (held - 1) == 0:
            return -weight(s, wt.RUFF_COMING)
        return weight(s, wt.KEEP_GUARD) if held & COURTS else 0
    higher = count(out_of_suit(s, suit) >> rank)
    if higher == 0:
        return weight(s, wt.KEEP_MASTER) * points // SURE
    guards = count(held & ((1 << rank) - 1))
    return weight(s, wt.KEEP_GUARDED if guards >= higher else wt.KEEP_BARE) * points // SURE


@inlined
def trump_kept(n: Ints, s: Ints, seat: int, number: int) -> int:
    """What a trump other than the petit is worth as long as it is kept."""
    worth = weight(s, wt.KEEP_TRUMP)
    worth += weight(s, wt.KEEP_RANK) * number
    if (s[at.OUT_TRUMPS] & REAL_TRUMPS) >> number == 0:
        worth += weight(s, wt.KEEP_TOP)
    return worth


@inlined
def petit_kept(n: Ints, s: Ints, seat: int) -> int:
    """What the petit is worth as long as it is kept: it may come home later, or be caught."""
    out = count(s[at.OUT_TRUMPS] & REAL_TRUMPS)
    worth = weight(s, wt.PETIT_WORTH)
    others = count(s[at.TRUMPS + seat] & REAL_TRUMPS) - 1
    if out <= others:
        return worth + weight(s, wt.PETIT_BOUT)
    chance = weight(s, wt.PETIT_CHANCE) + weight(s, wt.PETIT_PER_TRUMP) * others
    chance -= weight(s, wt.PETIT_PER_OUT) * out
    return won_or_lost(max(0, min(SURE, chance)), worth)


# --- leads ---------------------------------------------------------------------------------------------


@inlined
def lead_of_suit(n: Ints, s: Ints, seat: int, suit: int) -> int:
    """What leading a plain suit does to the others."""
    beyond = max(0, count(s[at.SUITS + seat] >> (14 * suit) & SUIT_BITS) - 3)
    score, taker = weight(s, wt.LONG) * beyond, s[at.TAKER]
    if seat == taker:
        return score
    if s[at.FRIEND + taker] == 0:
        void = s[at.VOID + taker]
        if void >> suit & 1 and not void >> TRUMP_SUIT & 1:
            score += weight(s, wt.FORCE_TAKER)
        if led_often(s, taker, suit):
            score += weight(s, wt.TAKERS_SUIT)
    for other in range(n[rule.PLAYERS]):
        if other != seat and other != taker and led_often(s, other, suit):
            score += weight(s, wt.RETURN_SUIT) * (2 * s[at.FRIEND + other] - SURE) // SURE
    return score


@inlined
def led_often(s: Ints, other: int, suit: int) -> bool:
    """Whether a seat has led a suit."""
    return bool(s[at.LEADS + other] >> (LEAD_BITS * suit) & ((1 << LEAD_BITS) - 1))


@inlined
def lead_of_trumps(n: Ints, s: Ints, seat: int) -> int:
    """What leading trumps does to the others: they run out of them, and the petit may fall."""
    out = s[at.OUT_TRUMPS] & REAL_TRUMPS
    more = count(s[at.TRUMPS + seat] & REAL_TRUMPS) - count(out) // (n[rule.PLAYERS] - 1)
    score = weight(s, wt.TRUMPS_MORE) * more
    score += weight(s, wt.LEAD_TRUMPS)
    if out & 1:
        score += weight(s, wt.HUNT)
    return score
