"""What each player of the compiled loops does in a French deal.

A policy looks only at what its seat may know. `LOWEST` and `HIGHEST` differ from the beginner only in the
cards they play.
"""

from __future__ import annotations

from ultimo.kernel.bits import highest, lowest
from ultimo.kernel.dice import draw
from ultimo.kernel.french import layout as at
from ultimo.kernel.french.deal import legal
from ultimo.kernel.french.policy.beginner import beginner_card, beginner_word
from ultimo.kernel.french.policy.club import club_card
from ultimo.kernel.french.policy.student import better_action
from ultimo.kernel.french.policy.words import club_word, shows
from ultimo.kernel.jit import Ints, Words, inlined, tight
from ultimo.kernel.policy import (
    BEGINNER,
    CLUB,
    LOWEST,
    RANDOM,
    STUDENT,
    WAVERING,
    WAVERS,
    any_action,
    high_rank,
    low_rank,
)
from ultimo.play.following import FIRST_TRUMP, REAL_TRUMPS, SKUS_CARD


@inlined
def is_mindful(policy: int) -> bool:
    """Whether a policy looks at what `memory` remembers."""
    return policy >= CLUB


@inlined
def choose(policy: int, n: Ints, s: Ints, dice: Words) -> int:
    """What the seat whose turn it is does by a policy."""
    if policy == STUDENT:
        return choose_by_experience(n, s, dice)
    return choose_by_sight(policy, n, s, dice)


@tight
def choose_by_experience(n: Ints, s: Ints, dice: Words) -> int:
    """What a student does; `n` must have a network."""
    return better_action(n, s, choose_by_sight(CLUB, n, s, dice))


@tight
def choose_by_sight(policy: int, n: Ints, s: Ints, dice: Words) -> int:
    """What the seat whose turn it is does by any other policy."""
    suits, trumps, words = legal(n, s)
    if policy == RANDOM:
        return any_action(suits, trumps, words, dice)
    if policy == WAVERING and s[at.PHASE] == at.PLAYING and words == 0 and draw(dice, WAVERS) == 0:
        return any_action(suits, trumps, words, dice)
    if policy >= CLUB:
        return club(n, s, suits, trumps, words)
    if s[at.PHASE] != at.PLAYING:
        return beginner_word(n, s, suits, trumps, words)
    if words:
        return at.FIRST_WORD + highest(words)
    if policy == BEGINNER:
        return beginner_card(n, s, suits, trumps)
    return lowest_card(suits, trumps) if policy == LOWEST else highest_card(suits, trumps)


@inlined
def club(n: Ints, s: Ints, suits: int, trumps: int, words: int) -> int:
    """What a club player does; why is written into the array."""
    if s[at.PHASE] != at.PLAYING:
        return club_word(n, s, suits, trumps, words)
    if words and shows(s):
        return at.FIRST_WORD + highest(words)
    return club_card(n, s, suits, trumps)


@inlined
def lowest_card(suits: int, trumps: int) -> int:
    """The suit card of the lowest rank; else the lowest trump, the excuse last."""
    return low_rank(suits) if suits else FIRST_TRUMP + lowest(trumps)


@inlined
def highest_card(suits: int, trumps: int) -> int:
    """The highest trump; else the suit card of the highest rank; else the excuse."""
    if trumps & REAL_TRUMPS:
        return FIRST_TRUMP + highest(trumps & REAL_TRUMPS)
    return high_rank(suits) if suits else SKUS_CARD
