"""French Tarot for three, four and five players: the phases of a deal, and its settlement.

A deal played at random:

>>> from random import Random
>>> from ultimo import french, rulebook
>>> from ultimo.cards import PACK
>>> from ultimo.events import Opened
>>> rules, rng = rulebook.load("french4"), Random(1)
>>> opened = Opened(table=4, dealer=3, active=(0, 1, 2, 3))
>>> deal = french.deal_out(rules, opened, rng.sample(PACK, 78), french.chien_positions(rules, rng))
>>> state, events = french.step(rules, french.initial(rules, opened), None, deal)
>>> while waiting := french.waiting_for(rules, state):
...     action = french.legal(rules, state, waiting[0]).draw(rng)
...     state, events = french.step(rules, state, waiting[0], action)
>>> state.result, len(state.tricks), sum(state.net)
('played', 18, 0)
"""

from ultimo.french.counting import half_points, outcome
from ultimo.french.dealing import chien_positions, deal_from, deal_out, pick_up
from ultimo.french.decide import decide, step
from ultimo.french.evolve import begin, evolve, initial
from ultimo.french.legal import is_plain, legal, waiting_for
from ultimo.french.plausible import check
from ultimo.french.session import (
    divided,
    due_declarations,
    first_out,
    founding,
    next_places,
    paid_declarations,
    picked_up,
    seated,
)
from ultimo.french.settlement import Outcome, Score, Side, score, settle
from ultimo.french.state import State, Trick
from ultimo.french.views import seen_by

__all__ = [
    "Outcome",
    "Score",
    "Side",
    "State",
    "Trick",
    "begin",
    "check",
    "chien_positions",
    "deal_from",
    "deal_out",
    "decide",
    "divided",
    "due_declarations",
    "evolve",
    "first_out",
    "founding",
    "half_points",
    "initial",
    "is_plain",
    "legal",
    "next_places",
    "outcome",
    "paid_declarations",
    "pick_up",
    "picked_up",
    "score",
    "seated",
    "seen_by",
    "settle",
    "step",
    "waiting_for",
]
