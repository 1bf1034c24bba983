"""Play a random deal of Hermansen's game with one house rule, and say what each seat has won."""

from __future__ import annotations

from random import Random

from ultimo import deal, rulebook
from ultimo.events import Action, Opened, Seat

rules = rulebook.load("hermansen", {"skus.thirdLastVoluntary": False})
state = deal.replay(rules, deal.begin(rules, Opened(table=3, dealer=0, active=(1, 2, 0), king=60, pagat=60)))

rng = Random(7)
while not deal.is_over(state):
    seat: Seat | None = None
    action: Action
    if deal.needs_cards(state):
        action = deal.deal_out(rules, state, deal.shuffled(rng), rng)
    else:
        seat = deal.waiting_for(rules, state)[0]
        action = deal.legal(rules, state, seat).draw(rng)
    for event in deal.decide(rules, state, seat, action):
        state = deal.evolve(rules, state, event)

for seat, won in enumerate(state.net):
    print(f"seat {seat}: {won:+}")
