"""Ultimo for OpenSpiel: a game for every rulebook, called `ultimo_<rulebook>`.

>>> import pyspiel
>>> import ultimo.research.openspiel
>>> game = pyspiel.load_game("ultimo_hermansen(king=80)")
>>> state = game.new_initial_state()
>>> while state.is_chance_node():
...     state.apply_action(state.legal_actions()[0])
>>> state.current_player(), state.action_to_string(state.legal_actions()[0])  # all trumps lie elsewhere
(0, 'accept the hand')

A game is one deal. Players are the places in the order of play; the last one is the dealer. Cards are dealt
one by one, each a chance node, and the places are filled one after the other. A Danish redeal is another
round of chance nodes; whoever is asked after the third takes the hand as it is, so that the game is finite.
Parameters of Danish games are what the cups hold, `king` and `pagat`. Returns are points. What goes to the
cups or comes from them is lost or won by nobody else, and so a Danish game is of general sum.

An observation is that of `layout_of(rules)`. An information state has behind it, as numbers from 1 up, the
tokens of `history.py` as the player reads them, and among them, as words of the player's own, what only the
player knows: the cards dealt (`players * vocabulary + card`), cards laid, and every "no". While cards are
dealt, and when all is over, nothing is observed but this history.

`numbered(game, seed, number)` is a deal that other doors know by its seed and number. Whoever draws the
chance nodes instead has dice of their own.

`resample_from_infostate` is for searches in Python (`open_spiel.python.algorithms.ismcts`), since OpenSpiel's
C++ cannot ask a game in Python for it. `State.playout` is for playouts: the same methods without the C++.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import Any, ClassVar, Final

import numpy as np
import pyspiel

from ultimo import rulebook
from ultimo.cards import PACK, indices
from ultimo.french import numbers as french_rule
from ultimo.french.reckoning import parts
from ultimo.kernel.batch import START, Batch
from ultimo.kernel.danish import layout as danish_at
from ultimo.kernel.french import layout as french_at
from ultimo.kernel.jit import Ints
from ultimo.kernel.sets import cards_in
from ultimo.research import history as words
from ultimo.research.actions import name
from ultimo.research.danish import Floats
from ultimo.research.layout import CARDS, Field
from ultimo.research.observing import layout_of, observe
from ultimo.research.resampling import another
from ultimo.research.tree import CHANCE, CHOICES, DEAL, DEALT, OVER, SPANS, TURN, Tree
from ultimo.rulebook import DanishRules, FrenchRules, Rules

MOST_WON: Final = 2_000  # in a Danish deal, beside the cups; more than anybody can win or lose
HISTORY: Final = {True: 320, False: 176}  # tokens: no Danish, and no French, deal has more
ALL_HALF_POINTS, ALL_BOUTS = 182, 3
EACH_AS_LIKELY: Final = [  # the cards with their chances, by how many are left
    np.fromiter(((card, 1 / max(left, 1)) for card in range(CARDS)), object, CARDS)
    for left in range(CARDS + 1)
]


class Walk:
    """A way through the tree of a game, in Python alone.

    It does without OpenSpiel's C++, each call of which costs more than a step: for playouts, `State.playout`.
    """

    tree: ClassVar[Tree]
    _row: Ints
    _turn: int

    def current_player(self) -> int:
        """The place that acts; OpenSpiel's numbers for chance, and for the end."""
        return self._turn

    def is_terminal(self) -> bool:
        """Whether the deal is over."""
        return self._turn == OVER

    def is_chance_node(self) -> bool:
        """Whether a card is to be dealt."""
        return self._turn == CHANCE

    def legal_actions(self, player: int | None = None) -> list[int]:
        """What may be done; nothing by a player who is not to act."""
        if player is None or player == self._turn:
            row = self._row
            choices: list[int] = row[SPANS[row.item(CHOICES)]].tolist()  # `tree.legal`, without a call
            return choices
        return []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The cards that are left, each as likely."""
        row = self._row
        left = row.item(CHOICES)
        outcomes: list[tuple[int, float]] = EACH_AS_LIKELY[left][row[SPANS[left]]].tolist()
        return outcomes

    apply_action: ClassVar[Callable[[Walk, int], None]]  # `Game` makes it, for its tree

    def returns(self) -> list[float]:
        """The points of each player; nothing before the end."""
        tree = self.tree
        if self._turn != OVER:
            return [0.0] * tree.players
        return [float(points) for points in self._row[tree.net : tree.net + tree.players].tolist()]

    def observe(self, player: int, out: Floats) -> None:
        """Write down what a player observes."""
        place = player if self._turn >= 0 else -1
        observe(self.tree.rules, self._row[None, DEAL:], np.array([place]), out[None])

    def playout(self) -> Walk:
        """The same deal, to be played on in Python alone, with the same methods; it has no history."""
        walk = self._playout.__new__(self._playout)
        walk._row, walk._turn = self._row.copy(), self._turn
        return walk

    _playout: ClassVar[type[Walk]]
    clone = playout


class State(Walk, pyspiel.State):
    """A deal that is going on. What OpenSpiel copies and keeps of it is the row, and whose turn it is."""

    apply_action = pyspiel.State.apply_action  # which keeps the history
    clone = pyspiel.State.clone

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self._row, self._turn = self.tree.root(), CHANCE

    def __reduce__(self) -> tuple[Callable[[str], State], tuple[str]]:
        return read_state, (pyspiel.serialize_game_and_state(self.get_game(), self),)

    def _legal_actions(self, player: int) -> list[int]:
        return self.legal_actions()

    # --- words -------------------------------------------------------------------------------------------

    def _action_to_string(self, player: int, action: int) -> str:
        return f"deal {PACK[action].value}" if player == CHANCE else name(self.tree.rules, action)

    def __str__(self) -> str:
        done = (
            f"{one.player}: {self._action_to_string(one.player, one.action)}" for one in self.full_history()
        )
        return "\n".join((self.tree.rules.id, *done))

    # --- what a player knows -------------------------------------------------------------------------------

    def tokens(self, player: int) -> list[int]:
        """All that a player has heard, seen and done, in this order."""
        if (heard := self.__dict__.get("_heard")) is None:
            heard = self._heard = Heard(self.tree.root())
        heard.go_on(self.tree, self.history())
        return heard.tokens(self.tree, player)

    def resample_from_infostate(self, player: int, rng: Callable[[], float]) -> State:
        """Another deal with the same information state of a player, by a world that is drawn.

        Where cards are being dealt, or all is over, it is a copy. Raises `LookupError` if none is found.
        """
        if self._turn < 0:
            copy: State = self.clone()
            return copy
        state: State = self.get_game().new_initial_state()
        for action in another(self.tree, tuple(self.history()), player, rng):
            state.apply_action(action)
        return state


class Heard:
    """The words of a deal, each with its place and, if nobody else knows it, the place that does.

    It is kept up when it is asked for, since most searches never do.
    """

    def __init__(self, row: Ints) -> None:
        self._row, self._done = row, 0
        self._said: tuple[tuple[int, int, int], ...] = ()  # the place, the word, who knows (-1: all)

    def __deepcopy__(self, memo: object) -> Heard:
        other = Heard(self._row.copy())
        other._done, other._said = self._done, self._said
        return other

    def go_on(self, tree: Tree, actions: Sequence[int]) -> None:
        """Listen to the actions that have been added to a history."""
        said: list[tuple[int, int, int]] = []
        for action in actions[self._done :]:
            before = self._row.copy()
            tree.step(self._row, action)
            said += _said(tree, before, self._row, action)
        self._done, self._said = len(actions), (*self._said, *said)

    def tokens(self, tree: Tree, player: int) -> list[int]:
        """The words that a player has heard."""
        players, vocabulary = tree.players, words.vocabulary(tree.rules)
        return [
            (place - player) % players * vocabulary + word
            for place, word, knows in self._said
            if knows in (-1, player)
        ]


def _said(tree: Tree, before: Ints, after: Ints, action: int) -> Iterator[tuple[int, int, int]]:
    """What is heard of an action: by everybody, or by whoever has done it."""
    place = int(before[TURN])
    if place == CHANCE:
        if before[DEALT] == CARDS - 1:
            yield from _dealt(tree, after[DEAL:])
        return
    told = tuple(words.said(tree.rules, before[DEAL:], after[DEAL:], action))
    if (place, action) not in told:
        yield place, action, place
    for one, word in told:
        yield one, word, -1


def _dealt(tree: Tree, s: Ints) -> Iterator[tuple[int, int, int]]:
    suits, trumps = (
        (danish_at.DEALT_SUITS, danish_at.DEALT_TRUMPS)
        if isinstance(tree.rules, DanishRules)
        else (french_at.DEALT_SUITS, french_at.DEALT_TRUMPS)
    )
    first = tree.players * words.vocabulary(tree.rules)
    for place in range(tree.players):
        for card in indices(cards_in(s[suits + place], s[trumps + place])):
            yield place, first + card, place


class Observer:
    """Observations in pieces, a piece a field; with perfect recall, the history is one more."""

    def __init__(self, rules: Rules, kind: Any, params: Any) -> None:
        if params:
            raise ValueError(f"an observer has no parameters: {params}")
        if not kind.public_info or kind.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
            raise ValueError("an observation is what one player sees of the table and of their own cards")
        self._rules, self._layout = rules, layout_of(rules)
        size, longest = self._layout.size, HISTORY[isinstance(rules, DanishRules)]
        self._recalls = bool(kind.perfect_recall)
        self.tensor: Floats = np.zeros(size + self._recalls * longest, np.float32)
        self._seen, self._past = self.tensor[:size], self.tensor[size:]
        self.dict = {field.name: _piece(field, self.tensor) for field in self._layout.fields}
        if self._recalls:
            self.dict["history"] = self._past

    def set_from(self, state: State, player: int) -> None:
        """Write down what a player knows."""
        state.observe(player, self._seen)
        if self._recalls:
            tokens = state.tokens(player)
            self._past[:] = 0
            self._past[: len(tokens)] = tokens
            self._past[: len(tokens)] += 1

    def string_from(self, state: State, player: int) -> str:
        """The same in words: what is not empty of every field."""
        seen = np.zeros(self._layout.size, np.float32)
        state.observe(player, seen)
        lines = [f"player: {player}"]
        for field in self._layout.fields:
            piece = _piece(field, seen)
            if piece.any():
                lines.append(f"{field.name}: {_in_words(field, piece)}")
        if self._recalls:
            lines.append(f"history: {' '.join(map(str, state.tokens(player)))}")
        return "\n".join(lines)


def _piece(field: Field, seen: Floats) -> Floats:
    piece = seen[field.start : field.start + field.size]
    return piece.reshape(field.times, CARDS) if field.cards else piece


def _in_words(field: Field, piece: Floats) -> str:
    if not field.cards:
        return " ".join(f"{number:g}" for number in piece)
    return " / ".join(" ".join(PACK[card].value for card in np.flatnonzero(one)) for one in piece)


class Game(pyspiel.Game):
    """All deals under some rules."""

    rules: ClassVar[Rules]
    kind: ClassVar[Any]

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = params or {}
        self.tree = Tree(self.rules, given.get("king", START), given.get("pagat", START))
        low, high = _bounds(self.tree)
        info = pyspiel.GameInfo(
            num_distinct_actions=self.tree.actions,
            max_chance_outcomes=CARDS,
            num_players=self.tree.players,
            min_utility=low,
            max_utility=high,
            utility_sum=None if isinstance(self.rules, DanishRules) else 0.0,
            max_game_length=self.tree.length,
        )
        super().__init__(self.kind, info, given)
        step, common = self.tree.compiled, self.tree.common

        def act(walk: Walk, action: int) -> None:
            """Let a card be dealt, or the place in turn act; it must be legal."""
            walk._turn = step(common, walk._row, action)

        playout: Any = type("Playout", (Walk,), {"tree": self.tree, "apply_action": act})
        playout._playout = playout
        facts = {"tree": self.tree, "_apply_action": act, "_playout": playout}
        self._state = type("State", (State,), facts)

    def __reduce__(self) -> tuple[Callable[[str], Game], tuple[str]]:
        return read_game, (str(self),)

    def new_initial_state(self) -> State:
        """A deal before its first card."""
        state: State = self._state(self)
        return state

    def max_chance_nodes_in_history(self) -> int:
        """Cards are dealt more than once if somebody may ask for it."""
        return CARDS * self.tree.deals

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        """What writes observations; with perfect recall, information states."""
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        return Observer(self.rules, kind, params)


def numbered(game: Game, seed: int, number: int = 0) -> State:
    """Deal `number` of a seed, as all other doors deal it, before its first decision.

    If a Danish hand is dealt anew, the new cards are chance nodes as always.
    """
    danish = isinstance(game.rules, DanishRules)
    s = Batch(game.rules, deals=1, seed=seed, first=number).states[0]
    at = danish_at if danish else french_at
    words = [(s[at.DEALT_SUITS + place], s[at.DEALT_TRUMPS + place]) for place in range(game.tree.players)]
    if not danish:
        words.append((s[french_at.CHIEN_SUITS], s[french_at.CHIEN_TRUMPS]))
    state = game.new_initial_state()
    for suits, trumps in words:
        for card in indices(cards_in(suits, trumps)):
            state.apply_action(card)
    return state


def read_game(text: str) -> Game:
    """A game by its name, for whoever unpickles it in another process."""
    game: Game = pyspiel.load_game(text)
    return game


def read_state(text: str) -> State:
    """A state as OpenSpiel writes it, for whoever unpickles it in another process."""
    state: State = pyspiel.deserialize_game_and_state(text)[1]
    return state


def _bounds(tree: Tree) -> tuple[float, float]:
    """What nobody can lose more than, or win."""
    if not isinstance(tree.rules, FrenchRules):
        most = MOST_WON + 4.0 * (tree.king + tree.pagat)
        return -most, most
    n = tree.common.tolist()
    poignees = tree.players * max(n[french_rule.POIGNEE_VALUE :][: n[french_rule.POIGNEES]])
    ends = product(range(n[french_rule.BIDS]), (0, ALL_HALF_POINTS), (0, ALL_BOUTS), (-1, 0, 1), (-1, 0, 1))
    each = max(
        abs(sum(parts(n, bid, half_points, bouts, side, poignees, announced, made)))
        for (bid, half_points, bouts, side, announced), made in product(ends, (-1, 0, 1))
    )
    return -float(each * (tree.players - 1)), float(each * (tree.players - 1))


def _register(book: str) -> None:
    rules = rulebook.load(book)
    danish = isinstance(rules, DanishRules)
    players = 3 if danish else rules.sizes[0]
    kinds = pyspiel.GameType
    kind = kinds(
        short_name=f"ultimo_{book}",
        long_name=f"Ultimo, rulebook {book}",
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kinds.Information.IMPERFECT_INFORMATION,
        utility=kinds.Utility.GENERAL_SUM if danish else kinds.Utility.ZERO_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=players,
        min_num_players=players,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"king": START, "pagat": START} if danish else {},
    )
    pyspiel.register_game(kind, type("Game", (Game,), {"rules": rules, "kind": kind}))


for _book in rulebook.ids():
    _register(_book)
