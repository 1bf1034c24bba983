"""A decision as the expert's search sees it: candidates, and worlds in which they are tried.

Cards that come to the same are one candidate. What both families share stands here; each adds how its past is
told and its deals are played out.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import ClassVar, Generic, Protocol, TypeVar

import numpy as np
from msgspec import Struct

from ultimo import danish, french
from ultimo.cards import ALL_CARDS, COURTS, PAGAT, SKUS, SUITS_WORD, T21, TRUMPS, Card, Cards, indices
from ultimo.events import Action, Play, Seat
from ultimo.kernel.jit import Ints, Words
from ultimo.kernel.worlds.draw import Sampler, Worlds, sampler
from ultimo.kernel.worlds.knowledge import Knowledge, knowledge
from ultimo.play.choices import Choices
from ultimo.play.following import FIRST_TRUMP, PACK_SIZE, strength
from ultimo.players.expert.inference import (
    CAUTIOUS,
    PARTS,
    POOL,
    Floats,
    Method,
    accepted,
    neighbours,
    picked,
    survivors,
    together,
    unlikely,
    weighed,
)
from ultimo.players.policy.levels import policies
from ultimo.rulebook import DanishRules, FrenchRules

R = TypeVar("R", DanishRules, FrenchRules)
S = TypeVar("S", danish.State, french.State)

PIPS = SUITS_WORD & ~COURTS  # none of them counts more than another
EVEN_TRUMPS = TRUMPS & ~(PAGAT | T21)
MANY = 64  # worlds, to see what tells them apart


class Option(Struct, frozen=True):
    """A candidate: what is done, as the table and as the kernel says it, and what comes to the same."""

    action: Action
    moves: tuple[int, ...]
    same: tuple[Action, ...] = ()


class Table(ABC, Generic[R, S]):
    """What a seat has to decide."""

    reds_reversed: ClassVar[bool]

    def __init__(
        self,
        rules: R,
        state: S,
        seat: Seat,
        choices: Choices,
        keep: Action | None = None,
        method: Method = CAUTIOUS,
    ) -> None:
        """With `keep` an action is among the candidates even if nobody would think of it."""
        self.rules: R = rules
        self.state: S = state
        self.seat = seat
        self.by = policies(rules)
        self.method = method
        self.dice = np.zeros(1, np.uint64)
        self.odd = np.zeros(PACK_SIZE, np.int64)  # in how many worlds each card that was played surprises
        self._knows_what_tells, self._always = False, 0  # cards that are asked no more, and surprise anywhere
        self.options = tuple(self._options(choices))
        self.kept = None if keep is None else self._place_of(keep)
        width = max((len(option.moves) for option in self.options), default=1)
        rows = [option.moves + (-1,) * (width - len(option.moves)) for option in self.options]
        self.moves = np.array(rows, np.int64).reshape(len(rows), width)  # -1 behind the last of each

    # --- candidates ------------------------------------------------------------------------------------

    def _place_of(self, action: Action) -> int:
        """The candidate that is an action, or comes to the same; a new one if there is none."""
        for place, option in enumerate(self.options):
            if action == option.action or action in option.same:
                return place
        self.options += (Option(action, self._moves(action)),)
        return len(self.options) - 1

    @abstractmethod
    def _options(self, choices: Choices) -> Iterator[Option]:
        """The candidates."""

    @abstractmethod
    def _moves(self, action: Action) -> tuple[int, ...]:
        """An action as the kernel says it."""

    def _plays(self, choices: Iterable[Action]) -> Iterator[Option]:
        """The cards that may be played, those together that come to the same."""
        plays = [action for action in choices if isinstance(action, Play)]
        gone = sum(play.card.bit for trick in self.state.tricks for play in trick.plays)  # not on the table
        for group in touching(self.state.hands[self.seat], gone, plays, self.reds_reversed):
            yield Option(group[0], self._moves(group[0]), tuple(group))

    def advice(self) -> Action:
        """What the player would do who plays the deals out."""
        return self.by.choose(self.rules, self.state, self.seat, self.method.policy)[0]

    def handicaps(self, favourite: int) -> Floats:
        """The points by which each candidate must lead the favourite."""
        found = np.full(len(self.options), self.method.margin)
        if self.state.phase == "play":
            found[:] = [self.method.patience * self.is_rash(option) for option in self.options]
        found[favourite] = 0.0
        return found

    def is_rash(self, option: Option) -> bool:
        """Whether a card gives away early what the books would keep."""
        return False

    # --- worlds ----------------------------------------------------------------------------------------

    @cached_property
    def known(self) -> Knowledge:
        """What the seat knows of the cards; may raise `Impossible`."""
        return knowledge(self.rules, self.state)

    @cached_property
    def _sampler(self) -> Sampler:
        return sampler(self.known)

    @property
    @abstractmethod
    def _telling(self) -> Ints:
        """For each card that was played whether it is asked if it surprises; empty if nothing is."""

    @abstractmethod
    def tell(self, worlds: Worlds) -> tuple[Ints, Ints]:
        """The present state in each world, and how often the others did what surprises in it."""

    def draw(self, number: int, dice: Words) -> tuple[Worlds, Ints, Floats]:
        """Worlds, the present state in each, and how much speaks against each.

        The first worlds that are many show which cards tell something: only of these is asked thereafter.
        """
        worlds = self._sampler.draw(number, dice)
        self.odd[:] = 0
        states, surprises = self.tell(worlds)
        against = self.against(surprises)
        if not self._knows_what_tells and len(worlds) >= MANY:
            odd = self.odd[: len(self._telling)]
            self._always = int((self._telling * (odd == len(worlds))).sum())
            self._telling[:] &= (odd > 0) & (odd < len(worlds))
            self._knows_what_tells = True
        return worlds, states, against

    @cached_property
    def _seen(self) -> int:
        """How many cards the others have played."""
        return int(self._telling.sum())

    def against(self, surprises: Ints) -> Floats:
        """How much speaks against worlds; everything, where the past cannot have been so."""
        words, cards = surprises[:, 0], surprises[:, 1]
        against: Floats
        if self.method.against is None:
            against = unlikely(self._seen)[np.minimum(words + cards + self._always, self._seen)]
        else:
            by_danish, by_french, by_card = self.method.against
            by_word = by_danish if isinstance(self.rules, DanishRules) else by_french
            against = words * by_word + cards * by_card
        against[words < 0] = np.inf
        return against

    def likely(self, number: int, dice: Words) -> tuple[Worlds, Ints]:
        """Worlds by how likely they are, in the end as many as are told apart, and the present state in each.

        There are none where nothing fits what was seen.
        """
        pool, told, spoken = self.draw(POOL * number, dice)
        rows = picked(weighed(spoken, pool.weights), number, dice)
        worlds = Worlds(pool.suits[rows], pool.trumps[rows], np.ones(len(rows)))
        states, against = told[rows], spoken[rows]
        for step in range(self.method.steps if len(rows) and spoken.max() > spoken.min() else 0):
            if step and step % max(1, self.method.steps // PARTS) == 0:
                kept = survivors(against, dice)
                worlds = Worlds(worlds.suits[kept], worlds.trumps[kept], worlds.weights)
                states, against = states[kept], against[kept]
            there, others = neighbours(self.known, worlds, dice)
            then, surprises = self.tell(others)
            after = self.against(surprises)
            taken = accepted(against[there], after, dice)
            gone = there[taken]
            worlds.suits[gone], worlds.trumps[gone] = others.suits[taken], others.trumps[taken]
            states[gone], against[gone] = then[taken], after[taken]
        return together(worlds, states)

    @abstractmethod
    def _play(self, states: Ints, moves: Ints, alive: Ints, policies: Ints, seeds: Words, ends: Ints) -> None:
        """Play the states out by each of the moves, with the kernel of the family."""

    def play_out(
        self,
        states: Ints,
        alive: Ints,
        seeds: Words,
        policy: int | None = None,
        moves: Ints | None = None,
    ) -> Ints:
        """How the deal ends in each of the states: a row, with the last state by each candidate."""
        moves = self.moves if moves is None else moves
        by = self.method.policy if policy is None else policy
        ends = np.zeros((len(states), len(moves), states.shape[1]), np.int64)
        self._play(states, moves, alive, np.full(self.state.table, by, np.int64), seeds, ends)
        return ends

    @abstractmethod
    def nets(self, states: Ints) -> Ints:
        """What each seat at the table has gained in some states, in the last dimension."""

    def gains(self, states: Ints, alive: Ints, seeds: Words) -> Ints:
        """What the candidates gain in each of the states."""
        ends = self.play_out(states, alive, seeds)
        return self.nets(ends)[..., self.seat] - self.nets(states)[:, None, self.seat]


class PastPlaces(Protocol):
    """Where the cards that were played lie in an array of the past."""

    ME: int
    CARDS: int
    TELLING: int
    PLAYS: int
    GONE_SUITS: int
    GONE_TRUMPS: int


def note_plays(past: Ints, at: PastPlaces, played: Iterable[tuple[int, Card, int]]) -> None:
    """Note the cards that were played: by whom, which, and as which number."""
    for place, card, number in played:
        past[at.CARDS + past[at.PLAYS]] = number
        past[at.TELLING + past[at.PLAYS]] = place != past[at.ME]
        past[at.PLAYS] += 1
        past[at.GONE_SUITS + place] |= card.bit & SUITS_WORD
        past[at.GONE_TRUMPS + place] |= card.bit >> FIRST_TRUMP


# --- cards that come to the same -----------------------------------------------------------------------


def touching(hand: Cards, gone: Cards, plays: Sequence[Play], reds_reversed: bool) -> list[list[Play]]:
    """Plays in groups: cards of a hand between which no card of another can come, and that count the same."""
    others = ALL_CARDS & ~hand & ~gone
    groups: list[list[Play]] = []
    for play in sorted(plays, key=lambda play: _height(play.card, reds_reversed)):
        if groups and _alike(groups[-1][-1], play, others, reds_reversed):
            groups[-1].append(play)
        else:
            groups.append([play])
    return groups


def _height(card: Card, reds_reversed: bool) -> tuple[int, int]:
    return card.suit, strength(card.index, card.suit, reds_reversed)


def _alike(one: Play, two: Play, others: Cards, reds_reversed: bool) -> bool:
    """Whether two cards of a hand, the second the higher, are as good as each other."""
    (suit, low), (other, high) = _height(one.card, reds_reversed), _height(two.card, reds_reversed)
    both = one.card.bit | two.card.bit
    if suit != other or (both & ~PIPS and both & ~EVEN_TRUMPS):
        return False
    between = [card for card in indices(others & ~SKUS) if min(card // 14, 4) == suit]
    return not any(low < strength(card, suit, reds_reversed) < high for card in between)
