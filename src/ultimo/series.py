"""Deals in a row: who deals, who sits out, the cups and the totals, and the end of the session.

The same trio one level up: a series is the fold of its events, among which those of its deals.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, cast

from msgspec import Struct
from msgspec.structs import replace

from ultimo import deal, french
from ultimo.cards import Card
from ultimo.danish.numbers import numbers
from ultimo.danish.payments import CUPS, founding
from ultimo.danish.phases import founds
from ultimo.events import (
    Action,
    Cup,
    CupEmptied,
    CupsDivided,
    DealClosed,
    DealEvent,
    Dealt,
    Event,
    Found,
    FoundingMissed,
    IllegalAction,
    Opened,
    Paid,
    Reason,
    Seat,
    SeriesClosed,
    SeriesOpened,
    Transfer,
    balances,
)
from ultimo.play.choices import NOTHING, Choices, actions
from ultimo.play.story import put
from ultimo.rulebook import DanishRules, FrenchRules, Length, Rules, citation

BLOCK = 5  # deals that one of five sits out in a row


class State(Struct, frozen=True):
    """Everything that has happened in a series."""

    names: tuple[str, ...]
    dealer: Seat  # of the deal being played, or of the next one
    out: Seat | None
    totals: tuple[int, ...]
    king: int = 0
    pagat: int = 0
    deals: int = 0  # that have been closed
    unfounded: tuple[Cup, ...] = CUPS  # cups to be founded before the next deal
    founded: tuple[Seat, ...] = ()  # who has done so already, at a strict table
    short: tuple[tuple[Cup, int], ...] = ()  # founding that was forgotten
    ultimator: Seat | None = None  # who sees to it that the cups are founded
    deal: deal.State | None = None  # the present deal, or the last one
    last_dealer: Seat = 0
    deck: tuple[Card, ...] = ()  # the pack as picked up, where it is not shuffled
    closed: bool = False

    @property
    def table(self) -> int:
        """How many sit at the table."""
        return len(self.names)

    @property
    def playing(self) -> bool:
        """Whether a deal is under way."""
        return self.deal is not None and not deal.is_over(self.deal)


# --- seating -------------------------------------------------------------------------------------------


def seated(rules: Rules, table: int, dealer: Seat, out: Seat | None = None) -> tuple[Seat, ...]:
    """Who plays when this seat deals: forehand first, the dealer last.

    Everything goes to the right, anticlockwise, also where a text says “from left to right”.
    Rule: 000 Spillerne; 001 Ved 5 spillere; I-1.3 to I-1.5, I-1.7; 002 §5.
    """
    if isinstance(rules, FrenchRules) or table == 3:
        return tuple((dealer + place) % table for place in range(1, table + 1))
    if table == 5 and rules.table.five == "twoSitOut":
        return (dealer + 1) % 5, (dealer + 4) % 5, dealer
    present = [seat for seat in (*range(dealer, table), *range(dealer)) if seat != out]
    return present[1], present[3], dealer


def next_places(rules: Rules, table: int, deals: int, dealer: Seat, out: Seat | None) -> Places:
    """Who deals next, and who then sits out, when so many deals have been played: another one after five.

    Rule: I-1.1, I-1.2; 001 Ved 5 spillere; 002 §5.
    """
    if isinstance(rules, DanishRules) and table == 5 and rules.table.five == "twoSitOut":
        return Places((dealer + 2) % 5, out)
    following = (dealer + 1) % table
    if following == out:
        following = (following + 1) % table
    if out is not None and deals % BLOCK == 0:
        out = (out + 1) % table
    return Places(following, out)


def first_out(rules: Rules, table: int, dealer: Seat) -> Seat | None:
    """Who begins by sitting out for five deals, where one of five does so."""
    if isinstance(rules, DanishRules) and table == 5 and rules.table.five == "fiveDealsOut":
        return (dealer + 2) % 5
    return None


class Places(NamedTuple):
    """Who deals, and who sits out for five deals, where somebody does."""

    dealer: Seat
    out: Seat | None


class PackDuty(NamedTuple):
    """Who sees to the second pack while a deal is played: who shuffles it, cuts it, and deals it next."""

    shuffles: Seat
    cuts: Seat
    deals: Seat


def second_pack(rules: Rules, table: int, dealer: Seat) -> PackDuty | None:
    """The sitters' duties with five at the table, where the text gives them.

    Rule: 001 Ved 5 spillere.
    """
    if isinstance(rules, DanishRules) and table == 5 and rules.table.five == "twoSitOut":
        return PackDuty((dealer + 3) % 5, (dealer + 4) % 5, (dealer + 2) % 5)
    return None


def deals_in_round(rules: Rules, table: int) -> int:
    """How many deals it takes until everybody has dealt as often as everybody else."""
    return table if first_out(rules, table, 0) is None else BLOCK * table


# --- facts ---------------------------------------------------------------------------------------------


def evolve(rules: Rules, state: State | None, event: Event) -> State:
    """The state after a fact."""
    match event:
        case SeriesOpened(names=names, dealer=dealer, out=out):
            return State(names, dealer, out, (0,) * len(names), unfounded=_cups(rules))
        case _ if state is None:
            raise ValueError("a series begins with SeriesOpened")
        case Opened():
            return replace(
                state,
                deal=deal.initial(rules, event),
                last_dealer=event.dealer,
                unfounded=(),
                founded=(),
            )
        case Paid():
            return _paid(rules, state, event)
        case FoundingMissed(cup=cup, points=points):
            return replace(state, short=(*state.short, (cup, points)))
        case CupsDivided():
            return state
        case SeriesClosed():
            return replace(state, closed=True)
        case _:
            return _in_deal(rules, state, event)


def _paid(rules: Rules, state: State, event: Paid) -> State:
    gained = balances(event.transfers)
    founders = (cast(Seat, one.payer) for one in event.transfers if one.reason == "found")
    made_good = any(one.reason == "shortFounding" for one in event.transfers)
    state = replace(
        state,
        totals=tuple(total + gained[seat] for seat, total in enumerate(state.totals)),
        king=state.king + gained["king"],
        pagat=state.pagat + gained["pagat"],
        founded=tuple(dict.fromkeys((*state.founded, *founders))),
        short=() if made_good else state.short,
    )
    return _in_deal(rules, state, event) if state.playing else state


def _in_deal(rules: Rules, state: State, event: DealEvent) -> State:
    if state.deal is None:
        return state
    state = replace(state, deal=deal.evolve(rules, state.deal, event))
    match event:
        case CupEmptied(cup=cup, seat=seat):
            return replace(state, unfounded=(*state.unfounded, cup), ultimator=seat)
        case DealClosed():
            return _rotated(rules, state)
        case _:
            return state


def _rotated(rules: Rules, state: State) -> State:
    """The series after a deal: the next dealer, and after five deals the next to sit out."""
    deals = state.deals + 1
    dealer, out = next_places(rules, state.table, deals, state.dealer, state.out)
    deck: tuple[Card, ...] = ()
    if isinstance(rules, FrenchRules) and rules.deal.shuffle == "never":
        assert isinstance(state.deal, french.State)
        picked_up = french.pick_up(rules, state.deal)
        deck = picked_up if len(picked_up) == 78 else ()  # a view may not know every card
    return replace(state, deals=deals, dealer=dealer, out=out, deck=deck)


def seen_by(rules: Rules, state: State, viewer: Seat | None, event: Event) -> Event:
    """The event as a seat, or a spectator, saw it; `state` is the state in which it happened."""
    match event:
        case SeriesOpened() | FoundingMissed() | CupsDivided() | SeriesClosed():
            return event
        case Opened():
            return deal.seen_by(rules, deal.initial(rules, event), viewer, event)
        case _ if state.deal is None:
            return event
        case _:
            return deal.seen_by(rules, state.deal, viewer, event)


def cut_pack(rules: Rules, state: State) -> tuple[Card, ...]:
    """The pack from which the cards are dealt where it is not shuffled; empty where it is."""
    if isinstance(rules, FrenchRules) and isinstance(state.deal, french.State):
        return state.deal.deck
    return ()


def _cups(rules: Rules) -> tuple[Cup, ...]:
    return CUPS if isinstance(rules, DanishRules) and rules.cups.enabled else ()


# --- wishes --------------------------------------------------------------------------------------------


def open_series(
    rules: Rules, names: Sequence[str], dealer: Seat = 0, out: Seat | None = None
) -> tuple[Event, ...]:
    """People sit down; `dealer` has been drawn by lot (I-1.6).

    Where one of five sits out for five deals, `out` can be another than who usually begins with it.
    """
    table = len(names)
    if table not in rules.sizes:
        raise IllegalAction(
            "wrongTableSize",
            book=rules.id,
            sizes=rules.sizes,
            table=table,
        )
    if not 0 <= dealer < table:
        raise IllegalAction("noSuchSeat", seat=dealer, table=table)
    usual = first_out(rules, table, dealer)
    if out is not None and (usual is None or out not in range(table) or out == dealer):
        raise IllegalAction("seatNotOut", seat=out, dealer=dealer)
    return (SeriesOpened(tuple(names), dealer, usual if out is None else out),)


def next_deal(rules: Rules, state: State) -> tuple[Event, ...]:
    """The facts with which the next deal begins: cups are founded, it is opened, the dealer antes.

    At a strict table each player founds by himself; what is missing is noted.
    """
    if state.closed:
        raise IllegalAction("gameOver")
    if state.playing:
        raise IllegalAction("dealNotOver")
    active = seated(rules, state.table, state.dealer, state.out)
    events: list[Event] = []
    king, pagat = state.king, state.pagat
    if isinstance(rules, DanishRules):
        due = _due(rules, state)
        if rules.strict.cups:
            events += [FoundingMissed(cast(Seat, t.payer), cast(Cup, t.payee), t.points) for t in due]
        elif due:
            events.append(Paid(tuple(due)))
            king += sum(t.points for t in due if t.payee == "king")
            pagat += sum(t.points for t in due if t.payee == "pagat")
    opened = Opened(state.table, state.dealer, active, king, pagat, state.deck)
    return (*events, *deal.begin(rules, opened))


def _due(rules: DanishRules, state: State) -> list[Transfer]:
    """The founding that has yet to be paid before the next deal."""
    seats = [seat for seat in _founders(rules, state) if seat not in state.founded]
    return [t for cup in CUPS if cup in state.unfounded for t in founding(rules, seats, cup)]


def _founders(rules: DanishRules, state: State) -> tuple[Seat, ...]:
    active = seated(rules, state.table, state.dealer, state.out)
    return tuple(seat for seat in range(state.table) if founds(numbers(rules), seat in active))


def legal(rules: Rules, state: State, seat: Seat) -> Choices:
    """All that a seat may do now, in the deal or between deals."""
    if state.playing:
        return deal.legal(rules, cast(deal.State, state.deal), seat)
    if state.closed or not isinstance(rules, DanishRules) or not rules.strict.cups:
        return NOTHING
    owes = any(transfer.payer == seat for transfer in _due(rules, state))
    return actions(Found()) if owes else NOTHING


def step(rules: Rules, state: State, seat: Seat | None, action: Action) -> tuple[State, tuple[Event, ...]]:
    """The state after a granted wish and the facts told, or `IllegalAction`."""
    if isinstance(action, Found):
        events: tuple[Event, ...] = _found(rules, state, seat)
    elif not state.playing or state.deal is None:
        raise IllegalAction("noDeal")
    else:
        events = deal.decide(rules, state.deal, seat, action)
    for event in events:
        state = evolve(rules, state, event)
    if state.short and any(isinstance(event, Dealt) for event in events):
        made_good = _short_founding(rules, state)
        return evolve(rules, state, made_good), (*events, made_good)
    return state, events


def decide(rules: Rules, state: State, seat: Seat | None, action: Action) -> tuple[Event, ...]:
    """The facts that follow from a wish, or `IllegalAction`. Changes nothing."""
    return step(rules, state, seat, action)[1]


def _found(rules: Rules, state: State, seat: Seat | None) -> tuple[Event, ...]:
    if seat is None or Found() not in legal(rules, state, seat):
        raise IllegalAction("nothingToStake")
    assert isinstance(rules, DanishRules)
    return (Paid(tuple(t for t in _due(rules, state) if t.payer == seat)),)


def is_founding_alone(rules: Rules, event: Paid) -> bool:
    """Whether a payment is one player's own founding, as a strict table has it."""
    strict = isinstance(rules, DanishRules) and rules.strict.cups
    return strict and all(transfer.reason == "found" for transfer in event.transfers)


