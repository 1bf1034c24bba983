"""Decisions before the first card, and what the tutor finds their choices worth on what the seat knows.

Whoever loads this loads the compiler.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Final

from msgspec import Struct

from ultimo import deal
from ultimo import events as e
from ultimo.players import Match
from ultimo.players.policy.levels import Club
from ultimo.rulebook import Rules
from ultimo.tutor.decisions import seen
from ultimo.tutor.judging import Judged, judged, judgement
from ultimo.tutor.reviewed import Worth

OVER: Final = ("slam", "play", "closed")  # phases after which nothing of this is decided any more
SURE: Final = 2.0  # standard errors within which two choices are equal
CLOSE: Final = 1.0  # points a deal that are nothing to speak of


class Weighed(Struct, frozen=True):
    """A decision: what the choices are worth, and what the club does by which principle."""

    judged: Judged
    club: e.Action
    principle: str

    @property
    def best(self) -> Worth:
        """What nothing was better than."""
        return self.judged.worths[0]

    def is_right(self, action: e.Action) -> bool:
        """Whether an action is as good as the best, as far as can be told."""
        return is_close(self.judged.worth(action))


def is_close(worth: Worth) -> bool:
    """Whether something is as good as the best, as far as can be told or is worth telling."""
    return worth.behind <= max(CLOSE, SURE * worth.error)


def weighed(rules: Rules, seat: e.Seat, state: deal.State, keep: e.Action | None, samples: int) -> Weighed:
    """A seat's decision on what it knows, in so many worlds; `keep` is always among what is tried."""
    view, choices = seen(rules, seat, state), deal.legal(rules, state, seat)
    advised = Club().explain(view, choices)
    found = judged(judgement(view, choices, keep, samples))
    return Weighed(found, advised.action, advised.principle)


def club(rules: Rules, seat: e.Seat, state: deal.State) -> e.Action:
    """What the club does here."""
    return Club().choose(seen(rules, seat, state), deal.legal(rules, state, seat))


def come_to(rules: Rules, rng: Random, wanted: Callable[[deal.State], bool]) -> tuple[e.Seat, deal.State]:
    """A seat that has to decide something, and what it knows; before that all have done as the club does."""
    table = rules.sizes[0]
    while True:
        match = Match(rules, [str(seat) for seat in range(table)], dict.fromkeys(range(table), Club()), rng)
        match.next_deal()
        while match.advance():
            state = match.state.deal
            if state is None or state.phase in OVER:
                break
            if wanted(state):
                (seat,) = deal.waiting_for(rules, state)
                return seat, match.view(seat).deal
