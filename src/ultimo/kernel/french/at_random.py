"""French tricks between random players, as fast as they go: the same throws and cards as card by card.

As in the Danish deals nothing is asked that a processor cannot foresee: `either` works out both answers and
takes one. An excuse that is led, which is rare, is left to `deal`.
"""

from __future__ import annotations

import numpy as np

from ultimo.cards import SUITS_WORD
from ultimo.french import numbers as rule
from ultimo.french.phases import barred_suits
from ultimo.kernel.bits import either
from ultimo.kernel.french import layout as at
from ultimo.kernel.french.deal import end_trick, legal_bids, play, poignees, speak
from ultimo.kernel.jit import Ints, Words, inlined, tight
from ultimo.kernel.policy import any_action, any_card
from ultimo.play import following
from ultimo.play.following import PACK_SIZE, REAL_TRUMPS, SKUS_BIT, SKUS_CARD, SUIT_BITS

OF_SUIT = np.array(  # the cards of the suit that a card leads; none if that is a trump
    [SUIT_BITS << (14 * (card // 14)) & SUITS_WORD for card in range(PACK_SIZE)], np.int64
)
STANDING = np.array(
    [following.strength(card, following.suit_of(card), False) for card in range(PACK_SIZE)], np.int64
)


@inlined
def bid_at_random(n: Ints, s: Ints, dice: Words) -> None:
    """Let everybody bid or pass."""
    while s[at.PHASE] == at.BIDDING:
        speak(n, s, any_action(0, 0, legal_bids(n, s), dice))


@inlined
def are_plain_tricks(n: Ints, s: Ints) -> bool:
    """Whether a trick begins in which nobody can do but play, and any card may be led."""
    if s[at.PHASE] != at.PLAYING or s[at.PLACE] != 0:
        return False
    if s[at.TRICK] > 0:
        return True
    for seat in range(n[rule.PLAYERS]):
        if poignees(n, s, seat):
            return False
    return s[at.SUITS + s[at.LEADER]] & barred_suits(n, s[at.CALLED], 0, 0) == 0


@tight
def play_tricks_at_random(n: Ints, s: Ints, dice: Words) -> None:
    """Play plain tricks, each card as likely as another, until the end or a led excuse.

    The cards come to lie as if they had been played one by one, but nobody looks at them in between.
    """
    players = n[rule.PLAYERS]
    while s[at.PHASE] == at.PLAYING:
        leader = s[at.TURN] & 7  # never negative: then numba need not ask, here and for all that follow
        suits, trumps = s[at.SUITS + leader], s[at.TRUMPS + leader]
        card, trick_suits, trick_trumps = any_card(suits, trumps, dice)
        if card == SKUS_CARD:
            play(n, s, card)
            return
        s[at.SUITS + leader] = suits ^ trick_suits
        s[at.TRUMPS + leader] = trumps ^ trick_trumps
        s[at.TABLE] = card
        of_suit, height, winning, seat = OF_SUIT[card], STANDING[card], leader, leader
        top = trick_trumps  # the highest trump in the trick; a higher one is a greater word
        for place in range(1, players):
            seat = either(seat + 1 == players, 0, seat + 1)
            suits, trumps = s[at.SUITS + seat], s[at.TRUMPS + seat]
            follows, real = suits & of_suit, trumps & REAL_TRUMPS
            higher = real & -(top << 1)
            may_suits = either(follows != 0, follows, either(real != 0, 0, suits))
            may_trumps = either(follows != 0, 0, either(higher != 0, higher, real)) | trumps & SKUS_BIT
            card, from_suits, from_trumps = any_card(may_suits, may_trumps, dice)
            s[at.SUITS + seat] = suits ^ from_suits
            s[at.TRUMPS + seat] = trumps ^ from_trumps
            s[at.TABLE + place] = card
            trick_suits |= from_suits
            trick_trumps |= from_trumps
            top = max(top, from_trumps & REAL_TRUMPS)
            stands = either((from_suits != 0) & (follows == 0), 0, STANDING[card])
            winning = either(stands > height, seat, winning)
            height = max(stands, height)
        if s[at.CALLED] != at.NOTHING and trick_suits >> s[at.CALLED] & 1:
            s[at.SIDES_PUBLIC] = 1
        end_trick(n, s, winning, trick_suits, trick_trumps)
