"""From a wish to the facts that follow from it."""

from __future__ import annotations

from ultimo import events as e
from ultimo.danish import opening, tricks
from ultimo.danish.closing import close_play, count
from ultimo.danish.evolve import DealStory, evolve, initial
from ultimo.danish.legal import legal
from ultimo.danish.offences import claim, hear, impose, stop, waive
from ultimo.danish.payments import ante
from ultimo.danish.refusals import refusal
from ultimo.danish.state import Fault, State, playable
from ultimo.rulebook import DanishRules


def begin(rules: DanishRules, opened: e.Opened) -> tuple[e.DealEvent, ...]:
    """The facts with which a deal begins: it is opened, and the dealer pays his ante."""
    story = DealStory(rules, initial(rules, opened))
    story.pay(ante(rules, story.state.order))
    return (opened, *story.events)


def step(
    rules: DanishRules, state: State, seat: e.Seat | None, action: e.Action
) -> tuple[State, tuple[e.DealEvent, ...]]:
    """The state after a wish is granted, and the facts told; or `IllegalAction`, and nothing has changed.

    Chance, which is no seat, deals.
    """
    story = DealStory(rules, state)
    if isinstance(action, e.Deal):
        opening.deal(story, seat, action)
    elif seat is None or action not in legal(rules, state, seat):
        raise refusal(rules, state, seat, action)
    else:
        _grant(story, seat, action)
    return story.state, tuple(story.events)


def _grant(story: DealStory, seat: e.Seat, action: e.Action) -> None:
    match action:
        case e.Play():
            tricks.play(story, seat, action)
        case e.ClaimVoid() | e.Answer() | e.NameSkus():
            tricks.talk(story, seat, action)
        case e.DemandSkus() | e.Decline() if story.state.phase == "demand":
            tricks.answer_demand(story, seat, isinstance(action, e.DemandSkus))
        case e.DemandSkus():
            tricks.demand_skus(story, (seat,))
        case e.AskTarokLaid():
            tricks.tell_tarok_laid(story, seat)
        case e.EnterCount() | e.Recount():
            count(story, seat, action)
        case e.Accept() if story.state.phase == "count":
            count(story, seat, action)
        case e.Accept() | e.DemandRedeal() | e.ObjectCount() | e.Redeal() | e.PassDeal():
            opening.take_up(story, seat, action)
        case e.MoveCups():
            story.tell(e.CupsMoved(seat))
        case e.Lay():
            opening.lay(story, seat, action)
        case e.Declare():
            opening.declare(story, seat, action)
        case e.Announce(kind=kind):
            story.tell(e.Announced(seat, kind, story.state.number))
        case e.Decline():
            story.tell(e.Declined(seat))
        case e.Claim():
            claim(story, seat, action)
        case e.Vote(yes=yes):
            _vote(story, seat, yes)


def _vote(story: DealStory, seat: e.Seat, yes: bool) -> None:
    """Count a vote, and when both have voted let follow what they want.

    Rule: 004 BØDER; I-11.1; rules D2 «strict.lenient».
    """
    story.tell(e.Voted(seat, yes))
    ballot = story.state.ballot
    if ballot is None or ballot.voters:
        return
    fault, both = ballot.fault, ballot.yes == 2
    match ballot.question:
        case "fine" if both:
            impose(story, fault)
        case "fine":
            waive(story, fault)
        case "continue" if both:
            story.tell(e.DealContinued())
            _correct(story, fault)
        case "continue":
            stop(story)
        case "ultimoCost":
            story.tell(e.UltimoCharged(fault.seat, both))
    hear(story)
    if not story.state.interrupted and story.state.phase == "settle":
        close_play(story)


def _correct(story: DealStory, fault: Fault) -> None:
    """A wrong card that still lies on the table is put right, with those played after it (I-11.9)."""
    state = story.state
    if fault.offence != "revoke" or fault.trick != state.number:
        return
    seats = [play.seat for play in state.trick]
    if fault.seat not in seats:
        return
    place = seats.index(fault.seat)
    wrong = state.trick[place].card
    before = state
    for play in reversed(state.trick[place:]):
        before = evolve(story.rules, before, e.CardTakenBack(play.seat, play.card))
    if not playable(story.rules, before, fault.seat) & wrong.bit:
        for play in reversed(state.trick[place:]):
            story.tell(e.CardTakenBack(play.seat, play.card))
