"""The policies of the kernel at a French table: a view in, an action out."""

from __future__ import annotations

import numpy as np

from ultimo.cards import cards
from ultimo.events import Action, Lay, Seat, ShowPoignee
from ultimo.french.state import State
from ultimo.kernel.french import layout as at
from ultimo.kernel.french.bridge import PHASES, from_view, to_action
from ultimo.kernel.french.deal import act, array_of
from ultimo.kernel.french.memory import remember
from ultimo.kernel.french.policy.choose import choose as by_policy
from ultimo.kernel.french.policy.odds import ROLES
from ultimo.kernel.french.policy.reasons import PRINCIPLES
from ultimo.kernel.jit import Ints, Words
from ultimo.play.following import FIRST_TRUMP
from ultimo.rulebook import FrenchRules


def decides(state: State) -> bool:
    """Whether the policies know this kind of decision; where to cut the pack they do not."""
    return state.phase in PHASES and state.phase != "closed"


def choose(
    rules: FrenchRules, state: State, seat: Seat, policy: int, dice: Words | None = None
) -> tuple[Action, int, int]:
    """What a policy does with what a seat knows; its role, and the principle it goes by.

    `state` is the seat's view, and it is its turn. Only a policy that plays at random looks at the dice.
    """
    n, s = array_of(rules), from_view(rules, state, seat)
    dice = np.zeros(1, np.uint64) if dice is None else dice
    first = _next(n, s, policy, dice)
    role, why = int(s[at.ROLE]), int(s[at.WHY])
    if state.phase == "ecart":
        return _lay(n, s, policy, dice, first), role, why
    if first >= at.SHOW:
        return _show(n, s, seat, policy, dice, first), role, why
    return to_action(rules, int(s[at.PHASE]), first), role, why


def role_name(role: int) -> str:
    """What a role is called."""
    return ROLES[role]


def principle_name(why: int) -> str:
    """The number or name of a principle."""
    return PRINCIPLES[why]


def _next(n: Ints, s: Ints, policy: int, dice: Words) -> int:
    return int(by_policy(policy, n, s, dice))


def _do(n: Ints, s: Ints, action: int) -> None:
    remember(n, s, action)
    act(n, s, action)


def _lay(n: Ints, s: Ints, policy: int, dice: Words, first: int) -> Lay:
    """An écart, which the policy lays card by card."""
    laid = 1 << first
    _do(n, s, first)
    while s[at.PHASE] == at.LAYING:
        card = _next(n, s, policy, dice)
        laid |= 1 << card
        _do(n, s, card)
    return Lay(cards(laid))


def _show(n: Ints, s: Ints, seat: Seat, policy: int, dice: Words, first: int) -> ShowPoignee:
    """A poignée, whose trumps the policy chooses one by one."""
    _do(n, s, first)
    while s[at.PHASE] == at.SHOWING:
        _do(n, s, _next(n, s, policy, dice))
    return ShowPoignee(cards(int(s[at.SHOWN_TRUMPS + seat]) << FIRST_TRUMP))
