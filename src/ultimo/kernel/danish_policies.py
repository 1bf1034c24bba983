"""Simple players for the compiled loops: each is a number, so that a table of them is an array."""

from __future__ import annotations

from ultimo.kernel.bits import count, highest, lowest, select
from ultimo.kernel.chance import draw
from ultimo.kernel.danish_deal import ACCEPT, DECLINE, FIRST_WORD, legal, legal_plays
from ultimo.kernel.jit import Ints, Words, inlined
from ultimo.play.following import FIRST_TRUMP

RANDOM, LOWEST, HIGHEST = range(3)
POLICIES = {"random": RANDOM, "lowest": LOWEST, "highest": HIGHEST}
PLAIN_WORDS = 1 << (DECLINE - FIRST_WORD) | 1 << (ACCEPT - FIRST_WORD)


@inlined
def choose(policy: int, n: Ints, s: Ints, w: Ints, dice: Words) -> int:
    """An action of the place in turn, as its policy would have it."""
    suits, trumps, words = legal(n, s, w)
    return _chosen(policy, suits, trumps, words, dice)


@inlined
def choose_card(policy: int, n: Ints, s: Ints, dice: Words) -> int:
    """A card to play, as the policy of the place in turn would have it."""
    suits, trumps, words = legal_plays(n, s)
    return _chosen(policy, suits, trumps, words, dice)


@inlined
def _chosen(policy: int, suits: int, trumps: int, words: int, dice: Words) -> int:
    if policy == RANDOM:
        return any_of(suits, trumps, words, dice)
    if words & PLAIN_WORDS:
        return FIRST_WORD + lowest(words & PLAIN_WORDS)
    return lowest_of(suits, trumps, words) if policy == LOWEST else highest_of(suits, trumps, words)


@inlined
def any_of(suits: int, trumps: int, words: int, dice: Words) -> int:
    """Any of the actions, each as likely as another."""
    of_suits, of_trumps = count(suits), count(trumps)
    every = of_suits + of_trumps + (count(words) if words else 0)
    nth = draw(dice, every) if every > 1 else 0
    if nth < of_suits:
        return select(suits, nth)
    nth -= of_suits
    if nth < of_trumps:
        return FIRST_TRUMP + select(trumps, nth)
    return FIRST_WORD + select(words, nth - of_trumps)


@inlined
def lowest_of(suits: int, trumps: int, words: int) -> int:
    """The card that comes first in the pack, else the first other action."""
    if suits:
        return lowest(suits)
    if trumps:
        return FIRST_TRUMP + lowest(trumps)
    return FIRST_WORD + lowest(words)


@inlined
def highest_of(suits: int, trumps: int, words: int) -> int:
    """The card that comes last in the pack, else the last other action."""
    if trumps:
        return FIRST_TRUMP + highest(trumps)
    if suits:
        return highest(suits)
    return FIRST_WORD + highest(words)