def _short_founding(rules: Rules, state: State) -> Paid:
    """Once cards have been dealt, whoever emptied the cup makes forgotten founding good.

    Before any ultimo nobody has emptied it; then the dealer does, who has dealt over it.
    Rule: 000 Før spillet; 001 A; 004 BETALINGSOVERSIGT.
    """
    assert isinstance(rules, DanishRules)
    payer = state.dealer if state.ultimator is None else state.ultimator
    return Paid(
        tuple(
            Transfer(payer, cup, points, "shortFounding", citation(rules, "cups.found"))
            for cup, points in state.short
        )
    )


# --- the end -------------------------------------------------------------------------------------------


def is_due_to_end(rules: Rules, state: State) -> bool:
    """Whether the agreed length of the session has been reached."""
    if isinstance(rules, FrenchRules) or not isinstance(length := rules.session.length, Length):
        return False
    if length.deals is not None:
        return state.deals >= length.deals
    return state.deals >= (length.rounds or 0) * deals_in_round(rules, state.table)


def close(rules: Rules, state: State, lot: Seat = 0) -> tuple[Event, ...]:
    """End the session between deals: the cups are divided.

    `lot` is who gets the rest where it is drawn for.
    Rule: 004 AFSLUTNING; I-12.1, I-12.2.
    """
    if state.closed:
        raise IllegalAction("gameOver")
    if state.playing:
        raise IllegalAction("endsBetweenDeals")
    if not 0 <= lot < state.table:
        raise IllegalAction("noSuchSeat", seat=lot, table=state.table)
    events: list[Event] = []
    totals = state.totals
    if isinstance(rules, DanishRules) and state.king + state.pagat:
        shares = _shares(rules, state, lot)
        events = [CupsDivided(shares), Paid(tuple(_division(rules, state, shares)))]
        totals = tuple(total + share for total, share in zip(totals, shares, strict=True))
    return (*events, SeriesClosed(totals))


