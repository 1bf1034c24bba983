"""Deals to ask about, played in a moment by people with simple habits; no compiler is needed for that."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Final

from msgspec import Struct

from ultimo import deal, series
from ultimo import events as e
from ultimo.cards import ALL_TRUMPS, BOUTS, KINGS, SKUS, SUIT_CARDS, SUITS, TRUMPS, Card, Cards, cards
from ultimo.play.choices import Actions, Lays, Shows
from ultimo.rulebook import Rules

KEPT: Final = KINGS | BOUTS  # what nobody plays without need
RASH: Final = 0.4  # how often somebody does so all the same
LOW: Final = 0.7  # how often the smaller card is played of two
BOLD: Final = 0.04  # how often something is announced, if it may be
TAKES: Final = 0.35  # how often a bid is made
CUPS: Final = range(20, 155, 5)
RANKS, PIPS = 14, 10  # cards of a suit, and those of them that are no court cards

# What people at a quiet table never wish.
UNWISHED: Final = (e.DemandRedeal, e.PassDeal, e.Redeal, e.Recount, e.Claim, e.ObjectCount)


class Dealt(Struct, frozen=True):
    """A deal, at its end or on the way to it: what it has come to, and all that has happened."""

    rules: Rules
    state: deal.State
    log: tuple[e.DealEvent, ...]

    @property
    def transfers(self) -> tuple[e.Transfer, ...]:
        """All that has been paid."""
        return tuple(one for event in self.log if isinstance(event, e.Paid) for one in event.transfers)

    def seen_by(self, seat: e.Seat) -> tuple[e.DealEvent, ...]:
        """What a seat has seen of it."""
        opened = self.log[0]
        assert isinstance(opened, e.Opened)
        state = deal.initial(self.rules, opened)
        seen: list[e.DealEvent] = [deal.seen_by(self.rules, state, seat, opened)]
        for event in self.log[1:]:
            seen.append(deal.seen_by(self.rules, state, seat, event))
            state = deal.evolve(self.rules, state, event)
        return tuple(seen)

    def view(self, seat: e.Seat) -> deal.State:
        """What a seat knows of it."""
        return deal.replay(self.rules, self.seen_by(seat))


def played(
    rules: Rules, rng: Random, until: Callable[[deal.State], bool] = deal.is_over, *, ducks: bool = False
) -> Dealt:
    """A deal, played until something is so; where nobody takes, or it ends before, the next one is tried.

    Where somebody `ducks`, forehand has a weak hand and tries to win nothing.
    """
    while True:
        found = _played(rules, rng, until, ducks)
        if until(found.state) and found.state.result in ("", "played"):
            return found


def _played(rules: Rules, rng: Random, until: Callable[[deal.State], bool], ducks: bool) -> Dealt:
    table = rules.sizes[0]
    dealer = rng.randrange(table)
    king, pagat = (rng.choice(CUPS) if rules.has_cups else 0 for _ in range(2))
    opened = e.Opened(table, dealer, series.seated(rules, table, dealer), king, pagat)
    log = list(deal.begin(rules, opened))
    state = deal.replay(rules, log)
    weak = opened.active[0] if ducks else None
    while not until(state) and not deal.is_over(state):
        seat, wish = _next(rules, state, rng, weak)
        state, told = deal.step(rules, state, seat, wish)
        log += told
    return Dealt(rules, state, tuple(log))


def _next(
    rules: Rules, state: deal.State, rng: Random, weak: e.Seat | None
) -> tuple[e.Seat | None, e.Action]:
    if deal.needs_cards(state):
        dealt = deal.deal_out(rules, state, deal.shuffled(rng), rng)
        return None, dealt if weak is None else _weakened(dealt, weak)
    seat = deal.waiting_for(rules, state)[0]
    if seat == weak and (may := deal.legal(rules, state, seat).cards() & ~SKUS):
        return seat, e.Play(min(cards(may), key=_strength))
    return seat, wished(rules, state, seat, rng)


def _strength(card: Card) -> int:
    """How likely a card is to win; of the pips in hearts and diamonds the small ones are high."""
    rank = card.index % RANKS
    if card.bit & ALL_TRUMPS:
        return RANKS + card.index
    return PIPS - 1 - rank if rank < PIPS and SUITS[card.suit] in "HD" else rank


def _weakened(dealt: e.Deal, seat: e.Seat) -> e.Deal:
    """The same cards, the weakest of them with this seat; the others have as many as before."""
    weakest = sorted((card for hand in dealt.hands for card in hand), key=_strength)
    own = tuple(weakest[: len(dealt.hands[seat])])
    spare = iter(card for card in dealt.hands[seat] if card not in own)
    return e.Deal(
        tuple(
            own if place == seat else tuple(next(spare) if card in own else card for card in hand)
            for place, hand in enumerate(dealt.hands)
        ),
        dealt.chien,
    )


def wished(rules: Rules, state: deal.State, seat: e.Seat, rng: Random) -> e.Action:
    """What somebody does who keeps good cards, follows low, and leads from length."""
    choices = deal.legal(rules, state, seat)
    if shows := [offer for offer in choices.offers if isinstance(offer, Shows)]:
        return shows[-1].draw(rng)
    if may := choices.cards():
        card = _card(rng, state, seat, may)
        play = e.Play(card)
        return play if play in choices else e.Play(card, rng.choice(SUITS[:4]))  # a led skus is named
    if lays := [offer for offer in choices.offers if isinstance(offer, Lays) and not offer.tout]:
        return lays[0].draw(rng)
    some = [one for offer in choices.offers if isinstance(offer, Actions) for one in offer]
    return _said(rng, [one for one in some if not isinstance(one, UNWISHED)])


def _said(rng: Random, some: list[e.Action]) -> e.Action:
    """Something said: announcements are rare, and who may pass mostly does."""
    loud = [one for one in some if isinstance(one, e.Announce | e.Bid)]
    quiet = [one for one in some if one not in loud]
    if loud and (not quiet or rng.random() < (TAKES if isinstance(loud[0], e.Bid) else BOLD)):
        return loud[min(int(rng.expovariate(1.0)), len(loud) - 1)]  # low bids are the common ones
    return rng.choice(quiet)


def _card(rng: Random, state: deal.State, seat: e.Seat, may: Cards) -> Card:
    spare = may & ~KEPT
    if not spare or rng.random() < RASH:
        spare = may
    if not state.trick:
        suits = [suit & spare for suit in (*SUIT_CARDS[:4], TRUMPS | SKUS) if suit & spare]
        spare = max(suits, key=lambda suit: (suit.bit_count(), rng.random()))
    some = cards(spare)
    first, second = sorted((rng.choice(some), rng.choice(some)))
    return first if rng.random() < LOW else second
