"""Danish deals between random players, as fast as they go: the same throws and cards as action by action.

What card falls is nothing that a processor can foresee, and a branch that it guesses wrong costs it more than
all else about that card. So nothing is asked here: `either` works out both answers and takes one. What is
rare, a led skus and the last three tricks, is left to `deal`.
"""

from __future__ import annotations

import numpy as np

from ultimo.cards import KINGS, SUITS_WORD
from ultimo.danish.declarations import PAGAT_BIT
from ultimo.danish.following import THIRD_LAST
from ultimo.kernel.bits import count, select
from ultimo.kernel.danish import layout as at
from ultimo.kernel.danish.deal import before_trick, either, find_ways, lay, lays_left, pay_trick, play
from ultimo.kernel.danish.policy.choose import any_of
from ultimo.kernel.dice import draw
from ultimo.kernel.jit import Ints, Words, inlined
from ultimo.play.counting import honours
from ultimo.play.following import (
    FIRST_TRUMP,
    PACK_SIZE,
    REAL_TRUMPS,
    SKUS_BIT,
    SUIT_BITS,
    TRUMP_SUIT,
    strength,
    suit_of,
)

NAMES = 5  # under which a skus can be led
SKUS_PLACE = 21  # its bit in the word of trumps
SKUS_HONOURS = honours(0, SKUS_BIT)
STANDING = np.array([strength(card, suit_of(card), True) for card in range(PACK_SIZE)], np.int64)


@inlined
def lay_at_random(n: Ints, s: Ints, w: Ints, dice: Words) -> None:
    """Lay the skat; the ways to lay are looked for once, and again if it shall hold the skus."""
    found = False
    while s[at.PHASE] == at.LAYING:
        if not found:
            find_ways(n, s, w)
        suits, trumps, words = lays_left(s, w)
        action = any_of(suits, trumps, words, dice)
        lay(n, s, w, action)
        found = action != at.LAY_TOUT


@inlined
def play_tricks_at_random(n: Ints, s: Ints, w: Ints, dice: Words) -> None:
    """Play tricks before the third-last, until somebody is asked something or leads the skus."""
    leader = s[at.LEADER]
    while s[at.PHASE] == at.PLAY and s[at.NUMBER] < THIRD_LAST:
        suits, trumps = s[at.SUITS + leader], s[at.TRUMPS + leader]
        of_cards = count(suits) + count(trumps & REAL_TRUMPS)
        nth = _throw(dice, of_cards + NAMES * (trumps >> SKUS_PLACE))
        if nth >= of_cards:
            play(n, s, w, at.LEAD_SKUS + nth - of_cards)
            return
        card, trick_suits, trick_trumps = _nth_card(suits, trumps, nth)
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
            nth = _throw(dice, count(may_suits) + count(may_trumps))
            card, from_suits, from_trumps = _nth_card(may_suits, may_trumps, nth)
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


@inlined
def _throw(dice: Words, sides: int) -> int:
    """A number below `sides`; where there is only one, the dice are left as if nobody had thrown them."""
    before = dice[0]
    thrown = draw(dice, sides)
    after = dice[0]
    dice[0] = after if sides > 1 else before
    return thrown


@inlined
def _nth_card(suits: int, trumps: int, nth: int) -> tuple[int, int, int]:
    """The n-th of some cards: its number, and the card itself as two words, one of them empty."""
    of_suits = count(suits)
    tarok = nth >= of_suits
    bit = select(either(tarok, trumps, suits), nth - either(tarok, of_suits, 0))
    return bit + either(tarok, FIRST_TRUMP, 0), either(tarok, 0, 1 << bit), either(tarok, 1 << bit, 0)
