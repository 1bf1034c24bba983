"""Which worlds are likely: those in which the others would have done what they did.

Worlds come one as likely as another. What was done in each is compared with what a policy would have done,
and every difference speaks against the world. Of many worlds the likely ones are picked, and each goes on to
neighbours in a chain of small changes: so also those are found that a few thousand at random do not hold.

How far the others play like that policy nobody knows beforehand; but it shows. Who has surprised in hardly
any card is taken at their word, and who surprises often tells little by one surprise more (`unlikely`).
"""

from __future__ import annotations

from functools import cache
from math import lgamma, log
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from msgspec import Struct
from msgspec.structs import replace

from ultimo.kernel.jit import Ints, Words
from ultimo.kernel.policy import CLUB, STUDENT
from ultimo.kernel.worlds.count import paper
from ultimo.kernel.worlds.draw import Worlds
from ultimo.kernel.worlds.exchange import exchange, throw
from ultimo.kernel.worlds.knowledge import Knowledge
from ultimo.play.following import FIRST_TRUMP, PACK_SIZE

Floats: TypeAlias = npt.NDArray[np.float64]

POOL = 4  # so many worlds are drawn for each that is picked
ENOUGH = 0.1  # points: who can expect no more of going on stops, though there is time
PARTS = 4  # of the chains; after each but the last less likely worlds give way,
COOLING = 0.2  # and so much what speaks against them counts for that
USUAL, UNUSUAL = 4.0, 1.0  # what is expected of others whom nobody has seen: so many cards, and a surprise
INSTEAD = 3.0  # cards that one who surprises could have played as well
KEPT = 0.125  # the share of the drawn worlds that must go on counting when they are picked from


class Method(Struct, frozen=True):
    """How an expert reckons: how much speaks against a world in which somebody would have done otherwise.

    There are margins where the books know better than play-outs, which are right only if everybody goes on
    like those who play them.
    """

    against: tuple[float, float, float] | None  # a word in Danish, one in French, a card; None: as it shows
    steps: int = 0  # changes that are proposed to each world
    policy: int = CLUB  # who plays the deals out
    enough: float = ENOUGH
    margin: float = 0.0  # points by which a skat or a word must lead the favourite,
    patience: float = 0.0  # and an early card that the books would keep


CAUTIOUS = Method((1.0, 2.0, 0.7))
UNCEASING = replace(CAUTIOUS, enough=0.0)
OBSERVANT = Method(None, steps=24)
MASTERLY = replace(OBSERVANT, steps=72, policy=STUDENT, margin=6.0, patience=10.0)
SHARP = replace(OBSERVANT, steps=120)


@cache
def unlikely(number: int) -> Floats:
    """How much speaks against none, one, two … surprises in so many cards.

    It is minus the logarithm of a chance, but for a constant: everybody surprises as often as they do,
    whether seldom or often, and after each card one knows that better (a beta-binomial distribution).
    """
    chances = (
        lgamma(UNUSUAL + some) + lgamma(USUAL + number - some) - some * log(INSTEAD)
        for some in range(number + 1)
    )
    return -np.fromiter(chances, np.float64)


def weighed(against: Floats, weights: Floats) -> Floats:
    """How likely each world is, by what speaks against it; softened until enough of them count."""
    possible = np.isfinite(against)
    if not possible.any():
        return np.zeros(len(against))
    least = against[possible].min()
    wanted = KEPT * possible.sum()
    softly, strength = np.zeros(len(against)), 1.0
    for _ in range(12):
        softly[possible] = weights[possible] * np.exp(-strength * (against[possible] - least))
        if softly.sum() ** 2 / (softly**2).sum() >= wanted:
            break
        strength *= 0.75
    softly /= softly.sum()
    return softly


def picked(chances: Floats, size: int, dice: Words) -> Ints:
    """The numbers of so many worlds by their chances, at even distances; some may come more than once."""
    if not chances.sum() > 0:
        return np.zeros(0, np.int64)
    start = float(int(dice[0]) >> 11) / (1 << 53)
    places = (np.arange(size) + start) / size
    return np.searchsorted(np.cumsum(chances), places, side="right").clip(0, len(chances) - 1)


def survivors(against: Floats, dice: Words) -> Ints:
    """The numbers of the worlds with which chains go on: less likely ones give way to likelier ones.

    A chain that began far off would take long to find its way; after this each goes on by itself again, and
    in the end worlds come as often as they are likely.
    """
    chances = np.exp(-COOLING * (against - against.min()))
    return picked(chances / chances.sum(), len(against), dice)


def neighbours(known: Knowledge, worlds: Worlds, dice: Words) -> tuple[Ints, Worlds]:
    """The numbers of those worlds that have a neighbour, drawn by lot, and these neighbours."""
    suits, trumps, moved = worlds.suits.copy(), worlds.trumps.copy(), np.zeros(len(worlds), np.int64)
    exchange(known, dice, paper(), suits, trumps, moved)
    rows = np.flatnonzero(moved)
    return rows, Worlds(suits[rows], trumps[rows], np.ones(len(rows)))


def accepted(before: Floats, after: Floats, dice: Words) -> npt.NDArray[np.bool_]:
    """Whether a chain goes on to a neighbour: always to a likelier one, else as often as it is as likely."""
    lots = np.zeros(len(after))
    throw(dice, lots)
    possible = np.isfinite(after)
    worse = np.where(possible, after, 0.0) - np.where(np.isfinite(before), before, np.inf)
    taken: npt.NDArray[np.bool_] = possible & (lots < np.exp(-np.maximum(worse, 0.0)))
    return taken


def together(worlds: Worlds, states: Ints) -> tuple[Worlds, Ints]:
    """Worlds that are the same as one, which weighs as much as they all."""
    both = np.concatenate((worlds.suits, worlds.trumps), axis=1)
    _, rows, times = np.unique(both, axis=0, return_index=True, return_counts=True)
    return Worlds(worlds.suits[rows], worlds.trumps[rows], times.astype(np.float64)), states[rows]


def places_of(worlds: Worlds) -> Floats:
    """For each card how likely it lies in each row: with a seat, or aside."""
    likely = worlds.weights / worlds.weights.sum()
    found = np.zeros((PACK_SIZE, worlds.suits.shape[1]))
    for card in range(PACK_SIZE):
        words, bit = (worlds.suits, card) if card < FIRST_TRUMP else (worlds.trumps, card - FIRST_TRUMP)
        found[card] = likely @ (words >> bit & 1)
    return found
