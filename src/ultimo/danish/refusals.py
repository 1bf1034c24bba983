"""Why a wish is refused, in words, with the place where the rule stands."""

from __future__ import annotations

from ultimo import events as e
from ultimo.cards import KINGS, PAGAT, SKUS, T21, TRUMPS, mask
from ultimo.danish.following import SECOND_LAST, THIRD_LAST
from ultimo.danish.legal import waiting_for
from ultimo.danish.skat import SIZE, never_laid, protected
from ultimo.danish.state import State
from ultimo.play.following import NO_SUIT
from ultimo.rulebook import DanishRules, citation

SUIT_WORDS = ("spades", "hearts", "clubs", "diamonds", "tarok")


def refusal(rules: DanishRules, state: State, seat: e.Seat | None, action: e.Action) -> e.IllegalAction:
    """The error for an action that is not legal."""
    if seat is None or seat not in state.order:
        return e.IllegalAction("notInDeal", rules.table.cite)
    if state.phase == "closed":
        return e.IllegalAction("dealOver")
    if state.ballot and not isinstance(action, e.Vote):
        return e.IllegalAction("voteFirst", rules.fine.cite)
    match action:
        case e.Play():
            return _play(rules, state, seat, action)
        case e.Lay():
            return _lay(rules, state, seat, action)
        case e.DemandSkus():
            return _demand(rules, state, seat)
        case e.DemandRedeal() if seat in waiting_for(rules, state) and rules.deal.redeal_no_tarok:
            return e.IllegalAction("redealOnlyWithoutTrumps", citation(rules, "deal.redealNoTarok"))
        case e.DemandRedeal() if not rules.deal.redeal_no_tarok:
            return e.IllegalAction("noRedeal", citation(rules, "deal.redealNoTarok"))
        case e.AskTarokLaid():
            return e.IllegalAction("noAnswerDue", citation(rules, "skat.discloseTarok"))
        case e.Declare() if state.phase == "declare" and seat in waiting_for(rules, state):
            return e.IllegalAction("declareExactly", rules.decl.cite)
        case e.Announce():
            return e.IllegalAction("noAnnouncementNow", citation(rules, "nolo.announce"))
        case e.NameSkus() | e.ClaimVoid():
            return e.IllegalAction("noLedSkus", citation(rules, "skus.rename"))
        case e.Claim():
            return e.IllegalAction("noSuchMistake", rules.strict.cite)
        case e.Found() | e.Bid() | e.Pass() | e.Call() | e.Cut() | e.ShowPoignee():
            return e.IllegalAction("notInDanish")
        case _ if seat not in waiting_for(rules, state):
            return e.IllegalAction("notYourTurn")
        case _:
            return e.IllegalAction("notNow")


def _play(rules: DanishRules, state: State, seat: e.Seat, action: e.Play) -> e.IllegalAction:
    card, bit = action.card, action.card.bit
    leads = not state.trick
    if state.phase != "play":
        return e.IllegalAction("noCardNow")
    if seat != state.turn:
        return e.IllegalAction("notYourTurn")
    if not state.hands[seat] & bit:
        return e.IllegalAction("notHeld", card=card)
    if bit == SKUS and leads and action.named is None:
        return e.IllegalAction("nameLedSkus", citation(rules, "skus.rename"))
    if action.named is not None and (bit != SKUS or not leads):
        return e.IllegalAction("onlyLedSkusNamed", citation(rules, "skus.rename"))
    if bit == SKUS and state.number == SECOND_LAST and rules.skus.second_last_barred:
        return e.IllegalAction("skusSecondLast", citation(rules, "skus.secondLastBarred"))
    if state.number == THIRD_LAST and state.hands[seat] & SKUS:
        if state.demanded:
            return e.IllegalAction("skusDemanded", citation(rules, "skus.demandable"))
        if bit == SKUS:
            return e.IllegalAction("skusThirdLast", citation(rules, "skus.thirdLastVoluntary"))
    if state.led != NO_SUIT and state.has_led_suit(seat):
        return e.IllegalAction("follow", rules.play.cite, suit=SUIT_WORDS[state.led])
    return e.IllegalAction("mustTrumpDanish", rules.play.cite)


def _lay(rules: DanishRules, state: State, seat: e.Seat, action: e.Lay) -> e.IllegalAction:
    cite, declared = rules.skat.cite, citation(rules, "skat.forbidDeclared")
    tarok, tout = citation(rules, "skat.tarokAllOrNone"), citation(rules, "skat.skusForTout")
    if state.phase != "skat" or seat != state.dealer:
        return e.IllegalAction("onlyDealerDiscards", cite)
    hand, laid = state.hands[seat], mask(action.cards)
    if len(action.cards) != SIZE or laid.bit_count() != SIZE:
        return e.IllegalAction("skatThreeCards", cite)
    if laid & ~hand:
        return e.IllegalAction("notAllHeld", cite)
    if action.tout and not (rules.skat.skus_for_tout and laid & SKUS):
        return e.IllegalAction("toutByDiscard", tout)
    if laid & SKUS and not action.tout:
        return e.IllegalAction("skusNotDiscarded", tout)
    if laid & (KINGS | T21):
        return e.IllegalAction("kingsNotDiscarded", cite)
    if laid & never_laid(rules, action.tout) & PAGAT:
        return e.IllegalAction("pagatNotDiscarded", citation(rules, "skat.forbidPagat"))
    if laid & protected(rules, hand):
        return e.IllegalAction("declaredNotDiscarded", declared)
    if laid & TRUMPS and (hand & TRUMPS).bit_count() > 3:
        return e.IllegalAction("tooManyTrumpsToDiscard", tarok)
    if laid & TRUMPS:
        return e.IllegalAction("allTrumpsOrNone", tarok)
    return e.IllegalAction("undeclaredFirst", declared)


def _demand(rules: DanishRules, state: State, seat: e.Seat) -> e.IllegalAction:
    cite = citation(rules, "skus.demandable")
    if not rules.skus.demandable:
        return e.IllegalAction("noDemand", cite)
    if state.number != THIRD_LAST:
        return e.IllegalAction("demandThirdLast", cite)
    if state.hands[seat] & SKUS:
        return e.IllegalAction("ownSkus", cite)
    if state.skus_gone:
        return e.IllegalAction("skusPlayed", cite)
    return e.IllegalAction("alreadyDemanded", cite)
