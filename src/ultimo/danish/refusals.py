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
from ultimo.rulebook import DanishRules, citation

SUIT_WORDS = ("spades", "hearts", "clubs", "diamonds", "tarok")


def refusal(rules: DanishRules, state: State, seat: Seat | None, action: Action) -> IllegalAction:
    """The error for an action that is not legal."""
    if seat is None or seat not in state.order:
        return IllegalAction("notInDeal", rules.table.cite)
    if state.phase == "closed":
        return IllegalAction("dealOver")
    if state.ballot and not isinstance(action, Vote):
        return IllegalAction("voteFirst", rules.fine.cite)
    match action:
        case Play():
            return _play(rules, state, seat, action)
        case Lay():
            return _lay(rules, state, seat, action)
        case DemandSkus():
            return _demand(rules, state, seat)
        case DemandRedeal() if seat in waiting_for(rules, state) and rules.deal.redeal_no_tarok:
            return IllegalAction("redealOnlyWithoutTrumps", citation(rules, "deal.redealNoTarok"))
        case DemandRedeal() if not rules.deal.redeal_no_tarok:
            return IllegalAction("noRedeal", citation(rules, "deal.redealNoTarok"))
        case AskTarokLaid():
            return IllegalAction("noAnswerDue", citation(rules, "skat.discloseTarok"))
        case Declare() if state.phase == "declare" and seat in waiting_for(rules, state):
            return IllegalAction("declareExactly", rules.decl.cite)
        case Announce():
            return IllegalAction("noAnnouncementNow", citation(rules, "nolo.announce"))
        case NameSkus() | ClaimVoid():
            return IllegalAction("noLedSkus", citation(rules, "skus.rename"))
        case Claim():
            return IllegalAction("noSuchMistake", rules.strict.cite)
        case Found() | Bid() | Pass() | Call() | Cut() | ShowPoignee():
            return IllegalAction("notInDanish")
        case _ if seat not in waiting_for(rules, state):
            return IllegalAction("notYourTurn")
        case _:
            return IllegalAction("notNow")


def _play(rules: DanishRules, state: State, seat: Seat, action: Play) -> IllegalAction:
    card, bit = action.card, action.card.bit
    leads = not state.trick
    if state.phase != "play":
        return IllegalAction("noCardNow")
    if seat != state.turn:
        return IllegalAction("notYourTurn")
    if not state.hands[seat] & bit:
        return IllegalAction("notHeld", card=card)
    if bit == SKUS and leads and action.named is None:
        return IllegalAction("nameLedSkus", citation(rules, "skus.rename"))
    if action.named is not None and (bit != SKUS or not leads):
        return IllegalAction("onlyLedSkusNamed", citation(rules, "skus.rename"))
    if bit == SKUS and state.number == SECOND_LAST and rules.skus.second_last_barred:
        return IllegalAction("skusSecondLast", citation(rules, "skus.secondLastBarred"))
    if state.number == THIRD_LAST and state.hands[seat] & SKUS:
        if state.demanded:
            return IllegalAction("skusDemanded", citation(rules, "skus.demandable"))
        if bit == SKUS:
            return IllegalAction("skusThirdLast", citation(rules, "skus.thirdLastVoluntary"))
    if state.led != NO_SUIT and has_led_suit(state, seat):
        return IllegalAction("follow", rules.play.cite, suit=SUIT_WORDS[state.led])
    return IllegalAction("mustTrumpDanish", rules.play.cite)


def _lay(rules: DanishRules, state: State, seat: Seat, action: Lay) -> IllegalAction:
    cite, declared = rules.skat.cite, citation(rules, "skat.forbidDeclared")
    tarok, tout = citation(rules, "skat.tarokAllOrNone"), citation(rules, "skat.skusForTout")
    if state.phase != "skat" or seat != state.dealer:
        return IllegalAction("onlyDealerDiscards", cite)
    hand, laid = state.hands[seat], mask(action.cards)
    if len(action.cards) != SIZE or laid.bit_count() != SIZE:
        return IllegalAction("skatThreeCards", cite)
    if laid & ~hand:
        return IllegalAction("notAllHeld", cite)
    if action.tout and not (rules.skat.skus_for_tout and laid & SKUS):
        return IllegalAction("toutByDiscard", tout)
    if laid & SKUS and not action.tout:
        return IllegalAction("skusNotDiscarded", tout)
    if laid & (KINGS | T21):
        return IllegalAction("kingsNotDiscarded", cite)
    if laid & never_laid(rules, action.tout) & PAGAT:
        return IllegalAction("pagatNotDiscarded", citation(rules, "skat.forbidPagat"))
    if laid & protected(rules, hand):
        return IllegalAction("declaredNotDiscarded", declared)
    if laid & TRUMPS and (hand & TRUMPS).bit_count() > 3:
        return IllegalAction("tooManyTrumpsToDiscard", tarok)
    if laid & TRUMPS:
        return IllegalAction("allTrumpsOrNone", tarok)
    return IllegalAction("undeclaredFirst", declared)


def _demand(rules: DanishRules, state: State, seat: Seat) -> IllegalAction:
    cite = citation(rules, "skus.demandable")
    if not rules.skus.demandable:
        return IllegalAction("noDemand", cite)
    if state.number != THIRD_LAST:
        return IllegalAction("demandThirdLast", cite)
    if state.hands[seat] & SKUS:
        return IllegalAction("ownSkus", cite)
    if state.skus_gone:
        return IllegalAction("skusPlayed", cite)
    return IllegalAction("alreadyDemanded", cite)
