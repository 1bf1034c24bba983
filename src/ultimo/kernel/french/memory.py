"""What everybody at the table has seen of a French deal, kept up as it goes on, and worlds put in its place.

`remember` is called before `french_deal.act`, with the same action. It writes down only what every seat sees,
so that a seat which knows its own hand besides can decide from it; a view of the deal has the same memory.
"""

from __future__ import annotations

from ultimo.french import numbers as rule
from ultimo.french.following import fall, top_trump
from ultimo.french.phases import is_turned, partner_of
from ultimo.kernel.french import layout as at
from ultimo.kernel.french.deal import holder_of, sides_of
from ultimo.kernel.jit import Ints, inlined, tight
from ultimo.kernel.sets import put
from ultimo.play.following import FIRST_TRUMP, NO_SUIT, REAL_TRUMPS, SKUS_CARD, TRUMP_SUIT, suit_of

PASSED = 1  # in place of a bid; the first of the ladder is one more
FIRST_BID = PASSED + 1
LEAD_BITS = 4


@tight
def remember(n: Ints, s: Ints, action: int) -> None:
    """Note what everybody is about to see: this action of the seat whose turn it is."""
    phase = s[at.PHASE]
    if phase == at.PLAYING:
        if action < at.FIRST_WORD:
            see_card(s, s[at.TURN], action, s[at.LED], s[at.HEIGHT], s[at.WINNING])
            if s[at.PLACE] + 1 == n[rule.PLAYERS]:
                note_trick(s, s[at.TURN], action)
    elif phase == at.BIDDING:
        s[at.BIDS + s[at.TURN]] = PASSED + action - at.PASS
        contract = s[at.CONTRACT] if action == at.PASS else action - at.BID
        if s[at.SPOKEN] + 1 == n[rule.PLAYERS] and contract != at.NOTHING and not n[rule.CALLS]:
            remember_chien(n, s, contract)
    elif phase == at.CALLING:
        remember_chien(n, s, s[at.CONTRACT])


@inlined
def remember_chien(n: Ints, s: Ints, contract: int) -> None:
    """The chien is about to be turned, if the contract wants it."""
    if is_turned(n, contract):
        s[at.CHIEN_SEEN_SUITS] = s[at.CHIEN_SUITS]
        s[at.CHIEN_SEEN_TRUMPS] = s[at.CHIEN_TRUMPS]


@inlined
def see_card(s: Ints, seat: int, card: int, led: int, height: int, winning: int) -> None:
    """A card falls on a trick that so far stands like this: it is gone, and may show what its hand lacks."""
    put(s, at.PLAYED_SUITS + seat, at.PLAYED_TRUMPS + seat, card)
    if card == SKUS_CARD:
        return  # the excuse proves nothing
    if led == NO_SUIT:
        note_lead(s, seat, card)
        return
    s[at.VOID + seat], s[at.LACKS + seat] = shown_missing(
        card, led, top_trump(height), s[at.VOID + seat], s[at.LACKS + seat]
    )
    if card < FIRST_TRUMP and seat != s[at.TAKER] and winning == s[at.TAKER]:
        s[at.FED + seat] += max(0, card % 14 - 9)


@inlined
def note_lead(s: Ints, seat: int, card: int) -> None:
    """A card sets the suit of a trick."""
    if s[at.FIRST_LED + seat] == 0:
        s[at.FIRST_LED + seat] = card + 1
    s[at.LEADS + seat] += 1 << (LEAD_BITS * suit_of(card))


@inlined
def shown_missing(card: int, led: int, highest_trump: int, void: int, lacks: int) -> tuple[int, int]:
    """The suits and the trumps that a hand has shown not to have, once it has played a card.

    Rule: 002 §8.
    """
    suit = suit_of(card)
    if suit != led:
        void |= 1 << led
    if suit == TRUMP_SUIT:
        if card - FIRST_TRUMP < highest_trump:
            lacks |= REAL_TRUMPS >> highest_trump << highest_trump
    elif suit != led:
        void |= 1 << TRUMP_SUIT
        lacks = REAL_TRUMPS
    return void, lacks


@inlined
def note_trick(s: Ints, seat: int, card: int) -> None:
    """The trick is full: whose it is. That an excuse takes the last of all is not worth remembering."""
    _, _, winner = fall(card, seat, s[at.LED], s[at.HEIGHT], s[at.WINNING])
    s[at.WON_SUITS + winner] |= s[at.TRICK_SUITS]
    s[at.WON_TRUMPS + winner] |= s[at.TRICK_TRUMPS]
    put(s, at.WON_SUITS + winner, at.WON_TRUMPS + winner, card)


@tight
def fill(n: Ints, s: Ints, suits: Ints, trumps: Ints) -> None:
    """Put a world into the array of a view: the hands by seat, then the cards laid aside, in two words each.

    The sides, the piles and what was dealt follow from the cards. The array may hold another world already.
    """
    players, taker, phase = n[rule.PLAYERS], s[at.TAKER], s[at.PHASE]
    for seat in range(players):
        s[at.SUITS + seat] = suits[seat]
        s[at.TRUMPS + seat] = trumps[seat]
        s[at.DEALT_SUITS + seat] = suits[seat] | s[at.PLAYED_SUITS + seat]
        s[at.DEALT_TRUMPS + seat] = trumps[seat] | s[at.PLAYED_TRUMPS + seat]
    if phase in (at.BIDDING, at.CALLING) or not is_turned(n, s[at.CONTRACT]):
        s[at.CHIEN_SUITS] = suits[players]
        s[at.CHIEN_TRUMPS] = trumps[players]
    else:
        s[at.CHIEN_SUITS] = s[at.CHIEN_SEEN_SUITS]
        s[at.CHIEN_TRUMPS] = s[at.CHIEN_SEEN_TRUMPS]
        if phase != at.LAYING:
            s[at.ECART_SUITS] = suits[players]
            s[at.ECART_TRUMPS] = trumps[players]
        s[at.DEALT_SUITS + taker] = (s[at.DEALT_SUITS + taker] | s[at.ECART_SUITS]) & ~s[at.CHIEN_SUITS]
        s[at.DEALT_TRUMPS + taker] = (s[at.DEALT_TRUMPS + taker] | s[at.ECART_TRUMPS]) & ~s[at.CHIEN_TRUMPS]
    if phase not in (at.BIDDING, at.CALLING):
        fill_sides(n, s)


@inlined
def fill_sides(n: Ints, s: Ints) -> None:
    """Who is on the taker's side in a world, and what that side has won."""
    taker, called = s[at.TAKER], s[at.CALLED]
    holder = at.NOTHING if called == at.NOTHING else holder_of(n, s, at.DEALT_SUITS, called)
    s[at.PARTNER] = partner_of(taker, holder)
    s[at.SIDES] = sides_of(taker, s[at.PARTNER])
    suits, trumps, tricks = 0, 0, 0
    for seat in range(n[rule.PLAYERS]):
        if s[at.SIDES] >> seat & 1:
            suits, trumps = suits | s[at.WON_SUITS + seat], trumps | s[at.WON_TRUMPS + seat]
            tricks += s[at.TRICKS + seat]
    s[at.PILE_SUITS] = suits
    s[at.PILE_TRUMPS] = trumps
    s[at.TAKER_TRICKS] = tricks
