"""Danish deals between random players, as fast as they go: the same throws and cards as action by action.

What card falls is nothing that a processor can foresee, and a branch that it guesses wrong costs it more than
all else about that card. So in whole tricks nothing is asked: `either` works out both answers and takes one.
What then takes time is that each card waits for the one before, and so the throws are made ahead, a lead is
looked for in the suits before it is known whether it is there, and what a trick brings is added up later.
What is rare, a led skus and one that is kept for the last three tricks, is left to `deal`.
"""

from __future__ import annotations

from ultimo.cards import SUITS_WORD
from ultimo.danish.following import THIRD_LAST
from ultimo.kernel.arrays import ints
from ultimo.kernel.bits import count, either, lowest, pick
from ultimo.kernel.danish import layout as at
from ultimo.kernel.danish.deal import find_ways, lay, play, take_trick
from ultimo.kernel.danish.policy.choose import any_lay, choose_card
from ultimo.kernel.danish.prices import KIND, QUIET_UNTIL, pay_card
from ultimo.kernel.dice import pass_over, throw_ahead
from ultimo.kernel.jit import Ints, Words, always_inlined, inlined
from ultimo.kernel.policy import RANDOM
from ultimo.play import following
from ultimo.play.counting import honours
from ultimo.play.following import (
    FIRST_TRUMP,
    NO_SUIT,
    PACK_SIZE,
    REAL_TRUMPS,
    SKUS_BIT,
    SKUS_CARD,
    SUIT_BITS,
)

