"""What everybody at a Danish table has seen: cards played, voids shown, declarations, leads and signals.

It stands behind the deal in the same array, from `SIZE` on, and is kept up only by loops whose players look
at it. Nothing in it is secret, so that a player who reads it, his own hand and the table cannot peek.
"""

from __future__ import annotations

from ultimo.danish import numbers as rule
from ultimo.danish.declarations import (
    FAMILY_WORDS,
    FULL,
    HALF,
    MATADORS,
    MATADORS_BELOW,
    PAGAT_BIT,
    TAROK,
    declare,
    declared_cards,
)
from ultimo.danish.phases import renaming_shows
from ultimo.kernel.danish import layout as at
from ultimo.kernel.danish.deal import declared_hand
from ultimo.kernel.jit import Ints, inlined, tight
from ultimo.kernel.sets import put
from ultimo.play.following import NO_SUIT, SKUS_BIT, SKUS_CARD, TRUMP_SUIT, strength, suit_of


@inlined
def forget(s: Ints) -> None:
    """A new deal: nobody has seen anything."""
    for spot in range(at.SIZE, at.LENGTH):
        s[spot] = 0


@inlined
def remember(n: Ints, s: Ints, action: int) -> None:
    """Note what the place in turn is about to do, before it is done."""
    if s[at.PHASE] == at.PLAY:
        card = min(action, SKUS_CARD)
        led = s[at.LED]
        if led == NO_SUIT:
            led = action - at.LEAD_SKUS if action >= at.LEAD_SKUS else suit_of(card)
        see_card(s, s[at.TURN], card, led, s[at.PLAYED])
    elif s[at.PHASE] == at.NAME:
        see_renamed(n, s, s[at.LEADER], s[at.LED])


@inlined
def see_card(s: Ints, place: int, card: int, led: int, turn: int) -> None:
    """A place plays a card as the first, second or third (`turn`) of a trick to which `led` is led."""
    put(s, at.OUT_SUITS + place, at.OUT_TRUMPS + place, card)
    if card == SKUS_CARD:
        return
    suit = suit_of(card)
    if turn == 0:
        s[at.LEADS + 5 * place + led] += 1
    elif suit != led:
        s[at.VOID + place] |= 1 << led
        if suit != TRUMP_SUIT:
            s[at.VOID + place] |= 1 << TRUMP_SUIT
    elif led != TRUMP_SUIT:
        _see_signal(s, 4 * place + led, strength(card, led, True))


@inlined
def see_renamed(n: Ints, s: Ints, leader: int, named: int) -> None:
    """A led skus is named anew: some of the opponents of its leader lack the suit it was named as."""
    shown = renaming_shows(n)
    s[at.VOID + (leader + 1) % 3] |= (shown & 1) << named
    s[at.VOID + (leader + 2) % 3] |= (shown >> 1) << named


@inlined
def _see_signal(s: Ints, spot: int, height: int) -> None:
    """The first two cards with which a place follows a suit say whether it has four or more (F2.7)."""
    if s[at.FOLLOWED + spot] == 0:
        s[at.FOLLOWED + spot] = height
    elif s[at.SIGNAL + spot] == 0:
        s[at.SIGNAL + spot] = at.TO if height > s[at.FOLLOWED + spot] else at.FROM


@tight
def hear(n: Ints, s: Ints, w: Ints) -> None:
    """Note the declarations, once the skat has been laid."""
    made = w[at.MADE_AT : at.WAYS_AT]
    for place in range(3):
        suits, trumps = declared_hand(n, s, place)
        declare(n, suits, trumps, made)
        hear_hand(n, s, place, made, trumps & PAGAT_BIT, suits)
    s[at.HEARD] = 1


@inlined
def hear_hand(n: Ints, s: Ints, place: int, made: Ints, pagat: int, courts: int) -> None:
    """Note what one hand declares; of its cards only those that a declaration tells are looked at."""
    for row in range(made[0]):
        kind, number, family = made[1 + 3 * row], made[2 + 3 * row], made[3 + 3 * row]
        if kind == TAROK:
            s[at.TAROKKER + place] = number
            if pagat:
                s[at.HELD_TRUMPS + place] |= PAGAT_BIT
            else:
                s[at.LACKED_TRUMPS + place] |= PAGAT_BIT
        elif kind != MATADORS and kind != MATADORS_BELOW:
            if kind != HALF or n[rule.NAME_MISSING]:  # else nobody is told which three of the four
                s[at.HELD_SUITS + place] |= courts & FAMILY_WORDS[family]
                s[at.LACKED_SUITS + place] |= FAMILY_WORDS[family] & ~courts
            if kind == FULL:
                if n[rule.OVERFULL]:
                    s[at.LACKED_TRUMPS + place] |= SKUS_BIT
            else:
                s[at.HELD_TRUMPS + place] |= SKUS_BIT
    _, matadors = declared_cards(0, 0, made)
    s[at.HELD_TRUMPS + place] |= matadors
