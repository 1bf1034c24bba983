"""What everybody at a Danish table has seen: cards played, voids shown, declarations, leads and signals.

It stands behind the deal in the same array, from `SIZE` on, and is kept up only by loops whose players look
at it. Nothing in it is secret, so that a player who reads it, his own hand and the table cannot peek.
"""

from __future__ import annotations

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
from ultimo.danish.numbers import DEALER_BASIS, NAME_MISSING, OVERFULL
from ultimo.danish.outcome import LEADER
from ultimo.kernel.danish_deal import (
    DEALT_SUITS,
    DEALT_TRUMPS,
    LEAD_SKUS,
    LED,
    MADE_AT,
    NAME,
    PHASE,
    PLAY,
    PLAYED,
    SIZE,
    SUITS,
    TRUMPS,
    TURN,
    WAYS_AT,
)
from ultimo.kernel.jit import Ints, inlined, tight
from ultimo.play.following import (
    FIRST_TRUMP,
    NO_SUIT,
    SKUS_BIT,
    SKUS_CARD,
    TRUMP_SUIT,
    strength,
    suit_of,
)

OUT_SUITS = SIZE  # the cards that each place has played
OUT_TRUMPS = OUT_SUITS + 3
VOID = OUT_TRUMPS + 3  # the suits in which a place has shown that it has nothing, a bit each
HELD_SUITS = VOID + 3  # what a place has declared, the cards by name
HELD_TRUMPS = HELD_SUITS + 3
LACKED_SUITS = HELD_TRUMPS + 3  # and what follows that it was not dealt
LACKED_TRUMPS = LACKED_SUITS + 3
TAROKKER = LACKED_TRUMPS + 3  # how many tarokker a place has declared, the skus counted
LEADS = TAROKKER + 3  # how often a place has led each suit, five to a place
FOLLOWED = LEADS + 15  # the height of the first card with which a place followed suit, four to a place
SIGNAL = FOLLOWED + 12  # its second was higher (TO) or lower (FROM), four to a place
HEARD = SIGNAL + 12  # whether the declarations have been made
LENGTH = HEARD + 1

TO, FROM = 1, -1  # «I have four or more», «three or fewer» (F2.7)


@inlined
def forget(s: Ints) -> None:
    """A new deal: nobody has seen anything."""
    for at in range(SIZE, LENGTH):
        s[at] = 0


@inlined
def remember(s: Ints, action: int) -> None:
    """Note what the place in turn is about to do, before it is done."""
    if s[PHASE] == PLAY:
        card = min(action, SKUS_CARD)
        led = s[LED]
        if led == NO_SUIT:
            led = action - LEAD_SKUS if action >= LEAD_SKUS else suit_of(card)
        see_card(s, s[TURN], card, led, s[PLAYED])
    elif s[PHASE] == NAME:
        see_renamed(s, s[LEADER], s[LED])


@inlined
def see_card(s: Ints, place: int, card: int, led: int, turn: int) -> None:
    """A place plays a card as the first, second or third (`turn`) of a trick to which `led` is led."""
    if card < FIRST_TRUMP:
        s[OUT_SUITS + place] |= 1 << card
    else:
        s[OUT_TRUMPS + place] |= 1 << (card - FIRST_TRUMP)
    if turn == 0:
        if card != SKUS_CARD:
            s[LEADS + 5 * place + led] += 1
    elif card != SKUS_CARD:
        suit = suit_of(card)
        if suit != led:
            s[VOID + place] |= 1 << led
            if suit != TRUMP_SUIT:
                s[VOID + place] |= 1 << TRUMP_SUIT
        elif led != TRUMP_SUIT:
            _see_signal(s, 4 * place + led, strength(card, led, True))


@inlined
def see_renamed(s: Ints, leader: int, named: int) -> None:
    """A led skus is named anew: neither opponent of its leader has the suit it was named as."""
    s[VOID + (leader + 1) % 3] |= 1 << named
    s[VOID + (leader + 2) % 3] |= 1 << named


@inlined
def _see_signal(s: Ints, at: int, height: int) -> None:
    """The first two cards with which a place follows a suit say whether it has four or more (F2.7)."""
    if s[FOLLOWED + at] == 0:
        s[FOLLOWED + at] = height
    elif s[SIGNAL + at] == 0:
        s[SIGNAL + at] = TO if height > s[FOLLOWED + at] else FROM


@tight
def hear(n: Ints, s: Ints, w: Ints) -> None:
    """Note the declarations, once the skat has been laid."""
    made = w[MADE_AT:WAYS_AT]
    for place in range(3):
        suits, trumps = s[DEALT_SUITS + place], s[DEALT_TRUMPS + place]
        if place == 2 and n[DEALER_BASIS] == 25:
            suits, trumps = s[SUITS + 2], s[TRUMPS + 2]
        declare(n, suits, trumps, made)
        hear_hand(n, s, place, made, trumps & PAGAT_BIT, suits)
    s[HEARD] = 1


@inlined
def hear_hand(n: Ints, s: Ints, place: int, made: Ints, pagat: int, courts: int) -> None:
    """Note what one hand declares; of its cards only those that a declaration tells are looked at."""
    for row in range(made[0]):
        kind, number, family = made[1 + 3 * row], made[2 + 3 * row], made[3 + 3 * row]
        if kind == TAROK:
            s[TAROKKER + place] = number
            if pagat:
                s[HELD_TRUMPS + place] |= PAGAT_BIT
            else:
                s[LACKED_TRUMPS + place] |= PAGAT_BIT
        elif kind != MATADORS and kind != MATADORS_BELOW:
            if kind != HALF or n[NAME_MISSING]:  # else nobody is told which three of the four (I-5.8)
                s[HELD_SUITS + place] |= courts & FAMILY_WORDS[family]
                s[LACKED_SUITS + place] |= FAMILY_WORDS[family] & ~courts
            if kind == FULL:
                if n[OVERFULL]:
                    s[LACKED_TRUMPS + place] |= SKUS_BIT
            else:
                s[HELD_TRUMPS + place] |= SKUS_BIT
    _, matadors = declared_cards(0, 0, made)
    s[HELD_TRUMPS + place] |= matadors
