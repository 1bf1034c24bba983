"""Danish deals between random players, as fast as they go: the same throws and cards as action by action.

What card falls is nothing that a processor can foresee, and a branch that it guesses wrong costs it more than
all else about that card. So in whole tricks nothing is asked: `either` works out both answers and takes one.
What is rare, a led skus and one that is kept for the last three tricks, is left to `deal`.
"""

from __future__ import annotations

import numpy as np

from ultimo.cards import SUITS_WORD
from ultimo.danish.following import THIRD_LAST
from ultimo.kernel.bits import either
from ultimo.kernel.danish import layout as at
from ultimo.kernel.danish.deal import find_ways, lay, play, take_trick
from ultimo.kernel.danish.policy.choose import any_lay
from ultimo.kernel.dice import draw
from ultimo.kernel.jit import Ints, Words, inlined
from ultimo.kernel.policy import any_card
from ultimo.play import following
from ultimo.play.following import PACK_SIZE, REAL_TRUMPS, SKUS_BIT, SKUS_CARD, SUIT_BITS

SKUS_PLACE = 21  # its bit in the word of trumps
OF_SUIT = np.array(  # the cards of the suit that a card leads; none if that is a tarok
    [SUIT_BITS << (14 * (card // 14)) & SUITS_WORD for card in range(PACK_SIZE)], np.int64
)
STANDING = np.array(
    [following.strength(card, following.suit_of(card), True) for card in range(PACK_SIZE)], np.int64
)


@inlined
def lay_at_random(n: Ints, s: Ints, w: Ints, dice: Words) -> None:
    """Lay the skat; the ways to lay are looked for once, and again if it shall hold the skus."""
    found = False
    while s[at.PHASE] == at.LAYING:
        if not found:
            find_ways(n, s, w)
        action = any_lay(s, w, dice)
        lay(n, s, w, action)
        found = action != at.LAY_TOUT


@inlined
def are_plain_tricks(s: Ints) -> bool:
    """Whether a trick begins in which no rule about the last tricks can speak of the skus."""
    before = s[at.PHASE] == at.PLAY and s[at.PLAYED] == 0
    return before and (s[at.NUMBER] < THIRD_LAST or s[at.SKUS_GONE] != 0)


@inlined
def play_tricks_at_random(n: Ints, s: Ints, w: Ints, dice: Words) -> None:
    """Play plain tricks, until somebody is asked something or leads the skus, or the deal is over."""
    while are_plain_tricks(s):
        leader = s[at.LEADER] & 3  # never negative: then numba need not ask, here and for all that follow
        suits, trumps = s[at.SUITS + leader], s[at.TRUMPS + leader]
        card, trick_suits, trick_trumps = any_card(suits, trumps, dice)
        if card == SKUS_CARD:
            play(n, s, w, at.LEAD_SKUS + draw(dice, at.SUITS_AND_TRUMPS))
            return
        s[at.SUITS + leader] = suits ^ trick_suits
        s[at.TRUMPS + leader] = trumps ^ trick_trumps
        s[at.LAST_CARDS] = card
        of_suit, height, won, place = OF_SUIT[card], STANDING[card], leader, leader
        for turn in range(1, 3):
            place = either(place == 2, 0, place + 1)
            suits, trumps = s[at.SUITS + place], s[at.TRUMPS + place]
            follows, taroks = suits & of_suit, trumps & REAL_TRUMPS
            may_suits = either(follows != 0, follows, either(taroks != 0, 0, suits))
            may_trumps = either(follows != 0, 0, taroks) | trumps & SKUS_BIT
            card, from_suits, from_trumps = any_card(may_suits, may_trumps, dice)
            s[at.SUITS + place] = suits ^ from_suits
            s[at.TRUMPS + place] = trumps ^ from_trumps
            s[at.LAST_CARDS + turn] = card
            trick_suits |= from_suits
            trick_trumps |= from_trumps
            stands = either((from_suits != 0) & (follows == 0), 0, STANDING[card])
            won = either(stands > height, place, won)
            height = max(stands, height)
        s[at.SKUS_GONE] |= trick_trumps >> SKUS_PLACE
        take_trick(n, s, w, won, trick_suits, trick_trumps)
