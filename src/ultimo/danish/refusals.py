"""Why a wish is refused, in words, with the place where the rule stands."""

from __future__ import annotations

from ultimo.cards import KINGS, PAGAT, SKUS, T21, TRUMPS, mask
from ultimo.danish.following import SECOND_LAST, THIRD_LAST
from ultimo.danish.legal import waiting_for
from ultimo.danish.skat import SIZE, never_laid, protected
from ultimo.danish.state import State, has_led_suit
from ultimo.events import (
    Action,
    Announce,
    AskTarokLaid,
    Bid,
    Call,
    Claim,
    ClaimVoid,
    Cut,
    Declare,
    DemandRedeal,
    DemandSkus,
    Found,
    IllegalAction,
    Lay,
    NameSkus,
    Pass,
    Play,
    Seat,
    ShowPoignee,
    Vote,
)
from ultimo.play.following import NO_SUIT
from ultimo.rulebook import DanishRules

SUIT_WORDS = ("spades", "hearts", "clubs", "diamonds", "tarok")


def refusal(rules: DanishRules, state: State, seat: Seat | None, action: Action) -> IllegalAction:
    """The error for an action that is not legal."""
    if seat is None or seat not in state.order:
        return IllegalAction("only an active player may do this", rules.table.cite)
    if state.phase == "closed":
        return IllegalAction("the deal is over")
    if state.ballot and not isinstance(action, Vote):
        return IllegalAction("a vote must be taken first", rules.fine.cite)
    match action:
        case Play():
            return _play(rules, state, seat, action)
        case Lay():
            return _lay(rules, state, seat, action)
        case DemandSkus():
            return _demand(rules, state, seat)
        case DemandRedeal() if seat in waiting_for(rules, state) and rules.deal.redeal_no_tarok:
            return IllegalAction("only a hand without T1 to T21 may ask for new cards", rules.deal.cite)
        case DemandRedeal() if not rules.deal.redeal_no_tarok:
            return IllegalAction("this rulebook knows no right to new cards", rules.deal.cite)
        case AskTarokLaid():
            return IllegalAction("the dealer owes no answer now", rules.skat.cite)
        case Declare() if state.phase == "declare" and seat in waiting_for(rules, state):
            return IllegalAction("declare exactly what the hand holds", rules.decl.cite)
        case Announce():
            return IllegalAction("this cannot be announced now", rules.nolo.cite)
        case NameSkus() | ClaimVoid():
            return IllegalAction("there is no led skus for you to speak of", rules.skus.cite)
        case Claim():
            return IllegalAction("this table does not let that error happen", rules.strict.cite)
        case Found() | Bid() | Pass() | Call() | Cut() | ShowPoignee():
            return IllegalAction("there is no such action in Danish Tarok")
        case _ if seat not in waiting_for(rules, state):
            return IllegalAction("it is not your turn")
        case _:
            return IllegalAction("this is not possible now")


def _play(rules: DanishRules, state: State, seat: Seat, action: Play) -> IllegalAction:
    card, bit = action.card, action.card.bit
    leads = not state.trick
    if state.phase != "play":
        return IllegalAction("no card may be played now")
    if seat != state.turn:
        return IllegalAction("it is not your turn")
    if not state.hands[seat] & bit:
        return IllegalAction("you do not hold {card}", card=card)
    if bit == SKUS and leads and action.named is None:
        return IllegalAction("name the suit for which the skus is led", rules.skus.cite)
    if action.named is not None and (bit != SKUS or not leads):
        return IllegalAction("only a led skus is named", rules.skus.cite)
    if bit == SKUS and state.number == SECOND_LAST and rules.skus.second_last_barred:
        return IllegalAction("the skus may not be played in the second-last trick", rules.skus.cite)
    if state.number == THIRD_LAST and state.hands[seat] & SKUS:
        if state.demanded:
            return IllegalAction("the skus has been demanded and must be played", rules.skus.cite)
        if bit == SKUS:
            return IllegalAction("in the third-last trick the skus falls only on demand", rules.skus.cite)
    if state.led != NO_SUIT and has_led_suit(state, seat):
        return IllegalAction("you must follow suit: {suit}", "000 SELVE SPILLET", suit=SUIT_WORDS[state.led])
    return IllegalAction("void in the suit, you must play tarok", "000 SELVE SPILLET")


def _lay(rules: DanishRules, state: State, seat: Seat, action: Lay) -> IllegalAction:
    cite = rules.skat.cite
    if state.phase != "skat" or seat != state.dealer:
        return IllegalAction("only the dealer lays the skat, when the hands have been taken up", cite)
    hand, laid = state.hands[seat], mask(action.cards)
    if len(action.cards) != SIZE or laid.bit_count() != SIZE:
        return IllegalAction("the skat is three different cards", cite)
    if laid & ~hand:
        return IllegalAction("you do not hold all of these cards", cite)
    if action.tout and not (rules.skat.skus_for_tout and laid & SKUS):
        return IllegalAction("tout is announced here only by laying the skus, where the book allows it", cite)
    if laid & SKUS and not action.tout:
        return IllegalAction("the skus may not be laid", cite)
    if laid & (KINGS | T21):
        return IllegalAction("kings and T21 may not be laid", cite)
    if laid & never_laid(rules, action.tout) & PAGAT:
        return IllegalAction("the pagat may not be laid", cite)
    if laid & protected(rules, hand):
        return IllegalAction("cards of a declaration may not be laid while others can be", cite)
    if laid & TRUMPS and (hand & TRUMPS).bit_count() > 3:
        return IllegalAction("with more than three tarokker none may be laid while others can be", cite)
    if laid & TRUMPS:
        return IllegalAction("tarokker may be laid only if all of them go", cite)
    return IllegalAction("first everything goes that is not part of a declaration", cite)


def _demand(rules: DanishRules, state: State, seat: Seat) -> IllegalAction:
    cite = rules.skus.cite
    if not rules.skus.demandable:
        return IllegalAction("this rulebook knows no demand for the skus", cite)
    if state.number != THIRD_LAST:
        return IllegalAction("the skus can be demanded only in the third-last trick", cite)
    if state.hands[seat] & SKUS:
        return IllegalAction("you hold the skus yourself", cite)
    if state.skus_gone:
        return IllegalAction("the skus has gone", cite)
    return IllegalAction("the skus has been demanded already", cite)
