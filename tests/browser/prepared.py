"""Tables that have come some way before anybody opens them in a browser: their logs are written first."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from random import Random
from typing import Any, NamedTuple

from browser.visitor import Visitor
from ultimo import rulebook, series
from ultimo.cards import ALL_CARDS, ALL_TRUMPS, Card, cards, mask, parse_cards
from ultimo.events import Action, Deal, Play, Seat
from ultimo.fair import commitment
from ultimo.rulebook import DanishRules
from ultimo.server.house import COOKIE
from ultimo.server.store import Player
from ultimo.table import Fact, Facts, Live, SeatPlan, Settings, Think, Wait, due, evolve, open_table
from ultimo.table.facts import CommitsClosed, Happened, PlayerCommitted, PlayerRevealed, ServerCommitted
from ultimo.table.scene import Tempo
from written import write

YOU: Seat = 0
DRAWS = 1000
STRONG = "T0 T21 T18 T17 T15 T12 T11 T9 T8 T4 T1 SK SQ HK HN H3 DK D2 C9"


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

    What is played follows from the title, also later in the browser; a database holds one table of a title,
    or some copies. A fair one has no seed: its cards come from secrets, of which Ada's page has given one.
    """

    def __init__(
        self,
        title: str,
        rules: str,
        given: Given | None = None,
        house: dict[str, Any] | None = None,
        copy: str = "",
        fair: bool = False,
        seats: int | None = None,
        dealer: Seat | None = None,
        tempo: Tempo = "instant",
        deals: int = 2,
    ) -> None:
        size = len(given.cards.hands) if given else seats or rulebook.load(rules).sizes[0]
        plans = (SeatPlan("host"), *[SeatPlan("bot", "random")] * (size - 1))
        self.settings = Settings(rules, size, plans, house or {}, deals=deals, tempo=tempo)
        self.table = sha256(f"{title}{copy}".encode()).hexdigest()[:16]
        self.player = Player(f"ada{self.table}", "Ada", True, "en")
        self.facts: list[Fact] = []
        self.rng = Random(title)
        self.now = time.time()
        self.fair = fair
        self.witness: list[dict[str, Any]] = []  # what Ada's page keeps of each attempt
        self.live: Live = None  # type: ignore[assignment]
        seed = None if fair else title
        self._put(open_table(self.table, self.settings, self.player.id, self.player.name, seed=seed))
        if given is not None or dealer is not None:
            names = [sitting.name for sitting in self.live.seats]
            first = given.dealer if given is not None else dealer or 0
            self._put((Happened(series.open_series(self.live.rules, names, first)),))
        if given is not None:
            self._deal(given)

    def _deal(self, given: Given) -> None:
        while not self.live.needs_cards:
            self._go_on()
        self.act(None, given.cards)

    def _put(self, facts: tuple[Fact, ...]) -> None:
        for fact in facts:
            self.facts.append(fact)
            self.live = evolve(self.live, fact, self.now)
            if self.fair:
                self._share(fact)

    def _share(self, fact: Fact) -> None:
        """Let Ada's page take part in the shuffle."""
        match fact:
            case ServerCommitted(deal=deal, number=number, draw=draw):
                assert self.live.shuffle is not None
                own = self._secret()
                seen: dict[str, Any] = {
                    "number": number,
                    "draw": draw,
                    "deal": deal,
                    "seat": YOU,
                    "secret": own,
                }
                seen |= {"server": self.live.shuffle.commitment, "players": [commitment(own)]}
                self.witness.append(seen | {"committed": True, "revealed": True})
                self._put((PlayerCommitted(deal, self.player.id, commitment(own)),))
            case CommitsClosed(deal=deal):
                self._put((PlayerRevealed(deal, self.player.id, self.witness[-1]["secret"]),))

    def act(self, seat: Seat | None, action: Action) -> None:
        """Let a seat do something, or chance."""
        assert self.live.series is not None
        self._put((Happened(series.decide(self.live.rules, self.live.series, seat, action)),))

    def play_until(self, enough: Callable[[Any], bool], keep: str = "") -> Prepared:
        """Let everybody play at random until the deal is so far; the cards to keep are played by nobody."""
        kept = parse_cards(keep)
        while self.live.series is None or self.live.series.deal is None or not enough(self.live.series.deal):
            assert self.live.number <= 1, f"the deal of {self.table} was over before it came to this"
            self._go_on(kept)
        return self

    def _go_on(self, kept: tuple[Card, ...] = ()) -> None:
        match due(self.live, self.now, {self.player.id: self.now}, self._secret):
            case Facts(facts=facts):
                self._put(facts)
            case Think(seat=seat):
                self._move(seat, kept)
            case Wait(until=until) if not self.live.waiting_for:
                self.now = until  # for a page that is not there to shuffle
            case _:
                self._move(self.live.waiting_for[0], kept)

    def _move(self, seat: Seat, kept: tuple[Card, ...]) -> None:
        assert self.live.series is not None
        choices = series.legal(self.live.rules, self.live.series, seat)
        for _ in range(DRAWS):
            action = choices.draw(self.rng)
            if not (isinstance(action, Play) and action.card in kept):
                return self.act(seat, action)
        raise AssertionError(f"seat {seat} can do nothing but play what is to be kept")

    def _secret(self) -> str:
        return self.rng.randbytes(32).hex()

    def save(self, database: str) -> str:
        """Write the log and the person into a database; the token of the person's session."""
        token = f"token of {self.player.id}"
        write(database, self.facts, self.now, self.player, token)
        return token

    def sit_down(self, visitor: Visitor, database: str) -> Visitor:
        """Let a visitor be this person, at this table."""
        visitor.context.add_cookies([{"name": COOKIE, "value": self.save(database), "url": visitor.url}])
        if self.witness:
            script = "([key, kept]) => sessionStorage.getItem(key) ?? sessionStorage.setItem(key, kept)"
            kept = json.dumps([f"ultimo.fair.{self.table}", json.dumps(self.witness)])
            visitor.page.add_init_script(f"({script})({kept})")
        return visitor.go(f"/t/{self.table}")


def last_tricks(copy: str, **options: Any) -> Iterator[Prepared]:
    """Last tricks that the visitor leads with the pagat, and wins."""
    for number in range(500):
        table = Prepared(f"ultimo {number}", "dtf", dealt("dtf", 3, 2, {YOU: STRONG}), copy=copy, **options)
        table.play_until(lambda deal: len(deal.tricks) == 24 and deal.phase == "play", keep="T1")
        state: Any = table.live.series.deal if table.live.series is not None else None
        if state.turn == YOU and not any(hand & ALL_TRUMPS for hand in state.hands[1:]):
            yield table
