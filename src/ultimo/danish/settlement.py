"""What is paid in a Danish deal: from what happened to transfers with reason and citation.

Nothing here knows the cards in hand: a score sheet that notes declarations, tricks, the last trick and the
counts gets the same payments as a deal played in full. `settle` puts the parts together; a deal calls them
one by one, as the payments fall due.
"""

from __future__ import annotations

from msgspec.structs import replace

from ultimo.danish.counting import count_payments
from ultimo.danish.last_trick import last_trick
from ultimo.danish.outcome import Outcome
from ultimo.danish.payments import ante, declared, fine, given_back, king_lost, pagat_fallen
from ultimo.events import Settlement, balances
from ultimo.rulebook import DanishRules


def settle(rules: DanishRules, outcome: Outcome) -> Settlement:
    """Every payment of a deal, in the order in which they fall due."""
    order = outcome.order
    transfers = ante(rules, order) * outcome.antes
    for seat in (order[2], order[0], order[1]):
        transfers += declared(rules, order, seat, outcome.declarations.get(seat, ()))
    for lost in outcome.kings_lost:
        transfers += king_lost(rules, order, lost.seat, lost.card)
    if (fate := outcome.pagat_fate) and not (fate.home and fate.seat in outcome.barren):
        transfers += pagat_fallen(rules, order, fate.seat, home=fate.home)
    for back in outcome.given_back:
        transfers += given_back(rules, back)
    for fined in outcome.fines:
        transfers += fine(rules, order, fined)
    if outcome.winner is None:
        return Settlement(tuple(transfers))
    gained = balances(transfers)
    king, pagat = outcome.king + gained["king"], outcome.pagat + gained["pagat"]
    closing = last_trick(rules, replace(outcome, king=king, pagat=pagat))
    transfers += closing.transfers
    transfers += count_payments(rules, outcome)
    return Settlement(tuple(transfers), closing.emptied)
