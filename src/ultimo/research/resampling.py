"""Another deal that looks the same to a player: a world is drawn, and the deal is played again in it.

What everybody has seen happens again, and whatever the player has done. The others lay what they have laid in
that world, and answer what only they are asked as they must have, by what everybody knows. What another has
begun and not finished (a skat, an écart, a poignée) nobody has seen: it has not happened yet. A world that
leads elsewhere is dropped, and another one drawn. Cards thrown in before a redeal stay as they were.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np

from ultimo import deal
from ultimo.cards import SKUS, Cards, cards, indices
from ultimo.events import Action, Deal, DealEvent, Opened, Seat
from ultimo.kernel.danish import layout as danish_at
from ultimo.kernel.dice import generator
from ultimo.kernel.french import layout as french_at
from ultimo.kernel.french.bridge import to_deal
from ultimo.kernel.jit import Ints
from ultimo.kernel.sets import cards_in
from ultimo.kernel.worlds.draw import Sampler, sampler
from ultimo.kernel.worlds.knowledge import heard, knowledge
from ultimo.players.retelling import forced, told
from ultimo.research.danish import Floats
from ultimo.research.observing import observe
from ultimo.research.tree import CHANCE, DEAL, DEALT, TURN, Tree, legal
from ultimo.rulebook import DanishRules, FrenchRules, Rules

PATIENCE: Final = 100_000  # worlds that may be dropped
AT_ONCE: Final = 16  # worlds that are drawn together
ASKED_APART: Final = (danish_at.HANDS, danish_at.DEMAND)  # Danish phases in which only some are asked
WORDS: Final = 2**53


class Move(NamedTuple):
    """What a place has done, and in which phase."""

    place: int
    phase: int
    action: int


class Past(NamedTuple):
    """A deal as a player knows it, ready to be played again in other worlds."""

    before: tuple[int, ...]  # all actions before the cards were dealt that are being played
    start: Ints  # the row then
    moves: tuple[Move, ...]  # all since these cards were dealt, as far as the player is to see them
    turn: int  # who is to act after them, and in which phase
    phase: int
    row: Ints  # as the deal stands
    seen: Floats  # what the player observes
    worlds: Sampler


def another(tree: Tree, history: tuple[int, ...], player: int, rng: Callable[[], float]) -> list[int]:
    """The actions of a deal that looks to a player like this one; nobody may be waiting for cards."""
    past = _past(tree, history, player)
    dice = generator(int(rng() * WORDS), 0)
    dropped = 0
    while dropped <= PATIENCE:
        worlds = past.worlds.draw(AT_ONCE if dropped else 1, dice)
        for number in range(len(worlds)):
            replay = Replay(tree, past, player)
            if replay.fits(worlds.rows(number)):
                return [*past.before, *replay.actions]
        dropped += max(1, len(worlds))
    raise LookupError("no other deal was found that looks the same to this player")


class Replay:
    """A deal that is played again, with other cards in the hands that a player does not see."""

    def __init__(self, tree: Tree, past: Past, player: int) -> None:
        self._tree, self._past, self._player = tree, past, player
        self._row = past.start.copy()
        self._danish = isinstance(tree.rules, DanishRules)
        self.actions: list[int] = []

    def fits(self, world: Sequence[Cards]) -> bool:
        """Whether the deal can be played in a world so that it comes to the same for the player."""
        for card in _dealt(self._tree, self._past.row[DEAL:], world):
            self._do(card)
        questions, moves = list[Move](), list[Move]()
        for move in self._past.moves:
            (questions if self._is_apart(move.phase) else moves).append(move)
        mine = {move.phase: move.action for move in questions if move.place == self._player}
        demands = {move.place for move in questions if move.action == danish_at.DEMAND_SKUS}
        while moves or not self._has_arrived(mine, demands):
            place, phase = int(self._row[TURN]), int(self._row[self._tree.phase])
            if self._is_apart(phase):
                action = self._answer(place, phase, mine, demands)
            elif not moves or moves[0][:2] != (place, phase):
                return False
            elif phase == self._tree.laying and place != self._player:
                if not self._lay(moves, world[-1]):
                    return False
                continue
            else:
                action = moves.pop(0).action
            if action not in legal(self._row):
                return False
            self._do(action)
        return np.array_equal(_observed(self._tree, self._row, self._player), self._past.seen)

    def _do(self, action: int) -> None:
        self._tree.step(self._row, action)
        self.actions.append(action)

    def _is_apart(self, phase: int) -> bool:
        """Whether only some are asked, which tells something of their cards."""
        return self._danish and phase in ASKED_APART

    def _has_arrived(self, mine: dict[int, int], demands: set[int]) -> bool:
        """Whether all has been done that was, and the player is asked, or is not, as they are now."""
        past, place, phase = self._past, int(self._row[TURN]), int(self._row[self._tree.phase])
        if mine or demands or phase != past.phase:
            return False
        if self._is_apart(phase):
            return (place == self._player) == (past.turn == self._player)
        return place == past.turn

    def _answer(self, place: int, phase: int, mine: dict[int, int], demands: set[int]) -> int:
        """What somebody says who is asked apart; -1 if the player is asked and was not."""
        if place == self._player:
            demands.discard(place)
            return mine.pop(phase, -1)
        if phase == danish_at.HANDS:
            return danish_at.ACCEPT
        if place in demands:
            demands.discard(place)
            return danish_at.DEMAND_SKUS
        return danish_at.DECLINE

    def _lay(self, moves: list[Move], aside: Cards) -> bool:
        """Let another place lay what lies aside in this world."""
        while moves and moves[0].phase == self._tree.laying:
            moves.pop(0)
        wanted = aside | (1 << danish_at.LAY_TOUT if self._danish and aside & SKUS else 0)
        while wanted:
            action = next((one for one in reversed(legal(self._row)) if wanted >> one & 1), None)
            if action is None:
                return False
            self._do(action)
            wanted ^= 1 << action
        return True


def _dealt(tree: Tree, s: Ints, world: Sequence[Cards]) -> Iterator[int]:
    """The cards of a world in the order in which they are dealt; `s` tells which of them have been played."""
    danish, aside = isinstance(tree.rules, DanishRules), world[-1]
    suits, trumps = (
        (danish_at.OUT_SUITS, danish_at.OUT_TRUMPS)
        if danish
        else (french_at.PLAYED_SUITS, french_at.PLAYED_TRUMPS)
    )
    hands = [hand | cards_in(s[suits + place], s[trumps + place]) for place, hand in enumerate(world[:-1])]
    if danish:
        hands[-1] |= aside
        aside = 0
    elif chien := cards_in(s[french_at.CHIEN_SEEN_SUITS], s[french_at.CHIEN_SEEN_TRUMPS]):
        taker = int(s[french_at.TAKER])
        hands[taker] = (hands[taker] | aside) & ~chien
        aside = chien
    for together in (*hands, aside):
        yield from indices(together)


# --- what a player knows ---------------------------------------------------------------------------------


@lru_cache(maxsize=8)  # a search asks for many deals that look the same
def _past(tree: Tree, history: tuple[int, ...], player: int) -> Past:
    row = tree.root()
    before, start, moves = history[:0], row, list[Move]()
    table = Table(tree, player)
    for number, action in enumerate(history):
        move = Move(int(row[TURN]), int(row[tree.phase]), action)
        if move.place != CHANCE:
            tree.step(row, action)
            moves.append(move)
            table.tell(move, row[DEAL:])
            continue
        if row[DEALT] == 0:
            before, start, moves, table = history[:number], row.copy(), [], Table(tree, player)
        if tree.step(row, action) != CHANCE:
            table.deal(row[DEAL:])
    table.answer_for_all()
    known = knowledge(tree.rules, table.view, heard(table.seen))
    turn, phase = _go_back(tree, row, moves, player)
    return Past(before, start, tuple(moves), turn, phase, row, _observed(tree, row, player), sampler(known))


def _go_back(tree: Tree, row: Ints, moves: list[Move], player: int) -> tuple[int, int]:
    """Take back what another place has not finished; whose turn it then is, and in which phase."""
    turn, phase = int(row[TURN]), int(row[tree.phase])
    if turn == player:
        return turn, phase
    showing = not isinstance(tree.rules, DanishRules) and phase == french_at.SHOWING
    if phase == tree.laying or showing:
        while moves and moves[-1].phase == phase:
            moves.pop()
    return turn, moves.pop().phase if showing else phase


def _observed(tree: Tree, row: Ints, player: int) -> Floats:
    return observe(tree.rules, row[None, DEAL:], np.array([player])).reshape(-1)


class Table:
    """A deal at the engine's table, and what one seat sees of it. The seats are the places."""

    def __init__(self, tree: Tree, viewer: Seat) -> None:
        self._rules: Rules = tree.rules
        self._viewer = viewer
        seats = tuple(range(tree.players))
        opened = Opened(tree.players, seats[-1], seats, tree.king, tree.pagat)
        self.state = self.view = deal.initial(tree.rules, opened)
        self.seen: list[DealEvent] = []
        self._happens(deal.begin(tree.rules, opened)[1:])

    def deal(self, s: Ints) -> None:
        """Cards were dealt."""
        at = danish_at
        if isinstance(self._rules, FrenchRules):
            self._act(None, to_deal(self._rules, s))
            return
        hands = (cards_in(s[at.DEALT_SUITS + seat], s[at.DEALT_TRUMPS + seat]) for seat in range(at.PLACES))
        self._act(None, Deal(tuple(map(cards, hands))))

    def tell(self, move: Move, after: Ints) -> None:
        """Somebody has done something."""
        if wish := told(self._rules, move.phase, move.place, move.action, after):
            self.answer_for_all()
            self._act(move.place, wish)

    def answer_for_all(self) -> None:
        """Say what the kernel asks nobody."""
        while found := next(forced(self._rules, self.state), None):
            self._act(*found)

    def _act(self, seat: Seat | None, action: Action) -> None:
        self._happens(deal.decide(self._rules, self.state, seat, action))

    def _happens(self, events: Sequence[DealEvent]) -> None:
        for event in events:
            seen = deal.seen_by(self._rules, self.state, self._viewer, event)
            self.seen.append(seen)
            self.view = deal.evolve(self._rules, self.view, seen)
            self.state = deal.evolve(self._rules, self.state, event)
