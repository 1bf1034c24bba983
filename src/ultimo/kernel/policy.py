"""What the players of the compiled loops share in both families: numbers, weights, finding cards, dice.

`RANDOM`, `LOWEST` and `HIGHEST` need nothing but the deal; from `BEGINNER` on they look at the table. A
`WAVERING` player gives one deal many ends: what can be expected of it is their mean. A `STUDENT` thinks with
a network, which must be in `n` (`network_for`). The random player draws as `play.choices` does: a kind of
action as likely as another, and within it each alike.
"""

from __future__ import annotations

from ultimo.kernel.arrays import ints
from ultimo.kernel.bits import count, either, highest, lowest, pick, select
from ultimo.kernel.dice import draw
from ultimo.kernel.jit import Words, inlined
from ultimo.kernel.sets import lies_in
from ultimo.play.counting import honours_of
from ultimo.play.following import FIRST_TRUMP, PACK_SIZE, SUIT_BITS, TRUMP_SUIT

RANDOM, LOWEST, HIGHEST, BEGINNER, CLUB, WAVERING, STUDENT = range(7)
POLICIES = {
    "random": RANDOM,
    "lowest": LOWEST,
    "highest": HIGHEST,
    "beginner": BEGINNER,
    "club": CLUB,
    "student": STUDENT,
}

WAVERS = 12  # a wavering player is a club player who plays any legal card instead, once in so many
SURE = 1024  # a chance is counted in parts of this
NEVER = -(1 << 50)  # less than anything is worth
HONOUR = ints(honours_of(1 << card) for card in range(PACK_SIZE))  # what each card counts


class Weights:
    """Gives each weight of a judgement its place in the array `n`, behind the rulebook, and keeps its value.

    >>> weight = Weights(100)
    >>> LEAD, KEPT, FOE = weight(7), weight(482, 490), weight(1)
    >>> LEAD, KEPT, FOE, weight.values
    (100, 101, 103, [7, 482, 490, 1])
    """

    def __init__(self, start: int) -> None:
        self.start = start
        self.values: list[int] = []

    def __call__(self, *values: int) -> int:
        """The first of the next places, for these values."""
        self.values += values
        return self.start + len(self.values) - len(values)


# --- finding cards -------------------------------------------------------------------------------------


@inlined
def suit_cards(suits: int, suit: int) -> int:
    """The cards of one suit, from bit 0."""
    return suits >> (14 * suit) & SUIT_BITS


@inlined
def longest(suits: int) -> int:
    """The suit with most cards, the first of several; the trumps' number if there is no card."""
    most, found = 0, TRUMP_SUIT
    for suit in range(4):
        length = count(suit_cards(suits, suit))
        if length > most:
            most, found = length, suit
    return found


@inlined
def first_card(suits: int, trumps: int) -> int:
    """The card that comes first in the pack."""
    return lowest(suits) if suits else FIRST_TRUMP + lowest(trumps)


@inlined
def last_card(suits: int, trumps: int) -> int:
    """The card that comes last in the pack."""
    return FIRST_TRUMP + highest(trumps) if trumps else highest(suits)


@inlined
def low_rank(suits: int) -> int:
    """The card of the lowest rank, of the first suit that has one."""
    best, least = 0, 14
    for suit in range(4):
        held = suit_cards(suits, suit)
        if held and lowest(held) < least:
            least = lowest(held)
            best = 14 * suit + least
    return best


@inlined
def high_rank(suits: int) -> int:
    """The card of the highest rank, of the first suit that has one."""
    best, most = 0, -1
    for suit in range(4):
        held = suit_cards(suits, suit)
        if held and highest(held) > most:
            most = highest(held)
            best = 14 * suit + most
    return best


@inlined
def is_among(suits: int, trumps: int, words: int, action: int) -> bool:
    """Whether an action is one of some cards and words, which have a bit each from behind the pack on."""
    if action >= PACK_SIZE:
        return words >> (action - PACK_SIZE) & 1 != 0
    return lies_in(suits, trumps, action)


@inlined
def first_action(suits: int, trumps: int, words: int) -> int:
    """The lowest of some actions, cards before words."""
    if suits:
        return lowest(suits)
    return FIRST_TRUMP + lowest(trumps) if trumps else PACK_SIZE + lowest(words)


@inlined
def without_first(suits: int, trumps: int, words: int) -> tuple[int, int, int]:
    """Some actions without the lowest."""
    if suits:
        return suits & (suits - 1), trumps, words
    return (suits, trumps & (trumps - 1), words) if trumps else (suits, trumps, words & (words - 1))


# --- the random player ---------------------------------------------------------------------------------


@inlined
def any_card(suits: int, trumps: int, dice: Words) -> tuple[int, int, int]:
    """One of some cards, each as likely as another: its number, and itself in two words, one of them empty.

    What card falls is nothing that a processor can foresee, and so nothing is asked: the dice are thrown also
    where there is but one.
    """
    of_suits = count(suits)
    nth = draw(dice, of_suits + count(trumps))
    tarok = nth >= of_suits
    bit = pick(either(tarok, trumps, suits), nth - either(tarok, of_suits, 0))
    return lowest(bit) + either(tarok, FIRST_TRUMP, 0), either(tarok, 0, bit), either(tarok, bit, 0)


@inlined
def any_action(suits: int, trumps: int, words: int, dice: Words) -> int:
    """Any action: all cards together are one kind, and each of the others is one."""
    if words:
        others = count(words)
        kind = draw(dice, others + (1 if suits | trumps else 0))
        if kind < others:
            return PACK_SIZE + select(words, kind)
    card, _, _ = any_card(suits, trumps, dice)
    return card
