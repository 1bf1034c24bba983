"""Lines of play: how a deal might have gone on from a decision, and how it did."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ultimo import deal
from ultimo import events as e
from ultimo.analysis import solver
from ultimo.kernel import NotCompilable
from ultimo.players import View
from ultimo.players.policy.levels import Club, policies
from ultimo.rulebook import Rules
from ultimo.tutor.decisions import Decision, seen

OPEN_NODES = 1 << 21  # positions that the solver with the true cards may search for a decision
UNTOLD = ("handCheck", "count")  # phases in which nothing is done that a line is about


class Step(NamedTuple):
    """Something that is done, and the deal before it."""

    before: deal.State
    seat: e.Seat
    action: e.Action


class Table:
    """A deal as it lies, and what every seat knows of it."""

    def __init__(self, rules: Rules, events: Sequence[e.DealEvent]) -> None:
        """As it was after some of its events, the first of which opens it."""
        opened, *rest = events
        assert isinstance(opened, e.Opened)
        self.rules = rules
        self.truth = deal.initial(rules, opened)
        self._views = [self.truth] * opened.table
        self._tell(rest)

    def act(self, seat: e.Seat, action: e.Action) -> Step:
        """Let a seat do something."""
        step = Step(self.truth, seat, action)
        self._tell(deal.decide(self.rules, self.truth, seat, action))
        return step

    def view(self, seat: e.Seat) -> View:
        """What a seat knows of the deal."""
        return seen(self.rules, seat, self._views[seat])

    def by_the_club(self) -> Step | None:
        """Let a club player do the next thing; nothing if the deal waits for nobody."""
        for seat in deal.waiting_for(self.rules, self.truth)[:1]:
            view = self.view(seat)
            return self.act(seat, Club().choose(view, deal.legal(self.rules, view.deal, seat)))
        return None

    def _tell(self, events: Sequence[e.DealEvent]) -> None:
        for event in events:
            for seat, view in enumerate(self._views):
                told = deal.seen_by(self.rules, self.truth, seat, event)
                self._views[seat] = deal.evolve(self.rules, view, told)
            self.truth = deal.evolve(self.rules, self.truth, event)


def better(
    rules: Rules, events: Sequence[e.DealEvent], made: Decision, action: e.Action, proven: bool
) -> list[Step]:
    """A better action and what follows as the cards lie: by the solver where it is proven, else the club."""
    table = Table(rules, events[: made.index])
    steps = [table.act(made.seat, action)]
    for seat, reply in _solved(rules, table.truth) if proven else ():
        if reply not in deal.legal(rules, table.truth, seat):
            break
        steps.append(table.act(seat, reply))
    while (step := table.by_the_club()) is not None:
        steps.append(step)
    return list(told(steps))


def played(decisions: Sequence[Decision], place: int) -> list[Step]:
    """What happened from a decision on."""
    return list(told(Step(one.truth, one.seat, one.action) for one in decisions[place:]))


def told(steps: Sequence[Step] | Iterator[Step]) -> Iterator[Step]:
    """The steps that a line is about."""
    return (step for step in steps if step.before.phase not in UNTOLD)


def _solved(rules: Rules, state: deal.State) -> tuple[tuple[e.Seat, e.Action], ...]:
    """How everybody does their best with open cards; nothing if the solver cannot say."""
    if deal.is_over(state):
        return ()
    try:
        found = solver.solve(policies(rules).calm(rules), state, nodes=OPEN_NODES, actions=())
    except (NotCompilable, ValueError):
        return ()
    return found.line if found.exact else ()
