"""Secrecy: who sees what of an event. And which wish an event grants."""

from __future__ import annotations

from msgspec.structs import replace

from ultimo.cards import UNSEEN
from ultimo.events import (
    Action,
    Announce,
    Announced,
    Bid,
    BidMade,
    Call,
    Called,
    CardPlayed,
    Cut,
    Deal,
    DealEvent,
    Dealt,
    Decline,
    Declined,
    EcartLaid,
    Lay,
    Opened,
    PackCut,
    Pass,
    Passed,
    Play,
    PoigneeShown,
    Seat,
    ShowPoignee,
    SomeCards,
)
from ultimo.french.state import State
from ultimo.rulebook import FrenchRules


def seen_by(rules: FrenchRules, state: State, seat: Seat | None, event: DealEvent) -> DealEvent:
    """The event as `seat` saw it; None is a spectator.

    Hidden are the pack, the hands and the chien as they are dealt, and the écart but for the trumps in it.
    What would tell the sides while they are secret is not told at all before they are public (I-C.25).
    Rule: 002 §7, §9, §16; rules E3, E5.
    """
    match event:
        case CardPlayed():
            return event
        case Dealt(hands=hands, chien=chien):
            return Dealt(
                tuple(hand if holder == seat else _hidden(hand) for holder, hand in enumerate(hands)),
                _hidden(chien),
            )
        case EcartLaid(seat=taker, cards=laid) if taker != seat:
            return replace(event, cards=_hidden(laid))
        case Opened(deck=deck) if deck:
            return replace(event, deck=_hidden(deck))
        case _:
            return event


def cause(event: DealEvent) -> tuple[Seat | None, Action] | None:
    """Whose wish an event grants, and which; None for what the system tells of itself."""
    match event:
        case CardPlayed(seat=seat, card=card):
            return seat, Play(card)
        case BidMade(seat=seat, bid=bid):
            return seat, Bid(bid)
        case Passed(seat=seat):
            return seat, Pass()
        case Dealt(hands=hands, chien=chien):
            return None, Deal(hands, chien)
        case EcartLaid(seat=seat, cards=cards):
            return seat, Lay(cards)
        case Declined(seat=seat):
            return seat, Decline()
        case PoigneeShown(seat=seat, cards=cards):
            return seat, ShowPoignee(cards)
        case Called(seat=seat, card=card):
            return seat, Call(card)
        case Announced(seat=seat, kind=kind):
            return seat, Announce(kind)
        case PackCut(seat=seat, at=at):
            return seat, Cut(at)
        case _:
            return None


def _hidden(cards: SomeCards) -> SomeCards:
    return (UNSEEN,) * len(cards)
