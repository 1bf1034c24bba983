"""The numbers of actions: one table for all Danish rulebooks, and one for all French ones.

The first 78 are the cards, in the order of the pack: to play, to lay, to call or to show, as the moment has
it. What several cards belong to (a skat, an écart, a poignée) is done card by card.

>>> from ultimo.rulebook import load
>>> name(load("dtf"), 0), name(load("dtf"), 82), name(load("french4"), 80)
('S1', 'lead the skus as trumps', 'bid garde')
"""

from __future__ import annotations

from functools import cache

from ultimo.cards import PACK
from ultimo.french import numbers as rule
from ultimo.kernel.danish import layout as danish_at
from ultimo.kernel.french import layout as french_at
from ultimo.research.french import LADDER
from ultimo.research.layout import SUITS
from ultimo.rulebook import DanishRules, Rules


def name(rules: Rules, action: int) -> str:
    """What an action is called."""
    return names(isinstance(rules, DanishRules))[action]


@cache
def names(danish: bool) -> tuple[str, ...]:
    """What all actions of a family are called, by their numbers."""
    cards = tuple(card.value for card in PACK)
    if danish:
        led = tuple(f"lead the skus as {suit}" for suit in SUITS)
        renamed = tuple(f"name the skus anew as {suit}" for suit in SUITS)
        words = ("decline", "demand the skus", "announce nolo", "announce tout", "accept the hand")
        found = (*cards, *led, *renamed, *words, "demand new cards", "lay as for a tout")
        assert len(found) == danish_at.ACTIONS
        return found
    bids = tuple(f"bid {bid}" for bid in LADDER)
    shown = tuple(f"show a poignée of size {size}" for size in range(1, rule.MOST_POIGNEES + 1))
    found = (*cards, "pass", *bids, "decline", "announce a slam", *shown)
    assert len(found) == french_at.ACTIONS
    return found
