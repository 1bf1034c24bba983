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

from ultimo.french.counting import half_points as half_points
from ultimo.french.counting import outcome_of as outcome_of
from ultimo.french.dealing import chien_positions as chien_positions
from ultimo.french.dealing import deal_from as deal_from
from ultimo.french.dealing import deal_out as deal_out
from ultimo.french.dealing import pick_up as pick_up
from ultimo.french.decide import decide as decide
from ultimo.french.decide import step as step
from ultimo.french.evolve import begin as begin
from ultimo.french.evolve import evolve as evolve
from ultimo.french.evolve import initial as initial
from ultimo.french.legal import is_plain as is_plain
from ultimo.french.legal import legal as legal
from ultimo.french.legal import waiting_for as waiting_for
from ultimo.french.outcome import Outcome as Outcome
from ultimo.french.outcome import Side as Side
from ultimo.french.plausible import check as check
from ultimo.french.session import deals_again as deals_again
from ultimo.french.session import divided as divided
from ultimo.french.session import draw as draw
from ultimo.french.session import drawn_dealer as drawn_dealer
from ultimo.french.session import due_declarations as due_declarations
from ultimo.french.session import first_out as first_out
from ultimo.french.session import founding as founding
from ultimo.french.session import next_places as next_places
from ultimo.french.session import paid_declarations as paid_declarations
from ultimo.french.session import picked_up as picked_up
from ultimo.french.session import seated as seated
from ultimo.french.settlement import Score as Score
from ultimo.french.settlement import is_void as is_void
from ultimo.french.settlement import score as score
from ultimo.french.settlement import settle as settle
from ultimo.french.state import State as State
from ultimo.french.state import Trick as Trick
from ultimo.french.views import looked_at as looked_at
from ultimo.french.views import noted as noted
from ultimo.french.views import seen_by as seen_by
