"""What an expert weighs against each other: candidates, with cards that come to the same taken together."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from ultimo import deal
from ultimo.cards import ALL_CARDS, COURTS, PAGAT, SKUS, SUITS_WORD, T21, TRUMPS, Card, Cards, indices
from ultimo.events import Action, Play
from ultimo.kernel.jit import Ints
from ultimo.play.following import strength

PIPS = SUITS_WORD & ~COURTS  # none of them counts more than another
EVEN_TRUMPS = TRUMPS & ~(PAGAT | T21)


class Option(Struct, frozen=True):
    """A candidate: what is done, as the table and as the kernel says it, and what comes to the same."""

    action: Action
    moves: tuple[int, ...]
    same: tuple[Action, ...] = ()


def table_of(options: Sequence[Option]) -> Ints:
    """The moves of candidates, a row each, with -1 behind the last."""
    width = max((len(option.moves) for option in options), default=1)
    rows = [option.moves + (-1,) * (width - len(option.moves)) for option in options]
    return np.array(rows, np.int64).reshape(len(rows), width)


def fallen(state: deal.State) -> Cards:
    """The cards of the tricks that have been won; those on the table still take part."""
    return sum(play.card.bit for trick in state.tricks for play in trick.plays)


def touching(hand: Cards, gone: Cards, plays: Sequence[Play], reds_reversed: bool) -> list[list[Play]]:
    """Plays in groups: cards of a hand between which no card of another can come, and that count the same."""
    others = ALL_CARDS & ~hand & ~gone
    groups: list[list[Play]] = []
    for play in sorted(plays, key=lambda play: _height(play.card, reds_reversed)):
        if groups and _alike(groups[-1][-1], play, others, reds_reversed):
            groups[-1].append(play)
        else:
            groups.append([play])
    return groups


def _height(card: Card, reds_reversed: bool) -> tuple[int, int]:
    return card.suit, strength(card.index, card.suit, reds_reversed)


def _alike(one: Play, two: Play, others: Cards, reds_reversed: bool) -> bool:
    """Whether two cards of a hand, the second the higher, are as good as each other."""
    suit, both = one.card.suit, one.card.bit | two.card.bit
    if suit != two.card.suit or (both & ~PIPS and both & ~EVEN_TRUMPS):
        return False
    low = strength(one.card.index, suit, reds_reversed)
    high = strength(two.card.index, suit, reds_reversed)
    between = [card for card in indices(others & ~SKUS) if min(card // 14, 4) == suit]
    return not any(low < strength(card, suit, reds_reversed) < high for card in between)
