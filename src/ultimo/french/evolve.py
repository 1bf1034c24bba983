"""Applying facts to the state of a French deal. Facts are not refused; nonsense is passed over."""

from __future__ import annotations

from msgspec.structs import replace

from ultimo import events as e
from ultimo.cards import ALL_TRUMPS, KINGS, SKUS, UNSEEN, Cards, mask
from ultimo.french import phases
from ultimo.french.following import trump_number
from ultimo.french.numbers import numbers
from ultimo.french.outcome import seat_number
from ultimo.french.reckoning import NO_SEAT
from ultimo.french.state import State, Trick
from ultimo.play.following import NO_SUIT, in_force
from ultimo.play.story import Story, put
from ultimo.rulebook import FrenchRules


def begin(rules: FrenchRules, opened: e.Opened) -> tuple[e.DealEvent, ...]:
    """The first events of a deal: it is opened, and nothing is paid before the cards."""
    return (opened,)


def initial(rules: FrenchRules, opened: e.Opened) -> State:
    """The state of a deal that has just been opened. A pack that is not shuffled waits to be cut."""
    nobody = (0,) * rules.players
    state = State(
        table=rules.players,
        dealer=opened.dealer % rules.players,
        net=nobody,
        hands=nobody,
        unseen=nobody,
        dealt=nobody,
        won=nobody,
        sides_public=rules.call.card == "none",
    )
    if rules.deal.shuffle == "never" and opened.deck:
        cutter = (state.dealer - 1) % rules.players
        return replace(state, phase="cut", turn=cutter, deck=opened.deck)
    return state


def evolve(rules: FrenchRules, state: State | None, event: e.DealEvent) -> State:
    """The state after `event`; `Opened` begins one."""
    if state is None or type(event) is e.Opened:
        return initial(rules, event if type(event) is e.Opened else e.Opened(rules.players, 0, ()))
    match event:
        case e.CardPlayed():
            return _card_played(rules, state, event)
        case e.TrickWon(seat=seat):
            return _trick_won(rules, state, seat)
        case e.BidMade() | e.Passed():
            return _spoken(rules, state, event)
        case e.Dealt():
            return _dealt(rules, state, event)
        case e.Paid(transfers=transfers):
            return replace(state, net=e.posted(state.net, e.balances(transfers)))
        case e.ChienShown():
            return _chien_shown(state, event)
        case e.EcartLaid():
            return _ecart_laid(rules, state, event)
        case e.Declined(seat=seat):
            return _declined(rules, state, seat)
        case e.Announced(seat=seat, kind="slam"):
            if state.phase != "slam" or seat != state.turn:
                return state
            return _first_lead(rules, replace(state, slam=seat))
        case e.Called():
            return _called(rules, state, event)
        case e.PoigneeShown():
            if state.phase != "play" or event.seat != state.turn:
                return state
            state = replace(state, poignees=(*state.poignees, event))
            return _seen(state, event.seat, mask(event.cards) & ~state.trumps_laid)
        case e.PartnerRevealed(seat=seat):
            return replace(state, holder=seat, sides_public=True)
        case e.TakerAloneRevealed():
            return replace(state, sides_public=True)
        case e.ExcuseKept() | e.ExcuseLost() | e.ExcuseWins():
            return replace(state, excuse_told=True)
        case e.Revealed():
            return _revealed(state, event)
        case e.Counted(points=points):
            return replace(state, counted=points)
        case e.DealClosed(result=result):
            return replace(state, phase="closed", turn=None, result=result)
        case e.PackCut(at=at) if state.phase == "cut":
            return replace(state, phase="dealing", turn=None, deck=state.deck[at:] + state.deck[:at])
        case e.PetitSec(seat=seat, hand=hand) if 0 <= seat < state.table:
            return _seen(state, seat, mask(hand))
        case _:
            return state


class DealStory(Story[FrenchRules, State]):
    """The story of a French deal."""

    __slots__ = ()
    evolve = staticmethod(evolve)


# --- before the first card -----------------------------------------------------------------------------


def _dealt(rules: FrenchRules, state: State, event: e.Dealt) -> State:
    if state.phase != "dealing" or len(event.hands) != state.table:
        return state
    hands = tuple(map(mask, event.hands))
    return replace(
        state,
        deck=(),
        hands=hands,
        dealt=hands,
        unseen=tuple(hand.count(UNSEEN) for hand in event.hands),
        chien=mask(event.chien),
        chien_unseen=event.chien.count(UNSEEN),
        phase="bid",
        turn=state.forehand,
    )


def _spoken(rules: FrenchRules, state: State, event: e.BidMade | e.Passed) -> State:
    """A bid or a pass; after the last one the contract stands, if there is one."""
    if state.phase != "bid" or event.seat != state.turn:
        return state
    taker, contract = state.taker, state.contract
    if type(event) is e.BidMade:
        taker, contract = event.seat, next((row for row in rules.bid.ladder if row.id == event.bid), None)
        if contract is None:
            return state
    bids = (*state.bids, event)
    state = replace(state, bids=bids, taker=taker, contract=contract, turn=state.after(event.seat))
    return state if len(state.bids) < state.table else _go_on(rules, state, phases.BIDDING)


