"""No bot peeks: let the cards that its seat cannot know lie elsewhere, and it chooses the same."""

from __future__ import annotations

import os
from random import Random

import pytest
from msgspec.structs import replace

from kernel.worlds_views import Glimpse, glimpses
from secrecy.retelling import retold
from table import WITHOUT_FFT
from ultimo import deal, rulebook, series
from ultimo.players import create
from ultimo.players.player import View

DEALS = 12 if "ULTIMO_LONG" in os.environ else 1
WORLDS = 3
SAMPLES = 12
LEVELS = ("random", "beginner", "club", "student", "expert")


def decisions(book: str, number: int) -> list[Glimpse]:
    """Some moments of a deal at which the seat that looks on has something to choose."""
    rules = rulebook.load(book)
    found = []
    for glimpse in glimpses(rules, rules.sizes[0], Random(f"peek {book} {number}")):
        seat = glimpse.viewer
        if seat is None or seat not in deal.waiting_for(rules, glimpse.view):
            continue
        if len(deal.legal(rules, glimpse.view, seat)) > 1:
            found.append(glimpse)
    return found


def seated(glimpse: Glimpse, view: deal.State) -> View:
    """A view of a deal as a player gets it."""
    assert glimpse.viewer is not None
    names = [str(seat) for seat in range(view.table)]
    first = series.open_series(glimpse.rules, names, view.dealer)[0]
    around = series.evolve(glimpse.rules, None, first)
    return View(glimpse.rules, glimpse.viewer, replace(around, deal=view))


@pytest.mark.cites("E5")
@pytest.mark.parametrize("book", WITHOUT_FFT)
def test_hidden_cards_that_lie_elsewhere_change_no_choice(book: str) -> None:
    compared = moved = 0
    for number in range(DEALS):
        moments = decisions(book, number)
        for glimpse in moments[:: max(1, len(moments) // 6)]:
            seat = glimpse.viewer
            assert seat is not None
            choices = deal.legal(glimpse.rules, glimpse.view, seat)
            chosen = {
                level: create(level, 5, samples=SAMPLES).choose(seated(glimpse, glimpse.view), choices)
                for level in LEVELS
            }
            for world in glimpse.draw(WORLDS):
                truth, view = retold(glimpse.rules, seat, glimpse.seen, world)
                moved += tuple(truth.hands) != glimpse.truth[:-1]
                for level in LEVELS:
                    again = create(level, 5, samples=SAMPLES)
                    assert (
                        again.choose(seated(glimpse, view), deal.legal(glimpse.rules, truth, seat))
                        == (chosen[level])
                    )
                    compared += 1
    assert compared > 20 * DEALS
    assert moved > 8 * DEALS  # else nothing was hidden
