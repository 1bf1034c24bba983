"""The cards of a club player: what a card brings in this trick, against what it would bring later.

Every card that differs from the others is weighed: the chance that the own side takes the trick, times what
lies in it; less what the card is worth in the hand; and for a lead, what it does to the others. Points are in
sixteenths of half a card point.
"""

from __future__ import annotations

from ultimo.french import numbers as rule
from ultimo.french.following import fall
from ultimo.french.reckoning import pile_half_points
from ultimo.kernel.bits import count
from ultimo.kernel.french import layout as at
from ultimo.kernel.french import weights as wt
from ultimo.kernel.french.policy import odds
from ultimo.kernel.french.policy.odds import HALF_POINTS, chance_to_win, out_of_suit
from ultimo.kernel.french.policy.reasons import ONLY, reason
from ultimo.kernel.french.weights import weight
from ultimo.kernel.jit import Ints, always_inlined, inlined, tight
from ultimo.kernel.policy import HONOUR, NEVER, SURE, first_card, suit_cards
from ultimo.play.following import FIRST_TRUMP, NO_SUIT, REAL_TRUMPS, SKUS_BIT, SKUS_CARD, TRUMP_SUIT

UNIT = 16
COURTS = 0b1111 << 10
PIPS = (1 << 10) - 1
MUST_GO = 1 << 20  # the excuse in the last trick but one


# --- the choice ----------------------------------------------------------------------------------------


@tight
def club_card(n: Ints, s: Ints, suits: int, trumps: int) -> int:
    """The card that a club player plays, of those that are legal."""
    seat = s[at.TURN]
    s[at.ROLE] = odds.role_of(s, seat)
    if count(suits) + count(trumps) == 1:
        s[at.WHY] = ONLY
        return first_card(suits, trumps)
    odds.look_round(n, s, seat)
    odds.judge_sides(n, s, seat)
    suits, trumps = unlike_plain(suits), unlike_trumps(s, trumps)
    best, most = at.NOTHING, NEVER
    while suits | trumps:
        card = first_card(suits, trumps)
        if suits:
            suits &= suits - 1
        else:
            trumps &= trumps - 1
        score = score_of(n, s, seat, card)
        if score > most:
            best, most = card, score
    s[at.WHY] = reason(n, s, seat, best)
    return best


@inlined
def unlike_plain(suits: int) -> int:
    """Of plain cards the courts, and of each suit the lowest pip: the others are like it."""
    found = 0
    for suit in range(4):
        held = suit_cards(suits, suit)
        pips = held & PIPS
        found |= (held & COURTS | pips & -pips) << (14 * suit)
    return found


@inlined
def unlike_trumps(s: Ints, trumps: int) -> int:
    """Of trumps the excuse, the petit, the lowest other, and each that beats one which a lower does not."""
    found, last = trumps & (SKUS_BIT | 1), 0
    left = trumps & ~(SKUS_BIT | 1)
    while left:
        one = left & -left
        left ^= one
        if last == 0 or s[at.OUT_TRUMPS] & (one - last):
            found |= one
        last = one
    return found


# --- this trick ----------------------------------------------------------------------------------------


