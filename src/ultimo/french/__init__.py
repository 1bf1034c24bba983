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
from ultimo.french.dealing import chien_positions, deal_out, pick_up
from ultimo.french.decide import decide, step
from ultimo.french.evolve import begin, evolve, initial
from ultimo.french.legal import legal, waiting_for
from ultimo.french.plausible import check
from ultimo.french.refusals import refusal
from ultimo.french.settlement import Outcome, Score, Side, score, settle
from ultimo.french.state import Phase, State, Trick
from ultimo.french.views import seen_by

__all__ = [
    "Outcome",
    "Phase",
    "Score",
    "Side",
    "State",
    "Trick",
    "begin",
    "check",
    "chien_positions",
    "deal_out",
    "decide",
    "evolve",
    "half_points",
    "initial",
    "legal",
    "outcome",
    "pick_up",
    "refusal",
    "score",
    "seen_by",
    "settle",
    "step",
    "waiting_for",
]
