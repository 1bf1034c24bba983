"""Applying facts to the state of a Danish deal. Facts are not refused."""

from __future__ import annotations

from msgspec.structs import replace

from ultimo import events as e
from ultimo.cards import KINGS, PAGAT, SKUS, SUITS, UNSEEN, Cards, mask
from ultimo.danish import phases
from ultimo.danish.counting import is_counted
from ultimo.danish.following import LAST
from ultimo.danish.outcome import Fined, GivenBack, LostKing, PagatFate
from ultimo.danish.state import Ballot, Fault, State, Trick, announcers, comes_next, outcome_of, playable
from ultimo.play.following import NO_SUIT, suit_of
from ultimo.play.story import Story, put, without
from ultimo.rulebook import DanishRules


def initial(rules: DanishRules, opened: e.Opened) -> State:
    """The state of a deal that has just been opened."""
    forehand, middle, dealer = opened.active
    nobody = (0,) * opened.table
    return State(
        table=opened.table,
        order=(forehand, middle, dealer),
        king=opened.king,
        pagat=opened.pagat,
        net=nobody,
        hands=nobody,
        unseen=nobody,
        dealt=nobody,
        piles=nobody,
        won=nobody,
        declared=(None,) * opened.table,
        turn=forehand,
    )


def evolve(rules: DanishRules, state: State, event: e.DealEvent) -> State:
    """The state after `event`."""
    match event:
        case e.CardPlayed():
            return _card_played(rules, state, event)
        case e.TrickWon(seat=seat):
            return _trick_won(rules, state, seat)
        case e.Paid(transfers=transfers):
            gained = e.balances(transfers)
            king, pagat = state.king + gained["king"], state.pagat + gained["pagat"]
            return replace(state, net=e.posted(state.net, gained), king=king, pagat=pagat)
        case e.SkusReturned(seat=seat):  # no card is given for it: tricks count, not cards (I-7.6)
            piles = tuple(pile & ~SKUS for pile in state.piles)
            return replace(state, piles=put(piles, seat, piles[seat] | SKUS))
        case e.DemandAnswered(seat=seat, demand=demand):
            asked = without(state.asked, seat)
            demands = (*state.demands, seat) if demand else state.demands
            return replace(state, asked=asked, demands=demands, phase="demand" if asked else "play")
        case e.HandAccepted(seat=seat):
            accepted = (*state.accepted, seat)
            return replace(state, accepted=accepted, phase="skat" if len(accepted) == 3 else state.phase)
        case e.Dealt(hands=hands) | e.CardsCorrected(hands=hands):
            return _dealt(rules, state, hands)
        case e.SkatLaid() | e.SkatTakenBack() | e.SkatShown():
            return _skat(rules, state, event)
        case e.Declared(seat=seat, declarations=made, early=early):
            state = replace(state, declared=put(state.declared, seat, made))
            if early and "noPayForIt" in rules.fine.early_decl.effect:
                state = replace(state, unpaid=(*state.unpaid, seat))
            return after_declarations(rules, state) if state.phase == "declare" else state
        case e.Announced(seat=seat):
            state = replace(state, announced=(*state.announced, event), asked=without(state.asked, seat))
            return _next_asked(rules, state) if state.phase == "announce" else state
        case e.Declined(seat=seat):
            return _next_asked(rules, replace(state, asked=without(state.asked, seat)))
        case e.DealClosed(result=result):
            return replace(state, phase="closed", result=result, ballot=None, asked=())
        case e.Counted(points=points):
            return replace(state, counts=points)
        case e.CupEmptied(cup=cup, seat=seat):
            return replace(state, emptied=(*state.emptied, (cup, seat)))
        case e.LeadPassed(seat=seat):
            return replace(state, turn=seat)
        case e.PlayedOutOfTurn(seat=seat, card=card) if not state.hands[seat] & card.bit:
            _, unseen = _lose(state, seat, card.bit)
            return replace(state, hands=put(state.hands, seat, state.hands[seat] | card.bit), unseen=unseen)
        case e.TarokLaidAnswer(count=count):
            return replace(state, tarok_laid=count)
        case e.CupsMoved():
            return replace(state, cups_moved=True)
        case e.RedealDemanded():
            return _without_cards(state)
        case e.RedealChosen():
            again = rules.deal.misdeal == "anteOrPass"
            return _without_cards(replace(state, antes=state.antes + again))
        case e.Misdealt():
            return _misdealt(rules, state)
        case e.CardTakenBack(seat=seat, card=card):
            return _card_taken_back(state, seat, card.bit)
        case _:
            return _skus(rules, state, event)


