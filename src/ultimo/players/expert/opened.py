"""Deciding with open eyes: where a seat knows every card, the exact solver says what each action is worth."""

from __future__ import annotations

from collections.abc import Collection
from math import inf
from time import perf_counter

from msgspec import Struct
from msgspec.structs import replace

from ultimo import danish, deal, french
from ultimo.analysis import solver
from ultimo.cards import Cards
from ultimo.events import Action, DemandSkus, Seat
from ultimo.kernel import NotCompilable
from ultimo.kernel.sets import cards_in
from ultimo.kernel.worlds.knowledge import Knowledge
from ultimo.play.choices import Choices
from ultimo.players.expert.search import Clock
from ultimo.players.reasons import Candidate
from ultimo.rulebook import DanishRules, Rules

SHARE = 0.6  # of what is allowed, for the first search; if that is too little, a simpler one gets the rest
MOST_NODES = 1 << 23  # positions that are searched for a decision without a clock: under a second


class Allowance(Struct):
    """What the solver may still do for a decision: so long by the clock, or without one in so many positions.

    Positions are counted alike everywhere, so that without a clock the same choice comes out.
    """

    end: float = inf
    nodes: int = MOST_NODES
    clock: Clock = perf_counter

    @property
    def spent(self) -> bool:
        """Whether nothing is left."""
        return self.nodes <= 0 if self.end == inf else self.clock() >= self.end

    def solve(
        self,
        rules: Rules,
        state: deal.State,
        side: frozenset[Seat] | None = None,
        share: float = 1.0,
        actions: Collection[Action] | None = None,
    ) -> solver.Solution:
        """What the solver finds with a share of what is left, of all actions or some."""
        nodes = int(share * self.nodes) if self.end == inf else None
        seconds = None if self.end == inf else max(share * (self.end - self.clock()), 0.001)
        found = solver.solve(
            rules, state, side=side, seconds=seconds, nodes=nodes, line=False, actions=actions
        )
        self.nodes -= found.nodes
        return found


def opened(state: deal.State, known: Knowledge) -> deal.State:
    """The state of a seat that has located every card, with the cards put where they lie."""
    return placed(state, tuple(cards_in(suits, trumps) for suits, trumps in known.known))


def placed(state: deal.State, rows: tuple[Cards, ...]) -> deal.State:
    """The state of a seat with the hands of a world, and behind them what lies aside."""
    none = (0,) * state.table
    if isinstance(state, danish.State):
        return replace(state, hands=rows[:-1], unseen=none, skat=rows[-1], skat_unseen=0)
    laid = bool(state.ecart or state.ecart_unseen)
    return replace(
        state,
        hands=rows[:-1],
        unseen=none,
        chien=0 if laid else rows[-1],
        chien_unseen=0,
        ecart=rows[-1] if laid else 0,
        ecart_unseen=0,
        holder=_holder(state, rows),
    )


def _holder(state: french.State, rows: tuple[Cards, ...]) -> Seat | None:
    """To whom the called card was dealt; to nobody if it was in the chien."""
    if state.called is None or state.holder is not None or state.shown & state.called.bit:
        return state.holder
    bit = state.called.bit
    for trick in (*(trick.plays for trick in state.tricks), state.trick):
        for play in trick:
            if play.card.bit == bit:
                return play.seat
    if rows[-1] & bit:  # laid, or in a chien that stays closed
        return state.taker if state.shown else None
    return next(seat for seat, hand in enumerate(rows) if hand & bit)


def is_open(state: deal.State) -> bool:
    """Whether every card that can still matter is seen."""
    aside = state.skat_unseen if isinstance(state, danish.State) else state.chien_unseen + state.ecart_unseen
    return not any(state.unseen) and not aside and any(state.hands)


def worths(rules: Rules, state: deal.State, seat: Seat, allowed: Allowance) -> dict[Action, float] | None:
    """What each action gains a seat with open cards; None if the solver cannot say with what is allowed."""
    try:
        found = allowed.solve(rules, state)
    except (NotCompilable, ValueError):
        return None
    if not found.exact:
        return None
    times = _times(rules, state, seat)
    return {one.action: times * one.value for one in found.actions if one.seat == seat}


def _times(rules: Rules, state: deal.State, seat: Seat) -> int:
    """How often a seat is paid what each defender pays, as the rulebook shares it; a defender pays it.

    In Danish Tarok a value is the seat's own. Rule: 002 §13, §16.
    """
    if isinstance(rules, DanishRules) or isinstance(state, danish.State):
        return 1
    if state.side(seat) != "taker":
        return -1
    if sum(state.side(one) == "taker" for one in range(state.table)) == 1:
        return rules.share.alone
    return rules.share.taker if seat == state.taker else rules.share.partner


def valued(
    rules: Rules, state: deal.State, seat: Seat, choices: Choices, allowed: Allowance
) -> list[Candidate] | None:
    """What the choices of a seat are worth to it, the best first; None if the solver cannot say.

    Everybody plays for his own points. Where that takes too long, the others are taken to play against the
    seat; and that also decides between the best actions, where several are worth the same.
    """
    if isinstance(state, danish.State) and state.phase == "demand":
        state = replace(state, asked=(seat, *(one for one in state.asked if one != seat)))
    try:
        if isinstance(state, french.State):
            sign = 1 if state.side(seat) == "taker" else -1
            found = allowed.solve(rules, state)
            worth = {one.action: sign * one.value for one in found.actions} if found.exact else {}
            return _ranked(worth, {}, choices)
        together = allowed.solve(rules, state, share=SHARE)
        worth = {one.action: one.value for one in together.actions if one.seat == seat}
        most = max((worth[action] for action in worth if action in choices), default=0)
        tied = [action for action in worth if action in choices and worth[action] == most]
        if together.exact and (len(tied) < 2 or DemandSkus() in tied):
            return _ranked(worth, {}, choices)
        alone = allowed.solve(rules, state, frozenset({seat}), actions=tied if together.exact else None)
    except (NotCompilable, ValueError):
        return None
    sure = {one.action: one.value for one in alone.actions if one.seat == seat} if alone.exact else {}
    return _ranked(worth, sure, choices) if together.exact else _ranked(sure, {}, choices)


def _ranked(worth: dict[Action, int], sure: dict[Action, int], choices: Choices) -> list[Candidate] | None:
    """The solver lets the skus be demanded once more, late; at a table nobody is asked again."""
    actions = [action for action in worth if action in choices]
    actions.sort(key=lambda one: (-worth[one], not isinstance(one, DemandSkus), -sure.get(one, 0)))
    return [Candidate(action, worth[action], 0.0, 1) for action in actions] or None
