"""Players at a table: asks them in turn, and shows each what its seat may see."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from random import Random

from ultimo import deal, series
from ultimo.events import Action, Event, Seat
from ultimo.play.choices import Choices
from ultimo.players.player import Player, View, Watcher
from ultimo.rulebook import Rules


class Match:
    """A series with its players. What happens is in `log`; nothing else is needed to tell it again."""

    def __init__(
        self,
        rules: Rules,
        names: Sequence[str],
        players: Mapping[Seat, Player],
        rng: Random,
        log: Iterable[Event] = (),
    ) -> None:
        """Sit down, or with a log of earlier events sit down again where it ends."""
        self.rules = rules
        self.players = players
        self.log: list[Event] = []
        self._rng = rng
        log = list(log) or _sit_down(rules, names, rng)
        self.state = series.evolve(rules, None, log[0])
        self._views = dict.fromkeys(players, self.state)
        self._watchers = {seat: one for seat, one in players.items() if isinstance(one, Watcher)}
        self.log.append(log[0])
        self._tell(log[1:])

    def view(self, seat: Seat) -> View:
        """What a seat with a player knows."""
        return View(self.rules, seat, self._views[seat])

    def act(self, seat: Seat | None, action: Action) -> tuple[Event, ...]:
        """Let a seat act; the facts that follow. May raise `IllegalAction`."""
        return self._tell(series.decide(self.rules, self.state, seat, action))

    def next_deal(self) -> tuple[Event, ...]:
        """Begin the next deal, up to its cards."""
        return self._tell(series.next_deal(self.rules, self.state))

    def close(self) -> tuple[Event, ...]:
        """End the session."""
        lot = self._rng.randrange(self.state.table)
        return self._tell(series.close(self.rules, self.state, lot))

    def advance(self) -> tuple[Event, ...]:
        """Let chance or the next player act; the facts that follow, none if it is not a player's turn."""
        present = self.state.deal
        if present is None or deal.is_over(present):
            return ()
        if deal.needs_cards(present):
            deck = series.cut_pack(self.state) or deal.shuffled(self._rng)
            return self.act(None, deal.deal_out(self.rules, present, deck, self._rng))
        for seat in deal.waiting_for(self.rules, present):
            if seat in self.players:
                choices = deal.legal(self.rules, present, seat)
                return self.act(seat, self.players[seat].choose(self.view(seat), choices))
        return ()

    def play_deals(self, number: int) -> Iterator[int]:
        """Play deals to their end, as long as the session lasts; yields how many have been played."""
        for played in range(1, number + 1):
            if series.is_due_to_end(self.rules, self.state):
                return
            self._found()
            self.next_deal()
            while self.advance():
                pass
            yield played

    def _found(self) -> None:
        """At a strict table the players found by themselves; those of a match do not forget."""
        for seat in range(self.state.table):
            for action in series.legal(self.rules, self.state, seat):
                self.act(seat, action)

    def _tell(self, events: Iterable[Event]) -> tuple[Event, ...]:
        told = tuple(events)
        for event in told:
            for seat, view in self._views.items():
                seen = series.seen_by(self.rules, self.state, seat, event)
                self._views[seat] = series.evolve(self.rules, view, seen)
                if seat in self._watchers:
                    self._watchers[seat].see(self.view(seat), seen)
            self.state = series.evolve(self.rules, self.state, event)
            self.log.append(event)
        return told


def _sit_down(rules: Rules, names: Sequence[str], rng: Random) -> tuple[Event, ...]:
    """The first dealer is drawn, by cards or by lot."""
    drawn = series.draw(rules, len(names), rng)
    dealer = series.drawn_dealer(rules, drawn)
    return series.open_series(
        rules, names, rng.randrange(len(names)) if dealer is None else dealer, drawn=drawn
    )


def first_answer(rules: Rules, table: int, players: Mapping[Seat, Player]) -> tuple[View, Choices]:
    """Let players play until one has to answer a lead: what he knows, and what he may do."""
    match = Match(rules, [str(seat) for seat in range(table)], players, Random(1))
    while match.state.deal is None or not match.state.deal.trick:
        if not match.advance():  # before the first deal, or nobody wanted to play
            match.next_deal()
    seat = deal.waiting_for(rules, match.state.deal)[0]
    return match.view(seat), deal.legal(rules, match.state.deal, seat)
