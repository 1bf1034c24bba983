"""French tricks between random players, as fast as they go: the same throws and cards as card by card."""

from __future__ import annotations

from ultimo.french import numbers as rule
from ultimo.french.following import UNBEATEN, fall, legal_cards, top_trump
from ultimo.kernel.french import layout as at
from ultimo.kernel.french.deal import end_trick
from ultimo.kernel.jit import Ints, Words, tight
from ultimo.kernel.policy import any_card
from ultimo.play.following import NO_SUIT


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
            card, from_suits, from_trumps = any_card(suits, trumps, dice)
            s[at.SUITS + seat] ^= from_suits
            s[at.TRUMPS + seat] ^= from_trumps
            trick_suits |= from_suits
            trick_trumps |= from_trumps
            led, height, winning = fall(card, seat, led, height, winning)
            s[at.TABLE + place] = card
            seat = seat + 1 if seat + 1 < players else 0
        s[at.TRICK_SUITS] = trick_suits
        s[at.TRICK_TRUMPS] = trick_trumps
        s[at.WINNING] = winning
        if s[at.CALLED] != at.NOTHING and trick_suits >> s[at.CALLED] & 1:
            s[at.SIDES_PUBLIC] = 1
        end_trick(n, s)
