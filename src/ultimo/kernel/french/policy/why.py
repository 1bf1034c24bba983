"""The principle behind a card that a club player has chosen."""

from __future__ import annotations

from ultimo.french import numbers as rule
from ultimo.french.following import fall, top_trump
from ultimo.kernel.bits import count
from ultimo.kernel.french import layout as at
from ultimo.kernel.french.memory import LEAD_BITS
from ultimo.kernel.french.policy import reasons as why
from ultimo.kernel.french.policy.odds import SURE, out_of_suit
from ultimo.kernel.jit import Ints, inlined
from ultimo.play.following import FIRST_TRUMP, NO_SUIT, REAL_TRUMPS, SKUS_CARD, SUIT_BITS, TRUMP_SUIT


@inlined
def reason(n: Ints, s: Ints, seat: int, card: int) -> int:
    """What a card is good for, in one word."""
    if card == SKUS_CARD:
        return why.EXCUSE_LATE if n[rule.HAND] - s[at.TRICK] <= 3 else why.EXCUSE_SAVES
    if card == FIRST_TRUMP:
        return why.PETIT_SAVED
    if s[at.LED] == NO_SUIT:
        return reason_to_lead(n, s, seat, card)
    return reason_to_follow(n, s, seat, card)


@inlined
def reason_to_lead(n: Ints, s: Ints, seat: int, card: int) -> int:
    """Why a card is led."""
    if card >= FIRST_TRUMP:
        if s[at.TRUMPS + seat] & 1 and not s[at.OUT_TRUMPS] & REAL_TRUMPS:
            return why.PETIT_LAST
        return why.PETIT_HUNTED if s[at.OUT_TRUMPS] & 1 else why.DRAW_TRUMPS
    suit, rank = card // 14, card % 14
    if rank > 9 and out_of_suit(s, suit) >> rank == 0:
        return why.MASTER
    taker = s[at.TAKER]
    if seat != taker:
        if s[at.FRIEND + taker] == 0 and s[at.VOID + taker] >> suit & 1:
            return why.FORCE
        for other in range(n[rule.PLAYERS]):
            led = s[at.LEADS + other] >> (LEAD_BITS * suit) & ((1 << LEAD_BITS) - 1)
            if other != seat and other != taker and led:
                return why.RETURN
    return why.LONG_SUIT if count(s[at.SUITS + seat] >> (14 * suit) & SUIT_BITS) > 3 else why.LOW


@inlined
def reason_to_follow(n: Ints, s: Ints, seat: int, card: int) -> int:
    """Why a card is played to a trick that another has led."""
    _, _, winning = fall(card, seat, s[at.LED], s[at.HEIGHT], s[at.WINNING])
    if card >= FIRST_TRUMP:
        if winning != seat:
            return why.LOWEST_TRUMP
        return why.WIN if s[at.LED] == TRUMP_SUIT or top_trump(s[at.HEIGHT]) else why.RUFF
    suit, rank = card // 14, card % 14
    if winning == seat:
        return why.MASTER if rank > 9 and out_of_suit(s, suit) >> rank == 0 else why.WIN
    if rank > 9 and s[at.FRIEND + winning] * 2 > SURE:
        hidden = s[at.ROLE] == why.PARTNER and not s[at.SIDES_PUBLIC] and winning == s[at.TAKER]
        return why.HIDDEN_FEED if hidden else why.FEED
    return why.LOW
