"""The words in which a wish is refused, and the place where the rule stands."""

from __future__ import annotations

from ultimo.cards import BOUTS, KINGS, SUIT_CARDS, SUITS_WORD, Card, Cards, cards, mask
from ultimo.events import (
    Action,
    Announce,
    Bid,
    Call,
    Cut,
    Deal,
    IllegalAction,
    Lay,
    Play,
    Seat,
    ShowPoignee,
)
from ultimo.french.dealing import LEAST_PART, wrong_deal
from ultimo.french.legal import RANKS_CALLED, poignee_trumps
from ultimo.french.state import Phase, State
from ultimo.play.following import NO_SUIT, TRUMP_SUIT
from ultimo.rulebook import FrenchRules

SUIT_WORDS = ("spades", "hearts", "clubs", "diamonds", "trumps")
DUE: dict[Phase, str] = {
    "cut": "the pack must be cut",
    "dealing": "the cards have not been dealt",
    "bid": "bid or pass",
    "call": "name the partner's card",
    "ecart": "lay the écart",
    "slam": "announce a slam or decline",
    "play": "play a card",
    "closed": "the deal is over",
}


def refusal(rules: FrenchRules, state: State, seat: Seat | None, action: Action) -> IllegalAction:
    """Why `action` is not legal."""
    if isinstance(action, Deal):
        if seat is not None or state.phase != "dealing":
            return IllegalAction(f"nobody deals now: {DUE[state.phase]}", rules.deal.cite)
        return IllegalAction(wrong_deal(rules, state, action), rules.deal.cite)
    if state.turn is None:
        return IllegalAction(DUE[state.phase], rules.deal.cite)
    if isinstance(action, ShowPoignee) and _has_played(state, seat):
        return IllegalAction("too late: a poignée is shown before one's first card", rules.poignee.cite)
    if seat != state.turn:
        return IllegalAction(f"it is the turn of seat {state.turn}: {DUE[state.phase]}", rules.cite)
    match state.phase, action:
        case "play", Play():
            return _card(rules, state, seat, action)
        case "play", ShowPoignee():
            return IllegalAction(_poignee(rules, state, seat, action), rules.poignee.cite)
        case "bid", Bid():
            return IllegalAction(_bid(rules, state, action), rules.bid.cite)
        case "call", Call():
            return IllegalAction(_call(rules, state, seat, action), rules.call.cite)
        case "ecart", Lay():
            return IllegalAction(_ecart(rules, state.hands[seat], action), rules.bid.cite)
        case "cut", Cut():
            return IllegalAction(f"leave at least {LEAST_PART} cards in each part", rules.deal.cite)
        case "slam", Announce():
            return IllegalAction("only a slam is announced", rules.slam.cite)
        case _:
            return IllegalAction(DUE[state.phase], rules.cite)


def _card(rules: FrenchRules, state: State, seat: Seat, action: Play) -> IllegalAction:
    hand, card = state.hands[seat], action.card
    if not hand & card.bit:
        return IllegalAction(f"you do not hold {card.value}", rules.cite)
    if action.named is not None:
        return IllegalAction("the excuse is not named: the next card sets the suit", rules.excuse.cite)
    led = state.led
    if led == NO_SUIT:
        suit = SUIT_WORDS[card.suit]
        return IllegalAction(
            f"the suit of the called card may not be led to the first trick: {suit}", rules.call.cite
        )
    if hand & SUIT_CARDS[led] and card.suit != led:
        return IllegalAction(f"you must follow suit: {SUIT_WORDS[led]}", rules.cite)
    if card.suit != TRUMP_SUIT:
        return IllegalAction(f"you have no {SUIT_WORDS[led]}, so you must trump", rules.cite)
    return IllegalAction(f"you must beat T{state.top}", rules.cite)


def _has_played(state: State, seat: Seat | None) -> bool:
    return bool(state.tricks) or any(play.seat == seat for play in state.trick)


def _poignee(rules: FrenchRules, state: State, seat: Seat, action: ShowPoignee) -> str:
    trumps, _ = poignee_trumps(rules, state, seat)
    if any(shown.seat == seat for shown in state.poignees):
        return "you have shown your poignée"
    sizes = ", ".join(map(str, rules.poignee.sizes))
    if len(action.cards) not in rules.poignee.sizes:
        return f"a poignée has exactly so many trumps: {sizes}"
    if reason := _not_a_set(action.cards, state.hands[seat] | trumps):
        return reason
    if mask(action.cards) & SUITS_WORD:
        return "a poignée is of trumps"
    return "the excuse is shown only with all your trumps, to make up the number"


def _bid(rules: FrenchRules, state: State, action: Bid) -> str:
    if action.bid not in [row.id for row in rules.bid.ladder]:
        return f"there is no bid {action.bid} at this table"
    standing = state.contract.id if state.contract else "nothing"
    return f"bid higher than {standing}, or pass"


def _call(rules: FrenchRules, state: State, seat: Seat, action: Call) -> str:
    above: str = rules.call.card
    for rank in rules.call.fallback:
        if action.card.bit & RANKS_CALLED[rank]:
            return f"only who holds all four {above}s may name a {rank}"
        above = rank
    return f"name a {rules.call.card}"


def _ecart(rules: FrenchRules, hand: Cards, action: Lay) -> str:
    if action.tout:
        return "a slam is announced after the écart"
    if len(action.cards) != rules.deal.chien:
        return f"lay {rules.deal.chien} cards"
    if reason := _not_a_set(action.cards, hand):
        return reason
    laid = mask(action.cards)
    if laid & (KINGS | BOUTS):
        return "kings and bouts may not be laid"
    free = hand & SUITS_WORD & ~KINGS
    if free.bit_count() >= rules.deal.chien:
        return "trumps may be laid only if nothing else can be"
    missing = " ".join(card.value for card in cards(free & ~laid))
    return f"trumps may be laid only to make up the number: lay {missing} first"


def _not_a_set(some: tuple[Card, ...], hand: Cards) -> str:
    """What is wrong with some cards as a part of a hand, if anything is."""
    for place, card in enumerate(some):
        if not card.bit & hand:
            return f"you do not hold {card.value}"
        if card in some[:place]:
            return f"{card.value} is named twice"
    return ""
