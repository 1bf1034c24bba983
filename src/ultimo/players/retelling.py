"""What happens in a row of the kernel, told to the engine: the same deal, action by action.

The kernel lays a skat card by card and asks nobody a question that has one answer; at the table a skat is one
action, and everybody answers.
"""

from __future__ import annotations

from collections.abc import Iterator

from ultimo import danish, deal
from ultimo.cards import cards
from ultimo.danish import phases
from ultimo.danish.numbers import numbers
from ultimo.events import Accept, Action, Decline, Lay, Seat, ShowPoignee
from ultimo.kernel.danish import bridge as danish_bridge
from ultimo.kernel.danish import layout as danish_at
from ultimo.kernel.french import bridge as french_bridge
from ultimo.kernel.french import layout as french_at
from ultimo.kernel.jit import Ints
from ultimo.kernel.sets import cards_in
from ultimo.play.following import FIRST_TRUMP
from ultimo.rulebook import DanishRules, FrenchRules, Rules


def told(rules: Rules, phase: int, seat: Seat, action: int, after: Ints) -> Action | None:
    """What a seat has done at the table: `action`, chosen in a phase of the kernel, `after` it was done.

    None as long as more belongs to it: a skat, an écart and a poignée are one action each.
    """
    if isinstance(rules, DanishRules):
        return _told_danish(phase, action, after)
    return _told_french(rules, phase, seat, action, after)


def _told_danish(phase: int, action: int, s: Ints) -> Action | None:
    at = danish_at
    if phase != at.LAYING:
        return danish_bridge.to_action(phase, action)
    if s[at.PHASE] == at.LAYING:
        return None
    return Lay(cards(cards_in(s[at.SKAT_SUITS], s[at.SKAT_TRUMPS])), bool(s[at.TOUT_LAID]))


def _told_french(rules: FrenchRules, phase: int, seat: Seat, action: int, s: Ints) -> Action | None:
    at = french_at
    if phase == at.LAYING:
        ecart = cards(cards_in(s[at.ECART_SUITS], s[at.ECART_TRUMPS]))
        return None if s[at.PHASE] == at.LAYING else Lay(ecart)
    if phase == at.SHOWING or action >= at.SHOW:
        shown = cards(int(s[at.SHOWN_TRUMPS + seat]) << FIRST_TRUMP)
        return None if s[at.PHASE] == at.SHOWING else ShowPoignee(shown)
    return french_bridge.to_action(rules, phase, action)


def forced(rules: Rules, state: deal.State) -> Iterator[tuple[Seat, Action]]:
    """What the kernel asks nobody, since there is one answer: of a Danish deal with all its cards."""
    if not isinstance(rules, DanishRules) or not isinstance(state, danish.State):
        return
    for seat in deal.waiting_for(rules, state):
        trumps = state.hands[seat] >> FIRST_TRUMP
        if state.phase == "handCheck":
            if not phases.may_ask_for_redeal(numbers(rules), trumps):
                yield seat, Accept()
        elif state.phase == "demand":
            if not phases.may_demand(trumps):
                yield seat, Decline()
        elif state.phase in ("declare", "answer"):
            yield seat, next(iter(deal.legal(rules, state, seat)))
