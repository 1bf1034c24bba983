"""French positions from notation, for tests.

`Table` plays a deal through the front door. `forged` tells facts that need not have been legal plays, so that
a pile, a count and an ending can be had without playing eighteen tricks towards them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any, cast

from ultimo import french, rulebook
from ultimo.cards import ALL_CARDS, PACK, Card, cards, mask, parse_card, parse_cards
from ultimo.events import (
    Action,
    Announced,
    Bid,
    BidMade,
    Call,
    Called,
    CardPlayed,
    ChienShown,
    Deal,
    DealEvent,
    Dealt,
    Declined,
    EcartLaid,
    IllegalAction,
    Opened,
    PartnerRevealed,
    Pass,
    Passed,
    Play,
    Seat,
    TakerAloneRevealed,
    TrickWon,
)
from ultimo.french import State
from ultimo.play.choices import Choices
from ultimo.play.counting import honours_of
from ultimo.rulebook import FrenchRules


def rules_of(book: str = "french4", house: Mapping[str, Any] | None = None) -> FrenchRules:
    """A French rulebook."""
    return cast(FrenchRules, rulebook.load(book, house))


def opened(rules: FrenchRules, dealer: Seat, deck: tuple[Card, ...] = ()) -> Opened:
    """A deal that begins."""
    order = tuple((dealer + distance) % rules.players for distance in range(1, rules.players + 1))
    return Opened(rules.players, dealer, order, deck=deck)


def dealt(rules: FrenchRules, hands: Mapping[Seat, str], chien: str = "") -> Deal:
    """A deal with these cards; what is not said is filled up with the cards left, lowest first."""
    given = [mask(hands.get(seat, "")) for seat in range(rules.players)] + [mask(chien)]
    sizes = [rules.deal.hand] * rules.players + [rules.deal.chien]
    rest = iter(cards(ALL_CARDS & ~sum(given)))
    whole = [
        cards(hand | mask([next(rest) for _ in range(size - hand.bit_count())]))
        for hand, size in zip(given, sizes, strict=True)
    ]
    return Deal(tuple(whole[:-1]), whole[-1])


class Table:
    """A deal that is being played: the last seat deals, so that seat 0 bids and leads first."""

    def __init__(
        self,
        book: str = "french4",
        hands: Mapping[Seat, str] | None = None,
        chien: str = "",
        house: Mapping[str, Any] | None = None,
        dealer: Seat = -1,
    ) -> None:
        self.rules = rules_of(book, house)
        start = opened(self.rules, dealer % self.rules.players)
        self.log: list[DealEvent] = [start]
        self.state = french.initial(self.rules, start)
        if hands is not None:
            self.do(dealt(self.rules, hands, chien), None)

    @property
    def turn(self) -> Seat:
        """Whose turn it is."""
        (seat,) = french.waiting_for(self.rules, self.state)
        return seat

    def do(self, action: Action, seat: Seat | None = -1) -> tuple[DealEvent, ...]:
        """Somebody, if nobody else the seat whose turn it is, has his wish; what happens."""
        seat = self.turn if seat == -1 else seat
        self.state, events = french.step(self.rules, self.state, seat, action)
        self.log += events
        return events

    def bid(self, words: str) -> Table:
        """Everybody speaks in turn: `pass garde pass pass`."""
        for word in words.split():
            self.do(Pass() if word == "pass" else Bid(cast(Any, word)))
        return self

    def call(self, card: str) -> Table:
        """The taker names a card."""
        self.do(Call(parse_card(card)))
        return self

    def play(self, text: str) -> tuple[DealEvent, ...]:
        """Cards fall in turn; what the last of them causes."""
        events: tuple[DealEvent, ...] = ()
        for card in parse_cards(text):
            events = self.do(Play(card))
        return events

    def may_play(self) -> str:
        """The cards that may be played, in notation."""
        return " ".join(card.value for card in cards(self.legal.cards()))

    @property
    def legal(self) -> Choices:
        """What the seat whose turn it is may do."""
        return french.legal(self.rules, self.state, self.turn)

    def refuses(self, action: Action, seat: Seat | None = -1) -> IllegalAction:
        """The refusal of an action, which changes nothing."""
        before = self.state
        try:
            self.do(action, seat)
        except IllegalAction as refusal:
            assert self.state is before
            return refusal
        raise AssertionError(f"{action} was accepted")

    def random(self, rng: Random) -> Iterator[tuple[DealEvent, ...]]:
        """Play on at random to the end of the deal."""
        while french.waiting_for(self.rules, self.state):
            timid = self.state.phase == "bid" and rng.random() < 0.5  # else most bids are the highest
            yield self.do(Pass() if timid else self.legal.draw(rng))


def position(rules: FrenchRules, trick: str, hand: str) -> State:
    """The player at seat 0 is to add to a trick, which is not the first one."""
    played = parse_cards(trick)
    leader = -len(played) % rules.players
    hands = [0] * rules.players
    for place, card in enumerate(played):
        hands[(leader + place) % rules.players] = card.bit
    hands[0] |= mask(hand)
    nobody = (0,) * rules.players
    earlier = french.Trick((), 0)
    state = State(
        table=rules.players,
        dealer=rules.players - 1,
        net=nobody,
        phase="play",
        turn=leader,
        hands=tuple(hands),
        unseen=nobody,
        won=nobody,
        taker=0,
        tricks=(earlier,),
    )
    for place, card in enumerate(played):
        state = french.evolve(rules, state, CardPlayed((leader + place) % rules.players, card))
    return state


def forged(
    table: Table,
    winners: Sequence[Seat],
    *,
    bid: str = "garde",
    fixed: Mapping[tuple[int, Seat], str] | None = None,
    taker_has: str = "",
    laid: str = "",
    call: str = "",
    partner: Seat | None = None,
    slam: bool = False,
    short: int = 1,
) -> Table:
    """Seat 0 has taken, and the tricks have gone to `winners`; the last `short` cards are yet to be played.

    `fixed` says what a seat plays to a trick (the first is 1). `taker_has` are cards in tricks of the taker's
    side; `laid` is the écart or chien. Every other card that counts goes to the defence if it can, and blanks
    fill up.
    """
    rules = table.rules
    side = {0, partner}
    held = {place: parse_card(card) for place, card in (fixed or {}).items()}
    slots = [(trick, seat) for trick in range(1, rules.deal.hand + 1) for seat in range(rules.players)]
    free = [slot for slot in slots if slot not in held]
    ours = [slot for slot in free if slot[0] <= len(winners) and winners[slot[0] - 1] in side]
    theirs = [slot for slot in free if slot not in ours]
    first = parse_cards(taker_has)
    aside = parse_cards(laid)
    used = {*held.values(), *first, *aside}
    rest = sorted((card for card in PACK if card not in used), key=lambda card: -honours_of(card.bit))
    while len(aside) < rules.deal.chien:
        aside = (*aside, rest.pop())
    held |= zip([*ours[: len(first)], *theirs, *ours[len(first) :]], [*first, *rest], strict=True)
    hands = tuple(
        tuple(held[trick, seat] for trick in range(1, rules.deal.hand + 1)) for seat in range(rules.players)
    )
    events = [*_contract(rules, hands, aside, bid, call, slam), *_tricks(rules, winners, held, call)]
    plays = [place for place, event in enumerate(events) if isinstance(event, CardPlayed)]
    for event in events[: plays[-short]] if short else events:
        table.state = french.evolve(rules, table.state, event)
        table.log.append(event)
    return table


def _contract(
    rules: FrenchRules,
    hands: tuple[tuple[Card, ...], ...],
    aside: tuple[Card, ...],
    bid: str,
    call: str,
    slam: bool,
) -> Iterator[DealEvent]:
    yield Dealt(hands, aside)
    yield BidMade(0, cast(Any, bid))
    yield from (Passed(seat) for seat in range(1, rules.players))
    if call:
        yield Called(0, parse_card(call))
    if bid in ("petite", "garde"):
        yield ChienShown(0, aside)
        yield EcartLaid(0, aside)
    yield Announced(0, "slam") if slam else Declined(0)


def _tricks(
    rules: FrenchRules, winners: Sequence[Seat], held: Mapping[tuple[int, Seat], Card], call: str
) -> Iterator[DealEvent]:
    leader = 0
    for trick, winner in enumerate(winners, start=1):
        for distance in range(rules.players):
            seat = (leader + distance) % rules.players
            card = held[trick, seat]
            yield CardPlayed(seat, card)
            if card.value == call:
                yield TakerAloneRevealed(0) if seat == 0 else PartnerRevealed(seat)
        yield TrickWon(winner)
        leader = winner
