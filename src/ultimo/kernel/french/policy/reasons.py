"""Why a French player does what it does: the principles, and which of them is behind a card.

F-numbers are those of the rules' part F; a principle that has none there is named by what it is about.
"""

from __future__ import annotations

from ultimo.french import numbers as rule
from ultimo.french.following import fall, top_trump
from ultimo.kernel.bits import count
from ultimo.kernel.french import layout as at
from ultimo.kernel.french import weights as wt
from ultimo.kernel.french.policy.odds import PARTNER, has_led, out_of_suit
from ultimo.kernel.jit import Ints, inlined
from ultimo.kernel.policy import HONOUR, SURE, suit_cards
from ultimo.play.following import FIRST_TRUMP, NO_SUIT, REAL_TRUMPS, SKUS_CARD, TRUMP_SUIT

PRINCIPLES = (
    "FR.only",  # there was nothing to choose
    "F7.1",  # the écart: voids, and courts in safety
    "F7.2",  # a poignée only if one's side will probably win
    "F7.3",  # the hidden partner feeds the taker
    "F7.4",  # the excuse is not kept for the last trick
    "F7.5",  # bid at once what the hand is worth
    "F7.6",  # the lowest trump where none can win
    "FR.call",  # a king that helps
    "FR.slam",  # announced only if no trick can be lost
    "FR.excuse",  # the excuse instead of a card that would be lost
    "FR.petit.save",  # the petit comes home
    "FR.petit.hunt",  # high trumps against the petit of the others
    "FR.petit.bout",  # the petit is kept for the last trick
    "FR.trumps",  # draw trumps
    "FR.long",  # lead the long suit
    "FR.master",  # a card that nothing of its suit beats is played while it wins
    "FR.force",  # lead what the taker must trump
    "FR.return",  # lead a friend's suit again
    "FR.ruff",  # trump as cheaply as will do
    "FR.win",  # take the trick
    "FR.feed",  # points on a friend's trick
    "FR.low",  # what is lost should be worth little
)
ONLY, ECART, POIGNEE, HIDDEN_FEED, EXCUSE_LATE, BID_WORTH, LOWEST_TRUMP = range(7)
CALL, SLAM, EXCUSE_SAVES, PETIT_SAVED, PETIT_HUNTED, PETIT_LAST, DRAW_TRUMPS = range(7, 14)
LONG_SUIT, MASTER, FORCE, RETURN, RUFF, WIN, FEED, LOW = range(14, len(PRINCIPLES))

EXCUSE_LEFT = 3  # with so many tricks left it goes because it is late


@inlined
def reason(n: Ints, s: Ints, seat: int, card: int) -> int:
    """What a card is good for, in one word."""
    if card == SKUS_CARD:
        return EXCUSE_LATE if n[rule.HAND] - s[at.TRICK] <= EXCUSE_LEFT else EXCUSE_SAVES
    if card == FIRST_TRUMP:
        return PETIT_SAVED
    return reason_to_lead(n, s, seat, card) if s[at.LED] == NO_SUIT else reason_to_follow(s, seat, card)


@inlined
def is_master(s: Ints, card: int) -> bool:
    """Whether a plain card is a court that nothing of its suit beats."""
    return bool(HONOUR[card] and out_of_suit(s, card // 14) >> card % 14 == 0)


@inlined
def reason_to_lead(n: Ints, s: Ints, seat: int, card: int) -> int:
    """Why a card is led."""
    if card >= FIRST_TRUMP:
        if s[at.TRUMPS + seat] & 1 and not s[at.OUT_TRUMPS] & REAL_TRUMPS:
            return PETIT_LAST
        return PETIT_HUNTED if s[at.OUT_TRUMPS] & 1 else DRAW_TRUMPS
    if is_master(s, card):
        return MASTER
    suit, taker = card // 14, s[at.TAKER]
    if seat != taker:
        if s[at.FRIEND + taker] == 0 and s[at.VOID + taker] >> suit & 1:
            return FORCE
        for other in range(n[rule.PLAYERS]):
            if other != seat and other != taker and has_led(s, other, suit):
                return RETURN
    return LONG_SUIT if count(suit_cards(s[at.SUITS + seat], suit)) > wt.LONG_FROM else LOW


@inlined
def reason_to_follow(s: Ints, seat: int, card: int) -> int:
    """Why a card is played to a trick that another has led."""
    _, _, winning = fall(card, seat, s[at.LED], s[at.HEIGHT], s[at.WINNING])
    if card >= FIRST_TRUMP:
        if winning != seat:
            return LOWEST_TRUMP
        return WIN if s[at.LED] == TRUMP_SUIT or top_trump(s[at.HEIGHT]) else RUFF
    if winning == seat:
        return MASTER if is_master(s, card) else WIN
    if HONOUR[card] and s[at.FRIEND + winning] * 2 > SURE:
        hidden = s[at.ROLE] == PARTNER and not s[at.SIDES_PUBLIC] and winning == s[at.TAKER]
        return HIDDEN_FEED if hidden else FEED
    return LOW