@always_inlined
def score_of(n: Ints, s: Ints, seat: int, card: int) -> int:
    """What playing a card brings, less what it would bring later; bouts are weighed by themselves."""
    if card == SKUS_CARD:
        return score_of_excuse(n, s, seat)
    led, height, winning = fall(card, seat, s[at.LED], s[at.HEIGHT], s[at.WINNING])
    chance = chance_to_win(n, s, seat, led, height, winning)
    points = UNIT * (HALF_POINTS[card] if card < FIRST_TRUMP else 1)
    score = won_or_lost(chance, in_the_trick(n, s) + points)
    if winning == seat:
        score += chance * weight(n, s, wt.LEAD) // SURE
    if card < FIRST_TRUMP:
        score -= plain_kept(n, s, seat, card, points)
    elif card == FIRST_TRUMP:
        score += won_or_lost(chance, weight(n, s, wt.PETIT_WORTH)) - petit_kept(n, s, seat)
    else:
        score -= trump_kept(n, s, card - FIRST_TRUMP)
    if s[at.LED] == NO_SUIT:
        score += lead_of_suit(n, s, seat, card // 14) if card < FIRST_TRUMP else lead_of_trumps(n, s, seat)
    return score


@inlined
def score_of_excuse(n: Ints, s: Ints, seat: int) -> int:
    """What the excuse brings: the trick goes on without this seat. It has to go before the last trick.

    Who has won every trick keeps it: then the excuse takes the last one.
    """
    left = n[rule.HAND] - s[at.TRICK]
    if left == 2:
        return -MUST_GO if s[at.TRICKS + seat] == s[at.TRICK] else MUST_GO
    score = -weight(n, s, wt.EXCUSE_PER_TRICK) * (left - 2)
    if s[at.LED] == NO_SUIT:
        return score - weight(n, s, wt.EXCUSE_LED)
    if s[at.WINNING] != at.NOTHING:
        chance = chance_to_win(n, s, seat, s[at.LED], s[at.HEIGHT], s[at.WINNING])
        score += won_or_lost(chance, in_the_trick(n, s)) - UNIT * (SURE - chance) // SURE
    return score


@inlined
def in_the_trick(n: Ints, s: Ints) -> int:
    """What lies in the trick, and what the seats behind will add to it."""
    lying = pile_half_points(s[at.TRICK_SUITS], s[at.TRICK_TRUMPS] & REAL_TRUMPS)
    return UNIT * lying + weight(n, s, wt.LATER) * (n[rule.PLAYERS] - 1 - s[at.PLACE])


@inlined
def won_or_lost(chance: int, points: int) -> int:
    """What points are worth that come home with a chance, and else go to the others."""
    return (2 * chance - SURE) * points // SURE


# --- later tricks --------------------------------------------------------------------------------------


@inlined
def plain_kept(n: Ints, s: Ints, seat: int, card: int, points: int) -> int:
    """What a plain card is worth as long as it is kept."""
    suit, rank = card // 14, card % 14
    held = suit_cards(s[at.SUITS + seat], suit)
    if not HONOUR[card]:
        if held & (held - 1) == 0:
            return -weight(n, s, wt.RUFF_COMING)
        return weight(n, s, wt.KEEP_GUARD) if held & COURTS else 0
    higher = count(out_of_suit(s, suit) >> rank)
    if higher == 0:
        return weight(n, s, wt.KEEP_MASTER) * points // SURE
    guards = count(held & ((1 << rank) - 1))
    return weight(n, s, wt.KEEP_GUARDED if guards >= higher else wt.KEEP_BARE) * points // SURE


@inlined
def trump_kept(n: Ints, s: Ints, number: int) -> int:
    """What a trump other than the petit is worth as long as it is kept."""
    worth = weight(n, s, wt.KEEP_TRUMP) + weight(n, s, wt.KEEP_RANK) * number
    if (s[at.OUT_TRUMPS] & REAL_TRUMPS) >> number == 0:
        worth += weight(n, s, wt.KEEP_TOP)
    return worth


@inlined
def petit_kept(n: Ints, s: Ints, seat: int) -> int:
    """What the petit is worth as long as it is kept: it may come home later, or be caught."""
    out = count(s[at.OUT_TRUMPS] & REAL_TRUMPS)
    worth = weight(n, s, wt.PETIT_WORTH)
    others = count(s[at.TRUMPS + seat] & REAL_TRUMPS) - 1
    if out <= others:
        return worth + weight(n, s, wt.PETIT_BOUT)
    chance = weight(n, s, wt.PETIT_CHANCE) + weight(n, s, wt.PETIT_PER_TRUMP) * others
    chance -= weight(n, s, wt.PETIT_PER_OUT) * out
    return won_or_lost(max(0, min(SURE, chance)), worth)


# --- leads ---------------------------------------------------------------------------------------------


@inlined
def lead_of_suit(n: Ints, s: Ints, seat: int, suit: int) -> int:
    """What leading a plain suit does to the others."""
    beyond = max(0, count(suit_cards(s[at.SUITS + seat], suit)) - wt.LONG_FROM)
    score, taker = weight(n, s, wt.LONG) * beyond, s[at.TAKER]
    if seat == taker:
        return score
    if s[at.FRIEND + taker] == 0:
        void = s[at.VOID + taker]
        if void >> suit & 1 and not void >> TRUMP_SUIT & 1:
            score += weight(n, s, wt.FORCE_TAKER)
        if odds.has_led(s, taker, suit):
            score += weight(n, s, wt.TAKERS_SUIT)
    for other in range(n[rule.PLAYERS]):
        if other != seat and other != taker and odds.has_led(s, other, suit):
            score += weight(n, s, wt.RETURN_SUIT) * (2 * s[at.FRIEND + other] - SURE) // SURE
    return score


@inlined
def lead_of_trumps(n: Ints, s: Ints, seat: int) -> int:
    """What leading trumps does to the others: they run out of them, and the petit may fall."""
    out = s[at.OUT_TRUMPS] & REAL_TRUMPS
    more = count(s[at.TRUMPS + seat] & REAL_TRUMPS) - count(out) // (n[rule.PLAYERS] - 1)
    score = weight(n, s, wt.TRUMPS_MORE) * more + weight(n, s, wt.LEAD_TRUMPS)
    return score + weight(n, s, wt.HUNT) if out & 1 else score
