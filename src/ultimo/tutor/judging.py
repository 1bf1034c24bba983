"""What the choices of a decision are worth: on what the seat knew, and with all cards open.

On what the seat knew the expert decides, in a fixed number of worlds and by fixed dice: everybody who asks
hears the same. With open cards the solver does where the end is near; before that club players play the deal
out as the cards really lie.
"""

from __future__ import annotations

from math import hypot, inf

import numpy as np
from msgspec import Struct

from ultimo import danish, deal, french
from ultimo.cards import SKUS, SUITS_WORD
from ultimo.events import Action, Play
from ultimo.kernel.jit import Ints
from ultimo.kernel.worlds.draw import Worlds
from ultimo.play.choices import Choices
from ultimo.play.following import FIRST_TRUMP
from ultimo.players import View
from ultimo.players.expert import opened
from ultimo.players.expert.expert import AnyTable, Expert, Judgement
from ultimo.players.policy.levels import policies
from ultimo.tutor.advising import weighable
from ultimo.tutor.lines import OPEN_NODES
from ultimo.tutor.reviewed import Worth

SEED = "tutor"
SAMPLES = 192  # worlds a decision
NODES = 1 << 22  # positions that are searched in these worlds for a decision
MOST_OPEN = 9  # tricks to come, for the solver with the true cards
EXCUSE_DOUBT = 15.0  # points by which play-outs alone may misjudge when the excuse should go


class Judged(Struct, frozen=True):
    """A decision judged: what could be done, the best first, and what that rests on.

    `known` says that the seat knew every card, so that nothing is estimated; `proven` that the values with
    open cards are exact.
    """

    worths: tuple[Worth, ...]
    known: bool = False
    proven: bool = False

    @property
    def best(self) -> Worth:
        """The best action: the one that a hint advises, and that a review measures the others by."""
        return self.worths[0]

    def worth(self, action: Action) -> Worth:
        """What an action is worth."""
        return next(one for one in self.worths if one.does(action))


def judgement(
    view: View, choices: Choices, keep: Action | None = None, samples: int = SAMPLES, nodes: int = NODES
) -> Judgement:
    """What the expert finds in a fixed number of worlds; `keep` is an action that never drops out."""
    weighed = weighable(view, choices)
    return Expert(SEED, samples=samples, nodes=nodes).judge(view, weighed, keep if keep in weighed else None)


def judged(found: Judgement, truth: deal.State | None = None) -> Judged:
    """What the candidates are worth, the best first; with the `truth` also with open cards."""
    worths = _reckoned(found) if found.race is not None else _told(found)
    if found.table is None or truth is None:
        return Judged(worths, found.race is None)
    values, proven = open_values(found.table, truth)
    return Judged(
        tuple(
            Worth(one.action, one.points, one.behind, one.error, one.samples, one.same, _value(values, one))
            for one in worths
        ),
        found.race is None,
        proven,
    )


def _value(values: dict[Action, float], worth: Worth) -> float | None:
    return next((values[action] for action in (worth.action, *worth.same) if action in values), None)


def _told(found: Judgement) -> tuple[Worth, ...]:
    """What the solver has said of known cards; one candidate alone is worth nothing more or less."""
    best = max((one.points or 0.0 for one in found.candidates), default=0.0)
    return tuple(
        Worth(one.action, one.points or 0.0, best - (one.points or 0.0), samples=one.samples)
        for one in found.candidates
    )


def _reckoned(found: Judgement) -> tuple[Worth, ...]:
    """What the race has shown; the best has the most points of those that ran to its end.

    The points of the others are told from the best, by what lies between them in the worlds of both: one that
    dropped out early was tried in fewer worlds, and its own mean might seem to be more.
    """
    race, table = found.race, found.table
    assert race is not None
    assert table is not None
    points, _, tried = race.results()
    best = int(np.where(tried == tried.max(), points, -inf).argmax())
    worths = []
    for place, candidate in zip(found.places, found.candidates, strict=True):
        behind, error = race.lead(best, place) if place != best else (0.0, 0.0)
        if place != best and race.solved is None and _is_about_excuse(table, best, place):
            error = hypot(error, EXCUSE_DOUBT)
        same = table.options[place].same
        behind = max(behind, 0.0)
        value = float(points[best]) - behind
        worths.append(Worth(candidate.action, value, behind, error, int(tried[place]), same))
    return tuple(sorted(worths, key=lambda one: (one.behind, one.error)))


def _is_about_excuse(table: AnyTable, *places: int) -> bool:
    """Whether one of some options plays the excuse: the club's player, who plays on, is no master of it."""
    actions = [table.options[place].action for place in places]
    plays = [one.card.bit for one in actions if isinstance(one, Play)]
    return isinstance(table.state, french.State) and SKUS in plays


# --- with open cards -----------------------------------------------------------------------------------


def open_values(table: AnyTable, truth: deal.State) -> tuple[dict[Action, float], bool]:
    """What the candidates of a seat gain as the cards really lie, and whether that is exact."""
    rules = policies(table.rules).calm(table.rules)
    if max(map(int.bit_count, truth.hands)) <= MOST_OPEN:
        exact = opened.worths(rules, truth, table.seat, opened.Allowance(nodes=OPEN_NODES))
        if exact:
            return exact, True
    states = as_it_lies(table, truth)
    if states is None:
        return {}, False
    alive, seeds = np.ones(len(table.options), np.int64), np.zeros(1, np.uint64)
    gains = table.gains(states, alive, seeds)[0]
    return {one.action: float(gain) for one, gain in zip(table.options, gains, strict=True)}, False


def as_it_lies(table: AnyTable, truth: deal.State) -> Ints | None:
    """The present state for the kernel as the cards really lie; None if its past cannot be told there."""
    aside = truth.skat if isinstance(truth, danish.State) else truth.ecart or truth.chien
    rows = (*truth.hands, aside)
    suits = np.array([[row & SUITS_WORD for row in rows]], np.int64)
    trumps = np.array([[row >> FIRST_TRUMP for row in rows]], np.int64)
    states, surprises = table.tell(Worlds(suits, trumps, np.ones(1)))
    return None if surprises[0, 0] < 0 else states
