"""Danish Tarok: its phases, its views and its settlement. It wears the face of `ultimo.family`."""

from ultimo.danish.dealing import deal_from as deal_from
from ultimo.danish.dealing import deal_out as deal_out
from ultimo.danish.decide import begin as begin
from ultimo.danish.decide import step as step
from ultimo.danish.evolve import evolve as evolve
from ultimo.danish.evolve import initial as initial
from ultimo.danish.legal import due_declarations as due_declarations
from ultimo.danish.legal import is_plain as is_plain
from ultimo.danish.legal import legal as legal
from ultimo.danish.legal import paid_declarations as paid_declarations
from ultimo.danish.legal import waiting_for as waiting_for
from ultimo.danish.outcome import Outcome as Outcome
from ultimo.danish.plausible import check as check
from ultimo.danish.session import divided as divided
from ultimo.danish.session import draw as draw
from ultimo.danish.session import drawn_dealer as drawn_dealer
from ultimo.danish.session import first_out as first_out
from ultimo.danish.session import founding as founding
from ultimo.danish.session import next_places as next_places
from ultimo.danish.session import picked_up as picked_up
from ultimo.danish.session import seated as seated
from ultimo.danish.session import second_pack as second_pack
from ultimo.danish.settlement import settle as settle
from ultimo.danish.state import State as State
from ultimo.danish.state import outcome_of as outcome_of
from ultimo.danish.views import seen_by as seen_by