class DealStory(Story[DanishRules, State]):
    """The story of a Danish deal."""

    __slots__ = ()
    evolve = staticmethod(evolve)


# --- cards ---------------------------------------------------------------------------------------------


def _dealt(rules: DanishRules, state: State, hands: tuple[e.SomeCards, ...]) -> State:
    known = tuple(map(mask, hands))
    check = rules.deal.redeal_no_tarok or rules.strict.deal
    return replace(
        state,
        hands=known,
        dealt=known,
        unseen=tuple(hand.count(UNSEEN) for hand in hands),
        accepted=(),
        phase="handCheck" if check else "skat",
        turn=state.order[0],
    )


def _without_cards(state: State) -> State:
    nobody = (0,) * state.table
    return replace(state, phase="dealing", hands=nobody, unseen=nobody, dealt=nobody, accepted=())


def _misdealt(rules: DanishRules, state: State) -> State:
    """The state after a misdeal: whatever was laid and declared on these cards is void.

    The fines of the deal stand; what they gave back has now gone back with all the rest.
    """
    if state.skat or state.skat_unseen:
        state = _skat(rules, state, e.SkatTakenBack(state.dealer))
    return replace(
        state,
        phase="correcting" if rules.deal.misdeal == "correctAndFine" else "misdeal",
        declared=(None,) * state.table,
        unpaid=(),
        announced=(),
        asked=(),
        claims=(),
        found=(),
        fines=tuple(replace(fined, overpaid=0) for fined in state.fines),
        banned=(),
        barren=(),
        liable=(),
        silenced=(),
    )


def _skat(rules: DanishRules, state: State, event: e.SkatLaid | e.SkatTakenBack | e.SkatShown) -> State:
    dealer = state.dealer
    match event:
        case e.SkatLaid(cards=laid, tout=tout):
            known = mask(laid)
            hidden = laid.count(UNSEEN)
            state = replace(
                state,
                hands=put(state.hands, dealer, state.hands[dealer] & ~known),
                unseen=put(state.unseen, dealer, max(0, state.unseen[dealer] - hidden)),
                skat=known,
                skat_unseen=hidden,
                tout_laid=tout,
                skus_gone=tout,
                phase="declare",
                claims=(),
            )
            return after_declarations(rules, state)
        case e.SkatTakenBack():
            return replace(
                state,
                hands=put(state.hands, dealer, state.hands[dealer] | state.skat),
                unseen=put(state.unseen, dealer, state.unseen[dealer] + state.skat_unseen),
                skat=0,
                skat_unseen=0,
                tout_laid=False,
                tarok_laid=None,
                skus_gone=False,
                phase="skat",
            )
        case e.SkatShown(cards=shown):
            entering = rules.strict.count and is_counted(rules, outcome_of(state))
            phase = "count" if entering else state.phase
            return replace(state, skat=mask(shown), skat_unseen=0, phase=phase)


def _lose(state: State, seat: e.Seat, bit: Cards) -> tuple[tuple[Cards, ...], tuple[int, ...]]:
    """Hands and unseen cards after `seat` has let go of a card."""
    if state.hands[seat] & bit:
        return put(state.hands, seat, state.hands[seat] ^ bit), state.unseen
    return state.hands, put(state.unseen, seat, max(0, state.unseen[seat] - 1))


