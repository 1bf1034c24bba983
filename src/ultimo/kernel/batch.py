"""Many deals side by side: what each may do as arrays, one action for each, and again.

For players outside the kernel that decide for thousands of deals at once. Deal `i` of the batch is deal
`first + i` of its seed, shuffled as in every other run.

>>> from ultimo.rulebook import load
>>> batch = Batch(load("hermansen"), deals=100, seed=7)
>>> while not batch.done.all():
...     batch.step(batch.legal_table().argmax(axis=1))  # the first legal action
>>> int(batch.net.sum() + batch.cups.sum()) == 100 * 2 * START  # what the cups held, nothing more
True
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ultimo.french.numbers import PLAYERS
from ultimo.kernel.danish import deal as danish_deal
from ultimo.kernel.danish import layout as danish_at
from ultimo.kernel.danish.policy import choose as danish_policy
from ultimo.kernel.dice import next_word, starts
from ultimo.kernel.french import deal as french_deal
from ultimo.kernel.french import layout as french_at
from ultimo.kernel.french import memory as french_memory
from ultimo.kernel.french.policy import choose as french_policy
from ultimo.kernel.jit import Ints, Words, inlined, tight
from ultimo.play.following import FIRST_TRUMP, PACK_SIZE
from ultimo.rulebook import DanishRules, Rules

START = 60  # in each cup, where nothing else is said
OVER = -1  # the turn of a deal that is over, and the action for it


class Batch:
    """Deals side by side. `turn` is who acts in each: a place in the order of play, forehand first.

    In a French deal the places are seats, and the dealer's is the last. `suits`, `trumps` and `words` are
    what he may do, as `legal` of the family's deal tells it; `legal_table` spreads it out.
    """

    def __init__(
        self,
        rules: Rules,
        *,
        deals: int,
        seed: int,
        first: int = 0,
        table: int = 3,
        king: int = START,
        pagat: int = START,
    ) -> None:
        """Deal; a Danish table may have sitters-out, whom only the count knows, and cups as given."""
        self.rules = rules
        self.places = 3 if isinstance(rules, DanishRules) else rules.players
        self.actions = danish_at.ACTIONS if isinstance(rules, DanishRules) else french_at.ACTIONS
        self.suits, self.trumps, self.words, self.turn = np.zeros((4, deals), np.int64)
        self._dice = np.zeros((deals, 1), np.uint64)
        words = starts(seed, first)
        if isinstance(rules, DanishRules):
            self._n = danish_deal.array_of(rules)
            self._states = np.zeros((deals, danish_at.SIZE), np.int64)
            self._paper = np.zeros(danish_at.PAPER, np.int64)
            _begin_danish(
                self._n, self._states, self._paper, self._dice, words, table, king, pagat, *self._may
            )
        else:
            self._n = french_deal.array_of(rules)
            self._states = np.zeros((deals, len(french_deal.blank())), np.int64)
            self._paper = np.zeros(PACK_SIZE, np.int64)
            _begin_french(self._n, self._states, self._paper, self._dice, words, *self._may)

    @property
    def _may(self) -> tuple[Ints, Ints, Ints, Ints]:
        return self.suits, self.trumps, self.words, self.turn

    @property
    def done(self) -> npt.NDArray[np.bool_]:
        """Which deals are over."""
        return np.equal(self.turn, OVER)

    @property
    def net(self) -> Ints:
        """What each place has gained so far."""
        at = danish_at.NET if isinstance(self.rules, DanishRules) else french_at.NET
        return self._states[:, at : at + self.places]

    @property
    def cups(self) -> Ints:
        """What the king's and the pagat's cup hold; a French deal has none."""
        return self._states[
            :, danish_at.KING_CUP : danish_at.KING_CUP + 2 * isinstance(self.rules, DanishRules)
        ]

    def legal_table(self) -> npt.NDArray[np.bool_]:
        """A row for each deal, a column for each action: whether it may be done now."""
        table = np.zeros((len(self.turn), self.actions), np.bool_)
        _spread(self.suits, self.trumps, self.words, table)
        return table

    def step(self, actions: npt.ArrayLike) -> None:
        """Let each deal's place in turn act; a deal that is over takes no notice. Raises `ValueError`."""
        chosen = np.asarray(actions, np.int64)
        if chosen.shape != self.turn.shape:
            raise ValueError(f"give one action for each of the {len(self.turn)} deals")
        if (wrong := _first_illegal(*self._may, chosen)) >= 0:
            raise ValueError(f"action {chosen[wrong]} is not legal in deal {wrong} of the batch")
        if isinstance(self.rules, DanishRules):
            _step_danish(self._n, self._states, self._paper, self._dice, chosen, *self._may)
        else:
            _step_french(self._n, self._states, chosen, *self._may)

    def play(self, policies: Sequence[int] = (0,)) -> None:
        """Play all deals to their end by compiled policies, place by place, over and over."""
        by_place = np.array([policies[place % len(policies)] for place in range(5)], np.int64)
        chosen = np.zeros(len(self.turn), np.int64)
        while not self.done.all():
            if isinstance(self.rules, DanishRules):
                _choose_danish(self._n, self._states, self._paper, self._dice, by_place, self.turn, chosen)
                _step_danish(self._n, self._states, self._paper, self._dice, chosen, *self._may)
            else:
                _choose_french(self._n, self._states, self._dice, by_place, self.turn, chosen)
                _step_french(self._n, self._states, chosen, *self._may)