# A fan is a hand in two words of its own, the suits with the skus above them, and the tarokker: so all that
# may be played lies in one of them. How a card falls is its number there, and whether it follows, is a tarok
# or is thrown away; the skus has its place in each.
SKUS = 1 << FIRST_TRUMP
HIGHER = FIRST_TRUMP - SKUS_BIT.bit_length() + 1  # than in a word of trumps
FOLLOWS, TAROK, THROWN = range(0, 3 * (FIRST_TRUMP + 1), FIRST_TRUMP + 1)
CARD = ints(
    SKUS_CARD if spot == FIRST_TRUMP else min(first + spot, SKUS_CARD)
    for first in (0, FIRST_TRUMP, 0)
    for spot in range(FIRST_TRUMP + 1)
)
OF_SUIT = ints(
    SUIT_BITS << (14 * (card // 14)) & SUITS_WORD for card in map(int, CARD)
)  # what must follow it
STANDING = ints(
    following.strength(card, following.suit_of(card) if falls < THROWN else NO_SUIT, True)
    for falls, card in enumerate(map(int, CARD))
)
NOTED_SUITS = sum(1 << card for card in range(FIRST_TRUMP) if KIND[card]) | SKUS
NOTED_TRUMPS = sum(1 << card >> FIRST_TRUMP for card in range(FIRST_TRUMP, PACK_SIZE) if KIND[card])
LOWER_HALF = 0xFFFFFFFF


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
    """Play plain tricks, until somebody is asked something or leads the skus, or the deal is over.

    Tricks after which nothing can come but the next lead are only noted, and settled together (`_put_back`).
    """
    throw_ahead(dice, w[at.AHEAD_AT : at.FANS])
    throw, noted = at.AHEAD_AT, at.NOTED
    number, leader, left = _take_up(s, w)
    until = n[QUIET_UNTIL + number]
    while True:
        second, third = either(leader == 2, 0, leader + 1), either(leader == 0, 2, leader - 1)
        of_suit, led, suits, trumps, again = _lead(w, leader, left, w[throw])
        next_card, next_suits, next_trumps, next_again = _answer(w, second, of_suit, w[throw + 1])
        last_card, last_suits, last_trumps, last_again = _answer(w, third, of_suit, w[throw + 2])
        if suits & SKUS or (again | next_again | last_again) < 0:  # rare: one card as anywhere else
            _put_back(n, s, w, number, leader, noted)
            pass_over(dice, throw - at.AHEAD_AT)
            play(n, s, w, choose_card(RANDOM, n, s, dice))
            return
        _drop(w, leader, suits, trumps)
        _drop(w, second, next_suits, next_trumps)
        _drop(w, third, last_suits, last_trumps)
        suits |= next_suits | last_suits
        trumps |= next_trumps | last_trumps
        height, stands = STANDING[led], STANDING[next_card]
        won = either(stands > height, second, leader)
        won = either(STANDING[last_card] > either(stands > height, stands, height), third, won)
        throw += 3
        if number == until:
            _put_back(n, s, w, number, leader, noted)
            _end_trick(n, s, w, won, suits, trumps, led, next_card, last_card)
            if not are_plain_tricks(s):
                pass_over(dice, throw - at.AHEAD_AT)
                return
            number, leader, left = _take_up(s, w)
            until, noted = n[QUIET_UNTIL + number], at.NOTED
        else:
            _note(w, noted, leader, won, led, next_card, last_card)
            noted += either((suits & NOTED_SUITS | trumps & NOTED_TRUMPS) != 0, at.NOTE, 0)
            w[at.PILES + won] |= suits
            w[at.PILES + at.PLACES + won] |= trumps
            s[at.TRICKS_WON + won] += 1
            leader, number, left = won, number + 1, left - 1


@inlined
def _lead(w: Ints, place: int, left: int, throw: int) -> tuple[int, int, int, int, int]:
    """Any of the cards that are left: the cards that must follow, and what `_answer` says of a card."""
    held, trumps = w[at.FANS + place], w[at.FANS + at.PLACES + place]
    suits = held & SUITS_WORD
    product = throw * left
    nth = product >> 32
    card = pick(suits, nth)  # none if there are fewer in the suits: then one of the others
    tarok, spot = card == 0, lowest(card | SKUS)
    other = pick(held ^ suits | trumps, either(tarok, nth - count(suits), 0))
    falls = either(tarok, TAROK + lowest(other | SKUS), spot)
    of_suits, of_trumps = card | either(tarok, other & SKUS, 0), either(tarok, other & REAL_TRUMPS, 0)
    return OF_SUIT[spot], falls, of_suits, of_trumps, (product & LOWER_HALF) - left


@inlined
def _answer(w: Ints, place: int, of_suit: int, throw: int) -> tuple[int, int, int, int]:
    """Any of the cards that may follow: how it falls, itself in two words, whether to throw again (< 0)."""
    suits, trumps = w[at.FANS + place], w[at.FANS + at.PLACES + place]
    follows = suits & of_suit
    void, ruffs = follows == 0, trumps != 0
    may = either(void, either(ruffs, trumps, suits), follows) | suits & SKUS
    sides = count(may)
    product = throw * sides
    card = pick(may, product >> 32)
    from_trumps = card & either(void, either(ruffs, REAL_TRUMPS, 0), 0)
    falls = lowest(card) + either(void, either(ruffs, TAROK, THROWN), FOLLOWS)
    return falls, card ^ from_trumps, from_trumps, (product & LOWER_HALF) - sides


@inlined
def _drop(w: Ints, place: int, suits: int, trumps: int) -> None:
    """Take a card out of a fan."""
    w[at.FANS + place] ^= suits
    w[at.FANS + at.PLACES + place] ^= trumps


@inlined
def _note(w: Ints, row: int, leader: int, won: int, led: int, second: int, third: int) -> None:
    """Note a trick."""
    w[row] = leader
    w[row + 1] = won
    w[row + 2] = led
    w[row + 3] = second
    w[row + 4] = third


@inlined
def _take_up(s: Ints, w: Ints) -> tuple[int, int, int]:
    """Make fans of the hands; the number of the trick, its leader, and how many cards each has."""
    for place in range(3):
        trumps = s[at.TRUMPS + place]
        w[at.FANS + place] = s[at.SUITS + place] | (trumps & SKUS_BIT) << HIGHER
        w[at.FANS + at.PLACES + place] = trumps & REAL_TRUMPS
        w[at.PILES + place] = 0
        w[at.PILES + at.PLACES + place] = 0
    return s[at.NUMBER], s[at.LEADER], count(s[at.SUITS]) + count(s[at.TRUMPS])


@always_inlined
def _put_back(n: Ints, s: Ints, w: Ints, number: int, leader: int, noted: int) -> None:
    """Write down how the deal stands before a trick, and settle those before it."""
    s[at.NUMBER] = number
    s[at.LEADER] = leader
    s[at.TURN] = leader
    gone = 0
    for place in range(3):
        suits, pile = w[at.FANS + place], w[at.PILES + place]
        s[at.SUITS + place] = suits & SUITS_WORD
        s[at.TRUMPS + place] = w[at.FANS + at.PLACES + place] | (suits & SKUS) >> HIGHER
        s[at.HONOURS + place] += honours(pile & SUITS_WORD, w[at.PILES + at.PLACES + place])
        gone |= pile
    s[at.SKUS_GONE] |= gone >> FIRST_TRUMP
    for row in range(at.NOTED, noted, at.NOTE):
        place = w[row]
        for turn in range(3):
            card = CARD[w[row + 2 + turn]]
            pay_card(n, s, place, card, w[row + 1])
            s[at.HONOURS + place] += either(card == SKUS_CARD, honours(0, SKUS_BIT), 0)  # it went home
            place = either(place == 2, 0, place + 1)


@inlined
def _end_trick(
    n: Ints, s: Ints, w: Ints, won: int, suits: int, trumps: int, led: int, second: int, third: int
) -> None:
    """End a trick as anywhere else."""
    s[at.LAST_CARDS] = CARD[led]
    s[at.LAST_CARDS + 1] = CARD[second]
    s[at.LAST_CARDS + 2] = CARD[third]
    s[at.SKUS_GONE] |= suits >> FIRST_TRUMP
    take_trick(n, s, w, won, suits & SUITS_WORD, trumps | (suits & SKUS) >> HIGHER)
