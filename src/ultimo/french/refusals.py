"""The words in which a wish is refused, and the place where the rule stands."""

from __future__ import annotations

from ultimo import events as e
from ultimo.cards import BOUTS, KINGS, SUIT_CARDS, SUITS_WORD, Card, Cards, cards, mask
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


def refusal(rules: FrenchRules, state: State, seat: e.Seat | None, action: e.Action) -> e.IllegalAction:
    """Why `action` is not legal."""
    due = DUE[state.phase]
    if isinstance(action, e.Deal):
        if seat is not None or state.phase != "dealing":
            return e.IllegalAction("noDealNow", rules.deal.cite, due=due)
        return wrong_deal(rules, state, action) or e.IllegalAction(due, rules.deal.cite)
    if state.turn is None:
        return e.IllegalAction(due, rules.deal.cite)
    if isinstance(action, e.ShowPoignee) and _has_played(state, seat):
        return e.IllegalAction("poigneeTooLate", rules.poignee.cite)
    if seat != state.turn:
        return e.IllegalAction("turnOf", rules.play.cite, player=state.turn, due=due)
    match state.phase, action:
        case "play", e.Play():
            return _card(rules, state, seat, action)
        case "play", e.ShowPoignee():
            return _poignee(rules, state, seat, action)
        case "bid", e.Bid():
            return _bid(rules, state, action)
        case "call", e.Call():
            return _call(rules, action)
        case "ecart", e.Lay():
            return _ecart(rules, state.hands[seat], action)
        case "cut", e.Cut():
            return e.IllegalAction("cutLeast", citation(rules, "deal.shuffle"), count=LEAST_PART)
        case "slam", e.Announce():
            return e.IllegalAction("onlySlam", citation(rules, "slam.defendersMayAnnounce"))
        case _:
            return e.IllegalAction(due, rules.play.cite)


def _card(rules: FrenchRules, state: State, seat: e.Seat, action: e.Play) -> e.IllegalAction:
    hand, card = state.hands[seat], action.card
    if not hand & card.bit:
        return e.IllegalAction("notHeld", rules.play.cite, card=card)
    if action.named is not None:
        return e.IllegalAction("excuseNotNamed", rules.play.cite)
    led = state.led
    if led == NO_SUIT:
        cite = citation(rules, "call.firstLeadBan")
        return e.IllegalAction("calledSuitFirstTrick", cite, suit=SUIT_WORDS[card.suit])
    if hand & SUIT_CARDS[led] and card.suit != led:
        return e.IllegalAction("follow", rules.play.cite, suit=SUIT_WORDS[led])
    if card.suit != TRUMP_SUIT:
        return e.IllegalAction("mustTrump", rules.play.cite, suit=SUIT_WORDS[led])
    return e.IllegalAction("mustBeat", rules.play.cite, card=Card(f"T{state.top}"))


def _has_played(state: State, seat: e.Seat | None) -> bool:
    return bool(state.tricks) or any(play.seat == seat for play in state.trick)


def _poignee(rules: FrenchRules, state: State, seat: e.Seat, action: e.ShowPoignee) -> e.IllegalAction:
    cite, sizes = citation(rules, "poignee.sizes"), rules.poignee.sizes
    if any(shown.seat == seat for shown in state.poignees):
        return e.IllegalAction("poigneeShown", cite)
    if len(action.cards) not in sizes:
        return e.IllegalAction("poigneeSizes", cite, counts=sizes)
    trumps, _ = poignee_trumps(rules, state, seat)
    if refusal := _not_a_set(action.cards, state.hands[seat] | trumps, cite):
        return refusal
    if mask(action.cards) & SUITS_WORD:
        return e.IllegalAction("poigneeOfTrumps", cite)
    return e.IllegalAction("poigneeExcuse", cite)


def _bid(rules: FrenchRules, state: State, action: e.Bid) -> e.IllegalAction:
    cite = citation(rules, "bid.ladder")
    if action.bid not in [row.id for row in rules.bid.ladder] or state.contract is None:
        return e.IllegalAction("noSuchBid", cite, bid=action.bid)
    return e.IllegalAction("bidHigher", cite, bid=state.contract.id)


def _call(rules: FrenchRules, action: e.Call) -> e.IllegalAction:
    cite = citation(rules, "call.fallback")
    above: str = rules.call.card
    for rank in rules.call.fallback:
        if action.card.bit & RANKS_CALLED[rank]:
            return e.IllegalAction("callFallback", cite, all=ALL_OF[above], one=ONE_OF[rank])
        above = rank
    return e.IllegalAction("callOne", cite, one=ONE_OF[rules.call.card])


def _ecart(rules: FrenchRules, hand: Cards, action: e.Lay) -> e.IllegalAction:
    cite, count = rules.bid.cite, rules.deal.chien
    if action.tout:
        return e.IllegalAction("slamAfterEcart", cite)
    if len(action.cards) != count:
        return e.IllegalAction("discardCount", cite, count=count)
    if refusal := _not_a_set(action.cards, hand, cite):
        return refusal
    laid = mask(action.cards)
    if laid & (KINGS | BOUTS):
        return e.IllegalAction("kingsAndBoutsNotDiscarded", cite)
    free = hand & SUITS_WORD & ~KINGS
    if free.bit_count() >= count:
        return e.IllegalAction("trumpsLast", cite)
    return e.IllegalAction("trumpsToMakeUp", cite, cards=cards(free & ~laid))


def _not_a_set(some: tuple[Card, ...], hand: Cards, cite: str) -> e.IllegalAction | None:
    """What is wrong with some cards as a part of a hand, if anything is."""
    for place, card in enumerate(some):
        if not card.bit & hand:
            return e.IllegalAction("notHeld", cite, card=card)
        if card in some[:place]:
            return e.IllegalAction("cardTwice", cite, card=card)
    return None
