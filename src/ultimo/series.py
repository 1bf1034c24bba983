"""Deals in a row: who deals, who sits out, the cups and the totals, and the end of the session.

The same trio one level up: a series is the fold of its events, among which those of its deals.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from msgspec import Struct
from msgspec.structs import replace

from ultimo import deal
from ultimo import events as e
from ultimo.cards import Card
from ultimo.events import IllegalAction
from ultimo.fair import DRAWING, Stream, lot
from ultimo.family import family
from ultimo.play.chance import Chance
from ultimo.play.choices import NOTHING, Choices, actions
from ultimo.play.places import BLOCK, Places, begun
from ultimo.rulebook import Rules, citation


class State(Struct, frozen=True):
    """Everything that has happened in a series."""

    names: tuple[str, ...]
    dealer: e.Seat  # of the deal being played, or of the next one
    out: e.Seat | None
    totals: tuple[int, ...]
    king: int = 0
    pagat: int = 0
    deals: int = 0  # that have been closed
    unfounded: tuple[e.Cup, ...] = ()  # cups to be founded before the next deal
    founded: tuple[e.Seat, ...] = ()  # who has done so already, at a strict table
    short: tuple[tuple[e.Cup, int], ...] = ()  # founding that was forgotten
    ultimator: e.Seat | None = None  # who sees to it that the cups are founded
    deal: deal.State | None = None  # the present deal, or the last one
    last_dealer: e.Seat = 0
    deck: tuple[Card, ...] = ()  # the pack as picked up, where it is not shuffled
    closed: bool = False
    begun: int = 0  # deals that one of five had sat out before the first

    @property
    def table(self) -> int:
        """How many sit at the table."""
        return len(self.names)

    @property
    def cups(self) -> dict[e.Cup, int]:
        """What the cups hold."""
        return {"king": self.king, "pagat": self.pagat}

    @property
    def playing(self) -> bool:
        """Whether a deal is under way."""
        return self.deal is not None and not deal.is_over(self.deal)


# --- seating -------------------------------------------------------------------------------------------


def seated(rules: Rules, table: int, dealer: e.Seat, out: e.Seat | None = None) -> tuple[e.Seat, ...]:
    """Who plays when this seat deals: forehand first, the dealer last."""
    return family(rules).seated(rules, table, dealer, out)


def next_places(rules: Rules, table: int, deals: int, dealer: e.Seat, out: e.Seat | None) -> Places:
    """Who deals next, and who then sits out, when so many deals are over."""
    return family(rules).next_places(rules, table, deals, dealer, out)


def deals_again(rules: Rules, table: int) -> bool:
    """Whether the same player deals again after a deal that nobody has played."""
    return family(rules).deals_again(rules, table)


def first_out(rules: Rules, table: int, dealer: e.Seat) -> e.Seat | None:
    """Who begins by sitting out for five deals, where one of five does so."""
    return family(rules).first_out(rules, table, dealer)


def draw(rules: Rules, table: int, rng: Chance) -> tuple[Card, ...]:
    """The cards that are drawn for the first deal, one a seat; nothing, where it is given by lot."""
    return family(rules).draw(rules, table, rng)


def drawn_dealer(rules: Rules, drawn: Sequence[Card]) -> e.Seat | None:
    """Who deals first after such cards have been drawn."""
    return family(rules).drawn_dealer(rules, drawn)


def first_dealers(rules: Rules, table: int, people: Sequence[e.Seat]) -> tuple[e.Seat, ...]:
    """The seats among which the first dealer is drawn: where one person plays with bots, that person plays.

    The books draw among all; with four or five that would have some people begin by sitting out.
    """
    every = tuple(range(table))
    if len(people) != 1:
        return every
    return tuple(
        dealer
        for dealer in every
        if people[0] in seated(rules, table, dealer, first_out(rules, table, dealer))
    )


def first_dealer(
    rules: Rules, table: int, people: Sequence[e.Seat], key: str
) -> tuple[e.Seat, tuple[Card, ...]]:
    """Who deals first by a key, and the cards that are drawn for it; without cards it goes by lot (I-1.6)."""
    drawn = draw(rules, table, Stream(key, DRAWING))
    dealer = drawn_dealer(rules, drawn)
    return lot(key, first_dealers(rules, table, people)) if dealer is None else dealer, drawn


def deals_in_round(rules: Rules, table: int) -> int:
    """How many deals it takes until everybody has dealt as often as everybody else."""
    return table if first_out(rules, table, 0) is None else BLOCK * table


# --- facts ---------------------------------------------------------------------------------------------


def evolve(rules: Rules, state: State | None, event: e.Event) -> State:
    """The state after a fact."""
    match event:
        case e.SeriesOpened(names=names, dealer=dealer, out=out):
            cups = rules.accounts if rules.has_cups else ()
            return State(names, dealer, out, (0,) * len(names), unfounded=cups, begun=begun(dealer, out))
        case _ if state is None:
            raise ValueError("a series begins with SeriesOpened")
        case e.Opened():
            first = deal.initial(rules, event)
            return replace(state, deal=first, last_dealer=event.dealer, unfounded=(), founded=())
        case e.Paid():
            return _paid(rules, state, event)
        case e.FoundingMissed(cup=cup, points=points):
            return replace(state, short=(*state.short, (cup, points)))
        case e.CupsDivided():
            return state
        case e.SeriesClosed():
            return replace(state, closed=True)
        case _:
            return _in_deal(rules, state, event)


def _paid(rules: Rules, state: State, event: e.Paid) -> State:
    gained = e.balances(event.transfers)
    founders = (cast(e.Seat, one.payer) for one in event.transfers if one.reason == "found")
    made_good = any(one.reason == "shortFounding" for one in event.transfers)
    state = replace(
        state,
        totals=e.posted(state.totals, gained),
        king=state.king + gained["king"],
        pagat=state.pagat + gained["pagat"],
        founded=tuple(dict.fromkeys((*state.founded, *founders))),
        short=() if made_good else state.short,
    )
    return _in_deal(rules, state, event) if state.playing else state


def _in_deal(rules: Rules, state: State, event: e.DealEvent) -> State:
    if state.deal is None:
        return state
    state = replace(state, deal=deal.evolve(rules, state.deal, event))
    match event:
        case e.CupEmptied(cup=cup, seat=seat):
            return replace(state, unfounded=(*state.unfounded, cup), ultimator=seat)
        case e.DealClosed():
            return _rotated(rules, state)
        case _:
            return state


def _rotated(rules: Rules, state: State) -> State:
    """The series after a deal: the next dealer, and after five deals the next to sit out."""
    deals = state.deals + 1
    dealer, out = next_places(rules, state.table, state.begun + deals, state.dealer, state.out)
    deck = family(rules).picked_up(rules, state.deal) if state.deal is not None else ()
    return replace(state, deals=deals, dealer=dealer, out=out, deck=deck)


def booked(rules: Rules, state: State, settled: e.Settlement, *, played: bool = True) -> State:
    """The series after a deal that was played elsewhere, or by nobody: only its payments are known."""
    state = _paid(rules, state, e.Paid(settled.transfers))
    for cup, seat in settled.emptied:
        state = replace(state, unfounded=(*state.unfounded, cup), ultimator=seat)
    if not played and deals_again(rules, state.table):
        return replace(state, deals=state.deals + 1, last_dealer=state.dealer)
    return _rotated(rules, replace(state, last_dealer=state.dealer))


def seen_by(rules: Rules, state: State, viewer: e.Seat | None, event: e.Event) -> e.Event:
    """The event as a seat, or a spectator, saw it; `state` is the state in which it happened."""
    match event:
        case e.SeriesOpened() | e.FoundingMissed() | e.CupsDivided() | e.SeriesClosed():
            return event
        case e.Opened():
            return deal.seen_by(rules, deal.initial(rules, event), viewer, event)
        case _ if state.deal is None:
            return event
        case _:
            return deal.seen_by(rules, state.deal, viewer, event)


def cut_pack(state: State) -> tuple[Card, ...]:
    """The pack from which the cards are dealt where it is not shuffled; empty where it is."""
    return state.deal.deck if state.deal is not None else ()


# --- wishes --------------------------------------------------------------------------------------------


def open_series(
    rules: Rules,
    names: Sequence[str],
    dealer: e.Seat = 0,
    out: e.Seat | None = None,
    drawn: Sequence[Card] = (),
    *,
    on_sheet: bool = False,
) -> tuple[e.Event, ...]:
    """People sit down; `dealer` has been drawn by lot, or by the cards `drawn` where they are known.

    Where one of five sits out for five deals, `out` says who does so if some of them are over. A table
    whose score is only kept `on_sheet` can be larger than one that is played here.
    """
    table, sizes = len(names), rules.sheet_sizes if on_sheet else rules.sizes
    if table not in sizes:
        raise IllegalAction("wrongTableSize", book=rules.id, sizes=sizes, table=table)
    if not 0 <= dealer < table:
        raise IllegalAction("noSuchSeat", seat=dealer, table=table)
    usual = first_out(rules, table, dealer)
    if out is not None and (usual is None or out not in range(table) or out == dealer):
        raise IllegalAction("seatNotOut", seat=out, dealer=dealer)
    if drawn and (len(set(drawn)) != table or drawn_dealer(rules, drawn) != dealer):
        raise IllegalAction("wrongDraw", seat=dealer)
    return (e.SeriesOpened(tuple(names), dealer, usual if out is None else out, tuple(drawn)),)


def next_deal(rules: Rules, state: State) -> tuple[e.Event, ...]:
    """The facts with which the next deal begins: cups are founded, it is opened, the dealer antes.

    Where all found by themselves, what is missing is noted.
    """
    if state.closed:
        raise IllegalAction("gameOver")
    if state.playing:
        raise IllegalAction("dealNotOver")
    active = seated(rules, state.table, state.dealer, state.out)
    stakes = due(rules, state)
    events: list[e.Event] = []
    if rules.found_alone:
        events += [e.FoundingMissed(cast(e.Seat, t.payer), cast(e.Cup, t.payee), t.points) for t in stakes]
        stakes = []
    elif stakes:
        events.append(e.Paid(tuple(stakes)))
    gained = e.balances(stakes)
    king, pagat = state.king + gained["king"], state.pagat + gained["pagat"]
    opened = e.Opened(state.table, state.dealer, active, king, pagat, state.deck)
    return (*events, *deal.begin(rules, opened))


def due(rules: Rules, state: State) -> list[e.Transfer]:
    """The founding that has yet to be paid before the next deal."""
    active = seated(rules, state.table, state.dealer, state.out)
    cups = [cup for cup in rules.accounts if cup in state.unfounded]
    whole = [t for cup in cups for t in family(rules).founding(rules, state.table, active, cup)]
    return [t for t in whole if t.payer not in state.founded]


def legal(rules: Rules, state: State, seat: e.Seat) -> Choices:
    """All that a seat may do now, in the deal or between deals."""
    if state.playing:
        return deal.legal(rules, cast(deal.State, state.deal), seat)
    if state.closed or not rules.found_alone:
        return NOTHING
    owes = any(transfer.payer == seat for transfer in due(rules, state))
    return actions(e.Found()) if owes else NOTHING


def step(
    rules: Rules, state: State, seat: e.Seat | None, action: e.Action
) -> tuple[State, tuple[e.Event, ...]]:
    """The state after a granted wish and the facts told, or `IllegalAction`."""
    if isinstance(action, e.Found):
        events: tuple[e.Event, ...] = _found(rules, state, seat)
    elif not state.playing or state.deal is None:
        raise IllegalAction("noDeal")
    else:
        events = deal.decide(rules, state.deal, seat, action)
    for event in events:
        state = evolve(rules, state, event)
    if state.short and any(isinstance(event, e.Dealt) for event in events):
        made_good = _short_founding(rules, state)
        return evolve(rules, state, made_good), (*events, made_good)
    return state, events


def decide(rules: Rules, state: State, seat: e.Seat | None, action: e.Action) -> tuple[e.Event, ...]:
    """The facts that follow from a wish, or `IllegalAction`. Changes nothing."""
    return step(rules, state, seat, action)[1]


def _found(rules: Rules, state: State, seat: e.Seat | None) -> tuple[e.Event, ...]:
    if seat is None or e.Found() not in legal(rules, state, seat):
        raise IllegalAction("nothingToStake")
    return (e.Paid(tuple(t for t in due(rules, state) if t.payer == seat)),)


def is_founding_alone(rules: Rules, event: e.Paid) -> bool:
    """Whether a payment is one player's own founding, as a strict table has it."""
    found = all(transfer.reason == "found" for transfer in event.transfers)
    return found and rules.found_alone


