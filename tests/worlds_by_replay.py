"""Whether a world fits what a seat saw: by playing the deal again in that world, slowly and obviously."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from ultimo import danish, deal, french
from ultimo.cards import SUITS_WORD, Cards, cards, mask
from ultimo.events import (
    Action,
    ChienShown,
    Deal,
    DealEvent,
    Dealt,
    Decline,
    DemandAnswered,
    DemandSkus,
    EcartLaid,
    IllegalAction,
    Lay,
    Opened,
    PackCut,
    RedealDemanded,
    Seat,
    SkatLaid,
    SkusDemanded,
    WrongDemand,
)
from ultimo.kernel.jit import Ints
from ultimo.kernel.worlds.count import GOT_SUITS, GOT_TRUMPS, LEFT, is_allowed, paper
from ultimo.kernel.worlds.fit import declares_as_heard, holds_what_it_must, lays_as_heard
from ultimo.kernel.worlds.knowledge import ALLOWED, DOUBTFUL, ROOM, SUITS, TRUMPS_WORD, Knowledge
from ultimo.play.following import FIRST_TRUMP
from ultimo.rulebook import Rules


def fits(knowledge: Knowledge, world: Sequence[Cards]) -> bool:
    """Whether a world is one of those that `worlds` draws from this knowledge."""
    for row, (suits, trumps) in enumerate(knowledge.known):
        if (int(suits) | int(trumps) << FIRST_TRUMP) & ~world[row]:
            return False
    sheets = paper()
    desk = sheets.desk
    desk[LEFT, : len(knowledge.places)] = knowledge.places[:, ROOM]
    for level in range(len(knowledge.classes) + 1):
        if not is_allowed(knowledge, level, desk):
            return False
        if level < len(knowledge.classes) and not _lies(knowledge, level, world, desk):
            return False
    return (
        not any(desk[LEFT])
        and declares_as_heard(knowledge, sheets)
        and holds_what_it_must(knowledge, desk)
        and (not knowledge.laid[DOUBTFUL] or lays_as_heard(knowledge, sheets))
    )


def _lies(knowledge: Knowledge, kind: int, world: Sequence[Cards], desk: Ints) -> bool:
    """Whether the cards of a class lie where they may; notes them on the desk."""
    one = knowledge.classes[kind]
    missing = int(one[SUITS]) | int(one[TRUMPS_WORD]) << FIRST_TRUMP
    for place, (row, _) in enumerate(knowledge.places):
        here = missing & world[row]
        if here and not one[ALLOWED] >> place & 1:
            return False
        missing &= ~here
        desk[LEFT, place] -= here.bit_count()
        desk[GOT_SUITS, place] |= here & SUITS_WORD
        desk[GOT_TRUMPS, place] |= here >> FIRST_TRUMP
    return not missing


def consistent(rules: Rules, viewer: Seat | None, seen: Sequence[DealEvent], world: Sequence[Cards]) -> bool:
    """Whether the viewer would have seen exactly this, had the cards lain as in `world`.

    `world` has the cards of each seat, and in the last place those laid aside (skat, écart, closed chien).
    Every wish that was granted must be legal there, and tell the viewer the same. Made for tables without
    errors.
    """
    opened = seen[0]
    assert isinstance(opened, Opened)
    opened = replace(opened, deck=())  # a pack that is not shuffled could be any, as nobody has seen it
    state = deal.initial(rules, opened)
    told = _last_dealt(seen[1:])
    dealt = as_dealt(deal.replay(rules, seen), told, world)
    at = 0
    for event in deal.begin(rules, opened)[1:]:
        state = deal.evolve(rules, state, event)
        at += 1
    while at < len(told):
        wish = _wish(state, told, at, dealt, world)
        if wish is None:
            return False
        try:
            events = deal.decide(rules, state, *wish)
        except IllegalAction:
            return False
        for event in events:
            if at == len(told) or deal.seen_by(rules, state, viewer, event) != told[at]:
                return False
            state = deal.evolve(rules, state, event)
            at += 1
    return True


def _last_dealt(seen: Sequence[DealEvent]) -> list[DealEvent]:
    """What was seen without the cut, and without cards that were thrown in and dealt again."""
    told: list[DealEvent] = []
    before = 0
    for event in seen:
        if isinstance(event, Dealt):
            before = len(told)
        if isinstance(event, RedealDemanded):
            del told[before:]
        elif not isinstance(event, PackCut):
            told.append(event)
    return told


def as_dealt(state: deal.State, told: Sequence[DealEvent], world: Sequence[Cards]) -> Deal:
    """The cards as they must have been dealt, if they lie now as in `world`; `state` is what was seen."""
    hands = list(world[:-1])
    for plays in (*(trick.plays for trick in state.tricks), state.trick):
        for play in plays:
            hands[play.seat] |= play.card.bit
    if isinstance(state, danish.State):
        hands[state.dealer] |= world[-1]
        return Deal(tuple(map(cards, hands)))
    chien = next((mask(event.cards) for event in told if isinstance(event, ChienShown)), None)
    if chien is None:
        return Deal(tuple(map(cards, hands)), cards(world[-1]))
    assert isinstance(state, french.State)
    assert state.taker is not None
    hands[state.taker] = (hands[state.taker] | world[-1]) & ~chien
    return Deal(tuple(map(cards, hands)), cards(chien))


def _wish(
    state: deal.State, told: Sequence[DealEvent], at: int, dealt: Deal, world: Sequence[Cards]
) -> tuple[Seat | None, Action] | None:
    """The wish behind what was seen next, with the hidden cards as they are in this world."""
    match told[at]:
        case Dealt():
            return None, dealt
        case SkatLaid(seat=seat, tout=tout):
            return seat, Lay(cards(world[-1]), tout)
        case EcartLaid(seat=seat):
            return seat, Lay(cards(world[-1]))
        case DemandAnswered(seat=seat, demand=None):
            return seat, DemandSkus() if seat in _demanders(told[at:]) else Decline()
        case event:
            return deal.cause(state, event)


def _demanders(told: Sequence[DealEvent]) -> tuple[Seat, ...]:
    """Who demands the skus, as is told when all have answered; nobody, as far as they have not."""
    seats: list[Seat] = []
    for event in told:
        match event:
            case DemandAnswered():
                pass
            case SkusDemanded(by=by):
                return by
            case WrongDemand(seat=seat):
                seats.append(seat)
            case _:
                break
    return tuple(seats)
