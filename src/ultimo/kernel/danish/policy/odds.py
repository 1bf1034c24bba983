"""Reading the table: what a place can tell of the hidden cards from its own and from what everybody has seen.

Chances are counted in parts of `SURE`. `note_hidden` writes the place's reading on the paper before a
decision; the other functions look it up there.
"""

from __future__ import annotations

import numpy as np

from ultimo.danish import numbers as rule
from ultimo.kernel.bits import count
from ultimo.kernel.danish import layout as at
from ultimo.kernel.jit import Ints, inlined, tight
from ultimo.play.following import FIRST_TRUMP, REAL_TRUMPS, SKUS_BIT, SUIT_BITS, TRUMP_SUIT

SURE = 1024
ALL_SUIT_CARDS = (1 << 56) - 1
HAND = 25

# The order of height inside a suit: in the red suits the pips stand the other way round (rules A3).
REVERSED_PIPS = np.array(
    [sum((pips >> bit & 1) << (9 - bit) for bit in range(10)) for pips in range(1024)], np.int64
)


@inlined
def by_height(held: int, suit: int) -> int:
    """The cards of one suit as bits in the order of their height; it turns them back as well."""
    if suit & 1:
        return held & ~1023 | REVERSED_PIPS[held & 1023]
    return held


@inlined
def of_suit(suits: int, suit: int) -> int:
    """The cards of one suit, in the order of their height."""
    return by_height(suits >> (14 * suit) & SUIT_BITS, suit)


@inlined
def card_at(suit: int, height: int) -> int:
    """The card of a suit at a height."""
    if suit & 1 and height < 10:
        return 14 * suit + 9 - height
    return 14 * suit + height


@inlined
def height_of(card: int) -> int:
    """The height of a card in its suit, the lowest 0; of a tarok, T1 is 0."""
    if card >= FIRST_TRUMP:
        return card - FIRST_TRUMP
    suit, rank = card // 14, card % 14
    return 9 - rank if suit & 1 and rank < 10 else rank


@tight
def note_hidden(n: Ints, s: Ints, w: Ints, me: int) -> None:
    """Write down which cards are hidden from a place and who is thought to have them (F2.1 – F2.6)."""
    one, two = (me + 1) % 3, (me + 2) % 3
    suits = s[at.SUITS + me] | s[at.OUT_SUITS] | s[at.OUT_SUITS + 1] | s[at.OUT_SUITS + 2]
    trumps = s[at.TRUMPS + me] | s[at.OUT_TRUMPS] | s[at.OUT_TRUMPS + 1] | s[at.OUT_TRUMPS + 2]
    aside = 3
    if me == 2:
        suits |= s[at.SKAT_SUITS]
        trumps |= s[at.SKAT_TRUMPS]
        aside = 0
    w[at.HIDDEN_SUITS] = ALL_SUIT_CARDS & ~suits
    w[at.HIDDEN_TRUMPS] = (REAL_TRUMPS | SKUS_BIT) & ~trumps
    w[at.LEFT] = HAND - count(s[at.OUT_SUITS + one]) - count(s[at.OUT_TRUMPS + one])
    w[at.LEFT + 1] = HAND - count(s[at.OUT_SUITS + two]) - count(s[at.OUT_TRUMPS + two])
    for suit in range(4):
        first = 0 if s[at.VOID + one] >> suit & 1 else w[at.LEFT]
        second = 0 if s[at.VOID + two] >> suit & 1 else w[at.LEFT + 1]
        whole = max(1, first + second + aside)
        w[at.SHARE + 2 * suit] = SURE * first // whole
        w[at.SHARE + 2 * suit + 1] = SURE * second // whole
    _note_tarokker(n, s, w, one, two)


