"""What a seat sees of a Danish deal. Secrecy lives here and nowhere else (rules E5)."""

from __future__ import annotations

from msgspec.structs import replace

from ultimo import events as e
from ultimo.danish.state import State
from ultimo.play.places import face_down, own_hand
from ultimo.rulebook import DanishRules


def seen_by(rules: DanishRules, state: State, viewer: e.Seat | None, event: e.DealEvent) -> e.DealEvent:
    """The event as a seat saw it; `None` is a spectator, who sees what a sitter-out sees at the least."""
    sits_out = viewer is not None and viewer not in state.order
    if sits_out and rules.sitter.sees == "all":
        return event
    match event:
        case e.Dealt(hands=hands):
            return e.Dealt(own_hand(hands, viewer))
        case e.CardsCorrected(hands=hands):
            return e.CardsCorrected(own_hand(hands, viewer))
        case e.SkatLaid(seat=seat) if seat != viewer:
            return replace(event, cards=face_down(event.cards))
        case e.DemandAnswered(seat=seat) if seat != viewer:
            return replace(event, demand=None)
        case e.Opened():
            return replace(event, deck=())
        case _:
            return event
