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
from copy import copy

import numpy as np
import numpy.typing as npt

from ultimo.french.numbers import PLAYERS
from ultimo.kernel.danish import deal as danish_deal
from ultimo.kernel.danish import layout as danish_at
from ultimo.kernel.danish import run as danish_run
from ultimo.kernel.danish.policy import student as danish_student
from ultimo.kernel.danish.policy.choose import choose as choose_danish
from ultimo.kernel.dice import SHUFFLE, generator, next_word, starts
from ultimo.kernel.french import deal as french_deal
from ultimo.kernel.french import layout as french_at
from ultimo.kernel.french import run as french_run
from ultimo.kernel.french.policy import student as french_student
from ultimo.kernel.french.policy.choose import choose as choose_french
from ultimo.kernel.jit import Ints, Words, inlined, tight
from ultimo.kernel.policy import STUDENT, is_among
from ultimo.play.following import FIRST_TRUMP, PACK_SIZE
from ultimo.rulebook import DanishRules, Rules

START = 60  # in each cup, where nothing else is said
OVER = -1  # the turn of a deal that is over, and the action for it
BEGIN = -2  # in place of an action: the deal begins
LEAVE = -3  # in place of an action: the deal stays as it is
SUITS, TRUMPS, WORDS, TURN = range(4)  # what a deal's row of `may` says: what may be done, and by whom


class Batch:
    """Deals side by side. `turn` is who acts in each: a place in the order of play, forehand first.

    In a French deal the places are seats, and the dealer's is the last. `suits`, `trumps` and `words` are
    what they may do, as `legal` of the family's deal tells it; `legal_table` spreads it out.
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
        self.rules, self.seed, self._thinks = rules, seed, False
        self._may = np.zeros((deals, 4), np.int64)
        self.suits, self.trumps, self.words, self.turn = self._may.T
        self._dice = np.zeros((deals, 1), np.uint64)
        _throw(starts(seed, first), self._dice)
        if isinstance(rules, DanishRules):
            self.places, self.actions, self._net = 3, danish_at.ACTIONS, danish_at.NET
            self._step, self._play, self._play_on = _step_danish, _play_danish, _play_on_danish
            self._n, self._paper = danish_deal.array_of(rules), np.zeros(danish_at.PAPER, np.int64)
            self._begun = np.zeros(danish_at.LENGTH, np.int64)
            danish_deal.begin(self._n, self._begun, self._paper, table, king, pagat)
        else:
            self.places, self.actions, self._net = rules.players, french_at.ACTIONS, french_at.NET
            self._step, self._play, self._play_on = _step_french, _play_french, _play_on_french
            self._n, self._paper = french_deal.array_of(rules), np.zeros(SHUFFLE, np.int64)
            self._begun = french_deal.blank()
        self._states = np.tile(self._begun, (deals, 1))
        self._do(np.full(deals, BEGIN, np.int64))

    def copy(self) -> Batch:
        """The same deals once more, to be played on otherwise."""
        other = copy(self)
        other._may, other._dice, other._states = self._may.copy(), self._dice.copy(), self._states.copy()
        other.suits, other.trumps, other.words, other.turn = other._may.T
        return other

    @property
    def states(self) -> Ints:
        """The deals themselves, a row each: all cards, and behind them what everybody has seen."""
        return self._states

    @property
    def done(self) -> npt.NDArray[np.bool_]:
        """Which deals are over."""
        return np.equal(self.turn, OVER)

    @property
    def net(self) -> Ints:
        """What each place has gained so far."""
        return self._states[:, self._net : self._net + self.places]

    @property
    def cups(self) -> Ints:
        """What the king's and the pagat's cup hold; a French deal has none."""
        cups = 2 * isinstance(self.rules, DanishRules)
        return self._states[:, danish_at.KING_CUP : danish_at.KING_CUP + cups]

    @property
    def tricks_won(self) -> Ints:
        """The tricks that each place has won; of a French deal those of the taker's side alone."""
        if isinstance(self.rules, DanishRules):
            return self._states[:, danish_at.TRICKS_WON : danish_at.TRICKS_WON + self.places]
        return self._states[:, french_at.TAKER_TRICKS : french_at.TAKER_TRICKS + 1]

    def legal_table(self) -> npt.NDArray[np.bool_]:
        """A row for each deal, a column for each action: whether it may be done now."""
        table = np.zeros((len(self.turn), self.actions), np.bool_)
        _spread(self._may, table)
        return table

    def step(self, actions: npt.ArrayLike) -> None:
        """Let each deal's place in turn act; a deal that is over takes no notice. Raises `ValueError`."""
        chosen = np.asarray(actions, np.int64)
        if chosen.shape != self.turn.shape:
            raise ValueError(f"give one action for each of the {len(self.turn)} deals")
        if (wrong := _first_illegal(self._may, chosen)) >= 0:
            raise ValueError(f"action {chosen[wrong]} is not legal in deal {wrong} of the batch")
        self._do(chosen)

    def play(self, policies: Sequence[int] = (0,)) -> None:
        """Play all deals to their end by compiled policies, place by place, over and over."""
        self._think(policies)
        self._play(self._n, self._states, self._paper, self._dice, french_run.by_seat(policies))
        self._may[:] = 0, 0, 0, OVER

    def play_on(self, policies: Sequence[int], stops: npt.ArrayLike) -> None:
        """Let each deal go on by compiled policies, until the place in `stops` is to act or it is over."""
        self._think(policies)
        by_place, ends = french_run.by_seat(policies), np.asarray(stops, np.int64)
        self._play_on(self._n, self._states, self._paper, self._dice, by_place, ends, self._may)

    def deal_anew(self, rows: npt.ArrayLike, numbers: npt.ArrayLike) -> None:
        """Put other deals of the seed, by their numbers, in place of some."""
        chosen = np.full(len(self.turn), LEAVE, np.int64)
        for row, number in zip(np.asarray(rows).tolist(), np.asarray(numbers).tolist(), strict=True):
            self._dice[row], chosen[row] = generator(self.seed, number), BEGIN
            self._states[row] = self._begun
        self._do(chosen)

    def _think(self, policies: Sequence[int]) -> None:
        """Have a network in `n` if one of the players thinks with it."""
        if STUDENT in policies and not self._thinks:
            self._thinks = True
            if isinstance(self.rules, DanishRules):
                self._n = danish_deal.array_of(self.rules, danish_student.network_for(policies))
            else:
                self._n = french_deal.array_of(self.rules, french_student.network_for(policies))

    def _do(self, chosen: Ints) -> None:
        self._step(self._n, self._states, self._paper, self._dice, chosen, self._may)


