"""One deal of either family: `decide`, `evolve`, `legal`, `seen_by`, `replay`.

The log is the truth. `decide` says what follows from a wish and may refuse it; `evolve` applies a fact and
never does; a seat's view is the fold of what that seat saw. Who plays which family is told by the type of
the rules, and by nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from ultimo import events as e
from ultimo.cards import PACK, Card
from ultimo.family import Outcome, family
from ultimo.family import State as State
from ultimo.play.chance import Chance
from ultimo.play.choices import Choices
from ultimo.rulebook import Rules


def begin(rules: Rules, opened: e.Opened) -> tuple[e.DealEvent, ...]:
    """The facts with which a deal begins."""
    return family(rules).begin(rules, opened)


def initial(rules: Rules, opened: e.Opened) -> State:
    """The state of a deal that has just been opened."""
    return family(rules).initial(rules, opened)


def evolve(rules: Rules, state: State, event: e.DealEvent) -> State:
    """The state after a fact. Never refuses: the past is not up for debate."""
    return family(rules).evolve(rules, state, event)


def replay(rules: Rules, events: Iterable[e.DealEvent]) -> State:
    """The state to which a log, or what a seat saw of it, comes."""
    log = iter(events)
    opened = next(log)
    assert isinstance(opened, e.Opened)
    state = initial(rules, opened)
    for event in log:
        state = evolve(rules, state, event)
    return state


def legal(rules: Rules, state: State, seat: e.Seat) -> Choices:
    """All that a seat may do now: exactly what `decide` accepts."""
    return family(rules).legal(rules, state, seat)


def waiting_for(rules: Rules, state: State) -> tuple[e.Seat, ...]:
    """The seats whose action the deal waits for; nobody while it waits for cards, or is over."""
    return family(rules).waiting_for(rules, state)


def step(
    rules: Rules, state: State, seat: e.Seat | None, action: e.Action
) -> tuple[State, tuple[e.DealEvent, ...]]:
    """The state after a granted wish and the facts told, or `IllegalAction`."""
    return family(rules).step(rules, state, seat, action)


def decide(rules: Rules, state: State, seat: e.Seat | None, action: e.Action) -> tuple[e.DealEvent, ...]:
    """The facts that follow from a wish, or `IllegalAction`. Changes nothing."""
    return step(rules, state, seat, action)[1]


def seen_by(rules: Rules, state: State, viewer: e.Seat | None, event: e.DealEvent) -> e.DealEvent:
    """The event as a seat saw it; `None` is a spectator. `state` is the state in which it happened."""
    return family(rules).seen_by(rules, state, viewer, event)


def needs_cards(state: State) -> bool:
    """Whether chance must deal now: not while a vote is taken."""
    return state.needs_cards


def is_over(state: State) -> bool:
    """Whether nothing more happens in this deal."""
    return state.phase == "closed"


def shuffled(rng: Chance) -> tuple[Card, ...]:
    """A pack in random order."""
    return tuple(rng.sample(PACK, len(PACK)))


def deal_out(rules: Rules, state: State, deck: Sequence[Card], rng: Chance) -> e.Deal:
    """The hands that a pack gives in the order of this table; `rng` chooses where the chien falls."""
    return family(rules).deal_from(rules, state, deck, rng)


NOTHING_PAID = e.Settlement(())  # where nobody has played


def settle(rules: Rules, outcome: Outcome) -> e.Settlement:
    """Every payment of a deal that went so, or `ImpossibleOutcome` if none can."""
    family(rules).check(rules, outcome)
    return family(rules).settle(rules, outcome)


# What a seat, or chance, wished where this was told first: the wish, and the fields that both have.
_GRANTED: dict[type[e.DealEvent], tuple[Callable[..., e.Action], tuple[str, ...]]] = {
    e.CardPlayed: (e.Play, ("card", "named")),
    e.Dealt: (e.Deal, ("hands", "chien")),
    e.CardsCorrected: (e.Deal, ("hands",)),
    e.SkatLaid: (e.Lay, ("cards", "tout")),
    e.EcartLaid: (e.Lay, ("cards",)),
    e.Declared: (e.Declare, ("declarations",)),
    e.Announced: (e.Announce, ("kind",)),
    e.PlayedOutOfTurn: (e.Play, ("card",)),
    e.WrongDemand: (e.DemandSkus, ()),
    e.VoidAnswered: (e.Answer, ("have",)),
    e.SkusRenamed: (e.NameSkus, ("suit",)),
    e.ClaimMade: (e.Claim, ("offence", "against")),
    e.Voted: (e.Vote, ("yes",)),
    e.CountEntered: (e.EnterCount, ("points",)),
    e.BidMade: (e.Bid, ("bid",)),
    e.Called: (e.Call, ("card",)),
    e.PoigneeShown: (e.ShowPoignee, ("cards",)),
    e.PackCut: (e.Cut, ("at",)),
    e.HandAccepted: (e.Accept, ()),
    e.CountConfirmed: (e.Accept, ()),
    e.RedealDemanded: (e.DemandRedeal, ()),
    e.CountObjected: (e.ObjectCount, ()),
    e.RedealChosen: (e.Redeal, ()),
    e.CupsMoved: (e.MoveCups, ()),
    e.Declined: (e.Decline, ()),
    e.VoidClaimed: (e.ClaimVoid, ()),
    e.RecountDemanded: (e.Recount, ()),
    e.Passed: (e.Pass, ()),
}


def cause(state: State, event: e.DealEvent) -> tuple[e.Seat | None, e.Action] | None:
    """The wish that a fact grants: who wished it, and what. None for what the table itself tells.

    Asked of the first of the facts that followed from a wish, it gives that wish back; so a log can be
    checked by deciding it all over again.
    """
    match event:
        case e.DemandAnswered(seat=seat, demand=demand):
            return seat, e.DemandSkus() if demand else e.Decline()
        case e.SkusDemanded(by=(seat, *_)):
            return seat, e.DemandSkus()
        case e.TarokLaidAnswer(by=seat):
            return seat, e.AskTarokLaid()
        case e.DealClosed(result="passed"):
            return state.dealer, e.PassDeal()
        case _ if type(event) in _GRANTED:
            wish, fields = _GRANTED[type(event)]
            by = event.seat if isinstance(event, e.BySeat) else None
            return by, wish(*(getattr(event, field) for field in fields))
        case _:
            return None
