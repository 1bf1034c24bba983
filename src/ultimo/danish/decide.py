"""From a wish to the facts that follow from it."""

from __future__ import annotations

from ultimo.danish import opening, tricks
from ultimo.danish.closing import close_play, count
from ultimo.danish.errors import Telling, claim, establish, impose, new, scrap, wrong_hands
from ultimo.danish.evolve import initial
from ultimo.danish.legal import legal
from ultimo.danish.payments import ante
from ultimo.danish.refusals import refusal
from ultimo.danish.state import Fault, State
from ultimo.events import (
    Accept,
    Action,
    Announce,
    Announced,
    Answer,
    AskTarokLaid,
    CardTakenBack,
    Claim,
    ClaimVoid,
    Deal,
    DealContinued,
    DealEvent,
    Declare,
    Decline,
    Declined,
    DemandRedeal,
    DemandSkus,
    EnterCount,
    FineWaived,
    Lay,
    MoveCups,
    NameSkus,
    ObjectCount,
    Opened,
    PassDeal,
    Play,
    Recount,
    Redeal,
    Seat,
    UltimoCharged,
    Vote,
    Voted,
)
from ultimo.rulebook import DanishRules


def begin(rules: DanishRules, opened: Opened) -> tuple[DealEvent, ...]:
    """The facts with which a deal begins: it is opened, and the dealer pays his ante."""
    story = Telling(rules, initial(opened))
    story.pay(ante(rules, opened.dealer))
    return (opened, *story.events)


def step(
    rules: DanishRules, state: State, seat: Seat | None, action: Action
) -> tuple[State, tuple[DealEvent, ...]]:
    """The state after a wish is granted, and the facts told; or `IllegalAction`, and nothing has changed.

    Chance, which is no seat, deals.
    """
    story = Telling(rules, state)
    if isinstance(action, Deal):
        opening.deal(story, seat, action)
    elif seat is None or action not in legal(rules, state, seat):
        raise refusal(rules, state, seat, action)
    else:
        _grant(story, seat, action)
    return story.state, tuple(story.events)


def decide(rules: DanishRules, state: State, seat: Seat | None, action: Action) -> tuple[DealEvent, ...]:
    """The facts that follow from a wish, or `IllegalAction`. Changes nothing."""
    return step(rules, state, seat, action)[1]


def _grant(story: Telling, seat: Seat, action: Action) -> None:
    match action:
        case Play():
            tricks.play(story, seat, action)
        case ClaimVoid() | Answer() | NameSkus():
            tricks.talk(story, seat, action)
        case DemandSkus() | Decline() if story.state.phase == "demand":
            tricks.answer_demand(story, seat, isinstance(action, DemandSkus))
        case DemandSkus():
            tricks.demand_late(story, seat)
        case AskTarokLaid():
            tricks.ask_tarok_laid(story, seat, action)
        case EnterCount() | Recount():
            count(story, seat, action)
        case Accept() if story.state.phase == "count":
            count(story, seat, action)
        case Accept() | DemandRedeal() | ObjectCount() | Redeal() | PassDeal():
            opening.take_up(story, seat, action)
        case MoveCups():
            opening.move_cups(story, seat, action)
        case Lay():
            opening.lay(story, seat, action)
        case Declare():
            opening.declare(story, seat, action)
        case Announce(kind=kind):
            story.tell(Announced(seat, kind, story.state.number))
        case Decline():
            story.tell(Declined(seat))
        case Claim():
            claim(story, seat, action)
        case Vote(yes=yes):
            _vote(story, seat, yes)


def _vote(story: Telling, seat: Seat, yes: bool) -> None:
    """Count a vote, and when both have voted let follow what they want.

    Rule: 004 BØDER; I-11.1, I-11.9, I-11.11; rules D2 «strict.lenient».
    """
    story.tell(Voted(seat, yes))
    ballot = story.state.ballot
    if ballot is None or ballot.voters:
        return
    fault, both = ballot.fault, ballot.yes == 2
    match ballot.question:
        case "fine" if both:
            impose(story, fault)
        case "fine":
            story.tell(FineWaived(fault.seat, fault.offence))
        case "continue" if both:
            story.tell(DealContinued())
            _correct(story, fault)
        case "continue":
            scrap(story)
        case "ultimoCost":
            story.tell(UltimoCharged(fault.seat, both))
    if not story.interrupted:
        _resume(story, fault)


def _correct(story: Telling, fault: Fault) -> None:
    """A revoke that still lies on the table is put right (I-11.9)."""
    state = story.state
    if fault.offence == "revoke" and fault.trick == state.number and state.trick:
        last = state.trick[-1]
        if last.seat == fault.seat:
            story.tell(CardTakenBack(last.seat, last.card))


def _resume(story: Telling, fault: Fault) -> None:
    """Go on where the vote interrupted the deal."""
    if story.state.phase == "settle":
        close_play(story)
    elif fault.offence == "wrongCards":
        for other in new(story.state, wrong_hands(story.state))[:1]:
            establish(story, other)
