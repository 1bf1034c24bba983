"""The policies of the kernel at a French table."""

from __future__ import annotations

from ultimo.cards import cards
from ultimo.events import Action, Lay, Seat, ShowPoignee
from ultimo.french.state import State
from ultimo.kernel.arrays import words
from ultimo.kernel.french import layout as at
from ultimo.kernel.french.bridge import PHASES, from_view, to_action
from ultimo.kernel.french.deal import array_of, lay_or_show
from ultimo.kernel.french.policy.choose import choose as by_policy
from ultimo.kernel.french.policy.odds import ROLES
from ultimo.kernel.french.policy.reasons import PRINCIPLES
from ultimo.kernel.french.policy.student import network_for
from ultimo.kernel.jit import Ints, Words
from ultimo.play.choices import Choices
from ultimo.play.following import FIRST_TRUMP
from ultimo.players.reasons import Reason
from ultimo.rulebook import FrenchRules


def calm(rules: FrenchRules) -> FrenchRules:
    """The same rules at a table without errors: there is no other."""
    return rules


def errand(rules: FrenchRules, state: State, seat: Seat, choices: Choices) -> Action | None:
    """What is to be done without thinking of the cards: nothing."""
    return None


def decides(state: State) -> bool:
    """Whether the policies know this kind of decision; where to cut the pack they do not."""
    return state.phase in PHASES and state.phase != "closed"


def choose(
    rules: FrenchRules, state: State, seat: Seat, policy: int, dice: Words | None = None
) -> tuple[Action, int, int]:
    """What a policy does with what a seat knows; its role, and the principle it goes by.

    `state` is the seat's view, and it is its turn. Only a policy that plays at random looks at the dice.
    """
    n, s = array_of(rules, network_for((policy,))), from_view(rules, state, seat)
    dice = words((0,)) if dice is None else dice
    first = int(by_policy(policy, n, s, dice))
    role, why = int(s[at.ROLE]), int(s[at.WHY])
    if state.phase == "ecart":
        return Lay(cards(sum(1 << card for card in _go_on(n, s, policy, dice, first)))), role, why
    if first >= at.SHOW:
        _go_on(n, s, policy, dice, first)
        return ShowPoignee(cards(int(s[at.SHOWN_TRUMPS + seat]) << FIRST_TRUMP)), role, why
    return to_action(rules, int(s[at.PHASE]), first), role, why


def _go_on(n: Ints, s: Ints, policy: int, dice: Words, first: int) -> list[int]:
    """The cards of an écart or a poignée, which the policy chooses one by one; those it has to choose."""
    chosen = [first]
    while True:
        lay_or_show(n, s, chosen[-1])
        if s[at.PHASE] not in (at.LAYING, at.SHOWING):
            return chosen
        chosen.append(int(by_policy(policy, n, s, dice)))


def explain(rules: FrenchRules, state: State, seat: Seat, choices: Choices, policy: int) -> Reason:
    """The club player's choice, with its principle."""
    action, role, why = choose(rules, state, seat, policy)
    return Reason.by(PRINCIPLES[why], action, ROLES[role])
