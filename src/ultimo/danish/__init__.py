"""Danish Tarok: its phases, its views and its settlement. It wears the face of `ultimo.family`."""

from ultimo.danish.dealing import deal_from, deal_out
from ultimo.danish.decide import begin, step
from ultimo.danish.evolve import evolve, initial
from ultimo.danish.legal import due_declarations, is_plain, legal, paid_declarations, waiting_for
from ultimo.danish.outcome import Outcome
from ultimo.danish.plausible import check
from ultimo.danish.session import (
    divided,
    first_out,
    founding,
    next_places,
    picked_up,
    seated,
    second_pack,
)
from ultimo.danish.settlement import settle
from ultimo.danish.state import State, outcome_of
from ultimo.danish.views import seen_by

__all__ = [
    "Outcome",
    "State",
    "begin",
    "check",
    "deal_from",
    "deal_out",
    "divided",
    "due_declarations",
    "evolve",
    "first_out",
    "founding",
    "initial",
    "is_plain",
    "legal",
    "next_places",
    "outcome_of",
    "paid_declarations",
    "picked_up",
    "seated",
    "second_pack",
    "seen_by",
    "settle",
    "step",
    "waiting_for",
]