def _card_played(rules: DanishRules, state: State, event: e.CardPlayed) -> State:
    seat, bit = event.seat, event.card.bit
    faults = state.faults
    if rules.strict.follow and state.hands[seat] & bit and not playable(rules, state, seat) & bit:
        faults = (*faults, Fault(seat, "revoke", state.number))
    hands, unseen = _lose(state, seat, bit)
    turn = state.after(seat)
    if rules.strict.deal:
        turn = state.next_with_cards(turn)
    led = state.led
    if event.named is not None:
        led = SUITS.index(event.named)
    elif led == NO_SUIT:
        led = suit_of(event.card.index)
    due = bit < PAGAT and event.card.suit != led and bool(state.trick)
    return replace(
        state,
        hands=hands,
        unseen=unseen,
        trick=(*state.trick, event),
        led=led,
        turn=turn,
        skus_gone=state.skus_gone or bit == SKUS,
        dealer_void=state.dealer_void or (due and seat == state.dealer),
        faults=faults,
        claims=(),
    )


def _card_taken_back(state: State, seat: e.Seat, bit: Cards) -> State:
    """A card returns to the hand, where everybody now knows it; the error of playing it is undone."""
    trick = tuple(play for play in state.trick if play.seat != seat)
    undone = Fault(seat, "revoke", state.number)
    if not trick:
        state = replace(state, led=NO_SUIT, phase="play", void_claimed=False, renamed=False)
    return replace(
        state,
        trick=trick,
        turn=seat,
        hands=put(state.hands, seat, state.hands[seat] | bit),
        skus_gone=state.skus_gone and bit != SKUS,
        faults=without(state.faults, undone),
        found=without(state.found, undone),
    )


def _trick_won(rules: DanishRules, state: State, seat: e.Seat) -> State:
    together = 0
    kings_lost, fate = state.kings_lost, state.pagat_fate
    for play in state.trick:
        bit = play.card.bit
        together |= bit
        if state.number < LAST:
            if bit & KINGS and play.seat != seat:
                kings_lost = (*kings_lost, LostKing(play.seat, play.card))
            elif bit == PAGAT:
                fate = PagatFate(play.seat, play.seat == seat)
    state = replace(
        state,
        tricks=(*state.tricks, Trick(state.trick, state.led, seat)),
        trick=(),
        led=NO_SUIT,
        number=state.number + 1,
        turn=seat,
        void_claimed=False,
        renamed=False,
        won=put(state.won, seat, state.won[seat] + 1),
        piles=put(state.piles, seat, state.piles[seat] | together),
        kings_lost=kings_lost,
        pagat_fate=fate,
    )
    if rules.strict.deal:
        state = replace(state, turn=state.next_with_cards(seat))
    return before_trick(rules, state)


# --- phases --------------------------------------------------------------------------------------------


def after_declarations(rules: DanishRules, state: State) -> State:
    """Go on declaring, or to the first trick."""
    if None in [state.declared[seat] for seat in state.order]:
        return state
    return before_trick(rules, state)


def before_trick(rules: DanishRules, state: State) -> State:
    """The phase in which a new trick begins."""
    if rules.nolo.announce or rules.tout.announce:
        state = replace(state, asked=announcers(rules, state, state.turn))
    return _go_on(rules, state, phases.ANNOUNCEMENTS)


def _next_asked(rules: DanishRules, state: State) -> State:
    return state if state.asked else _go_on(rules, state, phases.DEMANDS)


def _go_on(rules: DanishRules, state: State, past: int) -> State:
    """The phase that comes next before a trick, when so many steps are over."""
    match comes_next(rules, state, past):
        case phases.SETTLEMENT:
            return replace(state, phase="settle")
        case phases.ANNOUNCEMENTS:
            return replace(state, phase="announce")
        case phases.DEMANDS:
            return replace(state, phase="demand", asked=state.order)
        case _:
            return replace(state, phase="play")


# --- the skus ------------------------------------------------------------------------------------------


def _skus(rules: DanishRules, state: State, event: e.DealEvent) -> State:
    match event:
        case e.SkusDemanded(by=by):
            return replace(state, demanded=True, demands=tuple(dict.fromkeys((*state.demands, *by))))
        case e.WrongDemand(seat=seat):
            return replace(state, wrong_demands=(*state.wrong_demands, seat))
        case e.VoidClaimed(seat=seat):
            faults = _false_word(rules, state, seat, have=False)
            return replace(state, void_claimed=True, phase="answer", turn=state.after(seat), faults=faults)
        case e.VoidAnswered(seat=seat, have=have):
            faults = _false_word(rules, state, seat, have=have)
            next_hand = state.after(state.after(seat))
            return replace(state, phase="play" if have else "name", turn=next_hand, faults=faults)
        case e.SuitNotIn():
            return replace(state, phase="name")
        case e.SkusRenamed(seat=seat, suit=suit):
            return replace(state, led=SUITS.index(suit), renamed=True, phase="play", turn=seat)
        case _:
            return _errors(rules, state, event)


