"""The great moments of a deal: an ultimo, a bagud, a nolo, every trick for one side."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from ultimo import deal
from ultimo.cards import Card
from ultimo.danish.payments import CUPS
from ultimo.events import Cup, Reason, Seat, Transfer
from ultimo.french import State as FrenchState
from ultimo.names import capital
from ultimo.telling.teller import Teller

WON: Final[tuple[Reason, ...]] = ("kingUltimo", "pagatUltimo", "nolo", "tout")
LOST: Final[tuple[Reason, ...]] = ("kingBagud", "pagatBagud")


class Moment(Struct, frozen=True):
    """Something that is worth stopping for: whose it is, with which card, and what a cup gives or gets."""

    reason: Reason
    title: str
    text: str
    seat: Seat | None = None
    card: Card | None = None
    cup: Cup | None = None
    points: int = 0  # what the cup gives; what it gets, if negative


def moments(teller: Teller, present: deal.State | None, transfers: Iterable[Transfer]) -> list[Moment]:
    """The moments that these payments tell of; the same player with the same card makes one."""
    found: dict[tuple[Reason, Seat, Card | None], list[Transfer]] = {}
    slam = False
    for one in transfers:
        who = one.payee if one.reason in WON else one.payer if one.reason in LOST else None
        if isinstance(who, int):
            card = one.card if one.reason not in ("nolo", "tout") else None
            found.setdefault((one.reason, who, card), []).append(one)
        slam |= one.reason == "slam"
    made = [_moment(teller, *key, some) for key, some in found.items()]
    return [*made, *_slam(teller, present)] if slam else made


def _moment(teller: Teller, reason: Reason, seat: Seat, card: Card | None, some: list[Transfer]) -> Moment:
    text = teller.text(f"moment.{reason}", player=teller.players[seat])
    title = capital(teller.words.reason(reason))
    held = [one for one in some if {one.payer, one.payee} & set(CUPS)]
    if not held:
        return Moment(reason, title, text, seat, card)
    cup: Cup = next(cup for cup in CUPS if cup in (held[0].payer, held[0].payee))
    points = sum(one.points if one.payer in CUPS else -one.points for one in held)
    if len({one.payer for one in held}) > 1:  # a tout takes both
        poured = teller.text("moment.fromCups", points=points)
    else:
        way = "moment.fromCup" if points > 0 else "moment.toCup"
        poured = teller.text(way, points=abs(points), cup=teller.words.cup(cup))
    return Moment(reason, title, f"{text} {poured}", seat, card, cup, points)


def _slam(teller: Teller, present: deal.State | None) -> list[Moment]:
    """A slam that was made; one that was announced in vain is no moment."""
    if not isinstance(present, FrenchState):
        return []
    sides = {present.side(trick.winner) for trick in present.tricks}
    if len(sides) != 1:
        return []
    side = sides.pop()
    text = teller.text("moment.slam", side=teller.text(f"result.sides.{side}"))
    title = capital(teller.words.reason("slam", "french"))
    return [Moment("slam", title, text, present.taker if side == "taker" else None)]
