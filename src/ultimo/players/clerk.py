"""What an honest player does beside the cards: he declares, counts and answers truly.

At a table where errors are possible a bot makes none, and points out none.
"""

from __future__ import annotations

from functools import cache

from msgspec.structs import replace

from ultimo import danish
from ultimo.danish.legal import due_declarations
from ultimo.danish.state import has_led_suit, holds_skus, pile_points
from ultimo.events import (
    Accept,
    Action,
    Answer,
    ClaimVoid,
    Declare,
    Decline,
    DemandRedeal,
    EnterCount,
    MoveCups,
    PassDeal,
    Redeal,
    Vote,
)
from ultimo.play.choices import Choices
from ultimo.players.player import View
from ultimo.rulebook import DanishRules, Rules


def errand(view: View, choices: Choices) -> Action | None:
    """What is to be done now without thinking of the cards; None where they decide."""
    state, seat = view.deal, view.seat
    if not isinstance(state, danish.State):
        return None
    assert isinstance(view.rules, DanishRules)
    if state.ballot:
        return Vote(True)  # what the rules provide for is due
    if MoveCups() in choices:
        return MoveCups()
    match state.phase:
        case "declare":
            return Declare(() if seat in state.silenced else due_declarations(view.rules, state, seat))
        case "misdeal":
            return Redeal() if Redeal() in choices else PassDeal()
        case "answer":
            return Answer(has_led_suit(state, seat))
        case "count":
            entered = EnterCount(pile_points(state)[seat])
            return entered if entered in choices else Accept()
        case "handCheck" if DemandRedeal() not in choices:
            return Accept()
        case "demand" if state.skus_gone or holds_skus(state, seat):  # one knows where it is
            return Decline()
        case "play" if ClaimVoid() in choices and not has_led_suit(state, seat):
            return ClaimVoid()
        case _:
            return None


@cache
def calm(rules: DanishRules) -> DanishRules:
    """The same rules at a table without errors, by which a bot chooses its cards."""
    return replace(rules, strict=replace(rules.strict, **dict.fromkeys(_errors(rules), False)))


def _errors(rules: Rules) -> list[str]:
    assert isinstance(rules, DanishRules)
    return [name for name in rules.strict.__struct_fields__ if getattr(rules.strict, name) is True]
