"""What an honest player does beside the cards: he declares, counts and answers truly.

At a table where errors are possible a bot makes none, and points out none.
"""

from __future__ import annotations

from functools import cache

from msgspec.structs import replace

from ultimo import danish
from ultimo import events as e
from ultimo.danish.legal import due_declarations
from ultimo.danish.state import pile_points
from ultimo.play.choices import Choices
from ultimo.players.player import View
from ultimo.rulebook import DanishRules, Rules


def errand(view: View, choices: Choices) -> e.Action | None:
    """What is to be done now without thinking of the cards; None where they decide."""
    state, seat = view.deal, view.seat
    if not isinstance(state, danish.State):
        return None
    assert isinstance(view.rules, DanishRules)
    if state.ballot:
        return e.Vote(True)  # what the rules provide for is due
    if e.MoveCups() in choices:
        return e.MoveCups()
    match state.phase:
        case "declare":
            return e.Declare(() if seat in state.silenced else due_declarations(view.rules, state, seat))
        case "misdeal":
            return e.Redeal() if e.Redeal() in choices else e.PassDeal()
        case "answer":
            return e.Answer(state.has_led_suit(seat))
        case "count":
            entered = e.EnterCount(pile_points(state)[seat])
            return entered if entered in choices else e.Accept()
        case "handCheck" if e.DemandRedeal() not in choices:
            return e.Accept()
        case "demand" if state.skus_gone or state.holds_skus(seat):  # one knows where it is
            return e.Decline()
        case "play" if e.ClaimVoid() in choices and not state.has_led_suit(seat):
            return e.ClaimVoid()
        case _:
            return None


@cache
def calm(rules: DanishRules) -> DanishRules:
    """The same rules at a table without errors, by which a bot chooses its cards."""
    return replace(rules, strict=replace(rules.strict, **dict.fromkeys(_errors(rules), False)))


def _errors(rules: Rules) -> list[str]:
    assert isinstance(rules, DanishRules)
    return [name for name in rules.strict.__struct_fields__ if getattr(rules.strict, name) is True]
