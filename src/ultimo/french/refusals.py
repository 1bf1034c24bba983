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
from ultimo.rulebook import FrenchRules, citation

SUIT_WORDS = ("spades", "hearts", "clubs", "diamonds", "trumps")
ONE_OF = {"king": "aKing", "queen": "aQueen", "knight": "aKnight", "jack": "aJack"}
ALL_OF = {"king": "kings", "queen": "queens", "knight": "knights", "jack": "jacks"}
DUE: dict[Phase, str] = {
    "cut": "cutFirst",
    "dealing": "dealFirst",
    "bid": "bidOrPass",
    "call": "callPartner",
    "ecart": "discardEcart",
    "slam": "slamOrDecline",
    "play": "playCard",
    "closed": "dealOver",
}


def refusal(rules: FrenchRules, state: State, seat: Seat | None, action: Action) -> IllegalAction:
    """Why `action` is not legal."""
    due = DUE[state.phase]
    if isinstance(action, Deal):
        if seat is not None or state.phase != "dealing":
            return IllegalAction("noDealNow", rules.deal.cite, due=due)
        return wrong_deal(rules, state, action) or IllegalAction(due, rules.deal.cite)
    if state.turn is None:
        return IllegalAction(due, rules.deal.cite)
    if isinstance(action, ShowPoignee) and _has_played(state, seat):
        return IllegalAction("poigneeTooLate", rules.poignee.cite)
    if seat != state.turn:
        return IllegalAction("turnOf", rules.play.cite, player=state.turn, due=due)
    match state.phase, action:
        case "play", Play():
            return _card(rules, state, seat, action)
        case "play", ShowPoignee():
            return _poignee(rules, state, seat, action)
        case "bid", Bid():
            return _bid(rules, state, action)
        case "call", Call():
            return _call(rules, action)
        case "ecart", Lay():
            return _ecart(rules, state.hands[seat], action)
        case "cut", Cut():
            return IllegalAction("cutLeast", citation(rules, "deal.shuffle"), count=LEAST_PART)
        case "slam", Announce():
            return IllegalAction("onlySlam", citation(rules, "slam.defendersMayAnnounce"))
        case _:
            return IllegalAction(due, rules.play.cite)


def _card(rules: FrenchRules, state: State, seat: Seat, action: Play) -> IllegalAction:
    hand, card = state.hands[seat], action.card
    if not hand & card.bit:
        return IllegalAction("notHeld", rules.play.cite, card=card)
    if action.named is not None:
        return IllegalAction("excuseNotNamed", rules.play.cite)
    led = state.led
    if led == NO_SUIT:
        return IllegalAction(
            "calledSuitFirstTrick",
            citation(rules, "call.firstLeadBan"),
            suit=SUIT_WORDS[card.suit],
        )
    if hand & SUIT_CARDS[led] and card.suit != led:
        return IllegalAction("follow", rules.play.cite, suit=SUIT_WORDS[led])
    if card.suit != TRUMP_SUIT:
        return IllegalAction("mustTrump", rules.play.cite, suit=SUIT_WORDS[led])
    return IllegalAction("mustBeat", rules.play.cite, card=Card(f"T{state.top}"))


def _has_played(state: State, seat: Seat | None) -> bool:
    return bool(state.tricks) or any(play.seat == seat for play in state.trick)


def _poignee(rules: FrenchRules, state: State, seat: Seat, action: ShowPoignee) -> IllegalAction:
    cite, sizes = citation(rules, "poignee.sizes"), rules.poignee.sizes
    if any(shown.seat == seat for shown in state.poignees):
        return IllegalAction("poigneeShown", cite)
    if len(action.cards) not in sizes:
        return IllegalAction("poigneeSizes", cite, counts=sizes)
    trumps, _ = poignee_trumps(rules, state, seat)
    if refusal := _not_a_set(action.cards, state.hands[seat] | trumps, cite):
        return refusal
    if mask(action.cards) & SUITS_WORD:
        return IllegalAction("poigneeOfTrumps", cite)
    return IllegalAction("poigneeExcuse", cite)


def _bid(rules: FrenchRules, state: State, action: Bid) -> IllegalAction:
    cite = citation(rules, "bid.ladder")
    if action.bid not in [row.id for row in rules.bid.ladder] or state.contract is None:
        return IllegalAction("noSuchBid", cite, bid=action.bid)
    return IllegalAction("bidHigher", cite, bid=state.contract.id)


def _call(rules: FrenchRules, action: Call) -> IllegalAction:
    cite = citation(rules, "call.fallback")
    above: str = rules.call.card
    for rank in rules.call.fallback:
        if action.card.bit & RANKS_CALLED[rank]:
            return IllegalAction("callFallback", cite, all=ALL_OF[above], one=ONE_OF[rank])
        above = rank
    return IllegalAction("callOne", cite, one=ONE_OF[rules.call.card])


def _ecart(rules: FrenchRules, hand: Cards, action: Lay) -> IllegalAction:
    cite, count = rules.bid.cite, rules.deal.chien
    if action.tout:
        return IllegalAction("slamAfterEcart", cite)
    if len(action.cards) != count:
        return IllegalAction("discardCount", cite, count=count)
    if refusal := _not_a_set(action.cards, hand, cite):
        return refusal
    laid = mask(action.cards)
    if laid & (KINGS | BOUTS):
        return IllegalAction("kingsAndBoutsNotDiscarded", cite)
    free = hand & SUITS_WORD & ~KINGS
    if free.bit_count() >= count:
        return IllegalAction("trumpsLast", cite)
    return IllegalAction("trumpsToMakeUp", cite, cards=cards(free & ~laid))


def _not_a_set(some: tuple[Card, ...], hand: Cards, cite: str) -> IllegalAction | None:
    """What is wrong with some cards as a part of a hand, if anything is."""
    for place, card in enumerate(some):
        if not card.bit & hand:
            return IllegalAction("notHeld", cite, card=card)
        if card in some[:place]:
            return IllegalAction("cardTwice", cite, card=card)
    return None
