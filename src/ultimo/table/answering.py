"""What the table answers for a person, because there is nothing to choose and it tells nothing."""

from __future__ import annotations

from ultimo import events as e
from ultimo import series
from ultimo.rulebook import Rules
from ultimo.series import State as Series

WORDLESS = (e.Accept, e.Decline, e.Answer, e.Pass)  # tell nothing where there is no choice


def only_choice(rules: Rules, state: Series, seat: e.Seat) -> e.Action | None:
    """What is done for a person because there is nothing to choose and it tells nothing.

    A demand is answered by everybody: who was not asked would be known to hold the skus.
    """
    assert state.deal is not None
    if state.deal.phase == "demand":
        return None
    choices = series.legal(rules, state, seat)
    only = next(iter(choices)) if len(choices) == 1 else None
    return only if isinstance(only, WORDLESS) else None
