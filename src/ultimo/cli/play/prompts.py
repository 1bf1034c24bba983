"""What a person is asked, made from what the seat knows and may do, and from nothing else."""

from __future__ import annotations

from functools import partial

from ultimo import deal
from ultimo.cli.play.card_prompts import lay, play_or_show, refusal
from ultimo.cli.play.prompt import GoOn, Option, Prompt
from ultimo.danish import State as DanishState
from ultimo.danish.legal import due_declarations
from ultimo.events import (
    Action,
    Call,
    Cut,
    Declaration,
    Declare,
    EnterCount,
    Found,
    NameSkus,
)
from ultimo.play.choices import Actions, Choices, Declarings, Lays, Plays
from ultimo.players import View
from ultimo.rulebook import DanishRules
from ultimo.table.quiet import usual
from ultimo.telling.labels import guide, label, question, slot_name
from ultimo.telling.teller import Teller, capital


def build(teller: Teller, view: View, choices: Choices) -> Prompt:
    """What the person is asked when these are the choices."""
    first, *others = choices.offers
    extra = tuple(
        _option(teller, view.deal, action)
        for offer in others
        if isinstance(offer, Actions)
        for action in offer
    )
    if isinstance(first, Plays):
        return play_or_show(teller, view, choices, extra)
    if isinstance(first, Lays):
        return lay(teller, view, choices, extra)
    if isinstance(first, Declarings):
        due = due_declarations(_danish(view), _danish_state(view), view.seat)
        return declare(teller, first, extra, due)
    return _few(teller, view, tuple(first), extra)


def between(teller: Teller, choices: Choices, last: bool) -> Prompt:
    """Between deals: on to the next, at a strict table after paying one's share into the cups."""
    share = tuple(Option(label(teller, None, action), action) for action in choices if action == Found())
    on = Option(teller.text("does.end" if last else "does.nextDeal"), GoOn())
    return Prompt(teller.text("enterOn" if last else "enterNext"), teller.text("guide.between"), (*share, on))


def watching(teller: Teller) -> Prompt:
    """A trick is over that a sitter-out has watched."""
    on = Option(teller.text("does.goOn"), GoOn())
    return Prompt(teller.text("enterOn"), teller.text("guide.watching"), (on,))


# --- a few actions -------------------------------------------------------------------------------------


def _few(teller: Teller, view: View, actions: tuple[Action, ...], extra: tuple[Option, ...]) -> Prompt:
    """One of a few actions, or one of many numbers."""
    options = tuple(_option(teller, view.deal, action) for action in actions)
    return Prompt(
        question(teller, view.deal),
        guide(teller, view.deal, actions[0]),
        (*options, *extra),
        actions.index(usual(view, actions)),
        by_value=isinstance(actions[0], Cut | EnterCount),
        refusal=refusal(teller, view),
    )


def _option(teller: Teller, present: deal.State, action: Action) -> Option:
    typed = (action.card.value,) if isinstance(action, Call) else ()
    if isinstance(action, NameSkus):
        typed = (action.suit,)
    return Option(label(teller, present, action), action, typed)


def _danish(view: View) -> DanishRules:
    assert isinstance(view.rules, DanishRules)
    return view.rules


def _danish_state(view: View) -> DanishState:
    assert isinstance(view.deal, DanishState)
    return view.deal


# --- declarations --------------------------------------------------------------------------------------


def declare(
    teller: Teller, offer: Declarings, extra: tuple[Option, ...], made: tuple[Declaration, ...]
) -> Prompt:
    """Compose declarations: what is composed so far, a pass, or another choice in one of the slots."""
    said = [made, ()] if made else [made]
    options = [Option(teller.declarations(some), Declare(some)) for some in said]
    options += [
        Option(
            teller.text("does.changeSlot", slot=slot_name(teller, slot[0])),
            partial(_declare_in, teller, offer, extra, made, slot),
        )
        for slot in offer.slots
    ]
    return Prompt(teller.text("askDeclare"), teller.text("guide.declare"), (*options, *extra))


def _declare_in(
    teller: Teller,
    offer: Declarings,
    extra: tuple[Option, ...],
    made: tuple[Declaration, ...],
    slot: tuple[Declaration, ...],
) -> Prompt:
    """One declaration of a slot, or none of it."""

    def composed(*one: Declaration) -> tuple[Declaration, ...]:
        together = [*(other for other in made if other not in slot), *one]
        return tuple(other for row in offer.slots for other in row if other in together)

    again = partial(declare, teller, offer, extra)
    options = [Option(teller.text("does.nothingOfSlot"), partial(again, composed()))]
    options += [Option(teller.declarations((one,)), partial(again, composed(one))) for one in slot]
    return Prompt(capital(slot_name(teller, slot[0])), teller.text("guide.declare"), tuple(options))