@tight
def _spread(suits: Ints, trumps: Ints, words: Ints, table: npt.NDArray[np.bool_]) -> None:
    for deal in range(len(suits)):
        for action in range(FIRST_TRUMP):
            table[deal, action] = suits[deal] >> action & 1
        for action in range(FIRST_TRUMP, PACK_SIZE):
            table[deal, action] = trumps[deal] >> (action - FIRST_TRUMP) & 1
        for action in range(PACK_SIZE, table.shape[1]):
            table[deal, action] = words[deal] >> (action - PACK_SIZE) & 1


@tight
def _first_illegal(suits: Ints, trumps: Ints, words: Ints, turn: Ints, chosen: Ints) -> int:
    """The first deal of which the chosen action is not legal; -1 if there is none."""
    for deal in range(len(chosen)):
        action = chosen[deal]
        if turn[deal] == OVER:
            continue
        if action < 0 or action >= PACK_SIZE + 62:
            return deal
        if action < FIRST_TRUMP:
            legal = suits[deal] >> action & 1
        elif action < PACK_SIZE:
            legal = trumps[deal] >> (action - FIRST_TRUMP) & 1
        else:
            legal = words[deal] >> (action - PACK_SIZE) & 1
        if not legal:
            return deal
    return -1


# --- Danish --------------------------------------------------------------------------------------------


@tight
def _begin_danish(
    n: Ints,
    states: Ints,
    paper: Ints,
    dice: Words,
    words: Words,
    table: int,
    king: int,
    pagat: int,
    suits: Ints,
    trumps: Ints,
    others: Ints,
    turn: Ints,
) -> None:
    for deal in range(len(states)):
        dice[deal, 0] = next_word(words)
        danish_deal.begin(n, states[deal], paper, table, king, pagat)
        _offer_danish(n, states[deal], paper, dice[deal], deal, suits, trumps, others, turn)


@tight
def _step_danish(
    n: Ints,
    states: Ints,
    paper: Ints,
    dice: Words,
    chosen: Ints,
    suits: Ints,
    trumps: Ints,
    others: Ints,
    turn: Ints,
) -> None:
    for deal in range(len(states)):
        if turn[deal] != OVER:
            danish_deal.act(n, states[deal], paper, chosen[deal])
            _offer_danish(n, states[deal], paper, dice[deal], deal, suits, trumps, others, turn)


@inlined
def _offer_danish(
    n: Ints, s: Ints, w: Ints, dice: Words, deal: int, suits: Ints, trumps: Ints, others: Ints, turn: Ints
) -> None:
    """Note who acts next in a deal, and what he may do; deal where cards are wanted."""
    while s[danish_at.PHASE] == danish_at.DEALING:
        danish_deal.deal(n, s, w, dice)
    if s[danish_at.PHASE] == danish_at.CLOSED:
        suits[deal], trumps[deal], others[deal], turn[deal] = 0, 0, 0, OVER
        return
    suits[deal], trumps[deal], others[deal] = danish_deal.legal(n, s, w)
    turn[deal] = s[danish_at.TURN]


@tight
def _choose_danish(
    n: Ints, states: Ints, paper: Ints, dice: Words, policies: Ints, turn: Ints, chosen: Ints
) -> None:
    for deal in range(len(states)):
        if turn[deal] != OVER:
            chosen[deal] = danish_policy.choose(policies[turn[deal]], n, states[deal], paper, dice[deal])


# --- French --------------------------------------------------------------------------------------------


@tight
def _begin_french(
    n: Ints,
    states: Ints,
    paper: Ints,
    dice: Words,
    words: Words,
    suits: Ints,
    trumps: Ints,
    others: Ints,
    turn: Ints,
) -> None:
    for deal in range(len(states)):
        dice[deal, 0] = next_word(words)
        french_deal.deal(n, states[deal], n[PLAYERS] - 1, paper, dice[deal])
        _offer_french(n, states[deal], deal, suits, trumps, others, turn)


@tight
def _step_french(
    n: Ints, states: Ints, chosen: Ints, suits: Ints, trumps: Ints, others: Ints, turn: Ints
) -> None:
    for deal in range(len(states)):
        if turn[deal] != OVER:
            french_memory.remember(n, states[deal], chosen[deal])
            french_deal.act(n, states[deal], chosen[deal])
            _offer_french(n, states[deal], deal, suits, trumps, others, turn)


@inlined
def _offer_french(n: Ints, s: Ints, deal: int, suits: Ints, trumps: Ints, others: Ints, turn: Ints) -> None:
    """Note who acts next in a deal, and what he may do."""
    if s[french_at.PHASE] == french_at.CLOSED:
        suits[deal], trumps[deal], others[deal], turn[deal] = 0, 0, 0, OVER
        return
    suits[deal], trumps[deal], others[deal] = french_deal.legal(n, s)
    turn[deal] = s[french_at.TURN]


@tight
def _choose_french(n: Ints, states: Ints, dice: Words, policies: Ints, turn: Ints, chosen: Ints) -> None:
    for deal in range(len(states)):
        if turn[deal] != OVER:
            chosen[deal] = french_policy.choose(policies[turn[deal]], n, states[deal], dice[deal])
