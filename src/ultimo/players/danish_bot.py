"""The policies of the kernel at a Danish table: a view in, an action out."""

from __future__ import annotations

import numpy as np

from ultimo.cards import Cards, cards
from ultimo.danish.state import State
from ultimo.events import Action, Lay, Seat
from ultimo.kernel.danish import deal as kernel_deal
from ultimo.kernel.danish import layout as at
from ultimo.kernel.danish.bridge import PHASES, from_view, to_action
from ultimo.kernel.danish.policy.choose import choose_by_sight
from ultimo.kernel.danish.run import do
from ultimo.kernel.jit import Ints
from ultimo.play.following import FIRST_TRUMP
from ultimo.players.clerk import calm
from ultimo.rulebook import DanishRules


def decides(state: State) -> bool:
    """Whether the cards decide here, and so the policies."""
    return state.phase in PHASES


def choose(rules: DanishRules, state: State, seat: Seat, policy: int) -> tuple[Action, int, int]:
    """What a policy does with what a seat knows; its role, and the principle it goes by."""
    n, s = kernel_deal.array_of(calm(rules)), from_view(rules, state, seat)
    w = np.zeros(at.PAPER, np.int64)
    if state.phase == "skat":
        return _lay(n, s, w, policy), int(w[at.ROLE]), int(w[at.WHY])
    action = to_action(s, int(choose_by_sight(policy, n, s, w)))
    return action, int(w[at.ROLE]), int(w[at.WHY])


def _lay(n: Ints, s: Ints, w: Ints, policy: int) -> Lay:
    """A skat, which the policy lays card by card."""
    before = _hand(s)
    why = -1
    while s[at.PHASE] == at.LAYING:
        action = choose_by_sight(policy, n, s, w)
        why = int(w[at.WHY]) if why < 0 else why
        do(n, s, w, action)
    w[at.WHY] = why
    return Lay(cards(before & ~_hand(s)), bool(s[at.TOUT_LAID]))


def _hand(s: Ints) -> Cards:
    return int(s[at.SUITS + 2]) | int(s[at.TRUMPS + 2]) << FIRST_TRUMP
