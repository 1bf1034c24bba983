"""A game as text, for people who watch a learner."""

from __future__ import annotations

import numpy as np

from ultimo.cards import PACK
from ultimo.research.actions import name
from ultimo.research.game import Game
from ultimo.research.layout import CARDS
from ultimo.research.observing import layout_of


def text(game: Game) -> str:
    """What the seat in turn sees of its table, and what it may do."""
    if game.turn is None:
        return f"{game.rules.id}: over after {game.deals} deals, points {_listed(game.points)}"
    layout, seen = layout_of(game.rules), game.observe(game.turn)
    table = layout["table"]
    lying = [
        f"seat {game.seats[(game.seats.index(game.turn) + player) % len(game.seats)]} {cards}"
        for player in range(len(game.seats))
        if (cards := _cards(seen, table.start + CARDS * player))
    ]
    actions = ", ".join(name(game.rules, int(action)) for action in np.flatnonzero(game.legal()))
    lines = (
        f"{game.rules.id}: deal {game.played + 1} of {game.deals}, points {_listed(game.points)}",
        f"on the table: {', '.join(lying) or 'nothing'}",
        f"seat {game.turn} holds {_cards(seen, layout['hand'].start)}",
        f"and may do: {actions}",
    )
    return "\n".join(lines)


def _cards(seen: np.ndarray, start: int) -> str:
    return " ".join(PACK[card].value for card in np.flatnonzero(seen[start : start + CARDS]))


def _listed(points: tuple[int, ...]) -> str:
    return " ".join(f"{one:+d}" for one in points)
