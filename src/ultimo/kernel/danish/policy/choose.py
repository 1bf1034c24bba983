"""What each player of the compiled loops does in a Danish deal.

From `BEGINNER` on they look at what everybody has seen (`memory`), which the loop that plays them must keep
up.
"""

from __future__ import annotations

from ultimo.kernel.bits import highest, lowest
from ultimo.kernel.danish import layout as at
from ultimo.kernel.danish.deal import find_ways, legal, legal_plays
from ultimo.kernel.danish.policy.beginner import PLAIN_WORDS, beginner_card, beginner_word
from ultimo.kernel.danish.policy.club import club_card
from ultimo.kernel.danish.policy.student import better_action
from ultimo.kernel.danish.policy.words import club_word
from ultimo.kernel.dice import draw
from ultimo.kernel.jit import Ints, Words, inlined, tight
from ultimo.kernel.policy import (
    BEGINNER,
    CLUB,
    LOWEST,
    RANDOM,
    STUDENT,
    WAVERS,
    any_action,
    any_card,
    first_card,
    last_card,
)
from ultimo.play.following import REAL_TRUMPS, SKUS_BIT, SKUS_CARD


@inlined
def looks(policies: Ints) -> bool:
    """Whether one of the three places looks at what everybody has seen."""
    return bool(policies[0] >= BEGINNER or policies[1] >= BEGINNER or policies[2] >= BEGINNER)


@inlined
def choose(policy: int, n: Ints, s: Ints, w: Ints, dice: Words) -> int:
    """An action of the place in turn, as its policy would have it."""
    if policy == STUDENT:
        return choose_by_experience(n, s, w)
    if policy >= BEGINNER:
        return choose_by_sight(policy, n, s, w)
    if policy == RANDOM and s[at.PHASE] == at.LAYING:
        find_ways(n, s, w)
        return any_lay(s, w, dice)
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


@tight
def choose_by_experience(n: Ints, s: Ints, w: Ints) -> int:
    """An action of a student; `n` must have a network."""
    return better_action(n, s, w, choose_by_sight(CLUB, n, s, w))


@inlined
def look(policy: int, n: Ints, s: Ints, w: Ints) -> int:
    """An action of a player who looks about, and needs no dice."""
    if s[at.PHASE] == at.PLAY:
        return club_card(n, s, w) if policy == CLUB else beginner_card(n, s)
    return club_word(n, s, w) if policy == CLUB else beginner_word(n, s, w)


@inlined
def waver(n: Ints, s: Ints, w: Ints, dice: Words) -> int:
    """What a club player does who now and then plays any card that is legal."""
    if s[at.PHASE] == at.PLAY and draw(dice, WAVERS) == 0:
        return choose_card(RANDOM, n, s, dice)
    return choose_by_sight(CLUB, n, s, w)


@inlined
def _chosen(policy: int, suits: int, trumps: int, words: int, dice: Words) -> int:
    if policy == RANDOM:
        return any_but_lay(suits, trumps, words, dice)
    if words & PLAIN_WORDS:
        return at.FIRST_WORD + lowest(words & PLAIN_WORDS)
    if suits | trumps == 0:
        return at.FIRST_WORD + (lowest(words) if policy == LOWEST else highest(words))
    return first_card(suits, trumps) if policy == LOWEST else last_card(suits, trumps)


@inlined
def any_but_lay(suits: int, trumps: int, words: int, dice: Words) -> int:
    """Any of the actions other than laying; a skus to be led is one card, and gets any of its names."""
    if words & at.ALL_NAMES == 0:
        return any_action(suits, trumps, words, dice)
    card, _, _ = any_card(suits, trumps | SKUS_BIT, dice)
    return any_action(0, 0, words, dice) if card == SKUS_CARD else card


@inlined
def any_lay(s: Ints, w: Ints, dice: Words) -> int:
    """The next step of laying in one of the ways that have been found, each as likely as another.

    What must go is laid first. Of two ways one lays all tarokker and the other none, and so what lies in the
    skat tells which has been begun; every skat of a way is as likely as another.
    """
    ways = w[at.WAYS_AT : at.TOUT_WAYS_AT]
    laid_suits, laid_trumps = s[at.SKAT_SUITS], s[at.SKAT_TRUMPS]
    way = ways[0] - 1 if laid_trumps & REAL_TRUMPS else 0
    if s[at.LAID] == 0:
        way = draw(dice, ways[0] + (0 if s[at.TOUT_LAID] else w[at.TOUT_WAYS_AT]))
        if way >= ways[0]:
            return at.LAY_TOUT
    spot = 1 + 4 * way
    must_suits, must_trumps = ways[spot] & ~laid_suits, ways[spot + 1] & ~laid_trumps
    if must_suits | must_trumps:
        return first_card(must_suits, must_trumps)
    card, _, _ = any_card(ways[spot + 2] & ~laid_suits, ways[spot + 3] & ~laid_trumps, dice)
    return card