@tight
def _throw(words: Words, dice: Words) -> None:
    for deal in range(len(dice)):
        dice[deal, 0] = next_word(words)


@tight
def _spread(may: Ints, table: npt.NDArray[np.bool_]) -> None:
    for deal in range(len(may)):
        for action in range(FIRST_TRUMP):
            table[deal, action] = may[deal, SUITS] >> action & 1
        for action in range(FIRST_TRUMP, PACK_SIZE):
            table[deal, action] = may[deal, TRUMPS] >> (action - FIRST_TRUMP) & 1
        for action in range(PACK_SIZE, table.shape[1]):
            table[deal, action] = may[deal, WORDS] >> (action - PACK_SIZE) & 1


@tight
def _first_illegal(may: Ints, chosen: Ints) -> int:
    """The first deal of which the chosen action is not legal; -1 if there is none."""
    for deal in range(len(chosen)):
        action = chosen[deal]
        if may[deal, TURN] != OVER and not (0 <= action < PACK_SIZE + 62 and _is_legal(may[deal], action)):
            return deal
    return -1


@inlined
def _is_legal(may: Ints, action: int) -> bool:
    return is_among(may[SUITS], may[TRUMPS], may[WORDS], action)


@inlined
def _note(may: Ints, legal: tuple[int, int, int], turn: int) -> None:
    """Note who acts next in a deal, and what they may do."""
    may[SUITS], may[TRUMPS], may[WORDS] = legal
    may[TURN] = turn


# --- Danish --------------------------------------------------------------------------------------------


@tight
def _step_danish(n: Ints, states: Ints, w: Ints, dice: Words, chosen: Ints, may: Ints) -> None:
    for deal in range(len(states)):
        s = states[deal]
        if chosen[deal] == LEAVE:
            continue
        if chosen[deal] != BEGIN and may[deal, TURN] != OVER:
            danish_run.do(n, s, w, chosen[deal])
        while s[danish_at.PHASE] == danish_at.DEALING:
            danish_deal.deal(n, s, w, dice[deal])
        _note_danish(n, s, w, may[deal])


@inlined
def _note_danish(n: Ints, s: Ints, w: Ints, may: Ints) -> None:
    if s[danish_at.PHASE] == danish_at.CLOSED:
        _note(may, (0, 0, 0), OVER)
    else:
        _note(may, danish_deal.legal(n, s, w), s[danish_at.TURN])


@tight
def _play_on_danish(
    n: Ints, states: Ints, w: Ints, dice: Words, policies: Ints, stops: Ints, may: Ints
) -> None:
    for deal in range(len(states)):
        s = states[deal]
        while s[danish_at.PHASE] != danish_at.CLOSED and s[danish_at.TURN] != stops[deal]:
            danish_run.do(n, s, w, choose_danish(policies[s[danish_at.TURN]], n, s, w, dice[deal]))
            while s[danish_at.PHASE] == danish_at.DEALING:
                danish_deal.deal(n, s, w, dice[deal])
        _note_danish(n, s, w, may[deal])


@tight
def _play_danish(n: Ints, states: Ints, w: Ints, dice: Words, policies: Ints) -> None:
    for deal in range(len(states)):
        danish_run.play_out(n, states[deal], w, policies, dice[deal])


# --- French --------------------------------------------------------------------------------------------


@tight
def _step_french(n: Ints, states: Ints, w: Ints, dice: Words, chosen: Ints, may: Ints) -> None:
    for deal in range(len(states)):
        s = states[deal]
        if chosen[deal] == LEAVE:
            continue
        if chosen[deal] == BEGIN:
            french_deal.deal(n, s, n[PLAYERS] - 1, w, dice[deal])
        elif may[deal, TURN] != OVER:
            french_run.do(n, s, chosen[deal])
        _note_french(n, s, may[deal])


@inlined
def _note_french(n: Ints, s: Ints, may: Ints) -> None:
    if s[french_at.PHASE] == french_at.CLOSED:
        _note(may, (0, 0, 0), OVER)
    else:
        _note(may, french_deal.legal(n, s), s[french_at.TURN])


@tight
def _play_on_french(
    n: Ints, states: Ints, w: Ints, dice: Words, policies: Ints, stops: Ints, may: Ints
) -> None:
    for deal in range(len(states)):
        s = states[deal]
        while s[french_at.PHASE] != french_at.CLOSED and s[french_at.TURN] != stops[deal]:
            french_run.do(n, s, choose_french(policies[s[french_at.TURN]], n, s, dice[deal]))
        _note_french(n, s, may[deal])


@tight
def _play_french(n: Ints, states: Ints, w: Ints, dice: Words, policies: Ints) -> None:
    for deal in range(len(states)):
        french_run.play_out(n, states[deal], policies, dice[deal])
