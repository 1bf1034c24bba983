"""A beginner of Danish Tarok: knows the rules and the habits of other card games.

Throws kings about in time, takes what can be taken cheaply, holds no account of the cards that have fallen,
and thinks of the last trick when it comes.
"""

from __future__ import annotations

from ultimo.kernel.bits import highest, lowest
from ultimo.kernel.danish import layout as at
from ultimo.kernel.danish import weights as wt
from ultimo.kernel.danish.deal import legal, legal_plays
from ultimo.kernel.danish.policy.odds import card_at, height_of, heights, highest_on_table, of_suit
from ultimo.kernel.jit import Ints, inlined
from ultimo.kernel.policy import longest, low_rank
from ultimo.play.following import NO_SUIT, REAL_TRUMPS, SKUS_BIT, SKUS_CARD, TRUMP_SUIT, suit_of

PLAIN_WORDS = 1 << (at.DECLINE - at.FIRST_WORD) | 1 << (at.ACCEPT - at.FIRST_WORD)


@inlined
def beginner_word(n: Ints, s: Ints, w: Ints) -> int:
    """What a beginner does where no card is played: lays the lowest, and asks for a redeal only."""
    if s[at.PHASE] == at.NAME:
        return at.RENAME_SKUS + TRUMP_SUIT
    suits, trumps, words = legal(n, s, w)
    if s[at.PHASE] == at.LAYING:
        return _lowest(suits) if suits else card_at(TRUMP_SUIT, lowest(trumps))
    if words >> (at.DEMAND_REDEAL - at.FIRST_WORD) & 1:
        return at.DEMAND_REDEAL
    return at.FIRST_WORD + lowest(words & PLAIN_WORDS)


@inlined
def beginner_card(n: Ints, s: Ints) -> int:
    """The card a beginner plays."""
    suits, trumps, _ = legal_plays(n, s)
    if suits | trumps == 0:
        return at.LEAD_SKUS + TRUMP_SUIT
    if s[at.LED] == NO_SUIT:
        return _lead(suits, trumps & REAL_TRUMPS)
    if trumps & SKUS_BIT and (s[at.NUMBER] >= wt.BEGINNER_LATE or suits | trumps == SKUS_BIT):
        return SKUS_CARD
    return _follow(s, suits, trumps & REAL_TRUMPS)


@inlined
def _lead(suits: int, trumps: int) -> int:
    """The top of the longest suit; tarokker, the highest first, when there is nothing else."""
    suit = longest(suits)
    return card_at(suit, highest(of_suit(suits, suit) if suits else trumps))


@inlined
def _follow(s: Ints, suits: int, trumps: int) -> int:
    """What wins for now, the lowest tarok or the top of the suit; if nothing does, the lowest card of all."""
    led, top = s[at.LED], highest_on_table(s)
    if trumps:
        over = _above(trumps, TRUMP_SUIT, top)
        return card_at(TRUMP_SUIT, lowest(over if over else trumps))
    held = of_suit(suits, led)
    if held == 0:
        return _lowest(suits)
    over = 0 if suit_of(top) == TRUMP_SUIT else _above(held, led, top)
    return card_at(led, highest(over) if over else lowest(held))


@inlined
def _above(held: int, suit: int, top: int) -> int:
    """The cards of one suit, by height, that stand above the highest on the table, if it is of that suit."""
    least = height_of(top) + 1 if suit_of(top) == suit else 0
    return held >> least << least


@inlined
def _lowest(suits: int) -> int:
    """The lowest card of all."""
    found = low_rank(heights(suits))
    return card_at(found // 14, found % 14)
