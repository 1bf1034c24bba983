"""Players for the compiled loops: each is a number, so that a table of them is an array.

`RANDOM`, `LOWEST` and `HIGHEST` need nothing but the deal; from `BEGINNER` on they look at what everybody has
seen (`memory`), which the loop that plays them must keep up.
"""

from __future__ import annotations

from ultimo.kernel.bits import count, highest, lowest, select
from ultimo.kernel.danish import layout as at
from ultimo.kernel.danish.deal import legal, legal_plays
from ultimo.kernel.danish.policy.beginner import beginner_card, beginner_lay
from ultimo.kernel.danish.policy.club import club_card
from ultimo.kernel.danish.policy.words import club_lay, club_word
from ultimo.kernel.dice import draw
from ultimo.kernel.jit import Ints, Words, inlined, tight
from ultimo.play.following import FIRST_TRUMP

RANDOM, LOWEST, HIGHEST, BEGINNER, CLUB = range(5)
POLICIES = {"random": RANDOM, "lowest": LOWEST, "highest": HIGHEST, "beginner": BEGINNER, "club": CLUB}
PLAIN_WORDS = 1 << (at.DECLINE - at.FIRST_WORD) | 1 << (at.ACCEPT - at.FIRST_WORD)


@inlined
def looks(policies: Ints) -> bool:
    """Whether one of the three places looks at what everybody has seen."""
    return bool(policies[0] >= BEGINNER or policies[1] >= BEGINNER or policies[2] >= BEGINNER)


@inlined
def choose(policy: int, n: Ints, s: Ints, w: Ints, dice: Words) -> int:
    """An action of the place in turn, as its policy would have it."""
    if policy >= BEGINNER:
        return choose_by_sight(policy, n, s, w)
    suits, trumps, words = legal(n, s, w)
    return _chosen(policy, suits, trumps, words, dice)


@inlined
def choose_card(policy: int, n: Ints, s: Ints, dice: Words) -> int:
    """A card to play, as a policy that does not look about would have it."""
    suits, trumps, words = legal_plays(n, s)
    return _chosen(policy, suits, trumps, words, dice)


@tight
def choose_by_sight(policy: int, n: Ints, s: Ints, w: Ints) -> int:
    """An action of a policy that looks about."""
    return look(policy, n, s, w)


@inlined
def look(policy: int, n: Ints, s: Ints, w: Ints) -> int:
    """An action of a player who looks about; he needs no dice."""
    if s[at.PHASE] == at.PLAY:
        return club_card(n, s, w) if policy == CLUB else beginner_card(n, s)
    if s[at.PHASE] == at.LAYING:
        if policy == CLUB:
            return club_lay(n, s, w)
        suits, trumps, _ = legal(n, s, w)
        return beginner_lay(suits, trumps)
    if policy == CLUB:
        return club_word(n, s, w)
    if s[at.PHASE] == at.NAME:
        return at.RENAME_SKUS + 4
    _, _, words = legal(n, s, w)
    if words >> (at.DEMAND_REDEAL - at.FIRST_WORD) & 1:
        return at.DEMAND_REDEAL
    return at.FIRST_WORD + lowest(words & PLAIN_WORDS)


@inlined
def _chosen(policy: int, suits: int, trumps: int, words: int, dice: Words) -> int:
    if policy == RANDOM:
        return any_of(suits, trumps, words, dice)
    if words & PLAIN_WORDS:
        return at.FIRST_WORD + lowest(words & PLAIN_WORDS)
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
    return at.FIRST_WORD + select(words, nth - of_trumps)


@inlined
def lowest_of(suits: int, trumps: int, words: int) -> int:
    """The card that comes first in the pack, else the first other action."""
    if suits:
        return lowest(suits)
    if trumps:
        return FIRST_TRUMP + lowest(trumps)
    return at.FIRST_WORD + lowest(words)


@inlined
def highest_of(suits: int, trumps: int, words: int) -> int:
    """The card that comes last in the pack, else the last other action."""
    if trumps:
        return FIRST_TRUMP + highest(trumps)
    if suits:
        return highest(suits)
    return at.FIRST_WORD + highest(words)