def _false_word(rules: DanishRules, state: State, seat: e.Seat, *, have: bool) -> tuple[Fault, ...]:
    """Faults after a word about the suit of a led skus, which counts as a revoke if it is false (I-7.4)."""
    known = state.unseen[seat] == 0
    if rules.strict.follow and known and state.has_led_suit(seat) != have:
        return (*state.faults, Fault(seat, "revoke", state.number))
    return state.faults


# --- errors and the count ------------------------------------------------------------------------------


def _errors(rules: DanishRules, state: State, event: e.DealEvent) -> State:
    match event:
        case e.ClaimMade(seat=seat, against=against, offence=offence):
            return replace(state, claims=(*state.claims, (seat, e.Claim(offence, against))))
        case e.OffenceFound(seat=seat, offence=offence, trick=trick):
            fault = Fault(seat, offence, trick)
            state = replace(state, found=(*state.found, fault))
            if rules.strict.lenient:
                return replace(state, ballot=Ballot("fine", fault, without(state.order, seat)))
            return state
        case e.FineImposed(seat=seat, effects=effects):
            fined = Fined(seat, event.offence, event.overpaid, event.false_ten)
            return _fined(state, effects, fined)
        case e.FineWaived(seat=seat, offence="earlyDecl"):
            return replace(state, ballot=None, unpaid=without(state.unpaid, seat))
        case e.FineWaived() | e.DealContinued():
            return replace(state, ballot=None)
        case e.UltimoQuestioned(seat=seat):
            fault = next(fault for fault in state.found if fault.seat == seat)
            return replace(state, ballot=Ballot("ultimoCost", fault, without(state.order, seat)))
        case e.UltimoCharged(seat=seat, helped=helped):
            charged = seat if helped else state.charged
            return replace(state, ballot=None, liable=without(state.liable, seat), charged=charged)
        case e.Voted(seat=seat, yes=yes) if state.ballot:
            left = without(state.ballot.voters, seat)
            ballot = replace(state.ballot, voters=left, yes=state.ballot.yes + yes)
            ends = ballot.question == "continue" and not left and ballot.yes < 2
            return replace(state, ballot=ballot, stopping=state.stopping or ends)
        case e.CardReturned(seat=seat, card=card):
            piles = tuple(pile & ~card.bit for pile in state.piles)
            given = GivenBack(event.by, seat, card, event.points)
            piles = put(piles, seat, piles[seat] | card.bit)
            return replace(state, piles=piles, given_back=(*state.given_back, given))
        case e.CountEntered(seat=seat, points=points):
            return replace(state, entered=(*state.entered, (seat, points)), phase="count")
        case e.CountConfirmed(seat=seat):
            return replace(state, confirmed=(*state.confirmed, seat))
        case e.RecountDemanded(wrong=wrong):
            return replace(state, entered=(), confirmed=()) if wrong else state
        case _:
            return state


def _fined(state: State, effects: tuple[e.Effect, ...], fined: Fined) -> State:
    """The lasting effects of a fine; what is paid and whether the deal stops is told by other events."""
    seat = fined.seat

    def with_seat(seats: tuple[e.Seat, ...], effect: e.Effect) -> tuple[e.Seat, ...]:
        return (*seats, seat) if effect in effects and seat not in seats else seats

    ballot = None
    if "consent" in effects:
        fault = next(fault for fault in reversed(state.found) if fault.seat == seat)
        ballot = Ballot("continue", fault, without(state.order, seat))
    return replace(
        state,
        fines=(*state.fines, fined),
        banned=with_seat(state.banned, "banUltimo"),
        barren=with_seat(state.barren, "winNothing"),
        liable=with_seat(state.liable, "ultimoCost"),
        silenced=with_seat(state.silenced, "noDeclare"),
        stopping=state.stopping or "stop" in effects,
        ballot=ballot,
    )
