"""Danish Tarok: its phases, its views and its settlement."""

from ultimo.danish.dealing import corrected, deal_out
from ultimo.danish.decide import begin, decide, step
from ultimo.danish.evolve import evolve, initial
from ultimo.danish.legal import legal, waiting_for
from ultimo.danish.outcome import Outcome
from ultimo.danish.settlement import settle
from ultimo.danish.state import State, outcome_of
from ultimo.danish.views import seen_by

__all__ = [
    "Outcome",
    "State",
    "begin",
    "corrected",
    "deal_out",
    "decide",
    "evolve",
    "initial",
    "legal",
    "outcome_of",
    "seen_by",
    "settle",
    "step",
    "waiting_for",
]
