"""How a French deal over an array of integers starts: a rulebook as an array, a state, cards in it."""

from __future__ import annotations

import numpy as np

from ultimo.cards import SUITS_WORD
from ultimo.french.numbers import CALLS, CHIEN, FORBIDDEN_ENDS, HAND, PACKET, PLAYERS, numbers
from ultimo.french.offering import is_petit_sec
from ultimo.kernel import french_deal_state as at
from ultimo.kernel.chance import PACK_SIZE, draw, shuffle
from ultimo.kernel.jit import Ints, Words, inlined, tight
from ultimo.play.following import FIRST_TRUMP, NO_SUIT
from ultimo.rulebook import FrenchRules


def array_of(rules: FrenchRules) -> Ints:
    """The rulebook as the array that everything here takes as `n`."""
    return np.array(numbers(rules), np.int64)


def blank() -> Ints:
    """A state to deal into."""
    return np.zeros(at.WHOLE, np.int64)


@tight
def deal(n: Ints, s: Ints, dealer: int, pack: Ints, dice: Words) -> None:
    """Shuffle a pack of 78 places and deal it; the state before is forgotten.

    Places for the chien are drawn among those that are allowed; packets are dealt from what is left.
    Rule: 002 §5; I-C.1.
    """
    clear(s)
    for card in range(PACK_SIZE):
        pack[card] = card
    shuffle(dice, pack)
    players, packet, dealt = n[PLAYERS], n[PACKET], n[PLAYERS] * n[HAND]
    s[at.CHIEN_SUITS], s[at.CHIEN_TRUMPS] = take_chien(n, pack, dice)
    for turn in range(players):
        seat, suits, trumps = (dealer + 1 + turn) % players, 0, 0
        for first in range(turn * packet, dealt, packet * players):
            more_suits, more_trumps = together(pack, first, first + packet)
            suits, trumps = suits | more_suits, trumps | more_trumps
        s[at.SUITS + seat] = suits
        s[at.TRUMPS + seat] = trumps
    begin(n, s, dealer)


@inlined
def take_chien(n: Ints, pack: Ints, dice: Words) -> tuple[int, int]:
    """Take the chien out of the pack, at places that are drawn, and close the pack up.

    Rule: 002 §5; I-C.1.
    """
    ends, suits, trumps = n[FORBIDDEN_ENDS], 0, 0
    for _ in range(n[CHIEN]):
        place = ends + draw(dice, PACK_SIZE - 2 * ends)
        while pack[place] == at.NOTHING:
            place = ends + draw(dice, PACK_SIZE - 2 * ends)
        one_suit, one_trump = together(pack, place, place + 1)
        suits, trumps = suits | one_suit, trumps | one_trump
        pack[place] = at.NOTHING
    left = 0
    for place in range(PACK_SIZE):
        card = pack[place]
        pack[left] = card
        left += int(card != at.NOTHING)
    return suits, trumps


@inlined
def together(pack: Ints, first: int, end: int) -> tuple[int, int]:
    """The cards that lie from `first` up to `end`, as two words; without a jump, which nobody can foresee."""
    suits, trumps = 0, 0
    for place in range(first, end):
        suits |= 1 << min(pack[place], FIRST_TRUMP)
        trumps |= 1 << max(pack[place] - FIRST_TRUMP + 1, 0)
    return suits & SUITS_WORD, trumps >> 1


@inlined
def clear(s: Ints) -> None:
    """Take every card away, and every memory."""
    for place in range(at.WHOLE):
        s[place] = 0


@inlined
def begin(n: Ints, s: Ints, dealer: int) -> None:
    """Open the bidding over hands and chien that are there, unless a petit sec ends the deal.

    Rule: 002 §5, §6; I-C.3, I-C.23.
    """
    for place in (
        at.TAKER,
        at.CONTRACT,
        at.CALLED,
        at.PARTNER,
        at.ANNOUNCER,
        at.WINNING,
        at.EXCUSE_BY,
        at.EXCUSE_TRICK,
        at.EXCUSE_TAKER,
        at.PETIT_TRICK,
        at.PETIT_TAKER,
    ):
        s[place] = at.NOTHING
    s[at.LED] = NO_SUIT
    s[at.HEIGHT] = at.UNBEATEN
    s[at.DEALER] = dealer
    s[at.PHASE] = at.BIDDING
    s[at.TURN] = (dealer + 1) % n[PLAYERS]
    s[at.SIDES_PUBLIC] = n[CALLS] == 0
    for seat in range(n[PLAYERS]):
        s[at.DEALT_SUITS + seat] = s[at.SUITS + seat]
        s[at.DEALT_TRUMPS + seat] = s[at.TRUMPS + seat]
        if is_petit_sec(n, s[at.TRUMPS + seat]):
            close(s, at.PETIT_SEC)


@inlined
def close(s: Ints, result: int) -> None:
    """The deal is over."""
    s[at.PHASE] = at.CLOSED
    s[at.TURN] = at.NOTHING
    s[at.RESULT] = result
