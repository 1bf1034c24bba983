"""What a seat may do: few actions written out, many described.

`legal` answers with `Choices`. It can be asked whether an action is among them, counted, walked through and
drawn from, without ever writing out the 134,596 ways to lay six cards of twenty-four.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, repeat
from math import comb, prod
from operator import contains
from random import Random
from typing import Any, Protocol

from msgspec import Struct

from ultimo.cards import PACK, SKUS, SUITS, Card, Cards, cards, indices, mask
from ultimo.events import Action, Declaration, Declare, Lay, Play, ShowPoignee


class Subset(Struct, frozen=True):
    """Every set of `size` cards that holds all of `must`, the rest being any cards of `among`."""

    must: Cards
    among: Cards
    size: int

    def __contains__(self, chosen: Cards) -> bool:
        return (
            chosen.bit_count() == self.size
            and chosen & self.must == self.must
            and not chosen & ~(self.must | self.among)
        )

    def __len__(self) -> int:
        free = self.size - self.must.bit_count()
        return comb((self.among & ~self.must).bit_count(), free) if free >= 0 else 0

    def __iter__(self) -> Iterator[Cards]:
        free = self.size - self.must.bit_count()
        if free >= 0:
            for some in combinations(indices(self.among & ~self.must), free):
                yield self.must | sum(1 << index for index in some)

    def draw(self, rng: Random) -> Cards:
        """One of the sets, each as likely as another."""
        some = rng.sample(list(indices(self.among & ~self.must)), self.size - self.must.bit_count())
        return self.must | sum(1 << index for index in some)


class Offer(Protocol):
    """A group of actions of one kind."""

    def __contains__(self, action: Any, /) -> bool: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Action]: ...
    def draw(self, rng: Random, /) -> Action: ...


class Actions(Struct, frozen=True):
    """Actions written out."""

    actions: tuple[Action, ...]

    def __contains__(self, action: Any) -> bool:
        return action in self.actions

    def __len__(self) -> int:
        return len(self.actions)

    def __iter__(self) -> Iterator[Action]:
        return iter(self.actions)

    def draw(self, rng: Random) -> Action:
        return self.actions[rng.randrange(len(self.actions))]


class Plays(Struct, frozen=True):
    """Playing one of some cards; where the skus would be led with a name, it comes with each of the five."""

    cards: Cards
    naming: bool = False

    def __contains__(self, action: Any) -> bool:
        if type(action) is not Play or not action.card.bit & self.cards:
            return False
        return (action.named is not None) == (self.naming and action.card.bit == SKUS)

    def __len__(self) -> int:
        return self.cards.bit_count() + (4 if self.naming and self.cards & SKUS else 0)

    def __iter__(self) -> Iterator[Action]:
        for card in cards(self.cards):
            if self.naming and card.bit == SKUS:
                for suit in SUITS:
                    yield Play(card, suit)
            else:
                yield Play(card)

    def draw(self, rng: Random) -> Action:
        """One card, each as likely as another; the name of a led skus likewise."""
        place = rng.randrange(self.cards.bit_count())
        rest = self.cards
        for _ in range(place):
            rest &= rest - 1
        card = PACK[(rest & -rest).bit_length() - 1]
        named = SUITS[rng.randrange(5)] if self.naming and card.bit == SKUS else None
        return Play(card, named)


class Lays(Struct, frozen=True):
    """Laying one of the sets of cards."""

    sets: Subset
    tout: bool = False

    def __contains__(self, action: Any) -> bool:
        return type(action) is Lay and action.tout == self.tout and _chosen(action.cards) in self.sets

    def __len__(self) -> int:
        return len(self.sets)

    def __iter__(self) -> Iterator[Action]:
        for chosen in self.sets:
            yield Lay(cards(chosen), self.tout)

    def draw(self, rng: Random) -> Action:
        return Lay(cards(self.sets.draw(rng)), self.tout)


class Shows(Struct, frozen=True):
    """Showing one of the sets of trumps."""

    sets: Subset

    def __contains__(self, action: Any) -> bool:
        return type(action) is ShowPoignee and _chosen(action.cards) in self.sets

    def __len__(self) -> int:
        return len(self.sets)

    def __iter__(self) -> Iterator[Action]:
        for chosen in self.sets:
            yield ShowPoignee(cards(chosen))

    def draw(self, rng: Random) -> Action:
        return ShowPoignee(cards(self.sets.draw(rng)))


class Declarings(Struct, frozen=True):
    """Declaring anything at all: from each slot (tarok, a suit, the kings …) one declaration or none."""

    slots: tuple[tuple[Declaration, ...], ...]

    def __contains__(self, action: Any) -> bool:
        if type(action) is not Declare:
            return False
        places = [self._slot(declaration) for declaration in action.declarations]
        return None not in places and len(set(places)) == len(places)

    def _slot(self, declaration: Declaration) -> int | None:
        return next((place for place, slot in enumerate(self.slots) if declaration in slot), None)

    def __len__(self) -> int:
        return prod(len(slot) + 1 for slot in self.slots)

    def __iter__(self) -> Iterator[Action]:
        def walk(place: int, made: tuple[Declaration, ...]) -> Iterator[Action]:
            if place == len(self.slots):
                yield Declare(made)
                return
            yield from walk(place + 1, made)
            for declaration in self.slots[place]:
                yield from walk(place + 1, (*made, declaration))

        return walk(0, ())

    def draw(self, rng: Random) -> Action:
        picks = [rng.randrange(len(slot) + 1) for slot in self.slots]
        return Declare(tuple(slot[pick - 1] for slot, pick in zip(self.slots, picks, strict=True) if pick))


class Choices(Struct, frozen=True):
    """All that a seat may do now."""

    offers: tuple[Offer, ...] = ()

    def __contains__(self, action: Any) -> bool:
        return any(map(contains, self.offers, repeat(action)))

    def __len__(self) -> int:
        return sum(map(len, self.offers))

    def __bool__(self) -> bool:
        return bool(self.offers)

    def __iter__(self) -> Iterator[Action]:
        for offer in self.offers:
            yield from offer

    def draw(self, rng: Random) -> Action:
        """One action: a kind as likely as another, and within it each as likely as another."""
        return self.offers[rng.randrange(len(self.offers)) if len(self.offers) > 1 else 0].draw(rng)

    def cards(self) -> Cards:
        """The cards that may be played."""
        return next((offer.cards for offer in self.offers if isinstance(offer, Plays)), 0)


NOTHING = Choices()


def actions(*some: Action) -> Choices:
    """Choices of a few actions."""
    return Choices((Actions(some),))


def _chosen(some: tuple[Card, ...]) -> Cards:
    """The set of some cards, or a set no rule allows if one is named twice or unseen."""
    together = mask(some)
    return together if together.bit_count() == len(some) else -1
