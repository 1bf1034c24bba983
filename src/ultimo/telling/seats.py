"""Who sits where, in words: roles, what everybody knows about a seat, and the contract."""

from __future__ import annotations

from ultimo import deal
from ultimo.danish import State as DanishState
from ultimo.events import Seat
from ultimo.telling.teller import Teller, capital


def contract(teller: Teller, present: deal.State | None) -> str:
    """The contract of a French deal."""
    if present is None or isinstance(present, DanishState) or present.contract is None:
        return ""
    bid = capital(teller.words.bid(present.contract.id))
    return f"{bid} ({teller.card(present.called)})" if present.called else bid


def active(present: deal.State | None) -> tuple[Seat, ...]:
    """Who plays in a deal."""
    if present is None:
        return ()
    return present.order if isinstance(present, DanishState) else tuple(range(present.table))


def role(teller: Teller, present: deal.State | None, seat: Seat) -> str:
    """Who somebody is in this deal."""
    words = teller.words
    if present is None:
        return ""
    if isinstance(present, DanishState):
        if seat not in present.order:
            return words.role("sitter")
        return words.role(("forehand", "middle", "dealer")[present.order.index(seat)])
    roles = [words.role("dealer")] if seat == present.dealer else []
    if present.phase not in ("cut", "dealing", "bid"):
        sides = {present.taker: "taker", present.partner: "partner"}
        roles = [words.role(sides[seat]), *roles] if seat in sides else roles
    return ", ".join(roles)


def notes(teller: Teller, present: deal.State | None, seat: Seat) -> str:
    """What everybody knows about a seat beside its cards: won the trick, declarations, announcements."""
    if present is None:
        return ""
    found = []
    if not present.trick and present.tricks and present.tricks[-1].winner == seat:
        found.append(teller.text("screen.won"))
    if isinstance(present, DanishState):
        made = present.declared[seat] if present.declared else None
        found += [teller.declarations(made)] if made else []
        found += [teller.words.announcement(one.kind) for one in present.announced if one.seat == seat]
        found += [teller.text("screen.banned")] if seat in present.banned else []
    else:
        if present.slam == seat:
            found.append(teller.words.announcement("slam"))
        found += [teller.words.poignee(one.size) for one in present.poignees if one.seat == seat]
    return ", ".join(found)
