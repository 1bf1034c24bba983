"""One deal of either family: `decide`, `evolve`, `legal`, `seen_by`, `replay`.

The log is the truth. `decide` says what follows from a wish and may refuse it; `evolve` applies a fact and
never does; a seat's view is the fold of what that seat saw. Who plays which family is told by the type of
the rules, and by nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from types import ModuleType
from typing import TypeAlias

from ultimo import danish, french
from ultimo.cards import PACK, Card, cards
from ultimo.events import (
    Accept,
    Action,
    Announce,
    Announced,
    Answer,
    AskTarokLaid,
    Bid,
    BidMade,
    Call,
    Called,
    CardPlayed,
    CardsCorrected,
    Claim,
    ClaimMade,
    ClaimVoid,
    CountConfirmed,
    CountEntered,
    CountObjected,
    CupsMoved,
    Cut,
    Deal,
    DealClosed,
    DealEvent,
    Dealt,
    Declare,
    Declared,
    Decline,
    Declined,
    DemandAnswered,
    DemandRedeal,
    DemandSkus,
    EcartLaid,
    EnterCount,
    HandAccepted,
    Lay,
    MoveCups,
    NameSkus,
    ObjectCount,
    Opened,
    PackCut,
    Pass,
    PassDeal,
    Passed,
    Play,
    PlayedOutOfTurn,
    PoigneeShown,
    Recount,
    RecountDemanded,
    Redeal,
    RedealChosen,
    RedealDemanded,
    Seat,
    ShowPoignee,
    SkatLaid,
    SkusDemanded,
    SkusRenamed,
    TarokLaidAnswer,
    VoidAnswered,
    VoidClaimed,
    Vote,
    Voted,
    WrongDemand,
)
from ultimo.play.chance import Chance
from ultimo.play.choices import Choices
from ultimo.rulebook import DanishRules, FrenchRules, Rules

State: TypeAlias = danish.State | french.State

_FAMILIES: dict[type[Rules], ModuleType] = {DanishRules: danish, FrenchRules: french}


def begin(rules: Rules, opened: Opened) -> tuple[DealEvent, ...]:
    """The facts with which a deal begins."""
    events: tuple[DealEvent, ...] = _FAMILIES[type(rules)].begin(rules, opened)
    return events


def initial(rules: Rules, opened: Opened) -> State:
    """The state of a deal that has just been opened."""
    return danish.initial(opened) if isinstance(rules, DanishRules) else french.initial(rules, opened)


def evolve(rules: Rules, state: State, event: DealEvent) -> State:
    """The state after a fact. Never refuses: the past is not up for debate."""
    after: State = _FAMILIES[type(rules)].evolve(rules, state, event)
    return after


def replay(rules: Rules, events: Iterable[DealEvent]) -> State:
    """The state to which a log, or what a seat saw of it, comes."""
    log = iter(events)
    opened = next(log)
    assert isinstance(opened, Opened)
    state = initial(rules, opened)
    for event in log:
        state = evolve(rules, state, event)
    return state


def legal(rules: Rules, state: State, seat: Seat) -> Choices:
    """All that a seat may do now: exactly what `decide` accepts."""
    choices: Choices = _FAMILIES[type(rules)].legal(rules, state, seat)
    return choices


def waiting_for(rules: Rules, state: State) -> tuple[Seat, ...]:
    """The seats whose action the deal waits for; nobody while it waits for cards, or is over."""
    seats: tuple[Seat, ...] = _FAMILIES[type(rules)].waiting_for(rules, state)
    return seats


def step(
    rules: Rules, state: State, seat: Seat | None, action: Action
) -> tuple[State, tuple[DealEvent, ...]]:
    """The state after a granted wish and the facts told, or `IllegalAction`."""
    after: tuple[State, tuple[DealEvent, ...]] = _FAMILIES[type(rules)].step(rules, state, seat, action)
    return after


def decide(rules: Rules, state: State, seat: Seat | None, action: Action) -> tuple[DealEvent, ...]:
    """The facts that follow from a wish, or `IllegalAction`. Changes nothing."""
    return step(rules, state, seat, action)[1]


def seen_by(rules: Rules, state: State, viewer: Seat | None, event: DealEvent) -> DealEvent:
    """The event as a seat saw it; `None` is a spectator. `state` is the state in which it happened."""
    seen: DealEvent = _FAMILIES[type(rules)].seen_by(rules, state, viewer, event)
    return seen


def needs_cards(state: State) -> bool:
    """Whether chance must deal now: not while a vote is taken."""
    voting = isinstance(state, danish.State) and state.ballot is not None
    return state.phase in ("dealing", "correcting") and not voting


def is_over(state: State) -> bool:
    """Whether nothing more happens in this deal."""
    return state.phase == "closed"


def shuffled(rng: Chance) -> tuple[Card, ...]:
    """A pack in random order."""
    return tuple(rng.sample(PACK, len(PACK)))


def deal_out(rules: Rules, state: State, deck: Sequence[Card], rng: Chance) -> Deal:
    """The hands that a pack gives in the order of this table; `rng` chooses where the chien falls."""
    if isinstance(state, danish.State):
        if state.phase == "correcting":
            return danish.corrected(state.order, tuple(map(cards, state.hands)), deck)
        return danish.deal_out(state.table, state.order, deck)
    assert isinstance(rules, FrenchRules)
    return french.deal_out(rules, state.dealer, deck, french.chien_positions(rules, rng))


def cause(state: State, event: DealEvent) -> tuple[Seat | None, Action] | None:
    """The wish that a fact grants: who wished it, and what. None for what the table itself tells.

    Asked of the first of the facts that followed from a wish, it gives that wish back; so a log can be
    checked by deciding it all over again.
    """
    match event:
        case CardPlayed(seat=seat, card=card, named=named):
            return seat, Play(card, named)
        case Dealt(hands=hands, chien=chien):
            return None, Deal(hands, chien)
        case CardsCorrected(hands=hands):
            return None, Deal(hands)
        case SkatLaid(seat=seat, cards=laid, tout=tout):
            return seat, Lay(laid, tout)
        case EcartLaid(seat=seat, cards=laid):
            return seat, Lay(laid)
        case Declared(seat=seat, declarations=made):
            return seat, Declare(made)
        case Announced(seat=seat, kind=kind):
            return seat, Announce(kind)
        case PlayedOutOfTurn(seat=seat, card=card):
            return seat, Play(card)
        case DemandAnswered(seat=seat, demand=demand):
            return seat, DemandSkus() if demand else Decline()
        case SkusDemanded(by=(seat, *_)) | WrongDemand(seat=seat):
            return seat, DemandSkus()
        case VoidAnswered(seat=seat, have=have):
            return seat, Answer(have)
        case SkusRenamed(seat=seat, suit=suit):
            return seat, NameSkus(suit)
        case ClaimMade(seat=seat, against=against, offence=offence):
            return seat, Claim(offence, against)
        case Voted(seat=seat, yes=yes):
            return seat, Vote(yes)
        case CountEntered(seat=seat, points=points):
            return seat, EnterCount(points)
        case BidMade(seat=seat, bid=bid):
            return seat, Bid(bid)
        case Called(seat=seat, card=card):
            return seat, Call(card)
        case PoigneeShown(seat=seat, cards=shown):
            return seat, ShowPoignee(shown)
        case PackCut(seat=seat, at=at):
            return seat, Cut(at)
        case TarokLaidAnswer(by=seat):
            return seat, AskTarokLaid()
        case DealClosed(result="passed"):
            return state.dealer, PassDeal()
        case _ if type(event) in _WORDLESS:
            return event.seat, _WORDLESS[type(event)]  # type: ignore[union-attr]
        case _:
            return None


_WORDLESS: dict[type[DealEvent], Action] = {
    HandAccepted: Accept(),
    CountConfirmed: Accept(),
    RedealDemanded: DemandRedeal(),
    CountObjected: ObjectCount(),
    RedealChosen: Redeal(),
    CupsMoved: MoveCups(),
    Declined: Decline(),
    VoidClaimed: ClaimVoid(),
    RecountDemanded: Recount(),
    Passed: Pass(),
}
