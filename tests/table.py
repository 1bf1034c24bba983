"""Building deals and positions for tests, in notation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any

from msgspec.structs import replace

from ultimo import danish, deal, rulebook, series
from ultimo.cards import ALL_CARDS, Card, cards, mask, parse_cards
from ultimo.danish.outcome import Order
from ultimo.events import (
    Action,
    CardPlayed,
    Deal,
    DealEvent,
    Event,
    IllegalAction,
    Opened,
    Paid,
    Seat,
    Transfer,
)
from ultimo.rulebook import DanishRules, FrenchRules, Rules

DANISH = ("jensen", "hermansen", "vlk", "basta", "dtf")
FRENCH = ("french3", "french4", "french5")
FFT = ("fft3", "fft4", "fft5")
WITHOUT_FFT = (*DANISH, *FRENCH)  # for costly tests: the FFT has no other ways, only other values
# The texts that a rulebook may cite.
DOCUMENTS = {
    "jensen": {"000"},
    "hermansen": {"001"},
    "vlk": {"000", "VLK"},
    "basta": {"003"},
    "dtf": {"004"},
    "fft3": {"005", "006"},
    "fft4": {"005", "006"},
    "fft5": {"005", "006"},
    "french3": {"002"},
    "french4": {"002"},
    "french5": {"002"},
}
ORDER: Order = (1, 2, 0)  # three at the table, seat 0 deals


def danish_rules(book: str, house: Mapping[str, Any] | None = None) -> DanishRules:
    """A Danish rulebook with house rules."""
    rules = rulebook.load(book, house)
    assert isinstance(rules, DanishRules)
    return rules


def french_rules(book: str, house: Mapping[str, Any] | None = None) -> FrenchRules:
    """A French rulebook with house rules."""
    rules = rulebook.load(book, house)
    assert isinstance(rules, FrenchRules)
    return rules


def strict(book: str, *switches: str, **house: Any) -> DanishRules:
    """A Danish rulebook at a table where these errors can happen."""
    return danish_rules(book, {f"strict.{switch}": True for switch in switches} | house)


class Table:
    """A Danish deal in progress, driven by a test: every action goes through `decide` and is logged."""

    def __init__(self, rules: Rules, state: deal.State, log: Iterable[DealEvent] = ()) -> None:
        self.rules = rules
        self.state: Any = state
        self.log: list[DealEvent] = list(log)

    def act(self, seat: Seat | None, action: Action) -> tuple[DealEvent, ...]:
        """Let a seat act; the facts that follow."""
        events = deal.decide(self.rules, self.state, seat, action)
        for event in events:
            self.state = deal.evolve(self.rules, self.state, event)
        self.log += events
        return events

    def legal(self, seat: Seat) -> Any:
        """What a seat may do."""
        return deal.legal(self.rules, self.state, seat)

    def may_play(self, seat: Seat) -> str:
        """The cards that a seat may play, in notation and in the order of the pack."""
        return " ".join(card.value for card in cards(self.legal(seat).cards()))

    def refuses(self, seat: Seat | None, action: Action) -> IllegalAction:
        """The refusal of an action, which changes nothing."""
        before = self.state
        try:
            self.act(seat, action)
        except IllegalAction as refusal:
            assert self.state is before
            return refusal
        raise AssertionError(f"{action} was accepted")

    def transfers(self) -> list[Transfer]:
        """All that has been paid so far."""
        return [t for event in self.log if isinstance(event, Paid) for t in event.transfers]

    def events(self, kind: type[Any]) -> list[Any]:
        """The facts of one kind."""
        return [event for event in self.log if isinstance(event, kind)]

    def accept_all(self) -> None:
        """Everybody takes up his hand without a word."""
        from ultimo.events import Accept

        while self.state.phase == "handCheck":
            self.act(deal.waiting_for(self.rules, self.state)[0], Accept())

    def play(self, *plays: str) -> None:
        """Play cards in turn: `S4`, or `T0=H` for a skus led as hearts. Nobody demands or announces."""
        from ultimo.events import Decline, Play

        for text in plays:
            while self.state.phase in ("announce", "demand"):
                self.act(deal.waiting_for(self.rules, self.state)[0], Decline())
            card, _, named = text.partition("=")
            self.act(self.state.turn, Play(Card(card), named or None))  # type: ignore[arg-type]

    def play_on(self, rng: Random | None = None) -> None:
        """Play to the end of the deal at random."""
        rng = rng or Random(1)
        while not deal.is_over(self.state):
            seat = deal.waiting_for(self.rules, self.state)[0]
            self.act(seat, self.legal(seat).draw(rng))


def opened(order: Sequence[Seat] = ORDER, table: int = 3, king: int = 60, pagat: int = 60) -> Opened:
    """A deal about to begin, the last of `order` being the dealer."""
    return Opened(table, order[-1], tuple(order), king, pagat)


def dealt(
    rules: DanishRules,
    hands: Mapping[Seat, str],
    order: Order = ORDER,
    table: int = 3,
    king: int = 60,
    pagat: int = 60,
) -> Table:
    """A Danish deal with these hands; other cards go to the hands that lack some, in pack order."""
    chosen = {seat: mask(parse_cards(hands.get(seat, ""))) for seat in order}
    rest = list(cards(ALL_CARDS & ~sum(chosen.values())))
    for seat in order:
        lacking = (28 if seat == order[2] else 25) - chosen[seat].bit_count()
        chosen[seat] |= mask(rest[:lacking])
        rest = rest[lacking:]
    start = opened(order, table, king, pagat)
    table_ = Table(rules, danish.initial(rules, start), danish.begin(rules, start))
    for event in table_.log[1:]:
        table_.state = danish.evolve(rules, table_.state, event)
    table_.act(None, Deal(tuple(cards(chosen.get(seat, 0)) for seat in range(table))))
    return table_


def ending(
    rules: DanishRules,
    hands: Mapping[Seat, str],
    leader: Seat,
    *,
    order: Order = ORDER,
    skat: str = "",
    won: Mapping[Seat, int] | None = None,
    king: int = 60,
    pagat: int = 60,
    **more: Any,
) -> Table:
    """A Danish deal in its last tricks: these hands, all other cards in the piles of earlier tricks.

    Tricks and cards that have gone are the dealer's unless `won` says otherwise; a skus nobody holds is gone.
    """
    held = {seat: mask(hands.get(seat, "")) for seat in order}
    left = max(hand.bit_count() for hand in held.values())
    laid = mask(skat)
    gone = ALL_CARDS & ~sum(held.values()) & ~laid
    tricks = dict(won or {order[2]: 25 - left})
    state = danish.initial(rules, opened(order, 3, king, pagat))
    state = replace(
        state,
        hands=tuple(held.get(seat, 0) for seat in range(3)),
        dealt=tuple(held.get(seat, 0) | (laid if seat == order[2] else 0) for seat in range(3)),
        skat=laid,
        piles=tuple(gone if seat == order[2] else 0 for seat in range(3)),
        won=tuple(tricks.get(seat, 0) for seat in range(3)),
        declared=((), (), ()),
        number=26 - left,
        turn=leader,
        skus_gone=not any(hand & mask("T0") for hand in held.values()),
        phase="settle",
    )
    state = replace(state, **more)
    from ultimo.danish.evolve import before_trick

    return Table(rules, before_trick(rules, state))


class Evening:
    """A series in progress, driven by a test."""

    def __init__(self, rules: Rules, table: int, dealer: Seat = 0) -> None:
        self.rules = rules
        self.log: list[Event] = []
        self.state: Any = None
        self.tell(series.open_series(rules, [f"P{seat}" for seat in range(table)], dealer))

    def tell(self, events: Iterable[Event]) -> None:
        """Let facts happen."""
        for event in events:
            self.state = series.evolve(self.rules, self.state, event)
            self.log.append(event)

    def act(self, seat: Seat | None, action: Action) -> None:
        """Let a seat act."""
        self.tell(series.decide(self.rules, self.state, seat, action))

    def next_deal(self) -> None:
        """Begin the next deal."""
        self.tell(series.next_deal(self.rules, self.state))

    def play_deal(self, rng: Random) -> None:
        """Begin the next deal and play it to the end at random."""
        self.next_deal()
        while self.state.playing:
            if deal.needs_cards(self.state.deal):
                deck = deal.shuffled(rng)
                self.act(None, deal.deal_out(self.rules, self.state.deal, deck, rng))
            else:
                seat = deal.waiting_for(self.rules, self.state.deal)[0]
                self.act(seat, deal.legal(self.rules, self.state.deal, seat).draw(rng))

    def close(self) -> None:
        """End the game."""
        self.tell(series.close(self.rules, self.state))


def net(transfers: Iterable[Transfer], *accounts: Any) -> tuple[int, ...]:
    """What accounts have gained by some transfers."""
    gained = dict.fromkeys(accounts, 0)
    for t in transfers:
        if t.payer in gained:
            gained[t.payer] -= t.points
        if t.payee in gained:
            gained[t.payee] += t.points
    return tuple(gained.values())


def plays(**by_seat: str) -> tuple[CardPlayed, ...]:
    """A trick for the settlement, in order of play: `plays(s1="T20", s2="HK", s0="C4")`."""
    return tuple(CardPlayed(int(seat[1:]), Card(card)) for seat, card in by_seat.items())
