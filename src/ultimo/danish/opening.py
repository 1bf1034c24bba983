"""A Danish deal up to the first lead: cards, skat, declarations."""

from __future__ import annotations

from ultimo import events as e
from ultimo.cards import Cards, cards, mask
from ultimo.danish.dealing import corrects, is_right, is_whole_pack
from ultimo.danish.evolve import DealStory
from ultimo.danish.legal import declares_by_hand, due_declarations, is_too_early, next_declarer
from ultimo.danish.numbers import numbers
from ultimo.danish.offences import establish, kept, new, wrong_hands
from ultimo.danish.payments import ante, declared
from ultimo.danish.phases import TOUT, window
from ultimo.danish.skat import legal_skats, protected
from ultimo.danish.state import Fault
from ultimo.rulebook import citation


def deal(story: DealStory, seat: e.Seat | None, action: e.Deal) -> None:
    """Chance deals; where the table allows it, wrongly."""
    rules, state = story.rules, story.state
    if state.ballot:
        raise e.IllegalAction("voteFirst", rules.fine.cite)
    if state.phase not in ("dealing", "correcting"):
        raise e.IllegalAction("alreadyDealt", rules.deal.cite)
    if seat is not None:
        raise e.IllegalAction("cardsNotChosen", rules.deal.cite)
    if len(action.hands) != state.table or not is_whole_pack(action.hands) or action.chien:
        raise e.IllegalAction("handsNotWhole", rules.deal.cite)
    if any(hand for place, hand in enumerate(action.hands) if place not in state.order):
        raise e.IllegalAction("sitterDealt", rules.table.cite)
    slip = rules.strict.deal and state.phase == "dealing"
    if not slip and not is_right(state.order, action.hands):
        raise e.IllegalAction("wrongHandSizes", rules.deal.cite)
    hands = tuple(tuple(sorted(hand)) for hand in action.hands)
    if state.phase == "dealing":
        story.tell(e.Dealt(hands))
        return
    if not corrects(state.order, state.hands, tuple(map(mask, hands))):
        raise e.IllegalAction("nothingToGiveUp", rules.deal.cite)
    story.tell(e.CardsCorrected(hands))


def take_up(
    story: DealStory, seat: e.Seat, action: e.Accept | e.DemandRedeal | e.ObjectCount | e.Redeal | e.PassDeal
) -> None:
    """Take up the hands, or not.

    Rule: 000 Kortgivning; I-3.7.
    """
    rules, state = story.rules, story.state
    match action:
        case e.Accept():
            story.tell(e.HandAccepted(seat))
        case e.DemandRedeal():
            story.tell(e.RedealDemanded(seat, cards(state.hands[seat])))
        case e.ObjectCount():
            object_count(story, seat)
        case e.Redeal():
            story.tell(e.RedealChosen(seat))
            if rules.deal.misdeal == "anteOrPass":
                story.pay(ante(rules, state.order))
            else:
                establish(story, Fault(state.dealer, "misdeal"))
        case e.PassDeal():
            story.tell(e.DealClosed("passed"))


def object_count(story: DealStory, seat: e.Seat) -> None:
    """Hear an objection to the number of cards: in time it is a misdeal, later an offence.

    Rule: 000 Indledning til spillet; 003 KORTENE OG KORTGIVNINGEN; I-11.14.
    """
    rules, state = story.rules, story.state
    wrong = new(state, wrong_hands(state))
    story.tell(e.CountObjected(seat, bool(wrong)))
    if not wrong:
        return
    led = state.trick or state.tricks
    if state.phase != "handCheck" and (led or rules.deal.object_until == "takenUp"):
        establish(story, wrong[0])
        return
    story.pay(_void_declarations(story))
    laid = state.skat.bit_count() + state.skat_unseen
    sizes = tuple(state.size(place) + laid * (place == state.dealer) for place in range(state.table))
    story.tell(e.Misdealt(sizes))
    if rules.deal.misdeal == "correctAndFine":
        establish(story, Fault(state.dealer, "misdeal"))


def _void_declarations(story: DealStory) -> list[e.Transfer]:
    """What was paid for declarations on cards that were misdealt goes back."""
    rules, state = story.rules, story.state
    return [
        e.Transfer(seat, other, points, "repay", citation(rules, "deal.objectUntil"))
        for seat in state.order
        if (points := kept(rules, state, seat))
        for other in state.order
        if other != seat
    ]


def lay(story: DealStory, seat: e.Seat, action: e.Lay) -> None:
    """The dealer lays the skat and says what he must; then the declarations begin.

    Rule: 000 Må ikke lægges a; 004 LÆGNING AF SKAT; I-4.5.
    """
    rules, hand = story.rules, story.state.hands[seat]
    laid = tuple(sorted(action.cards))
    story.tell(e.SkatLaid(seat, laid, action.tout))
    _notice(story, hand, mask(laid))
    if action.tout and window(numbers(rules), 1) & TOUT:
        story.tell(e.Announced(seat, "tout", 1))
    if not declares_by_hand(rules):
        while story.state.phase == "declare":
            declarer = next_declarer(story.state)
            declare(story, declarer, e.Declare(due_declarations(rules, story.state, declarer)))


def _notice(story: DealStory, hand: Cards, laid: Cards) -> None:
    """Say that cards of a declaration had to be laid, or which; who lays them wrongly does not say so."""
    rules = story.rules
    declared_cards = laid & protected(rules, hand)
    if not declared_cards or rules.skat.disclose_declared == "none":
        return
    if any(laid in sets for sets in legal_skats(rules, hand, story.state.tout_laid)):
        named = cards(declared_cards) if rules.skat.disclose_declared == "cards" else ()
        story.tell(e.SkatNotice(story.state.dealer, named))


def declare(story: DealStory, seat: e.Seat, action: e.Declare) -> None:
    """Make declarations and be paid for them; too early, they are an offence.

    Rule: 000 Meldinger, Før spillet; 003 MELDINGEN; 004 BØDER.
    """
    rules, state = story.rules, story.state
    early = is_too_early(rules, state, seat)
    story.tell(e.Declared(seat, action.declarations, early))
    if seat not in story.state.unpaid:
        story.pay(declared(rules, state.order, seat, action.declarations))
    if early:
        establish(story, Fault(seat, "earlyDecl"))
