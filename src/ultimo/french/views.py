"""What a seat sees of a French deal. Secrecy lives here and nowhere else (rules E3, E5)."""

from __future__ import annotations

from msgspec.structs import replace

from ultimo import events as e
from ultimo.french.state import State
from ultimo.play.places import Aside, face_down, own_hand
from ultimo.rulebook import FrenchRules


def seen_by(rules: FrenchRules, state: State, viewer: e.Seat | None, event: e.DealEvent) -> e.DealEvent:
    """The event as a seat saw it; `None` is a spectator.

    Hidden are the pack, the hands and the chien as they are dealt, and the écart but for the trumps in it.
    What would tell the sides while they are secret is not told at all before they are public.
    Rule: 002 §7, §9, §16; rules E3, E5.
    """
    match event:
        case e.CardPlayed():
            return event
        case e.Dealt(hands=hands, chien=chien):
            return e.Dealt(own_hand(hands, viewer), face_down(chien))
        case e.EcartLaid(seat=taker, cards=laid) if taker != viewer:
            return replace(event, cards=face_down(laid))
        case e.Opened(deck=deck) if deck:
            return replace(event, deck=face_down(deck))
        case _:
            return event


# A view is what a seat knows, and a taker knows what they have laid. Where the écart may not be looked at
# again, only what the table shows is less.


def looked_at(rules: FrenchRules, state: State) -> Aside:
    """What lies aside, as a seat may look at it before the count.

    Rule: 005 p6.
    """
    kind, known, unseen = state.aside
    if rules.ecart.review or kind != "ecart" or state.phase == "closed":
        return state.aside
    shown = known & state.trumps_laid
    return Aside(kind, shown, unseen + (known & ~shown).bit_count())


def noted(rules: FrenchRules, event: e.DealEvent) -> e.DealEvent:
    """An event as it stands in the log for a seat that saw it: the log can be read again, the écart not."""
    if isinstance(event, e.EcartLaid) and not rules.ecart.review:
        return replace(event, cards=face_down(event.cards))
    return event
