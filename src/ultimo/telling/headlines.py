"""A deal in a few words: what made it, and what that brought."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ultimo import deal, french
from ultimo.cards import Card
from ultimo.danish import State as DanishState
from ultimo.events import Account, DealEvent, Paid, Reason, Seat, Transfer
from ultimo.french import State as FrenchState
from ultimo.names import capital
from ultimo.rulebook import FrenchRules, Rules
from ultimo.telling.moments import moments
from ultimo.telling.teller import Teller, signed

IN_VAIN: Final[tuple[Reason, ...]] = ("noloLost", "toutLost")


def headline(teller: Teller, events: Sequence[DealEvent]) -> str:
    """A deal that is over: `Pagat ultimo, +90`, `Garde made with 3 bouts, +186`."""
    match teller.rules, deal.replay(teller.rules, events):
        case FrenchRules() as rules, FrenchState(counted=(_, *_)) as ended:
            return _contract(teller, rules, ended)
        case _, FrenchState():
            return teller.text("allPassed")
        case _, DanishState() as ended:
            paid = [one for event in events if isinstance(event, Paid) for one in event.transfers]
            return _payments(teller, ended, paid)


def emblem(rules: Rules, events: Sequence[DealEvent]) -> Card:
    """The card that won the last trick of a deal in which tricks were played."""
    last = deal.replay(rules, events).tricks[-1]
    return next(play.card for play in last.plays if play.seat == last.winner)


def _contract(teller: Teller, rules: FrenchRules, ended: FrenchState) -> str:
    """What the taker bid, whether it was made, and with how many bouts."""
    outcome = french.outcome_of(rules, ended)
    made = teller.text(
        "headline.made" if french.score(rules, outcome).won else "headline.lost",
        bid=capital(teller.words.bid(outcome.bid)),
        bouts=teller.text(f"headline.bouts.{outcome.bouts}"),
    )
    more: list[Reason] = ["petitAuBout"] if outcome.petit_au_bout else []
    more += ["slam"] if outcome.slam_made else []
    told = ", ".join([made, *(teller.words.reason(reason, "french") for reason in more)])
    return teller.text("headline.whole", what=told, points=signed(ended.net[outcome.taker]))


def _payments(teller: Teller, ended: DanishState, paid: Sequence[Transfer]) -> str:
    """The great moments and what was announced in vain; of a quiet deal, who won the last trick."""
    found = [(one.reason, one.seat) for one in moments(teller, ended, paid)]
    found += [(one.reason, _seat(one.payer)) for one in paid if one.reason in IN_VAIN]
    found = found or [(one.reason, _seat(one.payee)) for one in paid if one.reason == "lastTrick"]
    seat = next((seat for _, seat in found if seat is not None), None)
    if seat is None:
        seat = max(ended.active, key=ended.net.__getitem__)
        what = teller.players[seat]
    else:
        reasons = dict.fromkeys(reason for reason, _ in found)
        what = capital(teller.words.listed([teller.words.reason(reason) for reason in reasons]))
    return teller.text("headline.whole", what=what, points=signed(ended.net[seat]))


def _seat(account: Account) -> Seat | None:
    return account if isinstance(account, int) else None
