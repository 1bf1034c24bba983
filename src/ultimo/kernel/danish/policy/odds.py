"""Reading the table: what a place can tell of the hidden cards from its own and from what everybody has seen.

Chances are counted in parts of `SURE`. `read_table` writes the place's reading on the paper before a
decision; the other functions look it up there.
"""

from __future__ import annotations

from ultimo.cards import SUITS_WORD
from ultimo.danish import numbers as rule
from ultimo.danish.dealing import HAND
from ultimo.danish.skat import SIZE as SKAT_SIZE
from ultimo.kernel.arrays import ints
from ultimo.kernel.bits import count, highest
from ultimo.kernel.danish import layout as at
from ultimo.kernel.danish import weights as wt
from ultimo.kernel.jit import Ints, inlined, tight
from ultimo.kernel.policy import SURE, suit_cards
from ultimo.play.following import FIRST_TRUMP, PACK_SIZE, REAL_TRUMPS, SKUS_BIT, TRUMP_SUIT, strength

ULTIMATOR, LEADER, HELPER, BALANCER, NOLO = range(5)
ROLES = ("ultimator", "leader", "helper", "balancer", "nolo")

POINT = 16  # what a card is worth is counted in sixteenths of a point, and tarokker in sixteenths of one
OTHERS = 2  # opponents
PIPS = (1 << 10) - 1
RED_PIPS = PIPS << 14 | PIPS << 42

# --- height --------------------------------------------------------------------------------------------

