"""Observations of either family: which layout, and the numbers of one seat or of many deals.

>>> from ultimo.kernel.batch import Batch
>>> from ultimo.rulebook import load
>>> batch = Batch(load("hermansen"), deals=2, seed=7)
>>> seen = observations(batch)  # of the place in turn, a row for each deal
>>> layout = layout_of(batch.rules)
>>> seen.shape == (2, layout.size), planes(layout, seen).shape, int(planes(layout, seen)[0, 0].sum())
(True, (2, 14, 78), 28)
>>> by_field(layout, seen)["void"].shape  # by player and suit
(2, 3, 5)
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ultimo import danish as danish_game
from ultimo import french as french_game
from ultimo.kernel.batch import Batch
from ultimo.kernel.danish import bridge as danish_bridge
from ultimo.kernel.french import bridge as french_bridge
from ultimo.kernel.french.deal import array_of as french_numbers
from ultimo.kernel.jit import Ints
from ultimo.players import View
from ultimo.research import danish, french
from ultimo.research.danish import Floats
from ultimo.research.layout import CARDS, Layout
from ultimo.rulebook import DanishRules, FrenchRules, Rules


def layout_of(rules: Rules) -> Layout:
    """The layout of the observations under these rules."""
    return danish.LAYOUT if isinstance(rules, DanishRules) else french.LAYOUT


def observations(batch: Batch, places: npt.ArrayLike | None = None, out: Floats | None = None) -> Floats:
    """What the place in turn of each deal observes, or other places; a deal that is over has zeros."""
    viewers = batch.turn if places is None else np.asarray(places, np.int64)
    return observe(batch.rules, batch.states, np.ascontiguousarray(viewers), out)


def observe(rules: Rules, states: Ints, places: Ints, out: Floats | None = None) -> Floats:
    """What one place of each deal observes, a row for each."""
    rows = np.empty((len(states), layout_of(rules).size), np.float32) if out is None else out
    if isinstance(rules, DanishRules):
        danish.observe(states, places, rows)
    else:
        french.observe(french_numbers(rules), states, places, rows)
    return rows


def of_view(view: View) -> Floats:
    """What a seat observes that is to act, from what the table has shown it."""
    match view.rules, view.deal:
        case DanishRules() as rules, danish_game.State() as state:
            place, row = state.order.index(view.seat), danish_bridge.from_view(rules, state, view.seat)
        case FrenchRules() as rules, french_game.State() as state:
            place, row = view.seat, french_bridge.from_view(rules, state, view.seat)
        case _:
            raise TypeError("these rules and this deal are not of one family")
    return observe(view.rules, row[None], np.array([place])).reshape(-1)


def planes(layout: Layout, observations: Floats) -> Floats:
    """The sets of cards of observations, as planes of 78."""
    sets = observations[..., : layout.planes * CARDS]
    return sets.reshape(*observations.shape[:-1], layout.planes, CARDS)


def by_field(layout: Layout, observations: Floats) -> dict[str, Floats]:
    """The fields of observations by their names, each in its own shape; no number is copied."""
    before = observations.shape[:-1]
    return {
        field.name: observations[..., field.start : field.start + field.size].reshape((*before, *field.shape))
        for field in layout.fields
    }
