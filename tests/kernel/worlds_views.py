"""Deals as one seat sees them, with the truth beside: what the tests of the sampler look at."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from itertools import combinations
from math import comb
from random import Random

from msgspec import Struct

from properties.driving import Clumsy, open_deal
from table import WITHOUT_FFT
from ultimo import danish, deal, rulebook
from ultimo.cards import ALL_CARDS, Cards, indices
from ultimo.events import DealEvent, Opened, Seat
from ultimo.kernel.dice import generator
from ultimo.kernel.worlds.draw import sampler
from ultimo.kernel.worlds.knowledge import Heard, Knowledge, heard, knowledge
from ultimo.rulebook import Rules

MOST_ACTIONS = 400  # a table with errors may go on for ever


class Glimpse(Struct, frozen=True):
    """A moment of a deal: what a seat has seen of it, and how the cards truly lie."""

    rules: Rules
    viewer: Seat | None
    seen: tuple[DealEvent, ...]
    view: deal.State
    truth: tuple[Cards, ...]

    def knowledge(self) -> Knowledge:
        """What the viewer knows, if it has forgotten nothing."""
        return knowledge(self.rules, self.view, self.told())

    def told(self) -> Heard:
        """What the viewer remembers besides its state."""
        return heard(self.seen)

    def draw(self, number: int, told: Heard | None = None) -> list[tuple[Cards, ...]]:
        """Worlds that fit, or all that were found; by default the viewer has forgotten nothing."""
        known = knowledge(self.rules, self.view, self.told() if told is None else told)
        drawn = sampler(known).draw(number, generator(3, 0))
        return [drawn.rows(place) for place in range(len(drawn))]

    def others(self) -> int:
        """In how many ways the hidden cards could lie, if only hands were counted."""
        hidden, rooms = self.hidden()
        ways, left = 1, hidden.bit_count()
        for room in rooms:
            ways *= comb(left, room)
            left -= room
        return ways

    def hidden(self) -> tuple[Cards, list[int]]:
        """The cards that the viewer does not locate by sight alone, and the room for them by row."""
        located = 0
        for cards in _rows(self.view):
            located |= cards
        for plays in (*(trick.plays for trick in self.view.tricks), self.view.trick):
            for play in plays:
                located |= play.card.bit
        return ALL_CARDS & ~located, [*self.view.unseen, _aside_unseen(self.view)]

    def worlds(self) -> Iterator[tuple[Cards, ...]]:
        """Every world with hands of the right size."""
        hidden, rooms = self.hidden()

        def walk(row: int, left: Cards) -> Iterator[tuple[Cards, ...]]:
            if row == len(rooms):
                yield ()
                return
            for some in combinations(indices(left), rooms[row]):
                chosen = sum(1 << index for index in some)
                for rest in walk(row + 1, left & ~chosen):
                    yield (_rows(self.view)[row] | chosen, *rest)

        return walk(0, hidden)

    def shuffled(self, rng: Random) -> tuple[Cards, ...]:
        """Any world with hands of the right size."""
        hidden, rooms = self.hidden()
        cards = list(indices(hidden))
        rng.shuffle(cards)
        world = []
        for known, room in zip(_rows(self.view), rooms, strict=True):
            world.append(known | sum(1 << index for index in cards[:room]))
            del cards[:room]
        return tuple(world)


def glimpses(rules: Rules, size: int, rng: Random, error: float = 0.0) -> Iterator[Glimpse]:
    """A deal played at random: after every action, what one of the table or a spectator makes of it."""
    opened = open_deal(rules, size, rng)
    players = Clumsy(rules, rng, error)
    viewers: tuple[Seat | None, ...] = (*range(size), None)
    state = deal.initial(rules, opened)
    seen: dict[Seat | None, list[DealEvent]] = {}
    views: dict[Seat | None, deal.State] = {}
    for viewer in viewers:
        first = deal.seen_by(rules, state, viewer, opened)
        seen[viewer] = [first]
        views[viewer] = deal.replay(rules, [first])
    events: Sequence[DealEvent] = deal.begin(rules, opened)[1:]
    for number in range(MOST_ACTIONS):
        for event in events:
            for viewer in viewers:
                shown = deal.seen_by(rules, state, viewer, event)
                seen[viewer].append(shown)
                views[viewer] = deal.evolve(rules, views[viewer], shown)
            state = deal.evolve(rules, state, event)
        if any(state.hands) or deal.is_over(state):
            viewer = viewers[(number + rng.randrange(2)) % len(viewers)]
            if sum(map(int.bit_count, _everywhere(state))) == 78:
                yield Glimpse(rules, viewer, tuple(seen[viewer]), views[viewer], tuple(_rows(state)))
        if deal.is_over(state):
            return
        seat, action = players.next(state)
        events = deal.decide(rules, state, seat, action)


def looked_at(rules: Rules, log: Sequence[DealEvent], viewer: Seat | None) -> Glimpse:
    """A deal that a test has played, as a seat sees it at its end."""
    opened = log[0]
    assert isinstance(opened, Opened)
    state = deal.initial(rules, opened)
    seen = [deal.seen_by(rules, state, viewer, opened)]
    for event in log[1:]:
        seen.append(deal.seen_by(rules, state, viewer, event))
        state = deal.evolve(rules, state, event)
    return Glimpse(rules, viewer, tuple(seen), deal.replay(rules, seen), tuple(_rows(state)))


def _everywhere(state: deal.State) -> list[Cards]:
    plays = (*(trick.plays for trick in state.tricks), state.trick)
    return [*_rows(state), *(play.card.bit for some in plays for play in some)]


def _rows(state: deal.State) -> list[Cards]:
    """The cards of each seat as far as they are known, and those laid aside."""
    if isinstance(state, danish.State):
        return [*state.hands, state.skat]
    return [*state.hands, state.chien | state.ecart]


def _aside_unseen(state: deal.State) -> int:
    return state.skat_unseen if isinstance(state, danish.State) else state.chien_unseen + state.ecart_unseen


def digest(deals: int) -> str:
    """What is drawn from some moments of some deals, in one number; the same compiled or not."""
    total = hashlib.sha256()
    for book in WITHOUT_FFT:
        rules = rulebook.load(book)
        for number in range(deals):
            rng = Random(f"digest {book} {number}")
            for step, glimpse in enumerate(glimpses(rules, rules.sizes[0], rng)):
                if step % 40 == 7:
                    for budget in (0, 1_000_000):
                        drawn = sampler(glimpse.knowledge(), budget).draw(3, generator(number, step))
                        for array in (drawn.suits, drawn.trumps, drawn.weights):
                            total.update(array.tobytes())
    return total.hexdigest()


if __name__ == "__main__":
    print(digest(1))