# Each card's height in its suit, the lowest 0; the cards by suit and height; pips turned as in a red suit.
HEIGHT = ints(
    [strength(card, card // 14, True) - 1 for card in range(FIRST_TRUMP)]
    + [card - FIRST_TRUMP for card in range(FIRST_TRUMP, PACK_SIZE)]
)
AT_HEIGHT = ints(sorted(range(FIRST_TRUMP), key=lambda card: (card // 14, HEIGHT[card])))
TURNED = ints(
    sum((pips >> bit & 1) << int(HEIGHT[14 + bit]) for bit in range(10)) for pips in range(PIPS + 1)
)


@inlined
def by_height(held: int, suit: int) -> int:
    """The cards of one suit as bits in the order of their height; it turns them back as well."""
    return held & ~PIPS | TURNED[held & PIPS] if suit & 1 else held


@inlined
def of_suit(suits: int, suit: int) -> int:
    """The cards of one suit, in the order of their height."""
    return by_height(suit_cards(suits, suit), suit)


@inlined
def heights(suits: int) -> int:
    """The cards of all suits as bits in the order of their height."""
    hearts, diamonds = TURNED[suits >> 14 & PIPS] << 14, TURNED[suits >> 42 & PIPS] << 42
    return suits & ~RED_PIPS | hearts | diamonds


@inlined
def card_at(suit: int, height: int) -> int:
    """The card of a suit, or the trumps, at a height."""
    return FIRST_TRUMP + height if suit == TRUMP_SUIT else AT_HEIGHT[14 * suit + height]


@inlined
def height_of(card: int) -> int:
    """The height of a card in its suit, the lowest 0; of a tarok, T1 is 0."""
    return HEIGHT[card]


@inlined
def highest_on_table(s: Ints) -> int:
    """The card that would win the trick as it lies."""
    first, second, led = s[at.LAST_CARDS], s[at.LAST_CARDS + 1], s[at.LED]
    if s[at.PLAYED] == 2 and strength(second, led, True) > strength(first, led, True):
        return second
    return first


# --- the hidden cards ----------------------------------------------------------------------------------


@tight
def read_table(n: Ints, s: Ints, w: Ints) -> None:
    """Write down how the place in turn reads the table: hidden cards, the last trick, its own role."""
    me = s[at.TURN]
    note_hidden(n, s, w, me)
    w[at.LAST_CHANCE] = last_chance(n, s, w, me)
    w[at.ROLE] = role(n, s, w, me)


@inlined
def note_hidden(n: Ints, s: Ints, w: Ints, me: int) -> None:
    """Write down which cards are hidden from a place and who is thought to have them (F2.1 – F2.6)."""
    one, two = (me + 1) % 3, (me + 2) % 3
    suits = s[at.SUITS + me] | s[at.OUT_SUITS] | s[at.OUT_SUITS + 1] | s[at.OUT_SUITS + 2]
    trumps = s[at.TRUMPS + me] | s[at.OUT_TRUMPS] | s[at.OUT_TRUMPS + 1] | s[at.OUT_TRUMPS + 2]
    aside = SKAT_SIZE
    if me == 2:
        suits |= s[at.SKAT_SUITS]
        trumps |= s[at.SKAT_TRUMPS]
        aside = 0
    w[at.HIDDEN_SUITS] = SUITS_WORD & ~suits
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
    left, other_left = w[at.LEFT], w[at.LEFT + 1]
    w[at.SKUS_WITH], w[at.SKUS_WITH + 1] = 0, 0
    if w[at.HIDDEN_TRUMPS] & SKUS_BIT:
        w[at.SKUS_WITH] = SURE * left // max(1, left + other_left)
        if s[at.HELD_TRUMPS + one] & SKUS_BIT or s[at.LACKED_TRUMPS + two] & SKUS_BIT:
            w[at.SKUS_WITH] = SURE
        elif s[at.HELD_TRUMPS + two] & SKUS_BIT or s[at.LACKED_TRUMPS + one] & SKUS_BIT:
            w[at.SKUS_WITH] = 0
        w[at.SKUS_WITH + 1] = SURE - w[at.SKUS_WITH]
    whole = POINT * count(w[at.HIDDEN_TRUMPS] & REAL_TRUMPS)
    if s[at.VOID + one] >> TRUMP_SUIT & 1:
        first = 0
    elif s[at.VOID + two] >> TRUMP_SUIT & 1:
        first = whole
    elif s[at.TAROKKER + one]:
        first = min(whole, _declared_left(s, w, one, 0))
    elif s[at.TAROKKER + two]:
        first = whole - min(whole, _declared_left(s, w, two, 1))
    else:
        first = whole * left // max(1, left + other_left)
        first = min(first, _undeclared_left(n, s, one))
        first = max(first, whole - _undeclared_left(n, s, two))
    first = min(first, POINT * left)
    first = max(first, whole - POINT * other_left)
    w[at.TAROK] = first
    w[at.TAROK + 1] = max(0, whole - first)
    w[at.SHARE + 2 * TRUMP_SUIT] = SURE * w[at.TAROK] // max(1, whole)
    w[at.SHARE + 2 * TRUMP_SUIT + 1] = SURE * w[at.TAROK + 1] // max(1, whole)


@inlined
def _declared_left(s: Ints, w: Ints, place: int, other: int) -> int:
    """Sixteenths of real tarokker left with a place that has declared how many it has."""
    left = POINT * (s[at.TAROKKER + place] - count(s[at.OUT_TRUMPS + place]))
    return max(0, left - POINT * w[at.SKUS_WITH + other] // SURE)


@inlined
def _undeclared_left(n: Ints, s: Ints, place: int) -> int:
    """Sixteenths of tarokker that a place which has declared none can have left at most."""
    return POINT * max(0, n[rule.TAROK_MIN] - 1 - count(s[at.OUT_TRUMPS + place]))


# --- the fight for the last trick ----------------------------------------------------------------------


@inlined
def strongest(w: Ints) -> int:
    """The opponent with more tarokker."""
    return 0 if w[at.TAROK] >= w[at.TAROK + 1] else 1


@inlined
def last_chance(n: Ints, s: Ints, w: Ints, me: int) -> int:
    """The chance to win the last trick, as it seems from the tarokker (F1.3, F3.11)."""
    own = POINT * count(s[at.TRUMPS + me] & REAL_TRUMPS)
    most = max(w[at.TAROK], w[at.TAROK + 1])
    if own == 0:
        return n[wt.LAST_WITHOUT] if most > n[wt.LAST_SOME] else n[wt.LAST_OPEN]
    if most == 0:
        return n[wt.LAST_ALONE]
    ahead = (own - most) * (n[wt.LAST_SLOPE] + n[wt.LAST_LATER] * s[at.NUMBER]) // POINT
    return min(n[wt.LAST_MOST], max(n[wt.LAST_LEAST], n[wt.LAST_BASE] + ahead))


@inlined
def role(n: Ints, s: Ints, w: Ints, me: int) -> int:
    """What a place plays for now (F3.1)."""
    if s[at.TRICKS_WON + me] == 0 and misere_risk(n, s, w, me) <= n[wt.NOLO_RISK]:
        return NOLO
    if w[at.LAST_CHANCE] > n[wt.FAVOURITE]:
        return ULTIMATOR
    own, first = POINT * count(s[at.TRUMPS + me] & REAL_TRUMPS), strongest(w)
    if w[at.TAROK + first] < own + n[wt.BALANCE]:
        return BALANCER
    return LEADER if own >= w[at.TAROK + 1 - first] else HELPER


@tight
def misere_risk(n: Ints, s: Ints, w: Ints, me: int) -> int:
    """How many cards of a hand may have to win a trick: a suit is safe if small cards stand under the big.

    Rule: F6.1, F6.2, F6.8.
    """
    trumps, hidden = s[at.TRUMPS + me] & REAL_TRUMPS, w[at.HIDDEN_TRUMPS] & REAL_TRUMPS
    risk = 0
    while trumps:
        top = highest(trumps)
        covered = count(hidden >> (top + 1)) >= n[wt.COVERED_BY]
        risk += n[wt.RISK_COVERED] if covered else n[wt.RISK_TAROK]
        trumps ^= 1 << top
    for suit in range(4):
        own, hidden = of_suit(s[at.SUITS + me], suit), of_suit(w[at.HIDDEN_SUITS], suit)
        rounds = 0
        while own and rounds < n[wt.RISK_ROUNDS]:
            rounds += 1
            if count(hidden & ((own & -own) - 1)) > OTHERS * rounds:
                risk += n[wt.RISK_CARD]
            own &= own - 1
    if s[at.TRUMPS + me] & SKUS_BIT:
        risk -= n[wt.RISK_SKUS]
    return risk


# --- chances -------------------------------------------------------------------------------------------


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
    return SURE - none_of(w[at.SHARE + 2 * suit + other], count(suit_cards(w[at.HIDDEN_SUITS], suit)))


@inlined
def tarok_chance(w: Ints, other: int, above: int) -> int:
    """The chance that an opponent has a real tarok from this height on."""
    over = (w[at.HIDDEN_TRUMPS] & REAL_TRUMPS) >> above
    return SURE - none_of(w[at.SHARE + 2 * TRUMP_SUIT + other], count(over))


@inlined
def beaten_chance(w: Ints, other: int, led: int, card: int) -> int:
    """The chance that an opponent who has yet to play can beat a card that stands highest so far."""
    ruffs = tarok_chance(w, other, height_of(card) + 1 if card >= FIRST_TRUMP else 0)
    if led == TRUMP_SUIT:
        return ruffs
    ruffs = (SURE - has_suit_chance(w, other, led)) * ruffs // SURE
    if card >= FIRST_TRUMP:
        return ruffs
    above = of_suit(w[at.HIDDEN_SUITS], led) >> (height_of(card) + 1)
    return min(SURE, ruffs + SURE - none_of(w[at.SHARE + 2 * led + other], count(above)))