@inlined
def _note_tarokker(n: Ints, s: Ints, w: Ints, one: int, two: int) -> None:
    """How the hidden tarokker are thought to be split, and where the skus is."""
    hidden = count(w[at.HIDDEN_TRUMPS] & REAL_TRUMPS)
    skus = w[at.HIDDEN_TRUMPS] & SKUS_BIT
    w[at.SKUS_WITH], w[at.SKUS_WITH + 1] = 0, 0
    if skus:
        w[at.SKUS_WITH] = SURE * w[at.LEFT] // max(1, w[at.LEFT] + w[at.LEFT + 1])
        if s[at.HELD_TRUMPS + one] & SKUS_BIT or s[at.LACKED_TRUMPS + two] & SKUS_BIT:
            w[at.SKUS_WITH] = SURE
        elif s[at.HELD_TRUMPS + two] & SKUS_BIT or s[at.LACKED_TRUMPS + one] & SKUS_BIT:
            w[at.SKUS_WITH] = 0
        w[at.SKUS_WITH + 1] = SURE - w[at.SKUS_WITH]
    whole = 16 * hidden
    first = whole * w[at.LEFT] // max(1, w[at.LEFT] + w[at.LEFT + 1])
    if s[at.VOID + one] >> TRUMP_SUIT & 1:
        first = 0
    elif s[at.VOID + two] >> TRUMP_SUIT & 1:
        first = whole
    elif s[at.TAROKKER + one]:
        first = min(whole, _declared_left(s, w, one, 0))
    elif s[at.TAROKKER + two]:
        first = whole - min(whole, _declared_left(s, w, two, 1))
    else:
        first = min(first, 16 * max(0, n[rule.TAROK_MIN] - 1 - count(s[at.OUT_TRUMPS + one])))
        first = max(first, whole - 16 * max(0, n[rule.TAROK_MIN] - 1 - count(s[at.OUT_TRUMPS + two])))
    first = min(first, 16 * w[at.LEFT])
    first = max(first, whole - 16 * w[at.LEFT + 1])
    w[at.TAROK] = first
    w[at.TAROK + 1] = max(0, whole - first)
    w[at.SHARE + 2 * TRUMP_SUIT] = SURE * w[at.TAROK] // max(1, whole)
    w[at.SHARE + 2 * TRUMP_SUIT + 1] = SURE * w[at.TAROK + 1] // max(1, whole)


@inlined
def _declared_left(s: Ints, w: Ints, place: int, other: int) -> int:
    """Sixteenths of real tarokker left with a place that has declared how many it has."""
    left = 16 * (s[at.TAROKKER + place] - count(s[at.OUT_TRUMPS + place]))
    return max(0, left - 16 * w[at.SKUS_WITH + other] // SURE)


@inlined
def none_of(share: int, cards: int) -> int:
    """The chance that a hand has none of so many hidden cards."""
    chance = SURE
    for _ in range(cards):
        chance = chance * (SURE - share) // SURE
    return chance


@inlined
def has_suit_chance(w: Ints, other: int, suit: int) -> int:
    """The chance that an opponent has a card of a suit."""
    return SURE - none_of(w[at.SHARE + 2 * suit + other], count(of_suit(w[at.HIDDEN_SUITS], suit)))


@inlined
def has_tarok_chance(w: Ints, other: int) -> int:
    """The chance that an opponent has a real tarok."""
    return SURE - none_of(w[at.SHARE + 2 * TRUMP_SUIT + other], count(w[at.HIDDEN_TRUMPS] & REAL_TRUMPS))


@inlined
def higher_tarok_chance(w: Ints, other: int, card: int) -> int:
    """The chance that an opponent has a tarok above a card; any tarok is above a suit card."""
    above = w[at.HIDDEN_TRUMPS] & REAL_TRUMPS
    if card >= FIRST_TRUMP:
        above = above >> (card - FIRST_TRUMP + 1)
    return SURE - none_of(w[at.SHARE + 2 * TRUMP_SUIT + other], count(above))


@inlined
def beaten_chance(w: Ints, other: int, led: int, card: int) -> int:
    """The chance that an opponent who has yet to play can beat a card that stands highest so far."""
    if led == TRUMP_SUIT:
        return higher_tarok_chance(w, other, card)
    void = SURE - has_suit_chance(w, other, led)
    ruffs = void * higher_tarok_chance(w, other, card) // SURE
    if card >= FIRST_TRUMP:
        return ruffs
    above = of_suit(w[at.HIDDEN_SUITS], led) >> (height_of(card) + 1)
    return min(SURE, ruffs + SURE - none_of(w[at.SHARE + 2 * led + other], count(above)))