def _short_founding(rules: Rules, state: State) -> e.Paid:
    """Once cards have been dealt, whoever emptied the cup makes forgotten founding good.

    Before any ultimo nobody has emptied it; then the dealer does, who has dealt over it.
    Rule: 000 Før spillet; 001 A; 004 BETALINGSOVERSIGT.
    """
    payer = state.dealer if state.ultimator is None else state.ultimator
    return e.Paid(
        tuple(
            e.Transfer(payer, cup, points, "shortFounding", citation(rules, "cups.found"))
            for cup, points in state.short
        )
    )


# --- the end -------------------------------------------------------------------------------------------


def is_due_to_end(rules: Rules, state: State) -> bool:
    """Whether the agreed length of the session has been reached."""
    length = rules.length
    if length is None:
        return False
    if length.deals is not None:
        return state.deals >= length.deals
    return state.deals >= (length.rounds or 0) * deals_in_round(rules, state.table)


def needs_lot(rules: Rules, state: State) -> bool:
    """Whether it is drawn for who gets the rest of the cups: whether the lot makes a difference."""
    return len({close(rules, state, lot) for lot in range(state.table)}) > 1


def close(rules: Rules, state: State, lot: e.Seat = 0) -> tuple[e.Event, ...]:
    """End the session between deals: the cups are divided.

    `lot` is who gets the rest where it is drawn for.
    """
    if state.closed:
        raise IllegalAction("gameOver")
    if state.playing:
        raise IllegalAction("endsBetweenDeals")
    if not 0 <= lot < state.table:
        raise IllegalAction("noSuchSeat", seat=lot, table=state.table)
    paid = tuple(family(rules).divided(rules, state.cups, state.totals, state.last_dealer, lot))
    if not paid:
        return (e.SeriesClosed(state.totals),)
    gained = e.balances(paid)
    shares = tuple(gained[seat] for seat in range(state.table))
    return e.CupsDivided(shares), e.Paid(paid), e.SeriesClosed(e.posted(state.totals, gained))
