"""Deals that are played by a script: hands in notation, simple players, and words where it matters."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any, TypeAlias

from msgspec import Struct

from ultimo import danish, deal, rulebook, series
from ultimo.cards import ALL_CARDS, SKUS, Card, Cards, cards, mask, parse_cards
from ultimo.danish.state import playable as lawful
from ultimo.events import Action, Deal, Decline, Event, Opened, Pass, Play, Seat
from ultimo.play.choices import Choices
from ultimo.play.following import strength
from ultimo.rulebook import DanishRules, FrenchRules, Rules

Words: TypeAlias = tuple[tuple[Seat | None, Action], ...]  # said as soon as they are legal, in this order


class Turn(Struct, frozen=True):
    """What a seat could have done when it acted; `index` is the place in the log of what it did."""

    index: int
    seat: Seat
    hand: Cards
    choices: Choices


class Playthrough(Struct, frozen=True):
    """A deal or a session that was played, and what could have been done in it."""

    rules: Rules
    size: int
    log: tuple[Event, ...]
    turns: tuple[Turn, ...]

    def has(self, event: Event) -> bool:
        """Whether this happened."""
        return event in self.log

    def all(self, kind: type[Any]) -> list[Any]:
        """Everything of a kind that happened."""
        return [event for event in self.log if isinstance(event, kind)]


class Script(Struct, frozen=True, kw_only=True):
    """Who holds what and plays how.

    `hands` gives some cards of each seat, the chien's under -1; the rest is dealt at random. A seat that
    `takes` plays the highest card it may, the others the lowest; what a seat `keeps` it plays last. The bids,
    words and laid cards come in order; everybody else passes, declines, and accepts.
    """

    book: str
    size: int
    seed: int
    hands: Mapping[Seat, str] = {}
    dealer: Seat = 0
    house: Mapping[str, Any] = {}
    takes: tuple[Seat, ...] = ()
    keeps: Mapping[Seat, str] = {}
    words: Words = ()
    cups: tuple[int, int] = (60, 60)


def perform(script: Script) -> Playthrough:
    """The deal that a script gives."""
    return _Stage(script).performed()


def ordinary(book: str, size: int, seed: int) -> Playthrough:
    """One deal between players who choose at random, from sitting down to dividing the cups."""
    rules, rng = rulebook.load(book), Random(seed)
    log = list(series.open_series(rules, [f"P{seat}" for seat in range(size)], seed % size))
    state = series.evolve(rules, None, log[0])
    turns: list[Turn] = []

    def tell(events: tuple[Event, ...]) -> None:
        nonlocal state
        for event in events:
            state = series.evolve(rules, state, event)
            log.append(event)

    tell(series.next_deal(rules, state))
    while state.playing:
        present = state.deal
        assert present is not None
        if deal.needs_cards(present):
            tell(series.decide(rules, state, None, deal.deal_out(rules, present, deal.shuffled(rng), rng)))
            continue
        seat = deal.waiting_for(rules, present)[0]
        choices = deal.legal(rules, present, seat)
        turns.append(Turn(len(log), seat, present.hands[seat], choices))
        tell(series.decide(rules, state, seat, choices.draw(rng)))
    tell(series.close(rules, state))
    return Playthrough(rules, size, tuple(log), tuple(turns))


class _Stage:
    """One deal on its way."""

    def __init__(self, script: Script) -> None:
        self.script = script
        self.rules = rulebook.load(script.book, dict(script.house))
        self.rng = Random(script.seed)
        table, dealer = script.size, script.dealer
        out = series.first_out(self.rules, table, dealer)
        active = series.seated(self.rules, table, dealer, out)
        cups = script.cups if isinstance(self.rules, DanishRules) else (0, 0)
        opened = Opened(table, dealer, active, *cups)
        self.log: list[Event] = list(deal.begin(self.rules, opened))
        self.state = deal.replay(self.rules, deal.begin(self.rules, opened))
        self.turns: list[Turn] = []
        self.words = list(script.words)
        self.hands = script.hands

    def performed(self) -> Playthrough:
        while not deal.is_over(self.state):
            seat, action = self._next()
            if seat is not None:
                choices = deal.legal(self.rules, self.state, seat)
                self.turns.append(Turn(len(self.log), seat, self.state.hands[seat], choices))
            self.state, events = deal.step(self.rules, self.state, seat, action)
            self.log += events
        assert not self.words, f"never said: {self.words}"
        return Playthrough(self.rules, self.script.size, tuple(self.log), tuple(self.turns))

    def _next(self) -> tuple[Seat | None, Action]:
        if deal.needs_cards(self.state):
            return None, self._deal()
        if self.words:
            seat, action = self.words[0]
            if seat is not None and action in deal.legal(self.rules, self.state, seat):
                return self.words.pop(0)
        seat = deal.waiting_for(self.rules, self.state)[0]
        return seat, self._choose(seat, deal.legal(self.rules, self.state, seat))

    def _deal(self) -> Deal:
        """The hands of the script, filled up at random; a second deal is all random."""
        given = [mask(parse_cards(self.hands.get(seat, ""))) for seat in (*range(self.script.size), -1)]
        self.hands = {}
        rest = self.rng.sample(cards(ALL_CARDS & ~sum(given)), 78 - sum(given).bit_count())
        for place, size in enumerate(self._sizes()):
            lacking = size - given[place].bit_count()
            given[place] |= mask(rest[:lacking])
            rest = rest[lacking:]
        return Deal(tuple(map(cards, given[:-1])), cards(given[-1]))

    def _sizes(self) -> list[int]:
        state = self.state
        if isinstance(state, danish.State):
            sizes = {seat: 28 if seat == state.dealer else 25 for seat in state.order}
            return [sizes.get(seat, 0) for seat in range(state.table)] + [0]
        assert isinstance(self.rules, FrenchRules)
        return [self.rules.deal.hand] * state.table + [self.rules.deal.chien]

    def _choose(self, seat: Seat, choices: Choices) -> Action:
        """What a simple player does: nothing that he need not, and cards by their height."""
        for silence in (Pass(), Decline()):
            if silence in choices:
                return silence
        playable = choices.cards()
        if playable:
            return self._play(seat, playable, choices)
        return next(iter(choices))

    def _play(self, seat: Seat, playable: Cards, choices: Choices) -> Action:
        kept = mask(parse_cards(self.script.keeps.get(seat, "")))
        if isinstance(self.rules, DanishRules) and isinstance(self.state, danish.State):
            playable &= lawful(self.rules, self.state, seat)  # who errs does so by his words
        free = playable & ~kept or playable
        some = sorted(cards(free), key=self._height)
        card = some[-1 if seat in self.script.takes else 0]
        action = Play(card)
        return action if action in choices else Play(card, "T")

    def _height(self, card: Card) -> tuple[bool, int, int]:
        reds_reversed = isinstance(self.state, danish.State)
        return card.bit == SKUS, strength(card.index, card.suit, reds_reversed), -card.index
