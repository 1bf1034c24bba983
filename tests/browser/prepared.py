"""Tables that have come some way before anybody opens them in a browser: their logs are written first."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from random import Random
from typing import Any, NamedTuple

from browser.visitor import Visitor
from ultimo import rulebook, series
from ultimo.cards import ALL_CARDS, Card, cards, mask, parse_cards
from ultimo.events import Action, Deal, Play, Seat
from ultimo.rulebook import DanishRules
from ultimo.server.accounts import hashed
from ultimo.server.database import Database
from ultimo.server.held import fold, summary
from ultimo.server.house import COOKIE
from ultimo.server.people import Player
from ultimo.server.store import Row, Store
from ultimo.table import Fact, Facts, Live, SeatPlan, Settings, Think, due, evolve, open_table
from ultimo.table.facts import Happened

YOU: Seat = 0


class Given(NamedTuple):
    """The cards of a deal, and who deals them."""

    cards: Deal
    dealer: Seat


def dealt(rules: str, size: int, dealer: Seat, hands: Mapping[Seat, str], chien: str = "") -> Given:
    """A deal with these cards; what is not said is filled up with the cards left, always in the same way."""
    book = rulebook.load(rules)
    if isinstance(book, DanishRules):
        sizes = [28 if seat == dealer else 25 for seat in range(size)]
    else:
        sizes = [book.deal.hand] * size + [book.deal.chien]
    said = [mask(hands.get(seat, "")) for seat in range(size)] + [mask(chien)]
    left = list(cards(ALL_CARDS & ~sum(said)))
    Random(1).shuffle(left)
    rest = iter(left)
    whole = [
        cards(some | mask([next(rest) for _ in range(count - some.bit_count())]))
        for some, count in zip(said, sizes, strict=False)
    ]
    return Given(Deal(tuple(whole[:size]), whole[size] if len(whole) > size else ()), dealer)


class Prepared:
    """A table of one person, Ada in seat 0, and bots that play at random, with given cards or any.

    What is played follows from the title; a database holds one table of a title, or some copies.
    """

    def __init__(
        self,
        title: str,
        rules: str,
        given: Given | None = None,
        house: dict[str, Any] | None = None,
        copy: str = "",
    ) -> None:
        size = len(given.cards.hands) if given else rulebook.load(rules).sizes[0]
        seats = (SeatPlan("host"), *[SeatPlan("bot", "random")] * (size - 1))
        self.settings = Settings(rules, size, seats, house or {}, deals=2, tempo="instant")
        self.table = sha256(f"{title}{copy}".encode()).hexdigest()[:16]
        self.player = Player(f"ada{self.table}", "Ada", True, "en")
        self.facts: list[Fact] = []
        self.rng = Random(title)
        self.now = time.time()
        self.live: Live = None  # type: ignore[assignment]
        self._put(open_table(self.table, self.settings, self.player.id, self.player.name))
        if given is not None:
            self._deal(given)

    def _deal(self, given: Given) -> None:
        names = [sitting.name for sitting in self.live.seats]
        self._put((Happened(series.open_series(self.live.rules, names, given.dealer)),))
        while not self.live.needs_cards:
            self._go_on()
        self.act(None, given.cards)

    def _put(self, facts: tuple[Fact, ...]) -> None:
        for fact in facts:
            self.facts.append(fact)
            self.live = evolve(self.live, fact, self.now)

    def act(self, seat: Seat | None, action: Action) -> None:
        """Let a seat do something, or chance."""
        assert self.live.series is not None
        self._put((Happened(series.decide(self.live.rules, self.live.series, seat, action)),))

    def play_until(self, enough: Callable[[Any], bool], keep: str = "") -> Prepared:
        """Let everybody play at random until the deal is so far; the cards to keep are played by nobody."""
        kept = parse_cards(keep)
        while self.live.series is None or self.live.series.deal is None or not enough(self.live.series.deal):
            self._go_on(kept)
        return self

    def _go_on(self, kept: tuple[Card, ...] = ()) -> None:
        match due(self.live, self.now, {}, self._secret):
            case Facts(facts=facts):
                self._put(facts)
            case Think(seat=seat):
                self._move(seat, kept)
            case _:
                self._move(self.live.waiting_for[0], kept)

    def _move(self, seat: Seat, kept: tuple[Card, ...]) -> None:
        assert self.live.series is not None
        choices = series.legal(self.live.rules, self.live.series, seat)
        action = choices.draw(self.rng)
        while isinstance(action, Play) and action.card in kept:
            action = choices.draw(self.rng)
        self.act(seat, action)

    def _secret(self) -> str:
        return self.rng.randbytes(32).hex()

    def save(self, database: str) -> str:
        """Write the log and the person into a database; the token of the person's session."""
        with ThreadPoolExecutor(1) as thread:  # Playwright has the event loop of this one
            return thread.submit(asyncio.run, self._save(database)).result()

    async def _save(self, database: str) -> str:
        store = Store(Database(database))
        await store.database.start()
        rows = [Row(seq, fact, self.now) for seq, fact in enumerate(self.facts, 1)]
        title, brief = self.live.rules.title, summary(fold(None, rows))
        await store.add_guest(self.player, self.now)
        await store.create(self.table, self.settings, title, self.player.id, self.facts, self.now, brief)
        token = secrets.token_urlsafe(32)
        await store.add_session(hashed(token), self.player.id, self.now, self.now + 3600)
        await store.database.close()
        return token

    def sit_down(self, visitor: Visitor, database: str) -> Visitor:
        """Let a visitor be this person, at this table."""
        visitor.context.add_cookies([{"name": COOKIE, "value": self.save(database), "url": visitor.url}])
        return visitor.go(f"/t/{self.table}")