def _shares(rules: DanishRules, state: State, lot: Seat) -> tuple[int, ...]:
    """What each seat gets of the cups, the rest included."""
    whole, table, unit = state.king + state.pagat, state.table, rules.session.unit
    each = whole // (table * unit) * unit
    right_of_dealer = [(state.last_dealer + place) % table for place in range(1, table + 1)]
    worst = min(right_of_dealer, key=lambda seat: state.totals[seat])
    lucky = worst if rules.session.rest == "worst" else lot
    return put((each,) * table, lucky, whole - each * (table - 1))


def _division(rules: DanishRules, state: State, shares: tuple[int, ...]) -> list[Transfer]:
    """The shares as transfers, the king cup first; what somebody gets beyond the others is the rest."""
    held: dict[Cup, int] = {"king": state.king, "pagat": state.pagat}
    equal = min(shares)
    parts: list[tuple[Seat, int, Reason]] = [(seat, equal, "division") for seat in range(state.table)]
    parts += [(seat, share - equal, "divisionRest") for seat, share in enumerate(shares)]
    transfers = []
    for seat, due, reason in parts:
        for cup in CUPS:
            points = min(due, held[cup])
            if points:
                transfers.append(Transfer(cup, seat, points, reason, citation(rules, "session.rest")))
                held[cup] -= points
                due -= points
    return transfers
