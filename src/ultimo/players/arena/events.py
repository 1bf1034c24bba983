"""What happened to whom in a deal that was played, as the arena counts it."""

from __future__ import annotations

from collections.abc import Iterable

from ultimo import danish, deal, french
from ultimo.cards import PAGAT
from ultimo.danish.following import LAST
from ultimo.events import Event, Paid, Seat
from ultimo.rulebook import FrenchRules, Rules

PAYEE, PAYER = "payee", "payer"
# The payment that tells of it, and which end of it is the one to whom it happened.
PAID = {
    "kingUltimo": PAYEE,
    "pagatUltimo": PAYEE,
    "kingBagud": PAYER,
    "pagatBagud": PAYER,
    "nolo": PAYEE,
    "noloLost": PAYER,
    "tout": PAYEE,
    "toutLost": PAYER,
}
# What is counted, by its key in `names`.
DANISH = (*PAID, "lastTrick")
FRENCH = ("taken", "made", "called", "petitAuBout", "poignee", "slam", "slamLost")
OF = {"made": "taken"}  # a share of these deals, not of all


def events_of(rules: Rules, log: Iterable[Event], ended: deal.State) -> dict[str, set[Seat]]:
    """What happened, and to which seats."""
    match rules, ended:
        case FrenchRules(), french.State():
            return _french(rules, ended) if ended.result == "played" else {}
    found: dict[str, set[Seat]] = {}
    for event in log:
        for transfer in event.transfers if isinstance(event, Paid) else ():
            if transfer.reason in PAID:
                seat = getattr(transfer, PAID[transfer.reason])
                if isinstance(seat, int):  # and not a cup
                    found.setdefault(transfer.reason, set()).add(seat)
    if len(ended.tricks) == LAST:
        found["lastTrick"] = {ended.tricks[-1].winner}
    return found


def side_of(ended: deal.State) -> tuple[Seat, ...]:
    """The seats of the taker's side, if there is one."""
    if isinstance(ended, danish.State) or ended.result != "played":
        return ()
    return tuple(seat for seat in range(ended.table) if ended.side(seat) == "taker")


def _french(rules: FrenchRules, ended: french.State) -> dict[str, set[Seat]]:
    outcome = french.outcome_of(rules, ended)
    side = set(side_of(ended))
    found = {"taken": {outcome.taker}}
    if french.score(rules, outcome).won:
        found["made"] = {outcome.taker}
    if outcome.partner is not None:
        found["called"] = {outcome.partner}
    if outcome.petit_au_bout:  # whoever won the trick in which it fell
        found["petitAuBout"] = {trick.winner for trick in ended.tricks if trick.cards & PAGAT}
    if ended.poignees:
        found["poignee"] = {shown.seat for shown in ended.poignees}
    if outcome.slam_made:
        found["slam"] = side if outcome.slam_made == "taker" else set(range(ended.table)) - side
    if ended.slam is not None and outcome.slam_announced != outcome.slam_made:
        found["slamLost"] = {ended.slam}
    return found