def _called(rules: FrenchRules, state: State, event: e.Called) -> State:
    """The card is named. The table knows who holds it; so does that seat, and nobody else."""
    if state.phase != "call" or event.seat != state.turn:
        return state
    holder = next((seat for seat, hand in enumerate(state.hands) if hand & event.card.bit), None)
    return _go_on(rules, replace(state, called=event.card, holder=holder), phases.CALLING)


def _go_on(rules: FrenchRules, state: State, over: int) -> State:
    """Go to the step that comes next; until the chien is turned, or the deal closed, it waits for nobody."""
    contract = 0 if state.contract is None else rules.bid.ladder.index(state.contract)
    match phases.comes_next(numbers(rules), over, seat_number(state.taker), contract):
        case phases.CALLING:
            return replace(state, phase="call", turn=state.taker)
        case phases.SLAM:
            return replace(state, phase="slam", turn=state.taker)
        case _:
            return replace(state, turn=None)


def _chien_shown(state: State, event: e.ChienShown) -> State:
    taker = event.seat
    if taker != state.taker or state.phase not in ("bid", "call"):
        return state
    return replace(
        state,
        hands=put(state.hands, taker, state.hands[taker] | mask(event.cards)),
        chien=0,
        chien_unseen=0,
        shown=mask(event.cards),
        phase="ecart",
        turn=taker,
    )


def _ecart_laid(rules: FrenchRules, state: State, event: e.EcartLaid) -> State:
    """The taker lays. Who does not see the cards knows still that kings and trumps not shown are kept."""
    taker = event.seat
    if state.phase != "ecart" or taker != state.turn:
        return state
    shown = mask(event.shown)
    laid = mask(event.cards) | shown
    laid_unseen = len(event.cards) - laid.bit_count()
    kept = state.hands[taker] & ~laid
    if laid_unseen:
        kept &= KINGS | ALL_TRUMPS
    left = state.size(taker) - len(event.cards)
    state = replace(
        state,
        hands=put(state.hands, taker, kept),
        unseen=put(state.unseen, taker, left - kept.bit_count()),
        ecart=laid,
        ecart_unseen=laid_unseen,
        trumps_laid=shown,
    )
    return _go_on(rules, state, phases.LAYING)


def _declined(rules: FrenchRules, state: State, seat: e.Seat) -> State:
    """No slam from this seat: the next one is asked, or the tricks begin."""
    if state.phase != "slam" or seat != state.turn:
        return state
    assert state.taker is not None
    following = phases.asked_after(numbers(rules), state.dealer, state.taker, seat)
    return _first_lead(rules, state) if following == NO_SEAT else replace(state, turn=following)


def _first_lead(rules: FrenchRules, state: State) -> State:
    """The tricks begin."""
    leader = phases.first_leader(numbers(rules), state.dealer, seat_number(state.slam))
    return replace(state, phase="play", turn=leader)


# --- the tricks and the end ----------------------------------------------------------------------------


def _card_played(rules: FrenchRules, state: State, event: e.CardPlayed) -> State:
    seat = event.seat
    if state.phase != "play" or seat != state.turn:
        return state
    hand, bit = state.hands[seat], event.card.bit
    hands, unseen = state.hands, state.unseen
    if hand & bit:
        hands = put(hands, seat, hand ^ bit)
    elif unseen[seat]:
        unseen = put(unseen, seat, unseen[seat] - 1)
    else:
        return state
    card, trick = event.card.index, (*state.trick, event)
    return replace(
        state,
        hands=hands,
        unseen=unseen,
        trick=trick,
        led=in_force(state.led, card),
        top=max(state.top, trump_number(card)),
        turn=(seat + 1) % state.table if len(trick) < state.table else None,
    )


def _trick_won(rules: FrenchRules, state: State, seat: e.Seat) -> State:
    if len(state.trick) < state.table or not 0 <= seat < state.table:
        return state
    trick = Trick(state.trick, seat)
    pile = trick.cards
    tricks = (*state.tricks, trick)
    return replace(
        state,
        trick=(),
        led=NO_SUIT,
        top=0,
        tricks=tricks,
        won=put(state.won, seat, state.won[seat] | pile),
        excuse=len(state.tricks) if pile & SKUS else state.excuse,
        turn=seat if len(tricks) < rules.deal.hand else None,
    )


def _revealed(state: State, event: e.Revealed) -> State:
    """At the count everybody sees the écart or the closed chien, and knows the sides."""
    holder = state.holder if event.partner is None else event.partner
    state = replace(state, sides_public=True, holder=holder)
    cards = mask(event.cards)
    if state.chien_unseen or state.chien:
        return replace(state, chien=cards, chien_unseen=0)
    return replace(state, ecart=cards, ecart_unseen=0)


def _seen(state: State, seat: e.Seat, shown: Cards) -> State:
    """A hand shows cards: a reader who did not know them does now."""
    new = shown & ~state.hands[seat]
    if new.bit_count() > state.unseen[seat]:
        return state
    return replace(
        state,
        hands=put(state.hands, seat, state.hands[seat] | new),
        unseen=put(state.unseen, seat, state.unseen[seat] - new.bit_count()),
    )
