"""French tricks between random players, as fast as they go: the same throws and cards as card by card."""

from __future__ import annotations

from ultimo.french import numbers as rule
from ultimo.french.following import UNBEATEN, fall, legal_cards, top_trump
from ultimo.kernel.bits import count, select
from ultimo.kernel.dice import draw
from ultimo.kernel.french import layout as at
from ultimo.kernel.french.deal import end_trick
from ultimo.kernel.jit import Ints, Words, tight
from ultimo.play.following import FIRST_TRUMP, NO_SUIT


@tight
def play_tricks_at_random(n: Ints, s: Ints, dice: Words) -> None:
    """Play whole tricks, each card as likely as another, to the end.

    This is what `legal`, a choice and `play` do card by card after the first trick; the cards come to lie as
    if they had, but nobody looks at them in between.
    """
    players = n[rule.PLAYERS]
    while s[at.PHASE] == at.PLAYING:
        seat, led, height, winning = s[at.TURN], NO_SUIT, UNBEATEN, 0
        trick_suits, trick_trumps = 0, 0
        for place in range(players):
            suits, trumps = legal_cards(s[at.SUITS + seat], s[at.TRUMPS + seat], led, top_trump(height), 0)
            lower = count(suits)
            cards = lower + count(trumps)
            nth = draw(dice, cards)
            if nth < lower:
                card = select(suits, nth)
                s[at.SUITS + seat] ^= 1 << card
                trick_suits |= 1 << card
            else:
                number = select(trumps, nth - lower)
                s[at.TRUMPS + seat] ^= 1 << number
                trick_trumps |= 1 << number
                card = FIRST_TRUMP + number
            led, height, winning = fall(card, seat, led, height, winning)
            s[at.TABLE + place] = card
            seat = seat + 1 if seat + 1 < players else 0
        s[at.TRICK_SUITS] = trick_suits
        s[at.TRICK_TRUMPS] = trick_trumps
        s[at.WINNING] = winning
        if s[at.CALLED] != at.NOTHING and trick_suits >> s[at.CALLED] & 1:
            s[at.SIDES_PUBLIC] = 1
        end_trick(n, s)
