"""What a person may do, in words: the label of an action where it is offered."""

from __future__ import annotations

from ultimo import deal
from ultimo import events as e
from ultimo.danish import State as DanishState
from ultimo.danish.legal import counters
from ultimo.danish.state import Ballot
from ultimo.names import capital
from ultimo.rulebook import DanishRules, FrenchRules
from ultimo.telling.teller import Teller


def label(teller: Teller, phase: str, action: e.Action) -> str:
    """The words for an action in a phase of a deal, as an entry of a list has them."""
    match action:
        case e.Accept():
            return teller.text("does.acceptCount" if phase == "count" else "does.accept")
        case e.Decline():
            return teller.text("does.noDemand" if phase == "demand" else "does.noAnnouncement")
        case e.Announce(kind=kind):
            return teller.text("does.announce", announcement=teller.words.announcement(kind))
        case e.Bid(bid=bid):
            return capital(teller.words.bid(bid))
        case e.Answer(have=yes) | e.Vote(yes=yes):
            return capital(teller.text("yes" if yes else "no"))
        case e.NameSkus(suit=suit) if phase == "play":
            return teller.text("does.rename", suit=teller.suit(suit))
        case e.NameSkus(suit=suit):
            return capital(teller.suit(suit))
        case e.Claim(offence=offence, against=against):
            what = teller.text(f"claims.{offence}")
            return teller.text("does.claim", player=teller.players[against], what=what)
        case e.Call(card=card) | e.Play(card=card, named=None):
            return teller.face(card)
        case e.Play(card=card, named=suit):
            return teller.text("does.leadAs", card=teller.face(card), suit=teller.suit(suit or "T"))
        case e.Lay(cards=cards, tout=tout):
            laid = teller.text("does.lay", cards=teller.faces(cards))
            return f"{laid} + {teller.words.announcement('tout')}" if tout else laid
        case e.ShowPoignee(cards=cards):
            return teller.text("does.show", cards=teller.faces(cards))
        case e.Declare(declarations=made):
            return teller.declarations(made)
        case e.Cut(at=number) | e.EnterCount(points=number):
            return str(number)
        case _:  # says it all by its name
            name = type(action).__name__
            return teller.text(f"does.{name[0].lower()}{name[1:]}")


def poignee(teller: Teller, size: int) -> str:
    """The offer to show a poignée of so many trumps."""
    assert isinstance(teller.rules, FrenchRules)
    place = teller.rules.poignee.sizes.index(size)
    return teller.text("does.poignee", poignee=teller.words.poignee(place), count=size)


def question(teller: Teller, present: deal.State) -> str:
    """What the person is asked in this phase, where it is not about cards."""
    match teller.rules, present:
        case _, DanishState(ballot=Ballot(question=question, fault=fault)):
            offence = teller.words.offence(fault.offence)
            return teller.text(f"asks.{question}", player=teller.players[fault.seat], offence=offence)
        case DanishRules() as rules, DanishState(phase="count", entered=entered):
            confirms = len(entered) == len(counters(rules, present))
            return teller.text("asks.confirmCount" if confirms else "asks.count")
        case _, DanishState(phase="answer", led=led):
            return teller.text("askHave", suit=teller.suit("SHCDT"[led]))
    return teller.text(_QUESTIONS.get(present.phase, "choose"))


_QUESTIONS = {
    "misdeal": "asks.misdeal",
    "handCheck": "asks.handCheck",
    "declare": "askDeclare",
    "announce": "askAnnounce",
    "demand": "askDemand",
    "name": "askName",
    "cut": "asks.cut",
    "bid": "askBid",
    "call": "askCall",
    "slam": "askSlam",
}


def guide(teller: Teller, present: deal.State, first: e.Action) -> str:
    """What is asked, in some sentences, where it is not about cards."""
    if isinstance(first, e.Vote):
        return teller.text("guide.vote")
    if isinstance(first, e.Declare):
        return teller.text("guide.declare")
    if present.phase == "count" and not isinstance(first, e.EnterCount):
        return teller.text("guide.confirmCount")
    return teller.text(f"guide.{present.phase}")


def slot_name(teller: Teller, one: e.Declaration) -> str:
    """What a slot of declarations is about."""
    if one.of is None:
        return teller.text(f"slots.{one.kind}")
    return teller.text("slots.kings") if one.of == "K" else teller.suit(one.of)
