"""Danish deals between random players, as fast as they go: the same throws and cards as action by action.

What card falls is nothing that a processor can foresee, and a branch that it guesses wrong costs it more than
all else about that card. So in whole tricks nothing is asked: `either` works out both answers and takes one.
What is rare, a led skus and the last three tricks, is left to `deal`.
"""

from __future__ import annotations

import numpy as np

from ultimo.cards import KINGS, SUITS_WORD
from ultimo.danish.declarations import PAGAT_BIT
from ultimo.danish.following import THIRD_LAST
from ultimo.kernel.bits import either
from ultimo.kernel.danish import layout as at
from ultimo.kernel.danish.deal import before_trick, find_ways, lay, pay_trick, play
from ultimo.kernel.danish.policy.choose import any_lay
from ultimo.kernel.dice import draw
from ultimo.kernel.jit import Ints, Words, inlined
from ultimo.kernel.policy import any_card
from ultimo.play import following
from ultimo.play.counting import honours
from ultimo.play.following import PACK_SIZE, REAL_TRUMPS, SKUS_BIT, SKUS_CARD, SUIT_BITS, TRUMP_SUIT

SKUS_PLACE = 21  # its bit in the word of trumps
SKUS_HONOURS = honours(0, SKUS_BIT)
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
def play_tricks_at_random(n: Ints, s: Ints, w: Ints, dice: Words) -> None:
    """Play tricks before the third-last, until somebody is asked something or leads the skus."""
    leader = s[at.LEADER]
    while s[at.PHASE] == at.PLAY and s[at.NUMBER] < THIRD_LAST:
        suits, trumps = s[at.SUITS + leader], s[at.TRUMPS + leader]
        card, trick_suits, trick_trumps = any_card(suits, trumps, dice)
        if card == SKUS_CARD:
            play(n, s, w, at.LEAD_SKUS + draw(dice, at.SUITS_AND_TRUMPS))
            return
        s[at.SUITS + leader] = suits ^ trick_suits
        s[at.TRUMPS + leader] = trumps ^ trick_trumps
        s[at.LAST_CARDS] = card
        of_suit = SUIT_BITS << (14 * min(card // 14, TRUMP_SUIT)) & SUITS_WORD  # none if a tarok is led
        height, won, skus_by, place = STANDING[card], leader, leader, leader
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
            skus_by = either(from_trumps == SKUS_BIT, place, skus_by)
        skus_fell = trick_trumps >> SKUS_PLACE
        s[at.SKUS_GONE] |= skus_fell
        s[at.HONOURS + skus_by] += SKUS_HONOURS * skus_fell
        s[at.HONOURS + won] += honours(trick_suits, trick_trumps & REAL_TRUMPS)
        s[at.TRICKS_WON + won] += 1
        if trick_suits & KINGS or trick_trumps & PAGAT_BIT:
            pay_trick(n, s, w, won)
        leader = won
        s[at.LEADER] = won
        s[at.NUMBER] += 1
        before_trick(n, s)
