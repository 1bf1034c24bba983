"""Who sits where, in words: roles, what everybody knows about a seat, and the contract."""

from __future__ import annotations

from ultimo import deal
from ultimo.danish import State as DanishState
from ultimo.events import BidMade, Passed, Seat
from ultimo.names import capital
from ultimo.telling.teller import Teller


def contract(teller: Teller, present: deal.State | None) -> str:
    """The contract of a French deal."""
    if present is None or isinstance(present, DanishState) or present.contract is None:
        return ""
    bid = capital(teller.words.bid(present.contract.id))
    return f"{bid} ({teller.card(present.called)})" if present.called else bid


def active(present: deal.State | None) -> tuple[Seat, ...]:
    """Who plays in a deal."""
    return present.active if present is not None else ()


def role(teller: Teller, present: deal.State | None, seat: Seat) -> str:
    """Who somebody is in this deal."""
    return ", ".join(map(teller.words.role, present.roles(seat))) if present is not None else ""


def said(teller: Teller, present: deal.State, seat: Seat) -> list[str]:
    """What a seat has said in this deal that still matters, as the book words it."""
    if isinstance(present, DanishState):
        made = present.declared[seat] if present.declared else None
        found = [teller.declarations(made)] if made else []
        found += [teller.words.announcement(one.kind) for one in present.announced if one.seat == seat]
        return found + ([teller.text("screen.banned")] if seat in present.banned else [])
    found = [_bid(teller, one) for one in present.bids if one.seat == seat and present.phase == "bid"][-1:]
    found += [teller.words.announcement("slam")] if present.slam == seat else []
    return found + [teller.words.poignee(one.size) for one in present.poignees if one.seat == seat]


def _bid(teller: Teller, spoken: BidMade | Passed) -> str:
    return teller.words.bid(spoken.bid) if isinstance(spoken, BidMade) else teller.text("does.pass")
