"""Where the cards that matter may lie, with what the others have done: how likely, and what is certain."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from ultimo import events as e
from ultimo import french
from ultimo.cards import KINGS, PAGAT, SKUS, T21, TRUMPS, Card, Cards, cards
from ultimo.kernel.worlds.draw import Worlds
from ultimo.play.choices import Choices
from ultimo.play.following import FIRST_TRUMP
from ultimo.players import View
from ultimo.players.expert.expert import AnyTable, likely_worlds
from ultimo.players.expert.inference import OBSERVANT, Floats, places_of
from ultimo.tutor.advising import weighable
from ultimo.tutor.ends import SEED
from ultimo.tutor.facts import LIKELY

LOOKED_INTO = 112  # likely worlds that say where cards lie,
DOUBT = 16  # and so many of those that fit: people may have played for reasons of their own
MANY = 2.0  # so many trumps are worth a sentence
# Shares of worlds, and how often cards lay there: 8,300 beliefs in deals of beginners, clubs and students by
# all rulebooks. Worlds are too sure of themselves; `tools/measure_inference.py --beliefs` checks them.
CALIBRATION = ((0.5, 0.5), (0.56, 0.52), (0.7, 0.6), (0.8, 0.71), (0.91, 0.82), (0.974, 0.94), (1.0, 1.0))


def beliefs(
    view: View, choices: Choices, pool: Worlds
) -> tuple[dict[Card, tuple[float, ...]], dict[e.Seat, float]]:
    """Where each key card may lie, and who probably has the most trumps; `pool` are worlds that fit."""
    dice = np.array([SEED], np.uint64)
    likely = likely_worlds(view, weighable(view, choices), LOOKED_INTO, dice, OBSERVANT)
    both = [(DOUBT, pool), (LOOKED_INTO, likely)] if len(likely) else [(1, pool)]
    whole = sum(share for share, _ in both)
    places = np.sum([share * places_of(worlds) for share, worlds in both], axis=0) / whole
    left, most = np.sum([share * _trumps(view, worlds) for share, worlds in both], axis=0) / whole
    chances = {card: calibrated(places[card.index].tolist()) for card in key_cards(view)}
    seat = int(most.argmax())
    sure = seat != view.seat and most[seat] >= LIKELY and left[seat] >= MANY
    return chances, {seat: float(left[seat])} if sure else {}


def _trumps(view: View, worlds: Worlds) -> Floats:
    """By seat how many real trumps it is thought to have, and how likely it has more than anybody else."""
    seats = range(view.deal.table)
    counts = (worlds.trumps[:, : len(seats), None] >> np.arange(21) & 1).sum(axis=2)
    counts[:, view.seat] = (view.deal.hands[view.seat] & TRUMPS).bit_count()
    most = [(counts[:, [seat]] > np.delete(counts, seat, axis=1)).all(axis=1) for seat in seats]
    weights = worlds.weights / worlds.weights.sum()
    return np.array([weights @ counts, np.array(most) @ weights])


def located(view: View, table: AnyTable) -> dict[Card, int]:
    """Where key cards must lie."""
    rows = [int(suits) | int(trumps) << FIRST_TRUMP for suits, trumps in table.known.known]
    return {card: row for card in key_cards(view) for row, lying in enumerate(rows) if lying & card.bit}


def calibrated(shares: Sequence[float]) -> tuple[float, ...]:
    """The chances of the places of a card, from the shares of worlds that have it there."""
    most = max(shares, default=0.0)
    if not CALIBRATION[0][0] < most < 1:
        return tuple(shares)
    for (low, from_), (high, to) in pairwise(CALIBRATION):
        if low < most <= high:
            chance = from_ + (most - low) / (high - low) * (to - from_)
    rest = (1 - chance) / (1 - most)
    return tuple(chance if one == most else rest * one for one in shares)


def key_cards(view: View) -> list[Card]:
    """The cards everything turns on that the seat does not hold, and that are not gone."""
    state = view.deal
    keys: Cards = T21 | PAGAT | SKUS | KINGS
    mine = state.hands[view.seat] | state.aside.known | state.laid
    plays = (*(play for trick in state.tricks for play in trick.plays), *state.trick)
    if isinstance(state, french.State) and state.called is not None:
        keys |= state.called.bit
    gone = sum(play.card.bit for play in plays)
    return sorted(cards(keys & ~mine & ~gone), key=lambda card: -card.index)
