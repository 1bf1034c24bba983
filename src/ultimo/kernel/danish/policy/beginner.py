"""A beginner of Danish Tarok: he knows the rules and the habits of other card games.

He throws his kings about in time, takes what he can take cheaply, holds no account of the cards that have
fallen, and thinks of the last trick when it comes.
"""

from __future__ import annotations

from ultimo.kernel.bits import count, highest, lowest
from ultimo.kernel.danish import layout as at
from ultimo.kernel.danish.deal import legal_plays
from ultimo.kernel.danish.policy.odds import card_at, of_suit
from ultimo.kernel.jit import Ints, inlined
from ultimo.play.following import (
    FIRST_TRUMP,
    NO_SUIT,
    REAL_TRUMPS,
    SKUS_BIT,
    SKUS_CARD,
    TRUMP_SUIT,
    strength,
)

LATE = 20  # from here on the skus must go


@inlined
def beginner_card(n: Ints, s: Ints) -> int:
    """The card a beginner plays."""
    suits, trumps, _ = legal_plays(n, s)
    if suits | trumps == 0:
        return at.LEAD_SKUS + TRUMP_SUIT
    if s[at.LED] == NO_SUIT:
        return _lead(s, suits, trumps & REAL_TRUMPS)
    if trumps & SKUS_BIT and (s[at.NUMBER] >= LATE or suits | trumps == SKUS_BIT):
        return SKUS_CARD
    return _follow(s, suits, trumps & REAL_TRUMPS)


@inlined
def _lead(s: Ints, suits: int, trumps: int) -> int:
    """The top of his longest suit; tarokker, the highest first, when he has nothing else."""
    longest, most = 0, 0
    for suit in range(4):
        length = count(of_suit(suits, suit))
        if length > most:
            longest, most = suit, length
    if most == 0:
        return FIRST_TRUMP + highest(trumps)
    return card_at(longest, highest(of_suit(suits, longest)))


@inlined
def _follow(s: Ints, suits: int, trumps: int) -> int:
    """What wins for now, his lowest tarok or the top of the suit; if nothing does, the lowest that he has."""
    led, best = s[at.LED], strength(s[at.LAST_CARDS], s[at.LED], True)
    if s[at.PLAYED] == 2:
        best = max(best, strength(s[at.LAST_CARDS + 1], led, True))
    if trumps:
        over = trumps >> max(0, best - 99) << max(0, best - 99)
        return FIRST_TRUMP + lowest(over if over else trumps)
    if led != TRUMP_SUIT and of_suit(suits, led):
        held = of_suit(suits, led)
        over = held >> max(0, best) << max(0, best) if best < 100 else 0
        return card_at(led, highest(over) if over else lowest(held))
    return _lowest(suits)


@inlined
def _lowest(suits: int) -> int:
    """The lowest card of all."""
    least, found = 14, -1
    for suit in range(4):
        held = of_suit(suits, suit)
        if held and lowest(held) < least:
            least = lowest(held)
            found = card_at(suit, least)
    return found


@inlined
def beginner_lay(suits: int, trumps: int) -> int:
    """The next card of a beginner's skat: the lowest of all, which he does not miss."""
    return _lowest(suits) if suits else FIRST_TRUMP + lowest(trumps)
